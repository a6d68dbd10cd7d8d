// SPDX-License-Identifier: Apache-2.0
// For replays of recorded sessions (replay_*_test.cpp): the recorded side, delayed answers, and comparisons. Loop thread only.
#pragma once

#include <algorithm>
#include <cctype>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/protocol/claude/recording.h"
#include "parlance/transport/memory.h"

namespace parlance::claude::test {

inline const std::string recordings_folder = PARLANCE_SOURCE_DIR "/tests/vectors/claude-control";

// Answers wait here until the recording reaches them. By position, because handlers have no ids.
class Waiting {
 public:
  explicit Waiting(Loop& loop) : loop_(loop) {}
  // The next request; `settle` with the same id gives its answer.
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

inline Result<wire::Raw> recorded_answer(const json::Value& reply) {
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

// The recorded other side: writes the recording, and keeps our output.
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

struct ReplayBench {
  Loop loop{Loop::Time::virtual_};
  std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> link =
      memory_pair(loop, {.one_byte_reads = true, .capacity = 1 << 20});
  Waiting waiting{loop};
  std::size_t stream_lines = 0;
};

// Replies by id: exactly one each.
inline std::map<std::string, json::Value> replies_of(const std::vector<json::Value>& wrote) {
  std::map<std::string, json::Value> replies;
  for (const json::Value& line : wrote)
    if (line.text_or("type", "") == "control_response")
      EXPECT_TRUE(replies.emplace(id_of(line), line).second) << "twice: " << json::to_text(line);
  return replies;
}

// Output of a side without its answers.
inline std::vector<json::Value> messages_of(const std::vector<json::Value>& wrote) {
  std::vector<json::Value> messages;
  for (const json::Value& line : wrote)
    if (line.text_or("type", "") != "control_response") messages.push_back(line);
  return messages;
}

// A recorded reply to the request recorded as one of these, with its present name. Absent: a reply to none of these.
inline bool reply_to(json::Value& reply, std::map<std::string, std::string>& our_ids) {
  const std::string id = id_of(reply);
  json::Object& response = *reply.object()->set("response", json::Value(*reply.find("response"))).object();
  const auto found = our_ids.find(id);
  if (found == our_ids.end()) return false;
  response.set("request_id", found->second);
  our_ids.erase(found);
  return true;
}

class Replay : public ::testing::TestWithParam<std::string> {
 protected:
  std::vector<Record> records = read_recording(recordings_folder + "/" + GetParam());
};

inline std::string name_of(const ::testing::TestParamInfo<std::string>& parameter) {
  std::string name = parameter.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

}  // namespace parlance::claude::test
