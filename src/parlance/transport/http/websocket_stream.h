// SPDX-License-Identifier: Apache-2.0
// The implementation of websocket_frames(). The HTTP server derives from it, to count its WebSockets and to complete their
// close. For the .cpp files of this folder only.
#pragma once

#include <optional>
#include <vector>

#include "parlance/transport/http/websocket_frames.h"
#include "parlance/transport/output_queue.h"
#include "parlance/transport/read_buffer.h"
#include "parlance/transport/shared_output.h"

namespace parlance {

class WebSocketStream : public WebSocketFrames,
                        public SharedOutput,
                        private OutputQueue::Owner,
                        private IoDone,
                        private Timer,
                        private Ready {
 public:
  WebSocketStream(Loop& loop, std::unique_ptr<ByteStream> stream, WebSocketSettings settings);
  ~WebSocketStream() override;

  void start_read(FramesDone& done) override;
  void stop_read() override { reader_ = nullptr; }
  bool congested() const override { return output_.congested(); }
  Signal& drained() override { return output_.drained(); }
  std::size_t queued_bytes() const override { return output_.queued_bytes(); }
  void watch(HangUp* watcher) override;
  void finish() override;
  void close() override;
  std::string name() const override { return name_; }

  Result<void> send_joined(std::span<const SharedBytes> parts) override;
  void only_text() override { only_text_ = true; }
  void ping(PingDone& done) override;
  void stop_ping() override { pinging_ = nullptr; }
  void close_with(std::uint16_t code, std::string_view reason) override;
  const std::string& subprotocol() const override { return settings_.subprotocol; }
  std::uint16_t close_code() const override { return close_code_; }
  const std::string& close_reason() const override { return close_reason_; }

 protected:
  std::string& begin_frame() override;
  Result<void> end_frame() override;
  void abandon_frame() override { output_.buffer().resize(begun_at_); }

  // The stream is closed, and only a reader receives anything further. Do not destroy the object from inside.
  virtual void on_closed() {}

 private:
  // Progress of the end. Each state includes the earlier states.
  enum class State : std::uint8_t {
    open,
    finishing,  // We sent a close frame. Input continues.
    closing,    // Input is read and dropped, so that the system sends no reset.
    closed,     // The stream is closed.
  };

  void on_io(Result<std::size_t> bytes) override;
  void on_ready() override { deliver(); }
  void on_timer() override;
  void on_output_sent() override;
  void on_output_failed(Error error) override;

  void read_more(std::size_t wanted);
  void discard_more();
  void deliver();
  // Decodes the buffer into batch_. `wanted`: total size of the next frame, if known.
  void decode(std::size_t& wanted);
  void handle_pong(BytesView payload);
  void handle_close(std::uint16_t code, BytesView reason);
  // Ends the reader's input. Queued output still leaves, then the stream is closed.
  void end_with(std::optional<Error> error);
  void begin_closing();
  void queue_close(std::uint16_t code, std::string_view reason);
  void shut();
  void finish_read(FramesRead batch);
  void send_ping();
  websocket::MaskSource* masks() { return settings_.role == websocket::Role::client ? &masks_ : nullptr; }

  Loop& loop_;
  WebSocketSettings settings_;
  std::string name_;
  websocket::Decoder decoder_;
  websocket::MaskSource masks_;
  ReadBuffer input_;
  std::vector<BytesView> batch_;
  FramesDone* reader_ = nullptr;
  std::optional<Error> error_;  // Result of every read after the end of input.
  HangUp* watcher_ = nullptr;
  bool only_text_ = false;
  PingDone* pinging_ = nullptr;
  std::uint64_t pings_ = 0;  // Payload of the last requested ping.
  std::string close_reason_;
  std::size_t begun_at_ = 0;
  std::uint16_t close_code_ = 0;
  State state_ = State::open;
  Input from_peer_ = Input::idle;
  bool input_ended_ = false;  // No further frame follows.
  bool unseen_ = false;       // input_ has undecoded bytes.
  bool unanswered_ = false;   // No input arrived since the last ping.
  std::uint8_t missed_pings_ = 0;
  OutputQueue output_;
  std::unique_ptr<ByteStream> stream_;  // Last member: its destructor ends the reads and writes in progress.
};

}  // namespace parlance
