#include <immintrin.h>

#include "kernels/instruction_sets.hpp"

namespace milcci::v4 {
namespace {

constexpr int kLanes = 8;
#include "kernels/kernels.inl"
#include "kernels/own_grams.inl"

}  // namespace

extern const Kernels kKernels = {"x86-64-v4",          project<double>,  project<float>,
                                 accumulate,           accumulate_float, lasso_points<false>,
                                 lasso_points<true>,   combine,          inner,
                                 subtract_product,     add_weighted,     clear_missing<double>,
                                 clear_missing<float>, sum_grams,        accumulate_grams,
                                 nonnegative_sweep,    solve_own,        smooth_own,
                                 quadratic_form,       lasso_own<false>, lasso_own<true>};

}  // namespace milcci::v4
