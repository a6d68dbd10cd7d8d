// SPDX-License-Identifier: Apache-2.0
// The services for a running tool call beside its result: frontends show its progress, a person answers questions, and the
// conversation's model answers requests of the tool. The caller of the tool sets the members (toolbox/tool_run); an empty member
// means "not available". Valid until the end of the call. Loop thread only.
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

struct AskRequest;  // agent/agent.h

// A request to a model outside the conversation: the model sees no earlier messages and has no tools.
struct SampleRequest {
  struct Message {
    bool by_model = false;  // false: by the tool, in the role of the user
    std::string text{};
  };
  std::vector<Message> messages{};
  std::string system{};          // instructions before the messages; empty: none
  std::uint64_t max_tokens = 0;  // limit of the answer; 0: the model's own limit
};
struct SampleReply {
  std::string text{};
  std::string model{};  // name of the answering model
  bool cut = false;     // cut at max_tokens
};
using Sampler = std::function<Task<Result<SampleReply>>(SampleRequest request)>;

// Receives pieces of output during the call.
using ToolOutputSink = std::function<void(std::string_view piece)>;

struct ToolHost {
  ToolOutputSink output{};                                           // the first part of the model's input
  std::function<void(std::string_view line)> progress{};             // shown to people only
  std::function<Task<Result<AskAnswer>>(AskRequest request)> ask{};  // on behalf of the call; errors: the store failed
  Sampler sample{};                                                  // the caller has asked the person before
};

}  // namespace parlance::hub
