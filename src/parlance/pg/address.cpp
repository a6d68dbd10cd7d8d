// SPDX-License-Identifier: Apache-2.0
#include "parlance/pg/address.h"

#include <algorithm>
#include <array>

#include "parlance/base/text.h"
#include "parlance/pg/pq_library.h"

namespace parlance::pg {
namespace {

constexpr std::string_view hidden = "***";

// Parameters with secret values: password=… and the password of a key.
bool is_secret(std::string_view name) { return name == "password" || name == "sslpassword" || name == "passfile"; }

std::string hide_parameters(std::string_view query) {
  std::string shown;
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    const std::size_t equals = std::min(part.find('='), part.size());
    // A name with % is unreadable here: its value is hidden too.
    const std::string_view name = part.substr(0, equals);
    const bool hide = is_secret(name) || name.contains('%');
    shown += shown.empty() ? "" : "&";
    shown += hide ? std::string(name) + "=" + std::string(hidden) : std::string(part);
    query.remove_prefix(std::min(part.size() + 1, query.size()));
  }
  return shown;
}

}  // namespace

bool is_address(std::string_view text) { return text.starts_with("postgresql://") || text.starts_with("postgres://"); }

Result<void> check_address(const std::string& address) {
  const auto& library = pq_library();
  if (!library) return std::unexpected(library.error());
  char* why = nullptr;
  PQconninfoOption* const parsed = library->conninfoParse(address.c_str(), &why);
  const bool good = parsed != nullptr;
  if (good) library->conninfoFree(parsed);
  library->freemem(why);  // not reported: the text may repeat a part of the address with the password
  if (good) return {};
  return fail(Errc::invalid_params, "\"" + without_password(address) + "\" is no address that libpq understands");
}

// libpq treats empty entries as missing, even within a list: so each server's parameters are rebuilt.
std::vector<Server> servers_of(const std::string& address) {
  const auto& library = pq_library();
  if (!library) return {};
  PQconninfoOption* const parsed = library->conninfoParse(address.c_str(), nullptr);
  if (parsed == nullptr) return {};
  const std::array<std::string_view, 3> of_each{"host", "hostaddr", "port"};
  std::array<std::vector<std::string>, 3> lists;
  std::vector<std::pair<std::string, std::string>> of_all;
  for (const PQconninfoOption* option = parsed; option->keyword != nullptr; ++option) {
    if (option->val == nullptr) continue;
    const auto list = std::ranges::find(of_each, option->keyword);
    if (list == of_each.end()) of_all.emplace_back(option->keyword, option->val);
    else
      for (const std::string_view part : split(option->val, ','))
        lists[static_cast<std::size_t>(list - of_each.begin())].emplace_back(part);
  }
  library->conninfoFree(parsed);
  std::vector<Server> servers(std::max({lists[0].size(), lists[1].size(), std::size_t{1}}));
  for (std::size_t i = 0; i < servers.size(); ++i) {
    Server& server = servers[i];
    server.parameters = of_all;
    for (std::size_t list = 0; list < lists.size(); ++list) {
      const std::size_t at = lists[list].size() == 1 ? 0 : i;  // a single port applies to all
      if (at >= lists[list].size() || lists[list][at].empty()) continue;
      server.parameters.emplace_back(of_each[list], lists[list][at]);
      if (list == 2) server.name += ":" + lists[list][at];
      else if (server.name.empty()) server.name = lists[list][at];
    }
    if (server.name.empty()) server.name = without_password(address);
  }
  return servers;
}

std::string without_password(std::string_view address) {
  const std::size_t scheme = address.find("://");
  if (scheme == std::string_view::npos) return std::string(hidden);  // keywords and values: the secret part is unknown
  const std::size_t begin = scheme + 3;
  const std::size_t query = std::min(address.find('?', begin), address.size());
  // libpq takes the first '@' before the path; a password that contains '@' must be hidden too: this function takes the last.
  const std::size_t at = address.substr(0, query).rfind('@');
  std::string shown(address.substr(0, begin));
  std::size_t rest = begin;
  if (at != std::string_view::npos && at >= begin) {
    const std::string_view user = address.substr(begin, at - begin);
    const std::size_t colon = user.find(':');
    shown += colon == std::string_view::npos ? std::string(user) : std::string(user.substr(0, colon)) + ":" + std::string(hidden);
    rest = at;
  }
  shown += address.substr(rest, query - rest);
  if (query < address.size()) shown += "?" + hide_parameters(address.substr(query + 1));
  return shown;
}

}  // namespace parlance::pg
