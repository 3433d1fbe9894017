// How alike the options of one category are, in memory that grows only with the pairs that are
// alike.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "milcci/types.hpp"

namespace milcci {

/// A weight from every option of a category to every other: one constant for all of them, or a list
/// of the weights that are not zero.
class LabelGraph {
 public:
  struct Neighbour {
    int option;
    double weight;
    bool operator==(const Neighbour&) const = default;
  };

  LabelGraph() = default;
  /// The same weight from every option to every other, none to itself. Zero: no option is like another.
  static LabelGraph constant(int n_options, double weight);
  /// rows[i]: the neighbours of option i, by ascending option.
  explicit LabelGraph(const std::vector<std::vector<Neighbour>>& rows);
  /// A square matrix of weights. Becomes constant if all weights off its diagonal are the same, and those on
  /// it are zero.
  explicit LabelGraph(const Matrix& weights);

  int n_options() const { return n_options_; }
  bool is_constant() const { return first_.empty(); }
  /// Of a constant graph.
  double weight() const { return weight_; }
  /// Of a graph that is not constant.
  std::span<const Neighbour> neighbours(int option) const;
  /// Weights that are listed; none if constant.
  std::size_t n_listed() const { return listed_.size(); }
  /// The sum of an option's weights to all others.
  double sum(int option) const;

  /// (w + w') / 2 between different options; what is not positive is left out.
  LabelGraph symmetric() const;
  /// n_options x n_options: for small graphs, and for tests.
  Matrix dense() const;

  bool operator==(const LabelGraph&) const = default;

 private:
  int n_options_ = 0;
  double weight_ = 0;               ///< constant
  std::vector<std::size_t> first_;  ///< n_options + 1 positions in `listed_`; empty if constant
  std::vector<Neighbour> listed_;
};

}  // namespace milcci
