// A fitted model and the summary of its fit to a file and back (docs/file-formats.md).
#include <fmt/format.h>

#include <set>
#include <span>

#include "core/options_json.hpp"
#include "files/atomic_file.hpp"
#include "files/check_model.hpp"
#include "files/graph_layout.hpp"
#include "files/schema.hpp"
#include "milcci/error.hpp"
#include "milcci/files.hpp"

namespace milcci {

namespace {

using namespace files;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void append_rows(std::vector<double>& values, const Matrix& matrix) {
  const RowMajor rows = matrix;
  values.insert(values.end(), rows.data(), rows.data() + rows.size());
}

Matrix from_rows(const double* values, std::size_t n_rows, std::size_t n_columns) {
  return Eigen::Map<const RowMajor>(values, static_cast<Index>(n_rows), static_cast<Index>(n_columns));
}

// Names for the columns of the option values: the label columns where they are known.
std::vector<std::string> column_names(const Category& category) {
  const auto n = static_cast<std::size_t>(category.option_values.cols());
  if (category.spec.columns.size() == n) return category.spec.columns;
  if (n == 1) return {category.spec.name};
  std::vector<std::string> names;
  for (std::size_t c = 0; c < n; ++c) names.push_back(std::to_string(c));
  return names;
}

void write_category(hdf5::Group group, const FittedCategory& fitted, const Model& model,
                    const hdf5::Scale& trial) {
  const Category& category = fitted.category;
  group.write_attribute(".", "kind", to_text(category.spec.kind));
  const hdf5::Scale option = write_variants(group, "components", category.options, fitted.variants,
                                            {model.channel_names, model.channel_groups})
                                 .option;
  group.write_integers(
      "option_of_trial",
      std::vector<std::int64_t>(category.option_of_trial.begin(), category.option_of_trial.end()), {&trial});
  write_graph(group, category.graph, category.options, option);
  if (category.option_values.size() > 0) {
    const hdf5::Scale column = group.write_scale("column", column_names(category));
    std::vector<double> values;
    append_rows(values, category.option_values);
    group.write_reals("option_values", values, {&option, &column});
  }
  if (!category.bin_edges.empty()) {
    const hdf5::Scale edge = group.write_dimension("edge", category.bin_edges.size());
    group.write_reals("bin_edges", category.bin_edges, {&edge});
  }
  group.write_text("spec",
                   dump_json(category_to_json(category.spec), -1, "a category", ErrorKind::bad_input));
}

FittedCategory read_category(const hdf5::Group& group, const std::string& name, std::size_t n_channels,
                             std::size_t n_trials) {
  FittedCategory fitted;
  Category& category = fitted.category;
  try {
    category.spec = category_from_json(parse_json(group.read_text("spec"), "its text", ErrorKind::bad_file),
                                       "its text", ErrorKind::bad_file);
  } catch (const Error& error) {
    group.fail("spec", error.what());
  }
  if (category.spec.name != name)
    group.fail("spec", fmt::format("names the category \"{}\", must be \"{}\" as its group",
                                   category.spec.name, name));
  category.options = group.read_texts("option");
  const std::size_t n_options = category.options.size();
  if (n_options == 0) group.fail("option", "is empty, must name at least one option");
  fitted.variants = read_variants(group, "components", n_options, n_channels);
  for (const std::int64_t option : group.read_integers("option_of_trial", {n_trials})) {
    if (option < 0 || option >= static_cast<std::int64_t>(n_options))
      group.fail("option_of_trial",
                 fmt::format("has the value {}, must be between 0 and {}", option, n_options - 1));
    category.option_of_trial.push_back(static_cast<int>(option));
  }
  category.graph = read_graph(group, n_options);
  if (group.has("option_values")) {
    const std::vector<double> values = group.read_reals("option_values", {n_options, hdf5::kAny});
    category.option_values = from_rows(values.data(), n_options, values.size() / n_options);
  }
  if (group.has("bin_edges")) category.bin_edges = group.read_reals("bin_edges", {n_options - 1});
  return fitted;
}

// A dimension of all components, with the category of each.
hdf5::Scale write_components_of(hdf5::Group& group, const Model& model) {
  std::vector<std::string> names;
  std::vector<std::size_t> n_components;
  for (const FittedCategory& fitted : model.categories) {
    names.push_back(fitted.category.spec.name);
    n_components.push_back(static_cast<std::size_t>(fitted.n_components()));
  }
  return write_component_places(group, names, n_components);
}

void write_traces(hdf5::Group traces, const Model& model, const hdf5::Scale& trial) {
  const Offsets offsets = offsets_of(model.traces);
  const hdf5::Scale component = write_components_of(traces, model);
  const hdf5::Scale sample = traces.write_dimension("sample", offsets.back());
  write_offsets(traces, offsets);
  write_times(traces, model.times, sample);
  write_trial_rows(traces, "values", model.traces, {&sample, &component});
  write_coordinates(traces, "values", {"time", "category"});
  write_transitions(traces, model.transitions, trial, component);
}

void read_traces(const hdf5::Group& traces, Model& model) {
  const auto n_components = static_cast<std::size_t>(model.n_components());
  const Offsets offsets = read_offsets(traces);
  model.traces = read_trial_rows(traces, "values", offsets, n_components);
  model.times = read_times(traces, offsets);
  model.transitions = read_transitions(traces, model.n_trials(), n_components);
}

// The components are read back; how far each answer is from the model is also in the summary, and here for
// whoever opens the file elsewhere.
void write_alternatives(hdf5::Group group, const Model& model, const std::vector<Alternative>& records) {
  for (std::size_t n = 0; n < model.alternatives.size(); ++n) {
    hdf5::Group answer = create_titled_group(group, std::to_string(n), n);
    answer.write_attribute(".", "behind", records[n].behind);
    const double* similarity = records[n].similarity.data();
    for (std::size_t k = 0; k < model.categories.size(); ++k) {
      const Category& category = model.categories[k].category;
      hdf5::Group place = create_titled_group(answer, category.spec.name, k);
      const hdf5::Scale component =
          write_variants(place, "components", category.options, model.alternatives[n][k],
                         {model.channel_names, model.channel_groups})
              .component;
      place.write_reals("similarity", {similarity, component.length}, {&component});
      similarity += component.length;
    }
  }
}

void read_alternatives(const hdf5::Group& group, Model& model) {
  const auto n_channels = static_cast<std::size_t>(model.n_channels());
  for (const std::string& link : group.child_names()) {
    const hdf5::Group categories = group.open_group(link);
    std::vector<std::vector<Matrix>> answer;
    for (const auto& [category, variants] : model.categories)
      answer.push_back(read_variants(categories.open_group(hdf5::link_name(category.spec.name)), "components",
                                     variants.size(), n_channels));
    model.alternatives.push_back(std::move(answer));
  }
}

// By what members were told.
constexpr const char *kByErrors = "standard errors", *kBySparsity = "sparsity";

// Offset and noise level per channel, weights of the penalties per component, standard errors per category.
void write_noise(hdf5::Group group, const Model& model) {
  const NoiseModel& noise = model.noise;
  const auto numbers = [](const Vector& v) {
    return std::span<const double>(v.data(), static_cast<std::size_t>(v.size()));
  };
  group.write_attribute(".", "unit", noise.unit);
  group.write_attribute(".", "members", std::string(noise.keeps_sparsity ? kBySparsity : kByErrors));
  const hdf5::Scale channel = write_channels(group, {model.channel_names, model.channel_groups});
  if (noise.offset.size() > 0) group.write_reals("offset", numbers(noise.offset), {&channel});
  if (!noise.is_calibrated()) return;
  group.write_reals("level", numbers(noise.level), {&channel});
  const hdf5::Scale component = write_components_of(group, model);
  if (noise.ridge.size() > 0) {
    group.write_reals("ridge", numbers(noise.ridge), {&component});
    group.write_reals("smoothness", numbers(noise.smoothness), {&component});
  }
  std::vector<double> consistency;
  for (const Vector& weights : noise.consistency)
    consistency.insert(consistency.end(), weights.data(), weights.data() + weights.size());
  if (!consistency.empty()) group.write_reals("consistency", consistency, {&component});
}

// Beside `/noise`, whose components are those of all categories.
void write_standard_errors(hdf5::Group errors, const Model& model) {
  const NoiseModel& noise = model.noise;
  for (std::size_t k = 0; k < model.categories.size(); ++k) {
    const Category& category = model.categories[k].category;
    hdf5::Group place = create_titled_group(errors, category.spec.name, k);
    write_variants(place, "standard_errors", category.options, noise.standard_errors[k],
                   {model.channel_names, model.channel_groups});
  }
}

void read_noise(const hdf5::Group& group, Model& model) {
  NoiseModel& noise = model.noise;
  const auto n_channels = static_cast<std::size_t>(model.n_channels()),
             n_components = static_cast<std::size_t>(model.n_components());
  const auto read = [&](const char* name, std::size_t n) {
    const std::vector<double> values = group.has(name) ? group.read_reals(name, {n}) : std::vector<double>{};
    return Vector(Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size())));
  };
  noise.unit = group.read_real_attribute(".", "unit");
  if (group.has_attribute(".", "members")) {  // not in older files
    const std::string members = group.read_text_attribute(".", "members");
    if (members != kBySparsity && members != kByErrors)
      group.fail(".", fmt::format("its attribute `members` is '{}', must be '{}' or '{}'", members, kByErrors,
                                  kBySparsity));
    noise.keeps_sparsity = members == kBySparsity;
  }
  noise.offset = read("offset", n_channels);
  noise.level = read("level", n_channels);
  noise.ridge = read("ridge", n_components);
  noise.smoothness = read("smoothness", n_components);
  const Vector consistency = read("consistency", n_components);
  if (consistency.size() > 0)
    for (Index first = 0; const FittedCategory& fitted : model.categories) {
      noise.consistency.emplace_back(consistency.segment(first, fitted.n_components()));
      first += fitted.n_components();
    }
}

void read_standard_errors(const hdf5::Group& errors, Model& model) {
  const auto n_channels = static_cast<std::size_t>(model.n_channels());
  for (const auto& [category, variants] : model.categories)
    model.noise.standard_errors.push_back(
        read_variants(errors.open_group(hdf5::link_name(category.spec.name)), "standard_errors",
                      variants.size(), n_channels));
}

// The JSON holds everything and is what is read back; the tables are for whoever opens the file elsewhere.
void write_summary(hdf5::Group group, const Model& model, const FitSummary& summary) {
  group.write_text("json", to_json(summary));
  group.write_text("options", to_json(summary.options));
  if (!summary.certainty.empty()) {
    const hdf5::Scale component = write_components_of(group, model);
    std::vector<std::string> words;
    for (const Certainty certainty : summary.certainty) words.push_back(to_text(certainty));
    group.write_texts("certainty", words, {&component});
    write_coordinates(group, "certainty", {"category"});
  }
  if (summary.iterations.empty()) return;
  std::vector<std::int64_t> numbers, stages;
  for (const IterationRecord& record : summary.iterations) {
    numbers.push_back(record.iteration);
    stages.push_back(record.stage);
  }
  const hdf5::Scale iteration = group.write_scale("iteration", numbers);
  group.write_integers("stage", stages, {&iteration});
  const auto write = [&](const char* name, const auto& value_of) {
    std::vector<double> values;
    for (const IterationRecord& record : summary.iterations) values.push_back(value_of(record));
    group.write_reals(name, values, {&iteration});
  };
  write("objective", [](const auto& r) { return r.objective.total(); });
  write("fit", [](const auto& r) { return r.objective.fit; });
  write("sparsity", [](const auto& r) { return r.objective.sparsity; });
  write("consistency", [](const auto& r) { return r.objective.consistency; });
  write("smoothness", [](const auto& r) { return r.objective.smoothness; });
  write("decorrelation", [](const auto& r) { return r.objective.decorrelation; });
  write("transition", [](const auto& r) { return r.objective.transition; });
  write("ridge", [](const auto& r) { return r.objective.ridge; });
  write("uncertainty", [](const auto& r) { return r.objective.uncertainty; });
  write("r2", [](const auto& r) { return r.r2; });
  write("relative_change", [](const auto& r) { return r.relative_change; });
  write("component_change", [](const auto& r) { return r.component_change; });
  write("seconds", [](const auto& r) { return r.seconds; });
}

FitSummary read_summary(const hdf5::Group& group) {
  const std::string json = group.read_text("json");
  try {
    return summary_from_json(json);
  } catch (const Error& error) {
    group.fail("json", error.what());
  }
}

void write_content(hdf5::Group root, const FitResult& result) {
  const Model& model = result.model;
  write_header(root, FileKind::model);
  root.write_attribute(".", "fitted_by_version", result.summary.version);
  root.write_attribute(".", "data_fingerprint", result.summary.data_fingerprint);
  if (!result.summary.fitted_fingerprint.empty())
    root.write_attribute(".", "fitted_fingerprint", result.summary.fitted_fingerprint);
  root.write_attribute(".", "seed", result.summary.options.seed);
  root.write_attribute(".", "stop_reason", to_text(result.summary.reason));
  root.write_attribute(".", "r2", result.summary.r2);
  write_channels(root, {model.channel_names, model.channel_groups});
  const hdf5::Scale trial = root.write_dimension("trial", model.n_trials());
  write_trial_names(root, model.trial_names, trial);
  if (!model.labels.empty()) write_labels(root.create_group("labels"), model.labels, trial);
  write_history(root, model.history);
  hdf5::Group categories = root.create_group("categories");
  for (std::size_t k = 0; k < model.categories.size(); ++k) {
    const FittedCategory& fitted = model.categories[k];
    write_category(create_titled_group(categories, fitted.category.spec.name, k), fitted, model, trial);
  }
  write_traces(root.create_group("traces"), model, trial);
  if (model.noise.offset.size() > 0 || model.noise.is_calibrated())
    write_noise(root.create_group("noise"), model);
  if (!model.noise.standard_errors.empty())
    write_standard_errors(root.create_group("standard_errors"), model);
  if (!model.alternatives.empty())
    write_alternatives(root.create_group("alternatives"), model, result.summary.alternatives);
  write_summary(root.create_group("summary"), model, result.summary);
}

}  // namespace

void write_model(const std::string& path, const FitResult& result, Overwrite overwrite) {
  check_model(result, [&](const std::string& object, const std::string& problem) {
    refuse(path, object + " " + problem);
  });
  AtomicFile atomic(path, overwrite);
  hdf5::File file = hdf5::File::create(atomic.temporary_path(), path);
  write_content(file.root(), result);
  file.close();
  atomic.commit();
}

FitResult read_model(const std::string& path) {
  const hdf5::File file = hdf5::File::open(path);
  const hdf5::Group root = file.root();
  const std::int64_t version = check_header(root, FileKind::model);
  FitResult result;
  Model& model = result.model;
  model.channel_names = root.read_texts("channel");
  const std::size_t n_channels = model.channel_names.size();
  model.channel_groups = read_channel_groups(root, n_channels);
  const std::size_t n_trials = read_offsets(root.open_group("traces")).size() - 1;
  model.trial_names = read_trial_names(root, n_trials);
  if (root.has("labels")) model.labels = read_labels(root.open_group("labels"), n_trials);
  model.history = read_history(root);
  const hdf5::Group categories = root.open_group("categories");
  std::set<std::string> names;
  for (const std::string& link : categories.child_names()) {
    const std::string name = hdf5::title_of(link);
    if (!names.insert(name).second)
      categories.fail(link, fmt::format("is a second category named `{}`, must be one", name));
    model.categories.push_back(read_category(categories.open_group(link), name, n_channels, n_trials));
  }
  read_traces(root.open_group("traces"), model);
  if (root.has("noise")) read_noise(root.open_group("noise"), model);
  if (root.has("standard_errors")) read_standard_errors(root.open_group("standard_errors"), model);
  if (root.has("alternatives")) read_alternatives(root.open_group("alternatives"), model);
  result.summary = read_summary(root.open_group("summary"));
  model.transform = result.summary.options.transform;
  if (version < 2) {  // d was a share of a trial's energy, whatever the number of pairs of traces
    const auto P = static_cast<double>(model.n_components());
    result.summary.options.decorrelation *= 4.0 * P * (P - 1.0);
  }
  if (version < 4) result.summary.options.penalties = PenaltyChoice::fixed;  // there was nothing else
  check_model(result,
              [&](const std::string& object, const std::string& problem) { root.fail(object, problem); });
  return result;
}

}  // namespace milcci
