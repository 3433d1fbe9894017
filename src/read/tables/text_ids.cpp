#include "read/tables/text_ids.hpp"

#include <functional>
#include <stdexcept>

namespace milcci::read {

namespace {

std::size_t hash(std::string_view text) {
  return std::hash<std::string_view>{}(text);
}

}  // namespace

void TextIds::grow() {
  slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), 0);
  const std::size_t mask = slots_.size() - 1;
  for (Id i = 0; i < ends_.size(); ++i) {
    std::size_t slot = hash(text(i)) & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = i + 1;
  }
}

TextIds::Id TextIds::find_or_add(std::string_view text) {
  if (2 * ends_.size() >= slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash(text) & mask;
  while (slots_[slot] != 0 && !is_text(slots_[slot] - 1, text)) slot = (slot + 1) & mask;
  Id found = slots_[slot] - 1;
  if (slots_[slot] == 0) {
    if (ends_.size() >= UINT32_MAX - 1) throw std::length_error("more than 4294967294 different texts");
    found = static_cast<Id>(ends_.size());
    texts_.insert(texts_.size() - kPadding, text);
    ends_.push_back(texts_.size() - kPadding);
    guess_.push_back(found);
    slots_[slot] = found + 1;
  }
  guess_[last_] = found;
  return last_ = found;
}

}  // namespace milcci::read
