// Reading and writing the library's JSON: exact numbers, and errors that name the key, what was found there
// and what was expected. Numbers that JSON lacks, NaN and the infinities, are null; null reads as NaN.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "milcci/error.hpp"
#include "milcci/options.hpp"
#include "milcci/types.hpp"

namespace milcci {

using Json = nlohmann::ordered_json;

Json to_json_value(double value);
Json to_json_value(const std::optional<double>& value);
Json to_json_value(const Matrix& value);  ///< an array of rows
Json to_json_value(const Vector& value);
template <class T>
Json to_json_value(const T& value) {
  if constexpr (std::is_enum_v<T>)
    return Json(to_text(value));
  else
    return Json(value);
}

/// Throws Error(kind) that says what `what` is and where it stops being JSON.
Json parse_json(const std::string& text, const std::string& what, ErrorKind kind);
/// Text with `indent` spaces per level (-1: one line). Throws Error(kind) on strings that are not UTF-8.
std::string dump_json(const Json& json, int indent, const std::string& what, ErrorKind kind);

/// What was found, short enough for a message.
std::string describe(const Json& value);

enum class MissingKey { keeps_default, is_an_error };

/// One JSON object being read key by key.
class JsonObject {
 public:
  JsonObject(const Json& json, std::string what, ErrorKind kind, MissingKey missing);

  /// Sets `target` from the key, with its type checked. Template over the target types below.
  template <class T>
  void read(const std::string& key, T& target) {
    if (const Json* value = find(key)) convert(key, *value, target);
  }
  /// The value, for nested objects; nullptr if it is not there and may be missing.
  const Json* find(const std::string& key);
  /// The value, which must be an array (an absent one may count as empty).
  const Json& find_array(const std::string& key);
  /// Throws if the object has a key that was never asked for, with the nearest one that was.
  void refuse_unknown_keys() const;

  [[noreturn]] void fail(const std::string& key, const Json& found, const std::string& expected) const;

 private:
  void convert(const std::string& key, const Json& value, double& target) const;
  void convert(const std::string& key, const Json& value, std::optional<double>& target) const;
  void convert(const std::string& key, const Json& value, bool& target) const;
  void convert(const std::string& key, const Json& value, std::string& target) const;
  void convert(const std::string& key, const Json& value, int& target) const;
  void convert(const std::string& key, const Json& value, std::uint64_t& target) const;
  void convert(const std::string& key, const Json& value, Matrix& target) const;
  void convert(const std::string& key, const Json& value, Vector& target) const;
  template <class Enum>
  void convert(const std::string& key, const Json& value, Enum& target) const requires std::is_enum_v<Enum> {
    target = static_cast<Enum>(position_of(key, value, value_names(Enum{})));
  }
  template <class T>
  void convert(const std::string& key, const Json& value, std::vector<T>& target) const {
    if (!value.is_array()) fail(key, value, "an array");
    target.resize(value.size());
    for (std::size_t i = 0; i < value.size(); ++i)
      convert(key + "[" + std::to_string(i) + "]", value[i], target[i]);
  }
  std::size_t position_of(const std::string& key, const Json& value,
                          const std::vector<std::string>& names) const;

  const Json& json_;
  std::string what_;
  ErrorKind kind_;
  MissingKey missing_;
  std::vector<std::string> asked_;
};

}  // namespace milcci
