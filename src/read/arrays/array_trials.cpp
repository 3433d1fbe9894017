#include "read/arrays/array_trials.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "core/nearest_name.hpp"
#include "milcci/error.hpp"
#include "read/arrays/array_values.hpp"
#include "read/arrays/number_labels.hpp"
#include "read/errors.hpp"
#include "read/tables/usual_names.hpp"
#include "read/trim_padding.hpp"

namespace milcci::read {

namespace {

using Maybe = std::optional<std::size_t>;

// The length of a vector, also of one written as a matrix with one row or column; nothing for other shapes.
std::optional<std::size_t> vector_length(const ItemInfo& item) {
  if (item.kind == ItemKind::texts) return count_of(item.shape);
  if (item.kind != ItemKind::numbers || item.shape.empty()) return {};
  const auto n_ones = std::count(item.shape.begin(), item.shape.end(), std::size_t{1});
  if (n_ones + 1 < static_cast<std::ptrdiff_t>(item.shape.size())) return {};
  return count_of(item.shape);  // 0 x 1 has none, though its longest axis has one
}

// Rows of a table of labels after its header; nothing if it cannot be read. It is read in earnest later.
std::optional<std::size_t> n_table_rows(const std::string& path) {
  std::ifstream file(path);
  std::size_t n = 0;
  for (std::string line; std::getline(file, line);) n += !line.empty() && line != "\r";
  return n > 1 ? std::optional(n - 1) : std::nullopt;
}

class ArrayReader {
 public:
  ArrayReader(const std::string& path, const ArrayFile& file, const ReadOptions& options)
      : path_(path), file_(file), options_(options), is_used_(file.items().size(), false) {}

  ReadResult read(const std::string& format) {
    const std::size_t data = find_data();
    take_values(data, format);
    Trials& trials = result_.trials;
    const auto n_channels = static_cast<std::size_t>(trials.n_channels());
    for (const std::string& name : options_.ignore_columns)
      if (const Maybe item = find(name)) is_used_[*item] = true;
    take_times();
    if (const auto names = take_strings("channel", options_.channel, kChannelNames, n_channels))
      trials.channel_names = *names;
    else
      for (std::size_t n = 1; n <= n_channels; ++n)
        trials.channel_names.push_back(fmt::format("channel{}", n));
    if (const auto groups = take_strings("channel_group", options_.channel_group, kGroupNames, n_channels))
      trials.channel_groups = *groups;
    if (const std::size_t n_cut = trim_padding(trials); n_cut > 0)
      result_.notes.push_back(
          fmt::format("{} trials end early: time points without any value cut off", n_cut));
    take_labels();
    say_left_out();
    return std::move(result_);
  }

 private:
  const ItemInfo& info(std::size_t item) const { return file_.items()[item]; }

  Maybe find(const std::string& name) const {
    for (std::size_t i = 0; i < file_.items().size(); ++i)
      if (info(i).name == name || info(i).name == "/" + name) return i;
    return {};
  }
  std::size_t find_named(const std::string& option, const std::string& name) const {
    if (const Maybe item = find(name)) return *item;
    std::vector<std::string> names;
    for (const ItemInfo& item : file_.items()) names.push_back(item.name);
    throw Error(ErrorKind::bad_option, fmt::format("`{}` = {}: file \"{}\" has no such array{}", option, name,
                                                   path_, suggestion(name, names)));
  }
  std::string listing() const {
    constexpr std::size_t kShown = 20;
    std::vector<std::string> lines;
    for (const ItemInfo& item : file_.items()) {
      if (lines.size() == kShown) break;
      lines.push_back(fmt::format("{} ({})", item.name, description(item)));
    }
    return fmt::format("{}{}", fmt::join(lines, ", "), file_.items().size() > kShown ? ", ..." : "");
  }
  static std::string description(const ItemInfo& item) {
    switch (item.kind) {
      case ItemKind::numbers:
        return to_text(item.shape);
      case ItemKind::texts:
        return fmt::format("{} texts", to_text(item.shape));
      case ItemKind::list:
        return fmt::format("list of {} arrays", to_text(item.shape));
      default:
        return item.other;
    }
  }

  std::size_t find_data() const {
    if (!options_.dataset.empty()) return find_named("dataset", options_.dataset);
    std::vector<std::size_t> candidates;
    const std::size_t wanted_rank = options_.dims.size() == 2 ? 2 : 3;
    for (std::size_t i = 0; i < file_.items().size(); ++i)
      if (info(i).kind == ItemKind::list ||
          (info(i).kind == ItemKind::numbers && info(i).shape.size() == wanted_rank &&
           !(wanted_rank == 2 && vector_length(info(i)))))
        candidates.push_back(i);
    if (file_.items().size() == 1) candidates = {0};
    if (candidates.size() == 1) return candidates.front();
    if (file_.items().empty()) fail(path_, "holds no arrays");
    fail(path_, fmt::format("which array has the values? {}; name it with `dataset`. There are: {}",
                            candidates.empty() ? "None has three axes" : "Several could", listing()));
  }

  void take_values(std::size_t data, const std::string& format) {
    const ItemInfo& item = info(data);
    const Place place{path_, item.name};
    is_used_[data] = true;
    Dims dims = options_.dims;
    if (item.kind == ItemKind::list) {
      result_.trials.values = trials_of_list(place, file_.list(data), dims);
    } else if (item.kind == ItemKind::numbers) {
      if (dims.empty()) {
        const std::vector<Dims> possible = readings(data);
        if (possible.size() != 1)
          fail_item(
              path_, item.name,
              fmt::format("has shape {}: which axis is which? {}", to_text(item.shape), listed(possible)));
        dims = possible.front();
      }
      result_.trials.values = trials_of_array(place, file_.numbers(data), dims);
    } else {
      fail_item(path_, item.name, fmt::format("must be an array of numbers, is {}", description(item)));
    }
    result_.notes.push_back(fmt::format("{}: values = {} ({}), axes = {}; {} trials", format, item.name,
                                        description(item), fmt::join(dims, ", "), result_.trials.n_trials()));
  }

  // What the axes may be, by the lengths of what else is there: names of channels, times, labels in the file,
  // and the table of labels.
  std::vector<Dims> readings(std::size_t data) const {
    const Shape& shape = info(data).shape;
    if (shape.size() != 2 && shape.size() != 3) return {};
    std::vector<std::pair<std::string, std::size_t>> known;  // what, and its length
    const auto know = [&](const char* what, std::optional<std::size_t> length) {
      if (length && std::ranges::find(shape, *length) != shape.end()) known.emplace_back(what, *length);
    };
    for (std::size_t i = 0; i < file_.items().size() && shape.size() == 3; ++i) {
      if (i == data) continue;
      const std::string& name = info(i).name;
      const auto is_asked = [&](const std::string& asked) { return name == asked || name == "/" + asked; };
      const bool is_channel = is_asked(options_.channel) || is_asked(options_.channel_group) ||
                              is_among(kChannelNames, info(i).title) || is_among(kGroupNames, info(i).title);
      const bool is_time = is_asked(options_.time) || is_among(kTimeNames, info(i).title);
      know(is_channel ? "channel" : is_time ? "time" : "trial", vector_length(info(i)));
    }
    if (!options_.labels.empty()) know("trial", n_table_rows(options_.labels));

    const Dims named = named_axes(info(data));
    Dims dims = {"channel", "time"};  // in the order of the alphabet, as next_permutation wants it
    if (shape.size() == 3) dims.emplace_back("trial");
    std::vector<Dims> possible, by_name;
    do {
      if (std::ranges::equal(named, dims, [](const auto& a, const auto& b) { return a.empty() || a == b; }))
        by_name.push_back(dims);
      const bool is_possible = std::ranges::all_of(known, [&](const auto& fact) {
        const auto axis = std::ranges::find(dims, fact.first) - dims.begin();
        return axis == std::ssize(shape) || shape[static_cast<std::size_t>(axis)] == fact.second;
      });
      if (is_possible) possible.push_back(dims);
    } while (std::ranges::next_permutation(dims).found);
    if (by_name.empty()) return possible;  // no sense in the names
    std::erase_if(possible, [&](const Dims& d) { return std::ranges::find(by_name, d) == by_name.end(); });
    return possible.empty() ? by_name : possible;  // what the file says of its axes comes before lengths
  }

  // What the file's own names of the axes mean; empty texts where they mean nothing to us.
  static Dims named_axes(const ItemInfo& item) {
    Dims dims(item.shape.size());
    for (std::size_t axis = 0; axis < item.axis_names.size(); ++axis) {
      const std::string& name = item.axis_names[axis];
      dims[axis] = is_among(kTrialNames, name)     ? "trial"
                   : is_among(kChannelNames, name) ? "channel"
                   : is_among(kTimeNames, name)    ? "time"
                                                   : "";
    }
    return dims;
  }

  static std::string listed(const std::vector<Dims>& possible) {
    if (possible.empty()) return "Say it with `dims`, channel, time and trial in its order";
    std::vector<std::string> texts;
    for (const Dims& dims : possible) texts.push_back(fmt::format("`dims` = {}", fmt::join(dims, ",")));
    return fmt::format("By what else is in the file it may be {}", fmt::join(texts, ", or "));
  }

  // An item that an option names or a usual name marks, with this many values.
  Maybe find_vector(const std::string& option, const std::string& asked, const UsualNames& usual,
                    std::size_t length) {
    Maybe found;
    if (!asked.empty()) {
      found = find_named(option, asked);
      if (vector_length(info(*found)) != length)
        fail_item(
            path_, info(*found).name,
            fmt::format("is {}, must be a vector of {} for `{}`", description(info(*found)), length, option));
    } else {
      for (std::size_t i = 0; i < file_.items().size() && !found; ++i)
        if (!is_used_[i] && is_among(usual, info(i).title) && vector_length(info(i)) == length) found = i;
    }
    if (found) is_used_[*found] = true;
    return found;
  }

  void take_times() {
    Trials& trials = result_.trials;
    Index longest = 0;
    for (const Matrix& values : trials.values) longest = std::max(longest, values.cols());
    const Maybe item = find_vector("time", options_.time, kTimeNames, static_cast<std::size_t>(longest));
    if (!item) return;
    if (info(*item).kind != ItemKind::numbers)
      fail_item(path_, info(*item).name, "holds texts, must hold times");
    const std::vector<double> times = file_.numbers(*item).values();
    for (const Matrix& values : trials.values)
      trials.times.emplace_back(Eigen::Map<const Vector>(times.data(), values.cols()));
    result_.notes.push_back(fmt::format("times = {}", info(*item).name));
  }

  std::optional<std::vector<std::string>> take_strings(const std::string& option, const std::string& asked,
                                                       const UsualNames& usual, std::size_t length) {
    const Maybe item = find_vector(option, asked, usual, length);
    if (!item) return {};
    result_.notes.push_back(fmt::format("{}s = {}", option, info(*item).name));
    if (info(*item).kind == ItemKind::texts) return file_.texts(*item);
    std::vector<std::string> names;
    for (const double value : file_.numbers(*item).values()) names.push_back(fmt::format("{}", value));
    return names;
  }

  void take_labels() {
    const std::size_t n_trials = result_.trials.n_trials();
    std::vector<std::string> names;
    const auto take = [&](std::size_t item) {
      is_used_[item] = true;
      const std::string& name = info(item).title;
      if (result_.trials.find_label(name))
        fail_item(path_, info(item).name,
                  fmt::format("there are labels named {} already; leave one out with `ignore_columns`",
                              shown(name)));
      result_.trials.labels.push_back(info(item).kind == ItemKind::texts
                                          ? LabelColumn{name, file_.texts(item)}
                                          : label_of_numbers(name, file_.numbers(item).values()));
      names.push_back(name);
    };
    for (const std::string& name : options_.label_columns) {
      if (!options_.labels.empty() && !find(name)) continue;  // of the table of labels
      const std::size_t item = find_named("label_columns", name);
      if (vector_length(info(item)) != n_trials)
        fail_item(path_, name,
                  fmt::format("is {}, must be a vector with one label for each of {} trials",
                              description(info(item)), n_trials));
      take(item);
    }
    if (options_.label_columns.empty())
      for (std::size_t i = 0; i < file_.items().size(); ++i)
        if (!is_used_[i] && vector_length(info(i)) == n_trials) take(i);
    if (!names.empty()) result_.notes.push_back(fmt::format("labels = {}", fmt::join(names, ", ")));
  }

  void say_left_out() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < file_.items().size(); ++i)
      if (!is_used_[i] && names.size() < 20)
        names.push_back(fmt::format("{} ({})", info(i).name, description(info(i))));
    if (!names.empty()) result_.notes.push_back(fmt::format("left out: {}", fmt::join(names, ", ")));
  }

  const std::string& path_;
  const ArrayFile& file_;
  const ReadOptions& options_;
  std::vector<bool> is_used_;
  ReadResult result_;
};

}  // namespace

ReadResult read_arrays(const std::string& path, const std::string& format, const ArrayFile& file,
                       const ReadOptions& options) {
  return ArrayReader(path, file, options).read(format);
}

}  // namespace milcci::read
