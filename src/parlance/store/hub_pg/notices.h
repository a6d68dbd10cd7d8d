// SPDX-License-Identifier: Apache-2.0
// Notices between hubs over NOTIFY: lines of words, many in one payload. Values; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::store {

inline constexpr const char* notice_channel = "parlance";

struct Notice {
  // The commits of a conversation in a range of revisions, and the end of its log after them.
  struct Commits {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::uint64_t last_seq = 0;  // of the conversation after the last commit
    bool rows = false;           // other rows than events changed
    friend bool operator==(const Commits&, const Commits&) = default;
  };
  std::map<std::string, Commits, std::less<>> commits{};
  std::set<std::string, std::less<>> removed{};   // conversations
  std::set<std::string, std::less<>> commands{};  // conversations with a new command
  std::set<std::string, std::less<>> outcomes{};  // executed commands
  bool settings_changed = false;                  // rules or limits
  bool runners = false;                           // connections of runners changed
  bool hub_ended = false;                         // a hub ended: its conversations have no owner

  // Nothing to send.
  bool empty() const {
    return commits.empty() && removed.empty() && commands.empty() && outcomes.empty() && !settings_changed && !runners &&
           !hub_ended;
  }
  // Merges commits of a conversation. A gap between both ranges sets `rows`: the receiver then reads the conversation.
  void add(const std::string& conversation, const Commits& more);
  // Merges a whole notice.
  void add(Notice more);
};

// Payloads of NOTIFY within the server's size limit. Omits names with a space or a line end; the comparison finds these.
std::vector<std::string> payloads_of(const Notice& notice, const std::string& hub);

// No value: the hub's own notice, or a foreign payload.
std::optional<Notice> notice_from(std::string_view payload, std::string_view own_hub);

}  // namespace parlance::store
