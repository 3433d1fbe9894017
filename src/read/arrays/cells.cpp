#include "read/arrays/cells.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "read/text/utf.hpp"

namespace milcci::read {

namespace {

bool is_empty_number(const CellValue& cell) {
  const auto* numbers = std::get_if<NumberArray>(&cell);
  return numbers && numbers->size() == 0;
}

bool is_one_text(const CellValue& cell) {
  const auto* rows = std::get_if<TextRows>(&cell);
  return (rows && rows->size() <= 1) || is_empty_number(cell);
}

bool is_one_number(const CellValue& cell) {
  const auto* numbers = std::get_if<NumberArray>(&cell);
  return numbers && numbers->size() <= 1;
}

NumberArray vector_of(const std::vector<double>& values) {
  auto bytes = std::make_shared<std::string>(values.size() * sizeof(double), '\0');
  std::memcpy(bytes->data(), values.data(), bytes->size());
  return {Scalar::f64, false, {values.size()}, {1}, std::move(bytes), 0};
}

}  // namespace

StoredItem item_of_value(const std::string& name, CellValue value) {
  StoredItem item;
  item.info.name = name;
  item.info.title = name.substr(name.find_last_of('.') + 1);
  if (auto* numbers = std::get_if<NumberArray>(&value)) {
    item.info.kind = ItemKind::numbers;
    item.info.shape = numbers->shape;
    item.numbers = std::move(*numbers);
  } else if (auto* rows = std::get_if<TextRows>(&value)) {
    item.info.kind = ItemKind::texts;
    item.info.shape = {rows->size()};
    item.texts = std::move(*rows);
  } else {
    item.info.other = std::get<Useless>(value).what;
  }
  return item;
}

StoredItem item_of_cells(const std::string& name, std::vector<CellValue> cells) {
  StoredItem item;
  item.info.name = name;
  item.info.title = name.substr(name.find_last_of('.') + 1);
  item.info.shape = {cells.size()};
  const auto all = [&](bool (*condition)(const CellValue&)) {
    return std::all_of(cells.begin(), cells.end(), condition);
  };
  const bool is_all_empty = all(is_empty_number);
  if (all(is_one_number) && !is_all_empty) {
    std::vector<double> values;
    for (const CellValue& cell : cells)
      values.push_back(is_empty_number(cell) ? std::numeric_limits<double>::quiet_NaN()
                                             : std::get<NumberArray>(cell).values().front());
    item.info.kind = ItemKind::numbers;
    item.numbers = vector_of(values);
  } else if (all(is_one_text) && !is_all_empty) {
    item.info.kind = ItemKind::texts;
    for (const CellValue& cell : cells) {
      const auto* rows = std::get_if<TextRows>(&cell);
      item.texts.push_back(rows && !rows->empty() ? rows->front() : "");
    }
  } else if (all([](const CellValue& cell) { return std::holds_alternative<NumberArray>(cell); })) {
    item.info.kind = ItemKind::list;
    for (CellValue& cell : cells) item.list.push_back(std::get<NumberArray>(std::move(cell)));
  } else {
    item.info.other = "a cell array of mixed or unknown contents";
  }
  return item;
}

TextRows text_rows(const std::vector<double>& units, std::size_t n_rows) {
  // Above all characters.
  constexpr std::uint64_t kNone = 0x110000;
  TextRows rows;
  for (std::size_t row = 0; row < n_rows; ++row) {
    std::vector<std::uint64_t> line;
    for (std::size_t at = row; at < units.size(); at += n_rows)
      line.push_back(units[at] >= 0 && units[at] < kNone ? static_cast<std::uint64_t>(units[at]) : kNone);
    while (!line.empty() && (line.back() == ' ' || line.back() == 0)) line.pop_back();
    rows.push_back(from_utf16(line));
  }
  return rows;
}

}  // namespace milcci::read
