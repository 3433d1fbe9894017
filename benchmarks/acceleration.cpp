// What extrapolation is worth: the objective after so many iterations with and without it, from the same
// blurred truth. Prints the table of docs/benchmarks.md.
#include <fmt/format.h>

#include <algorithm>

#include "label_graphs/categories.hpp"
#include "loop/alternate.hpp"
#include "milcci/simulate.hpp"
#include "util/columns.hpp"
#include "util/random.hpp"

namespace {

using namespace milcci;

// The truth with every membership moved by about half the mean one.
Components blurred_truth(const Trials& trials) {
  Random random(1, 0);
  Components components;
  for (const CategoryComponents& category : trials.truth->categories) {
    components.emplace_back();
    for (const Matrix& variant : category.variants) {
      Matrix a = variant + 0.5 * variant.mean() * random.normal(variant.rows(), variant.cols());
      a = a.cwiseAbs();
      normalise_columns(a);
      components.back().push_back(a);
    }
  }
  return components;
}

std::vector<IterationRecord> run(const Trials& trials, const FitOptions& options, bool is_accelerated) {
  const Design design = make_design(resolve_categories(options.categories, trials), trials.n_trials());
  const TrialData data(trials);
  State state;
  state.components = blurred_truth(trials);
  const Stage stage{.max_iterations = 300, .tolerance = 0, .is_accelerated = is_accelerated};
  std::vector<IterationRecord> records;
  Monitor monitor([&](const IterationRecord& record) {
    records.push_back(record);
    return Continue::yes;
  });
  alternate(data, design, options, stage, state, monitor);
  return records;
}

void print_table(const char* name, SimulateOptions simulated) {
  const Trials trials = simulate(simulated);
  FitOptions options;
  for (const SimulatedCategory& c : simulated.categories)
    options.categories.push_back({.name = c.name, .n_components = c.n_components, .kind = c.kind});
  options.nonnegative = NonNegative::both;
  const auto plain = run(trials, options, false), fast = run(trials, options, true);
  const double lowest = std::min(plain.back().objective.total(), fast.back().objective.total());
  fmt::print("\n{}: (F - lowest F) / lowest F, and seconds since the start\n\n", name);
  fmt::print("| iteration | plain | seconds | extrapolated | seconds |\n|---|---|---|---|---|\n");
  for (const std::size_t i : {1, 2, 5, 10, 20, 50, 100, 200, 300}) {
    fmt::print("| {} ", i);
    for (const auto& records : {plain, fast}) {
      const IterationRecord& r = records[std::min(i, records.size()) - 1];
      fmt::print("| {:.1e} | {:.2f} ", r.objective.total() / lowest - 1.0, r.seconds);
    }
    fmt::print("|\n");
  }
}

}  // namespace

int main() {
  SimulateOptions simulated = preset("paper");
  print_table("paper", simulated);
  simulated.noise = 0.1;
  print_table("paper, 10 % noise", simulated);
  simulated.noise = 0;
  simulated.shift = Shift::component;
  print_table("paper, --shift component", simulated);
}
