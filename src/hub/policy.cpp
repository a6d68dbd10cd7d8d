#include "hub/policy.h"

#include <algorithm>

namespace parlance::hub {
namespace {

// Whole components: /a/b covers /a/b and /a/b/c, not /a/bc.
bool lies_under(std::string_view path, std::string_view prefix) {
  while (prefix.size() > 1 && prefix.back() == '/') prefix.remove_suffix(1);
  if (prefix == "/") return path.starts_with('/');
  return path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/');
}

bool begins_with(const std::vector<std::string>& words, const std::vector<std::string>& first) {
  return words.size() >= first.size() && std::equal(first.begin(), first.end(), words.begin());
}

// What allows must fit all of a command; what forbids or asks need only be found in one part of it.
bool command_fits(const Rule& rule, const ToolIntent& intent) {
  if (!intent.command) return false;
  if (rule.effect == Effect::allow) {
    const auto words = simple_command(*intent.command);
    return words && begins_with(*words, rule.command_words);
  }
  const auto parts = command_parts(*intent.command);
  return std::ranges::any_of(parts, [&](const auto& words) { return begins_with(words, rule.command_words); });
}

// Hooks and settings in there make every later git command run whatever they say.
bool is_git_internal(std::string_view path) { return path.ends_with("/.git") || path.find("/.git/") != std::string_view::npos; }

Decision by_mode(const Action& action) {
  const ToolIntent& intent = action.intent;
  const auto mode = [&](Effect effect, std::string_view what) {
    return Decision{.effect = effect, .why = "mode " + std::string(to_string(action.mode)) + ": " + std::string(what)};
  };
  switch (intent.kind) {
    case ToolKind::memory:
      if (intent.memory == MemoryUse::look) return mode(Effect::allow, "looking into the memory");
      if (intent.memory == MemoryUse::forget) return mode(Effect::ask, "what is forgotten is gone");
      if (intent.asked_for) return {.effect = Effect::allow, .why = "your message asks for it"};
      return action.mode == Mode::yolo ? mode(Effect::allow, "keeping memories") : mode(Effect::ask, "what is kept is asked");
    case ToolKind::ask: return mode(Effect::allow, "a question to the person");
    case ToolKind::read:
      if (!intent.path || intent.path_inside) return mode(Effect::allow, "reading inside the folder");
      return mode(Effect::ask, "reading outside the folder");
    case ToolKind::edit: {
      const bool free = action.mode == Mode::auto_edit || action.mode == Mode::yolo;
      if (!intent.path_inside) return mode(Effect::ask, "changing files outside the folder");
      if (is_git_internal(intent.path.value_or(""))) return mode(Effect::ask, "git runs programs that its own files name");
      return free ? mode(Effect::allow, "changing files inside the folder") : mode(Effect::ask, "changes are asked");
    }
    case ToolKind::execute:
      if (action.mode == Mode::yolo) return mode(Effect::allow, "commands");
      if (action.mode == Mode::smart && intent.command && is_read_only_command(*intent.command))
        return mode(Effect::allow, "a command that only reads");
      return mode(Effect::ask, "commands are asked");
    case ToolKind::other:
      if (action.mode == Mode::yolo) return mode(Effect::allow, "tools");
      return mode(Effect::ask, "tools of unknown effect are asked");
  }
  return mode(Effect::ask, "unknown");
}

bool is_changing(ToolKind kind) { return kind == ToolKind::edit || kind == ToolKind::execute || kind == ToolKind::other; }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

// The program and its subcommand: `git status`, `npm test`, but `ls` of `ls -l`.
std::vector<std::string> leading_words(const std::vector<std::string>& words) {
  std::vector<std::string> first{words.front()};
  if (words.size() > 1 && !words[1].empty() && words[1].find_first_not_of("abcdefghijklmnopqrstuvwxyz-:") == std::string::npos &&
      words[1].front() != '-')
    first.push_back(words[1]);
  return first;
}

// Programs that run whatever they are given: "always python3" would be "always anything".
bool runs_anything(std::string_view program) {
  if (const auto slash = program.rfind('/'); slash != std::string_view::npos) program.remove_prefix(slash + 1);
  static constexpr std::string_view names[] = {
      "sh",    "bash",    "zsh",   "dash", "fish", "env",  "sudo", "doas", "su",  "xargs", "eval", "exec", "nice",    "time",
      "nohup", "timeout", "watch", "ssh",  "find", "perl", "ruby", "node", "php", "awk",   "gawk", "sed",  "command", "busybox"};
  return program.starts_with("python") || std::ranges::find(names, program) != std::end(names);
}

}  // namespace

bool matches(const Rule& rule, const Action& action) {
  const auto same = [](const std::optional<std::string>& wanted, std::string_view is) { return !wanted || *wanted == is; };
  if (!same(rule.agent, action.agent) || !same(rule.conversation, action.conversation) || !same(rule.folder, action.folder) ||
      !same(rule.tool, action.tool))
    return false;
  if (rule.path_prefix && (!action.intent.path || !lies_under(*action.intent.path, *rule.path_prefix))) return false;
  return rule.command_words.empty() || command_fits(rule, action.intent);
}

Decision decide(const Action& action, std::span<const Rule> rules) {
  if (action.mode == Mode::plan && is_changing(action.intent.kind))
    return {.effect = Effect::deny, .why = "mode plan: nothing is changed or run before the plan is approved"};
  for (const Rule& rule : rules)
    if (matches(rule, action)) return {.effect = rule.effect, .why = "rule: " + rule.label, .rule = rule.id};
  return by_mode(action);
}

Offer standard_offer(const Action& action) {
  const ToolIntent& intent = action.intent;
  Rule always{.effect = Effect::allow, .tool = std::string(action.tool)};
  std::string what;
  if (intent.kind == ToolKind::execute) {
    if (const auto words = simple_command(intent.command.value_or(""));
        words && !words->empty() && !runs_anything(words->front())) {
      always.command_words = leading_words(*words);
      what = "`" + joined(always.command_words) + "`";
    }
  } else if (intent.path && intent.path_inside) {
    always.path_prefix = std::string(action.folder);
    what = std::string(action.tool);
  } else if (!intent.path) {
    what = std::string(action.tool);
  }

  Offer offer;
  offer.options.push_back({.id = "allow_once", .label = "Allow once", .kind = OptionKind::allow_once});
  if (!what.empty()) {
    Rule in_folder = always;
    in_folder.folder = std::string(action.folder);
    in_folder.label = what + " in " + std::string(action.folder);
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
  return offer;
}

}  // namespace parlance::hub
