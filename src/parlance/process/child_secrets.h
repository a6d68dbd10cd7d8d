// SPDX-License-Identifier: Apache-2.0
// Which variables of our environment hold secrets, and which of them a child process may inherit. ChildProcess::start applies this to every
// child. A secret therefore reaches a child only if its caller names the variable: in ChildSettings::passed, `set` or `environment`.
// Values; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace parlance {

enum class Withheld : std::uint8_t {
  credentials,  // All of own_secrets, and every name that ends like a key, a token or a password. For commands, hooks and tool servers.
  own_secrets,  // Secrets of parlance and of its database. For agents of other vendors: they sign in with variables such as OPENAI_API_KEY.
  nothing,  // For the gateway alone, which starts agents and servers in the environment of the person.
};

bool is_withheld(std::string_view name, Withheld withheld);

}  // namespace parlance
