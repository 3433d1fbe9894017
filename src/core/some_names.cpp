#include "core/some_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/shown_name.hpp"

namespace milcci {

std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) shown.push_back(shown_name(names[i]));
  const std::string list = fmt::format("{}", fmt::join(shown, ", "));
  return names.size() <= kShown ? list : fmt::format("{} and {} more", list, names.size() - kShown);
}

}  // namespace milcci
