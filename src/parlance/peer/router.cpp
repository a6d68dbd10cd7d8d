// SPDX-License-Identifier: Apache-2.0
#include "parlance/peer/router.h"

#include <algorithm>

#include "parlance/base/check.h"
#include "parlance/base/log.h"

namespace parlance {

void Router::add(std::string method, Entry entry) {
  const bool nameless = method.empty();
  const auto [place, added] = entries_.emplace(std::move(method), std::move(entry));
  PARLANCE_CHECK(added, "one handler for a method");
  if (nameless) nameless_ = &place->second;
}

void detail::handler_threw(RunningCall& call, const std::exception& bug) {
  log(LogLevel::error, "a handler threw", {{"method", call.context().method}, {"what", bug.what()}});
  call.answer(Error{.code = Errc::internal, .message = "internal error"});
}

Error Router::unknown(std::string_view method) const {
  if (explain_) return explain_(method);
  return Error{.code = Errc::unknown_method, .message = "unknown method: " + std::string(method)};
}

bool Router::remove(std::string_view method) {
  const auto found = entries_.find(method);
  if (found == entries_.end()) return false;
  if (method.empty()) nameless_ = nullptr;
  entries_.erase(found);
  return true;
}

std::vector<std::string_view> Router::methods() const {
  std::vector<std::string_view> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace parlance
