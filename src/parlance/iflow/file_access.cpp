// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/file_access.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/iflow/errors.h"
#include "parlance/workspace/replace_file.h"

namespace parlance::iflow {
namespace {

using workspace::PathGuard;

Error denied(std::string message) { return make_error(ErrorKind::permission, std::move(message)); }
Error too_large(std::size_t bytes, std::size_t most) {
  return make_error(ErrorKind::general,
                    "File too large: " + std::to_string(bytes) + " bytes (max: " + std::to_string(most) + ")");
}

Result<std::string> read_all(int fd, std::size_t size, std::size_t most) {
  std::string text(std::min(size, most) + 1, '\0');  // the extra byte detects growing files and files without a size
  std::size_t read = 0;
  while (read <= most) {
    if (read == text.size()) text.resize(std::min(text.size() * 2, most + 1));
    const ssize_t got = ::read(fd, text.data() + read, text.size() - read);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(system_error("read", errno));
    if (got == 0) break;
    read += static_cast<std::size_t>(got);
  }
  if (read > most) return fail(too_large(read, most));
  text.resize(read);
  return text;
}

}  // namespace

std::string lines_of(std::string_view text, std::optional<std::uint32_t> line, std::optional<std::uint32_t> limit) {
  const std::uint32_t first = line && *line > 0 ? *line : 1;
  const std::uint32_t count = limit.value_or(0);
  if (first == 1 && count == 0) return std::string(text);
  for (std::uint32_t at = 1; at < first; ++at) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + 1);
  }
  std::size_t end = 0;
  for (std::uint32_t taken = 0; count == 0 || taken < count; ++taken) {
    const std::size_t next = text.find('\n', taken == 0 ? 0 : end + 1);
    if (next == std::string_view::npos) return std::string(text);
    end = next;
  }
  return std::string(text.substr(0, end));
}

FileAccess::FileAccess(FileAccessSettings settings) : settings_(std::move(settings)) { allow(settings_.allowed_dirs); }

void FileAccess::allow(std::vector<std::string> folders) {
  if (folders.empty()) folders.push_back(settings_.cwd);
  std::vector<Guard> allowed;
  for (const std::string& folder : folders) {
    if (auto guard = guard_of(folder)) allowed.push_back(*std::move(guard));
    else parlance::log(parlance::LogLevel::warn, "iflow: a folder is not allowed: " + guard.error().message);
  }
  const std::lock_guard lock(mutex_);
  guards_ = std::move(allowed);
}

Result<FileAccess::Guard> FileAccess::guard_of(const std::string& folder) const {
  const std::filesystem::path path = std::filesystem::path(settings_.cwd) / folder;
  PARLANCE_TRY(guard, PathGuard::open(path.lexically_normal().string()));
  return std::make_shared<const PathGuard>(std::move(guard));
}

Result<void> FileAccess::add_allowed_dir(const std::string& folder) {
  PARLANCE_TRY(guard, guard_of(folder));
  const std::lock_guard lock(mutex_);
  guards_.push_back(std::move(guard));
  return {};
}

void FileAccess::remove_allowed_dir(const std::string& folder) {
  const auto normal = (std::filesystem::path(settings_.cwd) / folder).lexically_normal();
  const std::lock_guard lock(mutex_);
  std::erase_if(guards_, [&](const Guard& guard) { return std::filesystem::path(guard->folder()).lexically_normal() == normal; });
}

std::vector<FileAccess::Guard> FileAccess::guards() const {
  const std::lock_guard lock(mutex_);
  return guards_;
}

Result<FileAccess::Found> FileAccess::find(const std::string& path) const {
  if (path.empty() || path.contains('\0')) return fail(make_error(ErrorKind::validation, "path: a file has to be named"));
  const std::string absolute = (std::filesystem::path(settings_.cwd) / path).string();
  for (const Guard& guard : guards())
    if (workspace::ResolvedPath found = guard->resolve(absolute); found.inside) return Found{guard, std::move(found)};
  return fail(denied("Access denied: " + path));
}

Result<std::string> FileAccess::read(const std::string& path, std::optional<std::uint32_t> line,
                                     std::optional<std::uint32_t> limit) const {
  PARLANCE_TRY(found, find(path));
  if (!found.path.exists) return fail(Errc::not_found, "File not found: " + path);
  PARLANCE_TRY(file, found.guard->open_at(found.path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  struct stat about{};
  if (::fstat(file.get(), &about) != 0) return fail(system_error(path, errno));
  if (!S_ISREG(about.st_mode)) return fail(Errc::failed, "Not a file: " + path);
  const auto size = static_cast<std::size_t>(about.st_size);
  if (size > settings_.max_size) return fail(too_large(size, settings_.max_size));
  PARLANCE_TRY(text, read_all(file.get(), size, settings_.max_size));
  return lines_of(text, line, limit);
}

Result<void> FileAccess::write(const std::string& path, std::string_view content) const {
  PARLANCE_TRY(found, find(path));
  if (settings_.read_only) return fail(denied("File system is in read-only mode"));
  if (content.size() > settings_.max_size) return fail(too_large(content.size(), settings_.max_size));
  if (found.path.folder || found.path.relative == ".") return fail(Errc::failed, "Not a file: " + path);
  PARLANCE_TRY(parent, found.guard->open_parent(found.path, true));
  auto written = workspace::replace_file(parent, content, path);
  if (!written && written.error().code == Errc::denied) return fail(as_kind(ErrorKind::permission, std::move(written).error()));
  return written;
}

}  // namespace parlance::iflow
