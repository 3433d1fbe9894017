// Categories: which labels the components adjust to, and how alike two options of a category are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "milcci/field.hpp"
#include "milcci/label_graph.hpp"
#include "milcci/types.hpp"

namespace milcci {

enum class CategoryKind {
  categorical,   ///< every option is equally like every other (constant graph)
  ordinal,       ///< numbers, or an order given by hand: near values have near variants
  trial_number,  ///< ordinal with one option per trial, in file order
  fixed,         ///< one option: components that do not adjust
  free,          ///< zero graph: variants are not tied to one another
  graph,         ///< similarities given by the user
  circular       ///< numbers that begin anew after a period: December is beside January
};

/// Kinds whose options are numbers, with distances between them.
inline bool has_distances(CategoryKind kind) {
  return kind == CategoryKind::ordinal || kind == CategoryKind::trial_number ||
         kind == CategoryKind::circular;
}

/// How similarity falls with the distance between two ordinal options.
enum class Kernel {
  gaussian,     ///< exp(-d^2 / (2 width^2))
  exponential,  ///< exp(-d / width)
  inverse,      ///< 1 / (1 + d / width)
  nearest       ///< 1 for the `neighbours` nearest options on either side's list, else 0
};

enum class Distance { euclidean, manhattan, maximum };

/// What the user asks of one category.
struct CategorySpec {
  /// Name of the category; also the label column it reads, unless `columns` says otherwise.
  std::string name;
  /// p_k, the number of components that adjust to this category, >= 1.
  int n_components = 1;
  CategoryKind kind = CategoryKind::categorical;

  /// Label columns; several numeric ones make a vector-valued ordinal (x and y of a stimulus).
  std::vector<std::string> columns = {};
  /// Ordinal text labels from low to high; their ranks 0, 1, 2, ... become the values.
  std::vector<std::string> order = {};
  /// Ordinal numbers cut into this many quantile bins before use; 0 keeps every value.
  int bins = 0;
  Kernel kernel = Kernel::gaussian;
  /// Kernel width in units of the label; default: the median gap between neighbouring values.
  std::optional<double> width = {};
  /// Options joined by the `nearest` kernel.
  int neighbours = 2;
  Distance distance = Distance::euclidean;
  /// kind == circular: after this the numbers begin anew, such as 12 (months), 24 (hours) or 360 (degrees);
  /// default: as many as `order` has words.
  std::optional<double> period = {};

  /// kind == graph: similarities between the options named in `graph_options`, any non-negative numbers.
  Matrix graph = {};
  std::vector<std::string> graph_options = {};
};

/// All that can be said of a category. `columns` to `distance` are the keys that `parse_category` knows.
template <OptionsOf<CategorySpec> Options, class Visitor>
void visit_fields(Options&& o, Visitor&& visit) {
  visit(Field{.name = "name", .help = "name of the category, and of the label column that it reads"}, o.name);
  visit(Field{"n_components", "p_k", "components that adjust to the category", 1, 1e5}, o.n_components);
  visit(Field{.name = "kind", .help = "how its options are related"}, o.kind);
  visit(Field{.name = "columns",
              .help = "label columns to read; several numeric ones make a vector",
              .example = "stimulus=2:ordinal,columns=x+y"},
        o.columns);
  visit(
      Field{
          .name = "order", .help = "words from low to high", .example = "size=2:ordinal,order=low+mid+high"},
      o.order);
  visit(Field{.name = "bins",
              .help = "cut the numbers into this many bins with equally many trials; 0: keep every value",
              .maximum = 1e6,
              .example = "age=2:ordinal,bins=5"},
        o.bins);
  visit(Field{.name = "kernel",
              .help = "how likeness falls with distance",
              .example = "age=2:ordinal,kernel=gaussian"},
        o.kernel);
  visit(Field{.name = "width",
              .help = "width of the kernel, in units of the label; unset: the median gap between values",
              .maximum = kUnlimited,
              .example = "age=2:ordinal,width=2.5",
              .excludes_minimum = true},
        o.width);
  visit(Field{.name = "neighbours",
              .help = "options joined by the kernel `nearest`",
              .minimum = 1,
              .maximum = 1e6,
              .example = "age=2:ordinal,kernel=nearest,neighbours=2"},
        o.neighbours);
  visit(Field{.name = "distance",
              .help = "distance between vectors",
              .example = "age=2:ordinal,distance=euclidean"},
        o.distance);
  visit(Field{.name = "period",
              .help = "after which the numbers begin anew, as 12 for months; unset: the length of `order`",
              .maximum = kUnlimited,
              .example = "month=2:circular,period=12",
              .excludes_minimum = true},
        o.period);
  visit(Field{.name = "graph", .help = "similarities between the options, zero or more"}, o.graph);
  visit(Field{.name = "graph_options", .help = "names of those options"}, o.graph_options);
}

/// Names of the values of an enumeration, in order; the n-th belongs to the value n.
const std::vector<std::string>& value_names(CategoryKind);
const std::vector<std::string>& value_names(Kernel);
const std::vector<std::string>& value_names(Distance);

/// Reads "NAME=COUNT[:KIND[,key=value...]]" (docs/command-line.md). `graph=FILE` reads a CSV matrix whose
/// first row and column name the options. Throws Error(bad_option) that quotes the offending part.
CategorySpec parse_category(const std::string& text);
/// The inverse of `parse_category`, without the graph's numbers.
std::string to_text(const CategorySpec& spec);

/// A category as found in the data: its options, the option of every trial, its label graph.
struct Category {
  CategorySpec spec;
  std::vector<std::string> options;  ///< names, in order: numeric ascending, text alphabetical
  Matrix option_values;              ///< ordinal kinds: n_options x n_columns; otherwise empty
  std::vector<int> option_of_trial;  ///< M
  LabelGraph graph;                  ///< lambda^(k), rows sum to 1 or are all zero
  /// With bins: n_options - 1 increasing numbers. Option i holds the values above edge i - 1, up to and
  /// with edge i. Empty in models from before edges were kept.
  std::vector<double> bin_edges = {};

  int n_options() const { return static_cast<int>(options.size()); }
};

}  // namespace milcci
