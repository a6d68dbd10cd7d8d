// SPDX-License-Identifier: Apache-2.0
// Explains an embedding service's error status, with a remedy. Values; any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/model/settings.h"
#include "parlance/transport/http/http_message.h"

namespace parlance::server {

// Statuses for an unknown address or body: another style may succeed.
bool is_another_style(int status);

// A text exceeds the limit of the model or the service. Recognises the messages of known services.
bool says_text_too_long(std::string_view body);

// For people: the service, its message, and a remedy. Never contains the key, even if the service repeats the key.
Error refusal_error(const HttpResponse& response, const std::string& shown_url, const model::ApiKey& key);

}  // namespace parlance::server
