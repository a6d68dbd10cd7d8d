// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/session.h"

namespace parlance::mcp {
namespace {

std::unique_ptr<Dialect> session_dialect(const SessionHost& host, SessionSettings& settings) {
  auto plain = mcp::dialect(settings.route);
  if (!host.on_answered()) return plain;
  settings.log = std::make_shared<RequestLog>(host.on_answered());
  return logged_dialect(std::move(plain), settings.log);
}

}  // namespace

PeerSettings Session::peer_settings(Session& session) {
  // A request to a client waits for a person: it ends with its enclosing request, not after a timeout.
  PeerSettings settings{.call_timeout = std::chrono::milliseconds{0}};
  settings.explain_end = [&session](Error error) -> Task<Error> {
    session.input_ended_.notify_all();
    co_return error;
  };
  return settings;
}

Session::Session(Loop& loop, SessionHost& host, std::unique_ptr<Frames> frames, const Router& router, SessionSettings settings)
    : Peer(loop, std::move(frames), session_dialect(host, settings), router, peer_settings(*this)),
      host_(host),
      settings_(std::move(settings)),
      input_ended_(loop),
      era_(settings_.era),
      version_(settings_.version) {
  host_.joined(*this);
}

// Handlers refer to the members below, so the handlers are destroyed first.
Session::~Session() {
  close();
  host_.left(*this);
}

Result<Meta> Session::admit(const Raw& raw, Known known) {
  refused_envelope_ = false;
  auto meta = read_meta(raw);
  if (!meta) {
    refused_envelope_ = true;
    return meta;
  }
  const bool modern = era_ == Era::modern || (era_ == Era::undecided && (meta->protocol_version || known == Known::modern_only));
  if (modern) {
    if (Result<void> complete = check_envelope(*meta); !complete) {
      refused_envelope_ = true;
      return std::unexpected(std::move(complete).error());
    }
    era_ = Era::modern;
    version_ = modern_version;
    if (known == Known::legacy_only)
      return fail(Errc::unknown_method, "this method is not part of " + std::string(modern_version));
    client_ = *meta->client_capabilities;
    if (meta->client_info) client_info_ = *meta->client_info;
    return meta;
  }
  if (known == Known::modern_only)
    return fail(Errc::unknown_method, "this method is not part of " + (version_.empty() ? "this revision" : version_));
  // A request before `initialize` is served all the same: some clients ping first.
  if (era_ == Era::undecided) {
    era_ = Era::legacy;
    if (version_.empty()) version_ = version_without_header;
  }
  return meta;
}

Result<std::string> Session::begin_legacy(const InitializeParams& parameters) {
  if (era_ == Era::modern) return fail(unsupported_version(parameters.protocol_version));
  era_ = Era::legacy;
  // An unknown revision is not an error: the client decides whether to accept ours.
  version_ = answered_version(parameters.protocol_version);
  client_ = parameters.capabilities;
  client_info_ = parameters.client_info;
  ready = true;
  return version_;
}

}  // namespace parlance::mcp
