// SPDX-License-Identifier: Apache-2.0
// Events with a message for people: failures of a turn, and notices. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/hub/conversation/act.h"

namespace parlance::hub {

enum class NoticeLevel : std::uint8_t { info, warning, error };

namespace event {

struct Failure {       // kind "error"
  std::string code{};  // for programs: the name of an Errc, or an id such as "interrupted"
  std::string message{};
  std::string detail{};
  bool retryable = false;  // the same prompt may succeed later
  friend bool operator==(const Failure&, const Failure&) = default;
};
// A message for people beside the answers of an agent, also between turns: the end of a background task, a limit close to its
// end. Also a person's action on the conversation (`act`), hidden from agents.
struct Notice {
  NoticeLevel level = NoticeLevel::info;
  std::string text{};
  std::string detail{};
  std::optional<Act> act{};
  friend bool operator==(const Notice&, const Notice&) = default;
};

}  // namespace event

// The message with its detail. A detail in JSON is for pages, which fold it, and is left out.
std::string failure_in_words(const event::Failure& failure);

// A notice of a person's action; the name may be absent.
event::Notice notice_of(std::string_view what, std::optional<std::string> value, const std::string& by);
// An action of the person of this machine: frontends other than the page ignore it.
inline bool is_own_act(const event::Notice& notice) { return notice.act && !notice.act->by; }

}  // namespace parlance::hub
