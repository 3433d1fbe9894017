#include "interrupt.hpp"

#include <atomic>
#include <csignal>

namespace milcci::cli {
namespace {

// Set by the handler, read by whatever thread reports progress.
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void note_interrupt(int) {
  interrupted = true;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  // SA_RESETHAND: the next one finds the default handler again. SA_RESTART: files being read stay unharmed.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

bool is_interrupted() {
  return interrupted;
}

}  // namespace milcci::cli
