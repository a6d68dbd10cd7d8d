// SPDX-License-Identifier: Apache-2.0
// A page as a program: the messages of apps/web/src/protocol.ts over a real WebSocket. Folds its messages like the real page.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parlance/transport/http/websocket_client.h"
#include "tests/support/programs.h"

namespace parlance::test {

class PageClient {
 public:
  PageClient(Loop& loop, std::unique_ptr<WebSocketFrames> frames) : frames_(std::move(frames)), scope_(loop) {
    scope_.start(read_all());
    static_cast<void>(frames_->send(R"({"type":"ready"})"));
  }

  // `members` follows `request`. Returns the request's number; its answer arrives in `answers`.
  std::string request(std::string_view type, std::string_view members) {
    const std::string number = std::to_string(++last_request_);
    if (type == "open") opening_[number] = text_at(parsed("{" + std::string(members) + "}"), {"conversation"});
    static_cast<void>(
        frames_->send(R"({"type":")" + std::string(type) + R"(","request":")" + number + R"(",)" + std::string(members) + "}"));
    return number;
  }
  bool answered(const std::string& number) const { return answers.contains(number); }
  std::string type_of_answer(const std::string& number) const { return text_at(answers.at(number), {"type"}); }

  const std::vector<json::Value>& events(const std::string& conversation) { return events_[conversation]; }
  std::size_t count(const std::string& conversation, std::string_view kind) {
    return static_cast<std::size_t>(std::ranges::count_if(
        events_[conversation], [&](const json::Value& event) { return event.text_or("kind", "") == kind; }));
  }
  // The last event of this kind; a null value if none.
  json::Value last(const std::string& conversation, std::string_view kind) {
    json::Value found;
    for (const json::Value& event : events_[conversation])
      if (event.text_or("kind", "") == kind) found = event;
    return found;
  }
  // All text of the conversation, pieces joined.
  std::string text(const std::string& conversation, std::string_view kind = "text") {
    std::string all;
    for (const json::Value& event : events_[conversation])
      if (event.text_or("kind", "") == kind) all += event.text_or("text", "");
    return all;
  }
  std::vector<std::int64_t> seqs(const std::string& conversation) {
    std::vector<std::int64_t> all;
    for (const json::Value& event : events_[conversation]) all.push_back(event.integer_or("seq", 0));
    return all;
  }

  bool ready = false;
  bool ended = false;
  std::size_t gaps = 0;  // deltas with a gap before their number
  std::string frames;    // all received messages, one on each line
  std::map<std::string, json::Value> answers;
  std::map<std::string, json::Value> conversations;
  std::map<std::string, json::Value> agents;
  std::map<std::string, json::Value> asks;  // in the order of their ids, which is chronological

 private:
  Task<void> read_all() {
    for (;;) {
      const auto batch = co_await read_frames(*frames_);
      if (!batch || batch->empty()) break;
      for (const BytesView frame : *batch) {
        frames.append(frame).append("\n");
        take(parsed(frame));
      }
    }
    ended = true;
  }
  void take(const json::Value& message) {
    const std::string type = text_at(message, {"type"});
    if (type == "done" || type == "failed") return take_answer(message);
    if (type == "snapshot") {
      ready = true;
      conversations.clear();
      asks.clear();
      agents.clear();
      for (const json::Value& agent : *message.find("agents")->array()) agents[text_at(agent, {"id"})] = agent;
      for (const json::Value& one : *message.find("conversations")->array()) conversations[text_at(one, {"id"})] = one;
      for (const json::Value& one : *message.find("asks")->array()) asks[text_at(one, {"id"})] = one;
    } else {
      if (message.integer_or("seq", -1) != seq_ + 1) ++gaps;
      for (const json::Value& op : *message.find("ops")->array()) take_op(op);
    }
    seq_ = message.integer_or("seq", -1);
  }
  void take_answer(const json::Value& message) {
    const std::string number = text_at(message, {"request"});
    answers[number] = message;
    if (opening_.contains(number) && text_at(message, {"type"}) == "done")
      take_events(opening_[number], at(message, {"value", "events"}));
  }
  void take_op(const json::Value& op) {
    const std::string kind = text_at(op, {"op"});
    if (kind == "conversation") conversations[text_at(op, {"conversation", "id"})] = *op.find("conversation");
    if (kind == "conversation_removed") conversations.erase(text_at(op, {"id"}));
    if (kind == "agent") agents[text_at(op, {"agent", "id"})] = *op.find("agent");
    if (kind == "ask") asks[text_at(op, {"ask", "id"})] = *op.find("ask");
    if (kind == "events") take_events(text_at(op, {"conversation"}), *op.find("events"));
  }
  void take_events(const std::string& conversation, const json::Value& events) {
    for (const json::Value& event : *events.array()) events_[conversation].push_back(event);
  }

  std::unique_ptr<WebSocketFrames> frames_;
  std::map<std::string, std::vector<json::Value>> events_;
  std::map<std::string, std::string> opening_;
  std::int64_t seq_ = -1;
  int last_request_ = 0;
  Scope scope_;  // goes first
};

}  // namespace parlance::test
