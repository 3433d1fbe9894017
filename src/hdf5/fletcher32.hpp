// The checksum that HDF5's filter of this name puts behind a chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace milcci {

/// Whether `checksum` is that of these bytes, an even number of them.
bool has_fletcher32(std::span<const std::byte> bytes, std::uint32_t checksum);

}  // namespace milcci
