#include "hdf5/write_driver.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "hdf5/driver_class.hpp"

namespace milcci::hdf5 {

namespace {

// The driver's part of an access list.
struct DriverInfo {
  int* error;
};

// HDF5 takes a pointer to this for one to its first member.
struct DriverFile {
  H5FD_t base{};
  int descriptor = -1;
  int* error = nullptr;
  haddr_t end_of_allocation = 0, end_of_file = 0;
};

DriverFile& file_of(H5FD_t* file) {
  return *reinterpret_cast<DriverFile*>(file);
}
const DriverFile& file_of(const H5FD_t* file) {
  return *reinterpret_cast<const DriverFile*>(file);
}

void remember(DriverFile& file) {
  if (*file.error == 0) *file.error = errno;
}

H5FD_t* open_file(const char* name, unsigned, hid_t access_list, haddr_t) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access_list));
  const int descriptor = info ? ::open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
  if (descriptor < 0) return nullptr;
  auto* file = new DriverFile;
  file->descriptor = descriptor;
  file->error = info->error;
  return &file->base;
}

herr_t close_file(H5FD_t* file) {
  if (::close(file_of(file).descriptor) != 0) remember(file_of(file));
  delete &file_of(file);
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  if (flags)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_end_of_allocation(const H5FD_t* file, H5FD_mem_t) {
  return file_of(file).end_of_allocation;
}

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  file_of(file).end_of_allocation = address;
  return 0;
}

haddr_t get_end_of_file(const H5FD_t* file, H5FD_mem_t) {
  return file_of(file).end_of_file;
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  auto* bytes = static_cast<char*>(buffer);
  while (size > 0) {
    const ssize_t n = pread(file_of(file).descriptor, bytes, size, static_cast<off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    bytes += n;
    size -= static_cast<size_t>(n);
    address += static_cast<haddr_t>(n);
  }
  std::memset(bytes, 0, size);  // what lies beyond the end reads as zeros
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) {
  DriverFile& self = file_of(file);
  self.end_of_file = std::max(self.end_of_file, static_cast<haddr_t>(address + size));
  const auto* bytes = static_cast<const char*>(buffer);
  while (size > 0 && *self.error == 0) {
    const ssize_t n = pwrite(self.descriptor, bytes, size, static_cast<off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      remember(self);
      break;
    }
    bytes += n;
    size -= static_cast<size_t>(n);
    address += static_cast<haddr_t>(n);
  }
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  DriverFile& self = file_of(file);
  if (self.end_of_file == self.end_of_allocation) return 0;
  if (*self.error == 0 && ftruncate(self.descriptor, static_cast<off_t>(self.end_of_allocation)) != 0)
    remember(self);
  self.end_of_file = self.end_of_allocation;
  return 0;
}

hid_t driver() {
  static hid_t id = -1;
  if (id >= 0 && H5Iis_valid(id) > 0) return id;  // the program around us may have closed the library
  H5FD_class_t calls = driver_class(600, "milcci_write", sizeof(DriverInfo));
  calls.open = open_file;
  calls.close = close_file;
  calls.query = query;
  calls.get_eoa = get_end_of_allocation;
  calls.set_eoa = set_end_of_allocation;
  calls.get_eof = get_end_of_file;
  calls.read = read;
  calls.write = write;
  calls.truncate = truncate;
  return id = H5FDregister(&calls);
}

}  // namespace

bool use_write_driver(hid_t access_list, int* error) {
  const DriverInfo info{error};
  return H5Pset_driver(access_list, driver(), &info) >= 0;
}

}  // namespace milcci::hdf5
