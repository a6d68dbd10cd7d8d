// SPDX-License-Identifier: Apache-2.0
// Conversations of the chat at a gateway. Pages and other programs may use them at the same time. Loop thread only.
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
  explicit GatewayRooms(std::shared_ptr<Gateway> gateway) : gateway_(std::move(gateway)) {}

  Task<Result<void>> ready() override { return gateway_->start(); }
  Task<Result<std::unique_ptr<Room>>> create(RoomRequest request) override;
  // Errors: not_found (no such conversation that the person may read).
  Task<Result<std::unique_ptr<Room>>> open(std::string id, std::vector<std::string> command) override;
  Task<Result<std::vector<RoomInfo>>> list() override;
  Task<Result<std::vector<hub::SearchHit>>> search(std::string words) override;
  Task<Result<std::vector<memory::Entry>>> memories(std::string words, std::size_t most) override;
  Task<Result<void>> forget(std::string memory) override;
  Task<Result<hub::SpendingReport>> spent(hub::Hub& hub) override;
  Task<void> close(std::unique_ptr<Room> room) override;
  Task<Result<std::string>> agents() override;
  std::string elsewhere() const override { return gateway_->shown(); }

 private:
  std::unique_ptr<Room> room(std::string conversation);

  std::shared_ptr<Gateway> gateway_;
};

}  // namespace parlance::app
