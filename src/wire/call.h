// A method, declared once: its name on the wire, what goes, what comes back, and one sentence for the documentation.
//
//   inline constexpr Call<Query, QueryResult> query{"query", "Runs one read-only statement."};
//   inline constexpr Notice<Cancelled> cancelled{"notifications/cancelled", "The caller lost interest."};
#pragma once

#include <string_view>

#include "wire/describe.h"

namespace parlance::wire {

struct Nothing {  // parameters or results without members
  static constexpr std::array<Field, 0> wire{};
  friend bool operator==(const Nothing&, const Nothing&) = default;
};

template <class P, class R>
struct Call {
  using Parameters = P;
  using Reply = R;
  std::string_view method;
  std::string_view doc;
};

template <class P>
struct Notice {
  using Parameters = P;
  std::string_view method;
  std::string_view doc;
};

}  // namespace parlance::wire
