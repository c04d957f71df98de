// The spectrum of a layer's kernel.
//
// Inputs:  factor       the kernels' spectra, of channels (real, imaginary)
// Defines: OWN_KERNELS  1: one for each layer, in a texture array; 0: one for all

#if OWN_KERNELS
uniform sampler2DArray factor;
#define place_of_kernel(at) at
#else
uniform sampler2D factor;
#define place_of_kernel(at) (at).xy
#endif

vec2 glfft_kernel_spectrum(ivec3 at) {
    return texelFetch(factor, place_of_kernel(at), 0).xy;
}
