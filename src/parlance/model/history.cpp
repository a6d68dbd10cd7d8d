// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/history.h"

#include <algorithm>
#include <set>
#include <utility>

namespace parlance::model {
namespace {

std::string plain_id(const std::string& id) {
  std::string plain = id;
  for (char& c : plain) {
    const bool allowed = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (!allowed) c = '_';
  }
  return plain;
}

void name_calls(std::vector<Message>& messages) {
  for (std::size_t m = 0; m < messages.size(); ++m)
    for (std::size_t i = 0; i < messages[m].tool_calls.size(); ++i) {
      std::string& id = messages[m].tool_calls[i].id;
      id = id.empty() ? "call_" + std::to_string(m) + "_" + std::to_string(i) : plain_id(id);
    }
}

// Replaces an id of an earlier call: vendors refuse a request with duplicate ids.
void make_id_unique(ToolCall& call, ToolResult& result, std::set<std::string>& used) {
  const std::string id = call.id;
  for (int n = 2; !used.insert(call.id).second; ++n) call.id = id + "_" + std::to_string(n);
  result.call_id = call.id;
}

// Takes the result of `call` out of `results`: by id, or the first result without an id.
std::optional<ToolResult> take_result(std::vector<ToolResult>& results, const ToolCall& call) {
  auto found = std::ranges::find(results, call.id, &ToolResult::call_id);
  if (found == results.end()) found = std::ranges::find(results, std::string(), &ToolResult::call_id);
  if (found == results.end()) return std::nullopt;
  ToolResult result = std::move(*found);
  results.erase(found);
  result.call_id = call.id;
  return result;
}

// All results between `from` and the next assistant message, in any order.
std::vector<ToolResult> collect_results(std::vector<Message>& messages, std::size_t from) {
  std::vector<ToolResult> all;
  for (std::size_t m = from; m < messages.size() && messages[m].role != Role::assistant; ++m) {
    for (ToolResult& result : messages[m].tool_results) {
      result.call_id = plain_id(result.call_id);
      all.push_back(std::move(result));
    }
    messages[m].tool_results.clear();
    if (messages[m].role == Role::tool &&
        !messages[m].content.empty())  // a host with a single result for each message, without an id
      all.push_back(ToolResult{.content = std::exchange(messages[m].content, {})});
  }
  return all;
}

void append_orphans(std::vector<Message>& out, std::vector<ToolResult>& orphans) {
  for (ToolResult& orphan : orphans)
    if (!orphan.content.empty() || !orphan.attachments.empty())
      out.push_back(Message{.role = Role::user,
                            .content = "Result of a tool call that is not shown here:\n" + std::move(orphan.content),
                            .attachments = std::move(orphan.attachments)});
}

}  // namespace

std::vector<Message> repaired(std::vector<Message> messages) {
  name_calls(messages);
  std::vector<Message> out;
  std::set<std::string> used;
  out.reserve(messages.size());
  // Results in an assistant message (net/rpc's Message permits results everywhere) belong to the earlier calls.
  std::vector<ToolResult> results = collect_results(messages, 0);
  append_orphans(out, results);
  for (std::size_t m = 0; m < messages.size(); ++m) {
    Message& message = messages[m];
    if (message.role == Role::tool) continue;  // its results have been collected
    if (message.role != Role::assistant) {
      if (!message.content.empty() || !message.attachments.empty()) out.push_back(std::move(message));
      continue;
    }
    results = std::exchange(message.tool_results, {});
    for (ToolResult& result : results) result.call_id = plain_id(result.call_id);
    std::ranges::move(collect_results(messages, m + 1), std::back_inserter(results));
    Message answers{.role = Role::tool};
    for (ToolCall& call : message.tool_calls) {
      if (auto result = take_result(results, call)) answers.tool_results.push_back(*std::move(result));
      else
        answers.tool_results.push_back(
            ToolResult{.call_id = call.id, .content = "There is no result: the call was interrupted.", .failed = true});
      make_id_unique(call, answers.tool_results.back(), used);
    }
    if (!message.content.empty() || !message.tool_calls.empty()) out.push_back(std::move(message));
    if (!answers.tool_results.empty()) out.push_back(std::move(answers));
    append_orphans(out, results);
  }
  return out;
}

std::size_t loop_start(const std::vector<Message>& messages) {
  for (std::size_t m = messages.size(); m > 0; --m)
    if (messages[m - 1].role == Role::user) return m;
  return 0;
}

}  // namespace parlance::model
