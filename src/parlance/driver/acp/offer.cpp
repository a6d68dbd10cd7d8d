// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/offer.h"

#include <algorithm>
#include <set>

#include "parlance/base/utf8.h"
#include "parlance/base/visible_text.h"
#include "parlance/driver/acp/limits.h"

namespace parlance::driver {
namespace {

constexpr std::size_t name_bytes = 64;
constexpr std::size_t words_bytes = 200;

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= name_bytes && text.find_first_not_of(".") != std::string_view::npos &&
         std::ranges::all_of(text, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
         });
}

// One line of printable text, for cards and lists.
bool is_words(std::string_view text) {
  return !text.empty() && text.size() <= words_bytes && !has_hidden_characters(text) && !text.contains('\n') &&
         !text.contains('\t');
}

bool is_folder(std::string_view path) {
  return path.starts_with('/') && path.size() <= limits::runner_path_bytes && is_valid_utf8(path) &&
         !(std::string(path) + "/").contains("/../") && path.find('\0') == std::string_view::npos;
}

std::unexpected<Error> refused(const std::string& place, const std::string& why) {
  return fail(Errc::invalid_params, "$." + place + ": " + why);
}

}  // namespace

Result<void> check_offer(const acp::Offer& offer) {
  if (!is_name(offer.name))
    return refused("name", "a runner's name has letters, digits, `.`, `_` and `-`, at most 64: give one with --name");
  if (!is_words(offer.account))
    return refused("account", "the name of the user must be printable text on a single line, without hidden characters");
  if (!is_words(offer.host))
    return refused("host", "the name of the machine must be printable text on a single line, without hidden characters");
  if (offer.agents.empty())
    return refused("agents", "the runner offers no agent; install an agent on its machine, or start the runner with its own");
  if (offer.agents.size() > limits::runner_agents) return refused("agents", "at most " + std::to_string(limits::runner_agents));
  std::set<std::string_view> ids;
  for (const acp::OfferedAgent& offered_agent : offer.agents)
    if (!is_name(offered_agent.id) || !is_words(offered_agent.name) || !ids.insert(offered_agent.id).second)
      return refused("agents", "each agent needs a unique id of letters, digits, `.`, `_` and `-`, and a name on a single line");
  if (offer.folders.empty()) return refused("folders", "the runner offers no folder; name a folder with --folder");
  if (offer.folders.size() > limits::runner_folders)
    return refused("folders", "at most " + std::to_string(limits::runner_folders));
  for (const std::string& folder : offer.folders)
    if (!is_folder(folder)) return refused("folders", "an absolute path without `..` is needed");
  return {};
}

}  // namespace parlance::driver
