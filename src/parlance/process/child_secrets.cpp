// SPDX-License-Identifier: Apache-2.0
#include "parlance/process/child_secrets.h"

#include <algorithm>
#include <array>

namespace parlance {
namespace {

// setting_table_test.cpp compares this list with the secret settings. The PG* variables are the variables of libpq with a
// password or the name of a password file. PARLANCE_DOCTOR_FLAGS repeats settings, possibly addresses with passwords.
// PARLANCE_SUPERVISED is not a secret: a parlance started by an agent must not take itself for a supervised service.
constexpr std::array<std::string_view, 8> own_names{
    "PARLANCE_STORE", "PARLANCE_DOCTOR_FLAGS", "PARLANCE_SUPERVISED", "PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE",
    "PGSSLKEY",       "PGSSLPASSWORD",
};

constexpr std::array<std::string_view, 10> credential_endings{
    "_API_KEY", "_ACCESS_KEY", "_SECRET_KEY", "_PRIVATE_KEY", "_TOKEN",
    "_SECRET",  "_PASSWORD",   "_PASSPHRASE", "_CREDENTIAL",  "_CREDENTIALS",
};

bool names_a_credential(std::string_view name) {
  return name == "API_KEY" || name == "TOKEN" || name == "PASSWORD" ||
         std::ranges::any_of(credential_endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

bool is_own(std::string_view name) {
  if (std::ranges::find(own_names, name) != own_names.end()) return true;
  return (name.starts_with("PARLANCE_") || name.starts_with("OPENCLAW_")) && names_a_credential(name);
}

}  // namespace

bool is_withheld(std::string_view name, Withheld withheld) {
  switch (withheld) {
    case Withheld::nothing: return false;
    case Withheld::own_secrets: return is_own(name);
    case Withheld::credentials: break;
  }
  return is_own(name) || names_a_credential(name);
}

}  // namespace parlance
