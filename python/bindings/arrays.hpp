// Matrices and lists of the library as NumPy arrays: views that keep their owner alive, or arrays of their
// own where the library keeps the numbers in another shape.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <vector>

#include "bind.hpp"
#include "milcci/trials.hpp"
#include "milcci/types.hpp"

namespace milcci::python {

using ReadOnlyArray = nb::ndarray<nb::numpy, const double>;
using OwnArray = nb::ndarray<nb::numpy, double>;

/// The matrix in place, rows x columns. `owner` is the Python object that keeps it.
ReadOnlyArray view_of(const Matrix& matrix, nb::handle owner);
ReadOnlyArray view_of(const Vector& vector, nb::handle owner);
/// An array that owns the numbers of the matrix.
OwnArray array_of(Matrix&& matrix);
/// Matrices of one shape, one behind the other along a third axis: N x p x n.
OwnArray stack(const std::vector<Matrix>& matrices);

/// A list of texts, or an array of whole numbers or of reals.
nb::object values_of(const LabelColumn& column);
/// (name, values) per column, and back. Throws Error(bad_input) for other values than `values_of` makes.
NamedValues to_list(const std::vector<LabelColumn>& columns);
std::vector<LabelColumn> to_columns(const NamedValues& columns);

}  // namespace milcci::python
