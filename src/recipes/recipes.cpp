// One entry point for all recipes.
#include "milcci/recipes.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/history.hpp"
#include "milcci/error.hpp"
#include "read/read_step.hpp"
#include "read/text/check_texts.hpp"

namespace milcci {
namespace {

// A recipe knows its files: options that say how to read them have no meaning.
void refuse_options(Recipe recipe, const ReadOptions& options) {
  const auto given = read::given_options(options);
  if (given.empty()) return;
  throw Error(ErrorKind::bad_option,
              fmt::format("`{}` has no meaning with `recipe` = {}, which knows its files; leave it out",
                          given.begin()->first, to_text(recipe)));
}

}  // namespace

const std::vector<std::string>& value_names(Recipe) {
  static const std::vector<std::string> names = {"none", "elections", "pageviews"};
  return names;
}

ReadResult read_with(Recipe recipe, const std::string& path, const ReadOptions& options) {
  if (recipe == Recipe::none) return read_data(path, options);
  refuse_options(recipe, options);
  ReadResult result = recipe == Recipe::elections ? read_elections(path) : read_pageviews(path);
  read::check_texts(path, result.trials);
  const std::filesystem::path files(path);
  const bool is_folder = !files.has_filename();  // "folder/"
  add_history(
      result.trials, "recipe",
      {{"recipe", to_text(recipe)}, {"file", (is_folder ? files.parent_path() : files).filename().string()}},
      result.notes);
  return result;
}

}  // namespace milcci
