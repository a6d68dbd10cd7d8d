// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: runs the turns of a conversation, from the prompt to the end of the turn. Owns the queue of
// prompts and the agent. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/turn_so_far.h"
#include "parlance/hub/log/event_log.h"
#include "parlance/hub/runtime/conversation_runtime.h"
#include "parlance/hub/runtime/running_turn.h"
#include "parlance/hub/runtime/spending_gate.h"

namespace parlance::hub {

class TurnRunner {
 public:
  TurnRunner(const TurnParts& parts, SpendingGate& gate) : parts_(parts), gate_(gate) {}

  // ---- operations of a person; the id is set at once
  // Writes the start of the turn and runs the turn after the commit. A failed write leaves no part of the turn.
  EventLog::Outcome begin_turn(const std::shared_ptr<ConversationRuntime>& runtime, Prompt prompt,
                               std::vector<Attachment> attachments, const Submission& from, std::string& turn);
  // Queues the prompt behind earlier prompts; in a held queue, before the held prompts. Without a turn, the queue continues
  // after the write.
  EventLog::Outcome queue_prompt(const std::shared_ptr<ConversationRuntime>& runtime, Prompt prompt,
                                 std::vector<Attachment> attachments, const Submission& from, std::string& id);
  // Logs the resumption and begins a turn with the first waiting prompt. Does nothing during a turn, and with an empty queue.
  void resume_queue(const std::shared_ptr<ConversationRuntime>& runtime, const std::string& by);
  void stop(ConversationRuntime& runtime, const std::string& by = {});  // by: User::name of the person

  Task<void> run_turn(std::shared_ptr<ConversationRuntime> runtime, Prompt prompt,
                      std::optional<TurnSoFar> so_far = {});  // continues `so_far`
  void next_in_queue(const std::shared_ptr<ConversationRuntime>& runtime,
                     bool held = false);  // held: only a prompt of QueueFlow::ahead

  // ---- the agent of a conversation
  Task<Result<std::shared_ptr<Agent>>> agent_of(std::shared_ptr<ConversationRuntime> runtime);  // opens the agent
  // Opens the agent of an adopted session and writes the session's messages as turns; completes after the commit. Errors: the
  // agent's, the store's, internal (an exception of the driver).
  Task<Result<void>> replay(std::shared_ptr<ConversationRuntime> runtime);
  Task<void> close_agent(std::shared_ptr<Agent> agent);             // politely, with a time limit
  void renew(const std::shared_ptr<ConversationRuntime>& runtime);  // closes the agent; the next prompt opens the agent again
  Task<void> end(std::shared_ptr<ConversationRuntime> runtime);     // after the end of its turn

 private:
  std::string open_turn(ConversationRuntime& runtime, const Prompt& prompt);  // writes to the log; `run_turn` follows
  // Runs the turn in a later turn of the loop, so that callers of the same commit get their results first. false: the write
  // failed.
  Task<void> run_when_written(std::shared_ptr<ConversationRuntime> runtime, Prompt prompt,
                              std::shared_ptr<OneShot<bool>> written);
  // The turn up to the end of the agent's work: limits, the author's present permission, the agent, the prompt. An exception of
  // the driver becomes an error, and its agent is destroyed.
  Task<Result<StopReason>> drive(std::shared_ptr<ConversationRuntime> runtime, Prompt prompt, std::optional<TurnSoFar> so_far);
  // Settles the requests, counts the turn, and writes its end to the log.
  void write_end(ConversationRuntime& runtime, const Result<StopReason>& outcome);
  // Orphans the requests, because the person did not stop the turn, and writes the error to the log.
  void write_failure(ConversationRuntime& runtime, const Error& error);
  Task<Result<void>> note_authors(std::shared_ptr<ConversationRuntime> runtime);  // before a turn continues earlier messages
  void drop_forbidden(ConversationRuntime& runtime);                              // at the head of the queue
  // Closes the agent and marks the conversation as closing, so that no other agent uses its session meanwhile.
  Task<void> close_agent_of(std::shared_ptr<ConversationRuntime> runtime);

  const TurnParts& parts_;
  SpendingGate& gate_;
};

}  // namespace parlance::hub
