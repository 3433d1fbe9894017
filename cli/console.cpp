#include "console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "option_words.hpp"
#include "streams.hpp"

namespace milcci::cli {
namespace {

constexpr int kBarWidth = 30;

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

std::string duration_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 3600) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string what_is_done(const Progress& progress) {
  if (progress.stage == "start") return "start: " + progress.phase;
  return fmt::format("iteration {} of at most {}: R2 {:.4f}, objective {:.6g}", progress.step,
                     progress.max_steps, progress.record.r2, progress.record.objective.total());
}

// 1, 2, 5, 10, 20, 50, ...: few lines however long the fit.
bool is_landmark(int step) {
  while (step > 0 && step % 10 == 0) step /= 10;
  return step == 1 || step == 2 || step == 5;
}

}  // namespace

void Console::say(const std::string& line) const {
  if (!is_quiet_) talk(line.ends_with('\n') ? line : line + "\n");
}

void Console::warn(const std::vector<std::string>& warnings) const {
  for (const std::string& warning : warnings) say("warning: " + with_flags(warning));
}

ProgressView::ProgressView(bool is_quiet) : is_quiet_(is_quiet), is_terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressView::~ProgressView() {
  if (has_bar_) talk("\n");
}

void ProgressView::show(const Progress& progress) {
  if (is_quiet_) return;
  const std::lock_guard lock(mutex_);
  if (progress.stage != stage_) {
    stage_ = progress.stage;
    stage_began_ = Clock::now();
  }
  if (is_terminal_)
    draw_bar(progress);
  else
    print_line(progress);
}

void ProgressView::draw_bar(const Progress& progress) {
  const bool is_last = progress.step >= progress.max_steps;
  const bool is_due = !has_bar_ || seconds_since(last_drawn_) > 0.1;
  if (!is_due && !is_last) return;
  const double share = static_cast<double>(progress.step) / std::max(progress.max_steps, 1);
  const int filled = std::clamp(static_cast<int>(share * kBarWidth), 0, kBarWidth);
  const double left = seconds_since(stage_began_) * (1 - share) / std::max(share, 1e-9);
  const bool may_end_earlier = progress.stage == "fit";
  // Carriage return and "erase to the end of the line": the bar is drawn over itself.
  draw(fmt::format("\r[{}{}] {}, {}{} left\x1b[K", std::string(static_cast<std::size_t>(filled), '#'),
                   std::string(static_cast<std::size_t>(kBarWidth - filled), '.'), what_is_done(progress),
                   may_end_earlier ? "at most " : "", duration_text(left)));
  has_bar_ = true;
  last_drawn_ = Clock::now();
}

void ProgressView::print_line(const Progress& progress) {
  const bool is_news = progress.stage == "start" ? progress.phase != phase_ : is_landmark(progress.step);
  phase_ = progress.phase;
  if (is_news) talk(what_is_done(progress) + "\n");
}

}  // namespace milcci::cli
