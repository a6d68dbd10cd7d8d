// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/schema/schema_uri.h"

#include <algorithm>
#include <vector>

#include "parlance/base/text.h"

namespace parlance::schema {
namespace {

bool has_scheme(std::string_view uri) {
  const auto colon = uri.find(':');
  return colon != std::string_view::npos && colon != 0 && uri.find_first_of("/?#") > colon;
}

std::string without_dots(std::string_view path) {
  std::vector<std::string_view> kept;
  for (const std::string_view part : split(path, '/')) {
    if (part == "..") {
      if (kept.size() > 1) kept.pop_back();
    } else if (part != ".") {
      kept.push_back(part);
    }
  }
  std::string out;
  for (std::size_t i = 0; i < kept.size(); ++i) (out += i == 0 ? "" : "/") += kept[i];
  return out;
}

}  // namespace

std::string resolved_uri(std::string_view base, std::string_view reference) {
  if (has_scheme(reference) || base.empty()) return std::string(reference);
  if (reference.empty() || reference.starts_with('#')) return std::string(base) + std::string(reference);
  const std::string_view scheme = base.substr(0, base.find(':') + 1);
  if (reference.starts_with("//")) return std::string(scheme) + std::string(reference);
  std::string_view root = scheme;
  if (base.substr(scheme.size()).starts_with("//")) root = base.substr(0, base.find('/', scheme.size() + 2));
  const std::string_view fragment = reference.substr(std::min(reference.find('#'), reference.size()));
  const std::string_view name = reference.substr(0, reference.size() - fragment.size());
  if (name.starts_with('/')) return std::string(root) + without_dots(name) + std::string(fragment);
  std::string_view folder = base.substr(root.size());
  folder = folder.substr(0, folder.rfind('/') + 1);  // npos + 1: none
  return std::string(root) + without_dots((folder.empty() ? "/" : std::string(folder)) + std::string(name)) +
         std::string(fragment);
}

}  // namespace parlance::schema
