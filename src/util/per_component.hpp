// One number for all components, or a number for each.
#pragma once

#include <utility>

#include "milcci/types.hpp"

namespace milcci {

class PerComponent {
 public:
  PerComponent(double common = 0) : common_(common) {}   // NOLINT: a number stands for itself
  PerComponent(Vector each) : each_(std::move(each)) {}  // NOLINT

  double operator()(Index j) const { return is_common() ? common_ : each_(j); }
  bool is_common() const { return each_.size() == 0; }
  double largest() const { return is_common() ? common_ : each_.maxCoeff(); }
  Vector of(Index n_components) const {
    return is_common() ? Vector::Constant(n_components, common_) : each_;
  }
  /// sum_j number_j x_j
  double dot(const Vector& x) const { return is_common() ? common_ * x.sum() : each_.dot(x); }

 private:
  double common_ = 0;
  Vector each_;
};

}  // namespace milcci
