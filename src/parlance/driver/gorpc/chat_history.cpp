// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/gorpc/chat_history.h"

#include <utility>

#include "parlance/driver/gorpc/parts.h"
#include "parlance/hub/limits.h"
#include "parlance/model/attachment.h"
#include "parlance/model/over_http.h"

namespace parlance::driver {
namespace {

constexpr std::string_view left_out = "This conversation is longer than what follows: its beginning is left out here.";

gorpc::Message to_wire(hub::ChatMessage from) {
  gorpc::Message message;
  message.role = from.role == hub::Role::user ? "user" : from.role == hub::Role::assistant ? "assistant" : "tool";
  message.content = std::move(from.content);
  for (hub::ToolCall& call : from.calls)
    message.tool_calls.push_back(gorpc_tool_call(std::move(call.id), std::move(call.tool), std::move(call.arguments_json)));
  for (hub::ToolResult& result : from.results)
    message.tool_results.push_back(
        gorpc_tool_result(std::move(result.call), result.text, result.state != hub::ToolEndState::done));
  return message;
}

}  // namespace

void add_system(gorpc::ChatArgs& args, const hub::Conversation& conversation, const hub::PromptOptions& options) {
  const auto add = [&](std::string text) { args.messages.push_back({.role = "system", .content = std::move(text)}); };
  args.bare = options.system && !options.system->empty();
  if (args.bare) add(*options.system);
  add("Working folder: " + conversation.folder);
  if (conversation.via == "http") add(std::string(model::called_over_http));
  if (options.append_system && !options.append_system->empty()) add(*options.append_system);
}

Task<Result<void>> add_history(gorpc::ChatArgs& args, hub::Turn& turn, std::vector<hub::ChatMessage> history, bool attachments) {
  if (!history.empty() && history.front().after_others)
    args.messages.push_back({.role = "system", .content = std::string(left_out)});
  const std::size_t first = args.messages.size();
  std::vector<std::vector<hub::AttachmentInfo>> attached;
  for (hub::ChatMessage& message : history) {
    attached.push_back(std::move(message.attachments));
    args.messages.push_back(to_wire(std::move(message)));
  }
  std::size_t room = limits::prompt_attachment_bytes;
  for (std::size_t i = attached.size(); i-- > 0;) {
    gorpc::Message& message = args.messages[first + i];
    for (hub::AttachmentInfo& about : attached[i]) {
      model::Attachment one{.media_type = about.media_type, .name = about.name, .url = about.url.value_or("")};
      if (!attachments || about.bytes > room) {
        model::add_note(message.content, model::unseen_note(one, about.bytes));
        continue;
      }
      auto whole = co_await turn.attachment(about.id);
      if (!whole && whole.error().code == Errc::not_found) {  // lost by whatever befell the store; the conversation goes on
        model::add_note(message.content, model::unseen_note(one, about.bytes));
        continue;
      }
      PARLANCE_CO_TRY_DO(whole);
      one.data = std::move(whole->data);
      room -= about.bytes;
      message.attachments.push_back({.media_type = std::move(one.media_type),
                                     .name = std::move(one.name),
                                     .url = std::move(one.url),
                                     .data = {std::move(one.data)}});
    }
  }
  co_return Result<void>{};
}

}  // namespace parlance::driver
