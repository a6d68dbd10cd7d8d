// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/iflow/discovery.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/driver/iflow/command_output.h"
#include "parlance/driver/iflow/limits.h"
#include "parlance/driver/iflow/wrapper.h"
#include "parlance/process/child_environment.h"

namespace parlance::driver {
namespace {

namespace fs = std::filesystem;

bool is_program(const std::string& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<std::string> in_path(const std::string& name, const std::string& path) {
  for (const std::string& candidate : program_candidates(name, path))
    if (is_program(candidate)) return candidate;
  return std::nullopt;
}

// Login shells print greetings: only lines with a program count, and the last of them.
std::optional<std::string> program_among(std::string_view output) {
  std::optional<std::string> found;
  for (const std::string_view line : split(output, '\n')) {
    const std::string path(trim(line));
    if (path.starts_with('/') && is_program(path)) found = path;
  }
  return found;
}

Task<std::optional<std::string>> as_the_shell_finds_it(Loop& loop, const Surroundings& place, const Reporter& report) {
  if (place.shell.empty()) co_return std::nullopt;
  ChildSettings settings{.command = {place.shell, "-lc", "command -v iflow || which iflow"},
                         .set = {{"PATH", place.path}, {"HOME", place.home}},
                         .withheld = Withheld::own_secrets};
  settings.eof_grace = {};
  const Result<std::string> output =
      co_await output_of(loop, std::move(settings), limits::iflow_shell_patience, limits::iflow_shell_output_bytes);
  if (!output) {
    report("the login shell knows of no iflow: " + output.error().message);
    co_return std::nullopt;
  }
  co_return program_among(*output);
}

// The search folders of iFlow's SDK.
std::optional<std::string> in_known_folders(const std::string& home) {
  constexpr std::array folders{"~/.npm-global/bin", "/usr/local/bin", "~/.local/bin", "~/node_modules/.bin", "~/.yarn/bin"};
  for (const std::string_view folder : folders) {
    const bool at_home = folder.front() == '~';
    if (at_home && home.empty()) continue;
    std::string candidate = (at_home ? home + std::string(folder.substr(1)) : std::string(folder)) + "/iflow";
    if (is_program(candidate)) return candidate;
  }
  return std::nullopt;
}

std::optional<std::string> real_path(const std::string& path, const Reporter& report) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  if (!failed) return real.string();
  report(path + " leads nowhere: " + failed.message());
  return std::nullopt;
}

// The beginning of a file, one byte above the size limit of a wrapper.
std::string beginning_of(const std::string& path) {
  std::string text(limits::iflow_wrapper_bytes + 1, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Surroundings Surroundings::of_this_process() {
  return {.path = variable("PATH"), .shell = variable("SHELL"), .home = variable("HOME")};
}

Reporter report_to_log() {
  return [](std::string_view reason) { log(LogLevel::info, "iflow: " + std::string(reason)); };
}

Task<std::optional<std::string>> find_iflow(Loop& loop, Surroundings place, Reporter report) {
  if (auto found = in_path("iflow", place.path)) co_return found;
  report("iflow is not in PATH");
  if (auto found = co_await as_the_shell_finds_it(loop, place, report)) co_return found;
  if (auto found = in_known_folders(place.home)) co_return found;
  report("iflow was found nowhere: npm install -g @iflow-ai/iflow-cli installs it");
  co_return std::nullopt;
}

std::optional<std::string> script_of_iflow(const std::string& program, const Reporter& report) {
  const auto real = real_path(program, report);
  if (!real) return std::nullopt;
  const std::string text = beginning_of(*real);
  if (is_node_script(*real, text.substr(0, 4096))) return real;
  const auto entry = script_of_wrapper(text, folder_of(*real, Platform::posix), Platform::posix);
  if (!entry) {
    report(*real + " is no script of Node and starts none that could be recognized");
    return std::nullopt;
  }
  std::error_code failed;
  if (fs::is_regular_file(*entry, failed)) return entry;
  report(*real + " starts " + *entry + ", which is not there");
  return std::nullopt;
}

std::optional<std::string> node_of_iflow(const std::string& program, const Surroundings& place, const Reporter& report) {
  if (const std::string beside = node_beside(program, Platform::posix); is_program(beside)) return beside;
  if (const auto real = real_path(program, report))
    for (fs::path folder = fs::path(*real).parent_path(); folder.has_relative_path(); folder = folder.parent_path())
      if (folder.filename() == "lib")
        if (const std::string node = (folder.parent_path() / "bin/node").string(); is_program(node)) return node;
  if (auto node = in_path("node", place.path)) return node;
  report("there is no node beside " + program + " and none in PATH");
  return std::nullopt;
}

static FoundIflow with_node(const std::string& program, const Surroundings& place, const Reporter& report) {
  FoundIflow found{.program = program};
  const auto script = script_of_iflow(program, report);
  const auto node = script ? node_of_iflow(program, place, report) : std::nullopt;
  if (script && node) {
    found.script = *script;
    found.node = *node;
  }
  return found;
}

Task<std::optional<FoundIflow>> discover_iflow(Loop& loop, Surroundings place, Reporter report) {
  const std::optional<std::string> program = co_await find_iflow(loop, place, report);
  if (!program) co_return std::nullopt;
  co_return with_node(*program, place, report);
}

Task<std::optional<FoundIflow>> look_at_iflow(std::string program, Surroundings place, Reporter report) {
  const std::optional<std::string> there = in_path(program, place.path);
  if (there) co_return with_node(*there, place, report);
  report("there is no program " + program);
  co_return std::nullopt;
}

Task<std::string> version_of_iflow(Loop& loop, FoundIflow found, Reporter report) {
  ChildSettings settings{.command = found.node.empty() ? std::vector{found.program, std::string("--version")}
                                                       : std::vector{found.node, found.script, std::string("--version")},
                         .withheld = Withheld::own_secrets};
  const Result<std::string> output =
      co_await output_of(loop, std::move(settings), limits::iflow_version_patience, limits::iflow_shell_output_bytes);
  if (!output) {
    report("its version cannot be asked for: " + output.error().message);
    co_return "";
  }
  std::string version;
  for (const std::string_view line : split(*output, '\n'))
    if (const std::string_view words = trim(line); !words.empty()) version = words;
  co_return version;
}

}  // namespace parlance::driver
