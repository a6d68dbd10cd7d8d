// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/claude/transcript.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "parlance/base/utf8.h"
#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/transport/limits.h"

namespace parlance::driver {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_project_name = 200;  // Claude Code cuts longer names and appends a number

// Claude Code's name for the folder of a project.
std::string project_name(const std::string& folder) {
  std::string name = folder;
  std::ranges::replace_if(
      name, [](char c) { return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')); }, '-');
  return name;
}

// The first folder in the file's entries.
std::string folder_of(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  for (int lines = 0; lines < 50 && std::getline(in, line); ++lines)
    if (const auto entry = json::parse(line))
      if (const auto folder = entry->text_or("cwd", ""); !folder.empty()) return std::string(folder);
  return {};
}

bool is_message(const json::Value& entry) {
  const std::string_view type = entry.text_or("type", "");
  return type == "user" || type == "assistant";
}

bool holds_results(const json::Value* content) {
  return content != nullptr && content->array() != nullptr &&
         std::ranges::any_of(*content->array(),
                             [](const json::Value& block) { return block.text_or("type", "") == "tool_result"; });
}

std::string_view between(std::string_view text, std::string_view opens, std::string_view closes) {
  const auto from = text.find(opens);
  if (from == std::string_view::npos) return {};
  const auto to = text.find(closes, from + opens.size());
  return to == std::string_view::npos ? std::string_view{} : text.substr(from + opens.size(), to - from - opens.size());
}

// Claude Code stores a command of the prompt in tags, and its output as another message of the person.
std::string as_it_was_typed(const std::string& text) {
  if (text.starts_with("<local-command-")) return {};
  const std::string name(between(text, "<command-name>", "</command-name>"));
  if (name.empty()) return text;
  const std::string arguments(between(text, "<command-args>", "</command-args>"));
  return name + (arguments.empty() ? "" : " " + arguments);
}

}  // namespace

Result<std::string> find_transcript(const std::string& config_folder, const std::string& folder, const std::string& session) {
  const bool is_name = !session.empty() && session.size() <= 64 && std::ranges::all_of(session, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
  if (!is_name) return fail(Errc::invalid_params, "no name of a session: " + session);
  const fs::path projects = fs::path(config_folder) / "projects";
  std::error_code none;
  const fs::path real = fs::canonical(folder, none);
  for (const std::string& name : {folder, none ? folder : real.string()})
    if (fs::path file = projects / project_name(name) / (session + ".jsonl"); fs::exists(file, none)) return file.string();
  std::string elsewhere;
  for (const auto& project : fs::directory_iterator(projects, none)) {
    const fs::path file = project.path() / (session + ".jsonl");
    if (!fs::exists(file, none)) continue;
    elsewhere = folder_of(file);
    if (elsewhere == folder || elsewhere == real.string()) return file.string();  // long names are cut, in varying ways
  }
  std::string text = "No conversation found with session ID: " + session;
  if (!elsewhere.empty()) text += "; it is one of " + elsewhere;
  return fail(Errc::not_found, std::move(text));
}

std::vector<std::string> project_folders(const std::string& config_folder, const std::string& folder) {
  const fs::path projects = fs::path(config_folder) / "projects";
  std::error_code none;
  const fs::path real = fs::canonical(folder, none);
  std::set<std::string> names = {project_name(folder), project_name(none ? folder : real.string())};
  std::vector<std::string> found;
  for (const auto& project : fs::directory_iterator(projects, none)) {
    const std::string name = project.path().filename().string();
    const auto is_it = [&](const std::string& wanted) {
      return name == wanted || (wanted.size() > longest_project_name && name.starts_with(wanted.substr(0, longest_project_name)));
    };
    if (std::ranges::any_of(names, is_it)) found.push_back(project.path().string());
  }
  return found;
}

void TranscriptBranch::line(std::string_view line) {
  const auto entry = json::parse(line);
  if (!entry || entry->boolean_or("isSidechain", false)) return;
  Entry parsed{.uuid = std::string(entry->text_or("uuid", "")), .parent = std::string(entry->text_or("parentUuid", ""))};
  if (parsed.uuid.empty()) return;
  if (parsed.parent.empty()) parsed.parent = entry->text_or("logicalParentUuid", "");  // the parent before a compaction
  parsed.message = is_message(*entry);
  entries_.push_back(std::move(parsed));
}

std::set<std::string, std::less<>> TranscriptBranch::end() {
  std::map<std::string_view, const Entry*> by_name;
  for (const Entry& entry : entries_) by_name[entry.uuid] = &entry;
  std::set<std::string, std::less<>> branch;
  const auto last = std::find_if(entries_.rbegin(), entries_.rend(), [](const Entry& entry) { return entry.message; });
  const Entry* at = last == entries_.rend() ? nullptr : &*last;
  while (at != nullptr && branch.insert(at->uuid).second) {
    const auto above = by_name.find(at->parent);
    at = above == by_name.end() ? nullptr : above->second;
  }
  return branch;
}

void TranscriptReplay::line(std::string_view line) {
  const auto entry = json::parse(line);
  if (!entry || entry->boolean_or("isSidechain", false)) return;
  const std::string_view type = entry->text_or("type", "");
  if (type == "summary") sink_.set_title(std::string(entry->text_or("summary", "")));
  if (type == "custom-title") sink_.set_title(std::string(entry->text_or("customTitle", "")));
  if (type == "user") return user(*entry, line);
  if (type != "assistant" || !branch_.contains(entry->text_or("uuid", ""))) return;
  const json::Value* const message = entry->find("message");
  if (message == nullptr) return;
  const std::string raw = json::to_text(*message);
  events_.line({.json = line, .type = "assistant", .message = raw});
}

adapter::ClaudeContent said_by_person(const json::Value& entry) {
  const json::Value* const message = entry.find("message");
  const json::Value* const content = message != nullptr ? message->find("content") : nullptr;
  if (content == nullptr || holds_results(content) || entry.boolean_or("isMeta", false) ||
      entry.boolean_or("isCompactSummary", false))
    return {};
  adapter::ClaudeContent said = adapter::read_claude_content(*content);
  said.text = as_it_was_typed(said.text);
  return said;
}

void TranscriptReplay::user(const json::Value& entry, std::string_view line) {
  const json::Value* const message = entry.find("message");
  if (holds_results(message != nullptr ? message->find("content") : nullptr))
    return events_.line({.json = line, .type = "user"});  // results of published calls
  if (!branch_.contains(entry.text_or("uuid", ""))) return;
  adapter::ClaudeContent said = said_by_person(entry);
  if (said.text.empty() && said.attachments.empty()) return;
  events_.turn_begins();
  sink_.user(std::move(said.text), std::move(said.attachments));
}

namespace {

constexpr std::size_t part_bytes = 1 << 20;  // per read

using Lines = std::vector<std::string>;

// Reads further lines; empty at the end. Skips lines with invalid text or above the size of a frame.
Task<Result<Lines>> more_lines(Worker& files, std::shared_ptr<std::ifstream> file) {
  co_return co_await files.run([file]() -> Result<Lines> {
    Lines lines;
    std::size_t bytes = 0;
    for (std::string line; bytes < part_bytes && std::getline(*file, line);) {
      bytes += line.size() + 1;
      if (line.size() <= limits::frame_bytes && is_valid_utf8(line)) lines.push_back(std::move(line));
    }
    if (file->bad()) return fail(Errc::failed, "the session's file cannot be read");
    if (lines.empty() && !file->eof()) lines.emplace_back();  // all lines of this part were skipped
    return lines;
  });
}

}  // namespace

std::string claude_config_folder(const claude::Launch& launch) {
  const auto variable = [&](std::string_view name) -> std::string {
    for (const auto& [given, value] : launch.environment)
      if (given == name) return value;
    const char* inherited = std::getenv(std::string(name).c_str());
    return inherited == nullptr ? "" : inherited;
  };
  const std::string folder = variable("CLAUDE_CONFIG_DIR");
  return folder.empty() ? variable("HOME") + "/.claude" : folder;
}

Task<Result<void>> replay_session(Worker& files, std::string config_folder, hub::SessionSetup setup, hub::ReplaySink& sink) {
  PARLANCE_CO_TRY(path, co_await files.run([config_folder, folder = setup.folder, session = setup.agent_session.id] {
    return find_transcript(config_folder, folder, session);
  }));
  TranscriptBranch branch;
  for (auto file = std::make_shared<std::ifstream>(path);;) {
    PARLANCE_CO_TRY(lines, co_await more_lines(files, file));
    if (lines.empty()) break;
    for (const std::string& line : lines) branch.line(line);
  }
  TranscriptReplay replay(sink, branch.end());
  for (auto file = std::make_shared<std::ifstream>(path);;) {
    PARLANCE_CO_TRY(lines, co_await more_lines(files, file));
    if (lines.empty()) break;
    for (const std::string& line : lines) {
      replay.line(line);
      if (sink.congested()) PARLANCE_CO_TRY_DO(co_await sink.written());
    }
  }
  co_return Result<void>{};
}

}  // namespace parlance::driver
