// SPDX-License-Identifier: Apache-2.0
// What websocket_frames() makes. The HTTP server derives from it, to know its WebSockets and to see their closing through.
// For the .cpp files of this folder only.
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

  // The stream is closed and nothing will be told any more, except to a reader. Not to be destroyed from inside.
  virtual void on_closed() {}

 private:
  // How far the end has come. Each state includes those before it.
  enum class State : std::uint8_t {
    open,
    finishing,  // we sent a close frame; input goes on
    closing,    // … and what comes in is of no interest: it is read and dropped, so that the system sends no reset
    closed,     // the stream is closed
  };

  void on_io(Result<std::size_t> bytes) override;
  void on_ready() override { deliver(); }
  void on_timer() override;
  void on_output_sent() override;
  void on_output_failed(Error error) override;

  void read_more(std::size_t wanted);
  void discard_more();
  void deliver();
  // Decodes what the buffer holds into batch_. `wanted`: bytes of the next frame in all, as far as that is known.
  void decode(std::size_t& wanted);
  void handle_pong(BytesView payload);
  void handle_close(std::uint16_t code, BytesView reason);
  // Nothing more comes in for the reader. What is queued still leaves, then the stream is closed.
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
  std::optional<Error> error_;  // what every read is told once the input has ended
  HangUp* watcher_ = nullptr;
  bool only_text_ = false;
  PingDone* pinging_ = nullptr;
  std::uint64_t pings_ = 0;  // that somebody asked for: the payload of the last one
  std::string close_reason_;
  std::size_t begun_at_ = 0;
  std::uint16_t close_code_ = 0;
  State state_ = State::open;
  bool input_ended_ = false;  // no further frame will come
  bool reading_ = false;
  bool peer_ended_ = false;  // the stream's input is at its end
  bool unseen_ = false;      // input_ holds bytes that were not decoded yet
  bool heard_ = false;       // something came since the last ping
  bool pinged_ = false;
  std::uint8_t missed_pings_ = 0;
  OutputQueue output_;
  std::unique_ptr<ByteStream> stream_;  // last: its end ends the reads and writes in progress
};

}  // namespace parlance
