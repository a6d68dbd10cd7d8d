// All recorded sessions, both ways: every line of the agent goes into our host and every line of the host into our agent side, one
// byte a read; what the other recorded side wrote, ours writes: as often, with the same ids, and with everything in it that was
// recorded. Where a recording shows a side that breaks the rules on purpose (answers of the wrong shape), ours does not follow, and
// the tests say what it does instead.
#include <deque>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "codec/json/typed.h"
#include "protocol/claude/agent.h"
#include "protocol/claude/host.h"
#include "protocol/claude/recording.h"
#include "transport/framed_stream.h"
#include "transport/memory.h"

namespace parlance::claude {
namespace {

using test::id_of;
using test::Record;

const std::string folder = PARLANCE_SOURCE_DIR "/tests/vectors/claude-control";

// Answers wait here until the recording comes to them. By position: handlers know no ids.
class Waiting {
 public:
  explicit Waiting(Loop& loop) : loop_(loop) {}
  // The next request; its answer comes by `settle` with the same id.
  Task<Result<wire::Raw>> answer() {
    if (next_.empty()) co_return fail(Errc::internal, "a request that was not recorded");
    const std::string id = next_.front();
    next_.pop_front();
    auto& slot = slots_.try_emplace(id, std::make_unique<OneShot<Result<wire::Raw>>>(loop_)).first->second;
    co_return co_await slot->get();
  }
  void expect(const std::string& id) { next_.push_back(id); }
  void settle(const std::string& id, Result<wire::Raw> with) {
    slots_.try_emplace(id, std::make_unique<OneShot<Result<wire::Raw>>>(loop_)).first->second->set(std::move(with));
  }

 private:
  Loop& loop_;
  std::deque<std::string> next_;
  std::map<std::string, std::unique_ptr<OneShot<Result<wire::Raw>>>> slots_;
};

Result<wire::Raw> recorded_answer(const json::Value& reply) {
  const json::Value& response = *reply.find("response");
  if (response.text_or("subtype", "") == "error") return fail(Errc::failed, std::string(response.text_or("error", "")));
  const json::Value* payload = response.find("response");
  return wire::Raw{payload == nullptr ? "" : json::to_text(*payload)};
}

template <class T>
Task<Result<T>> typed(Task<Result<wire::Raw>> raw) {
  PARLANCE_CO_TRY(answer, co_await std::move(raw));
  co_return json::from_text<T>(answer.json.empty() ? "{}" : answer.json);
}

// The recorded other side: writes what was recorded, keeps what ours wrote.
class OtherSide {
 public:
  OtherSide(Loop& loop, std::unique_ptr<ByteStream> stream) : loop_(loop), stream_(std::move(stream)), scope_(loop) {
    scope_.start(read());
  }
  void send(BytesView bytes) {
    EXPECT_EQ(stream_->try_write(bytes), bytes.size());
    while (loop_.run_ready()) {}
  }
  void end() {
    stream_->close_output();
    while (loop_.run_ready()) {}
  }
  std::vector<json::Value> wrote;

 private:
  Task<void> read() {
    std::string text;
    char buffer[4096];
    for (;;) {
      const auto got = co_await read_some(*stream_, buffer);
      if (!got || *got == 0) co_return;
      text.append(buffer, *got);
      for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1)) {
        auto value = json::parse(text.substr(0, end));
        EXPECT_TRUE(value) << text.substr(0, end);
        if (value) wrote.push_back(*std::move(value));
      }
    }
  }
  Loop& loop_;
  std::unique_ptr<ByteStream> stream_;
  Scope scope_;
};

struct Base {
  Loop loop{Loop::Time::virtual_};
  std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> link =
      memory_pair(loop, {.one_byte_reads = true, .capacity = 1 << 20});
  Waiting waiting{loop};
  std::size_t stream_lines = 0;
};

// Replies by id: exactly one each.
std::map<std::string, json::Value> replies_of(const std::vector<json::Value>& wrote) {
  std::map<std::string, json::Value> replies;
  for (const json::Value& line : wrote)
    if (line.text_or("type", "") == "control_response")
      EXPECT_TRUE(replies.emplace(id_of(line), line).second) << "twice: " << json::to_text(line);
  return replies;
}

template <class P, class R>
Task<void> call(Peer& peer, const wire::Call<P, R>& what, P parameters, std::size_t& settled) {
  static_cast<void>(co_await peer.call(what, std::move(parameters), no_deadline));
  ++settled;
}

class Replay : public ::testing::TestWithParam<std::string> {
 protected:
  std::vector<Record> records = test::read_recording(folder + "/" + GetParam());
};

// ---- our host against the recorded agent -------------------------------------------------------------------------------------

struct HostSide final : Base, HostHandler {
  void on_line(const StreamLine& line) override {
    ++stream_lines;
    EXPECT_FALSE(line.type.empty());
  }
  Task<Result<PermissionResult>> can_use_tool(const CanUseTool&) override { return typed<PermissionResult>(waiting.answer()); }
  Task<Result<wire::Raw>> hook_callback(HookCallback) override { return waiting.answer(); }
  Task<Result<McpReply>> mcp_message(McpMessage) override { return typed<McpReply>(waiting.answer()); }
};

Task<void> drive(Host& host, const json::Value message, std::size_t& settled) {
  const json::Value& request = *message.find("request");
  const std::string subtype = std::string(request.text_or("subtype", ""));
  json::Value parameters = request;
  std::erase_if(parameters.object()->members, [](const auto& member) { return member.first == "subtype"; });
  const std::string text = json::to_text(parameters);
  if (subtype == "initialize") static_cast<void>(co_await host.initialize(json::from_text<Initialize>(text).value()));
  else if (subtype == "interrupt" && text == "{}") static_cast<void>(co_await host.interrupt());
  else if (subtype == "mcp_status") static_cast<void>(co_await host.mcp_status());
  else if (subtype == "set_permission_mode" && is_permission_mode(parameters.text_or("mode", "")))
    static_cast<void>(co_await host.set_permission_mode(std::string(parameters.text_or("mode", ""))));
  else static_cast<void>(co_await host.request(subtype, {text}));
  ++settled;
}

TEST_P(Replay, OurHostWritesWhatTheRecordedOneWrote) {
  HostSide side;
  Host host(side.loop, framed_stream(side.loop, std::move(side.link.first), line_framing()), side);
  OtherSide agent(side.loop, std::move(side.link.second));
  Scope scope(side.loop);
  const auto run = [](Host& one) -> Task<void> { static_cast<void>(co_await one.run()); };
  scope.start(run(host));

  std::map<std::string, std::string> our_ids;                 // of our requests: recorded -> ours
  std::vector<std::pair<json::Value, std::string>> expected;  // messages of ours, in order, with their ids
  std::map<std::string, json::Value> asked;                   // requests of the agent, by id
  std::map<std::string, json::Value> answers;                 // and how the recorded host answered, the first time
  std::set<std::string> withdrawn;
  std::size_t calls = 0;
  std::size_t settled = 0;
  std::size_t replied_to_us = 0;
  std::size_t stream = 0;
  for (const Record& record : records) {
    const std::string type(record.is_message ? record.message.text_or("type", "") : "");
    if (record.from_host) {
      if (type == "control_request" && record.message.find("request") != nullptr) {
        our_ids[id_of(record.message)] = "req_" + std::to_string(++calls);
        expected.emplace_back(record.message, our_ids[id_of(record.message)]);
        scope.start(drive(host, record.message, settled));
      } else if (type == "user" && record.message.find("message") != nullptr) {
        const auto message = json::from_text<UserMessage>(record.line);
        if (!message) continue;  // 95: a message without content, which ours cannot write
        expected.emplace_back(record.message, "");
        EXPECT_TRUE(host.send_user(*message));
      } else if (type == "control_response") {
        if (answers.emplace(id_of(record.message), record.message).second)
          side.waiting.settle(id_of(record.message), recorded_answer(record.message));
      }
      while (side.loop.run_ready()) {}
      continue;
    }
    std::string line = record.bytes;
    if (type == "control_request") {
      const std::string subtype = test::subtype_of(record.message);
      const bool ours = subtype == "can_use_tool" || subtype == "hook_callback" || subtype == "mcp_message";
      if (!asked.emplace(id_of(record.message), record.message).second) {
      } else if (ours) side.waiting.expect(id_of(record.message));
    } else if (type == "control_cancel_request") {
      if (!answers.contains(id_of(record.message))) withdrawn.insert(id_of(record.message));
    } else if (type == "control_response") {
      json::Value reply = record.message;
      json::Object& response = *reply.object()->set("response", *record.message.find("response")).object();
      if (const auto found = our_ids.find(id_of(record.message)); found != our_ids.end()) {
        response.set("request_id", found->second);
        ++replied_to_us;
        our_ids.erase(found);
      }
      line = json::to_text(reply) + "\n";
    } else if (record.is_message) {
      ++stream;
    }
    agent.send(line);
  }
  for (const Record& record : records)  // lines that are not valid UTF-8 are stream lines, too
    if (!record.from_host && !record.is_message && record.line.starts_with("{\"type\"")) ++stream;
  EXPECT_EQ(side.stream_lines, stream) << "every line is read";
  EXPECT_EQ(settled, replied_to_us) << "every reply finds its call";

  // Our messages, in order.
  std::vector<json::Value> ours;
  for (const json::Value& line : agent.wrote)
    if (line.text_or("type", "") != "control_response") ours.push_back(line);
  ASSERT_EQ(ours.size(), expected.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    json::Value wanted = expected[i].first;
    if (!expected[i].second.empty()) wanted.object()->set("request_id", expected[i].second);
    EXPECT_EQ(test::missing_in(ours[i], wanted), "") << json::to_text(ours[i]);
    EXPECT_EQ(test::missing_in(wanted, ours[i]), "") << json::to_text(ours[i]);
  }

  // Our answers.
  const auto replies = replies_of(agent.wrote);
  for (const auto& [id, request] : asked) {
    const std::string subtype = test::subtype_of(request);
    if (subtype == "no_such_subtype") {
      ASSERT_TRUE(replies.contains(id));
      EXPECT_EQ(replies.at(id).find("response")->text_or("error_code", ""), "unsupported_request");
      continue;
    }
    const auto recorded = answers.find(id);
    if (withdrawn.contains(id) || recorded == answers.end()) {
      EXPECT_FALSE(replies.contains(id)) << "an answer that nobody gave";
      continue;
    }
    ASSERT_TRUE(replies.contains(id)) << json::to_text(request);
    const json::Value& reply = replies.at(id);
    const json::Value* payload = recorded->second.find("response")->find("response");
    const std::string_view behavior = payload != nullptr ? payload->text_or("behavior", "") : "";
    if (subtype == "can_use_tool" && payload != nullptr && behavior != "allow" && behavior != "deny") {
      EXPECT_EQ(reply.find("response")->text_or("subtype", ""), "error") << "21, 22: no answer of that shape from us";
      continue;
    }
    json::Value wanted = recorded->second;
    if (payload != nullptr && payload->find("updated_input") != nullptr)  // 13: a name that means nothing
      std::erase_if(
          wanted.object()->set("response", *wanted.find("response")).object()->set("response", *payload).object()->members,
          [](const auto& member) { return member.first == "updated_input"; });
    EXPECT_EQ(test::missing_in(reply, wanted), "") << json::to_text(reply);
    if (behavior == "allow") {
      const json::Value* answer = reply.find("response")->find("response");
      ASSERT_NE(answer->find("updatedInput"), nullptr) << "12: always sent";
      if (payload->find("updatedInput") == nullptr)
        EXPECT_EQ(*answer->find("updatedInput"), *request.find("request")->find("input"));
    }
    if (behavior == "deny")
      EXPECT_FALSE(reply.find("response")->find("response")->text_or("message", "").empty()) << "16: always sent";
  }
  for (const auto& [id, reply] : replies) EXPECT_TRUE(asked.contains(id)) << "an answer to nothing: " << json::to_text(reply);
  scope.cancel();
}

// ---- our agent side against the recorded host -----------------------------------------------------------------------------------

struct AgentBench final : Base, AgentHandler {
  void on_line(const StreamLine&) override { ++stream_lines; }
  Task<Result<wire::Raw>> initialize(Initialize) override { return waiting.answer(); }
  Task<Result<ModeReply>> set_permission_mode(SetPermissionMode) override { return typed<ModeReply>(waiting.answer()); }
  Task<Result<wire::Raw>> set_model(SetModel) override { return waiting.answer(); }
  Task<Result<wire::Raw>> set_max_thinking_tokens(SetMaxThinkingTokens) override { return waiting.answer(); }
  Task<Result<Interrupted>> interrupt() override { return typed<Interrupted>(waiting.answer()); }
  Task<Result<McpStatus>> mcp_status() override { return typed<McpStatus>(waiting.answer()); }
  Task<Result<McpReply>> mcp_message(McpMessage) override { return typed<McpReply>(waiting.answer()); }
  Task<void> input_ended() override { co_return; }
};

constexpr std::string_view served[] = {"initialize", "set_permission_mode", "set_model",  "set_max_thinking_tokens",
                                       "interrupt",  "mcp_status",          "mcp_message"};

template <class T>
void expect_typed_part(const Record& record) {
  const auto read = json::from_text<T>(record.line);
  ASSERT_TRUE(read) << read.error().message << record.line;
  json::Value again = json::parse(json::to_text(*read)).value();
  // Lists and texts that the table fills in when they are absent are allowed; what was there has to be the same.
  std::erase_if(again.object()->members, [&](const auto& member) { return record.message.find(member.first) == nullptr; });
  if (again.find("usage") != nullptr) {
    std::erase_if(again.object()->set("usage", *again.find("usage")).object()->members,
                  [&](const auto& member) { return record.message.find("usage")->find(member.first) == nullptr; });
  }
  std::erase_if(again.object()->members, [](const auto& member) { return member.first == "plugins"; });
  EXPECT_EQ(test::missing_in(record.message, again), "") << record.line;
}

TEST_P(Replay, OurAgentSideWritesWhatTheRecordedOneWrote) {
  AgentBench side;
  auto near = framed_stream(side.loop, std::move(side.link.first), line_framing());
  AgentSide agent(side.loop, std::move(near), side);
  OtherSide host(side.loop, std::move(side.link.second));
  Scope scope(side.loop);
  const auto run = [](AgentSide& one) -> Task<void> { static_cast<void>(co_await one.run()); };
  scope.start(run(agent));

  std::map<std::string, std::string> our_ids;
  std::vector<json::Value> expected;
  std::map<std::string, json::Value> asked;
  std::map<std::string, json::Value> answers;
  std::map<std::string, Scope::Handle> questions;
  std::set<std::string> withdrawn;
  std::string pieces;
  std::size_t calls = 0;
  std::size_t settled = 0;
  std::size_t answered_us = 0;
  std::size_t stream = 0;
  for (const Record& record : records) {
    const std::string type(record.is_message ? record.message.text_or("type", "") : "");
    if (!record.from_host) {
      if (type == "control_request") {
        const std::string id = id_of(record.message);
        if (our_ids.contains(id)) continue;  // a question asked twice under one id, which ours cannot do
        our_ids[id] = "req_" + std::to_string(++calls);
        json::Value wanted = record.message;
        wanted.object()->set("request_id", our_ids[id]);
        json::Value request = *record.message.find("request");
        const std::string text = json::to_text(request);
        const std::string subtype = test::subtype_of(record.message);
        const auto asking = []<class R>(Task<Result<R>> task, std::size_t& count) -> Task<void> {
          static_cast<void>(co_await std::move(task));
          ++count;
        };
        if (subtype == "can_use_tool")
          questions[id] = scope.start(asking(agent.can_use_tool(json::from_text<CanUseTool>(text).value()), settled));
        else if (subtype == "hook_callback")
          questions[id] =
              scope.start(asking(agent.hook_callback(json::from_text<HookCallback>(text).value(), no_deadline), settled));
        else if (subtype == "mcp_message")
          questions[id] = scope.start(asking(agent.mcp_message(json::from_text<McpMessage>(text).value(), no_deadline), settled));
        else {
          --calls;
          our_ids.erase(id);
          continue;
        }
        expected.push_back(std::move(wanted));
      } else if (type == "control_cancel_request") {
        const auto question = questions.find(id_of(record.message));
        if (question == questions.end() || !question->second || !our_ids.contains(id_of(record.message))) continue;
        json::Value wanted = record.message;
        wanted.object()->set("request_id", our_ids[id_of(record.message)]);
        our_ids.erase(id_of(record.message));
        question->second.cancel();
        expected.push_back(std::move(wanted));
      } else if (type == "control_response") {
        if (answers.emplace(id_of(record.message), record.message).second && asked.contains(id_of(record.message)))
          side.waiting.settle(id_of(record.message), recorded_answer(record.message));
      } else if (record.is_message) {
        if (type == "result") expect_typed_part<TurnResult>(record);
        if (type == "system" && record.message.text_or("subtype", "") == "init") expect_typed_part<SystemInit>(record);
        EXPECT_TRUE(agent.send(record.line));
        expected.push_back(record.message);
      }
      while (side.loop.run_ready()) {}
      continue;
    }
    std::string line = record.bytes;
    if (!record.is_message) {  // 93: lines in pieces, and several at once
      pieces += record.bytes;
      for (std::size_t end = 0; (end = pieces.find('\n')) != std::string::npos; pieces.erase(0, end + 1)) {
        const auto whole = json::parse(pieces.substr(0, end));
        if (!whole || whole->text_or("type", "") != "control_request" || test::subtype_of(*whole).empty()) continue;
        side.waiting.expect(id_of(*whole));
        asked.emplace(id_of(*whole), *whole);
      }
    }
    if (type == "control_cancel_request") withdrawn.insert(id_of(record.message));
    if (type == "control_request" && !test::subtype_of(record.message).empty()) {
      if (std::ranges::find(served, test::subtype_of(record.message)) != std::end(served))
        side.waiting.expect(id_of(record.message));
      asked.emplace(id_of(record.message), record.message);
    } else if (type == "control_response") {
      json::Value reply = record.message;
      json::Object& response = *reply.object()->set("response", *record.message.find("response")).object();
      if (const auto found = our_ids.find(id_of(record.message)); found != our_ids.end()) {
        response.set("request_id", found->second);
        ++answered_us;
        our_ids.erase(found);
      }
      line = json::to_text(reply) + "\n";
    } else if (record.is_message && type != "control_cancel_request" && type != "control_request" && !type.empty()) {
      ++stream;
    }
    host.send(line);
  }
  EXPECT_GE(side.stream_lines, stream) << "every line is read";
  EXPECT_EQ(settled, answered_us) << "every answer finds its question";

  std::vector<json::Value> ours;
  for (const json::Value& line : host.wrote)
    if (line.text_or("type", "") != "control_response") ours.push_back(line);
  ASSERT_EQ(ours.size(), expected.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    json::Value wanted = expected[i];
    if (wanted.text_or("type", "") == "control_request") {
      // Fields that are decoration of newer versions are not in our table: what we write is all in the recording.
      EXPECT_EQ(test::missing_in(wanted, ours[i]), "") << json::to_text(ours[i]);
      for (const char* member :
           {"tool_name", "input", "tool_use_id", "permission_suggestions", "callback_id", "server_name", "message"})
        if (const json::Value* value = wanted.find("request")->find(member); value != nullptr) {
          ASSERT_NE(ours[i].find("request")->find(member), nullptr) << member;
          EXPECT_EQ(*ours[i].find("request")->find(member), *value);
        }
    } else {
      EXPECT_EQ(ours[i], wanted);
    }
  }
  host.end();
  // In 96 one request has no id, and its answer has none.
  const auto replies = replies_of(host.wrote);
  for (const auto& [id, request] : asked) {
    const std::string subtype = test::subtype_of(request);
    if (std::ranges::find(served, subtype) == std::end(served)) {
      ASSERT_TRUE(replies.contains(id)) << subtype;
      EXPECT_EQ(replies.at(id).find("response")->text_or("error_code", ""), "unsupported_request");
      continue;
    }
    const auto recorded = answers.find(id);
    if (withdrawn.contains(id) || recorded == answers.end()) {
      EXPECT_FALSE(replies.contains(id)) << "an answer that nobody gave, or that nobody waits for";
      continue;
    }
    ASSERT_TRUE(replies.contains(id)) << json::to_text(request);
    EXPECT_EQ(replies.at(id).find("response")->text_or("subtype", ""), recorded->second.find("response")->text_or("subtype", ""));
  }
  scope.cancel();
}

// ---- cut anywhere --------------------------------------------------------------------------------------------------------------

// A stream may end at any byte. What came before was whole lines, so it is the last one that matters: no part of a line is taken
// for a line, and the next whole line is read as if nothing had happened.
TEST_P(Replay, NoPartOfALineIsTakenForOne) {
  for (const Side side : {Side::host, Side::agent}) {
    const auto dialect = control_dialect(side, [](const Error&, BytesView) {});
    for (const Record& record : records) {
      if (record.from_host != (side == Side::agent) || !record.is_message) continue;
      for (std::size_t length = 1; length < record.line.size(); ++length) {
        const Message message = dialect->decode(BytesView(record.line).substr(0, length));
        ASSERT_EQ(message.kind, MessageKind::malformed) << record.line.substr(0, length);
        ASSERT_FALSE(message.answer || message.fatal);
      }
      static_cast<void>(dialect->decode(record.line));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sessions, Replay, ::testing::ValuesIn(test::recordings(folder)), [](const auto& parameter) {
  std::string name = parameter.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

TEST(Recordings, AreAllThere) { EXPECT_EQ(test::recordings(folder).size(), 283U); }

}  // namespace
}  // namespace parlance::claude
