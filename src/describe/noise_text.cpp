// What a fit estimated of the noise, told.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "milcci/describe.hpp"
#include "util/percentile.hpp"

namespace milcci {
namespace {

using nlohmann::json;

json to_array(const Vector& values) {
  json out = json::array();
  for (const double value : values) out.push_back(std::isfinite(value) ? json(value) : json());
  return out;
}

// Of those that are known.
std::string range_text(const Vector& values) {
  std::vector<double> all(values.data(), values.data() + values.size());
  std::erase_if(all, [](double value) { return !std::isfinite(value); });
  if (all.empty()) return "not known";
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  return fmt::format("{:.3g} to {:.3g}, median {:.3g}", *least, *most, percentile(all, 0.5));
}

}  // namespace

std::string noise_json(const Model& model) {
  const NoiseModel& noise = model.noise;
  if (!noise.is_calibrated() && noise.offset.size() == 0) return "null";
  json out = json::object();
  out["offset"] = to_array(noise.offset);
  out["level"] = to_array(noise.level);
  out["unit"] = noise.unit;
  out["members"] = noise.keeps_sparsity ? "sparsity" : "standard errors";
  out["ridge"] = to_array(noise.ridge);
  out["smoothness"] = to_array(noise.smoothness);
  out["time_constant"] = to_array(time_constants(model));
  out["consistency"] = json::array();
  for (const Vector& weights : noise.consistency) out["consistency"].push_back(to_array(weights));
  return out.dump();
}

std::string noise_text(const Model& model) {
  const NoiseModel& noise = model.noise;
  std::string text;
  if (noise.offset.size() > 0)
    text += fmt::format("  {:<12} {} (per channel)\n", "offset", range_text(noise.offset));
  if (noise.is_calibrated())
    text += fmt::format("  {:<12} {} (standard deviation per channel)\n", "noise", range_text(noise.level));
  if (noise.ridge.size() == 0) return text;
  text += fmt::format("  {:<12} {} of the squared traces\n", "ridge", range_text(noise.ridge));
  text +=
      fmt::format("  {:<12} {} time points until the correlation of a trace with itself has fallen to 1/e\n",
                  "traces", range_text(time_constants(model)));
  return text;
}

}  // namespace milcci
