// SPDX-License-Identifier: Apache-2.0
#include "parlance/gateway/page_cookie.h"

#include "parlance/base/secret.h"
#include "parlance/base/text.h"
#include "parlance/transport/http/http_source.h"
#include "parlance/transport/tls/hmac.h"

namespace parlance::gateway {
namespace {

constexpr std::string_view purpose = "parlance page cookie";
constexpr std::string_view ninety_days = "7776000";  // seconds; each visit restarts them

// Two gateways on one host have separate cookies.
std::string name_for(const ServerRequest& request) {
  const auto host = parse_authority(only_header(request, "Host").value_or(""));
  return "parlance_" + std::string(host && !host->port.empty() ? host->port : "80");
}
std::string with_manners(std::string cookie, const ServerRequest& request) {
  const auto origin = parse_origin(only_header(request, "Origin").value_or(""));
  return std::move(cookie) + "; Path=/; HttpOnly; SameSite=Strict" + (origin && origin->secure() ? "; Secure" : "");
}

bool is_of_our_page(const ServerRequest& request) {
  if (has_header(request, page_header)) return true;
  const auto origin = parse_origin(only_header(request, "Origin").value_or(""));
  const auto host = parse_authority(only_header(request, "Host").value_or(""));
  return origin && host && same_server(*origin, *host);
}

std::optional<std::string_view> cookie_of(const ServerRequest& request, std::string_view name) {
  for (const HttpHeader& header : request.headers) {
    if (!equal_ignoring_case(header.name, "Cookie")) continue;
    for (const std::string_view pair : split(header.value, ';')) {
      const std::size_t equals = pair.find('=');
      if (equals != std::string_view::npos && trim(pair.substr(0, equals)) == name) return trim(pair.substr(equals + 1));
    }
  }
  return std::nullopt;
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {digits[byte >> 4U], digits[byte & 15U]};
  }
  return text;
}

}  // namespace

Result<std::string> PageCookie::value_for(std::string_view token) {
  PARLANCE_TRY(made, hmac_sha256(token, purpose));
  return hex(made);
}

std::optional<std::string> PageCookie::shown_by(const ServerRequest& request) {
  if (!is_of_our_page(request)) return std::nullopt;
  const auto brought = cookie_of(request, name_for(request));
  return brought ? std::optional(std::string(*brought)) : std::nullopt;
}

bool PageCookie::is_valid_in(const ServerRequest& request) const {
  if (token_.empty()) return false;
  const auto brought = shown_by(request);
  if (!brought) return false;
  const auto right = value_for(token_);
  return right && equal_in_constant_time(*brought, *right);
}

std::string PageCookie::given_again(const ServerRequest& request, const std::string& value) {
  return with_manners(name_for(request) + '=' + value + "; Max-Age=" + std::string(ninety_days), request);
}

Result<std::string> PageCookie::given_to(const ServerRequest& request) const {
  PARLANCE_TRY(right, value_for(token_));
  return given_again(request, right);
}
std::string PageCookie::taken_from(const ServerRequest& request) {
  return with_manners(name_for(request) + "=; Max-Age=0", request);
}

}  // namespace parlance::gateway
