#include "parlance/transport/gathering_stream.h"

#include <utility>

namespace parlance {
namespace {

class GatheringStream final : public ByteStream, private IoDone, private Timer {
 public:
  GatheringStream(Loop& loop, std::unique_ptr<ByteStream> inner, Gathering settings)
      : loop_(loop), inner_(std::move(inner)), settings_(settings) {}

  void start_read(std::span<char> into, IoDone& done) override {
    into_ = into;
    reader_ = &done;
    if (in_a_row_ < settings_.streak) inner_->start_read(into_, *this);
    else Timer::start(loop_, loop_.now() + settings_.pause);
  }
  std::size_t try_write(BytesView from) override {
    in_a_row_ = 0;
    return inner_->try_write(from);
  }
  void start_write(BytesView from, IoDone& done) override {
    in_a_row_ = 0;
    inner_->start_write(from, done);
  }
  void close_output() override { inner_->close_output(); }
  void close() override {
    inner_->close();
    if (Timer::running()) on_timer();  // the read ends as the inner stream ends it
  }
  void watch(HangUp* watcher) override { inner_->watch(watcher); }
  void give_up(IoDone& done) override {
    if (reader_ != &done) return inner_->give_up(done);
    reader_ = nullptr;
    if (!Timer::running()) return inner_->give_up(*this);
    Timer::stop();
    inner_->close();
  }
  std::string name() const override { return inner_->name(); }

 private:
  void on_timer() override {
    Timer::stop();
    paused_ = true;
    inner_->start_read(into_, *this);
  }
  void on_io(Result<std::size_t> bytes) override {
    const bool is_small = bytes && *bytes < settings_.small_bytes;
    const bool is_close = loop_.now() - last_ <= settings_.close_by;
    if (std::exchange(paused_, false)) {
      if (!is_close) in_a_row_ = 0;
    } else {
      in_a_row_ = is_small && is_close ? in_a_row_ + 1 : 0;
    }
    last_ = loop_.now();
    std::exchange(reader_, nullptr)->on_io(std::move(bytes));
  }

  Loop& loop_;
  std::unique_ptr<ByteStream> inner_;
  Gathering settings_;
  std::span<char> into_;
  IoDone* reader_ = nullptr;
  int in_a_row_ = 0;
  bool paused_ = false;
  TimePoint last_{};
};

}  // namespace

std::unique_ptr<ByteStream> gathering_stream(Loop& loop, std::unique_ptr<ByteStream> inner, Gathering settings) {
  return std::make_unique<GatheringStream>(loop, std::move(inner), settings);
}

}  // namespace parlance
