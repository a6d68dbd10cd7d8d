// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/tool_run.h"

#include <utility>
#include <vector>

#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/toolbox/claude_tool_names.h"
#include "parlance/toolbox/conversation_tools.h"
#include "parlance/toolbox/judge.h"
#include "parlance/toolbox/structured_output.h"

namespace parlance::toolbox {
namespace {

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

// The model's own text; invalid JSON as a string.
std::string shown_input(const hub::ToolCall& call) {
  const std::string& input = call.arguments_json.json();
  return json::is_valid(input) ? input : json::to_text(json::Value(std::string_view(input)));
}

void end_call(hub::Turn& turn, const std::string& call, hub::ToolEndState state, std::string text,
              std::vector<hub::ToolContent> content = {}) {
  if (!text.empty()) turn.emit(hub::event::ToolOutput{call, std::move(text)});
  if (!content.empty()) turn.emit(hub::event::ToolUpdate{.call = call, .content = std::move(content)});
  turn.emit(hub::event::ToolEnd{.call = call, .state = state});
}

hub::CallKind kind_of(const hub::ToolCall& call, const hub::ToolIntent& intent) {
  const std::string tool = own_tool(call.tool);
  if (tool == "search_files" || tool == "recall") return hub::CallKind::search;
  if (tool == "propose_plan") return hub::CallKind::switch_mode;
  if (tool == "update_plan") return hub::CallKind::think;
  switch (intent.kind) {
    case hub::ToolKind::read: return hub::CallKind::read;
    case hub::ToolKind::edit: return hub::CallKind::edit;
    case hub::ToolKind::execute: return hub::CallKind::execute;
    case hub::ToolKind::memory:
    case hub::ToolKind::ask:
    case hub::ToolKind::other: break;
  }
  return hub::CallKind::other;
}

std::optional<std::vector<hub::Location>> locations_of(const hub::ToolIntent& intent) {
  if (!intent.path) return std::nullopt;
  return std::vector<hub::Location>{{.path = *intent.path}};
}

// The model receives the program's answer in a person's place unchanged.
std::string refusal_text(const hub::AskAnswer& answer) {
  if (answer.by == "host" && !answer.text.empty()) return answer.text;
  std::string text = "Refused";
  if (!answer.by.empty()) text += " by " + answer.by;
  if (!answer.why.empty()) text += ": " + answer.why;
  if (!answer.text.empty()) text += ": " + answer.text;
  return text + ".";
}

// After the hooks, policy decides, then a person.
Task<Result<hub::AskAnswer>> permission(hub::Turn& turn, hub::AskRequest request, ToolVerdict verdict) {
  const bool is_permission = request.kind == hub::AskKind::permission;  // only a person answers a question
  const hub::Effect policy = turn.decide(*request.tool, *request.intent).effect;
  if (is_permission && verdict.say == ToolVerdict::Say::allow && policy == hub::Effect::ask)
    co_return hub::AskAnswer{.kind = hub::OptionKind::allow_once, .by = "hook", .why = std::move(verdict.why)};
  if (is_permission && verdict.say == ToolVerdict::Say::ask && policy == hub::Effect::allow) {
    if (!request.detail) request.detail = request.intent->command;
    request.intent.reset();  // without an intent policy does not decide
    request.options = hub::once_offer();
    request.rules.clear();
  }
  if (verdict.say == ToolVerdict::Say::ask) {
    request.why.clear();
    request.reason = hub::Reason(hub::ReasonId::hook, {std::move(verdict.why)});
  }
  co_return co_await turn.ask(std::move(request));
}

std::string request_json(const hub::AskRequest& request) {
  json::Object input;
  input.set("title", request.title);
  if (request.detail) input.set("detail", *request.detail);
  if (request.questions) {
    json::Array questions;
    for (const hub::Question& question : *request.questions) questions.emplace_back(question.question);
    input.set("questions", std::move(questions));
  }
  return json::to_text(json::Value(std::move(input)));
}

// The tool's server requests an answer of the model or the person. Hooks and policy judge this request like a call.
Task<Result<hub::AskAnswer>> ask_for_server(hub::Turn& turn, hub::AskRequest request, ToolHooks* hooks) {
  request.intent = judge(request);
  ToolVerdict verdict;
  if (hooks != nullptr)
    verdict = co_await hooks->before_request(
        turn, {.id = request.call.value_or(""), .tool = *request.tool, .arguments_json = request_json(request)});
  if (verdict.say == ToolVerdict::Say::deny || verdict.arguments_json || verdict.ends_turn)
    co_return hub::AskAnswer{.text = verdict.why.empty() ? "a hook refused it" : std::move(verdict.why), .by = "hook"};
  co_return co_await permission(turn, std::move(request), std::move(verdict));
}

// `streamed` collects the output for the model.
hub::ToolHost host_of(hub::Turn& turn, const hub::ToolCall& call, std::string& streamed, hub::Sampler sample, ToolHooks* hooks) {
  return {.output =
              [&turn, &call, &streamed](std::string_view piece) {
                streamed += piece;
                turn.emit(hub::event::ToolOutput{.call = call.id, .text = std::string(piece)});
              },
          .progress =
              [&turn, &call](std::string_view line) {
                turn.emit(hub::event::ToolOutput{.call = call.id, .text = std::string(line) + "\n", .progress = true});
              },
          .ask =
              [&turn, &call, hooks](hub::AskRequest request) {
                request.call = call.id;
                if (!request.tool) request.tool = call.tool;
                return ask_for_server(turn, std::move(request), hooks);
              },
          .sample = std::move(sample)};
}

}  // namespace

Task<void> announce_tools(hub::Turn& turn, hub::Tools& tools, std::vector<hub::ToolCall> calls) {
  std::vector<hub::event::ToolStart> starts;
  for (const hub::ToolCall& call : calls) {
    const auto intent = co_await tools.intent(turn.setup(), call);
    starts.push_back({.call = call.id,
                      .tool = call.tool,
                      .title = intent ? intent->title : first_line(call.arguments_json.json()),
                      .input_json = shown_input(call),
                      .kind = intent ? kind_of(call, *intent) : hub::CallKind::other,
                      .locations = intent ? locations_of(*intent) : std::nullopt});
  }
  for (hub::event::ToolStart& start : starts) turn.emit(std::move(start));
}

Task<void> announce_tool(hub::Turn& turn, hub::Tools& tools, hub::ToolCall call) {
  co_await announce_tools(turn, tools, {std::move(call)});
}

namespace {

void refuse(hub::Turn& turn, const std::string& call, const hub::AskAnswer& answer) {
  const bool by_choice = answer.state == hub::AskState::answered || answer.state == hub::AskState::expired;
  end_call(turn, call, by_choice ? hub::ToolEndState::rejected : hub::ToolEndState::cancelled, refusal_text(answer));
}

// Fields for texts and editors hold LF, and the tool restores the line ends of the file.
bool same_lines(std::string_view one, std::string_view other) {
  const auto with_lf = [](std::string_view text) {
    std::string lines;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (!text.substr(i).starts_with("\r\n")) lines += text[i];
    return lines;
  };
  return one == other || with_lf(one) == with_lf(other);
}

// A person changed the proposal before the approval: exactly this version runs, and the policy's prohibitions still apply.
Task<std::optional<hub::ToolCall>> edited(hub::Turn& turn, hub::Tools& tools, hub::ToolCall call, hub::ToolIntent shown,
                                          std::string text) {
  auto changed = tools.edited(call, shown, text);
  if (!changed) {
    end_call(turn, call.id, hub::ToolEndState::failed, "The person's edit cannot be carried out by " + call.tool + ".");
    co_return std::nullopt;
  }
  const auto now = co_await tools.intent(turn.setup(), *changed);
  if (!now) {
    end_call(turn, call.id, hub::ToolEndState::failed, now.error().message);
    co_return std::nullopt;
  }
  const bool same_place = now->path == shown.path && now->real_path == shown.real_path;
  const bool same_before = !shown.diff || (now->diff && now->diff->before == shown.diff->before && now->diff->after &&
                                           same_lines(*now->diff->after, text));
  if (!same_place || !same_before) {
    end_call(turn, call.id, hub::ToolEndState::failed, "The file has changed since the preview: nothing was written.");
    co_return std::nullopt;
  }
  if (const hub::Decision verdict = turn.decide(changed->tool, *now); verdict.effect == hub::Effect::deny) {
    refuse(turn, call.id, {.by = verdict.rule.empty() ? "mode" : verdict.why, .why = verdict.why});
    co_return std::nullopt;
  }
  turn.emit(hub::event::ToolUpdate{.call = call.id, .title = now->title, .input_json = changed->arguments_json.json()});
  turn.emit(hub::event::ToolOutput{
      .call = call.id, .text = "Edited by the person before approval. Carried out: " + changed->arguments_json.json() + "\n"});
  co_return std::move(changed);
}

// Asks for permission, and computes the effect again for a changed input. No value: the call has ended, and its events are emitted.
Task<Result<std::optional<hub::ToolCall>>> permitted(hub::Turn& turn, hub::Tools& tools, hub::ToolCall call,
                                                     hub::ToolIntent intent, ToolVerdict verdict, ToolHooks* hooks) {
  const hub::ToolIntent shown = intent;
  hub::AskRequest request{.call = call.id,
                          .tool = call.tool,
                          .title = intent.title,
                          .detail = intent.detail,
                          .diff = intent.diff,
                          .intent = std::move(intent),
                          .editable = shown.editable};
  PARLANCE_CO_TRY(answer, co_await permission(turn, std::move(request), std::move(verdict)));
  if (!answer.allowed()) {
    refuse(turn, call.id, answer);
    co_return std::nullopt;
  }
  if (answer.edited) co_return co_await edited(turn, tools, std::move(call), shown, *std::move(answer.edited));
  auto agreed = hooks != nullptr ? hooks->agreed_input(call.id) : std::nullopt;
  if (!agreed) co_return std::move(call);
  call.arguments_json = *std::move(agreed);
  const auto other = co_await tools.intent(turn.setup(), call);
  if (!other) {
    end_call(turn, call.id, hub::ToolEndState::failed, other.error().message);
    co_return std::nullopt;
  }
  // The person who changed the call has approved the change; the policy's prohibitions still apply.
  if (const hub::Decision now = turn.decide(call.tool, *other); now.effect == hub::Effect::deny) {
    refuse(turn, call.id, {.by = now.rule.empty() ? "mode" : now.why, .why = now.why});
    co_return std::nullopt;
  }
  co_return std::move(call);
}

bool only_looks(const hub::ToolIntent& intent) {
  return intent.kind == hub::ToolKind::read || (intent.kind == hub::ToolKind::memory && intent.memory == hub::MemoryUse::look);
}

// Called before irreversible actions.
Task<Result<void>> report_running(hub::Turn& turn, const hub::ToolCall& call) {
  turn.emit(hub::event::ToolUpdate{.call = call.id, .status = hub::CallStatus::running});
  return turn.written();
}

Task<void> run(hub::Turn& turn, hub::Tools& tools, const hub::ToolCall& call, hub::Sampler sample, ToolHooks* hooks,
               bool& ends_turn) {
  std::string streamed;
  hub::ToolOutcome outcome = co_await tools.call(turn.setup(), call, host_of(turn, call, streamed, std::move(sample), hooks));
  if (hooks != nullptr) {
    ToolHooks::After after = co_await hooks->after(call, outcome);
    if (!after.more.empty()) outcome.text += (outcome.text.empty() || outcome.text.ends_with('\n') ? "" : "\n") + after.more;
    ends_turn = ends_turn || after.ends_turn;
  }
  // The streamed output is the beginning of the model's output; the rest follows.
  if (outcome.text.starts_with(streamed)) outcome.text.erase(0, streamed.size());
  std::vector<hub::ToolContent> content;
  if (outcome.diff) content.emplace_back(*std::move(outcome.diff));
  for (hub::Attachment& picture : outcome.pictures) content.emplace_back(hub::ToolPicture{turn.keep(std::move(picture))});
  end_call(turn, call.id, outcome.state, std::move(outcome.text), std::move(content));
}

}  // namespace

Task<Result<AfterTool>> carry_out_tool(hub::Turn& turn, hub::Tools& tools, hub::ToolCall call, hub::Sampler sample,
                                       ToolHooks* hooks) {
  // Computed again: an earlier call may have changed the file of this call.
  auto intent = co_await tools.intent(turn.setup(), call);
  ToolVerdict verdict;
  if (intent && hooks != nullptr) {  // hooks decide only about valid calls
    verdict = co_await hooks->before(turn, call);
    if (verdict.say == ToolVerdict::Say::deny) {
      end_call(turn, call.id, hub::ToolEndState::rejected, std::move(verdict.why));
      co_return verdict.ends_turn ? AfterTool::turn_ends : AfterTool::goes_on;
    }
    if (verdict.arguments_json) {
      call.arguments_json = *std::move(verdict.arguments_json);
      intent = co_await tools.intent(turn.setup(), call);
    }
  }
  bool ends_turn = verdict.ends_turn;
  if (!intent) {
    end_call(turn, call.id, hub::ToolEndState::failed, intent.error().message);
  } else if (auto ours = own_call(call); ours && is_conversation_tool(ours->tool)) {
    PARLANCE_CO_TRY_DO(co_await run_conversation_tool(turn, *std::move(ours)));
  } else if (call.tool == structured_output_tool) {  // an answer is not asked about
    co_await run(turn, tools, call, std::move(sample), hooks, ends_turn);
  } else {
    const bool looks = only_looks(*intent);
    PARLANCE_CO_TRY(permit, co_await permitted(turn, tools, std::move(call), *std::move(intent), std::move(verdict), hooks));
    if (permit && !looks) {
      PARLANCE_CO_TRY_DO(co_await report_running(turn, *permit));
    }
    if (permit) co_await run(turn, tools, *permit, std::move(sample), hooks, ends_turn);
  }
  co_return ends_turn ? AfterTool::turn_ends : AfterTool::goes_on;
}

// All together, so that no log contains such a call as unfinished.
void report_cut_calls(hub::Turn& turn, const std::vector<hub::ToolCall>& calls) {
  for (const hub::ToolCall& call : calls)
    turn.emit(hub::event::ToolStart{
        .call = call.id, .tool = call.tool, .title = call.tool, .input_json = shown_input(call), .kind = hub::CallKind::other});
  for (const hub::ToolCall& call : calls)
    end_call(turn, call.id, hub::ToolEndState::failed,
             "The answer was cut at its length limit, so this call is incomplete. No action was taken. Send the "
             "call again in smaller parts.");
}

void end_interrupted_tool(hub::Turn& turn, const std::string& call) {
  end_call(turn, call, hub::ToolEndState::cancelled,
           "parlance restarted during this call: its effect is unknown, and the call was not repeated.");
}

}  // namespace parlance::toolbox
