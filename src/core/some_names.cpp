#include "core/some_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace milcci {

std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  if (names.size() <= kShown) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kShown, ", "),
                     names.size() - kShown);
}

}  // namespace milcci
