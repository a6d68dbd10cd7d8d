// SPDX-License-Identifier: Apache-2.0
// GET /attachments/ID: the bytes of a prompt's attachment; events contain only the id. The content is untrusted: response headers
// prevent its execution. Loop thread only.
#pragma once

#include <string_view>

#include "parlance/hub/user_hub.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::face {

inline constexpr std::string_view attachments_folder = "/attachments/";

class AttachmentsOverHttp {
 public:
  Task<void> get(HttpExchange& exchange, hub::UserHub hub);
};

}  // namespace parlance::face
