// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/serve_claude/claude_sessions.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "parlance/face/claude/lines.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/store/hub/hub_fork.h"
#include "parlance/transport/private_file.h"

namespace parlance::app {
namespace {

namespace fs = std::filesystem;

bool is_uuid(std::string_view text) {
  return text.size() == 36 && text.find_first_not_of("0123456789abcdefABCDEF-") == text.npos;
}

std::unexpected<Error> unknown_session(const std::string& id) {
  return fail(Errc::not_found, "No conversation found with session ID: " + id);
}

// The time of the last write.
fs::file_time_type changed(const fs::path& session) {
  fs::file_time_type newest = fs::file_time_type::min();
  for (const char* file : {"hub.db", "hub.db-wal", "conversation"}) {
    std::error_code missing;
    const auto time = fs::last_write_time(session / file, missing);
    if (!missing) newest = std::max(newest, time);
  }
  return newest;
}

// The folder of the session's conversation; empty: no conversation.
std::string folder_of(const fs::path& session) {
  const auto conversation = store::newest_conversation(session.string());
  return conversation && *conversation ? (*conversation)->folder : "";
}

// The conversation at a gateway and its folder, a line each. Version 0.2.0 kept a store, whose conversation names the gateway's.
std::optional<std::pair<std::string, std::string>> kept_in(const fs::path& session) {
  std::ifstream file(session / "conversation");
  std::string conversation;
  std::string folder;
  if (std::getline(file, conversation) && std::getline(file, folder) && !conversation.empty())
    return std::pair(std::move(conversation), std::move(folder));
  const auto old = store::newest_conversation(session.string());
  if (!old || !*old || (*old)->agent_session.empty()) return std::nullopt;
  return std::pair((*old)->agent_session.id, (*old)->folder);
}

// The session in this folder with the newest change; no value: none.
std::optional<std::string> newest_in(const std::string& sessions_folder, const std::string& folder,
                                     std::string (*folder_of_session)(const fs::path& session)) {
  std::vector<std::pair<fs::file_time_type, fs::path>> sessions;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(sessions_folder, none))
    if (is_uuid(entry.path().filename().string())) sessions.emplace_back(changed(entry.path()), entry.path());
  std::ranges::sort(sessions, std::greater{}, &std::pair<fs::file_time_type, fs::path>::first);
  for (const auto& [time, path] : sessions)
    if (folder_of_session(path) == folder) return path.filename().string();
  return std::nullopt;
}

// The number of the event with the message of this uuid.
Result<std::uint64_t> event_of(const hub::Conversation& conversation, const std::string& uuid) {
  for (std::uint64_t seq = conversation.last_seq; seq > 0; --seq)
    if (face::message_uuid(conversation.id, seq) == uuid) return seq;
  return fail(Errc::not_found, "No message found with message.uuid of: " + uuid);
}

}  // namespace

Result<GatewaySession> find_gateway_session(const std::string& sessions_folder, const ClaudeSessionRequest& request) {
  if (request.fork || !request.resume_at.empty())
    return fail(Errc::invalid_params,
                "--fork-session and --resume-session-at need a session of this machine: omit the flag, or --to");
  const auto folder_there = [](const fs::path& session) {
    const auto kept = kept_in(session);
    return kept ? kept->second : std::string();
  };
  std::string old = request.resume;
  if (old.empty() && request.continues) old = newest_in(sessions_folder, request.folder, folder_there).value_or("");
  const std::string id = !old.empty() ? old : request.session_id.empty() ? face::make_uuid() : request.session_id;
  if (!is_uuid(id))
    return old.empty() ? fail(Errc::invalid_params, "Invalid session ID. Must be a valid UUID: " + id) : unknown_session(id);
  GatewaySession found{.session = {.id = id, .state = sessions_folder + "/" + id, .resumed = !old.empty()}};
  const auto kept = kept_in(found.session.state);
  if (old.empty() && kept) return fail(Errc::invalid_params, "Session ID " + id + " is already in use.");
  if (!old.empty() && !kept) return unknown_session(id);
  if (kept) found.conversation = kept->first;
  return found;
}

Result<void> keep_gateway_session(const ClaudeSession& session, const std::string& conversation, const std::string& folder) {
  PARLANCE_TRY_DO(keep_private_folder(session.state));
  std::ofstream file(fs::path(session.state) / "conversation");
  file << conversation << '\n' << folder << '\n';
  file.close();
  if (!file) return fail(Errc::failed, "the session cannot be kept in " + session.state + ": check its permissions and the disk");
  return {};
}

Result<ClaudeSession> find_claude_session(const std::string& sessions_folder, const ClaudeSessionRequest& request) {
  const auto in = [&](const std::string& id) { return ClaudeSession{.id = id, .state = sessions_folder + "/" + id}; };
  std::string old = request.resume;
  if (old.empty() && request.continues) old = newest_in(sessions_folder, request.folder, folder_of).value_or("");
  if (!request.resume_at.empty() && request.resume.empty())
    return fail(Errc::invalid_params, "--resume-session-at requires --resume");
  if (!old.empty() && !request.session_id.empty() && !request.fork)
    return fail(Errc::invalid_params,
                "--session-id can only be used with --continue or --resume if --fork-session is also specified.");
  const std::string fresh = request.session_id.empty() ? face::make_uuid() : request.session_id;
  if (!is_uuid(fresh)) return fail(Errc::invalid_params, "Invalid session ID. Must be a valid UUID: " + fresh);
  if (fs::exists(in(fresh).state + "/hub.db")) return fail(Errc::invalid_params, "Session ID " + fresh + " is already in use.");
  if (old.empty()) return in(fresh);

  if (!is_uuid(old) || !fs::exists(in(old).state + "/hub.db")) return unknown_session(old);
  std::uint64_t last = 0;
  ClaudeSession session = in(request.fork ? fresh : old);
  session.resumed = true;
  if (!request.resume_at.empty()) {
    PARLANCE_TRY(conversation, store::newest_conversation(in(old).state));
    if (conversation && !conversation->agent_session.empty()) {  // the agent named its messages
      session.agent_resumes_at = request.resume_at;
    } else {
      PARLANCE_TRY(event, event_of(conversation.value_or(hub::Conversation{}), request.resume_at));
      last = event;
    }
  }
  if (request.fork) PARLANCE_TRY_DO(store::fork_hub(in(old).state, session.state, last));
  else if (last != 0) PARLANCE_TRY_DO(store::rewind_hub(session.state, last));
  return session;
}

}  // namespace parlance::app
