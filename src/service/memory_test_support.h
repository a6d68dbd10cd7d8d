// An agent's memory for tests: answers with the documents that the test puts there, and keeps what it was asked.
#pragma once

#include <string>
#include <vector>

#include "service/chat_backend.h"

namespace parlance::service::test {

class FakeMemory final : public AgentBackend {
 public:
  Task<Result<std::map<std::string, std::int64_t>>> stats() override { co_return std::map<std::string, std::int64_t>{}; }
  Task<Result<std::string>> memory_search(MemorySearch search) override {
    searches.push_back(search);
    co_return document;
  }
  Task<Result<std::string>> memory_get(std::string path) override {
    if (path != "m1") co_return fail(Errc::not_found, "memory not found: " + path);
    co_return R"({"id":"m1","text":"I like tea\nand cake"})";
  }
  Task<Result<std::string>> memory_store(MemoryItem item) override {
    items.push_back(item);
    co_return document;
  }
  Task<Result<std::string>> memory_list(MemoryListing listing) override {
    listings.push_back(listing);
    co_return document;
  }
  Task<Result<std::string>> memory_forget(std::string path) override {
    if (path != "m1") co_return fail(Errc::not_found, "memory not found: " + path);
    forgotten.push_back(path);
    co_return R"({"action":"forgotten","id":"m1","result":"Forgotten: m1"})";
  }

  Result<std::string> document = R"({"result":"Found 1 memory:\n- [fact] tea"})";
  std::vector<MemorySearch> searches;
  std::vector<MemoryItem> items;
  std::vector<MemoryListing> listings;
  std::vector<std::string> forgotten;
};

}  // namespace parlance::service::test
