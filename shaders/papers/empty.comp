// A kernel that does nothing: what is left of a dispatch's time is that of the dispatch.
//
// Defines: THREADS  invocations of a work group

layout(local_size_x = THREADS) in;

void main() {}
