// How HDF5 writes our files: a file driver that keeps write errors to itself.
//
// When a write fails, as on a full disk, HDF5 1.10 can neither finish nor close the file, and the program
// crashes when it ends. So this driver remembers the first error, throws away all that would be written
// after it, and tells HDF5 that all is well; whoever writes asks for the error at the end.
#pragma once

#include "hdf5/hdf5.hpp"

namespace milcci::hdf5 {

/// Makes a file access list use the driver. `*error` is set to the errno of the first failure, and must
/// outlive the file.
bool use_write_driver(hid_t access_list, int* error);

}  // namespace milcci::hdf5
