// NumPy's file of several arrays: a zip file whose members are NPY files.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "read/arrays/arrays.hpp"
#include "read/arrays/npy.hpp"
#include "read/arrays/zip.hpp"
#include "read/errors.hpp"
#include "read/text/number.hpp"

namespace milcci::read {

namespace {

class NpzFile : public ArrayFile {
 public:
  explicit NpzFile(const std::string& path) : path_(path), zip_(path) {
    for (const ZipMember& member : zip_.members()) {
      if (member.name == "[Content_Types].xml")
        fail(path, "is an office document (a zip file), must be NPZ; save the table as CSV UTF-8");
      if (!member.name.ends_with(".npy"))
        fail_item(path, member.name, "is no NPY file; a zip file must be one that NumPy's savez wrote");
      const NpyHeader header =
          parse_npy_header(path, member.name, zip_.read_start(member, kMostNpyHeader), member.size);
      arrays_.push_back({member, header});
      const std::string name = member.name.substr(0, member.name.size() - 4);
      items_.push_back({name, header.kind, header.shape, header.other, name});
    }
    join_unnamed();
  }

  const std::vector<ItemInfo>& items() const override { return items_; }
  NumberArray numbers(std::size_t item) const override { return numbers(arrays_[item]); }
  std::vector<std::string> texts(std::size_t item) const override {
    return npy_texts(arrays_[item].header, zip_.read(arrays_[item].member));
  }
  std::vector<NumberArray> list(std::size_t) const override {
    std::vector<NumberArray> arrays;
    for (const Array& array : unnamed_) arrays.push_back(numbers(array));
    return arrays;
  }

 private:
  struct Array {
    ZipMember member;
    NpyHeader header;
  };

  NumberArray numbers(const Array& array) const {
    return npy_numbers(array.header, std::make_shared<std::string>(zip_.read(array.member)));
  }

  // np.savez("f.npz", *trials) calls them arr_0, arr_1, ...: matrices of that name are one list, in that
  // order.
  void join_unnamed() {
    const auto number_of = [](const ItemInfo& item) {
      return item.name.starts_with("arr_") && item.kind == ItemKind::numbers && item.shape.size() == 2
                 ? parse_integer(std::string_view(item.name).substr(4))
                 : std::nullopt;
    };
    if (std::count_if(items_.begin(), items_.end(), number_of) < 2) return;
    std::map<long long, Array> numbered;
    for (std::size_t i = items_.size(); i-- > 0;)
      if (const auto number = number_of(items_[i])) {
        numbered.emplace(*number, arrays_[i]);
        items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(i));
        arrays_.erase(arrays_.begin() + static_cast<std::ptrdiff_t>(i));
      }
    for (auto& [number, array] : numbered) unnamed_.push_back(std::move(array));
    items_.push_back({"arr_0, arr_1, ...", ItemKind::list, {unnamed_.size()}, "", ""});
  }

  std::string path_;
  ZipFile zip_;
  std::vector<ItemInfo> items_;
  std::vector<Array> arrays_;   // of the items but the list, which is the last
  std::vector<Array> unnamed_;  // of the list
};

}  // namespace

std::unique_ptr<ArrayFile> open_npz(const std::string& path) {
  return std::make_unique<NpzFile>(path);
}

}  // namespace milcci::read
