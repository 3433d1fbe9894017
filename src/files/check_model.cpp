#include "files/check_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <set>

#include "core/options_json.hpp"
#include "hdf5/hdf5.hpp"

namespace milcci::files {

namespace {

bool is_ordered(const CategorySpec& spec) {
  return has_distances(spec.kind);
}

std::string place_of(const Category& category) {
  return "categories/" + hdf5::link_name(category.spec.name);
}

class ModelChecker {
 public:
  ModelChecker(const FitResult& result, const Refuse& refuse)
      : model_(result.model), summary_(result.summary), refuse_(refuse) {}

  void check() const {
    if (model_.channel_names.empty()) refuse_("channel", "is empty, must name at least one channel");
    if (!model_.channel_groups.empty())
      check_count("channel_group", model_.channel_groups.size(), "groups", model_.n_channels());
    check_trials();
    check_categories();
    check_traces();
    check_noise();
    check_summary();
    check_alternatives();
  }

 private:
  template <class Found, class Expected>
  void check_count(const std::string& object, Found found, const std::string& what, Expected expected) const {
    if (static_cast<std::size_t>(found) != static_cast<std::size_t>(expected))
      refuse_(object, fmt::format("has {} {}, must have {}", found, what, expected));
  }
  template <class Numbers>
  void check_size(const std::string& object, const Numbers& found, Index rows, Index columns) const {
    if (found.rows() != rows || found.cols() != columns)
      refuse_(object, fmt::format("is {} x {}, must be {} x {}", found.rows(), found.cols(), rows, columns));
  }
  void check_finite(const std::string& object, const Matrix& found) const {
    for (const double number : found.reshaped())
      if (!std::isfinite(number)) refuse_(object, fmt::format("holds {}, must hold finite numbers", number));
  }
  template <class Numbers>
  void check_increasing(const std::string& object, const std::string& what, const Numbers& found) const {
    double last = -HUGE_VAL;
    for (const double number : found) {
      // Written so that NaN fails.
      if (!(number > last && number < HUGE_VAL))
        refuse_(object, fmt::format("{} go from {} to {}, must be finite and increase", what, last, number));
      last = number;
    }
  }

  void check_trials() const {
    if (!model_.trial_names.empty())
      check_count("trial_name", model_.trial_names.size(), "names", model_.n_trials());
    std::set<std::string> names;
    for (const LabelColumn& column : model_.labels) {
      const std::string place = "labels/" + hdf5::link_name(column.name);
      check_count(place, column.size(), "values", model_.n_trials());
      if (!names.insert(column.name).second) refuse_(place, "is there twice, must be there once");
    }
  }

  void check_categories() const {
    if (model_.categories.empty()) refuse_("categories", "is empty, must hold at least one category");
    std::set<std::string> names;
    for (const FittedCategory& fitted : model_.categories) {
      if (!names.insert(fitted.category.spec.name).second)
        refuse_("categories",
                fmt::format("has two categories named `{}`, must have one", fitted.category.spec.name));
      check_options(fitted.category);
      check_variants(fitted);
    }
  }

  void check_options(const Category& category) const {
    const CategorySpec& spec = category.spec;
    const std::string place = place_of(category);
    const Index n_options = category.n_options();
    FitOptions alone;
    alone.categories = {spec};
    if (const auto found = violations(alone); !found.empty())
      refuse_(place + "/spec", fmt::format("{}", fmt::join(found, "; ")));
    if (n_options == 0) refuse_(place + "/option", "is empty, must name at least one option");

    check_count(place + "/option_of_trial", category.option_of_trial.size(), "trials", model_.n_trials());
    for (const int option : category.option_of_trial)
      if (option < 0 || option >= n_options)
        refuse_(place + "/option_of_trial",
                fmt::format("has the value {}, must be between 0 and {}", option, n_options - 1));
    check_count(place + "/graph", category.graph.n_options(), "options", n_options);
    if (is_ordered(spec)) {
      const std::size_t n_columns = std::max<std::size_t>(spec.columns.size(), 1);
      if (category.option_values.size() == 0)
        refuse_(place + "/option_values", fmt::format("is missing or empty, must be {} x {} for the kind {}",
                                                      n_options, n_columns, to_text(spec.kind)));
      check_size(place + "/option_values", category.option_values, n_options, static_cast<Index>(n_columns));
      check_finite(place + "/option_values", category.option_values);
    } else if (category.option_values.size() > 0) {
      check_count(place + "/option_values", category.option_values.rows(), "rows", n_options);
    }
    if (category.bin_edges.empty()) return;
    if (spec.bins == 0) refuse_(place + "/bin_edges", "is there, must not be in a category without bins");
    check_count(place + "/bin_edges", category.bin_edges.size(), "numbers", n_options - 1);
    check_increasing(place + "/bin_edges", "its numbers", category.bin_edges);
  }

  void check_variants(const FittedCategory& fitted) const {
    const CategorySpec& spec = fitted.category.spec;
    const std::string place = place_of(fitted.category);
    check_count(place + "/components", fitted.variants.size(), "variants", fitted.category.n_options());
    if (fitted.n_components() != spec.n_components)
      refuse_(place + "/spec", fmt::format("`n_components` is {}, must be {} as there are components",
                                           spec.n_components, fitted.n_components()));
    for (const Matrix& variant : fitted.variants)
      check_variant(place + "/components", variant, spec.n_components);
  }

  void check_variant(const std::string& place, const Matrix& variant, Index n_components) const {
    check_count(place, variant.rows(), "channels in a variant", model_.n_channels());
    check_count(place, variant.cols(), "components in a variant", n_components);
    check_finite(place, variant);
  }

  void check_traces() const {
    const std::size_t n_trials = model_.n_trials();
    const Index n_components = model_.n_components();
    for (std::size_t m = 0; m < n_trials; ++m) {
      check_count("traces/values", model_.traces[m].rows(), fmt::format("traces of trial {}", m + 1),
                  n_components);
      check_finite("traces/values", model_.traces[m]);
    }
    if (!model_.times.empty()) {
      check_count("traces/time", model_.times.size(), "trials", n_trials);
      for (std::size_t m = 0; m < n_trials; ++m) {
        check_count("traces/time", model_.times[m].size(), fmt::format("times of trial {}", m + 1),
                    model_.traces[m].cols());
        check_increasing("traces/time", fmt::format("times of trial {}", m + 1), model_.times[m]);
      }
    }
    if (model_.transitions.empty()) return;
    check_count("traces/transitions", model_.transitions.size(), "trials", n_trials);
    for (const Matrix& w : model_.transitions) {
      check_size("traces/transitions", w, n_components, n_components);
      check_finite("traces/transitions", w);
    }
  }

  void check_noise() const {
    const NoiseModel& noise = model_.noise;
    const Index N = model_.n_channels(), P = model_.n_components();
    const auto check = [&](const std::string& name, const Vector& found, Index expected, bool is_positive) {
      if (found.size() == 0) return;
      check_count("noise/" + name, found.size(), "numbers", expected);
      check_finite("noise/" + name, found);
      if (is_positive && !(found.minCoeff() > 0))
        refuse_("noise/" + name, fmt::format("holds {}, must hold positive numbers", found.minCoeff()));
      if (name != "offset" && !(found.minCoeff() >= 0))
        refuse_("noise/" + name, fmt::format("holds {}, must not hold negative numbers", found.minCoeff()));
    };
    if (!(noise.unit > 0 && std::isfinite(noise.unit)))
      refuse_("noise", fmt::format("its `unit` is {}, must be a positive number", noise.unit));
    check("offset", noise.offset, N, false);
    check("level", noise.level, N, true);
    check("ridge", noise.ridge, P, false);
    check("smoothness", noise.smoothness, P, false);
    if (noise.smoothness.size() != noise.ridge.size())
      refuse_("noise/smoothness", "is there without `ridge`, or `ridge` without it; must be both or none");
    for (const Vector& weights : noise.consistency) check("consistency", weights, weights.size(), false);
    if (noise.standard_errors.empty()) return;
    check_count("standard_errors", noise.standard_errors.size(), "categories", model_.categories.size());
    for (std::size_t k = 0; k < model_.categories.size(); ++k) {
      const auto& [category, fitted] = model_.categories[k];
      const std::string place = "standard_errors/" + hdf5::link_name(category.spec.name);
      check_count(place, noise.standard_errors[k].size(), "variants", fitted.size());
      for (const Matrix& errors : noise.standard_errors[k])
        check_variant(place, errors, category.spec.n_components);
    }
  }

  void check_summary() const {
    const std::string place = "summary/json";
    const auto n_categories = static_cast<Index>(model_.categories.size());
    const Index n_components = model_.n_components();
    if (const auto found = violations(summary_.options); !found.empty())
      refuse_(place, fmt::format("its options are not valid: {}", fmt::join(found, "; ")));
    check_count(place, summary_.options.categories.size(), "categories in its options", n_categories);
    for (std::size_t k = 0; k < model_.categories.size(); ++k) check_same_spec(place, k);
    if (summary_.explained.size() > 0)
      check_count(place, summary_.explained.size(), "numbers in `explained`", n_components);
    if (summary_.stability.size() > 0)
      check_count(place, summary_.stability.size(), "numbers in `stability`", n_components);
    if (!summary_.certainty.empty())
      check_count(place, summary_.certainty.size(), "words in `certainty`", n_components);
    if (summary_.times_found < 0)
      refuse_(place, fmt::format("`times_found` is {}, must be >= 0", summary_.times_found));
    for (std::size_t n = 0; n < summary_.alternatives.size(); ++n) {
      const auto& [behind, similarity] = summary_.alternatives[n];
      const std::string key = fmt::format("`alternatives[{}].similarity`", n);
      check_count(place, similarity.size(), "numbers in " + key, n_components);
      if (!std::isfinite(behind) || !similarity.allFinite())
        refuse_(place, fmt::format("`alternatives[{}]` holds a number that is not finite", n));
    }
    if (summary_.category_gain.size() > 0) {
      check_count(place, summary_.category_gain.rows(), "rows in `category_gain`", n_components);
      check_count(place, summary_.category_gain.cols(), "columns in `category_gain`", n_categories);
    }
  }

  void check_alternatives() const {
    if (model_.alternatives.size() != summary_.alternatives.size())
      refuse_("alternatives", fmt::format("has {} answers, must have {} as the summary has",
                                          model_.alternatives.size(), summary_.alternatives.size()));
    for (std::size_t n = 0; n < model_.alternatives.size(); ++n) {
      const std::string answer = fmt::format("alternatives/{}", n);
      check_count(answer, model_.alternatives[n].size(), "categories", model_.categories.size());
      for (std::size_t k = 0; k < model_.categories.size(); ++k) {
        const auto& [category, fitted] = model_.categories[k];
        const std::string place = answer + "/" + hdf5::link_name(category.spec.name) + "/components";
        const std::vector<Matrix>& variants = model_.alternatives[n][k];
        check_count(place, variants.size(), "variants", fitted.size());
        for (const Matrix& variant : variants) check_variant(place, variant, category.spec.n_components);
      }
    }
  }

  // The category is in the file twice: by itself, and among the options of the fit.
  void check_same_spec(const std::string& place, std::size_t k) const {
    const Category& category = model_.categories[k].category;
    const Json expected = category_to_json(category.spec),
               found = category_to_json(summary_.options.categories[k]);
    for (const auto& [key, value] : expected.items())
      if (found[key] != value)
        refuse_(place, fmt::format("`options.categories[{}].{}` is {}, must be {} as in /{}/spec", k, key,
                                   describe(found[key]), describe(value), place_of(category)));
  }

  const Model& model_;
  const FitSummary& summary_;
  const Refuse& refuse_;
};

}  // namespace

void check_model(const FitResult& result, const Refuse& refuse) {
  ModelChecker(result, refuse).check();
}

}  // namespace milcci::files
