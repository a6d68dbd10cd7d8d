// Keeps file access inside one folder, also against symbolic links that change while it looks. Everything is opened relative to
// the folder with openat2(RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS); where the kernel lacks it, component by component without
// following any link. A path is never checked first and opened by its name later.
// Blocking. Any thread; const calls may run at once.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "base/result.h"

namespace parlance::hub {

// A descriptor that closes itself.
class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept;
  ~Fd();
  int get() const { return fd_; }
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

// Where a path that an agent named leads. For showing and for policy: opening goes by `relative` through the guard again.
struct ResolvedPath {
  std::string absolute{};  // the folder and `relative`; or, outside, the path as it stands
  std::string relative{};  // "." for the folder itself; empty outside
  bool inside = false;
  bool exists = false;
};

class PathGuard {
 public:
  enum class Method { automatic, walk };  // walk: as on old kernels
  // `folder` is an absolute path; links in it are the person's own choice and are followed.
  static Result<PathGuard> open(const std::string& folder, Method method = Method::automatic);

  // `path` relative to the folder, or absolute. "..", ".", double slashes are evened out before anything is opened.
  ResolvedPath resolve(std::string_view path) const;

  // Errors: denied "Access denied: P" when it leads outside, not_found "File not found: P", and what the system says.
  Result<Fd> open_at(const ResolvedPath& path, int flags) const;
  // The folder that holds the last component, and that component. Missing folders are made if `make_folders`.
  struct Parent {
    Fd folder;
    std::string name{};
  };
  Result<Parent> open_parent(const ResolvedPath& path, bool make_folders) const;
  // The same file after following links in the last component, which must stay inside.
  Result<ResolvedPath> follow(const ResolvedPath& path) const;

  const std::string& folder() const { return folder_; }

 private:
  PathGuard(std::string folder, Fd root, bool use_openat2)
      : folder_(std::move(folder)), root_(std::move(root)), use_openat2_(use_openat2) {}
  int open_beneath(const std::string& relative, int flags) const;  // -1 and errno
  int walk_beneath(const std::string& relative, int flags) const;

  std::string folder_;
  Fd root_;
  bool use_openat2_;
};

}  // namespace parlance::hub
