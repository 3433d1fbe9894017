// One entry for all methods: checks, the method itself, and how it ended as a sentence.
#include "milcci/baselines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "baselines/methods.hpp"
#include "core/field_checks.hpp"
#include "data/check_trials.hpp"
#include "milcci/error.hpp"

namespace milcci {

const std::vector<std::string>& value_names(Baseline) {
  static const std::vector<std::string> names = {"svd",
                                                 "pca",
                                                 "ppca",
                                                 "fa",
                                                 "nmf",
                                                 "parafac",
                                                 "parafac_nonnegative",
                                                 "tucker",
                                                 "slicetca_1",
                                                 "slicetca_1_positive",
                                                 "slicetca_2",
                                                 "slicetca_2_positive",
                                                 "sibblings"};
  return names;
}

std::vector<Baseline> all_baselines() {
  std::vector<Baseline> all;
  for (std::size_t i = 0; i < value_names(Baseline{}).size(); ++i) all.push_back(static_cast<Baseline>(i));
  return all;
}

namespace {

BaselineFit run(Baseline method, const baselines::Task& task) {
  using namespace baselines;
  switch (method) {
    case Baseline::svd:
      return fit_svd(task);
    case Baseline::pca:
      return fit_pca(task);
    case Baseline::ppca:
      return fit_ppca(task);
    case Baseline::fa:
      return fit_factor_analysis(task);
    case Baseline::nmf:
      return fit_nmf(task);
    case Baseline::parafac:
      return fit_parafac(task);
    case Baseline::parafac_nonnegative:
      return fit_parafac_nonnegative(task);
    case Baseline::tucker:
      return fit_tucker(task);
    case Baseline::slicetca_1:
      return fit_slicetca_1(task, Sign::any);
    case Baseline::slicetca_1_positive:
      return fit_slicetca_1(task, Sign::nonnegative);
    case Baseline::slicetca_2:
      return fit_slicetca_2(task, Sign::any);
    case Baseline::slicetca_2_positive:
      return fit_slicetca_2(task, Sign::nonnegative);
    case Baseline::sibblings:
      return fit_sibblings(task);
  }
  throw Error(ErrorKind::bad_option,
              fmt::format("baseline {} is unknown, must be one of {}", static_cast<int>(method),
                          fmt::join(value_names(method), ", ")));
}

std::string sentence(const BaselineFit& fit, const BaselineOptions& options) {
  switch (fit.reason) {
    case StopReason::converged:
      return fit.iterations == 1 ? "solved in one step"
                                 : fmt::format("converged after {} iterations", fit.iterations);
    case StopReason::interrupted:
      return fmt::format("stopped when asked to, after {} iterations", fit.iterations);
    case StopReason::time_limit:
      return fmt::format("reached the time limit of {} s after {} iterations", *options.time_limit,
                         fit.iterations);
    default:
      return fmt::format("reached the limit of {} iterations", options.max_iterations);
  }
}

}  // namespace

BaselineFit fit_baseline(const TrialSource& trials, Baseline method, const BaselineOptions& options,
                         const std::vector<CategorySpec>& categories) {
  const std::vector<std::string> problems = range_violations(options);
  if (!problems.empty())
    throw Error(ErrorKind::bad_option, fmt::format("invalid options: {}", fmt::join(problems, "; ")));
  check_trials(trials);
  const baselines::Clock clock(options);
  BaselineFit fit = run(method, {trials, options, clock, categories});
  fit.method = method;
  fit.seconds = clock.seconds();
  fit.message = sentence(fit, options);
  baselines::set_usual_ridge(trials, fit);
  return fit;
}

}  // namespace milcci
