// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/openai/imported_chat.h"

#include <algorithm>
#include <utility>

#include "parlance/codec/json/value.h"
#include "parlance/codec/json/writer.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/log/imported_history.h"

namespace parlance::face {
namespace {

using hub::event::ToolEnd;
using hub::event::ToolOutput;
using hub::event::ToolStart;

hub::Attachment to_hub(model::Attachment attachment) {
  return {.about = {.media_type = std::move(attachment.media_type),
                    .name = std::move(attachment.name),
                    .bytes = attachment.data.size()},
          .data = std::move(attachment.data)};
}

class HistoryWriter {
 public:
  explicit HistoryWriter(const std::function<std::string(std::string_view)>& new_id) : new_id_(new_id) {}

  void add(model::Message message) {
    if (message.role != model::Role::tool) begin_turn();
    if (message.role == model::Role::user) return add_user(std::move(message));
    for (model::ToolResult& result : message.tool_results) add_result(std::move(result));
    if (!message.content.empty()) history_.events.emplace_back(hub::event::Text{std::move(message.content)});
    for (model::ToolCall& call : message.tool_calls) add_call(std::move(call));
  }

  hub::ImportedHistory take() {
    end_turn();
    return std::move(history_);
  }

 private:
  void begin_turn() {
    end_turn();
    turn_ = new_id_("turn_");
    history_.events.emplace_back(hub::event::TurnStart{.turn = turn_});
  }
  void end_turn() {
    if (!turn_.empty()) history_.events.emplace_back(hub::event::TurnEnd{.turn = std::exchange(turn_, {})});
  }

  void add_user(model::Message message) {
    hub::event::UserMessage said{.turn = turn_, .text = std::move(message.content)};
    for (model::Attachment& file : message.attachments) {
      hub::Attachment attachment = to_hub(std::move(file));
      attachment.about.id = new_id_("attachment_");
      if (!said.attachments) said.attachments.emplace();
      said.attachments->push_back(attachment.about);
      history_.attachments.push_back(std::move(attachment));
    }
    history_.events.emplace_back(std::move(said));
  }
  void add_call(model::ToolCall call) {
    if (call.id.empty()) call.id = new_id_("call_");
    open_.push_back(call.id);
    // Clients keep cut calls of a model. The log holds such arguments as text; models get an empty object for them.
    if (!call.arguments.empty() && !json::is_valid(call.arguments))
      json::write_text(call.arguments, std::exchange(call.arguments, {}));
    history_.events.emplace_back(ToolStart{
        .call = std::move(call.id), .tool = call.name, .title = std::move(call.name), .input_json = std::move(call.arguments)});
  }
  // Skips results of unknown calls: models refuse such a history.
  void add_result(model::ToolResult result) {
    if (std::erase(open_, result.call_id) == 0) return;
    history_.events.emplace_back(ToolOutput{.call = result.call_id, .text = std::move(result.content)});
    history_.events.emplace_back(
        ToolEnd{.call = std::move(result.call_id), .state = result.failed ? hub::ToolEndState::failed : hub::ToolEndState::done});
  }

  const std::function<std::string(std::string_view)>& new_id_;
  std::string turn_;
  std::vector<std::string> open_;  // calls without a result
  hub::ImportedHistory history_;
};

void take_system(std::vector<model::Message>& messages, hub::PromptOptions& options) {
  for (const model::Message& message : messages)
    if (message.role == model::Role::system && !message.content.empty()) options.add_to_system(message.content);
  std::erase_if(messages, [](const model::Message& message) { return message.role == model::Role::system; });
}

}  // namespace

ImportedChat import_chat(std::vector<model::Message> messages, const std::function<std::string(std::string_view)>& new_id) {
  ImportedChat chat;
  take_system(messages, chat.options);
  if (!messages.empty() && messages.back().role == model::Role::user) {
    chat.prompts = true;
    chat.text = std::move(messages.back().content);
    for (model::Attachment& attachment : messages.back().attachments) chat.attachments.push_back(to_hub(std::move(attachment)));
    messages.pop_back();
  }
  HistoryWriter history(new_id);
  for (model::Message& message : messages) history.add(std::move(message));
  chat.history = history.take();
  return chat;
}

}  // namespace parlance::face
