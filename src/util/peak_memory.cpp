#include "util/peak_memory.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace milcci {
namespace {

// A line of /proc/self/status such as "VmHWM:   1234 kB".
std::optional<double> status(const std::string& key) {
  std::ifstream file("/proc/self/status");
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind(key + ":", 0) != 0) continue;
    std::istringstream rest(line.substr(key.size() + 1));
    double kilobytes = 0;
    if (rest >> kilobytes) return 1024 * kilobytes;
  }
  return {};
}

// Begins to count the peak again. Without it an earlier, larger peak would be told.
bool reset_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5";
  file.flush();
  return file.good();
}

}  // namespace

PeakMemory::PeakMemory() {
#ifdef __GLIBC__
  malloc_trim(0);  // what earlier work has freed would be used again, and not be seen
#endif
  if (reset_peak()) before_ = status("VmRSS");
}

std::optional<double> PeakMemory::bytes() const {
  const std::optional<double> peak = before_ ? status("VmHWM") : std::nullopt;
  if (!peak) return {};
  return std::max(0.0, *peak - *before_);
}

}  // namespace milcci
