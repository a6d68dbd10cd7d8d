// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/folder_programs.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

#include "parlance/base/sha256.h"
#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/codec/json/value.h"
#include "parlance/transport/whole_file.h"

namespace parlance::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 10'000;  // in an agent's folder, with its folders
constexpr int deepest_folder = 8;
constexpr std::uintmax_t most_judged_bytes = 1 << 20;  // a larger file needs approval, whatever its contents
constexpr std::uintmax_t most_bytes = 16 << 20;        // of a file; a larger file cannot be allowed
constexpr std::uintmax_t most_bytes_of_all = 256 << 20;
constexpr std::size_t most_shown_bytes = 2'000;  // of a file, in the request
constexpr int most_folders_above = 32;

// How the contents of a file are judged.
enum class Look : std::uint8_t {
  keys,    // JSON with a value for a key of the row
  any,     // any line except comments
  marked,  // text with a mark of the row, or front matter with a word of the row
};
struct Row {
  std::string_view agents;  // words; empty: every agent
  std::string_view path;    // a file, or with /* at its end all files below a folder
  Look look = Look::any;
  std::string_view keys{};  // words
};

constexpr std::string_view of_claude = "claude claude-acp claude-code-acp claude-agent-acp copilot";
constexpr std::string_view of_claude_behind_acp = "claude-acp claude-code-acp claude-agent-acp";
constexpr std::string_view claude_keys =
    "hooks apiKeyHelper statusLine fileSuggestion awsAuthRefresh awsCredentialExport gcpAuthRefresh otelHeadersHelper env "
    "enableAllProjectMcpServers enabledMcpjsonServers enabledPlugins extraKnownMarketplaces sandbox worktree";
constexpr std::string_view gemini_keys =
    "mcpServers mcp hooks tools toolDiscoveryCommand toolCallCommand mcpServerCommand telemetry env extensions sandbox "
    "modelProviders security baseUrl permissions policyPaths adminPolicyPaths";

// Keys of Claude Code behind ACP, where no hook of parlance checks the calls. Without ACP, a hook checks each call.
constexpr std::string_view claude_acp_keys =
    "permissions hooks apiKeyHelper statusLine fileSuggestion awsAuthRefresh awsCredentialExport gcpAuthRefresh "
    "otelHeadersHelper env enableAllProjectMcpServers enabledMcpjsonServers enabledPlugins extraKnownMarketplaces sandbox worktree";

constexpr std::array rows{
    Row{of_claude_behind_acp, ".claude/settings.json", Look::keys, claude_acp_keys},
    Row{of_claude_behind_acp, ".claude/settings.local.json", Look::keys, claude_acp_keys},
    Row{of_claude, ".claude/settings.json", Look::keys, claude_keys},
    Row{of_claude, ".claude/settings.local.json", Look::keys, claude_keys},
    Row{of_claude, ".claude/commands/*", Look::marked, "!`"},
    Row{of_claude, ".claude/skills/*", Look::marked, "!` hooks: hooks"},
    Row{of_claude, ".claude/agents/*", Look::marked, "hooks: mcpServers: hooks mcpServers"},
    Row{of_claude, ".mcp.json", Look::keys, "mcpServers"},
    Row{"gemini", ".gemini/settings.json", Look::keys, gemini_keys},
    Row{"gemini", ".gemini/.env"},
    Row{"gemini", ".gemini/extensions/*"},
    Row{"qwen", ".qwen/settings.json", Look::keys, gemini_keys},
    Row{"qwen", ".qwen/.env"},
    Row{"qwen", ".qwen/extensions/*"},
    Row{"iflow", ".iflow/settings.json", Look::keys, gemini_keys},
    Row{"iflow", ".iflow/.env"},
    Row{"codex-acp codex", ".codex/config.toml"},
    Row{"codex-acp codex", ".codex/hooks.json"},
    Row{"opencode", "opencode.json", Look::keys, "plugin mcp provider lsp formatter command experimental agent mode"},
    Row{"opencode", "opencode.jsonc", Look::keys, "plugin mcp provider lsp formatter command experimental agent mode"},
    Row{"opencode", ".opencode/opencode.json"},
    Row{"opencode", ".opencode/opencode.jsonc"},
    Row{"opencode", ".opencode/package.json"},
    Row{"opencode", ".opencode/plugin/*"},
    Row{"opencode", ".opencode/plugins/*"},
    Row{"opencode", ".opencode/tool/*"},
    Row{"opencode", ".opencode/tools/*"},
    Row{"copilot", ".github/hooks/*"},
    Row{"copilot", ".copilot/mcp-config.json"},
    Row{"copilot", ".vscode/mcp.json"},
};

bool has_word(std::string_view words, std::string_view word) {
  return std::ranges::any_of(split(words, ' '), [&](std::string_view program) { return program == word; });
}

bool is_known(std::string_view agent) {
  return std::ranges::any_of(rows, [&](const Row& row) { return has_word(row.agents, agent); });
}

std::string cut(std::string text) {
  if (text.size() <= most_shown_bytes) return text;
  return std::string(utf8_prefix(text, most_shown_bytes)) + "…";
}

bool says_something(const json::Value& value) {
  if (value.is_null()) return false;
  if (const json::Object* object = value.object()) return !object->members.empty();
  if (const json::Array* array = value.array()) return !array->empty();
  if (const std::string* text = value.text()) return !text->empty();
  return json::to_text(value) != "false";
}

std::string lines_of(std::string_view text) {
  std::string all;
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view bare = trim(line);
    if (!bare.empty() && !bare.starts_with('#') && !bare.starts_with("//")) all += std::string(bare) + "\n";
  }
  return all;
}

// The lines with a mark such as !`…`. Names of keys count in the front matter of YAML alone, where quotes and escapes are possible.
std::string marked_lines(const std::vector<std::string_view>& marks, std::string_view text) {
  const auto lines = split(text, '\n');
  const auto is_fence = [](std::string_view line) { return trim(line) == "---"; };
  const auto begin = std::ranges::find_if(lines, is_fence);
  const auto end = begin == lines.end() ? begin : std::find_if(begin + 1, lines.end(), is_fence);
  std::string all;
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    const bool is_front = end == lines.end() || line < end;
    const auto has = [&](std::string_view mark) {
      const bool is_name =
          mark.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos;
      return is_name ? is_front && (line->contains(mark) || line->contains('\\')) : line->contains(mark);
    };
    if (std::ranges::any_of(marks, has)) all += std::string(trim(*line)) + "\n";
  }
  return all;
}

// The parts that start programs; empty: none.
std::string what_is_in(const Row& row, const std::string& text) {
  if (row.look == Look::any) return lines_of(text);
  const auto keys = split(row.keys, ' ');
  if (row.look == Look::marked) return marked_lines(keys, text);
  if (trim(text).empty()) return "";
  const auto value = json::parse(text);
  if (!value || value->object() == nullptr) return lines_of(text) + "(no valid JSON)\n";
  std::string all;
  for (const std::string_view key : keys)
    if (const json::Value* found = value->find(key); found != nullptr && says_something(*found))
      all += std::string(key) + ": " + json::to_text(*found) + "\n";
  return all;
}

struct Files {
  std::vector<fs::path> all{};
  fs::path unchecked{};  // a folder with more than can be checked; empty: none
};

// The files of a row in a folder.
Files files_of(const Row& row, const fs::path& folder) {
  std::error_code error;
  std::string name(row.path);
  Files files;
  if (!name.ends_with("/*")) {
    const fs::path file = folder / name;
    if (fs::symlink_status(file, error).type() != fs::file_type::not_found) files.all.push_back(file);
    return files;
  }
  name.resize(name.size() - 2);
  if (!fs::exists(folder / name, error)) return files;
  std::size_t entries = 0;
  auto entry = fs::recursive_directory_iterator(folder / name, fs::directory_options::follow_directory_symlink, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    const bool is_folder = fs::is_directory(entry->path(), ignored);
    if (++entries > most_files || (is_folder && entry.depth() >= deepest_folder)) break;
    if (!is_folder) files.all.push_back(entry->path());
  }
  if (error || entry != fs::recursive_directory_iterator()) files.unchecked = folder / name;
  return files;
}

FolderProgram unchecked(const fs::path& path, std::string reason) {
  return {.file = {.path = path.string()}, .what = std::move(reason), .can_be_allowed = false};
}

std::optional<FolderProgram> look_at(const Row& row, const fs::path& file, std::uintmax_t& bytes) {
  std::error_code error;
  FolderProgram found{.file = {.path = file.string()}};
  const std::uintmax_t size = fs::file_size(file, error);
  if (!error) bytes += size;
  const auto text = !error && size <= most_bytes && bytes <= most_bytes_of_all
                        ? read_whole_file(file.string())
                        : Result<std::string>(fail(Errc::failed, "too large, or no file"));
  if (!text) {
    if (error == std::errc::no_such_file_or_directory) return std::nullopt;  // a link to nowhere
    return unchecked(file, "(too large or unreadable)\n");
  }
  found.what = size > most_judged_bytes ? "(a large file)\n" : cut(what_is_in(row, *text));
  if (found.what.empty()) return std::nullopt;
  found.file.sha256 = sha256_hex(*text);
  return found;
}

// The folder and its parents up to the root of the repository; without a repository the folder alone.
std::vector<fs::path> places_of(const fs::path& folder) {
  const char* const home = std::getenv("HOME");
  std::vector<fs::path> all;
  std::error_code error;
  const fs::path own = home != nullptr ? fs::weakly_canonical(home, error) : fs::path();
  fs::path at = folder;
  for (int i = 0; i < most_folders_above && at.has_relative_path(); ++i, at = at.parent_path()) {
    if (at == own) break;
    all.push_back(at);
    if (fs::exists(at / ".git", error)) return all;
  }
  if (all.size() > 1) all.resize(1);
  return all;
}

}  // namespace

std::vector<FolderProgram> folder_programs(const std::string& folder, std::string_view agent) {
  std::error_code error;
  fs::path real = fs::canonical(folder, error);
  if (error) return {};
  const bool known = is_known(agent);
  std::map<std::string, FolderProgram> all;
  std::uintmax_t bytes = 0;
  for (const fs::path& place : places_of(real))
    for (const Row& row : rows) {
      if (known && !has_word(row.agents, agent)) continue;
      const Files files = files_of(row, place);
      const auto add = [&](const fs::path& file, FolderProgram found) {
        found.name = fs::relative(file, real, error).string();
        if (error || found.name.empty()) found.name = file.string();
        all.try_emplace(file.string(), std::move(found));
      };
      for (const fs::path& file : files.all)
        if (auto found = look_at(row, file, bytes)) add(file, *std::move(found));
      if (!files.unchecked.empty())
        add(files.unchecked, unchecked(files.unchecked, "(too many files or folders, or unreadable)\n"));
    }
  std::vector<FolderProgram> list;
  for (auto& [path, found] : all) list.push_back(std::move(found));
  return list;
}

}  // namespace parlance::app
