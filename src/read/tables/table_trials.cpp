#include "read/tables/table_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "read/errors.hpp"

namespace milcci::read {

namespace {

constexpr char kBetweenKeys = '\x1F';  // the ASCII "unit separator": in no name

}  // namespace

TableTrials::TableTrials(const TableColumns& columns) : key_columns_(columns.trial) {
  for (const Position p : columns.trial) keys_.emplace_back(columns.names[p], p, "trial");
  for (const Position p : columns.labels) labels_.emplace_back(columns.names[p], p, "trial");
}

std::string_view TableTrials::joined_key(const TableRows& rows) {
  const auto cells = rows.cells();
  constexpr std::size_t kPadding = 8;
  key_.assign(kPadding, '\0');
  for (const Position p : key_columns_) {
    key_ += trim(cells[p]);
    key_ += kBetweenKeys;
  }
  key_.append(kPadding, '\0');
  return std::string_view(key_).substr(kPadding, key_.size() - 2 * kPadding);
}

void TableTrials::add(const TableRows& rows, Id trial, std::string_view key) {
  if (key.empty()) rows.fail("the trial has no name, must have one in every row");
  for (ConstantColumn& column : keys_) column.take(rows, trial, key);
}

std::string TableTrials::name(Id trial) const {
  std::string name(names_.text(trial));
  if (name.ends_with(kBetweenKeys)) name.pop_back();
  std::replace(name.begin(), name.end(), kBetweenKeys, ' ');
  return name;
}

std::vector<TableTrials::Id> TableTrials::order() const {
  std::vector<Id> order(size());
  std::iota(order.begin(), order.end(), Id{0});
  std::vector<double> numbers;
  for (const Id trial : order)
    if (const auto number = parse_finite(names_.text(trial))) numbers.push_back(*number);
  if (numbers.size() == order.size() && key_columns_.size() == 1)
    std::stable_sort(order.begin(), order.end(), [&](Id a, Id b) { return numbers[a] < numbers[b]; });
  return order;
}

std::vector<std::string> TableTrials::names(const std::vector<Id>& order) const {
  std::vector<std::string> names;
  for (const Id trial : order) names.push_back(name(trial));
  return names;
}

std::vector<LabelColumn> TableTrials::labels(const std::vector<Id>& order) const {
  std::vector<LabelColumn> columns;
  for (const auto* const group : {&keys_, &labels_})
    for (const ConstantColumn& column : *group) {
      std::vector<std::string_view> texts;
      for (const Id trial : order) texts.push_back(column.text(trial));
      columns.push_back(label_column(column.name(), texts));
    }
  return columns;
}

bool are_pairs(const std::vector<std::string_view>& texts) {
  std::map<double, std::string_view> text_of;
  return std::any_of(texts.begin(), texts.end(), [&](std::string_view text) {
    const auto number = text.find(',') == text.npos ? std::nullopt : parse_finite(text);
    return number && text_of.emplace(*number, text).first->second != text;
  });
}

LabelColumn label_column(const std::string& name, const std::vector<std::string_view>& texts) {
  LabelColumn::Integers integers;
  LabelColumn::Reals reals;
  LabelColumn::Texts strings;
  const bool has_pairs = are_pairs(texts);
  for (const std::string_view text : texts) {
    const bool is_missing = is_missing_label(text);
    strings.emplace_back(is_missing ? "" : text);
    if (const auto integer = parse_integer(text)) integers.push_back(*integer);
    if (is_missing)
      reals.push_back(std::numeric_limits<double>::quiet_NaN());
    else if (const auto real = parse_finite(text); real && !(has_pairs && text.find(',') != text.npos))
      reals.push_back(*real);
  }
  const bool has_values =
      std::any_of(strings.begin(), strings.end(), [](const auto& s) { return !s.empty(); });
  if (integers.size() == texts.size()) return {name, std::move(integers)};
  if (reals.size() == texts.size() && has_values) return {name, std::move(reals)};
  return {name, std::move(strings)};
}

void note_if_unclear(const LabelColumn& column, std::vector<std::string>& notes) {
  const auto* const texts = std::get_if<LabelColumn::Texts>(&column.values);
  if (!texts) return;
  const std::string* unclear = nullptr;
  for (const std::string& text : *texts) {
    const bool may_be_two = !comma_hint(text).empty();
    if (!may_be_two && !text.empty() && !parse_finite(text)) return;
    if (may_be_two && !unclear) unclear = &text;
  }
  if (unclear)
    notes.push_back(
        fmt::format("label {} is text for {}{}", column.name, shown(*unclear), comma_hint(*unclear)));
}

}  // namespace milcci::read
