// Which labels' data a start may begin with, so that components have hardly any variants there.
#pragma once

#include <vector>

#include "data/trial_data.hpp"
#include "label_graphs/design.hpp"
#include "util/random.hpp"

namespace milcci {

/// Labels that share their option, drawn at random, in as many categories as leave enough time points
/// for the components. `data` and `design` have one trial per label.
std::vector<std::size_t> draw_few_labels(const TrialData& data, const Design& design, Random& random);

}  // namespace milcci
