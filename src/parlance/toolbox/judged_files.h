// SPDX-License-Identifier: Apache-2.0
// Files of a conversation's folders: found where they really lie, judged there, and opened there and nowhere else (decision 0017).
// For everything here that touches files. Loop thread only; the worker outlives it.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "parlance/async/worker.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/tools.h"
#include "parlance/workspace/file_tools.h"

namespace parlance::toolbox {

// What counts as inside. Relative paths are those of `own`.
struct Folders {
  std::string own{};
  std::vector<std::string> more{};
};
Folders folders_of(const hub::Conversation& conversation);

// A path in the folder that really holds it: the one that it names, or one that its links lead to. Where none does, it lies outside.
struct FoundFile {
  workspace::FileTools files;
  workspace::ResolvedPath path{};
};
Result<FoundFile> find_file(const Folders& folders, std::string_view path);  // blocking

// Does such work on a thread that may block. Owned by whoever judges; what it runs may outlive its waiter.
class JudgedFiles {
 public:
  explicit JudgedFiles(Worker& worker) : worker_(worker) {}

  // `work(const FileTools&, const ResolvedPath&)` on the worker, where `path` leads now.
  template <class F>
  auto look(Folders folders, std::string path, F work) {
    using R = std::invoke_result_t<F&, const workspace::FileTools&, const workspace::ResolvedPath&>;
    return worker_.run([folders = std::move(folders), path = std::move(path), work = std::move(work)]() mutable -> R {
      const Result<FoundFile> found = find_file(folders, path);
      if (!found) return std::unexpected(found.error());
      return work(found->files, found->path);
    });
  }
  // `work(const FileTools&)` in the folder of what was judged.
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

// What policy looks at.
hub::ToolIntent file_intent(hub::ToolKind kind, const Folders& folders, const workspace::ResolvedPath& path, std::string title);
hub::ToolIntent change_intent(const Folders& folders, const workspace::FileChange& change, std::string_view named);
// As whoever works in `folders.own` can name it again.
std::string shown_path(const Folders& folders, const workspace::ResolvedPath& path);

}  // namespace parlance::toolbox
