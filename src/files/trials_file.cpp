// Trials to a file and back (docs/file-formats.md).
#include <fmt/format.h>

#include <set>

#include "files/atomic_file.hpp"
#include "files/schema.hpp"
#include "milcci/error.hpp"
#include "milcci/files.hpp"

namespace milcci {

namespace {

using namespace files;

// Only what the file cannot express; whether the trials make sense is for `check_trials` to say.
void check_shapes(const std::string& path, const Trials& trials) {
  const std::size_t n_trials = trials.n_trials(), n_channels = trials.channel_names.size();
  const auto check = [&](std::size_t found, std::size_t expected, const std::string& what) {
    if (found != expected) refuse(path, fmt::format("{}: {}, must be {}", what, found, expected));
  };
  for (std::size_t m = 0; m < n_trials; ++m)
    check(static_cast<std::size_t>(trials.values[m].rows()), n_channels,
          fmt::format("channels of trial {} against the channel names", m));
  if (!trials.channel_groups.empty()) check(trials.channel_groups.size(), n_channels, "channel groups");
  if (!trials.times.empty()) {
    check(trials.times.size(), n_trials, "trials with times");
    for (std::size_t m = 0; m < n_trials; ++m)
      check(static_cast<std::size_t>(trials.times[m].size()), static_cast<std::size_t>(trials.n_times(m)),
            fmt::format("times of trial {}", m));
  }
  if (!trials.trial_names.empty()) check(trials.trial_names.size(), n_trials, "trial names");
  std::set<std::string> names;
  for (const LabelColumn& column : trials.labels) {
    check(column.size(), n_trials, fmt::format("values of label column `{}`", column.name));
    if (!names.insert(column.name).second)
      refuse(path, fmt::format("two label columns are named `{}`, must be one", column.name));
  }
  if (!trials.truth) return;
  Index n_components = 0;
  names.clear();
  for (const CategoryComponents& category : trials.truth->categories) {
    const std::string where = fmt::format("truth of category `{}`", category.name);
    if (!names.insert(category.name).second) refuse(path, where + " is given twice, must be once");
    if (category.variants.empty()) refuse(path, where + " has no options, must have one");
    check(category.options.size(), category.n_options(), where + ", option names");
    for (const Matrix& variant : category.variants) {
      check(static_cast<std::size_t>(variant.rows()), n_channels, where + ", channels");
      check(static_cast<std::size_t>(variant.cols()), static_cast<std::size_t>(category.n_components()),
            where + ", components of a variant");
    }
    n_components += category.n_components();
  }
  check(trials.truth->traces.size(), n_trials, "trials with true traces");
  for (std::size_t m = 0; m < n_trials; ++m) {
    const Matrix& traces = trials.truth->traces[m];
    const std::string where = fmt::format("true traces of trial {}, ", m);
    check(static_cast<std::size_t>(traces.rows()), static_cast<std::size_t>(n_components),
          where + "components");
    check(static_cast<std::size_t>(traces.cols()), static_cast<std::size_t>(trials.n_times(m)),
          where + "samples");
  }
  const Truth& truth = *trials.truth;
  if (!truth.transitions.empty()) check(truth.transitions.size(), n_trials, "trials with true transitions");
  for (const Matrix& W : truth.transitions) {
    check(static_cast<std::size_t>(W.rows()), static_cast<std::size_t>(n_components), "rows of a transition");
    check(static_cast<std::size_t>(W.cols()), static_cast<std::size_t>(n_components),
          "columns of a transition");
  }
  if (truth.offset.size() > 0)
    check(static_cast<std::size_t>(truth.offset.size()), n_channels, "channels of the true offset");
  if (truth.noise.size() > 0)
    check(static_cast<std::size_t>(truth.noise.size()), n_channels, "channels of the true noise");
}

// What is known of every channel, in a group that can be opened alone; none if nothing is.
void write_true_channels(hdf5::Group& truth, const Trials& trials) {
  const Vector &offset = trials.truth->offset, &noise = trials.truth->noise;
  if (offset.size() == 0 && noise.size() == 0) return;
  hdf5::Group group = truth.create_group("channels");
  const hdf5::Scale channel = write_channels(group, {trials.channel_names, trials.channel_groups});
  const auto write = [&](const char* name, const Vector& values) {
    if (values.size() == 0) return;
    group.write_reals(name, {values.data(), static_cast<std::size_t>(values.size())}, {&channel});
  };
  write("offset", offset);
  write("noise", noise);
}

void write_truth(hdf5::Group truth, const Trials& trials, const hdf5::Scale& trial,
                 const hdf5::Scale& sample) {
  hdf5::Group categories = truth.create_group("categories");
  std::vector<std::string> names;
  std::vector<std::size_t> n_components;
  for (const CategoryComponents& category : trials.truth->categories) {
    hdf5::Group group = create_titled_group(categories, category.name, names.size());
    write_variants(group, "components", category.options, category.variants,
                   {trials.channel_names, trials.channel_groups});
    names.push_back(category.name);
    n_components.push_back(static_cast<std::size_t>(category.n_components()));
  }
  hdf5::Group traces = truth.create_group("traces");
  const hdf5::Scale component = write_component_places(traces, names, n_components);
  write_trial_rows(traces, "values", trials.truth->traces, {&sample, &component});
  write_coordinates(traces, "values", {"category"});
  write_transitions(traces, trials.truth->transitions, trial, component);
  write_true_channels(truth, trials);
}

Vector read_true_channels(const hdf5::Group& truth, const char* name, std::size_t n_channels) {
  if (!truth.has("channels")) return {};
  const hdf5::Group group = truth.open_group("channels");
  if (!group.has(name)) return {};
  const std::vector<double> values = group.read_reals(name, {n_channels});
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

Truth read_truth(const hdf5::Group& group, std::size_t n_channels, const Offsets& offsets) {
  Truth truth;
  std::size_t n_components = 0;
  const hdf5::Group categories = group.open_group("categories");
  for (const std::string& link : categories.child_names()) {
    const hdf5::Group category = categories.open_group(link);
    CategoryComponents components;
    components.name = hdf5::title_of(link);
    components.options = category.read_texts("option");
    if (components.options.empty()) category.fail("option", "is empty, must name at least one option");
    components.variants = read_variants(category, "components", components.options.size(), n_channels);
    n_components += static_cast<std::size_t>(components.n_components());
    truth.categories.push_back(std::move(components));
  }
  const hdf5::Group traces = group.open_group("traces");
  truth.traces = read_trial_rows(traces, "values", offsets, n_components);
  truth.transitions = read_transitions(traces, truth.traces.size(), n_components);
  truth.offset = read_true_channels(group, "offset", n_channels);
  truth.noise = read_true_channels(group, "noise", n_channels);
  return truth;
}

void write_content(hdf5::Group root, const Trials& trials) {
  write_header(root, FileKind::trials);
  const Offsets offsets = offsets_of(trials.values);
  const hdf5::Scale channel = write_channels(root, {trials.channel_names, trials.channel_groups});
  // Without coordinates: a label column may well be called `trial`, and would contradict them.
  const hdf5::Scale trial = root.write_dimension("trial", trials.n_trials());
  const hdf5::Scale sample = root.write_dimension("sample", offsets.back());
  write_offsets(root, offsets);
  write_times(root, trials.times, sample);
  write_trial_rows(root, "values", trials.values, {&sample, &channel});
  write_coordinates(root, "values", {"time", "channel_group"});
  write_trial_names(root, trials.trial_names, trial);
  write_labels(root.create_group("labels"), trials.labels, trial);
  if (trials.truth) write_truth(root.create_group("truth"), trials, trial, sample);
  write_history(root, trials.history);
}

}  // namespace

void write_trials(const std::string& path, const Trials& trials, Overwrite overwrite) {
  check_shapes(path, trials);
  AtomicFile atomic(path, overwrite);
  hdf5::File file = hdf5::File::create(atomic.temporary_path(), path);
  write_content(file.root(), trials);
  file.close();
  atomic.commit();
}

Trials read_trials(const std::string& path, int threads) {
  const hdf5::File file = hdf5::File::open(path);
  const hdf5::Group root = file.root();
  check_header(root, FileKind::trials);
  Trials trials;
  const Offsets offsets = read_offsets(root);
  trials.channel_names = root.read_texts("channel");
  const std::size_t n_channels = trials.channel_names.size();
  trials.channel_groups = read_channel_groups(root, n_channels);
  trials.values = read_trial_rows(root, "values", offsets, n_channels, threads);
  trials.times = read_times(root, offsets);
  trials.trial_names = read_trial_names(root, trials.n_trials());
  trials.labels = read_labels(root.open_group("labels"), trials.n_trials());
  trials.history = read_history(root);
  if (root.has("truth")) trials.truth = read_truth(root.open_group("truth"), n_channels, offsets);
  return trials;
}

FileKind file_kind(const std::string& path) {
  return read_header(hdf5::File::open(path).root());
}

}  // namespace milcci
