#include "core/history.hpp"

namespace milcci {

void add_history(Trials& trials, const std::string& step, const Json& settings,
                 const std::vector<std::string>& notes) {
  Json entry;
  entry["step"] = step;
  for (const auto& [key, value] : settings.items()) entry[key] = value;
  entry["notes"] = notes;
  // Names of files and columns may be of any bytes; what is not UTF-8 is replaced.
  trials.history.push_back(entry.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace milcci
