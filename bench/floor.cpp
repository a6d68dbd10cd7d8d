// SPDX-License-Identifier: Apache-2.0
// Measures the kernel alone: as many bytes as a Chat of 200 bytes over a Unix socket, or as a JSON message over pipes, without a
// codec. Several callers send together in one write and are answered in one. `blocking` reads and writes; `epoll` calls
// epoll_wait before each read, the cost of any program with several inputs.
//
//   floor server SOCKET blocking|epoll
//   floor client SOCKET blocking|epoll CALLERS SECONDS
//   floor pipes blocking|epoll SECONDS                    both sides
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "measure.h"

namespace parlance {
namespace {

constexpr std::size_t request_bytes = 250;
constexpr std::size_t reply_bytes = 230;
constexpr std::size_t message_bytes = 200;  // over pipes, both ways
constexpr std::size_t buffer_bytes = 64 << 10;

enum class Mode { blocking, epoll };

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::exit(1);
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) give_up("path");
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

class Input {
 public:
  Input(int fd, Mode mode) : fd_(fd) {
    if (mode == Mode::blocking) return;
    epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
    epoll_event event{};
    event.events = EPOLLIN | EPOLLET;
    if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) != 0) give_up("epoll_ctl");
  }
  // An end or an error is 0.
  std::size_t read(char* into, std::size_t bytes) {
    if (epoll_ >= 0) {
      epoll_event event{};
      if (::epoll_wait(epoll_, &event, 1, -1) != 1) return 0;
    }
    const ssize_t n = ::read(fd_, into, bytes);
    return n > 0 ? static_cast<std::size_t>(n) : 0;
  }

 private:
  int fd_;
  int epoll_ = -1;
};

void write_all(int fd, const char* from, std::size_t bytes) {
  while (bytes != 0) {
    const ssize_t n = ::write(fd, from, bytes);
    if (n <= 0) std::exit(0);
    from += n;
    bytes -= static_cast<std::size_t>(n);
  }
}

void answer(int in_fd, int out_fd, Mode mode, std::size_t asked_bytes, std::size_t answered_bytes) {
  Input input(in_fd, mode);
  std::vector<char> in(buffer_bytes);
  const std::vector<char> out(buffer_bytes, 'y');
  std::size_t waiting = 0;
  while (const std::size_t n = input.read(in.data(), in.size())) {
    waiting += n;
    const std::size_t whole = waiting / asked_bytes;
    waiting -= whole * asked_bytes;
    write_all(out_fd, out.data(), whole * answered_bytes);
  }
}

void ask(int in_fd, int out_fd, Mode mode, std::size_t asked_bytes, std::size_t answered_bytes, std::size_t callers,
         bench::Measurement& measurement) {
  Input input(in_fd, mode);
  const std::vector<char> out(callers * asked_bytes, 'x');
  std::vector<char> in(callers * answered_bytes);
  for (TimePoint now = Clock::now(); !measurement.over(now); now = Clock::now()) {
    write_all(out_fd, out.data(), out.size());
    for (std::size_t got = 0; got < in.size();) {
      const std::size_t n = input.read(in.data() + got, in.size() - got);
      if (n == 0) give_up("read");
      got += n;
    }
    measurement.count(now, callers);
  }
  measurement.stop();
}

int serve(const std::string& path, Mode mode) {
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un address = address_of(path);
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || ::listen(listener, 16) != 0)
    give_up("listen");
  std::puts("ready");
  std::fflush(stdout);
  for (;;) {
    const int fd = ::accept(listener, nullptr, nullptr);
    if (fd < 0) give_up("accept");
    std::thread([fd, mode] {
      answer(fd, fd, mode, request_bytes, reply_bytes);
      ::close(fd);
    }).detach();
  }
}

int call(const std::string& path, Mode mode, std::size_t callers, double seconds) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un address = address_of(path);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) give_up("connect");
  bench::Measurement measurement(seconds);
  ask(fd, fd, mode, request_bytes, reply_bytes, callers, measurement);
  measurement.print();
  return 0;
}

int pipes(Mode mode, double seconds) {
  int there[2];
  int back[2];
  if (::pipe(there) != 0 || ::pipe(back) != 0) give_up("pipe");
  const pid_t child = ::fork();
  if (child < 0) give_up("fork");
  if (child == 0) {
    ::close(there[1]);
    ::close(back[0]);
    answer(there[0], back[1], mode, message_bytes, message_bytes);
    ::_exit(0);
  }
  ::close(there[0]);
  ::close(back[1]);
  bench::Measurement measurement(seconds);
  ask(back[0], there[1], mode, message_bytes, message_bytes, 1, measurement);
  ::close(there[1]);
  ::waitpid(child, nullptr, 0);
  measurement.print();
  return 0;
}

}  // namespace
}  // namespace parlance

int main(int argc, char** argv) {
  using parlance::Mode;
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<std::string> words(argv, argv + argc);
  const auto mode = [](const std::string& word) { return word == "epoll" ? Mode::epoll : Mode::blocking; };
  if (argc == 4 && words[1] == "server") return parlance::serve(words[2], mode(words[3]));
  if (argc == 6 && words[1] == "client")
    return parlance::call(words[2], mode(words[3]), static_cast<std::size_t>(std::atoi(argv[4])), std::atof(argv[5]));
  if (argc == 4 && words[1] == "pipes") return parlance::pipes(mode(words[2]), std::atof(argv[3]));
  std::fprintf(stderr, "usage: floor server SOCKET MODE | floor client SOCKET MODE CALLERS SECONDS | floor pipes MODE SECONDS\n");
  return 2;
}
