// Recipes that make trials of public data sets whose files are not recordings.
#pragma once

#include <string>
#include <vector>

#include "milcci/read.hpp"

namespace milcci {

enum class Recipe {
  none,       ///< the file is a recording, `read_data` reads it
  elections,  ///< a folder with the MIT Election Lab's files of president, senate and house
  pageviews,  ///< a file with daily views of Wikimedia's pages or wikis
};

const std::vector<std::string>& value_names(Recipe);

/// `read_data`, or the recipe's own function; a recipe refuses all options with Error(bad_option).
ReadResult read_with(Recipe recipe, const std::string& path, const ReadOptions& options = {});

/// Vote shares of the states over the years: a trial per office and party. Throws Error(bad_file) if a file
/// is not there or a row makes no sense. What is counted and what is left out: docs/examples.md.
ReadResult read_elections(const std::string& folder);

/// Daily views of pages, a trial per language, family, platform and agent: a table with days as columns or as
/// rows, in Kaggle's naming or with columns of their own, or JSON of Wikimedia's API. Keeps the pages and
/// trials that are complete and evens out their scales: docs/examples.md.
ReadResult read_pageviews(const std::string& path);

}  // namespace milcci
