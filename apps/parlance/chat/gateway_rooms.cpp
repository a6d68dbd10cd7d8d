// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/chat/gateway_rooms.h"

#include <algorithm>

#include "parlance/store/hub/hub_memory.h"

namespace parlance::app {

Task<Result<void>> GatewayRooms::ready() {
  PARLANCE_CO_TRY(word, co_await gateway_->ask());
  word_ = std::move(word);
  co_return Result<void>{};
}

Task<Result<std::unique_ptr<Room>>> GatewayRooms::make(std::string agent) {
  auto room = std::make_unique<Room>(loop_, std::make_unique<store::HubMemory>(), hub::HubSettings{.failures_are_shown = true});
  room->hub.add_agent(gateway_->agent(agent));
  PARLANCE_CO_TRY_DO(co_await room->hub.start());
  co_return room;
}

Task<Result<std::unique_ptr<Room>>> GatewayRooms::create(RoomWish wish) {
  PARLANCE_CO_TRY(agent, Gateway::choose(word_, wish.agent));
  PARLANCE_CO_TRY(room, co_await make(agent.id));
  PARLANCE_CO_TRY(made, co_await room->hub.create({.agent = agent.id,
                                                   .folder = wish.folder.empty() ? word_.folder : std::move(wish.folder),
                                                   .mode = wish.mode,
                                                   .model = std::move(wish.model)}));
  room->conversation = made.id;
  co_return room;
}

Task<Result<std::unique_ptr<Room>>> GatewayRooms::open(std::string id, std::vector<std::string>) {
  PARLANCE_CO_TRY(known, co_await list());
  const auto found = std::ranges::find(known, id, &RoomInfo::id);
  if (found == known.end())
    co_return fail(Errc::not_found, "there is no conversation " + id + " that you may read at " + gateway_->shown() +
                                        ": /resume in a chat lists all");
  const hub::Conversation& about = found->conversation;
  PARLANCE_CO_TRY(room, co_await make(about.agent));
  PARLANCE_CO_TRY(taken, co_await room->hub.adopt({.agent = about.agent, .folder = about.folder, .title = about.title}, id));
  room->conversation = taken.id;
  co_return room;
}

Task<Result<std::vector<RoomInfo>>> GatewayRooms::list() {
  PARLANCE_CO_TRY(kept, co_await gateway_->agent("")->sessions(""));
  std::vector<RoomInfo> all;
  for (hub::KeptSession& one : kept)
    all.push_back({.id = one.id,
                   .conversation = {.title = std::move(one.title),
                                    .agent = std::move(one.agent),
                                    .folder = std::move(one.folder),
                                    .updated_at = std::move(one.updated_at)}});
  co_return all;
}

Task<void> GatewayRooms::close(std::unique_ptr<Room> room) { co_await room->hub.stop_all(); }

std::string GatewayRooms::agent_names() const {
  std::string names;
  for (const acp::OfferedAgent& one : word_.agents) names += (names.empty() ? "" : ", ") + one.id;
  return names;
}

}  // namespace parlance::app
