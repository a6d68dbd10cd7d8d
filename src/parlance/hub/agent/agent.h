// SPDX-License-Identifier: Apache-2.0
// Agent is the interface of an agent driver. Turn, AgentSink, AgentHost and ReplaySink are the hub's side. Loop thread only.
//
// One Agent serves one conversation. The hub opens the agent at the first prompt, or to prepare it, and gives it one turn at a
// time. The hub closes the agent when the conversation is deleted or the hub ends. The hub destroys the agent at once in two
// cases: a stopped turn did not end in time, or a turn failed and `survives_failure` is false. The next prompt opens the agent
// again, with SessionSetup::agent_session if the agent has reported a session.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/hub/agent/event_sink.h"
#include "parlance/hub/agent/history.h"
#include "parlance/hub/agent/tools.h"
#include "parlance/hub/agent/workspace.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/conversation/stop_reason.h"
#include "parlance/hub/conversation/turn_so_far.h"
#include "parlance/hub/editor/editor.h"
#include "parlance/hub/policy/policy.h"

namespace parlance::hub {

struct AgentInfo;     // conversation/agent_info.h, which many implementations of an agent do not read
struct AgentOption;   // conversation/agent_info.h
struct SessionSetup;  // conversation/session_setup.h

// An agent's question to a person. With an `intent` (permission of a tool call), policy decides first: if a rule or the mode
// decides, no card appears and the answer names the reason. Otherwise the request becomes an ask.
struct AskRequest {
  // The fields of Ask with the same names, as the person sees them.
  AskKind kind = AskKind::permission;
  std::optional<std::string> call{};
  std::optional<std::string> tool{};
  std::string title{};
  std::string why{};               // empty: the words of `reason`, or the asking agent and the policy's reason
  std::optional<Reason> reason{};  // absent: the policy's reason, if the policy asks
  std::optional<std::string> detail{};
  std::optional<Diff> diff{};
  std::optional<std::vector<Question>> questions{};
  std::optional<std::string> plan{};
  std::vector<AskOption> options{};    // empty for a permission with an intent: standard_offer
  std::vector<OfferedRule> rules{};    // "always" options that become rules when chosen
  std::optional<ToolIntent> intent{};  // the effect of the call, for policy and for the card; absent: only a person decides
  // The part that the person may change first. The asking agent applies only AskAnswer::edited, after a new decision of the
  // policy.
  std::optional<EditablePart> editable{};
  std::optional<Duration> expires_after{};  // none: waits as long as the turn
};

// The call of an orphaned request: RepeatRequest makes the agent continue at this call.
struct Resume {
  Ask ask{};        // the orphaned request, as stored
  ToolCall call{};  // as announced by tool_start; empty id when the ask concerned no call
};

// The input of a turn: a message of a person, or the continuation of earlier work (`resume`).
struct Prompt {
  std::string text{};                         // the person's text; empty when resuming
  PromptOptions options{};                    // of this turn only
  std::vector<AttachmentInfo> attachments{};  // Turn::attachment has their bytes
  std::vector<PromptContext> context{};       // context_block renders it as text
  std::optional<Resume> resume{};             // absent: a new message
  std::string by{};                           // User::name of the author; empty: the person of this machine
};

// One running turn, as its agent sees it. Owned by the hub; valid until `Agent::prompt` has ended. The hub writes turn_start,
// user_message, asks and turn_end itself and joins pieces of text. At the end of the turn the hub closes open thinking and open tool
// calls.
class Turn : public EventSink {
 public:
  // Unique in the conversation and stored in its events; a continued turn keeps its id.
  virtual const std::string& id() const = 0;
  virtual const SessionSetup& setup() const = 0;  // current state: mode and model may change during a turn

  // Asks policy, then a person. Precondition: tool_start announced the call. Errors: the store failed.
  virtual Task<Result<AskAnswer>> ask(AskRequest request) = 0;
  // Asks policy alone, without a card.
  virtual Decision decide(std::string_view tool, const ToolIntent& intent) const = 0;

  // The prompt of this turn and the earlier messages, limited to HubSettings::history_bytes (ChatMessage::after_others).
  Task<Result<std::vector<ChatMessage>>> history() {
    auto all = co_await history_since({});
    if (!all) co_return fail(std::move(all).error());
    co_return std::move(all->messages);
  }
  // … of which an agent knows the messages before `known` already.
  virtual Task<Result<HistoryPart>> history_since(HistoryMark known) = 0;
  // A stored attachment with its bytes, also of an earlier prompt or tool result.
  virtual Task<Result<Attachment>> attachment(std::string id) = 0;  // not_found
  // Stores an attachment under a new id, for an event with this id. The store writes both together.
  virtual AttachmentInfo keep(Attachment attachment) = 0;

  virtual bool cancelled() const = 0;  // a person stopped the turn
  // Another person than the conversation's user wrote the prompt, or resumed the turn. Private data of the user, such as memory,
  // must not be used then.
  virtual bool is_of_guest() const = 0;
  virtual void set_mode(Mode mode) = 0;  // a person chose the mode with an answer (approved a plan), or the agent lowers it
  // The agent reported all its options again, by itself or because one option changed others. Differences become events.
  virtual void set_options(std::vector<AgentOption> options) = 0;
  virtual void set_agent_session(std::string id) = 0;  // later starts resume this session
  // The reason why the turn waits, for people (Conversation::waits_for); empty: the turn continues.
  virtual void set_waits_for(std::string what) = 0;

 protected:
  ~Turn() = default;
};

// ---- interfaces of the hub for an agent; valid for the agent's lifetime -----------------------------------------------------

// Receives an agent's events between turns, and beside turns: results of background tasks, its commands, its own mode and title.
// The hub numbers, writes and publishes these events in order of arrival, also among the events of a running turn. A conversation
// under removal accepts no events. Refused: what only a turn may open or end (a turn, a prompt, an ask; thinking and calls while no
// turn runs).
class AgentSink : public EventSink {
 public:
  // The agent changed its mode by itself. Only a lower mode counts (conversation/mode.h): only a person raises the mode.
  virtual void set_mode(Mode mode) = 0;
  virtual void set_options(std::vector<AgentOption> options) = 0;  // as Turn::set_options
  virtual void set_title(std::string title) = 0;                   // used until a person has given a title
  // As Turn::set_agent_session, for agents that know their session before the first turn.
  virtual void set_agent_session(std::string id) = 0;

 protected:
  ~AgentSink() = default;
};

// All members outlive the agent.
struct AgentHost {
  Workspace& workspace;      // files and terminals; absent_workspace refuses each call
  AgentSink& sink;           // for events outside of a turn
  Editor* editor = nullptr;  // null: no editor
};

// Receives the messages of an agent session from before its conversation (Agent::resume), oldest first. The hub makes turns of
// them. `emit`: the further events of the turn, such as text, thinking, calls, plans and usage. Refused: events that open or end a
// turn or an ask.
class ReplaySink : public EventSink {
 public:
  virtual void user(std::string text, std::vector<Attachment> attachments = {}) = 0;  // begins a turn, and ends the previous turn
  // Used unless a person has given a title.
  virtual void set_title(std::string title) = 0;

 protected:
  ~ReplaySink() = default;
};

// ---- the agent --------------------------------------------------------------------------------------------------------------

// An opened agent of one conversation, implemented by a driver.
class Agent {
 public:
  virtual ~Agent() = default;
  // Runs one turn to its end. An error becomes an `error` event and ends the turn with stop reason `error`; open asks are then
  // orphaned. The task is destroyed if it has not ended limits::stop_grace after `cancel`.
  virtual Task<Result<StopReason>> prompt(Turn& turn, Prompt prompt) = 0;
  // Asked after a turn that ended with an error. True: the agent still has its session, and the next prompt goes to the same
  // agent. A refused request, for example above a rate limit, is no reason to end the agent's process.
  virtual bool survives_failure() const { return false; }
  // Does the preparation of a prompt with these options now, such as to start a program. The default does nothing: the prompt
  // prepares itself. May run in parallel with a prompt.
  virtual Task<Result<void>> prepare(PromptOptions) { co_return Result<void>{}; }
  // Continues a turn that ran when the previous process of the hub died. No event is reported twice, and no call that had begun
  // runs again. Has the same results as `prompt`. An ask with identical content gets its previous card, or its previous answer
  // (Turn::ask). Called only if the provider supports it (AgentProvider::resumes_turns).
  virtual Task<Result<StopReason>> resume_turn(Turn&, TurnSoFar) {
    co_return fail(Errc::unknown_method, "this agent cannot continue an earlier turn");
  }
  // The hub's process ends, and the next process continues the running turn: remote workers of the turn keep running. The hub
  // destroys `prompt` next.
  virtual void leave() {}
  // Asks the running prompt to end with StopReason::cancelled. May be called more than once.
  virtual void cancel() = 0;
  // The settings of the conversation take effect at the next turn at the latest. After an error, or after
  // limits::agent_setting_timeout, the conversation keeps the previous value. An empty model: the agent's default.
  virtual Task<Result<void>> set_mode(Mode mode) = 0;
  virtual Task<Result<void>> set_model(std::string model) = 0;
  virtual Task<Result<void>> set_think(bool think) = 0;
  // Sets one of the agent's options to an offered value. Choices from before `open` are in its SessionSetup.
  virtual Task<Result<void>> set_option(std::string id, std::string) {
    co_return fail(Errc::invalid_params, "this agent has no option " + id);
  }
  // Reports the messages of the session SessionSetup::agent_session, once, before the first prompt of a conversation that
  // adopted it (Hub::adopt). Error unknown_method: not supported, and the hub does not create the conversation. The hub returns
  // other errors unchanged.
  virtual Task<Result<void>> resume(ReplaySink&) {
    co_return fail(Errc::unknown_method, "this agent cannot list the messages of its earlier sessions");
  }
  // Precondition: no prompt is running, and no prompt follows. Takes the time of an orderly end: the agent saves its data and
  // ends its programs. The hub destroys the agent next, or when the hub's limits expire.
  virtual Task<void> close() = 0;
};

// An agent's own session, as a list shows it.
struct KeptSession {
  // The agent's own id, for Hub::adopt; the folder is absolute.
  std::string id{};
  std::string folder{};
  std::string title{};       // may be empty
  std::string updated_at{};  // RFC 3339, UTC; empty: unknown
};

// A search for files by a typed part of a name, for the author of a message.
struct FilesWanted {
  std::vector<std::string> folders{};   // paths are relative to the first folder; paths of further folders are absolute
  std::string typed{};                  // empty: any file
  std::vector<std::string> excluded{};  // path patterns, as in editor settings
};
struct FilesFound {
  std::vector<std::string> paths{};  // best match first
  bool all = true;                   // false: the search stopped at its limit of files
};

// An agent that conversations can choose; opens an Agent for each of them. The hub owns providers.
class AgentProvider {
 public:
  virtual ~AgentProvider() = default;
  virtual AgentInfo info() const = 0;  // after a change: Hub::agent_changed
  // The sessions of one folder for Hub::adopt, newest first, at most limits::kept_sessions. May have to start a program.
  // unknown_method: the agent keeps no sessions, or does not list them.
  virtual Task<Result<std::vector<KeptSession>>> sessions(std::string) {
    co_return fail(Errc::unknown_method, "this agent cannot list its sessions");
  }
  // Searches files on the machine of a remote agent (AgentInfo::runner). Errors: disconnected (the machine is unreachable now),
  // overloaded, deadline_exceeded, errors of the machine. unknown_method: the agent's files are on this machine.
  virtual Task<Result<FilesFound>> find_files(FilesWanted) {
    co_return fail(Errc::unknown_method, "this agent runs on this machine: parlance searches its files directly");
  }
  // The agent's program may have been installed, moved or removed: searches it again and reports changes (Hub::agent_changed).
  virtual Task<void> recheck() { co_return; }
  // Starts an agent for one conversation; may take the time of a program start. An error ends the turn, and the next prompt
  // opens again. Members of `host` outlive the agent.
  virtual Task<Result<std::unique_ptr<Agent>>> open(SessionSetup setup, AgentHost host) = 0;
  // The provider's agents continue turns of a previous process (Agent::resume_turn). Agents that are child processes of the hub died
  // with it.
  virtual bool resumes_turns() const { return false; }
};

}  // namespace parlance::hub
