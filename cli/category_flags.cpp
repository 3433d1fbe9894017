#include "category_flags.hpp"

#include "option_flags.hpp"

namespace milcci::cli {

void add_categories(CLI::App& parser, CategoryFlags& flags) {
  const std::string group = "Categories";
  parser
      .add_option("--category", flags.categories,
                  "COUNT components that adjust to the label column NAME; KIND is categorical (the default), "
                  "ordinal, circular, free or graph=FILE, see docs/command-line.md. Once per category")
      ->type_name("NAME=COUNT[:KIND[,KEY=VALUE...]]")
      ->allow_extra_args(false)
      ->group(group);
  const Field trial_number{"trial_number", "", "components that drift from trial to trial", 1, 1e6};
  const Field fixed{"fixed", "", "components that do not adjust to any label", 1, 1e6};
  add_field(parser, trial_number, flags.trial_number)->type_name("COUNT")->group(group);
  add_field(parser, fixed, flags.fixed)->type_name("COUNT")->group(group);
}

std::vector<CategorySpec> requested_categories(const CategoryFlags& flags) {
  std::vector<CategorySpec> specs;
  for (const std::string& text : flags.categories) specs.push_back(parse_category(text));
  if (flags.trial_number)
    specs.push_back(
        {.name = "trial_number", .n_components = *flags.trial_number, .kind = CategoryKind::trial_number});
  if (flags.fixed)
    specs.push_back({.name = "fixed", .n_components = *flags.fixed, .kind = CategoryKind::fixed});
  return specs;
}

}  // namespace milcci::cli
