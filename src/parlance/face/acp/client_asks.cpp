// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/acp/client_asks.h"

#include <utility>

#include "parlance/face/acp/asks.h"
#include "parlance/protocol/acp/messages.h"
#include "parlance/protocol/jsonrpc/dialect.h"

namespace parlance::face {
namespace {

using Given = Result<hub::Answer>;

// `toolCall.type`. In its mode `selective`, the iFlow SDK approves the types read, fetch and list without a person. A request with a
// command or other details has none of these types.
std::string iflow_type(const acp::ToolCallUpdate& call, const hub::Ask& ask) {
  if (ask.diff) return "edit";
  if (!call.kind || !call.kind->unknown.empty()) return "other";
  const bool only_looks = !ask.detail && !ask.plan;
  switch (call.kind->value) {
    case acp::ToolKind::read: return only_looks ? "read" : "other";
    case acp::ToolKind::search: return only_looks ? "list" : "other";
    case acp::ToolKind::fetch: return "fetch";
    case acp::ToolKind::execute: return "execute";
    case acp::ToolKind::edit:
    case acp::ToolKind::remove:
    case acp::ToolKind::move: return "edit";
    default: return "other";
  }
}

Task<Given> by_permission(const AcpQuestioner& by, const hub::Ask& ask) {
  acp::RequestPermission request = acp_permission(by.session, ask, by.call);
  if (by.client.iflow()) request.tool_call.type = iflow_type(request.tool_call, ask);
  request.meta.json = by.meta;
  PARLANCE_CO_TRY(reply, co_await by.client.peer.call(acp::method::request_permission, std::move(request), no_deadline));
  co_return given_by(ask, reply, by.client.name);
}

// The iFlow SDK 0.1.2 has no plan request. It receives a permission request.
Task<Given> iflow_plan_of(const AcpQuestioner& by, const hub::Ask& ask) {
  auto decision = co_await by.client.peer.call(acp::method::iflow_plan_exit, iflow_plan(by.session, ask), no_deadline);
  if (!decision && decision.error().code == Errc::unknown_method) co_return co_await by_permission(by, ask);
  if (!decision) co_return std::unexpected(std::move(decision).error());
  co_return given_by(ask, *decision, by.client.name);
}

// The SDK has no questions either. A permission request is no substitute: its automatic approval would choose for the person.
Task<Given> iflow_questions_of(const AcpQuestioner& by, const hub::Ask& ask) {
  auto answers = co_await by.client.peer.call(acp::method::iflow_questions, iflow_questions(by.session, ask), no_deadline);
  if (!answers && answers.error().code == Errc::unknown_method)
    co_return refused(ask, by.client.name, "The client cannot be asked questions. Ask in your answer instead.");
  if (!answers) co_return std::unexpected(std::move(answers).error());
  co_return given_by(ask, *answers, by.client.name);
}

Task<Given> by_form(const AcpQuestioner& by, const hub::Ask& ask) {
  PARLANCE_CO_TRY(reply, co_await by.client.peer.call(acp::method::elicit, acp_form(by.session, ask), no_deadline));
  co_return given_by(ask, reply, by.client.name);
}

// One after the other. The client shows each as a call, which ends with its answer, also when the question is withdrawn.
class ShownCall {
 public:
  ShownCall(const AcpQuestioner& by, std::string id) : by_(by), id_(std::move(id)) {}
  ~ShownCall() {
    by_.notify({acp::ToolCallUpdate{
        .tool_call_id = id_,
        .status = wire::Open<acp::ToolStatus>{.value = answered ? acp::ToolStatus::completed : acp::ToolStatus::failed}}});
  }
  ShownCall(const ShownCall&) = delete;
  ShownCall& operator=(const ShownCall&) = delete;
  bool answered = false;

 private:
  const AcpQuestioner& by_;
  std::string id_;
};

Task<Given> by_permissions(const AcpQuestioner& by, const hub::Ask& ask) {
  std::vector<std::vector<std::string>> answers;
  for (std::size_t i = 0; i < ask.questions->size(); ++i) {
    acp::RequestPermission request = acp_question(by.session, ask, i);
    by.notify({acp::ToolCall{request.tool_call}});
    ShownCall shown(by, request.tool_call.tool_call_id);
    PARLANCE_CO_TRY(reply, co_await by.client.peer.call(acp::method::request_permission, std::move(request), no_deadline));
    auto label = chosen_label(ask, i, reply);
    if (!label) co_return refused(ask, by.client.name);
    shown.answered = true;
    answers.push_back({*std::move(label)});
  }
  co_return answered(ask, std::move(answers), by.client.name);
}

}  // namespace

Task<Given> ask_client(AcpQuestioner questioner, hub::Ask ask) {
  const AcpClient& client = questioner.client;
  if (ask.kind == hub::AskKind::permission || ask.kind == hub::AskKind::limit) co_return co_await by_permission(questioner, ask);
  if (ask.kind == hub::AskKind::plan) {
    if (client.iflow()) co_return co_await iflow_plan_of(questioner, ask);
    co_return co_await by_permission(questioner, ask);
  }
  if (client.iflow()) co_return co_await iflow_questions_of(questioner, ask);
  if (client.shows.forms) co_return co_await by_form(questioner, ask);
  if (can_be_permissions(ask)) co_return co_await by_permissions(questioner, ask);
  co_return fail(Errc::unknown_method, "it shows no forms, and the question has nothing to choose from");
}

bool is_invalid_reply(const Error& error) {
  return (error.code == Errc::invalid_request || error.code == Errc::invalid_params) && !jsonrpc::exact_code(error);
}

}  // namespace parlance::face
