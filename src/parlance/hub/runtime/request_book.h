// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: requests to a person. A turn opens a request, and the first answer settles the request, once. The
// requests of a conversation are in its ConversationRuntime. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/hub/log/event_log.h"
#include "parlance/hub/runtime/conversation_runtime.h"
#include "parlance/hub/runtime/shared_settings.h"

namespace parlance::hub {

class RequestBook {
 public:
  // stop: ends the running turn of a conversation.
  RequestBook(Core& core, const ConversationRuntimes& runtimes, SharedSettings& settings,
              std::function<void(ConversationRuntime& runtime)> stop)
      : core_(core), runtimes_(runtimes), settings_(settings), stop_(std::move(stop)) {}

  Ask ask_of(const ConversationRuntime& runtime, const AskRequest& request) const;  // without an id
  // Gives the request its id and time, writes the request with its event, and starts the expiry. The conversation waits from now
  // on. The caller awaits the write, then PendingAsk::answer.
  std::shared_ptr<PendingAsk> open_ask(ConversationRuntime& runtime, Ask ask, AskRequest request);
  void settle(PendingAsk& pending, AskState state, AskAnswer answer);  // without a person
  // For the end of a turn: settles each request with a waiting agent, in the name of `by`.
  void settle_all(ConversationRuntime& runtime, AskState state, std::string_view by);
  void settle_orphans(ConversationRuntime& runtime, const std::string& text,
                      const std::string& by);               // by: User::name of the next author
  void cancel_lost(ConversationRuntime& runtime, Ask ask);  // the request of a dead program, without a caller
  void abandon(std::shared_ptr<PendingAsk> pending);        // no caller waits for the answer
  // Waits until the agent has repeated a restored request, checks the answer, and completes after the commit. Errors: not_found,
  // invalid_request (the request has changed since the display), invalid_params (the answer does not fit), failed (settled or
  // orphaned). A sender that gave up gets deadline_exceeded.
  Task<Result<Ask>> answer(std::shared_ptr<ConversationRuntime> runtime, const Submission& from, const AnswerRequest& command);
  void decide_again();                           // a new rule or mode may settle open requests
  void stop_soon(ConversationRuntime& runtime);  // the asking agent gets the reason first

 private:
  std::shared_ptr<PendingAsk> close_ask(ConversationRuntime& runtime, PendingAsk& pending, AskState state,
                                        const AskAnswer& answer);  // up to the log
  // After a failed write of an answer: the request is open as before, with its expiry and without the edit.
  void reopen(ConversationRuntime& runtime, const std::shared_ptr<PendingAsk>& pending);
  // Settles the request, creates the rule of an "always" answer and notes the command, in one operation. The agent receives the
  // answer after the write; a new rule may settle further requests.
  EventLog::Outcome settle_by_answer(const std::shared_ptr<ConversationRuntime>& runtime,
                                     const std::shared_ptr<PendingAsk>& pending, AskAnswer answer, const Submission& from);
  // Passes the answer to the agent after the write, however long the store fails. Ends without an answer if the hub is no longer
  // the owner.
  Task<void> deliver(std::shared_ptr<PendingAsk> pending, AskAnswer answer);
  // Cancels a request of an ended agent, inside the operation that continues the conversation.
  void settle_orphan(ConversationRuntime& runtime, const Ask& orphan, std::string text, const std::string& by);
  // After an "always" answer without a rule: gives the same answer to equal open requests of the conversation.
  void answer_equal(const ConversationRuntime& runtime, const PendingAsk& answered, const AskAnswer& answer);
  // Avoids a read of the shared rules without an open request in any conversation.
  bool has_pending() const;
  void decide_open();                   // with the rules in memory
  Task<void> decide_again_by_newest();  // without rules that another hub revoked

  Core& core_;
  const ConversationRuntimes& runtimes_;
  SharedSettings& settings_;
  std::function<void(ConversationRuntime& runtime)> stop_;
};

// The event that shows an ask, by its kind. Requests at a spending limit appear as a ToolConfirmation.
EventBody event_of(const Ask& ask);
AskAnswer answer_of(const std::vector<AskOption>& options, const Decision& decision);  // for a decision by policy

}  // namespace parlance::hub
