// SPDX-License-Identifier: Apache-2.0
// A test webview: the client side of a WebviewServer's connection in memory, with its received messages.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/webview/hub_over_webview.h"
#include "parlance/hub/test_support.h"
#include "parlance/protocol/webview/messages.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::face::test {

class TestWebview {
 public:
  TestWebview(Loop& loop, WebviewServer& server, hub::UserHub hub, MemoryOptions options = {},
              WebviewPeer peer = WebviewPeer::this_machine)
      : loop_(loop), scope_(loop) {
    auto [near, far] = memory_pair(loop, options);
    frames_ = framed_stream(loop, std::move(near), line_framing());
    server.serve(framed_stream(loop, std::move(far), line_framing()), std::move(hub), peer);
    scope_.start(read_all());
  }

  // Waits for the effect: an unknown message behind it gets its error after the effect. Worker threads read files and folders.
  void send(std::string_view message) {
    ASSERT_TRUE(frames_->send(message));
    ASSERT_TRUE(frames_->send(R"({"type":"barrier"})"));
    const std::size_t behind = ++sent_;
    for (int turn = 0; answered_ < behind && turn < 1'000'000; ++turn) {
      loop_.run_ready();
      std::this_thread::yield();
    }
    ASSERT_EQ(answered_, behind);
    loop_.advance(std::chrono::milliseconds(200));
  }
  void hang_up() {
    frames_->close();
    loop_.run_ready();
  }
  std::vector<json::Value> all(std::string_view type) const {
    std::vector<json::Value> found;
    for (const json::Value& message : received)
      if (message.text_or("type", "") == type) found.push_back(message);
    return found;
  }
  json::Value last(std::string_view type) const {
    const auto found = all(type);
    return found.empty() ? json::Value() : found.back();
  }
  json::Value state() const {
    const json::Value update = last("stateUpdated");
    const json::Value* const state = update.find("state");
    return state == nullptr ? json::Value() : *state;
  }
  // The text of `failed` for this type of message; empty: no failure.
  std::string failure(std::string_view of) const {
    for (const json::Value& message : all("failed"))
      if (message.text_or("of", "") == of)
        return std::string(message.text_or("code", "")) + ": " + std::string(message.text_or("message", ""));
    return "";
  }
  std::vector<json::Value> chunks(std::string_view type = "") const {
    std::vector<json::Value> found;
    for (const json::Value& message : all("streamChunk"))
      if (type.empty() || message.find("chunk")->text_or("chunkType", "") == type) found.push_back(*message.find("chunk"));
    return found;
  }
  // The types of the chunks as a line.
  std::string trace() const {
    std::string words;
    for (const json::Value& chunk : chunks()) words += (words.empty() ? "" : " ") + std::string(chunk.text_or("chunkType", ""));
    return words;
  }
  std::string text() const {
    std::string text;
    for (const json::Value& chunk : chunks("text")) text += chunk.text_or("content", "");
    return text;
  }
  std::string request(std::string_view type) const {
    const auto found = chunks(type);
    return found.empty() ? "" : std::to_string(found.back().integer_or("requestId", 0));
  }
  void forget() { received.clear(); }

  std::vector<json::Value> received;
  bool ended = false;

 private:
  Task<void> read_all() {
    for (;;) {
      const auto batch = co_await read_frames(*frames_);
      if (!batch || batch->empty()) break;
      for (const BytesView frame : *batch) {
        const auto declared = json::from_text<webview::HostMessage>(frame);
        EXPECT_TRUE(declared) << (declared ? "" : declared.error().message) << ": " << frame;
        auto message = json::parse(frame);
        if (message && message->text_or("of", "") == "barrier") ++answered_;
        else if (message) received.push_back(*std::move(message));
      }
    }
    ended = true;
  }

  Loop& loop_;
  std::unique_ptr<Frames> frames_;
  std::size_t sent_ = 0;
  std::size_t answered_ = 0;
  Scope scope_;
};

// A hub with a scripted agent, and a folder with files.
struct WebviewBench : hub::test::Bench {
  WebviewBench() {
    std::filesystem::create_directories(folder);
    write("a.txt", "alpha\n");
  }
  ~WebviewBench() { std::filesystem::remove_all(folder); }
  void write(const std::string& name, std::string_view text) const {
    std::ofstream(folder + "/" + name, std::ios::binary) << text;
  }
  // The loop's time is virtual, but a real thread reads files.
  void until(const std::function<bool()>& condition) {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition() && std::chrono::steady_clock::now() < patience) {
      loop.run_ready();
      loop.advance(std::chrono::milliseconds(1));
      std::this_thread::yield();
    }
    EXPECT_TRUE(condition());
  }

  std::string folder = testing::TempDir() + "webview_" + std::to_string(::getpid()) + "_" +
                       testing::UnitTest::GetInstance()->current_test_info()->name();
  WebviewServer server{loop, {.version = "1.2.3", .home = testing::TempDir(), .default_folder = folder, .file_bytes = 100}};
};

}  // namespace parlance::face::test
