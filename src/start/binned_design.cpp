#include "start/binned_design.hpp"

#include <fmt/format.h>

#include "label_graphs/graph.hpp"

namespace milcci {
namespace {

constexpr int kMaxOptions = 12;

bool needs_bins(const Category& category) {
  const CategoryKind kind = category.spec.kind;
  return (kind == CategoryKind::ordinal || kind == CategoryKind::trial_number) &&
         category.n_options() > kMaxOptions;
}

std::vector<int> bins_by_trials(const Category& category, std::size_t n_trials) {
  std::vector<std::size_t> count(static_cast<std::size_t>(category.n_options()), 0);
  for (const int option : category.option_of_trial) ++count[static_cast<std::size_t>(option)];
  std::vector<int> bin;
  std::size_t before = 0;
  for (const std::size_t n : count) {
    bin.push_back(static_cast<int>(before * kMaxOptions / n_trials));
    before += n;
  }
  int next = -1, last = -1;  // number the bins that are not empty
  for (int& b : bin) {
    if (b != last) ++next, last = b;
    b = next;
  }
  return bin;
}

}  // namespace

BinnedDesign bin_design(const Design& design, std::size_t n_trials) {
  BinnedDesign binned;
  std::vector<Category> categories;
  for (const Category& fine : design.categories) {
    Category category;
    std::vector<int> bin;
    if (needs_bins(fine)) {  // everything but its graph, which belongs to the fine options
      bin = bins_by_trials(fine, n_trials);
      category.spec = fine.spec;
      category.spec.width.reset();
      category.option_of_trial = fine.option_of_trial;
      category.option_values.setZero(bin.back() + 1, fine.option_values.cols());
      Vector size = Vector::Zero(bin.back() + 1);
      for (std::size_t i = 0; i < bin.size(); ++i) {
        category.option_values.row(bin[i]) += fine.option_values.row(static_cast<Index>(i));
        size(bin[i]) += 1.0;
      }
      for (Index b = 0; b < size.size(); ++b) {
        category.option_values.row(b) /= size(b);
        category.options.push_back(fmt::format("bin {}", b + 1));
      }
      for (int& option : category.option_of_trial) option = bin[static_cast<std::size_t>(option)];
      category.graph = label_graph(category.spec, category.n_options(), category.option_values);
    } else {
      category = fine;
      for (int i = 0; i < fine.n_options(); ++i) bin.push_back(i);
    }
    binned.bin_of_option.push_back(std::move(bin));
    categories.push_back(std::move(category));
  }
  binned.design = make_design(std::move(categories), n_trials);
  return binned;
}

Design one_trial_per_label(const Design& design) {
  std::vector<Category> categories = design.categories;
  for (std::size_t k = 0; k < categories.size(); ++k) {
    categories[k].option_of_trial.clear();
    for (const std::vector<int>& label : design.labels) categories[k].option_of_trial.push_back(label[k]);
  }
  return make_design(std::move(categories), design.labels.size());
}

Components unbin(const BinnedDesign& binned, const Design& fine, const Components& components) {
  Components unbinned(fine.n_categories());
  for (std::size_t k = 0; k < fine.n_categories(); ++k)
    for (const int bin : binned.bin_of_option[k])
      unbinned[k].push_back(components[k][static_cast<std::size_t>(bin)]);
  return unbinned;
}

}  // namespace milcci
