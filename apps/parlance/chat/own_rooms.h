// SPDX-License-Identifier: Apache-2.0
// Conversations of `chat` and `run` without a gateway, each in a folder (chat_folders.h). Loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/parlance/chat/offered_editor.h"
#include "apps/parlance/chat/rooms.h"
#include "parlance/async/worker.h"
#include "parlance/memory/embedder.h"
#include "parlance/memory/store.h"

namespace parlance::app {

class OwnRooms final : public Rooms {
 public:
  enum class Keep : std::uint8_t { in_folders, in_memory };  // in memory: new conversations end with their room
  // `editor`: beside every conversation; outlives the rooms. Null: agents with servers of their own get the editor around the
  // terminal, if any.
  OwnRooms(Loop& loop, const Settings& settings, hub::Editor* editor, Keep keep = Keep::in_folders);

  Task<Result<void>> ready() override;
  Task<Result<std::unique_ptr<Room>>> create(RoomRequest request) override;
  Task<Result<std::unique_ptr<Room>>> open(std::string id, std::vector<std::string> command) override;
  Task<Result<std::vector<RoomInfo>>> list() override;
  Task<Result<std::vector<hub::SearchHit>>> search(std::string words) override;
  Task<Result<std::vector<memory::Entry>>> memories(std::string words, std::size_t most) override;
  Task<Result<void>> forget(std::string memory) override;
  Task<Result<hub::SpendingReport>> spent(hub::Hub& hub) override;
  Task<void> close(std::unique_ptr<Room> room) override;
  Task<Result<std::string>> agents() override;

 private:
  struct OpenMemory {
    std::unique_ptr<memory::Embedder> embedder;  // of the store
    std::unique_ptr<memory::Store> store;
  };
  Result<OpenMemory> open_own_memory() const;
  // `folder`: of its store; empty: in memory.
  Result<std::unique_ptr<Room>> make(const std::string& id, const std::string& folder, const std::string& agent,
                                     const std::vector<std::string>& command);

  Loop& loop_;
  const Settings& settings_;
  hub::Editor* editor_;
  Keep keep_;
  std::optional<OfferedEditor> offered_;  // no value: no editor
  std::string state_;
  Worker worker_;
};

}  // namespace parlance::app
