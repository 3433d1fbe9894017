// A verb of the program, and what all verbs have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "milcci/files.hpp"

namespace milcci::cli {

/// What the program returns to the shell. The last three are 128 plus the signal, as is usual in
/// shells.
enum ExitCode {
  kDone = 0,
  kFailed = 1,
  kUsage = 2,
  kBadInput = 3,
  kNotTrusted = 4,  ///< written, but not converged, or of no use
  kHungUp = 129,
  kInterrupted = 130,
  kTerminated = 143
};

/// A verb: its part of the parser, and what it does once the parser has filled in its options.
struct Verb {
  CLI::App* parser;
  std::function<ExitCode()> run;
};

Verb add_simulate(CLI::App& program);
Verb add_prepare(CLI::App& program);
Verb add_check(CLI::App& program);
Verb add_fit(CLI::App& program);
Verb add_show(CLI::App& program);
Verb add_traces(CLI::App& program);
Verb add_groups(CLI::App& program);
Verb add_report(CLI::App& program);
Verb add_evaluate(CLI::App& program);
Verb add_compare(CLI::App& program);
Verb add_transform(CLI::App& program);
Verb add_export(CLI::App& program);
Verb add_info(CLI::App& program);
Verb add_bench(CLI::App& program);
Verb add_completion(CLI::App& program);

/// Options of every verb.
struct CommonOptions {
  bool json = false;
  bool quiet = false;
  std::string config;  ///< already read when the parser runs, see arguments.hpp
};
void add_common(CLI::App& parser, CommonOptions& common);

/// Options of the verbs that write a file.
struct OutputOptions {
  std::string path;
  bool force = false;

  Overwrite overwrite() const { return force ? Overwrite::yes : Overwrite::no; }
};
CLI::Option* add_output(CLI::App& parser, OutputOptions& output, const std::string& what);

/// Throws if the output is one of the inputs; names of no file may be among them.
void check_inputs_are_kept(const OutputOptions& output, const std::vector<std::string>& inputs);
/// The same, and throws unless the output can be written. Call before long work.
void check_output(const OutputOptions& output, const std::vector<std::string>& inputs);

/// An input file, named on the command line without a flag.
CLI::Option* add_input(CLI::App& parser, const std::string& name, std::string& path, const std::string& help);

}  // namespace milcci::cli
