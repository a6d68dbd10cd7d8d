// SPDX-License-Identifier: Apache-2.0
// A whole turn with iFlow for a page: writes settings, keeps or opens the connection, resumes the session, builds the prompt,
// streams the answer. One turn at a time. Loop thread only. Must not be destroyed, nor disposed of, inside a callback.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/adapter/acp/plan_mode.h"
#include "parlance/adapter/acp/prompt.h"
#include "parlance/driver/iflow/installation.h"
#include "parlance/iflow/chunk_mapper.h"
#include "parlance/iflow/client.h"

namespace parlance::iflow {

enum class ConversationMode : std::uint8_t { default_, yolo, plan, smart };
constexpr auto wire_names(ConversationMode) { return wire::names("default", "yolo", "plan", "smart"); }

struct RunnerSettings {
  // url, ports, time-outs and other client options; the runner sets cwd, permissions, session settings and the installation
  Options options{};
  std::string settings_path{};  // iFlow's settings.json (driver/iflow/settings_file.h); empty: unchanged
  std::string base_url{};       // written there, if not empty
  std::string api_key{};        // the same
  std::size_t max_file_bytes = adapter::prompt_file_bytes;
  adapter::Language language = adapter::Language::english;               // of the texts of plan mode
  driver::Surroundings place = driver::Surroundings::of_this_process();  // where check_availability looks for the program
};

struct AttachedFile {
  std::string path{};
  std::optional<std::string> content{};  // absent: read from disk
};

struct IdeContext {
  std::optional<std::string> active_file{};
  std::optional<adapter::PromptSelection> selection{};
};

struct RunOptions {
  std::string prompt{};
  std::vector<AttachedFile> attached_files{};
  ConversationMode mode = ConversationMode::default_;
  bool think = false;
  std::string model{};  // empty: unchanged
  std::vector<std::string> workspace_files{};
  std::string session_id{};  // to resume; empty: the connection's session
  std::optional<IdeContext> ide_context{};
  std::string cwd{};
  std::vector<std::string> file_allowed_dirs{};
};

// The callbacks of a run: any number of pieces, then exactly one of `end` and `error`.
struct RunCallbacks {
  std::function<void(const StreamChunk&)> on_chunk = [](const StreamChunk&) {};
  std::function<void()> on_end = [] {};
  std::function<void(const Error&)> on_error = [](const Error&) {};
};

class Runner {
 public:
  explicit Runner(Loop& loop, RunnerSettings settings = {});
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // The session of the run; empty without a session: a failed resume creates no other session. A failed resume is an error, and
  // no prompt is sent. Destroying the task interrupts the turn.
  Task<std::string> run(RunOptions options, RunCallbacks callbacks);
  // Ends the running turn; the connection stays.
  void cancel();
  // Ends connection and program, and forgets the found installation.
  Task<void> dispose();
  bool is_running() const { return running_; }
  bool is_connected() const { return client_ != nullptr && client_->is_connected(); }

  // Answers of the person, for the numbers in the pieces.
  Result<adapter::PermissionChoice> approve_tool_call(RequestNumber request, ToolCallConfirmationOutcome outcome);
  Result<adapter::PermissionChoice> reject_tool_call(RequestNumber request);
  Result<void> answer_questions(RequestNumber request, const QuestionAnswers& answers);
  // With synthetic_plan nothing is sent: another run follows.
  Result<void> approve_plan(RequestNumber request, bool approved, std::string reason = {});

  // Connects and disconnects a separate client. The result is cached for a while (driver/iflow/availability.h).
  Task<driver::Availability> check_availability() { return availability_.get(); }
  void clear_auto_detect_cache();

  Client* client() { return client_.get(); }  // null before the first run

 private:
  Task<Result<void>> turn(RunOptions options, const RunCallbacks& callbacks);
  void write_settings(const std::string& model, const RunCallbacks& callbacks) const;
  Task<Result<void>> ensure_connected(const RunOptions& options);
  Task<Result<void>> load_session(const std::string& session_id);
  Task<void> choose_model(const std::string& model);
  std::string prompt_of(const RunOptions& options, const RunCallbacks& callbacks) const;
  Task<Result<void>> receive(ConversationMode mode, const RunCallbacks& callbacks);
  Options client_options(const RunOptions& options) const;
  Task<driver::Availability> look();

  Loop& loop_;
  RunnerSettings settings_;
  bool running_ = false;
  ConversationMode mode_ = ConversationMode::default_;
  std::string cwd_;
  std::string model_;   // of the connection
  std::string ran_in_;  // the session of the last run; empty without a session
  ChunkMapper mapper_;
  std::unique_ptr<Client> client_;
  std::shared_ptr<driver::IflowInstallation> installation_;  // outlives each client: the found installation stays
  driver::AvailabilityCache availability_;
};

}  // namespace parlance::iflow
