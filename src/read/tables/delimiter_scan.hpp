// Where the special characters of a table are: 64 bytes at a time as the bits of one number, so that the
// bytes of a cell are never looked at one by one.
#pragma once

#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace milcci::read {

inline constexpr std::size_t kScanBlock = 64;

/// Bit i is set if byte i of the 64 is the separator, a newline or a double quote.
inline std::uint64_t find_delimiters(const char* bytes, char separator) {
  std::uint64_t delimiters = 0;
#ifdef __SSE2__
  const __m128i separators = _mm_set1_epi8(separator), newlines = _mm_set1_epi8('\n'),
                quotes = _mm_set1_epi8('"');
  for (int part = 0; part < 4; ++part) {
    const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * part));
    const __m128i hits = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(b, separators), _mm_cmpeq_epi8(b, newlines)), _mm_cmpeq_epi8(b, quotes));
    delimiters |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(hits)))
                  << (16 * part);
  }
#else
  for (std::size_t i = 0; i < kScanBlock; ++i)
    delimiters |= std::uint64_t{bytes[i] == separator || bytes[i] == '\n' || bytes[i] == '"'} << i;
#endif
  return delimiters;
}

}  // namespace milcci::read
