// SPDX-License-Identifier: Apache-2.0
// parlance: one binary with a command for each of its programs (command_table.cpp).
#include <cstdio>
#include <poll.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "apps/parlance/command_line.h"
#include "apps/parlance/commands.h"
#include "apps/parlance/config/resolve_settings.h"
#include "apps/parlance/supervise/supervised.h"
#include "apps/sqlite-helper/helper.h"
#include "parlance/async/signals.h"
#include "parlance/base/log.h"
#include "parlance/transport/stdio.h"

namespace parlance::app {

namespace {

// Once at a start; skips programs started by parlance itself, and commands with their own warning.
void report_untrusted(const Settings& settings) {
  if (is_supervised()) return;
  for (const std::string& sentence : untrusted_sentences(settings)) std::fprintf(stderr, "parlance: %s\n", sentence.c_str());
}

int run_in_claudes_place(int argc, char** argv) {
  const auto settings = resolve_settings({}, "");
  if (!settings) return complain(settings.error(), ExitCode::usage);
  report_untrusted(*settings);
  return run_serve_claude(*settings, {argv + 1, argv + argc});
}

// Other spellings of our commands: `help memory search`, `version`, a prompt in quotes for `run`, and the spellings of the
// deployed program, `-m backend.cli` and `backend.cli` (docs/howto/replace_backend_cli.md).
std::vector<char*> without_other_spellings(int argc, char** argv) {
  static constexpr std::string_view deployed = "backend.cli";
  static char chat[] = "chat";
  static char help[] = "--help";
  static char version[] = "--version";
  static char run[] = "run";
  std::vector<char*> words(argv, argv + argc);
  if (argc > 2 && std::string_view(argv[1]) == "-m" && argv[2] == deployed) words.erase(words.begin() + 1);
  const std::string_view first = words.size() > 1 ? words[1] : "";
  if (first == deployed) words[1] = chat;
  if (first == "version" && words.size() == 2) words[1] = version;
  if (first == "help") {
    words.erase(words.begin() + 1);
    words.push_back(help);
  }
  if (!first.starts_with('-') && first.find_first_of(" \n") != std::string_view::npos) words.insert(words.begin() + 1, run);
  words.push_back(nullptr);
  return words;
}

int run(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "sqlite") return run_sqlite_helper(argc - 1, argv + 1, "parlance sqlite");
  if (is_claude_host(argc, argv)) return run_in_claudes_place(argc, argv);
  CommandLine line(all_commands());
  if (const auto ended = line.read(argc, argv)) return *ended;
  const auto settings = resolve_settings(line.settings(), line.config_file());
  if (!settings) return complain(settings.error(), ExitCode::usage);
  const std::string_view name = line.command().name;
  LogSettings log{.json = settings->is_on("log-json"), .program = "parlance " + std::string(name.substr(0, name.find(' ')))};
  parse_log_level(settings->text("log-level"), log.level);
  set_log(std::move(log));
  if (!line.command().settings.empty() && !line.command().reports_untrusted) report_untrusted(*settings);
  return line.run(*settings);
}

// A closed pipe is no fault: its reader has read enough.
bool is_output_written() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  pollfd out{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return ::poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace

int main_of(int argc, char** argv) {
  std::vector<char*> words = without_other_spellings(argc, argv);
  return run(static_cast<int>(words.size()) - 1, words.data());
}

}  // namespace parlance::app

int main(int argc, char** argv) {
  parlance::fill_standard_descriptors();  // with stdin closed, the loop's own descriptor would become descriptor 0
  parlance::ignore_sigpipe();
  parlance::app::keep_memory_to_ourselves();
  const int code = parlance::app::main_of(argc, argv);
  if (code != parlance::app::ExitCode::done || parlance::app::is_output_written()) return code;
  return parlance::app::complain({.code = parlance::Errc::failed,
                                  .message = "the output is incomplete, because stdout could not be written: is the disk full?"});
}
