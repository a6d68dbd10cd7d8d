// SPDX-License-Identifier: Apache-2.0
// URI templates (RFC 6570) of resources: {name}, {+name} (with slashes) and {?a,b}, matched against a URI. Values; any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::mcp {

class UriTemplate {
 public:
  explicit UriTemplate(std::string_view text);
  // The decoded variables. Absent: the URI does not match. {name} contains no slash; {+name} matches as much as possible, so the
  // text after it is found last. Query parameters outside of the template do not match.
  std::optional<std::map<std::string, std::string>> match(std::string_view uri) const;
  std::string expand(const std::map<std::string, std::string>& variables) const;

 private:
  struct Part {
    enum Kind { literal, simple, reserved, query } kind = literal;
    std::string text{};                // Text of a literal; name of a variable.
    std::vector<std::string> names{};  // Of a query.
  };
  bool match_from(std::size_t part, std::string_view uri, std::map<std::string, std::string>& found, int& steps) const;
  std::vector<Part> parts_;
};

}  // namespace parlance::mcp
