#include "core/select_trials.hpp"

#include <utility>

namespace milcci {

namespace {

template <class Values>
void select(Values& values, const std::vector<std::size_t>& kept) {
  Values out;
  out.reserve(kept.size());
  for (const std::size_t m : kept) out.push_back(std::move(values[m]));
  values = std::move(out);
}

}  // namespace

void select_trials(Trials& trials, const std::vector<std::size_t>& kept) {
  select(trials.values, kept);
  if (!trials.trial_names.empty()) select(trials.trial_names, kept);
  if (!trials.times.empty()) select(trials.times, kept);
  for (LabelColumn& column : trials.labels)
    std::visit([&](auto& values) { select(values, kept); }, column.values);
  if (trials.truth) select(trials.truth->traces, kept);
  if (trials.truth && !trials.truth->transitions.empty()) select(trials.truth->transitions, kept);
}

}  // namespace milcci
