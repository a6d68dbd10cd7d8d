// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/chat/gateway_rooms.h"

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/protocol/page/messages.h"

namespace parlance::app {
namespace {

constexpr auto patience_at_the_end = std::chrono::seconds(2);  // for a gateway that may be gone

}  // namespace

std::unique_ptr<Room> GatewayRooms::room(std::string conversation) {
  auto made = std::make_unique<Room>(gateway_->hub());
  made->conversation = std::move(conversation);
  return made;
}

Task<Result<std::unique_ptr<Room>>> GatewayRooms::create(RoomRequest request) {
  PARLANCE_CO_TRY(agent, gateway_->choose(request.agent));
  PARLANCE_CO_TRY(made, co_await begin(gateway_->hub(),
                                       {.agent = agent.id,
                                        .folder = request.folder.empty() ? gateway_->default_folder() : std::move(request.folder),
                                        .folders = std::move(request.more_folders),
                                        .mode = request.mode,
                                        .model = std::move(request.model)},
                                       std::move(request.session)));
  co_return room(made.id);
}

Task<Result<std::unique_ptr<Room>>> GatewayRooms::open(std::string id, std::vector<std::string>) {
  if (const auto found = co_await gateway_->hub().look_for(id); !found && found.error().code == Errc::not_found)
    co_return fail(Errc::not_found, "there is no conversation " + id + " that you may read at " + gateway_->shown() +
                                        ": /resume in a chat lists all");
  else PARLANCE_CO_TRY_DO(found);
  co_return room(std::move(id));
}

Task<Result<std::vector<RoomInfo>>> GatewayRooms::list() {
  std::vector<RoomInfo> all;
  for (hub::Conversation& known : gateway_->hub().list({}).conversations) all.push_back({.id = known.id, .conversation = known});
  co_return all;
}

// A terminal knows the newest conversations only: `list` has those with a match, too.
Task<Result<std::vector<hub::SearchHit>>> GatewayRooms::search(std::string words) {
  PARLANCE_CO_TRY(hits, co_await gateway_->remote().search(std::move(words)));
  for (const hub::SearchHit& hit : hits) static_cast<void>(co_await gateway_->hub().look_for(hit.conversation));
  co_return hits;
}

Task<Result<std::vector<memory::Entry>>> GatewayRooms::memories(std::string words, std::size_t most) {
  driver::RemoteHub& remote = gateway_->remote();
  auto value = words.empty() ? co_await remote.store().request(page::ListMemories{.limit = most})
                             : co_await remote.store().request(page::SearchMemories{.query = std::move(words)});
  PARLANCE_CO_TRY_DO(value);
  std::vector<memory::Entry> entries;
  for (page::Memory& found : value->memories)
    if (entries.size() < most)
      entries.push_back({.id = std::move(found.id), .text = std::move(found.text), .created_at = std::move(found.created_at)});
  co_return entries;
}

Task<Result<void>> GatewayRooms::forget(std::string memory) {
  PARLANCE_CO_TRY_DO(co_await gateway_->remote().store().change(page::ForgetMemory{.id = std::move(memory)}));
  co_return Result<void>{};
}

Task<Result<hub::SpendingReport>> GatewayRooms::spent(hub::Hub&) { return gateway_->remote().spent(""); }

// Without a message it is deleted, because no person would continue an empty conversation.
Task<void> GatewayRooms::close(std::unique_ptr<Room> room) {
  const hub::Conversation* const row = room->hub.find(room->conversation);
  if (row == nullptr || row->last_seq != 0) co_return;
  Loop& loop = room->hub.loop();
  static_cast<void>(co_await with_deadline(loop, loop.now() + patience_at_the_end,
                                           room->hub.submit(room->conversation, hub::RemoveConversation{})));
}

Task<Result<std::string>> GatewayRooms::agents() {
  driver::GatewayStore& store = gateway_->remote().store();
  PARLANCE_CO_TRY_DO(co_await store.request(page::LookForAgents{}));
  std::string names;
  for (const hub::AgentInfo& agent : gateway_->hub().agents()) names += (names.empty() ? "" : ", ") + agent.id;
  const auto setup = co_await store.request(page::GetSetup{});
  if (!setup) co_return names;  // not every gateway has this request
  for (const page::AgentSetup& agent : setup->agents)
    names += "\n  " + agent.name + (agent.installed ? " needs a sign-in: " : " is not installed: ") + agent.command;
  co_return names;
}

}  // namespace parlance::app
