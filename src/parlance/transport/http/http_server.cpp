// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/http_server.h"

#include <array>
#include <cerrno>
#include <ctime>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "parlance/async/loop_asio.h"
#include "parlance/base/log.h"
#include "parlance/transport/fd_stream.h"
#include "parlance/transport/http/http_connection.h"
#include "parlance/transport/http/listening_sockets.h"
#include "parlance/transport/http/server_websocket.h"
#include "parlance/transport/http/slots.h"
#include "parlance/transport/socket_peers.h"
#include "parlance/transport/tcp_options.h"

namespace parlance {
namespace {

// Out of descriptors or memory: accepting again at once would only fail again.
constexpr std::chrono::milliseconds accept_back_off{100};
// Unauthenticated connections closed at once if the server is full.
constexpr int strangers_leaving_in_a_turn = 64;
// Connections accepted in a turn; the others wait for the next turn, so that a rush does not starve served connections.
constexpr int accepts_in_a_turn = 64;
class Server final : public HttpServer, public HttpConnectionHost, public SocketOwner, private Timer, private Ready {
 public:
  Server(Loop& loop, const std::vector<int>& fds, unsigned short port, HttpHandler handler, HttpServerSettings settings,
         BodyWanted body_wanted)
      : loop_(loop),
        settings_(settings),
        handler_(std::move(handler)),
        body_wanted_(std::move(body_wanted)),
        port_(port),
        changed_(loop) {
    for (const int fd : fds) {
      listeners_.push_back(std::make_shared<Listener>(io_of(loop), *this));
      listeners_.back()->descriptor.assign(fd);
      wait_for_connection(listeners_.back());
    }
  }
  ~Server() override {
    stop_listening();
    while (!connections_.empty()) connections_.take(connections_.last());
    while (!sockets_.empty()) {
      ServerSocket& socket = sockets_.last();
      std::unique_ptr<ServerSocket> taken = sockets_.take(socket);
      taken->owner = nullptr;
      if (taken->handle == nullptr) continue;
      taken->close();
      socket.handle->keep(std::move(taken));
    }
  }

  unsigned short port() const override { return port_; }
  std::size_t connections() const override { return open_; }
  std::uint64_t requests() const override { return requests_; }

  Task<void> drain(TimePoint deadline) override {
    draining_ = true;
    stop_listening();
    connections_.each([](HttpConnection& connection) { connection.drain(); });
    sockets_.each([](ServerSocket& socket) { socket.close_with(websocket::close_code::going_away, "the server is going away"); });
    co_await with_deadline(loop_, deadline, until_empty());
    while (!connections_.empty()) drop(connections_.last());
    std::vector<ServerSocket*> left;  // closing may remove a socket from the list
    sockets_.each([&](ServerSocket& socket) { left.push_back(&socket); });
    for (ServerSocket* socket : left) socket->close();
  }

  void cut_off(const std::function<bool(const std::string& who)>& is_out) override {
    std::vector<HttpConnection*> talking;
    connections_.each([&](HttpConnection& http_connection) {
      if (http_connection.has_stream() && is_out(http_connection.who())) talking.push_back(&http_connection);
    });
    for (HttpConnection* http_connection : talking) http_connection->leave();
    std::vector<ServerSocket*> open;  // closing may remove a socket from the list
    sockets_.each([&](ServerSocket& socket) {
      if (!socket.closed && is_out(socket.who)) open.push_back(&socket);
    });
    for (ServerSocket* socket : open) socket->close();
  }

 private:
  // Outlives the server as long as Asio holds a wait.
  struct Listener {
    Listener(boost::asio::io_context& io, Server& owner) : descriptor(io), server(&owner) {}
    AsioDescriptor descriptor;
    Server* server;
    bool paused = false;  // does not wait for connections
  };

  // ---- accepting

  void wait_for_connection(const std::shared_ptr<Listener>& listening) {
    if (!listening->descriptor.is_open()) return;
    listening->paused = false;
    listening->descriptor.async_wait(AsioDescriptor::wait_read, [listener = listening](const boost::system::error_code& error) {
      if (error || listener->server == nullptr) return;
      Loop::Turn turn(listener->server->loop_);
      listener->server->accept_some(listener);
    });
  }
  void go_on_accepting() {
    for (const auto& listener : listeners_)
      if (listener->paused) accept_some(listener);
  }

  void accept_some(const std::shared_ptr<Listener>& listener) {
    listener->paused = true;
    for (int i = 0; i < accepts_in_a_turn; ++i) {
      if (open_ >= settings_.connections) {
        if (!has_pending_connection(*listener)) break;
        full_ = true;  // continues after the end of a connection
        make_room();
        return;
      }
      sockaddr_storage address{};
      socklen_t length = sizeof address;
      const int fd = ::accept4(listener->descriptor.native_handle(), reinterpret_cast<sockaddr*>(&address), &length,
                               SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (fd >= 0) {
        welcome(fd, address);
        continue;
      }
      if (errno == EAGAIN) break;
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
        log(LogLevel::warn, "cannot accept connections for the moment", {{"why", system_error("accept", errno).message}});
        Timer::start(loop_, loop_.now() + accept_back_off);
        return;
      }
      // Other errors concern the single, already closed connection (ECONNABORTED and network errors reported here).
    }
    wait_for_connection(listener);
  }
  void on_timer() override { go_on_accepting(); }

  void welcome(int fd, const sockaddr_storage& address) {
    set_tcp_options(fd);
    std::string peer = name_of(address);
    if (settings_.own_user_only)
      if (const auto checked = check_tcp_peer(fd); !checked) return refuse(fd, peer, checked.error().message);
    ++open_;
    HttpConnection& connection =
        connections_.add(std::make_unique<HttpConnection>(loop_, *this, fd_stream(loop_, fd, "http " + peer), std::move(peer)));
    connection.start();
    while (waiting_strangers_ > settings_.strangers) send_away(strangers_.front().connection);
  }

  static void refuse(int fd, const std::string& peer, const std::string& reason) {
    log(LogLevel::warn, "a connection was refused", {{"peer", peer}, {"why", reason}});
    const std::string reply = "HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: " +
                              std::to_string(reason.size() + 1) + "\r\n\r\n" + reason + "\n";
    static_cast<void>(::send(fd, reply.data(), reply.size(), MSG_NOSIGNAL));
    ::close(fd);
  }

  static bool has_pending_connection(Listener& listener) {
    pollfd waiting{.fd = listener.descriptor.native_handle(), .events = POLLIN, .revents = 0};
    return ::poll(&waiting, 1, 0) > 0;
  }
  void make_room() {
    for (int i = 0; i < strangers_leaving_in_a_turn && !strangers_.empty(); ++i) send_away(strangers_.front().connection);
  }
  void send_away(HttpConnection& connection) {
    stranger_busy(connection);
    connection.leave();
  }

  static std::string name_of(const sockaddr_storage& address) {
    std::array<char, NI_MAXHOST> host{};
    std::array<char, NI_MAXSERV> service{};
    if (::getnameinfo(reinterpret_cast<const sockaddr*>(&address), sizeof address, host.data(), host.size(), service.data(),
                      service.size(), NI_NUMERICHOST | NI_NUMERICSERV) != 0)
      return "unknown";
    return address.ss_family == AF_INET6 ? "[" + std::string(host.data()) + "]:" + service.data()
                                         : std::string(host.data()) + ":" + service.data();
  }

  void stop_listening() {
    for (const auto& listener : listeners_) {
      listener->server = nullptr;
      boost::system::error_code ignored;
      listener->descriptor.close(ignored);
    }
    Timer::stop();
  }

  void one_less() {
    --open_;
    changed_.notify_all();
    if (std::exchange(full_, false)) {
      resume_ = true;
      loop_.wake(*this);
    }
  }

  // ---- for connections

  const HttpServerSettings& settings() const override { return settings_; }
  bool draining() const override { return draining_; }
  bool body_wanted(const ServerRequest& head) override { return !body_wanted_ || body_wanted_(head); }
  Task<void> handle(HttpExchange& exchange) override {
    ++requests_;
    return handler_(exchange);
  }
  void stranger_waits(HttpConnection& connection) override {
    if (connection.stranger.linked()) return;
    strangers_.push_back(connection.stranger);
    ++waiting_strangers_;
  }
  void stranger_busy(HttpConnection& connection) override {
    if (!connection.stranger.linked()) return;
    connection.stranger.unlink();
    --waiting_strangers_;
  }
  void drop(HttpConnection& connection) override {
    stranger_busy(connection);
    const bool counted = connection.has_stream();
    { const std::unique_ptr<HttpConnection> last = connections_.take(connection); }
    if (counted) one_less();
    else changed_.notify_all();
  }
  std::unique_ptr<WebSocketFrames> adopt(std::unique_ptr<ByteStream> stream, WebSocketSettings settings,
                                         std::string who) override {
    ServerSocket& socket =
        sockets_.add(std::make_unique<ServerSocket>(loop_, *this, std::move(stream), std::move(settings), std::move(who)));
    auto handle = std::make_unique<ServerWebSocket>(socket);
    if (draining_) handle->close_with(websocket::close_code::going_away, "the server is going away");
    return handle;
  }

  std::string_view date() override {
    const std::time_t now = std::time(nullptr);
    if (now != date_made_at_) {
      static constexpr std::array<const char*, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
      static constexpr std::array<const char*, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
      std::tm utc{};
      ::gmtime_r(&now, &utc);
      std::array<char, 64> text{};
      const int length = std::snprintf(
          text.data(), text.size(), "%s, %02d %s %d %02d:%02d:%02d GMT", days[static_cast<std::size_t>(utc.tm_wday)], utc.tm_mday,
          months[static_cast<std::size_t>(utc.tm_mon)], utc.tm_year + 1900, utc.tm_hour, utc.tm_min, utc.tm_sec);
      date_.assign(text.data(), static_cast<std::size_t>(length));
      date_made_at_ = now;
    }
    return date_;
  }

  // ---- for WebSockets

  void socket_closed(ServerSocket& socket) override {
    one_less();
    if (socket.handle == nullptr) bury(socket);
  }
  void handle_gone(ServerSocket& socket) override {
    if (socket.closed) bury(socket);
    else socket.close_with(websocket::close_code::going_away, {});
  }
  // Deferred: the socket reports its end during its own work, and its user may be inside a callback.
  void bury(ServerSocket& socket) {
    socket.owner = nullptr;
    dead_.push_back(sockets_.take(socket));
    loop_.wake(*this);
  }

  void on_ready() override {
    dead_.clear();
    if (std::exchange(resume_, false) && !draining_) go_on_accepting();
  }

  Task<Result<void>> until_empty() {
    while (!connections_.empty() || open_ != 0) co_await changed_.wait();
    co_return Result<void>{};
  }

  Loop& loop_;
  HttpServerSettings settings_;
  HttpHandler handler_;
  BodyWanted body_wanted_;
  unsigned short port_;
  std::vector<std::shared_ptr<Listener>> listeners_;
  Signal changed_;
  IntrusiveList<HttpConnection::Stranger> strangers_;  // declared before connections_, whose members leave this list
  std::size_t waiting_strangers_ = 0;
  Slots<HttpConnection> connections_;
  Slots<ServerSocket> sockets_;
  std::vector<std::unique_ptr<ServerSocket>> dead_;
  std::size_t open_ = 0;
  std::uint64_t requests_ = 0;
  std::string date_;
  std::time_t date_made_at_ = 0;
  bool full_ = false;
  bool resume_ = false;
  bool draining_ = false;
};

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::listen(Loop& loop, const HostPort& address, HttpHandler handler,
                                                       HttpServerSettings settings, BodyWanted body_wanted) {
  PARLANCE_TRY(listening, listen_on(address, settings.both_loopbacks));
  return std::make_unique<Server>(loop, listening.fds, listening.port, std::move(handler), settings, std::move(body_wanted));
}

}  // namespace parlance
