#include "files/graph_layout.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <utility>

namespace milcci::files {
namespace {

// Up to this many options a graph is written as a matrix: 80 kB.
constexpr int kMaxMatrix = 100;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void write_matrix(hdf5::Group& group, const LabelGraph& graph, const std::vector<std::string>& options,
                  const hdf5::Scale& option) {
  // A dimension of its own for the second index: xarray has no arrays with one dimension twice.
  const hdf5::Scale other = group.write_scale("other_option", options);
  const RowMajor weights = graph.dense();
  group.write_reals("graph", {weights.data(), static_cast<std::size_t>(weights.size())}, {&option, &other});
}

void write_pairs(hdf5::Group& group, const LabelGraph& graph) {
  std::vector<std::int64_t> option, neighbour;
  std::vector<double> weight;
  for (int i = 0; i < graph.n_options(); ++i)
    for (const LabelGraph::Neighbour& other : graph.neighbours(i)) {
      option.push_back(i);
      neighbour.push_back(other.option);
      weight.push_back(other.weight);
    }
  const hdf5::Scale pair = group.write_dimension("pair", weight.size());
  group.write_integers("pair_option", option, {&pair});
  group.write_integers("pair_neighbour", neighbour, {&pair});
  group.write_reals("pair_weight", weight, {&pair});
}

void check_weights(const hdf5::Group& group, const std::string& name, std::span<const double> weights) {
  for (const double weight : weights)
    if (!(weight >= 0 && std::isfinite(weight)))
      group.fail(name, fmt::format("holds {}, must hold finite numbers >= 0", weight));
}

LabelGraph read_pairs(const hdf5::Group& group, std::size_t n_options) {
  const std::vector<std::int64_t> option = group.read_integers("pair_option", {hdf5::kAny});
  const std::vector<std::int64_t> neighbour = group.read_integers("pair_neighbour", {option.size()});
  const std::vector<double> weight = group.read_reals("pair_weight", {option.size()});
  check_weights(group, "pair_weight", weight);
  const auto last = static_cast<std::int64_t>(n_options) - 1;
  std::vector<std::vector<LabelGraph::Neighbour>> rows(n_options);
  for (std::size_t e = 0; e < option.size(); ++e) {
    for (const auto& [name, value] : {std::pair("pair_option", option[e]), {"pair_neighbour", neighbour[e]}})
      if (value < 0 || value > last)
        group.fail(name, fmt::format("has the value {}, must be between 0 and {}", value, last));
    auto& row = rows[static_cast<std::size_t>(option[e])];
    if (!row.empty() && row.back().option >= neighbour[e])
      group.fail("pair_neighbour", fmt::format("has {} after {} for option {}, must be ascending",
                                               neighbour[e], row.back().option, option[e]));
    row.push_back({static_cast<int>(neighbour[e]), weight[e]});
  }
  return LabelGraph(rows);
}

}  // namespace

void write_graph(hdf5::Group& group, const LabelGraph& graph, const std::vector<std::string>& options,
                 const hdf5::Scale& option) {
  if (graph.n_options() <= kMaxMatrix)
    write_matrix(group, graph, options, option);
  else if (graph.is_constant() || graph.n_listed() == 0)
    group.write_attribute(".", "graph_weight", graph.weight());
  else
    write_pairs(group, graph);
}

LabelGraph read_graph(const hdf5::Group& group, std::size_t n_options) {
  if (group.has_attribute(".", "graph_weight")) {
    const double weight = group.read_real_attribute(".", "graph_weight");
    check_weights(group, "graph_weight", {&weight, 1});
    return LabelGraph::constant(static_cast<int>(n_options), weight);
  }
  if (group.has("pair_option")) return read_pairs(group, n_options);
  const std::vector<double> weights = group.read_reals("graph", {n_options, n_options});
  check_weights(group, "graph", weights);
  const auto n = static_cast<Index>(n_options);
  return LabelGraph(Matrix(Eigen::Map<const RowMajor>(weights.data(), n, n)));
}

}  // namespace milcci::files
