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
namespace {

// One category of either side, ready for correlations: the scalar product of two columns is their
// correlation.
struct Side {
  std::vector<Matrix> standardised;  // per option N x p
  std::vector<int> option_of_trial;
  std::vector<char> has_negative;  // per component: somewhere in its memberships or traces

  Index n_components() const { return standardised.front().cols(); }
};

Side make_side(const std::vector<Matrix>& variants, std::vector<int> option_of_trial,
               const std::vector<Matrix>& traces, Index first) {
  Side side{{}, std::move(option_of_trial), {}};
  for (const Matrix& variant : variants) side.standardised.push_back(standardise_columns(variant));
  for (Index j = 0; j < side.n_components(); ++j) {
    const auto in_variant = [j](const Matrix& variant) { return (variant.col(j).array() < 0).any(); };
    const auto in_trace = [row = first + j](const Matrix& trial) {
      return (trial.row(row).array() < 0).any();
    };
    side.has_negative.push_back(std::any_of(variants.begin(), variants.end(), in_variant) ||
                                std::any_of(traces.begin(), traces.end(), in_trace));
  }
  return side;
}

// A truth keeps option names only. Categories without a label column are fixed or go by trial number.
std::vector<int> true_option_of_trial(const CategoryComponents& truth, const Trials& trials) {
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

std::vector<Side> sides_of(const Model& model) {
  std::vector<Side> sides;
  Index first = 0;
  for (const FittedCategory& fitted : model.categories) {
    sides.push_back(make_side(fitted.variants, fitted.category.option_of_trial, model.traces, first));
    first += fitted.n_components();
  }
  return sides;
}

std::vector<Side> sides_of_truth(const Trials& trials) {
  std::vector<Side> sides;
  Index first = 0;
  for (const CategoryComponents& category : trials.truth->categories) {
    sides.push_back(
        make_side(category.variants, true_option_of_trial(category, trials), trials.truth->traces, first));
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

// p_true x p_estimated: correlations of all pairs of components, mean over trials.
Matrix mean_correlation(const Side& truth, const Side& estimate) {
  Matrix sum = Matrix::Zero(truth.n_components(), estimate.n_components());
  double n_trials = 0;
  for (const auto& [options, count] : option_pairs(truth, estimate)) {
    sum += count * truth.standardised[static_cast<std::size_t>(options.first)].transpose() *
           estimate.standardised[static_cast<std::size_t>(options.second)];
    n_trials += count;
  }
  return sum / std::max(n_trials, 1.0);
}

// Per true option that occurs, the mean correlation of component j with the estimated component l.
std::vector<double> correlation_per_option(const Side& truth, Index j, const Side& estimate, Index l) {
  std::map<int, std::pair<double, double>> sum_and_count;
  for (const auto& [options, count] : option_pairs(truth, estimate)) {
    auto& [sum, n] = sum_and_count[options.first];
    sum += count * truth.standardised[static_cast<std::size_t>(options.first)].col(j).dot(
                       estimate.standardised[static_cast<std::size_t>(options.second)].col(l));
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

std::vector<Match> match_components(const Model& model, const Trials& trials) {
  const std::vector<Side> truths = sides_of_truth(trials), estimates = sides_of(model);
  Index n_true = 0, n_estimated = 0;
  for (const Side& side : truths) n_true += side.n_components();
  for (const Side& side : estimates) n_estimated += side.n_components();

  Matrix correlation(n_true, n_estimated), similarity(n_true, n_estimated);
  for (Index row = 0; const Side& truth : truths) {
    for (Index column = 0; const Side& estimate : estimates) {
      const Matrix block = mean_correlation(truth, estimate);
      for (Index j = 0; j < block.rows(); ++j)
        for (Index l = 0; l < block.cols(); ++l) {
          // Between factors that are non-negative on both sides a sign cannot be flipped: there an opposite
          // pattern is a bad match, not a good one.
          const bool may_flip = truth.has_negative[static_cast<std::size_t>(j)] ||
                                estimate.has_negative[static_cast<std::size_t>(l)];
          correlation(row + j, column + l) = block(j, l);
          similarity(row + j, column + l) = may_flip ? std::abs(block(j, l)) : block(j, l);
        }
      column += estimate.n_components();
    }
    row += truth.n_components();
  }
  const std::vector<Index> assigned = assign(-similarity);

  std::vector<Match> matches;
  for (Index position = 0; const Side& truth : truths)
    for (Index j = 0; j < truth.n_components(); ++j, ++position) {
      Match match;
      match.estimate = assigned[static_cast<std::size_t>(position)];
      if (match.estimate < 0) {
        match.option_correlations.assign(n_occurring_options(truth), 0.0);
      } else {
        const Model::Place place = model.place(match.estimate);
        match.option_correlations =
            correlation_per_option(truth, j, estimates[place.category], place.component);
        if (similarity(position, match.estimate) != correlation(position, match.estimate)) match.sign = -1.0;
        for (double& value : match.option_correlations) value *= match.sign;
      }
      matches.push_back(std::move(match));
    }
  return matches;
}

}  // namespace milcci
