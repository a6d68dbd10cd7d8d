// GET /attachments/ID: the bytes of what came with a prompt, which events only name. They are a stranger's: nothing in them may run
// here. Loop thread only; the hub outlives it.
#pragma once

#include <string_view>

#include "parlance/hub/hub.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::face {

inline constexpr std::string_view attachments_folder = "/attachments/";

class AttachmentsOverHttp {
 public:
  explicit AttachmentsOverHttp(hub::Hub& hub) : hub_(hub) {}
  Task<void> get(HttpExchange& exchange);

 private:
  hub::Hub& hub_;
};

}  // namespace parlance::face
