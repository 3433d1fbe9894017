// What the drivers of reading and writing have in common.
#pragma once

#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace milcci::hdf5 {

/// A driver without calls. `value` is its own; 512 and above are free to use.
inline H5FD_class_t driver_class([[maybe_unused]] int value, const char* name, std::size_t info_size) {
  H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(value);
#endif
  driver.name = name;
  driver.maxaddr = static_cast<haddr_t>(INT64_MAX);
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = info_size;
  // Metadata apart from values, as in HDF5's own driver.
  constexpr H5FD_mem_t kMap[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(kMap), std::end(kMap), std::begin(driver.fl_map));
  return driver;
}

}  // namespace milcci::hdf5
