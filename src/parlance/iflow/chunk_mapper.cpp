// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/chunk_mapper.h"

#include <utility>

#include "parlance/adapter/acp/tool_input.h"

namespace parlance::iflow {
namespace {

adapter::ToolInput input_of(const ToolCallMessage& call) {
  adapter::ToolCallParts parts{.args = call.args, .label = call.label};
  if (const auto& content = call.content) {
    parts.content_type = std::string(wire::name_of(content->type));
    parts.path = content->path;
    parts.old_text = content->old_text;
    parts.new_text = content->new_text;
    parts.markdown = content->markdown;
  }
  if (!call.locations.empty()) parts.location = call.locations.front().path;
  return adapter::enrich_tool_input(std::move(parts));
}

const std::string& name_of(const ToolCallMessage& call) { return call.tool_name ? *call.tool_name : call.label; }

chunk::ToolStart start_of(const ToolCallMessage& call, adapter::ToolInput input) {
  return {.id = call.id,
          .name = name_of(call),
          .input = std::move(input.input),
          .label = std::move(input.label),
          .icon = call.icon,
          .agent = call.agent};
}

}  // namespace

void ChunkMapper::reset() { *this = {}; }

void ChunkMapper::map(const Message& message, std::vector<StreamChunk>& out) {
  std::visit([&](const auto& part) { add(part, out); }, message);
}

void ChunkMapper::end_thinking(std::vector<StreamChunk>& out) {
  if (std::exchange(native_thinking_, false)) out.emplace_back(chunk::ThinkingEnd{});
}

void ChunkMapper::append(std::vector<StreamChunk>& out) {
  using Kind = ThinkPiece::Kind;
  for (ThinkPiece& piece : pieces_) {
    switch (piece.kind) {
      case Kind::text: out.emplace_back(chunk::Text{std::move(piece.text)}); break;
      case Kind::begin: out.emplace_back(chunk::ThinkingStart{}); break;
      case Kind::thought: out.emplace_back(chunk::ThinkingContent{std::move(piece.text)}); break;
      case Kind::end: out.emplace_back(chunk::ThinkingEnd{}); break;
    }
  }
  pieces_.clear();
}

void ChunkMapper::flush(std::vector<StreamChunk>& out) {
  end_thinking(out);
  tags_.finish(pieces_);
  append(out);
}

void ChunkMapper::add(const AssistantMessage& message, std::vector<StreamChunk>& out) {
  if (message.thought && !message.thought->empty()) {
    if (!native_thinking_) {
      tags_.finish(pieces_);  // thoughts do not overlap
      append(out);
      out.emplace_back(chunk::ThinkingStart{});
    }
    native_thinking_ = true;
    out.emplace_back(chunk::ThinkingContent{*message.thought});
  }
  if (!message.text || message.text->empty()) return;
  end_thinking(out);
  tags_.feed(*message.text, pieces_);
  append(out);
}

void ChunkMapper::add(const ToolCallMessage& call, std::vector<StreamChunk>& out) {
  end_thinking(out);
  if (call.questions) {
    out.emplace_back(chunk::UserQuestion{call.request.value_or(0), *call.questions});
    return;
  }
  if (call.plan) {
    asked_for_a_plan_ = true;
    out.emplace_back(chunk::PlanApproval{call.request.value_or(0), *call.plan});
    return;
  }
  if (call.confirmation && call.request) {
    out.emplace_back(
        chunk::ToolStart{.id = call.id, .name = name_of(call), .label = call.label, .icon = call.icon, .agent = call.agent});
    out.emplace_back(chunk::ToolConfirmation{.request = *call.request,
                                             .tool_name = name_of(call),
                                             .description = call.confirmation->description.value_or(call.label),
                                             .confirmation_type = call.confirmation->type,
                                             .options = call.confirmation->options});
    return;
  }
  adapter::ToolInput input = input_of(call);
  const bool over = call.status == ToolCallStatus::completed || call.status == ToolCallStatus::failed;
  if (!over || !input.input.members.empty()) out.emplace_back(start_of(call, std::move(input)));
  if (!over) return;
  if (call.output) out.emplace_back(chunk::ToolOutput{call.id, *call.output});
  using Status = chunk::ToolEnd::Status;
  out.emplace_back(chunk::ToolEnd{call.id, call.status == ToolCallStatus::completed ? Status::completed : Status::error});
}

void ChunkMapper::add(const PlanMessage& message, std::vector<StreamChunk>& out) {
  if (!message.entries.empty()) out.emplace_back(chunk::Plan{message.entries});
}

// Earlier messages of the person are history and are not streamed.
void ChunkMapper::add(const UserMessage&, std::vector<StreamChunk>&) {}

void ChunkMapper::add(const ErrorMessage& message, std::vector<StreamChunk>& out) {
  flush(out);
  out.emplace_back(chunk::Error{message.code, message.message});
}

void ChunkMapper::add(const TaskFinishMessage&, std::vector<StreamChunk>& out) { flush(out); }

}  // namespace parlance::iflow
