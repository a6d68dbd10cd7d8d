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
  static constexpr auto wire =
      fields(field<&Program::name>("name", "Of the program."), field<&Program::version>("version", "Its own.").or_default());
};
struct Initialize {
  int protocol = 1;
  std::optional<Program> client{};
  std::optional<std::string> token{};
  static constexpr auto wire = fields(field<&Initialize::protocol>("protocol", "Version of the bridge: 1.").or_default(),
                                      field<&Initialize::client>("client", "Who asks."),
                                      field<&Initialize::token>("token", "Over TCP: the content of PARLANCE_EDITOR_TOKEN."));
};
struct Initialized {
  int protocol = 1;
  Program editor{};
  std::vector<std::string> methods{};
  std::vector<std::string> notifications{};
  static constexpr auto wire =
      fields(field<&Initialized::protocol>("protocol", "Version of the bridge."),
             field<&Initialized::editor>("editor", "Who answers."), field<&Initialized::methods>("methods", "What it serves."),
             field<&Initialized::notifications>("notifications", "What it tells.").or_default());
};
struct Pong {
  bool pong = true;
  static constexpr auto wire = fields(field<&Pong::pong>("pong", "True."));
};

}  // namespace parlance::editor
