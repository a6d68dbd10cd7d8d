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
  std::shared_ptr<PendingAsk> open_ask(ConversationRuntime& runtime, Ask ask, AskRequest request);
  void settle(PendingAsk& pending, AskState state, AskAnswer answer);  // without a person
  void settle_all(ConversationRuntime& runtime, AskState state, std::string_view by);
  void settle_orphans(ConversationRuntime& runtime, const std::string& text,
                      const std::string& by);               // by: User::name of the next author
  void cancel_lost(ConversationRuntime& runtime, Ask ask);  // the request of a dead program, without a caller
  void abandon(std::shared_ptr<PendingAsk> pending);        // no caller waits for the answer
  Task<Result<Ask>> answer(std::shared_ptr<ConversationRuntime> runtime, const Submission& from, const AnswerRequest& command);
  void decide_again();                           // a new rule or mode may settle open requests
  void decide_open();                            // like decide_again, with the known rules
  void stop_soon(ConversationRuntime& runtime);  // the asking agent gets the reason first

 private:
  std::shared_ptr<PendingAsk> close_ask(ConversationRuntime& runtime, PendingAsk& pending, AskState state,
                                        const AskAnswer& answer);  // up to the log
  void reopen(ConversationRuntime& runtime, const std::shared_ptr<PendingAsk>& pending);
  EventLog::Outcome settle_by_answer(const std::shared_ptr<ConversationRuntime>& runtime,
                                     const std::shared_ptr<PendingAsk>& pending, AskAnswer answer, const Submission& from);
  Task<void> deliver(std::shared_ptr<PendingAsk> pending, AskAnswer answer);
  void settle_orphan(ConversationRuntime& runtime, const Ask& orphan, std::string text, const std::string& by);
  void answer_equal(const ConversationRuntime& runtime, const PendingAsk& answered, const AskAnswer& answer);
  bool has_pending() const;
  Task<void> decide_again_by_newest();  // without rules that another hub revoked

  Core& core_;
  const ConversationRuntimes& runtimes_;
  SharedSettings& settings_;
  std::function<void(ConversationRuntime& runtime)> stop_;
};

// The event that shows an ask, by its kind.
EventBody event_of(const Ask& ask);
AskAnswer answer_of(const std::vector<AskOption>& options, const Decision& decision);  // for a decision by policy

}  // namespace parlance::hub
