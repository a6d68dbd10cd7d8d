// SPDX-License-Identifier: Apache-2.0
// The same script, first with the scripted agent itself and then with `parlance serve-acp --iflow` in front (client, our
// frontend, the hub, our driver, the same agent). The client's view and the agent's input are equal.
#include <map>
#include <ostream>

#include "parlance/codec/json/value.h"
#include "tests/peers/iflow/iflow_peer.h"

namespace parlance::iflow {
namespace {

using Outcome = ToolCallConfirmationOutcome;

// A person's view of a turn, independent of its pieces.
struct Seen {
  std::string text{};
  std::string thought{};
  std::map<std::string, std::string> calls{};  // by id: the last state
  std::vector<std::string> plans{};
  std::vector<std::string> asked{};
  std::string end{};
  friend bool operator==(const Seen&, const Seen&) = default;
};

std::ostream& operator<<(std::ostream& out, const Seen& seen) {
  out << "text \"" << seen.text << "\", thought \"" << seen.thought << "\", end " << seen.end;
  for (const auto& [id, status] : seen.calls) out << ", " << id << " " << status;
  for (const std::string& one : seen.plans) out << ", plan " << one;
  for (const std::string& one : seen.asked) out << ", asked " << one;
  return out;
}

Seen seen_in(const std::vector<std::string>& messages, std::vector<std::string> asked) {
  Seen seen{.asked = std::move(asked)};
  for (const std::string& text : messages) {
    const json::Value message = *json::parse(text);
    const std::string_view type = message.text_or("type", "");
    if (const json::Value* chunk = message.find("chunk")) {
      seen.text += chunk->text_or("text", "");
      seen.thought += chunk->text_or("thought", "");
    }
    if (type == "tool_call" && message.find("confirmation") == nullptr && message.find("_questionRequest") == nullptr &&
        message.find("_planApproval") == nullptr)
      seen.calls[std::string(message.text_or("id", ""))] = message.text_or("status", "");
    if (type == "plan") seen.plans.push_back(json::to_text(*message.find("entries")));
    if (type == "task_finish") seen.end = message.text_or("stopReason", "");
    if (type == "error") seen.end = "error: " + std::string(message.text_or("message", ""));
  }
  return seen;
}

class IflowCompared : public IflowPeer {
 protected:
  void SetUp() override {
    IflowPeer::SetUp();
    if (IsSkipped()) return;
    direct_ = url_;
    test::write_file(path("parlance.toml"), "[agents.mock]\nurl = \"" + direct_ + "\"\ndialect = \"iflow\"\n");
    ours_ = launch(with_program(
        {"serve-acp", "--iflow", "--port", "0", "--agent", "mock", "--state", path("state"), "--config", path("parlance.toml")}));
    until([&] { return ours_->errors.contains("listening on "); }, "a server that listens");
    const std::size_t at = ours_->errors.find("ws://");
    through_ = ours_->errors.substr(at, ours_->errors.find('\n', at) - at);
  }
  // Of a single turn in its own session.
  Seen turn_at(const std::string& url, const std::string& prompt, Outcome outcome) {
    url_ = url;
    connected();
    std::vector<std::string> asked;
    const auto messages = turn(prompt, [&](const ToolCallMessage& call) {
      if (call.confirmation) {
        asked.emplace_back("permission");
        static_cast<void>(client_->approve_tool_call(*call.request, outcome));
      } else if (call.questions) {
        for (const Question& one : *call.questions) asked.push_back(one.header + ": " + one.question);
        static_cast<void>(client_->answer_questions(*call.request, {{"Database", {"sqlite"}}, {"Extras", {"tests", "docs"}}}));
      } else if (call.plan) {
        asked.push_back(*call.plan);  // once with words; afterwards unchanged
        static_cast<void>(client_->approve_plan(*call.request, false, asked.size() == 1 ? "smaller" : ""));
      }
    });
    get(client_->disconnect());
    return seen_in(messages, std::move(asked));
  }
  void compare(const std::string& prompt, Outcome outcome = Outcome::allow) {
    SCOPED_TRACE(prompt);
    const Seen direct = turn_at(direct_, prompt, outcome);
    EXPECT_FALSE(direct.end.empty());
    EXPECT_EQ(turn_at(through_, prompt, outcome), direct);
  }
  std::unique_ptr<test::Program> ours_;
  std::string direct_;
  std::string through_;
};

TEST_F(IflowCompared, WordsAndBurstsAreTheSame) {
  EXPECT_EQ(turn_at(direct_, "hello", Outcome::allow).text, "echo: hello");
  EXPECT_THAT(turn_at(through_, "hello", Outcome::allow).text,
              testing::AllOf(testing::StartsWith("echo: "), testing::EndsWith("hello")))
      << "with the folder before it";
  for (const int count : {2, 50, 500}) compare("scenario:burst {\"n\":" + std::to_string(count) + "}");
  compare(R"(scenario:flood {"n":2000,"text":"x"})");
  compare(R"(scenario:spaced {"n":20,"ms":1})");
}

// The agent never ends the call of its request; through parlance the call has an end.
TEST_F(IflowCompared, PermissionsAreAnsweredWithTheSameOption) {
  for (const char* set : {R"(["once","always","cancel"])", R"(["once","always","server","tool","cancel"])"}) {
    for (const Outcome outcome : {Outcome::allow, Outcome::always_allow, Outcome::reject}) {
      const std::string prompt = std::string("scenario:permission {\"set\":") + set + "}";
      Seen ours = turn_at(through_, prompt, outcome);
      EXPECT_EQ(ours.calls.at("tc-9"), outcome == Outcome::reject ? "failed" : "completed");
      ours.calls.clear();
      EXPECT_EQ(ours, turn_at(direct_, prompt, outcome)) << prompt;
    }
  }
}

TEST_F(IflowCompared, QuestionsHaveTheSameAnswers) { compare("scenario:questions"); }

TEST_F(IflowCompared, TurnsEndForTheSameReason) {
  compare(R"(scenario:stop {"reason":"max_tokens"})");
  compare(R"(scenario:stop {"reason":"refusal"})");
  compare("scenario:nullresult");
}

TEST_F(IflowCompared, UnusualMessagesAreEquallyInvisible) {
  for (const char* scenario : {"unknown", "unknown_notification", "legacy", "control", "badjson"})
    compare(std::string("scenario:") + scenario);
}

// Through parlance a sub-agent is a separate call, and an unknown call has no location.
TEST_F(IflowCompared, EveryKindOfUpdateOccurs) {
  const Seen direct = turn_at(direct_, "scenario:updates", Outcome::allow);
  const Seen ours = turn_at(through_, "scenario:updates", Outcome::allow);
  EXPECT_THAT(ours.text, testing::HasSubstr("plain textinline  tail"));
  EXPECT_EQ(ours.thought, "native thoughthidden") << "the tags are read on the way";
  EXPECT_THAT(direct.text, testing::HasSubstr("plain textinline <think>hidden</think> tail"));
  EXPECT_EQ(ours.plans, direct.plans);
  for (const char* call : {"tc-1", "tc-2"}) EXPECT_EQ(ours.calls.at(call), direct.calls.at(call)) << call;
}

// After the answer the hub's driver goes on in the person's place: their words are the next message of the same turn.
TEST_F(IflowCompared, APlanIsTheSameAndItsAnswerReachesTheAgent) {
  const Seen direct = turn_at(direct_, "scenario:planexit", Outcome::allow);
  const Seen ours = turn_at(through_, "scenario:planexit", Outcome::allow);
  EXPECT_EQ(ours.asked, direct.asked);
  EXPECT_THAT(direct.text, testing::HasSubstr(R"("approved":false,"reason":"smaller")"));
  EXPECT_THAT(ours.text, testing::StartsWith(direct.text));
}

TEST_F(IflowCompared, AnErrorOfTheAgentHasItsWords) {
  EXPECT_THAT(turn_at(direct_, "scenario:error", Outcome::allow).end, testing::StartsWith("error: model overloaded"));
  // The SDK waits endlessly for the result of a failed call, so ours is a refusal with the words in the text.
  const Seen ours = turn_at(through_, "scenario:error", Outcome::allow);
  EXPECT_EQ(ours.end, "refusal");
  EXPECT_THAT(ours.text, testing::HasSubstr("model overloaded"));
}

TEST_F(IflowCompared, AnInterruptEndsBoth) {
  for (const std::string& url : {direct_, through_}) {
    url_ = url;
    connected();
    ASSERT_TRUE(get(client_->send_message("scenario:wait")));
    EXPECT_TRUE(get(client_->receive_message()));
    EXPECT_TRUE(client_->interrupt());
    for (;;) {
      const auto message = get(client_->receive_message());
      ASSERT_TRUE(message);
      if (const auto* end = std::get_if<TaskFinishMessage>(&*message)) {
        EXPECT_EQ(end->stop_reason, StopReason::cancelled);
        break;
      }
    }
  }
}

}  // namespace
}  // namespace parlance::iflow
