// SPDX-License-Identifier: Apache-2.0
// What the agent asks and a person has to answer: permissions, questions, plans. Each has a number, is answered once, and is gone when
// the agent withdraws it. Loop thread only; it outlives the tasks.
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

  // Until somebody answers. A permission and a plan wait as long as it takes; questions for `patience`, then the agent hears that nothing was
  // answered. `lists`: headers of questions to which several answers may be given, and one is a list, too.
  Task<Result<acp::PermissionReply>> permission(RequestNumber number, std::string tool_id,
                                                std::vector<adapter::OfferedOption> offered);
  Task<Result<acp::iflow::Answers>> questions(RequestNumber number, std::set<std::string> lists,
                                              std::chrono::milliseconds patience);
  Task<Result<acp::iflow::PlanDecision>> plan(RequestNumber number);

  // Errors: ErrorKind::validation (nothing of that number waits), permission (no offered option means this; it waits on).
  Result<adapter::PermissionChoice> choose(RequestNumber number, ToolCallConfirmationOutcome outcome);
  Result<void> answer(RequestNumber number, const QuestionAnswers& answers);
  Result<void> decide(RequestNumber number, bool approved, std::string reason);
  // Of the permission that waits for that tool call; or nothing.
  std::optional<RequestNumber> of_tool(std::string_view tool_id) const;

  // All that wait, as if nobody were there.
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
