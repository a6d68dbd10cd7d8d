// SPDX-License-Identifier: Apache-2.0
// Parses the content of a message in OpenAI's format: text, or a list of parts (of the chat API or the Responses API). Pure; any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/model/attachment.h"
#include "parlance/wire/describe.h"

namespace parlance::openai {

// invalid_params, with the position.
std::unexpected<Error> wrong(std::string_view where, std::string_view what);

struct Content {
  std::string text{};
  std::vector<model::Attachment> attachments{};
};

// Pictures and files are part of the request as data: URLs. The gateway fetches no URLs for a client, because the client may lack
// access to the gateway's network. Errors: invalid_params with the position ("$.messages[3].content[1]: …"). Unknown parts are
// refused, because a silently dropped picture gives a wrong answer.
Result<Content> read_content(const wire::Raw& content, std::string_view where);

}  // namespace parlance::openai
