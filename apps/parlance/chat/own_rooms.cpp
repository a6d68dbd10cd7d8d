// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/chat/own_rooms.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

#include "apps/parlance/chat/chat_folders.h"
#include "apps/parlance/config/acp_agents.h"
#include "apps/parlance/config/check_settings.h"
#include "apps/parlance/config/mcp_servers.h"
#include "apps/parlance/embedding.h"
#include "apps/parlance/open_memory.h"
#include "parlance/async/cancel.h"
#include "parlance/base/secret.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/in_memory_store.h"
#include "parlance/store/hub/hub_sqlite.h"
#include "parlance/toolbox/agent_workspace.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::app {
namespace {

namespace fs = std::filesystem;

// A server that takes longer brings its tools to a later turn.
constexpr auto longest_start = std::chrono::seconds(20);
constexpr std::string_view conversation_prefix = "conv_";
constexpr double worth_showing = 0.5;  // of a memory that was looked for: a person can judge themselves

// The hub has one conversation, with this id.
hub::HubSettings hub_settings(Loop& loop, hub::Editor* editor, const std::string& conversation) {
  hub::HubSettings settings{
      .workspace = toolbox::agent_workspaces(loop),
      .new_id =
          [conversation](std::string_view prefix) { return prefix == conversation_prefix ? conversation : make_id(prefix); },
      .failures_are_shown = true};
  if (editor != nullptr) settings.editor = [editor](const hub::SessionSetup&) { return editor; };
  return settings;
}

std::unique_ptr<hub::Store> store_in(Loop& loop, const std::string& folder) {
  if (folder.empty()) return std::make_unique<hub::InMemoryStore>(wire_form::event_json);
  return std::make_unique<store::HubSqlite>(loop, folder);
}

}  // namespace

OwnRooms::OwnRooms(Loop& loop, const Settings& settings, hub::Editor* editor, Keep keep)
    : loop_(loop), settings_(settings), editor_(editor), keep_(keep), state_(state_folder(settings)), worker_(loop, "chats") {
  if (editor != nullptr) offered_.emplace(loop, *editor);
}

Result<OwnRooms::OpenMemory> OwnRooms::open_own_memory() const {
  PARLANCE_TRY_DO(keep_state_folder(settings_));
  PARLANCE_TRY(chosen, choose_embedder(loop_, settings_, "embed-url"));
  auto store = open_memory(loop_, settings_, *chosen.embedder);
  return OpenMemory{.embedder = std::move(chosen.embedder), .store = std::move(store)};
}

Task<Result<void>> OwnRooms::ready() { co_return Result<void>{}; }

Task<Result<std::string>> OwnRooms::agents() {
  std::string names = "claude, parlance";
  if (const auto known = acp_agents(settings_))
    for (const ConfiguredAgent& agent : *known) names += ", " + agent.settings.id;
  co_return names;
}

Result<std::unique_ptr<Room>> OwnRooms::make(const std::string& id, const std::string& folder, const std::string& agent,
                                             const std::vector<std::string>& command) {
  auto room = std::make_unique<Room>(loop_, store_in(loop_, folder), hub_settings(loop_, editor_, id));
  room->folder = folder;
  PARLANCE_TRY_DO(offered_ ? offered_->to(settings_, room->home) : offer_near_editor(settings_, room->home));
  PARLANCE_TRY(provider, make_agent(loop_, settings_, agent, command, room->home));
  room->hub.add_agent(std::move(provider));
  if (room->home.mcp_tools) {
    PARLANCE_TRY(servers, mcp_servers(settings_));
    if (!offered_) std::ranges::copy(room->home.client_servers, std::back_inserter(servers));
    for (toolbox::McpServerSettings& server : servers) room->home.mcp_tools->add(std::move(server));
  }
  return room;
}

Task<Result<std::unique_ptr<Room>>> OwnRooms::create(RoomRequest request) {
  if (request.agent.empty()) request.agent = default_agent(settings_);
  const std::string id = make_id(conversation_prefix);
  PARLANCE_CO_TRY(room, make(id, keep_ == Keep::in_folders ? chat_folder(state_, id) : "", request.agent, request.command));
  PARLANCE_CO_TRY_DO(co_await room->hub.start());
  const auto made = co_await begin(room->hub,
                                   {.agent = std::move(request.agent),
                                    .folder = std::move(request.folder),
                                    .folders = std::move(request.more_folders),
                                    .mode = request.mode,
                                    .model = std::move(request.model)},
                                   std::move(request.session));
  if (!made) {
    co_await close(std::move(room));  // deletes the folder
    co_return std::unexpected(made.error());
  }
  room->conversation = made->id;
  if (room->home.mcp_tools)
    static_cast<void>(co_await with_deadline(loop_, loop_.now() + longest_start, room->home.mcp_tools->settled()));
  co_return room;
}

Task<Result<std::unique_ptr<Room>>> OwnRooms::open(std::string id, std::vector<std::string> command) {
  const auto known = co_await worker_.run([state = state_] { return stored_chats(state); });
  const auto found = std::ranges::find_if(
      known, [&](const StoredChat& chat) { return chat.conversation.id == id || chat.folder == chat_folder(state_, id); });
  if (found == known.end()) co_return fail(Errc::not_found, "there is no conversation " + id + ": /resume in a chat lists all");
  if (found->conversation.agent == "acp" && command.empty())
    co_return fail(Errc::invalid_params,
                   "the conversation " + id +
                       " cannot continue without its agent, whose command or address is not stored: give it "
                       "again, with parlance chat --resume " +
                       id + " -- COMMAND");
  const std::string conversation = found->conversation.id;
  const bool is_at_gateway = found->folder == state_;
  const std::string folder = is_at_gateway ? chat_folder(state_, conversation) : found->folder;
  PARLANCE_CO_TRY(room, make(conversation, folder, found->conversation.agent, command));
  const auto opened = [&](Result<void> done) -> Result<void> {
    if (done) return done;
    return std::unexpected(std::move(done).error().in("the conversation " + id + " cannot be opened"));
  };
  if (is_at_gateway)
    PARLANCE_CO_TRY_DO(
        opened(co_await worker_.run([state = state_, conversation] { return take_out_chat(state, conversation); })));
  PARLANCE_CO_TRY_DO(opened(co_await room->hub.start()));
  if (room->hub.find(conversation) == nullptr)
    co_return fail(Errc::not_found, "the conversation " + id + " is at a gateway meanwhile: try again");
  room->conversation = conversation;
  co_return room;
}

Task<Result<std::vector<RoomInfo>>> OwnRooms::list() {
  std::vector<RoomInfo> all;
  for (StoredChat& chat : co_await worker_.run([state = state_] { return stored_chats(state); }))
    all.push_back({.id = chat.conversation.id, .conversation = std::move(chat.conversation)});
  co_return all;
}

Task<Result<std::vector<hub::SearchHit>>> OwnRooms::search(std::string words) {
  co_return co_await worker_.run([state = state_, words = std::move(words)] { return search_chats(state, words); });
}

Task<Result<std::vector<memory::Entry>>> OwnRooms::memories(std::string words, std::size_t most) {
  PARLANCE_CO_TRY(memory, open_own_memory());
  if (words.empty()) {
    PARLANCE_CO_TRY(page, co_await memory.store->list("", {.limit = most}));
    co_return std::move(page.entries);
  }
  PARLANCE_CO_TRY(hits, co_await memory.store->search("", {.text = std::move(words), .limit = most, .min_score = worth_showing}));
  std::vector<memory::Entry> entries;
  for (memory::Hit& hit : hits) entries.push_back(std::move(hit.entry));
  co_return entries;
}

Task<Result<void>> OwnRooms::forget(std::string memory) {
  PARLANCE_CO_TRY(own, open_own_memory());
  PARLANCE_CO_TRY(deleted, co_await own.store->forget("", {.id = memory}));
  if (deleted == 0) co_return fail(Errc::not_found, "there is no memory " + memory + ": /memory lists the newest");
  co_return Result<void>{};
}

// Each chat has a hub of its own, which knows the use of its conversation only.
Task<Result<hub::SpendingReport>> OwnRooms::spent(hub::Hub& hub) {
  PARLANCE_CO_TRY(report, co_await hub.spent(""));
  PARLANCE_CO_TRY(all, co_await worker_.run([state = state_] { return usage_of_all(state, ""); }));
  report.rows = std::move(all.spent);
  co_return report;
}

Task<void> OwnRooms::close(std::unique_ptr<Room> room) {
  co_await room->hub.stop_all();
  const hub::Conversation* const row = room->hub.find(room->conversation);
  const bool empty = row == nullptr || row->last_seq == 0;
  const std::string folder = room->folder;
  room.reset();
  if (!empty || folder.empty()) co_return;
  co_await worker_.run([folder] {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  });
}

}  // namespace parlance::app
