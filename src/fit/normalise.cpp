#include "fit/normalise.hpp"

namespace milcci {

void normalise(const Design& design, Scale scale, State& state) {
  std::vector<Matrix> size;  // [k] p_k x n_options
  for (std::size_t k = 0; k < design.n_categories(); ++k) {
    size.push_back(Matrix::Zero(design.n_components(k), design.n_options(k)));
    for (std::size_t i = 0; i < state.components[k].size(); ++i) {
      Matrix& variant = state.components[k][i];
      for (Index j = 0; j < variant.cols(); ++j) {
        const double s = scale == Scale::length_one ? variant.col(j).norm() : variant.col(j).lpNorm<1>();
        size[k](j, static_cast<Index>(i)) = s;
        if (s > 0) variant.col(j) /= s;
      }
    }
  }
  for (std::size_t m = 0; m < state.traces.size(); ++m) {
    const std::vector<int>& label = design.labels[static_cast<std::size_t>(design.label_of_trial[m])];
    Vector factor(design.n_components());
    for (std::size_t k = 0; k < design.n_categories(); ++k)
      factor.segment(design.first[k], design.n_components(k)) = size[k].col(label[k]);
    state.traces[m] = state.traces[m] * factor.asDiagonal();
    if (state.transitions.empty()) continue;
    const Vector inverse = factor.unaryExpr([](double x) { return x > 0 ? 1.0 / x : 0.0; });
    Matrix& W = state.transitions[m];
    W = (factor.asDiagonal() * W * inverse.asDiagonal()).eval();
    for (Index j = 0; j < factor.size(); ++j)
      if (!(factor(j) > 0)) W(j, j) = 1.0;
  }
}

}  // namespace milcci
