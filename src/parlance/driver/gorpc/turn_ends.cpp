// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/gorpc/turn_ends.h"

#include "parlance/driver/gorpc/limits.h"
#include "parlance/hub/conversation/notice.h"

namespace parlance::driver {

Task<Result<bool>> may_continue(hub::Turn& turn, std::uint32_t rounds) {
  hub::AskRequest request{.title = "Go on after " + std::to_string(rounds) + " rounds of tools?",
                          .reason = hub::Reason(hub::ReasonId::rounds, {std::to_string(rounds)}),
                          .options = {{.id = "go_on", .label = "Go on", .kind = hub::OptionKind::allow_once},
                                      {.id = "stop", .label = "Stop here", .kind = hub::OptionKind::reject_once}}};
  PARLANCE_CO_TRY(answer, co_await turn.ask(std::move(request)));
  if (answer.allowed()) co_return true;
  turn.emit(hub::event::Notice{.text = "The agent stopped after " + std::to_string(rounds) +
                                       " rounds of tools, because nobody let it go on. Send another message to continue."});
  co_return false;
}

hub::StopReason out_of_rounds(hub::Turn& turn, std::uint32_t rounds) {
  turn.emit(hub::event::Failure{
      .code = "max_turns",
      .message = "The agent asked for tools " + std::to_string(rounds) + " times in this turn and was stopped.",
      .detail = "Send another message to let it go on.",
      .retryable = true});
  return hub::StopReason::max_turns;
}

hub::StopReason no_answer(hub::Turn& turn, const std::string& problem) {
  turn.emit(hub::event::Failure{.code = "no_answer",
                                .message = problem.empty() ? "The model gave no answer." : problem,
                                .detail = "Send the message again, or choose another model.",
                                .retryable = true});
  return hub::StopReason::error;
}

hub::StopReason cut_again(hub::Turn& turn) {
  turn.emit(hub::event::Failure{
      .code = "cut",
      .message = "The model's answers were cut at their length limit " + std::to_string(limits::cut_answers) + " times in a row.",
      .detail = "Its tool calls were not run. Ask for smaller steps, or raise the limit of an answer in the model's settings.",
      .retryable = true});
  return hub::StopReason::max_tokens;
}

hub::event::Notice absent_notice(const AbsentServer& server) {
  return {
      .level = hub::NoticeLevel::warning,
      .text = "The MCP server " + server.name + " is not connected, so the agent works without its tools: " + server.reason + ".",
      .detail = "parlance tries again by itself. Check the command or the address of the server."};
}

hub::event::Notice left_out_notice() {
  return {.level = hub::NoticeLevel::warning,
          .text = "The conversation exceeds the context of the model, so the model no longer receives its oldest messages.",
          .detail = "For answers about these messages, choose a model with a larger context."};
}

bool report_unseen(hub::Turn& turn, std::size_t unseen, std::size_t attached) {
  if (attached == 0 || unseen == 0) return false;
  turn.emit(hub::event::Failure{
      .code = "not_shown",
      .message = "The model could not be shown " + std::to_string(unseen) + " of " + std::to_string(attached) + " attachments.",
      .detail = "Instead, the model received a note about the missing attachments."});
  return true;
}

}  // namespace parlance::driver
