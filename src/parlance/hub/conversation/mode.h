// SPDX-License-Identifier: Apache-2.0
// The mode of a conversation: the permissions of its agent without a request (policy.h), and the order of modes by these
// operations. An agent, a runner or a host may lower the mode; only a person raises the mode. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parlance::hub {

enum class Mode : std::uint8_t { default_, auto_edit, yolo, plan, smart };  // `default` is a keyword, hence the underscore
std::string_view to_string(Mode mode);                                      // "default", "autoEdit", "yolo", "plan", "smart"

// True if `to` allows an operation without a request and `from` does not. Order: plan < default < autoEdit, smart < yolo.
// autoEdit and smart allow different operations, so a change between the two is a raise in both directions.
constexpr bool is_raised(Mode from, Mode to) {
  const auto rank = [](Mode mode) {
    switch (mode) {
      case Mode::plan: return 0;
      case Mode::default_: return 1;
      case Mode::auto_edit:
      case Mode::smart: return 2;
      case Mode::yolo: break;
    }
    return 3;
  };
  return from != to && rank(to) >= rank(from);
}

namespace event {

struct ModeChanged {
  Mode mode = Mode::default_;       // the new mode
  std::optional<std::string> by{};  // User::name
  friend bool operator==(const ModeChanged&, const ModeChanged&) = default;
};

}  // namespace event

}  // namespace parlance::hub
