// SPDX-License-Identifier: Apache-2.0
// Asking and planning modes of agents, and the mapping of mode names to the hub's modes.
#include "parlance/driver/acp/agent_modes.h"

#include <gtest/gtest.h>

#include "parlance/driver/acp/presets.h"

namespace parlance::driver {
namespace {

using hub::Mode;
using Ids = std::vector<std::string>;

TEST(AgentModes, AgentsCallTheSameModesDifferently) {
  for (const std::string name : {"plan", "Plan", "architect"}) EXPECT_EQ(hub_mode(name), Mode::plan) << name;
  for (const std::string name : {"auto-edit", "autoEdit", "acceptEdits", "auto_edit"})
    EXPECT_EQ(hub_mode(name), Mode::auto_edit) << name;
  for (const std::string name : {"yolo", "YOLO", "bypassPermissions"}) EXPECT_EQ(hub_mode(name), Mode::yolo) << name;
  for (const std::string name : {"default", "ask", "manual", "read-only"}) EXPECT_EQ(hub_mode(name), Mode::default_) << name;
  EXPECT_EQ(hub_mode("smart"), Mode::smart);
  for (const std::string name : {"dontAsk", "agent", "build", "code", ""}) EXPECT_EQ(hub_mode(name), std::nullopt) << name;
}

TEST(AgentModes, AnAgentPlansByItselfAndAsksInAllOtherModes) {
  const Ids gemini{"yolo", "autoEdit", "plan", "default"};
  EXPECT_EQ(agent_mode(gemini, {}, Mode::plan), "plan");
  for (const Mode mode : {Mode::default_, Mode::auto_edit, Mode::smart, Mode::yolo})
    EXPECT_EQ(agent_mode(gemini, {}, mode), "default") << "the policy says what runs unasked";
  EXPECT_EQ(agent_mode(Ids{"ask"}, {}, Mode::plan), "ask") << "sent as text";
  EXPECT_EQ(agent_mode(Ids{"chat"}, {}, Mode::plan), std::nullopt);
  EXPECT_EQ(agent_mode(Ids{}, {}, Mode::default_), std::nullopt);
  EXPECT_TRUE(can_enforce_plan(gemini, {}));
  EXPECT_FALSE(can_enforce_plan(Ids{"build", "code"}, {}));
  EXPECT_FALSE(can_enforce_plan(Ids{}, {}));
  EXPECT_TRUE(can_enforce_plan(Ids{}, {.asks_always = true}));
}

// The modes of each preset's program (2026-11), and its modes for default and plan.
TEST(AgentModes, PresetsRunInTheModeInWhichTheyAsk) {
  struct Row {
    std::string_view preset;
    Ids offered;
    std::string asks, plans;
  };
  const std::string url = "https://agentclientprotocol.com/protocol/session-modes#";
  for (const Row& row :
       {Row{"codex-acp", {"read-only", "workspace-write", "agent", "agent-full-access"}, "read-only", "read-only"},
        Row{"opencode", {"build", "plan"}, "build", "plan"},
        Row{"claude-acp", {"auto", "default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"}, "default", "default"},
        Row{"gemini", {"default", "autoEdit", "yolo", "plan"}, "default", "plan"},
        Row{"qwen", {"plan", "default", "auto-edit", "yolo"}, "default", "plan"},
        Row{"copilot", {url + "agent", url + "plan", url + "autopilot"}, url + "agent", url + "plan"}}) {
    const AgentModes known = settings_of(*find_acp_preset(row.preset)).modes;
    for (const Mode mode : {Mode::default_, Mode::auto_edit, Mode::smart, Mode::yolo})
      EXPECT_EQ(agent_mode(row.offered, known, mode), row.asks) << row.preset;
    EXPECT_EQ(agent_mode(row.offered, known, Mode::plan), row.plans) << row.preset;
  }
}

}  // namespace
}  // namespace parlance::driver
