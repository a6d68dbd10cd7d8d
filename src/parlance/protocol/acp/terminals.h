// SPDX-License-Identifier: Apache-2.0
// Commands that the agent lets its client run, so that a person sees them. Values; any thread.
#pragma once

#include "parlance/protocol/acp/content.h"

namespace parlance::acp {

struct CreateTerminal {
  std::string session_id{};
  std::string command{};
  std::vector<std::string> args{};
  std::vector<NameValue> env{};
  std::optional<std::string> cwd{};
  std::optional<std::uint64_t> output_byte_limit{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&CreateTerminal::session_id>("sessionId", "Id of the session."),
             field<&CreateTerminal::command>("command", "The program. Without args, a command line for the shell."),
             field<&CreateTerminal::args>("args", "Arguments of the program.").or_default(),
             field<&CreateTerminal::env>("env", "Additional environment variables.").or_default(),
             field<&CreateTerminal::cwd>("cwd", "Absolute path of the working folder. Absent: the folder of the session."),
             field<&CreateTerminal::output_byte_limit>("outputByteLimit",
                                                       "Highest number of output bytes to keep. Older output is discarded."),
             meta_field<&CreateTerminal::meta>());
};
struct TerminalCreated {
  std::string terminal_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&TerminalCreated::terminal_id>("terminalId", "Id of the terminal, valid until terminal/release."),
             meta_field<&TerminalCreated::meta>());
};
struct OfTerminal {
  std::string session_id{};
  std::string terminal_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&OfTerminal::session_id>("sessionId", "Id of the session."),
             field<&OfTerminal::terminal_id>("terminalId", "Id of the terminal."), meta_field<&OfTerminal::meta>());
};
struct TerminalExit {
  std::optional<std::uint32_t> exit_code{};
  std::optional<std::string> signal{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&TerminalExit::exit_code>("exitCode", "Exit code of the program. Null: a signal ended the program."),
             field<&TerminalExit::signal>(
                 "signal", "Name of the signal that ended the program, such as SIGKILL. Null: the program exited."),
             meta_field<&TerminalExit::meta>());
};
struct TerminalOutput {
  std::string output{};
  bool truncated = false;
  std::optional<TerminalExit> exit_status{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&TerminalOutput::output>("output", "Output to stdout and stderr so far."),
             field<&TerminalOutput::truncated>("truncated", "True: the beginning of the output was discarded."),
             field<&TerminalOutput::exit_status>("exitStatus", "Exit status. Absent: the program still runs."),
             meta_field<&TerminalOutput::meta>());
};

}  // namespace parlance::acp
