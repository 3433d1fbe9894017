#include "read/tables/free_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/nearest_name.hpp"
#include "milcci/error.hpp"

namespace milcci::read {

Position FreeColumns::take_named(const std::string& option, const std::string& name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end() || name.empty()) {
    std::vector<std::string> named;
    std::copy_if(names_.begin(), names_.end(), std::back_inserter(named),
                 [](const std::string& other) { return !other.empty(); });
    throw Error(ErrorKind::bad_option, fmt::format("`{}` = {}: file \"{}\" has no such column{}", option,
                                                   name, path_, suggestion(name, named)));
  }
  const auto position = static_cast<Position>(found - names_.begin());
  if (!is_free_[position])
    throw Error(ErrorKind::bad_option,
                fmt::format("`{}` = {}: that column has another meaning already; give every column one",
                            option, name));
  is_free_[position] = false;
  return position;
}

Positions FreeColumns::take_named(const std::string& option, const std::vector<std::string>& names) {
  Positions positions;
  for (const std::string& name : names) positions.push_back(take_named(option, name));
  return positions;
}

Maybe FreeColumns::take_named_if(const std::string& option, const std::string& name) {
  return name.empty() ? Maybe() : take_named(option, name);
}

void FreeColumns::take(const Maybe& position) {
  if (position) is_free_[*position] = false;
}

Maybe FreeColumns::find_usual(const UsualNames& usual) const {
  Maybe best;
  for (const Position p : rest())
    if (is_among(usual, names_[p]) &&
        (!best || rank_among(usual, names_[p]) < rank_among(usual, names_[*best])))
      best = p;
  return best;
}

Positions FreeColumns::rest() const {
  Positions positions;
  for (Position p = 0; p < names_.size(); ++p)
    if (is_free_[p]) positions.push_back(p);
  return positions;
}

}  // namespace milcci::read
