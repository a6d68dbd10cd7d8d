// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/acp/permission_choice.h"

#include <algorithm>
#include <array>

namespace parlance::adapter {
namespace {

struct Row {
  PermissionOutcome outcome;
  std::string_view word;
  std::string_view id;     // iFlow's
  std::string_view kind;   // otherwise
  std::string_view wider;  // an id of this kind with a wider permission than the answer
};
constexpr std::array rows{
    Row{PermissionOutcome::allow, "allow", "proceed_once", "allow_once", ""},
    Row{PermissionOutcome::always_allow, "alwaysAllow", "proceed_always", "allow_always", "proceed_always_server"},
    Row{PermissionOutcome::always_allow_tool, "alwaysAllowTool", "proceed_always_tool", "allow_always", "proceed_always_server"},
    Row{PermissionOutcome::always_allow_mcp_server, "alwaysAllowMcpServer", "proceed_always_server", "allow_always", ""},
    Row{PermissionOutcome::reject, "reject", "cancel", "reject_once", ""},
};
const Row& row_of(PermissionOutcome outcome) { return *std::ranges::find(rows, outcome, &Row::outcome); }

const OfferedOption* find(const Row& row, std::span<const OfferedOption> offered) {
  // The kind must agree with the id: an agent may call its refusal "proceed_once".
  const auto fits = [&](const OfferedOption& option) { return option.kind == row.kind; };
  const auto named = std::ranges::find_if(
      offered, [&](const OfferedOption& option) { return option.id == row.id && (fits(option) || option.kind.empty()); });
  if (named != offered.end()) return &*named;
  const auto kind = std::ranges::find_if(
      offered, [&](const OfferedOption& option) { return fits(option) && (row.wider.empty() || option.id != row.wider); });
  return kind == offered.end() ? nullptr : &*kind;
}

std::string list_of(std::span<const OfferedOption> offered) {
  if (offered.empty()) return "nothing";
  std::string out;
  for (const OfferedOption& option : offered) out += (out.empty() ? "" : ", ") + option.id + " (" + option.kind + ")";
  return out;
}

}  // namespace

std::string_view to_string(PermissionOutcome outcome) { return row_of(outcome).word; }

std::optional<PermissionOutcome> read_permission_outcome(std::string_view word) {
  const auto found = std::ranges::find(rows, word, &Row::word);
  return found == rows.end() ? std::nullopt : std::optional(found->outcome);
}

Result<PermissionChoice> choose_option(PermissionOutcome outcome, std::span<const OfferedOption> offered) {
  const Row& row = row_of(outcome);
  const bool approved = outcome != PermissionOutcome::reject;
  if (const OfferedOption* option = find(row, offered)) return PermissionChoice{.option = *option, .approved = approved};
  if (!approved) return PermissionChoice{};  // `cancelled`: no action, and no standing refusal
  return fail(Errc::denied, "the agent offers no option for \"" + std::string(row.word) + "\", only " + list_of(offered) +
                                ": choose one of these, or reject");
}

PermissionChoice approve_smallest(std::span<const OfferedOption> offered) {
  for (const PermissionOutcome outcome : {PermissionOutcome::allow, PermissionOutcome::always_allow_tool,
                                          PermissionOutcome::always_allow, PermissionOutcome::always_allow_mcp_server})
    if (const OfferedOption* option = find(row_of(outcome), offered)) return {.option = *option, .approved = true};
  return {};
}

}  // namespace parlance::adapter
