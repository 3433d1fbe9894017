#include "verb.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "milcci/error.hpp"

namespace milcci::cli {

void add_common(CLI::App& parser, CommonOptions& common) {
  const std::string group = "Every verb";
  parser.set_help_flag("-h,--help", "show this text")->group(group);
  parser.add_flag("--json", common.json, "print one JSON object to standard output")->group(group);
  parser.add_flag("--quiet", common.quiet, "no progress, no report, no warnings; errors only")->group(group);
  parser
      .add_option("--config", common.config, "take options from a TOML file; the command line has priority")
      ->type_name("FILE")
      ->group(group);
}

CLI::Option* add_output(CLI::App& parser, OutputOptions& output, const std::string& what) {
  CLI::Option* path = parser.add_option("-o,--output", output.path, what + " to write")
                          ->type_name("FILE")
                          ->required()
                          ->group("Output");
  parser.add_flag("--force", output.force, "replace the output file if it exists")->group("Output");
  return path;
}

void check_inputs_are_kept(const OutputOptions& output, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code not_there;
    if (std::filesystem::equivalent(input, output.path, not_there))
      throw Error(
          ErrorKind::bad_option,
          fmt::format("--output {} is also the input file; give the output another name", output.path));
  }
}

void check_output(const OutputOptions& output, const std::vector<std::string>& inputs) {
  check_inputs_are_kept(output, inputs);
  check_writable(output.path, output.overwrite());
}

CLI::Option* add_input(CLI::App& parser, const std::string& name, std::string& path,
                       const std::string& help) {
  return parser.add_option(name, path, help)->required()->type_name("");
}

}  // namespace milcci::cli
