#include "files/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "milcci/error.hpp"
#include "milcci/version.hpp"

namespace milcci::files {

namespace {

constexpr const char* kFormatNames[] = {"milcci-trials", "milcci-model"};

const char* format_name(FileKind kind) {
  return kFormatNames[static_cast<int>(kind)];
}

// Rows per chunk. Chunks are as wide as the data, so a trial is one contiguous stretch of the file. Trials
// of one length get one chunk each (several short trials share one of at least 64 KiB: tiny chunks waste
// time and room), so none is split. For unequal lengths the median serves: a usual trial touches two
// chunks. Above 64 MiB a trial is cut, since a chunk is checked and held in memory as a whole.
std::size_t chunk_rows(const Offsets& offsets, std::size_t n_columns) {
  constexpr std::size_t kLeastBytes = std::size_t{1} << 16, kMostBytes = std::size_t{1} << 26;
  const std::size_t n_trials = offsets.size() - 1,
                    row_bytes = std::max<std::size_t>(n_columns, 1) * sizeof(double);
  if (offsets.back() == 0) return 0;
  std::vector<std::size_t> lengths;
  for (std::size_t m = 0; m < n_trials; ++m) lengths.push_back(offsets[m + 1] - offsets[m]);
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(n_trials / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  const std::size_t usual = std::max<std::size_t>(*middle, 1);
  const std::size_t n_together = std::max<std::size_t>(kLeastBytes / (usual * row_bytes), 1);
  const std::size_t most_rows = std::max<std::size_t>(kMostBytes / row_bytes, 1);
  return std::min({usual * n_together, most_rows, offsets.back()});
}

}  // namespace

std::int64_t newest_version(FileKind kind) {
  return kind == FileKind::model ? 4 : 1;
}

void write_header(hdf5::Group& root, FileKind kind) {
  root.write_fixed_attribute(".", "format", format_name(kind));
  root.write_attribute(".", "format_version", newest_version(kind));
  root.write_attribute(".", "software_version", std::string(kVersion));
}

FileKind read_header(const hdf5::Group& root) {
  if (!root.has_attribute(".", "format"))
    root.fail(".", fmt::format("has no attribute `format`, must be \"{}\" or \"{}\"; this is an HDF5 file of "
                               "another program, or one made by hand (docs/file-formats.md says how)",
                               kFormatNames[0], kFormatNames[1]));
  const std::string format = root.read_text_attribute(".", "format");
  const auto found = std::find(std::begin(kFormatNames), std::end(kFormatNames), format);
  if (found == std::end(kFormatNames))
    root.fail(".", fmt::format("its attribute `format` is \"{}\", must be \"{}\" or \"{}\"", format,
                               kFormatNames[0], kFormatNames[1]));
  const auto kind = static_cast<FileKind>(found - std::begin(kFormatNames));
  const std::int64_t version = root.read_integer_attribute(".", "format_version"),
                     newest = newest_version(kind);
  if (version > newest)
    root.fail(".", fmt::format("it has format version {}, this is milcci {} which reads versions up to {}; "
                               "update milcci to read it",
                               version, kVersion, newest));
  if (version < 1)
    root.fail(".", fmt::format("it has format version {}, must be between 1 and {}", version, newest));
  return kind;
}

std::int64_t check_header(const hdf5::Group& root, FileKind expected) {
  const FileKind found = read_header(root);
  if (found == expected) return root.read_integer_attribute(".", "format_version");
  root.fail(".", expected == FileKind::trials
                     ? "this is a model file, must be a trials file; give the file of the recording"
                     : "this is a trials file, must be a model file; give what `milcci fit` wrote");
}

Offsets offsets_of(const std::vector<Matrix>& per_trial) {
  Offsets offsets = {0};
  for (const Matrix& trial : per_trial)
    offsets.push_back(offsets.back() + static_cast<std::size_t>(trial.cols()));
  return offsets;
}

void write_offsets(hdf5::Group& group, const Offsets& offsets) {
  const hdf5::Scale edge = group.write_dimension("trial_edge", offsets.size());
  group.write_integers("trial_offset", std::vector<std::int64_t>(offsets.begin(), offsets.end()), {&edge});
}

Offsets read_offsets(const hdf5::Group& group) {
  const std::vector<std::int64_t> found = group.read_integers("trial_offset", {hdf5::kAny});
  if (found.empty() || found.front() != 0)
    group.fail("trial_offset", "must begin with 0 and have one entry more than there are trials");
  for (std::size_t m = 0; m + 1 < found.size(); ++m)
    if (found[m + 1] < found[m])
      group.fail("trial_offset", fmt::format("entry {} is {} and entry {} is {}, must not decrease", m,
                                             found[m], m + 1, found[m + 1]));
  return {found.begin(), found.end()};
}

void write_coordinates(hdf5::Group& group, const std::string& name,
                       const std::vector<std::string>& candidates) {
  std::string list;
  for (const std::string& candidate : candidates)
    if (group.has(candidate)) list += (list.empty() ? "" : " ") + candidate;
  if (!list.empty()) group.write_attribute(name, "coordinates", list);
}

void write_trial_rows(hdf5::Group& group, const std::string& name, const std::vector<Matrix>& per_trial,
                      const hdf5::Scales& scales) {
  const Offsets offsets = offsets_of(per_trial);
  hdf5::RealRows rows = group.create_rows(name, scales, chunk_rows(offsets, scales[1]->length));
  for (std::size_t m = 0; m < per_trial.size(); ++m)
    rows.write(offsets[m], offsets[m + 1] - offsets[m], per_trial[m].data());
}

std::vector<Matrix> read_trial_rows(const hdf5::Group& group, const std::string& name, const Offsets& offsets,
                                    std::size_t n_columns, int threads) {
  const hdf5::RealRows rows = group.open_rows(name, {offsets.back(), n_columns});
  std::vector<Matrix> per_trial(offsets.size() - 1);
  std::vector<hdf5::RowPiece> pieces;
  for (std::size_t m = 0; m + 1 < offsets.size(); ++m) {
    const std::size_t length = offsets[m + 1] - offsets[m];
    per_trial[m].resize(static_cast<Index>(rows.n_columns()), static_cast<Index>(length));
    pieces.push_back({offsets[m], length, per_trial[m].data()});
  }
  rows.read(pieces, threads);
  return per_trial;
}

void write_times(hdf5::Group& group, const std::vector<Vector>& times, const hdf5::Scale& sample) {
  if (times.empty()) return;
  std::vector<double> all;
  for (const Vector& trial : times) all.insert(all.end(), trial.begin(), trial.end());
  group.write_reals("time", all, {&sample});
}

std::vector<Vector> read_times(const hdf5::Group& group, const Offsets& offsets) {
  std::vector<Vector> times;
  if (!group.has("time")) return times;
  const std::vector<double> all = group.read_reals("time", {offsets.back()});
  for (std::size_t m = 0; m + 1 < offsets.size(); ++m)
    times.push_back(
        Eigen::Map<const Vector>(all.data() + offsets[m], static_cast<Index>(offsets[m + 1] - offsets[m])));
  return times;
}

hdf5::Scale write_channels(hdf5::Group& group, const Channels& channels) {
  hdf5::Scale channel = group.write_scale("channel", channels.names);
  if (!channels.groups.empty()) group.write_texts("channel_group", channels.groups, {&channel});
  return channel;
}

std::vector<std::string> read_channel_groups(const hdf5::Group& group, std::size_t n_channels) {
  if (!group.has("channel_group")) return {};
  return group.read_texts("channel_group", n_channels);
}

void write_labels(hdf5::Group labels, const std::vector<LabelColumn>& columns, const hdf5::Scale& trial) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string link = hdf5::link_name(columns[c].name);
    if (const auto* texts = std::get_if<LabelColumn::Texts>(&columns[c].values))
      labels.write_texts(link, *texts, {&trial});
    else if (const auto* integers = std::get_if<LabelColumn::Integers>(&columns[c].values))
      labels.write_integers(link, *integers, {&trial});
    else
      labels.write_reals(link, std::get<LabelColumn::Reals>(columns[c].values), {&trial});
    labels.write_attribute(link, "name", columns[c].name);
    labels.write_attribute(link, "position", static_cast<std::int64_t>(c));
  }
}

std::vector<LabelColumn> read_labels(const hdf5::Group& labels, std::size_t n_trials) {
  std::vector<LabelColumn> columns;
  std::set<std::string> names;
  for (const std::string& link : labels.child_names()) {
    LabelColumn column;
    column.name = hdf5::title_of(link);
    if (!names.insert(column.name).second)
      labels.fail(link, fmt::format("is a second label column named `{}`, must be one", column.name));
    switch (labels.value_type(link)) {
      case hdf5::ValueType::text:
        column.values = labels.read_texts(link, n_trials);
        break;
      case hdf5::ValueType::integer:
        column.values = labels.read_integers(link, {n_trials});
        break;
      case hdf5::ValueType::real:
        column.values = labels.read_reals(link, {n_trials});
        break;
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

void write_trial_names(hdf5::Group& group, const std::vector<std::string>& names, const hdf5::Scale& trial) {
  if (!names.empty()) group.write_texts("trial_name", names, {&trial});
}

std::vector<std::string> read_trial_names(const hdf5::Group& group, std::size_t n_trials) {
  if (!group.has("trial_name")) return {};
  return group.read_texts("trial_name", n_trials);
}

void write_history(hdf5::Group& group, const std::vector<std::string>& history) {
  if (history.empty()) return;
  const hdf5::Scale step = group.write_dimension("step", history.size());
  group.write_texts("history", history, {&step});
}

std::vector<std::string> read_history(const hdf5::Group& group) {
  if (!group.has("history")) return {};
  return group.read_texts("history");
}

VariantScales write_variants(hdf5::Group& group, const std::string& name,
                             const std::vector<std::string>& options, const std::vector<Matrix>& variants,
                             const Channels& channels) {
  hdf5::Scale option = group.write_scale("option", options);
  hdf5::Scale component = write_count(group, "component", static_cast<std::size_t>(variants.front().cols()));
  const hdf5::Scale channel = write_channels(group, channels);
  // A column of a variant is one component over all channels: variants lie in memory as in the file.
  std::vector<double> values;
  for (const Matrix& variant : variants)
    values.insert(values.end(), variant.data(), variant.data() + variant.size());
  group.write_reals(name, values, {&option, &component, &channel});
  write_coordinates(group, name, {"channel_group"});
  return {std::move(option), std::move(component)};
}

std::vector<Matrix> read_variants(const hdf5::Group& group, const std::string& name, std::size_t n_options,
                                  std::size_t n_channels) {
  const std::vector<double> values = group.read_reals(name, {n_options, hdf5::kAny, n_channels});
  const std::size_t n_components = group.shape(name)[1], stride = n_components * n_channels;
  std::vector<Matrix> variants;
  for (std::size_t i = 0; i < n_options; ++i)
    variants.push_back(Eigen::Map<const Matrix>(values.data() + i * stride, static_cast<Index>(n_channels),
                                                static_cast<Index>(n_components)));
  return variants;
}

hdf5::Scale write_component_places(hdf5::Group& group, const std::vector<std::string>& category_names,
                                   const std::vector<std::size_t>& n_components) {
  std::vector<std::string> category_of_component;
  for (std::size_t k = 0; k < category_names.size(); ++k)
    category_of_component.insert(category_of_component.end(), n_components[k], category_names[k]);
  hdf5::Scale component = write_count(group, "component", category_of_component.size());
  group.write_texts("category", category_of_component, {&component});
  return component;
}

// In the file a matrix lies row after row, in memory column after column.
void write_transitions(hdf5::Group& traces, const std::vector<Matrix>& transitions, const hdf5::Scale& trial,
                       const hdf5::Scale& component) {
  if (transitions.empty()) return;
  const hdf5::Scale from = write_count(traces, "from_component", component.length);
  std::vector<double> values;
  for (const Matrix& transition : transitions) {
    const Matrix turned = transition.transpose();
    values.insert(values.end(), turned.data(), turned.data() + turned.size());
  }
  traces.write_reals("transitions", values, {&trial, &component, &from});
}

std::vector<Matrix> read_transitions(const hdf5::Group& traces, std::size_t n_trials,
                                     std::size_t n_components) {
  if (!traces.has("transitions")) return {};
  const std::vector<double> values = traces.read_reals("transitions", {n_trials, n_components, n_components});
  const auto P = static_cast<Index>(n_components);
  std::vector<Matrix> transitions;
  for (std::size_t m = 0; m < n_trials; ++m)
    transitions.emplace_back(
        Eigen::Map<const Matrix>(values.data() + m * n_components * n_components, P, P).transpose());
  return transitions;
}

hdf5::Scale write_count(hdf5::Group& group, const std::string& name, std::size_t n) {
  std::vector<std::int64_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  return group.write_scale(name, numbers);
}

hdf5::Group create_titled_group(hdf5::Group& parent, const std::string& title, std::size_t position) {
  hdf5::Group group = parent.create_group(hdf5::link_name(title));
  group.write_attribute(".", "name", title);
  group.write_attribute(".", "position", static_cast<std::int64_t>(position));
  return group;
}

void refuse(const std::string& path, const std::string& reason) {
  throw Error(ErrorKind::bad_input, fmt::format("cannot write file \"{}\": {}", path, reason));
}

}  // namespace milcci::files
