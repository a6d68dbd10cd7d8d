// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/pending_requests.h"

#include <utility>

#include "parlance/iflow/errors.h"

namespace parlance::iflow {
namespace {

Error nothing_waits(RequestNumber number) {
  return make_error(ErrorKind::validation,
                    "no request " + std::to_string(number) + " waits: it was answered, or the agent withdrew it");
}

template <class T>
Task<Result<T>> got(OneShot<T>& reply) {
  co_return co_await reply.get();
}

}  // namespace

// Waits in the map for as long as its task lives.
template <class T>
class PendingRequests::Entry {
 public:
  Entry(Loop& loop, Map<T>& in, RequestNumber number) : waiting(loop), in_(in), number_(number) { in_.emplace(number, &waiting); }
  ~Entry() { in_.erase(number_); }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;
  Waiting<T> waiting;

 private:
  Map<T>& in_;
  RequestNumber number_;
};

Task<Result<acp::PermissionReply>> PendingRequests::permission(RequestNumber number, std::string tool_id,
                                                               std::vector<adapter::OfferedOption> offered) {
  Entry<acp::PermissionReply> entry(loop_, permissions_, number);
  entry.waiting.tool_id = std::move(tool_id);
  entry.waiting.offered = std::move(offered);
  co_return co_await entry.waiting.reply.get();
}

Task<Result<acp::iflow::Answers>> PendingRequests::questions(RequestNumber number, std::set<std::string> lists,
                                                             std::chrono::milliseconds patience) {
  Entry<acp::iflow::Answers> entry(loop_, questions_, number);
  entry.waiting.lists = std::move(lists);
  Result<acp::iflow::Answers> reply = co_await with_deadline(loop_, loop_.now() + patience, got(entry.waiting.reply));
  if (!reply) co_return acp::iflow::Answers{};  // no answer in time
  co_return reply;
}
Task<Result<acp::iflow::PlanDecision>> PendingRequests::plan(RequestNumber number) {
  Entry<acp::iflow::PlanDecision> entry(loop_, plans_, number);
  co_return co_await entry.waiting.reply.get();
}

Result<adapter::PermissionChoice> PendingRequests::choose(RequestNumber number, ToolCallConfirmationOutcome outcome) {
  const auto found = permissions_.find(number);
  if (found == permissions_.end() || found->second->reply.is_set()) return fail(nothing_waits(number));
  Result<adapter::PermissionChoice> choice = adapter::choose_option(outcome, found->second->offered);
  if (!choice) return fail(as_kind(ErrorKind::permission, std::move(choice).error()));
  found->second->reply.set(choice->option ? acp::selected(choice->option->id) : acp::not_selected());
  return choice;
}

Result<void> PendingRequests::answer(RequestNumber number, const QuestionAnswers& answers) {
  const auto found = questions_.find(number);
  if (found == questions_.end()) return fail(nothing_waits(number));
  acp::iflow::Answers reply;
  for (const auto& [header, labels] : answers) {
    if (labels.empty()) continue;  // the reply omits unanswered questions
    const bool is_list = labels.size() > 1 || found->second->lists.contains(header);
    const json::Value value = is_list ? json::Value(json::Array(labels.begin(), labels.end())) : json::Value(labels.front());
    reply.answers[header] = {json::to_text(value)};
  }
  if (!found->second->reply.set(std::move(reply))) return fail(nothing_waits(number));
  return {};
}

Result<void> PendingRequests::decide(RequestNumber number, bool approved, std::string reason) {
  const auto found = plans_.find(number);
  if (found == plans_.end()) return fail(nothing_waits(number));
  acp::iflow::PlanDecision reply{.approved = approved};
  if (!reason.empty()) reply.reason = std::move(reason);
  if (!found->second->reply.set(std::move(reply))) return fail(nothing_waits(number));
  return {};
}

std::optional<RequestNumber> PendingRequests::of_tool(std::string_view tool_id) const {
  for (const auto& [number, waiting] : permissions_)
    if (waiting->tool_id == tool_id && !waiting->reply.is_set()) return number;
  return std::nullopt;
}

void PendingRequests::give_up() {
  for (const auto& [number, waiting] : permissions_) waiting->reply.set(acp::not_selected());
  for (const auto& [number, waiting] : questions_) waiting->reply.set({});
  for (const auto& [number, waiting] : plans_) waiting->reply.set({});
}

}  // namespace parlance::iflow
