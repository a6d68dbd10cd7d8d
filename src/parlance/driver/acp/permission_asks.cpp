// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/permission_asks.h"

#include <algorithm>

#include "parlance/adapter/acp/permission_choice.h"
#include "parlance/codec/json/value.h"
#include "parlance/driver/acp/elicited_form.h"
#include "parlance/driver/acp/words.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/toolbox/claude_questions.h"

namespace parlance::driver {
namespace {

constexpr std::string_view reject_and_stop = "parlance:reject_and_stop";
constexpr std::string_view feedback = "parlance:feedback";

std::optional<hub::OptionKind> kind_of(const acp::Open<acp::PermissionKind>& kind) {
  if (!kind.unknown.empty()) return std::nullopt;  // the effect of an unknown kind is unclear
  switch (kind.value) {
    case acp::PermissionKind::allow_once: return hub::OptionKind::allow_once;
    case acp::PermissionKind::allow_always: return hub::OptionKind::allow_always;
    case acp::PermissionKind::reject_once: return hub::OptionKind::reject_once;
    case acp::PermissionKind::reject_always: return hub::OptionKind::reject_always;
  }
  return std::nullopt;
}

std::vector<hub::AskOption> ask_options_of(const std::vector<acp::PermissionOption>& offered) {
  std::vector<hub::AskOption> options;
  for (const acp::PermissionOption& option : offered)
    if (const auto kind = kind_of(option.kind))
      options.push_back({.id = option.option_id, .label = option.name.empty() ? option.option_id : option.name, .kind = *kind});
  return options;
}

bool has(const std::vector<hub::AskOption>& options, hub::OptionKind kind) {
  return std::ranges::any_of(options, [kind](const hub::AskOption& option) { return option.kind == kind; });
}

std::vector<adapter::OfferedOption> offered_of(const std::vector<acp::PermissionOption>& options) {
  std::vector<adapter::OfferedOption> all;
  for (const acp::PermissionOption& option : options)
    all.push_back({.id = option.option_id,
                   .name = option.name,
                   .kind = option.kind.unknown.empty() ? std::string(wire::name_of(option.kind.value)) : option.kind.unknown});
  return all;
}

acp::PermissionReply reply_of(const adapter::PermissionChoice& choice) {
  return choice.option ? acp::selected(choice.option->id) : acp::not_selected();
}

// An agent keeps an "always" in its own memory, invisible to rules and hooks, and some agents raise their mode.
// Rules of the hub replace such options; the agent receives "once".
std::vector<hub::OfferedRule> offer_own_rules(std::vector<hub::AskOption>& options, const hub::Action& action) {
  if (!has(options, hub::OptionKind::allow_once)) return {};
  std::erase_if(options, [](const hub::AskOption& option) { return option.kind == hub::OptionKind::allow_always; });
  hub::Offer offer = hub::standard_offer(action);
  std::erase_if(offer.options, [](const hub::AskOption& option) { return option.kind != hub::OptionKind::allow_always; });
  const auto once = std::ranges::find(options, hub::OptionKind::allow_once, &hub::AskOption::kind);
  options.insert(once + 1, offer.options.begin(), offer.options.end());
  return std::move(offer.rules);
}

std::vector<std::string> texts_of(const acp::ToolCallUpdate& call) {
  std::vector<std::string> texts;
  for (const acp::ToolContent& content : call.content.value_or(std::vector<acp::ToolContent>{}))
    if (const auto* block = std::get_if<acp::ToolText>(&content.value)) texts.push_back(words_of(block->content));
  return texts;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& line : texts) text += (text.empty() ? "" : "\n") + line;
  return text;
}

std::string plan_text(const acp::ToolCallUpdate& call) {
  std::string text = joined(texts_of(call));
  if (text.empty()) text = std::string(json::parse_or_null(call.raw_input.json).text_or("plan", ""));
  return text;
}

// The option's kind sets the highest mode. The agent chose the option's id, so the id can only lower the mode.
hub::Mode mode_after(const hub::AskAnswer& answer) {
  const hub::Mode most = answer.kind == hub::OptionKind::allow_always ? hub::Mode::auto_edit : hub::Mode::default_;
  const hub::Mode named = hub_mode(answer.option).value_or(most);
  return hub::is_raised(most, named) ? most : named;
}

// Selects the agent's asking mode, if offered: the hub's policy then approves the actions that the person allowed.
acp::PermissionReply asking_reply(const hub::AskAnswer& answer, const std::vector<acp::PermissionOption>& offered) {
  for (const acp::PermissionOption& option : offered) {
    const auto kind = kind_of(option.kind);
    const bool allows = kind == hub::OptionKind::allow_once || kind == hub::OptionKind::allow_always;
    if (allows && hub_mode(option.option_id) == hub::Mode::default_) return acp::selected(option.option_id);
  }
  return permission_reply(answer, offered);
}

// Qwen Code puts questions into a permission request for a tool. The input of the call must hold questions alone: approval of
// more would allow actions invisible to the person. Empty: the request is about another subject.
std::vector<hub::Question> questions_in(const AcpUpdates::Call& call) {
  using hub::CallKind;
  const bool acts = call.kind == CallKind::edit || call.kind == CallKind::delete_ || call.kind == CallKind::move ||
                    call.kind == CallKind::execute || call.kind == CallKind::switch_mode;
  const json::Value input = json::parse_or_null(call.args_json);
  const json::Value* const all = input.find("questions");
  if (acts || !call.locations.empty() || all == nullptr || all->array() == nullptr) return {};
  for (const auto& [name, value] : input.object()->members)
    if (name != "questions" && name != "metadata") return {};
  std::vector<hub::Question> questions = toolbox::claude_questions(*all->array());
  const bool has_empty = std::ranges::any_of(questions, [](const hub::Question& question) { return question.question.empty(); });
  return has_empty ? std::vector<hub::Question>{} : questions;
}

// The options of iFlow's own interface.
std::vector<hub::AskOption> iflow_plan_options() {
  return {{.id = "smart", .label = "Go, without questions about safe actions", .kind = hub::OptionKind::allow_always},
          {.id = "default", .label = "Go, and ask me about changes", .kind = hub::OptionKind::allow_once},
          {.id = "keep", .label = "Not yet: stay with planning", .kind = hub::OptionKind::reject_once},
          {.id = "feedback", .label = "Plan again", .kind = hub::OptionKind::feedback}};
}

}  // namespace

acp::PermissionReply permission_reply(const hub::AskAnswer& answer, const std::vector<acp::PermissionOption>& offered) {
  if (answer.state != hub::AskState::answered) return acp::not_selected();
  for (const acp::PermissionOption& option : offered)
    if (option.option_id == answer.option) return acp::selected(option.option_id);
  if (answer.allowed()) return reply_of(adapter::approve_smallest(offered_of(offered)));
  const auto rejected = adapter::choose_option(adapter::PermissionOutcome::reject, offered_of(offered));
  return rejected ? reply_of(*rejected) : acp::not_selected();
}

// Names the account on a runner: the runner may be another person's machine.
std::string AcpAsks::wants_this(const hub::SessionSetup& setup) const {
  std::string words = agent_name_ + " wants this in " + setup.folder;
  if (runner_) words += ", as " + runner_->account();
  return words + ".";
}

// On a runner, the account is part of the reason.
std::optional<hub::Reason> AcpAsks::works_as() const {
  if (!runner_) return std::nullopt;
  hub::Reason reason(hub::ReasonId::works_as, {runner_->account()});
  reason.agent = agent_name_;
  return reason;
}

// A stop is no rejection: the calls end as cancelled.
void AcpAsks::reject(const std::string& call, const hub::AskAnswer& answer) {
  if (answer.state == hub::AskState::cancelled) return;
  updates_.refused(call);
  if (answer.state != hub::AskState::answered || answer.text.empty()) return;
  if (!follow_up_) follow_up_.emplace();
  follow_up_->words += (follow_up_->words.empty() ? "" : "\n\n") + answer.text;
}

std::optional<hub::event::Notice> AcpAsks::take_undelivered() {
  const std::optional<FollowUp> left = take_follow_up();
  if (!left || left->words.empty()) return std::nullopt;
  return hub::event::Notice{
      .level = hub::NoticeLevel::warning,
      .text = agent_name_ + " ended the turn without the words of your answer. Send the words as a message.",
      .detail = left->words};
}

// ---- permissions ---------------------------------------------------------------------------------------------------------------------

Task<Result<acp::PermissionReply>> AcpAsks::permission(hub::Turn& turn, acp::RequestPermission asked) {
  const std::string call = updates_.announce(asked.tool_call);
  const AcpUpdates::Call* const announced = updates_.find(call);
  const AcpUpdates::Call about = announced != nullptr ? *announced : AcpUpdates::Call{.tool = "tool", .title = call};
  const bool is_plan = about.kind == hub::CallKind::switch_mode;
  if (auto questions = questions_in(about); !questions.empty())
    co_return co_await answer_questions(turn, asked, call, std::move(questions));
  hub::ToolIntent intent = runner_ ? reported_intent(about, asked.meta.json, turn.setup()) : acp_intent(about, turn.setup());
  if (is_plan && !intent.command) co_return co_await plan(turn, asked, call);

  std::vector<hub::AskOption> options = ask_options_of(asked.options);
  if (!has(options, hub::OptionKind::allow_once) && !has(options, hub::OptionKind::allow_always)) co_return acp::not_selected();
  if (!has(options, hub::OptionKind::reject_once) && !has(options, hub::OptionKind::reject_always))
    options.push_back({.id = "parlance:reject", .label = "Reject", .kind = hub::OptionKind::reject_once});
  options.push_back({.id = std::string(reject_and_stop), .label = "Reject and stop", .kind = hub::OptionKind::reject_and_stop});
  if (runner_) options.clear();  // the hub offers its own options
  std::vector<hub::OfferedRule> rules;
  if (!keeps_always_) rules = offer_own_rules(options, hub::action_in(turn.setup(), about.tool, intent));
  hub::AskRequest ask{.call = announced != nullptr ? std::optional(announced->id) : std::nullopt,
                      .tool = about.tool,
                      .title = intent.title,
                      .why = wants_this(turn.setup()),
                      .reason = works_as(),
                      .detail = intent.command ? intent.command : intent.detail,
                      .diff = intent.diff,
                      .options = std::move(options),
                      .rules = std::move(rules),
                      .intent = std::move(intent)};
  PARLANCE_CO_TRY(answer, co_await turn.ask(std::move(ask)));
  if (!answer.allowed()) reject(call, answer);
  stopped_ = stopped_ || answer.kind == hub::OptionKind::reject_and_stop;
  co_return permission_reply(answer, asked.options);
}

// The agent's options name the next mode. The person's words about a rejected plan follow as a prompt after the turn.
Task<Result<acp::PermissionReply>> AcpAsks::plan(hub::Turn& turn, const acp::RequestPermission& asked, const std::string& call) {
  plan_asked_ = true;
  std::vector<hub::AskOption> options = ask_options_of(asked.options);
  options.push_back({.id = std::string(feedback), .label = "Plan again", .kind = hub::OptionKind::feedback});
  std::string text = plan_text(asked.tool_call);
  if (text.empty()) text = agent_name_ + " described a plan above.";
  hub::Reason reason(hub::ReasonId::plan_made, {agent_name_});
  if (runner_) reason = hub::Reason(hub::ReasonId::plan_made_as, {agent_name_, runner_->account()});
  const AcpUpdates::Call* const announced = updates_.find(call);
  PARLANCE_CO_TRY(answer, co_await turn.ask({.kind = hub::AskKind::plan,
                                             .call = announced != nullptr ? announced->id : call,
                                             .title = "Carry out this plan?",
                                             .reason = std::move(reason),
                                             .plan = std::move(text),
                                             .options = std::move(options)}));
  if (answer.allowed()) {
    mode_ = mode_after(answer);
    turn.set_mode(*mode_);
  } else {
    reject(call, answer);
  }
  co_return answer.allowed() ? asking_reply(answer, asked.options) : permission_reply(answer, asked.options);
}

// ---- questions -----------------------------------------------------------------------------------------------------------------------

Task<Result<acp::ElicitationReply>> AcpAsks::form(hub::Turn& turn, acp::CreateElicitation asked) {
  PARLANCE_CO_TRY(form, ElicitedForm::of(asked));
  hub::AskRequest request{.kind = hub::AskKind::question,
                          .title = form.message(),
                          .reason = hub::Reason(hub::ReasonId::asks, {agent_name_}),
                          .questions = form.questions()};
  if (const auto* const announced = asked.tool_call_id ? updates_.find(*asked.tool_call_id) : nullptr)
    request.call = announced->id;
  for (;;) {
    PARLANCE_CO_TRY(answer, co_await turn.ask(request));
    acp::ElicitationReply reply;
    if (answer.state != hub::AskState::answered) co_return reply;
    reply.action = {.value = acp::ElicitationAction::decline};
    if (answer.kind == hub::OptionKind::reject_once || form.declined(answer)) co_return reply;
    auto content = form.content(answer);
    if (!content) {  // repeat the question, with the fault as the reason
      request.why = content.error().message;
      request.reason.reset();
      continue;
    }
    reply.action = {.value = acp::ElicitationAction::accept};
    reply.content = *std::move(content);
    co_return reply;
  }
}

Task<Result<acp::PermissionReply>> AcpAsks::answer_questions(hub::Turn& turn, const acp::RequestPermission& asked,
                                                             std::string call, std::vector<hub::Question> questions) {
  const AcpUpdates::Call* const announced = updates_.find(call);
  PARLANCE_CO_TRY(answer, co_await turn.ask({.kind = hub::AskKind::question,
                                             .call = announced != nullptr ? std::optional(announced->id) : std::nullopt,
                                             .title = questions.front().question,
                                             .reason = hub::Reason(hub::ReasonId::asks, {agent_name_}),
                                             .questions = std::move(questions)}));
  if (answer.state != hub::AskState::answered || answer.kind == hub::OptionKind::reject_once) {
    reject(call, answer);
    co_return permission_reply(answer, asked.options);
  }
  acp::PermissionReply reply = reply_of(adapter::approve_smallest(offered_of(asked.options)));
  json::Object answers;
  for (std::size_t i = 0; i < answer.answers.size(); ++i) {
    std::string words;
    for (const std::string& choice : answer.answers[i]) words += (words.empty() ? "" : ", ") + choice;
    answers.set(std::to_string(i), words);
  }
  reply.answers.json = json::to_text(json::Value(std::move(answers)));
  co_return reply;
}

Task<Result<acp::iflow::Answers>> AcpAsks::questions(hub::Turn& turn, acp::iflow::Questions asked) {
  std::vector<hub::Question> questions;
  for (const acp::iflow::Question& entry : asked.questions) {
    hub::Question question{.header = entry.header, .question = entry.question, .multiple = entry.multi_select};
    for (const acp::iflow::QuestionChoice& choice : entry.options)
      question.options.push_back({.label = choice.label, .description = choice.description});
    questions.push_back(std::move(question));
  }
  acp::iflow::Answers answers;
  if (questions.empty()) co_return answers;
  PARLANCE_CO_TRY(answer, co_await turn.ask({.kind = hub::AskKind::question,
                                             .title = questions.front().question,
                                             .reason = hub::Reason(hub::ReasonId::asks, {agent_name_}),
                                             .questions = questions}));
  if (answer.state != hub::AskState::answered) co_return answers;
  for (std::size_t i = 0; i < asked.questions.size() && i < answer.answers.size(); ++i) {
    const std::vector<std::string>& given = answer.answers[i];
    if (given.empty()) continue;
    json::Value value(given.front());
    if (asked.questions[i].multi_select) {
      json::Array all;
      for (const std::string& label : given) all.emplace_back(label);
      value = json::Value(std::move(all));
    }
    const std::string& key = asked.questions[i].header.empty() ? asked.questions[i].question : asked.questions[i].header;
    answers.answers[key] = {json::to_text(value)};
  }
  co_return answers;
}

// ---- plans of iFlow --------------------------------------------------------------------------------------------------------------------

Task<Result<hub::AskAnswer>> AcpAsks::ask_plan(hub::Turn& turn, std::string plan) {
  plan_asked_ = true;
  if (plan.empty()) plan = agent_name_ + " described a plan above.";
  co_return co_await turn.ask({.kind = hub::AskKind::plan,
                               .title = "Carry out this plan?",
                               .reason = hub::Reason(hub::ReasonId::plan_made, {agent_name_}),
                               .plan = std::move(plan),
                               .options = iflow_plan_options()});
}

void AcpAsks::follow(const hub::AskAnswer& answer) {
  if (answer.allowed())
    follow_up_ =
        FollowUp{.what = FollowUp::What::carry_out, .mode = answer.option == "smart" ? hub::Mode::smart : hub::Mode::default_};
  else if (answer.state == hub::AskState::answered && answer.kind == hub::OptionKind::feedback && !answer.text.empty())
    follow_up_ = FollowUp{.words = answer.text};
}

Task<Result<acp::iflow::PlanDecision>> AcpAsks::plan_exit(hub::Turn& turn, acp::iflow::PlanExit asked) {
  PARLANCE_CO_TRY(answer, co_await ask_plan(turn, std::move(asked.plan)));
  follow(answer);
  acp::iflow::PlanDecision decision{.approved = answer.allowed()};
  if (!decision.approved && !answer.text.empty()) decision.reason = answer.text;
  co_return decision;
}

hub::event::Notice plan_in_words() {
  return {.text = "The turn ended without a plan request. To carry out the plan, choose another mode and send a message."};
}

}  // namespace parlance::driver
