// Numbers for texts: the same text gets the same number, 0, 1, 2, ... in order of first appearance.
//
// Tables repeat their texts in a regular order, so each text remembers which one followed it last time; that
// guess is nearly always right, and then no hash is computed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "read/text/short_text.hpp"

namespace milcci::read {

class TextIds {
 public:
  using Id = std::uint32_t;

  /// The text must lie in padded memory (short_text.hpp).
  Id id(std::string_view text) {
    if (!ends_.empty() && is_text(guess_[last_], text)) return last_ = guess_[last_];
    return find_or_add(text);
  }
  std::size_t size() const { return ends_.size(); }
  std::string_view text(Id id) const {
    const std::size_t begin = id == 0 ? kPadding : ends_[id - 1];
    return {texts_.data() + begin, ends_[id] - begin};
  }

 private:
  bool is_text(Id id, std::string_view text) const { return is_same_text(this->text(id), text); }
  static constexpr std::size_t kPadding = 8;

  Id find_or_add(std::string_view text);
  void grow();

  std::string texts_ = std::string(2 * kPadding, '\0');  // one after the other, with padding around
  std::vector<std::size_t> ends_;                        // of each text in `texts_`
  std::vector<Id> guess_;                                // per text the one that followed it last
  std::vector<std::uint32_t> slots_;                     // hash table: id + 1, or 0
  Id last_ = 0;
};

}  // namespace milcci::read
