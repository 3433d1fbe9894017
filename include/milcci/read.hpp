// Recordings in, trials out: our own trials file, tables (CSV), arrays (NPY, NPZ, MAT, HDF5) and NWB. What
// each format looks like and how it is understood is in docs/file-formats.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "milcci/options.hpp"
#include "milcci/trials.hpp"

namespace milcci {

/// What one row of a table holds.
enum class Layout {
  automatic,  ///< recognised by the names of the columns
  long_rows,  ///< one value: trial, channel, time, value
  wide,       ///< all channels at one time point of a trial: channels are columns
  series      ///< all time points of one channel in a trial: time points are columns
};

/// What a value is that no row of a long table gives.
enum class Absent { missing, zero };

/// How to read a file. Everything left empty is recognised, and the notes of the result report what
/// was recognised. Names are those of columns in tables and of arrays in array files.
struct ReadOptions {
  /// Arrays: the one that holds the values. Empty: the only one with a suitable shape. NWB: the path of a
  /// time series. Empty: the spikes of the units.
  std::string dataset = {};
  /// Arrays: what its axes are, outermost first as NumPy, h5py or MATLAB show its shape: channel, time, trial
  /// in any order. Two names if there is one trial, or one array per trial.
  std::vector<std::string> dims = {};

  Layout layout = Layout::automatic;
  /// One character, or `tab`. Empty: comma, semicolon or tab, whichever the header has.
  std::string separator = {};
  /// Columns that together name a trial. They also become label columns.
  std::vector<std::string> trial = {};
  std::string channel = {};
  /// Brain region, party, ... of each channel.
  std::string channel_group = {};
  std::string time = {};
  std::string value = {};
  /// Labels. Empty: see docs/file-formats.md, "Labels".
  std::vector<std::string> label_columns = {};
  std::vector<std::string> ignore_columns = {};
  /// Long tables only. Zero for counts of events; then every trial has all time points of the table.
  Absent absent = Absent::missing;

  /// A table with one row per trial and labels as columns, for any format. Joined by the trial's name where
  /// both have it, else in order.
  std::string labels = {};

  /// NWB: table of trials, a name in /intervals or a path. Empty: `trials`, or the only one.
  std::string table = {};
  /// NWB: column of the table with the times of an event. A trial is then `before` to `after` that event,
  /// else from `before` its start to `after` its stop. Seconds; negative numbers shorten the trial.
  std::string align = {};
  double before = 0.0, after = 0.0;
  /// NWB spikes: they are counted in bins of this many seconds, and the counts are smoothed by a Gaussian
  /// that is cut off at half the window on either side. Sigma 0: not smoothed.
  double bin_width = 0.005, smooth_sigma = 0.005, smooth_window = 0.05;
  /// NWB spikes: units that fire less often, over all trials, are left out. Spikes per second.
  double min_rate = 0.0;
  /// NWB: labels made of time series, NAME=PATH each. The label of a trial is the mean of the series within
  /// it.
  std::vector<std::string> series_labels = {};
  /// Any format: numbers that mark what is missing, such as -999.
  std::vector<double> missing_value = {};
  /// Any format: channels to keep, or to leave out: names, patterns with * and ?, or group:PATTERN.
  std::vector<std::string> keep_channels = {}, drop_channels = {};
  /// Any format: only this many trials, from the first one on.
  std::optional<int> first_trials = {};
  /// For reading trials files; 0 = all cores.
  int threads = 0;
};

/// Of times in seconds, and of counts.
inline constexpr double kLongest = 1e9;

/// The options that are only for NWB files.
template <OptionsOf<ReadOptions> Options, class Visitor>
void visit_nwb_fields(Options&& o, Visitor&& visit) {
  visit(Field{.name = "table",
              .help = "NWB: table of trials, a name in /intervals or a path",
              .placeholder = "NAME"},
        o.table);
  visit(Field{.name = "align",
              .help = "NWB: column with the event that trials are cut around; unset: from start to stop",
              .placeholder = "NAME"},
        o.align);
  visit(Field{.name = "before",
              .help = "NWB: seconds before the event, or the start, that belong to a trial",
              .minimum = -kLongest,
              .maximum = kLongest},
        o.before);
  visit(Field{.name = "after",
              .help = "NWB: seconds after the event, or the stop, that belong to a trial",
              .minimum = -kLongest,
              .maximum = kLongest},
        o.after);
  visit(Field{.name = "bin_width",
              .help = "NWB: seconds in which spikes are counted together",
              .minimum = 1e-6,
              .maximum = kLongest},
        o.bin_width);
  visit(Field{.name = "smooth_sigma",
              .help = "NWB: width of the Gaussian that smooths the counts, seconds; 0: none",
              .minimum = 0,
              .maximum = kLongest},
        o.smooth_sigma);
  visit(Field{.name = "smooth_window",
              .help = "NWB: seconds of that Gaussian that are used, half on either side",
              .minimum = 0,
              .maximum = kLongest},
        o.smooth_window);
  visit(Field{.name = "min_rate",
              .help = "NWB: leave out units with fewer spikes per second",
              .minimum = 0,
              .maximum = kLongest},
        o.min_rate);
  visit(Field{.name = "series_labels",
              .help = "NWB: labels that are means of time series within the trials, such as pupil size",
              .placeholder = "NAME=PATH"},
        o.series_labels);
}

/// Calls visit(Field, member) for every option, in the order they are documented.
template <OptionsOf<ReadOptions> Options, class Visitor>
void visit_fields(Options&& o, Visitor&& visit) {
  visit(Field{.name = "layout",
              .help = "a row of a table is one value (long), a time point (wide) or a "
                      "channel of a trial (series)"},
        o.layout);
  visit(Field{.name = "separator",
              .help = "what separates cells: a character, or tab; unset: , ; or tab",
              .placeholder = "CHARACTER"},
        o.separator);
  visit(Field{.name = "trial", .help = "columns that together name a trial", .placeholder = "NAMES"},
        o.trial);
  visit(Field{.name = "channel", .help = "column, or array, with the channels' names", .placeholder = "NAME"},
        o.channel);
  visit(Field{.name = "channel_group",
              .help = "column, or array, with the channels' groups",
              .placeholder = "NAME"},
        o.channel_group);
  visit(Field{.name = "time", .help = "column, or array, with the times", .placeholder = "NAME"}, o.time);
  visit(Field{.name = "value", .help = "column with the values of a long table", .placeholder = "NAME"},
        o.value);
  visit(Field{.name = "label_columns", .help = "columns, or arrays, with the labels", .placeholder = "NAMES"},
        o.label_columns);
  visit(Field{.name = "ignore_columns", .help = "columns, or arrays, to leave out", .placeholder = "NAMES"},
        o.ignore_columns);
  visit(Field{.name = "absent", .help = "what a value is that a long table does not list"}, o.absent);
  visit(Field{.name = "labels", .help = "table with one row of labels per trial", .placeholder = "FILE"},
        o.labels);
  visit(Field{.name = "dataset", .help = "array with the values, such as /group/name", .placeholder = "NAME"},
        o.dataset);
  visit(Field{.name = "dims",
              .help = "axes of that array: channel, time and trial in its order",
              .placeholder = "NAMES"},
        o.dims);
  visit(Field{.name = "missing_value",
              .help = "a number that marks what is missing, such as -999; once per number",
              .minimum = -kUnlimited,
              .maximum = kUnlimited,
              .placeholder = "NUMBER"},
        o.missing_value);
  visit(Field{.name = "keep_channels",
              .help = "only these channels: names, patterns with * and ?, or group:PATTERN",
              .placeholder = "NAMES"},
        o.keep_channels);
  visit(Field{.name = "drop_channels",
              .help = "leave out these channels: names, patterns with * and ?, or group:PATTERN",
              .placeholder = "NAMES"},
        o.drop_channels);
  visit(Field{.name = "first_trials", .help = "only so many trials", .minimum = 1, .maximum = kLongest},
        o.first_trials);
  visit_nwb_fields(o, visit);
}

const std::vector<std::string>& value_names(Layout);
const std::vector<std::string>& value_names(Absent);

/// Throws Error(bad_option) for options that contradict themselves, whatever the file.
void validate(const ReadOptions& options);

struct ReadResult {
  Trials trials;
  /// What was understood, one sentence each: the format, what was taken as what, what was left out.
  std::vector<std::string> notes;
};

/// Reads a recording of any known format, recognised by its content. Throws Error(bad_file) if the
/// file cannot be read as such, with the place in it, and Error(bad_option) if an option does not
/// suit the file.
ReadResult read_data(const std::string& path, const ReadOptions& options = {});

/// What can be read from an NWB file.
struct NwbContents {
  std::vector<std::string> tables;  ///< of trials: path, rows and columns
  std::vector<std::string> series;  ///< path and shape of time series, or of the first ones if there are many
  bool has_spikes = false;
  bool is_decided = false;  ///< `read_data` needs neither `table` nor `dataset`
};
NwbContents nwb_contents(const std::string& path);

enum class FileFormat { trials_file, model_file, table, npy, npz, mat5, mat73, nwb, hdf5 };
/// What a file is, by its content. Throws Error(bad_file) if it is none of these.
FileFormat file_format(const std::string& path);

}  // namespace milcci
