// SPDX-License-Identifier: Apache-2.0
// A person's settings of a conversation: title, mode, model, thinking, agent options; and `clear`.
#include <algorithm>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/runtime/command_executor.h"

namespace parlance::hub {

Task<Result<Prompted>> CommandExecutor::execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from,
                                                ChangeSettings& command) {
  const ConversationChanges& changes = command.changes;
  if (changes.title && trim(*changes.title).empty()) co_return fail(Errc::invalid_params, "the title is empty");
  // An open agent gets the change first: the conversation must not contain a setting that the agent refuses.
  if (const std::shared_ptr<Agent> agent = runtime->agent) {
    const TimePoint deadline = core_.loop.now() + limits::agent_setting_timeout;
    if (changes.mode && *changes.mode != runtime->current.mode)
      PARLANCE_CO_TRY_DO(co_await with_deadline(core_.loop, deadline, agent->set_mode(*changes.mode)));
    if (changes.model && *changes.model != runtime->current.model)
      PARLANCE_CO_TRY_DO(co_await with_deadline(core_.loop, deadline, agent->set_model(*changes.model)));
    if (changes.think && *changes.think != runtime->current.think)
      PARLANCE_CO_TRY_DO(co_await with_deadline(core_.loop, deadline, agent->set_think(*changes.think)));
  }
  if (runtime->removing) co_return fail(Errc::not_found, "no such conversation: " + runtime->current.id);
  PARLANCE_CO_TRY_DO(co_await change(runtime, from, changes)->get());
  co_return Prompted{};
}

EventLog::Outcome CommandExecutor::change(const std::shared_ptr<ConversationRuntime>& runtime, const Submission& from,
                                          const ConversationChanges& changes) {
  Conversation& current = runtime->current;
  const ConversationChanges before{.title = current.title,
                                   .mode = current.mode,
                                   .model = current.model,
                                   .think = current.think,
                                   .archived = current.archived.value_or(false),
                                   .access = current.access};
  const bool new_mode = changes.mode && *changes.mode != current.mode;
  const auto work = [&] {
    if (changes.title) current.title = title_of(*changes.title);
    current.named = current.named || changes.title;
    if (changes.model) current.model = *changes.model;
    if (changes.think) current.think = *changes.think;
    if (changes.mode) current.mode = *changes.mode;
    if (changes.archived) current.archived = *changes.archived ? std::optional(true) : std::nullopt;
    if (changes.access) current.access = *changes.access == Access::private_ ? std::nullopt : changes.access;
    if (new_mode) runtime->log.append(event::ModeChanged{.mode = current.mode, .by = name_or_nothing(from.by)});
    log_changes(*runtime, before, from.by);
    runtime->note_done(from);
    runtime->touch();
  };
  const auto done = [this, new_mode] {
    if (new_mode) requests_.decide_again();
  };
  const auto undo = [this, runtime, before, named = current.named] {
    runtime->current.title = *before.title;
    runtime->current.named = named;
    runtime->current.mode = *before.mode;
    runtime->current.model = *before.model;
    runtime->current.think = *before.think;
    runtime->current.archived = *before.archived ? std::optional(true) : std::nullopt;
    runtime->current.access = before.access;
    if (runtime->agent) core_.scope.start(send_settings(runtime->agent, before));
  };
  return runtime->log.operation(work, {.done = done, .undo = undo});
}

// Logs each difference as an event; a mode change has its own kind of event.
void CommandExecutor::log_changes(ConversationRuntime& runtime, const ConversationChanges& before, const std::string& by) {
  const Conversation& now = runtime.current;
  const auto log_change = [&](std::string_view setting, std::string value) {
    runtime.log.append(notice_of(setting, std::move(value), by));
  };
  const auto yes_or_no = [](bool is) { return std::string(is ? "true" : "false"); };
  if (now.title != *before.title) log_change(act::title, now.title);
  if (now.model != *before.model) log_change(act::model, now.model);
  if (now.think != *before.think) log_change(act::think, yes_or_no(now.think));
  if (now.archived.value_or(false) != *before.archived) log_change(act::archived, yes_or_no(now.archived.value_or(false)));
  if (now.access != before.access) log_change(act::access, std::string(to_string(now.access.value_or(Access::private_))));
}

// Restores the agent's settings after a failed write.
Task<void> CommandExecutor::send_settings(std::shared_ptr<Agent> agent, ConversationChanges settings_before) {
  const TimePoint deadline = core_.loop.now() + limits::agent_setting_timeout;
  static_cast<void>(co_await with_deadline(core_.loop, deadline, agent->set_mode(*settings_before.mode)));
  static_cast<void>(co_await with_deadline(core_.loop, deadline, agent->set_model(*settings_before.model)));
  static_cast<void>(co_await with_deadline(core_.loop, deadline, agent->set_think(*settings_before.think)));
}

// ---- options ------------------------------------------------------------------------------------------------------------

Task<Result<Prompted>> CommandExecutor::execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from,
                                                SetOption& command) {
  const std::string& id = command.option;
  const std::string& value = command.value;
  const std::vector<AgentOption> options = options_of(*runtime);
  const auto found = std::ranges::find(options, id, &AgentOption::id);
  if (found == options.end()) co_return fail(Errc::invalid_params, "this agent has no option " + id);
  PARLANCE_CO_TRY_DO(check_option(*found, value));
  AgentOption wanted = *found;
  if (wanted.value == value) co_return Prompted{};
  wanted.value = value;
  if (const std::shared_ptr<Agent> agent = runtime->agent) {  // as with ChangeSettings: the agent may refuse
    const TimePoint deadline = core_.loop.now() + limits::agent_setting_timeout;
    PARLANCE_CO_TRY_DO(co_await with_deadline(core_.loop, deadline, agent->set_option(id, value)));
  }
  if (runtime->removing) co_return fail(Errc::not_found, "no such conversation: " + runtime->current.id);
  PARLANCE_CO_TRY_DO(co_await choose(runtime, std::move(wanted), from)->get());
  co_return Prompted{};
}

std::vector<AgentOption> CommandExecutor::options_of(const ConversationRuntime& runtime) const {
  const auto opener = core_.provider(runtime.current.agent);
  const std::vector<AgentOption> none;
  const AgentInfo info = opener != nullptr ? opener->info() : AgentInfo{};
  return options_in_force(info.options.value_or(none), runtime.current.options.value_or(none));
}

EventLog::Outcome CommandExecutor::choose(const std::shared_ptr<ConversationRuntime>& runtime, AgentOption option,
                                          const Submission& from) {
  const std::optional<std::vector<AgentOption>> before = runtime->current.options;
  const std::string id = option.id;
  const std::string value_before = option_value(options_of(*runtime), id);
  const auto work = [&] {
    runtime->log.append(event::OptionChanged{
        .id = option.id, .name = option.name, .value = option.value, .by = from.by.empty() ? "person" : from.by});
    if (!runtime->current.options) runtime->current.options.emplace();
    std::erase_if(*runtime->current.options, [&](const AgentOption& agent_option) { return agent_option.id == id; });
    runtime->current.options->push_back(std::move(option));
    runtime->note_done(from);
    runtime->touch();
  };
  const auto undo = [this, runtime, before, id, value_before] {
    runtime->current.options = before;
    if (runtime->agent) core_.scope.start(send_option(runtime->agent, id, value_before));
  };
  return runtime->log.operation(work, {.undo = undo});
}

// Restores the agent's option after a failed write.
Task<void> CommandExecutor::send_option(std::shared_ptr<Agent> agent, std::string id, std::string value) {
  const TimePoint deadline = core_.loop.now() + limits::agent_setting_timeout;
  static_cast<void>(co_await with_deadline(core_.loop, deadline, agent->set_option(std::move(id), std::move(value))));
}

// ---- clear --------------------------------------------------------------------------------------------------------------

Task<Result<Prompted>> CommandExecutor::execute(std::shared_ptr<ConversationRuntime> runtime, Submission& from,
                                                ClearConversation&) {
  turns_.stop(*runtime);
  while (runtime->turn || runtime->replaying) co_await runtime->idle.wait();
  if (runtime->removing) co_return fail(Errc::not_found, "no such conversation: " + runtime->current.id);
  // The agent knows the cleared messages. After a failed write the next agent resumes the session.
  if (runtime->agent) core_.closing.start(turns_.close_agent(std::exchange(runtime->agent, nullptr)));
  PARLANCE_CO_TRY_DO(co_await write_cleared(runtime, from)->get());
  co_return Prompted{};
}

EventLog::Outcome CommandExecutor::write_cleared(const std::shared_ptr<ConversationRuntime>& runtime, const Submission& from) {
  const auto work = [&] {
    requests_.settle_orphans(*runtime, "cleared", from.by);
    runtime->current.agent_session = {};
    runtime->log.append(event::Cleared{.by = name_or_nothing(from.by)});
    runtime->note_done(from);
    runtime->touch();
  };
  const auto undo = [runtime, session = runtime->current.agent_session, open_asks = runtime->current.open_asks] {
    runtime->current.agent_session = session;
    runtime->current.open_asks = open_asks;
  };
  return runtime->log.operation(work, {.undo = undo});
}

}  // namespace parlance::hub
