// The design of an experiment: which variants every trial uses, trials grouped by label.
#pragma once

#include <vector>

#include "milcci/labels.hpp"
#include "milcci/types.hpp"

namespace milcci {

/// A^k[:, :, i] as components[k][i], N x p_k. While fitting every column has Euclidean length one or is zero.
using Components = std::vector<std::vector<Matrix>>;

struct Design {
  std::vector<Category> categories;
  std::vector<Index> first;              ///< G_k = rows first[k] ... first[k + 1] - 1 of the traces
  std::vector<std::vector<int>> labels;  ///< distinct labels L: an option per category
  std::vector<int> label_of_trial;

  /// Trials of one label, few enough that threads can share the blocks. Sums are made within a
  /// block in trial order and over blocks in block order: the same bits for any number of threads.
  struct Block {
    int label;
    std::vector<std::size_t> trials;
  };
  std::vector<Block> blocks;

  /// Every option of every category.
  struct Variant {
    std::size_t category, option;
  };
  std::vector<Variant> variants;

  /// w^k(i, i') = (lambda(i, i') + lambda(i', i)) / 2, per category.
  std::vector<LabelGraph> ties;

  /// Labels that have an option of one category and one of another: there the two variants explain the same
  /// data. Per category, in order of its options.
  struct Coupling {
    int option;
    std::size_t category;
    int other_option;
    std::vector<std::size_t> labels;
  };
  std::vector<std::vector<Coupling>> couplings;

  std::size_t n_categories() const { return categories.size(); }
  Index n_components() const { return first.back(); }
  Index n_components(std::size_t k) const { return first[k + 1] - first[k]; }
  int n_options(std::size_t k) const { return categories[k].n_options(); }
};

Design make_design(std::vector<Category> categories, std::size_t n_trials);

/// How many memberships there are in all variants.
std::size_t n_values(const Design& design, const Components& components);

/// A^(L) of one distinct label, N x P.
Matrix loading(const Design& design, const Components& components, std::size_t label);

}  // namespace milcci
