// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: an opened agent with what it was given. Loop thread only.
#pragma once

#include <memory>
#include <string>

#include "parlance/hub/agent.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/log/left_open.h"
#include "parlance/hub/running_turn.h"

namespace parlance::hub {

// The end at the hub of AgentHost. An agent may be let go slowly, while its conversation is gone already or has another: then nothing of
// it is taken.
class AgentPort final : public AgentSink, public WorkspaceHost {
 public:
  AgentPort(Hub::Implementation& hub, const std::shared_ptr<Room>& room) : hub_(hub), room_(room), last_(room->live) {}

  bool emit(EventBody body) override;
  void set_mode(Mode mode) override;
  void follow_mode(Mode mode) override;
  void set_options(std::vector<AgentOption> options) override;
  void set_title(std::string title) override;
  void set_native_session(std::string id) override;
  bool congested() const override;
  Task<Result<void>> written() override;

  // From now on it speaks for this agent, and only while that is the conversation's.
  void is_of(const Agent& agent) { agent_ = &agent; }

  const Conversation& conversation() const override;
  Task<Result<AskAnswer>> ask(AskRequest request) override;

 private:
  std::shared_ptr<Room> room() const;  // null: it is gone, or going, or has let its agent go
  Hub::Implementation& hub_;
  std::weak_ptr<Room> room_;
  const Agent* agent_ = nullptr;  // null while it is being opened
  Conversation last_;             // as it was opened: of one that is gone
};

// The agent goes first, then its terminals.
struct OpenedAgent {
  OpenedAgent(Hub::Implementation& hub, const std::shared_ptr<Room>& room);
  AgentHost host() { return {.workspace = *workspace, .sink = port, .editor = editor}; }

  AgentPort port;
  std::unique_ptr<Workspace> workspace;
  Editor* editor;
  std::shared_ptr<AgentProvider> provider;  // may be removed from the hub meanwhile
  std::unique_ptr<Agent> agent;
};

// What a session held before the conversation knew of it, as turns of the log.
class Replay final : public ReplaySink {
 public:
  Replay(Hub::Implementation& hub, Room& room) : hub_(hub), room_(room) {}

  void user(std::string text, std::vector<Attachment> attachments) override;
  void emit(EventBody body) override;
  void set_title(std::string title) override;
  bool congested() const override;
  Task<Result<void>> written() override { return room_.log.written(); }
  void finish();  // ends the last turn

 private:
  void begin_turn();
  Hub::Implementation& hub_;
  Room& room_;
  std::string turn_;
  LeftOpen open_;
};

}  // namespace parlance::hub
