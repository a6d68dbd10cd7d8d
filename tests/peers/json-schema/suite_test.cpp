// SPDX-License-Identifier: Apache-2.0
// Our validator against the test suite of the JSON Schema organisation: draft 2020-12 completely, draft 7 where its keywords
// differ. `format` is not asserted, like in the suite's required files. Skipped without the suite: scripts/peers.sh install
// json-schema-suite.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/codec/schema/validator.h"

namespace parlance::test {
namespace {

namespace fs = std::filesystem;

// Files that are not run.
const std::map<std::string, std::string> left_out{
    {"draft2020-12/refRemote.json", "all of it refers to documents elsewhere, and we fetch none"},
    {"draft2020-12/vocabulary.json", "is about dialects that a document elsewhere defines"},
    {"draft2020-12/optional/cross-draft.json", "refers to a document of another draft elsewhere"},
    {"draft2020-12/optional/format-assertion.json", "is about dialects that a document elsewhere defines"},
};

// Schemas that we refuse to compile, by file, each with the reason. A refused schema outside this list is a failure, and the
// reverse.
const std::map<std::string, std::vector<std::string>> refused{
    // These refer to the schema of schemas, another document.
    {"draft2020-12/anchor.json", {"invalid anchors"}},
    {"draft2020-12/defs.json", {"validate definition against metaschema"}},
    {"draft2020-12/id.json",
     {"Invalid use of fragments in location-independent $id", "Valid use of empty fragments in location-independent $id",
      "Unnormalized $ids are allowed but discouraged"}},
    {"draft2020-12/optional/ecmascript-regex.json", {R"(\a is not an ECMA 262 control escape)"}},
    {"draft2020-12/ref.json", {"remote ref, containing refs itself", "URN base URI with f-component"}},
    {"draft7/definitions.json", {"validate definition against metaschema"}},
    // These refer to other documents of the suite.
    {"draft2020-12/dynamicRef.json",
     {"strict-tree schema, guards against misspelled properties", "tests for implementation dynamic anchor and reference link",
      "$ref and $dynamicAnchor are independent of order - $defs first",
      "$ref and $dynamicAnchor are independent of order - $ref first", "$ref to $dynamicRef finds detached $dynamicAnchor"}},
};

fs::path suite_folder() {
  const char* peers = std::getenv("PARLANCE_PEERS");
  return fs::path(peers != nullptr ? peers : PARLANCE_SOURCE_DIR "/.peers") /
         "json-schema-suite/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance/tests";
}

std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(suite_folder() / folder))
    if (entry.path().extension() == ".json") names.push_back(folder + "/" + entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

json::Value document(const std::string& name) {
  std::ifstream file(suite_folder() / name);
  const auto parsed = json::parse(std::string(std::istreambuf_iterator<char>(file), {}));
  EXPECT_TRUE(parsed && parsed->array() != nullptr) << name;
  return parsed && parsed->array() != nullptr ? *parsed : json::Value(json::Array{});
}

struct Count {
  int held = 0;
  int refused = 0;
};

void run(const std::string& name, Count& count) {
  const auto listed = refused.find(name);
  for (const json::Value& group : *document(name).array()) {
    const std::string description(group.text_or("description", ""));
    SCOPED_TRACE(name + ": " + description);
    const bool expected = listed != refused.end() && std::ranges::find(listed->second, description) != listed->second.end();
    const auto validator = schema::Validator::compile(*group.find("schema"));
    EXPECT_EQ(!validator, expected) << (validator ? "compiled" : validator.error().message);
    if (!validator) {
      ++count.refused;
      continue;
    }
    for (const json::Value& test : *group.find("tests")->array()) {
      const auto faults = validator->faults_of(*test.find("data"));
      EXPECT_EQ(faults.empty(), test.boolean_or("valid", false)) << test.text_or("description", "") << "\n"
                                                                 << json::to_text(*group.find("schema")) << "\n"
                                                                 << json::to_text(*test.find("data")) << "\n"
                                                                 << schema::text_of(faults);
      ++count.held;
    }
  }
}

class JsonSchemaSuite : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(suite_folder())) GTEST_SKIP() << "no " << suite_folder() << ": scripts/peers.sh install json-schema-suite";
  }
  void run_all(const std::vector<std::string>& names, int at_least) {
    Count count;
    for (const std::string& name : names)
      if (!left_out.contains(name)) run(name, count);
    EXPECT_GE(count.held, at_least);
    RecordProperty("held", count.held);
    std::cout << count.held << " values held against their schemas, " << count.refused << " schemas refused\n";
  }
};

TEST_F(JsonSchemaSuite, Draft202012) { run_all(files_of("draft2020-12"), 1000); }

TEST_F(JsonSchemaSuite, OptionalPartsOfDraft202012) { run_all(files_of("draft2020-12/optional"), 100); }

TEST_F(JsonSchemaSuite, WhatDraft7SpelledOtherwise) {
  run_all({"draft7/additionalItems.json", "draft7/definitions.json", "draft7/dependencies.json", "draft7/items.json"}, 50);
}

}  // namespace
}  // namespace parlance::test
