// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/query.h"

#include <utility>

#include "parlance/iflow/client.h"
#include "parlance/iflow/errors.h"

namespace parlance::iflow {
namespace {

// A query has no person, so the agent's requests get empty answers and refusals.
void refuse_request(Client& client, const ToolCallMessage& call) {
  if (!call.request) return;
  if (call.questions) static_cast<void>(client.answer_questions(*call.request, {}));
  else if (call.plan) static_cast<void>(client.approve_plan(*call.request, false));
  else static_cast<void>(client.reject_tool_call(*call.request));
}

Task<Result<void>> converse(Client& client, std::string prompt, std::vector<std::string> files,
                            const std::function<void(std::string_view)>& on_text) {
  PARLANCE_CO_TRY_DO(co_await client.connect());
  PARLANCE_CO_TRY_DO(co_await client.send_message(std::move(prompt), std::move(files)));
  while (const std::optional<Message> message = co_await client.receive_message()) {
    if (const auto* said = std::get_if<AssistantMessage>(&*message); said != nullptr && said->text) on_text(*said->text);
    if (const auto* call = std::get_if<ToolCallMessage>(&*message)) refuse_request(client, *call);
    if (const auto* error = std::get_if<ErrorMessage>(&*message))
      co_return fail(
          make_error(error->code == -1 ? ErrorKind::connection : ErrorKind::protocol, error->message, error->data_json));
    if (std::holds_alternative<TaskFinishMessage>(*message)) co_return Result<void>{};
  }
  co_return fail(make_error(ErrorKind::connection, "the connection ended before the answer did"));
}

}  // namespace

Task<Result<void>> query_stream(Loop& loop, std::string prompt, std::function<void(std::string_view)> on_text,
                                std::vector<std::string> files, Options options) {
  Client client(loop, std::move(options));
  Result<void> done = co_await converse(client, std::move(prompt), std::move(files), on_text);
  co_await client.disconnect();
  co_return done;
}

Task<Result<std::string>> query(Loop& loop, std::string prompt, std::vector<std::string> files, Options options) {
  std::string all;
  PARLANCE_CO_TRY_DO(co_await query_stream(
      loop, std::move(prompt), [&all](std::string_view text) { all += text; }, std::move(files), std::move(options)));
  co_return all;
}

}  // namespace parlance::iflow
