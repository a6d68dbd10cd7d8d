// SPDX-License-Identifier: Apache-2.0
#include "parlance/workspace/file_tools.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parlance/base/utf8.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/workspace/file_walk.h"
#include "parlance/workspace/limits.h"
#include "parlance/workspace/replace_file.h"

namespace parlance::workspace {
namespace {

constexpr int read_flags = O_RDONLY | O_NONBLOCK | O_NOCTTY;  // a pipe or a device in the way must not block or be acquired

Result<struct stat> regular(int fd, const std::string& shown) {
  struct stat about{};
  if (::fstat(fd, &about) != 0) return fail(system_error(shown, errno));
  if (!S_ISREG(about.st_mode)) return fail(Errc::failed, "Not a file: " + shown);
  return about;
}

Result<std::size_t> read_some(int fd, char* into, std::size_t size, const std::string& shown) {
  for (;;) {
    const ssize_t n = ::read(fd, into, size);
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) return fail(system_error("read " + shown, errno));
  }
}

Error too_large(const std::string& shown, std::uint64_t size) {
  return {.code = Errc::failed,
          .message = "File too large: " + std::to_string(size) + " bytes (max: " + std::to_string(limits::file_edit_bytes) +
                     "): " + shown};
}

bool has_crlf_only(std::string_view text) {
  std::size_t lines = 0;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    if (at == 0 || text[at - 1] != '\r') return false;
    ++lines;
  }
  return lines > 0;
}

// Models write \n; a file with \r\n throughout keeps these line ends.
std::string with_line_ends_of(std::string_view file, std::string_view text) {
  if (!has_crlf_only(file)) return std::string(text);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r')) out += '\r';
    out += text[i];
  }
  return out;
}

}  // namespace

ResolvedPath FileTools::inside(std::string_view path) const {
  ResolvedPath found = guard_.resolve(path);
  if (!found.inside) found.nowhere = true;
  return found;
}

Result<FileList> FileTools::list(const ListFiles& request, const ResolvedPath& at) const {
  PARLANCE_TRY(folder, guard_.open_anywhere(at, O_RDONLY | O_DIRECTORY));
  FileList list;
  walk_folder(folder.get(), request.recursive, list.unread, [&](const WalkEntry& entry) {
    if (list.entries.size() >= limits::file_list_entries) {
      list.cut = true;
      return Walk::end;
    }
    list.entries.push_back(
        {.path = to_valid_utf8(entry.path) + (entry.is_folder ? "/" : ""), .size = entry.size, .link = entry.link});
    return Walk::on;
  });
  std::ranges::sort(list.entries, {}, &FileEntry::path);
  return list;
}

namespace {

// Takes a text in parts, and keeps the lines that are asked for.
class LinePicker {
 public:
  explicit LinePicker(const ReadFile& request)
      : out_{.first_line = std::max<std::uint64_t>(request.first_line, 1)},
        last_(out_.first_line + std::min(request.lines.value_or(UINT64_MAX), UINT64_MAX - out_.first_line)) {}
  bool full() const { return out_.cut; }
  void take(std::string_view part) {
    while (!part.empty() && !out_.cut) {
      const auto newline = part.find('\n');
      std::string_view piece = part.substr(0, newline == std::string_view::npos ? part.size() : newline + 1);
      part.remove_prefix(piece.size());
      if (line_ >= last_) {
        out_.cut = true;
      } else if (line_ >= out_.first_line) {
        if (out_.text.size() + piece.size() > limits::file_read_bytes) {
          piece = utf8_prefix(piece, limits::file_read_bytes - out_.text.size());
          out_.cut = true;
        }
        out_.text += piece;
      }
      if (newline != std::string_view::npos && !out_.cut) ++line_;
    }
  }
  // Omits an incomplete line, unless it is the only line: the next read begins with the line.
  FileText done() && {
    if (out_.cut && !out_.text.empty() && !out_.text.ends_with('\n')) {
      out_.text.resize(out_.text.rfind('\n') == std::string::npos ? out_.text.size() : out_.text.rfind('\n') + 1);
      out_.cut_in_line = !out_.text.ends_with('\n');
    }
    out_.lines = static_cast<std::uint64_t>(std::ranges::count(out_.text, '\n')) +
                 (!out_.text.empty() && out_.text.back() != '\n' ? 1 : 0);
    out_.text = to_valid_utf8(out_.text);
    return std::move(out_);
  }

 private:
  FileText out_;
  std::uint64_t last_;  // the line after the last
  std::uint64_t line_ = 1;
};

}  // namespace

FileText lines_of(const ReadFile& request, std::string_view text) {
  LinePicker picker(request);
  picker.take(text);
  return std::move(picker).done();
}

Result<FileText> FileTools::read(const ReadFile& request, const ResolvedPath& path) const {
  PARLANCE_TRY(file, guard_.open_anywhere(path, read_flags));
  PARLANCE_TRY_DO(regular(file.get(), path.absolute));
  LinePicker picker(request);
  std::string buffer(64 << 10, '\0');
  for (bool first = true; !picker.full(); first = false) {
    PARLANCE_TRY(size, read_some(file.get(), buffer.data(), buffer.size(), path.absolute));
    if (size == 0) break;
    const std::string_view part(buffer.data(), size);
    if (first && part.substr(0, 8192).find('\0') != std::string_view::npos)
      return fail(Errc::invalid_params, "Not a text file: " + path.absolute);
    picker.take(part);
  }
  return std::move(picker).done();
}

namespace {

Result<std::string> whole_text(int fd, const ResolvedPath& path) {
  PARLANCE_TRY(about, regular(fd, path.absolute));
  if (static_cast<std::uint64_t>(about.st_size) > limits::file_edit_bytes)
    return fail(too_large(path.absolute, static_cast<std::uint64_t>(about.st_size)));
  std::string text;
  std::string buffer(64 << 10, '\0');
  for (;;) {
    PARLANCE_TRY(size, read_some(fd, buffer.data(), buffer.size(), path.absolute));
    if (size == 0) break;
    text.append(buffer, 0, size);
    if (text.size() > limits::file_edit_bytes) return fail(too_large(path.absolute, text.size()));
  }
  if (!is_valid_utf8(text) || text.find('\0') != std::string::npos)
    return fail(Errc::invalid_params, "Not a text file: " + path.absolute);
  return text;
}

}  // namespace

Result<std::optional<std::string>> FileTools::content_of(const ResolvedPath& path) const {
  auto file = guard_.open_at(path, read_flags);
  if (!file && file.error().code == Errc::not_found) return std::nullopt;
  if (!file) return std::unexpected(std::move(file).error());
  return whole_text(file->get(), path);
}

Result<std::string> FileTools::content(const ResolvedPath& path) const {
  PARLANCE_TRY(file, guard_.open_anywhere(path, read_flags));
  return whole_text(file.get(), path);
}

Result<FileChange> FileTools::prepare_write(const WriteFile& request, const ResolvedPath& path) const {
  PARLANCE_TRY(before, request.open_text ? request.open_text : content_of(path));
  std::string after = before && !request.exact ? with_line_ends_of(*before, request.content) : request.content;
  if (after.size() > limits::file_edit_bytes) return fail(too_large(path.absolute, after.size()));
  return FileChange{.path = path,
                    .guarded = guard_.guarded(path),
                    .diff = {.path = path.absolute, .before = std::move(before), .after = std::move(after)}};
}

Result<FileChange> FileTools::prepare_edit(const EditFile& request, const ResolvedPath& path) const {
  PARLANCE_TRY(before, request.open_text ? request.open_text : content_of(path));
  if (!before) return fail(Errc::not_found, "File not found: " + path.absolute);
  const std::string old_text = with_line_ends_of(*before, request.old_text);
  const std::string new_text = with_line_ends_of(*before, request.new_text);
  if (old_text.empty()) return fail(Errc::invalid_params, "the text to replace is empty");
  if (old_text == new_text) return fail(Errc::invalid_params, "the new text is equal to the old text");
  std::string after;
  std::uint64_t count = 0;
  std::size_t from = 0;
  for (std::size_t at = before->find(old_text); at != std::string::npos; at = before->find(old_text, from)) {
    after.append(*before, from, at - from);
    after += new_text;
    from = at + old_text.size();
    ++count;
    if (after.size() > limits::file_edit_bytes) return fail(too_large(path.absolute, after.size()));
  }
  after.append(*before, from);
  if (count == 0) return fail(Errc::invalid_params, "the text to replace does not occur in " + path.absolute);
  if (count > 1 && !request.replace_all)
    return fail(Errc::invalid_params, "the text to replace occurs " + std::to_string(count) + " times in " + path.absolute +
                                          ": give more of its surroundings, or replace all");
  if (after.size() > limits::file_edit_bytes) return fail(too_large(path.absolute, after.size()));
  return FileChange{.path = path,
                    .guarded = guard_.guarded(path),
                    .diff = {.path = path.absolute, .before = std::move(before), .after = std::move(after)},
                    .replaced = count};
}

// Since the decision, the surrounding folder may have become a repository.
Result<void> FileTools::check_place(const FileChange& change) const {
  if (guard_.guarded(change.path) == change.guarded) return {};
  return fail(Errc::failed, "this has become a guarded place since the question: " + change.path.absolute + ": ask again");
}

Result<void> FileTools::apply(const FileChange& change) const {
  const std::string& shown = change.path.absolute;
  PARLANCE_TRY_DO(check_place(change));
  PARLANCE_TRY(now, content_of(change.path));
  if (now != change.diff.before) return fail(Errc::failed, "the file has changed since the preview: " + shown);
  PARLANCE_TRY(parent, guard_.open_parent(change.path, !change.diff.before));
  if (!change.diff.after) {
    if (::unlinkat(parent.folder.get(), parent.name.c_str(), 0) != 0) return fail(system_error("delete " + shown, errno));
    return {};
  }
  return replace_file(parent, *change.diff.after, shown);
}

}  // namespace parlance::workspace
