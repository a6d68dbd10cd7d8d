// SPDX-License-Identifier: Apache-2.0
// A client of a server: the connection over stdio, a session over HTTP (2025 era), or a single request (2026-07-28). It is the
// peer with the small state of an MCP client. Loop thread only; the server must outlive it.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "parlance/peer/peer.h"
#include "parlance/protocol/mcp/era.h"
#include "parlance/protocol/mcp/methods.h"
#include "parlance/protocol/mcp/request_log.h"
#include "parlance/protocol/mcp/routing.h"

namespace parlance::mcp {

class Session;

// The server as its sessions see it. Outlives them.
class SessionHost {
 public:
  virtual const OnAnswered& on_answered() const = 0;  // Empty: no log.
  virtual BytesView state_secret() const = 0;         // Signs requestState.
  virtual bool strict_arguments() const = 0;
  virtual void joined(Session& session) = 0;
  virtual void left(Session& session) = 0;

 protected:
  ~SessionHost() = default;
};

struct SessionSettings {
  Era era = Era::undecided;                              // Over HTTP, known before.
  std::shared_ptr<Route> route{};                        // Routes of frames over HTTP.
  std::string version{};                                 // Of the legacy era, if the transport knows it.
  std::function<void(const RequestId&)> close_stream{};  // Ends the answer's stream early; the client reconnects for the rest.
  std::shared_ptr<RequestLog> log{};                     // Private to the session: created if its server logs requests.
};

class Session final : public Peer, public ListHook {
 public:
  Session(Loop& loop, SessionHost& host, std::unique_ptr<Frames> frames, const Router& router, SessionSettings settings = {});
  ~Session();

  // The rules of both eras for a request: reads `_meta`, decides the era by the first request, and refuses members unknown to
  // the era.
  enum class Known : std::uint8_t { both, legacy_only, modern_only };
  Result<Meta> admit(const Raw& meta, Known known);
  // `initialize` arrived: the legacy era applies. Returns the version to answer.
  Result<std::string> begin_legacy(const InitializeParams& parameters);

  Era era() const { return era_; }
  const std::string& version() const { return version_; }
  const ClientCapabilities& client() const { return client_; }
  const Implementation& client_info() const { return client_info_; }
  bool refused_envelope() const { return refused_envelope_; }  // Of the last request.
  SessionHost& host() const { return host_; }
  RequestLog* log() const { return settings_.log.get(); }  // Null: no log.

  // Sends on behalf of a request (absent: of none).
  template <class P>
  Result<void> notify_for(const RequestId& request, const wire::Notice<P>& notice, const std::type_identity_t<P>& parameters) {
    belongs_to(request);
    return notify(notice, parameters);
  }
  void belongs_to(const RequestId& request) {
    if (settings_.route) settings_.route->belongs_to = request;
  }
  // The client ended its input, and may still read: endless work would run on without this.
  Signal& input_ended() { return input_ended_; }
  void close_stream(const RequestId& request) {
    if (settings_.close_stream) settings_.close_stream(request);
  }

  bool ready = false;  // legacy: `initialize` was answered, so notifications are allowed.
  int log_severity = 0;
  std::set<std::string, std::less<>> subscriptions;  // legacy: URIs.

 private:
  static PeerSettings peer_settings(Session& session);
  SessionHost& host_;
  SessionSettings settings_;
  Signal input_ended_;
  Era era_;
  std::string version_;
  ClientCapabilities client_;
  Implementation client_info_;
  bool refused_envelope_ = false;
};

}  // namespace parlance::mcp
