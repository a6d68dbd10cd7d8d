// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/claude/past.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "parlance/base/tagged.h"

namespace parlance::driver {
namespace {

constexpr std::string_view tag = "conversation_so_far";
constexpr std::string_view opens = "<conversation_so_far>\n";
constexpr std::string_view closes = "</conversation_so_far>\n";

std::string_view speaker(hub::Role role) {
  switch (role) {
    case hub::Role::user: return "Person: ";
    case hub::Role::assistant: return "You: ";
    case hub::Role::tool: break;
  }
  return "";
}

}  // namespace

std::string transcript_of(std::span<const hub::ChatMessage> messages) {
  std::string text(opens);
  for (const hub::ChatMessage& message : messages) {
    if (!message.content.empty()) text += std::string(speaker(message.role)) + without_tag(message.content, tag) + "\n";
    for (const hub::ToolCall& call : message.calls)
      text += "You called " + without_tag(call.tool + " " + call.arguments_json.json(), tag) + "\n";
    for (const hub::ToolResult& result : message.results) text += "Its result: " + without_tag(result.text, tag) + "\n";
  }
  return text + std::string(closes);
}

Task<Result<void>> add_past(hub::Turn& turn, hub::Prompt& prompt) {
  PARLANCE_CO_TRY(history, co_await turn.history());
  // The prompt itself is the last of it.
  if (!prompt.resume && !history.empty()) history.pop_back();
  if (history.empty()) co_return Result<void>{};
  prompt.text = transcript_of(history) + (prompt.resume ? "Go on from here." : prompt.text);
  std::vector<hub::AttachmentInfo> before;
  for (hub::ChatMessage& message : history) std::ranges::move(message.attachments, std::back_inserter(before));
  prompt.attachments.insert(prompt.attachments.begin(), std::make_move_iterator(before.begin()),
                            std::make_move_iterator(before.end()));
  prompt.resume.reset();
  co_return Result<void>{};
}

}  // namespace parlance::driver
