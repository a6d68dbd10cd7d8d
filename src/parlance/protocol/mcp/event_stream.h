// SPDX-License-Identifier: Apache-2.0
// What goes to a client over HTTP as one answer or one stream of notifications: messages in order, kept for a client that loses the
// connection and comes back (`Last-Event-ID`). One reader at a time; a new one takes the place of the one before. Loop thread only.
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
  // `name`: first part of the event ids; "" when none are sent (2026-07-28 has no coming back).
  EventStream(Loop& loop, std::string name) : loop_(loop), name_(std::move(name)), changed_(loop) {}

  // False: too much waits for this client, and the message is dropped. A reply always finds room.
  bool add(std::string message, bool is_reply = false);
  void finish();         // nothing more will come
  void ask_to_return();  // ends the connection of the reader, who comes back for the rest
  bool finished() const { return finished_; }
  bool return_asked() const { return return_asked_; }
  std::size_t size() const { return static_cast<std::size_t>(next_ - first_); }
  // The only message so far, when it is the reply and all there is: such an answer needs no stream.
  const std::string* lone_reply() const { return finished_ && next_ == 1 && last_is_reply_ ? &kept_.back() : nullptr; }
  const std::string* reply() const { return last_is_reply_ && !kept_.empty() ? &kept_.back() : nullptr; }
  std::uint64_t sent() const { return sent_; }  // the last event that any reader was given
  TimePoint quiet_since() const { return quiet_since_; }
  bool has_reader() const { return reading_ != 0; }

  // Waits until something is there to send, or it is finished, or `until`.
  Task<void> wait(TimePoint until);
  auto wait_for_end() { return changed_.wait(); }  // for a change, in fact: loop on finished()

  // Sends what comes after the event `from` (0: all), until it is finished, the reader is replaced or asked to return. The exchange
  // has begun its answer. `priming`: an event without data first, so that a client has an id to come back with.
  Task<Result<void>> send(HttpExchange& exchange, std::uint64_t from, bool priming);

 private:
  bool ready(std::uint64_t from) const { return next_ > from || finished_ || return_asked_; }
  std::string event_text(std::uint64_t number, const std::string& message) const;

  Loop& loop_;
  std::string name_;
  Signal changed_;
  std::deque<std::string> kept_;  // events first_ … next_ - 1; the event id is the index plus one
  std::uint64_t first_ = 0;
  std::uint64_t next_ = 0;
  std::uint64_t sent_ = 0;
  std::size_t bytes_ = 0;
  bool finished_ = false;
  bool return_asked_ = false;
  bool last_is_reply_ = false;
  std::uint64_t reader_ = 0;  // number of the latest
  int reading_ = 0;
  TimePoint quiet_since_{};
};

}  // namespace parlance::mcp
