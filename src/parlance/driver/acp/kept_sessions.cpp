// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/kept_sessions.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "parlance/codec/json/typed.h"
#include "parlance/driver/acp/link.h"
#include "parlance/hub/conversation/limits.h"

namespace parlance::driver {
namespace {

hub::KeptSession kept(acp::SessionInfo session) {
  return {.id = std::move(session.session_id),
          .folder = std::move(session.cwd),
          .title = std::move(session.title).value_or(""),
          .updated_at = std::move(session.updated_at).value_or("")};
}

constexpr int most_pages = 1000;

// Pages of an agent that gives a cursor again would never end.
Task<Result<std::vector<hub::KeptSession>>> all_pages(acp::Client& client, const std::string& folder) {
  std::vector<hub::KeptSession> sessions;
  std::optional<std::string> cursor;
  std::set<std::string> cursors;
  int pages = 0;
  do {
    acp::ListSessions which{.cursor = cursor};
    if (!folder.empty()) which.cwd = folder;
    PARLANCE_CO_TRY(page, co_await client.list_sessions(std::move(which)));
    for (acp::SessionInfo& session : page.sessions)
      // Not every agent heeds the folder.
      if (folder.empty() || session.cwd.empty() || session.cwd == folder) sessions.push_back(kept(std::move(session)));
    cursor = std::move(page.next_cursor);
  } while (cursor && cursors.insert(*cursor).second && ++pages < most_pages && sessions.size() < limits::kept_sessions);
  co_return sessions;
}

}  // namespace

Task<Result<std::vector<hub::KeptSession>>> acp_kept_sessions(std::shared_ptr<AcpShared> shared, std::string folder) {
  NoSession no_session;
  AcpLink link(shared->loop, shared->settings, no_session);
  PARLANCE_CO_TRY_DO(co_await link.open(folder));
  auto sessions = co_await all_pages(link.client(), folder);
  co_await link.close();
  PARLANCE_CO_TRY(found, std::move(sessions));
  std::ranges::stable_sort(found, std::ranges::greater{}, &hub::KeptSession::updated_at);
  if (found.size() > limits::kept_sessions) found.resize(limits::kept_sessions);
  co_return found;
}

}  // namespace parlance::driver
