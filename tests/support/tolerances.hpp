// Tolerances of the tests, named once. Numbers are relative to values of order one unless said otherwise.
#pragma once

namespace milcci::testing {

constexpr double kExact = 1e-12;    ///< the same sum in another order
constexpr double kSolve = 1e-9;     ///< a direct solve against another direct solve
constexpr double kIterated = 1e-6;  ///< an iterative solve at a tight tolerance

}  // namespace milcci::testing
