// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/simulated_agent.h"

#include <algorithm>
#include <string>
#include <utility>

#include "parlance/hub/conversation/tool_call.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"
#include "tests/simulator/kept_sessions.h"
#include "tests/simulator/sentence.h"

namespace parlance::simulator {

namespace {

using namespace std::chrono_literals;
namespace event = hub::event;

class SimulatedAgent final : public hub::Agent {
 public:
  SimulatedAgent(Setting& setting, Site site, std::string session)
      : setting_(setting), site_(std::move(site)), session_(std::move(session)), cancelled_(setting.loop) {}

  Task<Result<hub::StopReason>> prompt(hub::Turn& turn, hub::Prompt prompt) override {
    const Faults& faults = setting_.faults;
    prompt.text.resize(
        std::min(prompt.text.size(), prompt.text.find("[@")));  // a runner mentions attached texts behind the prompt
    conversation_ = setting_.ledger.executed(prompt.text, turn.setup().id);
    for (const hub::PromptContext& context : prompt.context) check_attachment(prompt.text, context.text.value_or(""));
    for (const hub::AttachmentInfo& about : prompt.attachments) co_await read(turn, prompt.text, about.id);
    for (std::size_t steps = 1 + random().below(6); steps > 0 && !turn.cancelled(); --steps) {
      co_await sleep_for(setting_.loop, random().between(0s, 9s));
      if (random().chance(faults.dying_agent)) co_return fail(Errc::disconnected, "the simulated agent died");
      if (random().chance(faults.lying_agent)) lie(turn);
      if (random().chance(faults.hanging_agent)) co_await hang(turn);
      if (setting_.ledger.most_tokens()) turn.emit(event::Usage{.input_tokens = 100});
      if (random().chance(0.5)) {
        std::string text = sentence("about ", prompt.text, " in ", steps, " steps. ");
        setting_.ledger.wrote(prompt.text, text, site_.has_lied);
        turn.emit(event::Text{.text = std::move(text)});
      } else {
        PARLANCE_CO_TRY_DO(co_await use_a_tool(turn));
      }
    }
    co_return turn.cancelled() ? hub::StopReason::cancelled : hub::StopReason::end_turn;
  }
  Task<Result<void>> resume(hub::ReplaySink& sink) override {
    for (KeptTurn& turn : kept_turns(session_)) {
      co_await sleep_for(setting_.loop, random().between(0s, 3s));
      if (random().chance(setting_.faults.dying_agent)) co_return fail(Errc::disconnected, "the simulated agent died");
      sink.user(std::move(turn.prompt));
      sink.emit(event::Text{.text = std::move(turn.answer)});
      if (random().chance(0.5)) PARLANCE_CO_TRY_DO(co_await sink.written());
    }
    co_return Result<void>{};
  }
  void cancel() override { cancelled_.notify_all(); }
  Task<Result<void>> set_mode(hub::Mode) override { co_return Result<void>{}; }
  Task<Result<void>> set_model(std::string) override { co_return Result<void>{}; }
  Task<Result<void>> set_think(bool) override { co_return Result<void>{}; }
  Task<Result<void>> set_option(std::string, std::string) override {
    co_await sleep_for(setting_.loop, random().between(0s, 500ms));
    if (random().chance(setting_.faults.refusing_agent)) co_return fail(Errc::denied, "the simulated agent refuses the option");
    co_return Result<void>{};
  }
  Task<void> close() override { co_await sleep_for(setting_.loop, random().between(0s, 500ms)); }

 private:
  Random& random() { return setting_.random; }

  Task<void> hang(hub::Turn& turn) {
    const Ledger::Hanging hanging(setting_.ledger, conversation_);
    while (!turn.cancelled()) co_await cancelled_.wait();
  }

  Task<void> read(hub::Turn& turn, const std::string& prompt, std::string attachment) {
    const auto found = co_await turn.attachment(std::move(attachment));
    if (setting_.ledger.is_removed(conversation_)) co_return;
    if (found || found.error().code == Errc::not_found) check_attachment(prompt, found ? found->data : "");
  }

  void check_attachment(const std::string& prompt, const std::string& data) {
    if (data != setting_.ledger.attachment_of(prompt))
      setting_.ledger.wrong(sentence(conversation_, ": the agent misses the attachment of \"", prompt, '"'));
  }

  Task<Result<void>> use_a_tool(hub::Turn& turn) {
    const std::string call = sentence("call", random().next());
    turn.emit(event::ToolStart{.call = call, .tool = "run"});
    const TimePoint begin = setting_.loop.now();
    hub::AskRequest request = request_for(turn, call);
    const Duration patience = request.expires_after.value_or(never - begin);
    const bool had_rule = has_rule(turn);
    PARLANCE_CO_TRY(answer, co_await turn.ask(std::move(request)));
    if (answer.state == hub::AskState::expired && setting_.loop.now() < begin + patience)
      setting_.ledger.wrong(sentence(conversation_, ": the request for ", call, " expires too early"));
    if (answer.allowed()) {
      setting_.ledger.call_carried_out(conversation_, call, answer.by.starts_with("rule: ") && (had_rule || has_rule(turn)));
      turn.emit(event::ToolOutput{.call = call, .text = "done"});
    }
    turn.emit(event::ToolEnd{.call = call, .state = answer.allowed() ? hub::ToolEndState::done : hub::ToolEndState::rejected});
    co_return Result<void>{};
  }

  hub::AskRequest request_for(const hub::Turn& turn, const std::string& call) {
    hub::AskRequest request{
        .call = call,
        .tool = "run",
        .title = "make",
        .options = {{.id = "yes", .kind = hub::OptionKind::allow_once}, {.id = "no", .kind = hub::OptionKind::reject_once}}};
    if (!site_.is_gateway) return request;
    request.intent = hub::ToolIntent{.title = "make"};
    request.options.push_back({.id = "always", .kind = hub::OptionKind::allow_always});
    request.rules.push_back(
        {.option = "always",
         .rule = {.effect = hub::Effect::allow, .label = "make", .conversation = turn.setup().id, .tool = "run"}});
    if (random().chance(0.3)) request.expires_after = random().between(20s, 10min);
    return request;
  }

  // A stored rule allows the calls of the conversation, and no person knows that it is revoked.
  bool has_rule(const hub::Turn& turn) const {
    return std::ranges::any_of(setting_.memory.memory.rules, [&](const hub::Rule& rule) {
      return rule.conversation == turn.setup().id && !setting_.ledger.is_revoked(rule.id);
    });
  }

  // What an agent must not do; the log keeps its form all the same.
  void lie(hub::Turn& turn) {
    switch (random().below(4)) {
      case 0: turn.emit(event::ToolEnd{.call = "never_begun", .state = hub::ToolEndState::done}); break;
      case 1: turn.emit(event::ToolOutput{.call = "never_begun", .text = "output of no call"}); break;
      case 2: turn.emit(event::ThinkingEnd{}); break;
      default: turn.emit(event::ToolStart{.call = "never_ended", .tool = "run"}); break;
    }
  }

  Setting& setting_;
  Site site_;
  std::string session_;  // of its own
  Signal cancelled_;
  std::string conversation_;  // of the gateway
};

}  // namespace

Task<Result<std::unique_ptr<hub::Agent>>> SimulatedProvider::open(hub::SessionSetup setup, hub::AgentHost) {
  co_await sleep_for(setting_.loop, setting_.random.between(0s, 2s));
  co_return std::make_unique<SimulatedAgent>(setting_, site_, std::move(setup.agent_session.id));
}

hub::AgentInfo SimulatedProvider::info() const {
  hub::AgentInfo info{.id = "simulated", .name = "Simulated", .modes = {hub::Mode::default_}};
  if (!site_.is_gateway) return info;
  hub::AgentOption option{.id = "effort", .name = "Effort", .value = "0"};
  for (std::size_t i = 0; i <= option_values; ++i) option.values.push_back({.value = std::to_string(i)});
  info.options = {std::move(option)};
  return info;
}

}  // namespace parlance::simulator
