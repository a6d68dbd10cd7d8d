// SPDX-License-Identifier: Apache-2.0
// What every agent driver implements, and what it is given. Loop thread only.
//
// One Agent is the agent of one conversation. The hub opens the agent at the first prompt, or to prepare it, and gives it one turn at a
// time. The hub closes the agent when the conversation is deleted or the hub ends. The hub destroys the agent at once in two cases: a
// stopped turn did not end in time, or a turn failed and `survives_failure` is false. The next prompt opens the agent again, with
// Conversation::native_session if the agent has told a session.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/history.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/conversation/turn_so_far.h"
#include "parlance/hub/editor/editor.h"
#include "parlance/hub/limits.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/hub/tools.h"
#include "parlance/hub/workspace.h"

namespace parlance::hub {

// What an agent wants to know or be allowed. Policy is asked first when `intent` is set (permissions of tool calls): if a rule or
// the mode decides, no card appears and the answer says why. Otherwise it becomes an ask.
struct AskRequest {
  AskKind kind = AskKind::permission;
  std::optional<std::string> call{};
  std::optional<std::string> tool{};
  std::string title{};
  std::string why{};               // empty: the words of `reason`, or who asks and why policy did not decide
  std::optional<Reason> reason{};  // absent: that of the policy, if the policy asks
  std::optional<std::string> detail{};
  std::optional<Diff> diff{};
  std::optional<std::vector<Question>> questions{};
  std::optional<std::string> plan{};
  std::vector<AskOption> options{};  // empty for a permission with an intent: standard_offer
  std::vector<OfferedRule> rules{};  // "always" options that become rules when chosen
  std::optional<ToolIntent> intent{};
  // What the person may change first. Whoever asks applies AskAnswer::edited, judged anew, and nothing else.
  std::optional<EditablePart> editable{};
  std::optional<Duration> expires_after{};  // none: waits as long as the turn
};

// A call that an orphaned ask was about: `reask` makes the agent go on here.
struct Resume {
  Ask ask{};
  ToolCall call{};  // as its tool_start told; empty id when the ask was about no call
};

struct Prompt {
  std::string text{};  // what the person wrote; empty when resuming
  PromptOptions options{};
  std::vector<AttachmentInfo> attachments{};  // Turn::attachment has their bytes
  std::vector<PromptContext> context{};       // context_block tells it in words
  std::optional<Resume> resume{};
  std::string by{};  // User::name of who wants it; empty: the person of this machine
};

// One running turn, as its agent sees it. Owned by the hub; good until `Agent::prompt` has ended.
class Turn {
 public:
  virtual const std::string& id() const = 0;
  virtual const Conversation& conversation() const = 0;  // as it is now: mode and model may change during a turn

  // Appends. The hub writes turn_start, user_message, asks and turn_end itself, joins pieces of text, and closes what is still
  // open (thinking, tool calls) when the turn ends. Never waits; while `congested`, wait for `written` before emitting more.
  virtual void emit(EventBody body) = 0;
  virtual bool congested() const = 0;
  virtual Task<Result<void>> written() = 0;  // all that was emitted so far is on disk and has been told

  // Policy, then a person. The call must have been announced with tool_start. Errors: the store failed.
  virtual Task<Result<AskAnswer>> ask(AskRequest request) = 0;
  // Policy alone, for those who only want to know.
  virtual Decision decide(std::string_view tool, const ToolIntent& intent) const = 0;

  // This turn's prompt and what came before it, as far back as HubSettings::history_bytes reach (ChatMessage::after_others).
  virtual Task<Result<std::vector<ChatMessage>>> history() = 0;
  virtual Task<Result<Attachment>> attachment(std::string id) = 0;  // not_found
  // Stores an attachment under an id of its own, for an event that names it. It is written together with that event.
  virtual AttachmentInfo keep(Attachment attachment) = 0;

  virtual bool cancelled() const = 0;  // a person stopped the turn
  // Another person than the conversation's user wrote its prompt, or made it continue. What is that user's alone, such as their memory,
  // is not used then.
  virtual bool is_of_guest() const = 0;
  virtual void set_mode(Mode mode) = 0;  // a person chose it with an answer (a plan was approved), or the agent lowers it
  // The agent told its options anew, all of them (by itself, or because one changed others). What differs is told as events.
  virtual void set_options(std::vector<AgentOption> options) = 0;
  virtual void set_native_session(std::string id) = 0;  // resumed by this name from now on
  // Why it does not go on just now, for people (Conversation::waits_for); empty: it goes on.
  virtual void set_waits_for(std::string what) = 0;

 protected:
  ~Turn() = default;
};

// ---- what it is given when it is opened, for as long as it lives ---------------------------------------------------------

// Takes what an agent tells between turns, and beside them: what its background tasks do, which commands it knows, its own mode and title.
// What comes here is numbered, written and told as all events are, in the order in which it came, also among those of a turn that runs.
// A conversation that is being removed takes nothing any more.
class AgentSink {
 public:
  // False: not taken, because it opens or ends what only a turn may (a turn, a prompt, an ask; thinking and calls while no turn runs).
  virtual bool emit(EventBody body) = 0;
  // The agent changed its mode by itself. Only a lower mode counts (conversation/mode.h): a person alone raises it.
  virtual void set_mode(Mode mode) = 0;
  // Another hub runs the conversation, and a person chose this mode there.
  virtual void follow_mode(Mode mode) = 0;
  virtual void set_options(std::vector<AgentOption> options) = 0;  // as Turn::set_options
  virtual void set_title(std::string title) = 0;                   // counts until a person has given one
  virtual void set_native_session(std::string id) = 0;
  // Above its limit: wait for `written` before emitting more.
  virtual bool congested() const = 0;
  virtual Task<Result<void>> written() = 0;

 protected:
  ~AgentSink() = default;
};

// All of it outlives the agent.
struct AgentHost {
  Workspace& workspace;
  AgentSink& sink;
  Editor* editor = nullptr;  // null: there is none
};

// Takes what was said in a session before the conversation knew of it (Agent::resume), oldest first. The hub makes turns of it.
class ReplaySink {
 public:
  virtual void user(std::string text, std::vector<Attachment> attachments = {}) = 0;  // begins a turn, and ends the one before
  // What followed in that turn: text, thinking, calls, plans, usage. What opens or ends a turn or an ask is left out.
  virtual void emit(EventBody body) = 0;
  virtual void set_title(std::string title) = 0;
  virtual bool congested() const = 0;
  virtual Task<Result<void>> written() = 0;

 protected:
  ~ReplaySink() = default;
};

// ---- what it does ---------------------------------------------------------------------------------------------------------

class Agent {
 public:
  virtual ~Agent() = default;
  // Runs one turn to its end. An error becomes an `error` event and ends the turn with stop reason `error`; open asks are then
  // orphaned. The task is destroyed if it has not ended limits::stop_grace after `cancel`.
  virtual Task<Result<StopReason>> prompt(Turn& turn, Prompt prompt) = 0;
  // Asked after a turn that ended with an error. True: the agent still has its session, and the next prompt goes to the same agent. A
  // refused request, for example above a rate limit, is no reason to end the agent's process.
  virtual bool survives_failure() const { return false; }
  // Does now what a prompt with these options would begin with, such as to start a program. By itself nothing: the prompt does it.
  // May run while a prompt does.
  virtual Task<Result<void>> prepare(PromptOptions) { co_return Result<void>{}; }
  // Goes on with a turn that ran when the program before this one died, as if it had not died: nothing is told twice, and no call is
  // carried out that had begun before. Comes to the same ends as `prompt`. An ask that is asked anew exactly as it was gets its card back, or the
  // answer that it had (Turn::ask). Only where its provider says that it can (AgentProvider::takes_up).
  virtual Task<Result<StopReason>> take_up(Turn&, TurnSoFar) {
    co_return fail(Errc::unknown_method, "this agent cannot continue an earlier turn");
  }
  // The program ends, and the next one takes up the turn that runs: whoever works for it elsewhere is to go on. `prompt` is destroyed next.
  virtual void leave() {}
  // Asks the running prompt to end with StopReason::cancelled. May be called more than once.
  virtual void cancel() = 0;
  // Effective at the next turn at the latest.
  virtual Task<Result<void>> set_mode(Mode mode) = 0;
  virtual Task<Result<void>> set_model(std::string model) = 0;
  virtual Task<Result<void>> set_think(bool think) = 0;
  // One of its options, with a value that it offers. What was chosen before it was opened stands in its Conversation.
  virtual Task<Result<void>> set_option(std::string id, std::string) {
    co_return fail(Errc::invalid_params, "this agent has no option " + id);
  }
  // Tells what was said in the session Conversation::native_session, once, before the first prompt of a conversation that took it up
  // (Hub::adopt). unknown_method: it cannot tell; the conversation is not made then. Others as they are.
  virtual Task<Result<void>> resume(ReplaySink&) {
    co_return fail(Errc::unknown_method, "this agent cannot list the messages of its earlier sessions");
  }
  // No prompt is running, and none comes any more. Takes the time that an end in good order needs: what it keeps is written down, its
  // programs have ended. Destroyed next, or when limits of the hub are over.
  virtual Task<void> close() = 0;
};

// A session that an agent keeps by itself, as a list shows it.
struct KeptSession {
  std::string id{};
  std::string agent{};  // of several behind it which, as it calls them; empty: it does not say
  std::string folder{};
  std::string title{};       // may be empty
  std::string updated_at{};  // RFC 3339, UTC; empty: it does not say
};

// Files for who writes a message, by what they typed of a name.
struct FilesWanted {
  std::vector<std::string> folders{};  // of the first, paths are relative to it, of further ones whole
  std::string typed{};
  std::vector<std::string> excluded{};  // patterns of paths, as editors have them in their settings
};
struct FilesFound {
  std::vector<std::string> paths{};  // the best first
  bool all = true;                   // false: there are more files than are looked at
};

class AgentProvider {
 public:
  virtual ~AgentProvider() = default;
  virtual AgentInfo info() const = 0;  // when it changes: Hub::agent_changed
  // Those of one folder that a conversation could take up (Hub::adopt), newest first, at most limits::kept_sessions. It may have to start a
  // program. unknown_method: its agent keeps none, or does not tell.
  virtual Task<Result<std::vector<KeptSession>>> sessions(std::string) {
    co_return fail(Errc::unknown_method, "this agent cannot list its sessions");
  }
  // Of one that works on another machine (AgentInfo::place): files there. Errors: disconnected (the machine cannot be asked now), overloaded,
  // deadline_exceeded, those of the machine. unknown_method: its files are those of this machine.
  virtual Task<Result<FilesFound>> find_files(FilesWanted) {
    co_return fail(Errc::unknown_method, "this agent runs on this machine: parlance searches its files directly");
  }
  // Its program may have been installed, moved or removed since: it is looked for anew, and what has changed is told (Hub::agent_changed).
  virtual Task<void> look_again() { co_return; }
  virtual Task<Result<std::unique_ptr<Agent>>> open(Conversation conversation, AgentHost host) = 0;
  // Its agents go on with what ran when this program died (Agent::take_up). Those that are children of it died with it.
  virtual bool takes_up() const { return false; }
};

}  // namespace parlance::hub
