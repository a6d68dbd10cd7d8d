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
  static constexpr auto wire = fields(field<&PermissionOption::option_id>("optionId", "Id of the option, for the answer."),
                                      field<&PermissionOption::name>("name", "Label of the option for people.").or_default(),
                                      field<&PermissionOption::kind>("kind", "Meaning of the option, such as allow_once."),
                                      meta_field<&PermissionOption::meta>());
};
struct RequestPermission {
  std::string session_id{};
  ToolCallUpdate tool_call{};
  std::vector<PermissionOption> options{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&RequestPermission::session_id>("sessionId", "Id of the session."),
      field<&RequestPermission::tool_call>("toolCall", "The call that waits. Some agents announce a call only here."),
      field<&RequestPermission::options>("options", "Options offered to the person."), meta_field<&RequestPermission::meta>());
};
struct Selected {
  static constexpr std::string_view tag = "selected";
  std::string option_id{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&Selected::option_id>("optionId", "Id of the selected option. Empty: an answer of iFlow's SDK without options.")
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
  Raw answers{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&PermissionReply::outcome>("outcome", "Decision of the person. `cancelled`: no decision."),
             field<&PermissionReply::answers>("answers", "Qwen Code: answers to questions, by the index of the question as text.")
                 .or_default(),
             meta_field<&PermissionReply::meta>());
};

inline PermissionReply selected(std::string option_id) { return {.outcome = {Selected{.option_id = std::move(option_id)}}}; }
inline PermissionReply not_selected() { return {.outcome = {Cancelled{}}}; }

// Ways to answer permission requests without a person for each request.
enum class PermissionMode : std::uint8_t { automatic, manual, selective, interactive };
constexpr auto wire_names(PermissionMode) { return wire::names("auto", "manual", "selective", "interactive"); }

}  // namespace parlance::acp
