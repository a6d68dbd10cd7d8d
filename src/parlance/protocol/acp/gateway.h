// SPDX-License-Identifier: Apache-2.0
// What a gateway and programs of ours that work through it say beside ACP, in `_meta`. Values; any thread.
//
// Each event of a conversation has a number. Whoever is told which one an update brought can take the session up again behind a connection
// that broke, at any gateway, and hear what came since: nothing is missing, and nothing is told twice.
#pragma once

#include <cstdint>

#include "parlance/protocol/acp/runner.h"

namespace parlance::acp {

// Of initialize.
struct Follows {
  bool positions = false;
  static constexpr auto wire =
      fields(field<&Follows::positions>("positions", "It takes sessions up where it was: positions are told.").or_default());
};
struct FollowsMeta {
  std::optional<Follows> parlance{};
  static constexpr auto wire = fields(field<&FollowsMeta::parlance>("parlance", "Of a program of ours."));
};

// Of what initialize answers to that.
struct GatewayWord {
  std::string folder{};
  std::vector<OfferedAgent> agents{};
  static constexpr auto wire =
      fields(field<&GatewayWord::folder>("folder", "Where new conversations work, if nobody names another.").or_default(),
             field<&GatewayWord::agents>("agents", "Whom a session may be begun with, by name; the first answers by default.")
                 .or_default());
};
struct GatewayMeta {
  std::optional<GatewayWord> parlance{};
  static constexpr auto wire = fields(field<&GatewayMeta::parlance>("parlance", "Of a gateway."));
};

// Of session/new and session/load.
struct SessionWish {
  std::optional<std::string> agent{};
  std::optional<std::uint64_t> after{};
  static constexpr auto wire =
      fields(field<&SessionWish::agent>("agent", "Of session/new: who is to answer."),
             field<&SessionWish::after>("after", "Of session/load: only what came behind this position is told."));
};
struct SessionWishMeta {
  std::optional<SessionWish> parlance{};
  static constexpr auto wire = fields(field<&SessionWishMeta::parlance>("parlance", "What is wished of a gateway or runner."));
};

// Of session/update, and of what session/new, /load and /resume answer.
struct Position {
  std::uint64_t position = 0;
  static constexpr auto wire = fields(field<&Position::position>("position", "All up to it has been told."));
};
struct PositionMeta {
  std::optional<Position> parlance{};
  static constexpr auto wire = fields(field<&PositionMeta::parlance>("parlance", "Of a gateway."));
};

// Of an entry of session/list.
struct SessionWord {
  std::string agent{};
  static constexpr auto wire = fields(field<&SessionWord::agent>("agent", "Who answers there.").or_default());
};
struct SessionWordMeta {
  std::optional<SessionWord> parlance{};
  static constexpr auto wire = fields(field<&SessionWordMeta::parlance>("parlance", "Of a gateway."));
};

}  // namespace parlance::acp
