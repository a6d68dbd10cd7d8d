// SPDX-License-Identifier: Apache-2.0
// Modes by the names that a person types. Pure.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "parlance/hub/conversation/mode.h"

namespace parlance::app {

inline constexpr std::array all_modes{hub::Mode::default_, hub::Mode::auto_edit, hub::Mode::yolo, hub::Mode::plan,
                                      hub::Mode::smart};

inline std::optional<hub::Mode> mode_of(std::string_view name) {
  for (const hub::Mode mode : all_modes)
    if (hub::to_string(mode) == name) return mode;
  return std::nullopt;
}

}  // namespace parlance::app
