// SPDX-License-Identifier: Apache-2.0
// The host of a running tool call in these tests: a person with prepared answers, a model that repeats its request, and a record
// of the displayed texts. The calls end before the host.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "parlance/hub/agent/agent.h"
#include "parlance/hub/agent/tools.h"

namespace parlance::test {

struct AnsweringHost {
  std::deque<hub::AskAnswer> answers{};  // for each request; if empty, a request stays open
  std::vector<hub::AskRequest> asked{};
  std::vector<hub::SampleRequest> sampled{};
  std::vector<std::string> progress{};
  bool with_model = true;

  static hub::AskAnswer says(std::vector<std::vector<std::string>> answers) {
    return {.kind = hub::OptionKind::choice, .answers = std::move(answers), .by = "person"};
  }
  static hub::AskAnswer chooses(std::string option, hub::OptionKind kind) {
    return {.option = std::move(option), .kind = kind, .by = "person"};
  }

  hub::ToolHost host(Loop& loop) {
    hub::ToolHost made;
    made.progress = [this](std::string_view line) { progress.emplace_back(line); };
    made.ask = [this, &loop](hub::AskRequest request) -> Task<Result<hub::AskAnswer>> {
      return answer(loop, std::move(request));
    };
    if (with_model) made.sample = [this](hub::SampleRequest request) { return reply(std::move(request)); };
    return made;
  }

 private:
  Task<Result<hub::AskAnswer>> answer(Loop& loop, hub::AskRequest request) {
    asked.push_back(std::move(request));
    if (answers.empty()) co_await sleep_for(loop, std::chrono::hours(24));
    hub::AskAnswer next = std::move(answers.front());
    answers.pop_front();
    co_return next;
  }
  Task<Result<hub::SampleReply>> reply(hub::SampleRequest request) {
    sampled.push_back(request);
    co_return hub::SampleReply{.text = "heard: " + request.messages.back().text, .model = "scripted"};
  }
};

}  // namespace parlance::test
