// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/judge.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/base/uri.h"
#include "parlance/workspace/guarded_places.h"

namespace parlance::toolbox {
namespace {

constexpr int deepest = 8;              // maximum depth in the arguments
constexpr std::size_t most_paths = 64;  // of a call; more paths count as an unknown place

// Names of arguments, in lower-case letters only. Agents use many spellings: file_path, filePath, filepath.
constexpr std::array<std::string_view, 15> command_names{"command", "commands", "cmd",         "cmds",         "script",
                                                         "scripts", "shell",    "bash",        "shellcommand", "exec",
                                                         "argv",    "args",     "commandline", "program",      "executable"};
constexpr std::array<std::string_view, 45> path_names{"filepath",     "filepaths",
                                                      "filename",     "filenames",
                                                      "file",         "files",
                                                      "absolutepath", "abspath",
                                                      "path",         "paths",
                                                      "notebookpath", "targetfile",
                                                      "targetpath",   "target",
                                                      "uri",          "uris",
                                                      "directory",    "directories",
                                                      "dir",          "dirs",
                                                      "dirpath",      "folder",
                                                      "folders",      "root",
                                                      "source",       "sourcepath",
                                                      "destination",  "destinationpath",
                                                      "dest",         "src",
                                                      "dst",          "from",
                                                      "to",           "oldpath",
                                                      "newpath",      "searchpath",
                                                      "relativepath", "relativeworkspacepath",
                                                      "url",          "urls",
                                                      "workspace",    "outputpath",
                                                      "outputfile",   "inputfile",
                                                      "parentdir"};
constexpr std::array<std::string_view, 5> folder_names{"cwd", "workdir", "workingdirectory", "workingdir", "pwd"};
constexpr std::array<std::string_view, 4> command_folder_names{"directory", "dirpath", "dir", "folder"};
constexpr std::array<std::string_view, 4> variable_names{"env", "environment", "envvars", "environmentvariables"};
// Arguments inside arguments: parsed as JSON if given as text.
constexpr std::array<std::string_view, 8> wrapper_names{"arguments", "input",    "params",  "parameters",
                                                        "toolinput", "rawinput", "options", "request"};
constexpr std::array<std::string_view, 6> shells{"sh", "bash", "zsh", "dash", "ash", "ksh"};

template <std::size_t N>
bool has(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string letters_of(std::string_view name) {
  std::string letters = to_lower(name);
  std::erase_if(letters, [](char c) { return c < 'a' || c > 'z'; });
  return letters;
}

// Some agents give their arguments as JSON in a text.
json::Value unpacked(std::string_view name, const json::Value& value) {
  const std::string* const text = value.text();
  if (text == nullptr || !has(wrapper_names, name) || (!text->starts_with('{') && !text->starts_with('['))) return {};
  return json::parse_or_null(*text);
}

// ---- commands ----------------------------------------------------------------------------------------------------------

// Copilot reports a command under two names: the person sees the line once.
void add_line(std::string& lines, std::string_view line) {
  if (trim(line).empty()) return;
  if (("\n" + lines + "\n").contains("\n" + std::string(line) + "\n")) return;
  if (!lines.empty()) lines += '\n';
  lines += line;
}

std::vector<std::string> words_of(const json::Value& value) {
  std::vector<std::string> words;
  if (const std::string* text = value.text()) words.push_back(*text);
  if (const json::Array* all = value.array())
    for (const json::Value& word : *all)
      if (const std::string* text = word.text()) words.push_back(*text);
  return words;
}

// Other paths may be another program: the person must see these.
bool is_shell(std::string_view program) {
  for (const std::string_view folder : {"/bin/", "/usr/bin/"})
    if (program.starts_with(folder)) return has(shells, program.substr(folder.size()));
  return has(shells, program);
}

// `-lc` and the like. With other options the next word is no command: `bash --norc FILE`.
bool takes_a_command(std::string_view option) {
  return option.starts_with('-') && option.ends_with('c') &&
         option.substr(1, option.size() - 2).find_first_not_of("eilux") == std::string_view::npos;
}

// The command without its shell, so that rules match and a person can read the command.
std::string line_of(const std::vector<std::string>& words) {
  if (words.size() == 1) return words.front();
  if (words.size() == 3 && is_shell(words[0]) && takes_a_command(words[1])) return words[2];
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

void find_commands(const json::Value& value, std::string& lines, int depth) {
  if (depth > deepest) return;
  if (const json::Array* all = value.array())
    for (const json::Value& element : *all) find_commands(element, lines, depth + 1);
  const json::Object* const object = value.object();
  if (object == nullptr) return;
  std::vector<std::string> words;  // a program and its arguments in separate members
  for (const auto& [name, member] : object->members) {
    const std::string letters = letters_of(name);
    if (has(command_names, letters)) {
      const auto more = words_of(member);
      if (member.text() != nullptr && more.front().find_first_of(" \n\t") != std::string::npos) add_line(lines, more.front());
      else words.insert(words.end(), more.begin(), more.end());
    }
    find_commands(member, lines, depth + 1);
    find_commands(unpacked(letters, member), lines, depth + 1);
  }
  if (!words.empty()) add_line(lines, line_of(words));
}

// A variable in the forms {"NAME":"VALUE"}, {"name":"NAME","value":"VALUE"} and "NAME=VALUE".
void add_variables(std::string& line, const json::Value& value) {
  const auto add = [&line](const std::string& variable) { line += "export " + shell_word(variable) + "; "; };
  if (const json::Array* all = value.array())
    for (const json::Value& element : *all) add_variables(line, element);
  if (const std::string* text = value.text(); text != nullptr && text->contains('=')) add(*text);
  const json::Object* const object = value.object();
  if (object == nullptr) return;
  if (value.find("name") != nullptr && value.find("value") != nullptr)
    return add(std::string(value.text_or("name", "")) + "=" + std::string(value.text_or("value", "")));
  for (const auto& [name, member] : object->members)
    add(name + "=" + (member.text() != nullptr ? *member.text() : json::to_text(member)));
}

// What the call changes before its command. The line is then not simple: no rule allows the command.
void find_preparation(const json::Value& value, std::string& folder, std::string& variables, int depth) {
  if (depth > deepest) return;
  if (const json::Array* all = value.array())
    for (const json::Value& element : *all) find_preparation(element, folder, variables, depth + 1);
  const json::Object* const object = value.object();
  if (object == nullptr) return;
  for (const auto& [name, member] : object->members) {
    const std::string letters = letters_of(name);
    if (has(folder_names, letters) || has(command_folder_names, letters))
      for (const std::string& text : words_of(member)) folder = text;
    if (has(variable_names, letters)) add_variables(variables, member);
    else find_preparation(member, folder, variables, depth + 1);
    find_preparation(unpacked(letters, member), folder, variables, depth + 1);
  }
}

// `on_this_machine`: links have a meaning.
bool is_same_folder(const std::string& folder, const std::string& own, bool on_this_machine) {
  std::string place = (std::filesystem::path(own) / folder).lexically_normal().string();
  while (place.size() > 1 && place.ends_with('/')) place.pop_back();
  std::error_code error;
  return place == own || (on_this_machine && std::filesystem::equivalent(place, own, error));
}

std::string preparation(const std::vector<json::Value>& inputs, const std::string& own_folder, bool on_this_machine) {
  std::string folder;
  std::string line;
  for (const json::Value& input : inputs) {
    std::string variables;
    find_preparation(input, folder, variables, 0);
    if (!line.contains(variables)) line += variables;  // an agent may report its arguments twice
  }
  if (!folder.empty() && !is_same_folder(folder, own_folder, on_this_machine)) line = "cd " + shell_word(folder) + "; " + line;
  return line;
}

// ---- paths -------------------------------------------------------------------------------------------------------------

void add_path(std::set<std::string>& paths, std::string text) {
  const std::size_t scheme = text.find("://");
  if (text.starts_with("file://")) {
    const std::size_t root = text.find('/', 7);
    text = root == std::string::npos ? std::string() : percent_decode(text.substr(root)).value_or(text);
  } else if (scheme != std::string::npos && scheme > 1 && text.find('/') == scheme + 1) {
    return;  // an address of the network is no file
  }
  if (!text.empty()) paths.insert(std::move(text));
}

void find_paths(const json::Value& value, std::set<std::string>& paths, std::string& folder, int depth) {
  if (depth > deepest) return;
  if (const json::Array* all = value.array())
    for (const json::Value& element : *all) find_paths(element, paths, folder, depth + 1);
  const json::Object* const object = value.object();
  if (object == nullptr) return;
  for (const auto& [name, member] : object->members) {
    const std::string letters = letters_of(name);
    if (has(path_names, letters))
      for (std::string& path : words_of(member)) add_path(paths, std::move(path));
    if (letters == "glob" || letters == "globs")
      for (const std::string& pattern : words_of(member)) add_path(paths, folder_of_pattern(pattern));
    if (has(folder_names, letters))
      if (const std::string* text = member.text(); text != nullptr && !text->empty()) folder = *text;
    if (letters == "changes" && member.object() != nullptr)  // Codex: a file is the name of a member
      for (const auto& [path, change] : member.object()->members) add_path(paths, path);
    find_paths(member, paths, folder, depth + 1);
    find_paths(unpacked(letters, member), paths, folder, depth + 1);
  }
}

// ---- places ------------------------------------------------------------------------------------------------------------

using Placing = hub::ToolIntent (*)(hub::ToolKind kind, const std::string& path, const Folders& folders);

std::string absolute(const std::string& path, const Folders& folders) {
  return path.starts_with('/') ? path : folders.own + "/" + path;
}

// `~` is a home for some programs and a name for others: its target is unknown.
hub::ToolIntent placed(hub::ToolKind kind, const std::string& path, const Folders& folders) {
  hub::ToolIntent unknown{.kind = kind, .path = absolute(path, folders)};
  if (path.starts_with('~')) return unknown;
  const auto found = find_file(folders, path);
  if (!found || found->path.nowhere) return unknown;
  hub::ToolIntent intent = file_intent(kind, folders, found->path, "");
  if (kind != hub::ToolKind::read) intent.guarded = found->files.guard().guarded(found->path);
  return intent;
}

hub::ToolIntent placed_by_name(hub::ToolKind kind, const std::string& path, const Folders& folders) {
  hub::ToolIntent intent{.kind = kind, .path = absolute(path, folders)};
  if (path.starts_with('~') || !is_named_inside(*intent.path, folders)) return intent;
  intent.path_inside = true;
  intent.real_path = intent.path;
  if (kind != hub::ToolKind::read) intent.guarded = guarded_by_name(*intent.path);
  return intent;
}

// The strictest place first: the request shows this place.
int leniency(const hub::ToolIntent& place) {
  if (!place.real_path) return 0;
  if (!place.path_inside) return 1;
  return place.guarded ? 2 : 3;
}

void take_places(hub::ToolIntent& intent, const std::set<std::string>& paths, const Folders& folders, Placing placing) {
  std::vector<hub::ToolIntent> places;
  if (paths.size() > most_paths) {
    places.push_back({.kind = intent.kind, .path = absolute(*paths.begin(), folders)});
  } else {
    for (const std::string& path : paths) places.push_back(placing(intent.kind, path, folders));
  }
  if (places.empty()) return;
  std::ranges::stable_sort(places, {}, leniency);
  // Several spellings of a path are one place.
  const auto same = [](const hub::ToolIntent& a, const hub::ToolIntent& b) {
    return a.real_path && a.real_path == b.real_path && a.canonical_path == b.canonical_path;
  };
  for (std::size_t i = 0; i < places.size(); ++i)
    std::erase_if(places,
                  [&, n = std::size_t{0}](const hub::ToolIntent& place) mutable { return n++ > i && same(places[i], place); });
  hub::ToolIntent& first = places.front();
  intent.path = std::move(first.path);
  intent.real_path = std::move(first.real_path);
  intent.canonical_path = std::move(first.canonical_path);
  intent.path_inside = first.path_inside;
  intent.other_folder = std::move(first.other_folder);
  intent.guarded = std::move(first.guarded);
  places.erase(places.begin());
  intent.also = std::move(places);
}

// A rule that denies a place also matches the command. The command's other effects are unknown.
void take_reach(hub::ToolIntent& intent, const std::set<std::string>& paths, const Folders& folders, Placing placing) {
  if (paths.empty()) return;
  intent.look = hub::CommandLook{.problem = in_words(hub::ReasonId::words_alone), .reason = hub::ReasonId::words_alone};
  for (const std::string& path : paths) {
    const hub::ToolIntent place = placing(hub::ToolKind::read, path, folders);
    intent.look->paths.push_back(place.real_path.value_or(*place.path));
  }
}

hub::ToolIntent judged(const ReportedCall& call, const Folders& folders, Placing placing) {
  hub::ToolIntent intent{.kind = call.label, .title = call.title.empty() ? call.tool : call.title};
  if (call.label == hub::ToolKind::ask || call.label == hub::ToolKind::memory) return intent;
  std::set<std::string> paths;
  std::string command;
  for (const std::string& path : call.paths) add_path(paths, path);
  for (const json::Value& input : call.inputs) {
    paths.merge(paths_in(input));
    if (const std::string more = command_in(input); !command.contains(more)) add_line(command, more);
  }
  if (!command.empty()) command.insert(0, preparation(call.inputs, folders.own, placing == placed));
  if (!command.empty() || call.label == hub::ToolKind::execute) {
    intent.kind = hub::ToolKind::execute;
    intent.command = command.empty() ? intent.title : command;
    if (call.label != hub::ToolKind::execute) intent.title = command.substr(0, command.find('\n'));
    take_reach(intent, paths, folders, placing);
    return intent;
  }
  take_places(intent, paths, folders, placing);
  if (intent.kind == hub::ToolKind::other && !call.inputs.empty())
    if (const json::Object* input = call.inputs.front().object(); input != nullptr && !input->members.empty())
      intent.detail = json::to_text(call.inputs.front());
  return intent;
}

}  // namespace

std::string command_in(const json::Value& input) {
  std::string lines;
  if (input.object() == nullptr) add_line(lines, line_of(words_of(input)));
  find_commands(input, lines, 0);
  return lines;
}

std::string folder_of_pattern(const std::string& pattern) {
  const std::size_t wild = pattern.find_first_of("*?[{");
  if (wild == std::string::npos) return pattern;
  const std::size_t slash = pattern.rfind('/', wild);
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : pattern.substr(0, slash);
}

std::set<std::string> paths_in(const json::Value& input) {
  std::set<std::string> named;
  std::string folder;
  find_paths(input, named, folder, 0);
  if (folder.empty()) return named;
  std::set<std::string> paths{folder};
  for (const std::string& path : named) paths.insert(path.starts_with('/') || path.starts_with('~') ? path : folder + "/" + path);
  return paths;
}

std::optional<hub::GuardedPlace> guarded_by_name(const std::string& path) {
  const auto guard = workspace::guarded_name(path);
  if (!guard) return std::nullopt;
  return hub::GuardedPlace{.path = path.substr(0, guard->size), .why = in_words(guard->why), .reason = guard->why};
}

bool is_named_inside(std::string_view path, const Folders& folders) {
  const auto within = [path](const std::string& folder) { return !folder.empty() && is_within(path, folder); };
  const bool is_plain = path.starts_with('/') && !(std::string(path) + "/").contains("/../");
  return is_plain && (within(folders.own) || std::ranges::any_of(folders.more, within));
}

hub::ToolIntent judge(const hub::AskRequest& request) {
  return {.kind = request.kind == hub::AskKind::question ? hub::ToolKind::ask : hub::ToolKind::other,
          .title = request.title,
          .detail = request.detail};
}

hub::ToolIntent judge(const ReportedCall& call, const Folders& folders) { return judged(call, folders, placed); }
hub::ToolIntent judge_by_name(const ReportedCall& call, const Folders& folders) { return judged(call, folders, placed_by_name); }

}  // namespace parlance::toolbox
