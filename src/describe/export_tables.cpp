// A model as tidy tables: one observation per row, names in full, numbers that read back to the same bits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "core/options_json.hpp"
#include "describe/csv_table.hpp"
#include "milcci/components.hpp"
#include "milcci/error.hpp"
#include "util/web_address.hpp"

namespace milcci {
namespace {

namespace fs = std::filesystem;

double entry(const Vector& values, Index j) {
  return j < values.size() ? values(j) : std::nan("");
}

std::string trial_name(const Model& model, std::size_t m) {
  return model.trial_names.empty() ? std::to_string(m + 1) : model.trial_names[m];
}

void write_memberships(CsvTable& table, const Model& model) {
  table.header({"category", "component", "option", "channel", "group", "membership", "standard_error"});
  for (std::size_t k = 0; k < model.categories.size(); ++k) {
    const FittedCategory& fitted = model.categories[k];
    for (Index j = 0; j < fitted.n_components(); ++j)
      for (std::size_t i = 0; i < fitted.variants.size(); ++i)
        for (Index n = 0; n < model.n_channels(); ++n) {
          const auto channel = static_cast<std::size_t>(n);
          table.text(fitted.category.spec.name);
          table.count(static_cast<std::size_t>(j + 1));
          table.text(fitted.category.options[i]);
          table.text(model.channel_names[channel]);
          table.text(model.channel_groups.empty() ? "" : model.channel_groups[channel]);
          table.number(fitted.variants[i](n, j));
          table.number(model.noise.standard_errors.empty() ? std::nan("")
                                                           : model.noise.standard_errors[k][i](n, j));
          table.end_row();
        }
  }
}

void write_traces(CsvTable& table, const Model& model) {
  table.header({"trial", "name", "category", "component", "time", "value"});
  for (std::size_t m = 0; m < model.n_trials(); ++m) {
    Index position = 0;
    for (const FittedCategory& fitted : model.categories)
      for (Index j = 0; j < fitted.n_components(); ++j, ++position)
        for (Index t = 0; t < model.traces[m].cols(); ++t) {
          table.count(m + 1);
          table.text(trial_name(model, m));
          table.text(fitted.category.spec.name);
          table.count(static_cast<std::size_t>(j + 1));
          table.number(model.times.empty() ? static_cast<double>(t) : model.times[m](t));
          table.number(model.traces[m](position, t));
          table.end_row();
        }
  }
}

std::string option_of(const FittedCategory& fitted, std::size_t trial) {
  return fitted.category.options[static_cast<std::size_t>(fitted.category.option_of_trial[trial])];
}

// Whether a label column of the category's name tells its options already; bins it does not tell.
bool is_told(const Model& model, const FittedCategory& fitted) {
  for (const LabelColumn& column : model.labels) {
    if (column.name != fitted.category.spec.name) continue;
    for (std::size_t m = 0; m < model.n_trials(); ++m)
      if (column.text(m) != option_of(fitted, m)) return false;
    return true;
  }
  return false;
}

// A name for a column that no other has: labels may be called like the columns before them.
std::string new_name(const std::vector<std::string>& names, std::string name) {
  while (std::find(names.begin(), names.end(), name) != names.end()) name = "label " + name;
  return name;
}

// Labels as they were given, then the options that categories made of them where these are something else.
void write_trials(CsvTable& table, const Model& model, const Evaluation* evaluation) {
  std::vector<std::string> names = {"trial", "name", "n_times"};
  if (evaluation) names.insert(names.end(), {"squared_error", "relative_error", "r2"});
  for (const LabelColumn& column : model.labels) names.push_back(new_name(names, column.name));
  std::vector<const FittedCategory*> untold;
  for (const FittedCategory& fitted : model.categories)
    if (!is_told(model, fitted)) untold.push_back(&fitted);
  for (const FittedCategory* fitted : untold)
    names.push_back(new_name(names, "option of " + fitted->category.spec.name));
  table.header(names);
  for (std::size_t m = 0; m < model.n_trials(); ++m) {
    table.count(m + 1);
    table.text(trial_name(model, m));
    table.count(static_cast<std::size_t>(model.traces[m].cols()));
    if (evaluation) {
      const Score& score = evaluation->trials[m];
      table.number(score.squared_error);
      table.number(score.relative_error);
      table.number(score.r2);
    }
    for (const LabelColumn& column : model.labels) table.text(column.is_missing(m) ? "" : column.text(m));
    for (const FittedCategory* fitted : untold) table.text(option_of(*fitted, m));
    table.end_row();
  }
}

void write_components(CsvTable& table, const FitResult& result) {
  table.header({"category", "component", "kind", "explained", "stability", "certainty", "firmness", "members",
                "strongest_option", "strongest_channel"});
  for (const ComponentView& view : view_components(result, {.n_members = 1})) {
    table.text(view.category);
    table.count(static_cast<std::size_t>(view.number + 1));
    table.text(to_text(view.kind));
    table.number(view.explained);
    table.number(view.stability);
    table.text(view.is_dead ? "none" : view.certainty ? to_text(*view.certainty) : "");
    table.number(view.firmness);
    table.count(view.n_members);
    table.text(view.is_dead ? "" : view.options[view.strongest]);
    table.text(view.is_dead ? "" : view.members.front().name);
    table.end_row();
  }
}

void write_channels(CsvTable& table, const Model& model, const Evaluation* evaluation) {
  std::vector<std::string> names = {"channel", "group", "offset", "noise_level"};
  if (evaluation) names.emplace_back("squared_error"), names.emplace_back("r2");
  table.header(names);
  for (Index n = 0; n < model.n_channels(); ++n) {
    const auto position = static_cast<std::size_t>(n);
    table.text(model.channel_names[position]);
    table.text(model.channel_groups.empty() ? "" : model.channel_groups[position]);
    table.number(entry(model.noise.offset, n));
    table.number(entry(model.noise.level, n));
    if (evaluation) {
      table.number(evaluation->channels[position].squared_error);
      table.number(evaluation->channels[position].r2);
    }
    table.end_row();
  }
}

// What is told of the fit as a whole, then its options under their names.
void write_fit(CsvTable& table, const FitSummary& summary) {
  table.header({"name", "value"});
  const auto text = [&](const std::string& name, const std::string& value) {
    table.text(name);
    table.text(value);
    table.end_row();
  };
  const auto number = [&](const std::string& name, double value) {
    table.text(name);
    table.number(value);
    table.end_row();
  };
  text("version", summary.version);
  number("r2", summary.r2);
  if (summary.r2_without_outliers) number("r2_without_outliers", *summary.r2_without_outliers);
  if (summary.objective) number("objective", summary.objective->total());
  number("iterations", static_cast<double>(summary.iterations.size()));
  text("stop_reason", to_text(summary.reason));
  text("message", summary.message);
  number("seconds", summary.seconds_total);
  text("data_fingerprint", summary.data_fingerprint);
  for (const std::string& warning : summary.warnings) text("warning", warning);
  const Json options = options_to_json(summary.options);
  for (const auto& [name, value] : options.items())
    text("option " + name, value.is_null()     ? ""
                           : value.is_string() ? value.get<std::string>()
                                               : value.dump());
}

// Whether the folder had to be made.
bool make_folder(const std::string& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (folder.empty() || (fs::exists(status) && !fs::is_directory(status)))
    throw Error(ErrorKind::bad_file,
                fmt::format("folder \"{}\": cannot be written to: it is a file; give a folder", folder));
  if (fs::exists(status)) return false;
  const bool is_made = fs::create_directory(folder, error);
  if (!is_made && is_address(folder))
    throw Error(ErrorKind::bad_file, fmt::format("folder \"{}\": {}", folder, kAddressIsNotWritten));
  if (!is_made)
    throw Error(ErrorKind::bad_file, fmt::format("folder \"{}\": cannot be made: {}", folder,
                                                 error ? error.message() : std::string("it is not there")));
  return true;
}

}  // namespace

std::vector<std::string> export_paths(const std::string& folder) {
  std::vector<std::string> paths;
  for (const char* name : {"memberships", "traces", "trials", "components", "channels", "fit"})
    paths.push_back((fs::path(folder) / (std::string(name) + ".csv")).string());
  return paths;
}

std::vector<std::string> export_tables(const std::string& folder, const FitResult& result,
                                       const Evaluation* evaluation, Overwrite overwrite) {
  const Model& model = result.model;
  const bool is_new = make_folder(folder);
  const std::vector<std::string> paths = export_paths(folder);
  try {
    // Every table is opened before the first gets its name: what cannot be written is refused as a whole.
    std::vector<std::unique_ptr<CsvTable>> tables;
    for (const std::string& path : paths) tables.push_back(std::make_unique<CsvTable>(path, overwrite));
    write_memberships(*tables[0], model);
    write_traces(*tables[1], model);
    write_trials(*tables[2], model, evaluation);
    write_components(*tables[3], result);
    write_channels(*tables[4], model, evaluation);
    write_fit(*tables[5], result.summary);
    for (const auto& table : tables) table->commit();
  } catch (...) {
    std::error_code not_empty;
    if (is_new) fs::remove(folder, not_empty);
    throw;
  }
  return paths;
}

}  // namespace milcci
