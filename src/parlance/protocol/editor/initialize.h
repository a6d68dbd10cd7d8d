// SPDX-License-Identifier: Apache-2.0
// How the two sides begin to know each other. An editor of the first version does not know the call, and serves eight methods. Values; any
// thread.
#pragma once

#include "parlance/protocol/editor/values.h"

namespace parlance::editor {

inline constexpr int version = 1;

struct Program {
  std::string name{};
  std::string version{};
  static constexpr auto wire = fields(field<&Program::name>("name", "Name of the program."),
                                      field<&Program::version>("version", "Version of the program.").or_default());
};
struct Initialize {
  int protocol = 1;
  std::optional<Program> client{};
  std::optional<std::string> token{};
  static constexpr auto wire = fields(field<&Initialize::protocol>("protocol", "Version of the editor bridge: 1.").or_default(),
                                      field<&Initialize::client>("client", "Name and version of the client."),
                                      field<&Initialize::token>("token", "Over TCP: the value of PARLANCE_EDITOR_TOKEN."));
};
struct Initialized {
  int protocol = 1;
  Program editor{};
  std::vector<std::string> methods{};
  std::vector<std::string> notifications{};
  static constexpr auto wire = fields(
      field<&Initialized::protocol>("protocol", "Version of the editor bridge."),
      field<&Initialized::editor>("editor", "Name and version of the editor."),
      field<&Initialized::methods>("methods", "Names of the served methods."),
      field<&Initialized::notifications>("notifications", "Names of the notifications that the editor sends.").or_default());
};
struct Pong {
  bool pong = true;
  static constexpr auto wire = fields(field<&Pong::pong>("pong", "Always the value true."));
};

}  // namespace parlance::editor
