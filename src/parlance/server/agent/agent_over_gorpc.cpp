// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/agent/agent_over_gorpc.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>
#include <span>

#include "parlance/base/clock.h"
#include "parlance/base/limits.h"
#include "parlance/codec/json/value.h"
#include "parlance/protocol/gorpc/history_digest.h"
#include "parlance/protocol/gorpc/server.h"
#include "parlance/server/agent/chat_forms.h"
#include "parlance/server/agent/history_cache.h"

namespace parlance::server {
namespace {

using namespace std::chrono_literals;

// ---- chat --------------------------------------------------------------------------------------------------------------

class PieceSink final : public model::ChunkSink {
 public:
  explicit PieceSink(ChatStreams::Stream* stream) : stream_(stream) {}
  Result<void> on_chunk(model::Chunk chunk) override {
    if (stream_ == nullptr) return {};
    if (const auto* text = std::get_if<model::TextDelta>(&chunk)) stream_->add("text", text->text);
    else if (const auto* thought = std::get_if<model::ReasoningDelta>(&chunk)) stream_->add("reasoning", thought->text);
    else if (const auto* retry = std::get_if<model::Retrying>(&chunk))
      stream_->add("retry", seconds(retry->wait) + " " + std::to_string(retry->attempt) + " " + std::to_string(retry->attempts));
    else if (const auto* silence = std::get_if<model::Silence>(&chunk)) stream_->add("silence", seconds(silence->length));
    return {};
  }

 private:
  static std::string seconds(Duration time) { return std::to_string(std::chrono::ceil<std::chrono::seconds>(time).count()); }
  ChatStreams::Stream* stream_;
};

// `stream`: null without a listener.
Task<Result<gorpc::ChatReply>> answer(ServedAgent served, model::ChatRequest request, agent::ChatOptions options,
                                      std::shared_ptr<ChatStreams::Stream> stream) {
  PieceSink sink(stream.get());
  PARLANCE_CO_TRY(outcome, co_await served.agent->chat(std::move(request), sink, options));
  gorpc::ChatReply reply = to_reply(std::move(outcome.completion));
  reply.unseen = static_cast<std::int64_t>(outcome.unseen);
  co_return reply;
}

Result<void> check(const ServedAgent& served, const gorpc::ChatArgs& args) {
  if (served.agent == nullptr) return fail(Errc::failed, std::string(gorpc::agent_not_initialized));
  PARLANCE_TRY_DO(check_roles(args));
  if (args.stream.empty() && args.keep != 0)
    return fail(Errc::invalid_params, "Keep: a Chat that is to be kept needs a Stream, the name to come back to");
  return {};
}

// `earlier`: belongs before Messages[earlier_at].
Task<Result<gorpc::ChatReply>> chat(ServedAgent served, gorpc::ChatArgs args, HistoryCache::History earlier = {},
                                    std::size_t earlier_at = 0) {
  PARLANCE_CO_TRY_DO(check(served, args));
  const agent::ChatOptions options{.instructions = !args.bare, .recall = !args.alone, .user = args.user};
  const std::string name = args.stream;
  const std::chrono::seconds keep(std::clamp<std::int64_t>(args.keep, 0, ChatStreams::most_kept.count()));
  const auto begin = [&](std::shared_ptr<ChatStreams::Stream> stream) {
    model::ChatRequest request = to_request(std::move(args));
    request.earlier = std::move(earlier);
    request.earlier_at = earlier_at;
    return answer(served, std::move(request), options, std::move(stream));
  };
  if (name.empty()) co_return co_await begin(nullptr);
  co_return co_await served.streams.answer(name, keep, begin);
}

// Answers an unknown history before the Chat gets its name, so the complete repetition may have the same name.
Task<Result<gorpc::ContinueChatReply>> continue_chat(ServedAgent served, HistoryCache& histories, gorpc::ContinueChatArgs args) {
  PARLANCE_CO_TRY_DO(check(served, args.chat));
  HistoryCache::Kept kept{.digest = args.history, .history = histories.find(args.history)};
  if (!args.history.empty() && kept.history == nullptr) co_return gorpc::ContinueChatReply{.unknown = true};
  std::vector<gorpc::Message>& messages = args.chat.messages;
  const auto first = std::ranges::find_if(
      messages, [](const gorpc::Message& message) { return model::role_from(message.role) != model::Role::system; });
  if (args.remember < 0 || args.remember > messages.end() - first)
    co_return fail(Errc::invalid_params, "Remember: Messages has no " + std::to_string(args.remember) + " messages to keep");
  const auto last = first + args.remember;
  if (std::any_of(first, last, gorpc::has_attachments))
    co_return fail(Errc::invalid_params, "Remember: a message to keep has attachments");
  const auto at = static_cast<std::size_t>(first - messages.begin());
  if (args.remember > 0) {
    kept = histories.extend(args.history, std::span(first, last));
    messages.erase(first, last);
  }
  PARLANCE_CO_TRY(reply, co_await chat(served, std::move(args.chat), std::move(kept.history), at));
  co_return gorpc::ContinueChatReply{.reply = std::move(reply), .history = std::move(kept.digest)};
}

// ---- memory ------------------------------------------------------------------------------------------------------------

// The deployed program's form of a time, local, beside ours.
std::string local_time(const std::string& rfc3339, bool seconds) {
  const auto time = from_rfc3339(rfc3339);
  if (!time) return rfc3339;
  const std::time_t when = WallClock::to_time_t(*time);
  std::tm parts{};
  ::localtime_r(&when, &parts);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof text, seconds ? "%Y-%m-%d %H:%M:%S" : "%Y-%m-%d %H:%M", &parts);
  return std::string(text, size);
}

json::Object entry_json(const memory::Entry& entry, bool seconds) {
  json::Object object;
  object.set("id", entry.id);
  object.set("text", entry.text);
  object.set("category", to_string(entry.category));
  object.set("importance", entry.importance);
  object.set("source", entry.source.kind);
  if (!entry.source.conversation.empty()) object.set("conversation", entry.source.conversation);
  if (entry.source.event != 0) object.set("event", static_cast<std::int64_t>(entry.source.event));
  object.set("createdAt", local_time(entry.created_at, seconds));
  object.set("updatedAt", local_time(entry.updated_at, seconds));
  object.set("created_at", entry.created_at);
  object.set("updated_at", entry.updated_at);
  return object;
}

gorpc::ToolResultReply document(json::Object object) { return {json::to_text(json::Value(std::move(object)))}; }

Result<std::optional<memory::Category>> category_of(const std::string& name) {
  if (name.empty()) return std::optional<memory::Category>{};
  const auto category = memory::category_from(name);
  if (!category)
    return fail(Errc::invalid_params, "Category: \"" + name + "\" is none of preference, decision, fact, entity, other");
  return category;
}

// A store whose database cannot be opened counts as never initialised: the message known to clients, and the cause.
std::unexpected<Error> refused(const Error& error, std::string_view what, std::string_view seed = gorpc::memory_not_initialized) {
  if (error.code == Errc::disconnected) return fail(Errc::failed, std::string(seed) + ": " + error.message);
  return std::unexpected(what.empty() ? error : error.in(what));
}

Task<Result<gorpc::ToolResultReply>> search(memory::Store* memory, gorpc::MemorySearchArgs args) {
  if (memory == nullptr) co_return fail(Errc::failed, std::string(gorpc::memory_not_initialized));
  if (args.query.empty()) co_return fail(Errc::invalid_params, "query is required");
  PARLANCE_CO_TRY(category, category_of(args.category));
  memory::Query query{.text = args.query, .category = category};
  if (args.limit > 0) query.limit = static_cast<std::size_t>(args.limit);
  if (args.min_score > 0 || args.min_score_given) query.min_score = args.min_score;
  const auto hits = co_await memory->search(std::move(args.user), query);
  if (!hits) co_return refused(hits.error(), "search failed");

  json::Object reply;
  reply.set("query", args.query);
  reply.set("count", static_cast<std::int64_t>(hits->size()));
  if (hits->empty()) {
    reply.set("result", "No relevant memories found.");
    co_return document(std::move(reply));
  }
  json::Array items;
  std::string text = "Found " + std::to_string(hits->size()) + (hits->size() == 1 ? " memory:" : " memories:");
  for (const memory::Hit& hit : *hits) {
    json::Object item = entry_json(hit.entry, false);
    char score[16];
    std::snprintf(score, sizeof score, "%.4f", hit.score);
    item.set("score", score);
    item.set("matched", hit.matched);
    items.push_back(std::move(item));
    text += "\n- [" + std::string(to_string(hit.entry.category)) + "] " + hit.entry.text;
  }
  reply.set("items", std::move(items));
  reply.set("result", text);
  co_return document(std::move(reply));
}

Task<Result<gorpc::ToolResultReply>> get(memory::Store* memory, gorpc::MemoryGetArgs args) {
  if (memory == nullptr) co_return fail(Errc::failed, std::string(gorpc::memory_not_initialized));
  if (args.path.empty()) co_return fail(Errc::invalid_params, "path is required");
  const auto entry = co_await memory->get(std::move(args.user), args.path);
  if (!entry && entry.error().code == Errc::not_found) co_return fail(Errc::not_found, "memory not found: " + args.path);
  if (!entry) co_return refused(entry.error(), "get failed");
  co_return document(entry_json(*entry, true));
}

Task<Result<gorpc::ToolResultReply>> store(memory::Store* memory, gorpc::MemoryStoreArgs args) {
  if (memory == nullptr) co_return fail(Errc::failed, std::string(gorpc::memory_not_initialized));
  if (args.text.empty()) co_return fail(Errc::invalid_params, "text is required");
  PARLANCE_CO_TRY(category, category_of(args.category));
  if (args.importance_given && !args.importance) args.importance = 0;
  if (args.importance && !(*args.importance >= 0 && *args.importance <= 1))
    co_return fail(Errc::invalid_params, "Importance: 0 to 1");
  memory::NewEntry entry{.text = args.text, .category = category.value_or(memory::Category::other)};
  if (args.importance) entry.importance = *args.importance;
  if (!args.source.empty()) entry.source.kind = args.source;
  entry.source.conversation = args.conversation;
  entry.source.event = static_cast<std::uint64_t>(std::max<std::int64_t>(args.event, 0));
  std::vector<memory::NewEntry> entries;
  entries.push_back(std::move(entry));
  const auto puts = co_await memory->put(std::move(args.user), std::move(entries));
  if (!puts) co_return refused(puts.error(), "store failed");
  const memory::Put& put = puts->front();
  json::Object reply;
  reply.set("action", put.duplicate ? "duplicate" : "created");
  reply.set("id", put.id);
  if (!put.similar.empty()) {
    json::Array similar;
    for (const std::string& id : put.similar) similar.emplace_back(id);
    reply.set("similar", std::move(similar));
  }
  reply.set("result", put.duplicate ? std::string("Similar memory already exists") : "Stored: " + args.text);
  co_return document(std::move(reply));
}

Task<Result<gorpc::ToolResultReply>> list(memory::Store* memory, gorpc::MemoryListArgs args) {
  if (memory == nullptr) co_return fail(Errc::failed, std::string(gorpc::memory_not_initialized));
  PARLANCE_CO_TRY(category, category_of(args.category));
  memory::ListQuery query{.category = category, .conversation = std::move(args.conversation), .before = args.before};
  if (args.limit > 0) query.limit = std::min(static_cast<std::size_t>(args.limit), limits::memory_page_entries);
  const auto page = co_await memory->list(std::move(args.user), std::move(query));
  if (!page && page.error().code == Errc::not_found) co_return fail(Errc::not_found, "memory not found: " + args.before);
  if (!page) co_return refused(page.error(), "list failed");
  json::Array items;
  for (const memory::Entry& entry : page->entries) items.push_back(entry_json(entry, false));
  json::Object reply;
  reply.set("count", static_cast<std::int64_t>(page->entries.size()));
  reply.set("items", std::move(items));
  if (!page->next.empty()) reply.set("next", page->next);
  co_return document(std::move(reply));
}

Task<Result<gorpc::ToolResultReply>> forget(memory::Store* memory, gorpc::MemoryForgetArgs args) {
  if (memory == nullptr) co_return fail(Errc::failed, std::string(gorpc::memory_not_initialized));
  if (args.path.empty()) co_return fail(Errc::invalid_params, "path is required");
  const auto gone = co_await memory->forget(std::move(args.user), {.id = args.path});
  if (!gone && gone.error().code != Errc::not_found) co_return refused(gone.error(), "forget failed");
  if (!gone || *gone == 0) co_return fail(Errc::not_found, "memory not found: " + args.path);
  json::Object reply;
  reply.set("action", "forgotten");
  reply.set("id", args.path);
  reply.set("result", "Forgotten: " + args.path);
  co_return document(std::move(reply));
}

Task<Result<gorpc::StatsReply>> stats(ServedAgent served, std::string user) {
  if (served.memory == nullptr) co_return fail(Errc::failed, std::string(gorpc::storage_not_initialized));
  const auto memories = co_await served.memory->stats(std::move(user));
  if (!memories) co_return refused(memories.error(), "", gorpc::storage_not_initialized);
  agent::ChatStats chats = served.agent != nullptr ? served.agent->stats() : agent::ChatStats{};
  if (served.counts != nullptr) {
    const auto kept = co_await served.counts->sums();
    if (!kept) co_return refused(kept.error(), "", gorpc::storage_not_initialized);
    chats = {.sessions = kept->sessions, .messages = kept->messages, .tool_calls = kept->tool_calls};
  }
  gorpc::StatsReply reply{.sessions = static_cast<std::int64_t>(chats.sessions),
                          .messages = static_cast<std::int64_t>(chats.messages),
                          .tools_calls = static_cast<std::int64_t>(chats.tool_calls),
                          .tools_calls_in_json = static_cast<std::int64_t>(chats.tool_calls)};
  // `files` belongs to a part of the deployed program that is missing here: always 0, but readers expect the key.
  reply.stats = {{"sessions", reply.sessions},
                 {"messages", reply.messages},
                 {"tools_calls", reply.tools_calls},
                 {"memories", static_cast<std::int64_t>(memories->entries)},
                 {"files", 0}};
  co_return reply;
}

}  // namespace

void serve_agent(Router& router, ServedAgent served) {
  using gorpc::serve_method;
  serve_method(router, gorpc::chat, [served](gorpc::ChatArgs args, Context&) { return chat(served, std::move(args)); });
  const auto histories = std::make_shared<HistoryCache>();
  serve_method(router, gorpc::continue_chat, [served, histories](gorpc::ContinueChatArgs args, Context&) {
    return continue_chat(served, *histories, std::move(args));
  });
  serve_method(router, gorpc::chat_stream,
               [served](gorpc::ChatStreamArgs args, Context&) { return served.streams.follow(std::move(args)); });
  serve_method(router, gorpc::chat_cancel,
               [served](const gorpc::ChatCancelArgs& args, Context&) -> Result<gorpc::ChatCancelReply> {
                 return gorpc::ChatCancelReply{served.streams.cancel(args.stream)};
               });
  serve_method(router, gorpc::abilities, [served](wire::Nothing, Context&) -> Result<gorpc::AbilitiesReply> {
    gorpc::AbilitiesReply reply{.attachments = true, .keeps = true, .continues = true};
    if (served.agent != nullptr) reply.media_types = served.agent->shown_kinds();
    return reply;
  });
  serve_method(router, gorpc::stats, [served](wire::Nothing, Context&) { return stats(served, ""); });
  serve_method(router, gorpc::stats_of,
               [served](gorpc::StatsOfArgs args, Context&) { return stats(served, std::move(args.user)); });
  serve_method(router, gorpc::memory_search,
               [served](gorpc::MemorySearchArgs args, Context&) { return search(served.memory, std::move(args)); });
  serve_method(router, gorpc::memory_get,
               [served](gorpc::MemoryGetArgs args, Context&) { return get(served.memory, std::move(args)); });
  serve_method(router, gorpc::memory_store,
               [served](gorpc::MemoryStoreArgs args, Context&) { return store(served.memory, std::move(args)); });
  serve_method(router, gorpc::memory_list,
               [served](gorpc::MemoryListArgs args, Context&) { return list(served.memory, std::move(args)); });
  serve_method(router, gorpc::memory_forget,
               [served](gorpc::MemoryForgetArgs args, Context&) { return forget(served.memory, std::move(args)); });
  gorpc::explain_unknown_methods(router);
}

}  // namespace parlance::server
