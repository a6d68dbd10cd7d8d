// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/creation.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "parlance/async/run_in.h"
#include "parlance/base/text.h"
#include "parlance/hub/conversation/new_conversation.h"
#include "parlance/hub/log/imported_history.h"
#include "parlance/hub/log/replication_update.h"

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

// The session id of an agent with a conversation here. A forked session still belongs to the agent alone.
std::string_view continued_session(const PackedStart& conversation, std::string_view agent) {
  const bool is_of_agent = conversation.agent == agent && conversation.how == AgentSession::How::resume;
  return is_of_agent ? conversation.agent_session : std::string_view();
}

Error other_hub_adopts() {
  return {Errc::overloaded, "another gateway reads this session at the moment: try again when it has finished"};
}

}  // namespace

Task<Result<Conversation>> Creation::create(NewConversation request) {
  PARLANCE_CO_TRY(there, co_await create_at_owner(request, {}));
  if (there) co_return *std::move(there);
  PARLANCE_CO_TRY(runtime, co_await make_runtime(std::move(request), {}));
  co_return runtime->current;
}

Task<Result<std::optional<Conversation>>> Creation::create_at_owner(NewConversation& request, std::string session) {
  if (core_.shared == nullptr) co_return std::nullopt;
  PARLANCE_CO_TRY(made, co_await core_.shared->create_at_owner(request, std::move(session)));
  if (made) co_await replication_.apply({.row = *made, .has_owner = true});
  co_return made;
}

Task<Result<std::shared_ptr<ConversationRuntime>>> Creation::make_runtime(NewConversation request, AgentSession session) {
  const auto agent_provider = core_.provider(request.agent);
  if (agent_provider == nullptr) co_return fail(Errc::not_found, "no such agent: " + request.agent);
  const std::optional<std::string> runner = agent_provider->info().runner;
  PARLANCE_CO_TRY_DO(check_folders(request));
  const std::string now = core_.time_text();
  const auto runtime = runtimes_.add(
      {{.id = core_.settings.new_id("conv_"),
        .title = title_of(request.title),
        .agent = std::move(request.agent),
        .folder = std::move(request.folder),
        .folders = std::move(request.folders),
        .named = !trim(request.title).empty(),
        .mode = request.mode,
        .model = std::move(request.model),
        .think = request.think,
        .via = session.empty() ? std::move(request.via) : std::optional(std::string(via_adoption)),
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
  if (!written && !runtime->known) runtimes_.erase(runtime->current.id);
  PARLANCE_CO_TRY_DO(written);
  co_return runtime;
}

Task<Result<std::vector<KeptSession>>> Creation::kept_sessions(std::string agent, std::string folder) {
  const auto keeper = core_.provider(agent);
  if (keeper == nullptr) co_return fail(Errc::not_found, "no such agent: " + agent);
  PARLANCE_CO_TRY(kept, co_await keeper->sessions(std::move(folder)));
  std::set<std::string, std::less<>> known;
  runtimes_.visit([&](const PackedStart& start) { known.emplace(continued_session(start, agent)); });
  std::erase_if(kept, [&](const KeptSession& session) { return known.contains(session.id); });
  for (KeptSession& session : kept) session.title = title_of(session.title);
  co_return kept;
}

Task<Result<Conversation>> Creation::adopt(NewConversation request, std::string agent_session) {
  return run_in(core_.scope, adopt_session(std::move(request), std::move(agent_session)));
}

Task<Result<std::optional<Conversation>>> Creation::conversation_of(const NewConversation& request,
                                                                    std::string_view agent_session) {
  for (;;) {
    std::string continued;
    runtimes_.visit([&](const PackedStart& start) {
      if (continued.empty() && continued_session(start, request.agent) == agent_session) continued = start.id;
    });
    if (continued.empty()) co_return std::nullopt;
    const auto runtime = runtimes_.find(continued);
    const bool is_own = runtime->current.is_of(request.user.value_or(""));
    if (is_own && !runtime->current.via) co_return runtime->current;
    if (!is_own || runtime->current.via != via_adoption)
      co_return fail(Errc::not_found, "no such session: " + std::string(agent_session));
    if (!runtime->replaying && !runtime->removing) co_return std::unexpected(other_hub_adopts());
    co_await runtime->idle.wait();  // another caller adopts the session
  }
}

// Each of two hubs reads the store after the write of its own row. At least one hub finds the other row, and gives up.
Task<Result<void>> Creation::check_alone(const Conversation& conversation) {
  if (core_.shared == nullptr) co_return Result<void>{};
  PARLANCE_CO_TRY(ids, co_await core_.shared->continuing(conversation.agent_session.id));
  std::erase(ids, conversation.id);
  if (ids.empty()) co_return Result<void>{};
  PARLANCE_CO_TRY(others, co_await core_.shared->read_conversations(std::move(ids)));
  if (std::ranges::any_of(others, [&](const ReplicatedConversation& other) { return other.row.agent == conversation.agent; }))
    co_return std::unexpected(other_hub_adopts());
  co_return Result<void>{};
}

Task<Result<Conversation>> Creation::adopt_session(NewConversation request, std::string agent_session) {
  if (agent_session.empty()) co_return fail(Errc::invalid_params, "the session has no name");
  PARLANCE_CO_TRY(there, co_await create_at_owner(request, agent_session));
  if (there) co_return *std::move(there);
  PARLANCE_CO_TRY(known, co_await conversation_of(request, agent_session));
  if (known) co_return *std::move(known);
  PARLANCE_CO_TRY(runtime, co_await make_runtime(std::move(request), {.id = std::move(agent_session)}));
  Result<void> replayed = co_await check_alone(runtime->current);
  if (replayed) replayed = co_await turns_.replay(runtime);
  if (replayed) {
    runtime->current.via.reset();
    runtime->touch();
    replayed = co_await runtime->log.written();
  }
  runtime->replaying = false;
  if (runtime->renewal.outdated) turns_.renew(runtime);
  if (!replayed)  // not_found: another caller removed it first
    static_cast<void>(co_await executor_.submit({.conversation = runtime->current.id, .command = RemoveConversation{}}));
  runtime->idle.notify_all();
  PARLANCE_CO_TRY_DO(replayed);
  turns_.next_in_queue(runtime);
  co_return runtime->current;
}

}  // namespace parlance::hub
