// SPDX-License-Identifier: Apache-2.0
// Our own agent: one step of the conversation. The call contains the history, the model answers with content or tool calls, the
// gateway runs the tools and calls again. Between calls, this class keeps nothing of a conversation. Loop thread only; outlives
// its chats.
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
  std::uint64_t sessions = 0;    // calls at the beginning of a conversation: one user message, no assistant message yet
  std::uint64_t messages = 0;    // user messages, tool results' messages and answers, each counted once
  std::uint64_t tool_calls = 0;  // requested by the model
};

struct AgentSettings {
  std::string instructions{};  // Put before the host's own system messages; "" is default_instructions().
  std::size_t running_chats = limits::running_chats;
  bool recall = true;  // Searches the memory for the person's message before the answer (recall.h).
  std::function<void(const ChatStats& more)> counted{};  // Receives the new counts for storage beyond this process.
};

std::string_view default_instructions();

struct ChatOptions {
  bool instructions = true;  // false: the host's system messages replace ours
  bool recall = true;        // false: no memories are added
  std::string user{};        // owner of the memory (memory/store.h)
};

struct ChatOutcome {
  model::Completion completion{};  // tool calls with their ids filled in, or content
  std::size_t unseen = 0;          // attachments of the last message that the model cannot read; the model received a note
};

class ChatAgent {
 public:
  // `memory` may be null: the agent then works without a memory. Memory and loop outlive the agent.
  ChatAgent(Loop& loop, std::unique_ptr<model::Model> model, memory::Store* memory, AgentSettings settings = {});

  // Errors: invalid_params (with the faulty message), overloaded (running_chats reached), and errors of the model. Destroying the
  // task cancels the model's request.
  Task<Result<ChatOutcome>> chat(model::ChatRequest request, model::ChunkSink& chunks, ChatOptions options = {});

  const ChatStats& stats() const { return stats_; }  // since the start of this process
  std::size_t running() const { return running_; }
  const model::Model& language_model() const { return *model_; }
  std::vector<std::string> shown_kinds() const;  // of model::attachment_kinds(): the kinds supported by its model, if known
  memory::Store* memory() const { return memory_; }

 private:
  void count_request(const model::ChatRequest& request);
  void count(const ChatStats& more);
  void leave_out_unseen(model::ChatRequest& request) const;

  std::unique_ptr<model::Model> model_;
  memory::Store* memory_;
  AgentSettings settings_;
  std::optional<Recall> recall_;
  ChatStats stats_;
  std::size_t running_ = 0;
};

}  // namespace parlance::agent
