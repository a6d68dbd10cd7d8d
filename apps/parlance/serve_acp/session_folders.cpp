// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/serve_acp/session_folders.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "apps/parlance/config/mcp_servers.h"
#include "apps/parlance/run/editor_server.h"
#include "apps/parlance/run/make_agent.h"
#include "apps/parlance/serve_acp/client_files.h"
#include "apps/parlance/serve_acp/session_marks.h"
#include "parlance/base/log.h"
#include "parlance/base/secret.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/store/hub/hub_fork.h"
#include "parlance/store/hub/hub_sqlite.h"
#include "parlance/toolbox/agent_workspace.h"

namespace parlance::app {
namespace {

namespace fs = std::filesystem;

constexpr auto empty_session_kept = std::chrono::hours(24);  // clients load a session within seconds

// Ids come from clients, and become names of folders.
bool is_id(std::string_view id) {
  return !id.empty() && id.size() <= 100 && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::unexpected<Error> no_session(const std::string& id) { return fail(Errc::not_found, "Resource not found: " + id); }

std::string tool_prefix(std::string name) {
  for (char& c : name)
    if (!is_id({&c, 1})) c = '_';
  return name.empty() ? "server" : name;
}

std::vector<std::pair<std::string, std::string>> pairs(const std::optional<std::vector<acp::NameValue>>& from) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const acp::NameValue& pair : from.value_or(std::vector<acp::NameValue>{})) all.emplace_back(pair.name, pair.value);
  return all;
}

toolbox::McpServerSettings to_settings(const acp::McpServer& from) {
  toolbox::McpServerSettings server{.name = tool_prefix(from.name)};
  if (from.url) {
    server.url = *from.url;
    if (from.type == "sse") server.way = mcp::HttpWay::sse;
    server.headers = pairs(from.headers);
    return server;
  }
  server.command.push_back(from.command.value_or(""));
  for (const std::string& word : from.args.value_or(std::vector<std::string>{})) server.command.push_back(word);
  server.environment = pairs(from.env);
  return server;
}

std::vector<hub::Rule> denying(const std::vector<std::string>& tools) {
  std::vector<hub::Rule> rules;
  for (const std::string& tool : tools)
    rules.push_back({.id = "disallowed:" + tool,
                     .effect = hub::Effect::deny,
                     .label = "The client of this session does not allow " + tool,
                     .tool = tool});
  return rules;
}

// The sessions in the folders; an unreadable folder is not a session.
std::vector<acp::SessionInfo> read_all(const std::string& root) {
  std::vector<acp::SessionInfo> all;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root, none)) {
    const std::string id = entry.path().filename().string();
    if (!is_id(id)) continue;
    if (const auto newest = store::newest_conversation(entry.path().string()); newest && *newest && (*newest)->last_seq != 0)
      all.push_back(face::acp_session_info(id, **newest));
  }
  return all;
}

}  // namespace

// In an order that permits destruction from the last.
struct SessionFolders::Room {
  Room(Loop& loop, std::string state, bool asks_everything, const std::vector<std::string>& disallowed_tools)
      : folder(std::move(state)),
        store(loop, folder),
        hub(loop, store,
            {.rules = denying(disallowed_tools),
             .workspace = toolbox::agent_workspaces(loop),
             .asks_everything = asks_everything}),
        opened(loop) {}
  std::string id{};
  std::string folder;
  std::vector<std::string> servers{};  // of the opening client, with the client's names
  ClientFiles files{};                 // of the current clients
  AgentHome home{};                    // destroyed after the hub, because the hub holds its provider
  store::HubSqlite store;
  hub::Hub hub;
  face::AcpSessionPtr session{};  // null: opening, or failed
  bool opening = false;
  Signal opened;  // or not
};

SessionFolders::SessionFolders(Loop& loop, const Settings& settings, SessionFoldersSettings own)
    : loop_(loop), settings_(settings), own_(std::move(own)), end_(loop), worker_(loop, "acp-sessions") {}

SessionFolders::~SessionFolders() = default;

// The agent starts with the first session. Later the agent reports its supported attachments; our own agents support all
// pictures.
hub::AgentInfo SessionFolders::agent() const { return {.id = own_.agent, .name = own_.agent}; }

Result<std::shared_ptr<SessionFolders::Room>> SessionFolders::make_room(const std::string& id, const std::string& agent,
                                                                        std::vector<acp::McpServer> servers,
                                                                        const std::vector<std::string>& disallowed_tools) {
  if (own_.offered && std::ranges::find(*own_.offered, agent) == own_.offered->end())
    return fail(Errc::invalid_params, "this runner does not offer the agent " + agent);
  if (own_.offered) servers.clear();
  auto room = std::make_shared<Room>(loop_, folder_of(id), own_.offered.has_value(), disallowed_tools);
  room->id = id;
  room->servers = face::names_of(servers);
  for (const acp::McpServer& server : servers) room->home.client_servers.push_back(to_settings(server));
  PARLANCE_TRY_DO(offer_near_editor(settings_, room->home));
  PARLANCE_TRY(provider, make_agent(loop_, settings_, agent, own_.command, room->home));
  room->hub.add_agent(std::move(provider));
  if (room->home.tools) room->home.tools->use(room->files);
  if (room->home.mcp_tools) {
    PARLANCE_TRY(configured, mcp_servers(settings_));
    // A client's server replaces a configured server with the same name.
    std::erase_if(configured, [&](const toolbox::McpServerSettings& server) {
      return std::ranges::find(room->home.client_servers, server.name, &toolbox::McpServerSettings::name) !=
             room->home.client_servers.end();
    });
    for (toolbox::McpServerSettings& server : configured) room->home.mcp_tools->add(std::move(server));
    for (const toolbox::McpServerSettings& client_server : room->home.client_servers) room->home.mcp_tools->add(client_server);
  }
  return room;
}

// Keeps sessions that a caller on the stack still uses.
void SessionFolders::forget_ended() {
  std::erase_if(ended_, [](const auto& session) { return !session->session || session->session.use_count() == 1; });
}

Task<Result<face::AcpSessionPtr>> SessionFolders::create(face::AcpSessionRequest request) {
  forget_ended();
  const std::string id = make_id("session_");
  const std::string agent = request.agent.empty() ? own_.agent : request.agent;
  PARLANCE_CO_TRY(room, make_room(id, agent, std::move(request.servers), request.disallowed_tools));
  PARLANCE_CO_TRY_DO(co_await room->hub.start());
  PARLANCE_CO_TRY(made, co_await room->hub.create({.agent = agent,
                                                   .folder = std::move(request.folder),
                                                   .folders = std::move(request.folders),
                                                   .mode = request.mode.value_or(hub::Mode::default_)}));
  room->session = std::make_shared<face::AcpSession>(face::AcpSession{.id = id,
                                                                      .hub = room->hub,
                                                                      .conversation = made.id,
                                                                      .servers = room->servers,
                                                                      .disallowed_tools = std::move(request.disallowed_tools)});
  room->files.of(room->session);
  open_[id] = room;
  if (!own_.gateway.empty())
    co_await worker_.run([folder = room->folder, gateway = own_.gateway] { mark_session(folder, gateway); });
  co_return room->session;
}

Task<Result<face::AcpSessionPtr>> SessionFolders::open(std::string id, face::AcpSessionRequest request) {
  while (ending_.contains(id)) co_await end_.wait();
  if (!open_.contains(id)) {
    forget_ended();
    if (!is_id(id)) co_return no_session(id);
    const auto known = co_await worker_.run([folder = folder_of(id)] { return store::newest_conversation(folder); });
    if (!known || !*known) co_return no_session(id);
    if (own_.find_folder) {
      std::vector<std::string> folders = (*known)->folders;
      folders.push_back((*known)->folder);
      for (std::string& folder : folders) PARLANCE_CO_TRY_DO(co_await own_.find_folder(std::move(folder)));
    }
    if (!open_.contains(id)) PARLANCE_CO_TRY_DO(co_await open_room(id, (*known)->agent, request));  // nor meanwhile
  }
  const auto found = open_.find(id);
  if (found == open_.end()) co_return no_session(id);
  const std::shared_ptr<Room> room = found->second;
  while (room->opening) co_await room->opened.wait();
  if (!room->session) co_return no_session(id);
  if (request.mode)
    PARLANCE_CO_TRY_DO(co_await room->hub.submit(room->session->conversation, hub::ChangeSettings{{.mode = request.mode}}));
  co_return room->session;
}

Task<Result<void>> SessionFolders::open_room(std::string id, std::string agent, face::AcpSessionRequest request) {
  PARLANCE_CO_TRY(room, make_room(id, agent, std::move(request.servers), request.disallowed_tools));
  open_[id] = room;
  room->opening = true;
  co_await worker_.run([folder = room->folder] { mark_empty(folder, false); });
  const auto started = co_await room->hub.start();
  room->opening = false;
  const std::vector<hub::Conversation> all = room->hub.snapshot().conversations;
  if (started && !all.empty())
    room->session = std::make_shared<face::AcpSession>(face::AcpSession{.id = id,
                                                                        .hub = room->hub,
                                                                        .conversation = all.front().id,
                                                                        .servers = room->servers,
                                                                        .disallowed_tools = std::move(request.disallowed_tools)});
  else open_.erase(id);
  room->files.of(room->session);
  room->opened.notify_all();
  if (!started) co_return fail(started.error().code, "the session cannot be opened: " + started.error().message);
  if (all.empty()) co_return no_session(id);
  co_return Result<void>{};
}

Task<Result<std::vector<acp::SessionInfo>>> SessionFolders::list(std::optional<std::string> folder) {
  std::vector<acp::SessionInfo> all = co_await worker_.run([root = own_.folder] { return read_all(root); });
  if (folder) std::erase_if(all, [&](const acp::SessionInfo& session_info) { return session_info.cwd != *folder; });
  std::ranges::sort(all, std::greater{},
                    [](const acp::SessionInfo& session_info) { return session_info.updated_at.value_or(""); });
  co_return all;
}

Task<void> SessionFolders::wanted(std::vector<std::string> sessions, bool all) {
  std::erase_if(sessions, [](const std::string& session) { return !is_id(session); });
  std::set<std::string> spared(sessions.begin(), sessions.end());
  for (const auto& [id, room] : open_) spared.insert(id);
  spared.insert(ending_.begin(), ending_.end());
  const bool may_delete = all && own_.kept.count() > 0;
  const std::size_t gone = co_await worker_.run([root = own_.folder, gateway = own_.gateway, sessions = std::move(sessions),
                                                 may_delete, spared = std::move(spared), kept = own_.kept] {
    for (const std::string& session : sessions) mark_session(root + "/" + session, gateway);
    return may_delete ? remove_unwanted(root, gateway, spared, wall_now() - kept) : 0;
  });
  if (gone != 0)
    log(LogLevel::info, "sessions that the gateway no longer needs are deleted", {{"sessions", std::to_string(gone)}});
}

Task<Result<void>> SessionFolders::remove(std::string id) {
  if (!is_id(id)) co_return no_session(id);
  while (ending_.contains(id)) co_await end_.wait();
  if (const auto found = open_.find(id); found != open_.end()) {
    const std::shared_ptr<Room> room = found->second;
    while (room->opening) co_await room->opened.wait();
    if (!room->session) co_return no_session(id);
    // Other clients of the session are informed.
    static_cast<void>(co_await room->hub.submit(room->session->conversation, hub::RemoveConversation{}));
    co_await end_room(room);
  }
  const bool was_there = co_await worker_.run([folder = folder_of(id)] {
    std::error_code error;
    return fs::remove_all(folder, error) > 0 && !error;
  });
  if (!was_there) co_return no_session(id);
  co_return Result<void>{};
}

Task<void> SessionFolders::closed(face::AcpSessionPtr session) {
  if (const auto found = open_.find(session->id); found != open_.end()) co_await end_room(found->second);
}

// A session without a message is kept for a day: clients begin a session in one process and load the session in the next.
Task<void> SessionFolders::end_room(std::shared_ptr<Room> room) {
  struct Ending {
    SessionFolders& all;
    std::string id;
    ~Ending() {
      all.ending_.erase(id);
      all.end_.notify_all();
    }
  };
  open_.erase(room->id);
  ending_.insert(room->id);
  const Ending ending{*this, room->id};
  co_await room->hub.stop_all();
  const auto said = co_await room->hub.history(room->session ? room->session->conversation : "");
  const std::string folder = room->folder;
  ended_.push_back(std::move(room));
  loop_.post([this] { forget_ended(); });  // the caller is still inside the room
  const bool empty = said && said->empty();
  const bool kept = own_.gateway.empty();  // a gateway begins another session
  co_await worker_.run([folder, empty, kept] {
    std::error_code ignored;
    if (empty && !kept) fs::remove_all(folder, ignored);
    else mark_empty(folder, empty);
  });
}

Task<void> SessionFolders::end() {
  while (!open_.empty()) co_await end_room(open_.begin()->second);
  while (!ending_.empty()) co_await end_.wait();
  forget_ended();  // their agents end with them
  co_await worker_.run([root = own_.folder] { remove_empty(root, wall_now() - empty_session_kept); });
}

}  // namespace parlance::app
