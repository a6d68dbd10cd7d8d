// SPDX-License-Identifier: Apache-2.0
// Questions of the agent to the person: a form, or a page to visit. Values; any thread.
#pragma once

#include "parlance/protocol/acp/content.h"

namespace parlance::acp {

struct CreateElicitation {
  std::string mode{};
  std::string message{};
  std::optional<std::string> session_id{};
  std::optional<std::string> tool_call_id{};
  Raw request_id{};
  Raw requested_schema{};
  std::optional<std::string> url{};
  std::optional<std::string> elicitation_id{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&CreateElicitation::mode>("mode", "form or url."), field<&CreateElicitation::message>("message", "For people."),
      field<&CreateElicitation::session_id>("sessionId", "Which session it is for."),
      field<&CreateElicitation::tool_call_id>("toolCallId", "Which call it is for."),
      field<&CreateElicitation::request_id>("requestId", "Or which request, outside of any session.").or_default(),
      field<&CreateElicitation::requested_schema>("requestedSchema", "Of form: an object of plain values.").or_default(),
      field<&CreateElicitation::url>("url", "Of url: the page."),
      field<&CreateElicitation::elicitation_id>("elicitationId", "Of url: for elicitation/complete."),
      meta_field<&CreateElicitation::meta>());
};
enum class ElicitationAction : std::uint8_t { cancel, decline, accept };
constexpr auto wire_names(ElicitationAction) { return wire::names("cancel", "decline", "accept"); }

struct ElicitationReply {
  Open<ElicitationAction> action{};
  Raw content{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ElicitationReply::action>("action", "What the person did."),
             field<&ElicitationReply::content>("content", "Of accept: what the person filled in.").or_default(),
             meta_field<&ElicitationReply::meta>());
};
struct ElicitationComplete {
  std::string elicitation_id{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ElicitationComplete::elicitation_id>("elicitationId", "Which one."),
                                      meta_field<&ElicitationComplete::meta>());
};

}  // namespace parlance::acp
