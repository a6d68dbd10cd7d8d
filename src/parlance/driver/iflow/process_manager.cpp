// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/iflow/process_manager.h"

#include <algorithm>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/process/strays.h"
#include "parlance/transport/http/websocket_client.h"

namespace parlance::driver {
namespace {

// Whether a socket can bind to the address. An unavailable address is no obstacle.
template <class Address>
bool is_free(const Address& address) {
  const int fd = ::socket(reinterpret_cast<const sockaddr&>(address).sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return true;
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);  // like Node: lingering sockets do not count
  const bool bound = ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 && ::listen(fd, 1) == 0;
  const int error = errno;
  ::close(fd);
  return bound || error == EADDRNOTAVAIL;
}

std::string url_of(unsigned short port) { return "ws://localhost:" + std::to_string(port) + "/acp"; }

}  // namespace

std::optional<unsigned short> free_port(unsigned short first, unsigned short count) {
  for (unsigned port = first; port < std::min(first + unsigned{count}, 65'536U); ++port) {
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_port = htons(static_cast<std::uint16_t>(port));
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_port = four.sin_port;
    six.sin6_addr = in6addr_loopback;
    if (is_free(four) && is_free(six)) return static_cast<unsigned short>(port);
  }
  return std::nullopt;
}

Task<bool> answers_websocket(Loop& loop, std::string url, std::chrono::milliseconds patience) {
  WebSocketClientSettings settings{.url = std::move(url), .connect_timeout = patience};
  auto frames = co_await connect_websocket(loop, std::move(settings));
  if (!frames) co_return false;
  (*frames)->close_with(1000, "");
  co_return true;
}

ProcessManager::ProcessManager(Loop& loop, std::shared_ptr<IflowInstallation> installation, Reporter report, StartTimes times)
    : loop_(loop),
      installation_(installation ? std::move(installation) : std::make_shared<IflowInstallation>(loop)),
      report_(std::move(report)),
      times_(times),
      spoken_(loop),
      scope_(loop) {}

ProcessManager::~ProcessManager() {
  scope_.cancel();
  child_.reset();
  kill_remaining();
}

Task<std::optional<StartInfo>> ProcessManager::resolve_start_mode(std::string node_path, unsigned short port) {
  const auto mode = co_await installation_->start_mode(std::move(node_path));
  if (!mode) co_return std::nullopt;
  co_return StartInfo{.program = mode->program, .script = mode->script, .port = port};
}

Task<Result<StartedIflow>> ProcessManager::start_alone(unsigned short port, std::string folder) {
  const std::optional<FoundIflow> found = co_await auto_detect();
  if (!found) co_return fail(no_iflow());
  StartInfo info{.program = found->program, .port = port};
  co_return co_await start(std::move(info), std::move(folder));
}

Task<Result<StartedIflow>> ProcessManager::start(StartInfo info, std::string folder) {
  co_await stop();
  const std::optional<unsigned short> port = free_port(info.port);
  if (!port)
    co_return fail(Errc::overloaded, "none of the ports " + std::to_string(info.port) + " to " +
                                         std::to_string(info.port + limits::iflow_ports - 1) +
                                         " is free: choose another first port");
  ChildSettings settings{.command = {info.program},
                         .folder = std::move(folder),
                         .folder_links = FolderLinks::refused,
                         .withheld = Withheld::own_secrets,
                         .stdin_from = ChildSettings::Stdin::null};
  if (!info.script.empty()) settings.command.push_back(info.script);
  for (const std::string& word : {std::string("--experimental-acp"), std::string("--port"), std::to_string(*port)})
    settings.command.push_back(word);
  mark_ = make_child_mark();
  settings.set = std::move(info.environment);
  settings.set.emplace_back(child_mark_variable, mark_);
  settings.on_stderr_line = [this](BytesView line) { take_output(line); };
  settings.eof_grace = {};
  settings.term_grace = limits::iflow_term_grace;
  spoke_ = false;
  PARLANCE_CO_TRY(child, ChildProcess::start(loop_, std::move(settings)));
  child_ = std::move(child);
  output_ = child_->take_stream();
  scope_.start(read_output());

  StartedIflow started{.url = url_of(*port), .port = *port};
  const Result<void> ready = co_await with_deadline(loop_, loop_.now() + times_.patience, become_ready(started.url));
  started.answered = ready.has_value();
  if (!has_process()) {
    const Error why = child_ ? co_await child_->why_it_ended() : Error{.message = "it was stopped"};
    child_.reset();
    co_return fail(Errc::failed, "iFlow did not start: " + why.message);
  }
  if (!ready) report_(ready.error().message);
  co_return started;
}

// Probes at once after a message about listening; a silent program after a delay. Only a successful probe counts: "port 8090 is
// in use" names a port too.
Task<Result<void>> ProcessManager::become_ready(std::string url) {
  static_cast<void>(co_await with_deadline(loop_, loop_.now() + times_.probe_delay, until_ready()));
  for (int probe = 0; probe < times_.probes; ++probe) {
    if (!has_process()) co_return fail(Errc::failed, "it ended");
    if (co_await answers_websocket(loop_, url)) co_return Result<void>{};
    co_await sleep_for(loop_, times_.probe_interval);
  }
  co_return fail(Errc::deadline_exceeded, "iFlow runs, but nobody answers at " + url);
}

Task<Result<void>> ProcessManager::until_ready() {
  while (!spoke_ && has_process()) co_await spoken_.wait();
  co_return Result<void>{};
}

void ProcessManager::take_output(std::string_view output) {
  const std::string text = to_lower(output);
  for (const std::string_view word : {"listening", "ready", "port"}) spoke_ = spoke_ || text.contains(word);
  if (spoke_) spoken_.notify_all();
}

// Reads all output, because a full pipe would block the program.
Task<void> ProcessManager::read_output() {
  char buffer[4096];
  line_.clear();
  while (true) {
    const Result<std::size_t> read = co_await read_some(*output_, buffer);
    if (!read || *read == 0) break;
    if (spoke_) continue;
    line_.append(buffer, *read);
    take_output(line_);
    const std::size_t newest = line_.rfind('\n');
    if (newest != std::string::npos) line_.erase(0, newest + 1);
    if (line_.size() > limits::iflow_output_line) line_.clear();
  }
  spoken_.notify_all();
}

Task<void> ProcessManager::stop() {
  if (child_) co_await child_->stop();
  scope_.cancel();
  output_.reset();
  child_.reset();
  kill_remaining();
}

void ProcessManager::kill_remaining() {
  if (!mark_.empty()) kill_strays(child_mark_variable, std::exchange(mark_, {}));
}

}  // namespace parlance::driver
