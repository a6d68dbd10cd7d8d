// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/path_guard.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <linux/openat2.h>
#include <memory>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <sqlite3.h>

#include "parlance/base/log.h"

namespace parlance::sqlite {
namespace {

thread_local const PinnedFile* active_file = nullptr;
thread_local bool opening = false;

// Follows no symlink. Kernels before 5.6 and some sandboxes lack openat2: there only the last component is protected, and the
// database is compared with the pinned file.
int open_without_symlinks(const char* path, int flags, int mode) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags | O_CLOEXEC);
  how.mode = (flags & O_CREAT) != 0 ? static_cast<unsigned>(mode) & 07777U : 0U;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const long fd = ::syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
  if (fd >= 0 || (errno != ENOSYS && errno != EPERM && errno != EINVAL)) return static_cast<int>(fd);
  return ::open(path, flags | O_NOFOLLOW | O_CLOEXEC, mode);
}

FileId id_of(const struct stat& about) { return {about.st_dev, about.st_ino}; }

// Does the path, without symlinks, name the pinned file now? The companions lie beside the path, so both must agree.
bool names(const PinnedFile& file) {
  const int fd = open_without_symlinks(file.path().c_str(), O_PATH | O_NOFOLLOW, 0);
  if (fd < 0) return false;
  struct stat about{};
  const bool same = ::fstat(fd, &about) == 0 && id_of(about) == file.id();
  ::close(fd);  // of an O_PATH descriptor: lets no lock go
  return same;
}

// SQLite's `open` in this process. Only threads with a pinned file notice.
int guarded_open(const char* path, int flags, int mode) {
  const PinnedFile* const file = active_file;
  if (file == nullptr || !std::string_view(path).starts_with(file->path())) return ::open(path, flags | O_CLOEXEC, mode);
  if (file->path() != path) return open_without_symlinks(path, flags, mode);
  if (!names(*file)) {
    errno = ELOOP;
    return -1;
  }
  // The pinned file itself, independent of later changes of the path. (Opening and comparing would close an unrelated file, and
  // closing a file releases all locks of this process on the file.)
  const std::string self = "/proc/self/fd/" + std::to_string(file->descriptor());
  const int fd = ::open(self.c_str(), (flags & ~(O_CREAT | O_EXCL | O_NOFOLLOW)) | O_CLOEXEC);
  return fd >= 0 || errno != ENOENT ? fd : open_without_symlinks(path, flags & ~O_CREAT, mode);
}

// While opening a database, SQLite asks for the file of a path, to reuse an open descriptor.
int guarded_stat(const char* path, struct stat* about) {
  const PinnedFile* const file = opening ? active_file : nullptr;
  return file != nullptr && file->path() == path ? ::fstat(file->descriptor(), about) : ::stat(path, about);
}

void guard_sqlite() {
  static const bool done = [] {
    sqlite3_initialize();
    sqlite3_vfs* const vfs = sqlite3_vfs_find("unix");
    return vfs != nullptr && vfs->iVersion >= 3 &&
           vfs->xSetSystemCall(vfs, "open", reinterpret_cast<sqlite3_syscall_ptr>(&guarded_open)) == SQLITE_OK &&
           vfs->xSetSystemCall(vfs, "stat", reinterpret_cast<sqlite3_syscall_ptr>(&guarded_stat)) == SQLITE_OK;
  }();
  if (!done) log(LogLevel::error, "SQLite does not let its files be guarded");
}

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> resolved(::realpath(path.c_str(), nullptr), &std::free);
  return resolved ? std::string(resolved.get()) : std::string();
}

// The future location of a missing path: resolves existing symlinks, including dangling symlinks. "" with errno: impossible,
// because a component is not a folder or must not be read.
std::string future_path(const std::string& path) {
  constexpr int most_links = 40;  // as the kernel
  std::error_code failed;
  std::filesystem::path wanted = std::filesystem::absolute(path, failed);
  for (int links = 0; !failed && links < most_links; ++links) {
    std::filesystem::path there = "/";
    auto rest = wanted.begin();
    for (++rest; rest != wanted.end(); ++rest) {
      const std::string next = real_path((there / *rest).string());
      if (next.empty()) break;
      there = next;
    }
    if (rest != wanted.end() && errno != ENOENT) return {};
    std::filesystem::path missing;
    for (auto part = rest; part != wanted.end(); ++part) missing /= *part;
    if (rest == wanted.end() || !std::filesystem::is_symlink(there / *rest, failed)) {
      wanted = (there / missing).lexically_normal();
      if (!wanted.has_filename()) wanted = wanted.parent_path();
      return wanted.string();
    }
    std::filesystem::path behind;
    for (auto part = std::next(rest); part != wanted.end(); ++part) behind /= *part;
    wanted = there / std::filesystem::read_symlink(there / *rest, failed) / behind;
  }
  if (!failed) errno = ELOOP;
  return {};
}

bool inside(std::string_view path, std::string_view folder) {
  if (folder == "/") return path.starts_with('/');
  return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

bool on_no_disk(std::string_view path) {
  for (const std::string_view root : {"/proc", "/sys", "/dev"})
    if (path == root || inside(path, root)) return true;
  return false;
}

std::unexpected<Failure> refuse(std::string_view asked, std::string why) {
  Failure failure{.fault = Fault::path_not_allowed, .message = std::move(why)};
  failure.path = std::string(asked);
  return std::unexpected(std::move(failure));
}

std::unexpected<Failure> cannot_open(std::string why) {
  return std::unexpected(Failure{.fault = Fault::open_failed, .message = std::move(why), .sqlite_code = SQLITE_CANTOPEN});
}

}  // namespace

PinnedFile::~PinnedFile() {
  if (active_file == this) active_file = nullptr;
  if (fd_ >= 0) ::close(fd_);
}

bool PinnedFile::still_there() const {
  struct stat about{};
  return ::lstat(path_.c_str(), &about) == 0 && id_of(about) == id_;
}

FileState PinnedFile::state() const {
  struct stat about{};
  if (::fstat(fd_, &about) != 0) return {};
  const auto ns = [](const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; };
  return {.bytes = about.st_size, .modified_ns = ns(about.st_mtim), .changed_ns = ns(about.st_ctim)};
}

void PinnedFile::activate(const PinnedFile* file) {
  guard_sqlite();
  active_file = file;
}

PinnedFile::Opening::Opening() { opening = true; }
PinnedFile::Opening::~Opening() { opening = false; }

// A missing folder may appear later: a disk mounted later. The current meaning of its path counts, including dangling links: if a
// link appears there later, its target is outside.
Result<PathGuard> PathGuard::make(PathRules rules) {
  for (std::string& folder : rules.allowed_folders) {
    std::string resolved = real_path(folder);
    struct stat about{};
    if (resolved.empty()) {
      resolved = future_path(folder);
      if (resolved.empty())
        return parlance::fail(Errc::invalid_params, "\"" + folder + "\" can be no folder: " + std::strerror(errno));
      log(LogLevel::warn, "an allowed folder does not exist yet; its databases can be opened later", {{"folder", folder}});
    } else if (::stat(resolved.c_str(), &about) != 0 || !S_ISDIR(about.st_mode)) {
      return parlance::fail(Errc::invalid_params, "\"" + folder + "\" is not a folder");
    }
    folder = std::move(resolved);
  }
  return PathGuard(std::move(rules));
}

bool PathGuard::allowed(std::string_view resolved) const {
  if (rules_.allowed_folders.empty()) return true;
  for (const std::string& folder : rules_.allowed_folders)
    if (inside(resolved, folder)) return true;
  return false;
}

// Only for a missing allowed folder: inside an existing folder, dangling links must not reveal their targets.
const std::string* PathGuard::missing_folder(const std::string& path) const {
  const std::string normal = std::filesystem::path(path).lexically_normal().string();
  for (const std::string& folder : rules_.allowed_folders)
    if (inside(normal, folder) && real_path(folder).empty()) return &folder;
  return nullptr;
}

Outcome<std::string> PathGuard::resolve(std::string_view asked) const {
  if (asked.empty()) return refuse(asked, "the path is empty");
  if (asked.find('\0') != std::string_view::npos) return refuse({}, "the path contains a NUL");
  // SQLite would read such names as something other than a file.
  if (asked.starts_with("file:") || asked.starts_with(":")) return refuse(asked, "only paths of files can be opened");
  std::string path(asked);
  if (path.front() != '/') {
    if (!rules_.relative_paths) return refuse(asked, "the path must be absolute");
    const std::unique_ptr<char, void (*)(void*)> here(::getcwd(nullptr, 0), &std::free);
    if (!here) return refuse(asked, "the working folder is gone");
    path = std::string(here.get()) + "/" + path;
  }
  if (on_no_disk(path)) return refuse(asked, "not a file on a disk");
  std::string resolved = real_path(path);
  if (resolved.empty()) {
    if (errno == ELOOP || errno == ENAMETOOLONG) return refuse(asked, std::strerror(errno));
    // The path is missing or must not be read. Its future location decides; the answer for "outside" must not reveal its
    // existence.
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    const std::size_t slash = path.rfind('/');
    const std::string name = path.substr(slash + 1);
    const std::string folder = real_path(slash == 0 ? "/" : path.substr(0, slash));
    if (name == "." || name == "..") return refuse(asked, "not a file");
    if (folder.empty()) {
      if (const std::string* const awaited = missing_folder(path))
        return cannot_open("no such file: the allowed folder " + *awaited + " is not there");
      if (!rules_.allowed_folders.empty()) return refuse(asked, "the path is not inside an allowed folder");
      return cannot_open("no such file");
    }
    resolved = (folder == "/" ? "" : folder) + "/" + name;
  }
  if (on_no_disk(resolved)) return refuse(asked, "not a file on a disk");
  if (!allowed(resolved)) return refuse(asked, "the path is not inside an allowed folder");
  return resolved;
}

// A resolved path has no link, except a dangling or just created link.
std::unexpected<Failure> PathGuard::refuse_link(std::string_view asked, const std::string& resolved) const {
  const std::string target = future_path(resolved);
  if (!target.empty() && !allowed(target)) return refuse(asked, "the path is not inside an allowed folder");
  if (!target.empty() && real_path(resolved).empty())
    return refuse(asked, "it is a link to " + target + ", which does not exist");
  return refuse(asked, "the path was changed while it was opened");
}

Outcome<PinnedFile> PathGuard::pin(std::string_view asked, bool create) const {
  const auto resolved = resolve(asked);
  if (!resolved) return std::unexpected(resolved.error());
  if (create) {
    const int made = open_without_symlinks(resolved->c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
    if (made >= 0) ::close(made);
    else if (errno != EEXIST) return cannot_open(std::string("cannot be made: ") + std::strerror(errno));
  }
  const int fd = open_without_symlinks(resolved->c_str(), O_PATH | O_NOFOLLOW, 0);
  if (fd < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return cannot_open("no such file");
    if (errno == ELOOP) return refuse_link(asked, *resolved);
    return cannot_open(std::strerror(errno));
  }
  struct stat about{};
  const int failed = ::fstat(fd, &about);
  PinnedFile file(*resolved, fd, id_of(about));
  if (failed == 0 && S_ISLNK(about.st_mode)) return refuse_link(asked, *resolved);
  if (failed != 0) return refuse(asked, "the path was changed while it was opened");
  if (!S_ISREG(about.st_mode)) return refuse(asked, "not a regular file");
  if (about.st_nlink > 1) {
    if (rules_.strict) return refuse(asked, "the file has a second name, possibly outside (--strict-paths)");
    log(LogLevel::warn, "the database has a second name (hard link)", {{"path", *resolved}});
  }
  // SQLite keeps these files beside the database; other files must not have these names.
  for (const char* companion : {"-journal", "-wal", "-shm"}) {
    struct stat beside{};
    if (::lstat((*resolved + companion).c_str(), &beside) == 0 && !S_ISREG(beside.st_mode))
      return refuse(asked, std::string("beside the database, ") + companion + " is not a regular file");
  }
  return file;
}

Outcome<PinnedFile> PathGuard::make_new(std::string_view asked) const {
  PARLANCE_TRY(resolved, resolve(asked));
  const int made = open_without_symlinks(resolved.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  if (made < 0)
    return cannot_open(errno == EEXIST ? "the file exists already" : std::string("cannot be made: ") + std::strerror(errno));
  ::close(made);
  return pin(resolved, false);
}

}  // namespace parlance::sqlite
