// SPDX-License-Identifier: Apache-2.0
// Our own agent: one step of the conversation. The history comes with the call, the model answers with content or tool calls,
// the gateway runs the tools and calls again. Nothing of a conversation is kept between calls. Loop thread only; outlives its chats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "parlance/agent/limits.h"
#include "parlance/agent/recall.h"
#include "parlance/async/loop.h"
#include "parlance/base/result.h"
#include "parlance/model/model.h"

namespace parlance::agent {

struct ChatStats {
  std::uint64_t sessions = 0;    // calls that began a conversation: one user message, no assistant message yet
  std::uint64_t messages = 0;    // user messages, tool results' messages and answers, each counted once
  std::uint64_t tool_calls = 0;  // that the model asked for
};

struct AgentSettings {
  std::string instructions{};  // Put before the host's own system messages; "" is default_instructions().
  std::size_t running_chats = limits::running_chats;
  bool recall = true;  // Before it answers, the memory is searched with what the person wrote (recall.h).
  std::function<void(const ChatStats& more)> counted{};  // Who keeps the counts beyond this process: what has come to them.
};

std::string_view default_instructions();

struct ChatOptions {
  bool instructions = true;  // false: the host's system messages stand in place of ours
  bool recall = true;        // false: nothing of the memory is put beside what was said
  std::string user{};        // whose memory that is (memory/store.h)
};

struct ChatOutcome {
  model::Completion completion{};  // tool calls with their ids filled in, or content
  std::size_t unseen = 0;          // attachments of the last message that the model could not be shown; it was told so
};

class ChatAgent {
 public:
  // `memory` may be null: then the agent works without. It and the loop outlive the agent.
  ChatAgent(Loop& loop, std::unique_ptr<model::Model> model, memory::Store* memory, AgentSettings settings = {});

  // Errors: invalid_params (what is wrong with which message), overloaded (running_chats are running), and those of the model.
  // Destroying the task cancels the model's request.
  Task<Result<ChatOutcome>> chat(model::ChatRequest request, model::ChunkSink& chunks, ChatOptions options = {});

  const ChatStats& stats() const { return stats_; }  // since the start of this process
  std::size_t running() const { return running_; }
  const model::Model& language_model() const { return *model_; }
  std::vector<std::string> shown_kinds() const;  // of model::attachment_kinds(): what its model can be shown, as far as is known
  memory::Store* memory() const { return memory_; }

 private:
  void count_request(const model::ChatRequest& request);
  void count(const ChatStats& more);
  void leave_out_unseen(std::vector<model::Message>& messages) const;

  std::unique_ptr<model::Model> model_;
  memory::Store* memory_;
  AgentSettings settings_;
  std::optional<Recall> recall_;
  ChatStats stats_;
  std::size_t running_ = 0;
};

}  // namespace parlance::agent
