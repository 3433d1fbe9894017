// The flags that say what to simulate, shared by the verbs that do.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "milcci/simulate.hpp"

namespace milcci::cli {

struct SimulationRequest {
  std::string preset_name = "paper";
  SimulateOptions options;
  std::vector<std::string> categories;  ///< as typed; empty: the preset's

  /// The options with the categories that were typed.
  SimulateOptions resolved() const;
};

/// Adds --preset, --category, --length and a flag per field. `request` must outlive the parser.
void add_simulation(CLI::App& parser, SimulationRequest& request);

}  // namespace milcci::cli
