// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/anthropic.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/model/history.h"
#include "parlance/model/provider/anthropic_messages.h"
#include "parlance/model/provider/anthropic_stream.h"
#include "parlance/model/provider/limits.h"
#include "parlance/model/provider/model_habits.h"
#include "parlance/model/tool_schema.h"

namespace parlance::model {
namespace {

constexpr std::string_view default_claude = "claude-sonnet-4-5";
constexpr std::int64_t least_thinking_tokens = 1024;  // the API's own minimum

using anthropic::Block;

Block text_block(std::string_view text) { return {anthropic::TextBlock{.text = std::string(text)}}; }

// The API refuses text of blanks only.
bool has_text(std::string_view text) { return !trim(text).empty(); }

std::vector<Block> assistant_blocks(const Message& message, bool with_thinking) {
  std::vector<Block> blocks;
  if (with_thinking)
    if (const auto state = json::parse(message.reasoning_state); state && state->array() != nullptr)
      for (const json::Value& thought : *state->array()) blocks.push_back({wire::Other{{json::to_text(thought)}}});
  if (has_text(message.content)) blocks.push_back(text_block(message.content));
  for (const ToolCall& call : message.tool_calls)
    blocks.push_back({anthropic::ToolUseBlock{.id = call.id, .name = call.name, .input = {object_or_empty(call.arguments)}}});
  return blocks;
}

void append(std::vector<Block>& blocks, std::string& text, const std::vector<Attachment>& attachments) {
  for (const Attachment& attachment : attachments) {
    if (auto block = anthropic_block(attachment)) blocks.push_back({wire::Other{{*std::move(block)}}});
    else add_note(text, unseen_note(attachment));
  }
}

wire::Raw result_content(const ToolResult& result) {
  std::string text = result.content;
  std::vector<Block> blocks;
  if (!result.failed) append(blocks, text, result.attachments);
  if (blocks.empty()) return {json::to_text(json::Value(has_text(text) ? text : "(no output)"))};
  if (has_text(text)) blocks.insert(blocks.begin(), text_block(text));
  return {json::to_text(blocks)};
}

std::vector<Block> blocks_of(const Message& message, bool with_thinking) {
  if (message.role == Role::assistant) return assistant_blocks(message, with_thinking);
  std::vector<Block> blocks;
  for (const ToolResult& result : message.tool_results)
    blocks.push_back({anthropic::ToolResultBlock{.tool_use_id = result.call_id,
                                                 .content = result_content(result),
                                                 .is_error = result.failed ? std::optional(true) : std::nullopt}});
  std::string text = message.content;
  for (const ToolResult& result : message.tool_results)  // the API refuses pictures in a failed result
    if (result.failed) append(blocks, text, result.attachments);
  append(blocks, text, message.attachments);
  if (has_text(text)) blocks.push_back(text_block(text));
  return blocks;
}

// The end of the common prefix with the next request: the answer comes faster and costs a tenth.
void cache_up_to_here(std::vector<Block>& blocks) {
  if (blocks.empty()) return;
  if (auto* text = std::get_if<anthropic::TextBlock>(&blocks.back().value)) text->cache_control.emplace();
  if (auto* result = std::get_if<anthropic::ToolResultBlock>(&blocks.back().value)) result->cache_control.emplace();
}

// Thinking within a tool loop needs the signed thoughts of the loop's earlier steps; without these thoughts, thinking must stay
// off.
bool may_think(const std::vector<Message>& messages) {
  return std::ranges::all_of(
      messages.begin() + static_cast<std::ptrdiff_t>(loop_start(messages)), messages.end(), [](const Message& message) {
        return message.role != Role::assistant || message.tool_calls.empty() || !message.reasoning_state.empty();
      });
}

std::int64_t thinking_budget(std::int64_t max_tokens, std::string_view effort) {
  const std::int64_t quarters = effort == "low" ? 1 : effort == "high" || effort == "xhigh" ? 3 : 2;
  return std::max(least_thinking_tokens, max_tokens / 4 * quarters);
}

std::vector<anthropic::SentMessage> sent_messages(const std::vector<Message>& messages, bool with_thinking) {
  std::vector<anthropic::SentMessage> out;
  const std::size_t loop = loop_start(messages);
  for (std::size_t m = 0; m < messages.size(); ++m) {
    if (messages[m].role == Role::system) continue;
    std::vector<Block> blocks = blocks_of(messages[m], with_thinking && m >= loop);
    if (blocks.empty()) continue;
    const std::string_view role = messages[m].role == Role::assistant ? "assistant" : "user";
    if (out.empty() && role == "assistant")
      out.push_back({.role = "user", .content = {text_block("(The conversation continues.)")}});
    if (out.empty() || out.back().role != role) out.push_back({.role = std::string(role)});
    std::ranges::move(blocks, std::back_inserter(out.back().content));
  }
  if (!out.empty() && out.back().role == "user") cache_up_to_here(out.back().content);
  return out;
}

class AnthropicModel final : public HttpModel {
 public:
  AnthropicModel(Loop& loop, std::unique_ptr<Http> http, ModelSettings settings, Endpoint endpoint)
      : HttpModel(loop, std::move(http), std::move(settings), std::move(endpoint)) {}
  bool shows(const Attachment& attachment, std::string_view model) const override {
    return has_anthropic_block(attachment) && !has_refused(attachment, model);
  }

 private:
  std::string body(const ChatRequest& request) override { return anthropic_body(request, thinking_.of(request.model)); }
  std::unique_ptr<StreamDecoder> decoder(ChunkSink& chunks) override {
    return std::make_unique<AnthropicStream>(chunks, settings().limits.answer_bytes);
  }
  bool adapt(const ChatRequest& request, std::string_view sentence) override;
  Task<Result<void>> prepare(ChatRequest& request) override;
  void completed(const Completion& completion) override;

  ModelHabits<ThinkingWay> thinking_;
  // net/rpc's Message has no field for signed thoughts, so this map keeps the thoughts of running tool loops by the id of their
  // first call.
  std::unordered_map<std::string, std::string> thoughts_;
  std::deque<std::string> thoughts_order_;
};

bool AnthropicModel::adapt(const ChatRequest& request, std::string_view sentence) {
  const auto names = [&](std::string_view word) { return sentence.find(word) != std::string_view::npos; };
  const ThinkingWay thinking = thinking_.of(request.model);
  if (request.think != Think::on || thinking == ThinkingWay::none || !(names("thinking") || names("budget_tokens"))) return false;
  thinking_.learn(request.model, thinking == ThinkingWay::budget ? ThinkingWay::adaptive : ThinkingWay::none);
  return true;
}

// The API lacks these parameters, and a client relies on its parameters.
Result<void> check_parameters(const ChatParameters& parameters) {
  const std::string_view name = parameters.seed                ? "seed"
                                : parameters.presence_penalty  ? "presence_penalty"
                                : parameters.frequency_penalty ? "frequency_penalty"
                                                               : "";
  if (name.empty()) return {};
  return fail(Errc::invalid_params, "$." + std::string(name) + ": Anthropic's API has no such parameter; leave it out");
}

Task<Result<void>> AnthropicModel::prepare(ChatRequest& request) {
  PARLANCE_CO_TRY_DO(check_parameters(request.parameters));
  for (Message& message : request.messages) {
    if (message.role != Role::assistant || message.tool_calls.empty() || !message.reasoning_state.empty()) continue;
    if (const auto kept = thoughts_.find(message.tool_calls.front().id); kept != thoughts_.end())
      message.reasoning_state = kept->second;
  }
  co_return Result<void>{};
}

void AnthropicModel::completed(const Completion& completion) {
  if (completion.reasoning_state.empty() || completion.tool_calls.empty()) return;
  const std::string& id = completion.tool_calls.front().id;
  if (!thoughts_.insert_or_assign(id, completion.reasoning_state).second) return;
  thoughts_order_.push_back(id);
  if (thoughts_order_.size() <= limits::model_kept_reasonings) return;
  thoughts_.erase(thoughts_order_.front());
  thoughts_order_.pop_front();
}

}  // namespace

std::string anthropic_body(const ChatRequest& request, ThinkingWay thinking) {
  const std::vector<Message> messages = repaired(request.messages);
  anthropic::Request body{.model = request.model, .max_tokens = request.max_tokens.value_or(limits::model_max_tokens)};
  const ChatParameters& parameters = request.parameters;
  const bool must_call = parameters.must_call && !request.tools.empty();
  // Thinking refuses these parameters, and a client relies on its parameters.
  const bool has_sampling = request.temperature.value_or(1) != 1 || parameters.top_p.value_or(1) < 0.95;
  const bool think = request.think == Think::on && thinking != ThinkingWay::none && !must_call && !has_sampling &&
                     may_think(messages) && (thinking == ThinkingWay::adaptive || body.max_tokens >= 2 * least_thinking_tokens);
  if (think && thinking == ThinkingWay::adaptive) body.thinking = {.type = "adaptive"};
  else if (think) body.thinking = {.type = "enabled", .budget_tokens = thinking_budget(body.max_tokens, parameters.effort)};
  body.temperature = request.temperature;
  body.top_p = parameters.top_p;
  if (!parameters.stop.empty()) body.stop_sequences = parameters.stop;
  body.messages = sent_messages(messages, think);

  std::vector<Block> system;
  for (const Message& message : messages)
    if (message.role == Role::system && has_text(message.content)) system.push_back(text_block(message.content));
  cache_up_to_here(system);
  if (!system.empty()) body.system = std::move(system);
  if (!request.tools.empty()) {
    body.tools.emplace();
    for (const ToolSpec& tool : request.tools) {
      std::string schema = object_schema(tool.parameters);
      std::string description = tool.description;
      leave_out_odd_names(schema, description);
      body.tools->push_back({.name = tool.name, .description = std::move(description), .input_schema = {std::move(schema)}});
    }
    if (must_call || parameters.parallel_calls)
      body.tool_choice = anthropic::ToolChoice{
          .type = must_call ? "any" : "auto",
          .disable_parallel_tool_use = parameters.parallel_calls ? std::optional(!*parameters.parallel_calls) : std::nullopt};
  }
  return json::to_text(body);
}

Result<std::unique_ptr<HttpModel>> make_anthropic(Loop& loop, ModelSettings settings, std::unique_ptr<Http> http) {
  PARLANCE_TRY(endpoint, make_endpoint(settings));
  if (settings.name.empty()) settings.name = default_claude;
  if (!http) http = lazy_http(loop);
  return std::make_unique<AnthropicModel>(loop, std::move(http), std::move(settings), std::move(endpoint));
}

}  // namespace parlance::model
