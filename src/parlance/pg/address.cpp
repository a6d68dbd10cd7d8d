#include "parlance/pg/address.h"

#include <algorithm>

#include "parlance/pg/pq_library.h"

namespace parlance::pg {
namespace {

constexpr std::string_view hidden = "***";

// Parameters whose value is a secret: password=… and what protects a key.
bool is_secret(std::string_view name) { return name == "password" || name == "sslpassword" || name == "passfile"; }

std::string hide_parameters(std::string_view query) {
  std::string shown;
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    const std::size_t equals = std::min(part.find('='), part.size());
    // A name may be written with %, and then says nothing to us: its value is not shown either.
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
  library->freemem(why);  // not told: it may repeat a part of the address, and the password with it
  if (good) return {};
  return fail(Errc::invalid_params, "\"" + without_password(address) + "\" is no address that libpq understands");
}

std::string without_password(std::string_view address) {
  const std::size_t scheme = address.find("://");
  if (scheme == std::string_view::npos) return std::string(hidden);  // keywords and values: nobody knows which part is secret
  const std::size_t begin = scheme + 3;
  const std::size_t query = std::min(address.find('?', begin), address.size());
  // libpq takes the first '@' before the path; a password that holds one itself must be hidden as well: the last one counts here.
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
