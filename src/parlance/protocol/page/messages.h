// SPDX-License-Identifier: Apache-2.0
// What the page and its host say to each other: JSON objects, one a WebSocket text frame. The page's side, apps/web/src/protocol.ts, is
// printed from these tables. The host keeps all state: after `ready` one snapshot, then deltas whose `seq` counts up by one.
//
// Conversations, events, asks, rules, agents and services travel as they are stored (store/hub/event_tables.h), so they are Raw here
// and declared there, once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/protocol/page/folder_messages.h"
#include "parlance/protocol/page/memory_messages.h"
#include "parlance/protocol/page/push_messages.h"
#include "parlance/protocol/page/team_values.h"
#include "parlance/protocol/page/usage_messages.h"
#include "parlance/protocol/page/values.h"
#include "parlance/wire/call.h"

namespace parlance::page {

inline constexpr std::string_view subprotocol = "parlance.v1";

enum class Mode : std::uint8_t { default_, auto_edit, yolo, plan, smart };
constexpr auto wire_names(Mode) { return wire::names("default", "autoEdit", "yolo", "plan", "smart"); }

// ---- page -> host ----------------------------------------------------------------------------------------------------
// Every message but `ready` carries a `request` and is answered by one `done`, whose value is the message's Value, or one `failed`.

struct Ready {
  static constexpr std::string_view tag = "ready";
  static constexpr std::array<wire::Field, 0> wire{};
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
             field<&OpenConversation::after>("after", "Number of the last event that the page knows; 0: none."),
             field<&OpenConversation::limit>(
                 "limit", "At most this number, the newest; default 2000, at most 20000, and 4 MiB together."));
};

struct OlderEvents {
  static constexpr std::string_view tag = "older";
  using Value = OlderValue;
  std::string request{};
  std::string conversation{};
  std::uint64_t before = 0;
  std::optional<std::uint64_t> limit{};
  static constexpr auto wire = fields(
      field<&OlderEvents::request>("request", request_doc::request),
      field<&OlderEvents::conversation>("conversation", request_doc::conversation),
      field<&OlderEvents::before>("before", "Number of the first event that the page knows."),
      field<&OlderEvents::limit>("limit", "At most this number, the newest; default 2000, at most 20000, and 4 MiB together."));
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
             field<&NewConversation::folder>("folder", "Absolute path, or one below the home folder that begins with ~."),
             field<&NewConversation::folders>("folders", "More folders that count as inside, written in the same way."),
             field<&NewConversation::mode>("mode", "What the agent may do without asking; absent: default."),
             field<&NewConversation::model>("model", "Absent or empty: the agent's default."),
             field<&NewConversation::think>("think", "The model thinks before it answers."));
};

struct AttachedFile {
  std::string name{};
  std::string media_type{};
  wire::Blob data{};
  static constexpr auto wire =
      fields(field<&AttachedFile::name>("name", "For people; may be empty."),
             field<&AttachedFile::media_type>("media_type", "image/png, …"), field<&AttachedFile::data>("data", "Its bytes."));
};

struct LineRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  static constexpr auto wire = fields(field<&LineRange::first>("first", "The first line, from 1."),
                                      field<&LineRange::last>("last", "The last line; it is part of the range."));
};

struct PromptContext {
  std::string path{};
  std::optional<LineRange> range{};
  std::optional<std::string> text{};
  static constexpr auto wire = fields(field<&PromptContext::path>("path", "A file that the person looks at."),
                                      field<&PromptContext::range>("range", "What is selected there."),
                                      field<&PromptContext::text>("text", "The text of the range."));
};

struct Prompt {
  static constexpr std::string_view tag = "prompt";
  using Value = PromptedValue;
  std::string request{};
  std::string conversation{};
  std::string text{};
  std::optional<std::vector<AttachedFile>> attachments{};
  std::optional<std::vector<PromptContext>> context{};
  static constexpr auto wire = fields(
      field<&Prompt::request>("request", request_doc::request),
      field<&Prompt::conversation>("conversation", request_doc::conversation),
      field<&Prompt::text>("text", "What the person wrote; may be empty beside attachments."),
      field<&Prompt::attachments>("attachments", "What comes with it, within `attachment_limits`."),
      field<&Prompt::context>("context", "What the person looks at in an editor: the agent is told of it beside the words."));
};

struct Withdraw {
  static constexpr std::string_view tag = "withdraw";
  using Value = Nothing;
  std::string request{};
  std::string conversation{};
  std::string queued{};
  static constexpr auto wire = fields(field<&Withdraw::request>("request", request_doc::request),
                                      field<&Withdraw::conversation>("conversation", request_doc::conversation),
                                      field<&Withdraw::queued>("queued", "Id of the prompt that waits."));
};

struct Stop {
  static constexpr std::string_view tag = "stop";
  using Value = Nothing;
  std::string request{};
  std::string conversation{};
  static constexpr auto wire = fields(field<&Stop::request>("request", request_doc::request),
                                      field<&Stop::conversation>("conversation", request_doc::conversation));
};

struct GoOn {
  static constexpr std::string_view tag = "go_on";
  using Value = Nothing;
  std::string request{};
  std::string conversation{};
  static constexpr auto wire =
      fields(field<&GoOn::request>("request", request_doc::request),
             field<&GoOn::conversation>("conversation", "Whose queue was held back after a stop, an error or a restart."));
};

struct RestartAgent {
  static constexpr std::string_view tag = "restart";
  using Value = Nothing;
  std::string request{};
  std::string conversation{};
  static constexpr auto wire =
      fields(field<&RestartAgent::request>("request", request_doc::request),
             field<&RestartAgent::conversation>("conversation",
                                                "Whose agent died: it is started again, with its session. The log says so."));
};

struct LookForAgents {
  static constexpr std::string_view tag = "look_for_agents";
  using Value = Nothing;
  std::string request{};
  static constexpr auto wire = fields(field<&LookForAgents::request>(
      "request",
      "As above. Programs of agents may have been installed, moved or removed: what is found is told as `agent` messages."));
};

struct Answer {
  static constexpr std::string_view tag = "answer";
  using Value = Nothing;
  std::string request{};
  std::string ask{};
  std::string digest{};
  std::optional<std::string> option{};
  std::optional<std::string> text{};
  std::optional<std::vector<std::vector<std::string>>> answers{};
  std::optional<std::string> edited{};
  static constexpr auto wire = fields(
      field<&Answer::request>("request", request_doc::request), field<&Answer::ask>("ask", "Id of the ask."),
      field<&Answer::digest>("digest", "Of what was shown: the answer counts for exactly that."),
      field<&Answer::option>("option", "Id of the chosen option."), field<&Answer::text>("text", "Feedback or a note."),
      field<&Answer::answers>("answers", "To questions: one list each, in their order."),
      field<&Answer::edited>(
          "edited", "What the person made of the ask's `editable` part, with an option that allows: this is done instead."));
};

struct Reask {
  static constexpr std::string_view tag = "reask";
  using Value = PromptedValue;
  std::string request{};
  std::string ask{};
  static constexpr auto wire =
      fields(field<&Reask::request>("request", request_doc::request), field<&Reask::ask>("ask", "Id of an orphaned ask."));
};

struct SetConversation {
  static constexpr std::string_view tag = "set";
  using Value = Nothing;
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
             field<&SetConversation::title>("title", "A new title."), field<&SetConversation::mode>("mode", "From now on."),
             field<&SetConversation::model>("model", "From the next turn on."),
             field<&SetConversation::think>("think", "From the next turn on."),
             field<&SetConversation::archived>("archived", "Put away, or back again."),
             field<&SetConversation::access>("access", "What others of the team may do with it from now on."));
};

struct SetOption {
  static constexpr std::string_view tag = "set_option";
  using Value = Nothing;
  std::string request{};
  std::string conversation{};
  std::string option{};
  std::string value{};
  static constexpr auto wire = fields(
      field<&SetOption::request>("request", request_doc::request),
      field<&SetOption::conversation>("conversation", request_doc::conversation),
      field<&SetOption::option>("option", "Id of one of its agent's options."),
      field<&SetOption::value>("value", "One of its values; of a boolean true or false. From the next turn on at the latest."));
};

struct ClearConversation {
  static constexpr std::string_view tag = "clear";
  using Value = Nothing;
  std::string request{};
  std::string conversation{};
  static constexpr auto wire =
      fields(field<&ClearConversation::request>("request", request_doc::request),
             field<&ClearConversation::conversation>(
                 "conversation", "What was said in it is hidden, and its agent begins anew; `delete` really deletes."));
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
             field<&Search::words>("words", "Looked for in what person and agents wrote; not in titles, which the page has."));
};

// `Other`: a page that is newer than its host is answered, not cut off.
using PageMessage =
    wire::Tagged<"type", Ready, OpenConversation, OlderEvents, CloseConversation, NewConversation, Prompt, Withdraw, Stop, GoOn,
                 RestartAgent, LookForAgents, Answer, Reask, SetConversation, SetOption, ClearConversation, DeleteConversation,
                 RevokeRule, Search, KeptSessions, AdoptSession, FindFiles, SearchMemories, ListMemories, ForgetMemory, GetUsage,
                 SetLimits, GetPush, PushSubscribe, PushRemove, Looking, wire::Other>;

// ---- host -> page ----------------------------------------------------------------------------------------------------

struct ConversationOp {
  static constexpr std::string_view tag = "conversation";
  wire::Raw conversation{};
  static constexpr auto wire =
      fields(field<&ConversationOp::conversation>("conversation", "New or changed.").holding("Conversation"));
};
struct ConversationRemovedOp {
  static constexpr std::string_view tag = "conversation_removed";
  std::string id{};
  static constexpr auto wire = fields(field<&ConversationRemovedOp::id>("id", "It is gone, with its events and asks."));
};
struct EventsOp {
  static constexpr std::string_view tag = "events";
  std::string conversation{};
  std::vector<wire::Raw> events{};
  static constexpr auto wire =
      fields(field<&EventsOp::conversation>("conversation", "One that this page has opened."),
             field<&EventsOp::events>("events", "In order; the first follows the last that was sent.").holding("Event"));
};
struct AskOp {
  static constexpr std::string_view tag = "ask";
  wire::Raw ask{};
  static constexpr auto wire = fields(field<&AskOp::ask>("ask", "New or changed, of any conversation.").holding("Ask"));
};
struct RuleOp {
  static constexpr std::string_view tag = "rule";
  wire::Raw rule{};
  static constexpr auto wire = fields(field<&RuleOp::rule>("rule", "New, or it has decided something.").holding("Rule"));
};
struct RuleRemovedOp {
  static constexpr std::string_view tag = "rule_removed";
  std::string id{};
  static constexpr auto wire = fields(field<&RuleRemovedOp::id>("id", "It holds no more."));
};
struct AgentOp {
  static constexpr std::string_view tag = "agent";
  wire::Raw agent{};
  static constexpr auto wire = fields(field<&AgentOp::agent>("agent", "New or changed.").holding("AgentInfo"));
};
struct ServiceOp {
  static constexpr std::string_view tag = "service";
  wire::Raw service{};
  static constexpr auto wire = fields(field<&ServiceOp::service>("service", "New or changed.").holding("ServiceInfo"));
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
  std::vector<wire::Raw> asks{};
  std::vector<wire::Raw> rules{};
  static constexpr auto wire =
      fields(field<&Snapshot::seq>("seq", "The next delta has the number after it."),
             field<&Snapshot::version>("version", "Of the host."),
             field<&Snapshot::capabilities>("capabilities", "What the host can do beyond this contract."),
             field<&Snapshot::home>("home", "The person's home folder."),
             field<&Snapshot::default_folder>("default_folder", "Where a new conversation works unless told otherwise."),
             field<&Snapshot::attachment_limits>("attachment_limits", "What may come with a prompt."),
             field<&Snapshot::team>("team", "Who works with the host; absent: one person."),
             field<&Snapshot::agents>("agents", "All agents.").holding("AgentInfo"),
             field<&Snapshot::services>("services", "All services.").holding("ServiceInfo"),
             field<&Snapshot::conversations>("conversations", "All conversations, newest change first.").holding("Conversation"),
             field<&Snapshot::asks>("asks", "What waits for a person, oldest first.").holding("Ask"),
             field<&Snapshot::rules>("rules", "Standing permissions.").holding("Rule"));
};
struct Delta {
  static constexpr std::string_view tag = "delta";
  std::uint64_t seq = 0;
  std::vector<Op> ops{};
  static constexpr auto wire = fields(field<&Delta::seq>("seq", "One more than the last; a gap means: send `ready` again."),
                                      field<&Delta::ops>("ops", "What changed, in order."));
};
struct Done {
  static constexpr std::string_view tag = "done";
  std::string request{};
  std::optional<wire::Raw> value{};
  static constexpr auto wire = fields(field<&Done::request>("request", "The request that this answers."),
                                      field<&Done::value>("value", "What came of it, if there is more to say."));
};
struct Failed {
  static constexpr std::string_view tag = "failed";
  std::string request{};
  std::string code{};
  std::string message{};
  static constexpr auto wire =
      fields(field<&Failed::request>("request", "The request that this answers; empty when it could not be read."),
             field<&Failed::code>("code", "For programs: not_found, invalid_params, …"),
             field<&Failed::message>("message", "For people; a malformed message is told with the place of the fault."));
};
using HostMessage = wire::Tagged<"type", Snapshot, Delta, Done, Failed>;

}  // namespace parlance::page
