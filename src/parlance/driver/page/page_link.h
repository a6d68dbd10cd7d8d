// SPDX-License-Identifier: Apache-2.0
// One connection to a gateway, as a client of the page's protocol (protocol/page/messages.h). Matches answers to requests, and
// passes snapshots and changes to a listener in order. Loop thread only; the listener must outlive the link. Do not destroy the
// link from inside the listener.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/codec/json/typed.h"
#include "parlance/protocol/page/messages.h"
#include "parlance/transport/frames.h"

namespace parlance::driver {

// Receives the gateway's state from a PageLink, on the loop thread. The owner of the link keeps it alive longer than the link.
class PageListener {
 public:
  virtual void on_snapshot(page::Snapshot snapshot) = 0;  // after `ready`, and after changes that the gateway dropped
  virtual void on_change(page::Op change) = 0;

 protected:
  ~PageListener() = default;
};

class PageLink {
 public:
  PageLink(Loop& loop, std::unique_ptr<Frames> frames, PageListener& listener);

  // Reads to the end of the connection, then fails all open calls with the reason. Start this once. An unreadable message is
  // logged and skipped.
  Task<Error> run();
  // Requests a snapshot, with these conversations in addition.
  void ready(std::vector<std::string> conversations);
  // Returns the value of the answer. Errors: those of the gateway; disconnected (the connection ended before the answer);
  // overloaded (the message exceeds the limits of the connection).
  template <class Message>
  Task<Result<typename Message::Value>> call(Message message);
  bool ended() const { return ended_.has_value(); }

 private:
  using Answer = Result<std::string>;  // JSON of the value; empty: none

  void take(BytesView frame);
  void settle(const std::string& request, Answer answer);
  Task<Answer> ask(std::string request, std::string message);
  std::string next_request() { return "r" + std::to_string(++last_request_); }

  Loop& loop_;
  std::unique_ptr<Frames> frames_;
  PageListener& listener_;
  std::uint64_t last_request_ = 0;
  std::uint64_t last_delta_ = 0;
  std::vector<std::string> wanted_;
  std::map<std::string, std::shared_ptr<OneShot<Answer>>, std::less<>> pending_;
  std::optional<Error> ended_{};
};

template <class Message>
Task<Result<typename Message::Value>> PageLink::call(Message message) {
  message.request = next_request();
  std::string request = message.request;
  std::string text = json::to_text(page::PageMessage{std::move(message)});
  PARLANCE_CO_TRY(value, co_await ask(std::move(request), std::move(text)));
  if constexpr (std::same_as<typename Message::Value, wire::Nothing>) co_return wire::Nothing{};
  else co_return json::from_text<typename Message::Value>(value);
}

}  // namespace parlance::driver
