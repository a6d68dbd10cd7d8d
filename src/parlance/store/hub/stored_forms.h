// SPDX-License-Identifier: Apache-2.0
// Parts of the hub's structs in separate columns beside their JSON, in every database. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/log/store.h"
#include "parlance/hub/policy/policy.h"

namespace parlance::hub {
struct Conversation;
struct Event;
}  // namespace parlance::hub

namespace parlance::store {

// Position, turn and agent session have their own columns: each commit changes them without the body. Errors: invalid JSON.
Result<hub::Conversation> conversation_from_text(std::string_view body, std::int64_t last_seq, std::string_view turn,
                                                 std::string_view native_session, std::string_view native_how);

// Answers and expiry have their own columns: frontends receive the body only. Errors: invalid JSON in a column.
Result<hub::Ask> ask_from_text(std::string_view body, std::string_view answers, std::optional<std::string> expires_at);
std::string answers_text(const hub::Ask& ask);

// The scope of a rule has its own column: frontends see only its label.
Result<hub::Rule> rule_from_text(std::string_view body, std::string_view scope, std::optional<std::string> conversation);
std::string scope_text(const hub::Rule& rule);

// The column of AgentSession::how, and back. An unknown text means `resume`.
std::string_view text_of(hub::AgentSession::How how);
hub::AgentSession::How session_use(std::string_view text);

// Errors name the conversation.
Result<hub::Event> event_of(const std::string& conversation, std::string_view body);
// Checks the number and the end of the text, because readers forward the text without parsing it.
Result<hub::EventText> event_text_of(const std::string& conversation, std::uint64_t seq, std::string_view body);

}  // namespace parlance::store
