// SPDX-License-Identifier: Apache-2.0
// A request of the HTTP client in progress: its settings as curl options, and the received data until collection. Redirects are
// followed elsewhere. For the .cpp files of this folder only. Loop thread only.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/base/bytes.h"
#include "parlance/transport/http/curl_library.h"
#include "parlance/transport/http/http_message.h"

namespace parlance {

// Member of the awaiting coroutine. Its destructor takes the handle from curl and thereby cancels the request. Received data
// waits for the coroutine, and its callbacks therefore run outside of curl and may do anything.
class CurlTransfer final : private Timer {
 public:
  CurlTransfer(const CurlLibrary& curl, CURLM* multi, Loop& loop, const HttpRequest& request, bool streams)
      : curl_(curl), multi_(multi), loop_(loop), request_(request), streams_(streams), changed_(loop), easy_(curl.easy_init()) {}
  ~CurlTransfer() {
    curl_.multi_remove_handle(multi_, easy_);
    curl_.easy_cleanup(easy_);
    curl_.slist_free_all(headers_);
  }
  CurlTransfer(const CurlTransfer&) = delete;
  CurlTransfer& operator=(const CurlTransfer&) = delete;

  Result<void> begin(const std::string& url, const std::string& method, bool with_body, const std::vector<HttpHeader>& headers,
                     bool loopback);
  Signal& changed() { return changed_; }
  bool ended() const { return ended_; }
  std::string take_arrived();
  HttpResponse& response() { return response_; }
  Result<void> outcome(const std::string& url);
  // Target of a redirect. Empty: no redirect.
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
    return static_cast<CurlTransfer*>(self)->header({data, size}) ? size : 0;
  }
  static std::size_t on_data(char* data, std::size_t, std::size_t size, void* self) {
    auto& transfer = *static_cast<CurlTransfer*>(self);
    if (transfer.must_wait()) return CURL_WRITEFUNC_PAUSE;  // The same bytes will arrive again.
    return transfer.data({data, size}) ? size : 0;
  }
  static std::size_t on_read(char* into, std::size_t, std::size_t room, void* self) {
    BytesView& unsent = static_cast<CurlTransfer*>(self)->unsent_;
    const std::size_t size = unsent.copy(into, room);
    unsent.remove_prefix(size);
    return size;
  }
  bool header(BytesView line);
  bool data(BytesView piece);
  bool must_wait();
  void note_activity() { last_activity_ = loop_.now(); }
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
  TimePoint last_activity_{};
  curl_off_t uploaded_ = 0;
  enum class Refusal : std::uint8_t { none, too_large, idle } refusal_ = Refusal::none;  // why we ended the request
  bool ended_ = false;
  bool paused_ = false;
  CURLcode code_ = CURLE_OK;
  std::array<char, CURL_ERROR_SIZE> message_{};
};

}  // namespace parlance
