// SPDX-License-Identifier: Apache-2.0
// parlance memory: the memories of agents, from a shell. Works on the state folder's database directly, also while an agent runs.
#include <cstdio>
#include <iostream>
#include <iterator>
#include <utility>

#include "apps/parlance/config/check_settings.h"
#include "apps/parlance/embedding.h"
#include "apps/parlance/memory/memory_command.h"
#include "apps/parlance/open_memory.h"
#include "parlance/base/utf8.h"
#include "parlance/base/visible_text.h"
#include "parlance/protocol/mcp/server.h"
#include "parlance/server/memory/memory_over_mcp.h"
#include "parlance/store/memory/memory_lines.h"
#include "parlance/store/memory/memory_origin.h"
#include "parlance/store/memory_pg/origin.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/stdio.h"

namespace parlance::app {
namespace {

constexpr const char* list_hint = "; `parlance memory list` shows all memories";

json::Value parsed_line(const std::string& line) { return json::parse(line).value_or(json::Value()); }

std::string join_words(const std::vector<std::string>& words) {
  if (words.size() == 1 && words.front() == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string shown(std::string_view text) { return visible_text(text, Reading::prose); }
std::string shown_line(std::string_view text) { return visible_line(text, Reading::prose); }

// Two lines: the facts of a memory, then the beginning of its text.
void print_entry(const memory::Entry& entry, const memory::Hit* hit = nullptr) {
  if (hit != nullptr) std::printf("%.2f %-8s ", hit->score, hit->matched.c_str());
  std::printf("%s  %s  %.10s", shown_line(entry.id).c_str(), std::string(to_string(entry.category)).c_str(),
              shown_line(entry.created_at).c_str());
  if (!entry.source.conversation.empty()) std::printf("  %s", shown_line(entry.source.conversation).c_str());
  std::string line(utf8_prefix(entry.text, 400));
  for (char& c : line)
    if (c == '\n' || c == '\t') c = ' ';
  std::printf("\n    %s%s\n", shown_line(line).c_str(), line.size() < entry.text.size() ? " …" : "");
}

int report_forgotten(const MemoryCommand& command, std::uint64_t gone) {
  if (!command.json) {
    std::printf("%llu forgotten\n", static_cast<unsigned long long>(gone));
    return ExitCode::done;
  }
  json::Object object;
  object.set("forgotten", gone);
  return print_json(std::move(object));
}

std::string megabytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f MiB", static_cast<double>(bytes) / (1 << 20));
  return text;
}

}  // namespace

int store_memory(OpenMemory& memory, const MemoryCommand& command) {
  std::vector<memory::NewEntry> entries;
  entries.push_back({.text = join_words(command.words),
                     .category = category_option(command).value_or(memory::Category::other),
                     .importance = command.importance,
                     .source = {.kind = command.source.empty() ? "manual" : command.source}});
  const auto puts = memory.loop.block_on(memory.store.put(memory.user, std::move(entries)));
  if (!puts) return complain_of_use(puts.error(), ExitCode::failed);
  const memory::Put& put = puts->front();
  if (command.json) {
    json::Array similar;
    for (const std::string& id : put.similar) similar.emplace_back(id);
    json::Object object;
    object.set("id", put.id);
    object.set("duplicate", put.duplicate);
    object.set("similar", std::move(similar));
    return print_json(std::move(object));
  }
  std::printf("%s %s\n", put.duplicate ? "An equal memory exists:" : "Stored as", put.id.c_str());
  for (const std::string& id : put.similar)
    std::printf("Nearly the same says %s: parlance memory get %s\n", id.c_str(), id.c_str());
  return ExitCode::done;
}

int search_memories(OpenMemory& memory, const MemoryCommand& command) {
  const auto hits = memory.loop.block_on(memory.store.search(memory.user, {.text = join_words(command.words),
                                                                           .category = category_option(command),
                                                                           .limit = command.limit == 0 ? 5 : command.limit,
                                                                           .min_score = command.min_score}));
  if (!hits) return complain_of_use(hits.error(), ExitCode::failed);
  if (command.json) {
    json::Array all;
    for (const memory::Hit& hit : *hits) all.push_back(parsed_line(store::memory_line(hit.entry, &hit)));
    json::Object object;
    object.set("hits", std::move(all));
    return print_json(std::move(object));
  }
  for (const memory::Hit& hit : *hits) print_entry(hit.entry, &hit);
  if (hits->empty()) std::printf("No memory scores %.2f or more. A lower --min-score shows near matches.\n", command.min_score);
  return ExitCode::done;
}

int get_memory(OpenMemory& memory, const MemoryCommand& command) {
  const auto entry = memory.loop.block_on(memory.store.get(memory.user, command.words.front()));
  if (!entry) return complain({.code = entry.error().code, .message = entry.error().message + list_hint});
  if (command.json) return print_json(parsed_line(store::memory_line(*entry)));
  std::printf("%s\n\nid          %s\ncategory    %s\nimportance  %g\nsource      %s%s%s\ncreated     %s\nupdated     %s\n",
              shown(entry->text).c_str(), entry->id.c_str(), std::string(to_string(entry->category)).c_str(), entry->importance,
              shown_line(entry->source.kind).c_str(), entry->source.conversation.empty() ? "" : ", conversation ",
              shown_line(entry->source.conversation).c_str(), shown_line(entry->created_at).c_str(),
              shown_line(entry->updated_at).c_str());
  return ExitCode::done;
}

int list_memories(OpenMemory& memory, const MemoryCommand& command) {
  const auto page = memory.loop.block_on(memory.store.list(memory.user, {.category = category_option(command),
                                                                         .conversation = command.conversation,
                                                                         .before = command.before,
                                                                         .limit = command.limit == 0 ? 50 : command.limit}));
  if (!page) return complain(page.error());
  if (command.json) {
    json::Array all;
    for (const memory::Entry& entry : page->entries) all.push_back(parsed_line(store::memory_line(entry)));
    json::Object object;
    object.set("memories", std::move(all));
    object.set("next", page->next);
    return print_json(std::move(object));
  }
  for (const memory::Entry& entry : page->entries) print_entry(entry);
  if (page->entries.empty()) std::printf("There are none.\n");
  if (!page->next.empty()) std::printf("There are more: parlance memory list --before '%s'\n", page->next.c_str());
  return ExitCode::done;
}

int delete_memories(OpenMemory& memory, const MemoryCommand& command) {
  std::uint64_t gone = 0;
  for (const std::string& id : command.words) {
    const auto done = memory.loop.block_on(memory.store.forget(memory.user, {.id = id}));
    if (!done) return complain(done.error());
    if (*done == 0) {
      complain({.code = Errc::not_found, .message = "memory not found: " + id + list_hint});
      if (gone > 0) report_forgotten(command, gone);
      return ExitCode::failed;
    }
    gone += *done;
  }
  return report_forgotten(command, gone);
}

int forget_memories(OpenMemory& memory, const MemoryCommand& command) {
  if (command.conversation.empty() && command.source.empty())
    return complain(
        {.code = Errc::invalid_params,
         .message = "name the memories to forget: --conversation ID, --source KIND, or both; `parlance memory delete ID` "
                    "for a single memory"},
        ExitCode::usage);
  const auto done = memory.loop.block_on(
      memory.store.forget(memory.user, {.source_kind = command.source, .conversation = command.conversation}));
  if (!done) return complain(done.error());
  return report_forgotten(command, *done);
}

int print_stats(OpenMemory& memory, const MemoryCommand& command) {
  const auto stats = memory.loop.block_on(memory.store.stats(memory.user));
  if (!stats) return complain(stats.error());
  if (command.json) {
    json::Object categories;
    for (const auto& [name, count] : stats->by_category) categories.set(name, count);
    json::Object object;
    object.set("entries", stats->entries);
    object.set("by_category", std::move(categories));
    object.set("bytes", stats->bytes);
    object.set("file", memory.place);
    object.set("embedder", stats->embedder);
    object.set("embedder_trouble", stats->embedder_trouble);
    object.set("embedded", stats->embedded);
    object.set("index", stats->index);
    if (stats->recall) object.set("recall", *stats->recall);
    return print_json(std::move(object));
  }
  std::string categories;
  for (const auto& [name, count] : stats->by_category)
    categories += (categories.empty() ? "" : ", ") + shown_line(name) + " " + std::to_string(count);
  std::printf("memories   %llu%s\n", static_cast<unsigned long long>(stats->entries),
              categories.empty() ? "" : (" (" + categories + ")").c_str());
  std::printf("database   %s, %s\n", megabytes(stats->bytes).c_str(), memory.place.c_str());
  if (stats->embedder.empty())
    std::printf("embedder   does not answer: %s\n           Until then, searches use words only.\n",
                shown_line(stats->embedder_trouble).c_str());
  else
    std::printf("embedder   %s\nvectors    embedded %llu of %llu\n", shown_line(stats->embedder).c_str(),
                static_cast<unsigned long long>(stats->embedded), static_cast<unsigned long long>(stats->entries));
  if (!stats->embedder.empty() && stats->embedded < stats->entries)
    std::printf("           All others are found by their words; a running agent computes their vectors in the background.\n");
  std::printf("search     %s", stats->index.c_str());
  if (stats->recall) std::printf(", finds %.1f %% of the true ten nearest", *stats->recall * 100);
  std::printf("\n");
  return ExitCode::done;
}

int explain_memory(OpenMemory& memory, const MemoryCommand& command) {
  const auto entry = memory.loop.block_on(memory.store.get(memory.user, command.words.front()));
  if (!entry) return complain({.code = entry.error().code, .message = entry.error().message + list_hint});
  const auto origin = memory.shared.empty() ? store::find_origin(memory.state, entry->source)
                                            : store::find_shared_origin(memory.shared, entry->source);
  if (!origin) return complain(origin.error().in("the conversations"));
  if (command.json) {
    json::Object object;
    object.set("memory", parsed_line(store::memory_line(*entry)));
    if (origin->conversation_found) {
      json::Object conversation;
      conversation.set("id", entry->source.conversation);
      conversation.set("title", origin->title);
      conversation.set("agent", origin->agent);
      object.set("conversation", std::move(conversation));
    }
    if (origin->event_found) {
      json::Object event;
      event.set("seq", entry->source.event);
      event.set("time", origin->event_time);
      event.set("kind", origin->event_kind);
      event.set("text", origin->event_text);
      if (!origin->user_message.empty()) event.set("user_message", origin->user_message);
      object.set("event", std::move(event));
    }
    return print_json(std::move(object));
  }
  std::printf("\"%s\"\nwas stored on %s by: %s\n", shown(entry->text).c_str(), shown_line(entry->created_at).c_str(),
              shown_line(entry->source.kind).c_str());
  if (entry->source.conversation.empty()) return ExitCode::done;
  if (!origin->conversation_found) {
    std::printf("in the conversation %s, which is deleted\n", shown_line(entry->source.conversation).c_str());
    return ExitCode::done;
  }
  std::printf("in the conversation \"%s\" (%s) with %s\n", shown_line(origin->title).c_str(),
              shown_line(entry->source.conversation).c_str(), shown_line(origin->agent).c_str());
  if (!origin->event_found) return ExitCode::done;
  if (!origin->user_message.empty()) std::printf("after you wrote: %s\n", shown(origin->user_message).c_str());
  std::printf("%s at %s%s%s\n", origin->event_kind.c_str(), origin->event_time.c_str(), origin->event_text.empty() ? "" : ": ",
              shown(origin->event_text).c_str());
  return ExitCode::done;
}

// An MCP server on stdin and stdout until its client goes away.
int serve_memories(OpenMemory& memory, const MemoryCommand&) {
  mcp::Server server(memory.loop, {.info = {.name = "parlance-memory", .version = PARLANCE_VERSION}});
  server::serve_memory(server, server::memory_in_store(memory.store, memory.user));
  auto stream = stdio_stream(memory.loop);
  if (!stream) return complain(stream.error());
  const Error end = memory.loop.block_on(server.serve(framed_stream(memory.loop, *std::move(stream), line_framing())));
  return end.code == Errc::disconnected ? ExitCode::done : complain(end);
}

int print_json(json::Value value) {
  std::printf("%s\n", visible_json(json::to_text(value)).c_str());
  return ExitCode::done;
}

std::optional<memory::Category> category_option(const MemoryCommand& command) { return memory::category_from(command.category); }

OpenMemory::OpenMemory(Loop& on, const Settings& settings, memory::Embedder& embedder, std::string whose)
    : loop(on),
      state(state_folder(settings)),
      shared(settings.text("store")),
      place(memory_place(settings)),
      user(std::move(whose)),
      opened(open_memory(on, settings, embedder)),
      store(*opened) {}

int run_memory(const Settings& settings, const MemoryCommand& command, MemoryWork work) {
  if (const auto checked = check_settings(settings, {"store"}); !checked) return complain(checked.error(), ExitCode::usage);
  if (const auto kept = keep_state_folder(settings); !kept) return complain(kept.error());
  Loop loop;
  const auto chosen = choose_embedder(loop, settings, "embed-url");
  if (!chosen) return complain(chosen.error(), ExitCode::usage);
  OpenMemory memory(loop, settings, *chosen->embedder, command.user);
  return work(memory, command);
}

}  // namespace parlance::app
