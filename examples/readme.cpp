// Make trials with known truth, fit them, and see how well the truth was found.
#include <iostream>
#include <milcci/milcci.hpp>

int main() {
  const milcci::Trials trials = milcci::simulate({.n_channels = 40, .n_trials = 100, .seed = 1});

  milcci::FitOptions options;
  options.categories = {{.name = "difficulty", .n_components = 2, .kind = milcci::CategoryKind::ordinal},
                        {.name = "choice", .n_components = 2}};
  options.nonnegative = milcci::NonNegative::both;

  const milcci::FitResult result = milcci::fit(trials, options);
  std::cout << result.summary.brief_report() << milcci::to_table(milcci::evaluate(result.model, trials));

  // How strongly the first channels belong to the first component of "difficulty", option by option.
  const milcci::FittedCategory& difficulty = result.model.categories[0];
  for (std::size_t i = 0; i < difficulty.variants.size(); ++i)
    std::cout << "difficulty " << difficulty.category.options[i] << ": "
              << difficulty.variants[i].col(0).head(6).transpose() << "\n";
}
