#include "loop/residuals.hpp"

#include <algorithm>

#include "util/ordered_sum.hpp"

namespace milcci {

Vector lagged_products(const Eigen::Ref<const Matrix>& x) {
  Vector sums = Vector::Zero(kLags);
  for (Index h = 0; h < std::min(kLags, x.cols()); ++h)
    sums(h) = x.leftCols(x.cols() - h).cwiseProduct(x.rightCols(x.cols() - h)).sum();
  return sums;
}

ChannelResiduals channel_residuals(const TrialData& data, const Design& design, const State& state,
                                   int threads) {
  const Vector zero = Vector::Zero(data.n_channels());
  const ChannelResiduals nothing{zero, zero, zero, Vector::Zero(kLags)};
  ChannelResiduals all = nothing;
  const auto of_block = [&](std::size_t b, int, ChannelResiduals& part) {
    part = nothing;
    const Design::Block& block = design.blocks[b];
    const Matrix A = loading(design, state.components, static_cast<std::size_t>(block.label));
    TrialBuffer buffer;
    for (const std::size_t m : block.trials) {
      Matrix r = data.values(m, buffer);
      r.noalias() -= A * state.traces[m].transpose();
      part.count.array() += static_cast<double>(r.cols());
      if (const Gaps* gaps = data.gaps(m))
        for (Index t = 0; t < r.cols(); ++t)
          for (int g = gaps->first[static_cast<std::size_t>(t)];
               g < gaps->first[static_cast<std::size_t>(t) + 1]; ++g) {
            const int n = gaps->channel[static_cast<std::size_t>(g)];
            r(n, t) = 0.0;
            part.count(n) -= 1.0;
          }
      part.sum += r.rowwise().sum();
      part.squares += r.rowwise().squaredNorm();
      part.lags += lagged_products(r);
    }
  };
  sum_over_blocks(design.blocks.size(), threads, nothing, of_block,
                  [&](std::size_t, const ChannelResiduals& part) {
                    all.count += part.count;
                    all.sum += part.sum;
                    all.squares += part.squares;
                    all.lags += part.lags;
                  });
  return all;
}

}  // namespace milcci
