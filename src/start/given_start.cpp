#include "start/given_start.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "milcci/error.hpp"
#include "util/columns.hpp"

namespace milcci {
namespace {

const CategoryComponents& find_category(const Start& start, const Category& category, Index n_channels) {
  const std::string& name = category.spec.name;
  const auto found = std::find_if(start.begin(), start.end(), [&](const auto& c) { return c.name == name; });
  if (found == start.end() || found->variants.empty())
    throw Error(ErrorKind::bad_input, fmt::format("the start has no components for category '{}'", name));
  if (found->n_components() != category.spec.n_components)
    throw Error(ErrorKind::bad_input,
                fmt::format("category '{}': the start has {} components, the fit asks for {}", name,
                            found->n_components(), category.spec.n_components));
  if (found->variants[0].rows() != n_channels)
    throw Error(ErrorKind::bad_input,
                fmt::format("category '{}': the start has {} channels, the trials have {}", name,
                            found->variants[0].rows(), n_channels));
  return *found;
}

}  // namespace

Start start_of(const Model& model) {
  Start start;
  for (const FittedCategory& fitted : model.categories)
    start.push_back({fitted.category.spec.name, fitted.category.options, fitted.variants});
  return start;
}

Components components_from(const Start& start, const Design& design, Index n_channels,
                           const FitOptions& options, std::vector<std::string>& warnings) {
  const bool is_nonnegative =
      options.nonnegative == NonNegative::components || options.nonnegative == NonNegative::both;
  Components components;
  for (const Category& category : design.categories) {
    const CategoryComponents& given = find_category(start, category, n_channels);
    Matrix mean = Matrix::Zero(n_channels, given.n_components());
    for (const Matrix& variant : given.variants) mean += variant / static_cast<double>(given.n_options());
    std::vector<Matrix> variants;
    for (const std::string& option : category.options) {
      const auto position =
          std::find(given.options.begin(), given.options.end(), option) - given.options.begin();
      const bool is_known = position < static_cast<std::ptrdiff_t>(given.options.size());
      if (!is_known)
        warnings.push_back(
            fmt::format("category '{}': the start has no option '{}', its mean variant is used",
                        category.spec.name, option));
      Matrix variant = is_known ? given.variants[static_cast<std::size_t>(position)] : mean;
      if (is_nonnegative) variant = variant.cwiseMax(0.0);
      normalise_columns(variant);
      variants.push_back(std::move(variant));
    }
    components.push_back(std::move(variants));
  }
  return components;
}

}  // namespace milcci
