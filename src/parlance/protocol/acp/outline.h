// SPDX-License-Identifier: Apache-2.0
// What of a message says where it goes over HTTP, where each session has a stream of its own. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parlance::acp {

// As the reference SDK's remote transport names them.
inline constexpr std::string_view connection_header = "Acp-Connection-Id";
inline constexpr std::string_view session_header = "Acp-Session-Id";

struct Outline {
  std::string method{};   // empty: a reply
  std::string id_json{};  // empty: a notice
  std::string session{};  // of its parameters, or of its result
  bool is_error = false;
};
// Nothing: it is no object.
std::optional<Outline> outline(std::string_view json);

}  // namespace parlance::acp
