// SPDX-License-Identifier: Apache-2.0
// Conversations: creation, adoption, lookup, reading, search; runners.
#include <algorithm>
#include <chrono>
#include <set>
#include <tuple>
#include <utility>

#include "parlance/async/run_in.h"
#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/imported_history.h"
#include "parlance/hub/log/replication_update.h"
#include "parlance/hub/log/text_search.h"
#include "parlance/hub/parts.h"

namespace parlance::hub {

namespace {

constexpr std::size_t most_folders = 64;  // beside the conversation's own folder; every path check tests each folder

Result<void> check_folder(std::string& folder) {
  if (!folder.starts_with('/')) return fail(Errc::invalid_params, "the folder must be an absolute path: " + folder);
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return {};
}

Result<void> check_folders(NewConversation& request) {
  PARLANCE_TRY_DO(check_folder(request.folder));
  if (request.folders.size() > most_folders)
    return fail(Errc::invalid_params,
                std::to_string(request.folders.size()) + " more folders; at most " + std::to_string(most_folders));
  for (std::string& folder : request.folders) PARLANCE_TRY_DO(check_folder(folder));
  return {};
}

}  // namespace

// No value: this hub creates it.
Task<Result<std::optional<Conversation>>> HubParts::create_at_owner(NewConversation& request, std::string session) {
  if (shared == nullptr) co_return std::nullopt;
  PARLANCE_CO_TRY(made, co_await shared->create_at_owner(request, std::move(session)));
  if (made) co_await replication.apply({.row = *made, .has_owner = true});
  co_return made;
}

Task<Result<Conversation>> Hub::create(NewConversation request) {
  PARLANCE_CO_TRY(there, co_await parts_->create_at_owner(request, {}));
  if (there) co_return *std::move(there);
  PARLANCE_CO_TRY(runtime, co_await parts_->make_runtime(std::move(request), {}));
  co_return runtime->current;
}

Task<Result<std::shared_ptr<ConversationRuntime>>> HubParts::make_runtime(NewConversation request, AgentSession session) {
  const auto agent_provider = provider(request.agent);
  if (agent_provider == nullptr) co_return fail(Errc::not_found, "no such agent: " + request.agent);
  const std::optional<std::string> runner = agent_provider->info().runner;
  PARLANCE_CO_TRY_DO(check_folders(request));
  const std::string now = time_text();
  const auto runtime = runtimes.add(
      {{.id = settings.new_id("conv_"),
        .title = title_of(request.title),
        .agent = std::move(request.agent),
        .folder = std::move(request.folder),
        .folders = std::move(request.folders),
        .named = !trim(request.title).empty(),
        .mode = request.mode,
        .model = std::move(request.model),
        .think = request.think,
        .via = std::move(request.via),
        .user = std::move(request.user),
        .runner = runner,
        .agent_session = std::move(session)},
       {.created_at = now, .updated_at = now, .access = request.access == Access::private_ ? std::nullopt : request.access}},
      false);
  runtime->replaying = !runtime->current.agent_session.empty();
  runtime->log.put(runtime->current);
  if (const auto history = std::move(request.history)) {
    for (Attachment& attachment : history->attachments) runtime->log.put(std::move(attachment));
    for (EventBody& event : history->events) runtime->log.append(std::move(event));
  }
  const Result<void> written = co_await runtime->log.written();
  if (!written && !runtime->known) runtimes.erase(runtime->current.id);
  PARLANCE_CO_TRY_DO(written);
  co_return runtime;
}

const Conversation* Hub::find(std::string_view conversation) const {
  const auto runtime = parts_->runtimes.find(conversation);
  return runtime && runtime->known ? &runtime->current : nullptr;
}

Task<Result<std::string>> Hub::conversation_of_ask(std::string id) {
  if (const Ask* const known = find_ask(id)) co_return known->conversation;
  PARLANCE_CO_TRY(row, co_await parts_->store.ask(id));
  if (!row) co_return fail(Errc::not_found, "no such ask: " + id);
  co_return row->conversation;
}

Task<Result<void>> Hub::look_for(std::string conversation) {
  HubParts& self = *parts_;
  if (self.runtimes.find(conversation)) co_return Result<void>{};
  if (self.shared != nullptr) {
    PARLANCE_CO_TRY(now, co_await self.shared->read_conversations({conversation}));
    if (!now.empty()) co_await self.replication.apply(std::move(now.front()));
    if (self.runtimes.find(conversation)) co_return Result<void>{};
  }
  co_return fail(Errc::not_found, "no such conversation: " + conversation);
}

namespace {

// The size limit of one page of events. Browsers request older events when a person scrolls up. 4 MiB fill hundreds of screens,
// and bound the memory held for a reader that does not read.
constexpr std::size_t page_event_bytes = 4 << 20;
constexpr std::size_t first_part_events = 32;  // size of the first read, before the size of events is known

std::size_t bytes_of(const Event& event) { return weight_of(event.body); }
std::size_t bytes_of(const EventText& event) { return event.event_json.size(); }

template <class Item>
constexpr auto query = &Store::events;
template <>
constexpr auto query<EventText> = &Store::event_texts;

// The newest events between `after` and `before`: limited by `most` and page_event_bytes, at least one. Reads in parts, newest
// first, because the store does not know sizes in advance.
template <class Item>
Task<Result<std::vector<Item>>> newest_events(Store& store, std::string conversation, std::uint64_t after, std::uint64_t before,
                                              std::size_t most) {
  std::vector<Item> newest;  // descending order
  std::size_t bytes = 0;
  for (std::size_t part = std::min(most, first_part_events); part > 0;) {
    PARLANCE_CO_TRY(events, co_await (store.*query<Item>)(conversation, after, before, part));
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
      bytes += bytes_of(*event);
      if (!newest.empty() && bytes > page_event_bytes) part = 0;
      if (part == 0) break;
      newest.push_back(std::move(*event));
    }
    if (part == 0 || events.size() < part) break;
    before = newest.back().seq;
    const std::size_t fitting =
        (page_event_bytes - std::min(bytes, page_event_bytes)) / std::max<std::size_t>(bytes / newest.size(), 1);
    part = std::min({most - newest.size(), std::max<std::size_t>(fitting, 1), newest.size() * 8});
  }
  std::ranges::reverse(newest);
  co_return newest;
}

}  // namespace

template <class Item>
Task<Result<PageOf<Item>>> Hub::events(std::string conversation, std::uint64_t after, std::uint64_t before, std::size_t limit) {
  PARLANCE_CO_TRY_DO(co_await look_for(conversation));
  const std::uint64_t last = parts_->runtimes.find(conversation)->committed.last_seq;
  const std::size_t most = limit == 0 ? limits::page_events : std::min(limit, limits::page_events_most);
  const std::uint64_t end = before == 0 ? last + 1 : std::min(before, last + 1);
  PARLANCE_CO_TRY(events, co_await newest_events<Item>(parts_->store, std::move(conversation), after, end, most));
  PageOf<Item> page{.events = std::move(events), .last_seq = last};
  if (!page.events.empty()) page.first_seq = page.events.front().seq;
  co_return page;
}

template Task<Result<EventPage>> Hub::events<Event>(std::string, std::uint64_t, std::uint64_t, std::size_t);
template Task<Result<EventTextPage>> Hub::events<EventText>(std::string, std::uint64_t, std::uint64_t, std::size_t);

Task<Result<std::vector<ChatMessage>>> Hub::history(std::string conversation) {
  if (!parts_->runtimes.find(conversation)) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  PARLANCE_CO_TRY(events, co_await parts_->store.events(conversation, 0, UINT64_MAX, 0));
  co_return history_of(events);
}

Task<Result<Attachment>> Hub::attachment(std::string id) {
  PARLANCE_CO_TRY(found, co_await parts_->store.attachment(id));
  if (!found) co_return fail(Errc::not_found, "no attachment " + id);
  co_return *std::move(found);
}

// ---- search -----------------------------------------------------------------------------------------------------------------
namespace {

// Per read: waiting writes are delayed by this amount at most.
constexpr std::size_t search_part_bytes = 1 << 20;

Task<Result<std::optional<FoundText>>> search_in(Store& store, LogPart part, std::string words) {
  TextSearch search(words);
  for (std::uint64_t after = part.first - 1; after < part.last;) {
    PARLANCE_CO_TRY(events, co_await store.events_after(part.conversation, after, part.last, search_part_bytes));
    if (events.empty()) break;  // removed meanwhile
    for (const Event& event : events) search.add(event);
    after = events.back().seq;
  }
  co_return search.newest();
}

struct Dated {
  std::string updated_at{};
  SearchHit hit{};
};

}  // namespace

// The store knows no permissions: `among` decides before the search reads a log.
Task<Result<std::vector<SearchHit>>> Hub::search(std::string words, Among among) {
  HubParts& self = *parts_;
  words = trim(words);
  if (words.empty()) co_return fail(Errc::invalid_params, "there is nothing to look for");
  std::vector<Dated> found;
  std::set<std::string> known;  // conversations with their newest match
  std::uint64_t before = 0;
  do {
    PARLANCE_CO_TRY(page, co_await self.store.parts_with(words, before, limits::searched_parts));
    before = page.before;
    for (LogPart& part : page.parts) {
      if (found.size() == limits::searched_conversations) break;
      if (known.contains(part.conversation)) continue;
      const std::optional<Conversation> row = self.runtimes.committed(part.conversation);
      if (!row || (among && !among(*row))) continue;
      part.last = std::min(part.last, row->last_seq);
      PARLANCE_CO_TRY(text, co_await search_in(self.store, part, words));
      if (!text) continue;
      known.insert(part.conversation);
      found.push_back({.updated_at = row->updated_at,
                       .hit = {.conversation = part.conversation, .seq = text->seq, .snippet = std::move(text->snippet)}});
    }
  } while (before != 0 && found.size() < limits::searched_conversations);
  // Ids contain the time of the creation and decide between equal times.
  std::ranges::sort(found, std::ranges::greater{},
                    [](const Dated& dated) { return std::tie(dated.updated_at, dated.hit.conversation); });
  std::vector<SearchHit> hits;
  for (Dated& dated : found) hits.push_back(std::move(dated.hit));
  co_return hits;
}

// ---- sessions of agents ------------------------------------------------------------------------------------------------------

namespace {

// The session id of an agent with a conversation here. A forked session still belongs to the agent alone.
std::string_view continued_session(const PackedStart& conversation, std::string_view agent) {
  const bool is_of_agent = conversation.agent == agent && conversation.how == AgentSession::How::resume;
  return is_of_agent ? conversation.agent_session : std::string_view();
}

}  // namespace

Task<Result<std::vector<KeptSession>>> Hub::kept_sessions(std::string agent, std::string folder) {
  const auto keeper = parts_->provider(agent);
  if (keeper == nullptr) co_return fail(Errc::not_found, "no such agent: " + agent);
  PARLANCE_CO_TRY(kept, co_await keeper->sessions(std::move(folder)));
  std::set<std::string, std::less<>> known;
  parts_->runtimes.visit([&](const PackedStart& start) { known.emplace(continued_session(start, agent)); });
  std::erase_if(kept, [&](const KeptSession& session) { return known.contains(session.id); });
  for (KeptSession& session : kept) session.title = title_of(session.title);
  co_return kept;
}

Task<Result<FilesFound>> Hub::find_files(std::string agent, FilesWanted wanted) {
  const auto there = parts_->provider(agent);
  if (there == nullptr) co_return fail(Errc::not_found, "no such agent: " + agent);
  co_return co_await there->find_files(std::move(wanted));
}

namespace {

Task<Result<Conversation>> adopt_session(Hub& hub, HubParts& self, NewConversation request, std::string agent_session) {
  if (agent_session.empty()) co_return fail(Errc::invalid_params, "the session has no name");
  PARLANCE_CO_TRY(there, co_await self.create_at_owner(request, agent_session));
  if (there) co_return *std::move(there);
  std::string continued;
  self.runtimes.visit([&](const PackedStart& start) {
    if (continued.empty() && continued_session(start, request.agent) == agent_session) continued = start.id;
  });
  if (!continued.empty()) {
    const Conversation& conversation = self.runtimes.find(continued)->current;
    if (conversation.is_of(request.user.value_or(""))) co_return conversation;
    co_return fail(Errc::not_found, "no such session: " + agent_session);
  }
  PARLANCE_CO_TRY(runtime, co_await self.make_runtime(std::move(request), {.id = std::move(agent_session)}));
  const Result<void> replayed = co_await self.turns.replay(runtime);
  runtime->replaying = false;
  if (runtime->renewal.outdated) self.turns.renew(runtime);
  runtime->idle.notify_all();
  if (!replayed) {
    static_cast<void>(
        co_await hub.submit(runtime->current.id, RemoveConversation{}));  // not_found: another caller removed it first
    co_return std::unexpected(replayed.error());
  }
  self.turns.next_in_queue(runtime);
  co_return runtime->current;
}

}  // namespace

// A page that closes meanwhile would leave a conversation whose replay never ends.
Task<Result<Conversation>> Hub::adopt(NewConversation request, std::string agent_session) {
  return run_in(parts_->scope, adopt_session(*this, *parts_, std::move(request), std::move(agent_session)));
}

// ---- runners ------------------------------------------------------------------------------------------------------------------

Task<Result<RunnerConnection>> Hub::Runners::connected(std::string runner, std::string body, std::string user) {
  return hub_->runners.connected(std::move(runner), std::move(body), std::move(user));
}

void Hub::Runners::disconnected(const std::string& runner) { hub_->runners.disconnected(runner); }

void Hub::Runners::forget(const std::string& runner) { hub_->runners.forget(runner); }

std::vector<std::string> Hub::Runners::sessions(std::string_view runner) const {
  std::vector<std::string> all;
  for (const auto& [id, runtime] : hub_->runtimes)
    for (const Conversation* const conversation : {&runtime->current, &runtime->committed})
      if (conversation->runner == runner && !conversation->agent_session.empty() &&
          (all.empty() || all.back() != conversation->agent_session.id))
        all.push_back(conversation->agent_session.id);
  hub_->runtimes.idle().visit([&](const PackedConversation& conversation) {
    const PackedStart start = conversation.start();
    if (start.runner == runner && !start.agent_session.empty()) all.emplace_back(start.agent_session);
    return true;
  });
  return all;
}

Task<Result<std::vector<std::string>>> Hub::Runners::unused_sessions(std::string runner) {
  return hub_->store.unused_sessions(std::move(runner));
}

Task<Result<void>> Hub::Runners::forget_unused_session(std::string runner, std::string session) {
  return hub_->store.forget_unused_session(std::move(runner), std::move(session));
}

}  // namespace parlance::hub
