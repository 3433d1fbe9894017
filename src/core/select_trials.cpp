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

template <class Values>
Values some_of(const Values& values, const std::vector<std::size_t>& which) {
  Values out;
  out.reserve(which.size());
  for (const std::size_t m : which) out.push_back(values[m]);
  return out;
}

}  // namespace

Trials some_trials(const Trials& trials, const std::vector<std::size_t>& which) {
  Trials some;
  some.channel_names = trials.channel_names;
  some.channel_groups = trials.channel_groups;
  some.values = some_of(trials.values, which);
  if (!trials.trial_names.empty()) some.trial_names = some_of(trials.trial_names, which);
  if (!trials.times.empty()) some.times = some_of(trials.times, which);
  for (const LabelColumn& column : trials.labels)
    std::visit(
        [&](const auto& values) {
          some.labels.push_back({column.name, some_of(values, which)});
        },
        column.values);
  return some;
}

void select_trials(Trials& trials, const std::vector<std::size_t>& kept) {
  select(trials.values, kept);
  if (!trials.trial_names.empty()) select(trials.trial_names, kept);
  if (!trials.times.empty()) select(trials.times, kept);
  for (LabelColumn& column : trials.labels)
    std::visit([&](auto& values) { select(values, kept); }, column.values);
  if (trials.truth) select(trials.truth->traces, kept);
}

}  // namespace milcci
