// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/lost_session.h"

#include <algorithm>
#include <array>

#include "parlance/base/text.h"
#include "parlance/hub/conversation/notice.h"

namespace parlance::driver {

bool is_lost_session(const Error& error) {
  constexpr std::array<std::string_view, 5> lost{"session not found", "no such session", "unknown session", "invalid session",
                                                 "session does not exist"};
  if (error.code == Errc::not_found) return true;
  const std::string text = to_lower(error.message + " " + error.data);
  return std::ranges::any_of(lost, [&](std::string_view words) { return text.contains(words); });
}

Task<Result<void>> ask_for_new_session(std::string agent_name, Error why, hub::Turn* turn) {
  Error lost{.code = Errc::not_found, .message = agent_name + " cannot continue the earlier session: " + why.message};
  if (turn == nullptr) co_return fail(std::move(lost));
  const hub::Reason reason(hub::ReasonId::session_lost, {agent_name, why.message});
  PARLANCE_CO_TRY(
      answer, co_await turn->ask({.title = "Begin a new session?",
                                  .why = hub::in_words(reason) + ".",
                                  .reason = reason,
                                  .options = {{.id = "new", .label = "Begin a new session", .kind = hub::OptionKind::allow_once},
                                              {.id = "stop", .label = "Stop", .kind = hub::OptionKind::reject_once}}}));
  if (!answer.allowed()) co_return fail(std::move(lost));
  turn->emit(hub::event::Notice{.level = hub::NoticeLevel::warning,
                                .text = "A new session: the agent does not know earlier messages.",
                                .detail = why.message});
  co_return Result<void>{};
}

}  // namespace parlance::driver
