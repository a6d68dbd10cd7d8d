// SPDX-License-Identifier: Apache-2.0
// Files of a conversation's folders: resolved to their real place, then judged and opened at this place only (decision 0017).
// For all tools with files. Loop thread only; the worker must outlive the files.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "parlance/async/worker.h"
#include "parlance/hub/agent/tools.h"
#include "parlance/workspace/file_tools.h"

namespace parlance::toolbox {

// Folders inside of the conversation. Relative paths belong to `own`.
struct Folders {
  std::string own{};
  std::vector<std::string> more{};
};
Folders folders_of(const hub::SessionSetup& setup);

// A path with its real folder: by its name, or through links. Without such a folder, the path is outside.
struct FoundFile {
  workspace::FileTools files;
  workspace::ResolvedPath path{};
};
Result<FoundFile> find_file(const Folders& folders, std::string_view path);  // blocking

// Runs this work on a blocking thread. Owned by the judge; the work may outlive its waiter.
class JudgedFiles {
 public:
  explicit JudgedFiles(Worker& worker) : worker_(worker) {}

  // `work(const FileTools&, const ResolvedPath&)` on the worker, at the present place of `path`.
  template <class F>
  auto look(Folders folders, std::string path, F work) {
    using R = std::invoke_result_t<F&, const workspace::FileTools&, const workspace::ResolvedPath&>;
    return worker_.run([folders = std::move(folders), path = std::move(path), work = std::move(work)]() mutable -> R {
      const Result<FoundFile> found = find_file(folders, path);
      if (!found) return std::unexpected(found.error());
      return work(found->files, found->path);
    });
  }
  // `work(const FileTools&)` in the folder of the judged path.
  template <class F>
  auto in(const workspace::ResolvedPath& judged, F work) {
    using R = std::invoke_result_t<F&, const workspace::FileTools&>;
    return worker_.run([folder = judged.guard, work = std::move(work)]() mutable -> R {
      Result<workspace::PathGuard> guard = workspace::PathGuard::open_real(folder);
      if (!guard) return std::unexpected(guard.error());
      const workspace::FileTools files(*std::move(guard));
      return work(files);
    });
  }
  Task<Result<workspace::ResolvedPath>> place(Folders folders, std::string path);

 private:
  Worker& worker_;
};

// The facts for policy.
hub::ToolIntent file_intent(hub::ToolKind kind, const Folders& folders, const workspace::ResolvedPath& path, std::string title);
hub::ToolIntent change_intent(const Folders& folders, const workspace::FileChange& change, std::string_view named);
// The name for a caller in `folders.own`.
std::string shown_path(const Folders& folders, const workspace::ResolvedPath& path);

}  // namespace parlance::toolbox
