// SPDX-License-Identifier: Apache-2.0
// Conversations as pages have them: what tests say to a gateway over a real WebSocket, and what they wait for.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "tests/system/page_client.h"
#include "tests/system/up.h"

namespace parlance::test {

class ConversationsTest : public UpTest {
 protected:
  std::unique_ptr<PageClient> connect() {
    auto frames =
        get(connect_websocket(loop, {.url = "ws" + base.substr(4) + "ws", .subprotocols = {"parlance.v1", "token." + token}}));
    if (!frames) throw std::runtime_error(frames.error().message);
    auto made = std::make_unique<PageClient>(loop, *std::move(frames));
    until([&] { return made->ready || made->ended; }, "the snapshot");
    return made;
  }
  // Waits for its answer, which must be `done`; gives its value.
  json::Value done(PageClient& page, std::string_view type, std::string_view members) {
    const std::string number = page.request(type, members);
    until([&] { return page.answered(number); }, type);
    if (page.type_of_answer(number) != "done") throw std::runtime_error(json::to_text(page.answers.at(number)));
    return at(page.answers.at(number), {"value"});
  }
  void open(PageClient& page, const std::string& id) { done(page, "open", R"("conversation":")" + id + R"(","after":0)"); }
  std::string new_conversation(PageClient& page) {
    const std::string id = text_at(done(page, "new", R"("agent":"parlance","folder":")" + work() + "\""), {"conversation", "id"});
    open(page, id);
    return id;
  }
  void prompt(PageClient& page, const std::string& id, std::string_view text) {
    done(page, "prompt", R"("conversation":")" + id + R"(","text":")" + std::string(text) + "\"");
  }
  json::Value ask_in_state(PageClient& page, std::string_view state) {
    for (const auto& [id, ask] : page.asks)
      if (ask.text_or("state", "") == state) return ask;
    return {};
  }
  json::Value open_ask(PageClient& page) {
    until([&] { return !ask_in_state(page, "open").is_null(); }, "an ask");
    return ask_in_state(page, "open");
  }
  static std::string answer_to(const json::Value& ask, std::string_view kind) {
    for (const json::Value& option : *ask.find("options")->array())
      if (option.text_or("kind", "") == kind)
        return R"("ask":")" + text_at(ask, {"id"}) + R"(","digest":")" + text_at(ask, {"digest"}) + R"(","option":")" +
               text_at(option, {"id"}) + "\"";
    throw std::runtime_error("no such option: " + json::to_text(ask));
  }
  void until_turns(PageClient& page, const std::string& id, std::size_t turns) {
    until([&] { return page.count(id, "turn_end") == turns; }, "the end of the turn");
  }
  void until_agent() {
    until_observed([&] { return agent_state() == "ready"; }, "the agent");
  }
};

}  // namespace parlance::test
