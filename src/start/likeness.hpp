// Whether memberships tell which variants are of one component.
#pragma once

#include "label_graphs/design.hpp"

namespace milcci {

/// Mean cosines: of variants of one component under options that are tied, and of different components.
struct Likeness {
  double of_variants = 1, of_strangers = 0;
  /// Variants are hardly more alike than different components are. Never where no options are tied.
  bool is_slight() const;
};

/// Of category k. `unit`: components of length one.
Likeness likeness_of_variants(const Design& design, const Components& unit, std::size_t k);

}  // namespace milcci
