// SPDX-License-Identifier: Apache-2.0
// Converts open requests into a client's messages: permissions with options, forms, iFlow's questions and plans; and converts
// replies into answers of the hub. Pure; values; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "parlance/hub/hub.h"
#include "parlance/protocol/acp/elicitation.h"
#include "parlance/protocol/acp/iflow.h"
#include "parlance/protocol/acp/permission.h"

namespace parlance::face {

// ---- permissions and plans. `call`: the call as known to the client, completed with data of the ask.
acp::RequestPermission acp_permission(const std::string& session, const hub::Ask& ask, acp::ToolCallUpdate call);
// Cancelled, or an option outside the offer: a rejection. Only an explicit yes allows a call.
hub::Answer given_by(const hub::Ask& ask, const acp::PermissionReply& reply, const std::string& client);

// ---- questions as a form: `question_0` for the first, `question_0_custom` for free text.
acp::CreateElicitation acp_form(const std::string& session, const hub::Ask& ask);
hub::Answer given_by(const hub::Ask& ask, const acp::ElicitationReply& reply, const std::string& client);

// ---- questions for a client without forms: a permission for each, with the choices as options.
bool can_be_permissions(const hub::Ask& ask);  // every question has choices
acp::RequestPermission acp_question(const std::string& session, const hub::Ask& ask, std::size_t question);
// The chosen label; no value: the person declined.
std::optional<std::string> chosen_label(const hub::Ask& ask, std::size_t question, const acp::PermissionReply& reply);

// ---- iFlow
acp::iflow::Questions iflow_questions(const std::string& session, const hub::Ask& ask);
hub::Answer given_by(const hub::Ask& ask, const acp::iflow::Answers& answers, const std::string& client);
acp::iflow::PlanExit iflow_plan(const std::string& session, const hub::Ask& ask);
hub::Answer given_by(const hub::Ask& ask, const acp::iflow::PlanDecision& decision, const std::string& client);

// ---- common
hub::Answer answered(const hub::Ask& ask, std::vector<std::vector<std::string>> answers, const std::string& client);
// The refusing option of the ask; `reason` is for the agent.
hub::Answer refused(const hub::Ask& ask, const std::string& client, std::string reason = {});

}  // namespace parlance::face
