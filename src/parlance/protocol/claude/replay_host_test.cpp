// SPDX-License-Identifier: Apache-2.0
// All recorded sessions with our host in place of the recorded host. Every line of the agent goes in, byte by byte. Our host
// writes the same lines as the recorded host: equally often, with the same ids, and with all recorded members. Some recordings
// show a host that breaks the rules on purpose (answers of the wrong shape). There the tests state our host's different
// behaviour.
#include <set>
#include <utility>

#include "parlance/protocol/claude/host.h"
#include "parlance/protocol/claude/replay_test_support.h"
#include "parlance/transport/framed_stream.h"

namespace parlance::claude {
namespace {

using test::id_of;
using test::Record;
using test::Replay;
using test::subtype_of;

struct HostSide final : test::ReplayBench, HostHandler {
  void on_line(const StreamLine& line) override {
    ++stream_lines;
    EXPECT_FALSE(line.type.empty());
  }
  Task<Result<PermissionResult>> can_use_tool(const CanUseTool&) override {
    return test::typed<PermissionResult>(waiting.answer());
  }
  Task<Result<wire::Raw>> hook_callback(HookCallback) override { return waiting.answer(); }
  Task<Result<McpReply>> mcp_message(McpMessage) override { return test::typed<McpReply>(waiting.answer()); }
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

// One session: our host repeats the recorded host's actions, and reads the agent's lines.
class HostReplay {
 public:
  explicit HostReplay(const std::vector<Record>& records) {
    const auto run = [](Host& host) -> Task<void> { static_cast<void>(co_await host.run()); };
    scope_.start(run(host_));
    for (const Record& record : records) {
      if (record.from_host) does(record);
      else reads(record);
    }
    for (const Record& record : records)  // lines with invalid UTF-8 are stream lines too
      if (!record.from_host && !record.is_message && record.line.starts_with("{\"type\"")) ++stream_;
  }
  ~HostReplay() { scope_.cancel(); }

  void expect_all_was_read() const {
    EXPECT_EQ(side_.stream_lines, stream_) << "every line is read";
    EXPECT_EQ(settled_, replied_to_us_) << "every reply finds its call";
  }
  void expect_the_same_messages() const {
    const auto ours = test::messages_of(agent_.wrote);
    ASSERT_EQ(ours.size(), expected_.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
      json::Value wanted = expected_[i].first;
      if (!expected_[i].second.empty()) wanted.object()->set("request_id", expected_[i].second);
      EXPECT_EQ(test::missing_in(ours[i], wanted), "") << json::to_text(ours[i]);
      EXPECT_EQ(test::missing_in(wanted, ours[i]), "") << json::to_text(ours[i]);
    }
  }
  void expect_the_same_answers() const {
    const auto replies = test::replies_of(agent_.wrote);
    for (const auto& [id, request] : asked_) {
      const auto reply = replies.find(id);
      expect_answer(id, request, reply == replies.end() ? nullptr : &reply->second);
    }
    for (const auto& [id, reply] : replies) EXPECT_TRUE(asked_.contains(id)) << "an answer to nothing: " << json::to_text(reply);
  }

 private:
  void does(const Record& record) {
    const std::string type(record.is_message ? record.message.text_or("type", "") : "");
    if (type == "control_request" && record.message.find("request") != nullptr) {
      our_ids_[id_of(record.message)] = "req_" + std::to_string(++calls_);
      expected_.emplace_back(record.message, our_ids_[id_of(record.message)]);
      scope_.start(drive(host_, record.message, settled_));
    } else if (type == "user" && record.message.find("message") != nullptr) {
      const auto message = json::from_text<UserMessage>(record.line);
      if (!message) return;  // 95: a message without content, impossible for our host
      expected_.emplace_back(record.message, "");
      EXPECT_TRUE(host_.send_user(*message));
    } else if (type == "control_response") {
      if (answers_.emplace(id_of(record.message), record.message).second)
        side_.waiting.settle(id_of(record.message), test::recorded_answer(record.message));
    }
    while (side_.loop.run_ready()) {}
  }

  void reads(const Record& record) {
    const std::string type(record.is_message ? record.message.text_or("type", "") : "");
    std::string line = record.bytes;
    if (type == "control_request") {
      const std::string subtype = subtype_of(record.message);
      const bool ours = subtype == "can_use_tool" || subtype == "hook_callback" || subtype == "mcp_message";
      if (asked_.emplace(id_of(record.message), record.message).second && ours) side_.waiting.expect(id_of(record.message));
    } else if (type == "control_cancel_request") {
      if (!answers_.contains(id_of(record.message))) withdrawn_.insert(id_of(record.message));
    } else if (type == "control_response") {
      json::Value reply = record.message;
      if (test::reply_to(reply, our_ids_)) ++replied_to_us_;
      line = json::to_text(reply) + "\n";
    } else if (record.is_message) {
      ++stream_;
    }
    agent_.send(line);
  }

  // `reply`: ours; null: none.
  void expect_answer(const std::string& id, const json::Value& request, const json::Value* reply) const {
    const std::string subtype = subtype_of(request);
    if (subtype == "no_such_subtype") {
      ASSERT_NE(reply, nullptr);
      EXPECT_EQ(reply->find("response")->text_or("error_code", ""), "unsupported_request");
      return;
    }
    const auto recorded = answers_.find(id);
    if (withdrawn_.contains(id) || recorded == answers_.end()) {
      EXPECT_EQ(reply, nullptr) << "an answer that the recording lacks";
      return;
    }
    ASSERT_NE(reply, nullptr) << json::to_text(request);
    const json::Value* payload = recorded->second.find("response")->find("response");
    const std::string_view behavior = payload != nullptr ? payload->text_or("behavior", "") : "";
    if (subtype == "can_use_tool" && payload != nullptr && behavior != "allow" && behavior != "deny") {
      EXPECT_EQ(reply->find("response")->text_or("subtype", ""), "error") << "21, 22: no answer of that shape from us";
      return;
    }
    json::Value wanted = recorded->second;
    if (payload != nullptr && payload->find("updated_input") != nullptr)  // 13: a name without meaning
      std::erase_if(
          wanted.object()->set("response", *wanted.find("response")).object()->set("response", *payload).object()->members,
          [](const auto& member) { return member.first == "updated_input"; });
    EXPECT_EQ(test::missing_in(*reply, wanted), "") << json::to_text(*reply);
    if (behavior == "allow") expect_input(request, *payload, *reply->find("response")->find("response"));
    if (behavior == "deny")
      EXPECT_FALSE(reply->find("response")->find("response")->text_or("message", "").empty()) << "16: always sent";
  }
  static void expect_input(const json::Value& request, const json::Value& recorded, const json::Value& answer) {
    ASSERT_NE(answer.find("updatedInput"), nullptr) << "12: always sent";
    if (recorded.find("updatedInput") == nullptr)
      EXPECT_EQ(*answer.find("updatedInput"), *request.find("request")->find("input"));
  }

  HostSide side_;
  Host host_{side_.loop, framed_stream(side_.loop, std::move(side_.link.first), line_framing()), side_};
  test::OtherSide agent_{side_.loop, std::move(side_.link.second)};
  Scope scope_{side_.loop};
  std::map<std::string, std::string> our_ids_;                 // of our requests: recorded -> ours
  std::vector<std::pair<json::Value, std::string>> expected_;  // messages of ours, in order, with their ids
  std::map<std::string, json::Value> asked_;                   // requests of the agent, by id
  std::map<std::string, json::Value> answers_;                 // and how the recorded host answered, the first time
  std::set<std::string> withdrawn_;
  std::size_t calls_ = 0;
  std::size_t settled_ = 0;
  std::size_t replied_to_us_ = 0;
  std::size_t stream_ = 0;
};

class ReplayForHosts : public Replay {};

TEST_P(ReplayForHosts, OurHostWritesTheRecordedMessages) {
  const HostReplay replay(records);
  replay.expect_all_was_read();
  replay.expect_the_same_messages();
  replay.expect_the_same_answers();
}

INSTANTIATE_TEST_SUITE_P(Sessions, ReplayForHosts, ::testing::ValuesIn(test::recordings(test::recordings_folder)), test::name_of);

}  // namespace
}  // namespace parlance::claude
