// SPDX-License-Identifier: Apache-2.0
// May this tool run? The agent asks, with the answers that may be given; ids mean nothing, kinds do. Values; any thread.
#pragma once

#include "parlance/protocol/acp/tool_call.h"

namespace parlance::acp {

enum class PermissionKind : std::uint8_t { reject_once, reject_always, allow_once, allow_always };
constexpr auto wire_names(PermissionKind) { return wire::names("reject_once", "reject_always", "allow_once", "allow_always"); }

struct PermissionOption {
  std::string option_id{};
  std::string name{};
  Open<PermissionKind> kind{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&PermissionOption::option_id>("optionId", "For the answer."),
             field<&PermissionOption::name>("name", "For people.").or_default(),
             field<&PermissionOption::kind>("kind", "What it means."), meta_field<&PermissionOption::meta>());
};
struct RequestPermission {
  std::string session_id{};
  ToolCallUpdate tool_call{};
  std::vector<PermissionOption> options{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&RequestPermission::session_id>("sessionId", "Which session."),
             field<&RequestPermission::tool_call>("toolCall", "What is to run; some agents tell of it here first."),
             field<&RequestPermission::options>("options", "What may be answered."), meta_field<&RequestPermission::meta>());
};
struct Selected {
  static constexpr std::string_view tag = "selected";
  std::string option_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&Selected::option_id>("optionId", "One of the options; empty in answers of the iFlow SDK that had none.")
                 .or_default(),
             meta_field<&Selected::meta>());
};
struct Cancelled {
  static constexpr std::string_view tag = "cancelled";
  Raw meta{};
  static constexpr auto wire = fields(meta_field<&Cancelled::meta>());
};
struct PermissionReply {
  Tagged<"outcome", Cancelled, Selected, Other> outcome{};
  Raw meta{};
  static constexpr auto wire = fields(field<&PermissionReply::outcome>("outcome", "What the person chose; cancelled: nothing."),
                                      meta_field<&PermissionReply::meta>());
};

inline PermissionReply selected(std::string option_id) { return {.outcome = {Selected{.option_id = std::move(option_id)}}}; }
inline PermissionReply not_selected() { return {.outcome = {Cancelled{}}}; }

// How permissions are answered where nobody is asked each time.
enum class PermissionMode : std::uint8_t { automatic, manual, selective, interactive };
constexpr auto wire_names(PermissionMode) { return wire::names("auto", "manual", "selective", "interactive"); }

}  // namespace parlance::acp
