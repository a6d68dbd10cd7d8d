// SPDX-License-Identifier: Apache-2.0
// Compares Boost.Beast's WebSocket with parlance's own. An echo server of either kind runs in a separate process, on an end of a
// Unix socket. The same blocking hand-written client sends masked text messages from the other end. No compression.
//
//   `websocket ours|beast sequential SECONDS`   200 bytes as a round trip, in sequence.
//   `websocket ours|beast flight SECONDS`       64 such messages in a single write, then the answers.
//   `websocket ours|beast large SECONDS`        a message of 1 MiB as a round trip.
//   `websocket ours|beast idle`                 resident KiB of a waiting server connection: the mean of 2,000.
#include <array>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>

#include "measure.h"
#include "parlance/async/scope.h"
#include "parlance/transport/fd_stream.h"
#include "parlance/transport/http/websocket_frames.h"

namespace parlance::bench {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using Local = asio::local::stream_protocol;

constexpr std::size_t small_bytes = 200;
constexpr std::size_t large_bytes = 1 << 20;
constexpr int in_flight = 64;
constexpr int idle_connections = 2000;

constexpr std::string_view handshake =
    "GET / HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
    "dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

std::array<int, 2> socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) give_up("no pair of sockets");
  return ends;
}

// ---- the servers

Task<void> echo_ours(WebSocketFrames& frames) {
  for (;;) {
    const FramesRead batch = co_await read_frames(frames);
    if (!batch || batch->empty()) co_return;
    for (const BytesView message : *batch) static_cast<void>(frames.send(message));
  }
}

std::unique_ptr<WebSocketFrames> ours(Loop& loop, int fd) {
  return websocket_frames(loop, fd_stream(loop, fd, "bench"), {.role = websocket::Role::server});
}

void serve_ours(int fd) {
  Loop loop;
  const auto frames = ours(loop, fd);
  loop.block_on(echo_ours(*frames));
}

struct BeastEcho {
  BeastEcho(asio::io_context& io, int fd) : stream(Local::socket(io, Local(), fd)) {
    stream.read_message_max(16 << 20);
    stream.text(true);
    stream.auto_fragment(false);  // a message per frame, as in parlance's own
  }
  void start() {
    stream.async_accept([this](beast::error_code error) {
      if (!error) read();
    });
  }
  void read() {
    stream.async_read(buffer, [this](beast::error_code error, std::size_t) {
      if (error) return;
      stream.async_write(buffer.data(), [this](beast::error_code failed, std::size_t) {
        buffer.clear();
        if (!failed) read();
      });
    });
  }
  beast::websocket::stream<Local::socket, false> stream;
  beast::flat_buffer buffer;
};

void serve_beast(int fd) {
  asio::io_context io(1);
  BeastEcho echo(io, fd);
  echo.start();
  io.run();
}

// ---- the client

class Client {
 public:
  explicit Client(int fd) : fd_(fd) {}

  void shake_hands() {
    write_all(handshake);
    std::string answer;
    while (!answer.ends_with("\r\n\r\n")) {
      char byte = 0;
      read_all(&byte, 1);
      answer += byte;
    }
  }
  // Sends `count` messages together, then reads the echoes.
  void exchange(const std::string& frame, std::size_t payload, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += frame;
    write_all(all);
    const std::size_t header = payload < 126 ? 2 : payload < 65536 ? 4 : 10;
    answer_.resize((header + payload) * static_cast<std::size_t>(count));
    read_all(answer_.data(), answer_.size());
  }

 private:
  void write_all(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
      if (n <= 0) give_up("the server does not read");
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  void read_all(char* into, std::size_t bytes) {
    while (bytes != 0) {
      const ssize_t n = ::read(fd_, into, bytes);
      if (n <= 0) give_up("the server does not answer");
      into += n;
      bytes -= static_cast<std::size_t>(n);
    }
  }
  int fd_;
  std::string answer_;
};

// A masked text message; the receiver unmasks a zero key like any other key.
std::string masked(std::size_t payload) {
  std::string frame("\x81");
  const auto add_length = [&frame, payload](char mark, int bytes) {
    frame += mark;
    for (int i = bytes - 1; i >= 0; --i) frame += static_cast<char>(payload >> (8 * i));
  };
  if (payload < 126) frame += static_cast<char>(0x80 | payload);
  else if (payload < 65536) add_length(static_cast<char>(0xfe), 2);
  else add_length(static_cast<char>(0xff), 8);
  return frame + std::string(4, '\0') + std::string(payload, 'x');
}

int measure(bool with_beast, std::string_view what, double seconds) {
  const auto [here, there] = socket_pair();
  const pid_t server = ::fork();
  if (server == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::close(here);
    with_beast ? serve_beast(there) : serve_ours(there);
    ::_exit(0);
  }
  ::close(there);
  Client client(here);
  if (with_beast) client.shake_hands();
  const std::size_t payload = what == "large" ? large_bytes : small_bytes;
  const int together = what == "flight" ? in_flight : 1;
  const std::string frame = masked(payload);
  Measurement measurement(seconds);
  for (TimePoint now = Clock::now(); !measurement.over(now); now = Clock::now()) {
    client.exchange(frame, payload, together);
    measurement.count(now, static_cast<std::uint64_t>(together));
  }
  measurement.stop();
  ::close(here);
  ::waitpid(server, nullptr, 0);
  measurement.print();
  return 0;
}

// ---- the memory of an idle connection

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void print_idle(std::size_t before) {
  std::printf("%.1f KiB\n", static_cast<double>(resident_bytes() - before) / 1024 / idle_connections);
}

int idle_ours() {
  Loop loop;
  std::vector<std::unique_ptr<WebSocketFrames>> all;
  Scope scope(loop);
  const std::size_t before = resident_bytes();
  for (int i = 0; i < idle_connections; ++i) {
    const auto [here, there] = socket_pair();
    all.push_back(ours(loop, there));
    scope.start(echo_ours(*all.back()));
    Client client(here);
    if (::write(here, masked(small_bytes).data(), masked(small_bytes).size()) < 0) give_up("no write");
  }
  loop.run_for(std::chrono::milliseconds(300));
  print_idle(before);
  return 0;
}

int idle_beast() {
  asio::io_context io(1);
  std::vector<std::unique_ptr<BeastEcho>> all;
  const std::size_t before = resident_bytes();
  for (int i = 0; i < idle_connections; ++i) {
    const auto [here, there] = socket_pair();
    all.push_back(std::make_unique<BeastEcho>(io, there));
    all.back()->start();
    const std::string bytes = std::string(handshake) + masked(small_bytes);
    if (::write(here, bytes.data(), bytes.size()) < 0) give_up("no write");
  }
  io.run_for(std::chrono::milliseconds(300));
  print_idle(before);
  return 0;
}

}  // namespace
}  // namespace parlance::bench

int main(int argc, char** argv) {
  const std::string_view who = argc > 1 ? argv[1] : "";
  const std::string_view what = argc > 2 ? argv[2] : "";
  if ((who != "ours" && who != "beast") || what.empty()) parlance::bench::give_up("usage: websocket ours|beast WHAT [SECONDS]");
  if (what == "idle") return who == "beast" ? parlance::bench::idle_beast() : parlance::bench::idle_ours();
  return parlance::bench::measure(who == "beast", what, argc > 3 ? std::atof(argv[3]) : 2);
}
