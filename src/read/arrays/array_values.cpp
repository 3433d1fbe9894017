#include "read/arrays/array_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "read/errors.hpp"

namespace milcci::read {

namespace {

struct Axis {
  std::size_t length = 1, stride = 0;
};

Axis axis_of(const NumberArray& array, const Dims& dims, const std::string& name) {
  const auto found = static_cast<std::size_t>(std::find(dims.begin(), dims.end(), name) - dims.begin());
  if (found == dims.size()) return {};
  return {array.shape[found], array.strides[found]};
}

Matrix matrix(const NumberArray& array, std::size_t first, const Axis& channel, const Axis& time) {
  Matrix values(static_cast<Index>(channel.length), static_cast<Index>(time.length));
  if (values.size() == 0) return values;
  if (channel.stride <= time.stride || channel.length == 1) {
    for (std::size_t t = 0; t < time.length; ++t)
      array.copy(first + t * time.stride, channel.stride, channel.length,
                 values.col(static_cast<Index>(t)).data());
    return values;
  }
  // Times lie closer together than channels: read along them.
  Vector series(static_cast<Index>(time.length));
  for (std::size_t n = 0; n < channel.length; ++n) {
    array.copy(first + n * channel.stride, time.stride, time.length, series.data());
    values.row(static_cast<Index>(n)) = series.transpose();
  }
  return values;
}

void check_rank(const Place& place, const NumberArray& array, const Dims& dims) {
  if (array.shape.size() == dims.size()) return;
  fail_item(place.path, place.name,
            fmt::format("has shape {}, must have {} axes: {}; name its axes with `dims`",
                        to_text(array.shape), dims.size(), fmt::join(dims, ", ")));
}

// The axis of all arrays whose length is always the same holds the channels, if the other's is not.
Dims likely_dims(const Place& place, const std::vector<NumberArray>& arrays) {
  bool is_same[2] = {true, true};
  for (const NumberArray& array : arrays) {
    check_rank(place, array, {"channel", "time"});
    for (int axis = 0; axis < 2; ++axis)
      is_same[axis] = is_same[axis] && array.shape[static_cast<std::size_t>(axis)] ==
                                           arrays.front().shape[static_cast<std::size_t>(axis)];
  }
  if (is_same[0] && !is_same[1]) return {"channel", "time"};
  if (is_same[1] && !is_same[0]) return {"time", "channel"};
  fail_item(place.path, place.name,
            fmt::format(
                "which axis is which? The arrays are {}, say `dims` = channel,time or `dims` = time,channel",
                to_text(arrays.front().shape)));
}

}  // namespace

std::vector<Matrix> trials_of_array(const Place& place, const NumberArray& array, const Dims& dims) {
  check_rank(place, array, dims);
  const Axis channel = axis_of(array, dims, "channel"), time = axis_of(array, dims, "time"),
             trial = axis_of(array, dims, "trial");
  std::vector<Matrix> trials;
  if (array.size() == 0)
    fail_item(place.path, place.name, fmt::format("has shape {}, must not be empty", to_text(array.shape)));
  for (std::size_t m = 0; m < trial.length; ++m)
    trials.push_back(matrix(array, m * trial.stride, channel, time));
  return trials;
}

std::vector<Matrix> trials_of_list(const Place& place, const std::vector<NumberArray>& arrays, Dims& dims) {
  if (arrays.empty()) fail_item(place.path, place.name, "is an empty list, must have one array per trial");
  if (dims.empty()) dims = likely_dims(place, arrays);
  if (std::find(dims.begin(), dims.end(), "trial") != dims.end())
    fail_item(place.path, place.name,
              "has one array per trial, so `dims` must be channel,time or time,channel");
  std::vector<Matrix> trials;
  for (const NumberArray& array : arrays) {
    check_rank(place, array, dims);
    trials.push_back(matrix(array, 0, axis_of(array, dims, "channel"), axis_of(array, dims, "time")));
    if (trials.back().rows() != trials.front().rows())
      fail_item(
          place.path, place.name,
          fmt::format("trial {} has {} channels, must have {} as trial 1; are `dims` = {} right?",
                      trials.size(), trials.back().rows(), trials.front().rows(), fmt::join(dims, ",")));
  }
  return trials;
}

}  // namespace milcci::read
