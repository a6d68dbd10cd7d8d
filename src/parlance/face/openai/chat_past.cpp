// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/openai/chat_past.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/past.h"

namespace parlance::face {
namespace {

using hub::event::ToolEnd;
using hub::event::ToolOutput;
using hub::event::ToolStart;

hub::Attachment to_hub(model::Attachment one) {
  return {.about = {.media_type = std::move(one.media_type), .name = std::move(one.name), .bytes = one.data.size()},
          .data = std::move(one.data)};
}

class Teller {
 public:
  explicit Teller(const std::function<std::string(std::string_view)>& new_id) : new_id_(new_id) {}

  void tell(model::Message message) {
    if (message.role != model::Role::tool) begin_turn();
    if (message.role == model::Role::user) return tell_user(std::move(message));
    for (model::ToolResult& result : message.tool_results) tell_result(std::move(result));
    if (!message.content.empty()) past_.events.emplace_back(hub::event::Text{std::move(message.content)});
    for (model::ToolCall& call : message.tool_calls) tell_call(std::move(call));
  }

  hub::Past take() {
    end_turn();
    return std::move(past_);
  }

 private:
  void begin_turn() {
    end_turn();
    turn_ = new_id_("turn_");
    past_.events.emplace_back(hub::event::TurnStart{.turn = turn_});
  }
  void end_turn() {
    if (!turn_.empty()) past_.events.emplace_back(hub::event::TurnEnd{.turn = std::exchange(turn_, {})});
  }

  void tell_user(model::Message message) {
    hub::event::UserMessage said{.turn = turn_, .text = std::move(message.content)};
    for (model::Attachment& one : message.attachments) {
      hub::Attachment attachment = to_hub(std::move(one));
      attachment.about.id = new_id_("attachment_");
      if (!said.attachments) said.attachments.emplace();
      said.attachments->push_back(attachment.about);
      past_.attachments.push_back(std::move(attachment));
    }
    past_.events.emplace_back(std::move(said));
  }
  void tell_call(model::ToolCall call) {
    if (call.id.empty()) call.id = new_id_("call_");
    open_.push_back(call.id);
    past_.events.emplace_back(ToolStart{
        .call = std::move(call.id), .tool = call.name, .title = std::move(call.name), .input_json = std::move(call.arguments)});
  }
  // Skips results of unknown calls: models refuse such a history.
  void tell_result(model::ToolResult result) {
    if (std::erase(open_, result.call_id) == 0) return;
    past_.events.emplace_back(ToolOutput{.call = result.call_id, .text = std::move(result.content)});
    past_.events.emplace_back(
        ToolEnd{.call = std::move(result.call_id), .state = result.failed ? hub::ToolEndState::failed : hub::ToolEndState::done});
  }

  const std::function<std::string(std::string_view)>& new_id_;
  std::string turn_;
  std::vector<std::string> open_;  // calls without a result
  hub::Past past_;
};

void take_system(std::vector<model::Message>& messages, hub::PromptOptions& options) {
  for (const model::Message& message : messages)
    if (message.role == model::Role::system && !message.content.empty()) options.add_to_system(message.content);
  std::erase_if(messages, [](const model::Message& message) { return message.role == model::Role::system; });
}

}  // namespace

SaidSoFar said_so_far(std::vector<model::Message> messages, const std::function<std::string(std::string_view)>& new_id) {
  SaidSoFar said;
  take_system(messages, said.options);
  if (!messages.empty() && messages.back().role == model::Role::user) {
    said.prompts = true;
    said.text = std::move(messages.back().content);
    for (model::Attachment& one : messages.back().attachments) said.attachments.push_back(to_hub(std::move(one)));
    messages.pop_back();
  }
  Teller teller(new_id);
  for (model::Message& message : messages) teller.tell(std::move(message));
  said.past = teller.take();
  return said;
}

}  // namespace parlance::face
