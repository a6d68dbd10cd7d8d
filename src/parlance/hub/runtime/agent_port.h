// SPDX-License-Identifier: Apache-2.0
// An opened agent with its AgentHost. For the .cpp files of the hub only. Loop thread only.
#pragma once

#include <memory>
#include <string>

#include "parlance/hub/agent/agent.h"
#include "parlance/hub/log/unfinished_turn.h"
#include "parlance/hub/runtime/running_turn.h"

namespace parlance::hub {

// The hub's end of AgentHost. An agent may close slowly, after its conversation was removed or got another agent: then the port
// ignores all events of the agent.
class AgentPort final : public AgentSink, public WorkspaceHost {
 public:
  AgentPort(const TurnParts& parts, const std::shared_ptr<ConversationRuntime>& runtime)
      : parts_(parts), runtime_(runtime), last_(runtime->current) {}

  // During a turn, the event belongs to the turn. Between turns, the port writes the event itself, except thinking and begins of
  // calls. Returns false for a refused event: an event of the hub, or an event of a closed agent.
  bool emit(EventBody body) override;
  // The agent's reports about its conversation. The port ignores a mode with more rights, and a title after a person's title.
  void set_mode(Mode mode) override;
  void set_options(std::vector<AgentOption> options) override;
  void set_title(std::string title) override;
  void set_agent_session(std::string id) override;
  // Back-pressure: more than limits::unwritten_event_bytes wait for the store. `written` completes after the writes so far.
  bool congested() const override;
  Task<Result<void>> written() override;

  // From now on the port speaks for this agent, as long as the conversation has this agent.
  void is_of(const Agent& agent) { agent_ = &agent; }

  const SessionSetup& setup() const override;
  // For the workspace. Without a turn only a rule or the mode can answer: otherwise the answer is `cancelled`.
  Task<Result<AskAnswer>> ask(AskRequest request) override;

 private:
  std::shared_ptr<ConversationRuntime> runtime() const;  // null: the runtime is removed, under removal, or has closed its agent
  const TurnParts& parts_;
  std::weak_ptr<ConversationRuntime> runtime_;
  const Agent* agent_ = nullptr;  // null during `open`
  Conversation last_;             // state at `open`, for a removed conversation
};

// Member order matters: the destructor ends the agent first, then its terminals.
struct OpenedAgent {
  OpenedAgent(const TurnParts& parts, const std::shared_ptr<ConversationRuntime>& runtime);
  // For AgentProvider::open: references to the members, valid as long as this object.
  AgentHost host() { return {.workspace = *workspace, .sink = port, .editor = editor}; }

  AgentPort port;
  std::unique_ptr<Workspace> workspace;
  Editor* editor;
  std::shared_ptr<AgentProvider> provider;  // may be removed from the hub meanwhile
  std::unique_ptr<Agent> agent;
};

// Writes the messages of an adopted session as turns into the log.
class Replay final : public ReplaySink {
 public:
  Replay(const Core& core, ConversationRuntime& runtime) : core_(core), runtime_(runtime) {}

  void user(std::string text, std::vector<Attachment> attachments) override;
  // Begins a turn for a message of the agent without a prompt. Refuses events that only the hub writes, and changes of the mode.
  bool emit(EventBody body) override;
  void set_title(std::string title) override;
  bool congested() const override;
  Task<Result<void>> written() override { return runtime_.log.written(); }
  void finish();  // ends the last turn

 private:
  // Writes the start of a replayed turn under a new id.
  void begin_turn();
  const Core& core_;
  ConversationRuntime& runtime_;
  std::string turn_;
  UnfinishedTurn open_;
};

}  // namespace parlance::hub
