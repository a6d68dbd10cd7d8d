// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/model.h"

#include "parlance/base/check.h"

namespace parlance::model {

std::string_view to_string(Role role) {
  switch (role) {
    case Role::system: return "system";
    case Role::user: return "user";
    case Role::assistant: return "assistant";
    case Role::tool: return "tool";
  }
  PARLANCE_CHECK(false, "a role");
}

std::optional<Role> role_from(std::string_view name) {
  for (const Role role : {Role::system, Role::user, Role::assistant, Role::tool})
    if (to_string(role) == name) return role;
  if (name == "developer") return Role::system;  // OpenAI's newer word for it
  return std::nullopt;
}

std::string_view to_string(StopReason reason) {
  switch (reason) {
    case StopReason::end_turn: return "end_turn";
    case StopReason::max_tokens: return "max_tokens";
    case StopReason::refusal: return "refusal";
    case StopReason::tool_calls: return "tool_calls";
    case StopReason::cancelled: return "cancelled";
    case StopReason::error: return "error";
  }
  PARLANCE_CHECK(false, "a stop reason");
}

Message to_message(const Completion& completion) {
  return Message{.role = Role::assistant,
                 .content = completion.content,
                 .reasoning = completion.reasoning,
                 .reasoning_state = completion.reasoning_state,
                 .tool_calls = completion.tool_calls};
}

}  // namespace parlance::model
