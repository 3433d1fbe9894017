// milcci bench: how far a fit is from what the machine can do. Everything is measured in one run
// and reported as a ratio to a pass that only reads the data, because machines differ and are
// shared.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "console.hpp"
#include "fit/estimate.hpp"
#include "help.hpp"
#include "kernels/kernels.hpp"
#include "milcci/fit.hpp"
#include "option_flags.hpp"
#include "simulation.hpp"
#include "streams.hpp"
#include "util/parallel.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

struct BenchRequest {
  SimulationRequest simulation;
  Precision precision = Precision::float64;
  int threads = 0;
  int repeats = 5;
  CommonOptions common;
};

using Clock = std::chrono::steady_clock;
template <class Work>
double seconds_of(const Work& work) {
  const Clock::time_point begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

template <class Work>
double best_of(int repeats, const Work& work) {
  double best = seconds_of(work);
  for (int repeat = 1; repeat < repeats; ++repeat) best = std::min(best, seconds_of(work));
  return best;
}

// Adds up all values, with the trials shared among threads as in a fit. Eight sums at once, so that
// it measures the memory and not the additions.
template <class Scalar>
double read_once(const std::vector<Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>>& values,
                 int threads) {
  constexpr Index kSums = 64;
  std::vector<Scalar> sum_of_trial(values.size());
  parallel_for(values.size(), threads, [&](std::size_t m, int) {
    const Eigen::Map<const Eigen::Array<Scalar, Eigen::Dynamic, 1>> y(values[m].data(), values[m].size());
    Eigen::Array<Scalar, kSums, 1> sums = Eigen::Array<Scalar, kSums, 1>::Zero();
    const Index n_whole = y.size() / kSums * kSums;
    for (Index i = 0; i < n_whole; i += kSums) sums += y.template segment<kSums>(i);
    sum_of_trial[m] = sums.sum() + y.tail(y.size() - n_whole).sum();
  });
  return static_cast<double>(std::accumulate(sum_of_trial.begin(), sum_of_trial.end(), Scalar{0}));
}

FitOptions fit_options(const BenchRequest& request, const SimulateOptions& simulated, NonNegative sign) {
  FitOptions options;
  for (const SimulatedCategory& c : simulated.categories)
    options.categories.push_back({.name = c.name, .n_components = c.n_components, .kind = c.kind});
  options.nonnegative = sign;
  options.precision = request.precision;
  options.threads = request.threads;
  return options;
}

struct Timings {
  double bytes = 0, read = 0, iteration = 0, unconstrained = 0, fit = 0;
  std::size_t n_iterations = 0;
};

Timings measure(const BenchRequest& request) {
  const SimulateOptions simulated = request.simulation.resolved();
  const Trials trials = simulate(simulated);
  const int threads = resolve_threads(request.threads);
  Timings timings;
  for (const Matrix& y : trials.values)
    timings.bytes += static_cast<double>(y.size()) *
                     (request.precision == Precision::float32 ? sizeof(float) : sizeof(double));
  double sink = 0;
  if (request.precision == Precision::float32) {
    std::vector<Eigen::MatrixXf> floats;
    for (const Matrix& y : trials.values) floats.push_back(y.cast<float>());
    timings.read = best_of(4 * request.repeats, [&] { sink += read_once(floats, threads); });
  } else {
    timings.read = best_of(4 * request.repeats, [&] { sink += read_once(trials.values, threads); });
  }

  const auto sign = simulated.is_signed ? NonNegative::none : NonNegative::both;
  const FitOptions options = fit_options(request, simulated, sign);
  // From the file to the model, as a user waits for it.
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("milcci-bench-{}.h5", ::getpid());
  write_trials(file.string(), trials, Overwrite::yes);
  FitResult result;
  timings.fit = best_of(std::max(1, request.repeats / 2),
                        [&] { result = fit(read_trials(file.string(), options.threads), options); });
  std::filesystem::remove(file);
  timings.n_iterations = result.summary.iterations.size();

  Start start;
  for (const FittedCategory& c : result.model.categories)
    start.push_back({c.category.spec.name, c.category.options, c.variants});
  constexpr int kIterations = 15;
  const FitOptions free_options = fit_options(request, simulated, NonNegative::none);
  timings.iteration = timings.unconstrained = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < request.repeats; ++repeat) {
    timings.iteration = std::min(timings.iteration, shortest_iteration(trials, options, start, kIterations));
    timings.unconstrained =
        std::min(timings.unconstrained, shortest_iteration(trials, free_options, start, kIterations));
  }
  if (!std::isfinite(sink)) timings.read = 0;  // the sums were needed
  return timings;
}

std::string to_table(const BenchRequest& request, const Timings& t) {
  std::string text =
      fmt::format("{:.0f} MB of data, {}, {} threads, kernels {}\n\n", t.bytes / 1e6,
                  to_text(request.precision), resolve_threads(request.threads), kernels().name);
  const auto line = [&](const char* what, double seconds, const std::string& note) {
    text += fmt::format("{:<28}{:>10.2f} ms {:>8.1f} x  {}\n", what, 1e3 * seconds, seconds / t.read, note);
  };
  line("read the data once", t.read, fmt::format("{:.1f} GB/s", t.bytes / t.read / 1e9));
  line("one iteration", t.iteration, "");
  line("one iteration, no signs", t.unconstrained, "");
  line("whole fit, from the file", t.fit, fmt::format("{} iterations", t.n_iterations));
  return text;
}

nlohmann::json to_json(const BenchRequest& request, const Timings& t) {
  return {{"bytes", t.bytes},
          {"precision", to_text(request.precision)},
          {"threads", resolve_threads(request.threads)},
          {"kernels", kernels().name},
          {"seconds_read", t.read},
          {"seconds_iteration", t.iteration},
          {"seconds_iteration_without_signs", t.unconstrained},
          {"seconds_fit", t.fit},
          {"iterations", t.n_iterations}};
}

}  // namespace

Verb add_bench(CLI::App& program) {
  auto request = std::make_shared<BenchRequest>();
  CLI::App& parser = *program.add_subcommand(
      "bench", "Times a fit of simulated trials against a pass that only reads them, in one run.");
  const std::string group = "Measurement";
  const FitOptions defaults;
  visit_fields(defaults, [&](const Field& field, const auto&) {
    if (field.name == std::string("precision")) add_field(parser, field, request->precision)->group(group);
    if (field.name == std::string("threads")) add_field(parser, field, request->threads)->group(group);
  });
  add_field(parser, Field{"repeats", "", "times everything is measured; the best counts", 1, 1000},
            request->repeats)
      ->group(group);
  add_simulation(parser, request->simulation);
  add_common(parser, request->common);
  set_examples(parser, {"milcci bench --preset paper --repeats 2",
                        "milcci bench --channels 200 --trials 50 --repeats 2 --precision float32 --json"});
  return {&parser, [request] {
            const Timings timings = measure(*request);
            if (request->common.json)
              print_json(to_json(*request, timings));
            else
              print_text(to_table(*request, timings));
            return kDone;
          }};
}

}  // namespace milcci::cli
