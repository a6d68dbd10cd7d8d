// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/event_stream.h"

#include <algorithm>

#include "parlance/protocol/mcp/limits.h"
#include "parlance/transport/http/limits.h"
#include "parlance/transport/limits.h"

namespace parlance::mcp {

bool EventStream::add(std::string message, bool is_reply) {
  if (finished_) return false;
  if (!is_reply && bytes_ + message.size() > limits::mcp_stream_bytes && !kept_.empty()) {
    // Sent messages are kept only for a returning client; unsent messages must not be lost silently in the middle.
    if (reading_ != 0 || bytes_ > 2 * limits::mcp_stream_bytes) return false;
    while (!kept_.empty() && bytes_ + message.size() > limits::mcp_stream_bytes) {
      bytes_ -= kept_.front().size();
      kept_.pop_front();
      ++first_;
    }
  }
  bytes_ += message.size();
  kept_.push_back(std::move(message));
  ++next_;
  last_is_reply_ = is_reply;
  quiet_since_ = loop_.now();
  changed_.notify_all();
  return true;
}

void EventStream::finish() {
  finished_ = true;
  quiet_since_ = loop_.now();
  changed_.notify_all();
}

void EventStream::ask_to_return() {
  return_asked_ = true;
  changed_.notify_all();
}

Task<void> EventStream::wait(TimePoint until) {
  const auto waiting = [](EventStream& stream) -> Task<Result<void>> {
    while (!stream.ready(0)) co_await stream.changed_.wait();
    co_return Result<void>{};
  };
  static_cast<void>(co_await with_deadline(loop_, until, waiting(*this)));
}

std::string EventStream::event_text(std::uint64_t number, const std::string& message) const {
  std::string text = "event: message\n";
  if (!name_.empty()) text += "id: " + name_ + '-' + std::to_string(number) + '\n';
  // A message is one line of JSON: line ends inside of texts are escaped.
  return text + "data: " + message + "\n\n";
}

Task<Result<void>> EventStream::send(HttpExchange& exchange, std::uint64_t from, bool priming) {
  struct Reading {
    EventStream& stream;
    explicit Reading(EventStream& s) : stream(s) { ++stream.reading_; }
    ~Reading() {
      --stream.reading_;
      stream.quiet_since_ = stream.loop_.now();
    }
  } reading(*this);
  const std::uint64_t self = ++reader_;
  changed_.notify_all();  // the reader before us ends
  if (priming && !name_.empty()) {
    std::string text = "id: " + name_ + '-' + std::to_string(from) +
                       "\nretry: " + std::to_string(std::chrono::milliseconds(limits::mcp_retry).count()) + "\ndata: \n\n";
    PARLANCE_CO_TRY_DO(co_await exchange.write(std::move(text)));
  }
  from = std::max(from, first_);
  for (;;) {
    std::string batch;
    for (; from < next_ && reader_ == self; ++from) {
      batch += event_text(from + 1, kept_[static_cast<std::size_t>(from - first_)]);
      if (batch.size() > limits::write_queue_bytes) {
        ++from;
        break;
      }
    }
    if (!batch.empty()) {
      sent_ = std::max(sent_, from);
      PARLANCE_CO_TRY_DO(co_await exchange.write(std::move(batch)));
      from = std::max(from, first_);
      continue;
    }
    if (finished_ || reader_ != self) break;
    if (std::exchange(return_asked_, false)) break;
    const auto waiting = [](EventStream& stream, std::uint64_t at, std::uint64_t me) -> Task<Result<void>> {
      while (!stream.ready(at) && stream.reader_ == me) co_await stream.changed_.wait();
      co_return Result<void>{};
    };
    const auto came = co_await with_deadline(loop_, loop_.now() + limits::sse_keep_alive, waiting(*this, from, self));
    if (!came) PARLANCE_CO_TRY_DO(co_await exchange.write(": alive\n\n"));
  }
  co_return co_await exchange.end();
}

}  // namespace parlance::mcp
