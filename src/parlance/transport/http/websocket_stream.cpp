// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/websocket_stream.h"

#include <array>

namespace parlance {
namespace {

using websocket::Decoder;
using websocket::Opcode;
namespace close_code = websocket::close_code;

// Frames handed over at once. More stay in the buffer for the next read: a batch of views is bounded memory.
constexpr std::size_t most_frames_in_a_batch = 1024;
// Smaller parts are copied: each shared part needs a separate system call.
constexpr std::size_t least_shared_bytes = 32 << 10;
// Unanswered pings before the connection is given up.
constexpr int most_missed_pings = 2;
// For a peer that pings without reading: with more queued output, pongs are dropped (RFC 6455, section 5.5.3 permits this).
constexpr std::size_t most_output_before_pong = 64 << 10;

}  // namespace

WebSocketStream::WebSocketStream(Loop& loop, std::unique_ptr<ByteStream> stream, WebSocketSettings settings)
    : loop_(loop),
      settings_(std::move(settings)),
      name_(stream->name()),
      decoder_(settings_.role, settings_.message_bytes),
      output_(loop, *stream, *this, {.stall = settings_.stall}),
      stream_(std::move(stream)) {
  if (!settings_.already_read.empty()) {
    input_.append(settings_.already_read);
    settings_.already_read = {};
    unseen_ = true;
  }
  if (!settings_.send_first.empty()) {
    output_.buffer() = std::exchange(settings_.send_first, {});
    output_.schedule();
  }
  if (settings_.ping.count() != 0) start(loop_, loop_.now() + settings_.ping);
}

WebSocketStream::~WebSocketStream() {
  if (state_ == State::closed) return;
  queue_close(close_code::going_away, {});
  output_.send_now();  // bytes that the system does not accept at once are lost
}

// ---- reading ---------------------------------------------------------------------------------------------------------

void WebSocketStream::start_read(FramesDone& done) {
  PARLANCE_CHECK(reader_ == nullptr, "one read at a time");
  reader_ = &done;
  if (unseen_ || error_ || input_ended_ || state_ >= State::closing) loop_.wake(*this);
  else if (from_peer_ != Input::reading) read_more(0);
}

void WebSocketStream::read_more(std::size_t wanted) {
  from_peer_ = Input::reading;
  stream_->start_read(input_.room(wanted), *this);
}

// For ignored input; never read, so shared by all streams.
void WebSocketStream::discard_more() {
  static thread_local std::array<char, 4096> dropped;
  from_peer_ = Input::reading;
  stream_->start_read(dropped, *this);
}

void WebSocketStream::on_io(Result<std::size_t> bytes) {
  from_peer_ = Input::idle;
  if (state_ == State::closing) {
    if (bytes && *bytes != 0) return discard_more();
    from_peer_ = Input::ended;
    if (!bytes || output_.queued_bytes() == 0) shut();
    return;
  }
  if (state_ == State::closed) return;
  if (bytes && *bytes != 0) {
    input_.commit(*bytes);
    unanswered_ = false;
    unseen_ = true;
  } else {
    close_code_ = close_code::abnormal;
    end_with(bytes ? Error{.code = Errc::disconnected, .message = name_ + ": the connection ended without a close frame"}
                   : std::move(bytes).error());
  }
  deliver();
}

void WebSocketStream::deliver() {
  if (reader_ == nullptr) return;
  std::size_t wanted = 0;
  batch_.clear();
  if (unseen_ && state_ < State::closing) decode(wanted);
  if (!batch_.empty()) return finish_read(FrameBatch{.frames = batch_});
  if (error_) return finish_read(std::unexpected(*error_));
  if (input_ended_) return finish_read(FrameBatch{});
  if (state_ == State::closed)
    return finish_read(std::unexpected(Error{.code = Errc::disconnected, .message = name_ + ": the connection is closed"}));
  if (from_peer_ != Input::reading) read_more(wanted);
}

void WebSocketStream::decode(std::size_t& wanted) {
  unseen_ = false;
  while (!input_ended_) {
    const Decoder::Step step = decoder_.next(input_.bytes());
    input_.consume(step.consumed);
    switch (step.kind) {
      case Decoder::Step::need_more: wanted = step.wanted; return;
      case Decoder::Step::fragment: break;
      case Decoder::Step::pong: handle_pong(step.payload); break;
      case Decoder::Step::ping:
        if (state_ == State::open && output_.queued_bytes() < most_output_before_pong) {
          websocket::append_frame(output_.buffer(), Opcode::pong, step.payload, masks());
          output_.schedule();
        }
        break;
      case Decoder::Step::message:
        if (only_text_ && !step.is_text) break;
        batch_.push_back(step.payload);
        if (step.assembled || batch_.size() == most_frames_in_a_batch) {  // The next step would overwrite an assembled message.
          unseen_ = true;
          return;
        }
        break;
      case Decoder::Step::close: handle_close(step.code, step.payload); return;
      case Decoder::Step::failed:
        queue_close(step.code, step.error);
        end_with(Error{.code = step.code == close_code::too_large ? Errc::overloaded : Errc::failed,
                       .message = name_ + ": " + std::string(step.error)});
        return;
    }
  }
}

// A receiver of several pings may answer only the last (RFC 6455, section 5.5.3): each ping carries the data of the last request.
void WebSocketStream::handle_pong(BytesView payload) {
  if (pinging_ != nullptr && payload == std::to_string(pings_)) std::exchange(pinging_, nullptr)->on_pong();
}

void WebSocketStream::handle_close(std::uint16_t code, BytesView reason) {
  close_code_ = code;
  close_reason_ = reason;
  queue_close(code, {});  // The answer repeats the code.
  if (code == close_code::normal || code == close_code::going_away || code == close_code::none) {
    end_with(std::nullopt);
    return;
  }
  std::string text = name_ + ": closed with " + std::to_string(code);
  if (!reason.empty()) text += ": " + std::string(reason);
  end_with(Error{.code = Errc::disconnected, .message = std::move(text)});
}

void WebSocketStream::end_with(std::optional<Error> error) {
  input_ended_ = true;
  unseen_ = false;
  if (state_ >= State::closing) return;
  error_ = std::move(error);
  if (output_.failed() || close_code_ == close_code::abnormal) shut();
  else begin_closing();
}

void WebSocketStream::begin_closing() {
  state_ = State::closing;
  start(loop_, loop_.now() + settings_.close_grace);
  if (from_peer_ != Input::reading) discard_more();
  if (output_.queued_bytes() == 0) on_output_sent();
}

void WebSocketStream::finish_read(FramesRead batch) { std::exchange(reader_, nullptr)->on_frames(std::move(batch)); }

// ---- writing ---------------------------------------------------------------------------------------------------------

std::string& WebSocketStream::begin_frame() {
  begun_at_ = output_.buffer().size();
  websocket::begin_frame(output_.buffer(), masks());
  return output_.buffer();
}

Result<void> WebSocketStream::end_frame() {
  if (state_ != State::open || output_.failed()) {
    abandon_frame();
    return {};
  }
  websocket::end_frame(output_.buffer(), begun_at_, Opcode::text, masks());
  output_.schedule();
  return {};
}

Result<void> WebSocketStream::send_joined(std::span<const SharedBytes> parts) {
  const bool masked = settings_.role == websocket::Role::client;  // a mask is the frame's own
  std::size_t length = 0;
  for (const SharedBytes& part : parts) length += part->size();
  if (masked || length < least_shared_bytes)
    return compose([parts](std::string& out) -> Result<void> {
      for (const SharedBytes& part : parts) out += *part;
      return {};
    });
  if (state_ != State::open || output_.failed()) return {};
  websocket::append_header(output_.buffer(), Opcode::text, length);
  for (const SharedBytes& part : parts) {
    if (part->size() < least_shared_bytes) output_.buffer() += *part;
    else output_.append_shared(part);
  }
  output_.schedule();
  return {};
}

void WebSocketStream::ping(PingDone& done) {
  pinging_ = &done;
  if (state_ != State::open || output_.failed()) return;
  websocket::append_frame(output_.buffer(), Opcode::ping, std::to_string(++pings_), masks());
  output_.schedule();
}

// Both close frames have passed, or the rest is ignored: the server ends its output and waits for the client's end, the client
// waits for the server (RFC 6455, section 7.1.1).
void WebSocketStream::on_output_sent() {
  if (state_ != State::closing) return;
  if (from_peer_ == Input::ended) shut();
  else if (settings_.role == websocket::Role::server) stream_->close_output();
}

void WebSocketStream::on_output_failed(Error error) {
  if (close_code_ == 0) close_code_ = close_code::abnormal;
  if (state_ < State::closing) error_ = std::move(error);
  input_ended_ = true;
  shut();
}

// ---- the end ---------------------------------------------------------------------------------------------------------

void WebSocketStream::queue_close(std::uint16_t code, std::string_view reason) {
  if (state_ != State::open) return;
  state_ = State::finishing;
  websocket::append_close(output_.buffer(), code, reason, masks());
  output_.schedule();
}

// A close frame ends both directions: after the handshake, reads stop.
void WebSocketStream::watch(HangUp* watcher) {
  watcher_ = watcher;
  if (watcher_ != nullptr && state_ == State::closed) std::exchange(watcher_, nullptr)->on_hang_up();
}

void WebSocketStream::finish() {
  if (state_ != State::open) return;
  queue_close(close_code::normal, {});
  start(loop_, loop_.now() + settings_.close_grace);
}

void WebSocketStream::close_with(std::uint16_t code, std::string_view reason) {
  if (state_ >= State::closing) return;
  queue_close(code, reason);
  input_ended_ = true;
  begin_closing();
  if (reader_ != nullptr) loop_.wake(*this);
}

void WebSocketStream::close() {
  if (state_ == State::closed) return;
  queue_close(close_code::normal, {});
  output_.send_now();
  shut();
}

void WebSocketStream::shut() {
  if (state_ == State::closed) return;
  state_ = State::closed;
  stop();
  output_.abandon();
  stream_->close();
  if (reader_ != nullptr) loop_.wake(*this);
  if (watcher_ != nullptr) std::exchange(watcher_, nullptr)->on_hang_up();
  on_closed();
}

// ---- time ------------------------------------------------------------------------------------------------------------

void WebSocketStream::on_timer() {
  if (state_ != State::open) {  // The other side had its time to answer our close frame.
    input_ended_ = true;
    shut();
    return;
  }
  // Only while we read can an answer be seen.
  missed_pings_ = unanswered_ && from_peer_ == Input::reading ? static_cast<std::uint8_t>(missed_pings_ + 1) : std::uint8_t{0};
  if (missed_pings_ >= most_missed_pings) {
    close_code_ = close_code::abnormal;
    end_with(Error{.code = Errc::disconnected, .message = name_ + ": the other side answers no ping"});
    return;
  }
  send_ping();
  start(loop_, loop_.now() + settings_.ping);
}

void WebSocketStream::send_ping() {
  unanswered_ = true;
  if (output_.queued_bytes() != 0) return;  // queued bytes will show whether the other side lives
  websocket::append_frame(output_.buffer(), Opcode::ping, pinging_ == nullptr ? "" : std::to_string(pings_), masks());
  output_.schedule();
}

std::unique_ptr<WebSocketFrames> websocket_frames(Loop& loop, std::unique_ptr<ByteStream> stream, WebSocketSettings settings) {
  return std::make_unique<WebSocketStream>(loop, std::move(stream), std::move(settings));
}

}  // namespace parlance
