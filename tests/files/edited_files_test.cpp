// Files that are HDF5 but not what they should be: edited by hand, made by other programs, or hostile.
#include <gtest/gtest.h>

#include <limits>

#include "core/options_json.hpp"
#include "milcci/files.hpp"
#include "support/expect_error.hpp"
#include "support/hdf5_editor.hpp"
#include "support/results.hpp"
#include "support/temporary_directory.hpp"

namespace milcci {
namespace {

using testing::expect_error;
using testing::expect_same;
using testing::full_result;
using testing::full_trials;
using testing::Hdf5Editor;
using testing::TemporaryDirectory;

class EditedFile : public ::testing::Test {
 protected:
  template <class Edit>
  Trials edited_trials(Edit&& edit) const {
    write_trials(directory_.file("t.h5"), full_trials(), Overwrite::yes);
    {
      Hdf5Editor editor(directory_.file("t.h5"));
      edit(editor);
    }
    return read_trials(directory_.file("t.h5"));
  }
  template <class Edit>
  FitResult edited_model(Edit&& edit) const {
    write_model(directory_.file("m.h5"), full_result(), Overwrite::yes);
    {
      Hdf5Editor editor(directory_.file("m.h5"));
      edit(editor);
    }
    return read_model(directory_.file("m.h5"));
  }
  template <class Edit>
  void refuses_trials(std::vector<std::string> words, Edit&& edit) const {
    words.push_back("t.h5");
    expect_error(ErrorKind::bad_file, words, [&] { edited_trials(edit); });
  }
  template <class Edit>
  void refuses_model(std::vector<std::string> words, Edit&& edit) const {
    words.push_back("m.h5");
    expect_error(ErrorKind::bad_file, words, [&] { edited_model(edit); });
  }

  TemporaryDirectory directory_;
};

TEST_F(EditedFile, EveryRequiredPartOfTrialsIsMissed) {
  for (const std::string name :
       {"/values", "/trial_offset", "/channel", "/labels", "/truth/categories", "/truth/traces",
        "/truth/traces/values", "/truth/categories/choice/components", "/truth/categories/choice/option"})
    refuses_trials({name, "no such"}, [&](Hdf5Editor& e) { e.remove(name); });
}

TEST_F(EditedFile, EveryRequiredPartOfAModelIsMissed) {
  for (const std::string name :
       {"/channel", "/categories", "/traces", "/summary", "/traces/values", "/traces/trial_offset",
        "/categories/Größe/components", "/categories/Größe/option", "/categories/Größe/option_of_trial",
        "/categories/Größe/graph", "/categories/Größe/spec", "/summary/json", "/alternatives/1/Größe",
        "/alternatives/1/Größe/components"})
    refuses_model({name, "no such"}, [&](Hdf5Editor& e) { e.remove(name); });
}

TEST_F(EditedFile, HeaderMustSayWhatTheFileIs) {
  refuses_trials({"format version 2", "reads versions up to 1", "update milcci"},
                 [](Hdf5Editor& e) { e.put_attribute("format_version", 2); });
  refuses_model({"format version 5", "reads versions up to 4", "update milcci"},
                [](Hdf5Editor& e) { e.put_attribute("format_version", 5); });
  refuses_trials({"format version 0"}, [](Hdf5Editor& e) { e.put_attribute("format_version", 0); });
  refuses_trials({"`format_version`", "not an integer"},
                 [](Hdf5Editor& e) { e.put_attribute("format_version", "1"); });
  refuses_trials({"`format_version`"}, [](Hdf5Editor& e) { e.remove_attribute("format_version"); });
  refuses_trials({"no attribute `format`", "another program"},
                 [](Hdf5Editor& e) { e.remove_attribute("format"); });
  refuses_trials({"\"milcci-soup\"", "milcci-trials"},
                 [](Hdf5Editor& e) { e.put_attribute("format", "milcci-soup"); });
  refuses_trials({"`format`", "not a text"}, [](Hdf5Editor& e) { e.put_attribute("format", 3); });
}

TEST_F(EditedFile, WrongTypesRanksAndShapesAreNamed) {
  refuses_trials({"/values", "holds texts, must hold numbers"}, [](Hdf5Editor& e) {
    e.put("/values", std::vector<std::string>(26 * 4, "x"), {26, 4});
  });
  refuses_trials({"/channel", "holds integers, must hold texts"},
                 [](Hdf5Editor& e) { e.put("/channel", std::vector<std::int64_t>(4), {4}); });
  refuses_trials({"/trial_offset", "holds real numbers, must hold integers"},
                 [](Hdf5Editor& e) { e.put("/trial_offset", std::vector<double>(6), {6}); });
  refuses_trials({"/values", "26 x 4 x 1, must be 26 x 4"}, [](Hdf5Editor& e) {
    e.put("/values", std::vector<double>(26 * 4), {26, 4, 1});
  });
  refuses_trials({"/values", "4 x 26, must be 26 x 4"}, [](Hdf5Editor& e) {
    e.put("/values", std::vector<double>(26 * 4), {4, 26});
  });
  refuses_trials({"/labels/choice", "its shape is 4, must be 5"},
                 [](Hdf5Editor& e) { e.put("/labels/choice", std::vector<std::int64_t>(4), {4}); });
  refuses_trials({"/labels/choice", "5 x 1, must be 5"}, [](Hdf5Editor& e) {
    e.put("/labels/choice", std::vector<std::int64_t>(5), {5, 1});
  });
  refuses_trials({"/labels/choice", "a single value"},
                 [](Hdf5Editor& e) { e.put("/labels/choice", std::vector<std::int64_t>(1), {}); });
  refuses_trials({"/labels/choice", "not a dataset"}, [](Hdf5Editor& e) { e.put_group("/labels/choice"); });
  refuses_trials({"/labels", "not a group"},
                 [](Hdf5Editor& e) { e.put("/labels", std::vector<double>(1), {1}); });
  refuses_trials({"/channel_group", "must be 4"},
                 [](Hdf5Editor& e) { e.put("/channel_group", std::vector<std::string>(3), {3}); });
  refuses_trials({"/time", "must be 26"},
                 [](Hdf5Editor& e) { e.put("/time", std::vector<double>(25), {25}); });
  refuses_trials({"/truth/traces/values", "must be 26 x 3"}, [](Hdf5Editor& e) {
    e.put("/truth/traces/values", std::vector<double>(52), {26, 2});
  });
  refuses_trials({"/truth/traces/transitions", "must be 5 x 3 x 3"}, [](Hdf5Editor& e) {
    e.put("/truth/traces/transitions", std::vector<double>(30), {5, 3, 2});
  });
  refuses_trials({"/truth/channels/offset", "must be 4"},
                 [](Hdf5Editor& e) { e.put("/truth/channels/offset", std::vector<double>(3), {3}); });
  refuses_trials({"/truth/categories/choice/components", "must be 1 x any x 4"}, [](Hdf5Editor& e) {
    e.put("/truth/categories/choice/components", std::vector<double>(3), {1, 1, 3});
  });
}

TEST_F(EditedFile, OffsetsMustDescribeTheValues) {
  const auto refused = [&](const std::vector<std::int64_t>& offsets, const std::vector<std::string>& words) {
    refuses_trials(words, [&](Hdf5Editor& e) { e.put("/trial_offset", offsets, {offsets.size()}); });
  };
  refused({1, 7, 16, 20, 24, 26}, {"/trial_offset", "begin with 0"});
  refused({0, 7, 6, 16, 20, 26}, {"/trial_offset", "entry 1 is 7 and entry 2 is 6", "must not decrease"});
  refused({0, -5, 6, 16, 20, 26}, {"/trial_offset", "must not decrease"});
  refused({0, 6, 7, 16, 20, 27}, {"/values", "must be 27 x 4"});
  refused({0, 6, 7, 16, 20, INT64_MAX}, {"/values"});
  refused({0, 6, 7, 16, 26}, {"/trial_name", "must be 4"});
  refused({}, {"/trial_offset"});
}

TEST_F(EditedFile, ModelArraysMustAgree) {
  const auto put_reals = [](const char* name, const Hdf5Editor::Shape& shape) {
    std::size_t n = 1;
    for (const hsize_t length : shape) n *= length;
    return [=](Hdf5Editor& e) { e.put(name, std::vector<double>(n), shape); };
  };
  refuses_model({"/traces/values", "must be 26 x 3"}, put_reals("/traces/values", {26, 4}));
  refuses_model({"/traces/transitions", "must be 5 x 3 x 3"}, put_reals("/traces/transitions", {5, 3, 2}));
  refuses_model({"/traces/time"}, put_reals("/traces/time", {2}));
  refuses_model({"/categories/Größe/components", "must be 2 x any x 4"},
                put_reals("/categories/Größe/components", {3, 1, 4}));
  refuses_model({"/traces/values", "must be 26 x 4"}, put_reals("/categories/Größe/components", {2, 2, 4}));
  const auto put_pairs = [](std::vector<std::int64_t> option, std::vector<std::int64_t> neighbour) {
    return [=](Hdf5Editor& e) {
      e.put("/categories/Größe/pair_option", option, {option.size()});
      e.put("/categories/Größe/pair_neighbour", neighbour, {neighbour.size()});
      e.put("/categories/Größe/pair_weight", std::vector<double>(option.size(), 0.5), {option.size()});
    };
  };
  EXPECT_EQ(edited_model(put_pairs({0, 1}, {1, 0})).model.categories[1].category.graph.dense()(1, 0), 0.5);
  refuses_model({"pair_option", "2, must be between 0 and 1"}, put_pairs({0, 2}, {1, 0}));
  refuses_model({"pair_neighbour", "-1, must be between 0 and 1"}, put_pairs({0, 1}, {1, -1}));
  refuses_model({"pair_neighbour", "ascending"}, put_pairs({0, 0}, {1, 1}));
  refuses_model({"pair_neighbour", "must be 2"}, put_pairs({0, 1}, {1}));
  refuses_model({"/categories/Größe/graph", "must be 2 x 2"}, put_reals("/categories/Größe/graph", {2, 3}));
  refuses_model({"option_values", "must be 3 x any"}, [&](Hdf5Editor& e) {
    e.put("/categories/a%2Fb %25./option_values", std::vector<double>(2), {2, 1});
  });
  refuses_model({"option_of_trial", "value 2", "between 0 and 1"}, [](Hdf5Editor& e) {
    e.put("/categories/Größe/option_of_trial", std::vector<std::int64_t>{0, 1, 2, 0, 0}, {5});
  });
  refuses_model({"option_of_trial", "value -1"}, [](Hdf5Editor& e) {
    e.put("/categories/Größe/option_of_trial", std::vector<std::int64_t>{0, 1, -1, 0, 0}, {5});
  });
  refuses_model({"/categories/Größe/option", "empty"},
                [](Hdf5Editor& e) { e.put("/categories/Größe/option", std::vector<std::string>{}, {0}); });
  refuses_model({"/categories/Größe/spec", "not JSON"},
                [](Hdf5Editor& e) { e.put("/categories/Größe/spec", std::vector<std::string>{"{"}, {}); });
  refuses_model({"/categories/Größe/spec", "unknown key `kin`", "'kind'"}, [](Hdf5Editor& e) {
    e.put("/categories/Größe/spec", std::vector<std::string>{R"({"kin": 1})"}, {});
  });
  refuses_model({"/categories/copy/spec", "\"Größe\", must be \"copy\""},
                [](Hdf5Editor& e) { e.copy("/categories/Größe", "/categories/copy"); });
  refuses_model({"/summary/json", "no key `version`"},
                [](Hdf5Editor& e) { e.put("/summary/json", std::vector<std::string>{"{}"}, {}); });
}

// What a category says of itself against its arrays: whoever uses the model trusts both.
TEST_F(EditedFile, CategoriesMustBeWhatTheyAreSaidToBe) {
  const std::string ordered = "/categories/a%2Fb %25.", plain = "/categories/Größe";
  const auto put_spec = [&](const std::string& category, std::size_t k, const auto& change) {
    return [=](Hdf5Editor& e) {
      CategorySpec spec = full_result().model.categories[k].category.spec;
      change(spec);
      e.put(category + "/spec", std::vector<std::string>{category_to_json(spec).dump()}, {});
    };
  };
  const auto put = [](const std::string& name, const std::vector<double>& values,
                      const Hdf5Editor::Shape& shape) {
    return [=](Hdf5Editor& e) { e.put(name, values, shape); };
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();

  for (const int n : {2, 0, -1, 100000})
    refuses_model({plain + "/spec", "n_components"},
                  put_spec(plain, 1, [=](CategorySpec& s) { s.n_components = n; }));
  refuses_model({ordered + "/spec", "`n_components` is 1, must be 2"},
                put_spec(ordered, 0, [](CategorySpec& s) { s.n_components = 1; }));
  refuses_model({ordered + "/spec", "`bins` = -1"},
                put_spec(ordered, 0, [](CategorySpec& s) { s.bins = -1; }));
  refuses_model({ordered + "/option_values", "is 3 x 1, must be 3 x 2"},
                put_spec(ordered, 0, [](CategorySpec& s) {
                  s.columns = {"x", "y"};
                }));
  for (const CategoryKind kind : {CategoryKind::ordinal, CategoryKind::trial_number})
    refuses_model({plain + "/option_values", "is missing or empty, must be 2 x 1", to_text(kind)},
                  put_spec(plain, 1, [=](CategorySpec& s) { s.kind = kind; }));

  refuses_model({ordered + "/option_values", "is missing or empty, must be 3 x 1"},
                [&](Hdf5Editor& e) { e.remove(ordered + "/option_values"); });
  refuses_model({ordered + "/option_values", "is 3 x 2, must be 3 x 1"},
                put(ordered + "/option_values", std::vector<double>(6), {3, 2}));
  refuses_model({ordered + "/option_values", "missing or empty"},
                put(ordered + "/option_values", {}, {3, 0}));
  refuses_model({ordered + "/option_values", "holds nan"},
                put(ordered + "/option_values", {1, nan, 3}, {3, 1}));
  refuses_model({ordered + "/bin_edges", "its shape is 3, must be 2"},
                put(ordered + "/bin_edges", {1, 2, 3}, {3}));
  refuses_model({ordered + "/bin_edges", "from 2 to 1"}, put(ordered + "/bin_edges", {2, 1}, {2}));
  refuses_model({ordered + "/bin_edges", "nan"}, put(ordered + "/bin_edges", {2, nan}, {2}));
  refuses_model({plain + "/bin_edges", "without bins"}, put(plain + "/bin_edges", {2}, {1}));
  refuses_model({plain + "/graph", "holds nan"}, put(plain + "/graph", {0, 1, nan, 0}, {2, 2}));
  refuses_model({plain + "/graph", "holds -1"}, put(plain + "/graph", {0, -1, 1, 0}, {2, 2}));
  refuses_model({plain + "/components", "holds nan"},
                put(plain + "/components", {0, 1, nan, 0, 0, 0, 0, 0}, {2, 1, 4}));
  refuses_model({"/categories", "at least one category"}, [&](Hdf5Editor& e) {
    e.remove(plain);
    e.remove(ordered);
    e.put("/traces/values", std::vector<double>{}, {26, 0});
    e.remove("/traces/transitions");
    e.remove("/noise");
  });
}

TEST_F(EditedFile, TheNoiseOfAModelMustFitIt) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto put = [](const std::string& name, const std::vector<double>& values,
                      const Hdf5Editor::Shape& shape) {
    return [=](Hdf5Editor& e) { e.put(name, values, shape); };
  };
  refuses_model({"/noise/level", "its shape is 3, must be 4"}, put("/noise/level", {1, 1, 1}, {3}));
  refuses_model({"/noise/level", "holds 0, must hold positive"}, put("/noise/level", {1, 0, 1, 1}, {4}));
  refuses_model({"/noise/ridge", "holds -1"}, put("/noise/ridge", {1, -1, 1}, {3}));
  refuses_model({"/noise/offset", "holds nan"}, put("/noise/offset", {1, nan, 1, 1}, {4}));
  refuses_model({"/noise/smoothness", "both or none"}, [](Hdf5Editor& e) { e.remove("/noise/ridge"); });
}

TEST_F(EditedFile, TracesOfAModelMustBeNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refuses_model({"/traces/values", "holds nan"}, [&](Hdf5Editor& e) {
    e.put("/traces/values", std::vector<double>(26 * 3, nan), {26, 3});
  });
  refuses_model({"/traces/transitions", "holds nan"}, [&](Hdf5Editor& e) {
    e.put("/traces/transitions", std::vector<double>(45, nan), {5, 3, 3});
  });
  refuses_model({"/traces/time", "times of trial 1 go from 0 to 0, must be finite and increase"},
                [&](Hdf5Editor& e) { e.put("/traces/time", std::vector<double>(26), {26}); });
}

TEST_F(EditedFile, SummaryOfAModelMustBeAboutTheModel) {
  const auto refused = [&](std::vector<std::string> words, const auto& change) {
    words.push_back("/summary/json");
    refuses_model(words, [&](Hdf5Editor& e) {
      FitSummary summary = testing::full_summary();
      change(summary);
      e.put("/summary/json", std::vector<std::string>{to_json(summary)}, {});
    });
  };
  refused({"has 1 categories in its options, must have 2"},
          [](FitSummary& s) { s.options.categories.pop_back(); });
  refused({"`options.categories[1].n_components` is 7, must be 1 as in /categories/Größe/spec"},
          [](FitSummary& s) { s.options.categories[1].n_components = 7; });
  refused({"`options.categories[0].name` is", "must be \"a/b %.\""},
          [](FitSummary& s) { std::swap(s.options.categories[0], s.options.categories[1]); });
  refused({"options are not valid", "`sparsity` = -1"}, [](FitSummary& s) { s.options.sparsity = -1; });
  refused({"2 numbers in `explained`, must have 3"}, [](FitSummary& s) { s.explained.resize(2); });
  refused({"4 numbers in `stability`, must have 3"}, [](FitSummary& s) { s.stability = Vector::Ones(4); });
  refused({"2 rows in `category_gain`, must have 3"},
          [](FitSummary& s) { s.category_gain = Matrix::Ones(2, 2); });
  refused({"5 columns in `category_gain`, must have 2"},
          [](FitSummary& s) { s.category_gain = Matrix::Ones(3, 5); });
  refused({"2 words in `certainty`, must have 3"}, [](FitSummary& s) { s.certainty.pop_back(); });
  refused({"`times_found` is -1, must be >= 0"}, [](FitSummary& s) { s.times_found = -1; });
  refused({"4 numbers in `alternatives[1].similarity`, must have 3"},
          [](FitSummary& s) { s.alternatives[1].similarity = Vector::Ones(4); });
  refused({"`alternatives[1]` holds a number that is not finite"},
          [](FitSummary& s) { s.alternatives[1].similarity(2) = HUGE_VAL; });
  refused({"`alternatives[0]` holds a number that is not finite"},
          [](FitSummary& s) { s.alternatives[0].behind = HUGE_VAL; });
}

TEST_F(EditedFile, AlternativesMustBeThoseOfTheSummaryAndFitTheModel) {
  const std::string components = "/alternatives/1/Größe/components";
  refuses_model({"/alternatives", "has 0 answers, must have 2 as the summary has"},
                [](Hdf5Editor& e) { e.remove("/alternatives"); });
  refuses_model({"/alternatives", "has 1 answers, must have 2 as the summary has"},
                [](Hdf5Editor& e) { e.remove("/alternatives/0"); });
  refuses_model({"/alternatives", "has 3 answers, must have 2 as the summary has"},
                [](Hdf5Editor& e) { e.copy("/alternatives/0", "/alternatives/2"); });
  refuses_model({"/alternatives", "not a group"},
                [](Hdf5Editor& e) { e.put("/alternatives", std::vector<double>(1), {1}); });
  refuses_model({components, "its shape is 1 x 1 x 4, must be 2 x any x 4"}, [&](Hdf5Editor& e) {
    e.put(components, std::vector<double>(4), {1, 1, 4});
  });
  refuses_model({components, "has 2 components in a variant, must have 1"}, [&](Hdf5Editor& e) {
    e.put(components, std::vector<double>(16), {2, 2, 4});
  });
  refuses_model({components, "holds nan"}, [&](Hdf5Editor& e) {
    e.put(components, std::vector<double>(8, std::numeric_limits<double>::quiet_NaN()), {2, 1, 4});
  });
}

TEST_F(EditedFile, ModelsFromBeforeTheyKnewAlternativesAreRead) {
  FitResult expected = full_result();
  expected.model.alternatives.clear();
  expected.summary.alternatives.clear();
  expected.summary.certainty.clear();
  expected.summary.times_found = 0;
  expected.summary.options.penalties = PenaltyChoice::fixed;  // there was nothing else
  expect_same(expected, edited_model([](Hdf5Editor& e) {
                e.put_attribute("format_version", 2);
                e.remove("/alternatives");
                e.remove("/summary/certainty");
                Json summary = Json::parse(to_json(testing::full_summary()));
                for (const char* key : {"alternatives", "certainty", "times_found"}) summary.erase(key);
                for (const char* key : {"effort", "time_limit"}) summary["options"].erase(key);
                e.put("/summary/json", std::vector<std::string>{summary.dump()}, {});
              }));
}

TEST_F(EditedFile, ModelsFromBeforeTheyKnewTheirTrialsAreRead) {
  FitResult expected = full_result();
  expected.model.trial_names.clear();
  expected.model.labels.clear();
  expected.model.history.clear();
  expected.model.categories[0].category.bin_edges.clear();
  expected.summary.fitted_fingerprint.clear();
  expect_same(expected, edited_model([](Hdf5Editor& e) {
                for (const char* name : {"/trial_name", "/labels", "/history"}) e.remove(name);
                e.remove("/categories/a%2Fb %25./bin_edges");
                Json summary = Json::parse(to_json(testing::full_summary()));
                summary.erase("fitted_fingerprint");
                e.put("/summary/json", std::vector<std::string>{summary.dump()}, {});
              }));
}

TEST_F(EditedFile, WhatAModelKnowsOfItsTrialsMustBeOfAllOfThem) {
  refuses_model({"/trial_name", "its shape is 4, must be 5"},
                [](Hdf5Editor& e) { e.put("/trial_name", std::vector<std::string>(4), {4}); });
  refuses_model({"/labels/choice", "its shape is 4, must be 5"},
                [](Hdf5Editor& e) { e.put("/labels/choice", std::vector<std::int64_t>(4), {4}); });
  refuses_trials({"/trial_name", "its shape is 4, must be 5"},
                 [](Hdf5Editor& e) { e.put("/trial_name", std::vector<std::string>(4), {4}); });
}

TEST_F(EditedFile, DeclaredSizesAreNotBelieved) {
  constexpr hsize_t kHuge = 1'000'000'000'000;
  refuses_trials({"/trial_offset", "more than a file of"},
                 [](Hdf5Editor& e) { e.declare("/trial_offset", H5T_NATIVE_INT64, {kHuge}); });
  refuses_trials({"/channel", "more than a file of"},
                 [](Hdf5Editor& e) { e.declare_texts("/channel", {kHuge}); });
  refuses_trials({"/values", "more than a file of"}, [](Hdf5Editor& e) {
    e.put("/trial_offset", std::vector<std::int64_t>{0, 0, 0, 0, 0, kHuge}, {6});
    e.declare("/values", H5T_NATIVE_DOUBLE, {kHuge, 4});
  });
  refuses_trials({"components", "more than a file of"}, [](Hdf5Editor& e) {
    e.declare("/truth/categories/choice/components", H5T_NATIVE_DOUBLE, {1, kHuge, 4});
  });
}

TEST_F(EditedFile, LinksIntoOtherFilesAreNotFollowed) {
  write_trials(directory_.file("other.h5"), full_trials());
  refuses_trials({"/values", "another file"},
                 [&](Hdf5Editor& e) { e.put_external_link("/values", directory_.file("other.h5")); });
}

TEST_F(EditedFile, OtherNumberAndTextTypesAreRead) {
  const Trials trials = edited_trials([](Hdf5Editor& e) {
    e.put("/labels/choice", std::vector<std::int64_t>{1, 2, 3, 4, 200}, {5}, H5T_STD_U8BE);
    e.put("/labels/contrast", std::vector<std::int64_t>{1, 2, 3, 4, 5}, {5}, H5T_STD_U64LE);
    e.put_fixed("/channel", std::string("V1\0\0abcdc\0\0\0d\0\0\0", 16), 4, H5T_STR_NULLPAD);
    e.put_fixed("/channel_group", "a   bb  ccc dddd", 4, H5T_STR_SPACEPAD);
    e.put("/values", std::vector<std::int64_t>(26 * 4, 7), {26, 4}, H5T_STD_I16LE);
  });
  EXPECT_EQ(std::get<LabelColumn::Integers>(trials.find_label("choice")->values)[4], 200);
  EXPECT_EQ(std::get<LabelColumn::Integers>(trials.find_label("contrast")->values)[2], 3);
  EXPECT_EQ(trials.channel_names, (std::vector<std::string>{"V1", "abcd", "c", "d"}));
  EXPECT_EQ(trials.channel_groups, (std::vector<std::string>{"a", "bb", "ccc", "dddd"}));
  EXPECT_EQ(trials.values[2](3, 8), 7);
}

TEST_F(EditedFile, IntegersThatDoNotFitAreRefused) {
  refuses_trials({"/labels/choice", "an integer above"}, [](Hdf5Editor& e) {
    e.put_unsigned("/labels/choice", {1, 2, 3, 4, UINT64_MAX}, {5});
  });
}

TEST_F(EditedFile, UnknownExtraDatasetsDoNoHarm) {
  const auto add = [](Hdf5Editor& e) { e.put("/notes", std::vector<std::string>{"by hand"}, {1}); };
  expect_same(full_trials(), edited_trials(add));
  expect_same(full_result(), edited_model(add));
}

}  // namespace
}  // namespace milcci
