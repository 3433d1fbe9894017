// What a file is, by its first bytes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "hdf5/hdf5.hpp"
#include "milcci/error.hpp"
#include "milcci/files.hpp"
#include "milcci/read.hpp"
#include "read/errors.hpp"
#include "util/web_address.hpp"

namespace milcci {

namespace {

using read::fail;
using read::shown;

std::string bytes_at(std::ifstream& file, std::uint64_t offset, std::size_t count) {
  std::string bytes(count, '\0');
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return bytes;
}

// The signature stands at the beginning, or behind a block of 512, 1024, 2048, ... bytes of somebody else.
bool is_hdf5(std::ifstream& file, std::uint64_t n_bytes) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1A\n";
  for (std::uint64_t offset = 0; offset + kSignature.size() <= n_bytes;
       offset = std::max<std::uint64_t>(512, 2 * offset))
    if (bytes_at(file, offset, kSignature.size()) == kSignature) return true;
  return false;
}

// Byte order and version stand at the end of a header of 128 bytes.
bool is_mat5(const std::string& start) {
  return start.size() >= 128 && ((start.substr(124, 4) == std::string_view("\0\1IM", 4)) ||
                                 (start.substr(124, 4) == std::string_view("\1\0MI", 4)));
}

FileFormat hdf5_format(const std::string& path) {
  const hdf5::Group root = hdf5::File::open(path).root();
  if (root.has_attribute(".", "nwb_version")) return FileFormat::nwb;
  if (root.has("nwb_version") && root.has("epochs")) fail(path, "is NWB of version 1, must be 2; convert it");
  if (!root.has_attribute(".", "format")) return FileFormat::hdf5;
  try {
    if (!root.read_text_attribute(".", "format").starts_with("milcci-")) return FileFormat::hdf5;
  } catch (const Error&) {
    return FileFormat::hdf5;  // an attribute of another program
  }
  return file_kind(path) == FileKind::trials ? FileFormat::trials_file : FileFormat::model_file;
}

// Formats that are not read, with what to do about it.
void refuse_known_others(const std::string& path, const std::string& start) {
  const std::string as_csv = "save it as CSV, as pandas does with to_csv";
  const auto is_in = [&](const char* text) { return start.find(text) != std::string::npos; };
  if (start.starts_with("PAR1")) fail(path, "is a Parquet file, which is not read here; " + as_csv);
  if (start.starts_with("ARROW1") || start.starts_with("FEA1"))
    fail(path, "is a Feather (Arrow) file, which is not read here; " + as_csv);
  if (start.starts_with("\xD0\xCF\x11\xE0"))
    fail(path, "is a file of an old Excel (xls), which is not read here; save the sheet as CSV");
  if (start.starts_with("PK\x03\x04") && is_in("xl/"))
    fail(path, "is an Excel file (xlsx), which is not read here; save the sheet as CSV");
  if (start.starts_with("CDF\x01") || start.starts_with("CDF\x02") || start.starts_with("CDF\x05"))
    fail(path,
         "is a NetCDF file of version 3, which is not read here; convert it to version 4, which is HDF5: "
         "nccopy -k nc4 OLD NEW, or to_netcdf of xarray");
}

void refuse_folder(const std::string& path) {
  for (const char* mark : {".zarray", ".zgroup", ".zattrs", "zarr.json"})
    if (std::filesystem::exists(std::filesystem::path(path) / mark))
      fail(path, "is a zarr store, which is not read here; save the array as NPY, as numpy.save does");
  fail(path, "is a folder, must be a file");
}

[[noreturn]] void fail_unknown(const std::string& path, const std::string& start) {
  const std::string extension = std::filesystem::path(path).extension().string();
  const std::string known = "must be a trials file, CSV, NPY, NPZ, MAT, NWB or HDF5 (docs/file-formats.md)";
  if (extension == ".mat")
    fail(path,
         "is no MATLAB file of version 5 or 7.3; in MATLAB, save it again with the option -v7 or -v7.3");
  if (extension == ".h5" || extension == ".hdf5" || extension == ".nwb")
    fail(path, fmt::format("is not an HDF5 file (no HDF5 signature), though its name says so; {}", known));
  fail(path,
       fmt::format("is of no format known here, it begins with {}; {}", shown(start.substr(0, 16)), known));
}

}  // namespace

FileFormat file_format(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) fail(path, why_not_there(path));
  if (std::filesystem::is_directory(status)) refuse_folder(path);
  if (!std::filesystem::is_regular_file(status))
    fail(path, "is not a regular file; save the data to a file and give its name");
  const std::uint64_t n_bytes = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, "cannot be opened for reading; check its permissions");
  if (n_bytes == 0) fail(path, "is empty");

  const std::string start = bytes_at(file, 0, 4096);
  if (is_hdf5(file, n_bytes)) return start.starts_with("MATLAB 7.3") ? FileFormat::mat73 : hdf5_format(path);
  refuse_known_others(path, start);
  if (start.starts_with("\x93NUMPY")) return FileFormat::npy;
  if (start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06")) return FileFormat::npz;
  if (is_mat5(start)) return FileFormat::mat5;
  if (start.starts_with("\x1F\x8B")) return FileFormat::table;
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF"))
    fail(path, "is text in UTF-16, must be UTF-8; save the table as CSV UTF-8");
  const std::string extension = std::filesystem::path(path).extension().string();
  const bool is_named_table = extension == ".csv" || extension == ".tsv" || extension == ".txt";
  if (start.find('\0') != std::string::npos && !is_named_table) fail_unknown(path, start);
  if (extension == ".h5" || extension == ".hdf5" || extension == ".nwb" || extension == ".mat" ||
      extension == ".npy" || extension == ".npz")
    fail_unknown(path, start);
  return FileFormat::table;
}

}  // namespace milcci
