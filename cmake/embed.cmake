# Writes a file as bytes of a C++ source: cmake -D INPUT=... -D OUTPUT=... -P embed.cmake
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "// Made from web/template.html by cmake/embed.cmake.
#include \"report/template.hpp\"

namespace milcci {
namespace {
constexpr unsigned char kTemplate[] = {
${bytes}
};
}  // namespace

std::string_view report_template() {
  return {reinterpret_cast<const char*>(kTemplate), sizeof kTemplate};
}

}  // namespace milcci
")
