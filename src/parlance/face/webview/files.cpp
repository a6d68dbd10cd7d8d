// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/webview/files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <utility>

#include "parlance/adapter/acp/prompt.h"
#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/face/webview/limits.h"
#include "parlance/workspace/path_guard.h"

namespace parlance::face {
namespace {

struct PictureType {
  std::string_view ending;
  std::string_view media_type;
};
constexpr std::array picture_types{PictureType{".png", "image/png"}, PictureType{".jpg", "image/jpeg"},
                                   PictureType{".jpeg", "image/jpeg"}, PictureType{".gif", "image/gif"},
                                   PictureType{".webp", "image/webp"}};

std::string_view picture_type(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return {};
  const auto found = std::ranges::find_if(
      picture_types, [&](const PictureType& picture_type) { return equal_ignoring_case(picture_type.ending, path.substr(dot)); });
  return found == picture_types.end() ? std::string_view{} : found->media_type;
}

// O_NONBLOCK: opening a pipe must not wait; the read refuses special files.
constexpr int reading = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

// Allowed paths of a webview.
struct Allowed {
  WebviewFiles::Folders folders{};
  bool picked = false;
  std::string state{};
};

// Checks the opened file's path: no link and no other name of the folder bypasses the check.
Result<workspace::Fd> outside_of_state(workspace::Fd file, const std::string& path, const std::string& state) {
  std::error_code error;
  const auto place = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file.get()), error);
  if (error) return fail(Errc::denied, path + " is not read: its location cannot be resolved (" + error.message() + ")");
  const auto own = std::filesystem::weakly_canonical(state, error);
  if (!state.empty() && (error || is_within(place.string(), own.string())))
    return fail(Errc::denied, path + " is not read: parlance's state folder, with its token, contains this file");
  return file;
}

Result<workspace::Fd> open_anywhere(const std::string& path, const Allowed& allowed) {
  const auto& [folders, picked, state] = allowed;
  for (const std::string& folder : folders.paths) {
    const auto guard = folders.of_conversation ? workspace::PathGuard::open_real(folder) : workspace::PathGuard::open(folder);
    if (!guard) continue;
    const workspace::ResolvedPath place = guard->resolve(path);
    if (!place.inside) continue;
    return guard->open_at(place, reading);
  }
  if (!picked && folders.paths.empty())
    return fail(Errc::denied,
                path +
                    " is a path on the runner's machine, because this conversation works there: name the file to the agent, "
                    "or pick a file in the editor");
  if (!picked)
    return fail(
        Errc::denied,
        path + " is outside this conversation's folders: pick the file in the editor, or begin a conversation in its folder");
  workspace::Fd fd(::open(path.c_str(), reading));
  if (fd.get() < 0) return fail(system_error("open " + path, errno));
  return fd;
}

Result<workspace::Fd> open_file(const std::string& path, const Allowed& allowed) {
  PARLANCE_TRY(file, open_anywhere(path, allowed));
  return outside_of_state(std::move(file), path, allowed.state);
}

Result<adapter::PromptFile> text_of(const std::string& path, const Allowed& allowed, std::size_t most) {
  PARLANCE_TRY(fd, open_file(path, allowed));
  PARLANCE_TRY(file, adapter::read_prompt_file(fd.get(), path, most));
  if (!is_valid_utf8(file.content)) return fail(Errc::invalid_params, path + " is not UTF-8 text");
  return file;
}

Result<std::string> bytes_of(const std::string& path, const Allowed& allowed, std::size_t most) {
  PARLANCE_TRY(fd, open_file(path, allowed));
  std::string bytes(most + 1, '\0');
  std::size_t read = 0;
  while (read < bytes.size()) {
    const ssize_t got = ::read(fd.get(), bytes.data() + read, bytes.size() - read);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(system_error("read " + path, errno));
    if (got == 0) break;
    read += static_cast<std::size_t>(got);
  }
  if (read > most)
    return fail(Errc::invalid_params, path + " has more than " + std::to_string(most) + " bytes, the limit for a picture");
  bytes.resize(read);
  return bytes;
}

webview::FileContent content_of(const std::string& path, const Allowed& allowed, std::size_t most) {
  auto file = text_of(path, allowed, most);
  if (!file) return {.path = path, .error = file.error().message};
  return {.path = path, .content = std::move(file->content), .truncated = file->cut};
}

Result<void> not_too_many(std::size_t files) {
  if (files <= limits::webview_files) return {};
  return fail(Errc::invalid_params, "at most " + std::to_string(limits::webview_files) + " files at once");
}

}  // namespace

Worker& WebviewFiles::worker() {
  if (!worker_) worker_ = std::make_unique<Worker>(loop_, "webview files");
  return *worker_;
}

void WebviewFiles::picked(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    picked_.push_back(path);
    if (picked_.size() > limits::webview_picked_files) picked_.pop_front();
  }
}

Task<std::vector<webview::FileContent>> WebviewFiles::read(std::vector<std::string> paths, Folders folders) {
  std::vector<webview::FileContent> contents;
  if (const auto fine = not_too_many(paths.size()); !fine) {
    for (std::string& path : paths) contents.push_back({.path = std::move(path), .error = fine.error().message});
    co_return contents;
  }
  for (const std::string& path : paths) {
    Allowed allowed{.folders = folders, .picked = std::ranges::find(picked_, path) != picked_.end(), .state = state_};
    auto content =
        co_await worker().run([path, allowed = std::move(allowed), most = most_bytes_]() -> Result<webview::FileContent> {
          return content_of(path, allowed, most);
        });
    contents.push_back(content ? *std::move(content) : webview::FileContent{.path = path, .error = content.error().message});
  }
  co_return contents;
}

Task<Result<WebviewFiles::Attached>> WebviewFiles::attach(std::vector<webview::AttachedFile> files, Folders folders) {
  PARLANCE_CO_TRY_DO(not_too_many(files.size()));
  Attached out;
  for (webview::AttachedFile& file : files) {
    const Allowed allowed{.folders = folders, .picked = std::ranges::find(picked_, file.path) != picked_.end(), .state = state_};
    const std::string_view picture = picture_type(file.path);
    hub::Attachment attachment{.about = {.media_type = picture.empty() ? "text/plain" : std::string(picture), .name = file.path}};
    bool cut = false;
    if (file.content) {
      attachment.about.media_type = "text/plain";
      attachment.data = std::string(utf8_prefix(*file.content, most_bytes_));
      cut = attachment.data.size() < file.content->size();
    } else if (picture.empty()) {
      PARLANCE_CO_TRY(
          text, co_await worker().run([path = file.path, allowed, most = most_bytes_] { return text_of(path, allowed, most); }));
      attachment.data = std::move(text.content);
      cut = text.cut;
    } else {
      PARLANCE_CO_TRY(bytes,
                      co_await worker().run([path = file.path, allowed] { return bytes_of(path, allowed, hub::picture_bytes); }));
      attachment.data = std::move(bytes);
    }
    if (cut) {
      attachment.data += "\n[... truncated ...]";
      out.warnings.push_back(file.path + " is longer than " + std::to_string(most_bytes_) +
                             " bytes: the agent gets the first part");
    }
    out.attachments.push_back(std::move(attachment));
  }
  co_return out;
}

}  // namespace parlance::face
