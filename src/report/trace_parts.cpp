// What a report says of the traces: all trials on one grid of times, and moments to mark in it.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "core/nearest_name.hpp"
#include "core/shown_name.hpp"
#include "milcci/error.hpp"
#include "report/packed_array.hpp"
#include "report/report_parts.hpp"

namespace milcci {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr Index kMostValues = 1500000;  // traces on the grid, component x trial x time point
constexpr Index kManyValues = 300000;   // beyond these, rounded to fewer steps
constexpr int kFewerBits = 12;          // one step is then 1 / 2047 of the largest value

// Means of `width` neighbouring columns, over those that are known.
Matrix thinned(const Matrix& rows, Index width) {
  if (width == 1) return rows;
  const Index n = (rows.cols() + width - 1) / width;
  Matrix means(rows.rows(), n);
  for (Index t = 0; t < n; ++t) {
    const Index first = t * width, w = std::min(width, rows.cols() - first);
    for (Index j = 0; j < rows.rows(); ++j) {
      const auto part = rows.row(j).segment(first, w).array();
      const double count = static_cast<double>((!part.isNaN()).count());
      means(j, t) = count > 0 ? part.isNaN().select(0.0, part).sum() / count : kNaN;
    }
  }
  return means;
}

// row x trial x time point.
std::vector<double> stacked(const std::vector<Matrix>& rows, Index width) {
  std::vector<Matrix> thin;
  for (const Matrix& one : rows) thin.push_back(thinned(one, width));
  std::vector<double> values;
  for (Index j = 0; j < thin.front().rows(); ++j)
    for (const Matrix& one : thin)
      for (Index t = 0; t < one.cols(); ++t) values.push_back(one(j, t));
  return values;
}

std::vector<double> first_times(const Model& model) {
  std::vector<double> first(model.n_trials(), 0.0);
  for (std::size_t m = 0; m < model.times.size(); ++m) first[m] = model.times[m](0);
  return first;
}

// "go=0.3" or "go=go_time".
Json event(const Model& model, const AlignedTraces& aligned, const std::string& text) {
  const std::size_t equal = text.find('=');
  if (equal == std::string::npos || equal == 0 || equal + 1 == text.size())
    throw Error(
        ErrorKind::bad_option,
        fmt::format("`events`: {} is not NAME=TIME or NAME=COLUMN, such as go=0.3", shown_name(text)));
  const std::string when = text.substr(equal + 1);
  std::vector<double> times;
  double time = 0;
  const auto [end, error] = std::from_chars(when.data(), when.data() + when.size(), time);
  if (error == std::errc() && end == when.data() + when.size() && std::isfinite(time)) {
    times.assign(model.n_trials(), time);
  } else {
    std::vector<std::string> known;
    for (const LabelColumn& column : model.labels) {
      if (!column.is_numeric()) continue;
      known.push_back(column.name);
      if (column.name != when) continue;
      for (std::size_t m = 0; m < column.size(); ++m)
        times.push_back(column.is_missing(m) ? kNaN : column.number(m));
    }
    if (times.empty())
      throw Error(ErrorKind::bad_option,
                  fmt::format("`events`: {} is neither a time nor a label column of numbers{}",
                              shown_name(when), suggestion(when, known)));
  }
  if (aligned.is_from_start) {
    const std::vector<double> first = first_times(model);
    for (std::size_t m = 0; m < times.size(); ++m) times[m] -= first[m];
  }
  Json json = Json::object();
  json["name"] = text.substr(0, equal);
  json["times"] = Json::array();
  for (const double t : times) json["times"].push_back(to_json_value(t));
  return json;
}

}  // namespace

ReportGrid report_grid(const Model& model) {
  ReportGrid grid{align_traces(model), 1};
  const Index n = model.n_components() * static_cast<Index>(model.n_trials()) * grid.aligned.times.size();
  grid.thinned = std::max<Index>(1, (n + kMostValues - 1) / kMostValues);
  return grid;
}

Json report_rows(const ReportGrid& grid, const std::vector<Vector>& times, std::vector<Matrix> rows) {
  Model on_grid;  // only its times and traces are looked at
  on_grid.times = times;
  on_grid.traces = std::move(rows);
  const std::vector<Matrix> aligned = align_traces(on_grid).traces;
  const std::vector<double> values = stacked(aligned, grid.thinned);
  const Index n_rows = aligned.front().rows(), M = static_cast<Index>(aligned.size());
  return pack_rounded(values, {n_rows, M, static_cast<Index>(values.size()) / (n_rows * M)},
                      static_cast<Index>(values.size()) > kManyValues ? kFewerBits : 16);
}

Json report_traces(const ReportGrid& grid, const Model& model, const std::vector<std::string>& events) {
  const Matrix times = thinned(grid.aligned.times.transpose(), grid.thinned);
  Json traces = Json::object();
  traces["times"] = pack_exact({times.data(), static_cast<std::size_t>(times.size())}, {times.size()});
  traces["step"] = grid.aligned.step * static_cast<double>(grid.thinned);
  traces["has_times"] = !model.times.empty();
  traces["is_from_start"] = grid.aligned.is_from_start;
  traces["thinned"] = grid.thinned;
  traces["values"] = report_rows(grid, model.times, model.traces);
  traces["events"] = Json::array();
  for (const std::string& text : events) traces["events"].push_back(event(model, grid.aligned, text));
  return traces;
}

}  // namespace milcci
