// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/page/gateway_store.h"

#include <algorithm>
#include <utility>

#include "parlance/async/cancel.h"
#include "parlance/base/log.h"
#include "parlance/driver/page/limits.h"
#include "parlance/driver/page/page_commands.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/log/commit.h"
#include "parlance/hub/log/replicated_log.h"
#include "parlance/hub/log/replication_update.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::driver {
namespace {

std::optional<page::Money> to_page(const std::optional<hub::Cost>& cost) {
  return cost ? std::optional<page::Money>({.amount = cost->amount, .currency = cost->currency}) : std::nullopt;
}

page::SetLimits to_page(const hub::SpendingLimits& limits) {
  return {.day_tokens = limits.day_tokens,
          .day_cost = to_page(limits.day_cost),
          .conversation_tokens = limits.conversation_tokens,
          .conversation_cost = to_page(limits.conversation_cost)};
}

}  // namespace

GatewayStore::GatewayStore(Loop& loop, GatewayStoreSettings settings)
    : loop_(loop),
      settings_(std::move(settings)),
      copy_(loop, {.agent_changed = settings_.agent_changed,
                   .agent_removed = settings_.agent_removed,
                   .service_changed = settings_.service_changed,
                   .snapshot_taken = [this] { reopen_all(); }}),
      connection_(loop,
                  {.connect = settings_.connection.connect, .changed = [this](const Error* lost) { connection_changed(lost); }},
                  copy_),
      scope_(loop) {}

// ---- the connection --------------------------------------------------------------------------------------------------------

void GatewayStore::connection_changed(const Error* lost) {
  if (lost == nullptr) connection_.request_snapshot(copy_.followed());
  if (settings_.connection.changed) settings_.connection.changed(lost);
}

void GatewayStore::reopen_all() {
  for (std::string& conversation : copy_.followed()) scope_.start(open(std::move(conversation)));
}

// The gateway sends the missed events as the answer, then each new event.
Task<void> GatewayStore::open(std::string conversation) {
  const RecentEvents* const known = copy_.events(conversation);
  if (known == nullptr) co_return;
  auto opened = co_await connection_.call(page::OpenConversation{.conversation = conversation, .after = known->last_seq()});
  if (opened) copy_.put_events(conversation, opened->events);
  else if (opened.error().code == Errc::not_found || opened.error().code == Errc::denied) copy_.forget(conversation);
  else if (connection_.lost() == nullptr)
    log(LogLevel::warn, "a conversation of the gateway cannot be followed",
        {{"conversation", conversation}, {"error", opened.error().message}});
}

// A new follower joins its log after this call.
void GatewayStore::followed(const std::string& conversation, const std::shared_ptr<hub::ReplicatedLog>& log) {
  logs_.erase(conversation);
  close_unfollowed();
  logs_.emplace(conversation, log);
  if (copy_.follow(conversation)) scope_.start(open(conversation));
}

void GatewayStore::close_unfollowed() {
  std::erase_if(logs_, [this](const auto& entry) {
    const auto log = entry.second.lock();
    if (log != nullptr && log->has_listeners()) return false;
    if (copy_.unfollow(entry.first)) scope_.start(close(entry.first));
    return true;
  });
}

Task<void> GatewayStore::close(std::string conversation) {
  static_cast<void>(co_await connection_.call(page::CloseConversation{.conversation = std::move(conversation)}));
}

Task<Result<hub::Stored>> GatewayStore::load() {
  PARLANCE_CO_TRY_DO(co_await connection_.begin());
  connection_.request_snapshot({});
  for (const TimePoint until = loop_.now() + limits::snapshot_wait; !copy_.is_complete();) {
    co_await copy_.changed(until);
    if (copy_.is_complete()) break;
    if (connection_.lost() != nullptr) co_return std::unexpected(*connection_.lost());
    if (loop_.now() >= until) co_return fail(Errc::deadline_exceeded, "the gateway accepts connections but sends no state");
  }
  PARLANCE_CO_TRY_DO(co_await load_older());
  copy_.skip_updates();  // part of the result
  hub::Stored stored{.rules = copy_.rules()};
  for (const auto& [id, row] : copy_.rows()) stored.conversations.emplace_back(row);
  for (const auto& [id, ask] : copy_.asks()) stored.asks.push_back(ask);
  co_return stored;
}

Task<Result<void>> GatewayStore::load_older() {
  std::optional<std::string> before = copy_.about().older;
  while (before && copy_.rows().size() < limits::gateway_conversations) {
    const std::uint64_t limit = limits::gateway_conversations - copy_.rows().size();
    PARLANCE_CO_TRY(page, co_await connection_.repeat(page::ListConversations{.before = *before, .limit = limit}));
    for (const wire::Raw& conversation : page.conversations)
      if (const auto row = copy_.put_row(conversation); !row)
        log(LogLevel::warn, "a conversation of the gateway cannot be read", {{"error", row.error().message}});
    before = page.conversations.empty() ? std::nullopt : page.older;
  }
  co_return Result<void>{};
}

Task<Result<hub::ReplicationUpdate>> GatewayStore::next_update() {
  co_await copy_.changed(loop_.now() + limits::gateway_update_wait);
  co_return copy_.take_update();
}

Task<Result<hub::SettingsSnapshot>> GatewayStore::settings_snapshot() {
  co_return hub::SettingsSnapshot{.version = copy_.rules_version(), .rules = copy_.rules()};
}

// ---- reading -----------------------------------------------------------------------------------------------------------------

Task<Result<std::vector<hub::Event>>> GatewayStore::fetch(std::string conversation, std::uint64_t after, std::uint64_t before,
                                                          std::size_t most) {
  std::vector<hub::Event> newest;  // newest first
  while (before > after + 1 && (most == 0 || newest.size() < most)) {
    page::OlderEvents request{.conversation = conversation, .before = before};
    const std::uint64_t wanted = before - after - 1;
    request.limit = most == 0 ? wanted : std::min<std::uint64_t>(wanted, most - newest.size());
    PARLANCE_CO_TRY(page, co_await connection_.repeat(std::move(request)));
    if (page.events.empty()) break;
    for (auto raw = page.events.rbegin(); raw != page.events.rend(); ++raw) {
      auto event = read_event(*raw);
      if (event && event->seq > after) newest.push_back(*std::move(event));
    }
    if (page.first_seq >= before) break;
    before = page.first_seq;
  }
  std::ranges::reverse(newest);
  co_return newest;
}

Task<Result<std::vector<hub::Event>>> GatewayStore::events(std::string conversation, std::uint64_t after, std::uint64_t before,
                                                           std::size_t limit) {
  const auto row = copy_.rows().find(conversation);
  const std::uint64_t last = row == copy_.rows().end() ? 0 : row->second.last_seq;
  before = std::min(before, last + 1);
  const RecentEvents* const recent = copy_.events(conversation);
  // A row may be ahead of the events of its conversation.
  if (recent == nullptr || !recent->has_next(after) || recent->last_seq() + 1 < before)
    co_return co_await fetch(std::move(conversation), after, before, limit);
  std::vector<hub::Event> found = recent->between(after, before);
  if (limit != 0 && found.size() > limit) found.erase(found.begin(), found.end() - static_cast<std::ptrdiff_t>(limit));
  co_return found;
}

Task<Result<std::vector<hub::EventText>>> GatewayStore::event_texts(std::string conversation, std::uint64_t after,
                                                                    std::uint64_t before, std::size_t limit) {
  PARLANCE_CO_TRY(found, co_await events(std::move(conversation), after, before, limit));
  std::vector<hub::EventText> texts;
  for (const hub::Event& event : found) texts.push_back({.seq = event.seq, .event_json = wire_form::event_json(event)});
  co_return texts;
}

Task<Result<std::vector<hub::Event>>> GatewayStore::events_after(std::string conversation, std::uint64_t after,
                                                                 std::uint64_t last, std::size_t most_bytes) {
  const std::uint64_t before = std::min(last, after + limits::gateway_event_part) + 1;
  const RecentEvents* const recent = copy_.events(conversation);
  std::vector<hub::Event> found;
  if (recent != nullptr && recent->has_next(after) && recent->last_seq() > after) {
    found = recent->between(after, before);
  } else {
    PARLANCE_CO_TRY(fetched, co_await fetch(std::move(conversation), after, before, 0));
    found = std::move(fetched);
  }
  std::size_t bytes = 0;
  const auto end = std::ranges::find_if(found, [&](const hub::Event& event) {
    const bool is_first = bytes == 0;
    bytes += std::max<std::size_t>(hub::weight_of(event.body), 1);
    return !is_first && bytes > most_bytes;
  });
  found.erase(end, found.end());
  co_return found;
}

Task<Result<hub::LogParts>> GatewayStore::parts_with(std::string, std::uint64_t, std::size_t) {
  co_return fail(Errc::unknown_method,
                 "the conversations of a gateway are searched on its page, or with /search in parlance chat");
}

Task<Result<std::optional<hub::Ask>>> GatewayStore::ask(std::string id) {
  const hub::Ask* const found = copy_.ask(id);
  co_return found == nullptr ? std::nullopt : std::optional(*found);
}

Task<Result<std::optional<hub::Attachment>>> GatewayStore::attachment(std::string id) {
  if (!settings_.attachment) co_return std::nullopt;
  co_return co_await settings_.attachment(std::move(id));
}

Task<Result<std::vector<hub::ReplicatedConversation>>> GatewayStore::read_conversations(std::vector<std::string> conversations) {
  std::vector<hub::ReplicatedConversation> found;
  for (const std::string& id : conversations) {
    if (!copy_.rows().contains(id)) {
      const auto value = co_await connection_.repeat(page::GetConversation{.conversation = id});
      if (!value && value.error().code == Errc::not_found) continue;
      PARLANCE_CO_TRY_DO(value);
      PARLANCE_CO_TRY_DO(copy_.put_row(value->conversation));
    }
    if (const auto row = copy_.rows().find(id); row != copy_.rows().end()) found.push_back(copy_.seen(row->second));
  }
  co_return found;
}

Task<Result<std::vector<hub::KeptSession>>> GatewayStore::sessions(std::string agent, std::string folder) {
  PARLANCE_CO_TRY(value, co_await connection_.repeat(page::KeptSessions{.agent = agent, .folder = folder}));
  std::vector<hub::KeptSession> kept;
  for (page::KeptSession& session : value.sessions)
    kept.push_back({.id = std::move(session.id),
                    .folder = folder,
                    .title = std::move(session.title),
                    .updated_at = std::move(session.updated_at)});
  co_return kept;
}

// ---- commands ----------------------------------------------------------------------------------------------------------------

Task<Result<std::optional<hub::Conversation>>> GatewayStore::create_at_owner(hub::NewConversation& request, std::string session) {
  wire::Raw made;
  if (!request.title.empty() || request.access || request.history)
    co_return refused("a new conversation with a title, an access or an earlier history");
  if (session.empty()) {
    page::NewConversation message{.agent = std::move(request.agent),
                                  .folder = std::move(request.folder),
                                  .mode = request.mode,
                                  .model = std::move(request.model),
                                  .think = request.think};
    if (!request.folders.empty()) message.folders = std::move(request.folders);
    PARLANCE_CO_TRY(value, co_await connection_.call(std::move(message)));
    made = std::move(value.conversation);
  } else {
    PARLANCE_CO_TRY(value,
                    co_await connection_.call(page::AdoptSession{
                        .agent = std::move(request.agent), .folder = std::move(request.folder), .session = std::move(session)}));
    made = std::move(value.conversation);
  }
  PARLANCE_CO_TRY(row, copy_.put_row(made));
  co_return row;
}

Task<Result<void>> GatewayStore::write(hub::CommitPtr change) {
  for (const std::string& rule : change->removed_rules)
    PARLANCE_CO_TRY_DO(co_await connection_.call(page::RevokeRule{.rule = rule}));
  if (change->limits) PARLANCE_CO_TRY_DO(co_await connection_.call(to_page(*change->limits)));
  if (change->removed_rules.empty() && !change->limits) co_return refused("this change");
  co_return Result<void>{};
}

Task<Result<hub::CommandOutcome>> GatewayStore::send(hub::Submission command) {
  PARLANCE_CO_TRY_DO(co_await connection_.connected());  // an error here: nothing was sent
  const std::string id = command.id;
  sending_.insert(id);
  auto done = co_await execute_at(connection_, copy_, std::move(command));
  sending_.erase(id);
  hub::CommandOutcome outcome;
  if (done) outcome.prompted = *std::move(done);
  else outcome.error = std::move(done).error();
  co_return outcome;
}

Task<Result<std::optional<hub::CommandOutcome>>> GatewayStore::withdraw_command(std::string command) {
  if (sending_.erase(command) == 0) co_return std::nullopt;
  co_return fail(Errc::failed,
                 "the gateway does not answer, and may still execute the command; check the conversation before you "
                 "send this again");
}

}  // namespace parlance::driver
