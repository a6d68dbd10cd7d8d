// SPDX-License-Identifier: Apache-2.0
// A test page: the client side of a PageServer's connection in memory. Folds messages like the real page.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/page/hub_over_page.h"
#include "parlance/hub/test_support.h"
#include "parlance/toolbox/memory_test_support.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::face::test {

class TestPage {
 public:
  TestPage(Loop& loop, PageServer& server, hub::UserHub hub, MemoryOptions options = {})
      : loop_(loop), resume_(loop), scope_(loop) {
    auto [near, far] = memory_pair(loop, options);
    frames_ = framed_stream(loop, std::move(near), line_framing());
    server.serve(framed_stream(loop, std::move(far), line_framing()), std::move(hub));
    scope_.start(read_all());
  }

  void send(std::string_view message) {
    ASSERT_TRUE(frames_->send(message));
    loop_.run_ready();
  }
  // Sends a request and returns its number; `members` follows `request`.
  std::string request(std::string_view type, std::string_view members = "") {
    const std::string number = std::to_string(++last_request_);
    send(R"({"type":")" + std::string(type) + R"(","request":")" + number + '"' + (members.empty() ? "" : ",") +
         std::string(members) + "}");
    return number;
  }
  // The existing answer to a request: {"type":"done",…} or {"type":"failed",…}.
  json::Value answer(const std::string& number) {
    for (const json::Value& message : received)
      if (message.text_or("request", "") == number) return message;
    ADD_FAILURE() << "no answer to request " << number;
    return {};
  }
  std::size_t answers_to(const std::string& number) const {
    std::size_t count = 0;
    for (const json::Value& message : received) count += message.text_or("request", "") == number ? 1 : 0;
    return count;
  }
  std::string code(const std::string& number) { return std::string(answer(number).text_or("code", "")); }

  void ready() { send(R"({"type":"ready"})"); }
  // Opens at the known position, like a page after a reconnect.
  std::string open(const std::string& conversation) {
    const auto& known = seqs[conversation];
    opening_ = conversation;  // the conversation of the next `done`
    return request("open",
                   R"("conversation":")" + conversation + R"(","after":)" + std::to_string(known.empty() ? 0 : known.back()));
  }
  void pause() { paused_ = true; }
  void go_on() {
    paused_ = false;
    resume_.notify_all();
    loop_.run_ready();
  }
  void hang_up() {
    frames_->close();
    loop_.run_ready();
  }
  std::size_t count(std::string_view type) const {
    std::size_t number = 0;
    for (const json::Value& message : received) number += message.text_or("type", "") == type ? 1 : 0;
    return number;
  }

  std::vector<json::Value> received;                       // every message, in order
  std::map<std::string, std::vector<std::uint64_t>> seqs;  // event numbers of each conversation, in order of arrival
  std::map<std::string, json::Value> conversations;
  std::map<std::string, json::Value> asks;
  std::size_t gaps = 0;  // deltas with a wrong number
  bool ended = false;

 private:
  Task<void> read_all() {
    for (;;) {
      while (paused_) co_await resume_.wait();
      const auto batch = co_await read_frames(*frames_);
      if (!batch || batch->empty()) break;
      for (const BytesView frame : *batch) take(frame);
    }
    ended = true;
  }

  void take(BytesView frame) {
    // Hand-written JSON of the host must parse as the declared message.
    const auto declared = json::from_text<page::HostMessage>(frame);
    EXPECT_TRUE(declared) << (declared ? "" : declared.error().message) << ": " << frame;
    auto message = json::parse(frame);
    if (!message) return;
    received.push_back(*message);
    const std::string_view type = message->text_or("type", "");
    if (type == "snapshot") take_snapshot(*message);
    if (type == "delta") take_delta(*message);
    if (type == "done" && message->find("value") != nullptr && message->find("value")->find("last_seq") != nullptr)
      take_events(*message->find("value")->find("events"));
  }
  void take_snapshot(const json::Value& message) {
    seq_ = message.integer_or("seq", -1);
    conversations.clear();
    asks.clear();
    for (const json::Value& conversation : *message.find("conversations")->array())
      conversations[std::string(conversation.text_or("id", ""))] = conversation;
    for (const json::Value& ask : *message.find("asks")->array()) asks[std::string(ask.text_or("id", ""))] = ask;
  }
  void take_delta(const json::Value& message) {
    if (message.integer_or("seq", -1) != seq_ + 1) ++gaps;
    seq_ = message.integer_or("seq", -1);
    for (const json::Value& op : *message.find("ops")->array()) {
      const std::string_view kind = op.text_or("op", "");
      if (kind == "conversation")
        conversations[std::string(op.find("conversation")->text_or("id", ""))] = *op.find("conversation");
      if (kind == "conversation_removed") conversations.erase(std::string(op.text_or("id", "")));
      if (kind == "ask") asks[std::string(op.find("ask")->text_or("id", ""))] = *op.find("ask");
      if (kind == "events") take_events(*op.find("events"), std::string(op.text_or("conversation", "")));
    }
  }
  void take_events(const json::Value& events, std::string conversation = "") {
    if (conversation.empty()) conversation = opening_;
    for (const json::Value& event : *events.array())
      seqs[conversation].push_back(static_cast<std::uint64_t>(event.integer_or("seq", 0)));
  }

  Loop& loop_;
  std::unique_ptr<Frames> frames_;
  std::string opening_;
  std::int64_t seq_ = -1;
  int last_request_ = 0;
  bool paused_ = false;
  Signal resume_;
  Scope scope_;
};

struct PageBench : hub::test::Bench {
  PageBench() { store.text_of = wire_form::event_json; }
  toolbox::test::FakeMemory memory;
  // Ends with the hub, as in the gateway.
  PageServer server{
      loop, {.version = "1.2.3", .capabilities = {"a"}, .home = "/home/ann", .default_folder = "/home/ann/code"}, &memory};

  // A turn with a piece of text: turn_start, user_message, text, turn_end.
  void talk(const std::string& id) {
    script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
      turn.emit(hub::event::Text{.text = "a"});
      co_return hub::StopReason::end_turn;
    };
    prompt(id);
    loop.advance(std::chrono::milliseconds(50));
  }
  // A turn that asks and waits for the answer.
  void ask(const std::string& id) {
    script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
      turn.emit(hub::event::ToolStart{.call = "call", .tool = "write", .title = "a.txt", .input_json = R"({"path":"a.txt"})"});
      auto answer = co_await turn.ask({.call = "call",
                                       .tool = "write",
                                       .title = "a.txt",
                                       .options = {{.id = "yes", .label = "Yes", .kind = hub::OptionKind::allow_once},
                                                   {.id = "no", .label = "No", .kind = hub::OptionKind::reject_once}}});
      turn.emit(hub::event::ToolEnd{
          .call = "call", .state = answer && answer->allowed() ? hub::ToolEndState::done : hub::ToolEndState::rejected});
      co_return hub::StopReason::end_turn;
    };
    prompt(id);
    loop.advance(std::chrono::milliseconds(50));
  }
};

inline std::string conversation_member(const std::string& id) { return R"("conversation":")" + id + '"'; }

// 1, 2, 3 … up to `last`: complete and without repetitions.
inline std::vector<std::uint64_t> one_to(std::uint64_t last) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t seq = 1; seq <= last; ++seq) all.push_back(seq);
  return all;
}

}  // namespace parlance::face::test
