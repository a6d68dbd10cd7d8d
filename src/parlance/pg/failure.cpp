// SPDX-License-Identifier: Apache-2.0
#include "parlance/pg/failure.h"

#include <algorithm>
#include <array>

namespace parlance::pg {
namespace {

struct Refusal {
  std::string_view sqlstate;  // or the beginning of several
  std::string_view what;
  std::string_view help;
};
// The first that fits.
constexpr std::array refusals{
    Refusal{"53100", "the disk of the database server is full", "free disk space"},
    Refusal{"53200", "the database server is out of memory", "give the server more memory, or lower work_mem or max_connections"},
    Refusal{"53300", "all connections of the database server are in use", "raise max_connections, or close other clients"},
    Refusal{"53", "the database server has reached a limit", "raise the limit"},
    Refusal{"25006", "the database accepts no changes", "promote this server, or put the primary into the address of the store"},
    Refusal{"57P03", "the database server is starting or stopping", "wait for the server, or start the server"},
    Refusal{"58", "the database server cannot use its files", "check the server's log and disk"}};

const Refusal* refusal_of(std::string_view sqlstate) {
  const auto found =
      std::ranges::find_if(refusals, [&](const Refusal& refusal) { return sqlstate.starts_with(refusal.sqlstate); });
  return found == refusals.end() ? nullptr : &*found;
}

}  // namespace

Error error_of(const Failure& failure) {
  if (failure.unknown()) return {.code = Errc::disconnected, .message = "PostgreSQL: " + failure.message};
  const std::string words = "PostgreSQL: " + failure.message + " (" + failure.sqlstate + ")";
  if (const Refusal* const why = refusal_of(failure.sqlstate))
    return {.code = Errc::overloaded, .message = std::string(why->what) + " [" + words + "]: " + std::string(why->help)};
  return {.code = is_passing(failure.sqlstate) ? Errc::disconnected : Errc::failed, .message = words};
}

bool is_passing(std::string_view sqlstate) {
  return sqlstate.starts_with("08") || sqlstate.starts_with("57P") || is_refusal(sqlstate);
}

bool is_refusal(std::string_view sqlstate) { return refusal_of(sqlstate) != nullptr; }

}  // namespace parlance::pg
