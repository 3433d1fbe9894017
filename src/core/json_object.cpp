#include "core/json_object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/json_depth.hpp"
#include "core/nearest_name.hpp"

namespace milcci {

std::string describe(const Json& value) {
  constexpr std::size_t kLongest = 60;
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

Json to_json_value(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json to_json_value(const std::optional<double>& value) {
  return value ? to_json_value(*value) : Json(nullptr);
}

Json to_json_value(const Matrix& value) {
  Json rows = Json::array();
  for (Index r = 0; r < value.rows(); ++r) rows.push_back(to_json_value(Vector(value.row(r))));
  return rows;
}

Json to_json_value(const Vector& value) {
  Json numbers = Json::array();
  for (const double number : value) numbers.push_back(to_json_value(number));
  return numbers;
}

Json parse_json(const std::string& text, const std::string& what, ErrorKind kind) {
  if (json_depth(text) > kDeepestJson)
    throw Error(kind, fmt::format("{} is JSON nested more than {} deep", what, kDeepestJson));
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error(kind, fmt::format("{} is not JSON from byte {} of {} on", what, error.byte, text.size()));
  } catch (const Json::out_of_range&) {
    throw Error(kind, fmt::format("{} has a number that is too large", what));
  }
}

std::string dump_json(const Json& json, int indent, const std::string& what, ErrorKind kind) {
  try {
    return json.dump(indent);
  } catch (const Json::type_error&) {
    throw Error(kind, fmt::format("{} cannot be written as JSON: a name in it is not valid UTF-8, such as {}",
                                  what, describe(json)));
  }
}

JsonObject::JsonObject(const Json& json, std::string what, ErrorKind kind, MissingKey missing)
    : json_(json), what_(std::move(what)), kind_(kind), missing_(missing) {
  if (!json.is_object())
    throw Error(kind_, fmt::format("{} is {}, must be an object {{...}}", what_, describe(json)));
}

const Json* JsonObject::find(const std::string& key) {
  asked_.push_back(key);
  const auto found = json_.find(key);
  if (found != json_.end()) return &*found;
  if (missing_ == MissingKey::is_an_error) throw Error(kind_, fmt::format("{} has no key `{}`", what_, key));
  return nullptr;
}

const Json& JsonObject::find_array(const std::string& key) {
  static const Json empty = Json::array();
  const Json* value = find(key);
  if (!value) return empty;
  if (!value->is_array()) fail(key, *value, "an array");
  return *value;
}

void JsonObject::refuse_unknown_keys() const {
  for (const auto& [key, value] : json_.items())
    if (std::find(asked_.begin(), asked_.end(), key) == asked_.end())
      throw Error(kind_, fmt::format("{} has an unknown key `{}`{}", what_, key, suggestion(key, asked_)));
}

void JsonObject::fail(const std::string& key, const Json& found, const std::string& expected) const {
  throw Error(kind_, fmt::format("{}: key `{}` is {}, must be {}", what_, key, describe(found), expected));
}

void JsonObject::convert(const std::string& key, const Json& value, double& target) const {
  if (value.is_number())
    target = value.get<double>();
  else if (value.is_null() || value == "nan")  // older files have the texts
    target = std::numeric_limits<double>::quiet_NaN();
  else if (value == "inf" || value == "-inf")
    target = value == "inf" ? HUGE_VAL : -HUGE_VAL;
  else
    fail(key, value, "a number");
}

void JsonObject::convert(const std::string& key, const Json& value, std::optional<double>& target) const {
  target.reset();
  if (!value.is_null()) convert(key, value, target.emplace());
}

void JsonObject::convert(const std::string& key, const Json& value, bool& target) const {
  if (!value.is_boolean()) fail(key, value, "true or false");
  target = value.get<bool>();
}

void JsonObject::convert(const std::string& key, const Json& value, std::string& target) const {
  if (!value.is_string()) fail(key, value, "a string");
  target = value.get<std::string>();
}

void JsonObject::convert(const std::string& key, const Json& value, int& target) const {
  // Compared as a double, which holds the range of both integer types the parser makes.
  constexpr double kLargest = std::numeric_limits<int>::max();
  if (!value.is_number_integer() || std::abs(value.get<double>()) > kLargest)
    fail(key, value, fmt::format("an integer between -{0} and {0}", std::numeric_limits<int>::max()));
  target = value.get<int>();
}

void JsonObject::convert(const std::string& key, const Json& value, std::uint64_t& target) const {
  if (!value.is_number_unsigned()) fail(key, value, "an integer between 0 and 2^64 - 1");
  target = value.get<std::uint64_t>();
}

void JsonObject::convert(const std::string& key, const Json& value, Vector& target) const {
  std::vector<double> numbers;
  convert(key, value, numbers);
  target = Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()));
}

void JsonObject::convert(const std::string& key, const Json& value, Matrix& target) const {
  if (!value.is_array()) fail(key, value, "an array of rows");
  const std::size_t n_columns = value.empty() ? 0 : value.front().size();
  target.resize(static_cast<Index>(value.size()), static_cast<Index>(n_columns));
  for (std::size_t r = 0; r < value.size(); ++r) {
    const std::string row_key = fmt::format("{}[{}]", key, r);
    if (!value[r].is_array() || value[r].size() != n_columns)
      fail(row_key, value[r], fmt::format("a row of {} numbers, as the first", n_columns));
    Vector row;
    convert(row_key, value[r], row);
    target.row(static_cast<Index>(r)) = row;
  }
}

std::size_t JsonObject::position_of(const std::string& key, const Json& value,
                                    const std::vector<std::string>& names) const {
  const auto found =
      value.is_string() ? std::find(names.begin(), names.end(), value.get<std::string>()) : names.end();
  if (found == names.end()) fail(key, value, fmt::format("one of {}", fmt::join(names, ", ")));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace milcci
