// SPDX-License-Identifier: Apache-2.0
// The bridge for programs without an event loop: a thread reads the answers, and calls block. Every function from any thread,
// except `stop`, which the client's callbacks must not call.
//
//   BridgeClient client([](Loop& loop) { return stdio_stream(loop); });
//   client.start();
//   auto file = client.send_request("getActiveFile");    // The result as JSON.
//
// Errors of a request: deadline_exceeded ("No response for 'METHOD' after 10s"); disconnected after the other side's end or
// stop(); the editor's error ("RPC Error: …"). Its code is in Error::data. Error invalid_params: the parameters are no JSON
// object.
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

// No answer of the editor: a timeout or a disconnect. All other errors are answers.
inline bool is_no_response(const Error& error) {
  return error.code == Errc::deadline_exceeded || error.code == Errc::disconnected;
}

class BridgeClient {
 public:
  using Open = std::function<Result<std::unique_ptr<ByteStream>>(Loop&)>;
  // The client's thread calls `handlers`.
  explicit BridgeClient(Open open, EditorHandlers handlers = {});
  // Over the socket of a window, with reconnects. Printed text is dropped.
  explicit BridgeClient(WindowSettings window);
  ~BridgeClient();
  BridgeClient(const BridgeClient&) = delete;
  BridgeClient& operator=(const BridgeClient&) = delete;

  Result<void> start();  // idempotent. Errors: of opening the stream
  void stop();           // idempotent. Fails all waiting requests

  // Zero: no timeout, for requests to a person.
  Result<std::string> send_request(std::string method, std::string params_json = "{}",
                                   std::chrono::milliseconds timeout = editor::limits::request);
  void print(std::string text);  // beside messages: EditorLink::print

 private:
  struct Running;

  Open open_;
  EditorHandlers handlers_;
  std::optional<WindowSettings> window_;
  std::mutex mutex_;  // guards running_: requests posted under the lock are handled before `stop`
  std::unique_ptr<Running> running_;
};

}  // namespace parlance::driver
