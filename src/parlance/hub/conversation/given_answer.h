// SPDX-License-Identifier: Apache-2.0
// An answer as a face sends it, and whether it can be one. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/ask.h"

namespace parlance::hub {

struct GivenAnswer {
  std::string digest{};
  std::optional<std::string> option{};
  std::optional<std::string> text{};
  std::vector<std::vector<std::string>> answers{};
  std::optional<std::string> edited{};  // what the person made of the ask's editable part; only with an option that allows
  std::string by = "person";
};

// Errors: invalid_params (no such option, incomplete answers).
Result<AskAnswer> checked_answer(const Ask& ask, const GivenAnswer& given);

// What a person changed first: checked, and digested again, because that and nothing else was agreed to.
Result<void> take_edit(const Ask& ask, std::string_view folder, const GivenAnswer& given, AskAnswer& answer);

// "this was settled already: answered allow by person"
std::string how_settled(const Ask& ask);

}  // namespace parlance::hub
