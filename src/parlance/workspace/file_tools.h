// SPDX-License-Identifier: Apache-2.0
// The tools for files of a conversation's folder: list, read, search, write, edit. Typed: the caller converts a model's JSON to
// these structs. Blocking: run them on a Worker. Any thread; an instance may serve several at once.
//
// Writing has two steps. `prepare_*` computes the new contents, for the person and for policy; `apply` writes exactly these
// contents, or fails if the file differs from the preview.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/workspace/file_walk.h"
#include "parlance/workspace/limits.h"
#include "parlance/workspace/path_guard.h"

namespace parlance::workspace {

struct ListFiles {
  std::string path = ".";
  bool recursive = false;
};
struct FileEntry {
  std::string path{};  // relative to the listed folder; folders end with '/'
  std::uint64_t size = 0;
  bool link = false;
};
struct FileList {
  std::vector<FileEntry> entries{};
  bool cut = false;  // above limits::file_list_entries
  Unread unread{};
};

struct ReadFile {
  std::string path{};
  std::uint64_t first_line = 1;  // from 1
  std::optional<std::uint64_t> lines{};
};
struct FileText {
  std::string text{};
  std::uint64_t first_line = 1;
  std::uint64_t lines = 0;
  bool cut = false;          // the file goes on behind this
  bool cut_in_line = false;  // … within its single, too long line
};
// The requested lines of a given text.
FileText lines_of(const ReadFile& request, std::string_view text);

struct SearchFiles {
  std::string pattern{};
  bool regex = false;  // as for grep or ripgrep (base/regex); no back references
  bool ignore_case = false;
  std::string path = ".";
  std::string name{};  // only files with a matching name (`*.cpp`); empty: all
};
struct SearchHit {
  std::string path{};  // relative to the folder
  std::uint64_t line = 0;
  std::string text{};
};
struct SearchResult {
  std::vector<SearchHit> hits{};
  bool cut = false;         // incomplete: more results exist, or the time was over
  std::uint64_t files = 0;  // looked into
  Unread unread{};
};

struct WriteFile {
  std::string path{};
  std::string content{};
  bool exact = false;                      // byte for byte: otherwise a file with \r  throughout keeps its line ends
  std::optional<std::string> open_text{};  // an editor's text: edited in place of the text on the disk
};
struct EditFile {
  std::string path{};
  std::string old_text{};
  std::string new_text{};
  bool replace_all = false;                // otherwise `old_text` must occur exactly once
  std::optional<std::string> open_text{};  // as above
};

// A file's current and future contents. `diff.path` is absolute.
struct FileChange {
  ResolvedPath path{};
  std::optional<hub::GuardedPlace> guarded{};
  hub::Diff diff{};
  std::uint64_t replaced = 0;  // edits: occurrences
};

class FileTools {
 public:
  explicit FileTools(PathGuard guard) : guard_(std::move(guard)) {}

  // Inside the folder. With `at`: a decided path at any location; then the request's own path is ignored.
  Result<FileList> list(const ListFiles& request) const { return list(request, inside(request.path)); }
  Result<FileList> list(const ListFiles& request, const ResolvedPath& at) const;
  Result<FileText> read(const ReadFile& request) const { return read(request, inside(request.path)); }
  Result<FileText> read(const ReadFile& request, const ResolvedPath& at) const;
  // A whole text file, unchanged, up to limits::file_edit_bytes.
  Result<std::string> content(const ResolvedPath& at) const;
  // Folders `.git` and `node_modules` are skipped unless the search begins inside; links are not followed.
  Result<SearchResult> search(const SearchFiles& request) const { return search(request, inside(request.path)); }
  Result<SearchResult> search(const SearchFiles& request, const ResolvedPath& at) const;

  Result<FileChange> prepare_write(const WriteFile& request) const { return prepare_write(request, inside(request.path)); }
  Result<FileChange> prepare_write(const WriteFile& request, const ResolvedPath& at) const;
  Result<FileChange> prepare_edit(const EditFile& request) const { return prepare_edit(request, inside(request.path)); }
  Result<FileChange> prepare_edit(const EditFile& request, const ResolvedPath& at) const;
  // Replaces the file through a temporary file: readers see the old or the new file, never a part. Keeps the mode.
  Result<void> apply(const FileChange& change) const;
  // Whether the location is still the judged location; `apply` checks itself.
  Result<void> check_place(const FileChange& change) const;

  const PathGuard& guard() const { return guard_; }

 private:
  ResolvedPath inside(std::string_view path) const;  // outside paths then cannot be opened
  Result<std::optional<std::string>> content_of(const ResolvedPath& path) const;
  PathGuard guard_;
};

}  // namespace parlance::workspace
