#include "service/tool_run.h"

#include "codec/json/value.h"
#include "service/conversation_tools.h"
#include "service/structured_output.h"

namespace parlance::service {
namespace {

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

void end_call(hub::Turn& turn, const std::string& call, hub::ToolEndState state, std::string text,
              std::optional<hub::Diff> diff = {}) {
  if (!text.empty()) turn.emit(hub::event::ToolOutput{call, std::move(text)});
  turn.emit(hub::event::ToolEnd{call, state, std::move(diff)});
}

std::string refusal_text(const hub::AskAnswer& answer) {
  std::string text = "Refused";
  if (!answer.by.empty()) text += " by " + answer.by;
  if (!answer.why.empty()) text += ": " + answer.why;
  if (!answer.text.empty()) text += ": " + answer.text;
  return text + ".";
}

// `told` gathers what the model will read of it.
hub::ToolHost host_of(hub::Turn& turn, const hub::ToolCall& call, std::string& told, hub::Sampler sample) {
  return {.output =
              [&turn, &call, &told](std::string_view piece) {
                told += piece;
                turn.emit(hub::event::ToolOutput{.call = call.id, .text = std::string(piece)});
              },
          .progress =
              [&turn, &call](std::string_view line) {
                turn.emit(hub::event::ToolOutput{.call = call.id, .text = std::string(line) + "\n", .progress = true});
              },
          .ask =
              [&turn, &call](hub::AskRequest request) {
                request.call = call.id;
                if (!request.tool) request.tool = call.tool;
                return turn.ask(std::move(request));
              },
          .sample = std::move(sample)};
}

}  // namespace

Task<void> announce_tool(hub::Turn& turn, hub::Tools& tools, hub::ToolCall call) {
  const auto intent = co_await tools.intent(turn.conversation(), call);
  const bool valid_input = json::is_valid(call.arguments_json);
  turn.emit(hub::event::ToolStart{
      .call = call.id,
      .tool = call.tool,
      .title = intent ? intent->title : first_line(call.arguments_json),
      .input_json = valid_input ? call.arguments_json : json::to_text(json::Value(std::string_view(call.arguments_json)))});
}

Task<Result<void>> carry_out_tool(hub::Turn& turn, hub::Tools& tools, hub::ToolCall call, hub::Sampler sample) {
  const hub::Conversation conversation = turn.conversation();
  // Asked again: a call before this one may have changed the file that this one would change.
  const auto intent = co_await tools.intent(conversation, call);
  if (!intent) {
    end_call(turn, call.id, hub::ToolEndState::failed, intent.error().message);
    co_return Result<void>{};
  }
  if (is_conversation_tool(call.tool)) co_return co_await run_conversation_tool(turn, std::move(call));

  if (call.tool != structured_output_tool) {  // an answer is not asked about
    PARLANCE_CO_TRY(answer, co_await turn.ask({.call = call.id,
                                               .tool = call.tool,
                                               .title = intent->title,
                                               .detail = intent->detail,
                                               .diff = intent->diff,
                                               .intent = *intent}));
    if (!answer.allowed()) {
      const bool by_choice = answer.state == hub::AskState::answered || answer.state == hub::AskState::expired;
      end_call(turn, call.id, by_choice ? hub::ToolEndState::rejected : hub::ToolEndState::cancelled, refusal_text(answer));
      co_return Result<void>{};
    }
  }
  std::string told;
  hub::ToolOutcome outcome = co_await tools.call(conversation, call, host_of(turn, call, told, std::move(sample)));
  // What was told while it ran is the beginning of what the model gets; the rest follows.
  if (outcome.text.starts_with(told)) outcome.text.erase(0, told.size());
  end_call(turn, call.id, outcome.state, std::move(outcome.text), std::move(outcome.diff));
  co_return Result<void>{};
}

}  // namespace parlance::service
