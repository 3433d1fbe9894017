// The columns of a table that are still without a meaning.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "read/tables/table_columns.hpp"
#include "read/tables/usual_names.hpp"

namespace milcci::read {

using Maybe = std::optional<Position>;

class FreeColumns {
 public:
  /// Both must outlive this.
  FreeColumns(const std::string& path, const std::vector<std::string>& names)
      : path_(path), names_(names), is_free_(names.size(), true) {}

  /// Takes the column that an option names. Throws Error(bad_option) if there is none, or it is taken.
  Position take_named(const std::string& option, const std::string& name);
  Positions take_named(const std::string& option, const std::vector<std::string>& names);
  /// Nothing if the option was not given.
  Maybe take_named_if(const std::string& option, const std::string& name);
  void take(Position position) { is_free_[position] = false; }
  void take(const Maybe& position);

  /// The free column whose name is the most usual one, if any.
  Maybe find_usual(const UsualNames& usual) const;
  Positions rest() const;

 private:
  const std::string& path_;
  const std::vector<std::string>& names_;
  std::vector<bool> is_free_;
};

}  // namespace milcci::read
