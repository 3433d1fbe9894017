#include "read/arrays/number_labels.hpp"

#include <cmath>

namespace milcci::read {

LabelColumn label_of_numbers(const std::string& name, const std::vector<double>& values) {
  constexpr double kExact = 9007199254740992.0;  // 2^53: above it not every integer is a double
  LabelColumn::Integers integers;
  for (const double value : values)
    if (value == std::floor(value) && std::abs(value) <= kExact)
      integers.push_back(static_cast<std::int64_t>(value));
  if (integers.size() == values.size()) return {name, std::move(integers)};
  return {name, values};
}

}  // namespace milcci::read
