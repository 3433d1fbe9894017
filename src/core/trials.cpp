#include "milcci/trials.hpp"

#include <fmt/format.h>

#include <cmath>

namespace milcci {

std::size_t LabelColumn::size() const {
  return std::visit([](const auto& v) { return v.size(); }, values);
}

bool LabelColumn::is_missing(std::size_t trial) const {
  if (const auto* texts = std::get_if<Texts>(&values)) return (*texts)[trial].empty();
  if (const auto* reals = std::get_if<Reals>(&values)) return std::isnan((*reals)[trial]);
  return false;
}

std::string LabelColumn::text(std::size_t trial) const {
  return std::visit([trial](const auto& v) { return fmt::format("{}", v[trial]); }, values);
}

double LabelColumn::number(std::size_t trial) const {
  if (const auto* integers = std::get_if<Integers>(&values)) return static_cast<double>((*integers)[trial]);
  return std::get<Reals>(values)[trial];
}

const LabelColumn* TrialsInfo::find_label(const std::string& name) const {
  for (const LabelColumn& column : labels)
    if (column.name == name) return &column;
  return nullptr;
}

}  // namespace milcci
