// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/conversation_tools.h"

#include "parlance/hub/conversation/plan.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/toolbox/typed_tool.h"
#include "parlance/wire/describe.h"

namespace parlance::toolbox {
namespace {

using wire::field;
using wire::fields;

enum class Status { pending, in_progress, completed };
constexpr auto wire_names(Status) { return wire::names("pending", "in_progress", "completed"); }
enum class Priority { high, medium, low };
constexpr auto wire_names(Priority) { return wire::names("high", "medium", "low"); }

struct PlanStep {
  std::string content{};
  Status status = Status::pending;
  Priority priority = Priority::medium;
  static constexpr auto wire =
      fields(field<&PlanStep::content>("content", "The step of the plan, in a few words."),
             field<&PlanStep::status>("status", "State of the step: pending, in_progress or completed.").or_default(),
             field<&PlanStep::priority>("priority", "Priority of the step: high, medium or low.").or_default());
};
struct UpdatePlan {
  std::vector<PlanStep> entries{};
  static constexpr auto wire =
      fields(field<&UpdatePlan::entries>("entries", "The whole plan in order. It replaces the earlier plan."));
};

struct AskedOption {
  std::string label{};
  std::string description{};
  static constexpr auto wire = fields(field<&AskedOption::label>("label", "The choice in a few words."),
                                      field<&AskedOption::description>("description", "The effect of the choice.").or_default());
};
struct AskedQuestion {
  std::string header{};
  std::string question{};
  bool multiple = false;
  std::vector<AskedOption> options{};
  static constexpr auto wire = fields(
      field<&AskedQuestion::header>("header", "A heading of one or two words.").or_default(),
      field<&AskedQuestion::question>("question", "The complete question."),
      field<&AskedQuestion::multiple>("multiple", "True allows several choices. Default: false.").or_default(),
      field<&AskedQuestion::options>("options", "The choices. The person may also answer in their own words.").or_default());
};
struct AskUser {
  std::vector<AskedQuestion> questions{};
  static constexpr auto wire = fields(field<&AskUser::questions>("questions", "One to four questions."));
};

struct ProposePlan {
  std::string plan{};
  static constexpr auto wire =
      fields(field<&ProposePlan::plan>("plan", "The plan as Markdown. The person approves or rejects this text."));
};

constexpr std::string_view ask_user = "ask_user";
constexpr std::string_view propose_plan = "propose_plan";
constexpr std::string_view update_plan = "update_plan";

void end_with(hub::Turn& turn, const std::string& call, hub::ToolEndState state, std::string text) {
  turn.emit(hub::event::ToolOutput{call, std::move(text)});
  turn.emit(hub::event::ToolEnd{call, state});
}

Task<Result<void>> keep_plan(hub::Turn& turn, hub::ToolCall call) {
  PARLANCE_CO_TRY(update, arguments<UpdatePlan>(call));
  hub::event::Plan plan;
  for (PlanStep& step : update.entries)
    plan.entries.push_back(
        {std::move(step.content), static_cast<hub::PlanStatus>(step.status), static_cast<hub::PlanPriority>(step.priority)});
  turn.emit(std::move(plan));
  end_with(turn, call.id, hub::ToolEndState::done, "The plan is shown.");
  co_return Result<void>{};
}

Task<Result<void>> ask_questions(hub::Turn& turn, hub::ToolCall call) {
  PARLANCE_CO_TRY(ask, arguments<AskUser>(call));
  std::vector<hub::Question> questions;
  for (AskedQuestion& question : ask.questions) {
    hub::Question& to = questions.emplace_back(hub::Question{
        .header = std::move(question.header), .question = std::move(question.question), .multiple = question.multiple});
    for (AskedOption& option : question.options) to.options.push_back({std::move(option.label), std::move(option.description)});
  }
  std::vector<std::string> asked;
  for (const hub::Question& question : questions) asked.push_back(question.question);
  const std::string title = asked.front();
  PARLANCE_CO_TRY(answer, co_await turn.ask({.kind = hub::AskKind::question,
                                             .call = call.id,
                                             .tool = call.tool,
                                             .title = title,
                                             .questions = std::move(questions)}));
  if (answer.state != hub::AskState::answered || answer.option == hub::decline) {
    end_with(turn, call.id, answer.state == hub::AskState::cancelled ? hub::ToolEndState::cancelled : hub::ToolEndState::rejected,
             "The person did not answer." + (answer.text.empty() ? std::string() : " They said: " + answer.text));
    co_return Result<void>{};
  }
  std::string text;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    text += asked[i] + "\n";
    if (i < answer.answers.size())
      for (const std::string& choice : answer.answers[i]) text += "- " + choice + "\n";
  }
  end_with(turn, call.id, hub::ToolEndState::done, std::move(text));
  co_return Result<void>{};
}

// The choices: continue in smart mode, continue in default mode, keep planning, or give feedback. Only the careful one has the kind
// `allow_once`, which frontends make the primary answer.
Task<Result<void>> approve_plan(hub::Turn& turn, hub::ToolCall call) {
  PARLANCE_CO_TRY(proposal, arguments<ProposePlan>(call));
  std::vector<hub::AskOption> options{
      {.id = "smart", .label = "Approve, decide for me what is safe", .kind = hub::OptionKind::allow_always},
      {.id = "default", .label = "Approve, ask before changes", .kind = hub::OptionKind::allow_once},
      {.id = "keep", .label = "Keep planning", .kind = hub::OptionKind::reject_once},
      {.id = "feedback", .label = "Change the plan", .kind = hub::OptionKind::feedback}};
  PARLANCE_CO_TRY(answer, co_await turn.ask({.kind = hub::AskKind::plan,
                                             .call = call.id,
                                             .tool = call.tool,
                                             .title = "A plan to approve",
                                             .plan = std::move(proposal.plan),
                                             .options = std::move(options)}));
  if (answer.allowed()) {
    turn.set_mode(answer.option == "smart" ? hub::Mode::smart : hub::Mode::default_);
    end_with(turn, call.id, hub::ToolEndState::done, "The person approved the plan. Carry it out.");
  } else if (answer.state == hub::AskState::cancelled) {
    end_with(turn, call.id, hub::ToolEndState::cancelled, "The turn was stopped before the person answered.");
  } else {
    end_with(turn, call.id, hub::ToolEndState::rejected,
             answer.text.empty() ? "The person wants to keep planning. Do not carry it out yet."
                                 : "The person wants the plan changed: " + answer.text);
  }
  co_return Result<void>{};
}

}  // namespace

std::vector<hub::ToolSpec> conversation_tool_specs() {
  return {
      tool_spec<UpdatePlan>(update_plan, hub::ToolKind::ask,
                            "Shows the person the plan of this task with the state of each step. Call this tool again after each "
                            "change of a step."),
      tool_spec<AskUser>(
          ask_user, hub::ToolKind::ask,
          "Asks the person one to four questions and waits for the answers. Use this tool for decisions of the person only."),
      tool_spec<ProposePlan>(propose_plan, hub::ToolKind::ask,
                             "Shows a plan and waits for the person's approval. Use this tool before larger changes.")};
}

bool is_conversation_tool(std::string_view tool) { return tool == ask_user || tool == propose_plan || tool == update_plan; }

Result<hub::ToolIntent> conversation_tool_intent(const hub::ToolCall& call) {
  hub::ToolIntent intent{.kind = hub::ToolKind::ask};
  if (call.tool == update_plan) {
    PARLANCE_TRY(update, arguments<UpdatePlan>(call));
    intent.title = std::to_string(update.entries.size()) + (update.entries.size() == 1 ? " step" : " steps");
  } else if (call.tool == ask_user) {
    PARLANCE_TRY(ask, arguments<AskUser>(call));
    if (ask.questions.empty()) return fail(Errc::invalid_params, "ask_user: $.questions: at least one question");
    intent.title = ask.questions.front().question;
  } else {
    PARLANCE_TRY(proposal, arguments<ProposePlan>(call));
    if (proposal.plan.empty()) return fail(Errc::invalid_params, "propose_plan: $.plan: the plan is empty");
    intent.title = "A plan to approve";
  }
  return intent;
}

Task<Result<void>> run_conversation_tool(hub::Turn& turn, hub::ToolCall call) {
  if (call.tool == update_plan) return keep_plan(turn, std::move(call));
  if (call.tool == ask_user) return ask_questions(turn, std::move(call));
  return approve_plan(turn, std::move(call));
}

}  // namespace parlance::toolbox
