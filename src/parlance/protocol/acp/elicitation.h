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
  static constexpr auto wire =
      fields(field<&CreateElicitation::mode>("mode", "Kind of the question: form or url."),
             field<&CreateElicitation::message>("message", "Text of the question for the person."),
             field<&CreateElicitation::session_id>("sessionId", "Id of the session. Absent: the question belongs to a request."),
             field<&CreateElicitation::tool_call_id>("toolCallId", "Id of the tool call that asks. Absent: no call."),
             field<&CreateElicitation::request_id>(
                 "requestId", "Id of the request outside of a session. Absent: the question belongs to a session.")
                 .or_default(),
             field<&CreateElicitation::requested_schema>("requestedSchema",
                                                         "With mode form: JSON Schema of the form, an object with plain values.")
                 .or_default(),
             field<&CreateElicitation::url>("url", "With mode url: address of the page to open."),
             field<&CreateElicitation::elicitation_id>("elicitationId", "With mode url: id for elicitation/complete."),
             meta_field<&CreateElicitation::meta>());
};
enum class ElicitationAction : std::uint8_t { cancel, decline, accept };
constexpr auto wire_names(ElicitationAction) { return wire::names("cancel", "decline", "accept"); }

struct ElicitationReply {
  Open<ElicitationAction> action{};
  Raw content{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ElicitationReply::action>("action", "Decision of the person: accept, decline or cancel."),
             field<&ElicitationReply::content>("content", "With accept: the values of the form.").or_default(),
             meta_field<&ElicitationReply::meta>());
};
struct ElicitationComplete {
  std::string elicitation_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ElicitationComplete::elicitation_id>("elicitationId", "Id of the completed question."),
             meta_field<&ElicitationComplete::meta>());
};

}  // namespace parlance::acp
