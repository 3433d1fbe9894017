#include "milcci/label_graph.hpp"

namespace milcci {
namespace {

using Rows = std::vector<std::vector<LabelGraph::Neighbour>>;

Rows listed_rows(const Matrix& weights) {
  Rows rows(static_cast<std::size_t>(weights.rows()));
  for (Index other = 0; other < weights.cols(); ++other)  // columns are contiguous
    for (Index i = 0; i < weights.rows(); ++i)
      if (weights(i, other) != 0)
        rows[static_cast<std::size_t>(i)].push_back({static_cast<int>(other), weights(i, other)});
  return rows;
}

bool is_one_constant(const Matrix& weights) {
  const double weight = weights.rows() > 1 ? weights(0, 1) : 0.0;
  for (Index other = 0; other < weights.cols(); ++other)
    for (Index i = 0; i < weights.rows(); ++i)
      if (weights(i, other) != (i == other ? 0.0 : weight)) return false;
  return true;
}

}  // namespace

LabelGraph LabelGraph::constant(int n_options, double weight) {
  LabelGraph graph;
  graph.n_options_ = n_options;
  graph.weight_ = n_options > 1 ? weight : 0.0;
  return graph;
}

LabelGraph::LabelGraph(const Rows& rows) : n_options_(static_cast<int>(rows.size())), first_{0} {
  for (const std::vector<Neighbour>& row : rows) {
    listed_.insert(listed_.end(), row.begin(), row.end());
    first_.push_back(listed_.size());
  }
}

LabelGraph::LabelGraph(const Matrix& weights) {
  *this = is_one_constant(weights)
              ? constant(static_cast<int>(weights.rows()), weights.rows() > 1 ? weights(0, 1) : 0.0)
              : LabelGraph(listed_rows(weights));
}

std::span<const LabelGraph::Neighbour> LabelGraph::neighbours(int option) const {
  const auto i = static_cast<std::size_t>(option);
  return {listed_.data() + first_[i], listed_.data() + first_[i + 1]};
}

double LabelGraph::sum(int option) const {
  if (is_constant()) return weight_ * (n_options_ - 1);
  double sum = 0.0;
  for (const Neighbour& other : neighbours(option))
    if (other.option != option) sum += other.weight;
  return sum;
}

LabelGraph LabelGraph::symmetric() const {
  if (is_constant()) return constant(n_options_, weight_ > 0 ? weight_ : 0.0);
  Rows to(static_cast<std::size_t>(n_options_)), both = to;  // to: the weights of the others to each option
  for (int i = 0; i < n_options_; ++i)
    for (const Neighbour& other : neighbours(i))
      to[static_cast<std::size_t>(other.option)].push_back({i, other.weight});
  for (int i = 0; i < n_options_; ++i) {
    const auto from = neighbours(i);
    auto a = from.begin();
    auto b = to[static_cast<std::size_t>(i)].begin();
    const auto end = to[static_cast<std::size_t>(i)].end();
    while (a != from.end() || b != end) {
      const int other = b == end || (a != from.end() && a->option < b->option) ? a->option : b->option;
      double sum = 0.0;
      if (b != end && b->option == other) sum += (b++)->weight;
      if (a != from.end() && a->option == other) sum += (a++)->weight;
      if (other != i && sum > 0) both[static_cast<std::size_t>(i)].push_back({other, 0.5 * sum});
    }
  }
  return LabelGraph(both);
}

Matrix LabelGraph::dense() const {
  if (is_constant()) {
    Matrix weights = Matrix::Constant(n_options_, n_options_, weight_);
    weights.diagonal().setZero();
    return weights;
  }
  Matrix weights = Matrix::Zero(n_options_, n_options_);
  for (int i = 0; i < n_options_; ++i)
    for (const Neighbour& other : neighbours(i)) weights(i, other.option) = other.weight;
  return weights;
}

}  // namespace milcci
