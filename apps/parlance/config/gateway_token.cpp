// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/gateway_token.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parlance/base/byte_order_mark.h"
#include "parlance/base/text.h"
#include "parlance/gateway/token_file.h"

namespace parlance::app {
namespace {

constexpr std::size_t token_bytes = 4096;  // more is no token

Result<std::string> one_word(std::string token) {
  if (token.find_first_of("\r\n \t") != std::string::npos) return fail(Errc::invalid_params, "the token is more than one word");
  return token;
}

}  // namespace

Result<std::string> read_token_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return fail(system_error("open the token file " + path, errno));
  struct Closing {
    int descriptor;
    ~Closing() { ::close(descriptor); }
  } const closing{file};
  struct stat status{};
  if (::fstat(file, &status) != 0) return fail(system_error("read the token file " + path, errno));
  if (!S_ISREG(status.st_mode)) return fail(Errc::invalid_params, "there is no token in " + path + ": it is no file");
  if ((status.st_mode & 077) != 0) return fail(Errc::denied, "other users may read the token file " + path + ": chmod 600 it");
  std::array<char, token_bytes> text{};
  const ssize_t count = ::read(file, text.data(), text.size());
  if (count < 0) return fail(system_error("read the token file " + path, errno));
  std::string token(trim(without_byte_order_mark({text.data(), static_cast<std::size_t>(count)})));
  if (token.empty()) return fail(Errc::invalid_params, "there is no token in " + path);
  auto word = one_word(std::move(token));
  if (!word) return fail(std::move(word).error().in(path));
  return word;
}

Result<std::string> token_for(const GatewayAddress& to, const std::string& file, const Settings& settings) {
  if (!file.empty()) {
    auto token = read_token_file(file);
    if (!token) return fail(std::move(token).error().in("--token-file"));
    return token;
  }
  std::string token = settings.text("token");
  // Only a gateway on this machine may receive the kept token of this user's gateway.
  if (token == "auto") token = to.on_this_machine ? gateway::kept_token(state_folder(settings)) : "";
  if (token.empty())
    return fail(Errc::invalid_params,
                "the gateway wants a token: put it into PARLANCE_TOKEN, or into a file (mode 0600) for --token-file");
  return one_word(std::move(token));
}

}  // namespace parlance::app
