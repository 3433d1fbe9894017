// The summary of a fit to JSON and back; each list of keys is written once and walked in both directions.
#include "core/json_object.hpp"
#include "core/options_json.hpp"
#include "milcci/model.hpp"

namespace milcci {

namespace {

template <class Terms, class Visitor>
void visit_objective(Terms&& objective, Visitor&& visit) {
  visit("fit", objective.fit);
  visit("sparsity", objective.sparsity);
  visit("consistency", objective.consistency);
  visit("smoothness", objective.smoothness);
  visit("decorrelation", objective.decorrelation);
  visit("transition", objective.transition);
  visit("ridge", objective.ridge);
}

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

constexpr ErrorKind kKind = ErrorKind::bad_file;

auto writer(Json& json) {
  return [&json](const char* key, const auto& member) { json[key] = to_json_value(member); };
}

auto reader(JsonObject& object) {
  return [&object](const char* key, auto& member) { object.read(key, member); };
}

Json iteration_to_json(const IterationRecord& record) {
  Json json = Json::object(), terms = Json::object();
  visit_iteration(record, writer(json));
  visit_objective(record.objective, writer(terms));
  // Said for people and scripts; not read back.
  terms["total"] = to_json_value(record.objective.total());
  json["objective"] = terms;
  return json;
}

IterationRecord iteration_from_json(const Json& json, const std::string& what) {
  IterationRecord record;
  JsonObject object(json, what, kKind, MissingKey::is_an_error);
  visit_iteration(record, reader(object));
  JsonObject terms(*object.find("objective"), what + ", `objective`", kKind, MissingKey::is_an_error);
  visit_objective(record.objective, reader(terms));
  terms.find("total");
  terms.refuse_unknown_keys();
  object.refuse_unknown_keys();
  return record;
}

CandidateRecord candidate_from_json(const Json& json, const std::string& what) {
  CandidateRecord record;
  JsonObject object(json, what, kKind, MissingKey::is_an_error);
  visit_candidate(record, reader(object));
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
  json["options"] = options_to_json(summary.options);
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
  summary.options = options_from_json(*object.find("options"), kKind);
  for (const Json& candidate : object.find_array("candidates"))
    summary.candidates.push_back(candidate_from_json(
        candidate, "candidate " + std::to_string(summary.candidates.size()) + " of the summary"));
  for (const Json& record : object.find_array("iterations"))
    summary.iterations.push_back(iteration_from_json(
        record, "record " + std::to_string(summary.iterations.size()) + " of the summary's iterations"));
  object.find("firmness");
  object.find("next_distinct");
  object.refuse_unknown_keys();
  return summary;
}

}  // namespace milcci
