// SPDX-License-Identifier: Apache-2.0
#include "parlance/gateway/routes.h"

#include <gtest/gtest.h>

namespace parlance::gateway {
namespace {

Routes table() {
  Routes routes;
  const HttpHandler nothing = [](HttpExchange&) -> Task<void> { co_return; };
  routes.on({"GET", "/health", Access::token, hub::Permission::enter}, nothing);
  routes.on({"POST", "/memory/store", Access::token, hub::Permission::enter}, nothing);
  routes.on({"GET", "/assets/*", Access::open, hub::Permission::open}, nothing);
  routes.on({"GET", "/assets/special", Access::token, hub::Permission::enter}, nothing);
  routes.on({"*", "/process/*", Access::open, hub::Permission::open}, nothing);
  routes.on({"GET", "/ws", Access::socket, hub::Permission::enter, true}, nothing);
  return routes;
}

std::string found(const Routes& routes, std::string_view method, std::string_view path) {
  const auto match = routes.find(method, path);
  return match.route != nullptr ? match.route->path : "(" + match.allow + ")";
}

TEST(Routes, FindsByMethodAndPath) {
  const Routes routes = table();
  EXPECT_EQ(found(routes, "GET", "/health"), "/health");
  EXPECT_EQ(found(routes, "POST", "/memory/store"), "/memory/store");
  EXPECT_EQ(found(routes, "GET", "/ws"), "/ws");
}

TEST(Routes, HeadIsGetWithoutItsBody) {
  const Routes routes = table();
  EXPECT_EQ(found(routes, "HEAD", "/health"), "/health");
  EXPECT_EQ(found(routes, "HEAD", "/memory/store"), "(POST, OPTIONS)");
  EXPECT_EQ(found(routes, "HEAD", "/ws"), "(GET, OPTIONS)");
}

TEST(Routes, SaysWhatAPathKnows) {
  const Routes routes = table();
  EXPECT_EQ(found(routes, "DELETE", "/health"), "(GET, HEAD, OPTIONS)");
  EXPECT_EQ(found(routes, "GET", "/memory/store"), "(POST, OPTIONS)");
}

TEST(Routes, AFolderIsWhatLiesBelowIt) {
  const Routes routes = table();
  EXPECT_EQ(found(routes, "GET", "/assets/a/b.js"), "/assets/*");
  EXPECT_EQ(found(routes, "GET", "/assets/"), "()");
  EXPECT_EQ(found(routes, "GET", "/assets"), "()");
  EXPECT_EQ(found(routes, "GET", "/assets/special"), "/assets/special");
  EXPECT_EQ(found(routes, "DELETE", "/assets/special"), "(GET, HEAD, OPTIONS)");
  EXPECT_EQ(found(routes, "PATCH", "/process/start"), "/process/*");
}

TEST(Routes, PathsAreExact) {
  const Routes routes = table();
  for (const char* path : {"/", "/healthz", "/health/", "/Health", "health", "//health", ""})
    EXPECT_EQ(found(routes, "GET", path), "()") << path;
}

}  // namespace
}  // namespace parlance::gateway
