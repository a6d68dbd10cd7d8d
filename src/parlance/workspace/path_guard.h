// SPDX-License-Identifier: Apache-2.0
// Keeps file access where it was allowed, also against symbolic links that change while it looks. A path is judged by where it really
// leads: `resolve` asks the kernel (the opened file's own name), and what is opened later is that real path, with no link in it
// (openat2(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS); where the kernel lacks it, component by component). So a link that is put in
// its way between the decision and the call is refused, not followed.
// Blocking. Any thread; const calls may run at once.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "parlance/base/result.h"
#include "parlance/hub/tools.h"
#include "parlance/workspace/fd.h"

namespace parlance::workspace {

struct FileId {
  dev_t device = 0;
  ino_t inode = 0;
  friend bool operator==(const FileId&, const FileId&) = default;
};

// Where a path that an agent named leads.
struct ResolvedPath {
  std::string guard{};      // the folder of the guard that found it, and that alone may open it
  std::string shown{};      // absolute, as it was named, evened out where it stays in the folder
  std::string absolute{};   // where it lies, or would be made: inside the folder's name and `relative`; outside without any link
  std::string canonical{};  // the same without links in the folder's own name
  std::string relative{};   // `absolute` below the folder; "." for the folder itself; empty outside
  bool inside = false;
  bool exists = false;
  bool folder = false;
  bool nowhere = false;  // nothing can be said about where it leads (a link to what is not there, a loop of links): never opened
  FileId id{};           // of what exists
};

class PathGuard {
 public:
  enum class Method { automatic, walk };  // walk: as on old kernels
  // `folder` is an absolute path. Links in it are followed.
  static Result<PathGuard> open(const std::string& folder, Method method = Method::automatic);
  // The same for the folder of a conversation, which was stored as its real path (folder_check.h). A link in that path was therefore put there
  // later, and what lies behind it is not what the person chose. Errors: denied, and those of `open`.
  static Result<PathGuard> open_real(const std::string& folder);

  // `path` relative to the folder, or absolute. "..", ".", double slashes are evened out before anything is looked up.
  ResolvedPath resolve(std::string_view path) const;
  // As a program that runs in the folder would open it: ".." behind a link is above where the link leads.
  ResolvedPath resolve_word(std::string_view word) const;

  // The place among workspace/guarded_places.h in which writing `path` would happen.
  std::optional<hub::GuardedPlace> guarded(const ResolvedPath& path) const;

  // Errors: denied "Access denied: P" when it leads outside, not_found "File not found: P", and what the system says.
  Result<Fd> open_at(const ResolvedPath& path, int flags) const;
  // The same for what lies outside, when somebody has allowed exactly this: it must still be the file that it was.
  Result<Fd> open_anywhere(const ResolvedPath& path, int flags) const;
  // The folder that holds the last component, and that component. Missing folders are made if `make_folders`.
  struct Parent {
    Fd folder;
    std::string name{};
  };
  Result<Parent> open_parent(const ResolvedPath& path, bool make_folders) const;

  const std::string& folder() const { return folder_; }

 private:
  PathGuard(std::string folder, Fd root, bool use_openat2)
      : folder_(std::move(folder)), root_(std::move(root)), use_openat2_(use_openat2) {}
  ResolvedPath locate(std::string name, ResolvedPath found) const;
  void place(const std::string& canonical, ResolvedPath& found) const;
  int open_beneath(int from, const std::string& relative, int flags) const;  // no links; -1 and errno

  std::string folder_;
  Fd root_;
  bool use_openat2_;
};

}  // namespace parlance::workspace
