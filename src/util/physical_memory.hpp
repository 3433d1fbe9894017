// How much memory this machine has.
#pragma once

#include <optional>

namespace milcci {

/// Bytes; empty where the system does not tell.
std::optional<double> physical_memory();

}  // namespace milcci
