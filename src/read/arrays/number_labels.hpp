// Labels from the numbers of an array.
#pragma once

#include <string>
#include <vector>

#include "milcci/trials.hpp"

namespace milcci::read {

/// Integers if all are whole, as many programs have hardly anything but reals.
LabelColumn label_of_numbers(const std::string& name, const std::vector<double>& values);

}  // namespace milcci::read
