// SPDX-License-Identifier: Apache-2.0
// The content of a message in OpenAI's shape: text, or a list of parts (of the chat API, and as the Responses API names them). Pure;
// any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/model/attachment.h"
#include "parlance/wire/describe.h"

namespace parlance::openai {

// invalid_params, with the place.
std::unexpected<Error> wrong(std::string_view where, std::string_view what);

struct Content {
  std::string text{};
  std::vector<model::Attachment> attachments{};
};

// Pictures and files come in the request itself, as data: URLs: this gateway fetches nothing for a client, because what it can reach
// the client may not be allowed to. Errors: invalid_params with the place ("$.messages[3].content[1]: …"). A part that is not
// understood is refused: a picture that is silently left out gives a wrong answer.
Result<Content> read_content(const wire::Raw& content, std::string_view where);

}  // namespace parlance::openai
