#include "read/tables/usual_names.hpp"

#include <algorithm>

namespace milcci::read {

const UsualNames kTrialNames = {"trial",      "trialid", "trialnumber", "trialname",
                                "trialindex", "trialno", "trialnum",    "trials"};
const UsualNames kChannelNames = {"channel",  "channelid",    "channelname", "channels", "channelno",
                                  "neuron",   "neuronid",     "unit",        "unitid",   "cell",
                                  "cellid",   "electrode",    "sensor",      "roi",      "site",
                                  "variable", "channelindex", "neurons",     "units"};
const UsualNames kGroupNames = {"channelgroup", "channelgroups"};
const UsualNames kTimeNames = {"time",      "times",     "t",       "timems",   "timesec", "timeseconds",
                               "timestamp", "timepoint", "timebin", "datetime", "date",    "day",
                               "bin",       "sample",    "frame",   "year"};
const UsualNames kValueNames = {"value",    "values",      "y",        "count", "counts",
                                "rate",     "signal",      "dff",      "views", "response",
                                "activity", "measurement", "amplitude"};

std::size_t rank_among(const UsualNames& usual, const std::string& name) {
  std::string bare;
  for (const char c : name) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) bare += c;
    if (c >= 'A' && c <= 'Z') bare += static_cast<char>(c - 'A' + 'a');
  }
  return static_cast<std::size_t>(std::find(usual.begin(), usual.end(), bare) - usual.begin());
}

}  // namespace milcci::read
