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
#include "parlance/toolbox/judge.h"

namespace parlance::face {
namespace {

namespace fs = std::filesystem;

bool is_one_of(std::string_view tool, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, tool) != names.end();
}
bool reads(std::string_view tool) { return is_one_of(tool, {"Read", "Grep", "Glob", "LS", "NotebookRead"}); }
bool searches(std::string_view tool) { return is_one_of(tool, {"Grep", "Glob", "LS"}); }
bool edits(std::string_view tool) { return is_one_of(tool, {"Edit", "Write", "MultiEdit", "NotebookEdit"}); }

// `*` matches within a part between separators, `**` across parts, and `?` a letter. Keeps all positions of the pattern that fit the
// text so far, as an NFA: a model chooses the text, and the time grows only with the length of both.
class Glob {
 public:
  Glob(std::string_view pattern, char separator) : pattern_(pattern), separator_(separator) {}

  bool fits(std::string_view text) const {
    Positions here(pattern_.size() + 1);
    reach(here, 0);
    for (const char c : text) {
      Positions next(here.size());
      for (std::size_t at = 0; at < pattern_.size(); ++at) {
        if (!here[at]) continue;
        if (pattern_[at] != '*') {
          if (pattern_[at] == '?' || pattern_[at] == c) reach(next, at + 1);
        } else if (is_far(at) || c != separator_) {
          next[at] = true;
          reach(next, behind(at));
        }
      }
      here = std::move(next);
    }
    return here.back();
  }

 private:
  using Positions = std::vector<bool>;
  bool is_far(std::size_t at) const { return separator_ == '\0' || pattern_.substr(at).starts_with("**"); }
  std::size_t behind(std::size_t at) const { return at + (pattern_.substr(at).starts_with("**") ? 2 : 1); }
  // Stars may match nothing, and a far star with its separator no folder.
  void reach(Positions& positions, std::size_t at) const {
    while (!positions[at]) {
      positions[at] = true;
      if (at == pattern_.size() || pattern_[at] != '*') return;
      const std::size_t next = behind(at);
      if (is_far(at) && pattern_.substr(next).starts_with('/')) reach(positions, next + 1);
      at = next;
    }
  }
  std::string_view pattern_;
  char separator_;  // '\0': none
};

bool glob_fits(std::string_view pattern, std::string_view text, char separator) { return Glob(pattern, separator).fits(text); }

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

// A command and its parts. One that cannot be read to its end fits each rule.
struct BashCommand {
  explicit BashCommand(const RuledCall& call) : text(call.input.text_or("command", "")) {
    if (call.tool != "Bash") return;
    hub::CommandParts found = hub::command_parts(text);
    is_complete = found.complete;
    for (auto& words : found.all) parts.push_back(text_of(std::move(words)));
  }
  bool fits(std::string_view rule) const {
    return !is_complete || command_fits(rule, text) ||
           std::ranges::any_of(parts, [&](const std::string& part) { return command_fits(rule, part); });
  }
  std::string text;
  std::vector<std::string> parts{};
  bool is_complete = true;
};

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

// The files below `x/**` include all of the folder x.
std::string whole_folder(const std::string& rule) {
  return rule.size() > 3 && rule.ends_with("/**") ? rule.substr(0, rule.size() - 3) : rule;
}

// The folder of a search. A single pattern with folders narrows the folder; a name matches in all folders.
std::string place_of_call(const RuledCall& call) {
  const std::string path = path_of_call(call);
  const std::string_view pattern = call.input.text_or(call.tool == "Glob" ? "pattern" : "glob", "");
  if (!searches(call.tool) || !pattern.contains('/') || pattern.starts_with('!') ||
      pattern.find_first_of(", ") != std::string_view::npos)
    return path;
  std::string place = (fs::path(path) / toolbox::folder_of_pattern(std::string(pattern))).lexically_normal().string();
  while (place.size() > 1 && place.ends_with('/')) place.pop_back();
  return place;
}

// A file below the searched folder may match the rule.
bool is_searched(const claude::PermissionRule& rule, const RuledCall& call) {
  if (call.tool != "Grep" || !rule.content || !tool_of_content_fits(rule.tool_name, call.tool)) return false;
  const std::string pattern = absolute_pattern(*rule.content, call.folder);
  const std::string folder = toolbox::folder_of_pattern(pattern);
  const std::string place = place_of_call(call);
  if (std::error_code none; fs::is_regular_file(place, none)) return false;
  const auto meets = [&](const std::string& searched) {
    return is_within(folder, searched) || (pattern != folder && is_within(searched, folder));
  };
  return meets(place) || meets(real_path(place));
}

// Deny and ask rules match one part of a command, and each name of a file.
bool found_in(const claude::PermissionRule& rule, const RuledCall& call, const BashCommand& command) {
  if (!rule.content) return tool_fits(rule.tool_name, call.tool);
  if (!tool_of_content_fits(rule.tool_name, call.tool)) return false;
  if (call.tool == "Bash") return command.fits(*rule.content);
  const std::string path = place_of_call(call);
  const std::string content = searches(call.tool) ? whole_folder(*rule.content) : *rule.content;
  return !path.empty() && (path_fits(content, path, call.folder) || path_fits(content, real_path(path), call.folder));
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
  if (rules.empty()) return false;
  const BashCommand command(call);
  return std::ranges::any_of(rules, [&](const auto& rule) { return found_in(rule, call, command); });
}
bool ClaudeRules::asks(const RuledCall& call) const {
  const auto searched = [&](const auto& rule) { return is_searched(rule, call); };
  return any_fits(asked_, call) || std::ranges::any_of(denied_, searched) || std::ranges::any_of(asked_, searched);
}
bool ClaudeRules::allows(const RuledCall& call) const {
  return !denies(call) && !asks(call) && std::ranges::any_of(allowed_, [&](const auto& rule) { return fits_all(rule, call); });
}

std::string path_of_call(const RuledCall& call) {
  for (const char* member : {"file_path", "notebook_path", "path"})
    if (const std::string_view named = call.input.text_or(member, ""); !named.empty())
      return (fs::path(call.folder) / named).lexically_normal().string();
  return searches(call.tool) ? call.folder : "";
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
