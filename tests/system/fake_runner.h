// SPDX-License-Identifier: Apache-2.0
// A runner that is none: it offers one agent, and answers what it is asked for its files as a test says. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "parlance/async/scope.h"
#include "parlance/transport/http/websocket_client.h"
#include "tests/support/programs.h"

namespace parlance::test {

class FakeRunner {
 public:
  // Of the request, as it came: the member that the answer has beside `jsonrpc` and `id`; empty: none is sent.
  using Answer = std::function<std::string(const std::string& request)>;

  static std::unique_ptr<FakeRunner> connect(Loop& loop, const std::string& url, const std::string& token,
                                             const std::string& folder, Answer to_files) {
    auto frames =
        loop.block_on(connect_websocket(loop, {.url = url, .headers = {{.name = "Authorization", .value = "Bearer " + token}}}));
    if (!frames) throw std::runtime_error(frames.error().message);
    auto made = std::make_unique<FakeRunner>(loop, *std::move(frames), std::move(to_files));
    made->send(
        R"("id":"offer","method":"_parlance/offer","params":{"name":"box","account":"mira","host":"box","version":"0.0.1",)"
        R"("agents":[{"id":"parlance","name":"parlance"}],"folders":[")" +
        folder + "\"]}");
    return made;
  }
  FakeRunner(Loop& loop, std::unique_ptr<WebSocketFrames> frames, Answer to_files)
      : frames_(std::move(frames)), to_files_(std::move(to_files)), scope_(loop) {
    scope_.start(read_all());
  }
  bool is_taken() const { return taken_; }
  void close() { frames_->close(); }

 private:
  void send(const std::string& members) { static_cast<void>(frames_->send(R"({"jsonrpc":"2.0",)" + members + "}")); }
  Task<void> read_all() {
    for (;;) {
      const auto batch = co_await read_frames(*frames_);
      if (!batch || batch->empty()) break;
      for (const BytesView frame : *batch) take(std::string(frame));
    }
  }
  void take(const std::string& frame) {
    const json::Value message = parsed(frame);
    const std::string method(message.text_or("method", ""));
    const json::Value* const id = message.find("id");
    if (method.empty()) taken_ = taken_ || message.text_or("id", "") == "offer";
    if (method.empty() || id == nullptr) return;
    std::string answer = R"("error":{"code":-32601,"message":"Method not found"})";
    if (method == "initialize") answer = R"("result":{"protocolVersion":1})";
    if (method == "_parlance/files") answer = to_files_(frame);
    if (!answer.empty()) send("\"id\":" + json::to_text(*id) + "," + answer);
  }

  std::unique_ptr<WebSocketFrames> frames_;
  Answer to_files_;
  bool taken_ = false;
  Scope scope_;  // goes first
};

}  // namespace parlance::test
