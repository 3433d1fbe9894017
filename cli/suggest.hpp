// The word that was probably meant.
#pragma once

#include <string>
#include <vector>

namespace milcci::cli {

/// The nearest of the words if it is near enough to be a typing mistake, else "".
std::string nearest(const std::string& word, const std::vector<std::string>& words);

/// The end of a sentence about a wrong word: ". Did you mean X?" or ".".
std::string did_you_mean(const std::string& word, const std::vector<std::string>& words);

}  // namespace milcci::cli
