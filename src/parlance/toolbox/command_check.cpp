// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/command_check.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "parlance/base/text.h"
#include "parlance/hub/commands/command_words.h"
#include "parlance/hub/commands/free_commands.h"
#include "parlance/toolbox/script_digest.h"
#include "parlance/workspace/path_guard.h"

extern char** environ;

namespace parlance::toolbox {
namespace {

constexpr std::chrono::seconds git_config_time{10};  // git reads some small files; a longer time means a hanging disk

using Environment = std::vector<std::pair<std::string, std::string>>;

// The variables that every program needs. Other variables (LD_PRELOAD, GIT_…, RIPGREP_CONFIG_PATH, BASH_ENV) could change its behaviour.
bool is_plain(std::string_view name) {
  static constexpr std::array names{"HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "XDG_CONFIG_HOME"};
  return name.starts_with("LC_") || std::ranges::find(names, name) != names.end();
}

Environment plain_environment(const std::string& path) {
  Environment kept{{"PATH", path}};
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view entry = *at;
    const auto equals = entry.find('=');
    if (equals != std::string_view::npos && is_plain(entry.substr(0, equals)))
      kept.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return kept;
}

bool is_program(const std::string& path) {
  struct stat about{};
  return ::stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

struct Program {
  std::string file{};     // absolute
  std::string path{};     // PATH without folders inside the conversation's folder
  hub::Reason problem{};  // the shell would run another program
};

// Finds the program like a shell in the folder.
Program find_program(const workspace::PathGuard& guard, const std::string& name) {
  Program found;
  const char* given = std::getenv("PATH");
  for (const std::string_view entry : split(given == nullptr ? "/usr/local/bin:/usr/bin:/bin" : given, ':')) {
    const std::string folder(entry.empty() ? "." : entry);
    const bool trusted = folder.starts_with('/') && !guard.resolve_word(folder).inside;
    if (trusted) found.path += (found.path.empty() ? "" : ":") + folder;
    const std::string file = (folder.starts_with('/') ? folder : guard.folder() + "/" + folder) + "/" + name;
    if (!found.file.empty() || !found.problem.id.empty() || !is_program(file)) continue;
    if (trusted && !guard.resolve_word(file).inside) found.file = file;
    else found.problem = {hub::ReasonId::program_of_folder, {name, file}};
  }
  if (found.file.empty() && found.problem.id.empty()) found.problem = {hub::ReasonId::no_program, {name}};
  return found;
}

bool reads_files(hub::Operands operands) {
  return operands != hub::Operands::none && operands != hub::Operands::text && operands != hub::Operands::anything;
}

// The first finding stays.
void note(hub::CommandLook& look, hub::Reason problem) {
  if (!look.problem.empty()) return;
  look.problem = in_words(problem);
  look.reason = std::move(problem);
}

// The targets of the words. Reports the first target outside.
hub::CommandLook look_at_paths(const workspace::PathGuard& guard, const hub::FreeForm& form) {
  hub::CommandLook look;
  for (const hub::PathWord& path : form.paths) {
    if (path.word == "-") continue;  // standard input: empty here
    const workspace::ResolvedPath found = guard.resolve_word(path.word);
    if (found.nowhere) note(look, {hub::ReasonId::word_nowhere, {path.word}});
    else if (!found.inside) note(look, {hub::ReasonId::word_outside, {path.word, found.absolute}});
    else if (found.folder && !path.folder_allowed) note(look, {hub::ReasonId::word_folder, {path.word}});
    if (!look.problem.empty()) return look;
    look.paths.push_back(found.absolute);
  }
  const bool git = form.words.front() == "git";
  if (git || (look.paths.empty() && reads_files(form.command->operands))) look.paths.push_back(guard.folder());
  return look;
}

// Only a repository in the folder itself: another repository would show files outside.
hub::Reason repository_problem(const workspace::PathGuard& guard) {
  const workspace::ResolvedPath git = guard.resolve_word(".git");
  if (git.nowhere || !git.exists || !git.folder || git.relative != ".git") return hub::ReasonId::no_repository;
  return {};
}

hub::Reason hook_problem(const workspace::PathGuard& guard) {
  std::error_code error;
  for (const auto& hook : std::filesystem::directory_iterator(guard.folder() + "/.git/hooks", error))
    if (hook.path().extension() != ".sample") return {hub::ReasonId::repository_hook, {hook.path().filename().string()}};
  return {};
}

struct Looked {
  CommandSeen seen{};
  bool git = false;
  bool tabled = false;
  workspace::PlainCommand config{};  // asks git for its configuration
};

workspace::PlainCommand plain_git(const Program& program, const workspace::PathGuard& guard) {
  workspace::PlainCommand command{.words = {program.file, "--no-pager"}, .environment = plain_environment(program.path)};
  for (const auto& [name, value] : hub::git_environment()) command.environment.emplace_back(name, value);
  // Looks for a repository in the folder, not above.
  const workspace::ResolvedPath folder = guard.resolve_word(".");
  command.environment.emplace_back("GIT_CEILING_DIRECTORIES", std::filesystem::path(folder.canonical).parent_path().string());
  return command;
}

workspace::PlainCommand plain_command(const hub::FreeForm& form, const Program& program, const workspace::PathGuard& guard) {
  workspace::PlainCommand command{.words = {program.file}, .environment = plain_environment(program.path)};
  if (form.words.front() == "git") {
    command = plain_git(program, guard);
    for (const std::string_view setting : hub::git_settings()) {
      command.words.emplace_back("-c");
      command.words.emplace_back(setting);
    }
  }
  const auto named = static_cast<std::ptrdiff_t>(split(form.command->words, ' ').size());
  command.words.insert(command.words.end(), form.words.begin() + 1, form.words.begin() + named);
  if (!form.command->forced.empty())
    for (const std::string_view option : split(form.command->forced, ' ')) command.words.emplace_back(option);
  command.words.insert(command.words.end(), form.words.begin() + named, form.words.end());
  return command;
}

std::optional<Looked> look_at(const std::string& folder, const std::string& command) {
  const auto words = hub::simple_command(command);
  if (!words) return std::nullopt;
  const auto form = hub::free_form(*words);
  Looked looked{.git = words->front() == "git", .tabled = form.has_value()};
  if (!looked.tabled && !looked.git) return std::nullopt;
  const auto guard = workspace::PathGuard::open_real(folder);
  if (!guard) return std::nullopt;
  hub::CommandLook& look = looked.seen.look;
  if (form) look = look_at_paths(*guard, *form);
  const Program program = find_program(*guard, words->front());
  note(look, program.problem);
  if (looked.git) {
    note(look, repository_problem(*guard));
    if (!looked.tabled) note(look, hook_problem(*guard));
    looked.config = plain_git(program, *guard);
    for (const char* word : {"config", "--list", "--null", "--show-scope", "--show-origin"})
      looked.config.words.emplace_back(word);
  }
  if (look.problem.empty() && form) looked.seen.plain = plain_command(*form, program, *guard);
  return looked;
}

// Settings of the repository and of files in the folder count; the others belong to the person.
hub::Reason config_problem(const std::string& folder, const std::string& listed, bool tabled) {
  constexpr auto unread = hub::ReasonId::repository_unread;
  const auto guard = workspace::PathGuard::open_real(folder);
  if (!guard) return unread;
  auto fields = split(listed, '\0');
  if (!fields.empty() && fields.back().empty()) fields.pop_back();
  if (fields.empty() || fields.size() % 3 != 0) return unread;
  const auto named_in = [](std::span<const std::string_view> keys, std::string_view key) {
    return std::ranges::any_of(keys, [&](std::string_view pattern) { return hub::fits_git_key(key, pattern); });
  };
  for (std::size_t i = 0; i < fields.size(); i += 3) {
    const bool of_person = fields[i] == "global" || fields[i] == "system";
    const std::string_view origin = fields[i + 1];
    if (of_person && origin.starts_with("file:") && !guard->resolve_word(origin.substr(5)).inside) continue;
    const std::string key = to_lower(fields[i + 2].substr(0, fields[i + 2].find('\n')));
    if (named_in(hub::git_keys_not_turned_off(), key) || (!tabled && named_in(hub::git_keys_turned_off(), key)))
      return {hub::ReasonId::repository_sets, {key}};
  }
  return {};
}

}  // namespace

Task<std::optional<CommandSeen>> CommandCheck::look(std::string folder, std::string command) {
  auto looked = co_await worker_.run([folder, command] { return look_at(folder, command); });
  if (!looked) co_return std::nullopt;
  hub::CommandLook& look = looked->seen.look;
  if (looked->git && look.problem.empty()) {
    const auto listed =
        co_await commands_.run({.plain = looked->config, .folder = folder, .timeout = git_config_time}, hub::ToolOutputSink{});
    hub::Reason problem = hub::ReasonId::repository_unread;
    if (listed && listed->exit_status == 0 && !listed->cut)
      problem = co_await worker_.run(
          [folder, text = listed->output, tabled = looked->tabled] { return config_problem(folder, text, tabled); });
    note(look, std::move(problem));
    if (!look.problem.empty()) looked->seen.plain.reset();
  }
  co_return std::move(looked->seen);
}

Task<bool> CommandCheck::leads_as_before(std::string folder, std::string command, workspace::PlainCommand plain) {
  const auto now = co_await look(std::move(folder), std::move(command));
  co_return now && now->plain == plain;
}

Task<std::string> CommandCheck::scripts(std::string folder, std::string command) {
  co_return co_await worker_.run(
      [folder = std::move(folder), command = std::move(command)] { return script_digest(folder, command); });
}

}  // namespace parlance::toolbox
