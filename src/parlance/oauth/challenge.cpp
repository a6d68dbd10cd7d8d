// SPDX-License-Identifier: Apache-2.0
#include "parlance/oauth/challenge.h"

#include <algorithm>
#include <optional>

#include "parlance/base/text.h"
#include "parlance/oauth/limits.h"

namespace parlance::oauth {
namespace {

bool is_token_character(char c) {
  constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || others.contains(c);
}

class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}
  bool at_end() const { return rest_.empty(); }
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }
  void skip_commas() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t,"), rest_.size())); }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view token() {
    const auto end = std::ranges::find_if_not(rest_, is_token_character);
    const auto size = static_cast<std::size_t>(end - rest_.begin());
    const std::string_view found = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return found;
  }
  // A token or a quoted string. Absent: neither.
  std::optional<std::string> value() {
    if (!take('"')) {
      const std::string_view found = token();
      return found.empty() ? std::nullopt : std::optional(std::string(found));
    }
    std::string found;
    while (!rest_.empty()) {
      if (take('"')) return found;
      if (rest_.front() == '\\' && rest_.size() > 1) rest_.remove_prefix(1);
      found += rest_.front();
      rest_.remove_prefix(1);
    }
    return std::nullopt;
  }
  // Skips the single opaque value of a scheme such as Negotiate.
  void skip_opaque() {
    const std::size_t size = std::min(rest_.find_first_of(" \t,"), rest_.size());
    const std::string_view word = rest_.substr(0, size);
    const std::size_t equals = word.find('=');
    const bool is_opaque =
        !word.contains('"') && (equals == word.npos ? word.contains('/') : word.find_first_not_of('=', equals) == word.npos);
    if (is_opaque) rest_.remove_prefix(size);
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::string_view Challenge::parameter(std::string_view name) const {
  const auto found = parameters.find(std::string(name));
  return found == parameters.end() ? std::string_view() : std::string_view(found->second);
}

std::vector<Challenge> parse_challenges(std::string_view header) {
  std::vector<Challenge> all;
  if (header.size() > limits::oauth_header_bytes) return all;
  Cursor cursor(header);
  std::size_t parameters = 0;
  for (;;) {
    cursor.skip_commas();
    const std::string_view word = cursor.token();
    if (word.empty()) return all;
    cursor.skip_blanks();
    if (cursor.take('=')) {
      cursor.skip_blanks();
      auto value = cursor.value();
      if (!value || all.empty() || ++parameters > limits::oauth_parameters) return all;
      all.back().parameters.try_emplace(to_lower(word), *std::move(value));
    } else {
      if (++parameters > limits::oauth_parameters) return all;
      all.push_back({.scheme = to_lower(word)});
      cursor.skip_opaque();
    }
  }
}

Challenge token_challenge(const std::vector<HttpHeader>& headers) {
  Challenge found;
  for (const HttpHeader& header : headers) {
    if (!equal_ignoring_case(header.name, "WWW-Authenticate")) continue;
    for (Challenge& challenge : parse_challenges(header.value)) {
      if (challenge.scheme == "bearer") return challenge;
      if (challenge.scheme == "dpop" && found.scheme.empty()) found = std::move(challenge);
    }
  }
  return found;
}

}  // namespace parlance::oauth
