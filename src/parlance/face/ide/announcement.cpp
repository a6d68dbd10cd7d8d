// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/ide/announcement.h"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <utility>

#include "parlance/codec/json/value.h"
#include "parlance/transport/private_file.h"
#include "parlance/transport/whole_file.h"

namespace parlance::face::ide {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_bytes = 64 << 10;  // Such a file has a few hundred; another's is not read through.

bool is_stale(const fs::path& file) {
  std::error_code none;
  if (!fs::is_regular_file(fs::symlink_status(file, none)) || fs::file_size(file, none) > most_bytes) return false;
  const auto text = read_whole_file(file.string());
  if (!text) return false;
  const auto said = json::parse(*text);
  if (!said || said->text_or("server", "") != our_mark) return false;
  const std::int64_t process = said->integer_or("serverPid", 0);
  return process > 0 && ::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
}

}  // namespace

Result<Announcement> Announcement::write(const std::string& folder, const std::string& name, std::string_view text) {
  PARLANCE_TRY(care, keep_private_folder(folder));
  static_cast<void>(care);
  Announcement made;
  const std::string path = folder + "/" + name;
  PARLANCE_TRY_DO(write_private_file(path, text));
  made.path_ = path;
  return made;
}

Announcement::Announcement(Announcement&& other) noexcept : path_(std::exchange(other.path_, {})) {}
Announcement& Announcement::operator=(Announcement&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}
Announcement::~Announcement() {
  std::error_code none;
  if (!path_.empty()) fs::remove(path_, none);
}

std::size_t remove_stale(const std::string& folder, std::string_view ending) {
  std::size_t removed = 0;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().string().ends_with(ending) && is_stale(entry.path()) && fs::remove(entry.path(), none)) ++removed;
  return removed;
}

}  // namespace parlance::face::ide
