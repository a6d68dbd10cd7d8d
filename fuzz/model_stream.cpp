// SPDX-License-Identifier: Apache-2.0
// Bytes of a server's answer into both stream decoders, whole and in pieces: no crash, no endless state, the same result either way,
// and what reaches the sink is what the completion holds.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "parlance/model/provider/anthropic_stream.h"
#include "parlance/model/provider/openai_stream.h"

namespace {

using namespace parlance;
using namespace parlance::model;

class Sink final : public ChunkSink {
 public:
  Result<void> on_chunk(Chunk chunk) override {
    if (const auto* delta = std::get_if<TextDelta>(&chunk)) text += delta->text;
    if (const auto* delta = std::get_if<ReasoningDelta>(&chunk)) reasoning += delta->text;
    return {};
  }
  std::string text, reasoning;
};

struct Outcome {
  bool ok = false;
  std::string text, reasoning, arguments;
  std::string error;
  bool operator==(const Outcome&) const = default;
};

template <class Decoder>
Outcome run(std::string_view body, std::size_t piece) {
  constexpr std::size_t byte_limit = 1 << 16;
  Sink sink;
  Decoder decoder(sink, byte_limit);
  BodyReader reader(decoder, byte_limit);
  Outcome outcome;
  const auto note = [&](const Error& error) { outcome.error = to_string(error.code); };
  for (std::size_t at = 0; at < body.size(); at += piece) {
    if (auto fed = reader.feed(body.substr(at, piece)); !fed) {
      note(fed.error());
      break;
    }
  }
  if (outcome.error.empty()) {
    auto completion = reader.finish();
    outcome.ok = completion.has_value();
    if (completion) {
      if (completion->content != sink.text || completion->reasoning != sink.reasoning) std::abort();
      if (completion->tool_calls.empty() && completion->stop == StopReason::tool_calls) std::abort();
      std::set<std::string> ids;
      for (const ToolCall& call : completion->tool_calls) {
        if (call.name.empty() || call.id.empty() || call.arguments.empty()) std::abort();
        if (!ids.insert(call.id).second) std::abort();
        outcome.arguments += call.name + call.arguments;
      }
    } else {
      note(completion.error());
    }
  }
  outcome.text = sink.text;
  outcome.reasoning = sink.reasoning;
  return outcome;
}

template <class Decoder>
void check(std::string_view body, std::size_t piece) {
  if (run<Decoder>(body, body.size() + 1) != run<Decoder>(body, piece)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::size_t piece = data[0] % 17 + 1;
  const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  check<OpenAiStream>(body, piece);
  check<AnthropicStream>(body, piece);
  return 0;
}
