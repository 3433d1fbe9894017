// The flags that name the categories of a fit, for all verbs that make one.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "milcci/labels.hpp"

namespace milcci::cli {

struct CategoryFlags {
  std::vector<std::string> categories;  ///< as typed
  std::optional<int> trial_number, fixed;
};

void add_categories(CLI::App& parser, CategoryFlags& flags);
std::vector<CategorySpec> requested_categories(const CategoryFlags& flags);

}  // namespace milcci::cli
