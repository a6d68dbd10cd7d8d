// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/gorpc/history_digest.h"

#include <algorithm>
#include <charconv>

#include "parlance/base/sha256.h"

namespace parlance::gorpc {
namespace {

// Each text with its length, and each list with its count: different messages never give the same bytes.
void add(Sha256& hash, std::size_t number) {
  char text[24];
  char* const end = std::to_chars(text, text + sizeof text - 1, number).ptr;
  *end = ':';
  hash.add(BytesView(text, static_cast<std::size_t>(end + 1 - text)));
}
void add(Sha256& hash, BytesView text) {
  add(hash, text.size());
  hash.add(text);
}

}  // namespace

std::string history_digest(std::string before, std::span<const Message> messages) {
  for (const Message& message : messages) {
    Sha256 hash;
    for (const BytesView text : {BytesView(before), BytesView(message.role), BytesView(message.content)}) add(hash, text);
    add(hash, message.tool_calls.size());
    for (const ToolCall& call : message.tool_calls)
      for (const std::string* text : {&call.id, &call.type, &call.function.name, &call.function.arguments})
        add(hash, BytesView(*text));
    add(hash, message.tool_results.size());
    for (const ToolResult& result : message.tool_results)
      for (const std::string* text : {&result.id, &result.type, &result.result.json}) add(hash, BytesView(*text));
    const auto digest = hash.finish();
    before = to_hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
  }
  return before;
}

bool has_attachments(const Message& message) {
  return !message.attachments.empty() ||
         std::ranges::any_of(message.tool_results, [](const ToolResult& result) { return !result.attachments.empty(); });
}

}  // namespace parlance::gorpc
