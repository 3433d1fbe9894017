// A trace summary as tables for people, as JSON for programs, and as CSV.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/json_object.hpp"
#include "core/shown_name.hpp"
#include "describe/aligned.hpp"
#include "describe/csv_table.hpp"
#include "milcci/trace_summary.hpp"

namespace milcci {
namespace {

std::string number_text(double value) {
  return std::isnan(value) ? "" : fmt::format("{:.3g}", value);
}

double mean_over_time(const Matrix& mean, Index j) {
  double sum = 0, n = 0;
  for (const double value : mean.row(j))
    if (std::isfinite(value)) sum += value, n += 1;
  return sum / n;
}

// With as many digits as tell neighbours on the grid apart.
std::string time_text(const TraceSummary& summary, double time) {
  const double largest = summary.times.cwiseAbs().maxCoeff();
  const double digits = std::ceil(std::log10(std::max(1.0, largest / summary.step))) + 1.0;
  return std::isnan(time) ? ""
                          : fmt::format("{:.{}g}", time, static_cast<int>(std::clamp(digits, 3.0, 17.0)));
}

// "0.3 to 0.5, 0.9": where the difference is beyond its band.
std::string times_beyond(const TraceSummary& summary, Index j) {
  constexpr std::size_t kMostStretches = 6;
  const auto is_beyond = [&](Index t) {
    return std::abs(summary.difference->difference(j, t)) > summary.difference->band(j, t);
  };
  std::vector<std::string> stretches;
  const Index T = summary.times.size();
  for (Index t = 0; t < T; ++t) {
    if (!is_beyond(t)) continue;
    const Index first = t;
    while (t + 1 < T && is_beyond(t + 1)) ++t;
    stretches.push_back(first == t
                            ? number_text(summary.times(t))
                            : number_text(summary.times(first)) + " to " + number_text(summary.times(t)));
  }
  if (stretches.size() > kMostStretches) {
    const std::size_t n_more = stretches.size() - kMostStretches;
    stretches.resize(kMostStretches);
    stretches.push_back(fmt::format("and {} more", n_more));
  }
  return fmt::format("{}", fmt::join(stretches, ", "));
}

std::string difference_text(const TraceSummary& summary, Index j) {
  const std::vector<std::string>& between = summary.options.between;
  const double p = summary.difference->p(j);
  std::string text = fmt::format("  {} less {}: p = {:.2g} of {} shuffles", shown_name(between[0]),
                                 shown_name(between[1]), p, summary.options.permutations);
  const std::string beyond = times_beyond(summary, j);
  text += beyond.empty() ? "; nowhere beyond chance\n" : "; beyond chance at " + beyond + "\n";
  if (summary.components[static_cast<std::size_t>(j)].is_of_label)
    text += "  (it was fitted with this label: this is no test of the fit)\n";
  return text;
}

}  // namespace

std::string to_text(const TraceSummary& summary) {
  std::string out;
  std::vector<std::string> header = shown_names(summary.options.by, 24);
  for (const char* name : {"trials", "mean", "peak", "time of peak", "area"}) header.emplace_back(name);
  for (std::size_t c = 0; c < summary.components.size(); ++c) {
    const TraceSummary::Component& component = summary.components[c];
    const auto j = static_cast<Index>(c);
    out += fmt::format("{}{} {}{}\n", c > 0 ? "\n" : "", shown_name(component.category), component.number + 1,
                       component.is_dead ? ": dead" : "");
    if (component.is_dead) continue;
    std::vector<std::vector<std::string>> rows = {header};
    for (const TraceGroup& group : summary.groups) {
      std::vector<std::string> row = shown_names(group.values, 24);
      row.push_back(std::to_string(group.n_trials));
      row.push_back(number_text(mean_over_time(group.mean, j)));
      row.push_back(number_text(group.peak(j)));
      row.push_back(time_text(summary, group.time_of_peak(j)));
      row.push_back(number_text(group.area(j)));
      rows.push_back(std::move(row));
    }
    out += aligned(rows, summary.options.by.size(), "  ");
    if (summary.difference) out += difference_text(summary, j);
  }
  if (summary.difference && summary.components.size() > 1)
    out += "\np is that of each component by itself; it is not corrected for their number\n";
  if (summary.n_left_out > 0)
    out += fmt::format("\n{} trials have no value and were left out\n", summary.n_left_out);
  if (summary.is_from_start)
    out += "\ntrials follow each other in time; times count from the start of each\n";
  return out;
}

std::string to_json(const TraceSummary& summary) {
  Json json = Json::object();
  visit_fields(summary.options,
               [&](const Field& field, const auto& value) { json[field.name] = to_json_value(value); });
  json["times"] = to_json_value(summary.times);
  json["step"] = summary.step;
  json["is_from_start"] = summary.is_from_start;
  json["n_left_out"] = summary.n_left_out;
  json["components"] = Json::array();
  for (std::size_t c = 0; c < summary.components.size(); ++c) {
    const TraceSummary::Component& component = summary.components[c];
    const auto j = static_cast<Index>(c);
    Json one = {{"category", component.category},
                {"component", component.number + 1},
                {"is_dead", component.is_dead},
                {"is_of_label", component.is_of_label},
                {"groups", Json::array()}};
    for (const TraceGroup& group : summary.groups)
      one["groups"].push_back({{"values", group.values},
                               {"n_trials", group.n_trials},
                               {"n", group.n},
                               {"mean", to_json_value(Vector(group.mean.row(j)))},
                               {"low", to_json_value(Vector(group.low.row(j)))},
                               {"high", to_json_value(Vector(group.high.row(j)))},
                               {"standard_error", to_json_value(Vector(group.standard_error.row(j)))},
                               {"peak", to_json_value(group.peak(j))},
                               {"time_of_peak", to_json_value(group.time_of_peak(j))},
                               {"area", to_json_value(group.area(j))}});
    if (summary.difference)
      one["difference"] = {{"difference", to_json_value(Vector(summary.difference->difference.row(j)))},
                           {"band", to_json_value(Vector(summary.difference->band.row(j)))},
                           {"p", summary.difference->p(j)}};
    json["components"].push_back(std::move(one));
  }
  return dump_json(json, -1, "a trace summary", ErrorKind::bad_input);
}

void write_table(const std::string& path, const TraceSummary& summary, Overwrite overwrite) {
  const std::vector<std::string> own = {"category", "component",      "time",       "n",    "mean", "low",
                                        "high",     "standard_error", "difference", "band", "p"};
  std::vector<std::string> names = {"category", "component"};
  for (const std::string& label : summary.options.by)
    names.push_back(std::ranges::find(own, label) == own.end() ? label : "label_" + label);
  names.insert(names.end(), own.begin() + 2, summary.difference ? own.end() : own.end() - 3);
  CsvTable table(path, overwrite);
  table.header(names);
  for (std::size_t c = 0; c < summary.components.size(); ++c)
    for (const TraceGroup& group : summary.groups)
      for (Index t = 0; t < summary.times.size(); ++t) {
        const auto j = static_cast<Index>(c);
        table.text(summary.components[c].category);
        table.count(static_cast<std::size_t>(summary.components[c].number + 1));
        for (const std::string& value : group.values) table.text(value);
        table.number(summary.times(t));
        table.count(static_cast<std::size_t>(group.n[static_cast<std::size_t>(t)]));
        for (const Matrix* values : {&group.mean, &group.low, &group.high, &group.standard_error})
          table.number((*values)(j, t));
        if (summary.difference) {
          const bool is_first = group.values.front() == summary.options.between.front();
          table.number(is_first ? summary.difference->difference(j, t) : std::nan(""));
          table.number(is_first ? summary.difference->band(j, t) : std::nan(""));
          table.number(is_first ? summary.difference->p(j) : std::nan(""));
        }
        table.end_row();
      }
  table.commit();
}

}  // namespace milcci
