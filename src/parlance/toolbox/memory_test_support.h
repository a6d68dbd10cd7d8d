// SPDX-License-Identifier: Apache-2.0
// An agent's memory for tests: answers with the documents of the test, and records the requests.
#pragma once

#include <string>
#include <vector>

#include "parlance/agent/backend.h"

namespace parlance::toolbox::test {

class FakeMemory final : public agent::AgentBackend {
 public:
  Task<Result<std::map<std::string, std::int64_t>>> stats(std::string) override {
    co_return std::map<std::string, std::int64_t>{};
  }
  Task<Result<std::string>> memory_search(agent::MemorySearch search) override {
    searches.push_back(search);
    co_return document;
  }
  Task<Result<std::string>> memory_get(agent::MemoryPath memory) override {
    users.push_back(memory.user);
    if (memory.path != "m1") co_return fail(Errc::not_found, "memory not found: " + memory.path);
    co_return R"({"id":"m1","text":"I like tea\nand cake"})";
  }
  Task<Result<std::string>> memory_store(agent::MemoryItem item) override {
    items.push_back(item);
    co_return document;
  }
  Task<Result<std::string>> memory_list(agent::MemoryListing listing) override {
    listings.push_back(listing);
    co_return document;
  }
  Task<Result<std::string>> memory_forget(agent::MemoryPath memory) override {
    if (memory.path != "m1") co_return fail(Errc::not_found, "memory not found: " + memory.path);
    users.push_back(memory.user);
    forgotten.push_back(memory.path);
    co_return R"({"action":"forgotten","id":"m1","result":"Forgotten: m1"})";
  }

  Result<std::string> document = R"({"result":"Found 1 memory:\n- [fact] tea"})";
  std::vector<agent::MemorySearch> searches;
  std::vector<agent::MemoryItem> items;
  std::vector<agent::MemoryListing> listings;
  std::vector<std::string> forgotten;
  std::vector<std::string> users;  // of memories fetched by id
};

}  // namespace parlance::toolbox::test
