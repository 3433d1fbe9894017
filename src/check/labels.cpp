// What the labels are, and how they divide the trials.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "check/stages.hpp"
#include "label_graphs/categories.hpp"

namespace milcci::check_stages {
namespace {

// Numbers with more values than this are binned: an option needs trials.
constexpr std::size_t kMostOptions = 20;
constexpr int kBins = 5;
constexpr double kHighV = 0.7;

std::size_t n_distinct(const LabelColumn& column) {
  std::set<std::string> values;
  for (std::size_t m = 0; m < column.size(); ++m)
    if (!column.is_missing(m)) values.insert(column.text(m));
  return values.size();
}

std::size_t count_missing(const LabelColumn& column) {
  std::size_t n = 0;
  for (std::size_t m = 0; m < column.size(); ++m) n += column.is_missing(m);
  return n;
}

bool holds_infinite(const LabelColumn& column) {
  const auto* reals = std::get_if<LabelColumn::Reals>(&column.values);
  return reals && std::ranges::any_of(*reals, [](double value) { return std::isinf(value); });
}

bool is_rising(const LabelColumn& column) {
  for (std::size_t m = 1; m < column.size(); ++m)
    if (column.number(m) <= column.number(m - 1)) return false;
  return true;
}

using Words = std::vector<std::string>;

// The words in one of the ways to write them that people have: "Jan", "jan" or "JAN".
enum class Case { as_they_are, lower, upper };
Words in_case(Words words, Case letters) {
  for (std::string& word : words)
    for (char& c : word) {
      const auto letter = static_cast<unsigned char>(c);
      if (letters == Case::lower) c = static_cast<char>(std::tolower(letter));
      if (letters == Case::upper) c = static_cast<char>(std::toupper(letter));
    }
  return words;
}

// After how much the numbers begin anew, if their name and range say that they do: December is beside
// January.
std::optional<double> period_of(const LabelColumn& column) {
  struct Cycle {
    const char* word;
    double low, high, period;
  };
  constexpr double kTurn = 6.283185307179586;
  static constexpr std::array kCycles = {Cycle{"month", 1, 12, 12},
                                         Cycle{"weekday", 0, 6, 7},
                                         Cycle{"weekday", 1, 7, 7},
                                         Cycle{"hour", 0, 24, 24},
                                         Cycle{"orientation", 0, kTurn / 2, kTurn / 2},
                                         Cycle{"orientation", 0, 180, 180},
                                         Cycle{"direction", -kTurn / 2, kTurn, kTurn},
                                         Cycle{"direction", -180, 360, 360},
                                         Cycle{"angle", -kTurn / 2, kTurn, kTurn},
                                         Cycle{"angle", -180, 360, 360},
                                         Cycle{"phase", -kTurn / 2, kTurn, kTurn},
                                         Cycle{"phase", -180, 360, 360},
                                         Cycle{"azimuth", -180, 360, 360},
                                         Cycle{"heading", -180, 360, 360}};
  const std::string name = in_case({column.name}, Case::lower).front();
  double low = column.number(0), high = low;
  for (std::size_t m = 0; m < column.size(); ++m) {
    if (column.is_missing(m)) continue;
    low = std::min(low, column.number(m)), high = std::max(high, column.number(m));
  }
  for (const Cycle& cycle : kCycles)
    if (name.find(cycle.word) != std::string::npos && low >= cycle.low - 1e-6 && high <= cycle.high + 1e-6 &&
        high - low <= cycle.period + 1e-6)
      return cycle.period;
  return std::nullopt;
}

// "01", "02", ... are numbers that files keep as text.
Words two_digits(int first, int last) {
  Words words;
  for (int i = first; i <= last; ++i)
    words.push_back({static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10)});
  return words;
}

// Words whose last is beside their first, in that order, if those of the label are at least three and at
// least half of them; else none.
Words circle_of(const LabelColumn& column) {
  struct Circle {
    std::string in_name;  // as for numbers, which mean nothing without their name; empty: any
    Words words;
  };
  static const std::vector<Circle> kCircles = {
      {"", {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}},
      {"",
       {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December"}},
      {"", {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}},
      {"", {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}},
      {"", {"N", "E", "S", "W"}},  // before those that hold them
      {"", {"N", "NE", "E", "SE", "S", "SW", "W", "NW"}},
      {"month", two_digits(1, 12)},
      {"hour", two_digits(0, 23)}};
  std::set<std::string> values;
  for (std::size_t m = 0; m < column.size(); ++m)
    if (!column.is_missing(m)) values.insert(column.text(m));
  const std::string name = in_case({column.name}, Case::lower).front();
  for (const Circle& circle : kCircles) {
    if (name.find(circle.in_name) == std::string::npos) continue;
    if (values.size() < 3 || 2 * values.size() < circle.words.size()) continue;
    for (const Case letters : {Case::as_they_are, Case::lower, Case::upper}) {
      Words words = in_case(circle.words, letters);
      const auto is_among = [&](const std::string& value) {
        return std::ranges::find(words, value) != words.end();
      };
      if (std::ranges::all_of(values, is_among)) return words;
    }
  }
  return {};
}

CategorySpec suggested_spec(const LabelColumn& column, std::size_t n_values) {
  CategorySpec spec{.name = column.name, .n_components = 2};
  if (!column.is_numeric()) {
    spec.order = circle_of(column);
    if (!spec.order.empty()) spec.kind = CategoryKind::circular;
    return spec;
  }
  if (holds_infinite(column)) return spec;  // which has no distance to others
  // Two numbers are as near to each other as two words.
  if (n_values > 2) spec.kind = CategoryKind::ordinal;
  if (spec.kind == CategoryKind::ordinal && n_values <= kMostOptions) {
    spec.period = period_of(column);
    if (spec.period) spec.kind = CategoryKind::circular;
  }
  if (n_values > kMostOptions) spec.bins = kBins;
  return spec;
}

std::vector<OptionCount> count_options(const Category& category) {
  std::vector<OptionCount> options;
  for (const std::string& name : category.options) options.push_back({name, 0});
  for (const int option : category.option_of_trial) ++options[static_cast<std::size_t>(option)].n_trials;
  return options;
}

LabelCheck look_at_column(const TrialSource& trials, const LabelColumn& column,
                          std::vector<Category>& resolved) {
  LabelCheck out;
  const std::size_t n_values = n_distinct(column);
  out.n_missing = count_missing(column);
  out.spec = suggested_spec(column, n_values);
  // Real numbers that never repeat are measured, unless they only rise: then they are the clock. Whole
  // numbers and texts that never repeat are names, and many texts of which few repeat are remarks.
  const bool is_remark = !column.is_numeric() && n_values > kMostOptions && 2 * n_values > column.size();
  const bool is_measured = std::holds_alternative<LabelColumn::Reals>(column.values) && !is_rising(column);
  if (out.n_missing > 0) {
    out.use = LabelUse::incomplete;
  } else if (n_values <= 1) {
    out.use = LabelUse::constant;
  } else if (is_remark || (n_values == column.size() && !(is_measured && n_values > kMostOptions))) {
    out.use = LabelUse::per_trial;
  } else {
    resolved.push_back(resolve_categories({out.spec}, trials).front());
    out.options = count_options(resolved.back());
  }
  return out;
}

LabelCheck look_at_spec(const TrialSource& trials, const CategorySpec& spec,
                        std::vector<Category>& resolved) {
  Category category = resolve_categories({spec}, trials).front();
  LabelCheck out{LabelUse::category, spec, 0, count_options(category)};
  if (category.n_options() == 1)
    out.use = LabelUse::constant;
  else if (out.options.size() == trials.n_trials())
    out.use = LabelUse::per_trial;
  else
    resolved.push_back(std::move(category));
  return out;
}

}  // namespace

std::vector<LabelCheck> look_at_labels(const TrialSource& trials, const std::vector<CategorySpec>& asked_for,
                                       std::vector<Category>& resolved) {
  std::vector<LabelCheck> out;
  for (const CategorySpec& spec : asked_for) out.push_back(look_at_spec(trials, spec, resolved));
  if (asked_for.empty())
    for (const LabelColumn& column : trials.labels()) out.push_back(look_at_column(trials, column, resolved));
  return out;
}

// Cramer's V with the correction of Bergsma (2013): without it, few trials look associated by chance.
PairCheck compare(const Category& first, const Category& second) {
  const Index n_rows = first.n_options(), n_columns = second.n_options();
  Matrix table = Matrix::Zero(n_rows, n_columns);
  for (std::size_t m = 0; m < first.option_of_trial.size(); ++m)
    table(first.option_of_trial[m], second.option_of_trial[m]) += 1;
  const double n = table.sum();
  const Matrix expected = table.rowwise().sum() * table.colwise().sum() / n;
  const double phi2 = ((table - expected).array().square() / expected.array()).sum() / n;

  PairCheck out{first.spec.name, second.spec.name, Relation::crossed, 0, 0, 0};
  out.n_cells = static_cast<std::size_t>(table.size());
  out.n_empty = static_cast<std::size_t>((table.array() == 0).count());
  const bool first_tells = ((table.array() > 0).rowwise().count() == 1).all();
  const bool second_tells = ((table.array() > 0).colwise().count() == 1).all();
  const auto r = static_cast<double>(n_rows), c = static_cast<double>(n_columns);
  const double excess = std::max(0.0, phi2 - (r - 1) * (c - 1) / (n - 1));
  const double freedom = std::min(r - (r - 1) * (r - 1) / (n - 1), c - (c - 1) * (c - 1) / (n - 1)) - 1;
  out.cramers_v = freedom > 0 ? std::min(1.0, std::sqrt(excess / freedom)) : 0.0;
  if (first_tells || second_tells) {
    out.relation = first_tells && second_tells ? Relation::identical
                   : first_tells               ? Relation::first_in_second
                                               : Relation::second_in_first;
  } else if (out.cramers_v > kHighV) {
    out.relation = Relation::associated;
  }
  return out;
}

std::vector<DesignCell> design_cells(const std::vector<Category>& categories, std::size_t n_trials) {
  if (categories.empty()) return {};
  std::map<std::vector<int>, std::size_t> counts;
  for (std::size_t m = 0; m < n_trials; ++m) {
    std::vector<int> options;
    for (const Category& category : categories) options.push_back(category.option_of_trial[m]);
    ++counts[options];
  }
  std::vector<DesignCell> cells;
  for (const auto& [options, n] : counts) {
    DesignCell& cell = cells.emplace_back();
    cell.n_trials = n;
    for (std::size_t k = 0; k < options.size(); ++k)
      cell.options.push_back(categories[k].options[static_cast<std::size_t>(options[k])]);
  }
  return cells;
}

}  // namespace milcci::check_stages
