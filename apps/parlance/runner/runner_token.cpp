#include "apps/parlance/runner/runner_token.h"

#include <fstream>

#include "parlance/base/text.h"
#include "parlance/gateway/token_file.h"

namespace parlance::app {
namespace {

constexpr std::size_t token_bytes = 4096;  // more is no token

}  // namespace

// Never as a flag: those of a process are seen by all users.
Result<std::string> runner_token(const std::string& token_file, const Settings& settings) {
  std::string token = settings.text("token");
  if (!token_file.empty()) {
    std::ifstream file(token_file);
    token.assign(token_bytes, '\0');
    file.read(token.data(), static_cast<std::streamsize>(token.size()));
    token.resize(static_cast<std::size_t>(file.gcount()));
    token = std::string(trim(token));
    if (token.empty()) return fail(Errc::invalid_params, "--token-file: there is no token in " + token_file);
  } else if (token == "auto") {
    token = gateway::kept_token(state_folder(settings));  // of a gateway of this user on this machine
  }
  if (token.empty())
    return fail(Errc::invalid_params, "the gateway wants a token: put it into PARLANCE_TOKEN, or into a file for --token-file");
  if (token.find_first_of("\r\n ") != std::string::npos) return fail(Errc::invalid_params, "the token is more than one word");
  return token;
}

}  // namespace parlance::app
