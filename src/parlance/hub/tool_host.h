// SPDX-License-Identifier: Apache-2.0
// What a running call can reach beside its result: the faces, which show how far it is; the person, who is asked; the conversation's model,
// which answers for a tool that brings none. Whoever runs calls fills it in (toolbox/tool_run); an empty member means that there is nobody.
// Good until the call has ended. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/conversation/ask.h"

namespace parlance::hub {

struct AskRequest;  // hub/agent.h

// Something to say to a model, outside the conversation: it knows nothing of what was said there, and has no tools.
struct SampleRequest {
  struct Message {
    bool by_model = false;
    std::string text{};
  };
  std::vector<Message> messages{};
  std::string system{};
  std::uint64_t max_tokens = 0;  // of the answer; 0: the model's own limit
};
struct SampleReply {
  std::string text{};
  std::string model{};
  bool cut = false;  // at max_tokens
};
using Sampler = std::function<Task<Result<SampleReply>>(SampleRequest request)>;

// Pieces of output while something runs.
using ToolOutputSink = std::function<void(std::string_view piece)>;

struct ToolHost {
  ToolOutputSink output{};                                           // the beginning of what the model will read
  std::function<void(std::string_view line)> progress{};             // shown to people only
  std::function<Task<Result<AskAnswer>>(AskRequest request)> ask{};  // in the call's name; errors: the store failed
  Sampler sample{};                                                  // whoever calls it has asked the person
};

}  // namespace parlance::hub
