// Real and imaginary parts of values on their own: one number each, or two where a value is two complex numbers.

#if PAIRED
#define component vec2

component real_component(value v) {
    return v.xz;
}

component imaginary_component(value v) {
    return v.yw;
}

value value_of_components(component re, component im) {
    return value(re.x, im.x, re.y, im.y);
}
#else
#define component float

component real_component(value v) {
    return v.x;
}

component imaginary_component(value v) {
    return v.y;
}

value value_of_components(component re, component im) {
    return value(re, im);
}
#endif
