// SPDX-License-Identifier: Apache-2.0
// A hub in a shared store whose team has two users, ann and bob, for tests of roles. Loop thread; virtual time.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "parlance/base/check.h"
#include "parlance/hub/test_shared_store.h"
#include "parlance/hub/user_hub.h"

namespace parlance::hub::test {

struct TeamOfTwo : ::testing::Test {
  TeamOfTwo() {
    shared.team =
        std::make_shared<const Team>(Team{.users = {{.id = "user_ann", .name = "ann"}, {.id = "user_bob", .name = "bob"}}});
    ++shared.version;
    loop.advance(std::chrono::seconds(10));
  }
  // The hub as a user sees it; `name`: ann or bob.
  UserHub of(const std::string& name, TeamRole role) {
    return {*station.hub, std::make_shared<const Caller>(Caller{.user = "user_" + name, .name = name, .role = role})};
  }
  // Id of a new conversation of ann.
  std::string conversation(Access access, const std::string& folder = "/tmp") {
    const auto made =
        outcome_of(loop, of("ann", TeamRole::member).create({.agent = "scripted", .folder = folder, .access = access}));
    PARLANCE_CHECK(made, "a conversation");
    return made->id;
  }

  Loop loop{Loop::Time::virtual_};
  SharedMemory shared{loop};
  Station station{loop, shared, "a"};
};

}  // namespace parlance::hub::test
