#include "simulation.hpp"

#include "option_flags.hpp"

namespace milcci::cli {

SimulateOptions SimulationRequest::resolved() const {
  SimulateOptions result = options;
  if (categories.empty()) return result;
  result.categories.clear();
  for (const std::string& text : categories) result.categories.push_back(parse_simulated_category(text));
  return result;
}

void add_simulation(CLI::App& parser, SimulationRequest& request) {
  const std::string group = "Trials";
  // Callbacks run in the order of definition: the preset first, then what changes it.
  const auto take_preset = [&request](const CLI::results_t& names) {
    request.preset_name = names.front();
    request.options = preset(names.front());
    return true;
  };
  parser
      .add_option("--preset", take_preset, "what to start from; all other options change it (default paper)")
      ->type_name("paper|recording")
      ->group(group);
  parser
      .add_option(
          "--category", request.categories,
          "COUNT components that adjust to a category of OPTIONS options; KIND is categorical, ordinal, "
          "free, fixed or trial_number. Once per category, in place of the preset's")
      ->type_name("NAME=COUNT:OPTIONS[:KIND]")
      ->allow_extra_args(false)
      ->group(group);
  const auto take_length = [&request](const CLI::results_t& texts) {
    read_value("--length", texts.front(), request.options.min_length);
    request.options.max_length = request.options.min_length;
    return true;
  };
  parser.add_option("--length", take_length, "the same length for all trials, shortest and longest in one")
      ->type_name("INTEGER")
      ->group(group);
  visit_fields(request.options,
               [&](const Field& field, auto& member) { add_field(parser, field, member)->group(group); });
}

}  // namespace milcci::cli
