// SPDX-License-Identifier: Apache-2.0
// Converts answers of a webview into answers of the hub, with their checks. Pure; any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/conversation/answer.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/protocol/webview/messages.h"

namespace parlance::face {

// Options with an equivalent in the webview's protocol.
std::vector<webview::OfferedOption> webview_options(const hub::Ask& ask);

// An answer with its side effects.
struct WebviewAnswer {
  hub::Answer given{};
  bool stop = false;                      // also ends the turn
  std::optional<hub::Mode> mode_after{};  // the conversation's mode after the answer
};

// Errors: invalid_params (no such outcome); denied (no offered option corresponds; the text lists the offer).
Result<WebviewAnswer> approval_of(const hub::Ask& ask, std::string_view outcome);
// By header; a missing header means no answer. Errors: invalid_params (neither text nor a list of texts).
Result<WebviewAnswer> answers_of(const hub::Ask& ask, const std::map<std::string, wire::Raw>& answers);
// Errors: invalid_params (neither option nor approved; feedback without text); denied (no offered option corresponds).
Result<WebviewAnswer> plan_answer_of(const hub::Ask& ask, webview::PlanOption option, std::string_view feedback);
Result<webview::PlanOption> plan_option_of(const webview::PlanAnswer& message);

}  // namespace parlance::face
