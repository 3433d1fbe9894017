#include "hdf5/read_driver.hpp"

#include <algorithm>
#include <new>

#include "hdf5/driver_class.hpp"
#include "hdf5/heap_checks.hpp"

namespace milcci::hdf5 {

namespace {

// The driver's part of an access list.
struct DriverInfo {
  std::string* problem;
};

// HDF5 takes a pointer to this for one to its first member.
struct DriverFile {
  H5FD_t base{};
  H5FD_t* inner = nullptr;  ///< HDF5's own driver, which does the work
  std::string* problem = nullptr;
  HeapChecks checks;
};

DriverFile& file_of(H5FD_t* file) {
  return *reinterpret_cast<DriverFile*>(file);
}
H5FD_t* inner_of(const H5FD_t* file) {
  return reinterpret_cast<const DriverFile*>(file)->inner;
}

std::optional<std::string> read_for_checks(H5FD_t* inner, std::uint64_t address, std::uint64_t count) {
  std::string bytes(count, '\0');
  if (H5FDread(inner, H5FD_MEM_DEFAULT, H5P_DEFAULT, address, count, bytes.data()) < 0) return {};
  return bytes;
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t access_list, haddr_t most) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access_list));
  const hid_t plain = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_sec2(plain);
  H5FD_t* inner = info ? H5FDopen(name, flags, plain, most) : nullptr;
  H5Pclose(plain);
  if (!inner) return nullptr;
  try {
    const auto read = [inner](std::uint64_t address, std::uint64_t count) {
      return read_for_checks(inner, address, count);
    };
    const haddr_t n_bytes = H5FDget_eof(inner, H5FD_MEM_DEFAULT);
    auto* file = new DriverFile{{}, inner, info->problem, HeapChecks(n_bytes, read)};
    return &file->base;
  } catch (...) {
    H5FDclose(inner);
    return nullptr;  // nothing may be thrown through C
  }
}

herr_t close_file(H5FD_t* file) {
  const herr_t outcome = H5FDclose(inner_of(file));
  delete &file_of(file);
  return outcome;
}

// Metadata are not gathered: the checks want to see every piece from its beginning.
herr_t query(const H5FD_t*, unsigned long* flags) {
  if (flags) *flags = H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_end_of_allocation(const H5FD_t* file, H5FD_mem_t type) {
  return H5FDget_eoa(inner_of(file), type);
}

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t type, haddr_t address) {
  return H5FDset_eoa(inner_of(file), type, address);
}

haddr_t get_end_of_file(const H5FD_t* file, H5FD_mem_t type) {
  return H5FDget_eof(inner_of(file), type);
}

herr_t read(H5FD_t* file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void* buffer) {
  if (H5FDread(inner_of(file), type, transfer, address, size, buffer) < 0) return -1;
  DriverFile& self = file_of(file);
  try {
    const std::string problem =
        self.checks.find_problem(address, {static_cast<const char*>(buffer), size}, type == H5FD_MEM_DRAW);
    if (problem.empty()) return 0;
    if (self.problem->empty()) *self.problem = problem;
  } catch (...) {  // nothing may be thrown through C
  }
  return -1;
}

herr_t write(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, size_t, const void*) {
  return -1;
}

herr_t lock(H5FD_t* file, hbool_t is_writer) {
  return H5FDlock(inner_of(file), is_writer);
}

herr_t unlock(H5FD_t* file) {
  return H5FDunlock(inner_of(file));
}

hid_t driver() {
  static hid_t id = -1;
  if (id >= 0 && H5Iis_valid(id) > 0) return id;  // the program around us may have closed the library
  H5FD_class_t calls = driver_class(601, "milcci_read", sizeof(DriverInfo));
  calls.open = open_file;
  calls.close = close_file;
  calls.query = query;
  calls.get_eoa = get_end_of_allocation;
  calls.set_eoa = set_end_of_allocation;
  calls.get_eof = get_end_of_file;
  calls.read = read;
  calls.write = write;
  calls.lock = lock;
  calls.unlock = unlock;
  return id = H5FDregister(&calls);
}

}  // namespace

bool use_read_driver(hid_t access_list, std::string* problem) {
  const DriverInfo info{problem};
  return H5Pset_driver(access_list, driver(), &info) >= 0;
}

}  // namespace milcci::hdf5
