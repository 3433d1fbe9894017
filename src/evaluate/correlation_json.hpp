// How well components or traces match, as JSON.
#pragma once

#include "core/json_object.hpp"
#include "milcci/evaluate.hpp"

namespace milcci {

inline Json to_object(const CorrelationSummary& summary) {
  return {{"mean", to_json_value(summary.mean)},
          {"min", to_json_value(summary.min)},
          {"p05", to_json_value(summary.p05)}};
}

}  // namespace milcci
