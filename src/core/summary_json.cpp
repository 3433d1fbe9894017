// The summary of a fit to JSON and back; each list of keys is written once and walked in both directions.
#include "core/json_object.hpp"
#include "core/objective_text.hpp"
#include "core/options_json.hpp"
#include "milcci/model.hpp"

namespace milcci {

namespace {

template <class Record, class Visitor>
void visit_iteration(Record&& record, Visitor&& visit) {
  visit("iteration", record.iteration);
  visit("stage", record.stage);
  visit("r2", record.r2);
  visit("relative_change", record.relative_change);
  visit("component_change", record.component_change);
  visit("seconds", record.seconds);
}

template <class Record, class Visitor>
void visit_candidate(Record&& record, Visitor&& visit) {
  visit("stream", record.stream);
  visit("objective", record.objective);
  visit("round", record.round);
  visit("behind", record.behind);
  visit("similarity", record.similarity);
}

template <class Summary, class Visitor>
void visit_summary(Summary&& summary, Visitor&& visit) {
  visit("version", summary.version);
  visit("reason", summary.reason);
  visit("message", summary.message);
  visit("r2", summary.r2);
  visit("seconds_start", summary.seconds_start);
  visit("seconds_traces", summary.seconds_traces);
  visit("seconds_components", summary.seconds_components);
  visit("seconds_total", summary.seconds_total);
  visit("data_fingerprint", summary.data_fingerprint);
  visit("warnings", summary.warnings);
  visit("explained", summary.explained);
  visit("category_gain", summary.category_gain);
  visit("stability", summary.stability);
}

template <class Record, class Visitor>
void visit_alternative(Record&& record, Visitor&& visit) {
  visit("behind", record.behind);
  visit("similarity", record.similarity);
}

constexpr ErrorKind kKind = ErrorKind::bad_file;

auto writer(Json& json) {
  return [&json](const char* key, const auto& member) { json[key] = to_json_value(member); };
}

auto reader(JsonObject& object) {
  return [&object](const char* key, auto& member) { object.read(key, member); };
}

Json iteration_to_json(const IterationRecord& record) {
  Json json = Json::object();
  visit_iteration(record, writer(json));
  json["objective"] = objective_to_json(record.objective);
  return json;
}

IterationRecord iteration_from_json(const Json& json, const std::string& what) {
  IterationRecord record;
  JsonObject object(json, what, kKind, MissingKey::is_an_error);
  visit_iteration(record, reader(object));
  record.objective = objective_from_json(*object.find("objective"), what + ", `objective`");
  object.refuse_unknown_keys();
  return record;
}

// A record whose keys `visit` lists.
template <class Record, class Visit>
Record record_from_json(const Json& json, const std::string& what, Visit visit) {
  Record record;
  JsonObject object(json, what, kKind, MissingKey::is_an_error);
  visit(record, reader(object));
  object.refuse_unknown_keys();
  return record;
}

}  // namespace

std::string to_json(const FitSummary& summary) {
  Json json = Json::object();
  visit_summary(summary, writer(json));
  // Said for people and scripts; not read back.
  json["firmness"] = to_json_value(summary.firmness());
  const CandidateRecord* next = summary.next_distinct();
  json["next_distinct"] = next == nullptr ? Json(nullptr) : to_json_value(next->stream);
  json["fitted_fingerprint"] = summary.fitted_fingerprint;
  json["objective"] = summary.objective ? objective_to_json(*summary.objective) : Json(nullptr);
  json["r2_without_outliers"] =
      summary.r2_without_outliers ? to_json_value(*summary.r2_without_outliers) : Json(nullptr);
  json["options"] = options_to_json(summary.options);
  json["times_found"] = summary.times_found;
  json["certainty"] = Json::array();
  for (const Certainty word : summary.certainty) json["certainty"].push_back(to_text(word));
  json["alternatives"] = Json::array();
  for (const Alternative& record : summary.alternatives) {
    Json alternative = Json::object();
    visit_alternative(record, writer(alternative));
    json["alternatives"].push_back(alternative);
  }
  json["candidates"] = Json::array();
  for (const CandidateRecord& record : summary.candidates) {
    Json candidate = Json::object();
    visit_candidate(record, writer(candidate));
    json["candidates"].push_back(candidate);
  }
  json["iterations"] = Json::array();
  for (const IterationRecord& record : summary.iterations)
    json["iterations"].push_back(iteration_to_json(record));
  return dump_json(json, 2, "the summary", ErrorKind::bad_input);
}

FitSummary summary_from_json(const std::string& text) {
  const Json json = parse_json(text, "the summary", kKind);
  FitSummary summary;
  JsonObject object(json, "the summary", kKind, MissingKey::is_an_error);
  visit_summary(summary, reader(object));
  if (json.contains("fitted_fingerprint")) object.read("fitted_fingerprint", summary.fitted_fingerprint);
  const Json* objective = json.contains("objective") ? object.find("objective") : nullptr;
  if (objective != nullptr && !objective->is_null())
    summary.objective = objective_from_json(*objective, "the summary, `objective`");
  if (json.contains("r2_without_outliers") && !object.find("r2_without_outliers")->is_null())
    object.read("r2_without_outliers", summary.r2_without_outliers.emplace());
  summary.options = options_from_json(*object.find("options"), kKind);
  for (const Json& candidate : object.find_array("candidates"))
    summary.candidates.push_back(record_from_json<CandidateRecord>(
        candidate, "candidate " + std::to_string(summary.candidates.size()) + " of the summary",
        [](auto& record, auto read) { visit_candidate(record, read); }));
  for (const Json& record : object.find_array("iterations"))
    summary.iterations.push_back(iteration_from_json(
        record, "record " + std::to_string(summary.iterations.size()) + " of the summary's iterations"));
  if (json.contains("certainty")) {  // not in older files
    object.read("times_found", summary.times_found);
    object.read("certainty", summary.certainty);
    for (const Json& record : object.find_array("alternatives"))
      summary.alternatives.push_back(record_from_json<Alternative>(
          record, "alternative " + std::to_string(summary.alternatives.size()) + " of the summary",
          [](auto& alternative, auto read) { visit_alternative(alternative, read); }));
  }
  object.find("firmness");
  object.find("next_distinct");
  object.refuse_unknown_keys();
  return summary;
}

}  // namespace milcci
