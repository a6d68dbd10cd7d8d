// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/acp/prompt.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parlance/base/utf8.h"

namespace parlance::adapter {
namespace {

void section(std::string& out, std::string_view name, std::string_view body) {
  out += "=== ";
  out += name;
  out += " ===\n";
  out += body;
  if (!body.ends_with('\n')) out += '\n';
  out += "=== End ";
  out += name;
  out += " ===\n\n";
}

std::string lines(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += name + '\n';
  return out;
}

std::string editor_context(const PromptParts& parts) {
  std::string out;
  if (parts.active_file) out += "Active File: " + *parts.active_file + '\n';
  if (const auto& selection = parts.selection) {
    const std::string_view text = utf8_characters(selection->text, prompt_selection_characters);
    out += "Selected Text (" + selection->file_name + ':' + std::to_string(selection->line_start) + '-' +
           std::to_string(selection->line_end) + "):\n";
    out += text;
    if (text.size() < selection->text.size()) out += "\n[... truncated ...]";
  }
  return out;
}

std::string attached(const std::vector<PromptFile>& files) {
  std::string out;
  for (const PromptFile& file : files) {
    out += "--- " + file.path + " ---\n" + file.content;
    if (!out.ends_with('\n')) out += '\n';
    if (file.cut) out += "[... truncated ...]\n";
  }
  return out;
}

class File {
 public:
  // Without waiting for the writer of a pipe.
  explicit File(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

std::string build_prompt(const PromptParts& parts) {
  std::string out;
  if (!parts.working_folder.empty()) section(out, "Working Directory", parts.working_folder);
  if (!parts.workspace_files.empty()) section(out, "Workspace Files", lines(parts.workspace_files));
  if (parts.active_file || parts.selection) section(out, "IDE Context", editor_context(parts));
  if (!parts.files.empty()) section(out, "Attached Files", attached(parts.files));
  return out + parts.prompt;
}

Result<PromptFile> read_prompt_file(const std::string& path, std::size_t most) {
  const File file(path);
  if (file.fd() < 0) return fail(system_error("open " + path, errno));
  return read_prompt_file(file.fd(), path, most);
}

Result<PromptFile> read_prompt_file(int fd, const std::string& path, std::size_t most) {
  struct stat about{};
  if (::fstat(fd, &about) != 0) return fail(system_error("look at " + path, errno));
  if (!S_ISREG(about.st_mode)) return fail(Errc::failed, path + " is no file that could be read");
  std::string content(most + 1, '\0');
  std::size_t read = 0;
  while (read < content.size()) {
    const ssize_t got = ::read(fd, content.data() + read, content.size() - read);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(system_error("read " + path, errno));
    if (got == 0) break;
    read += static_cast<std::size_t>(got);
  }
  content.resize(read);
  if (content.contains('\0')) return fail(Errc::invalid_params, path + " holds no text: attach it as a file of its own kind");
  PromptFile out{.path = path, .cut = read > most};
  out.content = utf8_prefix(content, most);
  return out;
}

}  // namespace parlance::adapter
