// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/kept_sessions.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "tests/simulator/sentence.h"

namespace parlance::simulator {

namespace {

// Of a message of kept_turns; other messages have no session of an agent.
std::string session_of(const std::string& message) { return message.substr(0, message.find(',')); }

// The session that the conversation continues, if the conversation was adopted.
std::string adopted_session(const std::vector<hub::Event>& log) {
  for (const hub::Event& event : log)
    if (const auto* const message = std::get_if<hub::event::UserMessage>(&event.body)) return session_of(message->text);
  return "";
}

}  // namespace

std::vector<KeptTurn> kept_turns(const std::string& session) {
  std::vector<KeptTurn> turns;
  for (int i = 0; i <= session.back() % 4; ++i)
    turns.push_back({.prompt = sentence(session, ", prompt ", i), .answer = sentence(session, ", answer ", i)});
  return turns;
}

bool KeptSessions::is_adopted(const std::string& conversation, const hub::test::MemoryStore& store) const {
  return adopted_.contains(adopted_session(store.logs.at(conversation))) ||
         (store.has(conversation) && adopted_.contains(store.row(conversation).agent_session.id));
}

bool KeptSessions::is_in_doubt(const std::vector<hub::Event>& log) const {
  const auto adoptions = adopted_.find(adopted_session(log));
  return adoptions != adopted_.end() &&
         std::ranges::any_of(adoptions->second, [](const auto& has_lied) { return has_lied && *has_lied; });
}

void KeptSessions::compare(const std::string& conversation, const std::vector<hub::Event>& log,
                           const std::function<void(std::string)>& wrong) const {
  const std::string session = adopted_session(log);
  if (!adopted_.contains(session) || is_in_doubt(log)) return;
  std::string expected;
  for (const KeptTurn& turn : kept_turns(session)) expected += turn.prompt + "|" + turn.answer + "|";
  std::string found;
  for (const hub::Event& event : log) {
    const auto* const message = std::get_if<hub::event::UserMessage>(&event.body);
    const auto* const text = std::get_if<hub::event::Text>(&event.body);
    if (message != nullptr && session_of(message->text) != session) break;
    if (message != nullptr) found += message->text + "|";
    if (text != nullptr && session_of(text->text) != session) break;  // a turn without a prompt
    if (text != nullptr) found += text->text + "|";
  }
  if (found != expected)
    wrong(sentence(conversation, ": instead of the session \"", expected, "\", the log begins with \"", found, '"'));
}

// A connection that has lied may have reported a wrong session.
void KeptSessions::compare_rows(const hub::test::MemoryStore& store, const std::function<void(std::string)>& wrong) const {
  std::map<std::string, std::string> found;  // by session
  for (const hub::Conversation& row : store.rows()) {
    const auto adoptions = adopted_.find(row.agent_session.id);
    if (row.via || adoptions == adopted_.end()) continue;
    if (std::ranges::any_of(adoptions->second, [](const auto& has_lied) { return has_lied && *has_lied; })) continue;
    const auto [other, is_first] = found.emplace(row.agent_session.id, row.id);
    if (!is_first) wrong(sentence(row.id, ": continues ", row.agent_session.id, " like ", other->second));
  }
}

}  // namespace parlance::simulator
