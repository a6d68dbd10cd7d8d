// SPDX-License-Identifier: Apache-2.0
// URI templates (RFC 6570) as resources use them: {name}, {+name} (slashes stay) and {?a,b}, matched against a URI. Values; any thread.
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
  // The variables, decoded; nothing when the URI does not fit. {name} takes no slash; {+name} takes as much as it can, so that what
  // stands behind it is found last. Query parameters that the template does not name do not fit.
  std::optional<std::map<std::string, std::string>> match(std::string_view uri) const;
  std::string expand(const std::map<std::string, std::string>& variables) const;

 private:
  struct Part {
    enum Kind { literal, simple, reserved, query } kind = literal;
    std::string text{};                // of a literal; the name of a variable
    std::vector<std::string> names{};  // of a query
  };
  bool match_from(std::size_t part, std::string_view uri, std::map<std::string, std::string>& found, int& steps) const;
  std::vector<Part> parts_;
};

}  // namespace parlance::mcp
