// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/runner.h"

#include <utility>

#include "parlance/base/log.h"
#include "parlance/base/utf8.h"
#include "parlance/iflow/errors.h"

namespace parlance::iflow {
namespace {

Error nothing_waits() {
  return make_error(ErrorKind::connection, "there is no connection to iFlow: nothing waits for an answer");
}

// A destroyed run leaves no turn running.
class RunningTurn {
 public:
  RunningTurn(bool& running, std::unique_ptr<Client>& client) : running_(running), client_(client) { running_ = true; }
  ~RunningTurn() {
    running_ = false;
    if (!over && client_ && client_->is_connected()) static_cast<void>(client_->interrupt());
  }
  RunningTurn(const RunningTurn&) = delete;
  RunningTurn& operator=(const RunningTurn&) = delete;
  bool over = false;

 private:
  bool& running_;
  std::unique_ptr<Client>& client_;
};

}  // namespace

Runner::Runner(Loop& loop, RunnerSettings settings)
    : loop_(loop),
      settings_(std::move(settings)),
      installation_(std::make_shared<driver::IflowInstallation>(
          loop, driver::IflowInstallationSettings{.place = settings_.place,
                                                  .settings_path = settings_.settings_path,
                                                  .base_url = settings_.base_url,
                                                  .api_key = settings_.api_key})),
      availability_(loop, [this] { return look(); }) {}

Runner::~Runner() = default;

Task<std::string> Runner::run(RunOptions options, RunCallbacks callbacks) {
  if (running_) {
    callbacks.on_error(make_error(ErrorKind::validation, "a turn is running: wait for its end, or cancel it"));
    co_return "";
  }
  RunningTurn running(running_, client_);
  const Result<void> done = co_await turn(std::move(options), callbacks);
  running.over = true;
  running_ = false;  // a callback may begin the next run
  if (done) callbacks.on_end();
  else callbacks.on_error(done.error());
  co_return ran_in_;
}

Task<Result<void>> Runner::turn(RunOptions options, const RunCallbacks& callbacks) {
  mapper_.reset();
  ran_in_.clear();
  write_settings(options.model, callbacks);
  PARLANCE_CO_TRY_DO(co_await ensure_connected(options));
  client_->queue().clear();  // chunks of an earlier turn without a reader
  PARLANCE_CO_TRY_DO(co_await load_session(options.session_id));
  ran_in_ = client_->session_id();
  co_await choose_model(options.model);
  const auto thinks = co_await client_->protocol()->set_think(client_->session_id(), options.think);
  if (!thinks)
    parlance::log(parlance::LogLevel::info, "iflow: set_think: " + thinks.error().message);  // some agents lack this method
  if (!client_->is_connected()) co_return fail(nothing_waits());
  PARLANCE_CO_TRY_DO(co_await client_->send_message(prompt_of(options, callbacks)));
  co_return co_await receive(options.mode, callbacks);
}

// iFlow's server reads the model and its address from this file.
void Runner::write_settings(const std::string& model, const RunCallbacks& callbacks) const {
  const auto written = installation_->write_settings(model);
  if (!written) callbacks.on_chunk(chunk::Warning{"iFlow's settings could not be written: " + written.error().message});
  else if (written->kept_at)
    callbacks.on_chunk(chunk::Warning{settings_.settings_path + " could not be read; it was kept as " + *written->kept_at});
}

Options Runner::client_options(const RunOptions& options) const {
  Options out = settings_.options;
  if (!options.cwd.empty()) out.cwd = options.cwd;
  if (!options.file_allowed_dirs.empty()) out.file_allowed_dirs = options.file_allowed_dirs;
  out.installation = installation_;
  out.file_access = true;
  out.permission_mode = PermissionMode::interactive;
  SessionSettings session = out.session_settings.value_or(SessionSettings{});
  session.permission_mode = std::string(wire::name_of(options.mode));
  if (options.mode == ConversationMode::plan)
    session.append_system_prompt = std::string(adapter::plan_instructions(settings_.language));
  out.session_settings = std::move(session);
  return out;
}

Task<Result<void>> Runner::ensure_connected(const RunOptions& options) {
  const bool same = options.mode == mode_ && options.cwd == cwd_;
  if (is_connected() && same) {
    client_->files()->allow(client_options(options).file_allowed_dirs);
    co_return Result<void>{};
  }
  if (client_) co_await client_->disconnect();
  client_ = std::make_unique<Client>(loop_, client_options(options));
  mode_ = options.mode;
  cwd_ = options.cwd;
  model_ = options.model;
  co_return co_await client_->connect();
}

Task<Result<void>> Runner::load_session(const std::string& session_id) {
  if (session_id.empty() || session_id == client_->session_id()) co_return Result<void>{};
  Result<void> loaded = co_await client_->load_session(session_id);
  client_->queue().clear();  // messages from the loaded session are history
  if (!loaded)
    co_return fail(std::move(loaded).error().in("the session " + session_id + " cannot be taken up; a new one can be begun"));
  // The mode applied to the session at the beginning of the connection.
  const auto chosen = co_await client_->protocol()->set_mode(session_id, std::string(wire::name_of(mode_)));
  if (!chosen) parlance::log(parlance::LogLevel::info, "iflow: set_mode: " + chosen.error().message);
  if (!client_->is_connected()) co_return fail(nothing_waits());
  co_return loaded;
}

// A running server has read its settings already.
Task<void> Runner::choose_model(const std::string& model) {
  if (model.empty() || model == std::exchange(model_, model)) co_return;
  const auto chosen = co_await client_->protocol()->set_model(client_->session_id(), model);
  if (!chosen) parlance::log(parlance::LogLevel::info, "iflow: set_model: " + chosen.error().message);
}

std::string Runner::prompt_of(const RunOptions& options, const RunCallbacks& callbacks) const {
  adapter::PromptParts parts{.working_folder = options.cwd, .workspace_files = options.workspace_files, .prompt = options.prompt};
  if (options.ide_context) {
    parts.active_file = options.ide_context->active_file;
    parts.selection = options.ide_context->selection;
  }
  for (const AttachedFile& file : options.attached_files) {
    Result<adapter::PromptFile> read = adapter::PromptFile{.path = file.path};
    if (file.content) {
      read->content = utf8_prefix(*file.content, settings_.max_file_bytes);
      read->cut = read->content.size() < file.content->size();
    } else {
      read = adapter::read_prompt_file(file.path, settings_.max_file_bytes);
    }
    if (read) parts.files.push_back(*std::move(read));
    else callbacks.on_chunk(chunk::Warning{"not attached: " + read.error().message});
  }
  const std::string prompt = adapter::build_prompt(parts);
  return options.mode == ConversationMode::plan ? adapter::in_plan_mode(prompt, settings_.language) : prompt;
}

Task<Result<void>> Runner::receive(ConversationMode mode, const RunCallbacks& callbacks) {
  std::vector<StreamChunk> chunks;
  while (const std::optional<Message> message = co_await client_->receive_message()) {
    chunks.clear();
    mapper_.map(*message, chunks);
    const auto* finish = std::get_if<TaskFinishMessage>(&*message);
    // An agent that ends its turn after planning gets a request for its plan too.
    if (finish != nullptr && mode == ConversationMode::plan && finish->stop_reason == StopReason::end_turn &&
        !mapper_.asked_for_a_plan())
      chunks.emplace_back(chunk::PlanApproval{.request = synthetic_plan});
    for (const StreamChunk& chunk : chunks) callbacks.on_chunk(chunk);
    if (finish != nullptr) co_return Result<void>{};
    if (const auto* error = std::get_if<ErrorMessage>(&*message))
      co_return fail(
          make_error(error->code == -1 ? ErrorKind::connection : ErrorKind::protocol, error->message, error->data_json));
  }
  co_return fail(make_error(ErrorKind::connection, "the connection ended before the turn did"));
}

void Runner::cancel() {
  if (is_connected()) static_cast<void>(client_->interrupt());
}

Task<void> Runner::dispose() {
  if (client_) co_await client_->disconnect();
  client_.reset();
  clear_auto_detect_cache();
}

Result<adapter::PermissionChoice> Runner::approve_tool_call(RequestNumber request, ToolCallConfirmationOutcome outcome) {
  if (!client_) return fail(nothing_waits());
  return client_->approve_tool_call(request, outcome);
}
Result<adapter::PermissionChoice> Runner::reject_tool_call(RequestNumber request) {
  return approve_tool_call(request, ToolCallConfirmationOutcome::reject);
}
Result<void> Runner::answer_questions(RequestNumber request, const QuestionAnswers& answers) {
  if (!client_) return fail(nothing_waits());
  return client_->answer_questions(request, answers);
}
Result<void> Runner::approve_plan(RequestNumber request, bool approved, std::string reason) {
  if (request == synthetic_plan) return {};
  if (!client_) return fail(nothing_waits());
  return client_->approve_plan(request, approved, std::move(reason));
}

void Runner::clear_auto_detect_cache() {
  availability_.clear();
  installation_->forget();
}

Task<driver::Availability> Runner::look() {
  Options options = settings_.options;
  options.installation = installation_;
  Client visitor(loop_, std::move(options));
  const Result<void> connected = co_await visitor.connect();
  driver::Availability out{.available = connected.has_value()};
  const std::string url = visitor.url();
  if (connected && visitor.protocol()->agent().agent) out.version = visitor.protocol()->agent().agent->version;
  co_await visitor.disconnect();
  const auto found = co_await installation_->found();
  if (found) {
    out.path = found->program;
    if (out.version.empty()) out.version = co_await driver::version_of_iflow(loop_, *found, driver::report_to_log());
  }
  if (out.path.empty()) out.path = url;
  if (connected)
    out.diagnosis =
        "iFlow answers" + (url.empty() ? std::string() : " at " + url) + (found ? ", installed as " + found->program : "") + ".";
  else out.diagnosis = std::string(wire::name_of(kind_of(connected.error()))) + ": " + connected.error().message;
  co_return out;
}

}  // namespace parlance::iflow
