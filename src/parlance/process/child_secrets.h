// SPDX-License-Identifier: Apache-2.0
// The secrets in our environment, and the rules for their inheritance. ChildProcess::start applies the rules to every child. A
// secret therefore reaches a child only if its caller names the variable: in ChildSettings::passed, `set` or `environment`.
// Values; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace parlance {

enum class Withheld : std::uint8_t {
  credentials,  // All of own_secrets, and names that end like a key, a token or a password. For commands, hooks and tool servers.
  own_secrets,  // Secrets of parlance and of its database. For agents of other vendors: they sign in with variables such as OPENAI_API_KEY.
  nothing,  // For the gateway alone: it starts agents and servers in the environment of the person.
};

bool is_withheld(std::string_view name, Withheld withheld);

}  // namespace parlance
