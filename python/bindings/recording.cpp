#include "recording.hpp"

#include <fmt/format.h>
#include <nanobind/eigen/dense.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "arrays.hpp"
#include "bind.hpp"
#include "milcci/error.hpp"
#include "milcci/files.hpp"

namespace milcci::python {
namespace {

template <class T>
using TimeByChannel = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Frees a list of Python's from whatever thread lets go of it last.
std::shared_ptr<const void> keep_alive(const nb::list& arrays) {
  return std::shared_ptr<const void>(arrays.inc_ref().ptr(), [](const void* list) {
    if (!nb::is_alive()) return;  // the interpreter is gone, and the memory goes with the process
    const nb::gil_scoped_acquire gil;
    nb::handle(static_cast<PyObject*>(const_cast<void*>(list))).dec_ref();
  });
}

// Arrays of time x channel in C order, of double or float, as views that keep the list alive.
Recording borrow(const nb::typed<nb::list, nb::any>& arrays, const std::vector<std::string>& channel_names,
                 const std::vector<std::string>& channel_groups, const std::vector<Vector>& times,
                 const std::vector<std::string>& trial_names, const NamedValues& labels,
                 std::vector<std::string> notes) {
  std::vector<BorrowedTrial> trials;
  const auto n_channels = static_cast<Index>(channel_names.size());
  const auto take = [&](const auto& values) {
    if (static_cast<Index>(values.shape(1)) != n_channels)
      throw Error(ErrorKind::bad_input, fmt::format("trial {}: {} channels, expected {}", trials.size() + 1,
                                                    values.shape(1), n_channels));
    // An empty array may have no address at all; the checks of a fit refuse it by its length.
    static constexpr std::remove_cvref_t<decltype(*values.data())> kNothing = 0;
    trials.push_back({.values = values.data() ? values.data() : &kNothing,
                      .n_times = static_cast<Index>(values.shape(0)),
                      .time_stride = n_channels});
  };
  for (const nb::handle array : arrays) {
    TimeByChannel<double> doubles;
    TimeByChannel<float> floats;
    if (nb::try_cast(array, doubles, false))
      take(doubles);
    else if (nb::try_cast(array, floats, false))
      take(floats);
    else
      throw Error(ErrorKind::bad_input,
                  fmt::format("trial {}: must be a C-ordered array of time x channel, float32 or float64",
                              trials.size() + 1));
  }
  TrialsInfo info{.channel_names = channel_names,
                  .channel_groups = channel_groups,
                  .times = times,
                  .trial_names = trial_names,
                  .labels = to_columns(labels),
                  .truth = {},
                  .history = {}};
  return Recording(borrow_trials(n_channels, std::move(trials), std::move(info), keep_alive(arrays)),
                   std::move(notes));
}

template <class Scalar>
Anything view_of_trial(const Scalar* values, Index n_times, Index n_channels, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const Scalar>(
      values, {static_cast<std::size_t>(n_times), static_cast<std::size_t>(n_channels)}, owner));
}

// Time x channel, in place. What cannot be read in place lies in the buffer, which the array then owns.
Anything values_of_trial(nb::handle self, std::size_t trial) {
  const TrialSource& source = nb::cast<const Recording&>(self).source();
  if (trial >= source.n_trials()) throw nb::index_error("no such trial");
  auto buffer = std::make_unique<TrialBuffer>();
  const TrialValues y = source.values(trial, *buffer);
  const bool is_in_buffer =
      y.doubles() ? y.doubles() == buffer->doubles.data() : y.floats() == buffer->floats.data();
  nb::object owner = nb::borrow(self);
  if (is_in_buffer)
    owner =
        nb::capsule(buffer.release(), [](void* data) noexcept { delete static_cast<TrialBuffer*>(data); });
  if (y.floats()) return view_of_trial(y.floats(), y.n_times, y.n_channels, owner);
  return view_of_trial(y.doubles(), y.n_times, y.n_channels, owner);
}

const Truth& truth_of(const Recording& recording) {
  if (!recording.source().truth())
    throw Error(ErrorKind::bad_input, "these trials carry no truth; simulated ones do");
  return *recording.source().truth();
}

using TrueComponents = nb::typed<nb::tuple, nb::str, nb::typed<nb::list, nb::str>, nb::any>;

nb::typed<nb::list, TrueComponents> true_components(const Recording& recording) {
  nb::typed<nb::list, TrueComponents> categories;
  for (const CategoryComponents& category : truth_of(recording).categories)
    categories.append(nb::make_tuple(nb::cast(category.name), nb::cast(category.options),
                                     nb::cast(stack(category.variants))));
  return categories;
}

}  // namespace

Recording Recording::with(TrialSource source) const {
  Recording other = *this;
  other.source_ = std::move(source);
  other.is_all_kept_ = false;
  return other;
}

Trials Recording::without_values() const {
  Trials trials;
  static_cast<TrialsInfo&>(trials) = {.channel_names = source_.channel_names(),
                                      .channel_groups = source_.channel_groups(),
                                      .times = source_.times(),
                                      .trial_names = source_.trial_names(),
                                      .labels = source_.labels(),
                                      .truth = source_.truth(),
                                      .history = source_.history()};
  return trials;
}

Trials Recording::copy() const {
  Trials trials = without_values();
  TrialBuffer buffer;
  for (std::size_t m = 0; m < source_.n_trials(); ++m) trials.values.emplace_back(source_.doubles(m, buffer));
  return trials;
}

void bind_recording(nb::module_& module) {
  nb::class_<Recording>(module, "Recording", "Trials in memory, of NumPy or of the library.")
      .def_static("borrow", &borrow, nb::arg("arrays"), nb::arg("channel_names"), nb::arg("channel_groups"),
                  nb::arg("times"), nb::arg("trial_names"), nb::arg("labels"), nb::arg("notes"),
                  "Views of arrays, time x channel each, which are kept alive.")
      .def_prop_ro("n_trials", [](const Recording& r) { return r.source().n_trials(); })
      .def_prop_ro("n_channels", [](const Recording& r) { return r.source().n_channels(); })
      .def("n_times",
           [](const Recording& r, std::size_t m) {
             if (m >= r.source().n_trials()) throw nb::index_error("no such trial");
             return r.source().n_times(m);
           })
      .def(
          "values", [](nb::handle self, std::size_t m) { return values_of_trial(self, m); },
          "Time x channel, in place.")
      .def_prop_ro("channel_names", [](const Recording& r) { return r.source().channel_names(); })
      .def_prop_ro("channel_groups", [](const Recording& r) { return r.source().channel_groups(); })
      .def_prop_ro("trial_names", [](const Recording& r) { return r.source().trial_names(); })
      .def_prop_ro("times", [](const Recording& r) { return r.source().times(); })
      .def_prop_ro("labels", [](const Recording& r) { return to_list(r.source().labels()); })
      .def_prop_ro("history", [](const Recording& r) { return r.source().history(); })
      .def_ro("notes", &Recording::notes)
      .def_prop_ro("has_truth", [](const Recording& r) { return r.source().truth().has_value(); })
      .def("true_components", &true_components, "(name, options, N x p x n_options) per category.")
      .def(
          "true_traces", [](const Recording& r) { return truth_of(r).traces; }, "Per trial P x T.")
      .def(
          "some_trials",
          [](const Recording& r, const std::vector<std::size_t>& which) {
            return r.with(r.source().some_trials(which));
          },
          nb::arg("which"))
      .def(
          "with_labels",
          [](const Recording& r, const NamedValues& labels) {
            return r.with(r.source().with_labels(to_columns(labels)));
          },
          nb::arg("labels"))
      .def(
          "fingerprint", [](const Recording& r, int threads) { return fingerprint(r.source(), threads); },
          nb::arg("threads") = 0, nb::call_guard<nb::gil_scoped_release>())
      .def(
          "write",
          [](const Recording& r, const std::string& path, bool overwrite) {
            r.use_trials([&](const Trials& trials) {
              write_trials(path, trials, overwrite ? Overwrite::yes : Overwrite::no);
            });
          },
          nb::arg("path"), nb::arg("overwrite"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace milcci::python
