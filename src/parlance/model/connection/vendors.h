// SPDX-License-Identifier: Apache-2.0
// Known vendors and local servers of language models: address, dialect, usual variable of the key. Constants; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "parlance/model/settings.h"

namespace parlance::model {

enum class Place : std::uint8_t { internet, this_machine, unknown };

struct Vendor {
  std::string_view id;
  std::string_view name;  // for people
  std::string_view url;   // Empty: a connection has to give its own.
  Kind kind = Kind::openai;
  Place place = Place::internet;
  std::array<std::string_view, 2> key_variables{};  // Usual environment variables of the key; empty texts are unused.
  bool has_default_model = false;                   // The client of this vendor knows a model for connections without a name.

  bool needs_key() const { return place == Place::internet; }
};

std::span<const Vendor> vendors();               // In the order of preference for a default.
const Vendor* find_vendor(std::string_view id);  // or null
std::string vendor_ids();                        // all, with commas, for errors and help

inline constexpr std::string_view other_vendor = "other";  // any server with one of the dialects

}  // namespace parlance::model
