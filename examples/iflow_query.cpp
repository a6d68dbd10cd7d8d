// SPDX-License-Identifier: Apache-2.0
// Asks iFlow one question, allows once what it wants to do, prints what it says.
//
//   iflow_query "what does this folder hold?" [ws://localhost:8090/acp]
#include <iostream>

#include "parlance/async/signals.h"
#include "parlance/iflow/client.h"

using namespace parlance;

Task<bool> ask(iflow::Client& client, std::string prompt) {
  auto done = co_await client.connect();
  if (done) done = co_await client.send_message(std::move(prompt));
  if (!done) std::cerr << done.error().message << '\n';
  while (const auto message = co_await client.receive_message()) {
    if (const auto* said = std::get_if<iflow::AssistantMessage>(&*message)) std::cout << said->text.value_or("") << '\n';
    if (const auto* error = std::get_if<iflow::ErrorMessage>(&*message)) {
      std::cerr << error->message << '\n';
      break;
    }
    if (const auto* call = std::get_if<iflow::ToolCallMessage>(&*message); call != nullptr && call->confirmation) {
      const auto chosen = client.approve_tool_call(*call->request);
      std::cout << call->label << ": " << (chosen ? chosen->option->name : chosen.error().message) << '\n';
      if (!chosen) static_cast<void>(client.reject_tool_call(*call->request));
    }
    if (std::holds_alternative<iflow::TaskFinishMessage>(*message)) break;
  }
  co_await client.disconnect();
  co_return done.has_value();
}

int main(int count, char** arguments) {
  if (count < 2) return std::cerr << "usage: iflow_query PROMPT [URL]\n", 2;
  ignore_sigpipe();
  Loop loop;
  iflow::Options options{.permission_mode = iflow::PermissionMode::interactive};
  if (count > 2) options.url = arguments[2], options.auto_start_process = false;
  iflow::Client client(loop, std::move(options));
  return loop.block_on(ask(client, arguments[1])) ? 0 : 1;
}
