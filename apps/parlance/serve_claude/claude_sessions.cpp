// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/serve_claude/claude_sessions.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "parlance/face/claude/lines.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/store/hub/hub_fork.h"

namespace parlance::app {
namespace {

namespace fs = std::filesystem;

bool is_uuid(std::string_view text) {
  return text.size() == 36 && text.find_first_not_of("0123456789abcdefABCDEF-") == text.npos;
}

std::unexpected<Error> unknown_session(const std::string& id) {
  return fail(Errc::not_found, "No conversation found with session ID: " + id);
}

// When something was last written into it.
fs::file_time_type changed(const fs::path& session) {
  fs::file_time_type newest = fs::file_time_type::min();
  for (const char* file : {"hub.db", "hub.db-wal"}) {
    std::error_code missing;
    const auto time = fs::last_write_time(session / file, missing);
    if (!missing) newest = std::max(newest, time);
  }
  return newest;
}

// The session that spoke last in this folder; nothing when none did.
std::optional<std::string> newest_in(const std::string& sessions_folder, const std::string& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> sessions;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(sessions_folder, none))
    if (is_uuid(entry.path().filename().string())) sessions.emplace_back(changed(entry.path()), entry.path());
  std::ranges::sort(sessions, std::greater{}, &std::pair<fs::file_time_type, fs::path>::first);
  for (const auto& [time, path] : sessions)
    if (const auto conversation = store::newest_conversation(path.string());
        conversation && *conversation && (*conversation)->folder == folder)
      return path.filename().string();
  return std::nullopt;
}

// Which event the message of this uuid told.
Result<std::uint64_t> event_of(const hub::Conversation& conversation, const std::string& uuid) {
  for (std::uint64_t seq = conversation.last_seq; seq > 0; --seq)
    if (face::message_uuid(conversation.id, seq) == uuid) return seq;
  return fail(Errc::not_found, "No message found with message.uuid of: " + uuid);
}

}  // namespace

Result<ClaudeSession> find_claude_session(const std::string& sessions_folder, const ClaudeSessionWish& wish) {
  const auto in = [&](const std::string& id) { return ClaudeSession{.id = id, .state = sessions_folder + "/" + id}; };
  std::string old = wish.resume;
  if (old.empty() && wish.go_on) old = newest_in(sessions_folder, wish.folder).value_or("");
  if (!wish.resume_at.empty() && wish.resume.empty()) return fail(Errc::invalid_params, "--resume-session-at requires --resume");
  if (!old.empty() && !wish.session_id.empty() && !wish.fork)
    return fail(Errc::invalid_params,
                "--session-id can only be used with --continue or --resume if --fork-session is also specified.");
  const std::string fresh = wish.session_id.empty() ? face::make_uuid() : wish.session_id;
  if (!is_uuid(fresh)) return fail(Errc::invalid_params, "Invalid session ID. Must be a valid UUID: " + fresh);
  if (fs::exists(in(fresh).state + "/hub.db")) return fail(Errc::invalid_params, "Session ID " + fresh + " is already in use.");
  if (old.empty()) return in(fresh);

  if (!is_uuid(old) || !fs::exists(in(old).state + "/hub.db")) return unknown_session(old);
  std::uint64_t last = 0;
  ClaudeSession session = in(wish.fork ? fresh : old);
  session.resumed = true;
  if (!wish.resume_at.empty()) {
    PARLANCE_TRY(conversation, store::newest_conversation(in(old).state));
    if (conversation && !conversation->native_session.empty()) {  // its messages have the names that the agent gave them
      session.agent_resumes_at = wish.resume_at;
    } else {
      PARLANCE_TRY(event, event_of(conversation.value_or(hub::Conversation{}), wish.resume_at));
      last = event;
    }
  }
  if (wish.fork) PARLANCE_TRY_DO(store::fork_hub(in(old).state, session.state, last));
  else if (last != 0) PARLANCE_TRY_DO(store::rewind_hub(session.state, last));
  return session;
}

}  // namespace parlance::app
