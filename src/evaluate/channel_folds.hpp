// Channels dealt into folds, and scored by how well each fold is predicted from the others: the part of
// co-smoothing that does not depend on the model.
#pragma once

#include <functional>
#include <vector>

#include "milcci/evaluate.hpp"

namespace milcci {

using Channels = std::vector<Index>;

/// The prediction of the left-out channels (rows) in a trial, as the model describes them.
using PredictTrial = std::function<Matrix(std::size_t trial)>;
/// Predicts the channels `out` from the channels `in`, whatever the trial.
using PredictFold = std::function<PredictTrial(const Channels& in, const Channels& out)>;

/// The fold of every channel. Channels in random order are assigned to the folds in turn: folds differ by at
/// most one channel in size.
std::vector<int> deal_channels(Index n_channels, const CoSmoothingOptions& options);

/// Throws Error(bad_input) for fewer than two channels, Error(bad_option) for more folds than channels.
/// Predictions are of the data after `transform`; the model only says what variation is. Warnings are left to
/// the caller.
CoSmoothing predict_channels(const Model& model, Transform transform, const TrialSource& trials,
                             const CoSmoothingOptions& options, const PredictFold& predict);

}  // namespace milcci
