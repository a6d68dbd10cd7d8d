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

struct Settings {
  std::string cancel_method{};       // "$/cancelRequest", "notifications/cancelled"; empty: none
  std::string cancel_member = "id";  // member with the id of the request
  bool lines_of_text = false;        // frames without '{' at the start are text for people
  bool answers_cancelled = true;     // a cancelled request receives an error
  bool strict_ids = false;           // an id of another type than text or integer is malformed
  bool exact_codes = false;          // an error with data {"code":N,…} (with_code) is sent with the code N
  bool null_ids = false;             // id null marks a request with the reply id null, otherwise a notice
  bool null_results = false;         // result null counts as a result without members
  bool repairs_replies = false;      // accept replies with invalid UTF-8, ids as text, or words before the JSON
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
