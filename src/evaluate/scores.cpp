#include "evaluate/scores.hpp"

#include <cmath>
#include <limits>

namespace milcci {
namespace {

Matrix zero_where_missing(const Matrix& values) {
  return values.array().isNaN().select(0.0, values);
}

// The data as the model describes them; NaN = missing.
Matrix described(const Model& model, const Eigen::Map<const Matrix>& values) {
  if (model.transform == Transform::none) return values;
  return values.array().tanh();
}

// About the first observed value of every channel, so that the mean of equal numbers is that number.
Vector channel_means(const Model& model, const TrialSource& trials) {
  Vector sum = Vector::Zero(trials.n_channels()), count = sum, first = sum;
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Matrix y = described(model, trials.doubles(m, buffer));
    for (Index n = 0; n < y.rows(); ++n)
      for (Index t = 0; count(n) == 0 && t < y.cols(); ++t)
        if (!std::isnan(y(n, t))) {
          first(n) = y(n, t);
          break;
        }
    sum += zero_where_missing(y.colwise() - first).rowwise().sum();
    count += (!y.array().isNaN()).cast<double>().matrix().rowwise().sum();
  }
  return first.array() + sum.array() / count.array().max(1.0);
}

// Squared errors of a reconstruction by the components of one category, and by those of all others.
struct CategoryErrors {
  double alone = 0, without = 0;
};

void add_trial(const Model& model, std::size_t m, const Matrix& y, SquareTables& tables,
               std::vector<CategoryErrors>& errors) {
  const auto column = static_cast<Index>(m);
  std::vector<Matrix> parts;
  Matrix residual = y;
  if (model.noise.offset.size() > 0) residual.colwise() -= model.noise.offset;
  for (Index first = 0; const FittedCategory& fitted : model.categories) {
    const Index n = fitted.n_components();
    const auto option = static_cast<std::size_t>(fitted.category.option_of_trial[m]);
    parts.push_back(fitted.variants[option] * model.traces[m].middleRows(first, n));
    residual -= parts.back();
    first += n;
  }
  tables.error.col(column) = squares_of_rows(residual);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    Matrix alone = y - parts[k];
    if (model.noise.offset.size() > 0) alone.colwise() -= model.noise.offset;
    errors[k].alone += zero_where_missing(alone).squaredNorm();
    errors[k].without += zero_where_missing(residual + parts[k]).squaredNorm();
  }
}

// What is left of a constant after subtracting its mean is rounding, some 1e-16 of its length.
void forget_rounding(SquareTables& tables) {
  constexpr double kConstant = 1e-13;
  for (Index n = 0; n < tables.variation.rows(); ++n)
    if (tables.variation.row(n).sum() <= kConstant * kConstant * tables.energy.row(n).sum())
      tables.variation.row(n).setZero();
}

struct Sums {
  double error = 0, energy = 0, variation = 0;
};

// What never changes leaves nothing to explain, and has no R2.
double r2_of(const Sums& sums) {
  return sums.variation > 0 ? 1.0 - sums.error / sums.variation : std::numeric_limits<double>::quiet_NaN();
}
double relative_error_of(const Sums& sums) {
  return sums.energy > 0 ? sums.error / sums.energy : (sums.error > 0 ? 1.0 : 0.0);
}

Score score_of(std::string name, std::size_t n_trials, const Sums& sums) {
  return {.name = std::move(name),
          .n_trials = n_trials,
          .squared_error = sums.error,
          .r2 = r2_of(sums),
          .relative_error = relative_error_of(sums)};
}

std::vector<Score> option_scores(const Category& category, const SquareTables& tables) {
  std::vector<Sums> sums(category.options.size());
  std::vector<std::size_t> n_trials(sums.size(), 0);
  for (std::size_t m = 0; m < category.option_of_trial.size(); ++m) {
    const auto option = static_cast<std::size_t>(category.option_of_trial[m]);
    const auto column = static_cast<Index>(m);
    sums[option].error += tables.error.col(column).sum();
    sums[option].energy += tables.energy.col(column).sum();
    sums[option].variation += tables.variation.col(column).sum();
    ++n_trials[option];
  }
  std::vector<Score> scores;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (n_trials[i] == 0) continue;  // an option of the fit that these trials do not have
    scores.push_back(score_of(category.options[i], n_trials[i], sums[i]));
    scores.back().category = category.spec.name;
  }
  return scores;
}

}  // namespace

Vector squares_of_rows(const Matrix& rows) {
  return zero_where_missing(rows).rowwise().squaredNorm();
}

SquareTables square_tables(const Model& model, const TrialSource& trials) {
  const Matrix zero = Matrix::Zero(trials.n_channels(), static_cast<Index>(trials.n_trials()));
  SquareTables tables{zero, zero, zero};
  const Vector mean = channel_means(model, trials);
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const Matrix y = described(model, trials.doubles(m, buffer));
    tables.energy.col(static_cast<Index>(m)) = squares_of_rows(y);
    tables.variation.col(static_cast<Index>(m)) = squares_of_rows(y.colwise() - mean);
  }
  forget_rounding(tables);
  return tables;
}

void score(const Model& model, const TrialSource& trials, Evaluation& evaluation) {
  SquareTables tables = square_tables(model, trials);
  std::vector<CategoryErrors> errors(model.categories.size());
  std::vector<std::size_t> n_trials_of_channel(static_cast<std::size_t>(trials.n_channels()), 0);
  TrialBuffer buffer;
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const auto values = trials.doubles(m, buffer);
    add_trial(model, m, described(model, values), tables, errors);
    for (Index n = 0; n < values.rows(); ++n)
      if (!values.row(n).array().isNaN().all()) ++n_trials_of_channel[static_cast<std::size_t>(n)];
  }

  const Sums all{tables.error.sum(), tables.energy.sum(), tables.variation.sum()};
  evaluation.squared_error = all.error;
  evaluation.r2 = r2_of(all);
  evaluation.relative_error = relative_error_of(all);
  for (std::size_t m = 0; m < trials.n_trials(); ++m) {
    const auto column = static_cast<Index>(m);
    evaluation.trials.push_back(score_of(trials.trial_names().empty() ? "" : trials.trial_names()[m], 1,
                                         {tables.error.col(column).sum(), tables.energy.col(column).sum(),
                                          tables.variation.col(column).sum()}));
  }
  for (Index n = 0; n < trials.n_channels(); ++n) {
    const auto position = static_cast<std::size_t>(n);
    evaluation.channels.push_back(
        score_of(trials.channel_names()[position], n_trials_of_channel[position],
                 {tables.error.row(n).sum(), tables.energy.row(n).sum(), tables.variation.row(n).sum()}));
  }
  for (std::size_t k = 0; k < model.categories.size(); ++k) {
    const Category& category = model.categories[k].category;
    for (Score& option : option_scores(category, tables)) evaluation.labels.push_back(std::move(option));
    const Sums alone{errors[k].alone, all.energy, all.variation},
        without{errors[k].without, all.energy, all.variation};
    evaluation.categories.push_back({score_of(category.spec.name, trials.n_trials(), alone), r2_of(without)});
  }
}

}  // namespace milcci
