#include "arrays.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "milcci/error.hpp"

namespace milcci::python {
namespace {

template <class T>
nb::ndarray<nb::numpy, T> copy_of(const std::vector<T>& values) {
  auto kept = std::make_unique<std::vector<T>>(values);
  T* data = kept->data();
  const std::size_t size = kept->size();
  nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(data, {size}, owner);
}

template <class T>
std::vector<T> numbers_in(const nb::ndarray<const T, nb::ndim<1>, nb::c_contig>& values) {
  return {values.data(), values.data() + values.shape(0)};
}

}  // namespace

ReadOnlyArray view_of(const Matrix& matrix, nb::handle owner) {
  const auto rows = static_cast<std::size_t>(matrix.rows()), cols = static_cast<std::size_t>(matrix.cols());
  return ReadOnlyArray(matrix.data(), {rows, cols}, owner, {1, matrix.rows()});
}

ReadOnlyArray view_of(const Vector& vector, nb::handle owner) {
  return ReadOnlyArray(vector.data(), {static_cast<std::size_t>(vector.size())}, owner);
}

OwnArray array_of(Matrix&& matrix) {
  auto kept = std::make_unique<Matrix>(std::move(matrix));
  double* data = kept->data();
  const Index rows = kept->rows(), cols = kept->cols();
  nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<Matrix*>(p); });
  return OwnArray(data, {static_cast<std::size_t>(rows), static_cast<std::size_t>(cols)}, owner, {1, rows});
}

OwnArray stack(const std::vector<Matrix>& matrices) {
  const Index rows = matrices.empty() ? 0 : matrices.front().rows(),
              cols = matrices.empty() ? 0 : matrices.front().cols();
  const std::size_t size = static_cast<std::size_t>(rows * cols);
  auto kept = std::make_unique<std::vector<double>>();
  kept->reserve(size * matrices.size());
  for (const Matrix& matrix : matrices) kept->insert(kept->end(), matrix.data(), matrix.data() + size);
  double* data = kept->data();
  nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return OwnArray(data, {static_cast<std::size_t>(rows), static_cast<std::size_t>(cols), matrices.size()},
                  owner, {1, rows, rows * cols});
}

nb::object values_of(const LabelColumn& column) {
  if (const auto* texts = std::get_if<LabelColumn::Texts>(&column.values)) return nb::cast(*texts);
  if (const auto* integers = std::get_if<LabelColumn::Integers>(&column.values))
    return nb::cast(copy_of(*integers));
  return nb::cast(copy_of(std::get<LabelColumn::Reals>(column.values)));
}

NamedValues to_list(const std::vector<LabelColumn>& columns) {
  NamedValues list;
  for (const LabelColumn& column : columns)
    list.append(nb::make_tuple(nb::cast(column.name), values_of(column)));
  return list;
}

std::vector<LabelColumn> to_columns(const NamedValues& columns) {
  std::vector<LabelColumn> found;
  for (const nb::handle entry : columns) {
    const auto pair = nb::cast<nb::tuple>(entry);
    LabelColumn column{.name = nb::cast<std::string>(pair[0]), .values = {}};
    nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig> integers;
    nb::ndarray<const double, nb::ndim<1>, nb::c_contig> reals;
    LabelColumn::Texts texts;
    if (nb::try_cast(pair[1], texts, false))
      column.values = std::move(texts);
    else if (nb::try_cast(pair[1], integers, false))
      column.values = numbers_in(integers);
    else if (nb::try_cast(pair[1], reals, false))
      column.values = numbers_in(reals);
    else
      throw Error(ErrorKind::bad_input,
                  fmt::format("label column {}: must be texts, whole numbers or reals", column.name));
    found.push_back(std::move(column));
  }
  return found;
}

}  // namespace milcci::python
