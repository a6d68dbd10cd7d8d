// SPDX-License-Identifier: Apache-2.0
// Restricts file access to permitted places, also against symbolic links that change meanwhile. The real target of a path
// decides: `resolve` asks the kernel (the opened file's own name), and later opens use this real path without any link
// (openat2(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS); on kernels without openat2, component by component). A link placed in the path
// between the decision and the call is refused, not followed. Blocking. Any thread; const calls may run concurrently.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/tool_call.h"
#include "parlance/workspace/fd.h"

namespace parlance::workspace {

struct FileId {
  dev_t device = 0;
  ino_t inode = 0;
  friend bool operator==(const FileId&, const FileId&) = default;
};

// The target of a path named by an agent.
struct ResolvedPath {
  std::string guard{};      // the folder of the finding guard, the only guard that may open the path
  std::string shown{};      // absolute, as named, normalised inside the folder
  std::string absolute{};   // the real or future location: inside, the folder's name and `relative`; outside, without any link
  std::string canonical{};  // the same without links in the folder's own name
  std::string relative{};   // `absolute` below the folder; "." for the folder itself; empty outside
  bool inside = false;
  bool exists = false;
  bool folder = false;
  bool nowhere = false;  // unknown target (a link to a missing file, a loop of links): never opened
  FileId id{};           // of an existing file
};

class PathGuard {
 public:
  enum class Method { automatic, walk };  // walk: as on old kernels
  // `folder` is an absolute path. Follows links in the path.
  static Result<PathGuard> open(const std::string& folder, Method method = Method::automatic);
  // The same for the folder of a conversation, stored as its real path (folder_check.h). A link in this path was added later, so
  // its target is not the person's choice. Errors: denied, and those of `open`.
  static Result<PathGuard> open_real(const std::string& folder);

  // `path` relative to the folder, or absolute. "..", ".", double slashes are evened out before anything is looked up.
  ResolvedPath resolve(std::string_view path) const;
  // Like an open by a program in the folder: ".." behind a link is above the link's target.
  ResolvedPath resolve_word(std::string_view word) const;

  // The guarded place (workspace/guarded_places.h) affected by a write to `path`.
  std::optional<hub::GuardedPlace> guarded(const ResolvedPath& path) const;

  // Errors: denied "Access denied: P" for a path outside, not_found "File not found: P", and the system's errors.
  Result<Fd> open_at(const ResolvedPath& path, int flags) const;
  // The same for an outside path with an explicit permission: the file must still be the judged file.
  Result<Fd> open_anywhere(const ResolvedPath& path, int flags) const;
  // The folder of the last component, and this component. Creates missing folders if `make_folders`.
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
