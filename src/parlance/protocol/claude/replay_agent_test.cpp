// SPDX-License-Identifier: Apache-2.0
// All recorded sessions with our agent side in place of the recorded agent. Every line of the host goes in, byte by byte. Our
// side writes the same lines as the recorded agent: equally often, with the same ids, and with all recorded members.
#include <set>
#include <utility>

#include "parlance/protocol/claude/agent.h"
#include "parlance/protocol/claude/replay_test_support.h"
#include "parlance/transport/framed_stream.h"

namespace parlance::claude {
namespace {

using test::id_of;
using test::Record;
using test::Replay;
using test::subtype_of;

struct AgentBench final : test::ReplayBench, AgentHandler {
  void on_line(const StreamLine&) override { ++stream_lines; }
  Task<Result<wire::Raw>> initialize(Initialize) override { return waiting.answer(); }
  Task<Result<ModeReply>> set_permission_mode(SetPermissionMode) override { return test::typed<ModeReply>(waiting.answer()); }
  Task<Result<wire::Raw>> set_model(SetModel) override { return waiting.answer(); }
  Task<Result<wire::Raw>> set_max_thinking_tokens(SetMaxThinkingTokens) override { return waiting.answer(); }
  Task<Result<Interrupted>> interrupt() override { return test::typed<Interrupted>(waiting.answer()); }
  Task<Result<McpStatus>> mcp_status() override { return test::typed<McpStatus>(waiting.answer()); }
  Task<Result<McpReply>> mcp_message(McpMessage) override { return test::typed<McpReply>(waiting.answer()); }
  Task<void> input_ended() override { co_return; }
};

constexpr std::string_view served[] = {"initialize", "set_permission_mode", "set_model",  "set_max_thinking_tokens",
                                       "interrupt",  "mcp_status",          "mcp_message"};

bool is_served(const std::string& subtype) { return std::ranges::find(served, subtype) != std::end(served); }

template <class T>
void expect_typed_part(const Record& record) {
  const auto read = json::from_text<T>(record.line);
  ASSERT_TRUE(read) << read.error().message << record.line;
  json::Value again = json::parse(json::to_text(*read)).value();
  // Lists and texts filled in by the table are allowed; recorded members must be equal.
  std::erase_if(again.object()->members, [&](const auto& member) { return record.message.find(member.first) == nullptr; });
  if (again.find("usage") != nullptr) {
    std::erase_if(again.object()->set("usage", *again.find("usage")).object()->members,
                  [&](const auto& member) { return record.message.find("usage")->find(member.first) == nullptr; });
  }
  std::erase_if(again.object()->members, [](const auto& member) { return member.first == "plugins"; });
  EXPECT_EQ(test::missing_in(record.message, again), "") << record.line;
}

// One session: our side repeats the recorded agent's actions, and reads the host's lines.
class AgentReplay {
 public:
  explicit AgentReplay(const std::vector<Record>& records) {
    const auto run = [](AgentSide& agent_side) -> Task<void> { static_cast<void>(co_await agent_side.run()); };
    scope_.start(run(agent_));
    for (const Record& record : records) {
      if (record.from_host) reads(record);
      else does(record);
    }
  }
  ~AgentReplay() { scope_.cancel(); }

  void expect_all_was_read() const {
    EXPECT_GE(side_.stream_lines, stream_) << "every line is read";
    EXPECT_EQ(settled_, answered_us_) << "every answer finds its question";
  }
  void expect_the_same_messages() const {
    const auto ours = test::messages_of(host_.wrote);
    ASSERT_EQ(ours.size(), expected_.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (expected_[i].text_or("type", "") == "control_request") expect_question(ours[i], expected_[i]);
      else EXPECT_EQ(ours[i], expected_[i]);
    }
  }
  void expect_the_same_answers() {
    host_.end();
    // In 96 a request has no id, and its answer has none.
    const auto replies = test::replies_of(host_.wrote);
    for (const auto& [id, request] : asked_) {
      const auto reply = replies.find(id);
      expect_answer(id, request, reply == replies.end() ? nullptr : &reply->second);
    }
  }

 private:
  void does(const Record& record) {
    const std::string type(record.is_message ? record.message.text_or("type", "") : "");
    if (type == "control_request") asks(record.message);
    else if (type == "control_cancel_request") withdraws(record.message);
    else if (type == "control_response") {
      if (answers_.emplace(id_of(record.message), record.message).second && asked_.contains(id_of(record.message)))
        side_.waiting.settle(id_of(record.message), test::recorded_answer(record.message));
    } else if (record.is_message) {
      if (type == "result") expect_typed_part<TurnResult>(record);
      if (type == "system" && record.message.text_or("subtype", "") == "init") expect_typed_part<SystemInit>(record);
      EXPECT_TRUE(agent_.send(record.line));
      expected_.push_back(record.message);
    }
    while (side_.loop.run_ready()) {}
  }
  void asks(const json::Value& message) {
    const std::string id = id_of(message);
    const std::string subtype = subtype_of(message);
    if (our_ids_.contains(id)) return;  // a question repeated under the same id, impossible for our side
    const std::string text = json::to_text(*message.find("request"));
    if (subtype == "can_use_tool") ask(id, agent_.can_use_tool(json::from_text<CanUseTool>(text).value()));
    else if (subtype == "hook_callback") ask(id, agent_.hook_callback(json::from_text<HookCallback>(text).value(), no_deadline));
    else if (subtype == "mcp_message") ask(id, agent_.mcp_message(json::from_text<McpMessage>(text).value(), no_deadline));
    else return;
    json::Value wanted = message;
    wanted.object()->set("request_id", our_ids_[id]);
    expected_.push_back(std::move(wanted));
  }
  template <class R>
  void ask(const std::string& id, Task<Result<R>> question) {
    our_ids_[id] = "req_" + std::to_string(++calls_);
    const auto asking = [](Task<Result<R>> task, std::size_t& count) -> Task<void> {
      static_cast<void>(co_await std::move(task));
      ++count;
    };
    questions_[id] = scope_.start(asking(std::move(question), settled_));
  }
  void withdraws(const json::Value& message) {
    const auto question = questions_.find(id_of(message));
    if (question == questions_.end() || !question->second || !our_ids_.contains(id_of(message))) return;
    json::Value wanted = message;
    wanted.object()->set("request_id", our_ids_[id_of(message)]);
    our_ids_.erase(id_of(message));
    question->second.cancel();
    expected_.push_back(std::move(wanted));
  }

  void reads(const Record& record) {
    const std::string type(record.is_message ? record.message.text_or("type", "") : "");
    std::string line = record.bytes;
    if (!record.is_message) reads_pieces(record.bytes);
    if (type == "control_cancel_request") withdrawn_.insert(id_of(record.message));
    if (type == "control_request" && !subtype_of(record.message).empty()) {
      if (is_served(subtype_of(record.message))) side_.waiting.expect(id_of(record.message));
      asked_.emplace(id_of(record.message), record.message);
    } else if (type == "control_response") {
      json::Value reply = record.message;
      if (test::reply_to(reply, our_ids_)) ++answered_us_;
      line = json::to_text(reply) + "\n";
    } else if (record.is_message && type != "control_cancel_request" && type != "control_request" && !type.empty()) {
      ++stream_;
    }
    host_.send(line);
  }
  // 93: lines in pieces, and several at once.
  void reads_pieces(const std::string& bytes) {
    pieces_ += bytes;
    for (std::size_t end = 0; (end = pieces_.find('\n')) != std::string::npos; pieces_.erase(0, end + 1)) {
      const auto whole = json::parse(pieces_.substr(0, end));
      if (!whole || whole->text_or("type", "") != "control_request" || subtype_of(*whole).empty()) continue;
      side_.waiting.expect(id_of(*whole));
      asked_.emplace(id_of(*whole), *whole);
    }
  }

  static void expect_question(const json::Value& ours, const json::Value& wanted) {
    // Decorative fields of newer versions are not in our table: the recording contains all our members.
    EXPECT_EQ(test::missing_in(wanted, ours), "") << json::to_text(ours);
    for (const char* member :
         {"tool_name", "input", "tool_use_id", "permission_suggestions", "callback_id", "server_name", "message"})
      if (const json::Value* value = wanted.find("request")->find(member); value != nullptr) {
        ASSERT_NE(ours.find("request")->find(member), nullptr) << member;
        EXPECT_EQ(*ours.find("request")->find(member), *value);
      }
  }
  // `reply`: ours; null: none.
  void expect_answer(const std::string& id, const json::Value& request, const json::Value* reply) const {
    const std::string subtype = subtype_of(request);
    if (!is_served(subtype)) {
      ASSERT_NE(reply, nullptr) << subtype;
      EXPECT_EQ(reply->find("response")->text_or("error_code", ""), "unsupported_request");
      return;
    }
    const auto recorded = answers_.find(id);
    if (withdrawn_.contains(id) || recorded == answers_.end()) {
      EXPECT_EQ(reply, nullptr) << "an answer that the recording lacks";
      return;
    }
    ASSERT_NE(reply, nullptr) << json::to_text(request);
    EXPECT_EQ(reply->find("response")->text_or("subtype", ""), recorded->second.find("response")->text_or("subtype", ""));
  }

  AgentBench side_;
  AgentSide agent_{side_.loop, framed_stream(side_.loop, std::move(side_.link.first), line_framing()), side_};
  test::OtherSide host_{side_.loop, std::move(side_.link.second)};
  Scope scope_{side_.loop};
  std::map<std::string, std::string> our_ids_;  // of our questions: recorded -> ours
  std::vector<json::Value> expected_;           // messages of ours, in order
  std::map<std::string, json::Value> asked_;    // requests of the host, by id
  std::map<std::string, json::Value> answers_;  // and how the recorded agent answered, the first time
  std::map<std::string, Scope::Handle> questions_;
  std::set<std::string> withdrawn_;
  std::string pieces_;
  std::size_t calls_ = 0;
  std::size_t settled_ = 0;
  std::size_t answered_us_ = 0;
  std::size_t stream_ = 0;
};

class ReplayForAgents : public Replay {};

TEST_P(ReplayForAgents, OurAgentSideWritesTheRecordedMessages) {
  AgentReplay replay(records);
  replay.expect_all_was_read();
  replay.expect_the_same_messages();
  replay.expect_the_same_answers();
}

INSTANTIATE_TEST_SUITE_P(Sessions, ReplayForAgents, ::testing::ValuesIn(test::recordings(test::recordings_folder)),
                         test::name_of);

}  // namespace
}  // namespace parlance::claude
