#include "loop/normalise.hpp"

#include "util/parallel.hpp"

namespace milcci {

std::vector<Matrix> normalise_components(const Design& design, Scale scale, Components& components,
                                         int threads) {
  std::vector<Matrix> size;
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    size.push_back(Matrix::Zero(design.n_components(k), design.n_options(k)));
  const int light_threads = threads_for(n_values(design, components), threads);
  parallel_for(design.variants.size(), light_threads, [&](std::size_t v, int) {
    const auto [k, i] = design.variants[v];
    Matrix& variant = components[k][i];
    for (Index j = 0; j < variant.cols(); ++j) {
      const double s = scale == Scale::length_one ? variant.col(j).norm() : variant.col(j).lpNorm<1>();
      size[k](j, static_cast<Index>(i)) = s;
      if (s > 0) variant.col(j) /= s;
    }
  });
  return size;
}

Vector sizes_of_label(const Design& design, const std::vector<Matrix>& size, std::size_t label) {
  Vector result(design.n_components());
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    result.segment(design.first[k], design.n_components(k)) = size[k].col(design.labels[label][k]);
  return result;
}

void normalise(const Design& design, Scale scale, State& state, int threads) {
  const std::vector<Matrix> size = normalise_components(design, scale, state.components, threads);
  std::size_t n_trace_values = 0;
  for (const Matrix& phi : state.traces) n_trace_values += static_cast<std::size_t>(phi.size());
  parallel_for(state.traces.size(), threads_for(n_trace_values, threads), [&](std::size_t m, int) {
    const Vector factor = sizes_of_label(design, size, static_cast<std::size_t>(design.label_of_trial[m]));
    for (Index j = 0; j < factor.size(); ++j) state.traces[m].col(j) *= factor(j);
    if (state.transitions.empty()) return;
    const Vector inverse = factor.unaryExpr([](double x) { return x > 0 ? 1.0 / x : 0.0; });
    Matrix& W = state.transitions[m];
    W = (factor.asDiagonal() * W * inverse.asDiagonal()).eval();
    for (Index j = 0; j < factor.size(); ++j)
      if (!(factor(j) > 0)) W(j, j) = 1.0;
  });
}

}  // namespace milcci
