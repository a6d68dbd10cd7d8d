// SPDX-License-Identifier: Apache-2.0
// The agent's requests to a person: permissions, questions, plans. Each has a number, accepts one answer, and ends with the
// agent's withdrawal. Loop thread only; outlives the tasks.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/iflow/messages.h"

namespace parlance::iflow {

class PendingRequests {
 public:
  explicit PendingRequests(Loop& loop) : loop_(loop) {}

  RequestNumber next() { return ++last_; }

  // Waits for an answer. A permission and a plan wait indefinitely; questions for `patience`, then the agent receives an empty
  // answer. `lists`: headers of questions with several possible answers, which always get a list.
  Task<Result<acp::PermissionReply>> permission(RequestNumber number, std::string tool_id,
                                                std::vector<adapter::OfferedOption> offered);
  Task<Result<acp::iflow::Answers>> questions(RequestNumber number, std::set<std::string> lists,
                                              std::chrono::milliseconds patience);
  Task<Result<acp::iflow::PlanDecision>> plan(RequestNumber number);

  // Errors: ErrorKind::validation (no such open request), permission (no offered option fits; the request stays open).
  Result<adapter::PermissionChoice> choose(RequestNumber number, ToolCallConfirmationOutcome outcome);
  Result<void> answer(RequestNumber number, const QuestionAnswers& answers);
  Result<void> decide(RequestNumber number, bool approved, std::string reason);
  // The permission request of this tool call; or nothing.
  std::optional<RequestNumber> of_tool(std::string_view tool_id) const;

  // Answers all requests as if no person were present.
  void give_up();
  std::size_t size() const { return permissions_.size() + questions_.size() + plans_.size(); }

 private:
  template <class T>
  struct Waiting {
    explicit Waiting(Loop& loop) : reply(loop) {}
    OneShot<T> reply;
    std::string tool_id{};
    std::vector<adapter::OfferedOption> offered{};
    std::set<std::string> lists{};
  };
  template <class T>
  using Map = std::map<RequestNumber, Waiting<T>*>;
  template <class T>
  class Entry;

  Loop& loop_;
  RequestNumber last_ = 0;
  Map<acp::PermissionReply> permissions_;
  Map<acp::iflow::Answers> questions_;
  Map<acp::iflow::PlanDecision> plans_;
};

}  // namespace parlance::iflow
