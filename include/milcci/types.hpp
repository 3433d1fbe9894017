// The matrix types the whole library speaks. `double` is the scalar everywhere.
#pragma once

#include <Eigen/Core>

namespace milcci {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

}  // namespace milcci
