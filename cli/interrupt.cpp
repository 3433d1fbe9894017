#include "interrupt.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace milcci::cli {
namespace {

// Set by the handler, read by whatever thread reports progress.
std::atomic<int> noted_signal = 0;
std::atomic<std::int64_t> noted_at = 0;  // nanoseconds; 0 until known
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);

constexpr std::int64_t kSecond = 1'000'000'000;

std::int64_t now() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

// timeout(1) sends its signal to the process and to its group, and on a closing terminal both the
// shell and the kernel send SIGHUP: what comes right after the first is the same request. Ctrl-C is
// different, because people press it.
bool is_repetition(int signal) {
  const std::int64_t first = noted_at;
  return signal != SIGINT && (first == 0 || now() - first < kSecond);
}

extern "C" void note_signal(int signal) {
  int none = 0;
  if (noted_signal.compare_exchange_strong(none, signal)) {
    noted_at = now();
  } else if (!is_repetition(signal)) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // takes effect when the handler returns
  }
}

void catch_signal(int signal) {
  struct sigaction before = {};
  sigaction(signal, nullptr, &before);
  // Shells make programs that a script starts in the background ignore SIGINT. It still is the way
  // to stop a fit.
  if (before.sa_handler == SIG_IGN && signal != SIGINT) return;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;  // reads of files are not disturbed
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) catch_signal(signal);
}

int interrupting_signal() {
  return noted_signal;
}

}  // namespace milcci::cli
