// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/serve_acp/session_marks.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

namespace parlance::app {
namespace {

namespace fs = std::filesystem;

std::string gateway_of(const fs::path& folder) {
  std::ifstream file(folder / "gateway");
  std::string address;
  std::getline(file, address);
  return address;
}

// The latest time for an unreadable folder, so that it is never removed as old.
fs::file_time_type last_used(const fs::path& folder) {
  fs::file_time_type last = fs::file_time_type::min();
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    std::error_code unseen;
    const auto time = entry.last_write_time(unseen);
    last = unseen ? fs::file_time_type::max() : std::max(last, time);
  }
  return error ? fs::file_time_type::max() : last;
}

}  // namespace

void mark_session(const std::string& folder, const std::string& gateway) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return;
  std::ofstream(folder + "/gateway", std::ios::trunc) << gateway << '\n';
}

std::size_t remove_unwanted(const std::string& root, const std::string& gateway, const std::set<std::string>& spared,
                            WallTime before) {
  const auto limit = std::chrono::file_clock::from_sys(before);
  std::vector<fs::path> unwanted;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root, error)) {
    std::error_code unseen;
    if (!entry.is_directory(unseen) || entry.is_symlink(unseen) || spared.contains(entry.path().filename())) continue;
    if (gateway_of(entry.path()) == gateway && last_used(entry.path()) < limit) unwanted.push_back(entry.path());
  }
  return static_cast<std::size_t>(std::ranges::count_if(unwanted, [](const fs::path& path) {
    std::error_code unseen;
    return fs::remove_all(path, unseen) > 0 && !unseen;
  }));
}

void mark_empty(const std::string& folder, bool empty) {
  std::error_code ignored;
  fs::remove(folder + "/empty", ignored);
  if (empty && fs::is_directory(folder, ignored)) std::ofstream(folder + "/empty", std::ios::trunc) << '\n';
}

void remove_empty(const std::string& root, WallTime before) {
  const auto limit = std::chrono::file_clock::from_sys(before);
  std::vector<fs::path> old;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root, error)) {
    std::error_code unmarked;
    const auto ended = fs::last_write_time(entry.path() / "empty", unmarked);
    if (!unmarked && !entry.is_symlink(unmarked) && ended < limit) old.push_back(entry.path());
  }
  for (const fs::path& path : old) fs::remove_all(path, error);
}

}  // namespace parlance::app
