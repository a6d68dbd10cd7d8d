// SPDX-License-Identifier: Apache-2.0
// Conversations of the chat at a gateway: what is said is kept there, and a room here shows it for as long as somebody is in it. Loop thread only.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/parlance/chat/rooms.h"
#include "apps/parlance/remote/gateway.h"

namespace parlance::app {

class GatewayRooms final : public Rooms {
 public:
  GatewayRooms(Loop& loop, std::shared_ptr<Gateway> gateway) : loop_(loop), gateway_(std::move(gateway)) {}

  Task<Result<void>> ready() override;
  Task<Result<std::unique_ptr<Room>>> create(RoomWish wish) override;
  // With all that was said in it. Errors: not_found (also: it is another's), those of connecting.
  Task<Result<std::unique_ptr<Room>>> open(std::string id, std::vector<std::string> command) override;
  Task<Result<std::vector<RoomInfo>>> list() override;
  Task<void> close(std::unique_ptr<Room> room) override;
  std::string agent_names() const override;
  std::string elsewhere() const override { return gateway_->shown(); }

 private:
  Task<Result<std::unique_ptr<Room>>> make(std::string agent);

  Loop& loop_;
  std::shared_ptr<Gateway> gateway_;
  acp::GatewayWord word_;
};

}  // namespace parlance::app
