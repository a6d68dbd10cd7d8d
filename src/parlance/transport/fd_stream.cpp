// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/fd_stream.h"

#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>

#include "parlance/async/loop_asio.h"

namespace parlance {
namespace {

namespace asio = boost::asio;
using Error_code = boost::system::error_code;
using AsioSocket = asio::basic_stream_socket<asio::generic::stream_protocol, AsioExecutor>;

Error io_error(const std::string& name, const Error_code& code) {
  if (code == asio::error::operation_aborted || code == asio::error::bad_descriptor)
    return Error{.code = Errc::disconnected, .message = name + ": closed"};
  Error error = system_error(name, code.value());
  error.code = Errc::disconnected;
  return error;
}

bool hung_up(int fd) {
  pollfd asked{.fd = fd, .events = 0, .revents = 0};
  return ::poll(&asked, 1, 0) == 1 && (asked.revents & (POLLHUP | POLLERR)) != 0;
}

// The common part of both kinds of descriptor. The state outlives the stream as long as Asio holds an operation.
//
// Without polling before waits (BusyPoll), Asio asks the kernel once more (EAGAIN) after every read, for sockets and pipes. This
// costs 4 system calls for each message, where a hand-written epoll loop needs 3. Asio's alternative, async_wait, costs an
// epoll_ctl instead. Both ends together lose 0.3 microseconds: too little for our own reactor.
template <class Descriptor>
struct State final : Pollable, std::enable_shared_from_this<State<Descriptor>> {
  static constexpr bool is_socket = std::is_same_v<Descriptor, AsioSocket>;

  State(Loop& l, std::string n, ReadWait wait)
      : loop(l),
        busy_poll(wait == ReadWait::looking ? &l.busy_poll() : nullptr),
        name(std::move(n)),
        input(io_of(l)),
        output(io_of(l)) {}

  void start_read(std::span<char> buffer, IoDone& done) {
    reader = &done;
    into = buffer;
    if (gathers) wait_for_enough();
    else if (busy_poll == nullptr || !busy_poll->take(*this)) wait();
  }

  ssize_t read_now() {
    if constexpr (is_socket) return ::recv(input.native_handle(), into.data(), into.size(), 0);  // 50 ns less than read
    else return ::read(input.native_handle(), into.data(), into.size());
  }

  bool poll_now(TimePoint now) override {
    const ssize_t n = read_now();
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    const Error_code code(n < 0 ? errno : 0, boost::system::system_category());
    const auto self = this->shared_from_this();
    Loop::Turn turn(loop, now);
    came(code, n < 0 ? 0 : static_cast<std::size_t>(n));
    return true;
  }

  void wait() override {
    input.async_read_some(asio::buffer(into.data(), into.size()),
                          [self = this->shared_from_this()](const Error_code& code, std::size_t bytes) {
                            Loop::Turn turn(self->loop);
                            self->came(code, bytes);
                          });
  }

  // Only TCP wakes by number; Asio's reads would look at once, and find little.
  bool wake_at(std::size_t bytes) {
    const int least = static_cast<int>(bytes);
    int domain = 0;
    socklen_t size = sizeof domain;
    if (::getsockopt(input.native_handle(), SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0) return false;
    if (domain != AF_INET && domain != AF_INET6) return false;
    if (::setsockopt(input.native_handle(), SOL_SOCKET, SO_RCVLOWAT, &least, sizeof least) != 0) return false;
    gathers = bytes > 1;
    return true;
  }
  void wait_for_enough() {
    input.async_wait(Descriptor::wait_read, [self = this->shared_from_this()](const Error_code& code) {
      if (!code && self->reader != nullptr) return self->wait();  // input is ready: read at once
      Loop::Turn turn(self->loop);
      self->came(code, 0);
    });
  }

  void came(const Error_code& code, std::size_t bytes) {
    if (busy_poll != nullptr) busy_poll->came(*this, loop.now(), bytes);
    finish(reader, code, bytes);
  }

  void write(Descriptor& to, BytesView from, std::size_t done = 0) {
    const BytesView rest = from.substr(done);
    to.async_write_some(asio::buffer(rest.data(), rest.size()),
                        [self = this->shared_from_this(), &to, from, done](const Error_code& code, std::size_t bytes) {
                          Loop::Turn turn(self->loop);
                          if (!code && done + bytes < from.size() && self->writer != nullptr) self->write(to, from, done + bytes);
                          else self->finish(self->writer, code, done + bytes);
                        });
  }

  void finish(IoDone*& waiting, const Error_code& code, std::size_t bytes) {
    IoDone* done = std::exchange(waiting, nullptr);
    if (done == nullptr) return;
    if (code == asio::error::eof) done->on_io(std::size_t{0});
    else if (code) done->on_io(std::unexpected(io_error(name, code)));
    else done->on_io(bytes);
  }

  // `to` is the output. The kernel reports ends and errors during any wait.
  void watch(Descriptor& to, HangUp* who) {
    watcher = who;
    if (who == nullptr || watching || !to.is_open()) return;
    watching = true;
    to.async_wait(Descriptor::wait_error, [self = this->shared_from_this(), &to](const Error_code& code) {
      self->watching = false;
      // Urgent data wakes this wait too: such a sender is alive, and the watch ends.
      if (code || self->watcher == nullptr || !to.is_open() || !hung_up(to.native_handle())) return;
      Loop::Turn turn(self->loop);
      std::exchange(self->watcher, nullptr)->on_hang_up();
    });
  }

  void forget(const IoDone& done) {
    if (reader == &done) reader = nullptr;
    if (writer == &done) writer = nullptr;
  }
  // Both directions. An active read ends in a later turn, like Asio's waiting operations.
  void close() {
    if (busy_poll != nullptr && busy_poll->drop(*this) && reader != nullptr) wait();
    Error_code ignored;
    input.close(ignored);
    output.close(ignored);
  }
  void abandon() {
    reader = nullptr;
    writer = nullptr;
    watcher = nullptr;
    close();
  }

  Loop& loop;
  BusyPoll* busy_poll;  // null: reads wait
  std::string name;
  Descriptor input;
  Descriptor output;  // of a pipe; a socket is its own
  std::span<char> into;
  IoDone* reader = nullptr;
  IoDone* writer = nullptr;
  HangUp* watcher = nullptr;
  bool watching = false;
  bool gathers = false;  // reads wait for more than a byte
};

using SocketState = State<AsioSocket>;
using PipeState = State<AsioDescriptor>;

// A missing direction, or a close without a waiter: the answer still comes in a later turn.
void answer_later(Loop& loop, const std::shared_ptr<void>& keep, IoDone*& waiting, Result<std::size_t> result) {
  loop.post([keep, &waiting, result = std::move(result)]() mutable {
    if (IoDone* done = std::exchange(waiting, nullptr)) done->on_io(std::move(result));
  });
}

class SocketStream final : public ByteStream {
 public:
  SocketStream(Loop& loop, int fd, std::string name, ReadWait wait, int family)
      : state_(std::make_shared<SocketState>(loop, std::move(name), wait)) {
    state_->input.assign(asio::generic::stream_protocol(family, 0), fd);
    state_->input.native_non_blocking(true);
    state_->input.non_blocking(true);
  }
  ~SocketStream() { state_->abandon(); }
  void start_read(std::span<char> into, IoDone& done) override { state_->start_read(into, done); }
  bool wake_at(std::size_t bytes) override { return state_->wake_at(bytes); }
  std::size_t try_write(BytesView from) override {
    if (!state_->input.is_open() || state_->writer != nullptr) return 0;
    for (;;) {
      const ssize_t n = ::send(state_->input.native_handle(), from.data(), from.size(), MSG_NOSIGNAL);
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno != EINTR) return 0;
    }
  }
  void start_write(BytesView from, IoDone& done) override {
    state_->writer = &done;
    state_->write(state_->input, from);
  }
  void close_output() override {
    Error_code ignored;
    state_->input.shutdown(asio::socket_base::shutdown_send, ignored);
  }
  void watch(HangUp* watcher) override { state_->watch(state_->input, watcher); }
  void close() override { state_->close(); }
  void give_up(IoDone& done) override {
    state_->forget(done);
    close();
  }
  std::string name() const override { return state_->name; }

 private:
  std::shared_ptr<SocketState> state_;
};

class PipeStream final : public ByteStream {
 public:
  PipeStream(Loop& loop, int read_fd, int write_fd, std::string name, ReadWait wait)
      : state_(std::make_shared<PipeState>(loop, std::move(name), wait)) {
    if (read_fd >= 0) state_->input.assign(read_fd);
    if (write_fd >= 0) state_->output.assign(write_fd == read_fd ? ::dup(write_fd) : write_fd);
    Error_code ignored;  // regular files refuse, and never block for long
    if (state_->input.is_open()) state_->input.native_non_blocking(true, ignored);
    if (state_->output.is_open()) state_->output.native_non_blocking(true, ignored);
  }
  ~PipeStream() { state_->abandon(); }
  void start_read(std::span<char> into, IoDone& done) override {
    if (state_->input.is_open()) {
      state_->start_read(into, done);
      return;
    }
    state_->reader = &done;
    if (closed_) answer_later(state_->loop, state_, state_->reader, fail(Errc::disconnected, name() + ": closed"));
    else answer_later(state_->loop, state_, state_->reader, std::size_t{0});
  }
  std::size_t try_write(BytesView from) override {
    if (!state_->output.is_open() || state_->writer != nullptr) return 0;
    for (;;) {
      const ssize_t n = ::write(state_->output.native_handle(), from.data(), from.size());
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno != EINTR) return 0;
    }
  }
  void start_write(BytesView from, IoDone& done) override {
    state_->writer = &done;
    if (state_->output.is_open()) state_->write(state_->output, from);
    else answer_later(state_->loop, state_, state_->writer, fail(Errc::disconnected, name() + ": closed"));
  }
  void close_output() override {
    Error_code ignored;
    state_->output.close(ignored);
  }
  void watch(HangUp* watcher) override { state_->watch(state_->output, watcher); }
  void close() override {
    closed_ = true;
    state_->close();
  }
  void give_up(IoDone& done) override {
    state_->forget(done);
    close();
  }
  std::string name() const override { return state_->name; }

 private:
  std::shared_ptr<PipeState> state_;
  bool closed_ = false;
};

// The family of a socket, or -1 for anything else.
int socket_family(int fd) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  return ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) == 0 ? address.ss_family : -1;
}

}  // namespace

std::unique_ptr<ByteStream> fd_stream(Loop& loop, int fd, std::string name, ReadWait wait) {
  return fd_stream(loop, fd, fd, std::move(name), wait);
}

std::unique_ptr<ByteStream> fd_stream(Loop& loop, int read_fd, int write_fd, std::string name, ReadWait wait) {
  if (read_fd >= 0 && read_fd == write_fd)
    if (const int family = socket_family(read_fd); family >= 0)
      return std::make_unique<SocketStream>(loop, read_fd, std::move(name), wait, family);
  return std::make_unique<PipeStream>(loop, read_fd, write_fd, std::move(name), wait);
}

}  // namespace parlance
