#include "apps/parlance/supervise/supervised.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "parlance/async/scope.h"
#include "parlance/codec/json/value.h"
#include "parlance/transport/fd_stream.h"

namespace parlance::app {

namespace {
constexpr std::size_t longest_line = 64 << 10;  // our supervisor's have a hundred bytes
}

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

std::string news_line(const ServiceNews& news) {
  json::Object line;
  line.set("service", news.service);
  line.set("up", news.up);
  line.set("detail", news.detail);
  return json::to_text(json::Value(std::move(line)));
}

std::optional<ServiceNews> read_news(std::string_view line) {
  const auto value = json::parse(line);
  if (!value || value->find("up") == nullptr) return std::nullopt;
  return ServiceNews{.service = std::string(value->text_or("service", "")),
                     .up = *value->find("up") == json::Value(true),
                     .detail = std::string(value->text_or("detail", ""))};
}

Task<void> EndWatch::wait(std::function<void(std::string_view line)> on_line) {
  if (!is_supervised()) {
    static_cast<void>(co_await signals_.next());
    co_return;
  }
  Signal ended(loop_);
  bool told = false;
  const auto watch_stdin = [](Loop& l, Signal& e, bool& t, std::function<void(std::string_view)>& heard) -> Task<void> {
    const auto input = fd_stream(l, ::dup(STDIN_FILENO), -1, "stdin");
    std::array<char, 1024> buffer;
    std::string partial;
    for (;;) {
      const auto got = co_await read_some(*input, buffer);
      if (!got || *got == 0) break;
      partial.append(buffer.data(), *got);
      for (std::size_t end = partial.find('\n'); end != std::string::npos; end = partial.find('\n')) {
        if (heard) heard(std::string_view(partial).substr(0, end));
        partial.erase(0, end + 1);
      }
      if (partial.size() > longest_line) partial.clear();
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
  scope.start(watch_stdin(loop_, ended, told, on_line));
  scope.start(watch_signals(signals_, ended, told));
  while (!told) co_await ended.wait();
}

}  // namespace parlance::app
