#include "supervised.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "async/scope.h"
#include "codec/json/value.h"
#include "transport/fd_stream.h"

namespace parlance::app {

bool is_supervised() { return std::getenv(supervised_variable) != nullptr; }

void announce_ready(const std::string& service, const std::string& address, const std::string& words) {
  if (is_supervised()) {
    json::Object line;
    line.set("ready", service);
    line.set("address", address);
    line.set("pid", static_cast<std::int64_t>(::getpid()));
    std::printf("%s\n", json::to_text(json::Value(std::move(line))).c_str());
  } else {
    std::printf("%s\n", words.c_str());
  }
  std::fflush(stdout);
}

Task<void> EndWatch::wait() {
  if (!is_supervised()) {
    static_cast<void>(co_await signals_.next());
    co_return;
  }
  Signal ended(loop_);
  bool told = false;
  const auto watch_stdin = [](Loop& l, Signal& e, bool& t) -> Task<void> {
    const auto input = fd_stream(l, ::dup(STDIN_FILENO), -1, "stdin");
    std::array<char, 64> buffer;
    for (;;) {
      const auto got = co_await read_some(*input, buffer);
      if (!got || *got == 0) break;
    }
    t = true;
    e.notify_all();
  };
  const auto watch_signals = [](SignalWatch& s, Signal& e, bool& t) -> Task<void> {
    static_cast<void>(co_await s.next());
    t = true;
    e.notify_all();
  };
  Scope scope(loop_);
  scope.start(watch_stdin(loop_, ended, told));
  scope.start(watch_signals(signals_, ended, told));
  while (!told) co_await ended.wait();
}

}  // namespace parlance::app
