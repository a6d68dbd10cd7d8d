// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/supervise/supervised.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "parlance/codec/json/value.h"
#include "parlance/transport/fd_stream.h"

namespace parlance::app {

namespace {
constexpr std::size_t longest_line = 64 << 10;  // our supervisor's have a hundred bytes
}

void keep_memory_to_ourselves() {
  const char* const wanted = std::getenv("PARLANCE_DUMPABLE");
  if (wanted == nullptr || std::string_view(wanted) != "1") ::prctl(PR_SET_DUMPABLE, 0);
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

std::string update_line(const ServiceUpdate& update) {
  json::Object line;
  line.set("service", update.service);
  line.set("up", update.up);
  line.set("detail", update.detail);
  return json::to_text(json::Value(std::move(line)));
}

std::optional<ServiceUpdate> read_update(std::string_view line) {
  const auto value = json::parse(line);
  if (!value || value->find("up") == nullptr) return std::nullopt;
  return ServiceUpdate{.service = std::string(value->text_or("service", "")),
                       .up = *value->find("up") == json::Value(true),
                       .detail = std::string(value->text_or("detail", ""))};
}

std::string alive_line(std::uint64_t number) { return R"({"alive":)" + std::to_string(number) + "}"; }

std::optional<std::uint64_t> read_alive(std::string_view line) {
  const auto value = json::parse(line);
  if (!value || value->find("alive") == nullptr) return std::nullopt;
  const std::int64_t number = value->integer_or("alive", -1);
  return number < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(number));
}

Task<void> EndWatch::wait(std::function<void(std::string_view line)> on_line) {
  on_line_ = std::move(on_line);
  if (is_supervised()) scope_.start(read_lines());
  scope_.start(watch_signals());
  while (!end_requested_) co_await ended_.wait();
}

Task<void> EndWatch::watch_signals() {
  static_cast<void>(co_await signals_.next());
  end_requested_ = true;
  ended_.notify_all();
}

Task<void> EndWatch::read_lines() {
  const auto input = fd_stream(loop_, ::dup(STDIN_FILENO), -1, "stdin");
  std::array<char, 1024> buffer;
  std::string partial;
  for (;;) {
    const auto got = co_await read_some(*input, buffer);
    if (!got || *got == 0) break;
    partial.append(buffer.data(), *got);
    for (std::size_t end = partial.find('\n'); end != std::string::npos; end = partial.find('\n')) {
      take(std::string_view(partial).substr(0, end));
      partial.erase(0, end + 1);
    }
    if (partial.size() > longest_line) partial.clear();
  }
  end_requested_ = true;
  ended_.notify_all();
}

// The supervisor reads this pipe at all times and asks again only after an answer or a pause, so that the pipe never fills up. A supervisor
// that is stopped for long leaves a question unanswered, not the service waiting: poll() comes first.
void EndWatch::take(std::string_view line) {
  const auto number = read_alive(line);
  if (!number) {
    if (on_line_) on_line_(line);
    return;
  }
  const std::string answer = alive_line(*number) + "\n";
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  if (::poll(&output, 1, 0) == 1 && (output.revents & POLLOUT) != 0)
    static_cast<void>(::write(STDOUT_FILENO, answer.data(), answer.size()));
}

}  // namespace parlance::app
