// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/policy/policy.h"

#include <algorithm>

#include "parlance/base/text.h"
#include "parlance/base/visible_text.h"
#include "parlance/hub/commands/command_words.h"
#include "parlance/hub/commands/free_commands.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/conversation/tool_words.h"
#include "parlance/hub/policy/may_offer_always.h"

namespace parlance::hub {
namespace {

// Compares whole components: /a/b covers /a/b and /a/b/c, not /a/bc.
bool lies_under(std::string_view path, std::string_view prefix) {
  while (prefix.size() > 1 && prefix.back() == '/') prefix.remove_suffix(1);
  if (prefix == "/") return path.starts_with('/');
  return path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/');
}

bool begins_with(const std::vector<std::string>& words, const std::vector<std::string>& first) {
  return words.size() >= first.size() && std::equal(first.begin(), first.end(), words.begin());
}

// The command check found no problem.
bool looked_harmless(const ToolIntent& intent) { return intent.look && intent.look->problem.empty(); }

// A tabled command in a read-only form, confirmed by the command check.
bool is_free(const ToolIntent& intent) {
  const auto words = simple_command(intent.command.value_or(""));
  return words && free_form(*words) && looked_harmless(intent);
}

// A rule allows its words, not the effect of further options. For a tabled program only tabled forms are allowed. For git also an
// untabled subcommand, if the rule names it and the repository configures no programs.
bool allow_covers(const Rule& rule, const ToolIntent& intent, const std::vector<std::string>& words) {
  if (!is_free_program(words.front())) return true;
  if (words.front().contains('/')) return false;
  if (free_form(words)) return looked_harmless(intent);
  const bool tabled = std::ranges::any_of(free_commands(), [&](const FreeCommand& command) {
    return command.words == words.front() || command.words == words.front() + " " + (words.size() > 1 ? words[1] : "");
  });
  return !tabled && rule.command_words.size() > 1 && !rule.command_words[1].starts_with('-') && looked_harmless(intent);
}

// An allow rule must fit the whole command; a deny or ask rule needs to fit only one part.
bool command_fits(const Rule& rule, const ToolIntent& intent) {
  if (!intent.command) return false;
  if (rule.effect == Effect::allow) {
    const auto words = simple_command(*intent.command);
    return words && begins_with(*words, rule.command_words) && allow_covers(rule, intent, *words);
  }
  const CommandParts parts = command_parts(*intent.command);
  return !parts.complete ||
         std::ranges::any_of(parts.all, [&](const auto& words) { return begins_with(words, rule.command_words); });
}

// Deny and ask rules fit any name of the file, and the files a command reads. Allow rules fit only names without links.
bool path_fits(const Rule& rule, const ToolIntent& intent) {
  if (intent.kind == ToolKind::execute)
    return rule.effect != Effect::allow && intent.look &&
           std::ranges::any_of(intent.look->paths, [&](const std::string& path) { return lies_under(path, *rule.path_prefix); });
  const auto fits = [&](const std::optional<std::string>& name) { return name && lies_under(*name, *rule.path_prefix); };
  return fits(intent.real_path) || fits(intent.canonical_path) || (rule.effect != Effect::allow && fits(intent.path));
}

// A rule applies in guarded places, or outside the folder, only if it names the path.
bool names_its_place(const Rule& rule, const ToolIntent& intent) {
  const bool has_place = (intent.kind == ToolKind::read && !intent.placeless) || intent.kind == ToolKind::edit;
  if (!intent.path) return !has_place;
  if (!intent.real_path) return false;
  if (intent.guarded) return rule.path_prefix && lies_under(*rule.path_prefix, intent.guarded->path);
  return intent.path_inside || rule.path_prefix.has_value();
}

Decision by_mode(const Action& action) {
  using enum ReasonId;
  const ToolIntent& intent = action.intent;
  const auto because = [&](Effect effect, Reason reason, std::string_view words = {}) {
    const std::string said = words.empty() ? in_words(reason) : std::string(words);
    return Decision{
        .effect = effect, .why = "mode " + std::string(to_string(action.mode)) + ": " + said, .reason = std::move(reason)};
  };
  const auto mode = [&](Effect effect, ReasonId reason) { return because(effect, reason); };
  switch (intent.kind) {
    case ToolKind::memory:
      if (intent.memory == MemoryUse::look) return mode(Effect::allow, memory_look);
      if (intent.memory == MemoryUse::forget) return mode(Effect::ask, memory_forget);
      if (intent.asked_for) return {.effect = Effect::allow, .why = in_words(memory_wanted), .reason = memory_wanted};
      return action.mode == Mode::yolo ? mode(Effect::allow, memory_keep) : mode(Effect::ask, memory_kept);
    case ToolKind::ask: return mode(Effect::allow, question);
    case ToolKind::read:
      if (intent.placeless) return mode(Effect::allow, placeless_read);
      if (!intent.path) return mode(Effect::ask, unknown_place);
      if (intent.real_path && intent.path_inside) return mode(Effect::allow, read_inside);
      return mode(Effect::ask, read_outside);
    case ToolKind::edit: {
      const bool free = action.mode == Mode::auto_edit || action.mode == Mode::yolo;
      if (!intent.path_inside || !intent.real_path) return mode(Effect::ask, edit_outside);
      if (intent.guarded) return because(Effect::ask, intent.guarded->reason, intent.guarded->why);
      return free ? mode(Effect::allow, edit_inside) : mode(Effect::ask, edits_asked);
    }
    case ToolKind::execute:
      if (action.mode == Mode::yolo) return mode(Effect::allow, commands);
      if (action.mode == Mode::smart && is_free(intent)) return mode(Effect::allow, reading_command);
      if (intent.look && !intent.look->problem.empty()) return because(Effect::ask, intent.look->reason, intent.look->problem);
      return mode(Effect::ask, commands_asked);
    case ToolKind::other:
      if (intent.path && (!intent.path_inside || !intent.real_path)) return mode(Effect::ask, tool_outside);
      if (intent.guarded) return because(Effect::ask, intent.guarded->reason, intent.guarded->why);
      if (action.mode == Mode::yolo) return mode(Effect::allow, tools);
      return mode(Effect::ask, tools_asked);
  }
  return mode(Effect::ask, tools_asked);
}

bool is_changing(ToolKind kind) { return kind == ToolKind::edit || kind == ToolKind::execute || kind == ToolKind::other; }

// "Always in this folder" applies to a folder on one machine.
bool is_elsewhere(const Rule& rule, std::string_view runner) {
  return rule.effect == Effect::allow && (rule.folder || rule.path_prefix) && rule.runner.value_or("") != runner;
}

}  // namespace

Action action_in(const SessionSetup& setup, std::string_view tool, const ToolIntent& intent) {
  return {.conversation = setup.id,
          .agent = setup.agent,
          .folder = setup.folder,
          .runner = setup.runner ? std::string_view(*setup.runner) : std::string_view(),
          .mode = setup.mode,
          .tool = tool,
          .intent = intent};
}

bool matches(const Rule& rule, const Action& action) {
  const auto same = [](const std::optional<std::string>& wanted, std::string_view is) { return !wanted || *wanted == is; };
  if (!same(rule.agent, action.agent) || !same(rule.conversation, action.conversation) || !same(rule.folder, action.folder) ||
      !same(rule.tool, action.tool))
    return false;
  if (is_elsewhere(rule, action.runner)) return false;
  if (rule.path_prefix && !path_fits(rule, action.intent)) return false;
  if (rule.effect == Effect::allow && !names_its_place(rule, action.intent)) return false;
  return rule.command_words.empty() || command_fits(rule, action.intent);
}

namespace {

// A command or tool that reads a whole folder also reads its denied files: then only a person allows the call. Mode yolo allows
// the command, because the paths of commands are a guess.
bool reads_around(const Rule& rule, const Action& action) {
  if (rule.effect == Effect::allow || !rule.path_prefix) return false;
  Rule without_path = rule;
  without_path.path_prefix.reset();
  if (!matches(without_path, action)) return false;
  const ToolIntent& intent = action.intent;
  const auto is_below = [&](const std::string& path) { return lies_under(*rule.path_prefix, path); };
  if (intent.kind == ToolKind::read) return intent.real_path && is_below(*intent.real_path);
  return action.mode != Mode::yolo && intent.look && std::ranges::any_of(intent.look->paths, is_below);
}

Decision because_of(ReasonId id, const Rule& rule, Effect effect, std::string decided_by = {}) {
  Reason reason(id, {rule.label});
  return {.effect = effect, .why = in_words(reason), .rule = std::move(decided_by), .reason = std::move(reason)};
}

Decision decide_place(const Action& action, std::span<const Rule> rules) {
  if (action.mode == Mode::plan && is_changing(action.intent.kind))
    return {.effect = Effect::deny, .why = "mode plan: " + in_words(ReasonId::plan_first), .reason = ReasonId::plan_first};
  for (const Rule& rule : rules) {
    if (matches(rule, action)) return because_of(ReasonId::rule, rule, rule.effect, rule.id);
    if (reads_around(rule, action)) return because_of(ReasonId::kept_back, rule, Effect::ask);
  }
  return by_mode(action);
}

Action at_place(const Action& action, const ToolIntent& place) {
  return {.conversation = action.conversation,
          .agent = action.agent,
          .folder = action.folder,
          .runner = action.runner,
          .mode = action.mode,
          .tool = action.tool,
          .intent = place};
}

}  // namespace

Decision decide(const Action& action, std::span<const Rule> rules) {
  Decision strictest = decide_place(action, rules);
  for (const ToolIntent& place : action.intent.also)
    if (Decision here = decide_place(at_place(action, place), rules); here.effect < strictest.effect) strictest = std::move(here);
  return strictest;
}

namespace {

struct Narrow {
  Rule rule{};
  std::string what{};  // empty: no offer
};

// The narrowest rule for "always": a row of the table for commands, an unguarded part of the folder for files.
Narrow narrowest(const Action& action) {
  const ToolIntent& intent = action.intent;
  Narrow narrow{.rule = {.effect = Effect::allow, .tool = std::string(action.tool)}};
  if (!action.runner.empty()) narrow.rule.runner = std::string(action.runner);
  if (!may_offer_always(intent) || has_hidden_characters(action.tool)) return narrow;
  const std::string named = "“" + tool_in_words(action.tool) + "”";
  if (intent.kind == ToolKind::execute) {
    if (!is_free(intent)) return narrow;
    const std::string_view row = free_form(*simple_command(*intent.command))->command->words;
    for (const std::string_view word : split(row, ' ')) narrow.rule.command_words.emplace_back(word);
    narrow.what = "`" + std::string(row) + "`, for reading only,";
  } else if (!intent.also.empty()) {
    return narrow;
  } else if (!intent.path) {
    if (names_its_place(narrow.rule, intent)) narrow.what = named;
  } else if (intent.path_inside && intent.real_path && !intent.guarded) {
    narrow.rule.path_prefix = intent.other_folder.value_or(std::string(action.folder));
    narrow.what = named;
  }
  return narrow;
}

}  // namespace

std::vector<AskOption> once_offer() {
  return {{.id = "allow_once", .label = "Allow once", .kind = OptionKind::allow_once},
          {.id = "reject", .label = "Reject", .kind = OptionKind::reject_once},
          {.id = "reject_stop", .label = "Reject and stop", .kind = OptionKind::reject_and_stop}};
}

Offer standard_offer(const Action& action) {
  auto [always, what] = narrowest(action);
  Offer offer;
  offer.options.push_back({.id = "allow_once", .label = "Allow once", .kind = OptionKind::allow_once});
  if (!what.empty()) {
    Rule in_folder = always;
    in_folder.folder = std::string(action.folder);
    in_folder.label =
        what + " in " + std::string(action.folder) + (action.runner.empty() ? "" : " on " + std::string(action.runner));
    offer.options.push_back(
        {.id = "allow_folder", .label = "Always allow " + what + " in this folder", .kind = OptionKind::allow_always});
    offer.rules.push_back({.option = "allow_folder", .rule = std::move(in_folder)});
    Rule here = std::move(always);
    here.conversation = std::string(action.conversation);
    here.label = what + " in this conversation";
    offer.options.push_back({.id = "allow_conversation",
                             .label = "Always allow " + what + " in this conversation",
                             .kind = OptionKind::allow_always});
    offer.rules.push_back({.option = "allow_conversation", .rule = std::move(here)});
  }
  offer.options.push_back({.id = "reject", .label = "Reject", .kind = OptionKind::reject_once});
  offer.options.push_back({.id = "reject_stop", .label = "Reject and stop", .kind = OptionKind::reject_and_stop});
  return offer;
}

}  // namespace parlance::hub
