#include "start/few_labels.hpp"

#include <numeric>
#include <utility>

namespace milcci {

std::vector<std::size_t> draw_few_labels(const TrialData& data, const Design& design, Random& random) {
  constexpr Index kTimesPerComponent = 16;
  std::vector<std::size_t> chosen(design.labels.size()), categories(design.n_categories());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::iota(categories.begin(), categories.end(), std::size_t{0});
  const auto draw = [&](std::size_t n) {
    return static_cast<std::size_t>(random.uniform() * static_cast<double>(n));
  };
  for (std::size_t i = categories.size(); i > 1; --i) std::swap(categories[i - 1], categories[draw(i)]);
  for (const std::size_t k : categories) {
    const auto option = static_cast<int>(draw(static_cast<std::size_t>(design.n_options(k))));
    std::vector<std::size_t> fewer;
    Index n_times = 0;
    for (const std::size_t l : chosen)
      if (design.labels[l][k] == option) {
        fewer.push_back(l);
        if (data.energy(l) > 0) n_times += data.n_times(l);
      }
    if (n_times >= kTimesPerComponent * design.n_components()) chosen = std::move(fewer);
  }
  return chosen;
}

}  // namespace milcci
