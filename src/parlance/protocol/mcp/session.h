// SPDX-License-Identifier: Apache-2.0
// One client of a server: over stdio the connection, over HTTP a session (2025 era) or a single request (2026-07-28). It is the
// peer with the little that MCP remembers of a client. Loop thread only; the server outlives it.
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

// What a session needs of its server. Outlives it.
class SessionHost {
 public:
  virtual const TellAnswered& on_answered() const = 0;  // empty: nobody wants to know
  virtual BytesView state_secret() const = 0;           // signs requestState
  virtual bool strict_arguments() const = 0;
  virtual void joined(Session& session) = 0;
  virtual void left(Session& session) = 0;

 protected:
  ~SessionHost() = default;
};

struct SessionSettings {
  Era era = Era::undecided;                              // over HTTP it is known before
  std::shared_ptr<Route> route{};                        // where frames belong; over HTTP
  std::string version{};                                 // of the legacy era, when the transport knows it
  std::function<void(const RequestId&)> close_stream{};  // ends the answer's stream early; the client comes back for the rest
  std::shared_ptr<RequestLog> log{};                     // the session's own affair: made when its server tells what it answers
};

class Session final : public Peer, public ListHook {
 public:
  Session(Loop& loop, SessionHost& host, std::unique_ptr<Frames> frames, const Router& router, SessionSettings settings = {});
  ~Session();

  // The rules of both eras about a request: reads its `_meta`, decides the era by the first one, refuses what the era does not know.
  enum class Known : std::uint8_t { both, legacy_only, modern_only };
  Result<Meta> admit(const Raw& meta, Known known);
  // `initialize` came: legacy from now on. The version to answer with.
  Result<std::string> begin_legacy(const InitializeParams& parameters);

  Era era() const { return era_; }
  const std::string& version() const { return version_; }
  const ClientCapabilities& client() const { return client_; }
  const Implementation& client_info() const { return client_info_; }
  bool refused_envelope() const { return refused_envelope_; }  // of the last request
  SessionHost& host() const { return host_; }
  RequestLog* log() const { return settings_.log.get(); }  // null: nobody wants to know

  // Sends on behalf of a request (absent: of none).
  template <class P>
  Result<void> notify_for(const RequestId& request, const wire::Notice<P>& notice, const std::type_identity_t<P>& parameters) {
    belongs_to(request);
    return notify(notice, parameters);
  }
  void belongs_to(const RequestId& request) {
    if (settings_.route) settings_.route->belongs_to = request;
  }
  // The client sends nothing any more, though it may still read: what runs until it is told to end would run for ever.
  Signal& input_ended() { return input_ended_; }
  void close_stream(const RequestId& request) {
    if (settings_.close_stream) settings_.close_stream(request);
  }

  bool ready = false;  // legacy: `initialize` was answered, so notifications may go out
  int log_severity = 0;
  std::set<std::string, std::less<>> subscriptions;  // legacy: URIs

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
