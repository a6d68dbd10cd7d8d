// SPDX-License-Identifier: Apache-2.0
// Helpers for tests of language models: a recording sink, and a server in memory.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/base/text.h"
#include "parlance/model/model.h"
#include "parlance/model/provider/http.h"

namespace parlance::test {

// Writes every chunk down: reasoning as "(…)", text unchanged, calls as "[0 id name]" and their pieces as "{0 …}", retries as
// "<2>".
class Chunks final : public model::ChunkSink {
 public:
  Result<void> on_chunk(model::Chunk chunk) override {
    ++count;
    if (const auto* reasoning = std::get_if<model::ReasoningDelta>(&chunk))
      thoughts += reasoning->text, trace += "(" + reasoning->text + ")";
    if (const auto* delta = std::get_if<model::TextDelta>(&chunk)) text += delta->text, trace += delta->text;
    if (const auto* call = std::get_if<model::ToolCallStart>(&chunk))
      trace += "[" + std::to_string(call->index) + " " + call->id + " " + call->name + "]";
    if (const auto* piece = std::get_if<model::ToolCallDelta>(&chunk))
      trace += "{" + std::to_string(piece->index) + " " + piece->arguments + "}";
    if (const auto* usage = std::get_if<model::Usage>(&chunk)) last_usage = *usage;
    if (const auto* retry = std::get_if<model::Retrying>(&chunk)) {
      trace += "<" + std::to_string(retry->attempt) + ">";
      waits.push_back(retry->wait);
      most_attempts = retry->attempts;
    }
    if (const auto* silence = std::get_if<model::Silence>(&chunk)) silences.push_back(silence->length);
    if (on_any) return on_any();
    return {};
  }
  std::string trace, text, thoughts;
  model::Usage last_usage;
  std::vector<Duration> waits, silences;
  int most_attempts = 0;
  std::size_t count = 0;
  std::function<Result<void>()> on_any;
};

// The answers in order, with endless repetition of the last. The reader gets `pieces` one by one, then the body ends, or `error`
// occurs.
struct Scripted {
  int status = 200;
  std::vector<std::string> pieces{};
  std::vector<HttpHeader> headers{};
  std::optional<Error> error{};
  bool hang = false;
  Duration pause{};  // before each piece
};

class FakeHttp final : public model::Http {
 public:
  explicit FakeHttp(Loop& loop) : loop_(loop) {}
  Task<Result<HttpResponse>> stream(HttpRequest request, std::function<Result<void>(BytesView)> on_body) override {
    requests.push_back(request);
    Scripted answer = answers.front();
    if (answers.size() > 1) answers.pop_front();
    struct Running {
      int& count;
      explicit Running(int& c) : count(c) { ++count; }
      ~Running() { --count; }
    } const counted(running);
    if (answer.hang) co_await sleep_until(loop_, never);
    HttpResponse response{.status = answer.status, .headers = answer.headers};
    for (const std::string& piece : answer.pieces) {
      if (answer.pause.count() != 0) co_await sleep_for(loop_, answer.pause);
      if (answer.status / 100 == 2) PARLANCE_CO_TRY_DO(on_body(piece));
      else response.body += piece;
    }
    if (answer.error) co_return fail(*answer.error);
    co_return response;
  }
  std::deque<Scripted> answers;
  std::vector<HttpRequest> requests;
  int running = 0;

 private:
  Loop& loop_;
};

inline std::string data(std::string_view json) { return "data: " + std::string(json) + "\n\n"; }

}  // namespace parlance::test
