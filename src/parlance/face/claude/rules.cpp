// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/claude/rules.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>

#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/hub/commands/command_words.h"
#include "parlance/toolbox/claude_tool_names.h"

namespace parlance::face {
namespace {

namespace fs = std::filesystem;

bool is_one_of(std::string_view tool, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, tool) != names.end();
}
bool reads(std::string_view tool) { return is_one_of(tool, {"Read", "Grep", "Glob", "LS", "NotebookRead"}); }
bool edits(std::string_view tool) { return is_one_of(tool, {"Edit", "Write", "MultiEdit", "NotebookEdit"}); }

// `*` matches within a part between separators, `**` across parts. Tries every possible length of the match.
bool glob_fits(std::string_view pattern, std::string_view text, char separator) {
  while (!pattern.empty()) {
    if (pattern.front() != '*') {
      if (text.empty() || (pattern.front() != '?' && pattern.front() != text.front())) return false;
      pattern.remove_prefix(1);
      text.remove_prefix(1);
      continue;
    }
    const bool far = pattern.starts_with("**") || separator == '\0';
    pattern.remove_prefix(pattern.starts_with("**") ? 2 : 1);
    if (far && pattern.starts_with('/') && glob_fits(pattern.substr(1), text, separator)) return true;  // zero folders
    for (;;) {
      if (glob_fits(pattern, text, separator)) return true;
      if (text.empty() || (!far && text.front() == separator)) return false;
      text.remove_prefix(1);
    }
  }
  return text.empty();
}

// ---- commands ----

bool command_fits(std::string_view rule, std::string_view command) {
  if (rule == "*") return true;
  if (rule.ends_with(":*") || rule.ends_with(" *")) {
    const std::string_view first = rule.substr(0, rule.size() - 2);
    if (!first.contains('*')) return command == first || (command.starts_with(first) && command[first.size()] == ' ');
  }
  return rule.contains('*') ? glob_fits(rule, command, '\0') : rule == command;
}

// Removes variable assignments before a command.
std::string text_of(std::vector<std::string> words) {
  const auto first = std::ranges::find_if(words, [](const std::string& word) { return !word.contains('='); });
  std::string text;
  for (auto word = first; word != words.end(); ++word) text += (text.empty() ? "" : " ") + *word;
  return text;
}

bool part_fits(std::string_view rule, const std::string& command) {
  if (command_fits(rule, command)) return true;
  return std::ranges::any_of(hub::command_parts(command), [&](const auto& words) { return command_fits(rule, text_of(words)); });
}

// ---- paths

// "//etc" from the root, "~/x" from the home folder, "/x" and "x" from the conversation's folder; without a slash, in any folder
// below.
std::string absolute_pattern(std::string_view pattern, const std::string& folder) {
  if (pattern.starts_with("//")) return std::string(pattern.substr(1));
  if (pattern.starts_with("~/")) {
    const char* const home = std::getenv("HOME");
    return (home != nullptr ? std::string(home) : std::string()) + std::string(pattern.substr(1));
  }
  if (pattern.starts_with('/')) return folder + std::string(pattern);
  if (pattern.starts_with("./")) return folder + std::string(pattern.substr(1));
  if (pattern.substr(0, pattern.size() - 1).contains('/')) return folder + "/" + std::string(pattern);
  return folder + "/**/" + std::string(pattern);
}

// Matches the path itself, or a folder above.
bool path_fits(std::string_view rule, std::string path, const std::string& folder) {
  std::string pattern = absolute_pattern(rule, folder);
  while (pattern.size() > 1 && pattern.ends_with('/')) pattern.pop_back();
  for (; path.size() > 1; path.resize(path.rfind('/')))
    if (glob_fits(pattern, path, '/')) return true;
  return false;
}

std::string real_path(const std::string& path) {
  std::error_code unreadable;
  const fs::path real = fs::weakly_canonical(path, unreadable);
  return unreadable ? path : real.string();
}

// ---- tools

bool tool_fits(const std::string& rule, const std::string& tool) {
  if (rule == tool || toolbox::own_tool(rule) == toolbox::own_tool(tool)) return true;
  if (!rule.starts_with("mcp__")) return false;
  return tool.starts_with(rule + "__") || (rule.contains('*') && glob_fits(rule, tool, '\0'));
}

// `Read(…)` covers all reading tools, `Edit(…)` all writing tools.
bool tool_of_content_fits(const std::string& rule, const std::string& tool) {
  return tool_fits(rule, tool) || (rule == "Read" && reads(tool)) || (rule == "Edit" && edits(tool));
}

// Deny and ask rules match one part of a command, and each name of a file.
bool found_in(const claude::PermissionRule& rule, const RuledCall& call) {
  if (!rule.content) return tool_fits(rule.tool_name, call.tool);
  if (!tool_of_content_fits(rule.tool_name, call.tool)) return false;
  if (call.tool == "Bash") return part_fits(*rule.content, std::string(call.input.text_or("command", "")));
  const std::string path = path_of_call(call);
  return !path.empty() && (path_fits(*rule.content, path, call.folder) || path_fits(*rule.content, real_path(path), call.folder));
}

// Allow rules must match the whole command and every name.
bool fits_all(const claude::PermissionRule& rule, const RuledCall& call) {
  if (!rule.content) return tool_fits(rule.tool_name, call.tool);
  if (!tool_of_content_fits(rule.tool_name, call.tool)) return false;
  if (call.tool == "Bash") {
    const std::string command(call.input.text_or("command", ""));
    if (command == *rule.content) return true;
    return hub::simple_command(command).has_value() && command_fits(*rule.content, command);
  }
  const std::string path = path_of_call(call);
  return !path.empty() && path_fits(*rule.content, path, call.folder) &&
         path_fits(*rule.content, real_path(path), real_path(call.folder));
}

// ---- suggestions ---------------------------------------------------------------------------------------------------------

std::string update_json(const claude::PermissionUpdate& update) {
  json::Object made;
  made.set("type", update.type);
  if (!update.rules.empty()) {
    json::Array rules;
    for (const claude::PermissionRule& rule : update.rules) {
      json::Object object;
      object.set("toolName", rule.tool_name);
      if (rule.content) object.set("ruleContent", *rule.content);
      rules.push_back(std::move(object));
    }
    made.set("rules", std::move(rules));
    made.set("behavior", update.behavior.value_or("allow"));
  }
  if (update.mode) made.set("mode", *update.mode);
  if (!update.directories.empty()) {
    json::Array folders;
    for (const std::string& folder : update.directories) folders.emplace_back(folder);
    made.set("directories", std::move(folders));
  }
  made.set("destination", update.destination.value_or("session"));
  return json::to_text(json::Value(std::move(made)));
}

// "git push *" of `git push origin main`; other forms of commands unchanged.
std::string rule_for(const std::string& command) {
  const auto words = hub::simple_command(command);
  if (!words || words->size() < 2) return command;
  const std::string& second = (*words)[1];
  const bool is_subcommand = second.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos &&
                             second.front() >= 'a' && second.front() <= 'z';
  constexpr std::string_view with_subcommands[] = {"git", "gh",   "npm", "pnpm",   "yarn",    "cargo", "go",    "pip",
                                                   "uv",  "make", "apt", "docker", "kubectl", "brew",  "dotnet"};
  if (!is_subcommand || std::ranges::find(with_subcommands, words->front()) == std::end(with_subcommands)) return command;
  return words->front() + " " + second + " *";
}

}  // namespace

claude::PermissionRule read_rule(const std::string& text) {
  const auto open = text.find('(');
  if (open == std::string::npos || !text.ends_with(')')) return {.tool_name = text};
  std::string content = text.substr(open + 1, text.size() - open - 2);
  claude::PermissionRule rule{.tool_name = text.substr(0, open)};
  if (!content.empty() && content != "*") rule.content = std::move(content);
  return rule;
}

void ClaudeRules::add(Rules& to, const std::vector<std::string>& rules) {
  for (const std::string& rule : rules) to.push_back(read_rule(rule));
}

void ClaudeRules::update(const claude::PermissionUpdate& update) {
  const std::string behavior = update.behavior.value_or("allow");
  Rules& rules = behavior == "deny" ? denied_ : behavior == "ask" ? asked_ : allowed_;
  const auto same = [](const claude::PermissionRule& a, const claude::PermissionRule& b) {
    return a.tool_name == b.tool_name && a.content == b.content;
  };
  if (update.type == "replaceRules") rules.clear();
  if (update.type == "addRules" || update.type == "replaceRules")
    rules.insert(rules.end(), update.rules.begin(), update.rules.end());
  if (update.type == "removeRules")
    std::erase_if(rules, [&](const auto& rule) {
      return std::ranges::any_of(update.rules, [&](const auto& gone) { return same(rule, gone); });
    });
}

bool ClaudeRules::any_fits(const Rules& rules, const RuledCall& call) {
  return std::ranges::any_of(rules, [&](const auto& rule) { return found_in(rule, call); });
}
bool ClaudeRules::allows(const RuledCall& call) const {
  return !denies(call) && !asks(call) && std::ranges::any_of(allowed_, [&](const auto& rule) { return fits_all(rule, call); });
}

std::string path_of_call(const RuledCall& call) {
  for (const char* member : {"file_path", "notebook_path", "path"})
    if (const std::string_view named = call.input.text_or(member, ""); !named.empty())
      return (fs::path(call.folder) / named).lexically_normal().string();
  return is_one_of(call.tool, {"Glob", "Grep", "LS"}) ? call.folder : "";
}

QuestionAbout question_about(const RuledCall& call) {
  using Update = claude::PermissionUpdate;
  const auto list = [](std::initializer_list<Update> updates) {
    std::string text;
    for (const Update& update : updates) text += (text.empty() ? "[" : ",") + update_json(update);
    return text + "]";
  };
  const std::string path = path_of_call(call);
  const bool outside = !path.empty() && !is_within(path, call.folder);
  const std::string folder = fs::path(path).parent_path().string();
  QuestionAbout about;
  if (outside) about.reason = "Path is outside allowed working directories";
  if (edits(call.tool)) {
    const Update mode{.type = "setMode", .mode = "acceptEdits", .destination = "session"};
    const Update more{.type = "addDirectories", .directories = {folder}, .destination = "session"};
    about.suggestions_json = outside ? list({mode, more}) : list({mode});
  } else if (reads(call.tool)) {
    if (outside)
      about.suggestions_json = list({{.type = "addRules",
                                      .rules = {{.tool_name = "Read", .content = "/" + folder + "/**"}},
                                      .behavior = "allow",
                                      .destination = "session"}});
  } else if (call.tool == "Bash") {
    about.reason = "This command requires approval";
    about.suggestions_json =
        list({{.type = "addRules",
               .rules = {{.tool_name = "Bash", .content = rule_for(std::string(call.input.text_or("command", "")))}},
               .behavior = "allow",
               .destination = "localSettings"}});
  } else {
    about.suggestions_json =
        list({{.type = "addRules", .rules = {{.tool_name = call.tool}}, .behavior = "allow", .destination = "localSettings"}});
  }
  return about;
}

}  // namespace parlance::face
