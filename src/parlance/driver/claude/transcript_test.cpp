// SPDX-License-Identifier: Apache-2.0
// Session files of Claude Code: a recorded session, recorded streams in the format of a session, and malformed files.
#include "parlance/driver/claude/transcript.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/store/test_folder.h"

namespace parlance::driver {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string vectors = PARLANCE_SOURCE_DIR "/tests/vectors/claude-control/";

struct RecordingReplay final : hub::ReplaySink {
  void user(std::string text, std::vector<hub::Attachment> attachments) override {
    said.push_back("user: " + text);
    attached += attachments.size();
  }
  bool emit(hub::EventBody body) override {
    if (const auto* text = std::get_if<hub::event::Text>(&body)) said.push_back("text: " + text->text);
    if (const auto* start = std::get_if<hub::event::ToolStart>(&body))
      said.push_back("call: " + start->tool + " " + start->title);
    if (const auto* output = std::get_if<hub::event::ToolOutput>(&body)) said.push_back("output: " + output->text);
    if (const auto* end = std::get_if<hub::event::ToolEnd>(&body))
      said.push_back(end->state == hub::ToolEndState::done ? "done" : "not done");
    return true;
  }
  void set_title(std::string title) override { titles.push_back(std::move(title)); }
  bool congested() const override { return false; }
  Task<Result<void>> written() override { co_return Result<void>{}; }
  std::vector<std::string> said;
  std::vector<std::string> titles;
  std::size_t attached = 0;
};

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

RecordingReplay replay(const std::vector<std::string>& lines) {
  TranscriptBranch branch;
  for (const std::string& line : lines) branch.line(line);
  RecordingReplay replayed;
  TranscriptReplay replay(replayed, branch.end());
  for (const std::string& line : lines) replay.line(line);
  return replayed;
}

TEST(Transcript, RecordedSessionReplaysWithParallelResults) {
  const RecordingReplay replayed = replay(lines_of(vectors + "sessions/parallel-tools.jsonl"));
  ASSERT_EQ(replayed.said.size(), 8U);
  EXPECT_THAT(replayed.said[0], testing::StartsWith("user: hello\n@mock tools"));
  EXPECT_EQ(replayed.said[1], "call: Read /workspace/a.txt");
  EXPECT_EQ(replayed.said[2], "call: Bash ls");
  EXPECT_EQ(replayed.said[3], "output: 1\tone\n2\t");
  EXPECT_EQ(replayed.said[4], "done");
  EXPECT_EQ(replayed.said[5], "output: a.txt");
  EXPECT_EQ(replayed.said[6], "done");
  EXPECT_THAT(replayed.said[7], testing::StartsWith("text: ECHO"));
}

// The recorded stdin and stdout of a session, chained like its file.
std::vector<std::string> as_a_session(const std::string& recording) {
  std::vector<std::string> lines;
  std::string parent;
  for (const std::string& line : lines_of(recording)) {
    const auto record = json::parse(line);
    const json::Value* message = record ? record->find("msg") : nullptr;
    if (message == nullptr) continue;
    const std::string_view type = message->text_or("type", "");
    if (type != "user" && type != "assistant") continue;
    const std::string uuid = "u" + std::to_string(lines.size());
    json::Object entry = *message->object();
    entry.set("uuid", uuid);
    entry.set("parentUuid", parent);
    entry.set("cwd", "/workspace");
    lines.push_back(json::to_text(json::Value(std::move(entry))));
    parent = uuid;
  }
  return lines;
}

TEST(Transcript, RecordedStreamsReplayLikeTheirFiles) {
  std::size_t sessions = 0;
  for (const auto& version : fs::directory_iterator(vectors)) {
    if (!version.path().filename().string().starts_with("cli-")) continue;
    for (const auto& recording : fs::directory_iterator(version)) {
      const auto lines = as_a_session(recording.path().string());
      const RecordingReplay replayed = replay(lines);
      std::size_t calls = 0;
      std::size_t ends = 0;
      for (const std::string& text : replayed.said) {
        calls += text.starts_with("call: ") ? 1 : 0;
        ends += text == "done" || text == "not done" ? 1 : 0;
      }
      EXPECT_LE(ends, calls) << recording.path();
      if (!lines.empty() && !replayed.said.empty()) ++sessions;
    }
  }
  EXPECT_GT(sessions, 100U);
  const RecordingReplay allowed = replay(as_a_session(vectors + "cli-2.1.329/10-allow.ndjson"));
  ASSERT_GE(allowed.said.size(), 4U);
  EXPECT_THAT(allowed.said[0], testing::StartsWith("user: "));
  EXPECT_THAT(allowed.said[1], testing::StartsWith("call: Bash"));
  EXPECT_THAT(allowed.said, testing::Contains("done"));
  EXPECT_THAT(allowed.said.back(), testing::StartsWith("text: "));
}

TEST(Transcript, AbandonedBranchIsOmitted) {
  const auto replayed = replay({
      R"({"type":"summary","summary":"About tea","leafUuid":"c"})",
      R"({"type":"user","uuid":"a","parentUuid":null,"message":{"role":"user","content":"first"}})",
      R"({"type":"assistant","uuid":"b","parentUuid":"a","message":{"content":[{"type":"text","text":"one"}]}})",
      R"({"type":"user","uuid":"x","parentUuid":"b","message":{"role":"user","content":"left"}})",
      R"({"type":"assistant","uuid":"y","parentUuid":"x","message":{"content":[{"type":"text","text":"left too"}]}})",
      R"({"type":"user","uuid":"m","parentUuid":"b","isMeta":true,"message":{"role":"user","content":"a caveat of its own"}})",
      R"({"type":"user","uuid":"c","parentUuid":"m","message":{"role":"user","content":"second"}})",
      R"({"type":"user","uuid":"s","parentUuid":"c","isSidechain":true,"message":{"role":"user","content":"to a sub-agent"}})",
      R"({"type":"assistant","uuid":"d","parentUuid":"c","message":{"content":[{"type":"text","text":"two"}]}})",
      R"({"type":"system","uuid":"e","parentUuid":null,"logicalParentUuid":"d","subtype":"compact_boundary"})",
      R"({"type":"user","uuid":"f","parentUuid":"e","isCompactSummary":true,"message":{"role":"user","content":"what was before"}})",
      R"({"type":"user","uuid":"g","parentUuid":"f","message":{"role":"user","content":"<command-name>/model</command-name>\n<command-args>opus</command-args>"}})",
      R"({"type":"user","uuid":"h","parentUuid":"g","message":{"role":"user","content":"<local-command-stdout>Set</local-command-stdout>"}})",
      R"({"type":"user","uuid":"i","parentUuid":"h","message":{"role":"user","content":[{"type":"text","text":"third"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}]}})",
      "no JSON",
      R"({"type":"assistant","uuid":"j","parentUuid":"i","message":{"content":[{"type":"text","text":"three"}]}})",
  });
  EXPECT_THAT(replayed.said, ElementsAre("user: first", "text: one", "user: second", "text: two", "user: /model opus",
                                         "user: third", "text: three"));
  EXPECT_THAT(replayed.titles, ElementsAre("About tea"));
  EXPECT_EQ(replayed.attached, 1U);
}

TEST(Transcript, ACircleOfParentsEnds) {
  EXPECT_THAT(replay({R"({"type":"user","uuid":"a","parentUuid":"b","message":{"content":"one"}})",
                      R"({"type":"user","uuid":"b","parentUuid":"a","message":{"content":"two"}})"})
                  .said,
              ElementsAre("user: one", "user: two"));
}

TEST(Transcript, IsFoundByItsFolderAndItsName) {
  store::TestFolder config;
  const std::string session = "0b5fd4f4-0000-4000-8000-000000000001";
  const std::string project = config.path() + "/projects/-home-me-my-app";
  fs::create_directories(project);
  std::ofstream(project + "/" + session + ".jsonl") << R"({"type":"user","uuid":"a","cwd":"/home/me/my_app"})" << "\n";
  EXPECT_EQ(*find_transcript(config.path(), "/home/me/my_app", session), project + "/" + session + ".jsonl");
  const auto elsewhere = find_transcript(config.path(), "/home/me", session);
  EXPECT_EQ(elsewhere.error().code, Errc::not_found);
  EXPECT_EQ(elsewhere.error().message, "No conversation found with session ID: " + session + "; it is one of /home/me/my_app");
  EXPECT_EQ(find_transcript(config.path(), "/home/me", "../../etc/passwd").error().code, Errc::invalid_params);
  EXPECT_EQ(find_transcript(config.path() + "/none", "/home/me", session).error().code, Errc::not_found);
  fs::rename(project, config.path() + "/projects/-home-me-my-ap-x1y2");
  EXPECT_THAT(*find_transcript(config.path(), "/home/me/my_app", session), HasSubstr("-x1y2")) << "however a long name is cut";
}

}  // namespace
}  // namespace parlance::driver
