// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/schema/schema_uri.h"

#include <algorithm>
#include <optional>

namespace parlance::schema {
namespace {

// The five components of RFC 3986, 3. Empty optionals are absent, which is not the same as empty text.
struct Uri {
  std::optional<std::string> scheme{};
  std::optional<std::string> authority{};
  std::string path{};
  std::optional<std::string> query{};
  std::optional<std::string> fragment{};
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_scheme(std::string_view text) {
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  });
}

// Takes the part behind `mark` off the end of `rest`.
std::optional<std::string> behind(std::string_view& rest, char mark) {
  const std::size_t at = rest.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  std::string part(rest.substr(at + 1));
  rest = rest.substr(0, at);
  return part;
}

Uri parsed(std::string_view text) {
  Uri uri;
  uri.fragment = behind(text, '#');
  uri.query = behind(text, '?');
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos && is_scheme(text.substr(0, colon))) {
    uri.scheme = text.substr(0, colon);
    text.remove_prefix(colon + 1);
  }
  if (text.starts_with("//")) {
    const std::size_t end = std::min(text.find('/', 2), text.size());
    uri.authority = text.substr(2, end - 2);
    text.remove_prefix(end);
  }
  uri.path = text;
  return uri;
}

// RFC 3986, 5.2.4.
std::string without_dots(std::string_view rest) {
  std::string out;
  while (!rest.empty()) {
    if (rest.starts_with("../")) rest.remove_prefix(3);
    else if (rest.starts_with("./") || rest.starts_with("/./")) rest.remove_prefix(2);
    else if (rest == "/.") rest = "/";
    else if (rest.starts_with("/../") || rest == "/..") {
      rest = rest.size() == 3 ? std::string_view("/") : rest.substr(3);
      out.resize(out.rfind('/') == std::string::npos ? 0 : out.rfind('/'));
    } else if (rest == "." || rest == "..") {
      rest = {};
    } else {
      const std::size_t end = std::min(rest.find('/', 1), rest.size());
      out += rest.substr(0, end);
      rest.remove_prefix(end);
    }
  }
  return out;
}

std::string merged_path(const Uri& base, const std::string& path) {
  if (base.authority && base.path.empty()) return "/" + path;
  return base.path.substr(0, base.path.rfind('/') + 1) + path;  // npos + 1: none
}

std::string text_of(const Uri& uri) {
  std::string text;
  if (uri.scheme) text += *uri.scheme + ":";
  if (uri.authority) text += "//" + *uri.authority;
  text += uri.path;
  if (uri.query) text += "?" + *uri.query;
  if (uri.fragment) text += "#" + *uri.fragment;
  return text;
}

}  // namespace

// RFC 3986, 5.2.2.
std::string resolved_uri(std::string_view base_text, std::string_view reference_text) {
  if (base_text.empty()) return std::string(reference_text);
  const Uri base = parsed(base_text);
  Uri uri = parsed(reference_text);
  if (uri.scheme) {
    uri.path = without_dots(uri.path);
    return text_of(uri);
  }
  uri.scheme = base.scheme;
  if (uri.authority) {
    uri.path = without_dots(uri.path);
    return text_of(uri);
  }
  uri.authority = base.authority;
  if (uri.path.empty()) {
    uri.path = base.path;
    if (!uri.query) uri.query = base.query;
  } else {
    uri.path = without_dots(uri.path.starts_with('/') ? uri.path : merged_path(base, uri.path));
  }
  return text_of(uri);
}

}  // namespace parlance::schema
