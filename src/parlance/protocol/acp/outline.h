// SPDX-License-Identifier: Apache-2.0
// The members of a message that determine its stream over HTTP, with a stream for each session. Pure; any thread.
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
  std::string session{};  // from the parameters or the result
  bool is_error = false;
};
// nullopt: not a JSON object.
std::optional<Outline> outline(std::string_view json);

}  // namespace parlance::acp
