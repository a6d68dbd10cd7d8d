// SPDX-License-Identifier: Apache-2.0
// What hubs tell each other by NOTIFY: lines of words, many in one notice. Values; any thread.
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
  // The commits of a conversation from one revision to another, and the end of its log after them.
  struct Commits {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::uint64_t last_seq = 0;
    bool rows = false;  // not only events
    friend bool operator==(const Commits&, const Commits&) = default;
  };
  std::map<std::string, Commits, std::less<>> commits{};
  std::set<std::string, std::less<>> removed{};   // conversations
  std::set<std::string, std::less<>> commands{};  // conversations where one was left
  std::set<std::string, std::less<>> outcomes{};  // commands that were done
  bool standing = false;                          // rules or limits
  bool places = false;                            // where runners are connected
  bool look = false;                              // a hub went: what it had is nobody's

  bool empty() const {
    return commits.empty() && removed.empty() && commands.empty() && outcomes.empty() && !standing && !places && !look;
  }
  void add(const std::string& conversation, const Commits& more);
  void add(Notice more);
};

// As payloads of NOTIFY, none longer than the server takes. A name with a space or a line end is left out: comparing finds it.
std::vector<std::string> payloads_of(const Notice& notice, const std::string& hub);

// Nothing: it is our own, or none of ours.
std::optional<Notice> notice_from(std::string_view payload, std::string_view own_hub);

}  // namespace parlance::store
