// SPDX-License-Identifier: Apache-2.0
// Prints a recorded gob stream, message by message, with the types of the stream alone. For people and for programs:
//
//   {"offset":0,"id":-65,"typedef":["struct","Request",[["ServiceMethod",6],["Seq",3]]],"length":48}
//   {"offset":48,"id":65,"type":"Request","value":{"ServiceMethod":"RPCService.Chat"},"length":21}
//
//        0     48  type 65 = struct Request { ServiceMethod string; Seq uint }
//       48     21  Request {"ServiceMethod":"RPCService.Chat"}
//
// Values are annotated (any.h). Definitions inside a value are in "inner_typedefs", and "messages" counts the messages of a cut
// value. An undecodable message has "error"; an unfinished last message has "truncated". Any thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/codec/gob/definition.h"
#include "parlance/codec/json/value.h"

namespace parlance::gob {

std::vector<json::Value> dump(BytesView stream, const Limits& limits = {});
std::string dump_json_lines(BytesView stream, const Limits& limits = {});
std::string dump_text(BytesView stream, const Limits& limits = {});

}  // namespace parlance::gob
