#include "parlance/protocol/editor/line_writes.h"

#include <utility>

namespace parlance::editor {
namespace {

BytesView first_line(BytesView bytes) {
  const std::size_t end = bytes.find('\n');
  return bytes.substr(0, end == BytesView::npos ? bytes.size() : end + 1);
}

class LineWrites final : public ByteStream, private IoDone {
 public:
  explicit LineWrites(std::unique_ptr<ByteStream> inner) : inner_(std::move(inner)) {}

  void start_read(std::span<char> into, IoDone& done) override { inner_->start_read(into, done); }

  std::size_t try_write(BytesView from) override {
    std::size_t written = 0;
    while (written < from.size()) {
      const BytesView line = first_line(from.substr(written));
      const std::size_t taken = inner_->try_write(line);
      written += taken;
      if (taken < line.size()) break;
    }
    return written;
  }

  void start_write(BytesView from, IoDone& done) override {
    writer_ = &done;
    all_ = from.size();
    rest_ = from;
    write_line();
  }

  void close_output() override { inner_->close_output(); }
  void close() override { inner_->close(); }
  void watch(HangUp* watcher) override { inner_->watch(watcher); }
  void give_up(IoDone& done) override {
    if (&done != writer_) return inner_->give_up(done);
    writer_ = nullptr;
    inner_->give_up(*this);
  }
  std::string name() const override { return inner_->name(); }

 private:
  void write_line() {
    const BytesView line = first_line(rest_);
    rest_.remove_prefix(line.size());
    inner_->start_write(line, *this);
  }
  void on_io(Result<std::size_t> written) override {
    if (written && !rest_.empty()) return write_line();
    if (written) written = all_;
    std::exchange(writer_, nullptr)->on_io(std::move(written));
  }

  std::unique_ptr<ByteStream> inner_;
  IoDone* writer_ = nullptr;
  BytesView rest_;
  std::size_t all_ = 0;
};

}  // namespace

std::unique_ptr<ByteStream> line_writes(std::unique_ptr<ByteStream> stream) {
  return std::make_unique<LineWrites>(std::move(stream));
}

}  // namespace parlance::editor
