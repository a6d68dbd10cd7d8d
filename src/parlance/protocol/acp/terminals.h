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
      fields(field<&CreateTerminal::session_id>("sessionId", "Which session."),
             field<&CreateTerminal::command>("command", "The program; with no args, a line for the shell."),
             field<&CreateTerminal::args>("args", "Its arguments.").or_default(),
             field<&CreateTerminal::env>("env", "Added to its environment.").or_default(),
             field<&CreateTerminal::cwd>("cwd", "Absolute; absent: the session's."),
             field<&CreateTerminal::output_byte_limit>("outputByteLimit", "Of the output only so much is kept, the end of it."),
             meta_field<&CreateTerminal::meta>());
};
struct TerminalCreated {
  std::string terminal_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&TerminalCreated::terminal_id>("terminalId", "Until it is released."), meta_field<&TerminalCreated::meta>());
};
struct OfTerminal {
  std::string session_id{};
  std::string terminal_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&OfTerminal::session_id>("sessionId", "Which session."),
             field<&OfTerminal::terminal_id>("terminalId", "Which terminal."), meta_field<&OfTerminal::meta>());
};
struct TerminalExit {
  std::optional<std::uint32_t> exit_code{};
  std::optional<std::string> signal{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&TerminalExit::exit_code>("exitCode", "Of a program that ended by itself."),
             field<&TerminalExit::signal>("signal", "SIGKILL, …: what ended it otherwise."), meta_field<&TerminalExit::meta>());
};
struct TerminalOutput {
  std::string output{};
  bool truncated = false;
  std::optional<TerminalExit> exit_status{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&TerminalOutput::output>("output", "What was written so far, to stdout and stderr."),
             field<&TerminalOutput::truncated>("truncated", "The beginning is no longer there."),
             field<&TerminalOutput::exit_status>("exitStatus", "It has ended."), meta_field<&TerminalOutput::meta>());
};

}  // namespace parlance::acp
