#include "service/relayed_claude.h"

#include <utility>

#include "codec/json/value.h"

namespace parlance::service {

RelayedClaude::RelayedClaude(Loop& loop, ClaudeRelay* relay, claude::AgentSide& host, Settings settings)
    : relay_(relay), host_(host), settings_(std::move(settings)), scope_(loop) {
  if (relay == nullptr) return;
  relay->to_host = [this](claude::McpMessage message) { return host_.mcp_message(std::move(message), no_deadline); };
  relay->hook = [this](claude::HookCallback callback) {
    callback.input.json = as_ours(callback.input.json, "permission_mode");
    return host_.hook_callback(std::move(callback), no_deadline);  // Claude Code withdraws what takes too long
  };
  relay->line = [this](const claude::StreamLine& told) { line(told); };
}

RelayedClaude::~RelayedClaude() {
  scope_.cancel();
  if (relay_ == nullptr) return;
  relay_->to_host = {};
  relay_->hook = {};
  relay_->line = {};
  reads();  // nobody is there any more who could be too slow
}

// All that is not said in another way: prompts go with each turn, servers by address and forbidden tools as flags.
void RelayedClaude::initialize(const claude::Initialize& request) {
  relay_->initialize = request;
  relay_->initialize.system_prompt = {};
  relay_->initialize.append_system_prompt.reset();
  relay_->initialize.mcp_servers = {};
  relay_->initialize.sdk_mcp_manifests = {};
  relay_->initialize.disallowed_tools.reset();
}

std::string RelayedClaude::take_result() {
  init_told_ = false;
  return std::exchange(result_, {});
}

// Its session has a name of its own, and it runs in the mode `default` where the hub says yes in its place.
std::string RelayedClaude::as_ours(std::string_view json, std::string_view mode_member) const {
  json::Value value = json::parse_or_null(json);
  json::Object* const object = value.object();
  if (object == nullptr) return std::string(json);
  if (object->find("session_id") != nullptr) object->set("session_id", settings_.session_id);
  if (object->find(mode_member) != nullptr) object->set(std::string(mode_member), settings_.permission_mode());
  return json::to_text(value);
}

void RelayedClaude::line(const claude::StreamLine& told) {
  if (told.type == "stream_event" && !settings_.partial_messages) return;
  std::string text = as_ours(told.json, "permissionMode");
  if (told.type == "result") {  // told when the hub has written down what came before
    result_ = std::move(text);
    return;
  }
  if (told.type == "system" && told.subtype == "init") init_told_ = true;
  static_cast<void>(host_.send(std::move(text)));
  if (!relay_->host_is_slow) scope_.start(until_the_host_reads());
}

Task<void> RelayedClaude::until_the_host_reads() {
  relay_->host_is_slow = true;
  co_await host_.room();
  reads();
}

void RelayedClaude::reads() {
  relay_->host_is_slow = false;
  relay_->host_reads.notify_all();
}

}  // namespace parlance::service
