// SPDX-License-Identifier: Apache-2.0
// Extensions in `_meta` between a gateway and programs of parlance that use it. Values; any thread.
//
// Each event of a conversation has a number. A client that receives the number of each update can resume the session after a
// broken connection, at any gateway, without missing or repeated updates.
#pragma once

#include <cstdint>

#include "parlance/protocol/acp/runner.h"

namespace parlance::acp {

// In initialize.
struct Follows {
  bool positions = false;
  static constexpr auto wire = fields(
      field<&Follows::positions>("positions", "True: the client resumes sessions by position, and updates carry positions.")
          .or_default());
};
struct FollowsMeta {
  std::optional<Follows> parlance{};
  static constexpr auto wire = fields(field<&FollowsMeta::parlance>("parlance", "Extensions of a client from parlance."));
};

// In the answer to initialize.
struct GatewayWord {
  std::string folder{};
  std::vector<OfferedAgent> agents{};
  static constexpr auto wire = fields(
      field<&GatewayWord::folder>("folder", "Working folder of new conversations without a named folder.").or_default(),
      field<&GatewayWord::agents>("agents", "Names of agents for new sessions. The first agent is the default.").or_default());
};
struct GatewayMeta {
  std::optional<GatewayWord> parlance{};
  static constexpr auto wire = fields(field<&GatewayMeta::parlance>("parlance", "Extensions of a gateway."));
};

// In session/new and session/load.
struct SessionWish {
  std::optional<std::string> agent{};
  std::optional<std::uint64_t> after{};
  static constexpr auto wire =
      fields(field<&SessionWish::agent>("agent", "With session/new: name of the agent."),
             field<&SessionWish::after>("after", "With session/load: send only updates after this position."));
};
struct SessionWishMeta {
  std::optional<SessionWish> parlance{};
  static constexpr auto wire =
      fields(field<&SessionWishMeta::parlance>("parlance", "Extensions of a request to a gateway or runner."));
};

// In session/update, and in the answers to session/new, /load and /resume.
struct Position {
  std::uint64_t position = 0;
  static constexpr auto wire =
      fields(field<&Position::position>("position", "Number of the last event that was sent completely."));
};
struct PositionMeta {
  std::optional<Position> parlance{};
  static constexpr auto wire = fields(field<&PositionMeta::parlance>("parlance", "Extensions of an update from a gateway."));
};

// In an entry of session/list.
struct SessionWord {
  std::string agent{};
  static constexpr auto wire =
      fields(field<&SessionWord::agent>("agent", "Name of the agent that answers in the session.").or_default());
};
struct SessionWordMeta {
  std::optional<SessionWord> parlance{};
  static constexpr auto wire = fields(field<&SessionWordMeta::parlance>("parlance", "Extensions of a session from a gateway."));
};

}  // namespace parlance::acp
