#include "evaluate/matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "evaluate/correlation.hpp"
#include "milcci/error.hpp"
#include "solvers/assignment.hpp"

namespace milcci {

std::vector<int> true_option_of_trial(const CategoryComponents& truth, const TrialSource& trials) {
  const LabelColumn* column = trials.find_label(truth.name);
  if (!column && truth.n_options() == 1) return std::vector<int>(trials.n_trials(), 0);
  std::unordered_map<std::string, int> position;
  for (std::size_t i = 0; i < truth.options.size(); ++i)
    position.emplace(truth.options[i], static_cast<int>(i));
  std::vector<int> option_of_trial;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const std::string name = column ? column->text(m) : std::to_string(m + 1);
    const auto found = position.find(name);
    if (found == position.end())
      throw Error(
          ErrorKind::bad_input,
          fmt::format("evaluating against the truth: trial {} has \"{}\" in category \"{}\", which is none "
                      "of the {} options of the truth; the labels were changed after the simulation",
                      m + 1, name, truth.name, truth.n_options()));
    option_of_trial.push_back(found->second);
  }
  return option_of_trial;
}

namespace {

// One category of either side, ready for correlations: the scalar product of two columns is their
// correlation. A group is a set of options under which a component is the same one: all options of a
// category, but each option by itself if the category is free.
struct Side {
  std::vector<Matrix> standardised;  // per option N x p
  std::vector<int> option_of_trial;
  bool is_free = false;
  std::vector<std::vector<char>> has_negative = {};  // per group and component: in its memberships or traces

  Index n_components() const { return standardised.front().cols(); }
  std::size_t n_groups() const { return is_free ? standardised.size() : 1; }
  std::size_t group_of(std::size_t option) const { return is_free ? option : 0; }
};

Side make_side(const std::vector<Matrix>& variants, std::vector<int> option_of_trial, bool is_free,
               const std::vector<Matrix>& traces, Index first) {
  Side side{{}, std::move(option_of_trial), is_free};
  for (const Matrix& variant : variants) side.standardised.push_back(standardise_columns(variant));
  side.has_negative.assign(side.n_groups(),
                           std::vector<char>(static_cast<std::size_t>(side.n_components()), 0));
  for (Index j = 0; j < side.n_components(); ++j) {
    const auto flag = [&](std::size_t option, const auto& values) {
      if ((values.array() < 0).any())
        side.has_negative[side.group_of(option)][static_cast<std::size_t>(j)] = 1;
    };
    for (std::size_t i = 0; i < variants.size(); ++i) flag(i, variants[i].col(j));
    for (std::size_t m = 0; m < traces.size(); ++m)
      flag(static_cast<std::size_t>(side.option_of_trial[m]), traces[m].row(first + j));
  }
  return side;
}

std::vector<Side> sides_of(const Model& model) {
  std::vector<Side> sides;
  Index first = 0;
  for (const FittedCategory& fitted : model.categories) {
    sides.push_back(make_side(fitted.variants, fitted.category.option_of_trial,
                              fitted.category.spec.kind == CategoryKind::free, model.traces, first));
    first += fitted.n_components();
  }
  return sides;
}

std::vector<Side> sides_of_truth(const TrialSource& trials) {
  std::vector<Side> sides;
  Index first = 0;
  for (const CategoryComponents& category : trials.truth()->categories) {
    sides.push_back(make_side(category.variants, true_option_of_trial(category, trials), false,
                              trials.truth()->traces, first));
    first += category.n_components();
  }
  return sides;
}

// Trials per pair of a true and an estimated option: so few pairs stand for all trials.
using OptionPairs = std::map<std::pair<int, int>, double>;
OptionPairs option_pairs(const Side& truth, const Side& estimate) {
  OptionPairs pairs;
  for (std::size_t m = 0; m < truth.option_of_trial.size(); ++m)
    pairs[{truth.option_of_trial[m], estimate.option_of_trial[m]}] += 1.0;
  return pairs;
}

// How like every true component is to every estimated one of one category, over the trials of one group.
struct Likeness {
  Matrix correlation;  // P_true x p_k, mean over trials
  Matrix similarity;   // the same, without its sign where that may be flipped
  double n_trials = 0;
};

// One per group of the estimated category.
std::vector<Likeness> compare(const std::vector<Side>& truths, Index n_true, const Side& estimate) {
  std::vector<Likeness> groups(estimate.n_groups());
  for (Likeness& group : groups) group.correlation = Matrix::Zero(n_true, estimate.n_components());
  for (const int option : estimate.option_of_trial)
    groups[estimate.group_of(static_cast<std::size_t>(option))].n_trials += 1.0;
  std::vector<char> has_negative;
  for (Index row = 0; const Side& truth : truths) {
    for (const auto& [options, count] : option_pairs(truth, estimate)) {
      const auto option = static_cast<std::size_t>(options.second);
      groups[estimate.group_of(option)].correlation.middleRows(row, truth.n_components()) +=
          count * truth.standardised[static_cast<std::size_t>(options.first)].transpose() *
          estimate.standardised[option];
    }
    has_negative.insert(has_negative.end(), truth.has_negative[0].begin(), truth.has_negative[0].end());
    row += truth.n_components();
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    auto& [correlation, similarity, n_trials] = groups[g];
    correlation /= std::max(n_trials, 1.0);
    similarity = correlation;
    // Between factors that are non-negative on both sides a sign cannot be flipped: there an opposite
    // pattern is a bad match, not a good one.
    for (Index j = 0; j < similarity.rows(); ++j)
      for (Index l = 0; l < similarity.cols(); ++l)
        if (has_negative[static_cast<std::size_t>(j)] ||
            estimate.has_negative[g][static_cast<std::size_t>(l)])
          similarity(j, l) = std::abs(similarity(j, l));
  }
  return groups;
}

// P_true x p_k: what each true component gains by each place in a category. In a free category no component
// is the same one under two options, so all its places are worth the same: what the true component gets when
// the true category it is from is assigned there option by option.
Matrix gains(const std::vector<Likeness>& groups, const std::vector<Side>& truths, const Side& estimate) {
  if (!estimate.is_free) return groups.front().similarity;
  Matrix sum = Matrix::Zero(groups.front().similarity.rows(), estimate.n_components());
  for (const Likeness& group : groups)
    for (Index row = 0; const Side& truth : truths) {
      const std::vector<Index> assigned = assign(-group.similarity.middleRows(row, truth.n_components()));
      for (const Index l : assigned) {
        if (l >= 0) sum.row(row).array() += group.n_trials * group.similarity(row, l);
        ++row;
      }
    }
  return sum / static_cast<double>(estimate.option_of_trial.size());
}

// Which true component is which estimated one of a category, and with which sign, for those whose `assigned`
// place is in it; `first` is the position of its first component. A free category only takes from that
// assignment that they are in it, and chooses their places option by option.
void settle(const std::vector<Likeness>& groups, const Side& estimate, Index first,
            const std::vector<Index>& assigned, std::vector<Match>& matches) {
  std::vector<Index> residents, places;
  for (std::size_t j = 0; j < assigned.size(); ++j) {
    if (assigned[j] < first || assigned[j] >= first + estimate.n_components()) continue;
    residents.push_back(static_cast<Index>(j));
    places.push_back(assigned[j] - first);
  }
  if (residents.empty()) return;
  Matrix n_trials = Matrix::Zero(static_cast<Index>(residents.size()), estimate.n_components());
  for (std::size_t i = 0; i < estimate.standardised.size(); ++i) {
    const Likeness& group = groups[estimate.group_of(i)];
    const std::vector<Index> chosen =
        estimate.is_free ? assign(-group.similarity(residents, Eigen::all)) : places;
    for (std::size_t r = 0; r < residents.size(); ++r) {
      const Index j = residents[r], l = chosen[r];
      const double sign = group.similarity(j, l) == group.correlation(j, l) ? 1.0 : -1.0;
      matches[static_cast<std::size_t>(j)].under_option.push_back({first + l, sign});
      n_trials(static_cast<Index>(r), l) += group.n_trials;
    }
  }
  const std::vector<Index> most_often = assign(-n_trials);
  for (std::size_t r = 0; r < residents.size(); ++r)
    matches[static_cast<std::size_t>(residents[r])].estimate = first + most_often[r];
}

// Per true option that occurs, the mean correlation of component j with its match. `first` is the position of
// the first component of the estimated category.
std::vector<double> correlation_per_option(const Side& truth, Index j, const Side& estimate, Index first,
                                           const Match& match) {
  std::map<int, std::pair<double, double>> sum_and_count;
  for (const auto& [options, count] : option_pairs(truth, estimate)) {
    auto& [sum, n] = sum_and_count[options.first];
    const auto option = static_cast<std::size_t>(options.second);
    const auto& [position, sign] = match.under_option[option];
    sum += sign * count *
           truth.standardised[static_cast<std::size_t>(options.first)].col(j).dot(
               estimate.standardised[option].col(position - first));
    n += count;
  }
  std::vector<double> means;
  for (const auto& [option, entry] : sum_and_count) means.push_back(entry.first / entry.second);
  return means;
}

std::size_t n_occurring_options(const Side& side) {
  std::vector<int> options = side.option_of_trial;
  std::sort(options.begin(), options.end());
  return static_cast<std::size_t>(std::unique(options.begin(), options.end()) - options.begin());
}

}  // namespace

std::vector<Match> match_components(const Model& model, const TrialSource& trials) {
  const std::vector<Side> truths = sides_of_truth(trials), estimates = sides_of(model);
  Index n_true = 0;
  for (const Side& side : truths) n_true += side.n_components();

  std::vector<std::vector<Likeness>> likeness;
  std::vector<Index> first = {0};
  Matrix gain(n_true, model.n_components());
  for (const Side& estimate : estimates) {
    likeness.push_back(compare(truths, n_true, estimate));
    gain.middleCols(first.back(), estimate.n_components()) = gains(likeness.back(), truths, estimate);
    first.push_back(first.back() + estimate.n_components());
  }
  const std::vector<Index> assigned = assign(-gain);

  std::vector<Match> matches(static_cast<std::size_t>(n_true));
  for (std::size_t k = 0; k < estimates.size(); ++k)
    settle(likeness[k], estimates[k], first[k], assigned, matches);

  for (std::size_t position = 0; const Side& truth : truths)
    for (Index j = 0; j < truth.n_components(); ++j, ++position) {
      Match& match = matches[position];
      if (match.estimate < 0) {
        match.option_correlations.assign(n_occurring_options(truth), 0.0);
      } else {
        const std::size_t k = model.place(match.estimate).category;
        match.option_correlations = correlation_per_option(truth, j, estimates[k], first[k], match);
      }
    }
  return matches;
}

}  // namespace milcci
