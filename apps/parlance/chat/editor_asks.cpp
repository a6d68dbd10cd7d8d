// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/chat/editor_asks.h"

#include <optional>
#include <string>
#include <utility>

#include "parlance/hub/conversation/ask_options.h"

namespace parlance::app {
namespace {

const hub::AskOption* approval(const hub::Ask& ask) { return hub::first_option(ask, {hub::OptionKind::allow_once}); }
std::string refusal(const hub::Ask& ask) { return hub::refusing_option(ask)->id; }
bool wants_words(const hub::Ask& ask) {
  return ask.kind == hub::AskKind::question || hub::first_option(ask, {hub::OptionKind::feedback}) != nullptr;
}
bool refuses(hub::OptionKind kind) { return kind == hub::OptionKind::reject_once || kind == hub::OptionKind::reject_always; }

// The editor does not serve the method, or is not connected. Any other error may stand for a lost answer, and refuses.
bool was_not_asked(const Error& error) { return error.code == Errc::unknown_method || error.code == Errc::not_found; }

}  // namespace

Task<Result<void>> EditorAsks::settle(hub::Ask ask) {
  if (hub_.find_ask(ask.id) == nullptr) co_return Result<void>{};
  if (hub::refusing_option(ask) == nullptr || wants_words(ask)) co_return co_await otherwise_.settle(std::move(ask));
  asking_.emplace(hub_.loop());
  auto given = co_await under(*asking_, in_editor(ask));
  if (!given && asking_->cancelled()) co_return Result<void>{};
  if (!given && was_not_asked(given.error())) {
    co_await show(ask);
    co_return co_await otherwise_.settle(std::move(ask));
  }
  if (!given) given = hub::Answer{.option = refusal(ask), .text = "the editor did not answer: " + given.error().message};
  given->digest = ask.digest;
  given->by = "editor";
  const auto done = co_await hub_.submit(ask.conversation, hub::AnswerRequest{.request = ask.id, .answer = *std::move(given)});
  if (!done && done.error().code != Errc::failed)
    co_return fail(done.error());  // failed: another frontend has settled the request meanwhile
  co_return Result<void>{};
}

void EditorAsks::interrupt() {
  if (asking_) asking_->cancel();
}

// The result of showDiff carries no decision. An interruption ends the call.
Task<void> EditorAsks::show(const hub::Ask& ask) {
  if (!ask.diff || !ask.diff->after) co_return;
  static_cast<void>(
      co_await under(*asking_, editor_.show_diff({.title = ask.title, .path = ask.diff->path, .new_content = *ask.diff->after})));
}

Task<Result<hub::Answer>> EditorAsks::in_editor(hub::Ask ask) {
  if (terminal_ != nullptr) terminal_->note("(the editor asks: " + ask.title + ")");
  // A diff can allow a changed text once. A deletion is a dialog.
  const bool as_diff = ask.diff && ask.diff->after && approval(ask) != nullptr;
  co_return as_diff ? co_await in_diff(ask) : co_await in_dialog(ask);
}

Task<Result<hub::Answer>> EditorAsks::in_diff(const hub::Ask& ask) {
  PARLANCE_CO_TRY(outcome,
                  co_await editor_.open_diff({.path = ask.diff->path, .new_content = *ask.diff->after, .title = ask.title}));
  hub::Answer given{.option = outcome.accepted ? approval(ask)->id : refusal(ask)};
  if (outcome.accepted && outcome.content != *ask.diff->after) {
    if (ask.editable == hub::EditablePart::diff) given.edited = std::move(outcome.content);
    else
      given = {.option = refusal(ask),
               .text = "the proposal was changed by hand, which this agent cannot take; propose it again"};
  }
  co_return given;
}

Task<Result<hub::Answer>> EditorAsks::in_dialog(const hub::Ask& ask) {
  hub::editor::ConfirmDialog dialog{.title = ask.title, .message = ask.why, .detail = ask.detail};
  for (const hub::AskOption& option : ask.options)
    dialog.options.push_back(
        {.id = option.id, .label = option.label, .is_default = refuses(option.kind), .dangerous = option.dangerous});
  PARLANCE_CO_TRY(choice, co_await editor_.confirm(std::move(dialog)));
  co_return hub::Answer{.option = choice.value_or(refusal(ask))};
}

}  // namespace parlance::app
