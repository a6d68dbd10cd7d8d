// SPDX-License-Identifier: Apache-2.0
#include "parlance/process/child_secrets.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/process/child_environment.h"

namespace parlance {
namespace {

using testing::Contains;
using testing::Not;

TEST(ChildSecrets, SecretsOfOursReachNoChild) {
  for (const char* name : {"PARLANCE_TOKEN", "PARLANCE_API_KEY", "PARLANCE_EMBED_API_KEY", "PARLANCE_EDITOR_TOKEN",
                           "PARLANCE_STORE", "PARLANCE_DOCTOR_FLAGS", "PARLANCE_SUPERVISED", "OPENCLAW_UI_TOKEN",
                           "OPENCLAW_API_KEY", "PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE", "PGSSLKEY", "PGSSLPASSWORD"}) {
    EXPECT_TRUE(is_withheld(name, Withheld::own_secrets)) << name;
    EXPECT_TRUE(is_withheld(name, Withheld::credentials)) << name;
    EXPECT_FALSE(is_withheld(name, Withheld::nothing)) << name;
  }
}

TEST(ChildSecrets, CredentialsOfThePersonReachAgentsAlone) {
  for (const char* name : {"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
                           "DB_PASSWORD", "API_KEY", "TOKEN", "SIGNING_PRIVATE_KEY", "GOOGLE_APPLICATION_CREDENTIALS"}) {
    EXPECT_FALSE(is_withheld(name, Withheld::own_secrets)) << name;
    EXPECT_TRUE(is_withheld(name, Withheld::credentials)) << name;
  }
}

TEST(ChildSecrets, EverythingElseIsInherited) {
  for (const char* name : {"PATH", "HOME", "SSH_AUTH_SOCK", "PARLANCE_STATE", "PARLANCE_LISTEN", "PARLANCE_MODEL_KEY_FILE",
                           "PGHOST", "TOKENIZERS_PARALLELISM", "KEYBOARD"})
    EXPECT_FALSE(is_withheld(name, Withheld::credentials)) << name;
}

TEST(ChildSecrets, ACallerNamesTheExceptions) {
  ::setenv("PARLANCE_API_KEY", "of the agent", 1);
  ::setenv("PARLANCE_TOKEN", "of the gateway", 1);
  const auto bare = child_environment({});
  const auto passed = child_environment({.passed = {"PARLANCE_API_KEY", "NOT_THERE"}});
  const auto set = child_environment({.set = {{"PARLANCE_TOKEN", "named"}}});
  const auto all = child_environment({.withheld = Withheld::nothing});
  ::unsetenv("PARLANCE_API_KEY");
  ::unsetenv("PARLANCE_TOKEN");
  ASSERT_TRUE(bare && passed && set && all);
  EXPECT_THAT(*bare, Not(Contains(testing::StartsWith("PARLANCE_TOKEN="))));
  EXPECT_THAT(*bare, Not(Contains(testing::StartsWith("PARLANCE_API_KEY="))));
  EXPECT_THAT(*passed, Contains("PARLANCE_API_KEY=of the agent"));
  EXPECT_THAT(*passed, Not(Contains(testing::StartsWith("PARLANCE_TOKEN="))));
  EXPECT_THAT(*set, Contains("PARLANCE_TOKEN=named"));
  EXPECT_THAT(*all, Contains("PARLANCE_TOKEN=of the gateway"));
}

}  // namespace
}  // namespace parlance
