// SPDX-License-Identifier: Apache-2.0
// The sessions of serve-claude: a store for each, so that any number of hosts may start parlance simultaneously.
#pragma once

#include <string>

#include "parlance/base/result.h"

namespace parlance::app {

// The session requested by a host's flags.
struct ClaudeSessionRequest {
  std::string resume{};      // a session, by its id
  bool continues = false;    // … or the newest of `folder`, if any
  std::string folder{};      // where we were started
  bool fork = false;         // as a separate session; the old session stays unchanged
  std::string resume_at{};   // only the messages up to the message with this uuid
  std::string session_id{};  // name of a new session; empty: any
};

struct ClaudeSession {
  std::string id{};
  std::string state{};   // its folder
  bool resumed = false;  // or forked: with messages
  // For an agent with its own sessions: the message to resume at. Our own log stays complete.
  std::string agent_resumes_at{};
};

// A session whose conversation is at a gateway: its folder has the file `conversation` with the id. Errors: as below; invalid_params
// for a fork or a part of a session, which a gateway does not make.
struct GatewaySession {
  ClaudeSession session{};
  std::string conversation{};  // empty: a new session
};
Result<GatewaySession> find_gateway_session(const std::string& sessions_folder, const ClaudeSessionRequest& request);
Result<void> keep_gateway_session(const ClaudeSession& session, const std::string& conversation, const std::string& folder);

// Errors: invalid_params, not_found ("No conversation found with session ID: …"), failed (in use by another program).
Result<ClaudeSession> find_claude_session(const std::string& sessions_folder, const ClaudeSessionRequest& request);

}  // namespace parlance::app
