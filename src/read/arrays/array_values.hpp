// The values of all trials from one array, or from a list with one array per trial.
#pragma once

#include <string>
#include <vector>

#include "milcci/types.hpp"
#include "read/arrays/arrays.hpp"

namespace milcci::read {

using Dims = std::vector<std::string>;

/// Whose values these are, for messages.
struct Place {
  const std::string& path;
  const std::string& name;
};

/// An array whose axes are `dims`: channel, time and trial, of which one may be absent and then has length
/// one.
std::vector<Matrix> trials_of_array(const Place& place, const NumberArray& array, const Dims& dims);

/// One array per trial; `dims` are channel and time in their order, or empty: then the axis along which the
/// arrays differ is time, and is set. Throws Error(bad_file) if the channels differ in number.
std::vector<Matrix> trials_of_list(const Place& place, const std::vector<NumberArray>& arrays, Dims& dims);

}  // namespace milcci::read
