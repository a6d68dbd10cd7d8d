// SPDX-License-Identifier: Apache-2.0
#include "parlance/workspace/path_guard.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

#include "parlance/base/text.h"
#include "parlance/workspace/guarded_places.h"

namespace parlance::workspace {

namespace {

constexpr std::uint64_t without_links = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;

int openat2(int folder, const char* path, int flags) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
  how.resolve = without_links;
  for (int attempt = 0;; ++attempt) {
    const long fd = ::syscall(SYS_openat2, folder, path, &how, sizeof how);
    // EAGAIN: something was renamed meanwhile, and the kernel could not be sure.
    if (fd >= 0 || errno != EAGAIN || attempt == 16) return static_cast<int>(fd);
  }
}

bool is_link(int folder, const std::string& name) {
  struct stat about{};
  return ::fstatat(folder, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(about.st_mode);
}

int walk_without_links(int root, const std::string& relative, int flags) {
  const auto parts = split(relative, '/');
  Fd at;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    const std::string name(parts[i]);
    const int from = at ? at.get() : root;
    const int how = last ? flags | O_NOFOLLOW | O_CLOEXEC : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    Fd next(::openat(from, name.c_str(), how));
    if (!next) {
      // O_DIRECTORY on a link fails with ENOTDIR, like on a file: distinguishes both.
      const int error = errno;
      errno = is_link(from, name) ? ELOOP : error;
      return -1;
    }
    if (last && (flags & O_PATH) != 0) {  // O_PATH opens the link itself
      struct stat about{};
      if (::fstat(next.get(), &about) == 0 && S_ISLNK(about.st_mode)) {
        errno = ELOOP;
        return -1;
      }
    }
    at = std::move(next);
  }
  return at.release();
}

// Components without "." and "..", or false if ".." leads above the beginning; in an absolute path this never happens ("/.." is
// "/").
bool even_out(std::string_view path, std::vector<std::string_view>& out) {
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") out.push_back(part);
    else if (!out.empty()) out.pop_back();
    else if (!path.starts_with('/')) return false;
  }
  return true;
}

std::string joined(const std::vector<std::string_view>& parts) {
  std::string path;
  for (const std::string_view part : parts) {
    if (!path.empty()) path += '/';
    path += part;
  }
  return path.empty() ? "." : path;
}

std::string below(const std::string& folder, std::string_view relative) {
  if (relative.empty() || relative == ".") return folder;
  return (folder == "/" ? "/" : folder + "/") + std::string(relative);
}

// The kernel's name of an open file: absolute, without links. Nothing for an unnamed or deleted file.
std::string name_of(int fd) {
  std::array<char, 4096> buffer{};
  const ssize_t size = ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), buffer.data(), buffer.size());
  if (size <= 0 || static_cast<std::size_t>(size) == buffer.size() || buffer[0] != '/') return {};
  return {buffer.data(), static_cast<std::size_t>(size)};
}

Error path_error(const ResolvedPath& path, int errno_value) {
  switch (errno_value) {
    case EXDEV:
    case ELOOP: return {.code = Errc::denied, .message = "Access denied: " + path.shown};
    case ENOENT: return {.code = Errc::not_found, .message = "File not found: " + path.shown};
    default: return system_error(path.shown, errno_value);
  }
}

}  // namespace

Result<PathGuard> PathGuard::open(const std::string& folder, Method method) {
  if (!folder.starts_with('/')) return fail(Errc::invalid_params, "the folder must be an absolute path: " + folder);
  Fd root(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root) return fail(system_error("open the folder " + folder, errno));
  std::string path = folder;
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  bool has_openat2 = false;
  if (method == Method::automatic) {
    const Fd trial(openat2(root.get(), ".", O_PATH));
    has_openat2 = static_cast<bool>(trial);
  }
  return PathGuard(std::move(path), std::move(root), has_openat2);
}

Result<PathGuard> PathGuard::open_real(const std::string& folder) {
  PARLANCE_TRY(guard, open(folder));
  // The kernel's name of the open descriptor, so that no change can happen between this check and the use of the guard.
  if (const std::string real = name_of(guard.root_.get()); real != guard.folder_)
    return fail(Errc::denied, "Access denied: the working folder " + folder + " leads through a link to " +
                                  (real.empty() ? "a place without a name" : real) +
                                  ". It may have been replaced. Put the folder back, or start a conversation in the other one");
  return guard;
}

ResolvedPath PathGuard::resolve(std::string_view path) const {
  ResolvedPath found{.guard = folder_, .shown = path.starts_with('/') ? std::string(path) : below(folder_, path)};
  std::vector<std::string_view> parts;
  std::vector<std::string_view> base;
  even_out(folder_, base);
  std::string name;  // destroyed after the views of its parts
  if (!path.starts_with('/') && even_out(path, parts)) {
    name = joined(parts);
    found.shown = below(folder_, name);
    return locate(std::move(name), std::move(found));
  }
  parts.clear();
  even_out(found.shown, parts);
  if (parts.size() < base.size() || !std::equal(base.begin(), base.end(), parts.begin())) {
    name = parts.empty() ? "/" : "/" + joined(parts);
    return locate(std::move(name), std::move(found));
  }
  name = joined({parts.begin() + static_cast<std::ptrdiff_t>(base.size()), parts.end()});
  found.shown = below(folder_, name);
  return locate(std::move(name), std::move(found));
}

ResolvedPath PathGuard::resolve_word(std::string_view word) const {
  return locate(std::string(word), {.guard = folder_, .shown = word.starts_with('/') ? std::string(word) : below(folder_, word)});
}

// `name` in the form for openat. For a missing file, the nearest existing folder determines the location.
ResolvedPath PathGuard::locate(std::string name, ResolvedPath found) const {
  found.nowhere = true;
  // The kernel would end the path at a zero byte, in the middle of the displayed path.
  if (name.empty() || name.find('\0') != std::string::npos) return found;
  std::string missing;
  for (;;) {
    const Fd at(::openat(root_.get(), name.c_str(), O_PATH | O_CLOEXEC));
    struct stat about{};
    if (at) {
      const std::string real = name_of(at.get());
      if (real.empty() || ::fstat(at.get(), &about) != 0 || about.st_nlink == 0) return found;
      found.nowhere = false;
      found.exists = missing.empty();
      found.folder = found.exists && S_ISDIR(about.st_mode);
      found.id = {.device = about.st_dev, .inode = about.st_ino};
      place(below(real, missing), found);
      return found;
    }
    if (errno != ENOENT && errno != ENOTDIR) return found;
    while (name.size() > 1 && name.ends_with('/')) name.pop_back();
    const auto slash = name.rfind('/');
    const std::string last = slash == std::string::npos ? name : name.substr(slash + 1);
    if (last.empty() || last == "." || last == "..") return found;
    const std::string above = slash == std::string::npos ? "." : slash == 0 ? "/" : name.substr(0, slash);
    // A link with a missing target is neither a folder for new files nor a file.
    const Fd parent(::openat(root_.get(), above.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (parent && is_link(parent.get(), last)) return found;
    missing = missing.empty() ? last : last + "/" + missing;
    name = above;
  }
}

void PathGuard::place(const std::string& canonical, ResolvedPath& found) const {
  const std::string root = name_of(root_.get());
  const std::string border = root == "/" ? root : root + "/";
  found.canonical = canonical;
  found.inside = !root.empty() && (canonical == root || canonical.starts_with(border));
  if (found.inside) found.relative = canonical == root ? "." : canonical.substr(border.size());
  found.absolute = found.inside ? below(folder_, found.relative) : canonical;
}

std::optional<hub::GuardedPlace> PathGuard::guarded(const ResolvedPath& path) const {
  if (path.nowhere) return std::nullopt;
  auto prefix = guarded_name(path.canonical);
  for (std::string above = path.canonical; !prefix && above.size() > 1;) {
    above.resize(std::max<std::size_t>(above.rfind('/'), 1));
    const Fd nearest(::open(above.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!nearest) continue;
    prefix = guarded_layout(nearest.get(), path.canonical, above.size());
    break;
  }
  if (!prefix) return std::nullopt;
  // In the folder's own spelling. If the folder itself is in such a place, only the file's own name counts.
  const std::size_t behind = path.canonical.size() - prefix->size;
  const bool above_folder = path.inside && behind >= path.relative.size();
  return hub::GuardedPlace{.path = path.absolute.substr(0, path.absolute.size() - (above_folder ? 0 : behind)),
                           .why = in_words(prefix->why),
                           .reason = prefix->why};
}

int PathGuard::open_beneath(int from, const std::string& relative, int flags) const {
  if (relative == ".") return ::openat(from, ".", flags | O_CLOEXEC);
  return use_openat2_ ? openat2(from, relative.c_str(), flags) : walk_without_links(from, relative, flags);
}

Result<Fd> PathGuard::open_at(const ResolvedPath& path, int flags) const {
  if (!path.inside || path.nowhere || path.guard != folder_) return fail(path_error(path, EXDEV));
  Fd fd(open_beneath(root_.get(), path.relative, flags));
  if (!fd) return fail(path_error(path, errno));
  return fd;
}

Result<Fd> PathGuard::open_anywhere(const ResolvedPath& path, int flags) const {
  if (path.inside || path.nowhere) return open_at(path, flags);
  const Fd top(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  Fd fd(open_beneath(top.get(), path.canonical == "/" ? "." : path.canonical.substr(1), flags));
  if (!fd) return fail(path_error(path, errno));
  struct stat about{};
  if (::fstat(fd.get(), &about) != 0 || FileId{.device = about.st_dev, .inode = about.st_ino} != path.id)
    return fail(Errc::failed, "this is another file than the one that was asked about: " + path.shown + ": ask again");
  return fd;
}

Result<PathGuard::Parent> PathGuard::open_parent(const ResolvedPath& path, bool make_folders) const {
  if (!path.inside || path.nowhere || path.guard != folder_) return fail(path_error(path, EXDEV));
  const auto slash = path.relative.rfind('/');
  const std::string name = slash == std::string::npos ? path.relative : path.relative.substr(slash + 1);
  const std::string above = slash == std::string::npos ? "." : path.relative.substr(0, slash);
  if (name == ".") return fail(Errc::invalid_params, "Not a file: " + path.shown);
  Fd folder(open_beneath(root_.get(), above, O_RDONLY | O_DIRECTORY));
  if (!folder && errno == ENOENT && make_folders) {
    std::string so_far;
    Fd at(open_beneath(root_.get(), ".", O_RDONLY | O_DIRECTORY));
    for (const std::string_view part : split(above, '/')) {
      if (!at) break;
      if (::mkdirat(at.get(), std::string(part).c_str(), 0777) != 0 && errno != EEXIST) return fail(path_error(path, errno));
      so_far += (so_far.empty() ? "" : "/") + std::string(part);
      at = Fd(open_beneath(root_.get(), so_far, O_RDONLY | O_DIRECTORY));
    }
    folder = std::move(at);
  }
  if (!folder) return fail(path_error(path, errno));
  return Parent{.folder = std::move(folder), .name = name};
}

}  // namespace parlance::workspace
