// NWB files that are whole but strange: the bytes say what is changed in a small session, and with which
// options it is read.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "file_in_memory.hpp"
#include "strange_hdf5.hpp"

namespace {

using namespace milcci::fuzz;

const char* const kGroups[] = {"units",
                               "intervals",
                               "intervals/trials",
                               "acquisition",
                               "acquisition/pupil",
                               "intervals/invalid_times",
                               "general",
                               "general/extracellular_ephys",
                               "general/extracellular_ephys/electrodes"};

const char* const kNames[] = {"units/spike_times",
                              "units/spike_times_index",
                              "units/obs_intervals",
                              "units/obs_intervals_index",
                              "units/electrodes",
                              "units/electrodes_index",
                              "units/id",
                              "units/name",
                              "intervals/trials/start_time",
                              "intervals/trials/stop_time",
                              "intervals/trials/go_time",
                              "intervals/trials/choice",
                              "intervals/trials/choice_index",
                              "intervals/invalid_times/start_time",
                              "intervals/invalid_times/stop_time",
                              "acquisition/pupil/data",
                              "acquisition/pupil/timestamps",
                              "acquisition/pupil/starting_time",
                              "acquisition/pupil/electrodes",
                              "acquisition/pupil/channel_conversion",
                              "general/extracellular_ephys/electrodes/location",
                              "units",
                              "intervals",
                              "intervals/trials",
                              "intervals/other",
                              "acquisition",
                              "acquisition/pupil",
                              "acquisition/self"};

template <class Value>
void put(hid_t file, const char* name, hid_t type, std::initializer_list<Value> values) {
  const hsize_t n = values.size();
  const hid_t space = H5Screate_simple(1, &n, nullptr);
  const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.begin());
  H5Dclose(dataset);
  H5Sclose(space);
}

void put_session(hid_t file) {
  for (const char* group : kGroups) H5Gclose(H5Gcreate2(file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  put_attribute(file, "/", "nwb_version", "2.7.0", 0);
  put(file, "units/spike_times", H5T_NATIVE_DOUBLE, {1.0, 2.0, 3.0, 1.5});
  put(file, "units/spike_times_index", H5T_NATIVE_INT, {3, 4});
  put(file, "intervals/trials/start_time", H5T_NATIVE_DOUBLE, {1.0, 2.0});
  put(file, "intervals/trials/stop_time", H5T_NATIVE_DOUBLE, {2.0, 4.0});
  put(file, "intervals/trials/go_time", H5T_NATIVE_DOUBLE, {1.5, 2.5});
  put(file, "intervals/trials/choice", H5T_NATIVE_INT, {1, 2});
  put(file, "acquisition/pupil/data", H5T_NATIVE_DOUBLE, {1.0, 2.0, 3.0});
  put(file, "acquisition/pupil/timestamps", H5T_NATIVE_DOUBLE, {1.0, 2.0, 3.0});
}

milcci::ReadOptions nwb_options(Bytes& bytes) {
  static const double kWidths[] = {0.005, 0.5, 30.0};
  milcci::ReadOptions options;
  const unsigned choice = bytes.next();
  if (choice & 1) options.dataset = "acquisition/pupil";
  if (choice & 2) options.series_labels = {"size=acquisition/pupil"};
  if (choice & 4) options.align = "go_time", options.after = 1;
  if (choice & 8) options.before = 0.5;
  if (choice & 16) options.min_rate = 0.1;
  if (choice & 32) options.table = "intervals/other";
  if (choice & 64) options.channel = "name";
  if (choice & 128) options.first_trials = 2;
  options.bin_width = kWidths[bytes.next(3)];
  if (bytes.next(2)) options.smooth_sigma = 0;
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path =
      std::filesystem::temp_directory_path() / fmt::format("milcci-fuzz-{}.nwb", getpid());
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  Bytes bytes(data, size);
  const milcci::ReadOptions options = nwb_options(bytes);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) std::abort();
  put_session(file);
  for (int n = 0; n < 12 && !bytes.is_empty(); ++n) {
    const unsigned what = bytes.next(8);
    const char* name = name_of(bytes, kNames);
    if (what == 1) {
      static const char* const kAttributes[] = {"rate", "conversion", "offset"};
      put_attribute(file, name, kAttributes[bytes.next(3)], bytes.next(8) ? nullptr : "fast",
                    number_of(bytes));
      continue;
    }
    if (bytes.next(8)) H5Ldelete(file, name, H5P_DEFAULT);
    if (what == 2) put_link(file, name, bytes.next(3), bytes, kNames);
    if (what > 2) put_dataset(file, name, bytes, kNames);
  }
  H5Fclose(file);
  read_file(path, options);
  std::filesystem::remove(path);
  return 0;
}
