// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/http_client.h"

#include <algorithm>
#include <array>
#include <map>

#include "parlance/async/loop_asio.h"
#include "parlance/base/text.h"
#include "parlance/base/uri.h"
#include "parlance/transport/http/curl_library.h"
#include "parlance/transport/http/curl_transfer.h"
#include "parlance/transport/http/url_origin.h"

namespace parlance {
namespace {

constexpr int most_redirects = 10;
// Headers that may follow a redirect to another host. Credentials have too many names (Authorization, x-api-key, …) for a list of
// forbidden headers.
constexpr std::array<std::string_view, 5> harmless_headers{"Accept", "Accept-Language", "Content-Type", "Content-Language",
                                                           "User-Agent"};

}  // namespace

// ---- the loop's side of curl's sockets ---------------------------------------------------------------------------------

struct HttpClient::Implementation final : private Timer {
  // A socket opened and closed by curl: watched here, released with release() before curl closes the socket.
  struct Socket : std::enable_shared_from_this<Socket> {
    Socket(Implementation& owner, curl_socket_t fd) : client(&owner), descriptor(io_of(owner.loop), fd) {}
    void want(int what) {
      wants_read = (what & CURL_POLL_IN) != 0;
      wants_write = (what & CURL_POLL_OUT) != 0;
      wait();
    }
    void wait() {
      if (wants_read && !waits_read) {
        waits_read = true;
        descriptor.async_wait(AsioDescriptor::wait_read, [self = shared_from_this()](const boost::system::error_code& error) {
          self->waits_read = false;
          self->ready(error, CURL_CSELECT_IN, self->wants_read);
        });
      }
      if (wants_write && !waits_write) {
        waits_write = true;
        descriptor.async_wait(AsioDescriptor::wait_write, [self = shared_from_this()](const boost::system::error_code& error) {
          self->waits_write = false;
          self->ready(error, CURL_CSELECT_OUT, self->wants_write);
        });
      }
    }
    void ready(const boost::system::error_code& error, int event, bool wanted) {
      if (client == nullptr || error == boost::asio::error::operation_aborted || !wanted) return;
      Loop::Turn turn(client->loop);
      client->act(descriptor.native_handle(), error ? CURL_CSELECT_ERR : event);
      if (client != nullptr) wait();
    }
    void release() {
      client = nullptr;
      descriptor.release();
    }
    Implementation* client;
    AsioDescriptor descriptor;
    bool wants_read = false;
    bool wants_write = false;
    bool waits_read = false;
    bool waits_write = false;
  };

  explicit Implementation(Loop& owner) : loop(owner) {}
  ~Implementation() {
    if (multi != nullptr) curl->multi_cleanup(multi);
    for (auto& [fd, socket] : sockets) socket->release();
  }

  // Initialises nothing before the first request.
  Result<void> prepare() {
    if (multi != nullptr) return {};
    const Result<CurlLibrary>& library = curl_library();
    if (!library) return fail(library.error());
    curl = &*library;
    multi = curl->multi_init();
    if (multi == nullptr) return fail(Errc::failed, "libcurl: out of memory");
    curl->multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, &Implementation::on_socket);
    curl->multi_setopt(multi, CURLMOPT_SOCKETDATA, this);
    curl->multi_setopt(multi, CURLMOPT_TIMERFUNCTION, &Implementation::on_curl_timer);
    curl->multi_setopt(multi, CURLMOPT_TIMERDATA, this);
    return {};
  }

  void act(curl_socket_t fd, int events) {
    int running = 0;
    curl->multi_socket_action(multi, fd, events, &running);
    collect();
  }
  void collect();  // reports the ended transfers

  // Called by curl, often from inside act(): these functions only note curl's wishes.
  static int on_socket(CURL*, curl_socket_t fd, int what, void* self, void*) {
    auto& sockets = static_cast<Implementation*>(self)->sockets;
    if (what == CURL_POLL_REMOVE) {
      if (const auto found = sockets.find(fd); found != sockets.end()) {
        found->second->release();
        sockets.erase(found);
      }
      return 0;
    }
    auto& socket = sockets[fd];
    if (!socket) socket = std::make_shared<Socket>(*static_cast<Implementation*>(self), fd);
    socket->want(what);
    return 0;
  }
  static int on_curl_timer(CURLM*, long timeout_ms, void* self) {
    auto* client = static_cast<Implementation*>(self);
    if (timeout_ms < 0) client->stop();
    else client->start(client->loop, client->loop.now() + std::chrono::milliseconds(timeout_ms));
    return 0;
  }
  void on_timer() override { act(CURL_SOCKET_TIMEOUT, 0); }

  Task<Result<HttpResponse>> run(HttpRequest request, const std::function<Result<void>(BytesView)>* on_body,
                                 const std::function<Task<void>()>& wait_writable);

  Loop& loop;
  const CurlLibrary* curl = nullptr;
  CURLM* multi = nullptr;
  std::map<curl_socket_t, std::shared_ptr<Socket>> sockets;
};

// ---- a request ---------------------------------------------------------------------------------------------------------

namespace {

std::vector<HttpHeader> without_credentials(const std::vector<HttpHeader>& headers) {
  std::vector<HttpHeader> kept;
  for (const HttpHeader& header : headers)
    if (std::ranges::any_of(harmless_headers, [&](std::string_view name) { return equal_ignoring_case(name, header.name); }))
      kept.push_back(header);
  return kept;
}

}  // namespace

void HttpClient::Implementation::collect() {
  int left = 0;
  while (CURLMsg* message = curl->multi_info_read(multi, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    char* transfer = nullptr;
    const CURLcode code = message->data.result;
    curl->easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    reinterpret_cast<CurlTransfer*>(transfer)->on_end(code);
  }
}

// Redirects are followed here and not by curl, because curl sends every header except Authorization and Cookie to another host.
Task<Result<HttpResponse>> HttpClient::Implementation::run(HttpRequest request,
                                                           const std::function<Result<void>(BytesView)>* on_body,
                                                           const std::function<Task<void>()>& wait_writable) {
  PARLANCE_CO_TRY_DO(prepare());
  std::string url = request.url;
  std::string method = request.method;
  std::vector<HttpHeader> headers = request.headers;
  bool with_body = !request.body.empty();
  PARLANCE_CO_TRY(first_origin, origin_of(*curl, url));
  UrlOrigin origin = first_origin;

  for (int redirects = 0;; ++redirects) {
    CurlTransfer transfer(*curl, multi, loop, request, on_body != nullptr);
    PARLANCE_CO_TRY_DO(transfer.begin(url, method, with_body, headers, is_loopback(origin.host) || origin.host == "[::1]"));
    for (;;) {
      const bool ended = transfer.ended();  // read first, to see data that arrived with the end
      const std::string piece = transfer.take_arrived();
      if (!piece.empty()) {
        PARLANCE_CO_TRY_DO((*on_body)(piece));
        if (wait_writable) co_await wait_writable();
        continue;  // more may have come meanwhile
      }
      if (ended) break;
      co_await transfer.changed().wait();
    }
    PARLANCE_CO_TRY_DO(transfer.outcome(url));
    std::string next = transfer.redirect();
    if (next.empty()) co_return std::move(transfer.response());

    if (redirects == most_redirects)
      co_return fail(Errc::failed, request.method + " " + presentable(request.url) + ": too many redirects");
    PARLANCE_CO_TRY(next_origin, origin_of(*curl, next));
    if (origin.scheme == "https" && next_origin.scheme == "http")
      co_return fail(Errc::denied, presentable(url) + " leads from https to " + presentable(next));
    if (next_origin != origin) headers = without_credentials(headers);
    const int status = transfer.response().status;
    if ((status == 303 && method != "HEAD") || ((status == 301 || status == 302) && method == "POST")) {  // as browsers do
      method = "GET";
      with_body = false;
      std::erase_if(headers, [](const HttpHeader& header) { return equal_ignoring_case(header.name, "Content-Type"); });
    }
    origin = std::move(next_origin);
    url = std::move(next);
  }
}

HttpClient::HttpClient(Loop& loop) : implementation_(std::make_unique<Implementation>(loop)) {}
HttpClient::~HttpClient() = default;

Task<Result<HttpResponse>> HttpClient::fetch(HttpRequest request) {
  co_return co_await implementation_->run(std::move(request), nullptr, {});
}

Task<Result<HttpResponse>> HttpClient::stream(HttpRequest request, std::function<Result<void>(BytesView)> on_body,
                                              std::function<Task<void>()> wait_writable) {
  co_return co_await implementation_->run(std::move(request), &on_body, wait_writable);
}

}  // namespace parlance
