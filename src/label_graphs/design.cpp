#include "label_graphs/design.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

namespace milcci {
namespace {

constexpr std::size_t kTrialsPerBlock = 8;

std::vector<Design::Coupling> couplings_of(const std::vector<std::vector<int>>& labels, std::size_t k) {
  std::map<std::tuple<int, std::size_t, int>, std::vector<std::size_t>> labels_of_pair;
  for (std::size_t l = 0; l < labels.size(); ++l)
    for (std::size_t other = 0; other < labels[l].size(); ++other)
      if (other != k) labels_of_pair[{labels[l][k], other, labels[l][other]}].push_back(l);
  std::vector<Design::Coupling> couplings;
  for (auto& [pair, both] : labels_of_pair) {
    const auto [option, category, other_option] = pair;
    couplings.push_back({option, category, other_option, std::move(both)});
  }
  return couplings;
}

}  // namespace

Design make_design(std::vector<Category> categories, std::size_t n_trials) {
  Design design;
  design.categories = std::move(categories);
  design.first.push_back(0);
  for (const Category& category : design.categories) {
    design.first.push_back(design.first.back() + category.spec.n_components);
    for (std::size_t i = 0; i < category.options.size(); ++i)
      design.variants.push_back({design.ties.size(), i});
    design.ties.push_back(category.graph.symmetric());
  }
  std::map<std::vector<int>, std::vector<std::size_t>> trials_of_label;
  for (std::size_t m = 0; m < n_trials; ++m) {
    std::vector<int> label;
    for (const Category& category : design.categories) label.push_back(category.option_of_trial[m]);
    trials_of_label[label].push_back(m);
  }
  design.label_of_trial.resize(n_trials);
  for (const auto& [label, trials] : trials_of_label) {
    const int index = static_cast<int>(design.labels.size());
    design.labels.push_back(label);
    for (std::size_t position = 0; position < trials.size(); ++position) {
      if (position % kTrialsPerBlock == 0) design.blocks.push_back({index, {}});
      design.blocks.back().trials.push_back(trials[position]);
      design.label_of_trial[trials[position]] = index;
    }
  }
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    design.couplings.push_back(couplings_of(design.labels, k));
  // What is left for the last threads to finish is small.
  std::ranges::stable_sort(design.blocks, std::greater{},
                           [](const Design::Block& block) { return block.trials.size(); });
  return design;
}

std::size_t n_values(const Design& design, const Components& components) {
  std::size_t n = 0;
  for (const auto [k, i] : design.variants) n += static_cast<std::size_t>(components[k][i].size());
  return n;
}

Matrix loading(const Design& design, const Components& components, std::size_t label) {
  Matrix A(components[0][0].rows(), design.n_components());
  for (std::size_t k = 0; k < design.n_categories(); ++k)
    A.middleCols(design.first[k], design.n_components(k)) =
        components[k][static_cast<std::size_t>(design.labels[label][k])];
  return A;
}

}  // namespace milcci
