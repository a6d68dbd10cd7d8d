// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/memory/memory_flags.h"

#include <memory>

#include <CLI/CLI.hpp>

#include "apps/parlance/checks.h"
#include "apps/parlance/memory/memory_command.h"

namespace parlance::app {
namespace {

// The parsed flags, shared with the action.
using Said = std::shared_ptr<MemoryCommand>;

Said said_of_user(CLI::App& app) {
  auto said = std::make_shared<MemoryCommand>();
  app.add_option("--user", said->user, "User of the memory, by the id of a team's user. Default: the person of this machine.")
      ->type_name("ID");
  return said;
}

Said said_to(CLI::App& app) {
  Said said = said_of_user(app);
  app.add_flag("--json", said->json, "For programs: one JSON document.");
  return said;
}

Action does(Said said, MemoryWork work) {
  return [said = std::move(said), work](const Settings& settings, const Words&) { return run_memory(settings, *said, work); };
}

void by_category(CLI::App& app, MemoryCommand& said, const char* doc) {
  app.add_option("--category", said.category, doc)->check(CLI::IsMember({"preference", "decision", "fact", "entity", "other"}));
}

void by_conversation(CLI::App& app, MemoryCommand& said, const char* doc) {
  app.add_option("--conversation", said.conversation, doc)->type_name("ID");
}

void by_limit(CLI::App& app, MemoryCommand& said, const char* doc, int most) {
  app.add_option("--limit", said.limit, doc)->check(CLI::Range(1, most))->type_name("N");
}

}  // namespace

Action declare_memory_store(CLI::App& app) {
  Said said = said_to(app);
  app.add_option("text", said->words, "The text; - reads from stdin.")->required();
  by_category(app, *said, "Category of the memory. Default: other.");
  app.add_option("--importance", said->importance, "From 0 to 1.")->check(zero_to_one())->capture_default_str();
  app.add_option("--source", said->source, "Source of the memory, for forgetting by source. Default: manual.")->type_name("KIND");
  return does(std::move(said), store_memory);
}

Action declare_memory_search(CLI::App& app) {
  Said said = said_to(app);
  app.add_option("query", said->words, "Text to find.")->required();
  by_category(app, *said, "Only this kind.");
  by_limit(app, *said, "How many at most; 5 if not given.", 100);
  app.add_option("--min-score", said->min_score, "Lowest score, from 0 to 1; 0.7 is a good match.")
      ->check(zero_to_one())
      ->capture_default_str();
  return does(std::move(said), search_memories);
}

Action declare_memory_get(CLI::App& app) {
  Said said = said_to(app);
  app.add_option("id", said->words, "Its id.")->required()->expected(1);
  return does(std::move(said), get_memory);
}

Action declare_memory_list(CLI::App& app) {
  Said said = said_to(app);
  by_category(app, *said, "Only this kind.");
  by_conversation(app, *said, "Only memories of this conversation.");
  by_limit(app, *said, "How many at most; 50 if not given.", 200);
  app.add_option("--before", said->before, "Where the last list ended.")->type_name("ID");
  return does(std::move(said), list_memories);
}

Action declare_memory_delete(CLI::App& app) {
  Said said = said_to(app);
  app.add_option("id", said->words, "Which.")->required();
  return does(std::move(said), delete_memories);
}

Action declare_memory_forget(CLI::App& app) {
  Said said = said_to(app);
  by_conversation(app, *said, "Memories of this conversation.");
  app.add_option("--source", said->source, "Memories of this kind of source: manual, agent, import, …")->type_name("KIND");
  return does(std::move(said), forget_memories);
}

Action declare_memory_export(CLI::App& app) {
  Said said = said_of_user(app);  // the output is JSON lines in any case
  app.add_option("file", said->words, "A new file; - is stdout.")->expected(0, 1);
  by_category(app, *said, "Only this kind.");
  by_conversation(app, *said, "Only memories of this conversation.");
  return does(std::move(said), export_memories);
}

Action declare_memory_import(CLI::App& app) {
  Said said = said_to(app);
  CLI::Option* file =
      app.add_option("file", said->words, "File with JSON lines; only \"text\" is required. - is stdin.")->expected(0, 1);
  app.add_option("--from-sqlite", said->from_sqlite, "A database of the deployed program: its table vector_memories.")
      ->type_name("FILE")
      ->excludes(file);
  return does(std::move(said), import_memories);
}

Action declare_memory_stats(CLI::App& app) { return does(said_to(app), print_stats); }

Action declare_memory_serve(CLI::App& app) { return does(said_to(app), serve_memories); }

Action declare_memory_why(CLI::App& app) {
  Said said = said_to(app);
  app.add_option("id", said->words, "Its id.")->required()->expected(1);
  return does(std::move(said), explain_memory);
}

}  // namespace parlance::app
