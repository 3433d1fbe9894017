#include "util/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace milcci {

int resolve_threads(int requested) {
  return requested > 0 ? requested : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int threads_for(std::size_t n_values, int threads) {
  constexpr std::size_t kValuesPerThread = 100'000;  // some ten microseconds, what a thread costs
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
  const int n_workers = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(n_threads), n));
  std::vector<std::jthread> helpers;
  for (int thread = 1; thread < n_workers; ++thread) helpers.emplace_back(work, thread);
  work(0);
  helpers.clear();  // joins
  if (first_error) std::rethrow_exception(first_error);
}

}  // namespace milcci
