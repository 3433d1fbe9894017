// The page that a report's object is put into: web/template.html, made part of the program by the build.
#pragma once

#include <string_view>

namespace milcci {

std::string_view report_template();

}  // namespace milcci
