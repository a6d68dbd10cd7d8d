// SPDX-License-Identifier: Apache-2.0
// Messages between the page and its gateway: JSON objects, each in a WebSocket text frame. The page's declarations,
// apps/web/src/protocol.ts, are printed from these tables. The gateway keeps all state: after `ready` follow a snapshot, then
// deltas with consecutive `seq`.
//
// Conversations, events, requests, rules, agents and services are Raw: their stored form (wire_form/event_tables.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/protocol/page/command_messages.h"
#include "parlance/protocol/page/folder_messages.h"
#include "parlance/protocol/page/list_messages.h"
#include "parlance/protocol/page/mcp_messages.h"
#include "parlance/protocol/page/memory_messages.h"
#include "parlance/protocol/page/model_messages.h"
#include "parlance/protocol/page/push_messages.h"
#include "parlance/protocol/page/setup_messages.h"
#include "parlance/protocol/page/team_values.h"
#include "parlance/protocol/page/usage_messages.h"
#include "parlance/protocol/page/values.h"
#include "parlance/wire/call.h"

namespace parlance::page {

inline constexpr std::string_view subprotocol = "parlance.v1";

// ---- page -> host ----------------------------------------------------------------------------------------------------
// Every message except `ready` carries a `request`, and is answered once, by `done` with the message's Value or by `failed`.

struct Ready {
  static constexpr std::string_view tag = "ready";
  std::optional<std::vector<std::string>> conversations{};
  static constexpr auto wire = fields(field<&Ready::conversations>(
      "conversations", "Ids of conversations that the snapshot must contain in addition, at most 100. Absent: none."));
};

struct OpenConversation {
  static constexpr std::string_view tag = "open";
  using Value = OpenedValue;
  std::string request{};
  std::string conversation{};
  std::uint64_t after = 0;
  std::optional<std::uint64_t> limit{};
  static constexpr auto wire =
      fields(field<&OpenConversation::request>("request", request_doc::request),
             field<&OpenConversation::conversation>("conversation", request_doc::conversation),
             field<&OpenConversation::after>("after", "Number of the last event that the page has. 0: none."),
             field<&OpenConversation::limit>("limit", "Highest number of events. Default 2000, at most 20000 and 4 MiB."));
};

struct CloseConversation {
  static constexpr std::string_view tag = "close";
  using Value = Nothing;
  std::string request{};
  std::string conversation{};
  static constexpr auto wire = fields(field<&CloseConversation::request>("request", request_doc::request),
                                      field<&CloseConversation::conversation>("conversation", request_doc::conversation));
};

struct NewConversation {
  static constexpr std::string_view tag = "new";
  using Value = ConversationValue;
  std::string request{};
  std::string agent{};
  std::string folder{};
  std::optional<std::vector<std::string>> folders{};
  std::optional<hub::Mode> mode{};
  std::optional<std::string> model{};
  std::optional<bool> think{};
  static constexpr auto wire =
      fields(field<&NewConversation::request>("request", request_doc::request),
             field<&NewConversation::agent>("agent", "Id of the agent."),
             field<&NewConversation::folder>("folder", "Working folder: an absolute path, or a path that begins with ~."),
             field<&NewConversation::folders>("folders", "Additional folders, in the same form. Their files count as inside."),
             field<&NewConversation::mode>("mode", "Mode of the conversation. Absent: default."),
             field<&NewConversation::model>("model", "Name of the model. Absent or empty: the agent's default."),
             field<&NewConversation::think>("think", "True: the model thinks before it answers."));
};

struct LookForAgents {
  static constexpr std::string_view tag = "look_for_agents";
  using Value = Nothing;
  std::string request{};
  static constexpr auto wire =
      fields(field<&LookForAgents::request>("request", "Id of the request. Changed agents are reported as `agent` operations."));
};

struct RevokeRule {
  static constexpr std::string_view tag = "revoke";
  using Value = Nothing;
  std::string request{};
  std::string rule{};
  static constexpr auto wire =
      fields(field<&RevokeRule::request>("request", request_doc::request), field<&RevokeRule::rule>("rule", "Id of the rule."));
};

struct Search {
  static constexpr std::string_view tag = "search";
  using Value = SearchValue;
  std::string request{};
  std::string words{};
  static constexpr auto wire =
      fields(field<&Search::request>("request", request_doc::request),
             field<&Search::words>("words", "Words to find in texts of people and agents. Titles are not searched."));
};

// `Other`: a page newer than its gateway gets an answer, and stays connected.
using PageMessage = wire::Tagged<"type", Ready, OpenConversation, OlderEvents, ListConversations, GetConversation,
                                 CloseConversation, NewConversation, Prompt, Withdraw, Stop, GoOn, RestartAgent, LookForAgents,
                                 Answer, Reask, SetConversation, SetOption, ClearConversation, DeleteConversation, RevokeRule,
                                 Search, KeptSessions, AdoptSession, FindFiles, SearchMemories, ListMemories, ForgetMemory,
                                 GetUsage, SetLimits, GetPush, PushSubscribe, PushRemove, GetMcpServers, ChangeMcpServer, Looking,
                                 GetModels, ListModels, TestModel, SaveModel, RemoveModel, GetSetup, wire::Other>;

// ---- host -> page ----------------------------------------------------------------------------------------------------

struct ConversationOp {
  static constexpr std::string_view tag = "conversation";
  wire::Raw conversation{};
  static constexpr auto wire =
      fields(field<&ConversationOp::conversation>("conversation", "A new or changed conversation.").holding("Conversation"));
};
struct ConversationRemovedOp {
  static constexpr std::string_view tag = "conversation_removed";
  std::string id{};
  static constexpr auto wire =
      fields(field<&ConversationRemovedOp::id>("id", "Id of a deleted conversation. Its events and requests are deleted too."));
};
struct EventsOp {
  static constexpr std::string_view tag = "events";
  std::string conversation{};
  std::vector<wire::Raw> events{};
  static constexpr auto wire =
      fields(field<&EventsOp::conversation>("conversation", "Id of a conversation that the page has opened."),
             field<&EventsOp::events>("events", "New events in order. The first event follows the last event sent before.")
                 .holding("Event"));
};
struct AskOp {
  static constexpr std::string_view tag = "ask";
  wire::Raw ask{};
  static constexpr auto wire = fields(field<&AskOp::ask>("ask", "A new or changed request of any conversation.").holding("Ask"));
};
struct RuleOp {
  static constexpr std::string_view tag = "rule";
  wire::Raw rule{};
  static constexpr auto wire = fields(field<&RuleOp::rule>("rule", "A new rule, or a rule after a decision.").holding("Rule"));
};
struct RuleRemovedOp {
  static constexpr std::string_view tag = "rule_removed";
  std::string id{};
  static constexpr auto wire = fields(field<&RuleRemovedOp::id>("id", "Id of a removed rule."));
};
struct AgentOp {
  static constexpr std::string_view tag = "agent";
  wire::Raw agent{};
  static constexpr auto wire = fields(field<&AgentOp::agent>("agent", "A new or changed agent.").holding("AgentInfo"));
};
struct ServiceOp {
  static constexpr std::string_view tag = "service";
  wire::Raw service{};
  static constexpr auto wire = fields(field<&ServiceOp::service>("service", "A new or changed service.").holding("ServiceInfo"));
};
using Op = wire::Tagged<"op", ConversationOp, ConversationRemovedOp, EventsOp, AskOp, RuleOp, RuleRemovedOp, AgentOp, ServiceOp>;

struct Snapshot {
  static constexpr std::string_view tag = "snapshot";
  std::uint64_t seq = 0;
  std::string version{};
  std::vector<std::string> capabilities{};
  std::string home{};
  std::string default_folder{};
  AttachmentLimits attachment_limits{};
  std::optional<Team> team{};
  std::vector<wire::Raw> agents{};
  std::vector<wire::Raw> services{};
  std::vector<wire::Raw> conversations{};
  std::optional<std::string> older{};
  std::vector<wire::Raw> asks{};
  std::vector<wire::Raw> rules{};
  static constexpr auto wire = fields(
      field<&Snapshot::seq>("seq", "Number of the snapshot. The next delta has the following number."),
      field<&Snapshot::version>("version", "Version of the gateway."),
      field<&Snapshot::capabilities>("capabilities", "Optional capabilities of the gateway."),
      field<&Snapshot::home>("home", "Absolute path of the person's home folder."),
      field<&Snapshot::default_folder>("default_folder", "Working folder of a new conversation without a named folder."),
      field<&Snapshot::attachment_limits>("attachment_limits", "Limits for attachments of a prompt."),
      field<&Snapshot::team>("team", "Users of the gateway. Absent: a single person."),
      field<&Snapshot::agents>("agents", "All agents with their states.").holding("AgentInfo"),
      field<&Snapshot::services>("services", "All services with their states.").holding("ServiceInfo"),
      field<&Snapshot::conversations>("conversations",
                                      "The 200 conversations with the latest changes, newest first, and all with a turn, a queue "
                                      "or a request.")
          .holding("Conversation"),
      field<&Snapshot::older>("older", "The `before` of `conversations`, for the others. Absent: there are no others."),
      field<&Snapshot::asks>("asks", "Open requests, oldest first.").holding("Ask"),
      field<&Snapshot::rules>("rules", "Standing permissions of all conversations.").holding("Rule"));
};
struct Delta {
  static constexpr std::string_view tag = "delta";
  std::uint64_t seq = 0;
  std::vector<Op> ops{};
  static constexpr auto wire =
      fields(field<&Delta::seq>("seq", "Number of the delta: one more than before. After a gap, send `ready` again."),
             field<&Delta::ops>("ops", "Changes in order."));
};
struct Done {
  static constexpr std::string_view tag = "done";
  std::string request{};
  std::optional<wire::Raw> value{};
  static constexpr auto wire = fields(field<&Done::request>("request", "Id of the answered request."),
                                      field<&Done::value>("value", "Result of the request. Absent: no result."));
};
struct Failed {
  static constexpr std::string_view tag = "failed";
  std::string request{};
  std::string code{};
  std::string message{};
  static constexpr auto wire =
      fields(field<&Failed::request>("request", "Id of the answered request. Empty: the message was unreadable."),
             field<&Failed::code>("code", "Error code for programs, such as not_found or invalid_params."),
             field<&Failed::message>("message", "Text of the error for people, with the place of a fault in the message."));
};
using HostMessage = wire::Tagged<"type", Snapshot, Delta, Done, Failed>;

}  // namespace parlance::page
