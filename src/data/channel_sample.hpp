// Some of the values of every channel, to see how they are distributed.
#pragma once

#include "data/trial_data.hpp"

namespace milcci {

/// Time points evenly spread over the trials, N x some: a few thousand, fewer of many channels. As they are
/// stored, without the frame; missing entries are NaN.
Matrix some_times(const TrialData& data);

/// The value below which `share` of the observed values of a channel lie; 0 if there are none.
double quantile(const Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>& channel, double share);

}  // namespace milcci
