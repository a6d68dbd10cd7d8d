// SPDX-License-Identifier: Apache-2.0
// Recognises the protocol of a connection by its first bytes. Sans-I/O.
#pragma once

#include <string>

#include "parlance/base/bytes.h"

namespace parlance::gorpc {

enum class Opening {
  need_more,
  gob,
  json,
  http,  // CONNECT: answer, then recognise the following bytes
  http_other,
  grpc,  // HTTP/2: the successor of the deployed program on the same path
};
Opening recognise(BytesView first_bytes);

struct HttpOpening {
  bool complete = false;
  bool broken = false;
  std::string method{};
  std::string path{};
  std::size_t consumed = 0;
};
// One request head, lines ended by LF or CRLF, at most 4 KiB.
HttpOpening read_http_head(BytesView bytes);

}  // namespace parlance::gorpc
