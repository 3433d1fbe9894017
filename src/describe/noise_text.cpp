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

// After how many time points the correlation of a trace with itself has fallen to 1 / e, by its weights:
// the correlation from one time point to the next is that of r phi_t^2 + q (phi_t - phi_{t-1})^2.
double time_constant(double ridge, double smoothness) {
  if (!(smoothness > 0)) return 0.0;
  const double lag1 =
      (ridge + 2.0 * smoothness - std::sqrt(ridge * (ridge + 4.0 * smoothness))) / (2.0 * smoothness);
  return lag1 > 0 && lag1 < 1 ? -1.0 / std::log(lag1) : 0.0;
}

Vector time_constants(const NoiseModel& noise) {
  Vector result(noise.ridge.size());
  for (Index j = 0; j < result.size(); ++j) result(j) = time_constant(noise.ridge(j), noise.smoothness(j));
  return result;
}

std::string range_text(const Vector& values) {
  std::vector<double> all(values.data(), values.data() + values.size());
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  return fmt::format("{:.3g} to {:.3g}, median {:.3g}", *least, *most, percentile(all, 0.5));
}

}  // namespace

std::string noise_json(const NoiseModel& noise) {
  if (!noise.is_calibrated() && noise.offset.size() == 0) return "null";
  json out = json::object();
  out["offset"] = to_array(noise.offset);
  out["level"] = to_array(noise.level);
  out["unit"] = noise.unit;
  out["members"] = noise.keeps_sparsity ? "sparsity" : "standard errors";
  out["ridge"] = to_array(noise.ridge);
  out["smoothness"] = to_array(noise.smoothness);
  out["time_constant"] = to_array(time_constants(noise));
  out["consistency"] = json::array();
  for (const Vector& weights : noise.consistency) out["consistency"].push_back(to_array(weights));
  return out.dump();
}

std::string noise_text(const NoiseModel& noise) {
  std::string text;
  if (noise.offset.size() > 0)
    text += fmt::format("  {:<12} {} (per channel)\n", "offset", range_text(noise.offset));
  if (noise.is_calibrated())
    text += fmt::format("  {:<12} {} (standard deviation per channel)\n", "noise", range_text(noise.level));
  if (noise.ridge.size() == 0) return text;
  text += fmt::format("  {:<12} {} of the squared traces\n", "ridge", range_text(noise.ridge));
  const Vector constants = time_constants(noise);
  if (constants.maxCoeff() > 0)
    text += fmt::format("  {:<12} {} time points until a trace forgets (0: as rough as the noise)\n",
                        "memory", range_text(constants));
  return text;
}

}  // namespace milcci
