#include "hub/path_guard.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

#include "base/text.h"

namespace parlance::hub {

Fd& Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = other.release();
  }
  return *this;
}
Fd::~Fd() {
  if (fd_ >= 0) ::close(fd_);
}

namespace {

int openat2(int folder, const char* path, int flags) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  for (int attempt = 0;; ++attempt) {
    const long fd = ::syscall(SYS_openat2, folder, path, &how, sizeof how);
    // EAGAIN: something was renamed during a "..", and the kernel could not be sure. Ours have none, but links may.
    if (fd >= 0 || errno != EAGAIN || attempt == 16) return static_cast<int>(fd);
  }
}

// Components without "." and "..", or false when ".." leads above the beginning.
bool even_out(std::string_view path, std::vector<std::string_view>& out) {
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") out.push_back(part);
    else if (out.empty()) return false;
    else out.pop_back();
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

Error path_error(const ResolvedPath& path, int errno_value) {
  switch (errno_value) {
    case EXDEV:
    case ELOOP: return {.code = Errc::denied, .message = "Access denied: " + path.absolute};
    case ENOENT: return {.code = Errc::not_found, .message = "File not found: " + path.absolute};
    default: return system_error(path.absolute, errno_value);
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

ResolvedPath PathGuard::resolve(std::string_view path) const {
  const ResolvedPath outside{.absolute = path.starts_with('/') ? std::string(path) : folder_ + "/" + std::string(path)};
  // A zero byte would end the path for the kernel in the middle of what was shown.
  if (path.find('\0') != std::string_view::npos) return outside;
  std::vector<std::string_view> parts;
  if (path.starts_with('/')) {
    std::vector<std::string_view> base;
    if (!even_out(path, parts) || !even_out(folder_, base)) return outside;
    if (parts.size() < base.size() || !std::equal(base.begin(), base.end(), parts.begin())) return outside;
    parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(base.size()));
  } else if (!even_out(path, parts)) {
    return outside;
  }
  ResolvedPath inside{.relative = joined(parts), .inside = true};
  inside.absolute = parts.empty() ? folder_ : (folder_ == "/" ? "/" : folder_ + "/") + inside.relative;
  // Where nothing exists yet, the nearest folder that does must lie inside.
  for (;;) {
    const Fd at(open_beneath(joined(parts), O_PATH));
    if (at) {
      inside.exists = joined(parts) == inside.relative;
      return inside;
    }
    if ((errno != ENOENT && errno != ENOTDIR) || parts.empty()) {
      inside.inside = errno != EXDEV && errno != ELOOP;
      if (!inside.inside) inside.relative.clear();
      return inside;
    }
    // A link whose target is missing is no folder to make files through.
    struct stat about{};
    const std::string name(parts.back());
    parts.pop_back();
    const Fd parent(open_beneath(joined(parts), O_PATH | O_DIRECTORY));
    if (parent && ::fstatat(parent.get(), name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(about.st_mode)) {
      inside.inside = false;
      inside.relative.clear();
      return inside;
    }
  }
}

int PathGuard::open_beneath(const std::string& relative, int flags) const {
  return use_openat2_ ? openat2(root_.get(), relative.c_str(), flags) : walk_beneath(relative, flags);
}

int PathGuard::walk_beneath(const std::string& relative, int flags) const {
  if (relative == ".") return ::openat(root_.get(), ".", flags | O_CLOEXEC);
  const auto parts = split(relative, '/');
  Fd at;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    const std::string name(parts[i]);
    const int from = at ? at.get() : root_.get();
    const int how = last ? flags | O_NOFOLLOW | O_CLOEXEC : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    Fd next(::openat(from, name.c_str(), how));
    if (!next) {
      // O_DIRECTORY on a link is ENOTDIR: tell a link from a file in the way.
      const int error = errno;
      struct stat about{};
      const bool link = ::fstatat(from, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(about.st_mode);
      errno = link ? ELOOP : error;
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

Result<Fd> PathGuard::open_at(const ResolvedPath& path, int flags) const {
  if (!path.inside) return fail(path_error(path, EXDEV));
  Fd fd(open_beneath(path.relative, flags));
  if (!fd) return fail(path_error(path, errno));
  return fd;
}

Result<PathGuard::Parent> PathGuard::open_parent(const ResolvedPath& path, bool make_folders) const {
  if (!path.inside) return fail(path_error(path, EXDEV));
  const auto slash = path.relative.rfind('/');
  const std::string name = slash == std::string::npos ? path.relative : path.relative.substr(slash + 1);
  const std::string above = slash == std::string::npos ? "." : path.relative.substr(0, slash);
  if (name == ".") return fail(Errc::invalid_params, "Not a file: " + path.absolute);
  Fd folder(open_beneath(above, O_RDONLY | O_DIRECTORY));
  if (!folder && errno == ENOENT && make_folders) {
    std::string so_far;
    Fd at(open_beneath(".", O_RDONLY | O_DIRECTORY));
    for (const std::string_view part : split(above, '/')) {
      if (!at) break;
      if (::mkdirat(at.get(), std::string(part).c_str(), 0777) != 0 && errno != EEXIST) return fail(path_error(path, errno));
      so_far += (so_far.empty() ? "" : "/") + std::string(part);
      at = Fd(open_beneath(so_far, O_RDONLY | O_DIRECTORY));
    }
    folder = std::move(at);
  }
  if (!folder) return fail(path_error(path, errno));
  return Parent{.folder = std::move(folder), .name = name};
}

Result<ResolvedPath> PathGuard::follow(const ResolvedPath& path) const {
  PARLANCE_TRY(parent, open_parent(path, false));
  struct stat about{};
  if (::fstatat(parent.folder.get(), parent.name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISLNK(about.st_mode))
    return path;
  PARLANCE_TRY(target, open_at(path, O_PATH));  // the kernel follows it, and refuses to leave the folder
  const auto name_of = [](int fd) {
    std::array<char, 4096> buffer{};
    const ssize_t size = ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), buffer.data(), buffer.size());
    return std::string(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  };
  const std::string root = name_of(root_.get());
  const std::string real = name_of(target.get());
  if (root.empty() || !real.starts_with(root == "/" ? root : root + "/")) return fail(path_error(path, EXDEV));
  ResolvedPath found = path;
  found.relative = real.substr(root == "/" ? 1 : root.size() + 1);
  found.absolute = (folder_ == "/" ? "/" : folder_ + "/") + found.relative;
  return found;
}

}  // namespace parlance::hub
