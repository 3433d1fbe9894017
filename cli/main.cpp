// The command line program. `main` only parses, runs the verb, and turns errors into exit codes.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "help.hpp"
#include "milcci/error.hpp"
#include "milcci/version.hpp"
#include "option_words.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace milcci::cli {
namespace {

ExitCode exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_option:
      return kUsage;
    case ErrorKind::bad_input:
    case ErrorKind::bad_file:
      return kBadInput;
    case ErrorKind::numerical:
      return kFailed;
  }
  return kFailed;
}

ExitCode complain(const std::string& message, ExitCode code) {
  talk("milcci: " + message + "\n");
  return code;
}

// Parses with the verb's own parser. Help and version are answered here.
ExitCode parse_and_run(const std::vector<std::string>& arguments) {
  CLI::App program(
      "Finds sparse groups of channels that move together in labelled trials, and how each group's "
      "membership "
      "changes with the labels.");
  program.set_help_flag("-h,--help", "show this text");
  program.set_version_flag("-V,--version", std::string("milcci ") + kVersion, "show the version");
  program.require_subcommand(1);
  program.formatter_fn(
      [](const CLI::App* parser, std::string, CLI::AppFormatMode) { return help_text(*parser); });
  const std::vector<Verb> verbs = {add_simulate(program), add_prepare(program),   add_check(program),
                                   add_fit(program),      add_show(program),      add_traces(program),
                                   add_groups(program),   add_report(program),    add_evaluate(program),
                                   add_compare(program),  add_transform(program), add_export(program),
                                   add_info(program),     add_bench(program),     add_completion(program)};
  program.footer(
      "`milcci VERB --help` tells more. Exit codes: 0 done, 1 failed, 2 wrong usage or bad option, 3 input\n"
      "unreadable or inconsistent, 4 written but not to be trusted (not converged, or explains nothing), 130 "
      "interrupted, 143 terminated, 129 "
      "hung\n"
      "up (best result written).");

  const Verb* verb = find_verb(verbs, arguments);
  const CLI::App& parser = verb ? *verb->parser : program;
  if (arguments.empty()) {
    talk(help_text(program));
    return kUsage;
  }
  check_flags(parser, arguments);
  try {
    // CLI11 takes the arguments from the back.
    std::vector<std::string> all = verb ? with_config(verbs, *verb, arguments) : arguments;
    std::reverse(all.begin(), all.end());
    program.parse(std::move(all));
  } catch (const CLI::Success& help_or_version) {
    return static_cast<ExitCode>(program.exit(help_or_version));
  } catch (const CLI::ParseError& error) {
    return complain(fmt::format("{}; see `{} --help`", error.what(),
                                verb ? "milcci " + parser.get_name() : std::string("milcci")),
                    kUsage);
  }
  return verb->run();
}

// `milcci help fit` is `milcci fit --help`.
std::vector<std::string> without_help_verb(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
  return arguments;
}

ExitCode run(const std::vector<std::string>& arguments) {
  try {
    const ExitCode code = parse_and_run(without_help_verb(arguments));
    if (!results_arrived())
      return complain(written_file().empty()
                          ? std::string("cannot write to standard output")
                          : fmt::format("cannot write to standard output; {} was written", written_file()),
                      kFailed);
    return code;
  } catch (const Error& error) {
    return complain(with_flags(error.what()), exit_code(error.kind()));
  } catch (const std::bad_alloc&) {
    return complain("out of memory", kFailed);
  } catch (const std::exception& error) {
    return complain(error.what(), kFailed);
  }
}

// Where nothing can be caught, as before `main`, memory that runs out must still be said.
[[noreturn]] void give_up() noexcept {
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    constexpr std::string_view kText = "milcci: out of memory\n";
    static_cast<void>(!write(STDERR_FILENO, kText.data(), kText.size()));
    _exit(kFailed);
  } catch (...) {
  }
  std::abort();
}

// Before all other constructors.
[[gnu::constructor(101)]] void prepare_to_give_up() {
  std::set_terminate(give_up);
}

}  // namespace
}  // namespace milcci::cli

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a pipe that nobody reads is a write that fails, nothing more
  if (!milcci::cli::occupy_standard_streams()) return milcci::cli::kFailed;
  return milcci::cli::run({argv + 1, argv + argc});
}
