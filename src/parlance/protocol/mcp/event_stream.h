// SPDX-License-Identifier: Apache-2.0
// The messages of an answer or a notification stream to a client over HTTP: in order, and kept for a reconnect
// (`Last-Event-ID`). A new reader replaces the old. Loop thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "parlance/async/channel.h"
#include "parlance/async/task.h"
#include "parlance/base/clock.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::mcp {

class EventStream {
 public:
  // `name`: first part of the event ids. Empty: no ids (2026-07-28 has no reconnect).
  EventStream(Loop& loop, std::string name) : loop_(loop), name_(std::move(name)), changed_(loop) {}

  // False: too many messages wait for this client, and this message is dropped. A reply always fits.
  bool add(std::string message, bool is_reply = false);
  void finish();         // No message follows.
  void ask_to_return();  // Ends the connection of the reader. A reconnect returns the rest.
  bool finished() const { return finished_; }
  bool return_asked() const { return return_asked_; }
  std::size_t size() const { return static_cast<std::size_t>(next_ - first_); }
  // The single message so far, if equal to the reply and final: such an answer needs no stream.
  const std::string* lone_reply() const { return finished_ && next_ == 1 && last_is_reply_ ? &kept_.back() : nullptr; }
  const std::string* reply() const { return last_is_reply_ && !kept_.empty() ? &kept_.back() : nullptr; }
  std::uint64_t sent() const { return sent_; }  // The last event passed to any reader.
  TimePoint quiet_since() const { return quiet_since_; }
  bool has_reader() const { return reading_ != 0; }

  // Waits for a message, for the end, or until `until`.
  Task<void> wait(TimePoint until);
  auto wait_for_end() { return changed_.wait(); }  // Waits for any change: loop on finished().

  // Sends the messages after the event `from` (0: all), until the end, a new reader, or a request to return. The exchange has
  // begun its answer. `priming`: first an event without data, as an id for a reconnect.
  Task<Result<void>> send(HttpExchange& exchange, std::uint64_t from, bool priming);

 private:
  bool ready(std::uint64_t from) const { return next_ > from || finished_ || return_asked_; }
  std::string event_text(std::uint64_t number, const std::string& message) const;

  Loop& loop_;
  std::string name_;
  Signal changed_;
  std::deque<std::string> kept_;  // Events first_ … next_ - 1; the event id is the index plus one.
  std::uint64_t first_ = 0;
  std::uint64_t next_ = 0;
  std::uint64_t sent_ = 0;
  std::size_t bytes_ = 0;
  bool finished_ = false;
  bool return_asked_ = false;
  bool last_is_reply_ = false;
  std::uint64_t reader_ = 0;  // Number of the latest reader.
  int reading_ = 0;
  TimePoint quiet_since_{};
};

}  // namespace parlance::mcp
