// What a report says of the model itself.
#include <fmt/format.h>

#include <cmath>

#include "milcci/channel_groups.hpp"
#include "milcci/components.hpp"
#include "milcci/describe.hpp"
#include "report/packed_array.hpp"
#include "report/report_parts.hpp"

namespace milcci {
namespace {

constexpr std::size_t kMostOptionsOfGraph = 300;
// Memberships beyond these are rounded to fewer steps, to keep the page small.
constexpr Index kManyMemberships = 200000;
constexpr int kFewerBits = 12;

using Variants = std::vector<Matrix>;

// component x option x channel.
std::vector<double> stacked(const Variants& variants) {
  std::vector<double> values;
  for (Index j = 0; j < variants.front().cols(); ++j)
    for (const Matrix& variant : variants)
      values.insert(values.end(), variant.col(j).data(), variant.col(j).data() + variant.rows());
  return values;
}

PackedShape shape_of(const Variants& variants) {
  return {variants.front().cols(), static_cast<Index>(variants.size()), variants.front().rows()};
}

Json packed_variants(const std::vector<Variants>& categories) {
  Index n = 0;
  for (const Variants& variants : categories)
    n += static_cast<Index>(variants.size()) * variants.front().size();
  Json parts = Json::array();
  for (const Variants& variants : categories)
    parts.push_back(
        pack_rounded(stacked(variants), shape_of(variants), n > kManyMemberships ? kFewerBits : 16));
  return parts;
}

Json graph_of(const LabelGraph& graph, std::size_t n_options) {
  if (graph.is_constant() || n_options > kMostOptionsOfGraph) return nullptr;
  const Matrix dense = graph.dense().transpose();  // rows first in memory
  return pack_single({dense.data(), static_cast<std::size_t>(dense.size())}, {dense.rows(), dense.cols()});
}

// Groups of channels under each of them would make most of the page.
bool has_many_options(const Model& model, const std::string& category) {
  constexpr std::size_t kMany = 100;
  return std::ranges::any_of(model.categories, [&](const FittedCategory& fitted) {
    return fitted.category.spec.name == category && fitted.variants.size() > kMany;
  });
}

Vector signals(const Model& model) {
  const Index N = model.n_channels();
  Vector sum = Vector::Zero(N), squares = sum;
  double n = 0;
  for (std::size_t m = 0; m < model.n_trials(); ++m) {
    Matrix described = model.reconstruction(m);
    if (model.noise.offset.size() > 0) described.colwise() -= model.noise.offset;
    sum += described.rowwise().sum();
    squares += described.rowwise().squaredNorm();
    n += static_cast<double>(described.cols());
  }
  return ((squares / n).array() - (sum / n).array().square()).max(0.0).sqrt();
}

}  // namespace

Json report_categories(const Model& model) {
  Json categories = Json::array();
  for (std::size_t k = 0; k < model.categories.size(); ++k) {
    const Category& category = model.categories[k].category;
    std::vector<int> n_trials(category.options.size(), 0);
    for (const int option : category.option_of_trial) ++n_trials[static_cast<std::size_t>(option)];
    Json one = Json::object();
    one["name"] = category.spec.name;
    one["kind"] = to_text(category.spec.kind);
    one["options"] = category.options;
    one["n_trials"] = n_trials;
    one["is_ordered"] = has_distances(category.spec.kind);
    one["graph"] = graph_of(category.graph, category.options.size());
    one["graph_weight"] = category.graph.is_constant() ? Json(category.graph.weight()) : Json(nullptr);
    one["consistency"] =
        model.noise.consistency.empty() ? Json(nullptr) : to_json_value(model.noise.consistency[k]);
    categories.push_back(std::move(one));
  }
  return categories;
}

Json report_components(const FitResult& fitted) {
  const Json noise = Json::parse(noise_json(fitted.model));
  const auto of_noise = [&](const char* key, Index position) -> Json {
    if (noise.is_null() || noise[key].empty()) return nullptr;
    return noise[key][static_cast<std::size_t>(position)];
  };
  Json components = Json::array();
  for (const ComponentView& view : view_components(fitted, {.n_members = 0})) {
    Json one = Json::object();
    one["name"] = fmt::format("{} {}", view.category, view.number + 1);
    one["category"] = fitted.model.place(view.position).category;
    one["number"] = view.number;
    one["is_dead"] = view.is_dead;
    one["explained"] = to_json_value(view.explained);
    one["stability"] = to_json_value(view.stability);
    one["firmness"] = to_json_value(view.firmness);
    one["certainty"] = view.is_dead     ? Json("none")
                       : view.certainty ? Json(to_text(*view.certainty))
                                        : Json(nullptr);
    one["is_found_once"] = view.is_found_once;
    one["is_on_one_channel"] = view.is_on_one_channel;
    one["n_members"] = view.n_members;
    one["strength"] = view.strength;
    one["strongest"] = view.strongest;
    one["time_constant"] = of_noise("time_constant", view.position);
    one["ridge"] = of_noise("ridge", view.position);
    components.push_back(std::move(one));
  }
  return components;
}

Json report_channels(const Model& model) {
  Json channels = Json::object();
  channels["names"] = model.channel_names;
  channels["groups"] = nullptr;
  channels["group_shares"] = nullptr;
  if (model.channel_groups.empty()) return channels;
  channels["groups"] = model.channel_groups;
  channels["group_shares"] = Json::array();
  Json shares = Json::parse(to_json(channel_groups(model)));
  for (Json& row : shares["groups"])
    if (!has_many_options(model, row["category"].get<std::string>()))
      channels["group_shares"].push_back(std::move(row));
  return channels;
}

Json report_memberships(const Model& model) {
  std::vector<Variants> categories;
  for (const FittedCategory& fitted : model.categories) categories.push_back(fitted.variants);
  return packed_variants(categories);
}

Json report_standard_errors(const Model& model) {
  return model.noise.standard_errors.empty() ? Json(nullptr) : packed_variants(model.noise.standard_errors);
}

Json report_alternatives(const FitResult& fitted) {
  Json alternatives = Json::array();
  for (std::size_t a = 0; a < fitted.model.alternatives.size(); ++a) {
    const Alternative& record = fitted.summary.alternatives[a];
    Json one = Json::object();
    one["behind"] = to_json_value(record.behind);
    one["similarity"] = to_json_value(record.similarity);
    one["memberships"] = packed_variants(fitted.model.alternatives[a]);
    alternatives.push_back(std::move(one));
  }
  return alternatives;
}

Json report_trials(const Model& model) {
  std::vector<std::string> names = model.trial_names;
  std::vector<Index> n_times;
  for (std::size_t m = 0; m < model.n_trials(); ++m) {
    if (model.trial_names.empty()) names.push_back(std::to_string(m + 1));
    n_times.push_back(model.traces[m].cols());
  }
  Json trials = Json::object();
  trials["names"] = names;
  trials["n_times"] = n_times;
  trials["labels"] = Json::array();
  for (const LabelColumn& column : model.labels) {
    Json one = Json::object();
    one["name"] = column.name;
    one["is_numeric"] = column.is_numeric();
    one["values"] = Json::array();
    std::vector<std::pair<double, std::string>> order;
    for (std::size_t m = 0; m < column.size(); ++m) {
      one["values"].push_back(column.is_missing(m) ? Json(nullptr) : Json(column.text(m)));
      if (!column.is_missing(m))
        order.emplace_back(column.is_numeric() ? column.number(m) : 0.0, column.text(m));
    }
    std::ranges::sort(order);
    order.erase(std::unique(order.begin(), order.end()), order.end());
    one["order"] = Json::array();
    for (const auto& [number, text] : order) one["order"].push_back(text);
    trials["labels"].push_back(std::move(one));
  }
  trials["option_of_trial"] = Json::array();
  for (const FittedCategory& fitted : model.categories)
    trials["option_of_trial"].push_back(fitted.category.option_of_trial);
  return trials;
}

Json report_transitions(const Model& model) {
  if (model.transitions.empty()) return nullptr;
  std::vector<double> values;
  for (const Matrix& transition : model.transitions) {
    const Matrix rows = transition.transpose();
    values.insert(values.end(), rows.data(), rows.data() + rows.size());
  }
  const Index P = model.n_components();
  return pack_single(values, {static_cast<Index>(model.transitions.size()), P, P});
}

Json report_noise(const Model& model, const Vector& residual) {
  const NoiseModel& noise = model.noise;
  if (!noise.is_calibrated()) return nullptr;
  const Vector signal = signals(model);
  const Vector& left = residual.size() > 0 ? residual : noise.level;
  const Vector ratio = signal.array().square() / left.array().square();
  Json json = Json::object();
  json["level"] = to_json_value(noise.level);
  json["offset"] = noise.offset.size() > 0 ? to_json_value(noise.offset) : Json(nullptr);
  json["residual"] = residual.size() > 0 ? to_json_value(residual) : Json(nullptr);
  json["signal"] = to_json_value(signal);
  json["ratio"] = to_json_value(ratio);
  return json;
}

}  // namespace milcci
