// SPDX-License-Identifier: Apache-2.0
// What waits for a person, as a client is asked: permissions with options by their kind, forms, iFlow's questions and plans; and what its
// answer means to the hub. Pure; values; any thread.
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

// ---- a permission, or a plan to be approved. `call`: what the client may know of the call, which is completed by what the ask shows.
acp::RequestPermission acp_permission(const std::string& session, const hub::Ask& ask, acp::ToolCallUpdate call);
// Cancelled, and what was never offered, is a rejection: nothing happens without a yes.
hub::GivenAnswer given_by(const hub::Ask& ask, const acp::PermissionReply& reply, const std::string& client);

// ---- questions, as a form: `question_0` for the first, `question_0_custom` for words of the person's own.
acp::CreateElicitation acp_form(const std::string& session, const hub::Ask& ask);
hub::GivenAnswer given_by(const hub::Ask& ask, const acp::ElicitationReply& reply, const std::string& client);

// ---- questions for a client that shows no forms: a permission for each, one of whose options may be chosen.
bool can_be_permissions(const hub::Ask& ask);  // every question has something to choose from
acp::RequestPermission acp_question(const std::string& session, const hub::Ask& ask, std::size_t question);
// The label that was chosen; nothing: the person does not want to answer.
std::optional<std::string> chosen_label(const hub::Ask& ask, std::size_t question, const acp::PermissionReply& reply);

// ---- iFlow
acp::iflow::Questions iflow_questions(const std::string& session, const hub::Ask& ask);
hub::GivenAnswer given_by(const hub::Ask& ask, const acp::iflow::Answers& answers, const std::string& client);
acp::iflow::PlanExit iflow_plan(const std::string& session, const hub::Ask& ask);
hub::GivenAnswer given_by(const hub::Ask& ask, const acp::iflow::PlanDecision& decision, const std::string& client);

// ---- for all of them
hub::GivenAnswer answered(const hub::Ask& ask, std::vector<std::vector<std::string>> answers, const std::string& client);
// No, in the words of the ask; `why` for the agent.
hub::GivenAnswer refused(const hub::Ask& ask, const std::string& client, std::string why = {});

}  // namespace parlance::face
