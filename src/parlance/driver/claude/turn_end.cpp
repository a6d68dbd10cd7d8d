// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/claude/turn_end.h"

#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/notice.h"

namespace parlance::driver {
namespace {

hub::StopReason stop_of(const claude::TurnResult& result) {
  if (result.subtype == "error_max_turns") return hub::StopReason::max_turns;
  if (result.stop_reason == "max_tokens") return hub::StopReason::max_tokens;
  if (result.stop_reason == "refusal") return hub::StopReason::refusal;
  return hub::StopReason::end_turn;
}

}  // namespace

hub::StopReason end_turn(hub::Turn& turn, const claude::TurnResult& result, bool cancelled) {
  if (cancelled || turn.cancelled()) return hub::StopReason::cancelled;
  if (result.succeeded()) return stop_of(result);
  if (result.subtype == "error_max_turns") {
    turn.emit(hub::event::Failure{.code = "max_turns", .message = "Claude Code reached its limit of turns.", .retryable = true});
    return hub::StopReason::max_turns;
  }
  std::string detail = result.result.value_or("");
  const json::Value errors = json::parse_or_null(result.errors.json);
  if (detail.empty() && errors.array() != nullptr)
    for (const json::Value& error : *errors.array())
      if (error.text() != nullptr) detail += (detail.empty() ? "" : "\n") + *error.text();
  const int status = static_cast<int>(result.api_error_status.value_or(0));
  turn.emit(hub::event::Failure{.code = result.subtype == "success" ? "api_error" : result.subtype,
                                .message = detail.empty() ? "Claude Code ended the turn: " + result.subtype : detail,
                                .detail = result.terminal_reason.value_or(""),
                                .retryable = status == 0 || status == 429 || status >= 500});
  return hub::StopReason::error;
}

}  // namespace parlance::driver
