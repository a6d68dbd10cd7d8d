// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/gorpc/chat_history.h"

#include <algorithm>
#include <ranges>
#include <span>
#include <utility>

#include "parlance/driver/gorpc/limits.h"
#include "parlance/driver/gorpc/parts.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/conversation/session_setup.h"
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
  return message;
}

std::string old_note(const hub::AttachmentInfo& about) {
  return "(With this result came " + model::described({.media_type = about.media_type, .name = about.name}, about.bytes) +
         ", which is no longer shown. Call the tool again if you need it.)";
}

// Loads the bytes of attachments into a request, the newest first.
class Loader {
 public:
  Loader(hub::Turn& turn, bool taken) : turn_(turn), taken_(taken) {}

  Task<Result<void>> load(std::vector<hub::AttachmentInfo> attached, std::string& text, std::vector<gorpc::Attachment>& to) {
    for (hub::AttachmentInfo& about : attached) {
      model::Attachment attachment{.media_type = about.media_type, .name = about.name, .url = about.url.value_or("")};
      Result<hub::Attachment> whole = fail(Errc::not_found, "not loaded");
      if (taken_ && about.bytes <= room_) whole = co_await turn_.attachment(about.id);
      if (!whole && whole.error().code == Errc::not_found) {  // lost by the store; the conversation continues
        model::add_note(text, model::unseen_note(attachment, about.bytes));
        continue;
      }
      PARLANCE_CO_TRY_DO(whole);
      attachment.data = std::move(whole->data);
      room_ -= about.bytes;
      to.push_back(gorpc_attachment(std::move(attachment)));
    }
    co_return Result<void>{};
  }

  // The last `shown_pictures_` pictures are loaded; of older pictures the model gets a note.
  Task<Result<void>> load_results(std::vector<hub::ToolResult> results, std::vector<gorpc::ToolResult>& to) {
    for (hub::ToolResult& result : results | std::views::reverse) {
      const std::size_t old = result.pictures.size() - std::min(result.pictures.size(), shown_pictures_);
      shown_pictures_ -= result.pictures.size() - old;
      for (const hub::AttachmentInfo& about : std::span(result.pictures).first(old))
        model::add_note(result.text, old_note(about));
      result.pictures.erase(result.pictures.begin(), result.pictures.begin() + static_cast<std::ptrdiff_t>(old));
      std::vector<gorpc::Attachment> pictures;
      PARLANCE_CO_TRY_DO(co_await load(std::move(result.pictures), result.text, pictures));
      to.insert(to.begin(), gorpc_tool_result(std::move(result.call), result.text, result.state != hub::ToolEndState::done));
      to.front().attachments = std::move(pictures);
    }
    co_return Result<void>{};
  }

  void count_pictures(std::size_t all) {
    shown_pictures_ = all;
    while (shown_pictures_ > limits::tool_pictures) shown_pictures_ -= std::min(shown_pictures_, limits::tool_pictures_step);
  }

 private:
  hub::Turn& turn_;
  bool taken_;
  std::size_t room_ = limits::prompt_attachment_bytes;
  std::size_t shown_pictures_ = 0;
};

}  // namespace

void add_system(gorpc::ChatArgs& args, const hub::SessionSetup& setup, const hub::PromptOptions& options) {
  const auto add = [&](std::string text) { args.messages.push_back({.role = "system", .content = std::move(text)}); };
  args.bare = options.system && !options.system->empty();
  if (args.bare) add(*options.system);
  add("Working folder: " + setup.folder);
  if (setup.via == "http") add(std::string(model::called_over_http));
  if (options.append_system && !options.append_system->empty()) add(*options.append_system);
}

bool has_attachments(const hub::ChatMessage& message) {
  return !message.attachments.empty() ||
         std::ranges::any_of(message.results, [](const hub::ToolResult& result) { return !result.pictures.empty(); });
}

std::string_view only_prompt(std::span<const hub::ChatMessage> history) {
  if (history.size() != 1 || history.front().role != hub::Role::user || history.front().after_others) return "";
  const std::string_view text = history.front().content;
  return text.substr(std::min(history.front().words_at, text.size()));
}

Task<Result<void>> add_history(gorpc::ChatArgs& args, hub::Turn& turn, std::vector<hub::ChatMessage> history, bool attachments) {
  if (!history.empty() && history.front().after_others)
    args.messages.push_back({.role = "system", .content = std::string(left_out)});
  Loader loader(turn, attachments);
  std::size_t pictures = 0;
  for (const hub::ChatMessage& message : history)
    for (const hub::ToolResult& result : message.results) pictures += result.pictures.size();
  loader.count_pictures(pictures);
  const std::size_t first = args.messages.size();
  args.messages.resize(first + history.size());
  for (std::size_t i = history.size(); i-- > 0;) {
    gorpc::Message& message = args.messages[first + i];
    std::vector<hub::AttachmentInfo> attached = std::move(history[i].attachments);
    std::vector<hub::ToolResult> results = std::move(history[i].results);
    message = to_wire(std::move(history[i]));
    // Most messages have neither: a coroutine for each would cost a seventh of the whole call.
    if (!attached.empty()) PARLANCE_CO_TRY_DO(co_await loader.load(std::move(attached), message.content, message.attachments));
    if (!results.empty()) PARLANCE_CO_TRY_DO(co_await loader.load_results(std::move(results), message.tool_results));
  }
  co_return Result<void>{};
}

}  // namespace parlance::driver
