#include "fit/schedule.hpp"

namespace milcci {

std::vector<Stage> schedule(const FitOptions& options, bool has_start) {
  constexpr double kFirmSparsity = 0.05;
  constexpr int kFirmIterations = 30;
  std::vector<Stage> stages;
  if (!has_start && !options.gamma1 && options.sparsity < kFirmSparsity && options.sparsity > 0)
    stages.push_back({.number = 1,
                      .sparsity = kFirmSparsity,
                      .max_iterations = kFirmIterations,
                      .tolerance = 1e-4,
                      .component_tolerance = 0.05});
  stages.push_back({.number = static_cast<int>(stages.size()) + 1,
                    .sparsity = options.sparsity,
                    .max_iterations = options.max_iterations,
                    .tolerance = options.tolerance,
                    .component_tolerance = options.component_tolerance});
  return stages;
}

int rounds_worth_having(const TrialData& data, const Design& design, const Components& components) {
  constexpr double kValuesPerMembership = 500;
  double n_data = 0;
  for (std::size_t m = 0; m < data.n_trials(); ++m)
    n_data += static_cast<double>(data.n_channels() * data.n_times(m));
  return kValuesPerMembership * static_cast<double>(n_values(design, components)) <= n_data ? 2 : 1;
}

}  // namespace milcci
