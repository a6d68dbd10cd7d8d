// What `parlance describe` prints, and what docs/protocol holds: the messages of each protocol from their tables. Any thread.
#pragma once

#include <string>

#include "base/result.h"

namespace parlance::service {

// `protocol`: gorpc, page, sqlite_bridge, or policy (docs/policy.md, in one form); empty lists them. `form`: markdown, typescript, schema.
Result<std::string> describe_protocol(const std::string& protocol, const std::string& form);

}  // namespace parlance::service
