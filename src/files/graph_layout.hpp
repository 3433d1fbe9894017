// A label graph in the group of its category (docs/file-formats.md).
#pragma once

#include <string>
#include <vector>

#include "hdf5/hdf5.hpp"
#include "milcci/label_graph.hpp"

namespace milcci::files {

/// Small graphs as a matrix, which any program reads; large ones as one number or as a list of pairs.
/// `option`: the dimension of the group's options.
void write_graph(hdf5::Group& group, const LabelGraph& graph, const std::vector<std::string>& options,
                 const hdf5::Scale& option);
/// A graph in any of the three forms.
LabelGraph read_graph(const hdf5::Group& group, std::size_t n_options);

}  // namespace milcci::files
