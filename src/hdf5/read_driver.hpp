// How HDF5 reads files: as it always does, but the parts of the format that carry no checksum are looked at
// first.
//
// The library (1.10, and others) believes what stands in the heaps and name tables of the older format and in
// heaps of texts, and walks off its buffers where they are damaged. Here every piece of them is checked
// before the library sees it; a wrong one is an error of reading. Format: "HDF5 File Format Specification"
// 3.0, III.A.1 (B-trees), III.B (symbol table nodes), III.D (local heaps), III.E (global heaps).
#pragma once

#include <hdf5.h>

#include <string>

namespace milcci::hdf5 {

/// Files opened with this access list are read so. `problem` becomes what was found wrong first; it must
/// outlive the file. False if HDF5 refuses.
bool use_read_driver(hid_t access_list, std::string* problem);

}  // namespace milcci::hdf5
