// What the program says while it works, all of it to standard error.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "milcci/fit.hpp"

namespace milcci::cli {

/// Lines for people; nothing if quiet.
class Console {
 public:
  explicit Console(bool is_quiet) : is_quiet_(is_quiet) {}

  void say(const std::string& line) const;
  void warn(const std::vector<std::string>& warnings) const;
  bool is_quiet() const { return is_quiet_; }

 private:
  bool is_quiet_;
};

/// Shows how far a fit has come: a bar with the time left on a terminal, a few plain lines elsewhere.
/// May be called from several threads.
class ProgressView {
 public:
  explicit ProgressView(bool is_quiet);
  ~ProgressView();
  void show(const Progress& progress);

 private:
  void draw_bar(const Progress& progress);
  void print_line(const Progress& progress);

  using Clock = std::chrono::steady_clock;
  std::mutex mutex_;
  const bool is_quiet_, is_terminal_;
  bool has_bar_ = false;
  std::string stage_, phase_;
  Clock::time_point stage_began_, last_drawn_;
};

}  // namespace milcci::cli
