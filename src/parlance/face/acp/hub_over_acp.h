// SPDX-License-Identifier: Apache-2.0
// The hub for clients that speak ACP: any of its agents is an ACP agent to them. Each connection has its own capabilities and may be in any
// number of sessions (sessions.h says where they live); attachment.h is one client in one session. Loop thread only; loop, sessions and
// what they stand on outlive it.
//
//   HubSessions sessions(hub);
//   AcpFace face(loop, sessions, {.version = "1.2"});
//   co_await face.serve(framed_stream(loop, stdio, line_framing()));
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "parlance/async/scope.h"
#include "parlance/face/acp/extension.h"
#include "parlance/face/acp/sessions.h"
#include "parlance/protocol/acp/version.h"
#include "parlance/transport/frames.h"
#include "parlance/workspace/folder_check.h"

namespace parlance::face {

struct AcpFaceSettings {
  std::string version{};
  std::string home{};
  std::string folder{};  // where new conversations work, for programs that name none; empty: they have to
  // No page stands beside it: what a client cannot be asked is refused (client.h).
  bool alone = true;
  // A folder that a client names for an agent ("": the first), as an absolute path that is there; empty: looks at the disk
  // (workspace/folder_check.h).
  std::function<Task<Result<std::string>>(std::string agent, std::string folder)> check_folder{};
};

class AcpFace {
 public:
  AcpFace(Loop& loop, AcpSessions& sessions, AcpFaceSettings settings);
  ~AcpFace();

  // To the end of the connection; the answers that are under way leave first.
  Task<void> serve(std::unique_ptr<Frames> frames, acp::Flavour flavour = acp::Flavour::standard);
  // … in sessions of their own, which are those of the client's user.
  Task<void> serve(std::unique_ptr<Frames> frames, std::shared_ptr<AcpSessions> sessions,
                   acp::Flavour flavour = acp::Flavour::standard);
  // … and says how it ended. `extension`: what is said there beside ACP, or null; it outlives the connection.
  Task<Error> serve(std::unique_ptr<Frames> frames, acp::Flavour flavour, AcpExtension* extension);
  // Clients will say no more: what they began is stopped, and answered so.
  void cancel_all();

  std::size_t connections() const { return connections_.size(); }

 private:
  class Connection;
  Loop& loop_;
  AcpSessions& sessions_;
  AcpFaceSettings settings_;
  workspace::FolderCheck folders_;
  std::set<Connection*> connections_;
};

}  // namespace parlance::face
