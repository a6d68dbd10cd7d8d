// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/describe/policy_description.h"

#include <array>
#include <string_view>
#include <vector>

#include "parlance/base/text.h"
#include "parlance/driver/acp/presets.h"
#include "parlance/hub/commands/free_commands.h"
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
      {"change a file outside the folder (our own tools refuse this)", file(ToolKind::edit, false)},
      {"a reading command of the table below, inside the folder", command("git status")},
      {"the same, with words outside the folder or programs of the repository", command("git status", "it leads elsewhere")},
      {"any other command", command("make")},
      {"read the memory", {.kind = ToolKind::memory}},
      {"keep a memory on request of the message", {.kind = ToolKind::memory, .memory = hub::MemoryUse::keep, .asked_for = true}},
      {"keep another memory", {.kind = ToolKind::memory, .memory = hub::MemoryUse::keep}},
      {"forget a memory", {.kind = ToolKind::memory, .memory = hub::MemoryUse::forget}},
      {"ask the person a question", {.kind = ToolKind::ask}},
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
  std::string text = "| without approval in mode … |";
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
    case hub::Operands::words_or_paths: return "words, treated as paths";
    case hub::Operands::find_expression: return "folders, then tests";
  }
  return "";
}

std::string command_table() {
  std::string text = "| command | beside its options | options | always added |\n| --- | --- | --- | --- |\n";
  for (const hub::FreeCommand& command : hub::free_commands())
    text += "| " + code(command.words) + " | " + std::string(operands(command.operands)) + " | " + listed(command.options) +
            " | " + listed(command.forced) + " |\n";
  return text;
}

// The presets with the mode of their program, which does not depend on the mode of the conversation.
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
  std::string text = "| place | contents | reason |\n| --- | --- | --- |\n";
  for (const workspace::GuardedName& guarded : workspace::guarded_names())
    text += "| " + code(guarded.names) + " | " + std::string(guarded.what) + " | " + in_words(guarded.why) + " |\n";
  return text;
}

std::string reason_table() {
  std::string text = "| id | sentence |\n| --- | --- |\n";
  for (const hub::ReasonText& reason : hub::reason_texts())
    text += "| " + code(reason.id) + " | " + std::string(reason.sentence) + " |\n";
  return text;
}

// A block with one entry for each line.
template <class List>
std::string block_of(const List& list) {
  std::string text = "\n\n```\n";
  for (const std::string_view entry : list) text += std::string(entry) + "\n";
  return text + "```\n";
}

std::string git_text() {
  std::vector<std::string> variables;
  for (const auto& [name, value] : hub::git_environment()) variables.push_back(std::string(name) + "=" + std::string(value));
  return "A git command of the table runs with `--no-pager` and these settings:" + block_of(hub::git_settings()) +
         "\nIts environment has these variables:" + block_of(variables) +
         "\nThe command runs only in a repository whose `.git` is a folder directly in the conversation's folder. Some keys have no "
         "override from outside. The command needs approval if the repository's configuration, or any file of the folder, sets such "
         "a key:" +
         block_of(hub::git_keys_not_turned_off()) +
         "\nA rule from an earlier version may allow a git command outside the table (`git commit`). The rule holds while the "
         "repository has no hooks, and its configuration sets neither a key of this list nor a key of the following list:" +
         block_of(hub::git_keys_turned_off());
}

constexpr std::string_view beginning =
    "# Actions without approval\n\n"
    "Printed by `parlance describe policy` from the tables of the policy; do not edit by hand. `tests/policy/attempts.txt` attacks "
    "these rules.\n\n"
    "The policy first applies mode `plan`, which changes and runs nothing. Then follow the rules in their order, then the mode. The "
    "policy judges a file by its real place, behind all links. The tool opens exactly the judged file, and refuses a file with a "
    "new link in its path.\n\n";
constexpr std::string_view rules =
    "## Rules\n\n"
    "A rule that forbids applies to every name of a file, and to every command of the table that reads the file. A rule that "
    "allows has limits:\n\n"
    "- It allows a guarded place, or a place outside the folder, only if its own path names that place.\n"
    "- It allows a program of the table of commands only in the forms of the table, with words inside the folder.\n"
    "- It allows only simple commands: no lists, pipes, redirections, substitutions, patterns or assignments.\n\n"
    "A person can choose \"Always\" for tools on files of the folder. Commands of the table have \"Always\" too.\n\n";
constexpr std::string_view places =
    "## Guarded places\n\n"
    "Every mode asks before a change there. Spellings that a file system folds (`.GIT`, `.git.`, `git~1`) count too. So do a "
    "folder with the form of a git repository (`HEAD`, `objects` and `refs`, or `HEAD` and `commondir`), and a file that completes "
    "this form.\n\n"
    "Ordinary work files with commands are not guarded: `package.json`, `Makefile`, build files, `.github/workflows`. A person, or "
    "a command with approval, runs these files. `.gitattributes`, `.gitmodules` and `.lfsconfig` are not guarded either: they "
    "choose among programs of a guarded configuration. `worktrees` below the folder of an agent holds working copies, so the "
    "policy judges files in it by their own names.\n\n";
constexpr std::string_view reasons =
    "## Reasons\n\n"
    "A request and a decision name their reason as an id with values. A frontend translates the id; `{0}` is the first "
    "value. With the name of an agent, the sentence continues \"AGENT wants this in FOLDER: …\". A frontend that does "
    "not know an id shows the English text of the request.\n\n";
constexpr std::string_view agents =
    "## Agents\n\n"
    "An agent's own mode never replaces the modes above. The agent works in its asking mode, and the policy answers in the person's "
    "place. The policy judges a call by its facts, not by its name: a call with a command is a command, and an unknown place is "
    "outside. Only a person raises the mode of a conversation. An agent without an asking mode gets a warning before the first "
    "prompt, and `plan` does not start with such an agent. Results of the real programs are in [agent_modes.md](agent_modes.md).\n\n";
constexpr std::string_view commands =
    "## Commands that only read\n\n"
    "Mode `smart` runs exactly these forms without approval. Another option, a path out of the folder, or a program of that name in "
    "the folder needs approval. The commands run without a shell and in a small environment of their own. "
    "`-n:` takes a text, `-f@` a path, `--color?` a text in the same word if any, `-#` is a number.\n\n";

}  // namespace

std::string describe_policy() {
  return std::string(beginning) + mode_table() + "\n" + std::string(rules) + std::string(places) + place_table() + "\n" +
         std::string(reasons) + reason_table() + "\n" + std::string(agents) + agent_table() + "\n" + std::string(commands) +
         command_table() + "\n### git\n\n" + git_text();
}

}  // namespace parlance::app
