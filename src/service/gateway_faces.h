// The gateway with all its faces: the one place where routes meet what they do. `parlance gateway` makes one, starts it, and drains it.
//
//   GET  /  /assets/*                    the page                      WS   /ws        the page's connection
//   POST /v1/chat/completions            OpenAI clients                WS   /ws/chat   deployed clients
//   GET  /v1/models  /v1/models/NAME     …
//   POST /v1/embeddings                  …
//   GET  /memory/search  /memory/get     POST /memory/store            GET  /storage/stats
//   GET  /memory/list                    DELETE /memory/forget
//   GET  /attachments/ID                 what came with a prompt
//   GET  /health  /metrics               how it goes
//
// Loop thread only. Hub and backends outlive it.
#pragma once

#include <string>

#include "gateway/gateway.h"
#include "hub/hub.h"
#include "service/attachments_over_http.h"
#include "service/chat_backend.h"
#include "service/chat_over_openai.h"
#include "service/chat_over_websocket.h"
#include "service/embeddings_over_gateway.h"
#include "service/hub_over_page.h"
#include "service/memory_over_http.h"

namespace parlance::service {

struct GatewayFacesSettings {
  gateway::GatewaySettings gateway{};
  PageSettings page{};  // its version is also the one of /health
  OpenAiSettings openai{};
  EmbeddingsOverGateway::Address embed_service = [] {
    return Result<std::string>(fail(Errc::disconnected, "there is no embedding service"));
  };
};

class GatewayFaces {
 public:
  GatewayFaces(Loop& loop, hub::Hub& hub, ChatBackend& chat, AgentBackend& agent, GatewayFacesSettings settings);
  ~GatewayFaces();
  GatewayFaces(const GatewayFaces&) = delete;
  GatewayFaces& operator=(const GatewayFaces&) = delete;

  // From now on it answers. Errors: the address is taken or none of ours.
  Result<void> start() { return gateway_.start(); }
  // Pages are told to come back (close code 1001), running answers may end until the deadline.
  Task<void> drain(TimePoint deadline) { return gateway_.drain(deadline); }

  const gateway::Gateway& gateway() const { return gateway_; }  // port, addresses
  const PageServer& pages() const { return pages_; }

 private:
  void add_routes();
  void add_metrics();
  Task<void> health(HttpExchange& exchange);

  hub::Hub& hub_;
  std::string version_;
  TimePoint started_;
  ServedModels models_;
  ChatViaHub chats_;
  ChatOverOpenAi openai_;
  EmbeddingsOverGateway embeddings_;
  MemoryOverHttp memory_;
  AttachmentsOverHttp attachments_;
  gateway::Gateway gateway_;
  // After the gateway, so that they go before it: no WebSocket may outlive its server.
  PageServer pages_;
  ChatOverWebSocket chat_sockets_;
};

}  // namespace parlance::service
