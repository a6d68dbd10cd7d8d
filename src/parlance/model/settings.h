// SPDX-License-Identifier: Apache-2.0
// Which model answers (model/provider/make_model.h makes it). Values; any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/model/limits.h"

namespace parlance::model {

enum class Kind : std::uint8_t { rehearsal, openai, anthropic };
std::string_view to_string(Kind kind);
std::optional<Kind> kind_from(std::string_view name);

// A key is never logged and never part of an error; `origin` is.
struct ApiKey {
  std::string text{};
  std::string origin{};  // "PARLANCE_API_KEY", "the file /run/keys/model"
};

// The environment variables that may hold the key for this kind, the first that is set wins. Others are never looked at, so
// one vendor's key is not sent to another.
std::span<const std::string_view> api_key_variables(Kind kind);
// `variable` answers an environment variable or nothing; `file` is a path or "". Without a key the result is empty, which is
// right for local servers. Errors: the file cannot be read, or is open to other users.
Result<ApiKey> find_api_key(Kind kind, const std::function<std::optional<std::string>(std::string_view)>& variable,
                            const std::string& file);

struct ModelLimits {
  std::chrono::milliseconds connect = limits::model_connect;
  std::chrono::milliseconds idle = limits::model_idle;    // between two pieces of the answer, and before the first
  std::chrono::milliseconds total = limits::model_total;  // of one chat with all its attempts
  int attempts = limits::model_attempts;
  std::chrono::milliseconds retry_first = limits::model_retry_first;
  std::chrono::milliseconds retry_most = limits::model_retry_most;
  std::chrono::milliseconds retry_after_most = limits::model_retry_after_most;
  std::size_t answer_bytes = limits::model_answer_bytes;
};

struct RehearsalSettings {
  std::string scenario{};              // file; "" has the commands only (docs/howto/rehearsal.md)
  std::chrono::milliseconds pace{12};  // between two pieces; 0 in tests
};

struct ModelSettings {
  Kind kind = Kind::rehearsal;
  std::string url{};   // "" is the vendor's own; "https://host/v1" of any compatible server
  std::string name{};  // "" is the vendor's default
  ApiKey key{};
  ModelLimits limits{};
  RehearsalSettings rehearsal{};
};

}  // namespace parlance::model
