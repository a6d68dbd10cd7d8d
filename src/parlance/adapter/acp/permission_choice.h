// SPDX-License-Identifier: Apache-2.0
// A person's decision about a tool call as one of the agent's offered options. Pure; any thread.
//
// Finds an option by iFlow's id, else by its kind. Never grants more or less than the decision: without a fitting option, the
// result is an error.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "parlance/base/result.h"

namespace parlance::adapter {

enum class PermissionOutcome { reject, allow, always_allow, always_allow_tool, always_allow_mcp_server };

// "allow", "alwaysAllow", "alwaysAllowTool", "alwaysAllowMcpServer", "reject". No other word means anything.
std::string_view to_string(PermissionOutcome outcome);
std::optional<PermissionOutcome> read_permission_outcome(std::string_view word);

struct OfferedOption {
  std::string id{};
  std::string name{};
  std::string kind{};  // allow_once, allow_always, reject_once, reject_always
};

// The answer. Without an option, the answer is `cancelled`.
struct PermissionChoice {
  std::optional<OfferedOption> option{};
  bool approved = false;
  friend bool operator==(const PermissionChoice& a, const PermissionChoice& b) {
    return a.approved == b.approved && a.option.has_value() == b.option.has_value() &&
           (!a.option || a.option->id == b.option->id);
  }
};

// Errors: denied (no fitting option; the text lists the offered options). A rejection always has an answer.
Result<PermissionChoice> choose_option(PermissionOutcome outcome, std::span<const OfferedOption> offered);

// The answer without a person, in a mode with automatic approval: the smallest offered approval, or `cancelled`.
PermissionChoice approve_smallest(std::span<const OfferedOption> offered);

}  // namespace parlance::adapter
