// The tools that every conversation has: files of its folder, commands, memory, and those about the conversation itself. JSON
// arguments come in here and become the typed calls of hub/. Loop thread only; what it refers to outlives it.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "async/worker.h"
#include "hub/command_tool.h"
#include "hub/file_tools.h"
#include "hub/tools.h"
#include "service/chat_backend.h"
#include "service/command_check.h"
#include "service/memory_tools.h"

namespace parlance::service {

class BuiltinTools final : public hub::Tools {
 public:
  // `memory` may be null: then there are no memory tools.
  BuiltinTools(Loop& loop, hub::CommandRunner& commands, AgentBackend* memory);

  void offer_only(const std::vector<std::string>& names);  // of these tools, no others; before the first call
  // Files there can be named by absolute path, and lie inside. `folder` is absolute and exists.
  void add_folder(std::string folder) { more_folders_.push_back(std::move(folder)); }

  std::vector<hub::ToolSpec> list() const override { return specs_; }
  Task<Result<hub::ToolIntent>> intent(const hub::Conversation& conversation, const hub::ToolCall& call) override;
  Task<hub::ToolOutcome> call(const hub::Conversation& conversation, const hub::ToolCall& call,
                              hub::ToolHost host) override;

 private:
  Task<Result<hub::ToolIntent>> edit_intent(std::string folder, std::string key, hub::ToolCall call);
  Task<Result<hub::ToolOutcome>> run(const hub::Conversation& conversation, const hub::ToolCall& call,
                                     hub::ToolOutputSink output);
  // What an intent told of, and its call does: exactly this change, the file that was judged, the program that was judged.
  struct Prepared {
    std::optional<hub::FileChange> change{};
    std::optional<hub::ResolvedPath> place{};
    std::optional<hub::PlainCommand> plain{};
  };
  void keep(std::string key, Prepared prepared);
  Prepared take(const std::string& key);
  Task<Result<hub::ToolIntent>> read_intent(std::string folder, std::string key, std::string path, std::string title);
  Task<Result<hub::ToolIntent>> command_intent(std::string folder, std::string key, std::string command);
  Task<Result<hub::ToolOutcome>> read(std::string folder, hub::ToolCall call, std::optional<hub::ResolvedPath> at);
  Task<Result<hub::ToolOutcome>> apply_change(std::string folder, Prepared prepared);
  Task<Result<hub::ToolOutcome>> run_command(std::string folder, hub::ToolCall call, Prepared prepared,
                                             hub::ToolOutputSink output);

  // Runs `work(FileTools&)` on the worker, in the folder that the path belongs to.
  template <class F>
  auto with_files(const std::string& folder, const std::string& path, F work);
  std::string folder_of(const std::string& folder, const std::string& path) const;
  std::string shown(const std::string& folder, const hub::ResolvedPath& path) const;  // as a model can name it

  hub::CommandRunner& commands_;
  std::optional<MemoryTools> memory_;
  std::vector<hub::ToolSpec> specs_;
  std::vector<std::string> more_folders_;
  // What waits for its call. By conversation and call, because models number their calls anew in every conversation.
  std::map<std::string, Prepared> prepared_;
  std::deque<std::string> prepared_order_;  // keys, oldest first
  Worker worker_;
  CommandCheck check_{commands_, worker_};
};

}  // namespace parlance::service
