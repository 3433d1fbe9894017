#include "start/certainty.hpp"

#include <algorithm>
#include <cmath>

namespace milcci {
namespace {

// Two searches of the same data may end this share of F apart.
constexpr double kSearchError = 0.01;
// Standard deviations of the difference between two squared errors that noise may explain.
constexpr double kDeviations = 2.0;
// Components that are at least this much alike are the same one.
constexpr double kSame = 0.9;

double n_observed(const TrialData& data) {
  double n = 0;
  for (std::size_t m = 0; m < data.n_trials(); ++m) {
    n += static_cast<double>(data.n_channels() * data.n_times(m));
    if (const Gaps* gaps = data.gaps(m)) n -= static_cast<double>(gaps->channel.size());
  }
  return n;
}

Matrix reconstruction(const Design& design, const State& state, std::size_t m) {
  const auto label = static_cast<std::size_t>(design.label_of_trial[m]);
  return loading(design, state.components, label) * state.traces[m].transpose();
}

double distance(const SearchProblem& problem, const State& a, const State& b) {
  double sum = 0;
  for (std::size_t m = 0; m < problem.data.n_trials(); ++m) {
    Matrix difference = reconstruction(problem.design, a, m) - reconstruction(problem.design, b, m);
    if (const Gaps* gaps = problem.data.gaps(m))
      for (Index t = 0; t < difference.cols(); ++t)
        for (int g = gaps->first[static_cast<std::size_t>(t)];
             g < gaps->first[static_cast<std::size_t>(t) + 1]; ++g)
          difference(gaps->channel[static_cast<std::size_t>(g)], t) = 0.0;
    sum += difference.squaredNorm();
  }
  return std::sqrt(sum);
}

Components in_places(const std::vector<std::vector<std::vector<Index>>>& partner, Components components) {
  for (std::size_t k = 0; k < components.size(); ++k)
    for (std::size_t i = 0; i < components[k].size(); ++i)
      components[k][i] = components[k][i](Eigen::all, partner[k][i]).eval();
  return components;
}

}  // namespace

std::vector<Rival> find_rivals(const SearchProblem& problem, const Candidate& winner,
                               const std::vector<Candidate>& others) {
  const Design& design = problem.design;
  State state = winner.state;
  const double F = winner.record.objective;
  const double sigma = std::sqrt(judge(problem, state).objective.fit / n_observed(problem.data));
  std::vector<Rival> rivals;
  for (const Candidate& other : others) {
    const double lead = other.record.objective - F;
    if (lead > kSearchError * F + kDeviations * 2.0 * sigma * distance(problem, state, other.state)) continue;
    Correspondence alike = correspondence(design, state.components, other.state.components);
    if (alike.cosine.minCoeff() >= kSame) continue;
    rivals.push_back(
        {in_places(alike.partner, other.state.components), F > 0 ? lead / F : 0.0, std::move(alike.cosine)});
  }
  std::stable_sort(rivals.begin(), rivals.end(),
                   [](const Rival& a, const Rival& b) { return a.behind < b.behind; });
  std::vector<Rival> distinct;
  for (Rival& rival : rivals) {
    const bool is_known = std::any_of(distinct.begin(), distinct.end(), [&](const Rival& earlier) {
      return similarity(design, earlier.components, rival.components).minCoeff() >= kSame;
    });
    if (!is_known) distinct.push_back(std::move(rival));
  }
  return distinct;
}

std::vector<Certainty> judge_components(Index n_components, const std::vector<Rival>& rivals) {
  std::vector<Certainty> certainty;
  for (Index j = 0; j < n_components; ++j) {
    const auto n_without = static_cast<std::size_t>(std::count_if(
        rivals.begin(), rivals.end(), [&](const Rival& rival) { return rival.similarity(j) < kSame; }));
    const bool in_most = 2 * n_without < rivals.size() || n_without < 2;
    certainty.push_back(n_without == 0 ? Certainty::firm
                        : in_most      ? Certainty::alternative
                                       : Certainty::unstable);
  }
  return certainty;
}

}  // namespace milcci
