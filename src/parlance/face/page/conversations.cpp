// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/page/conversations.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/base/limits.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/face/page/limits.h"
#include "parlance/face/page/requests.h"
#include "parlance/face/page/texts.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::face {
auto PageConversations::perform(page::OlderEvents& m, hub::UserHub& hub) -> Answered<page::OlderEvents> {
  PARLANCE_CO_TRY(found, co_await hub.events<hub::EventText>(std::move(m.conversation), 0, m.before, m.limit.value_or(0)));
  const std::uint64_t first = found.events.empty() ? 1 : found.first_seq;
  co_return page::OlderValue{.events = to_raw(std::move(found.events)), .first_seq = first};
}

auto PageConversations::perform(page::ListConversations& m, hub::UserHub& hub) -> Answered<page::ListConversations> {
  if (m.before.empty()) co_return fail(Errc::invalid_params, "$.before: must be the `older` of a snapshot or of a page");
  const auto most =
      std::clamp<std::uint64_t>(m.limit.value_or(limits::page_conversations_more), 1, limits::page_conversations_most);
  const hub::ConversationList list = hub.list(std::move(m.before), most);
  co_return page::ConversationsValue{.conversations = to_raw(list.conversations), .older = older_of(list.older)};
}

auto PageConversations::perform(page::GetConversation& m, hub::UserHub& hub) -> Answered<page::GetConversation> {
  PARLANCE_CO_TRY_DO(co_await hub.look_for(m.conversation));
  const hub::Conversation* const found = hub.find(m.conversation);
  if (found == nullptr) co_return fail(Errc::not_found, "no such conversation: " + m.conversation);
  co_return value_of(*found);
}

auto PageConversations::perform(page::NewConversation& m, hub::UserHub& hub) -> Answered<page::NewConversation> {
  PARLANCE_CO_TRY(folder, co_await folders_.resolve_for(hub.agents(), m.agent, std::move(m.folder)));
  std::vector<std::string> folders;
  for (std::string& folder : m.folders.value_or(std::vector<std::string>{})) {
    PARLANCE_CO_TRY(found, co_await folders_.resolve_for(hub.agents(), m.agent, std::move(folder)));
    folders.push_back(std::move(found));
  }
  PARLANCE_CO_TRY(made, co_await hub.create({.agent = std::move(m.agent),
                                             .folder = std::move(folder),
                                             .folders = std::move(folders),
                                             .mode = m.mode.value_or(hub::Mode::default_),
                                             .model = std::move(m.model).value_or(""),
                                             .think = m.think.value_or(false)}));
  co_return value_of(made);
}

auto PageConversations::perform(page::Search& m, hub::UserHub& hub) -> Answered<page::Search> {
  PARLANCE_CO_TRY(hits, co_await hub.search(std::move(m.words)));
  page::SearchValue value;
  for (hub::SearchHit& hit : hits)
    value.hits.push_back({.conversation = std::move(hit.conversation), .seq = hit.seq, .snippet = std::move(hit.snippet)});
  co_return value;
}

auto PageConversations::perform(page::KeptSessions& m, hub::UserHub& hub) -> Answered<page::KeptSessions> {
  PARLANCE_CO_TRY(folder, co_await folders_.resolve_for(hub.agents(), m.agent, std::move(m.folder)));
  PARLANCE_CO_TRY(kept, co_await hub.kept_sessions(std::move(m.agent), std::move(folder)));
  page::KeptSessionsValue value;
  for (hub::KeptSession& session : kept)
    value.sessions.push_back(
        {.id = std::move(session.id), .title = std::move(session.title), .updated_at = std::move(session.updated_at)});
  co_return value;
}

auto PageConversations::perform(page::AdoptSession& m, hub::UserHub& hub) -> Answered<page::AdoptSession> {
  PARLANCE_CO_TRY(folder, co_await folders_.resolve_for(hub.agents(), m.agent, std::move(m.folder)));
  PARLANCE_CO_TRY(adopted, co_await hub.adopt({.agent = std::move(m.agent), .folder = std::move(folder)}, std::move(m.session)));
  co_return value_of(adopted);
}

// Searches on a runner's machine, never on this machine instead; no value: the agent's files are on this machine.
Task<std::optional<Result<hub::FilesFound>>> PageConversations::find_on_runner(page::FindFiles& m, hub::UserHub& hub) {
  hub::FilesWanted wanted{.typed = m.typed, .excluded = m.excluded.value_or(std::vector<std::string>{})};
  if (m.conversation) {
    const hub::Conversation* const of = hub.find(*m.conversation);
    if (of == nullptr) co_return fail(Errc::not_found, "no such conversation: " + *m.conversation);
    if (!of->runner) co_return std::nullopt;
    co_return co_await hub.find_files_of(*m.conversation, std::move(wanted));
  }
  const std::vector<hub::AgentInfo> agents = hub.agents();
  const auto by = std::ranges::find(agents, m.agent.value_or(""), &hub::AgentInfo::id);
  if (by == agents.end() || !by->runner) co_return std::nullopt;
  for (const std::string& folder : m.folders.value_or(std::vector<std::string>{})) wanted.folders.push_back(folder);
  wanted.folders.insert(wanted.folders.begin(), m.folder);
  for (std::string& folder : wanted.folders) {
    auto there = co_await folders_.resolve_for(agents, by->id, std::move(folder));
    if (!there) co_return std::unexpected(std::move(there).error());
    folder = *std::move(there);
  }
  co_return co_await hub.find_files(by->id, std::move(wanted));
}

auto PageConversations::perform(page::FindFiles& m, hub::UserHub& hub) -> Answered<page::FindFiles> {
  if (auto found_there = co_await find_on_runner(m, hub)) {
    PARLANCE_CO_TRY(found, *std::move(found_there));
    co_return page::FilesValue{.paths = std::move(found.paths), .all = found.all};
  }
  PARLANCE_CO_TRY(folder, co_await folders_.resolve(std::move(m.folder)));
  workspace::LookedIn where{.folders = {std::move(folder)},
                            .excluded = std::move(m.excluded).value_or(std::vector<std::string>{})};
  if (!m.folders) m.folders.emplace();
  for (std::string& folder : *m.folders)
    if (auto further = co_await folders_.resolve(std::move(folder))) where.folders.push_back(*std::move(further));
  PARLANCE_CO_TRY(found, co_await files_.find(std::move(where), std::move(m.typed)));
  co_return page::FilesValue{.paths = std::move(found.paths), .all = found.all};
}

auto PageConversations::perform(page::RevokeRule& m, hub::UserHub& hub) -> Answered<page::RevokeRule> {
  PARLANCE_CO_TRY_DO(co_await hub.revoke(std::move(m.rule)));
  co_return wire::Nothing{};
}

}  // namespace parlance::face
