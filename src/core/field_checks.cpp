#include "core/field_checks.hpp"

namespace milcci {

void check_range(const std::string& where, const Field& field, double value,
                 std::vector<std::string>& sentences) {
  // Written so that NaN fails.
  const bool is_above = field.excludes_minimum ? value > field.minimum : value >= field.minimum;
  if (is_above && value <= field.maximum) return;
  const std::string limits =
      field.maximum < kUnlimited && !field.excludes_minimum
          ? fmt::format("between {} and {}", field.minimum, field.maximum)
          : fmt::format("finite and {} {}", field.excludes_minimum ? ">" : ">=", field.minimum);
  sentences.push_back(fmt::format("{}`{}` = {}, must be {}", where, field.name, value, limits));
}

}  // namespace milcci
