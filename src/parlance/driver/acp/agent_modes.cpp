// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/agent_modes.h"

#include <algorithm>
#include <array>

#include "parlance/base/text.h"

namespace parlance::driver {
namespace {

struct NamedMode {
  std::string_view letters;  // in lower case, without other characters
  hub::Mode mode;
};
// `agent`, `build` and `code` are missing on purpose: some agents ask in such a mode, others (Codex, OpenCode) do not.
constexpr std::array named_modes{NamedMode{"default", hub::Mode::default_},   NamedMode{"ask", hub::Mode::default_},
                                 NamedMode{"manual", hub::Mode::default_},    NamedMode{"readonly", hub::Mode::default_},
                                 NamedMode{"plan", hub::Mode::plan},          NamedMode{"architect", hub::Mode::plan},
                                 NamedMode{"autoedit", hub::Mode::auto_edit}, NamedMode{"acceptedits", hub::Mode::auto_edit},
                                 NamedMode{"smart", hub::Mode::smart},        NamedMode{"auto", hub::Mode::smart},
                                 NamedMode{"yolo", hub::Mode::yolo},          NamedMode{"bypasspermissions", hub::Mode::yolo}};

std::string letters_only(std::string_view text) {
  std::string letters = to_lower(text);
  std::erase_if(letters, [](char c) { return c < 'a' || c > 'z'; });
  return letters;
}

bool offers(std::span<const std::string> offered, const std::string& id) {
  return !id.empty() && std::ranges::find(offered, id) != offered.end();
}

// The first of the table's names counts before the others, whatever the order of the agent's list.
std::optional<std::string> by_name(std::span<const std::string> offered, hub::Mode mode) {
  for (const NamedMode& named : named_modes) {
    if (named.mode != mode) continue;
    const auto found = std::ranges::find(offered, named.letters, letters_only);
    if (found != offered.end()) return *found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<hub::Mode> hub_mode(std::string_view agent_mode) {
  const std::string letters = letters_only(agent_mode);
  const auto* const found = std::ranges::find(named_modes, std::string_view(letters), &NamedMode::letters);
  return found == named_modes.end() ? std::nullopt : std::optional(found->mode);
}

std::optional<std::string> asking_mode(std::span<const std::string> offered, const AgentModes& known) {
  return offers(offered, known.asks) ? std::optional(known.asks) : by_name(offered, hub::Mode::default_);
}

std::optional<std::string> planning_mode(std::span<const std::string> offered, const AgentModes& known) {
  if (offers(offered, known.plans)) return known.plans;
  if (!known.asks.empty() && known.plans.empty()) return std::nullopt;
  return by_name(offered, hub::Mode::plan);
}

std::optional<std::string> agent_mode(std::span<const std::string> offered, const AgentModes& known, hub::Mode mode) {
  if (mode == hub::Mode::plan)
    if (auto plans = planning_mode(offered, known)) return plans;
  return asking_mode(offered, known);
}

bool can_enforce_plan(std::span<const std::string> offered, const AgentModes& known) {
  return known.asks_always || asking_mode(offered, known) || planning_mode(offered, known);
}

}  // namespace parlance::driver
