// What can be asked of a model without its data.
#include "milcci/model.hpp"

#include <fmt/format.h>

#include "milcci/error.hpp"

namespace milcci {

Index Model::n_components() const {
  Index n = 0;
  for (const FittedCategory& fitted : categories) n += fitted.n_components();
  return n;
}

Matrix Model::loading(std::size_t trial) const {
  Matrix loading(n_channels(), n_components());
  Index column = 0;
  for (const FittedCategory& fitted : categories) {
    const int option = fitted.category.option_of_trial[trial];
    const Matrix& variant = fitted.variants[static_cast<std::size_t>(option)];
    loading.middleCols(column, variant.cols()) = variant;
    column += variant.cols();
  }
  return loading;
}

Matrix Model::reconstruction(std::size_t trial) const {
  Matrix made = loading(trial) * traces[trial];
  if (noise.offset.size() > 0) made.colwise() += noise.offset;
  return made;
}

Model::Place Model::place(Index component) const {
  Index first = 0;
  for (std::size_t k = 0; k < categories.size(); ++k) {
    const Index n = categories[k].n_components();
    if (component >= first && component < first + n) return {k, component - first};
    first += n;
  }
  throw Error(ErrorKind::bad_input,
              fmt::format("component {} was asked for, must be between 0 and {}", component, first - 1));
}

std::vector<Index> Model::dead_components() const {
  std::vector<Index> dead;
  Index first = 0;
  for (const FittedCategory& fitted : categories) {
    for (Index j = 0; j < fitted.n_components(); ++j) {
      bool is_dead = true;
      for (const Matrix& variant : fitted.variants) is_dead = is_dead && (variant.col(j).array() == 0).all();
      if (is_dead) dead.push_back(first + j);
    }
    first += fitted.n_components();
  }
  return dead;
}

}  // namespace milcci
