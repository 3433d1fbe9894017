// What can be asked of a simulation: presets, categories written as text, and what is refused.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "core/field_checks.hpp"
#include "milcci/error.hpp"
#include "milcci/simulate.hpp"
#include "simulate/stages.hpp"

namespace milcci {
namespace {

// Label combinations are enumerated; beyond this the enumeration, not the data, would fill the memory.
constexpr double kMaxCells = 1e6;

[[noreturn]] void refuse_category(const std::string& text, const std::string& problem) {
  throw Error(ErrorKind::bad_option,
              fmt::format("simulated category \"{}\": {}; write NAME=COUNT:OPTIONS[:KIND], such as "
                          "difficulty=2:5:ordinal",
                          text, problem));
}

int parse_count(const std::string& text, const std::string& part, const char* what) {
  int count = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), count);
  if (error != std::errc{} || end != part.data() + part.size() || count < 1)
    refuse_category(text, fmt::format("{} is \"{}\", must be a whole number of at least 1", what, part));
  return count;
}

CategoryKind parse_kind(const std::string& text, std::string part) {
  std::replace(part.begin(), part.end(), '-', '_');
  const auto& names = value_names(CategoryKind{});
  const auto found = std::find(names.begin(), names.end(), part);
  const auto kind = static_cast<CategoryKind>(found - names.begin());
  if (found == names.end() || kind == CategoryKind::graph || kind == CategoryKind::circular)
    refuse_category(text, fmt::format("kind is \"{}\", must be one of categorical, ordinal, free, "
                                      "trial_number, fixed",
                                      part));
  return kind;
}

void check_category(const SimulatedCategory& category, std::vector<std::string>& problems) {
  const std::string where = fmt::format("category \"{}\"", category.name);
  if (category.name.empty()) problems.emplace_back("a category has no name");
  if (category.n_components < 1)
    problems.push_back(
        fmt::format("{}: `n_components` = {}, must be at least 1", where, category.n_components));
  if (simulation::has_label_column(category) && category.n_options < 1)
    problems.push_back(fmt::format("{}: `n_options` = {}, must be at least 1", where, category.n_options));
  if (category.kind == CategoryKind::graph || category.kind == CategoryKind::circular)
    problems.push_back(fmt::format("{}: kind {} cannot be simulated; use categorical, ordinal or free", where,
                                   to_text(category.kind)));
  if (category.option_names.empty()) return;
  if (category.kind != CategoryKind::categorical && category.kind != CategoryKind::free)
    problems.push_back(
        fmt::format("{}: `option_names` given for kind {}, only categorical and free take them", where,
                    to_text(category.kind)));
  else if (category.option_names.size() != static_cast<std::size_t>(std::max(category.n_options, 0)))
    problems.push_back(fmt::format("{}: {} `option_names`, must be `n_options` = {}", where,
                                   category.option_names.size(), category.n_options));
  const std::set<std::string> distinct(category.option_names.begin(), category.option_names.end());
  if (distinct.size() != category.option_names.size() || distinct.count(""))
    problems.push_back(where + ": `option_names` must differ and must not be empty");
}

// Label combinations: every option needs a combination and a trial to occur in.
void check_cells(const SimulateOptions& o, std::vector<std::string>& problems) {
  double n_cells = 1;
  int most_options = 1;
  std::string widest;
  for (const SimulatedCategory& category : o.categories) {
    if (!simulation::has_label_column(category)) continue;
    n_cells *= std::max(category.n_options, 1);
    if (category.n_options > most_options) {
      most_options = category.n_options;
      widest = category.name;
    }
  }
  if (n_cells > kMaxCells) {
    problems.push_back(
        fmt::format("the categories make {} label combinations, must be at most {}", n_cells, kMaxCells));
    return;
  }
  if (o.n_trials < most_options)
    problems.push_back(fmt::format("`n_trials` = {}, must be at least {}: one per option of category \"{}\"",
                                   o.n_trials, most_options, widest));
  const int n_removable = static_cast<int>(n_cells) - most_options;
  if (o.n_empty_cells > n_removable)
    problems.push_back(
        fmt::format("`n_empty_cells` = {}, must be at most {}: of {} label combinations {} are "
                    "needed for every option to occur",
                    o.n_empty_cells, n_removable, n_cells, most_options));
}

void check_observation(const SimulateOptions& o, std::vector<std::string>& problems) {
  if (o.counts > 0 && (o.is_signed || o.shift == Shift::none))
    problems.push_back(fmt::format("`counts` = {} with {}, but the rate of counts must not be negative",
                                   o.counts,
                                   o.is_signed ? "components and traces of both signs" : "`shift` = none"));
  if (o.counts > 0 && o.noise > 0)
    problems.push_back(
        fmt::format("`noise` = {}, must be 0 with `counts`: their noise is that of chance", o.noise));
  if (o.noise == 0 && o.noise_spread > 0)
    problems.push_back(
        fmt::format("`noise_spread` = {}, but there is no noise; give `noise` too", o.noise_spread));
  if (o.noise == 0 && o.noise_smoothing > 0)
    problems.push_back(
        fmt::format("`noise_smoothing` = {}, but there is no noise; give `noise` too", o.noise_smoothing));
  if (o.pure_noise && o.noise == 0 && o.counts == 0)
    problems.emplace_back("`pure_noise` without noise leaves nothing; give `noise` or `counts` too");
}

}  // namespace

const std::vector<std::string>& value_names(Shift) {
  static const std::vector<std::string> names{"trace", "component", "none"};
  return names;
}

const std::vector<std::string>& value_names(MissingPattern) {
  static const std::vector<std::string> names{"scattered", "blocks"};
  return names;
}

const std::vector<std::string>& value_names(Variation) {
  static const std::vector<std::string> names{"smooth", "independent"};
  return names;
}

const std::vector<std::string>& value_names(MeanTraces) {
  static const std::vector<std::string> names{"label", "shared"};
  return names;
}

SimulatedCategory parse_simulated_category(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) refuse_category(text, "\"=\" is missing");
  if (equals == 0) refuse_category(text, "the name is missing");
  std::vector<std::string> parts{""};
  for (const char c : text.substr(equals + 1)) {
    if (c == ':')
      parts.emplace_back();
    else
      parts.back() += c;
  }

  SimulatedCategory category;
  category.name = text.substr(0, equals);
  category.n_components = parse_count(text, parts[0], "the number of components");
  if (parts.size() < 2) refuse_category(text, "the number of options is missing");
  if (parts.size() > 3) refuse_category(text, fmt::format("\":{}\" is too much", parts[3]));
  const bool has_number =
      !parts[1].empty() && parts[1].find_first_not_of("0123456789-+.") == std::string::npos;
  if (parts.size() == 2 && !has_number) {
    category.kind = parse_kind(text, parts[1]);
    if (simulation::has_label_column(category)) refuse_category(text, "the number of options is missing");
    category.n_options = 1;
    return category;
  }
  category.n_options = parse_count(text, parts[1], "the number of options");
  if (parts.size() == 3) category.kind = parse_kind(text, parts[2]);
  return category;
}

SimulateOptions preset(const std::string& name) {
  SimulateOptions options;
  if (name == "paper") return options;
  if (name == "recording") {
    options.categories = {{"trial_number", 2, 1, CategoryKind::trial_number},
                          {"prior", 2, 3, CategoryKind::ordinal},
                          {"side", 2, 2, CategoryKind::categorical, {"left", "right"}},
                          {"fixed", 2, 1, CategoryKind::fixed}};
    options.n_channels = 270;
    options.n_trials = 1011;
    options.min_length = 110;
    options.max_length = 164;
    return options;
  }
  throw Error(ErrorKind::bad_option,
              fmt::format("simulation preset \"{}\" is unknown, must be paper or recording", name));
}

std::vector<std::string> violations(const SimulateOptions& o) {
  std::vector<std::string> problems = range_violations(o);
  const auto check_order = [&](const char* low_name, auto low, const char* high_name, auto high) {
    if (low > high)
      problems.push_back(fmt::format("`{}` = {}, must be at most `{}` = {}", low_name, low, high_name, high));
  };
  check_order("min_length", o.min_length, "max_length", o.max_length);
  check_order("amplitude_min", o.amplitude_min, "amplitude_max", o.amplitude_max);
  check_order("length_scale_min", o.length_scale_min, "length_scale_max", o.length_scale_max);
  if (o.amplitude_max == 0)
    problems.emplace_back("`amplitude_max` = 0, must be positive: traces would be zero");
  if (o.min_length == 1 && o.shift == Shift::trace && !o.is_signed)
    problems.emplace_back(
        "`min_length` = 1, must be at least 2 with `shift` = trace: a trace of one sample less its minimum "
        "is "
        "zero; use shift component or none");

  check_observation(o, problems);
  if (o.categories.empty()) problems.emplace_back("there is no category, must be at least one");
  std::set<std::string> names;
  int n_components = 0;
  for (const SimulatedCategory& category : o.categories) {
    check_category(category, problems);
    if (!names.insert(category.name).second)
      problems.push_back(fmt::format("category \"{}\" is given twice, names must differ", category.name));
    n_components += std::max(category.n_components, 0);
  }
  if (!o.categories.empty() && o.n_free_traces > n_components)
    problems.push_back(fmt::format("`n_free_traces` = {}, must be at most the number of components, {}",
                                   o.n_free_traces, n_components));
  check_cells(o, problems);
  return problems;
}

}  // namespace milcci
