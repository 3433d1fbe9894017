// Sums over blocks of trials. Threads make the parts in any order, but they are added in a fixed
// one, so the sum has the same bits for any number of threads. Sums made by other processes would
// be added here too.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "util/parallel.hpp"

namespace milcci {

/// Calls make(b, thread, part) for the blocks b = 0 ... n_blocks - 1 on several threads, and add(b,
/// part) for one block after the other, in this order. Parts begin as copies of `first_part` and
/// are used again, so `make` must not rely on what is in them. There are a few per thread, however
/// many blocks there are: a thread that is too far ahead waits. The first exception of either stops
/// the sum and is thrown again here.
template <class Part, class Make, class Add>
void sum_over_blocks(std::size_t n_blocks, int threads, const Part& first_part, const Make& make,
                     const Add& add) {
  constexpr std::size_t kPartsPerThread = 4;  // blocks differ in size, and waiting costs more than memory
  const std::size_t n_parts =
      threads <= 1 ? 1 : std::min(n_blocks, kPartsPerThread * static_cast<std::size_t>(threads));
  std::vector<Part> parts(n_parts, first_part);
  std::vector<char> is_made(n_parts, false);
  std::size_t n_added = 0;
  bool is_adding = false, has_failed = false;
  std::mutex mutex;  // guards the three above
  std::condition_variable changed;

  parallel_for(n_blocks, threads, [&](std::size_t b, int thread) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return has_failed || b < n_added + n_parts; });
    if (has_failed) return;
    try {
      lock.unlock();
      make(b, thread, parts[b % n_parts]);
      lock.lock();
      is_made[b % n_parts] = true;
      if (is_adding) return;  // the thread that adds will reach this one too
      is_adding = true;
      while (n_added < n_blocks && is_made[n_added % n_parts]) {
        lock.unlock();
        add(n_added, parts[n_added % n_parts]);
        lock.lock();
        is_made[n_added++ % n_parts] = false;
        changed.notify_all();
      }
      is_adding = false;
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      has_failed = true;
      changed.notify_all();
      throw;
    }
  });
}

}  // namespace milcci
