// Frames without a connection: messages are handed in one by one, and what the peer sends is handed out with its route. HTTP servers
// and clients stand on it, where every message has an exchange of its own. Loop thread only.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parlance/protocol/mcp/routing.h"
#include "parlance/transport/frames.h"

namespace parlance::mcp {

class MessageFrames final : public Frames, private Ready {
 public:
  using Sink = std::function<void(const Route& route, std::string frame)>;
  // `sink` is called while the peer sends, and must not call the peer.
  MessageFrames(Loop& loop, std::string name, std::shared_ptr<Route> route, Sink sink)
      : loop_(loop), name_(std::move(name)), route_(std::move(route)), sink_(std::move(sink)), drained_(loop) {}

  void receive(std::string message);  // read by the peer in this turn
  void end();                         // no more messages: a clean end
  void fail(Error error);             // … or a broken one

  void start_read(FramesDone& done) override;
  void stop_read() override { reader_ = nullptr; }
  bool congested() const override { return false; }  // the sink bounds what it keeps, stream by stream
  Signal& drained() override { return drained_; }
  std::size_t queued_bytes() const override { return 0; }
  void finish() override {}
  void close() override;
  std::string name() const override { return name_; }

 protected:
  std::string& begin_frame() override { return frame_; }
  Result<void> end_frame() override;
  void abandon_frame() override { frame_.clear(); }

 private:
  void on_ready() override;

  Loop& loop_;
  std::string name_;
  std::shared_ptr<Route> route_;
  Sink sink_;
  Signal drained_;
  FramesDone* reader_ = nullptr;
  std::deque<std::string> waiting_;
  std::vector<std::string> batch_;  // what the reader looks at now
  std::vector<BytesView> views_;
  std::optional<Error> error_;
  bool ended_ = false;
  std::string frame_;
};

}  // namespace parlance::mcp
