// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/claude/kept_sessions.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "parlance/base/clock.h"
#include "parlance/driver/claude/limits.h"
#include "parlance/driver/claude/transcript.h"
#include "parlance/hub/conversation/limits.h"

namespace parlance::driver {
namespace {

namespace fs = std::filesystem;

struct SessionFile {
  fs::path path;
  fs::file_time_type written;
};

std::vector<SessionFile> newest_files(const std::vector<std::string>& projects) {
  std::vector<SessionFile> files;
  for (const std::string& project : projects) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(project, error)) {
      std::error_code gone;  // the file may be removed meanwhile
      if (entry.path().extension() != ".jsonl" || !entry.is_regular_file(gone)) continue;
      const auto written = entry.last_write_time(gone);
      if (!gone) files.push_back({.path = entry.path(), .written = written});
    }
  }
  std::ranges::sort(files, std::ranges::greater{}, &SessionFile::written);
  return files;
}

std::string head_of(const fs::path& path) {
  std::string head(limits::claude_session_head_bytes, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head;
}

// List data from the first entries of a session; no value without a message.
struct Head {
  std::string folder{};
  std::string title{};  // from a person or from Claude Code
  std::string words{};  // the person's first message

  void line(std::string_view line) {
    const auto entry = json::parse(line);
    if (!entry || entry->boolean_or("isSidechain", false)) return;
    if (folder.empty()) folder = entry->text_or("cwd", "");
    const std::string_view type = entry->text_or("type", "");
    if (type == "summary" && title.empty()) title = entry->text_or("summary", "");
    if (type == "custom-title") title = entry->text_or("customTitle", "");
    if (words.empty() && type == "user") words = said_by_person(*entry).text;
  }
};

std::optional<hub::KeptSession> session_in(const SessionFile& file) {
  const std::string text = head_of(file.path);
  Head head;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    head.line(line);
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  if (head.words.empty()) return std::nullopt;
  const auto written = std::chrono::file_clock::to_sys(file.written);
  return hub::KeptSession{.id = file.path.stem().string(),
                          .folder = std::move(head.folder),
                          .title = head.title.empty() ? std::move(head.words) : std::move(head.title),
                          .updated_at = to_rfc3339(written)};
}

bool is_of(const std::string& folder, const std::string& recorded) {
  std::error_code none;
  return recorded == folder || fs::equivalent(recorded, folder, none);
}

}  // namespace

std::vector<hub::KeptSession> claude_kept_sessions(const std::string& config_folder, const std::string& folder) {
  std::vector<hub::KeptSession> sessions;
  for (const SessionFile& file : newest_files(project_folders(config_folder, folder))) {
    if (sessions.size() == limits::kept_sessions) break;
    auto session = session_in(file);
    if (session && is_of(folder, session->folder)) sessions.push_back(*std::move(session));
  }
  return sessions;
}

Task<Result<std::vector<hub::KeptSession>>> claude_kept_sessions(Worker& files, std::string config_folder, std::string folder) {
  co_return co_await files.run(
      [config = std::move(config_folder), folder = std::move(folder)] -> Result<std::vector<hub::KeptSession>> {
        return claude_kept_sessions(config, folder);
      });
}

}  // namespace parlance::driver
