#include "read/trim_padding.hpp"

namespace milcci::read {

std::size_t trim_padding(Trials& trials) {
  std::size_t n_cut = 0;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    Matrix& values = trials.values[m];
    Index length = values.cols();
    while (length > 0 && values.col(length - 1).array().isNaN().all()) --length;
    if (length == 0 || length == values.cols()) continue;
    values.conservativeResize(Eigen::NoChange, length);
    if (!trials.times.empty()) trials.times[m].conservativeResize(length);
    ++n_cut;
  }
  return n_cut;
}

}  // namespace milcci::read
