// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/request.h"

#include "parlance/base/utf8.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/writer.h"

namespace parlance::mcp {

Request::Request(Session& session, const RequestId& id, Meta meta, std::string subject)
    : session_(session), id_(id), meta_(std::move(meta)) {
  state_.subject = std::move(subject);
}

void Request::progress(double done, std::optional<double> total, std::optional<std::string> message) {
  if (!wants_progress() || done <= last_progress_) return;
  last_progress_ = done;
  // A message that finds no room is dropped: the next one says more.
  static_cast<void>(session_.notify_for(
      id_, method::progress, {.token = meta_.progress_token, .progress = done, .total = total, .message = std::move(message)}));
}

void Request::note_unknown_argument(std::string_view argument) {
  constexpr std::size_t most = 8;  // enough for a diagnosis
  constexpr std::size_t name_bytes = 64;
  if (unknown_arguments_.size() < most) unknown_arguments_.emplace_back(to_valid_utf8(utf8_prefix(argument, name_bytes)));
}

void Request::log(std::string_view level, Raw data, std::optional<std::string> logger) {
  int wanted = session_.log_severity;
  if (era() == Era::modern) {
    if (!meta_.log_level) return;
    wanted = mcp::log_severity(*meta_.log_level);
  }
  if (mcp::log_severity(level) < wanted) return;
  static_cast<void>(session_.notify_for(id_, method::message,
                                        {.level = std::string(level), .logger = std::move(logger), .data = std::move(data)}));
}

void Request::log(std::string_view level, std::string_view text) {
  Raw data;
  json::write_text(data.json, text);
  log(level, std::move(data));
}

Result<void> Request::take_input(const Raw& responses, const std::optional<std::string>& state) {
  if (era() != Era::modern) return {};
  if (state) {
    PARLANCE_TRY(restored, unseal(*state, state_.subject, session_.host().state_secret()));
    state_ = std::move(restored);
  }
  if (responses.json.empty()) return {};
  auto answers = json::from_text<InputResponses>(responses.json, {.known_utf8 = true});
  if (!answers || responses.json == "null")
    return fail(Errc::invalid_params, "inputResponses must be an object of answers by name");
  for (auto& [key, answer] : *answers) state_.answers.insert_or_assign(key, std::move(answer));
  return {};
}

Result<std::string> Request::sealed_state() {
  ++state_.round;
  return seal(state_, session_.host().state_secret());
}

template <class P, class R>
Task<Result<R>> Request::ask(std::string key, const wire::Call<P, R>& call, P parameters, const Raw& declared,
                             std::string_view capability) {
  if (declared.json.empty()) co_return std::unexpected(missing_capability(capability));
  if (era() != Era::modern) {
    session_.belongs_to(id_);
    co_return co_await session_.call(call, std::move(parameters), no_deadline);
  }
  if (const auto answer = state_.answers.find(key); answer != state_.answers.end()) {
    auto read = json::from_text<R>(answer->second.json, {.known_utf8 = true});
    if (!read) co_return fail(Errc::invalid_params, "inputResponses." + key + ": " + read.error().message, R"({"code":-32602})");
    co_return read;
  }
  needed_.insert_or_assign(key, InputRequest{.method = std::string(call.method), .params = {json::to_text(parameters)}});
  co_return fail(Errc::failed, "the client must answer \"" + key + "\" first");
}

Task<Result<ElicitResult>> Request::elicit(std::string key, ElicitParams parameters) {
  return ask(std::move(key), method::elicit, std::move(parameters), client().elicitation, "elicitation");
}
Task<Result<CreateMessageResult>> Request::sample(std::string key, CreateMessageParams parameters) {
  return ask(std::move(key), method::create_message, std::move(parameters), client().sampling, "sampling");
}
Task<Result<ListRootsResult>> Request::roots(std::string key) {
  return ask(std::move(key), method::list_roots, NoParams{}, client().roots, "roots");
}

}  // namespace parlance::mcp
