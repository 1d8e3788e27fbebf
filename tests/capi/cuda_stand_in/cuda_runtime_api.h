// What capi/src/cuda.cpp takes of CUDA, for machines without: the one stream is the default one.
#pragma once

using cudaError_t = int;
using cudaStream_t = struct CUstream_st*;
inline constexpr cudaError_t cudaSuccess = 0;

inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return stream == nullptr ? cudaSuccess : 1;
}
inline const char* cudaGetErrorString(cudaError_t) {
    return "there is no such stream";
}
