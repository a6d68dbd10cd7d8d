// SPDX-License-Identifier: Apache-2.0
// The bridge for programs that have no loop: a thread of its own reads the answers, and calls wait where they are made. Every function
// from any thread, except that `stop` must not be called by what the client calls.
//
//   BridgeClient client([](Loop& loop) { return stdio_stream(loop); });
//   client.start();
//   auto file = client.send_request("getActiveFile");    // the result as JSON
//
// Errors of a request: deadline_exceeded ("No response for 'METHOD' after 10s"); disconnected, at once, when the other side has gone or
// after stop(); what the editor answered ("RPC Error: …", its code in Error::data); invalid_params when the parameters are no JSON object.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "parlance/driver/editor/editor_link.h"
#include "parlance/driver/editor/window_link.h"

namespace parlance::driver {

// The editor gave no answer: not in time, or it has gone. What else fails is an answer.
inline bool is_no_response(const Error& error) {
  return error.code == Errc::deadline_exceeded || error.code == Errc::disconnected;
}

class BridgeClient {
 public:
  using Open = std::function<Result<std::unique_ptr<ByteStream>>(Loop&)>;
  // `ears` are called on the client's thread.
  explicit BridgeClient(Open open, EditorEars ears = {});
  // Over the socket of a window; connected again whenever that has gone. What is printed goes to nobody.
  explicit BridgeClient(WindowSettings window);
  ~BridgeClient();
  BridgeClient(const BridgeClient&) = delete;
  BridgeClient& operator=(const BridgeClient&) = delete;

  Result<void> start();  // again: nothing. Errors: of opening the stream
  void stop();           // again: nothing. Every request that waits fails

  // Zero: waits without an end, for what a person has to answer.
  Result<std::string> send_request(std::string method, std::string params_json = "{}",
                                   std::chrono::milliseconds timeout = editor::limits::request);
  void print(std::string text);  // beside the messages: EditorLink::print

 private:
  struct Running;

  Open open_;
  EditorEars ears_;
  std::optional<WindowSettings> window_;
  std::mutex mutex_;  // of running_: a request that was posted under it is handled before stop
  std::unique_ptr<Running> running_;
};

}  // namespace parlance::driver
