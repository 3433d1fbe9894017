#include "read/text/number.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <string>

#include "util/random.hpp"

namespace milcci::read {
namespace {

// In padded memory, as cells are.
double cell_value(const std::string& text) {
  const std::string padded = "99999999" + text + "99999999";
  double value = 0;
  EXPECT_TRUE(parse_cell(std::string_view(padded).substr(8, text.size()), value)) << text;
  return value;
}

bool is_cell(const std::string& text) {
  const std::string padded = "99999999" + text + "99999999";
  double value = 0;
  return parse_cell(std::string_view(padded).substr(8, text.size()), value);
}

TEST(Number, IsReadAsTheNearestDouble) {
  for (const std::string text : {"0",
                                 "-0",
                                 "1",
                                 "7.25",
                                 "-3.5",
                                 ".5",
                                 "5.",
                                 "-.125",
                                 "12345678",
                                 "123456789",
                                 "12345678.12345678",
                                 "99999999.99999999",
                                 "0.1",
                                 "0.30000000000000004",
                                 "1e5",
                                 "-2.5E-3",
                                 "1e-320",
                                 "1.7976931348623157e308",
                                 "00012.50",
                                 "1234567890123456789012",
                                 "0.00000000000000000001",
                                 "9007199254740993"}) {
    double expected = 0;
    std::from_chars(text.data(), text.data() + text.size(), expected);
    EXPECT_EQ(cell_value(text), expected) << text;
    EXPECT_EQ(std::signbit(cell_value(text)), std::signbit(expected)) << text;
  }
}

TEST(Number, OfEveryShapeAgreesWithTheGeneralWay) {
  std::uint64_t state = 1;
  const auto random = [&](std::uint64_t n) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 33) % n;
  };
  for (int i = 0; i < 100000; ++i) {
    std::string text = random(2) ? "-" : "";
    for (std::uint64_t n = random(10); n > 0; --n) text += static_cast<char>('0' + random(10));
    if (random(2)) text += '.';
    for (std::uint64_t n = 1 + random(10); n > 0; --n) text += static_cast<char>('0' + random(10));
    double expected = 0;
    std::from_chars(text.data(), text.data() + text.size(), expected);
    ASSERT_EQ(cell_value(text), expected) << text;
  }
}

TEST(Number, MayHaveBlanksAndAPlusSign) {
  EXPECT_EQ(cell_value(" 1.5 "), 1.5);
  EXPECT_EQ(cell_value("+2"), 2);
  EXPECT_EQ(cell_value("\t-3"), -3);
}

TEST(Number, TooSmallIsZeroAndTooLargeIsNone) {
  EXPECT_EQ(cell_value("1e-400"), 0);
  EXPECT_EQ(cell_value("0." + std::string(400, '0') + "1"), 0);
  EXPECT_FALSE(is_cell("1e400"));
  EXPECT_FALSE(is_cell(std::string(400, '9')));
}

TEST(Number, IsMissingWhenPeopleSaySo) {
  for (const std::string text : {"", " ", "NA", "NaN", "nan", "-nan", "N/A", "#N/A", "null", "None"})
    EXPECT_TRUE(std::isnan(cell_value(text))) << text;
}

TEST(Number, IsNotWordsNorInfinity) {
  for (const std::string text :
       {"left", "1,234", "1,2,3", "1,23,456", "1.2.3", "12a", "0x10", "inf", "-Infinity", "1e", "--1", "+-1",
        "-", ".", "1 2", "1:30", "2/3", "1;2", "12:34567"})
    EXPECT_FALSE(is_cell(text)) << text;
}

TEST(Number, HasACommaWhereThereIsOneWayToReadIt) {
  EXPECT_EQ(cell_value("1,5"), 1.5);
  EXPECT_EQ(cell_value("-0,125"), -0.125);
  EXPECT_EQ(cell_value("1234,567"), 1234.567);
  EXPECT_EQ(cell_value("1,5e3"), 1500);
  EXPECT_EQ(cell_value("1,234,567"), 1234567);
  EXPECT_EQ(cell_value("-1,234.5"), -1234.5);
  EXPECT_EQ(cell_value("1.234,5"), 1234.5);
  EXPECT_NE(comma_hint("1,234").find("1.234 or 1234"), std::string::npos);
  EXPECT_EQ(comma_hint("1,5"), "") << "one number only";
}

TEST(Number, OfALabelIsMissingOnlyForFewWords) {
  EXPECT_TRUE(is_missing_label("NA"));
  EXPECT_TRUE(is_missing_label(""));
  EXPECT_FALSE(is_missing_label("none"));
}

TEST(Time, MayBeADateInDays) {
  EXPECT_EQ(parse_time("1970-01-02"), 1);
  EXPECT_EQ(parse_time("2016-02-29"), 16860);
  EXPECT_EQ(parse_time("1969-12-31"), -1);
  EXPECT_EQ(parse_time("1970-01-01 12:00"), 0.5);
  EXPECT_EQ(parse_time("1970-01-01T06:00:00.0"), 0.25);
  EXPECT_EQ(parse_time("0.25"), 0.25);
  EXPECT_EQ(parse_time("2.1.1970"), 1);
  EXPECT_EQ(parse_time("29.02.2016"), 16860);
  EXPECT_EQ(parse_time("1970-01-01T12:00Z"), 0.5);
  EXPECT_EQ(parse_time("1970-01-01T14:00:00+02:00"), 0.5);
  EXPECT_EQ(parse_time("1970-01-01 07:00-0500"), 0.5);
}

TEST(Time, MayHaveCommasAsNumbersHave) {
  EXPECT_EQ(parse_time("0,25"), 0.25);
  EXPECT_EQ(parse_time("-1,5"), -1.5);
  EXPECT_EQ(parse_time("1,000,000"), 1e6);
  EXPECT_EQ(parse_time("1970-01-01 00:00:21,600"), 0.00025);
  EXPECT_FALSE(parse_time("1,500").has_value());
}

TEST(Time, IsNoDateThatIsNotInTheCalendar) {
  for (const char* text :
       {"2015-02-29", "2016-13-01", "2016-1-1", "2016-01-01 24:00", "2016-01-01 12:60", "2016-01-01 12:00:61",
        "2016-01-01 12:00:", "2016-01-01x", "", "nan", "inf", "32.1.2016", "1.2.16", "2016-01-01 12:00+99"})
    EXPECT_FALSE(parse_time(text).has_value()) << text;
}

}  // namespace
}  // namespace milcci::read
