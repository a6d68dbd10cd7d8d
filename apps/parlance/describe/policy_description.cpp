// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/describe/policy_description.h"

#include <array>
#include <string_view>
#include <vector>

#include "parlance/base/text.h"
#include "parlance/driver/acp/presets.h"
#include "parlance/hub/commands/free_commands.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/workspace/guarded_places.h"

namespace parlance::app {
namespace {

using hub::Mode;
using hub::ToolIntent;
using hub::ToolKind;

constexpr std::array modes{Mode::default_, Mode::auto_edit, Mode::smart, Mode::yolo, Mode::plan};

ToolIntent file(ToolKind kind, bool inside) { return {.kind = kind, .path = "/f/a", .real_path = "/f/a", .path_inside = inside}; }
ToolIntent guarded(ToolKind kind) {
  ToolIntent intent = file(kind, true);
  intent.guarded = hub::GuardedPlace{.path = "/f/.git", .why = "it is git's"};
  return intent;
}
ToolIntent command(std::string line, std::string problem = {}) {
  return {.kind = ToolKind::execute, .command = std::move(line), .look = hub::CommandLook{.problem = std::move(problem)}};
}

struct Row {
  std::string_view what;
  ToolIntent intent;
};
std::vector<Row> rows() {
  return {
      {"read a file inside the folder", file(ToolKind::read, true)},
      {"read a file outside the folder", file(ToolKind::read, false)},
      {"read a file at an unknown place", {.kind = ToolKind::read}},
      {"change a file inside the folder", file(ToolKind::edit, true)},
      {"change a file in a guarded place (below)", guarded(ToolKind::edit)},
      {"change a file outside the folder (our own tools refuse to)", file(ToolKind::edit, false)},
      {"a command of the table below that only reads, inside the folder", command("git status")},
      {"the same, when its words lead outside or the repository names programs", command("git status", "it leads elsewhere")},
      {"any other command", command("make")},
      {"look into the memory", {.kind = ToolKind::memory}},
      {"keep a memory on request of the message", {.kind = ToolKind::memory, .memory = hub::MemoryUse::keep, .asked_for = true}},
      {"keep another memory", {.kind = ToolKind::memory, .memory = hub::MemoryUse::keep}},
      {"forget a memory", {.kind = ToolKind::memory, .memory = hub::MemoryUse::forget}},
      {"ask the person something", {.kind = ToolKind::ask}},
      {"a tool of unknown effect", {.kind = ToolKind::other}},
      {"the same, with a place outside the folder", file(ToolKind::other, false)},
      {"the same, with a guarded place", guarded(ToolKind::other)}};
}

std::string_view effect(const ToolIntent& intent, Mode mode) {
  switch (
      hub::decide({.conversation = "c", .agent = "a", .folder = "/f", .mode = mode, .tool = "t", .intent = intent}, {}).effect) {
    case hub::Effect::allow: return "yes";
    case hub::Effect::ask: return "asks";
    case hub::Effect::deny: break;
  }
  return "never";
}

std::string mode_table() {
  std::string text = "| unasked in mode … |";
  for (const Mode mode : modes) text += " " + std::string(hub::to_string(mode)) + " |";
  text += "\n| --- |";
  for ([[maybe_unused]] const Mode mode : modes) text += " --- |";
  for (const Row& row : rows()) {
    text += "\n| " + std::string(row.what) + " |";
    for (const Mode mode : modes) text += " " + std::string(effect(row.intent, mode)) + " |";
  }
  return text + "\n";
}

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string listed(std::string_view words) {
  std::string text;
  for (const std::string_view word : split(words, ' ')) text += (text.empty() ? "" : " ") + (word.empty() ? "" : code(word));
  return text;
}

std::string_view operands(hub::Operands kind) {
  switch (kind) {
    case hub::Operands::none: return "nothing";
    case hub::Operands::anything: return "any words";
    case hub::Operands::text: return "words other than paths";
    case hub::Operands::files: return "files";
    case hub::Operands::paths: return "files, folders";
    case hub::Operands::pattern_paths: return "an expression; files, folders";
    case hub::Operands::words_or_paths: return "words, held to be paths";
    case hub::Operands::find_expression: return "folders, then tests";
  }
  return "";
}

std::string command_table() {
  std::string text = "| command | beside its options | options | always added |\n| --- | --- | --- | --- |\n";
  for (const hub::FreeCommand& one : hub::free_commands())
    text += "| " + code(one.words) + " | " + std::string(operands(one.operands)) + " | " + listed(one.options) + " | " +
            listed(one.forced) + " |\n";
  return text;
}

// Of the presets: the mode in which the program works, whatever the mode of the conversation.
std::string agent_table() {
  std::string text = "| agent | its mode | its mode in plan | without a question |\n| --- | --- | --- | --- |\n";
  for (const driver::AcpPreset& preset : driver::acp_presets()) {
    const std::string asks = preset.asks.empty() ? "set when a session begins" : code(preset.asks);
    text += "| " + std::string(preset.name) + " | " + asks + " | " + (preset.plans.empty() ? asks : code(preset.plans)) + " | " +
            std::string(preset.limit) + " |\n";
  }
  return text;
}

std::string place_table() {
  std::string text = "| place | what it is | why |\n| --- | --- | --- |\n";
  for (const workspace::GuardedName& one : workspace::guarded_names())
    text += "| " + code(one.names) + " | " + std::string(one.what) + " | " + in_words(one.why) + " |\n";
  return text;
}

std::string reason_table() {
  std::string text = "| id | sentence |\n| --- | --- |\n";
  for (const hub::ReasonText& one : hub::reason_texts()) text += "| " + code(one.id) + " | " + std::string(one.sentence) + " |\n";
  return text;
}

template <class List>
std::string lines_of(const List& list) {
  std::string text;
  for (const std::string_view one : list) text += (text.empty() ? "" : ", ") + code(one);
  return text;
}

std::string git_text() {
  std::string variables;
  for (const auto& [name, value] : hub::git_environment())
    variables += (variables.empty() ? "" : ", ") + code(std::string(name) + "=" + std::string(value));
  return "A git command of the table runs with `--no-pager`, these settings: " + lines_of(hub::git_settings()) +
         ", and these variables: " + variables +
         ". The command runs only in a repository whose `.git` is a folder of the conversation's folder "
         "itself. If the repository's configuration, or any file of the folder, sets one of " +
         lines_of(hub::git_keys_not_turned_off()) +
         ", which cannot be turned off from outside, the command is asked.\n\nA rule from an earlier version "
         "that allows a git command outside the table (`git commit`) holds as long as the repository has no "
         "hooks and its configuration sets neither those keys nor one of " +
         lines_of(hub::git_keys_turned_off()) + ".\n";
}

constexpr std::string_view beginning =
    "# What is done without asking\n\n"
    "Printed by `parlance describe policy` from the tables that decide; do not edit by hand. "
    "`tests/policy/attempts.txt` tries "
    "them.\n\n"
    "First comes mode `plan`, which changes and runs nothing; then the rules, in their order; then the "
    "mode. Files are judged by "
    "where they really lie, whatever links lead there, and what was judged is what is opened: a link "
    "that comes in its way "
    "meanwhile is refused, not followed.\n\n";
constexpr std::string_view rules =
    "## Rules\n\n"
    "A rule that forbids fits every name of a file, and every command of the table that reads it. A rule "
    "that allows fits "
    "less:\n\n"
    "- nothing in a guarded place, and nothing outside the folder, unless its own path names that place;\n"
    "- of a program in the table of commands, only the forms of the table, and only where their words "
    "stay in the folder;\n"
    "- no command that is more than one simple command: no lists, pipes, redirections, substitutions, "
    "patterns, assignments.\n\n"
    "\"Always\" is offered for tools on files of the folder, and for the commands of the table.\n\n";
constexpr std::string_view places =
    "## Guarded places\n\n"
    "A change there needs approval in every mode, in every spelling that a file system folds (`.GIT`, "
    "`.git.`, `git~1`). Two more "
    "places count: a folder that git takes for a repository (`HEAD`, `objects` and `refs` in it, or "
    "`HEAD` and `commondir`), and "
    "the file that makes a folder into one.\n\n"
    "Ordinary work files are not guarded, although they hold commands: `package.json`, `Makefile`, build files, "
    "`.github/workflows`. A person or a command that needs approval runs them. `.gitattributes`, "
    "`.gitmodules` and `.lfsconfig` "
    "are not guarded either: they choose among programs that a guarded configuration names. Below the "
    "folder of an agent, "
    "`worktrees` holds working copies, so files in it are judged by their own names.\n\n";
constexpr std::string_view reasons =
    "## Reasons\n\n"
    "A request and a decision name their reason as an id with values. A frontend translates the id; `{0}` is the first "
    "value. With the name of an agent, the sentence continues \"AGENT wants this in FOLDER: …\". A frontend that does "
    "not know an id shows the English text of the request.\n\n";
constexpr std::string_view agents =
    "## Agents\n\n"
    "An agent's own mode never replaces the modes above: it works in the mode in which it asks, and the "
    "policy answers in the "
    "person's place. A call is judged by its facts, whatever the agent calls it: a call with a command "
    "is a command, an unknown "
    "place is outside. The mode of a conversation is raised by a person only. An agent without a mode in "
    "which it asks gets a "
    "warning before the first prompt, and `plan` does not start with it. "
    "[agent_modes.md](agent_modes.md) has the results of the "
    "real programs.\n\n";
constexpr std::string_view commands =
    "## Commands that only read\n\n"
    "These run unasked in mode `smart`, and only as they stand here: another option, a path that leads "
    "out of the folder, a "
    "program "
    "of that name in the folder, and it is asked. They run without a shell and in a small environment of their own. "
    "`-n:` takes a text, `-f@` a path, `--color?` a text in the same word if any, `-#` is a number.\n\n";

}  // namespace

std::string describe_policy() {
  return std::string(beginning) + mode_table() + "\n" + std::string(rules) + std::string(places) + place_table() + "\n" +
         std::string(reasons) + reason_table() + "\n" + std::string(agents) + agent_table() + "\n" + std::string(commands) +
         command_table() + "\n### git\n\n" + git_text();
}

}  // namespace parlance::app
