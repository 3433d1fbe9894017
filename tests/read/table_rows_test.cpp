#include "read/tables/table_rows.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include "support/expect_error.hpp"
#include "support/temporary_directory.hpp"

namespace milcci::read {
namespace {

using testing::expect_error;
using testing::TemporaryDirectory;
using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const std::string& path, char separator = ',') {
  Rows all;
  for (TableRows rows(path, separator); rows.next();)
    for (std::size_t i = 0; i < rows.cells().size(); ++i) {
      if (i == 0) all.emplace_back();
      all.back().emplace_back(rows.cells()[i]);
    }
  return all;
}

Rows cut(const std::string& text, char separator = ',') {
  const TemporaryDirectory folder;
  return rows_of(folder.write("t.csv", text), separator);
}

std::string packed(const std::string& text) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(TableRows, EndInLfOrCrlfAndTheLastNeedsNeither) {
  const Rows expected = {{"a", "b"}, {"1", ""}, {"", "2"}};
  EXPECT_EQ(cut("a,b\n1,\n,2\n"), expected);
  EXPECT_EQ(cut("a,b\r\n1,\r\n,2\r\n"), expected);
  EXPECT_EQ(cut("a,b\n1,\n,2"), expected);
  EXPECT_EQ(cut("\xEF\xBB\xBF"
                "a,b\n\n1,\n\r\n\n,2\n\n"),
            expected);
  EXPECT_EQ(cut("a;b\n1;\n;2", ';'), expected);
  EXPECT_EQ(cut("a\tb\n1\t\n\t2", '\t'), expected);
}

TEST(TableRows, MayHaveQuotedCells) {
  EXPECT_EQ(cut("\"a,b\",c\n\"x\ny\",\"\"\n"), (Rows{{"a,b", "c"}, {"x\ny", ""}}));
  EXPECT_EQ(cut("\"say \"\"hi\"\"\",2\n\"\"\"\",\"\"\"\"\"\"\r\n"),
            (Rows{{"say \"hi\"", "2"}, {"\"", "\"\""}}));
  EXPECT_EQ(cut("5\" disk,a\"b\n\"x\""), (Rows{{"5\" disk", "a\"b"}, {"x"}}));
  EXPECT_EQ(cut("a,\"b\"\r\n\"c\",d"), (Rows{{"a", "b"}, {"c", "d"}}));
}

TEST(TableRows, KnowTheirLine) {
  const TemporaryDirectory folder;
  TableRows rows(folder.write("t.csv", "a\n\"x\n\ny\"\n\n\nb\n"), ',');
  std::vector<std::uint64_t> lines;
  while (rows.next()) lines.push_back(rows.line());
  EXPECT_EQ(lines, (std::vector<std::uint64_t>{1, 2, 7}));
}

// Files are read in pieces of 256 KiB: rows of every length must survive their borders.
TEST(TableRows, AreWholeWhereverTheBufferEnds) {
  for (const std::size_t length : {1UL, 7UL, 63UL, 64UL, 65UL, 4093UL, 300007UL}) {
    std::string text;
    Rows expected;
    while (text.size() < 3'000'000) {
      const std::string cell(length, static_cast<char>('a' + text.size() % 26));
      text += cell + ",\"" + cell + "\"\"\n\"," + cell + (expected.size() % 2 ? "\r\n" : "\n");
      expected.push_back({cell, cell + "\"\n", cell});
    }
    ASSERT_EQ(cut(text), expected) << length;
  }
  const std::string huge(5'000'000, 'x');
  EXPECT_EQ(cut(huge + ",1\n\"" + huge + "\",2"), (Rows{{huge, "1"}, {huge, "2"}}));
}

TEST(TableRows, MayBeThousandsOfCellsWide) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i) + (i == 19999 ? "\n" : ",");
  const Rows rows = cut(text + text);
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[1].size(), 20000);
  EXPECT_EQ(rows[1][12345], "12345");
}

TEST(TableRows, AreUnpackedIfGzipped) {
  const TemporaryDirectory folder;
  std::string text;
  for (int i = 0; i < 300000; ++i) text += std::to_string(i) + "," + std::to_string(7 * i % 1000) + "\n";
  const std::string plain = folder.write("t.csv", text), gzip = folder.write("t.csv.gz", packed(text)),
                    two =
                        folder.write("two.gz", packed(text.substr(0, 999999)) + packed(text.substr(999999)));
  EXPECT_EQ(rows_of(gzip), rows_of(plain));
  EXPECT_EQ(rows_of(two), rows_of(plain));
}

TEST(TableRows, OfADamagedGzipAreRefused) {
  const TemporaryDirectory folder;
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i * 7919) + "\n";
  const std::string whole = packed(text);
  std::string flipped = whole;
  flipped[flipped.size() / 2] ^= 0x55;
  expect_error(ErrorKind::bad_file, {"t.gz", "incomplete"},
               [&] { rows_of(folder.write("t.gz", whole.substr(0, whole.size() / 2))); });
  expect_error(ErrorKind::bad_file, {"t.gz", "incomplete"},
               [&] { rows_of(folder.write("t.gz", whole.substr(0, whole.size() - 3))); });
  expect_error(ErrorKind::bad_file, {"t.gz", "damaged"}, [&] { rows_of(folder.write("t.gz", flipped)); });
}

TEST(TableRows, OfAGzipBombAreRefused) {
  const TemporaryDirectory folder;
  // Members of 4 MiB of one byte each: 1.2 GiB in all from about 1.2 MB.
  const std::string member = packed(std::string(std::size_t{1} << 22, 'x'));
  std::string bomb = packed("a\n");
  for (int i = 0; i < 300; ++i) bomb += member;
  expect_error(ErrorKind::bad_file, {"bomb.gz"}, [&] { rows_of(folder.write("bomb.gz", bomb)); });
}

TEST(TableRows, RefuseQuotesThatMakeNoSense) {
  expect_error(ErrorKind::bad_file, {"t.csv", "line 3", "never closed"},
               [] { cut("a,b\n1,2\n3,\"4\n5,6\n"); });
  expect_error(ErrorKind::bad_file, {"t.csv", "line 2", "\"x\"", "\"y,2"}, [] { cut("a,b\n\"x\"y,2\n"); });
}

TEST(TableRows, RefuseBytesThatAreNoText) {
  const std::string nul("a,b\n1,2\n3,\0\n", 12);
  expect_error(ErrorKind::bad_file, {"t.csv", "line 3", "NUL"}, [&] { cut(nul); });
}

TEST(TableRows, RefuseFilesThatAreNotThere) {
  expect_error(ErrorKind::bad_file, {"/nowhere.csv", "no such file"}, [] { rows_of("/nowhere.csv"); });
  expect_error(ErrorKind::bad_file, {"/", "regular file"}, [] { rows_of("/"); });
}

TEST(TableRows, RefuseRowsWithoutEnd) {
  const TemporaryDirectory folder;
  expect_error(ErrorKind::bad_file, {"t.csv", "line 2", "longer than"},
               [&] { rows_of(folder.write("t.csv", "a\n" + std::string(std::size_t{140} << 20, 'x'))); });
}

}  // namespace
}  // namespace milcci::read
