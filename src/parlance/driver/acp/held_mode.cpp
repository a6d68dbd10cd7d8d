// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/held_mode.h"

#include "parlance/driver/acp/limits.h"
#include "parlance/driver/acp/words.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/notice.h"

namespace parlance::driver {

hub::Mode HeldMode::take(std::string_view reported, hub::Mode now) {
  link_.choices().set_mode(reported);
  if (link_.agent_mode_of(now) == reported) return now;
  const auto meant = reported == settings_.modes.plans ? std::optional(hub::Mode::plan) : hub_mode(reported);
  const bool lowers = meant && *meant != now && !hub::is_raised(now, *meant);
  const hub::Mode mode = lowers ? *meant : now;
  if (link_.agent_mode_of(mode) != reported) correct(mode, reported, meant != mode);
  return mode;
}

hub::Mode HeldMode::take_options(hub::Mode now) {
  for (const auto& [id, value] : settings_.modes.held_options)
    if (const acp::ConfigOption* option = link_.choices().find(id); option != nullptr && current_value(*option) != value)
      correct(now, option->name + " " + current_value(*option), true);
  const acp::ConfigOption* const mode = link_.choices().of_category("mode");
  return mode == nullptr ? now : take(current_value(*mode), now);
}

// An agent that claims again and again gets no endless answer: the policy holds without its cooperation.
void HeldMode::correct(hub::Mode now, std::string_view claim, bool notify) {
  if (corrections_ >= limits::acp_mode_corrections) return;
  if (notify && corrections_ == 0)
    notice_ = hub::event::Notice{
        .level = hub::NoticeLevel::warning,
        .text = settings_.name + " changed its own mode to “" + std::string(claim) + "”. The mode of this conversation stays.",
        .detail = "Only a person raises permissions. parlance sets the agent back to its asking mode."};
  ++corrections_;
  link_.correct_mode(now);
}

std::optional<hub::event::Notice> HeldMode::warning() const {
  const bool asks = settings_.modes.asks_always || settings_.flavour == acp::Flavour::iflow || link_.asking_mode();
  if (asks && (settings_.modes.limit.empty() || !link_.is_new())) return std::nullopt;
  hub::event::Notice notice{.level = hub::NoticeLevel::warning};
  if (asks) {
    notice.text = settings_.modes.limit;
    return notice;
  }
  notice.text = settings_.name + " has no asking mode: the agent may change files and run commands without approval.";
  notice.detail = "parlance decides only about requests of the agent. Plan mode does not start with this agent.";
  return notice;
}

Result<void> HeldMode::check(hub::Mode mode) const {
  if (mode != hub::Mode::plan || link_.can_enforce_plan()) return {};
  return fail(Errc::denied, "plan mode cannot start with " + settings_.name +
                                ": the agent has no asking mode, so planning could change files. "
                                "Choose another mode for this conversation, or another agent");
}

}  // namespace parlance::driver
