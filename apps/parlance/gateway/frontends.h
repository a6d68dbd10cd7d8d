// SPDX-License-Identifier: Apache-2.0
// The gateway with all its frontends. Only this class connects routes with handlers. `parlance gateway` creates, starts and drains
// the object.
//
//   `GET / /assets/* /sw.js`      The page. `WS /ws`: the page's connection.
//   `POST /v1/chat/completions`   OpenAI clients. `WS /ws/chat`: deployed clients.
//   `GET /v1/models[/NAME]`       Models for OpenAI clients.
//   `POST /v1/embeddings`         Embeddings for OpenAI clients.
//   `GET /memory/…`               Memory: search, get, list. `POST /memory/store`, `DELETE /memory/forget`: changes.
//   `GET /storage/stats`          Statistics of the memory.
//   `GET /attachments/ID`         Attachments of a prompt.
//   `GET /databases`              Databases to choose from. `WS /sqlite`: a connection to one of them.
//   `GET /doctor`                 The results of `parlance doctor`.
//   `WS POST GET DELETE /acp`     Editors with the Agent Client Protocol.
//   `WS /webview`                 Webviews written for the extension of iFlow.
//   `WS /runner`                  Machines that offer their agents.
//   `GET /health /metrics`        The state. `GET /ready`: the state for load balancers.
//
// Loop thread only. Hub and backends outlive this object.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "apps/parlance/gateway/doctor_over_http.h"
#include "apps/parlance/gateway/shared_state.h"
#include "parlance/agent/backend.h"
#include "parlance/driver/acp/runners.h"
#include "parlance/face/acp/acp_over_http.h"
#include "parlance/face/acp/hub_over_acp.h"
#include "parlance/face/acp/hub_sessions.h"
#include "parlance/face/memory/memory_over_http.h"
#include "parlance/face/openai/chat_over_openai.h"
#include "parlance/face/openai/chat_over_websocket.h"
#include "parlance/face/openai/embeddings_over_gateway.h"
#include "parlance/face/page/attachments_over_http.h"
#include "parlance/face/page/hub_over_page.h"
#include "parlance/face/push/hub_over_push.h"
#include "parlance/face/webview/hub_over_webview.h"
#include "parlance/gateway/gateway.h"
#include "parlance/hub/user_hub.h"
#include "parlance/server/database/database_views.h"

namespace parlance::app {

struct GatewayFrontendsSettings {
  gateway::GatewaySettings gateway{};
  face::PageSettings page{};  // /health reports the same version, and webviews use the same home and folder
  adapter::Language language = adapter::Language::english;  // of messages to agents in a person's place
  std::string default_agent{};                              // of conversations from webviews; empty: face/webview/settings.h
  face::OpenAiSettings openai{};
  push::Sender* push_sender = nullptr;        // notifies the browsers of page.push.subscriptions; null: no notifications
  server::DatabaseViewsSettings databases{};  // folders: of the conversations
  DoctorSettings doctor{};
  std::function<SharedState()> shared{};  // the state among gateways of the same database; empty: no other gateways
  face::EmbeddingsOverGateway::Address embed_service = [] {
    return Result<std::string>(fail(Errc::disconnected, "there is no embedding service"));
  };
};

class GatewayFrontends {
 public:
  GatewayFrontends(Loop& loop, hub::Hub& hub, agent::ChatBackend& chat, agent::AgentBackend& agent,
                   GatewayFrontendsSettings settings);
  ~GatewayFrontends();
  GatewayFrontends(const GatewayFrontends&) = delete;
  GatewayFrontends& operator=(const GatewayFrontends&) = delete;

  // Answers from now on. Errors: the address is taken or foreign.
  Result<void> start();
  // Load balancers send no further clients.
  void refuse_new() { draining_ = true; }
  // Pages are asked to reconnect (close code 1001), running answers may end until the deadline.
  Task<void> drain(TimePoint deadline) {
    draining_ = true;
    return gateway_.drain(deadline);
  }

  const gateway::Gateway& gateway() const { return gateway_; }  // port, addresses

  // Users and tokens have changed (hub::HubSettings::team_changed).
  void set_team(const hub::TeamPtr& team);
  const face::PageServer& pages() const { return pages_; }
  driver::Runners& runners() { return runners_; }

 private:
  void add_routes();
  void add_machine_routes(gateway::Routes& routes);
  void add_left_out(gateway::Routes& routes);
  void add_memory_routes(gateway::Routes& routes);
  hub::UserHub hub_of(hub::CallerPtr caller) { return {hub_, std::move(caller)}; }
  std::shared_ptr<face::AcpSessions> acp_sessions_of(const hub::CallerPtr& caller);
  face::OpenAiSettings with_pages(face::OpenAiSettings settings);
  void update_notifiers();
  void add_metrics();
  Task<void> health(HttpExchange& exchange, hub::CallerPtr caller);

  Loop& loop_;
  hub::Hub& hub_;
  std::string version_;
  std::function<SharedState()> shared_;
  TimePoint started_;
  bool draining_ = false;
  // By the whole caller: a user with another role or token has other sessions.
  std::vector<std::pair<hub::Caller, std::weak_ptr<face::AcpSessions>>> acp_sessions_;
  face::ServedModels models_;
  face::ChatViaHub chats_;
  face::ChatOverOpenAi openai_;
  face::EmbeddingsOverGateway embeddings_;
  face::MemoryOverHttp memory_;
  face::AttachmentsOverHttp attachments_;
  DoctorOverHttp doctor_;
  gateway::Gateway gateway_;
  // Declared after the gateway and so destroyed first: no WebSocket may outlive its server.
  face::PageServer pages_;
  face::WebviewServer webviews_;
  face::ChatOverWebSocket chat_sockets_;
  face::HubSessions own_sessions_;  // of the person of this machine
  face::AcpFrontend acp_;
  face::AcpOverHttp acp_http_;
  push::Subscriptions* subscriptions_;  // null: no notifications
  push::Sender* sender_;
  driver::Runners runners_;
  server::DatabaseViews databases_;
  std::map<std::string, face::PushNotifier, std::less<>> notifiers_;  // of users
};

}  // namespace parlance::app
