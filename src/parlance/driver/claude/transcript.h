// SPDX-License-Identifier: Apache-2.0
// Reads the messages of a Claude Code session file (PROJECTS/FOLDER/SESSION.jsonl in its configuration folder). Claude Code
// itself does not report the history of a resumed session.
//
// The entries form a tree: an edited message begins a branch. The reader uses the branch of the last message, which a resumed
// session continues. Results of parallel calls are siblings of this branch, and are reported with their calls.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/adapter/claude/content.h"
#include "parlance/async/worker.h"
#include "parlance/base/result.h"
#include "parlance/codec/json/value.h"
#include "parlance/driver/claude/events.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/claude/launch.h"

namespace parlance::driver {

// Blocking. `folder`: the session's folder. Errors: invalid_params (an invalid session name), not_found ("No conversation found
// with session ID: …"). A session of another folder is not_found too, because Claude Code does not resume it here; the message
// names the folder.
Result<std::string> find_transcript(const std::string& config_folder, const std::string& folder, const std::string& session);

// Blocking. The possible session folders of a folder: long names are cut, so several folders may share one.
std::vector<std::string> project_folders(const std::string& config_folder, const std::string& folder);

// The person's text in an entry of type "user": empty for entries with results only, or written by Claude Code itself.
adapter::ClaudeContent said_by_person(const json::Value& entry);

// Selects the entries of the branch. Sans-I/O: pass every line once, in file order.
class TranscriptBranch {
 public:
  void line(std::string_view line);
  std::set<std::string, std::less<>> end();  // uuids

 private:
  struct Entry {
    std::string uuid;
    std::string parent;
    bool message = false;
  };
  std::vector<Entry> entries_;
};

// … and replays them. Pass the lines again, in the same order.
class TranscriptReplay final : private ClaudeEvents::Sink {
 public:
  TranscriptReplay(hub::ReplaySink& sink, std::set<std::string, std::less<>> branch) : sink_(sink), branch_(std::move(branch)) {}
  void line(std::string_view line);

 private:
  void user(const json::Value& entry, std::string_view line);
  void emit(hub::EventBody body) override { sink_.emit(std::move(body)); }
  void session(std::string_view) override {}
  void permission_mode(std::string_view) override {}
  void answered(const json::Value&) override {}
  void result(claude::TurnResult) override {}

  hub::ReplaySink& sink_;
  std::set<std::string, std::less<>> branch_;
  ClaudeEvents events_{*this};
};

// The folder of sessions for this launch of Claude Code.
std::string claude_config_folder(const claude::Launch& launch);
// Replays the session of a conversation from its file, in parts on a worker: the loop continues meanwhile. `files` must outlive
// the task.
Task<Result<void>> replay_session(Worker& files, std::string config_folder, hub::SessionSetup setup, hub::ReplaySink& sink);

}  // namespace parlance::driver
