// One set of kernels per instruction set; which ones are built is decided in src/CMakeLists.txt.
#pragma once

#include "kernels/kernels.hpp"

namespace milcci {

namespace v2 {
extern const Kernels kKernels;  ///< vectors of two: any 64-bit processor
}
namespace v3 {
extern const Kernels kKernels;  ///< vectors of four, fused multiply-add
}
namespace v4 {
extern const Kernels kKernels;  ///< vectors of eight
}

}  // namespace milcci
