#include "transport/http_client.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>

#include "async/channel.h"
#include "async/loop_asio.h"
#include "base/text.h"
#include "base/uri.h"
#include "transport/curl_library.h"

namespace parlance {
namespace {

constexpr int most_redirects = 10;
// The body of a redirect is of no interest; one beyond this is an attack or a mistake.
constexpr std::size_t most_redirect_body = 1 << 20;

// Headers that may follow a redirect to another host. Credentials come under too many names (Authorization, x-api-key, …) to list
// those that may not.
constexpr std::array<std::string_view, 5> harmless_headers{"Accept", "Accept-Language", "Content-Type", "Content-Language",
                                                           "User-Agent"};

// For errors and logs: without user, password and query, where keys are hidden.
std::string presentable(std::string_view url) {
  const std::size_t scheme = url.find("://");
  std::string_view rest = url.substr(0, url.find_first_of("?#"));
  if (scheme == std::string_view::npos) return std::string(rest);
  const std::size_t begin = scheme + 3;
  const std::size_t path = rest.find('/', begin);
  const std::size_t at = rest.substr(0, path).rfind('@');
  if (at == std::string_view::npos || at < begin) return std::string(rest);
  return std::string(rest.substr(0, begin)) + std::string(rest.substr(at + 1));
}

struct Origin {
  std::string scheme;
  std::string host;
  std::string port;
  friend bool operator==(const Origin&, const Origin&) = default;
};
Result<Origin> origin_of(const CurlLibrary& curl, const std::string& url) {
  const std::unique_ptr<CURLU, decltype(curl.url_cleanup)> parsed(curl.url(), curl.url_cleanup);
  if (curl.url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK)
    return fail(Errc::invalid_request, "not a URL: " + presentable(url));
  const auto part = [&](CURLUPart what, unsigned flags) {
    char* text = nullptr;
    curl.url_get(parsed.get(), what, &text, flags);
    std::string copy = text != nullptr ? text : "";
    curl.free(text);
    return copy;
  };
  Origin origin{.scheme = part(CURLUPART_SCHEME, 0),
                .host = to_lower(part(CURLUPART_HOST, 0)),
                .port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT)};
  if (origin.scheme != "http" && origin.scheme != "https")
    return fail(Errc::invalid_request, "not an http or https URL: " + presentable(url));
  return origin;
}

class Transfer;

}  // namespace

// ---- the loop's side of curl's sockets ---------------------------------------------------------------------------------

struct HttpClient::Implementation final : private Timer {
  // A socket that curl opened and will close: watched here, given back with release() before curl closes it.
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
    void let_go() {
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
    for (auto& [fd, socket] : sockets) socket->let_go();
  }

  // Nothing is loaded or made before the first request.
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
  void collect();  // tells the transfers that have ended

  // Called by curl, often from inside act(): they only note what it wants.
  static int on_socket(CURL*, curl_socket_t fd, int what, void* self, void*) {
    auto& sockets = static_cast<Implementation*>(self)->sockets;
    if (what == CURL_POLL_REMOVE) {
      if (const auto found = sockets.find(fd); found != sockets.end()) {
        found->second->let_go();
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

  Task<Result<HttpResponse>> run(HttpRequest request, const std::function<Result<void>(BytesView)>* on_body);

  Loop& loop;
  const CurlLibrary* curl = nullptr;
  CURLM* multi = nullptr;
  std::map<curl_socket_t, std::shared_ptr<Socket>> sockets;
};

// ---- one request -------------------------------------------------------------------------------------------------------

namespace {

// Lives in the coroutine that waits for it; its end takes the handle from curl, which cancels the request.
// What arrives is kept until the coroutine looks: its callbacks then run outside of curl and may do anything.
class Transfer final : private Timer {
 public:
  Transfer(const CurlLibrary& curl, CURLM* multi, Loop& loop, const HttpRequest& request, bool streams)
      : curl_(curl), multi_(multi), loop_(loop), request_(request), streams_(streams), changed_(loop), easy_(curl.easy_init()) {}
  ~Transfer() {
    curl_.multi_remove_handle(multi_, easy_);
    curl_.easy_cleanup(easy_);
    curl_.slist_free_all(headers_);
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  Result<void> begin(const std::string& url, const std::string& method, bool with_body, const std::vector<HttpHeader>& headers,
                     bool loopback);
  Signal& changed() { return changed_; }
  bool ended() const { return ended_; }
  std::string take_arrived() { return std::exchange(arrived_, {}); }
  HttpResponse& response() { return response_; }
  Result<void> outcome(const std::string& url);
  // Where a 3xx leads, or "".
  std::string redirect() const;

  void on_end(CURLcode code) {
    ended_ = true;
    code_ = code;
    Timer::stop();
    changed_.notify_all();
  }

 private:
  template <class T>
  void set(CURLoption option, T value) {
    curl_.easy_setopt(easy_, option, value);
  }
  void add_header(const std::string& line) { headers_ = curl_.slist_append(headers_, line.c_str()); }

  bool is_success() const { return response_.status >= 200 && response_.status < 300; }
  static std::size_t on_header(char* data, std::size_t, std::size_t size, void* self) {
    return static_cast<Transfer*>(self)->header({data, size}) ? size : 0;
  }
  static std::size_t on_data(char* data, std::size_t, std::size_t size, void* self) {
    return static_cast<Transfer*>(self)->data({data, size}) ? size : 0;
  }
  static std::size_t on_read(char* into, std::size_t, std::size_t room, void* self) {
    BytesView& unsent = static_cast<Transfer*>(self)->unsent_;
    const std::size_t size = unsent.copy(into, room);
    unsent.remove_prefix(size);
    return size;
  }
  bool header(BytesView line);
  bool data(BytesView piece);
  void heard() { last_heard_ = loop_.now(); }
  void on_timer() override;

  const CurlLibrary& curl_;
  CURLM* multi_;
  Loop& loop_;
  const HttpRequest& request_;
  bool streams_;
  Signal changed_;
  CURL* easy_;
  curl_slist* headers_ = nullptr;
  BytesView unsent_;
  HttpResponse response_;
  std::string arrived_;
  std::size_t header_bytes_ = 0;
  std::size_t redirect_bytes_ = 0;
  TimePoint last_heard_{};
  curl_off_t uploaded_ = 0;
  bool too_large_ = false;
  bool idle_ = false;
  bool ended_ = false;
  CURLcode code_ = CURLE_OK;
  std::array<char, CURL_ERROR_SIZE> message_{};
};

Result<void> Transfer::begin(const std::string& url, const std::string& method, bool with_body,
                             const std::vector<HttpHeader>& headers, bool loopback) {
  if (easy_ == nullptr) return fail(Errc::failed, "libcurl: out of memory");
  set(CURLOPT_PRIVATE, static_cast<void*>(this));
  set(CURLOPT_ERRORBUFFER, message_.data());
  set(CURLOPT_URL, url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_ACCEPT_ENCODING, "");  // all it knows
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request_.connect_timeout.count()));
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(request_.total_timeout.count()));
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_TCP_KEEPALIVE, 1L);
  set(CURLOPT_QUICK_EXIT, 1L);  // A cancelled request must not wait for its name to resolve.
  // What runs on this machine is never behind a proxy, whatever the environment says (as Go has it).
  if (loopback) set(CURLOPT_PROXY, "");

  if (method == "HEAD") set(CURLOPT_NOBODY, 1L);
  else if (method == "POST" || with_body) set(CURLOPT_POST, 1L);
  if (method != "GET" && method != "HEAD" && method != "POST") set(CURLOPT_CUSTOMREQUEST, method.c_str());
  if (method == "GET" && with_body) set(CURLOPT_CUSTOMREQUEST, "GET");
  if (method != "HEAD" && (method == "POST" || with_body)) {
    // Read piece by piece and not to be rewound: curl sends a request again when a kept connection ends without an answer, also
    // one that the server has had whole. A tool call or a payment must not be made twice; who asks decides on that.
    unsent_ = with_body ? BytesView(request_.body) : BytesView();
    set(CURLOPT_READFUNCTION, &Transfer::on_read);
    set(CURLOPT_READDATA, static_cast<void*>(this));
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(unsent_.size()));
  }
  bool has_type = false;
  for (const HttpHeader& header : headers) {
    if ((header.name + header.value).find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos)
      return fail(Errc::invalid_request, "a header holds a line break: " + header.name);
    has_type = has_type || equal_ignoring_case(header.name, "Content-Type");
    add_header(header.value.empty() ? header.name + ";" : header.name + ": " + header.value);
  }
  if (!has_type) add_header("Content-Type:");  // no type of curl's own
  add_header("Expect:");                       // curl would wait a second for a 100 that few servers send
  set(CURLOPT_HTTPHEADER, headers_);
  set(CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  set(CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(CURLOPT_WRITEFUNCTION, &Transfer::on_data);
  set(CURLOPT_WRITEDATA, static_cast<void*>(this));

  heard();
  if (request_.idle_timeout.count() != 0) Timer::start(loop_, last_heard_ + request_.idle_timeout);
  if (const CURLMcode code = curl_.multi_add_handle(multi_, easy_); code != CURLM_OK)
    return fail(Errc::failed, std::string("libcurl: ") + curl_.multi_strerror(code));
  return {};
}

bool Transfer::header(BytesView line) {
  heard();
  header_bytes_ += line.size();
  if (header_bytes_ > (1 << 20)) {
    too_large_ = true;
    return false;
  }
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  if (line.starts_with("HTTP/")) {  // A head of its own for each interim answer: the last one counts.
    response_ = {};
    const std::size_t blank = line.find(' ');
    if (blank != BytesView::npos) response_.status = parse_number<int>(line.substr(blank + 1, 3)).value_or(0);
    return true;
  }
  if (const std::size_t colon = line.find(':'); colon != BytesView::npos)
    response_.headers.push_back({.name = std::string(line.substr(0, colon)), .value = std::string(trim(line.substr(colon + 1)))});
  return true;
}

bool Transfer::data(BytesView piece) {
  heard();
  if (request_.follow_redirects && response_.status / 100 == 3) {
    redirect_bytes_ += piece.size();
    if (redirect_bytes_ > most_redirect_body) too_large_ = true;
  } else if (streams_ && is_success()) {
    arrived_ += piece;
    changed_.notify_all();
    return true;
  }
  if (piece.size() > request_.body_limit - std::min(response_.body.size(), request_.body_limit)) too_large_ = true;
  if (!too_large_) response_.body += piece;
  return !too_large_;
}

void Transfer::on_timer() {
  curl_off_t uploaded = 0;
  curl_.easy_getinfo(easy_, CURLINFO_SIZE_UPLOAD_T, &uploaded);
  if (uploaded != std::exchange(uploaded_, uploaded)) heard();  // A long request on its way out is not idle.
  const TimePoint due = last_heard_ + request_.idle_timeout;
  if (due > loop_.now()) {
    Timer::start(loop_, due);
    return;
  }
  idle_ = true;
  ended_ = true;
  changed_.notify_all();
}

// What happened and what may help, for what happens to people; nothing for the rest.
static std::string_view words_for(CURLcode code, int error) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST: return "there is no host of that name, or no network; check the address";
    case CURLE_COULDNT_RESOLVE_PROXY: return "there is no proxy of that name; check http_proxy and https_proxy";
    case CURLE_COULDNT_CONNECT:
      if (error == ECONNREFUSED) return "nobody listens there; start the server, or check host and port";
      if (error == ENETUNREACH || error == EHOSTUNREACH) return "that machine cannot be reached from here; check the network";
      return "no connection could be made; check host and port";
    case CURLE_OPERATION_TIMEDOUT: return "no answer in time";
    case CURLE_SSL_CONNECT_ERROR: return "the server does not speak TLS as we do; is it http:// and not https://?";
    case CURLE_PEER_FAILED_VERIFICATION: return "the server's certificate is not to be trusted";
    case CURLE_GOT_NOTHING: return "the server ended the connection without an answer";
    default: return "";
  }
}

Result<void> Transfer::outcome(const std::string& url) {
  const std::string doing = request_.method + " " + presentable(url) + ": ";
  if (idle_)
    return fail(Errc::deadline_exceeded, doing + "nothing came for " + std::to_string(request_.idle_timeout.count()) + " ms");
  if (too_large_)
    return fail(Errc::overloaded, doing + "the answer is larger than " + std::to_string(request_.body_limit) + " bytes");
  if (code_ == CURLE_OK) return {};
  std::string text = message_[0] != '\0' ? message_.data() : curl_.easy_strerror(code_);
  long error = 0;
  curl_.easy_getinfo(easy_, CURLINFO_OS_ERRNO, &error);
  if (code_ == CURLE_COULDNT_CONNECT && error != 0) text += std::string(": ") + ::strerror(static_cast<int>(error));
  // In our words first; the library's are for those who look closer.
  if (const std::string_view words = words_for(code_, static_cast<int>(error)); !words.empty())
    text = std::string(words) + " (" + text + ")";
  switch (code_) {
    case CURLE_OPERATION_TIMEDOUT: return fail(Errc::deadline_exceeded, doing + text);
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return fail(Errc::invalid_request, doing + text);
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE: return fail(Errc::denied, doing + text);
    case CURLE_SEND_FAIL_REWIND:
      return fail(Errc::disconnected,
                  doing + "the connection ended before an answer came (what was sent is not sent again by itself)");
    default: return fail(Errc::disconnected, doing + text);
  }
}

std::string Transfer::redirect() const {
  if (!request_.follow_redirects || response_.status / 100 != 3) return {};
  char* url = nullptr;
  curl_.easy_getinfo(easy_, CURLINFO_REDIRECT_URL, &url);
  return url != nullptr ? url : "";
}

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
    reinterpret_cast<Transfer*>(transfer)->on_end(code);
  }
}

// Redirects are followed here and not by curl, which would take every header but Authorization and Cookie along to another host.
Task<Result<HttpResponse>> HttpClient::Implementation::run(HttpRequest request,
                                                           const std::function<Result<void>(BytesView)>* on_body) {
  PARLANCE_CO_TRY_DO(prepare());
  std::string url = request.url;
  std::string method = request.method;
  std::vector<HttpHeader> headers = request.headers;
  bool with_body = !request.body.empty();
  PARLANCE_CO_TRY(first_origin, origin_of(*curl, url));
  Origin origin = first_origin;

  for (int redirects = 0;; ++redirects) {
    Transfer transfer(*curl, multi, loop, request, on_body != nullptr);
    PARLANCE_CO_TRY_DO(transfer.begin(url, method, with_body, headers, is_loopback(origin.host) || origin.host == "[::1]"));
    for (;;) {
      const bool ended = transfer.ended();  // before the last look: what came with the end is not to be missed
      if (const std::string piece = transfer.take_arrived(); !piece.empty()) PARLANCE_CO_TRY_DO((*on_body)(piece));
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
  co_return co_await implementation_->run(std::move(request), nullptr);
}

Task<Result<HttpResponse>> HttpClient::stream(HttpRequest request, std::function<Result<void>(BytesView)> on_body) {
  co_return co_await implementation_->run(std::move(request), &on_body);
}

}  // namespace parlance
