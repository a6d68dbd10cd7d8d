// SPDX-License-Identifier: Apache-2.0
// What a person decided about a tool call, as one of the options that the agent offered. Pure; any thread.
//
// An option is found by the id that iFlow gives it, else by its kind. Nothing is granted that was not said: where no offered option
// fits, that is an error, and never a smaller or a larger permission in its place.
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

// What is answered. Without an option the answer is `cancelled`.
struct PermissionChoice {
  std::optional<OfferedOption> option{};
  bool approved = false;
  friend bool operator==(const PermissionChoice& a, const PermissionChoice& b) {
    return a.approved == b.approved && a.option.has_value() == b.option.has_value() &&
           (!a.option || a.option->id == b.option->id);
  }
};

// Errors: denied (no offered option means this; the text lists those that were). A reject always has an answer.
Result<PermissionChoice> choose_option(PermissionOutcome outcome, std::span<const OfferedOption> offered);

// What nobody decides, in a mode that approves by itself: the smallest approval that is offered, or `cancelled`.
PermissionChoice approve_smallest(std::span<const OfferedOption> offered);

}  // namespace parlance::adapter
