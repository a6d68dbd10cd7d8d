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

enum class Mode : std::uint8_t { default_, auto_edit, yolo, plan, smart };
constexpr auto wire_names(Mode) { return wire::names("default", "autoEdit", "yolo", "plan", "smart"); }

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
  std::optional<Mode> mode{};
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

struct AttachedFile {
  std::string name{};
  std::string media_type{};
  wire::Blob data{};
  static constexpr auto wire = fields(field<&AttachedFile::name>("name", "File name for people. May be empty."),
                                      field<&AttachedFile::media_type>("media_type", "Media type, such as image/png."),
                                      field<&AttachedFile::data>("data", "Bytes of the file, base64."));
};

struct LineRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  static constexpr auto wire = fields(field<&LineRange::first>("first", "First line, counted from 1."),
                                      field<&LineRange::last>("last", "Last line, this line included."));
};

struct PromptContext {
  std::string path{};
  std::optional<LineRange> range{};
  std::optional<std::string> text{};
  static constexpr auto wire =
      fields(field<&PromptContext::path>("path", "Absolute path of the file with the focus in the editor."),
             field<&PromptContext::range>("range", "Selected lines. Absent: no selection."),
             field<&PromptContext::text>("text", "Text of the selected lines."));
};

struct Prompt {
  static constexpr std::string_view tag = "prompt";
  using Value = PromptedValue;
  std::string request{};
  std::string conversation{};
  std::string text{};
  std::optional<std::vector<AttachedFile>> attachments{};
  std::optional<std::vector<PromptContext>> context{};
  std::optional<wire::Raw> options{};
  static constexpr auto wire = fields(
      field<&Prompt::request>("request", request_doc::request),
      field<&Prompt::conversation>("conversation", request_doc::conversation),
      field<&Prompt::text>("text", "Text of the person. May be empty with attachments."),
      field<&Prompt::attachments>("attachments", "Attached files, within `attachment_limits`."),
      field<&Prompt::context>("context", "Context of an editor. The agent receives the context with the text."),
      field<&Prompt::options>("options", "Settings of the frontend for this turn. Absent: none.").holding("PromptOptions"));
};

struct Withdraw {
  static constexpr std::string_view tag = "withdraw";
  using Value = Nothing;
  std::string request{};
  std::string conversation{};
  std::string queued{};
  static constexpr auto wire = fields(field<&Withdraw::request>("request", request_doc::request),
                                      field<&Withdraw::conversation>("conversation", request_doc::conversation),
                                      field<&Withdraw::queued>("queued", "Id of the queued prompt."));
};

struct Stop {
  static constexpr std::string_view tag = "stop";
  using Value = Nothing;
  std::string request{};
  std::string conversation{};
  std::optional<bool> only_own{};
  static constexpr auto wire =
      fields(field<&Stop::request>("request", request_doc::request),
             field<&Stop::conversation>("conversation", request_doc::conversation),
             field<&Stop::only_own>("only_own", "True: stop only a turn that a prompt of the caller started. Absent: any turn."));
};

struct GoOn {
  static constexpr std::string_view tag = "go_on";
  using Value = Nothing;
  std::string request{};
  std::string conversation{};
  static constexpr auto wire = fields(field<&GoOn::request>("request", request_doc::request),
                                      field<&GoOn::conversation>("conversation", "Id of a conversation with a held queue."));
};

struct RestartAgent {
  static constexpr std::string_view tag = "restart";
  using Value = Nothing;
  std::string request{};
  std::string conversation{};
  static constexpr auto wire =
      fields(field<&RestartAgent::request>("request", request_doc::request),
             field<&RestartAgent::conversation>("conversation", "Id of a conversation whose agent process died."));
};

struct LookForAgents {
  static constexpr std::string_view tag = "look_for_agents";
  using Value = Nothing;
  std::string request{};
  static constexpr auto wire =
      fields(field<&LookForAgents::request>("request", "Id of the request. Changed agents are reported as `agent` operations."));
};

struct Answer {
  static constexpr std::string_view tag = "answer";
  using Value = AskValue;
  std::string request{};
  std::string ask{};
  std::string digest{};
  std::optional<std::string> option{};
  std::optional<std::string> text{};
  std::optional<std::vector<std::vector<std::string>>> answers{};
  std::optional<std::string> edited{};
  static constexpr auto wire = fields(
      field<&Answer::request>("request", request_doc::request), field<&Answer::ask>("ask", "Id of the request for a person."),
      field<&Answer::digest>("digest", "Digest of the shown content. The answer is valid for exactly this content."),
      field<&Answer::option>("option", "Id of the selected option."), field<&Answer::text>("text", "Feedback or a note."),
      field<&Answer::answers>("answers", "Answers to the questions, in their order. Each answer is a list."),
      field<&Answer::edited>("edited", "With an allowing option: the `editable` part after edits by the person."));
};

struct Reask {
  static constexpr std::string_view tag = "reask";
  using Value = PromptedValue;
  std::string request{};
  std::string ask{};
  static constexpr auto wire =
      fields(field<&Reask::request>("request", request_doc::request), field<&Reask::ask>("ask", "Id of an orphaned request."));
};

struct SetConversation {
  static constexpr std::string_view tag = "set";
  using Value = ConversationValue;
  std::string request{};
  std::string conversation{};
  std::optional<std::string> title{};
  std::optional<Mode> mode{};
  std::optional<std::string> model{};
  std::optional<bool> think{};
  std::optional<bool> archived{};
  std::optional<Access> access{};
  static constexpr auto wire =
      fields(field<&SetConversation::request>("request", request_doc::request),
             field<&SetConversation::conversation>("conversation", request_doc::conversation),
             field<&SetConversation::title>("title", "The new title."),
             field<&SetConversation::mode>("mode", "The new mode, from now on."),
             field<&SetConversation::model>("model", "Name of the new model, from the next turn on."),
             field<&SetConversation::think>("think", "True: the model thinks, from the next turn on."),
             field<&SetConversation::archived>("archived", "True: archive the conversation. False: restore it."),
             field<&SetConversation::access>("access", "The new access of other users."));
};

struct SetOption {
  static constexpr std::string_view tag = "set_option";
  using Value = ConversationValue;
  std::string request{};
  std::string conversation{};
  std::string option{};
  std::string value{};
  static constexpr auto wire = fields(
      field<&SetOption::request>("request", request_doc::request),
      field<&SetOption::conversation>("conversation", request_doc::conversation),
      field<&SetOption::option>("option", "Id of one of the agent's options."),
      field<&SetOption::value>("value", "A value of the option, or true or false. Applies from the next turn at the latest."));
};

struct ClearConversation {
  static constexpr std::string_view tag = "clear";
  using Value = Nothing;
  std::string request{};
  std::string conversation{};
  static constexpr auto wire =
      fields(field<&ClearConversation::request>("request", request_doc::request),
             field<&ClearConversation::conversation>(
                 "conversation", "Id of the conversation. Messages are hidden, and the agent starts a new session."));
};

struct DeleteConversation {
  static constexpr std::string_view tag = "delete";
  using Value = Nothing;
  std::string request{};
  std::string conversation{};
  static constexpr auto wire = fields(field<&DeleteConversation::request>("request", request_doc::request),
                                      field<&DeleteConversation::conversation>("conversation", request_doc::conversation));
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
