// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/mode.h"

#include <gtest/gtest.h>

namespace parlance::hub {
namespace {

TEST(Mode, ARaiseFreesSomethingThatTheModeBeforeDidNot) {
  using enum Mode;
  for (const auto& [from, to] : {std::pair{plan, default_},
                                 {plan, yolo},
                                 {default_, auto_edit},
                                 {default_, smart},
                                 {default_, yolo},
                                 {auto_edit, smart},
                                 {smart, auto_edit},
                                 {auto_edit, yolo},
                                 {smart, yolo}})
    EXPECT_TRUE(is_raised(from, to)) << to_string(from) << " to " << to_string(to);
  for (const auto& [from, to] : {std::pair{plan, plan},
                                 {yolo, yolo},
                                 {default_, plan},
                                 {auto_edit, plan},
                                 {auto_edit, default_},
                                 {smart, default_},
                                 {yolo, plan},
                                 {yolo, default_},
                                 {yolo, auto_edit},
                                 {yolo, smart}})
    EXPECT_FALSE(is_raised(from, to)) << to_string(from) << " to " << to_string(to);
}

}  // namespace
}  // namespace parlance::hub
