// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/websocket_client.h"

#include <algorithm>

#include "parlance/base/base64.h"
#include "parlance/base/secret.h"
#include "parlance/base/text.h"
#include "parlance/base/uri.h"
#include "parlance/base/utf8.h"
#include "parlance/transport/gathering_stream.h"
#include "parlance/transport/http/http1.h"
#include "parlance/transport/limits.h"
#include "parlance/transport/tcp_connect.h"
#include "parlance/transport/tls/tls_stream.h"

namespace parlance {
namespace {

constexpr std::size_t most_answer_header = 64 << 10;
constexpr std::size_t most_answer_body = 400;  // enough for the reason of a refusal

struct Address {
  bool secure = false;
  std::string host;  // without brackets
  unsigned short port = 0;
  std::string authority;  // as the Host header has it
  std::string target;
};

Result<Address> parse(std::string_view url) {
  const auto refuse = [&] {
    return fail(Errc::invalid_request, "not a ws or wss URL: " + std::string(url.substr(0, url.find('?'))));
  };
  Address address;
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return refuse();
  const std::string name = to_lower(url.substr(0, scheme));
  if (name != "ws" && name != "wss") return refuse();
  address.secure = name == "wss";
  std::string_view rest = url.substr(scheme + 3, url.find('#') - scheme - 3);
  const std::size_t path = rest.find_first_of("/?");
  const std::string_view authority = rest.substr(0, path);
  address.target = path == std::string_view::npos ? "" : rest.substr(path);
  if (!address.target.starts_with('/')) address.target.insert(0, "/");
  const bool has_port = authority.rfind(':') != std::string_view::npos && authority.back() != ']';
  const auto host_port =
      parse_host_port(has_port ? std::string(authority) : std::string(authority) + (address.secure ? ":443" : ":80"));
  const auto odd = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7F; };
  if (!host_port || authority.find('@') != std::string_view::npos || std::any_of(url.begin(), url.end(), odd)) return refuse();
  address.host = host_port->host;
  address.port = host_port->port;
  address.authority = authority;
  return address;
}

Errc code_for(int status) {
  switch (status) {
    case 401:
    case 403: return Errc::denied;
    case 404: return Errc::not_found;
    case 429:
    case 503: return Errc::overloaded;
    default: return Errc::failed;
  }
}

Result<std::string> request_text(const Address& address, const WebSocketClientSettings& settings, std::string_view key) {
  std::string text = "GET " + address.target + " HTTP/1.1\r\n";
  http1::append_header(text, "Host", address.authority);
  http1::append_header(text, "Upgrade", "websocket");
  http1::append_header(text, "Connection", "Upgrade");
  http1::append_header(text, "Sec-WebSocket-Key", key);
  http1::append_header(text, "Sec-WebSocket-Version", "13");
  std::string offered;
  for (const std::string& protocol : settings.subprotocols) offered += (offered.empty() ? "" : ", ") + protocol;
  if (!offered.empty()) http1::append_header(text, "Sec-WebSocket-Protocol", offered);
  for (const HttpHeader& header : settings.headers) http1::append_header(text, header.name, header.value);
  return text + "\r\n";
}

// Why the answer is no upgrade, or nothing.
std::optional<Error> refusal(const HttpResponse& response, const WebSocketClientSettings& settings, std::string_view key) {
  const auto failed = [](std::string why) { return Error{.code = Errc::failed, .message = std::move(why)}; };
  if (response.status != 101) {
    std::string text = "answered " + std::to_string(response.status) + " " + std::string(http1::reason_phrase(response.status));
    if (const std::string body = to_valid_utf8(trim(response.body)); !body.empty()) text += ": " + body;
    return Error{.code = code_for(response.status), .message = std::move(text)};
  }
  const std::string* accept = find_header(response.headers, "Sec-WebSocket-Accept");
  if (!http1::has_token(response.headers, "Upgrade", "websocket") ||
      !http1::has_token(response.headers, "Connection", "upgrade") || accept == nullptr ||
      trim(*accept) != http1::websocket_accept(key))
    return failed("the answer is no WebSocket upgrade");
  if (find_header(response.headers, "Sec-WebSocket-Extensions") != nullptr)
    return failed("an extension was chosen that was not offered");
  const std::string* chosen = find_header(response.headers, "Sec-WebSocket-Protocol");
  if (chosen != nullptr && std::ranges::find(settings.subprotocols, *chosen) == settings.subprotocols.end())
    return failed("a subprotocol was chosen that was not offered: " + *chosen);
  return std::nullopt;
}

Task<Result<std::unique_ptr<WebSocketFrames>>> connect_to(Loop& loop, Address address, const WebSocketClientSettings& settings) {
  PARLANCE_CO_TRY(stream, co_await tcp_connect(loop, address.host, address.port));
  if (address.secure) {
    auto secured = co_await tls_connect(
        loop, std::move(stream), {.host = address.host, .verify = settings.verify_certificate, .ca_file = settings.ca_file});
    if (!secured) co_return fail(std::move(secured).error());
    stream = *std::move(secured);
  }

  const std::string key = to_base64(random_bytes(16));
  PARLANCE_CO_TRY(text, request_text(address, settings, key));
  PARLANCE_CO_TRY_DO(co_await write_all(*stream, text));

  http1::ResponseReader reader(most_answer_header, most_answer_body);
  Bytes input;
  bool has_head = false;
  for (;;) {
    http1::Progress progress = reader.feed(input);
    input.erase(0, progress.consumed);
    if (progress.state == http1::Progress::failed) co_return fail(Errc::failed, progress.error);
    if (progress.state == http1::Progress::head) {
      has_head = true;
      if (reader.response().status == 101) break;
      continue;
    }
    if (progress.state == http1::Progress::done || reader.response().body.size() >= most_answer_body) break;
    Bytes buffer(limits::read_buffer_first_bytes, '\0');
    const auto count = co_await read_some(*stream, buffer);
    if (!count || *count == 0) {
      if (has_head) break;  // The status says enough.
      if (!count) co_return fail(count.error());
      co_return fail(Errc::disconnected, "the connection ended without an answer");
    }
    input.append(buffer, 0, *count);
  }
  const HttpResponse& response = reader.response();
  if (auto refused = refusal(response, settings, key)) co_return fail(*std::move(refused));
  const std::string* chosen = find_header(response.headers, "Sec-WebSocket-Protocol");
  if (settings.gathers) stream = gathering_stream(loop, std::move(stream));
  co_return websocket_frames(loop, std::move(stream),
                             {.role = websocket::Role::client,
                              .subprotocol = chosen != nullptr ? *chosen : "",
                              .message_bytes = settings.message_bytes,
                              .ping = settings.ping,
                              .already_read = std::move(input)});
}

}  // namespace

Task<Result<std::unique_ptr<WebSocketFrames>>> connect_websocket(Loop& loop, WebSocketClientSettings settings) {
  PARLANCE_CO_TRY(address, parse(settings.url));
  const std::string name =
      (address.secure ? "wss://" : "ws://") + address.authority + address.target.substr(0, address.target.find('?'));
  auto frames =
      co_await with_deadline(loop, loop.now() + settings.connect_timeout, connect_to(loop, std::move(address), settings));
  if (!frames) co_return fail(std::move(frames).error().in(name));
  co_return std::move(frames);
}

}  // namespace parlance
