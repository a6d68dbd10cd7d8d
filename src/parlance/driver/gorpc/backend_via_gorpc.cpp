// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/gorpc/backend_via_gorpc.h"

#include <algorithm>

#include "parlance/driver/gorpc/chat_call.h"
#include "parlance/driver/gorpc/parts.h"

namespace parlance::driver {
namespace {

class ChunkListener final : public ChatListener {
 public:
  explicit ChunkListener(model::ChunkSink& chunks) : chunks_(chunks) {}
  void on_text(std::string_view piece) override { emit(model::TextDelta{std::string(piece)}); }
  void on_thought(std::string_view piece) override { emit(model::ReasoningDelta{std::string(piece)}); }
  Result<void> refused{};  // the sink's error after its refusal

 private:
  void emit(model::Chunk chunk) {
    if (refused) refused = chunks_.on_chunk(std::move(chunk));
  }
  model::ChunkSink& chunks_;
};

// `attachments`: supported by the agent; otherwise its model gets a description as text.
gorpc::ChatArgs to_wire(model::ChatRequest request, bool attachments) {
  gorpc::ChatArgs args{.model = std::move(request.model),
                       .think = request.think == model::Think::on    ? "on"
                                : request.think == model::Think::off ? "off"
                                                                     : ""};
  add_parameters(args, {request.max_tokens, request.temperature, std::move(request.parameters)});
  for (model::Message& from : request.messages) {
    gorpc::Message& message =
        args.messages.emplace_back(gorpc::Message{.role = std::string(to_string(from.role)), .content = std::move(from.content)});
    for (model::Attachment& attachment : from.attachments) {
      if (attachments) message.attachments.push_back(gorpc_attachment(std::move(attachment)));
      else model::add_note(message.content, model::unseen_note(attachment));
    }
    for (model::ToolCall& call : from.tool_calls)
      message.tool_calls.push_back(gorpc_tool_call(std::move(call.id), std::move(call.name), std::move(call.arguments)));
    for (model::ToolResult& result : from.tool_results) {
      if (!attachments)
        for (const model::Attachment& attachment : result.attachments)
          model::add_note(result.content, model::unseen_note(attachment));
      gorpc::ToolResult& made =
          message.tool_results.emplace_back(gorpc_tool_result(std::move(result.call_id), result.content, result.failed));
      if (attachments)
        for (model::Attachment& attachment : result.attachments)
          made.attachments.push_back(gorpc_attachment(std::move(attachment)));
    }
  }
  for (model::ToolSpec& from : request.tools)
    args.tools.push_back(gorpc_tool(std::move(from.name), std::move(from.description), from.parameters));
  return args;
}

// net/rpc transmits only the text of an error. These are errors of the client's request, not of the agent.
Error of_request(Error error) {
  if (error.code != Errc::failed) return error;
  if (error.message.starts_with("$.")) error.code = Errc::invalid_params;
  else if (error.message.find(model::refused_request) != std::string::npos) error.code = Errc::invalid_request;
  return error;
}

model::StopReason stop_of(const gorpc::ChatReply& reply) {
  if (reply.stop == "max_tokens") return model::StopReason::max_tokens;
  if (reply.stop == "refusal") return model::StopReason::refusal;
  if (!reply.tools.empty()) return model::StopReason::tool_calls;
  return model::StopReason::end_turn;
}

}  // namespace

Task<Result<model::Completion>> BackendViaGorpc::chat(model::ChatRequest request, std::string user, model::ChunkSink& chunks) {
  ChunkListener listener(chunks);
  bool attached = false;
  model::visit_attachments(request.messages, [&](const auto& list, const std::string&) { attached = attached || !list.empty(); });
  const bool taken = attached && (co_await link_.abilities()).attachments;
  gorpc::ChatArgs args = to_wire(std::move(request), taken);
  args.user = std::move(user);
  Result<gorpc::ChatReply> reply = co_await call_chat(link_, std::move(args), listener);
  if (!reply) co_return fail(of_request(std::move(reply).error()));
  PARLANCE_CO_TRY_DO(std::move(listener.refused));
  if (reply->stop == "error")
    co_return fail(Errc::overloaded, (reply->problem.empty() ? "The agent has no answer." : reply->problem) + " Try again.");
  // Calls of a failed answer must not run.
  if (stop_of(*reply) != model::StopReason::tool_calls) reply->tools.clear();
  model::Completion completion{.content = std::move(reply->content),
                               .reasoning = std::move(reply->reasoning),
                               .stop = stop_of(*reply),
                               .usage = {.input_tokens = reply->input_tokens, .output_tokens = reply->output_tokens}};
  for (std::size_t i = 0; i < reply->tools.size(); ++i) {
    gorpc::ToolCall& call = reply->tools[i];
    PARLANCE_CO_TRY_DO(chunks.on_chunk(model::ToolCallStart{i, call.id, call.function.name}));
    PARLANCE_CO_TRY_DO(chunks.on_chunk(model::ToolCallDelta{i, call.function.arguments}));
    completion.tool_calls.push_back(
        {.id = std::move(call.id), .name = std::move(call.function.name), .arguments = std::move(call.function.arguments)});
  }
  co_return completion;
}

void BackendViaGorpc::set_parameters(const std::string& conversation, std::optional<agent::ModelParameters> parameters) {
  if (parameters) link_.parameters()[conversation] = *std::move(parameters);
  else link_.parameters().erase(conversation);
}

Task<Result<std::map<std::string, std::int64_t>>> BackendViaGorpc::stats(std::string user) {
  // Other agents have no users.
  Result<gorpc::StatsReply> stats;
  if (user.empty()) stats = co_await link_.call(gorpc::stats, {});
  else stats = co_await link_.call(gorpc::stats_of, {.user = std::move(user)});
  PARLANCE_CO_TRY(reply, std::move(stats));
  std::map<std::string, std::int64_t> counts = std::move(reply.stats);
  // Other agents may send numbers without a map.
  counts.try_emplace("sessions", reply.sessions);
  counts.try_emplace("messages", reply.messages);
  counts.try_emplace("tools_calls", std::max(reply.tools_calls, reply.tools_calls_in_json));
  co_return counts;
}

Task<Result<std::string>> BackendViaGorpc::memory_search(agent::MemorySearch search) {
  PARLANCE_CO_TRY(reply, co_await link_.call(gorpc::memory_search, {.query = std::move(search.query),
                                                                    .category = std::move(search.category),
                                                                    .limit = search.limit.value_or(0),
                                                                    .min_score = search.min_score.value_or(0),
                                                                    .min_score_given = search.min_score.has_value(),
                                                                    .user = std::move(search.user)}));
  co_return std::move(reply.result);
}

Task<Result<std::string>> BackendViaGorpc::memory_get(agent::MemoryPath memory) {
  PARLANCE_CO_TRY(reply,
                  co_await link_.call(gorpc::memory_get, {.path = std::move(memory.path), .user = std::move(memory.user)}));
  co_return std::move(reply.result);
}

Task<Result<std::string>> BackendViaGorpc::memory_store(agent::MemoryItem item) {
  PARLANCE_CO_TRY(reply, co_await link_.call(gorpc::memory_store, {.text = std::move(item.text),
                                                                   .category = std::move(item.category),
                                                                   .importance = item.importance,
                                                                   .importance_given = item.importance.has_value(),
                                                                   .source = std::move(item.source),
                                                                   .conversation = std::move(item.conversation),
                                                                   .event = static_cast<std::int64_t>(item.event),
                                                                   .user = std::move(item.user)}));
  co_return std::move(reply.result);
}

Task<Result<std::string>> BackendViaGorpc::memory_list(agent::MemoryListing listing) {
  PARLANCE_CO_TRY(reply, co_await link_.call(gorpc::memory_list, {.category = std::move(listing.category),
                                                                  .conversation = std::move(listing.conversation),
                                                                  .before = std::move(listing.before),
                                                                  .limit = listing.limit.value_or(0),
                                                                  .user = std::move(listing.user)}));
  co_return std::move(reply.result);
}

Task<Result<std::string>> BackendViaGorpc::memory_forget(agent::MemoryPath memory) {
  PARLANCE_CO_TRY(reply,
                  co_await link_.call(gorpc::memory_forget, {.path = std::move(memory.path), .user = std::move(memory.user)}));
  co_return std::move(reply.result);
}

}  // namespace parlance::driver
