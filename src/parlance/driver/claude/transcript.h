// SPDX-License-Identifier: Apache-2.0
// A session file of Claude Code (PROJECTS/FOLDER/SESSION.jsonl in its configuration folder) as what was said in it. Claude Code itself
// tells nothing of a session that it resumes.
//
// The entries are a tree: whoever goes back to a message and says something else begins a branch. Told is the branch that a resumed
// session goes on with, the one of the last message; results of calls that ran side by side hang beside it, and are told with their calls.
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
#include "parlance/hub/agent.h"
#include "parlance/protocol/claude/launch.h"

namespace parlance::driver {

// Blocking. `folder`: where the session was. Errors: invalid_params (no name of a session), not_found ("No conversation found with session
// ID: …", also when it is one of another folder, which Claude Code does not resume here; the text names that one).
Result<std::string> find_transcript(const std::string& config_folder, const std::string& folder, const std::string& session);

// Blocking. Where the sessions of a folder may lie: a long name is cut, so that several folders may share one.
std::vector<std::string> project_folders(const std::string& config_folder, const std::string& folder);

// What the person said in an entry of type "user": nothing in one that only carries results, or that Claude Code wrote itself.
adapter::ClaudeContent said_by_person(const json::Value& entry);

// Which entries are told. Sans-I/O: every line once, in the order of the file.
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

// … and what they say. The lines once more, in the same order.
class TranscriptReplay final : private ClaudeEvents::Sink {
 public:
  TranscriptReplay(hub::ReplaySink& sink, std::set<std::string, std::less<>> told) : sink_(sink), told_(std::move(told)) {}
  void line(std::string_view line);

 private:
  void user(const json::Value& entry, std::string_view line);
  void emit(hub::EventBody body) override { sink_.emit(std::move(body)); }
  void session(std::string_view) override {}
  void permission_mode(std::string_view) override {}
  void answered(const json::Value&) override {}
  void result(claude::TurnResult) override {}

  hub::ReplaySink& sink_;
  std::set<std::string, std::less<>> told_;
  ClaudeEvents events_{*this};
};

// Where a Claude Code that is started so keeps its sessions.
std::string claude_config_folder(const claude::Launch& launch);
// The session of a conversation, from its file, in pieces: the loop goes on meanwhile. `files` outlives the task.
Task<Result<void>> replay_session(Worker& files, std::string config_folder, hub::Conversation conversation,
                                  hub::ReplaySink& sink);

}  // namespace parlance::driver
