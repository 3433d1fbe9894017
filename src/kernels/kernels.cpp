#include "kernels/kernels.hpp"

#include "kernels/instruction_sets.hpp"

namespace milcci {

std::vector<const Kernels*> available_kernels() {
  std::vector<const Kernels*> sets = {&v2::kKernels};
#ifdef MILCCI_X86_64
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets.push_back(&v3::kKernels);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
    sets.push_back(&v4::kKernels);
#endif
  return sets;
}

const Kernels& kernels() {
  static const Kernels& fastest = *available_kernels().back();
  return fastest;
}

}  // namespace milcci
