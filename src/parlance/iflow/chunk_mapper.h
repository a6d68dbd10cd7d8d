// SPDX-License-Identifier: Apache-2.0
// From messages to the pieces that a page shows. Sans-I/O; one owner.
#pragma once

#include <vector>

#include "parlance/base/think_tags.h"
#include "parlance/iflow/stream_chunk.h"

namespace parlance::iflow {

class ChunkMapper {
 public:
  // Before each turn.
  void reset();
  // Appends the chunks of the message. TaskFinish and Error also release chunks that are held back.
  void map(const Message& message, std::vector<StreamChunk>& out);
  bool asked_for_a_plan() const { return asked_for_a_plan_; }  // the agent sent a plan_approval since the reset

 private:
  void add(const AssistantMessage& message, std::vector<StreamChunk>& out);
  void add(const ToolCallMessage& message, std::vector<StreamChunk>& out);
  void add(const PlanMessage& message, std::vector<StreamChunk>& out);
  void add(const UserMessage& message, std::vector<StreamChunk>& out);
  void add(const ErrorMessage& message, std::vector<StreamChunk>& out);
  void add(const TaskFinishMessage& message, std::vector<StreamChunk>& out);
  void end_thinking(std::vector<StreamChunk>& out);
  void flush(std::vector<StreamChunk>& out);
  void append(std::vector<StreamChunk>& out);

  bool native_thinking_ = false;  // a thought message, without think tags, is open
  bool asked_for_a_plan_ = false;
  ThinkTags tags_{ThinkTags::Blocks::anywhere};
  std::vector<ThinkPiece> pieces_;
};

}  // namespace parlance::iflow
