// Files, groups, errors: everything that neither reads nor writes values.
#include "hdf5/hdf5.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "hdf5/context.hpp"
#include "hdf5/read_driver.hpp"
#include "hdf5/write_driver.hpp"
#include "milcci/error.hpp"
#include "util/web_address.hpp"

namespace milcci::hdf5 {

namespace {

std::recursive_mutex& library_lock() {
  static std::recursive_mutex mutex;
  return mutex;
}

// The innermost entry of the error stack is the closest to the cause.
herr_t keep_first(unsigned n, const H5E_error2_t* error, void* reason) {
  if (n == 0 && error->desc) *static_cast<std::string*>(reason) = error->desc;
  return 0;
}

// HDF5 1.10 loses memory whenever a checksum is wrong, and at the end of the program complains on
// stderr that it cannot close itself ("infinite loop closing library"). Our error has been reported
// by then: once a file was found damaged, let HDF5 close where its complaint is not seen.
void close_library_silently() {
  std::fflush(stderr);
  const int kept = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (kept >= 0 && nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  H5close();
  std::fflush(stderr);
  if (kept >= 0) {
    dup2(kept, STDERR_FILENO);
    close(kept);
  }
  if (nowhere >= 0) close(nowhere);
}

herr_t add_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  try {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
  } catch (...) {
    return -1;  // nothing may be thrown through C
  }
}

Handle access_list() {
  Handle list(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Closing the file closes all that is open in it, so that a failed write cannot keep it open.
  H5Pset_fclose_degree(list.get(), H5F_CLOSE_STRONG);
  // From 1.10 on all metadata but the heaps of texts carry checksums, and a dataset in one chunk needs no
  // index.
  H5Pset_libver_bounds(list.get(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  return list;
}

}  // namespace

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this != &other) {
    close();
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
  }
  return *this;
}

bool Handle::close() {
  const bool went_well = id_ < 0 || close_(id_) >= 0;
  id_ = -1;
  return went_well;
}

std::string to_text(const Shape& shape) {
  if (shape.empty()) return "a single value";
  std::string text;
  for (const std::size_t length : shape)
    text += (text.empty() ? "" : " x ") + (length == kAny ? "any" : std::to_string(length));
  return text;
}

SilentErrors::SilentErrors() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

SilentErrors::~SilentErrors() {
  H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

Context::Context() : lock(library_lock()) {}

void fail(const Context& context, const std::string& object, const std::string& message) {
  const std::string where = object.empty() ? "" : ", " + object;
  throw Error(ErrorKind::bad_file, fmt::format("file \"{}\"{}: {}", context.path, where, message));
}

void check_written(const Context& context) {
  if (context.write_error != 0)
    fail(context, "", fmt::format("cannot be written: {}", std::strerror(context.write_error)));
}

void fail_call(const Context& context, const std::string& object, const std::string& message) {
  check_written(context);  // what fails after a failed write fails because of it
  static const int registered = std::atexit(close_library_silently);
  static_cast<void>(registered);
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  H5Eclear2(H5E_DEFAULT);
  if (const std::string problem = std::exchange(context.read_problem, ""); !problem.empty())
    fail(context, object, fmt::format("{} ({})", message, problem));
  reason = reason.substr(0, reason.find(": time = "));  // clock, addresses and other details follow
  fail(context, object, reason.empty() ? message : fmt::format("{} (HDF5: {})", message, reason));
}

Shape shape_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const int rank = space.is_open() ? H5Sget_simple_extent_ndims(space.get()) : 0;
  std::vector<hsize_t> lengths(static_cast<std::size_t>(std::max(rank, 0)));
  if (rank > 0) H5Sget_simple_extent_dims(space.get(), lengths.data(), nullptr);
  return {lengths.begin(), lengths.end()};
}

Handle chunk_cache_list(const hsize_t (&chunk)[2]) {
  constexpr std::size_t kLeast = std::size_t{1} << 20, kMost = std::size_t{1} << 28, kSlots = 521;
  Handle list(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  const std::size_t n_bytes =
      std::clamp<std::size_t>(2 * chunk[0] * chunk[1] * sizeof(double), kLeast, kMost);
  H5Pset_chunk_cache(list.get(), kSlots, n_bytes, 1.0);
  return list;
}

Handle text_type(H5T_cset_t character_set) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), character_set);
  return type;
}

Group::Group(std::shared_ptr<Context> context, std::string path, Handle group)
    : context_(std::move(context)), path_(std::move(path)), group_(std::move(group)) {}

std::string Group::path_of(const std::string& name) const {
  return name == "." ? path_ : path_ == "/" ? path_ + name : path_ + "/" + name;
}

void Group::fail(const std::string& name, const std::string& message) const {
  hdf5::fail(*context_, path_of(name), message);
}

bool Group::has(const std::string& name) const {
  H5L_info_t link;
  const htri_t exists = H5Lexists(group_.get(), name.c_str(), H5P_DEFAULT);
  if (exists < 0) fail_call(*context_, path_of(name), "cannot be looked up; the file is damaged");
  if (exists == 0) return false;
  if (H5Lget_info(group_.get(), name.c_str(), &link, H5P_DEFAULT) < 0)
    fail_call(*context_, path_of(name), "cannot be looked up");
  if (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT)
    fail(name, "is a link into another file, must be in this one; copy the data into it");
  return link.type == H5L_TYPE_HARD || H5Oexists_by_name(group_.get(), name.c_str(), H5P_DEFAULT) > 0;
}

Group Group::open_group(const std::string& name) const {
  if (!has(name)) fail(name, "there is no such group; the file is incomplete or was changed by hand");
  Handle group(H5Gopen2(group_.get(), name.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group.is_open()) fail_call(*context_, path_of(name), "is not a group that can be opened");
  return {context_, path_of(name), std::move(group)};
}

std::vector<std::string> Group::child_names() const {
  std::vector<std::string> names;
  hsize_t start = 0;
  if (H5Literate(group_.get(), H5_INDEX_CRT_ORDER, H5_ITER_INC, &start, add_name, &names) < 0) {
    names.clear();
    start = 0;
    if (H5Literate(group_.get(), H5_INDEX_NAME, H5_ITER_INC, &start, add_name, &names) < 0)
      fail_call(*context_, path_, "cannot be listed");
  }
  std::vector<std::pair<std::int64_t, std::string>> placed;
  for (const std::string& name : names) {
    if (!has(name) || !has_attribute(name, "position")) return names;
    placed.emplace_back(read_integer_attribute(name, "position"), name);
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = placed[i].second;
  return names;
}

File File::open(const std::string& path) {
  auto context = std::make_shared<Context>();
  context->path = path;
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) hdf5::fail(*context, "", why_not_there(path));
  if (!std::filesystem::is_regular_file(status))
    hdf5::fail(*context, "", "is not a regular file, must be an HDF5 file");
  context->n_bytes = std::filesystem::file_size(path, error);
  context->descriptor = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (context->descriptor.get() < 0)
    hdf5::fail(*context, "", fmt::format("cannot be opened for reading: {}", std::strerror(errno)));
  if (H5Fis_hdf5(path.c_str()) <= 0)
    hdf5::fail(
        *context, "",
        fmt::format("is not an HDF5 file ({} bytes without the HDF5 signature), must be a milcci trials "
                    "or model file (docs/file-formats.md)",
                    context->n_bytes));
  const Handle access = access_list();
  if (!use_read_driver(access.get(), &context->read_problem))
    fail_call(*context, "", "HDF5 cannot be set up for reading");
  context->file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  if (!context->file.is_open())
    fail_call(*context, "", "is damaged or incomplete and cannot be opened; make it again");
  return File(std::move(context));
}

File File::create(const std::string& path, const std::string& shown_path) {
  auto context = std::make_shared<Context>();
  context->path = shown_path;
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_attr_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_obj_track_times(creation.get(), false);
  const Handle access = access_list();
  if (!use_write_driver(access.get(), &context->write_error))
    fail_call(*context, "", "HDF5 cannot be set up for writing");
  context->file = Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose);
  if (!context->file.is_open()) fail_call(*context, "", "cannot be created");
  return File(std::move(context));
}

Group File::root() const {
  Handle group(H5Gopen2(context_->file.get(), "/", H5P_DEFAULT), H5Gclose);
  if (!group.is_open()) fail_call(*context_, "/", "cannot be opened");
  return {context_, "/", std::move(group)};
}

void File::close() {
  const bool is_closed = context_->file.close();
  check_written(*context_);
  if (!is_closed) fail_call(*context_, "", "cannot be closed");
}

std::string title_of(const std::string& link) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  if (link == "%") return "";
  std::string title;
  for (std::size_t i = 0; i < link.size(); ++i) {
    const bool is_escape =
        link[i] == '%' && i + 2 < link.size() && digit(link[i + 1]) >= 0 && digit(link[i + 2]) >= 0;
    title += is_escape ? static_cast<char>(16 * digit(link[i + 1]) + digit(link[i + 2])) : link[i];
    if (is_escape) i += 2;
  }
  return title;
}

std::string link_name(const std::string& title) {
  const bool is_dots = title.find_first_not_of('.') == std::string::npos;
  std::string name;
  for (std::size_t i = 0; i < title.size(); ++i) {
    const auto c = static_cast<unsigned char>(title[i]);
    const bool is_edge_blank = c == ' ' && (i == 0 || i + 1 == title.size());
    if (c == '/' || c == '%' || c < 0x20 || c == 0x7f || is_edge_blank || is_dots)
      name += fmt::format("%{:02X}", c);
    else
      name += title[i];
  }
  return name.empty() ? "%" : name;
}

}  // namespace milcci::hdf5
