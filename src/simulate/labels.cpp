// Labels of simulated trials: how many trials each label combination gets, and in which order they come.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "simulate/stages.hpp"

namespace milcci::simulation {
namespace {

template <class T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t last = items.size(); last > 1; --last)
    std::swap(items[last - 1], items[static_cast<std::size_t>(random.below(static_cast<Index>(last)))]);
}

std::vector<std::size_t> shuffled_range(std::size_t n, Random& random) {
  std::vector<std::size_t> items(n);
  std::iota(items.begin(), items.end(), std::size_t{0});
  shuffle(items, random);
  return items;
}

// A cell is one combination of the options of all categories with a label column; its number has the
// options as digits, the first category's the lowest.
class Cells {
 public:
  explicit Cells(const SimulateOptions& options) {
    for (const SimulatedCategory& category : options.categories)
      radix_.push_back(has_label_column(category) ? static_cast<std::size_t>(category.n_options) : 1);
  }
  std::size_t size() const {
    return std::accumulate(radix_.begin(), radix_.end(), std::size_t{1}, std::multiplies<>());
  }
  std::size_t most_options() const { return *std::max_element(radix_.begin(), radix_.end()); }
  std::vector<std::size_t> options_of(std::size_t cell) const {
    std::vector<std::size_t> digits;
    for (const std::size_t radix : radix_) {
      digits.push_back(cell % radix);
      cell /= radix;
    }
    return digits;
  }
  // As few cells as possible in which every option of every category occurs, otherwise at random.
  std::vector<std::size_t> cover(Random& random) const {
    std::vector<std::size_t> cells(most_options(), 0);
    std::size_t place = 1;
    for (const std::size_t radix : radix_) {
      const auto option = shuffled_range(radix, random);
      for (std::size_t d = 0; d < cells.size(); ++d) cells[d] += place * option[d % radix];
      place *= radix;
    }
    return cells;
  }

 private:
  std::vector<std::size_t> radix_;
};

// Trials per cell. The cells of a cover get one trial each, so that every option occurs however rare it is;
// all further trials go by largest remainder to the shares that balance or imbalance asks for.
std::vector<Index> trials_per_cell(const SimulateOptions& options, const Cells& cells) {
  Random random = random_for(options.seed, Stream::cells);
  const auto cover = cells.cover(random);
  std::vector<char> is_needed(cells.size(), 0), is_empty(cells.size(), 0);
  for (const std::size_t cell : cover) is_needed[cell] = 1;
  const auto order = shuffled_range(cells.size(), random);  // also breaks ties between remainders
  int n_to_empty = options.n_empty_cells;
  for (const std::size_t cell : order) {
    if (n_to_empty == 0) break;
    if (is_needed[cell]) continue;
    is_empty[cell] = 1;
    --n_to_empty;
  }

  Vector weight(static_cast<Index>(cells.size()));
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const auto digits = cells.options_of(cell);
    const double rank = static_cast<double>(std::accumulate(digits.begin(), digits.end(), std::size_t{0}));
    weight(static_cast<Index>(cell)) = is_empty[cell] ? 0.0 : std::exp2(-options.imbalance * rank);
  }
  const Index n_further = options.n_trials - static_cast<Index>(cover.size());
  Vector further = weight * (static_cast<double>(options.n_trials) / weight.sum());
  for (const std::size_t cell : cover) further(static_cast<Index>(cell)) -= 1.0;
  further = further.cwiseMax(0.0);
  if (further.sum() > 0) further *= static_cast<double>(n_further) / further.sum();

  std::vector<Index> count(cells.size(), 0);
  for (const std::size_t cell : cover) count[cell] = 1;
  Index n_left = n_further;
  Vector remainder(further.size());
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    // A share a rounding error below a whole number counts as that number.
    const auto whole = static_cast<Index>(std::floor(further(static_cast<Index>(cell)) + 1e-9));
    remainder(static_cast<Index>(cell)) = further(static_cast<Index>(cell)) - static_cast<double>(whole);
    count[cell] += whole;
    n_left -= whole;
  }
  auto by_remainder = order;
  std::erase_if(by_remainder, [&](std::size_t cell) { return is_empty[cell] != 0; });
  std::stable_sort(by_remainder.begin(), by_remainder.end(), [&](std::size_t a, std::size_t b) {
    return remainder(static_cast<Index>(a)) > remainder(static_cast<Index>(b)) + 1e-9;
  });
  for (std::size_t n = 0; n_left > 0; ++n, --n_left) ++count[by_remainder[n % by_remainder.size()]];
  return count;
}

std::vector<std::string> option_names(const SimulatedCategory& category, int n_trials) {
  std::vector<std::string> names;
  const auto numbered = [&](const std::string& prefix, int n, int width) {
    for (int i = 1; i <= n; ++i) names.push_back(fmt::format("{}{:0{}}", prefix, i, width));
  };
  if (category.kind == CategoryKind::trial_number)
    numbered("", n_trials, 1);
  else if (category.kind == CategoryKind::fixed)
    names = {"all"};
  else if (category.kind == CategoryKind::ordinal)
    numbered("", category.n_options, 1);
  else if (!category.option_names.empty())
    names = category.option_names;
  else  // as many digits for all, so that the alphabetical order is the order of the options
    numbered("option", category.n_options, static_cast<int>(fmt::formatted_size("{}", category.n_options)));
  return names;
}

}  // namespace

bool has_label_column(const SimulatedCategory& category) {
  return category.kind != CategoryKind::trial_number && category.kind != CategoryKind::fixed;
}

std::vector<CategoryLabels> draw_labels(const SimulateOptions& options) {
  const Cells cells(options);
  const auto count = trials_per_cell(options, cells);
  std::vector<std::size_t> cell_of_trial;
  for (std::size_t cell = 0; cell < count.size(); ++cell)
    cell_of_trial.insert(cell_of_trial.end(), static_cast<std::size_t>(count[cell]), cell);
  Random random = random_for(options.seed, Stream::order);
  shuffle(cell_of_trial, random);

  std::vector<CategoryLabels> labels(options.categories.size());
  for (std::size_t k = 0; k < labels.size(); ++k)
    labels[k].options = option_names(options.categories[k], options.n_trials);
  for (std::size_t m = 0; m < cell_of_trial.size(); ++m) {
    const auto digits = cells.options_of(cell_of_trial[m]);
    for (std::size_t k = 0; k < labels.size(); ++k) {
      const bool is_trial_number = options.categories[k].kind == CategoryKind::trial_number;
      labels[k].option_of_trial.push_back(static_cast<int>(is_trial_number ? m : digits[k]));
    }
  }
  return labels;
}

std::vector<LabelColumn> label_columns(const SimulateOptions& options,
                                       const std::vector<CategoryLabels>& labels) {
  std::vector<LabelColumn> columns;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    if (!has_label_column(options.categories[k])) continue;
    LabelColumn column{options.categories[k].name, {}};
    if (options.categories[k].kind == CategoryKind::ordinal) {
      LabelColumn::Integers integers;
      for (const int option : labels[k].option_of_trial) integers.push_back(option + 1);
      column.values = std::move(integers);
    } else {
      LabelColumn::Texts texts;
      for (const int option : labels[k].option_of_trial)
        texts.push_back(labels[k].options[static_cast<std::size_t>(option)]);
      column.values = std::move(texts);
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace milcci::simulation
