// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/uri_template.h"

#include <algorithm>

#include "parlance/base/text.h"
#include "parlance/base/uri.h"

namespace parlance::mcp {
namespace {

// Tries of one match: a template with many variables against a long URI could otherwise take them all.
constexpr int most_steps = 10'000;

std::string encode_path(std::string_view text) {
  std::string out;
  for (const std::string_view piece : split(text, '/')) {
    if (!out.empty() || piece.data() != text.data()) out += '/';
    out += percent_encode(piece);
  }
  return out;
}

}  // namespace

UriTemplate::UriTemplate(std::string_view text) {
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    const std::size_t close = text.find('}', open == std::string_view::npos ? 0 : open);
    if (open == std::string_view::npos || close == std::string_view::npos) {
      parts_.push_back({.text = std::string(text)});
      return;
    }
    if (open != 0) parts_.push_back({.text = std::string(text.substr(0, open))});
    std::string_view inside = text.substr(open + 1, close - open - 1);
    Part part{.kind = Part::simple};
    if (inside.starts_with('+')) part.kind = Part::reserved, inside.remove_prefix(1);
    else if (inside.starts_with('?')) part.kind = Part::query, inside.remove_prefix(1);
    if (part.kind == Part::query)
      for (const std::string_view name : split(inside, ',')) part.names.emplace_back(name);
    else part.text = inside;
    parts_.push_back(std::move(part));
    text.remove_prefix(close + 1);
  }
}

bool UriTemplate::match_from(std::size_t index, std::string_view uri, std::map<std::string, std::string>& found,
                             int& steps) const {
  if (--steps < 0) return false;
  if (index == parts_.size()) return uri.empty();
  const Part& part = parts_[index];
  if (part.kind == Part::literal)
    return uri.starts_with(part.text) && match_from(index + 1, uri.substr(part.text.size()), found, steps);
  if (part.kind == Part::query) {
    if (uri.empty()) return match_from(index + 1, uri, found, steps);
    if (uri.front() != '?') return false;
    const QueryParameters query = parse_query(uri.substr(1));
    for (const auto& [name, value] : query.items) {
      if (std::find(part.names.begin(), part.names.end(), name) == part.names.end()) return false;
      found[name] = value;
    }
    return match_from(index + 1, {}, found, steps);
  }
  std::size_t most = part.kind == Part::reserved ? uri.find_first_of("?#") : uri.find_first_of("/?#");
  most = std::min(most, uri.size());
  for (std::size_t length = most; length != 0; --length) {
    if (!match_from(index + 1, uri.substr(length), found, steps)) continue;
    auto value = percent_decode(uri.substr(0, length));
    if (!value) return false;
    found[part.text] = *std::move(value);
    return true;
  }
  return false;
}

std::optional<std::map<std::string, std::string>> UriTemplate::match(std::string_view uri) const {
  std::map<std::string, std::string> found;
  int steps = most_steps;
  if (!match_from(0, uri, found, steps)) return std::nullopt;
  return found;
}

std::string UriTemplate::expand(const std::map<std::string, std::string>& variables) const {
  std::string out;
  for (const Part& part : parts_) {
    if (part.kind == Part::literal) {
      out += part.text;
    } else if (part.kind == Part::query) {
      char separator = '?';
      for (const std::string& name : part.names) {
        const auto value = variables.find(name);
        if (value == variables.end()) continue;
        out += separator + name + '=' + percent_encode(value->second);
        separator = '&';
      }
    } else if (const auto value = variables.find(part.text); value != variables.end()) {
      out += part.kind == Part::reserved ? encode_path(value->second) : percent_encode(value->second);
    }
  }
  return out;
}

}  // namespace parlance::mcp
