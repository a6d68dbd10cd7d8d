// The methods of seed 001 as a client over net/rpc meets them, on a virtual clock.
#include "service/agent_over_gorpc.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/json/value.h"
#include "protocol/gorpc/client.h"
#include "protocol/gorpc/server.h"
#include "transport/memory.h"

namespace parlance::service {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Says its pieces one by one, `pace` apart, then what `answer` is.
class FakeModel final : public model::Model {
 public:
  explicit FakeModel(Loop& loop) : loop_(loop) {}
  Task<Result<model::Completion>> chat(model::ChatRequest request, model::ChunkSink& chunks) override {
    struct Running {
      int& count;
      explicit Running(int& c) : count(c) { ++count; }
      ~Running() { --count; }
    };
    const Running one(running);
    asked.push_back(std::move(request));
    for (const model::Chunk& piece : pieces) {
      if (pace > 0s) co_await sleep_for(loop_, pace);
      PARLANCE_CO_TRY_DO(chunks.on_chunk(piece));
    }
    co_return answer;
  }
  std::string_view name() const override { return "fake"; }

  std::vector<model::ChatRequest> asked;
  std::vector<model::Chunk> pieces;
  Duration pace{0};
  Result<model::Completion> answer = model::Completion{.content = "Hello.", .usage = {.input_tokens = 7, .output_tokens = 2}};
  int running = 0;

 private:
  Loop& loop_;
};

class FakeStore final : public memory::Store {
 public:
  Task<Result<std::vector<memory::Put>>> put(std::vector<memory::NewEntry> fresh) override {
    puts.push_back(fresh.front());
    if (failure) co_return fail(*failure);
    std::vector<memory::Put> done{{.id = "mem_1", .duplicate = puts.size() > 1}};
    co_return done;
  }
  Task<Result<memory::Entry>> get(std::string id) override {
    if (failure) co_return fail(*failure);
    if (id != "mem_1") co_return fail(Errc::not_found, "it is not there");
    co_return entry;
  }
  Task<Result<std::vector<memory::Hit>>> search(memory::Query query) override {
    queries.push_back(query);
    if (failure) co_return fail(*failure);
    co_return hits;
  }
  Task<Result<memory::Page>> list(memory::ListQuery query) override {
    listings.push_back(query);
    if (failure) co_return fail(*failure);
    co_return page;
  }
  Task<Result<std::uint64_t>> forget(memory::Forget what) override {
    if (failure) co_return fail(*failure);
    co_return what.id == "mem_1" ? 1 : 0;
  }
  Task<Result<memory::Stats>> stats() override {
    if (failure) co_return fail(*failure);
    co_return memory::Stats{.entries = 3};
  }

  memory::Entry entry{.id = "mem_1",
                      .text = "I like tea",
                      .category = memory::Category::preference,
                      .importance = 0.8,
                      .created_at = "2024-05-06T07:08:09Z",
                      .updated_at = "2024-05-06T07:08:09Z"};
  std::vector<memory::Hit> hits;
  std::vector<memory::NewEntry> puts;
  std::vector<memory::Query> queries;
  std::vector<memory::ListQuery> listings;
  memory::Page page;
  std::optional<Error> failure;
};

class AgentOverGorpc : public testing::Test {
 protected:
  AgentOverGorpc() {
    auto made = std::make_unique<FakeModel>(loop);
    model = made.get();
    agent.emplace(loop, std::move(made), &memory);
  }
  ~AgentOverGorpc() override { scope.cancel(); }

  // Served with what the test leaves in.
  void serve(bool with_agent = true, bool with_memory = true) {
    serve_agent(
        router,
        {.loop = loop, .agent = with_agent ? &*agent : nullptr, .memory = with_memory ? &memory : nullptr, .streams = streams});
    auto [near, far] = memory_pair(loop);
    server.serve(std::move(far));
    auto connected = loop.block_on(gorpc::connect(loop, std::move(near)));
    ASSERT_TRUE(connected);
    client = *std::move(connected);
    const auto run = [](Peer& peer) -> Task<void> { static_cast<void>(co_await peer.run()); };
    scope.start(run(*client));
  }
  template <class P, class R>
  Task<Result<R>> ask(const wire::Call<P, R>& method, std::type_identity_t<P> parameters, std::string service = "RPCService") {
    const std::string name = gorpc::method_of(service, method);
    co_return co_await client->call_named(name, method, std::move(parameters), no_deadline);
  }
  template <class P, class R>
  Result<R> call(const wire::Call<P, R>& method, std::type_identity_t<P> parameters, std::string service = "RPCService") {
    return loop.block_on(ask(method, std::move(parameters), std::move(service)));
  }
  // Begun; its outcome comes into `into` once it is there.
  template <class P, class R>
  void begin(const wire::Call<P, R>& method, std::type_identity_t<P> parameters, std::optional<Result<R>>& into) {
    scope.start(store_outcome(ask(method, std::move(parameters)), into));
    loop.run_ready();
  }
  template <class R>
  static Task<void> store_outcome(Task<Result<R>> task, std::optional<Result<R>>& into) {
    into = co_await std::move(task);
  }
  static gorpc::ChatArgs saying(std::string text, std::string stream = "") {
    return {.messages = {{.role = "user", .content = std::move(text)}}, .stream = std::move(stream)};
  }
  static std::vector<std::string> texts(const gorpc::ChatStreamReply& reply) {
    std::vector<std::string> all;
    for (const gorpc::ChatPiece& piece : reply.pieces) all.push_back(piece.kind + ":" + piece.text);
    return all;
  }
  static json::Value document(const Result<gorpc::ToolResultReply>& reply) {
    EXPECT_TRUE(reply) << reply.error().message;
    return reply ? *json::parse(reply->result) : json::Value();
  }

  Loop loop{Loop::Time::virtual_};
  FakeStore memory;
  FakeModel* model = nullptr;
  std::optional<agent::ChatAgent> agent;
  ChatStreams streams{loop};
  Router router;
  gorpc::Server server{loop, router};
  std::unique_ptr<Peer> client;
  Scope scope{loop};
};

// ---- what is not there -----------------------------------------------------------------------------------------------------------

TEST_F(AgentOverGorpc, WithoutItsPartsItSaysTheSeedsSentences) {
  serve(false, false);
  const auto expect = [](const auto& reply, std::string_view text) {
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().message, text);
  };
  expect(call(gorpc::chat, saying("hi")), "agent not initialized");
  expect(call(gorpc::stats, {}), "storage not initialized");
  expect(call(gorpc::memory_search, {.query = "x"}), "memory store not initialized");
  expect(call(gorpc::memory_get, {.path = "x"}), "memory store not initialized");
  expect(call(gorpc::memory_store, {.text = "x"}), "memory store not initialized");
  expect(call(gorpc::memory_list, {}), "memory store not initialized");
  expect(call(gorpc::memory_forget, {.path = "x"}), "memory store not initialized");
}

TEST_F(AgentOverGorpc, BothServiceNamesAreServed) {
  serve();
  EXPECT_EQ(call(gorpc::chat, saying("hi"))->content, "Hello.");
  EXPECT_EQ(call(gorpc::chat, saying("hi"), "Agent")->content, "Hello.");
  EXPECT_EQ(call(gorpc::chat, saying("hi"), "Other").error().message, "rpc: can't find service Other.Chat");
}

// ---- chat ------------------------------------------------------------------------------------------------------------------------

TEST_F(AgentOverGorpc, TheModelGetsTheWholeConversation) {
  serve();
  gorpc::ChatArgs args = saying("read it");
  args.messages.push_back(
      {.role = "assistant",
       .tool_calls = {{.id = "c1", .type = "function", .function = {.name = "read", .arguments = R"({"p":1})"}},
                      {.id = "c2", .type = "function", .function = {.name = "read", .arguments = "{}"}}}});
  // The role does not matter where results are: deployed gateways send them as "user" too.
  args.messages.push_back({.role = "user",
                           .tool_results = {{.id = "c1", .type = "function", .result = {R"("plain text")"}},
                                            {.id = "c2", .type = "function", .result = {R"({"success":false,"error":"no"})"}}}});
  args.tools.push_back(
      {.type = "function", .function = {.name = "read", .description = "reads", .parameters = {{"type", {R"("object")"}}}}});
  args.model = "big";
  args.think = "on";
  const auto reply = call(gorpc::chat, args);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->input_tokens, 7);
  EXPECT_EQ(reply->stop, "end_turn");
  const model::ChatRequest& asked = model->asked.at(0);
  EXPECT_EQ(asked.model, "big");
  EXPECT_EQ(asked.think, model::Think::on);
  ASSERT_EQ(asked.messages.size(), 4U);  // behind the agent's own instructions
  EXPECT_EQ(asked.messages[2].tool_calls.at(0), (model::ToolCall{"c1", "read", R"({"p":1})"}));
  EXPECT_EQ(asked.messages[3].role, model::Role::tool);
  EXPECT_EQ(asked.messages[3].tool_results.at(0), (model::ToolResult{"c1", "plain text", false}));
  EXPECT_TRUE(asked.messages[3].tool_results.at(1).failed);
  EXPECT_EQ(asked.tools.at(0).parameters, R"({"type":"object"})");
}

TEST_F(AgentOverGorpc, ToolCallsAndErrorsTravel) {
  serve();
  model->answer = model::Completion{.tool_calls = {{"c9", "run", R"({"command":"ls"})"}}, .stop = model::StopReason::tool_calls};
  const auto reply = call(gorpc::chat, saying("go"));
  ASSERT_TRUE(reply);
  ASSERT_EQ(reply->tools.size(), 1U);
  EXPECT_EQ(reply->tools[0].id, "c9");
  EXPECT_EQ(reply->tools[0].type, "function");
  EXPECT_EQ(reply->tools[0].function.name, "run");
  EXPECT_EQ(reply->stop, "tool_calls");
  model->answer = fail(Errc::denied, "the key was refused");
  EXPECT_EQ(call(gorpc::chat, saying("go")).error().message, "the key was refused");
  EXPECT_THAT(call(gorpc::chat, {.messages = {{.role = "wizard", .content = "x"}}}).error().message,
              HasSubstr("Messages[0].Role: \"wizard\""));
}

// ---- streams ---------------------------------------------------------------------------------------------------------------------

TEST_F(AgentOverGorpc, AChatIsFollowedPieceByPiece) {
  serve();
  model->pieces = {model::ReasoningDelta{"hm"}, model::TextDelta{"Hel"}, model::TextDelta{"lo."}};
  model->pace = 1s;
  std::optional<Result<gorpc::ChatReply>> reply;
  begin(gorpc::chat, saying("hi", "s1"), reply);
  std::optional<Result<gorpc::ChatStreamReply>> first;
  begin(gorpc::chat_stream, {.stream = "s1"}, first);
  EXPECT_FALSE(first.has_value()) << "there is nothing yet, so it waits";
  loop.advance(1s);
  ASSERT_TRUE(first && *first);
  EXPECT_THAT(texts(**first), ElementsAre("reasoning:hm"));
  EXPECT_EQ((*first)->next, 1);
  EXPECT_FALSE((*first)->done);

  loop.advance(2s);
  ASSERT_TRUE(reply && *reply);
  const auto rest = call(gorpc::chat_stream, {.stream = "s1", .after = 1});
  ASSERT_TRUE(rest);
  EXPECT_THAT(texts(*rest), ElementsAre("text:Hello.")) << "pieces that nobody has yet are joined";
  EXPECT_TRUE(rest->done);
  // Another follower, or the same one after a lost reply, gets all of it.
  const auto again = call(gorpc::chat_stream, {.stream = "s1"});
  ASSERT_TRUE(again);
  EXPECT_THAT(texts(*again), ElementsAre("reasoning:hm", "text:Hello."));
  EXPECT_EQ(again->next, 2);
}

TEST_F(AgentOverGorpc, AFollowerMayComeBeforeItsChat) {
  serve();
  std::optional<Result<gorpc::ChatStreamReply>> early;
  begin(gorpc::chat_stream, {.stream = "s1"}, early);
  loop.advance(500ms);
  model->pieces = {model::TextDelta{"Hello."}};
  ASSERT_TRUE(call(gorpc::chat, saying("hi", "s1")));
  loop.run_ready();
  ASSERT_TRUE(early && *early);
  EXPECT_THAT(texts(**early), ElementsAre("text:Hello."));

  std::optional<Result<gorpc::ChatStreamReply>> lost;
  begin(gorpc::chat_stream, {.stream = "nobody's"}, lost);
  loop.advance(10s);
  ASSERT_TRUE(lost && !*lost);
  EXPECT_EQ(lost->error().message, "no Chat runs under the name nobody's");
}

TEST_F(AgentOverGorpc, SilenceIsAnsweredSoThatNobodyGivesUp) {
  serve();
  model->pieces = {model::TextDelta{"late"}};
  model->pace = 100s;
  std::optional<Result<gorpc::ChatReply>> reply;
  begin(gorpc::chat, saying("hi", "s1"), reply);
  std::optional<Result<gorpc::ChatStreamReply>> news;
  begin(gorpc::chat_stream, {.stream = "s1"}, news);
  loop.advance(20s);
  ASSERT_TRUE(news && *news);
  EXPECT_TRUE((*news)->pieces.empty());
  EXPECT_EQ((*news)->next, 0);
  EXPECT_FALSE((*news)->done);
}

TEST_F(AgentOverGorpc, AChatIsCancelledByItsName) {
  serve();
  model->pieces = {model::TextDelta{"never"}};
  model->pace = 100s;
  std::optional<Result<gorpc::ChatReply>> reply;
  begin(gorpc::chat, saying("hi", "s1"), reply);
  ASSERT_EQ(model->running, 1);
  EXPECT_THAT(call(gorpc::chat, saying("hi", "s1")).error().message, HasSubstr("a call is running under the name s1"));
  EXPECT_EQ(model->running, 1);
  EXPECT_FALSE(call(gorpc::chat_cancel, {.stream = "other"})->found);
  EXPECT_TRUE(call(gorpc::chat_cancel, {.stream = "s1"})->found);
  loop.run_ready();
  EXPECT_EQ(model->running, 0);
  ASSERT_TRUE(reply && !*reply);
  const auto end = call(gorpc::chat_stream, {.stream = "s1"});
  ASSERT_TRUE(end);
  EXPECT_TRUE(end->done);
  EXPECT_FALSE(call(gorpc::chat_cancel, {.stream = "s1"})->found) << "it is over";
  // The name is free again.
  model->pace = 0s;
  EXPECT_TRUE(call(gorpc::chat, saying("hi", "s1")));
  EXPECT_THAT(texts(*call(gorpc::chat_stream, {.stream = "s1"})), ElementsAre("text:never"));
}

TEST_F(AgentOverGorpc, TextOfOldChatsIsForgotten) {
  serve();
  model->pieces = {model::TextDelta{"x"}};
  for (int i = 0; i < 66; ++i) ASSERT_TRUE(call(gorpc::chat, saying("hi", "s" + std::to_string(i))));
  EXPECT_TRUE(call(gorpc::chat_stream, {.stream = "s65"})->done);
  EXPECT_TRUE(call(gorpc::chat_stream, {.stream = "s2"})->done);
  std::optional<Result<gorpc::ChatStreamReply>> old;
  begin(gorpc::chat_stream, {.stream = "s0"}, old);
  loop.advance(10s);
  ASSERT_TRUE(old && !*old);
}

// ---- memory ----------------------------------------------------------------------------------------------------------------------

TEST_F(AgentOverGorpc, ASearchHasTheSeedsDefaults) {
  serve();
  ASSERT_TRUE(call(gorpc::memory_search, {.query = "tea"}));
  ASSERT_TRUE(call(gorpc::memory_search, {.query = "tea", .limit = -3, .min_score = -1}));
  for (const memory::Query& query : memory.queries) {
    EXPECT_EQ(query.limit, 5U);
    EXPECT_EQ(query.min_score, 0.7);
    EXPECT_EQ(query.category, std::nullopt);
  }
  ASSERT_TRUE(call(gorpc::memory_search, {.query = "tea", .category = "fact", .limit = 9, .min_score = 0.25}));
  EXPECT_EQ(memory.queries.back().limit, 9U);
  EXPECT_EQ(memory.queries.back().min_score, 0.25);
  EXPECT_EQ(memory.queries.back().category, memory::Category::fact);
  EXPECT_EQ(call(gorpc::memory_search, {}).error().message, "query is required");
  EXPECT_THAT(call(gorpc::memory_search, {.query = "tea", .category = "tea"}).error().message, HasSubstr("Category: \"tea\""));
  EXPECT_EQ(memory.queries.size(), 3U);
  ASSERT_TRUE(call(gorpc::memory_search, {.query = "tea", .min_score_given = true}));
  EXPECT_EQ(memory.queries.back().min_score, 0) << "gob leaves out a 0, so it is told apart from none";
}

TEST_F(AgentOverGorpc, WhatIsFoundIsToldAsDeployedProgramsTellIt) {
  serve();
  EXPECT_EQ(document(call(gorpc::memory_search, {.query = "tea"})),
            *json::parse(R"({"query":"tea","count":0,"result":"No relevant memories found."})"));
  memory.hits = {{.entry = memory.entry, .score = 0.83125, .matched = "keyword"}};
  const json::Value found = document(call(gorpc::memory_search, {.query = "tea"}));
  EXPECT_EQ(found.integer_or("count", 0), 1);
  EXPECT_EQ(found.text_or("result", ""), "Found 1 memory:\n- [preference] I like tea");
  const json::Value& item = found.find("items")->array()->at(0);
  EXPECT_EQ(item.text_or("id", ""), "mem_1");
  EXPECT_EQ(item.text_or("score", ""), "0.8313") << "as text, with four places";
  EXPECT_EQ(item.text_or("matched", ""), "keyword");
  EXPECT_THAT(std::string(item.text_or("createdAt", "")), testing::ContainsRegex("^2024-05-0[567] [0-9][0-9]:[0-9][0-9]$"));
  EXPECT_EQ(item.text_or("created_at", ""), "2024-05-06T07:08:09Z");
  memory.failure = Error{Errc::failed, "the disk is full"};
  EXPECT_EQ(call(gorpc::memory_search, {.query = "tea"}).error().message, "search failed: the disk is full");
}

TEST_F(AgentOverGorpc, MemoriesAreKeptWithTheSeedsDefaults) {
  serve();
  const json::Value created = document(call(gorpc::memory_store, {.text = "I like tea"}));
  EXPECT_EQ(created, *json::parse(R"({"action":"created","id":"mem_1","result":"Stored: I like tea"})"));
  EXPECT_EQ(memory.puts.back().category, memory::Category::other);
  EXPECT_EQ(memory.puts.back().importance, 0.7);
  const json::Value duplicate =
      document(call(gorpc::memory_store, {.text = "I like tea", .category = "preference", .importance = 0.9}));
  EXPECT_EQ(duplicate, *json::parse(R"({"action":"duplicate","id":"mem_1","result":"Similar memory already exists"})"));
  EXPECT_EQ(memory.puts.back().category, memory::Category::preference);
  EXPECT_EQ(memory.puts.back().importance, 0.9);
  EXPECT_EQ(call(gorpc::memory_store, {}).error().message, "text is required");
  for (const double wrong : {2.0, -0.5, std::nan("")})
    EXPECT_EQ(call(gorpc::memory_store, {.text = "x", .importance = wrong}).error().message, "Importance: 0 to 1") << wrong;
  EXPECT_FALSE(call(gorpc::memory_store, {.text = "x", .category = "none"}));
  EXPECT_EQ(memory.puts.size(), 2U);
  memory.failure = Error{Errc::failed, "the disk is full"};
  EXPECT_EQ(call(gorpc::memory_store, {.text = "x"}).error().message, "store failed: the disk is full");
}

// "Absent" is 0.7; what was said counts, 0 above all.
TEST_F(AgentOverGorpc, ImportanceIsWhatWasSaid) {
  serve();
  ASSERT_TRUE(call(gorpc::memory_store, {.text = "x", .importance = 0.0}));
  EXPECT_EQ(memory.puts.back().importance, 0.0);
  ASSERT_TRUE(call(gorpc::memory_store, {.text = "x", .importance = 1.0}));
  EXPECT_EQ(memory.puts.back().importance, 1.0);
  for (const double wrong : {-0.5, 1.01, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(call(gorpc::memory_store, {.text = "x", .importance = wrong}).error().message, "Importance: 0 to 1") << wrong;
  EXPECT_EQ(memory.puts.size(), 2U);
}

// The seed's words, when the database behind them cannot be opened; a memory that is not there is something else.
TEST_F(AgentOverGorpc, ABrokenStorageIsOneThatWasNotInitialized) {
  serve();
  memory.failure = Error{Errc::disconnected, "the disk is gone"};
  const std::string memories = "memory store not initialized: the disk is gone";
  EXPECT_EQ(call(gorpc::memory_search, {.query = "tea"}).error().message, memories);
  EXPECT_EQ(call(gorpc::memory_get, {.path = "mem_1"}).error().message, memories);
  EXPECT_EQ(call(gorpc::memory_store, {.text = "x"}).error().message, memories);
  EXPECT_EQ(call(gorpc::memory_list, {}).error().message, memories);
  EXPECT_EQ(call(gorpc::memory_forget, {.path = "mem_1"}).error().message, memories);
  EXPECT_EQ(call(gorpc::stats, {}).error().message, "storage not initialized: the disk is gone");
}

TEST_F(AgentOverGorpc, OneMemoryByItsId) {
  serve();
  const json::Value entry = document(call(gorpc::memory_get, {.path = "mem_1"}));
  EXPECT_EQ(entry.text_or("text", ""), "I like tea");
  EXPECT_THAT(std::string(entry.text_or("createdAt", "")), testing::ContainsRegex("^2024-05-0[567] [0-9:]+:09$"));
  EXPECT_EQ(call(gorpc::memory_get, {.path = "mem_2"}).error().message, "memory not found: mem_2");
  EXPECT_EQ(call(gorpc::memory_get, {}).error().message, "path is required");
}

TEST_F(AgentOverGorpc, AMemoryKeepsWhereItIsFrom) {
  serve();
  ASSERT_TRUE(call(gorpc::memory_store, {.text = "tea", .source = "agent", .conversation = "conv_1", .event = 17}));
  EXPECT_EQ(memory.puts.back().source, (memory::Source{.kind = "agent", .conversation = "conv_1", .event = 17}));
  ASSERT_TRUE(call(gorpc::memory_store, {.text = "by hand", .event = -5}));
  EXPECT_EQ(memory.puts.back().source, memory::Source{});
  memory.entry.source = {.kind = "agent", .conversation = "conv_1", .event = 17};
  const json::Value entry = document(call(gorpc::memory_get, {.path = "mem_1"}));
  EXPECT_EQ(entry.text_or("source", ""), "agent");
  EXPECT_EQ(entry.text_or("conversation", ""), "conv_1");
  EXPECT_EQ(entry.integer_or("event", 0), 17);
}

TEST_F(AgentOverGorpc, MemoriesAreListedInPages) {
  serve();
  EXPECT_EQ(document(call(gorpc::memory_list, {})), *json::parse(R"({"count":0,"items":[]})"));
  EXPECT_EQ(memory.listings.back().limit, 50U);
  memory.page = {.entries = {memory.entry}, .next = "mem_1"};
  const json::Value page = document(
      call(gorpc::memory_list, {.category = "fact", .conversation = "conv_1", .before = "mem_9", .limit = 1'000'000'000}));
  EXPECT_EQ(memory.listings.back().category, memory::Category::fact);
  EXPECT_EQ(memory.listings.back().conversation, "conv_1");
  EXPECT_EQ(memory.listings.back().before, "mem_9");
  EXPECT_EQ(memory.listings.back().limit, limits::memory_page_entries);
  EXPECT_EQ(page.integer_or("count", 0), 1);
  EXPECT_EQ(page.text_or("next", ""), "mem_1");
  EXPECT_EQ(page.find("items")->array()->at(0).text_or("text", ""), "I like tea");
  EXPECT_FALSE(call(gorpc::memory_list, {.category = "none"}));
  memory.failure = Error{Errc::failed, "the disk is full"};
  EXPECT_EQ(call(gorpc::memory_list, {}).error().message, "list failed: the disk is full");
}

TEST_F(AgentOverGorpc, AMemoryIsForgottenByItsId) {
  serve();
  const json::Value gone = document(call(gorpc::memory_forget, {.path = "mem_1"}));
  EXPECT_EQ(gone.text_or("action", ""), "forgotten");
  const auto missing = call(gorpc::memory_forget, {.path = "mem_2"});
  EXPECT_EQ(missing.error().message, "memory not found: mem_2");
  EXPECT_EQ(missing.error().code, Errc::not_found) << "told as text, understood as what it is";
  EXPECT_EQ(call(gorpc::memory_forget, {}).error().message, "path is required");
  memory.failure = Error{Errc::failed, "the disk is full"};
  EXPECT_EQ(call(gorpc::memory_forget, {.path = "mem_1"}).error().message, "forget failed: the disk is full");
}

TEST_F(AgentOverGorpc, CountsComeInBothShapes) {
  serve();
  model->answer = model::Completion{.tool_calls = {{"c", "f", "{}"}}, .stop = model::StopReason::tool_calls};
  ASSERT_TRUE(call(gorpc::chat, saying("hi")));
  const auto reply = call(gorpc::stats, {});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->sessions, 1);
  EXPECT_EQ(reply->messages, 2);
  EXPECT_EQ(reply->tools_calls, 1);
  EXPECT_EQ(reply->tools_calls_in_json, 1);
  EXPECT_EQ(reply->stats, (std::map<std::string, std::int64_t>{
                              {"sessions", 1}, {"messages", 2}, {"tools_calls", 1}, {"memories", 3}, {"files", 0}}));
  memory.failure = Error{Errc::failed, "the disk is full"};
  EXPECT_FALSE(call(gorpc::stats, {}));
}

TEST(ToolResultText, TextStandsAsItIsAndTheRestAsJson) {
  EXPECT_EQ(tool_result_text(R"("plain")"), "plain");
  EXPECT_EQ(tool_result_text(R"({"a":1})"), R"({"a":1})");
  EXPECT_EQ(tool_result_text(""), "");
  EXPECT_EQ(tool_result_text("null"), "null");
}

}  // namespace
}  // namespace parlance::service
