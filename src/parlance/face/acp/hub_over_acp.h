// SPDX-License-Identifier: Apache-2.0
// Offers the hub's agents to ACP clients. Each connection has its own capabilities and any number of sessions (sessions.h defines
// their storage); attachment.h is a client in a session. Loop thread only; loop, sessions and their dependencies must outlive the
// frontend.
//
//   HubSessions sessions(hub);
//   AcpFrontend frontend(loop, sessions, {.version = "1.2"});
//   co_await frontend.serve(framed_stream(loop, stdio, line_framing()));
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

struct AcpFrontendSettings {
  std::string version{};
  std::string home{};
  std::string folder{};  // folder of new conversations without a named folder; empty: clients must name a folder
  // No page exists beside the client: requests without support of the client are refused (client.h).
  bool alone = true;
  // Checks a client's folder for an agent ("": the first) and returns its absolute path; empty: checks the disk
  // (workspace/folder_check.h).
  std::function<Task<Result<std::string>>(std::string agent, std::string folder)> check_folder{};
};

class AcpFrontend {
 public:
  AcpFrontend(Loop& loop, AcpSessions& sessions, AcpFrontendSettings settings);
  ~AcpFrontend();

  // Serves until the end of the connection; pending answers leave first.
  Task<void> serve(std::unique_ptr<Frames> frames, acp::Flavour flavour = acp::Flavour::standard);
  // … with separate sessions, those of the client's user.
  Task<void> serve(std::unique_ptr<Frames> frames, std::shared_ptr<AcpSessions> sessions,
                   acp::Flavour flavour = acp::Flavour::standard);
  // … and returns the reason for the end. `extension`: further messages beside ACP, or null; must outlive the connection.
  Task<Error> serve(std::unique_ptr<Frames> frames, acp::Flavour flavour, AcpExtension* extension);
  // Clients send no further input: stops their turns and answers their prompts with cancelled.
  void cancel_all();

  std::size_t connections() const { return connections_.size(); }

 private:
  class Connection;
  Loop& loop_;
  AcpSessions& sessions_;
  AcpFrontendSettings settings_;
  workspace::FolderCheck folders_;
  std::set<Connection*> connections_;
};

}  // namespace parlance::face
