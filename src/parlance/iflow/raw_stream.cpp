// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/raw_stream.h"

#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/iflow/errors.h"
#include "parlance/iflow/limits.h"

namespace parlance::iflow {
namespace {

std::string type_of_json(const json::Value& value) {
  if (const json::Value* method = value.find("method"); method != nullptr && method->text() != nullptr)
    return "method:" + *method->text();
  if (value.find("result") != nullptr || value.find("error") != nullptr) return "response";
  return std::string(value.text_or("type", "text"));
}

}  // namespace

std::optional<Message> RawStream::parse(const json::Value& value) {
  if (value.text_or("method", "") == acp::method::update.method) {
    const json::Value* params = value.find("params");
    if (params == nullptr) return std::nullopt;
    const auto update = json::from_text<acp::SessionUpdate>(json::to_text(*params));
    return update ? mapper_.map(*update) : std::nullopt;
  }
  if (value.find("method") != nullptr) return std::nullopt;
  if (const json::Value* result = value.find("result"); result != nullptr && result->find("stopReason") != nullptr) {
    mapper_.turn_ended();
    const auto finished = json::from_text<acp::PromptResult>(json::to_text(*result));
    return finished ? std::optional(MessageMapper::finished(*finished)) : std::nullopt;
  }
  if (const json::Value* error = value.find("error"); error != nullptr && error->object() != nullptr)
    return ErrorMessage{.code = static_cast<long>(error->integer_or("code", -1)),
                        .message = std::string(error->text_or("message", ""))};
  return std::nullopt;
}

const RawMessage& RawStream::take(BytesView frame, WallTime now) {
  RawMessage message{.message_type = "text", .raw_data = std::string(frame), .timestamp = now};
  message.is_control = trim(frame).starts_with("//");
  ++stats_.total_messages;
  if (message.is_control) {
    message.message_type = "control";
    ++stats_.control_messages;
  } else if (auto value = json::parse(frame)) {
    message.message_type = type_of_json(*value);
    message.parsed_message = parse(*value);
    stats_.errors += value->find("error") != nullptr ? 1U : 0U;
    ++stats_.json_messages;
    message.json_data = *std::move(value);
  } else {
    message.fault = make_error(ErrorKind::json_decode, value.error().message);
    ++stats_.text_messages;
  }
  ++stats_.message_types[message.message_type];
  history_bytes_ += message.raw_data.size();
  history_.push_back(std::move(message));
  while (history_.size() > 1 &&
         (history_.size() > limits::iflow_history_messages || history_bytes_ > limits::iflow_history_bytes)) {
    history_bytes_ -= history_.front().raw_data.size();
    history_.pop_front();
    ++stats_.forgotten;
  }
  return history_.back();
}

}  // namespace parlance::iflow
