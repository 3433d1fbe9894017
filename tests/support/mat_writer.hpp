// MATLAB files of version 5 made by hand, right or wrong.
#pragma once

#include <zlib.h>

#include <string>
#include <vector>

#include "support/zip_writer.hpp"

namespace milcci::testing {

inline std::string mat_element(std::uint32_t type, std::string data) {
  const std::size_t size = data.size();
  if (type != 15) data.resize((size + 7) / 8 * 8, '\0');
  return little_endian(type, 4) + little_endian(size, 4) + data;
}

inline std::string mat_matrix(std::uint32_t array_class, const std::vector<std::uint32_t>& shape,
                              const std::string& name, const std::string& values) {
  std::string lengths;
  for (const std::uint32_t length : shape) lengths += little_endian(length, 4);
  return mat_element(14, mat_element(6, little_endian(array_class, 8)) + mat_element(5, lengths) +
                             mat_element(1, name) + values);
}

inline std::string mat_doubles(const std::vector<std::uint32_t>& shape, const std::string& name,
                               const std::vector<double>& values) {
  return mat_matrix(
      6, shape, name,
      mat_element(9, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)}));
}

inline std::string mat_text(const std::string& name, const std::string& text) {
  std::string units;
  for (const char c : text) units += std::string{c, '\0'};
  return mat_matrix(4, {1, static_cast<std::uint32_t>(text.size())}, name, mat_element(4, units));
}

inline std::string mat_cell(const std::string& name, const std::vector<std::string>& cells) {
  std::string all;
  for (const std::string& cell : cells) all += cell;
  return mat_matrix(1, {1, static_cast<std::uint32_t>(cells.size())}, name, all);
}

inline std::string mat_packed(const std::string& element) {
  uLongf size = compressBound(static_cast<uLong>(element.size()));
  std::string out(size, '\0');
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(element.data()),
           static_cast<uLong>(element.size()));
  out.resize(size);
  return mat_element(15, out);
}

inline std::string mat_file(const std::string& elements) {
  std::string header = "MATLAB 5.0 MAT-file, made by a test";
  header.resize(124, ' ');
  return header + std::string("\0\1IM", 4) + elements;
}

}  // namespace milcci::testing
