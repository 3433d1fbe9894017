#include "util/parallel.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace milcci {
namespace {

// A thread that waits for loops. Starting a thread costs as much as a short loop, so it stays for
// the next.
class Helper {
 public:
  Helper() { std::thread(&Helper::serve, this).detach(); }
  void call(const std::function<void(int)>& work, int thread) {
    work_ = &work;
    thread_ = thread;
    state_ = State::called;
    state_.notify_one();
  }
  /// Waits until work that was begun is done. A thread that has not yet woken need not come: the
  /// others left nothing to do.
  void dismiss() {
    State called = State::called;
    if (!state_.compare_exchange_strong(called, State::idle)) wait_while(State::working);
  }

 private:
  enum class State { idle, called, working };
  // Loops follow each other closely and their threads end together: most waits are shorter than it takes to
  // fall asleep and be woken.
  void wait_while(State state) {
    constexpr int kLooks = 200;
    for (int look = 0; look < kLooks && state_ == state; ++look) std::this_thread::yield();
    state_.wait(state);
  }
  [[noreturn]] void serve() {
    for (;;) {
      wait_while(State::idle);
      State called = State::called;
      if (!state_.compare_exchange_strong(called, State::working)) continue;  // dismissed meanwhile
      (*work_)(thread_);
      state_ = State::idle;
      state_.notify_one();
    }
  }
  const std::function<void(int)>* work_ = nullptr;
  int thread_ = 0;
  std::atomic<State> state_{State::idle};
};

// Helpers without work. Never destroyed, because they wait until the process ends. A forked process
// has none of its parent's threads and begins with an empty reserve.
class Reserve {
 public:
  static Reserve& of_this_process() {
    static std::atomic<Reserve*> current{nullptr};
    Reserve* reserve = current;
    while (!reserve || reserve->process_ != getpid()) {
      auto fresh = std::make_unique<Reserve>();
      if (current.compare_exchange_strong(reserve, fresh.get())) reserve = fresh.release();
    }
    return *reserve;
  }
  /// Fewer if the system gives no more threads.
  std::vector<Helper*> take(std::size_t n) {
    const std::scoped_lock lock(mutex_);
    try {
      while (waiting_.size() < n) waiting_.push_back(new Helper);
    } catch (const std::system_error&) {
    }
    const auto first = waiting_.end() - static_cast<std::ptrdiff_t>(std::min(n, waiting_.size()));
    const std::vector<Helper*> taken(first, waiting_.end());
    waiting_.erase(first, waiting_.end());
    return taken;
  }
  void give_back(const std::vector<Helper*>& helpers) {
    const std::scoped_lock lock(mutex_);
    waiting_.insert(waiting_.end(), helpers.begin(), helpers.end());
  }

 private:
  pid_t process_ = getpid();
  std::mutex mutex_;
  std::vector<Helper*> waiting_;
};

}  // namespace

int resolve_threads(int requested) {
  return requested > 0 ? requested : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int threads_for(std::size_t n_values, int threads) {
  constexpr std::size_t kValuesPerThread = 30'000;  // ten microseconds, the time to wake a thread
  return static_cast<int>(
      std::clamp<std::size_t>(n_values / kValuesPerThread, 1, static_cast<std::size_t>(threads)));
}

void parallel_for(std::size_t n, int n_threads, const std::function<void(std::size_t, int)>& body) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr first_error;
  std::mutex error_mutex;
  const auto work = [&](int thread) {
    try {
      for (std::size_t i = next++; i < n; i = next++) body(i, thread);
    } catch (...) {
      next = n;
      const std::scoped_lock lock(error_mutex);
      if (!first_error) first_error = std::current_exception();
    }
  };
  const std::size_t n_workers = std::min(static_cast<std::size_t>(std::max(n_threads, 1)), n);
  if (n_workers <= 1) {
    work(0);
  } else {
    const std::function<void(int)> shared = work;
    const std::vector<Helper*> helpers = Reserve::of_this_process().take(n_workers - 1);
    for (std::size_t h = 0; h < helpers.size(); ++h) helpers[h]->call(shared, static_cast<int>(h) + 1);
    work(0);
    for (Helper* helper : helpers) helper->dismiss();
    Reserve::of_this_process().give_back(helpers);
  }
  if (first_error) std::rethrow_exception(first_error);
}

}  // namespace milcci
