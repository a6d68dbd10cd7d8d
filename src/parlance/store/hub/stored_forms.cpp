// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub/stored_forms.h"

#include <utility>
#include <variant>

#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/wire_form/conversation_tables.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::store {
namespace {

struct RuleScope {
  std::optional<std::string> agent{};
  std::optional<std::string> folder{};
  std::optional<std::string> runner{};
  std::optional<std::string> tool{};
  std::optional<std::string> path_prefix{};
  std::vector<std::string> command_words{};
  static constexpr auto wire = wire::fields(
      wire::field<&RuleScope::agent>("agent", "The rule applies to this agent only. Absent: all agents."),
      wire::field<&RuleScope::folder>("folder", "The rule applies in this folder only. Absent: all folders."),
      wire::field<&RuleScope::runner>("place",
                                      "Name of the runner whose machine has the rule's paths. Absent: the gateway's machine."),
      wire::field<&RuleScope::tool>("tool", "The rule applies to this tool only. Absent: all tools."),
      wire::field<&RuleScope::path_prefix>("path_prefix", "The rule applies below this path only. Absent: all paths."),
      wire::field<&RuleScope::command_words>("command_words",
                                             "The rule applies to commands with these first words. Absent: all commands."));
};

using Answers = std::vector<std::vector<std::string>>;
using How = hub::AgentSession::How;

}  // namespace

Result<hub::Conversation> conversation_from_text(std::string_view body, std::int64_t last_seq, std::string_view turn,
                                                 std::string_view native_session, std::string_view native_how) {
  auto conversation = json::from_text<hub::Conversation>(body);
  if (!conversation) return conversation;
  conversation->last_seq = static_cast<std::uint64_t>(last_seq);
  conversation->turn = turn;
  conversation->agent_session = {.id = std::string(native_session), .how = session_use(native_how)};
  return conversation;
}

Result<hub::Ask> ask_from_text(std::string_view body, std::string_view answers, std::optional<std::string> expires_at) {
  PARLANCE_TRY(ask, json::from_text<hub::Ask>(body));
  PARLANCE_TRY(given, json::from_text<Answers>(answers));
  ask.answers = std::move(given);
  ask.expires_at = std::move(expires_at);
  return ask;
}

std::string answers_text(const hub::Ask& ask) { return json::to_text(ask.answers); }

Result<hub::Rule> rule_from_text(std::string_view body, std::string_view scope, std::optional<std::string> conversation) {
  PARLANCE_TRY(rule, json::from_text<hub::Rule>(body));
  PARLANCE_TRY(covered, json::from_text<RuleScope>(scope));
  rule.agent = std::move(covered.agent);
  rule.folder = std::move(covered.folder);
  rule.runner = std::move(covered.runner);
  rule.tool = std::move(covered.tool);
  rule.path_prefix = std::move(covered.path_prefix);
  rule.command_words = std::move(covered.command_words);
  rule.conversation = std::move(conversation);
  return rule;
}

std::string scope_text(const hub::Rule& rule) {
  return json::to_text(RuleScope{.agent = rule.agent,
                                 .folder = rule.folder,
                                 .runner = rule.runner,
                                 .tool = rule.tool,
                                 .path_prefix = rule.path_prefix,
                                 .command_words = rule.command_words});
}

std::string_view text_of(How how) { return how == How::fork ? "fork" : "resume"; }
How session_use(std::string_view text) { return text == "fork" ? How::fork : How::resume; }

Result<hub::Event> event_of(const std::string& conversation, std::string_view body) {
  auto event = wire_form::event_from_json(body);
  if (!event) return std::unexpected(std::move(event).error().in("an event of " + conversation));
  return event;
}

Result<hub::EventText> event_text_of(const std::string& conversation, std::uint64_t seq, std::string_view body) {
  if (!body.starts_with("{\"seq\":" + std::to_string(seq) + ",") || !body.ends_with('}'))
    return fail(Errc::internal, "event " + std::to_string(seq) + " of " + conversation + " is damaged in the store");
  return hub::EventText{.seq = seq, .event_json = std::string(body)};
}

}  // namespace parlance::store
