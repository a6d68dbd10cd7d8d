// SPDX-License-Identifier: Apache-2.0
// Replays the clients of recorded sessions (tests/vectors/acp). Every request gets one answer, refusals of the reference agent
// have the same error code here, and no message ends the connection.
#include <map>
#include <set>

#include "parlance/face/acp/test_support.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/protocol/acp/recording.h"

namespace parlance::face {
namespace {

using acp::test::Record;

const std::string folder = PARLANCE_SOURCE_DIR "/tests/vectors/acp";

// The test's agent with the modes and models of the recorded agent.
class IflowLike final : public hub::AgentProvider {
 public:
  explicit IflowLike(hub::test::Bench& bench) : inner_(bench.script, bench.log) {}
  hub::AgentInfo info() const override {
    hub::AgentInfo info = inner_.info();
    info.modes = {hub::Mode::default_, hub::Mode::smart, hub::Mode::yolo, hub::Mode::plan};
    info.models = {"glm-5"};
    return info;
  }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::SessionSetup setup, hub::AgentHost host) override {
    return inner_.open(std::move(setup), host);
  }

 private:
  hub::test::ScriptedProvider inner_;
};

struct RecordedClients : HubOverAcp {
  RecordedClients() {
    own_hub.add_agent(std::make_unique<IflowLike>(bench));
    EXPECT_TRUE(bench.loop.block_on(own_hub.start()));
    frontend = std::make_unique<AcpFrontend>(bench.loop, own_sessions,
                                             AcpFrontendSettings{.version = "1", .check_folder = check_folder});
  }
  // The connections of a recording with their records.
  static std::map<std::int64_t, std::vector<Record>> connections(const std::string& name) {
    std::map<std::int64_t, std::vector<Record>> all;
    for (Record& record : acp::test::read_recording(folder + "/" + name)) all[record.connection].push_back(std::move(record));
    return all;
  }
  static std::string id_of(const json::Value& message) {
    const json::Value* const id = message.find("id");
    return id == nullptr ? "" : json::to_text(*id);
  }
  static bool is_request(const json::Value& message) {
    return message.find("method") != nullptr && message.find("id") != nullptr;
  }
  // The answer to a request among messages.
  static const json::Value* answer_in(const std::vector<json::Value>& messages, const std::string& id) {
    for (const json::Value& message : messages)
      if (message.find("method") == nullptr && id_of(message) == id) return &message;
    return nullptr;
  }
  static std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
      text.replace(at, what.size(), by);
    return text;
  }
  Task<void> receive(Frames& frames) {
    for (;;) {
      const auto batch = co_await read_frames(frames);
      if (!batch || batch->empty()) break;
      for (const BytesView frame : *batch) {
        auto message = json::parse(frame);
        EXPECT_TRUE(message) << frame;
        if (message) received.push_back(*std::move(message));
      }
    }
    ended = true;
  }
  void say(std::string line) {
    for (const auto& [theirs, ours] : session_ids) line = replaced(std::move(line), "\"" + theirs + "\"", "\"" + ours + "\"");
    ASSERT_TRUE(client_frames->send(replaced(std::move(line), R"("cwd":"/w")", R"("cwd":"/tmp")")));
    settle();
  }
  // Maps the recorded agent's session id to the local id.
  void learn_session(const std::vector<json::Value>& theirs, const std::string& id) {
    const json::Value* const there = answer_in(theirs, id);
    const json::Value* const here = answer_in(received, id);
    if (there == nullptr || here == nullptr || there->find("result") == nullptr || here->find("result") == nullptr) return;
    session_ids[std::string(there->find("result")->text_or("sessionId", "?"))] = here->find("result")->text_or("sessionId", "?");
  }
  // Compares an answer to iFlow's SDK with the recording: a result with at least the recorded members, or an error with the same
  // code.
  static void expect_like(const json::Value& theirs, const json::Value& ours, const std::string& line) {
    const json::Value* const refused = theirs.find("error");
    ASSERT_EQ(refused != nullptr, ours.find("error") != nullptr) << line << "\n" << json::to_text(ours);
    if (refused != nullptr) {
      EXPECT_EQ(ours.find("error")->integer_or("code", 0), refused->integer_or("code", 0)) << line;
      return;
    }
    const json::Value& wanted = *theirs.find("result");
    if (wanted.object() == nullptr) return;
    for (const auto& [name, value] : wanted.object()->members)
      EXPECT_TRUE(ours.find("result")->find(name) != nullptr) << name << " of the answer to " << line << "\n"
                                                              << json::to_text(ours);
  }
  // Sound: the recorded agent supports sound, parlance does not and declares so in promptCapabilities.
  static bool is_refused_here(const json::Value& message) {
    return message.text_or("method", "") == "session/prompt" && json::to_text(message).contains(R"("type":"audio")");
  }
  void play(const std::vector<Record>& records, acp::Flavour flavour);

  hub::Hub own_hub{bench.loop, bench.store, {}};
  HubSessions own_sessions{own_hub};
  std::vector<json::Value> received;
  std::map<std::string, std::string> session_ids;
  std::unique_ptr<Frames> client_frames;
  bool reference = true;  // recorded with the reference SDK's agent; other agents lack features of parlance
  bool ended = false;
};

struct RecordedClient : RecordedClients, testing::WithParamInterface<std::string> {};

void RecordedClients::play(const std::vector<Record>& records, acp::Flavour flavour) {
  received.clear();
  session_ids.clear();
  ended = false;
  auto [near, far] = memory_pair(bench.loop);
  client_frames = framed_stream(bench.loop, std::move(near), line_framing());
  Scope scope(bench.loop);
  scope.start(frontend->serve(framed_stream(bench.loop, std::move(far), line_framing()), flavour));
  scope.start(receive(*client_frames));
  std::vector<json::Value> theirs;
  for (const Record& record : records)
    if (!record.from_client && record.is_message) theirs.push_back(record.message);
  std::map<std::string, int> requests;
  for (const Record& record : records) {
    if (!record.from_client || record.line.empty()) continue;
    const json::Value message = json::parse_or_null(record.line);
    const std::string method(message.text_or("method", ""));
    say(record.line);
    if (method == "session/new") learn_session(theirs, id_of(message));
    if (is_request(message) && message.text_or("jsonrpc", "") == "2.0") ++requests[id_of(message)];
    if (record.line.find("scenario:") != std::string::npos || id_of(message).empty()) continue;
    const json::Value* const refused = answer_in(theirs, id_of(message));
    const json::Value* const ours = answer_in(received, id_of(message));
    if (flavour == acp::Flavour::iflow && refused != nullptr && ours != nullptr && requests[id_of(message)] == 1 &&
        !is_refused_here(message))
      expect_like(*refused, *ours, record.line);
    if (!reference || refused == nullptr || refused->find("error") == nullptr || requests[id_of(message)] > 1) continue;
    // an error of the agent, not of the request
    if (refused->find("error")->text_or("message", "").starts_with("Internal")) continue;
    EXPECT_TRUE(ours != nullptr && ours->find("error") != nullptr) << record.line;
  }
  EXPECT_FALSE(ended) << "nothing that a client says ends the connection";
  std::map<std::string, int> answers;
  for (const json::Value& message : received)
    if (message.find("method") == nullptr) ++answers[id_of(message)];
  for (const auto& [id, count] : requests)
    if (id != "null") EXPECT_EQ(answers[id], count) << id;
  scope.cancel();
}

TEST_P(RecordedClient, IsAnsweredToTheEnd) {
  reference = GetParam().starts_with("std-");
  if (GetParam() == "iflow-14-load.ndjson")
    bench.log.resuming = [](hub::ReplaySink&) -> Task<Result<void>> { co_return Result<void>{}; };
  for (const auto& [number, records] : connections(GetParam()))
    play(records, GetParam().starts_with("iflow") ? acp::Flavour::iflow : acp::Flavour::standard);
}

INSTANTIATE_TEST_SUITE_P(Recorded, RecordedClient, testing::ValuesIn(acp::test::recordings(folder)), [](const auto& info) {
  std::string name = info.param.substr(0, info.param.find('.'));
  std::ranges::replace(name, '-', '_');
  return name;
});

// The error codes of the reference agent.
TEST_F(RecordedClients, TheReferenceAgentsNumbersAreOurs) {
  const auto all = connections("std-sdk-agent-stdio.ndjson");
  ASSERT_EQ(all.size(), 1);
  play(all.begin()->second, acp::Flavour::standard);
  const auto code = [&](const std::string& id) {
    const json::Value* const answer = answer_in(received, id);
    return answer == nullptr || answer->find("error") == nullptr ? 0 : answer->find("error")->integer_or("code", 0);
  };
  EXPECT_EQ(code("21"), -32002) << "session/load of one that is not there";
  EXPECT_EQ(code("23"), -32602) << "a prompt that is no list";
  EXPECT_EQ(code("24"), -32601);
  EXPECT_EQ(code("25"), -32602) << "a text block without a text";
  EXPECT_EQ(code("\"str-id\""), 0);
  std::multiset<std::int64_t> nameless;
  for (const json::Value& message : received)
    if (id_of(message) == "null" && message.find("error") != nullptr)
      nameless.insert(message.find("error")->integer_or("code", 0));
  EXPECT_EQ(nameless.count(-32700), 1);
  EXPECT_GE(nameless.count(-32600), 3);
}

}  // namespace
}  // namespace parlance::face
