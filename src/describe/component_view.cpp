// Who belongs to a component, where it is strongest, and what changes from option to option.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/nearest_name.hpp"
#include "milcci/components.hpp"
#include "milcci/error.hpp"

namespace milcci {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kOneChannel = 0.9;
constexpr double kNoticeable = 0.1;       // of the largest membership of a component
constexpr std::size_t kFewestStarts = 4;  // of which "one start found it" says something

double entry(const Vector& values, Index j) {
  return j < values.size() ? values(j) : kNaN;
}

double cosine(const Vector& a, const Vector& b) {
  const double lengths = a.norm() * b.norm();
  return lengths > 0 ? a.dot(b) / lengths : 0.0;
}

// Per option, root mean square over channels, trials and time points of membership times trace.
std::vector<double> strengths(const Model& model, const FittedCategory& fitted, Index j, Index position) {
  const std::size_t n_options = fitted.variants.size();
  std::vector<double> squares(n_options, 0.0), n_samples(n_options, 0.0);
  for (std::size_t m = 0; m < model.n_trials(); ++m) {
    const auto option = static_cast<std::size_t>(fitted.category.option_of_trial[m]);
    squares[option] += model.traces[m].row(position).squaredNorm();
    n_samples[option] += static_cast<double>(model.traces[m].cols());
  }
  const auto n_channels = static_cast<double>(std::max<Index>(1, model.n_channels()));
  std::vector<double> out(n_options, 0.0);
  for (std::size_t i = 0; i < n_options; ++i)
    if (n_samples[i] > 0)
      out[i] = fitted.variants[i].col(j).norm() * std::sqrt(squares[i] / n_samples[i] / n_channels);
  return out;
}

VariantChange change_between(const Model& model, const FittedCategory& fitted, Index j, std::size_t from,
                             std::size_t to, double noticeable) {
  const auto before = fitted.variants[from].col(j), after = fitted.variants[to].col(j);
  VariantChange change{from, to, cosine(before, after), {}};
  for (Index n = 0; n < before.size(); ++n) {
    if (std::abs(after(n) - before(n)) <= noticeable) continue;
    const bool was_member = std::abs(before(n)) > noticeable, is_member = std::abs(after(n)) > noticeable;
    const ChangeKind kind = was_member == is_member ? ChangeKind::changed
                            : is_member             ? ChangeKind::gained
                                                    : ChangeKind::lost;
    change.members.push_back({model.channel_names[static_cast<std::size_t>(n)], kind, before(n), after(n)});
  }
  std::ranges::stable_sort(change.members, std::greater{},
                           [](const MemberChange& m) { return std::abs(m.after - m.before); });
  return change;
}

std::vector<VariantChange> changes_of(const Model& model, const FittedCategory& fitted, Index j,
                                      std::size_t strongest) {
  double largest = 0;
  for (const Matrix& variant : fitted.variants)
    largest = std::max(largest, variant.col(j).cwiseAbs().maxCoeff());
  const bool is_in_order = has_distances(fitted.category.spec.kind) || fitted.variants.size() == 2;
  std::vector<VariantChange> changes;
  for (std::size_t i = 0; i < fitted.variants.size(); ++i) {
    if (is_in_order ? i == 0 : i == strongest) continue;
    changes.push_back(
        change_between(model, fitted, j, is_in_order ? i - 1 : strongest, i, kNoticeable * largest));
  }
  std::ranges::stable_sort(changes, {}, &VariantChange::similarity);
  return changes;
}

void take_members(const Model& model, const FittedCategory& fitted, Index j, std::size_t n_kept,
                  ComponentView& view) {
  Vector largest = Vector::Zero(model.n_channels()), sum = Vector::Zero(model.n_channels());
  for (const Matrix& variant : fitted.variants) {
    largest = largest.cwiseMax(variant.col(j).cwiseAbs());
    sum += variant.col(j).cwiseAbs();
  }
  std::vector<Index> order;
  for (Index n = 0; n < largest.size(); ++n)
    if (largest(n) > 0) order.push_back(n);
  std::ranges::stable_sort(order, std::greater{}, [&](Index n) { return largest(n); });
  view.n_members = order.size();
  for (std::size_t r = 0; r < order.size(); ++r) {
    const Index n = order[r];
    const auto position = static_cast<std::size_t>(n);
    if (r >= n_kept) {
      view.left_out += sum(n) / sum.sum();
      continue;
    }
    Member member{n,
                  model.channel_names[position],
                  model.channel_groups.empty() ? "" : model.channel_groups[position],
                  {}};
    for (const Matrix& variant : fitted.variants) member.memberships.push_back(variant(n, j));
    view.members.push_back(std::move(member));
  }
}

ComponentView view_component(const FitResult& result, std::size_t k, Index j, Index position,
                             std::size_t n_members) {
  const auto& [model, summary] = result;
  const FittedCategory& fitted = model.categories[k];
  ComponentView view;
  view.position = position;
  view.category = fitted.category.spec.name;
  view.kind = fitted.category.spec.kind;
  view.number = j;
  view.explained = entry(summary.explained, position);
  view.stability = entry(summary.stability, position);
  // What does not adjust gains from no category.
  view.firmness = view.kind == CategoryKind::fixed ? kNaN : entry(summary.firmness(), position);
  if (static_cast<std::size_t>(position) < summary.certainty.size())
    view.certainty = summary.certainty[static_cast<std::size_t>(position)];
  view.options = fitted.category.options;
  view.strength = strengths(model, fitted, j, position);
  view.strongest = static_cast<std::size_t>(std::ranges::max_element(view.strength) - view.strength.begin());
  take_members(model, fitted, j, n_members, view);
  view.is_dead = view.n_members == 0;
  view.is_on_one_channel = !view.is_dead && std::ranges::all_of(fitted.variants, [&](const Matrix& variant) {
    const auto a = variant.col(j).cwiseAbs();
    return a.maxCoeff() >= kOneChannel * a.sum();
  });
  const auto n_starts = static_cast<double>(summary.candidates.size());
  view.is_found_once =
      !view.is_dead && summary.candidates.size() >= kFewestStarts && view.stability * n_starts < 1.5;
  if (!view.is_dead) view.changes = changes_of(model, fitted, j, view.strongest);
  return view;
}

void check_request(const Model& model, const ViewOptions& options) {
  std::vector<std::string> names;
  Index n = 0;
  for (const FittedCategory& fitted : model.categories) {
    names.push_back(fitted.category.spec.name);
    if (options.category.empty() || options.category == names.back()) n += fitted.n_components();
  }
  if (!options.category.empty() && std::ranges::find(names, options.category) == names.end())
    throw Error(ErrorKind::bad_option, fmt::format("the model has no category '{}'{}", options.category,
                                                   suggestion(options.category, names)));
  if (options.component && (*options.component < 0 || *options.component >= n))
    throw Error(ErrorKind::bad_option,
                fmt::format("`component` = {}, must be between 1 and {}, the number of components {}",
                            *options.component + 1, n,
                            options.category.empty() ? std::string("of the model")
                                                     : fmt::format("of category '{}'", options.category)));
}

}  // namespace

const std::vector<std::string>& value_names(ChangeKind) {
  static const std::vector<std::string> names = {"gained", "lost", "changed"};
  return names;
}

std::vector<ComponentView> view_components(const FitResult& result, const ViewOptions& options) {
  check_request(result.model, options);
  std::vector<ComponentView> views;
  Index position = 0;
  for (std::size_t k = 0; k < result.model.categories.size(); ++k) {
    const FittedCategory& fitted = result.model.categories[k];
    const bool is_asked = options.category.empty() || options.category == fitted.category.spec.name;
    for (Index j = 0; j < fitted.n_components(); ++j, ++position) {
      const Index number = options.category.empty() ? position : j;
      if (is_asked && (!options.component || *options.component == number))
        views.push_back(view_component(result, k, j, position, options.n_members));
    }
  }
  return views;
}

std::string worst_news(const FitResult& result) {
  const auto& [model, summary] = result;
  const auto n_dead = static_cast<Index>(model.dead_components().size());
  if (n_dead == model.n_components())
    return "EVERY COMPONENT IS DEAD: this model has no member in any component and describes nothing";
  if (!(summary.r2_without_outliers.value_or(summary.r2) > 0))
    return fmt::format(
        "THIS MODEL EXPLAINS NOTHING: R2 is {:.3g}, no better than the mean of every channel; do not "
        "interpret its components",
        summary.r2);
  return "";
}

}  // namespace milcci
