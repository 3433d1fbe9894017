// What is in a trials or model file, for people and for programs. `info` shows it, `simulate` ends with it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "milcci/model.hpp"
#include "milcci/trials.hpp"

namespace milcci::cli {

nlohmann::json describe_json(const Trials& trials);
std::string describe_text(const Trials& trials);
/// How the trials were read and prepared, a line per step; empty if they have no history.
std::string history_text(const Trials& trials);

nlohmann::json describe_json(const FitResult& result);
std::string describe_text(const FitResult& result);

}  // namespace milcci::cli
