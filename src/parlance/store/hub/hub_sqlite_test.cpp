// SPDX-License-Identifier: Apache-2.0
// The store on SQLite, as all stores have to be.
#include "parlance/store/hub/hub_sqlite.h"

#include "parlance/store/hub/test_store_suite.h"
#include "parlance/store/test_folder.h"

namespace parlance::store::test {
namespace {

struct Sqlite {
  static std::string unavailable() { return ""; }
  std::unique_ptr<hub::Store> open(Loop& loop) { return std::make_unique<HubSqlite>(loop, folder.path()); }
  void close(Loop&, std::unique_ptr<hub::Store> store) { store.reset(); }
  TestFolder folder;
};

INSTANTIATE_TYPED_TEST_SUITE_P(Sqlite, StoreSuite, Sqlite);

}  // namespace
}  // namespace parlance::store::test
