// Pieces of HDF5 metadata, whole and with one number too large.
#include "hdf5/heap_checks.hpp"

#include <gtest/gtest.h>

namespace milcci::hdf5 {
namespace {

using std::literals::operator""s;

std::string number(std::uint64_t value, int n_bytes = 8) {
  std::string bytes;
  for (int i = 0; i < n_bytes; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

// What is found in bytes that stand at the beginning of a file.
std::string found_in(const std::string& bytes) {
  HeapChecks checks(bytes.size(), [&](std::uint64_t address, std::uint64_t count) {
    return std::optional(bytes.substr(address, count));
  });
  return checks.find_problem(0, bytes);
}

std::string local_heap(std::uint64_t size, std::uint64_t free, std::uint64_t next = 1) {
  return "HEAP\0\0\0\0"s + number(size) + number(free) + number(32) + std::string(16, 'x') + number(next) +
         number(16);
}

TEST(HeapChecks, NamesMustBeInTheFile) {
  EXPECT_EQ(found_in(local_heap(32, 16)), "");
  EXPECT_EQ(found_in(local_heap(32, 1)), "");
  EXPECT_NE(found_in(local_heap(33, 16)), "");
  EXPECT_NE(found_in(local_heap(UINT64_MAX, 16)), "");
}

TEST(HeapChecks, FreeRoomMustBeInItsHeapAndEnd) {
  EXPECT_NE(found_in(local_heap(32, 17)), "");
  EXPECT_NE(found_in(local_heap(32, UINT64_MAX)), "");
  EXPECT_NE(found_in(local_heap(32, 16, 16)), "") << "a ring has no end";
}

std::string global_heap(std::uint64_t size, std::uint64_t length, std::uint64_t free) {
  return "GCOL\1\0\0\0"s + number(size) + number(1, 2) + std::string(6, '\0') + number(length) + "abcdefgh" +
         number(0, 8) + number(free) + std::string(8, '\0');
}

TEST(HeapChecks, ObjectsMustBeInTheirHeap) {
  EXPECT_EQ(found_in(global_heap(64, 8, 24)), "");
  EXPECT_EQ(found_in(global_heap(64, 5, 24)), "") << "rounded up to 8";
  EXPECT_NE(found_in(global_heap(65, 8, 24)), "");
  EXPECT_NE(found_in(global_heap(8, 8, 24)), "");
  EXPECT_NE(found_in(global_heap(64, 33, 24)), "");
  EXPECT_NE(found_in(global_heap(64, UINT64_MAX, 24)), "");
  EXPECT_NE(found_in(global_heap(64, 8, 25)), "");
  EXPECT_NE(found_in(global_heap(64, 8, 0)), "") << "the library would never get on";
}

// A heap of 32 bytes comes first, as in the library.
std::string found_after_a_heap(const std::string& bytes) {
  const std::string heap = local_heap(32, 1);
  HeapChecks checks(heap.size(), [](std::uint64_t, std::uint64_t) { return std::optional<std::string>(); });
  EXPECT_EQ(checks.find_problem(0, heap), "");
  return checks.find_problem(heap.size(), bytes);
}

TEST(HeapChecks, PlacesOfNamesMustBeInAHeap) {
  const auto table = [](std::uint64_t n_entries, std::uint64_t place) {
    return "SNOD\1\0"s + number(n_entries, 2) + number(place) + std::string(32, '\0');
  };
  EXPECT_EQ(found_after_a_heap(table(1, 31)), "");
  EXPECT_NE(found_after_a_heap(table(1, 32)), "");
  EXPECT_NE(found_after_a_heap(table(2, 31)), "");
  const auto tree = [](std::uint64_t n_entries, std::uint64_t first, std::uint64_t last) {
    return "TREE\0\0"s + number(n_entries, 2) + std::string(16, '\0') + number(first) + number(99) +
           number(last);
  };
  EXPECT_EQ(found_after_a_heap(tree(1, 0, 31)), "");
  EXPECT_NE(found_after_a_heap(tree(1, 0, 32)), "");
  EXPECT_NE(found_after_a_heap(tree(1, 32, 0)), "");
  EXPECT_NE(found_after_a_heap(tree(2, 0, 31)), "");
}

TEST(HeapChecks, AddressesOfOtherSizesAreLeftToTheLibrary) {
  const std::string heap = local_heap(UINT64_MAX, 16);
  HeapChecks checks(heap.size(), [](std::uint64_t, std::uint64_t) { return std::optional<std::string>(); });
  checks.find_problem(0, "\x89HDF\r\n\x1a\n\0\0\0\0\0\4\4\0"s);
  EXPECT_EQ(checks.find_problem(0, heap), "");
}

TEST(HeapChecks, AddressesCountFromTheEndOfTheUserBlock) {
  const std::string file = std::string(512, '\0') + local_heap(32, 16);
  HeapChecks checks(file.size(), [&](std::uint64_t address, std::uint64_t count) {
    return std::optional(file.substr(address, count));
  });
  checks.find_problem(512, "\x89HDF\r\n\x1a\n\0\0\0\0\0\10\10\0"s);
  EXPECT_EQ(checks.find_problem(512, file.substr(512)), "");
}

// A label may be called TREE.
TEST(HeapChecks, DoNotTakeValuesForMetadata) {
  const std::string values = "TREE\0\xff\xff\xff\xff\xff\xff\xff"s + std::string(100, '\xff');
  HeapChecks checks(1000, [](std::uint64_t, std::uint64_t) { return std::nullopt; });
  EXPECT_NE(checks.find_problem(0, values, false), "");
  EXPECT_EQ(checks.find_problem(0, values, true), "");
}

}  // namespace
}  // namespace milcci::hdf5
