// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/uri.h"

#include "parlance/base/bytes.h"
#include "parlance/base/text.h"

namespace parlance {
namespace {

bool unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' ||
         c == '~';
}

}  // namespace

std::string percent_encode(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (unreserved(c)) {
      out += c;
    } else {
      static constexpr char digits[] = "0123456789ABCDEF";  // RFC 3986, 2.1
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
  }
  return out;
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    Bytes byte;
    if (i + 2 >= text.size() || !from_hex(text.substr(i + 1, 2), byte) || byte.size() != 1) return std::nullopt;
    out += byte;
    i += 2;
  }
  return out;
}

const std::string* QueryParameters::find(std::string_view name) const {
  for (const auto& [key, value] : items)
    if (key == name) return &value;
  return nullptr;
}

QueryParameters parse_query(std::string_view text) {
  QueryParameters out;
  if (text.empty()) return out;
  const auto decode = [](std::string_view part) {
    std::string plain(part);
    for (char& c : plain)
      if (c == '+') c = ' ';
    return percent_decode(plain).value_or(plain);
  };
  for (const std::string_view pair : split(text, '&')) {
    const std::size_t equals = pair.find('=');
    const std::string_view value = equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1);
    out.items.emplace_back(decode(pair.substr(0, equals)), decode(value));
  }
  return out;
}

std::optional<HostPort> parse_host_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  else if (host.find(':') != std::string_view::npos) return std::nullopt;
  const auto port = parse_number<unsigned short>(text.substr(colon + 1));
  if (host.empty() || !port) return std::nullopt;
  return HostPort{.host = std::string(host), .port = *port};
}

bool is_loopback(std::string_view host) {
  if (host == "localhost" || host == "::1") return true;
  const auto parts = split(host, '.');
  if (parts.size() != 4 || parts[0] != "127") return false;
  for (const std::string_view part : parts)
    if (!parse_number<unsigned char>(part)) return false;
  return true;
}

}  // namespace parlance
