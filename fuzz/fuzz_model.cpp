// Model files that are whole HDF5 but do not fit together: the bytes are a list of changes to a good one.
// What is read without an Error must be usable: new trials are transformed, predicted and scored by it.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/options_json.hpp"
#include "milcci/error.hpp"
#include "milcci/evaluate.hpp"
#include "milcci/files.hpp"
#include "milcci/fit.hpp"
#include "strange_hdf5.hpp"

namespace milcci::fuzz {
namespace {

const char* const kNames[] = {"channel",
                              "channel_group",
                              "categories/x/components",
                              "categories/x/option",
                              "categories/x/option_of_trial",
                              "categories/x/graph",
                              "categories/x/option_values",
                              "categories/x/bin_edges",
                              "categories/x/pair_option",
                              "categories/x/pair_neighbour",
                              "categories/x/pair_weight",
                              "categories/side/components",
                              "categories/side/option",
                              "categories/side/option_of_trial",
                              "categories/side/graph",
                              "categories/side/option_values",
                              "categories/side/bin_edges",
                              "traces/values",
                              "traces/trial_offset",
                              "traces/time",
                              "traces/transitions",
                              "trial_name",
                              "labels/x",
                              "history",
                              "alternatives/0/x/components",
                              "alternatives/0/side/components",
                              "alternatives/0/x/similarity",
                              "alternatives/0/x",
                              "alternatives/0",
                              "alternatives",
                              "categories/x",
                              "categories/side",
                              "categories",
                              "traces",
                              "summary"};
constexpr unsigned kNumberNames = 27;  ///< the first ones are datasets

Trials small_trials() {
  Trials trials;
  for (const Index length : {2, 1, 3}) trials.values.push_back(Matrix::Random(3, length));
  trials.values[2](1, 1) = std::numeric_limits<double>::quiet_NaN();
  trials.channel_names = {"a", "b", "c"};
  trials.labels = {{"x", LabelColumn::Integers{1, 2, 5}}, {"side", LabelColumn::Texts{"l", "r", "up"}}};
  return trials;
}

FitResult small_model() {
  const Trials trials = small_trials();
  FitResult result;
  FitOptions& options = result.summary.options;
  options.categories = {{.name = "x", .n_components = 2, .kind = CategoryKind::ordinal, .bins = 2},
                        {.name = "side", .n_components = 1}};
  Model& model = result.model;
  model.channel_names = trials.channel_names;
  model.trial_names = {"1", "2", "3"};
  model.labels = trials.labels;
  model.history = {"{}"};
  for (const Matrix& y : trials.values) {
    model.traces.push_back(Matrix::Random(3, y.cols()));
    model.times.push_back(Vector::LinSpaced(y.cols(), 0.0, 1.0));
    model.transitions.push_back(Matrix::Identity(3, 3));
  }
  for (const CategorySpec& spec : options.categories) {
    FittedCategory fitted;
    fitted.category.spec = spec;
    fitted.category.options = {"l", "r"};
    fitted.category.option_of_trial = {0, 1, 0};
    fitted.category.graph = LabelGraph::constant(2, 0.5);
    fitted.variants.assign(2, Matrix::Random(3, spec.n_components));
    model.categories.push_back(fitted);
  }
  model.alternatives = {{model.categories[0].variants, model.categories[1].variants}};
  result.summary.alternatives = {{.behind = 0.01, .similarity = Vector::Constant(3, 0.8)}};
  result.summary.certainty = {Certainty::firm, Certainty::alternative, Certainty::unstable};
  model.categories[0].category.option_values = Vector::LinSpaced(2, 1, 2);
  model.categories[0].category.bin_edges = {1.5};
  result.summary.explained = Vector::Ones(3);
  result.summary.category_gain = Matrix::Ones(3, 2);
  return result;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void remove(hid_t file, const char* name) {
  if (H5Lexists(file, name, H5P_DEFAULT) > 0) H5Ldelete(file, name, H5P_DEFAULT);
}

// Numbers or texts of up to three dimensions, of the type that is expected more often than not.
void put_array(hid_t file, const char* name, Bytes& bytes) {
  const unsigned rank = 1 + bytes.next(3);
  hsize_t lengths[3], count = 1;
  for (unsigned i = 0; i < rank; ++i) count *= lengths[i] = bytes.next(5);
  const std::string_view text_names[] = {"channel", "channel_group", "trial_name", "history"};
  const bool is_text = std::string_view(name).ends_with("option") ||
                       std::ranges::find(text_names, name) != std::end(text_names);
  const hid_t type = type_of(is_text ? 8 : bytes.next(2) ? 0 : 6);
  const hid_t space = H5Screate_simple(static_cast<int>(rank), lengths, nullptr);
  remove(file, name);
  const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  double values[125];
  const char* texts[125];
  for (hsize_t i = 0; i < count; ++i) {
    values[i] = is_text ? 0 : number_of(bytes);
    texts[i] = i % 2 ? "l" : "r";
  }
  if (dataset >= 0 && count > 0)
    H5Dwrite(dataset, is_text ? type : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
             is_text ? static_cast<const void*>(texts) : values);
  if (dataset >= 0) H5Dclose(dataset);
  H5Sclose(space);
  H5Tclose(type);
}

void put_text(hid_t file, const char* name, const std::string& text) {
  remove(file, name);
  const hid_t type = type_of(8), space = H5Screate(H5S_SCALAR);
  const char* const value = text.c_str();
  const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (dataset >= 0) {
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
    H5Dclose(dataset);
  }
  H5Sclose(space);
  H5Tclose(type);
}

Json strange_value(Bytes& bytes) {
  static const Json kValues[] = {0,
                                 1,
                                 2,
                                 3,
                                 -1,
                                 5,
                                 1000000000,
                                 4294967296,
                                 1e300,
                                 1e-300,
                                 0.5,
                                 "nan",
                                 "inf",
                                 "x",
                                 "l",
                                 "ordinal",
                                 "graph",
                                 "trial_number",
                                 "free",
                                 "fixed",
                                 "lds",
                                 "both",
                                 true,
                                 false,
                                 nullptr,
                                 {1, 2},
                                 {"x", "side"},
                                 "",
                                 "nearest",
                                 "manhattan",
                                 {"l"},
                                 18446744073709551615u};
  return kValues[bytes.next(std::size(kValues))];
}

// One of all values in the object, nested ones included, becomes another or goes.
std::pair<Json::json_pointer, Json> change_of(const Json& object, Bytes& bytes) {
  const Json leaves = object.flatten();
  auto leaf = leaves.begin();
  std::advance(leaf, (bytes.next() * 256 + bytes.next()) % leaves.size());
  return {Json::json_pointer(leaf.key()), strange_value(bytes)};
}

void use(FitResult fitted) {
  const Trials trials = small_trials();
  FitOptions& options = fitted.summary.options;
  options.threads = 1;
  const auto attempt = [](const auto& action) {
    try {
      action();
    } catch (const Error&) {
    }
  };
  attempt([&] { to_json(evaluate(fitted, trials)); });
  attempt([&] { cosmooth(fitted.model, options, trials, {.folds = 2}); });
  attempt([&] { evaluate(transform(fitted, trials, {.threads = 1}), trials); });
  fitted.summary.full_report();
}

}  // namespace
}  // namespace milcci::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace milcci;
  using namespace milcci::fuzz;
  static const std::string path =
      std::filesystem::temp_directory_path() / fmt::format("milcci-fuzz-{}.h5", getpid());
  static const FitResult good = small_model();
  static const std::string good_bytes = [] {
    write_model(path, good, Overwrite::yes);
    return bytes_of(path);
  }();
  std::ofstream(path, std::ios::binary) << good_bytes;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  if (file < 0) std::abort();
  Json specs[] = {category_to_json(good.summary.options.categories[0]),
                  category_to_json(good.summary.options.categories[1])};
  Json summary = Json::parse(to_json(good.summary));
  Bytes bytes(data, size);
  for (int n = 0; n < 12 && !bytes.is_empty(); ++n) {
    const unsigned what = bytes.next(8), k = bytes.next(2);
    const char* const name = kNames[what == 0 ? bytes.next(std::size(kNames)) : bytes.next(kNumberNames)];
    try {
      if (what == 0) {
        remove(file, name);
      } else if (what == 1) {
        remove(file, name);
        put_dataset(file, name, bytes, kNames);
      } else if (what < 5) {
        put_array(file, name, bytes);
      } else if (what == 5) {
        const auto [place, value] = change_of(summary, bytes);
        summary[place] = value;
      } else {
        // Where both say the same, the reader believes it.
        const auto [place, value] = change_of(specs[k], bytes);
        specs[k][place] = value;
        if (what == 6) summary["options"]["categories"][k] = specs[k];
      }
    } catch (const Json::exception&) {  // the place is gone
    }
  }
  put_text(file, "categories/x/spec", specs[0].dump());
  put_text(file, "categories/side/spec", specs[1].dump());
  put_text(file, "summary/json", summary.dump());
  H5Fclose(file);
  try {
    use(read_model(path));
  } catch (const Error&) {
  }
  std::filesystem::remove(path);
  return 0;
}
