// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/tcp_connect.h"

#include <vector>

#include <boost/asio/ip/tcp.hpp>

#include "parlance/async/loop_asio.h"
#include "parlance/transport/fd_stream.h"
#include "parlance/transport/tcp_options.h"

namespace parlance {
namespace {

using boost::asio::ip::tcp;
using ErrorCode = boost::system::error_code;

// Time limit for an unresponsive address if another address remains.
constexpr std::chrono::milliseconds attempt_time{2'500};

// Shared with Asio's operations, which may outlive the waiting caller.
class Attempt final : public std::enable_shared_from_this<Attempt>, private Timer {
 public:
  Attempt(Loop& owner, std::string host_name, unsigned short port_number)
      : loop(owner), host(std::move(host_name)), port(port_number), resolver(io_of(owner)), socket(io_of(owner)) {}

  void start() {
    ErrorCode not_a_number;
    const auto address = boost::asio::ip::make_address(host, not_a_number);
    if (!not_a_number) {
      addresses.emplace_back(address, port);
      connect_next();
      return;
    }
    resolver.async_resolve(host, std::to_string(port), tcp::resolver::numeric_service,
                           [self = shared_from_this()](const ErrorCode& error, const tcp::resolver::results_type& results) {
                             Loop::Turn turn(self->loop);
                             if (!self->waiting) return;
                             for (const auto& entry : results) self->addresses.push_back(entry.endpoint());
                             self->last_error = error;
                             self->connect_next();
                           });
  }

  void give_up() {
    waiting = {};
    Timer::stop();
    resolver.cancel();
    ErrorCode ignored;
    socket.close(ignored);
  }

  Loop& loop;
  std::string host;
  unsigned short port;
  std::coroutine_handle<> waiting;
  tcp::resolver resolver;
  tcp::socket socket;
  std::vector<tcp::endpoint> addresses;
  std::size_t tried = 0;
  ErrorCode last_error;
  bool connected = false;

 private:
  void connect_next() {
    ErrorCode ignored;
    socket.close(ignored);
    if (tried == addresses.size()) {
      finish();
      return;
    }
    const tcp::endpoint& to = addresses[tried++];
    if (tried < addresses.size()) Timer::start(loop, loop.now() + attempt_time);
    socket.async_connect(to, [self = shared_from_this()](const ErrorCode& error) {
      Loop::Turn turn(self->loop);
      if (!self->waiting) return;
      self->Timer::stop();
      self->last_error = error;
      self->connected = !error;
      if (error) self->connect_next();
      else self->finish();
    });
  }
  void on_timer() override {
    ErrorCode ignored;
    socket.close(ignored);  // the connect ends with an error, and the next address is tried
  }
  void finish() { std::exchange(waiting, {}).resume(); }
};

struct AttemptAwaiter {
  std::shared_ptr<Attempt> attempt;
  explicit AttemptAwaiter(std::shared_ptr<Attempt> it) : attempt(std::move(it)) {}
  AttemptAwaiter(const AttemptAwaiter&) = delete;
  AttemptAwaiter& operator=(const AttemptAwaiter&) = delete;
  ~AttemptAwaiter() {
    if (attempt->waiting) attempt->give_up();
  }
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> waiting) const {
    attempt->waiting = waiting;
    attempt->start();
  }
  void await_resume() const {}
};

}  // namespace

Task<Result<std::unique_ptr<ByteStream>>> tcp_connect(Loop& loop, std::string host, unsigned short port) {
  const std::string name = host + ":" + std::to_string(port);
  const auto attempt = std::make_shared<Attempt>(loop, std::move(host), port);
  co_await AttemptAwaiter(attempt);
  if (!attempt->connected) co_return fail(Errc::disconnected, "connect to " + name + ": " + attempt->last_error.message());
  ErrorCode ignored;
  const int fd = attempt->socket.release(ignored);
  set_tcp_options(fd);
  co_return fd_stream(loop, fd, "tcp " + name);
}

}  // namespace parlance
