// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/gathering_stream.h"

#include <utility>

namespace parlance {
namespace {

class GatheringStream final : public ByteStream, private IoDone, private Timer {
 public:
  GatheringStream(Loop& loop, std::unique_ptr<ByteStream> inner, Gathering settings)
      : loop_(loop), inner_(std::move(inner)), settings_(settings) {}

  void start_read(std::span<char> into, IoDone& done) override {
    reader_ = &done;
    if (!gathers_ && in_a_row_ >= settings_.streak) gathers_ = inner_->wake_at(settings_.bytes);
    if (gathers_) Timer::start(loop_, loop_.now() + settings_.pause);
    inner_->start_read(into, *this);
  }
  std::size_t try_write(BytesView from) override {
    take_all();
    return inner_->try_write(from);
  }
  void start_write(BytesView from, IoDone& done) override {
    take_all();
    inner_->start_write(from, done);
  }
  void close_output() override { inner_->close_output(); }
  void close() override { inner_->close(); }
  void watch(HangUp* watcher) override { inner_->watch(watcher); }
  void give_up(IoDone& done) override {
    if (reader_ != &done) return inner_->give_up(done);
    reader_ = nullptr;
    inner_->give_up(*this);
  }
  std::string name() const override { return inner_->name(); }

 private:
  void on_timer() override {
    take_all();
    paused_ = true;
  }
  // Ends the gathering: the gathered bytes finish the waiting read, and later reads return at once.
  void take_all() {
    in_a_row_ = 0;
    Timer::stop();
    if (std::exchange(gathers_, false)) inner_->wake_at(1);
  }
  void on_io(Result<std::size_t> bytes) override {
    Timer::stop();
    const bool is_small = bytes && *bytes < settings_.bytes;
    // A slower flood is one all the same.
    const bool gathered = std::exchange(paused_, false) && bytes && *bytes >= settings_.bytes / 16;
    if (gathered) in_a_row_ = settings_.streak;
    else if (!gathers_) in_a_row_ = is_small && loop_.now() - last_ <= settings_.close_by ? in_a_row_ + 1 : 0;
    last_ = loop_.now();
    std::exchange(reader_, nullptr)->on_io(std::move(bytes));
  }

  Loop& loop_;
  std::unique_ptr<ByteStream> inner_;
  Gathering settings_;
  IoDone* reader_ = nullptr;
  int in_a_row_ = 0;
  bool gathers_ = false;
  bool paused_ = false;  // the whole pause has passed
  TimePoint last_{};
};

}  // namespace

std::unique_ptr<ByteStream> gathering_stream(Loop& loop, std::unique_ptr<ByteStream> inner, Gathering settings) {
  return std::make_unique<GatheringStream>(loop, std::move(inner), settings);
}

}  // namespace parlance
