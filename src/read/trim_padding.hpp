// Arrays and series hold trials of unequal length by padding: time points at a trial's end at which no
// channel has a value are cut off.
#pragma once

#include <cstddef>

#include "milcci/trials.hpp"

namespace milcci::read {

/// Returns how many trials became shorter. A trial without any value stays as it is: it is not a
/// shorter trial but an error to be reported.
std::size_t trim_padding(Trials& trials);

}  // namespace milcci::read
