#include "util/physical_memory.hpp"

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace milcci {

std::optional<double> physical_memory() {
#ifdef _SC_PHYS_PAGES
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages > 0 && size > 0) return static_cast<double>(pages) * static_cast<double>(size);
#endif
  return {};
}

}  // namespace milcci
