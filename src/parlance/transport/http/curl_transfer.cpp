// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/curl_transfer.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>

#include "parlance/base/text.h"
#include "parlance/transport/http/limits.h"
#include "parlance/transport/http/public_address.h"
#include "parlance/transport/http/url_origin.h"
#include "parlance/transport/tcp_options.h"

namespace parlance {
namespace {

// The body of a redirect is ignored; a body beyond this size is an attack or a mistake.
constexpr std::size_t most_redirect_body = 1 << 20;

// Detects a vanished server, even for a client that only listens.
int on_socket(void*, curl_socket_t socket, curlsocktype) {
  set_tcp_options(static_cast<int>(socket));
  return CURL_SOCKOPT_OK;
}

bool behind_proxy() {
  return std::ranges::any_of(std::array{"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}, [](const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
  });
}

// A name may lead anywhere: the address of the connection counts.
curl_socket_t open_public_socket(void*, curlsocktype purpose, curl_sockaddr* to) {
  if (purpose == CURLSOCKTYPE_IPCXN && !is_public(to->addr)) {
    errno = EACCES;
    return CURL_SOCKET_BAD;
  }
  return ::socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

// The cause and the remedy of common failures. Empty: other failures.
std::string_view words_for(CURLcode code, int error) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST: return "unknown host name, or no network; check the address";
    case CURLE_COULDNT_RESOLVE_PROXY: return "unknown name of the proxy; check http_proxy and https_proxy";
    case CURLE_COULDNT_CONNECT:
      if (error == ECONNREFUSED) return "nobody listens there; start the server, or check host and port";
      if (error == ENETUNREACH || error == EHOSTUNREACH) return "the machine cannot be reached from here; check the network";
      return "no connection could be made; check host and port";
    case CURLE_OPERATION_TIMEDOUT: return "no answer in time";
    case CURLE_SSL_CONNECT_ERROR: return "no common version of TLS; perhaps the address is http:// and not https://";
    case CURLE_PEER_FAILED_VERIFICATION: return "the server's certificate is not to be trusted";
    case CURLE_GOT_NOTHING: return "the server ended the connection without an answer";
    default: return "";
  }
}

}  // namespace

Result<void> CurlTransfer::begin(const std::string& url, const std::string& method, bool with_body,
                                 const std::vector<HttpHeader>& headers, bool loopback) {
  if (easy_ == nullptr) return fail(Errc::failed, "libcurl: out of memory");
  set(CURLOPT_PRIVATE, static_cast<void*>(this));
  set(CURLOPT_ERRORBUFFER, message_.data());
  set(CURLOPT_URL, url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_ACCEPT_ENCODING, "");  // all supported encodings
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request_.connect_timeout.count()));
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(request_.total_timeout.count()));
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_SOCKOPTFUNCTION, &on_socket);
  // A proxy resolves the name itself. Without an exception of no_proxy, each such request goes to the proxy.
  if (request_.public_addresses && url.starts_with("https:") && behind_proxy()) set(CURLOPT_NOPROXY, "");
  else if (request_.public_addresses) set(CURLOPT_OPENSOCKETFUNCTION, &open_public_socket);
  set(CURLOPT_QUICK_EXIT, 1L);  // A cancelled request must not wait for its name to resolve.
  // Servers on this machine are never behind a proxy, regardless of the environment (like Go).
  if (loopback) set(CURLOPT_PROXY, "");

  if (method == "HEAD") set(CURLOPT_NOBODY, 1L);
  else if (method == "POST" || with_body) set(CURLOPT_POST, 1L);
  if (method != "GET" && method != "HEAD" && method != "POST") set(CURLOPT_CUSTOMREQUEST, method.c_str());
  if (method == "GET" && with_body) set(CURLOPT_CUSTOMREQUEST, "GET");
  if (method != "HEAD" && (method == "POST" || with_body)) {
    // Read piece by piece, without rewinding: curl repeats a request after a kept connection ends without an answer, even a
    // completely received request. A tool call or a payment must not happen twice; the caller decides about a repetition.
    unsent_ = with_body ? BytesView(request_.body) : BytesView();
    set(CURLOPT_READFUNCTION, &CurlTransfer::on_read);
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
  set(CURLOPT_HEADERFUNCTION, &CurlTransfer::on_header);
  set(CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(CURLOPT_WRITEFUNCTION, &CurlTransfer::on_data);
  set(CURLOPT_WRITEDATA, static_cast<void*>(this));

  note_activity();
  if (request_.idle_timeout.count() != 0) Timer::start(loop_, last_activity_ + request_.idle_timeout);
  if (const CURLMcode code = curl_.multi_add_handle(multi_, easy_); code != CURLM_OK)
    return fail(Errc::failed, std::string("libcurl: ") + curl_.multi_strerror(code));
  return {};
}

bool CurlTransfer::header(BytesView line) {
  note_activity();
  header_bytes_ += line.size();
  if (header_bytes_ > (1 << 20)) {
    refusal_ = Refusal::too_large;
    return false;
  }
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  if (line.starts_with("HTTP/")) {  // Each interim answer has its own head: the last head counts.
    response_ = {};
    const std::size_t blank = line.find(' ');
    if (blank != BytesView::npos) response_.status = parse_number<int>(line.substr(blank + 1, 3)).value_or(0);
    return true;
  }
  if (const std::size_t colon = line.find(':'); colon != BytesView::npos)
    response_.headers.push_back({.name = std::string(line.substr(0, colon)), .value = std::string(trim(line.substr(colon + 1)))});
  return true;
}

bool CurlTransfer::must_wait() {
  if (!streams_ || !is_success() || arrived_.size() < limits::arrived_bytes) return false;
  paused_ = true;
  return true;
}

std::string CurlTransfer::take_arrived() {
  std::string taken = std::exchange(arrived_, {});
  if (!std::exchange(paused_, false)) return taken;
  note_activity();  // The pause was on our side.
  curl_.easy_pause(easy_, CURLPAUSE_CONT);
  return taken;
}

bool CurlTransfer::data(BytesView piece) {
  note_activity();
  if (request_.follow_redirects && response_.status / 100 == 3) {
    redirect_bytes_ += piece.size();
    if (redirect_bytes_ > most_redirect_body) refusal_ = Refusal::too_large;
  } else if (streams_ && is_success()) {
    arrived_ += piece;
    changed_.notify_all();
    return true;
  }
  if (piece.size() > request_.body_limit - std::min(response_.body.size(), request_.body_limit)) refusal_ = Refusal::too_large;
  if (refusal_ == Refusal::none) response_.body += piece;
  return refusal_ == Refusal::none;
}

void CurlTransfer::on_timer() {
  curl_off_t uploaded = 0;
  curl_.easy_getinfo(easy_, CURLINFO_SIZE_UPLOAD_T, &uploaded);
  if (uploaded != std::exchange(uploaded_, uploaded)) note_activity();  // A long request on its way out is not idle.
  if (paused_) note_activity();
  const TimePoint due = last_activity_ + request_.idle_timeout;
  if (due > loop_.now()) {
    Timer::start(loop_, due);
    return;
  }
  refusal_ = Refusal::idle;
  ended_ = true;
  changed_.notify_all();
}

Result<void> CurlTransfer::outcome(const std::string& url) {
  const std::string doing = request_.method + " " + presentable(url) + ": ";
  if (refusal_ == Refusal::idle)
    return fail(Errc::deadline_exceeded, doing + "nothing came for " + std::to_string(request_.idle_timeout.count()) + " ms");
  if (refusal_ == Refusal::too_large)
    return fail(Errc::overloaded, doing + "the answer is larger than " + std::to_string(request_.body_limit) + " bytes");
  if (code_ == CURLE_OK) return {};
  std::string text = message_[0] != '\0' ? message_.data() : curl_.easy_strerror(code_);
  long error = 0;
  curl_.easy_getinfo(easy_, CURLINFO_OS_ERRNO, &error);
  if (code_ == CURLE_COULDNT_CONNECT && error != 0) text += std::string(": ") + ::strerror(static_cast<int>(error));
  // Our explanation first, then the library's for experts.
  if (const std::string_view words = words_for(code_, static_cast<int>(error)); !words.empty())
    text = std::string(words) + " (" + text + ")";
  switch (code_) {
    case CURLE_OPERATION_TIMEDOUT: return fail(Errc::deadline_exceeded, doing + text);
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return fail(Errc::invalid_request, doing + text);
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE: return fail(Errc::denied, doing + text);
    case CURLE_SEND_FAIL_REWIND:
      return fail(Errc::disconnected, doing + "the connection ended before an answer (the request is not repeated)");
    default: return fail(Errc::disconnected, doing + text);
  }
}

std::string CurlTransfer::redirect() const {
  if (!request_.follow_redirects || response_.status / 100 != 3) return {};
  char* url = nullptr;
  curl_.easy_getinfo(easy_, CURLINFO_REDIRECT_URL, &url);
  return url != nullptr ? url : "";
}

}  // namespace parlance
