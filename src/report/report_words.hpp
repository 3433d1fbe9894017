// A report's sentences: what was fitted, how well, what stopped it, what is firm, and how to write it up.
#pragma once

#include "core/json_object.hpp"
#include "milcci/model.hpp"

namespace milcci {

/// `words` of docs/report-format.md.
Json report_words(const FitResult& fitted);
/// The sentences that come first, one per line, for readers without a browser that runs scripts.
std::string report_text(const Json& words);

}  // namespace milcci
