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
  std::string cancel_method{};       // "$/cancelRequest", "notifications/cancelled"; "" when the protocol has none
  std::string cancel_member = "id";  // the member of its parameters that names the request
  bool lines_of_text = false;        // frames that do not begin with '{' are text for people, not broken messages
  bool answers_cancelled = true;     // a request that was cancelled still gets its error
  bool strict_ids = false;           // an id is text or an integer: any other makes a request malformed
  bool exact_codes = false;          // an error whose data is {"code":N,…} (with_code) goes out with that number
  bool null_ids = false;             // a request whose id is null is one, and is answered with null; otherwise it is a notice
  bool null_results = false;         // a result that is null is one without members
  bool repairs_replies = false;      // read replies despite invalid UTF-8, ids as text, and words before them on their line
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
