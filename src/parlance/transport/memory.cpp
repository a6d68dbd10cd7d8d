// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/memory.h"

#include <array>
#include <cstring>

namespace parlance {
namespace {

// One direction, held by both ends. The ready queue resumes the waiter, never a call.
class Pipe final : public Ready, public std::enable_shared_from_this<Pipe> {
 public:
  Pipe(Loop& loop, MemoryOptions options) : loop_(loop), options_(options) {}

  void read(std::span<char> into, IoDone& done) {
    into_ = into;
    reader_ = &done;
    loop_.wake(*this);
  }
  std::size_t try_write(BytesView from) {
    if (ended_ || broken_ || writer_ != nullptr) return 0;
    const std::size_t room = options_.capacity - std::min(bytes_.size(), options_.capacity);
    const BytesView taken = from.substr(0, room);
    bytes_ += taken;
    if (reader_ != nullptr) loop_.wake(*this);
    return taken.size();
  }
  void write(BytesView from, IoDone& done) {
    from_ = from;
    wanted_ = from.size();
    writer_ = &done;
    loop_.wake(*this);
  }
  void end() {
    ended_ = true;
    loop_.wake(*this);
  }
  void break_off() {  // an end was closed: reads and writes fail
    broken_ = true;
    loop_.wake(*this);
  }
  void forget(const IoDone& done) {
    if (reader_ == &done) reader_ = nullptr;
    if (writer_ == &done) writer_ = nullptr;
  }
  void watch(HangUp* watcher) {
    watcher_ = watcher;
    if (broken_) loop_.wake(*this);
  }
  void forget_reader() { reader_ = nullptr; }
  void forget_writer() { writer_ = nullptr; }
  bool reading_side_closed = false;

  void on_ready() override {
    const auto keep = shared_from_this();  // a callback may drop both ends
    serve_writer();
    serve_reader();
    serve_writer();
    if (broken_ && watcher_ != nullptr) std::exchange(watcher_, nullptr)->on_hang_up();
  }

 private:
  void serve_writer() {
    if (writer_ == nullptr) return;
    if (broken_ || ended_) {
      std::exchange(writer_, nullptr)->on_io(fail(Errc::disconnected, "memory: closed"));
      return;
    }
    const std::size_t room = options_.capacity - std::min(bytes_.size(), options_.capacity);
    bytes_ += from_.substr(0, room);
    from_.remove_prefix(std::min(room, from_.size()));
    if (from_.empty()) std::exchange(writer_, nullptr)->on_io(wanted_);
  }
  void serve_reader() {
    if (reader_ == nullptr) return;
    if (reading_side_closed) {
      std::exchange(reader_, nullptr)->on_io(fail(Errc::disconnected, "memory: closed"));
    } else if (!bytes_.empty()) {
      const std::size_t count = options_.one_byte_reads ? 1 : std::min(into_.size(), bytes_.size());
      std::memcpy(into_.data(), bytes_.data(), count);
      bytes_.erase(0, count);
      std::exchange(reader_, nullptr)->on_io(count);
    } else if (ended_ || broken_) {
      std::exchange(reader_, nullptr)->on_io(std::size_t{0});
    }
  }

  Loop& loop_;
  MemoryOptions options_;
  std::string bytes_;
  bool ended_ = false;
  bool broken_ = false;
  std::span<char> into_;
  IoDone* reader_ = nullptr;
  BytesView from_;
  std::size_t wanted_ = 0;
  IoDone* writer_ = nullptr;
  HangUp* watcher_ = nullptr;
};

class MemoryStream final : public ByteStream {
 public:
  MemoryStream(std::shared_ptr<Pipe> in, std::shared_ptr<Pipe> out) : in_(std::move(in)), out_(std::move(out)) {}
  ~MemoryStream() {
    in_->forget_reader();
    out_->forget_writer();
    out_->watch(nullptr);
    close();
  }
  void start_read(std::span<char> into, IoDone& done) override { in_->read(into, done); }
  std::size_t try_write(BytesView from) override { return out_->try_write(from); }
  void start_write(BytesView from, IoDone& done) override { out_->write(from, done); }
  void close_output() override { out_->end(); }
  void watch(HangUp* watcher) override { out_->watch(watcher); }
  void close() override {
    in_->reading_side_closed = true;
    in_->break_off();
    out_->end();
  }
  void give_up(IoDone& done) override {
    in_->forget(done);
    out_->forget(done);
    close();
  }
  std::string name() const override { return "memory"; }

 private:
  std::shared_ptr<Pipe> in_;
  std::shared_ptr<Pipe> out_;
};

}  // namespace

std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> memory_pair(Loop& loop, MemoryOptions options) {
  auto there = std::make_shared<Pipe>(loop, options);
  auto back = std::make_shared<Pipe>(loop, options);
  return {std::make_unique<MemoryStream>(back, there), std::make_unique<MemoryStream>(there, back)};
}

}  // namespace parlance
