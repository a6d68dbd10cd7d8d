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

  bool emit(EventBody body) override;
  void set_mode(Mode mode) override;
  void set_options(std::vector<AgentOption> options) override;
  void set_title(std::string title) override;
  void set_agent_session(std::string id) override;
  bool congested() const override;
  Task<Result<void>> written() override;

  // From now on the port speaks for this agent, as long as the conversation has this agent.
  void is_of(const Agent& agent) { agent_ = &agent; }

  const SessionSetup& setup() const override;
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
  bool emit(EventBody body) override;
  void set_title(std::string title) override;
  bool congested() const override;
  Task<Result<void>> written() override { return runtime_.log.written(); }
  void finish();  // ends the last turn

 private:
  void begin_turn();
  const Core& core_;
  ConversationRuntime& runtime_;
  std::string turn_;
  UnfinishedTurn open_;
};

}  // namespace parlance::hub
