// SPDX-License-Identifier: Apache-2.0
// The choice of the model (model/provider/make_model.h makes it). Values; any thread.
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

// A key never appears in a log or an error; `origin` does.
struct ApiKey {
  std::string text{};
  std::string origin{};  // "PARLANCE_API_KEY", "the file /run/keys/model"
};

// Environment variables for the key of this kind; the first set variable counts. No other variables are read, so that no vendor
// receives another vendor's key.
std::span<const std::string_view> api_key_variables(Kind kind);
// `variable` returns an environment variable or nothing; `file` is a path or empty. Without a key the result is empty, which is
// right for local servers. Errors: an unreadable file, or a file open to other users.
Result<ApiKey> find_api_key(Kind kind, const std::function<std::optional<std::string>(std::string_view)>& variable,
                            const std::string& file);

struct ModelLimits {
  std::chrono::milliseconds connect = limits::model_connect;
  std::chrono::milliseconds idle = limits::model_idle;    // Between two pieces of the answer, and before the first.
  std::chrono::milliseconds total = limits::model_total;  // Of one chat with all its attempts.
  int attempts = limits::model_attempts;
  std::chrono::milliseconds retry_first = limits::model_retry_first;
  std::chrono::milliseconds retry_most = limits::model_retry_most;
  std::chrono::milliseconds retry_after_most = limits::model_retry_after_most;
  std::size_t answer_bytes = limits::model_answer_bytes;
};

struct RehearsalSettings {
  std::string scenario{};              // A file; empty: commands only (docs/howto/rehearsal.md).
  std::chrono::milliseconds pace{12};  // Between two pieces; 0 in tests.
};

struct ModelSettings {
  Kind kind = Kind::rehearsal;
  std::string url{};   // Empty: the vendor's own; "https://host/v1" of a compatible server.
  std::string name{};  // Empty: the vendor's default.
  ApiKey key{};
  ModelLimits limits{};
  RehearsalSettings rehearsal{};
};

}  // namespace parlance::model
