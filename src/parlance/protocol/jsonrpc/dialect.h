// SPDX-License-Identifier: Apache-2.0
// JSON-RPC 2.0 envelopes, shared by the editor bridge, ACP and MCP. One message for each frame; batches are refused, as in all
// three protocols.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/peer/dialect.h"

namespace parlance::jsonrpc {

enum class Ids : std::uint8_t {
  any,              // id null marks a notice
  text_or_integer,  // an id of another type is malformed
  null_too,         // id null marks a request with the reply id null
};

enum class Lines : std::uint8_t {
  json,
  json_or_text,      // frames without '{' at the start are text for people
  repaired_replies,  // accept replies with invalid UTF-8, ids as text, or words before the JSON
};

struct Settings {
  std::string cancel_method{};       // "$/cancelRequest", "notifications/cancelled"; empty: none
  std::string cancel_member = "id";  // member with the id of the request
  bool answers_cancelled = true;     // a cancelled request receives an error
  bool exact_codes = false;          // an error with data {"code":N,…} (with_code) is sent with the code N
  bool null_results = false;         // result null counts as a result without members
  Ids ids = Ids::any;
  Lines lines = Lines::json;
};

std::unique_ptr<Dialect> dialect(Settings settings = {});

// Converts our codes to JSON-RPC's and back. Unknown codes keep their number in Error::data as {"code":N}.
int code_of(Errc code);
Errc from_code(long code);

// An error with a number beyond our codes, in the form of a received error: data is {"code":N,"data":…}.
Error with_code(long code, std::string message, std::string_view data_json = {});
// This number. Absent: the error has no number of its own.
std::optional<long> exact_code(const Error& error);
std::string_view exact_data(const Error& error);  // The data after it; empty: none.

// A complete error reply, for answers without a peer. Without `id_json`: null. Without `data_json`: no data.
std::string error_reply(std::string_view id_json, long code, std::string_view message, std::string_view data_json = {});

}  // namespace parlance::jsonrpc
