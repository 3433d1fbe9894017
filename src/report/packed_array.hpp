// Arrays in a report: rounded to steps, compressed, and written as base64 (docs/report-format.md).
#pragma once

#include <span>
#include <vector>

#include "core/json_object.hpp"
#include "milcci/types.hpp"

namespace milcci {

/// The lengths of the axes; the last one runs fastest.
using PackedShape = std::vector<Index>;

/// Every number as it is.
Json pack_exact(std::span<const double> values, const PackedShape& shape);
/// In single precision.
Json pack_single(std::span<const double> values, const PackedShape& shape);

/// Rounded to a step per index of the first axis, the largest absolute value over 2^(bits - 1) - 1, with at
/// most 16 bits. Zero stays zero, and nothing else becomes zero. NaN is missing.
Json pack_rounded(std::span<const double> values, const PackedShape& shape, int bits = 16);

/// Rounded to 254 steps from the least to the largest value per index of the first axis. NaN is missing.
Json pack_coarse(std::span<const double> values, const PackedShape& shape);

/// Any bytes as base64 (RFC 4648).
std::string base64(std::span<const unsigned char> bytes);

}  // namespace milcci
