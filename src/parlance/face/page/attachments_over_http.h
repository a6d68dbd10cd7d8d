// SPDX-License-Identifier: Apache-2.0
// GET /attachments/ID: the bytes of what came with a prompt, which events only name. They are a stranger's: nothing in them may run
// here. Loop thread only.
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
