// Files that are HDF5 but not what they should be: edited by hand, made by other programs, or hostile.
#include <gtest/gtest.h>

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
        "/categories/Größe/graph", "/categories/Größe/spec", "/summary/json"})
    refuses_model({name, "no such"}, [&](Hdf5Editor& e) { e.remove(name); });
}

TEST_F(EditedFile, HeaderMustSayWhatTheFileIs) {
  refuses_trials({"format version 2", "reads versions up to 1", "update milcci"},
                 [](Hdf5Editor& e) { e.put_attribute("format_version", 2); });
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
  refused({0, 6, 7, 16, 26}, {"/labels", "must be 4"});
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
  refuses_model({"/categories/Größe/spec", "unknown key `kin`", "`kind`"}, [](Hdf5Editor& e) {
    e.put("/categories/Größe/spec", std::vector<std::string>{R"({"kin": 1})"}, {});
  });
  refuses_model({"/categories/copy/spec", "\"Größe\", must be \"copy\""},
                [](Hdf5Editor& e) { e.copy("/categories/Größe", "/categories/copy"); });
  refuses_model({"/summary/json", "no key `version`"},
                [](Hdf5Editor& e) { e.put("/summary/json", std::vector<std::string>{"{}"}, {}); });
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
