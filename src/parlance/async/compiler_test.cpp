// SPDX-License-Identifier: Apache-2.0
// The coroutine shapes that g++ 12.2 miscompiles (temporaries freed twice, jumps into nothing). Any compiler that gets one of them
// wrong fails here, and not at a user's.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/async/task.h"

namespace parlance {
namespace {

struct Query {
  std::string sql;
  std::shared_ptr<int> owner = std::make_shared<int>(1);
};

Task<std::size_t> length_of(Query query) { co_return query.sql.size() + static_cast<std::size_t>(query.owner.use_count()); }
Task<std::size_t> length_of_ref(const Query& query) {
  co_return query.sql.size() + static_cast<std::size_t>(query.owner.use_count());
}
Task<std::size_t> count(std::vector<std::string> words) { co_return words.size(); }
Task<int> number(int n) { co_return n; }

struct Base {
  virtual ~Base() = default;
  virtual std::string name() const = 0;
};
struct A : Base {
  std::string name() const override { return "A: a name too long for the small buffer of a string"; }
};
struct B : Base {
  std::string name() const override { return "B"; }
};
Task<std::string> name_of(std::unique_ptr<Base> base) { co_return base->name(); }

Task<std::string> choose(bool a) {
  co_return co_await name_of(a ? std::unique_ptr<Base>(std::make_unique<A>()) : std::make_unique<B>());
}

Task<std::string> pick(std::string text) { co_return text; }
Task<std::string> conditional(bool first) { co_return co_await pick(first ? std::string(100, 'x') : std::string(50, 'y')); }

Task<int> branch(int n) {
  switch (co_await number(n)) {
    case 1: co_return 10;
    case 2: {
      const std::string inside(80, 'z');
      co_return static_cast<int>(inside.size()) + co_await number(1);
    }
    default: co_return -1;
  }
}

TEST(Compiler, DesignatedInitialiserAsArgument) {
  Loop loop;
  const auto run = []() -> Task<std::size_t> { co_return co_await length_of({.sql = "SELECT 1 FROM a_table_with_a_long_name"}); };
  EXPECT_EQ(loop.block_on(run()), 39U);
}

TEST(Compiler, TemporaryAsReferenceArgument) {
  Loop loop;
  const auto run = []() -> Task<std::size_t> { co_return co_await length_of_ref(Query{.sql = std::string(40, 'q')}); };
  EXPECT_EQ(loop.block_on(run()), 41U);
}

TEST(Compiler, ConditionalExpressionsAsArguments) {
  Loop loop;
  EXPECT_EQ(loop.block_on(choose(true))[0], 'A');
  EXPECT_EQ(loop.block_on(choose(false)), "B");
  EXPECT_EQ(loop.block_on(conditional(true)).size(), 100U);
  EXPECT_EQ(loop.block_on(conditional(false)).size(), 50U);
}

TEST(Compiler, SwitchOnAnAwaitedValue) {
  Loop loop;
  EXPECT_EQ(loop.block_on(branch(1)), 10);
  EXPECT_EQ(loop.block_on(branch(2)), 81);
  EXPECT_EQ(loop.block_on(branch(3)), -1);
}

TEST(Compiler, InitialiserListAsArgument) {
  Loop loop;
  const auto run = []() -> Task<std::size_t> { co_return co_await count({"one", "two", std::string(60, 't')}); };
  EXPECT_EQ(loop.block_on(run()), 3U);
}

}  // namespace
}  // namespace parlance
