// A parallel loop on plain threads: no OpenMP runtime that could clash with NumPy's or MKL's in one process,
// nothing ThreadSanitizer does not understand. Threads are kept for the next loop. Which thread takes which
// index is left open, so the body must write only to what belongs to its index.
#pragma once

#include <cstddef>
#include <functional>

namespace milcci {

/// The number of threads that `requested` stands for; 0 means all cores.
int resolve_threads(int requested);

/// How many of `threads` are worth waking for a short loop over `n_values` numbers.
int threads_for(std::size_t n_values, int threads);

/// Calls body(i, thread) for i = 0 ... n - 1, thread in 0 ... n_threads - 1. The first exception stops the
/// loop early and is thrown again here.
void parallel_for(std::size_t n, int n_threads, const std::function<void(std::size_t, int)>& body);

}  // namespace milcci
