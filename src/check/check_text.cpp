// A check as a page for people.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/shown_name.hpp"
#include "milcci/check.hpp"
#include "milcci/options.hpp"

namespace milcci {
namespace {

constexpr std::size_t kOptionsShown = 12, kCellsShown = 20, kPairsShown = 10, kWidestTable = 10;

std::string bytes_text(std::uint64_t bytes) {
  return bytes < 1'000'000'000 ? fmt::format("{:.0f} MB", static_cast<double>(bytes) / 1e6)
                               : fmt::format("{:.1f} GB", static_cast<double>(bytes) / 1e9);
}

std::string seconds_text(double seconds) {
  const auto about = [](double number) {  // not 4e+01
    return number < 10 ? fmt::format("{:.1g}", number) : fmt::format("{:.0f}", number);
  };
  if (seconds < 90) return about(seconds) + " seconds";
  return seconds < 5400 ? about(seconds / 60) + " minutes" : about(seconds / 3600) + " hours";
}

std::string times_text(const TimeCheck& time) {
  std::string text = time.min_length == time.max_length
                         ? fmt::format("{} time points each", time.min_length)
                         : fmt::format("{} to {} time points", time.min_length, time.max_length);
  if (!time.has_times) return text + ", no time stamps: one step is 1";
  text += fmt::format(", from {} to {}, ", time.first, time.last);
  const bool is_even = time.max_step - time.min_step <= 1e-6 * time.max_step;
  return text + (is_even ? fmt::format("in steps of {:.6g}", time.max_step)
                         : fmt::format("in steps of {:.6g} to {:.6g}", time.min_step, time.max_step));
}

std::string gaps_text(const Check& check) {
  const GapCheck& gaps = check.gaps;
  if (gaps.n_trials == 0) return "no value is missing";
  return fmt::format(
      "{:.3g} % of the values are missing: in {} of {} channels (most in {}, {:.3g} %) and {} of {} trials "
      "(most in trial {}, {:.3g} %); {} pairs of trial and channel and {} time points have no value",
      100 * check.values.missing_share, gaps.n_channels, check.n_channels, gaps.worst_channel,
      100 * gaps.worst_channel_share, gaps.n_trials, check.n_trials, gaps.worst_trial + 1,
      100 * gaps.worst_trial_share, gaps.n_empty_pairs, gaps.n_empty_times);
}

std::string label_text(const LabelCheck& label) {
  switch (label.use) {
    case LabelUse::incomplete:
      return fmt::format("{}: without a value in {} trials", shown_name(label.spec.name), label.n_missing);
    case LabelUse::constant:
      return fmt::format("{}: the same in all trials", shown_name(label.spec.name));
    case LabelUse::per_trial:
      return fmt::format("{}: another in nearly every trial or in all, so a name or a clock and no category",
                         shown_name(label.spec.name));
    case LabelUse::category:
      break;
  }
  std::vector<std::string> options;
  for (const OptionCount& option : label.options)
    options.push_back(fmt::format("{} x{}", shown_name(option.name), option.n_trials));
  const std::size_t n = std::min(options.size(), kOptionsShown);
  return fmt::format("{} ({}{}): {}{}", shown_name(label.spec.name), to_text(label.spec.kind),
                     label.spec.bins > 0 ? fmt::format(", {} bins", label.spec.bins) : "",
                     fmt::join(options.begin(), options.begin() + static_cast<std::ptrdiff_t>(n), ", "),
                     options.size() > n ? fmt::format(", ... ({} in all)", options.size()) : "");
}

const LabelCheck& label_of(const Check& check, const std::string& category) {
  return *std::find_if(check.labels.begin(), check.labels.end(),
                       [&](const LabelCheck& label) { return label.spec.name == category; });
}

// Two categories: the first down, the second across.
std::string cross_table(const Check& check) {
  const auto& down = label_of(check, check.categories[0]).options;
  const auto& across = label_of(check, check.categories[1]).options;
  std::size_t width = 0;
  for (const OptionCount& option : down) width = std::max(width, n_characters(shown_name(option.name)));
  std::string out = fmt::format("\n  {:{}}", "", width);
  for (const OptionCount& option : across) out += "  " + shown_name(option.name);
  for (const OptionCount& row : down) {
    out += "\n  " + left_aligned(shown_name(row.name), width);
    for (const OptionCount& column : across) {
      const auto cell = std::find_if(check.cells.begin(), check.cells.end(), [&](const DesignCell& c) {
        return c.options[0] == row.name && c.options[1] == column.name;
      });
      out += fmt::format("  {:>{}}", cell == check.cells.end() ? "-" : fmt::format("{}", cell->n_trials),
                         n_characters(shown_name(column.name)));
    }
  }
  return out;
}

std::string design_text(const Check& check) {
  if (check.categories.size() < 2) return "";
  std::string out =
      fmt::format("\ndesign {}: {} of {} combinations have trials",
                  fmt::join(shown_names(check.categories), " x "), check.cells.size(), check.n_cells);
  if (check.categories.size() == 2 && label_of(check, check.categories[1]).options.size() <= kWidestTable)
    return out + cross_table(check);
  for (std::size_t i = 0; i < std::min(check.cells.size(), kCellsShown); ++i)
    out += fmt::format("\n  {} x{}", fmt::join(shown_names(check.cells[i].options), ", "),
                       check.cells[i].n_trials);
  if (check.cells.size() > kCellsShown)
    out += fmt::format("\n  ... ({} in all, the JSON lists them)", check.cells.size());
  return out;
}

// Those that go together most, first.
std::string pairs_text(const Check& check) {
  std::vector<PairCheck> pairs = check.pairs;
  if (pairs.size() > kPairsShown)
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const PairCheck& a, const PairCheck& b) { return a.cramers_v > b.cramers_v; });
  std::string out;
  for (std::size_t i = 0; i < std::min(pairs.size(), kPairsShown); ++i)
    out += fmt::format("\n{} and {}: Cramer's V {:.2f}, {} of {} combinations without trials", pairs[i].first,
                       pairs[i].second, pairs[i].cramers_v, pairs[i].n_empty, pairs[i].n_cells);
  if (pairs.size() > kPairsShown)
    out += fmt::format("\n... ({} pairs in all, the JSON lists them)", pairs.size());
  return out;
}

}  // namespace

std::string to_text(const Check& check) {
  std::string out =
      fmt::format("{} trials of {} channels, {}\n", check.n_trials, check.n_channels, times_text(check.time));
  out += fmt::format("values from {:.6g} to {:.6g}, {:.3g} % zeros; {}\n", check.values.minimum,
                     check.values.maximum, 100 * check.values.zero_share, gaps_text(check));
  out += fmt::format("a fit takes about {} of memory and, on this machine, some {}",
                     bytes_text(check.memory_bytes), seconds_text(check.fit_seconds));
  for (const LabelCheck& label : check.labels) out += "\nlabel " + label_text(label);
  out += design_text(check);
  out += pairs_text(check);
  if (check.findings.empty()) out += "\nnothing to worry about";
  for (std::size_t i = 0; i < check.findings.size(); ++i)
    out += fmt::format("\n{}. {}\n   -> {}", i + 1, check.findings[i].text, check.findings[i].advice);
  return out;
}

}  // namespace milcci
