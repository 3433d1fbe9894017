#include "start/search_progress.hpp"

#include <algorithm>

namespace milcci {

void SearchProgress::begin_phase(const std::string& name) {
  phase_ = name;
  tell();
}

void SearchProgress::finish() {
  done_ = planned_;
  begin_phase("done");
}

void SearchProgress::add(long iterations) {
  done_ += iterations;
  if (std::this_thread::get_id() == owner_) tell();
}

// Iterations of small data take microseconds: the callback is not called that often.
Continue SearchProgress::go_on() {
  constexpr std::chrono::milliseconds kPause{50};
  if (std::this_thread::get_id() == owner_ && Clock::now() - last_told_ >= kPause) tell();
  return is_stopped_ ? Continue::stop : Continue::yes;
}

void SearchProgress::tell() {
  last_told_ = Clock::now();
  if (!callback_ || is_stopped_) return;
  const Progress progress{.stage = "start",
                          .phase = phase_,
                          .step = static_cast<int>(std::min(done_.load(), planned_)),
                          .max_steps = static_cast<int>(planned_),
                          .record = {}};
  if (callback_(progress) == Continue::stop) is_stopped_ = true;
}

}  // namespace milcci
