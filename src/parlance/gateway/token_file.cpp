// SPDX-License-Identifier: Apache-2.0
#include "parlance/gateway/token_file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include "parlance/base/log.h"
#include "parlance/base/secret.h"
#include "parlance/base/text.h"
#include "parlance/transport/private_file.h"

namespace parlance::gateway {
namespace {

constexpr std::size_t shortest_token = 16;  // characters; a shorter token could be guessed
constexpr std::size_t longest_token = 512;

// Tokens are sent in headers, in addresses and as a WebSocket's subprotocol, which allows the fewest characters (RFC 9110,
// "token").
bool fits_everywhere(std::string_view token) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return std::ranges::all_of(token, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || marks.find(c) != std::string_view::npos;
  });
}

Result<std::string> read_token(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return std::unexpected(system_error(path, errno));
  struct stat status{};
  std::string text(longest_token + 1, '\0');
  const ssize_t size = ::fstat(fd, &status) == 0 ? ::read(fd, text.data(), text.size()) : -1;
  ::close(fd);
  if (size < 0) return std::unexpected(system_error(path, errno));
  if ((status.st_mode & 077) != 0)
    return fail(Errc::denied, path + ": other users can read the token; run: chmod 600 " + path + ", or remove it");
  text.resize(static_cast<std::size_t>(size));
  std::string token(trim(text));
  if (token.size() < shortest_token || token.size() > longest_token || !fits_everywhere(token))
    return fail(Errc::failed, path + ": no token in it; remove the file and start again");
  return token;
}

}  // namespace

Result<std::string> resolve_token(const std::string& wanted, const std::string& state_folder) {
  if (wanted != "auto") {
    if (wanted.size() < shortest_token)
      return fail(Errc::invalid_params, "the token has " + std::to_string(wanted.size()) + " characters; give at least " +
                                            std::to_string(shortest_token) + ", or auto");
    if (wanted.size() > longest_token || !fits_everywhere(wanted))
      return fail(Errc::invalid_params,
                  "the token may have at most " + std::to_string(longest_token) + " letters, digits and !#$%&'*+-.^_`|~");
    return wanted;
  }
  std::error_code error;
  PARLANCE_TRY_DO(keep_private_folder(state_folder));
  const std::string path = state_folder + "/token";
  if (std::filesystem::exists(std::filesystem::symlink_status(path, error))) return read_token(path);
  // A state with conversations had a token. A new token is safe, but the log must explain why the old token is invalid.
  if (std::filesystem::exists(state_folder + "/hub.db", error))
    log(LogLevel::warn, "the token was gone, and a new one is made: programs and pages with the old one need it",
        {{"file", path}});
  // Written completely and then linked: of two programs started at once, one creates the token, and the other never reads a
  // partial file.
  const std::string token = make_token();
  const std::string temporary = path + make_id(".new_");
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return std::unexpected(system_error(temporary, errno));
  const std::string text = token + "\n";
  const bool written = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(fd);
  const int linked = written && ::link(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
  ::unlink(temporary.c_str());
  if (linked == EEXIST) return read_token(path);
  if (!written || linked != 0) return std::unexpected(system_error(path, linked != 0 ? linked : EIO));
  return token;
}

std::string kept_token(const std::string& state_folder) { return read_token(state_folder + "/token").value_or(""); }

}  // namespace parlance::gateway
