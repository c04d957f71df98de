// A twiddle factor from uniforms or constants: glfft_roots[e] = exp(DIRECTION * 2 pi i * e / 16).

complex factor(int row, int column) {
    return glfft_roots[row * column];
}
