#include "read/arrays/npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <optional>

#include "read/arrays/bytes.hpp"
#include "read/errors.hpp"
#include "read/text/number.hpp"
#include "read/text/utf.hpp"

namespace milcci::read {

namespace {

// The header is a Python dictionary: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }.
class HeaderText {
 public:
  HeaderText(const std::string& path, std::string_view name, std::string_view text)
      : path_(path), name_(name), text_(text) {}

  // What follows 'key':
  std::string_view after(std::string_view key) const {
    const std::string quoted = fmt::format("'{}'", key);
    std::size_t at = text_.find(quoted);
    if (at == std::string_view::npos) fail_header(fmt::format("has no {}", quoted));
    at = text_.find_first_not_of(" :", at + quoted.size());
    return at == std::string_view::npos ? std::string_view() : text_.substr(at);
  }

  Shape shape() const {
    std::string_view rest = after("shape");
    const std::size_t close = rest.find(')');
    if (!rest.starts_with('(') || close == std::string_view::npos) fail_header("has no shape in parentheses");
    rest = rest.substr(1, close - 1);
    Shape shape;
    while (!trim(rest).empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const auto length = parse_integer(rest.substr(0, comma));
      if (!length || *length < 0 || shape.size() == 32) fail_header(fmt::format("has the shape ({})", rest));
      shape.push_back(static_cast<std::size_t>(*length));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return shape;
  }

  [[noreturn]] void fail_header(const std::string& found) const {
    fail_item(
        path_, name_,
        fmt::format("its NPY header {}, must be as NumPy writes it; the header is {}", found, shown(text_)));
  }

 private:
  const std::string& path_;
  std::string_view name_, text_;
};

std::optional<Scalar> scalar_of(char kind, std::size_t size) {
  const auto by_size = [&](Scalar one, Scalar two, Scalar four, Scalar eight) -> std::optional<Scalar> {
    return size == 1 ? one : size == 2 ? two : size == 4 ? four : eight;
  };
  if (size != 1 && size != 2 && size != 4 && size != 8) return {};
  if (kind == 'i') return by_size(Scalar::i8, Scalar::i16, Scalar::i32, Scalar::i64);
  if (kind == 'u') return by_size(Scalar::u8, Scalar::u16, Scalar::u32, Scalar::u64);
  if (kind == 'b' && size == 1) return Scalar::u8;
  if (kind == 'f' && size == 4) return Scalar::f32;
  if (kind == 'f' && size == 8) return Scalar::f64;
  return {};
}

// '<f8': byte order, kind, size in bytes (of texts 'U': in characters).
void take_type(const HeaderText& text, NpyHeader& header) {
  std::string_view type = text.after("descr");
  if (type.starts_with('[')) {
    header.other = "an array of records; save its columns one by one";
    return;
  }
  if (!type.starts_with('\'') || type.find('\'', 1) == std::string_view::npos)
    text.fail_header("has no type");
  type = type.substr(1, type.find('\'', 1) - 1);
  header.description = std::string(type);
  if (type.size() > 1 && (type[0] == '|' || type[0] == '<' || type[0] == '>' || type[0] == '=')) {
    const bool is_little = std::endian::native == std::endian::little;
    header.is_swapped = type[0] == (is_little ? '>' : '<');
    type.remove_prefix(1);
  }
  const char kind = type.empty() ? ' ' : type[0];
  const auto size = parse_integer(type.substr(std::min<std::size_t>(1, type.size())));
  if (kind == 'O') {
    header.other = "an array of Python objects; save numbers or texts, such as np.array(labels, dtype=str)";
  } else if ((kind == 'U' || kind == 'S' || kind == 'a') && size && *size >= 0 && *size < (1 << 28)) {
    header.kind = ItemKind::texts;
    header.is_utf32 = kind == 'U';
    header.item_size = static_cast<std::size_t>(*size) * (header.is_utf32 ? 4 : 1);
  } else if (const auto scalar =
                 size && *size > 0 ? scalar_of(kind, static_cast<std::size_t>(*size)) : std::nullopt) {
    header.kind = ItemKind::numbers;
    header.type = *scalar;
    header.item_size = size_of(*scalar);
  } else {
    header.other =
        fmt::format("an array of type {}; convert it with astype(float)", shown(header.description));
  }
}

}  // namespace

NpyHeader parse_npy_header(const std::string& path, std::string_view name, std::string_view start,
                           std::uint64_t n_bytes) {
  if (!start.starts_with("\x93NUMPY") || start.size() < 12)
    fail_item(path, name, "is no NPY array, its header is not there");
  const int version = start[6];
  const std::size_t length_size = version == 1 ? 2 : 4;
  if (version < 1 || version > 3)
    fail_item(path, name, fmt::format("is NPY of version {}, must be 1 to 3", version));
  const std::uint64_t length = number_at(start, 8, length_size);
  NpyHeader header;
  if (length > start.size() - 8 - length_size)
    fail_item(path, name,
              fmt::format("declares a header of {} bytes; the file is damaged or incomplete", length));
  header.begin = 8 + length_size + length;
  const HeaderText text(path, name, start.substr(8 + length_size, length));
  take_type(text, header);
  const std::string_view order = text.after("fortran_order");
  if (!order.starts_with("True") && !order.starts_with("False")) text.fail_header("does not say its order");
  header.order = order.starts_with("True") ? Order::first_fastest : Order::last_fastest;
  header.shape = text.shape();
  if (header.kind == ItemKind::other) return header;
  const std::uint64_t left = n_bytes - header.begin, count = count_of(header.shape);
  if (header.item_size > 0 && count > left / header.item_size)
    fail_item(path, name,
              fmt::format("declares {} values of {} bytes, but there are {} bytes; the file is damaged or "
                          "incomplete",
                          to_text(header.shape), header.item_size, left));
  if (header.item_size == 0 && count > n_bytes)
    fail_item(path, name,
              fmt::format("declares {} empty texts in a file of {} bytes", to_text(header.shape), n_bytes));
  return header;
}

NumberArray npy_numbers(const NpyHeader& header, std::shared_ptr<const std::string> bytes) {
  return {header.type,      header.is_swapped, header.shape, dense_strides(header.shape, header.order),
          std::move(bytes), header.begin};
}

std::vector<std::string> npy_texts(const NpyHeader& header, const std::string& bytes) {
  std::vector<std::string> texts(count_of(header.shape));
  const bool is_little = (std::endian::native == std::endian::little) != header.is_swapped;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::size_t first = header.begin + i * header.item_size;
    if (header.is_utf32) {
      for (std::size_t at = first; at < first + header.item_size; at += 4) {
        const std::uint64_t code = number_at(bytes, at, 4, is_little ? ByteOrder::little : ByteOrder::big);
        if (code == 0) break;
        append_utf8(texts[i], code);
      }
    } else {
      texts[i] = bytes.substr(first, header.item_size);
      texts[i].resize(texts[i].find_last_not_of('\0') + 1);
    }
  }
  return texts;
}

namespace {

class NpyFile : public ArrayFile {
 public:
  explicit NpyFile(const std::string& path)
      : path_(path),
        n_bytes_(file_size(path)),
        header_(parse_npy_header(path, "the array", read_bytes(path, 0, std::min(n_bytes_, kMostNpyHeader)),
                                 n_bytes_)),
        items_{{"array", header_.kind, header_.shape, header_.other, "array"}} {}

  const std::vector<ItemInfo>& items() const override { return items_; }
  NumberArray numbers(std::size_t) const override {
    NumberArray array = npy_numbers(header_, nullptr);
    array.begin = 0;
    array.bytes = std::make_shared<std::string>(
        read_bytes(path_, header_.begin, count_of(header_.shape) * header_.item_size));
    return array;
  }
  std::vector<std::string> texts(std::size_t) const override {
    return npy_texts(header_, read_bytes(path_, 0, n_bytes_));
  }
  std::vector<NumberArray> list(std::size_t) const override { return {}; }

 private:
  std::string path_;
  std::uint64_t n_bytes_;
  NpyHeader header_;
  std::vector<ItemInfo> items_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_npy(const std::string& path) {
  return std::make_unique<NpyFile>(path);
}

}  // namespace milcci::read
