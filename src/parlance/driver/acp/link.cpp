// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/link.h"

#include <algorithm>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/driver/acp/limits.h"
#include "parlance/driver/acp/mcp_servers.h"
#include "parlance/driver/acp/words.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/process/program_words.h"

namespace parlance::driver {
namespace {

constexpr std::string_view iflow_plan = "plan";
constexpr std::string_view iflow_default = "default";

std::vector<HttpHeader> credentials(const AcpAgentSettings& settings) {
  if (settings.token.empty()) return {};
  return std::vector<HttpHeader>(1, HttpHeader{.name = "Authorization", .value = "Bearer " + settings.token});
}

}  // namespace

// ---- options ------------------------------------------------------------------------------------------------------------------

void SessionChoices::take(const acp::SessionState& state) {
  if (state.modes) modes = *state.modes;
  if (state.models) models = state.models;
  if (state.config_options) options = *state.config_options;
}

std::vector<std::string> SessionChoices::mode_ids() const {
  std::vector<std::string> ids;
  for (const acp::SessionMode& mode : modes.available_modes) ids.push_back(mode.id);
  const acp::ConfigOption* const option = ids.empty() ? of_category("mode") : nullptr;
  if (option != nullptr)
    for (const hub::OptionValue& value : option_of(*option).values) ids.push_back(value.value);
  return ids;
}

std::string SessionChoices::current_mode() const {
  const acp::ConfigOption* const option = of_category("mode");
  return modes.available_modes.empty() && option != nullptr ? current_value(*option) : modes.current_mode_id;
}

void SessionChoices::set_mode(std::string_view id) {
  modes.current_mode_id = id;
  const auto option = std::ranges::find(
      options, "mode", [](const acp::ConfigOption& config_option) { return config_option.category.value_or(""); });
  if (option != options.end()) option->current_value.json = json::to_text(json::Value(id));
}

std::vector<hub::AgentOption> SessionChoices::as_options() const {
  std::vector<hub::AgentOption> all = options_of(options);
  std::erase_if(all, [](const hub::AgentOption& option) { return decides_on_permission(option.category); });
  if (models && of_category("model") == nullptr) all.push_back(option_of(*models));
  return all;
}

const acp::ConfigOption* SessionChoices::find(std::string_view id) const {
  const auto found = std::ranges::find(options, id, &acp::ConfigOption::id);
  return found == options.end() ? nullptr : &*found;
}

const acp::ConfigOption* SessionChoices::of_category(std::string_view category) const {
  const auto found =
      std::ranges::find_if(options, [&](const acp::ConfigOption& config_option) { return config_option.category == category; });
  return found == options.end() ? nullptr : &*found;
}

// ---- the connection ----------------------------------------------------------------------------------------------------------------------

acp::InitializeParams AcpLink::initialize_params() const {
  acp::ClientCapabilities can{
      .fs = acp::FileSystemCapabilities{.read_text_file = settings_.files, .write_text_file = settings_.files},
      .terminal = settings_.terminals};
  // iFlow gets exactly the capabilities of its own SDK, and no unknown members.
  if (settings_.flavour == acp::Flavour::iflow) {
    can.terminal = false;
    return {.capabilities = std::move(can)};
  }
  can.session = acp::ClientSessionCapabilities{.compaction = acp::Supported{},
                                               .config_options = acp::ConfigOptionCapabilities{.boolean = acp::Supported{}},
                                               .notices = acp::Supported{}};
  can.auth = acp::AuthCapabilities{.terminal = true};  // the person has a terminal, and gets the command to run
  can.elicitation = acp::ElicitationCapabilities{.form = acp::Supported{}, .url = acp::Supported{}};
  return {.capabilities = std::move(can),
          .client = acp::Implementation{.name = "parlance", .title = "parlance", .version = settings_.version}};
}

Task<Result<std::unique_ptr<acp::Client>>> AcpLink::spawn(const std::string& folder, acp::ClientSettings client, bool refresh) {
  std::vector<std::string> command = settings_.command;
  if (settings_.find) {
    PARLANCE_CO_TRY(program, co_await settings_.find(refresh));
    command = std::move(program.command);
  }
  auto spawned = acp::Client::spawn(loop_,
                                    {.command = command,
                                     .folder = folder,
                                     .folder_links = FolderLinks::refused,
                                     .set = settings_.environment,
                                     .withheld = Withheld::own_secrets},
                                    handler_, std::move(client));
  if (!spawned && find_program(command.front()).empty()) co_return fail(no_acp_agent(settings_));
  co_return spawned;
}

Task<Result<void>> AcpLink::open(const std::string& folder) {
  scope_.cancel();
  client_.reset();
  listening_.reset();
  ended_.reset();
  session_.clear();
  choices_ = {};
  acp::ClientSettings client{.flavour = settings_.flavour,
                             .request_timeout = settings_.timeout,
                             .initialize = initialize_params(),
                             .sign_in = settings_.sign_in};
  const bool running_elsewhere = settings_.connect || !settings_.url.empty();
  std::unique_ptr<Frames> running;
  if (!settings_.running.empty())
    if (auto reached = co_await acp::connect_to_agent(loop_, settings_.running, credentials(settings_)))
      running = *std::move(reached);
  if (running) {
    client.waits_for_ready = settings_.flavour == acp::Flavour::iflow;
    client_ = std::make_unique<acp::Client>(loop_, std::move(running), handler_, client);
  } else if (running_elsewhere) {
    client.waits_for_ready = settings_.flavour == acp::Flavour::iflow;
    auto reached = settings_.connect ? settings_.connect() : acp::connect_to_agent(loop_, settings_.url, credentials(settings_));
    PARLANCE_CO_TRY(frames, co_await std::move(reached));
    client_ = std::make_unique<acp::Client>(loop_, std::move(frames), handler_, client);
  } else {
    client.on_stderr_line = [name = settings_.id](BytesView line) {
      log(LogLevel::debug, "an agent says", {{"agent", name}, {"line", std::string(line)}});
    };
    auto spawned = co_await spawn(folder, client, false);
    // The program's location may have changed since (for example with another version of Node).
    if (!spawned && spawned.error().code == Errc::not_found && settings_.find) spawned = co_await spawn(folder, client, true);
    if (!spawned) co_return std::unexpected(std::move(spawned).error());
    client_ = *std::move(spawned);
  }
  scope_.start(run());
  auto connected = co_await client_->connect();
  if (!connected && ended_ && settings_.start_listening && !running_elsewhere) {
    connected = co_await open_port(folder, std::move(client));
    if (!connected) co_return fail(std::move(connected).error().in(settings_.name + ", started on a port"));
  }
  if (!connected && ended_) co_return fail(*ended_);  // the program's exit is the better error
  if (!connected && connected.error().code == Errc::deadline_exceeded)
    connected.error().message +=
        "; start the program in a terminal and read its output: perhaps the program has no ACP mode or asks a question";
  if (!connected) co_return fail(std::move(connected).error().in(settings_.name));
  prompt_ = client_->can().prompt.value_or(acp::PromptCapabilities{});
  co_return Result<void>{};
}

// An agent whose program exits on stdin and stdout, and serves a port instead.
Task<Result<void>> AcpLink::open_port(const std::string& folder, acp::ClientSettings client) {
  PARLANCE_CO_TRY(program, co_await settings_.start_listening(folder));
  listening_ = std::move(program);
  PARLANCE_CO_TRY(frames, co_await listening_->connect());
  client.waits_for_ready = settings_.flavour == acp::Flavour::iflow;
  scope_.cancel();
  ended_.reset();
  client_ = std::make_unique<acp::Client>(loop_, std::move(frames), handler_, std::move(client));
  scope_.start(run());
  auto connected = co_await client_->connect();
  if (!connected && ended_) co_return fail(*ended_);
  co_return connected;
}

Task<void> AcpLink::run() { ended_ = co_await client_->run(); }

// An agent with a single connection needs no session/close; an agent with several connections frees the session's memory.
Task<void> AcpLink::close() {
  if (alive()) co_await close_session();
  if (auto program = std::exchange(listening_, std::nullopt)) co_await program->stop();
}

Task<void> AcpLink::close_session() {
  if (const auto& can = client_->can().session; can && can->close && !session_.empty())
    static_cast<void>(co_await with_deadline(loop_, loop_.now() + limits::acp_close_patience, client_->close_session(session_)));
  static_cast<void>(co_await client_->stop());
}

// ---- the session -------------------------------------------------------------------------------------------------------------------------

std::optional<acp::IflowSettings> AcpLink::iflow_settings(const hub::SessionSetup& setup,
                                                          const hub::PromptOptions& options) const {
  if (settings_.flavour != acp::Flavour::iflow) return std::nullopt;
  const bool plans = setup.mode == hub::Mode::plan;
  // Other permissions are the hub's decision: iFlow asks about every action.
  acp::IflowSettings made{.permission_mode = std::string(plans ? iflow_plan : iflow_default), .system_prompt = options.system};
  made.append_system_prompt = options.append_system;
  if (plans) {
    std::string instructions(adapter::plan_instructions(settings_.language));
    made.append_system_prompt = options.append_system ? *options.append_system + "\n\n" + instructions : std::move(instructions);
  }
  if (options.most_rounds) made.max_turns = *options.most_rounds;
  if (!setup.folders.empty()) made.add_dirs = setup.folders;
  return made;
}

std::vector<acp::McpServer> AcpLink::mcp_servers() {
  left_out_.clear();
  return settings_.mcp_servers ? acp_mcp_servers(settings_.mcp_servers(), client_->can().mcp, left_out_)
                               : std::vector<acp::McpServer>{};
}

std::optional<hub::event::Notice> AcpLink::left_out_servers() const {
  if (left_out_.empty()) return std::nullopt;
  std::string names;
  for (const std::string& name : left_out_) names += (names.empty() ? "" : ", ") + name;
  return hub::event::Notice{
      .level = hub::NoticeLevel::warning,
      .text = settings_.name + " does not support the transport of these MCP servers and works without them: " + names + "."};
}

std::optional<std::vector<std::string>> AcpLink::more_folders(const hub::SessionSetup& setup) const {
  const auto& can = client_->can().session;
  if (!can || !can->additional_directories || setup.folders.empty()) return std::nullopt;
  return setup.folders;
}

Task<Result<void>> AcpLink::begin_session(const hub::SessionSetup& setup, const hub::PromptOptions& options) {
  acp::NewSession what{.cwd = setup.folder, .mcp_servers = mcp_servers()};
  what.additional_directories = more_folders(setup);
  what.settings = iflow_settings(setup, options);
  what.meta.json = settings_.session_meta;
  auto session = co_await client_->new_session(std::move(what));
  if (!session)
    co_return fail(
        Error{.code = session.error().code, .message = acp::error_text(session.error()), .data = session.error().data});
  session_ = *session->session_id;
  is_new_ = true;
  choices_.take(*session);
  co_return Result<void>{};
}

Task<Result<void>> AcpLink::resume_session(std::string id, const hub::SessionSetup& setup, const hub::PromptOptions& options,
                                           bool replay) {
  acp::LoadSession what{.session_id = id, .cwd = setup.folder, .mcp_servers = mcp_servers()};
  what.additional_directories = more_folders(setup);
  what.settings = iflow_settings(setup, options);
  what.meta.json = settings_.session_meta;
  session_ = id;  // updates from now on belong to this session
  is_new_ = false;
  const auto& can = client_->can().session;
  const bool loads = replay || !can || !can->resume;
  auto session = loads ? co_await client_->load_session(std::move(what)) : co_await client_->resume_session(std::move(what));
  if (!session) {
    session_.clear();
    co_return fail(Error{.code = session.error().code, .message = acp::error_text(session.error())});
  }
  if (loads) co_await until_history_is_received();
  choices_.take(*session);
  co_return Result<void>{};
}

// Gemini answers session/load before the end of the history, and the protocol has no end mark.
Task<void> AcpLink::until_history_is_received() {
  const TimePoint latest = loop_.now() + limits::acp_late_history;
  note_history();
  for (;;) {
    const TimePoint quiet = std::min(history_received_at_ + settings_.history_quiet, latest);
    if (!alive() || loop_.now() >= quiet) co_return;
    co_await sleep_until(loop_, quiet);
  }
}

// ---- modes and options --------------------------------------------------------------------------------------------------------

std::optional<std::string> AcpLink::agent_mode_of(hub::Mode mode) const {
  return agent_mode(choices_.mode_ids(), settings_.modes, mode);
}

std::optional<std::string> AcpLink::asking_mode() const { return driver::asking_mode(choices_.mode_ids(), settings_.modes); }

bool AcpLink::can_enforce_plan() const {
  return settings_.flavour == acp::Flavour::iflow || driver::can_enforce_plan(choices_.mode_ids(), settings_.modes);
}

bool AcpLink::has_plan_mode() const { return planning_mode(choices_.mode_ids(), settings_.modes).has_value(); }

Task<Result<void>> AcpLink::apply_mode(hub::Mode mode) {
  PARLANCE_CO_TRY_DO(co_await hold_options());
  const auto wanted = agent_mode_of(mode);
  if (!wanted || *wanted == choices_.current_mode()) co_return Result<void>{};
  co_return co_await choose_mode(*wanted);
}

// Agents have session modes, an option of category `mode`, or both; both must agree.
Task<Result<void>> AcpLink::choose_mode(std::string id) {
  if (!choices_.modes.available_modes.empty()) {
    PARLANCE_CO_TRY_DO(co_await client_->set_mode(session_, id));
    choices_.modes.current_mode_id = id;
  }
  const acp::ConfigOption* const option = choices_.of_category("mode");
  if (option == nullptr || current_value(*option) == id) co_return Result<void>{};
  PARLANCE_CO_TRY(changed, co_await client_->set_config_option(acp::choose_option(session_, *option, id)));
  choices_.options = std::move(changed.config_options);
  co_return Result<void>{};
}

Task<Result<void>> AcpLink::hold_options() {
  for (const auto& [id, value] : settings_.modes.held_options) {
    const acp::ConfigOption* const option = choices_.find(id);
    if (option == nullptr || current_value(*option) == value) continue;
    PARLANCE_CO_TRY(changed, co_await client_->set_config_option(acp::choose_option(session_, *option, value)));
    choices_.options = std::move(changed.config_options);
  }
  co_return Result<void>{};
}

void AcpLink::correct_mode(hub::Mode mode) { scope_.start(restore_mode(mode)); }

Task<void> AcpLink::restore_mode(hub::Mode mode) {
  const auto done = co_await apply_mode(mode);
  if (!done)
    log(LogLevel::warn, "an agent keeps its own mode", {{"agent", settings_.id}, {"why", acp::error_text(done.error())}});
}

Task<Result<void>> AcpLink::apply_model(std::string model) {
  if (const acp::ConfigOption* option = choices_.of_category("model"))
    co_return co_await apply_option(option->id, std::move(model));
  const auto done = co_await client_->set_model(session_, model);
  // An iFlow without the method reads its model from its settings file, written before each prompt.
  if (!done && (done.error().code != Errc::unknown_method || !settings_.write_settings)) co_return fail(done.error());
  if (choices_.models) choices_.models->current_model_id = std::move(model);
  co_return Result<void>{};
}

Task<Result<void>> AcpLink::apply_option(std::string id, std::string value) {
  const acp::ConfigOption* const option = choices_.find(id);
  if (option == nullptr && id == models_option) co_return co_await apply_model(std::move(value));
  if (option == nullptr) co_return fail(Errc::invalid_params, "the session has no option " + id);
  if (decides_on_permission(option->category.value_or("")))
    co_return fail(Errc::denied, "the option " + id + " decides on permission: choose a mode of the conversation in its place");
  PARLANCE_CO_TRY(changed, co_await client_->set_config_option(acp::choose_option(session_, *option, value)));
  choices_.options = std::move(changed.config_options);
  co_return Result<void>{};
}

}  // namespace parlance::driver
