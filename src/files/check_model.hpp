// Whether a result fits together: every count in it against every array that it refers to. This
// checks a model file before anybody uses it, and a result before it is written.
#pragma once

#include <functional>
#include <string>

#include "milcci/model.hpp"

namespace milcci::files {

/// Takes an object of the model file and what is wrong with it. Must throw.
using Refuse = std::function<void(const std::string& object, const std::string& problem)>;

/// Calls `refuse` for the first thing that does not fit.
void check_model(const FitResult& result, const Refuse& refuse);

}  // namespace milcci::files
