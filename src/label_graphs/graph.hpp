// lambda^(k): how alike the options of one category are (paper, appendix on state similarity).
#pragma once

#include "milcci/labels.hpp"
#include "milcci/types.hpp"

namespace milcci {

/// The label graph of a category with n_options options. `values` (n_options x n_columns) holds the
/// options' numbers for the ordinal kinds and is ignored otherwise. For kind `graph` the user's
/// similarities are taken as they are. The diagonal is zero (an option is not pulled to itself).
/// Rows are normalised to sum to one; an all-zero row is left alone. Time and memory grow with the
/// number of neighbours of the options, and for categorical ones not at all; only values of several
/// columns are compared pair by pair.
LabelGraph label_graph(const CategorySpec& spec, int n_options, const Matrix& values);

/// Similarity of each known option to a new point of the same category, normalised to sum to one.
Vector kernel_weights(const CategorySpec& spec, const Matrix& values, const Eigen::RowVectorXd& point);

/// The default kernel width: the median gap between neighbouring values. With several columns, the median
/// distance to the nearest other option.
double default_width(const CategorySpec& spec, const Matrix& values);

}  // namespace milcci
