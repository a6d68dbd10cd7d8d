// SPDX-License-Identifier: Apache-2.0
// parlance memory from a shell: what is stored is found, listed, forgotten, carried elsewhere and explained, also while an agent runs.
#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <sstream>

#include <gmock/gmock.h>

#include "parlance/sqlite/database.h"
#include "tests/system/up.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class MemoryCommands : public UpTest {
 protected:
  Finished memory(Words words, std::string_view input = "", const std::string& in = "") {
    words.insert(words.begin(), "memory");
    words.insert(words.end(), {"--state", in.empty() ? state() : in});
    return parlance(std::move(words), input);
  }
  json::Value answer_of(Words words, std::string_view input = "") {
    words.emplace_back("--json");
    const Finished finished = memory(std::move(words), input);
    EXPECT_EQ(finished.code, 0) << finished.errors;
    return parsed(finished.out);
  }
  std::string stored(const std::string& text, Words more = {}) {
    more.insert(more.begin(), {"store", text});
    return text_at(answer_of(std::move(more)), {"id"});
  }
  static std::vector<std::string> texts(const json::Value& list) {
    std::vector<std::string> all;
    for (const json::Value& one : *list.array()) all.push_back(text_at(one, {"text"}));
    return all;
  }
  using Texts = std::vector<std::string>;
};

TEST_F(MemoryCommands, AStoredMemoryIsFoundShownAndDeleted) {
  const std::string id = stored("We deploy on Tuesdays.", {"--category", "decision", "--importance", "0.9"});
  stored("The cat is called Minka", {"--category", "entity"});
  const json::Value found = answer_of({"search", "when do we deploy?"});
  EXPECT_EQ(texts(at(found, {"hits"})), Texts{"We deploy on Tuesdays."});
  EXPECT_EQ(text_at(found, {"hits", "0", "id"}), id);
  EXPECT_EQ(texts(at(answer_of({"search", "Minka", "--category", "decision"}), {"hits"})), Texts{});
  const json::Value got = answer_of({"get", id});
  EXPECT_EQ(at(got, {"importance"}), json::Value(0.9));
  EXPECT_EQ(text_at(got, {"source", "kind"}), "manual");
  EXPECT_EQ(texts(at(answer_of({"list"}), {"memories"})), (Texts{"The cat is called Minka", "We deploy on Tuesdays."}));
  const json::Value page = answer_of({"list", "--limit", "1"});
  EXPECT_EQ(texts(at(answer_of({"list", "--before", text_at(page, {"next"})}), {"memories"})), Texts{"We deploy on Tuesdays."});
  EXPECT_EQ(at(answer_of({"stats"}), {"entries"}), json::Value(2));
  EXPECT_EQ(at(answer_of({"stats"}), {"embedded"}), json::Value(2));
  EXPECT_EQ(at(answer_of({"delete", id}), {"forgotten"}), json::Value(1));
  EXPECT_EQ(texts(at(answer_of({"search", "when do we deploy?"}), {"hits"})), Texts{});
  EXPECT_EQ(mode_of(state()), 0700U);
  EXPECT_EQ(mode_of(state() + "/memory.db"), 0600U);
}

TEST_F(MemoryCommands, PeopleReadSentences) {
  const Finished first = memory({"store", "The", "port", "is", "5432"});
  EXPECT_THAT(first.out, HasSubstr("Stored as mem_"));
  EXPECT_THAT(memory({"store", "the port is 5432!"}).out, HasSubstr("An equal memory exists: mem_"));
  EXPECT_THAT(memory({"store", "-"}, "The port is 5433\n").out, HasSubstr("Nearly the same says mem_"));
  EXPECT_THAT(memory({"search", "port"}).out,
              AllOf(HasSubstr("The port is 5432"), HasSubstr("The port is 5433"), HasSubstr("0.9")));
  EXPECT_THAT(memory({"search", "zebra"}).out, HasSubstr("--min-score"));
  EXPECT_THAT(memory({"stats"}).out, AllOf(HasSubstr("memories   2"), HasSubstr("embedded 2 of 2"), HasSubstr("memory.db")));
  EXPECT_THAT(memory({"list", "--limit", "1"}).out, HasSubstr("parlance memory list --before '#2'"));
  const std::string id = first.out.substr(first.out.find("mem_"), 24);
  EXPECT_THAT(memory({"why", id}).out, HasSubstr("by: manual"));
  EXPECT_THAT(memory({"forget", "--source", "manual"}).out, HasSubstr("2 forgotten"));
}

TEST_F(MemoryCommands, ErrorsSayTheCure) {
  const Finished unknown = memory({"get", "mem_none"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_THAT(unknown.errors, AllOf(HasSubstr("memory not found: mem_none"), HasSubstr("parlance memory list")));
  EXPECT_EQ(memory({"why", "mem_none"}).code, 1);
  EXPECT_EQ(memory({"delete", "mem_none"}).code, 1);
  const Finished nothing = memory({"forget"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.errors, HasSubstr("--conversation ID, --source KIND"));
  EXPECT_EQ(memory({"store", " "}).code, 2);
  EXPECT_EQ(memory({"store", "-"}, std::string(100'000, 'x')).code, 2);
  EXPECT_EQ(memory({"search", " "}).code, 2);
  EXPECT_EQ(memory({"store", "x", "--category", "mood"}).code, 2);
  EXPECT_EQ(memory({"store", "x", "--importance", "7"}).code, 2);
  EXPECT_EQ(memory({"search", "x", "--min-score", "7"}).code, 2);
  EXPECT_EQ(memory({"list", "--before", "mem_none"}).code, 1);
  EXPECT_EQ(memory({"import", path("none.jsonl")}).code, 1);
  EXPECT_EQ(memory({"import", "--from-sqlite", path("none.db")}).code, 1);
  write_file(path("text.db"), "this is no database, but a text that is long enough to be looked at by SQLite as if it were");
  EXPECT_THAT(memory({"import", "--from-sqlite", path("text.db")}).errors, HasSubstr("text.db"));
}

TEST_F(MemoryCommands, AnExportIsImportedElsewhereWithIdsAndTimesOnceOnly) {
  const std::string id = stored("We deploy on Tuesdays.", {"--category", "decision", "--source", "agent"});
  stored("数据库使用 PostgreSQL", {"--importance", "0.25"});
  const Finished exported = memory({"export", path("memories.jsonl")});
  EXPECT_EQ(exported.code, 0) << exported.errors;
  const std::string lines = read_file(path("memories.jsonl"));
  EXPECT_EQ(std::ranges::count(lines, '\n'), 2);
  EXPECT_EQ(memory({"export"}).out, lines) << "stdout without a file";
  EXPECT_EQ(memory({"export", path("memories.jsonl")}).code, 1) << "nothing is written over";
  EXPECT_EQ(read_file(path("memories.jsonl")), lines);

  const std::string other = path("other");
  EXPECT_THAT(memory({"import", path("memories.jsonl")}, "", other).out, HasSubstr("2 stored, 0 existed already"));
  EXPECT_THAT(memory({"import", "-"}, lines, other).out, HasSubstr("0 stored, 2 existed already"));
  EXPECT_EQ(memory({"export"}, "", other).out, lines);
  const json::Value found = parsed(memory({"search", "deploy", "--json"}, "", other).out);
  EXPECT_EQ(text_at(found, {"hits", "0", "id"}), id);
  EXPECT_EQ(text_at(found, {"hits", "0", "source", "kind"}), "agent");
  EXPECT_EQ(at(parsed(memory({"stats", "--json"}, "", other).out), {"embedded"}), json::Value(2));
}

TEST_F(MemoryCommands, AnExportIsPrivateAndAFolderIsNoImport) {
  stored("tea");
  const std::string file = path("export.jsonl");
  EXPECT_EQ(memory({"export", file}).code, 0);
  EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms(0600));
  const Finished folder = memory({"import", path("")});
  EXPECT_EQ(folder.code, 1);
  EXPECT_THAT(folder.errors, HasSubstr("cannot be read to its end; 0 lines are imported"));
}

TEST_F(MemoryCommands, ABadLineIsReportedAndEarlierLinesStay) {
  const std::string good = R"({"text":"first"})";
  const Finished bad = memory({"import", "-"}, good + "\n\n{\"text\":\"second\",\"category\":\"mood\"}\n{\"text\":\"third\"}\n");
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.errors, AllOf(HasSubstr("line 3: $.category: \"mood\""), HasSubstr("1 lines before it are imported")));
  for (const char* line : {"{", "[]", "{}", R"({"text":7})", R"({"text":"x","importance":2})",
                           R"({"text":"x","created_at":"noon"})", R"({"text":"x","source":[]})"})
    EXPECT_EQ(memory({"import"}, line).code, 2) << line;
  EXPECT_THAT(memory({"import"}, good + "\n" + R"({"text":"second"})" + "\n" + R"({"text":"third","source":"notes"})").out,
              HasSubstr("2 stored, 1 existed already"));
  EXPECT_EQ(texts(at(answer_of({"list"}), {"memories"})), (Texts{"third", "second", "first"}));
}

TEST_F(MemoryCommands, TheDeployedProgramsDatabaseIsImported) {
  {
    auto db = *sqlite::Database::open(path("deployed.db"));
    ASSERT_TRUE(db->execute(
        "PRAGMA journal_mode=DELETE;"
        "CREATE TABLE vector_memories(id TEXT PRIMARY KEY, text TEXT, vector BLOB, importance REAL DEFAULT 0.5, category TEXT "
        "DEFAULT 'other', source TEXT DEFAULT 'manual', embedding_dim INTEGER, created_at INTEGER, updated_at INTEGER);"
        "INSERT INTO vector_memories VALUES('6ba7b810-9dad-11d1-80b4-00c04fd430c8','The user prefers tea',x'0000803f',0.8,"
        "'preference','chat',1,1700000000,1700000100);"
        "INSERT INTO vector_memories(id, text, category) VALUES('b','The server is called atlas','nonsense');"
        "INSERT INTO vector_memories(id, text) VALUES('c','  ');"));
  }
  const std::string before = read_file(path("deployed.db"));
  const Finished done = memory({"import", "--from-sqlite", path("deployed.db")});
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.out, AllOf(HasSubstr("2 stored, 0 existed already"), HasSubstr("1 left out")));
  EXPECT_THAT(memory({"import", "--from-sqlite", path("deployed.db")}).out, HasSubstr("0 stored, 2 existed already"));
  EXPECT_EQ(read_file(path("deployed.db")), before) << "nothing is written into it";
  const json::Value tea = answer_of({"get", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"});
  EXPECT_EQ(text_at(tea, {"category"}), "preference");
  EXPECT_EQ(at(tea, {"importance"}), json::Value(0.8));
  EXPECT_EQ(text_at(tea, {"source", "kind"}), "chat");
  EXPECT_EQ(text_at(tea, {"created_at"}), "2023-11-14T22:13:20.000Z");
  EXPECT_EQ(text_at(tea, {"updated_at"}), "2023-11-14T22:15:00.000Z");
  EXPECT_EQ(text_at(answer_of({"get", "b"}), {"category"}), "other");
  EXPECT_EQ(texts(at(answer_of({"search", "tea"}), {"hits"})), Texts{"The user prefers tea"});
  write_file(path("hub.sql"), "");
  {
    auto db = *sqlite::Database::open(path("wrong.db"));
    ASSERT_TRUE(db->execute("CREATE TABLE notes(text)"));
  }
  EXPECT_THAT(memory({"import", "--from-sqlite", path("wrong.db")}).errors, HasSubstr("no table vector_memories"));
}

TEST_F(MemoryCommands, TheShellAndAnAgentShareTheMemory) {
  start_up();
  const std::string id = stored("The gateway listens on port 55003");
  const auto over_rpc = [&](const std::string& method, const std::string& parameters) {
    const Finished called = parlance({"rpc", "call", socket(), "RPCService." + method, parameters});
    EXPECT_EQ(called.code, 0) << called.errors;
    return called.out;
  };
  EXPECT_THAT(over_rpc("MemorySearch", R"({"Query":"which port does the gateway listen on"})"), HasSubstr(id));
  over_rpc("MemoryStore", R"({"Text":"The customer is called Brauer","Category":"entity"})");
  EXPECT_EQ(texts(at(answer_of({"search", "customer Brauer"}), {"hits"})), Texts{"The customer is called Brauer"});
  EXPECT_EQ(at(answer_of({"delete", id}), {"forgotten"}), json::Value(1));
  EXPECT_THAT(over_rpc("MemorySearch", R"({"Query":"which port does the gateway listen on"})"), Not(HasSubstr(id)))
      << "the agent's index follows what others delete";
}

TEST_F(MemoryCommands, WhyNamesTheConversationAndTheMessage) {
  stored("unrelated");
  {
    auto db = *sqlite::Database::open(state() + "/hub.db");
    ASSERT_TRUE(db->execute(
        "CREATE TABLE conversations(number INTEGER PRIMARY KEY, id TEXT, body TEXT);"
        "CREATE TABLE events(conversation INTEGER, seq INTEGER, body TEXT, PRIMARY KEY(conversation, seq)) WITHOUT ROWID;"
        R"(INSERT INTO conversations VALUES(1,'conv_7','{"id":"conv_7","title":"About tea","agent":"parlance"}');)"
        R"(INSERT INTO events VALUES(1,1,'{"seq":1,"time":"2026-03-01T09:30:00.000Z","kind":"user_message","turn":"t","text":"I like green tea"}');)"
        R"(INSERT INTO events VALUES(1,2,'{"seq":2,"time":"2026-03-01T09:30:01.000Z","kind":"tool_start","call":"c","tool":"memory_store","title":"Remember"}');)"));
  }
  const std::string line =
      R"({"id":"m1","text":"The user likes green tea","source":{"kind":"agent","conversation":"conv_7","event":2}})"
      "\n"
      R"({"id":"m2","text":"Something else","source":{"kind":"agent","conversation":"conv_gone","event":2}})"
      "\n";
  EXPECT_EQ(memory({"import"}, line).code, 0);
  EXPECT_THAT(memory({"why", "m1"}).out, AllOf(HasSubstr("About tea"), HasSubstr("I like green tea"), HasSubstr("agent")));
  const json::Value why = answer_of({"why", "m1"});
  EXPECT_EQ(text_at(why, {"conversation", "title"}), "About tea");
  EXPECT_EQ(text_at(why, {"event", "kind"}), "tool_start");
  EXPECT_EQ(text_at(why, {"event", "user_message"}), "I like green tea");
  EXPECT_THAT(memory({"why", "m2"}).out, HasSubstr("which is deleted"));
  EXPECT_EQ(at(answer_of({"forget", "--conversation", "conv_7"}), {"forgotten"}), json::Value(1));
  EXPECT_EQ(memory({"get", "m1"}).code, 1);
}

TEST_F(MemoryCommands, WithoutAnEmbedderWordsAreEnough) {
  const Words nobody{"--embed-url", "http://127.0.0.1:9/v1/embeddings"};
  const auto with = [&](Words words) {
    words.insert(words.end(), nobody.begin(), nobody.end());
    return memory(std::move(words));
  };
  EXPECT_EQ(with({"store", "The user prefers green tea"}).code, 0);
  EXPECT_THAT(with({"search", "green tea"}).out, AllOf(HasSubstr("keyword"), HasSubstr("The user prefers green tea")));
  EXPECT_THAT(with({"stats"}).out, AllOf(HasSubstr("does not answer"), HasSubstr("127.0.0.1:9")));
  EXPECT_THAT(memory({"stats"}).out, HasSubstr("embedded 0 of 1"));
  start_up();  // its agent has the built-in embedder
  until([&] { return at(answer_of({"stats"}), {"embedded"}) == json::Value(1); }, "the agent's embedding in the background");
}

// What an agent of somebody else does: MCP over stdin and stdout, on the same memory.
TEST_F(MemoryCommands, IsAnMcpServerForOtherAgents) {
  const std::string kept = stored("The port of the database is 5432", {"--category", "fact"});
  const auto call = [](int id, const std::string& tool, const std::string& arguments) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":")" + tool +
           R"(","arguments":)" + arguments + "}}\n";
  };
  const Finished finished =
      memory({"serve"}, R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                        R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})"
                        "\n"
                        R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                        "\n"
                        R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"
                        "\n" +
                            call(3, "memory_search", R"({"query":"database port"})") +
                            call(4, "memory_store", R"({"text":"Anna reviews the parser","category":"entity"})") +
                            call(5, "memory_store", R"({"text":"x","category":"nonsense"})") +
                            call(6, "memory_forget", R"({"id":"mem_none"})") +
                            call(7, "memory_search", R"({"query":"port","invented":1})"));
  EXPECT_EQ(finished.code, 0) << finished.errors;
  std::map<std::int64_t, json::Value> answers;
  std::istringstream lines(finished.out);
  for (std::string line; std::getline(lines, line);) {
    const json::Value answer = parsed(line);
    std::int64_t id = 0;
    if (const json::Value* found = answer.find("id"); found != nullptr && found->integer(id)) answers[id] = answer;
  }
  ASSERT_EQ(answers.size(), 7U) << finished.out;
  EXPECT_EQ(at(answers[2], {"result", "tools"}).array()->size(), 3U);
  EXPECT_EQ(text_at(answers[3], {"result", "structuredContent", "memories", "0", "id"}), kept);
  const std::string made = text_at(answers[4], {"result", "structuredContent", "id"});
  EXPECT_THAT(finished.out, HasSubstr("none of preference, decision"));
  EXPECT_EQ(at(answers[6], {"result", "isError"}), json::Value(true));
  EXPECT_THAT(finished.out, HasSubstr("memory not found: mem_none"));
  EXPECT_THAT(finished.out, HasSubstr("invented"));
  EXPECT_EQ(text_at(answer_of({"get", made}), {"source", "kind"}), "mcp");
  EXPECT_EQ(at(answer_of({"forget", "--source", "mcp"}), {"forgotten"}), json::Value(1));
}

}  // namespace
}  // namespace parlance::test
