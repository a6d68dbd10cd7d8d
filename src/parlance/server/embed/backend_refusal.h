// SPDX-License-Identifier: Apache-2.0
// What it means when an embedding service answers with a status that is no success, and what to do about it. Values; any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/model/settings.h"
#include "parlance/transport/http/http_message.h"

namespace parlance::server {

// Statuses with which servers say that they do not know this address or this body: another style may be understood.
bool is_another_style(int status);

// One of the texts is more than the model reads, or than the service takes. In the words of the services that there are.
bool says_text_too_long(std::string_view body);

// For people: the service, what it says, and what may help. Nothing of the key is in it, also when the service repeats it.
Error refusal_error(const HttpResponse& response, const std::string& shown_url, const model::ApiKey& key);

}  // namespace parlance::server
