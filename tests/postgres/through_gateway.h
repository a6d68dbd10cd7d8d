// SPDX-License-Identifier: Apache-2.0
// Programs that a person of a team works with through one of two gateways, while the other one has the conversation.
#pragma once

#include "tests/postgres/gateways.h"
#include "tests/system/changing_way.h"

namespace parlance::test {

class ThroughGatewayTest : public GatewaysTest {
 protected:
  void SetUp() override {
    GatewaysTest::SetUp();
    if (IsSkipped()) return;
    a = start_gateway("a");
    b = start_gateway("b");
    way.emplace(loop);
    way->lead_to(b.base);
    for (const char* name : {"ann", "bob"}) {
      expect_done(command({"users", "add", name}));
      tokens[name] = made_token(name);
    }
    until_observed([&] { return comes_in("ann", a) && comes_in("ann", b) && comes_in("bob", b); },
                   "gateways that know the users");
    annas = page_of("ann", a);
  }
  Finished command(Words words) { return parlance(std::move(words), "", {{"PARLANCE_STORE", store}}); }
  static void expect_done(const Finished& finished) { ASSERT_EQ(finished.code, 0) << finished.errors; }
  std::string made_token(const std::string& user) {
    const Finished made = command({"tokens", "create", user});
    EXPECT_EQ(made.code, 0) << made.errors;
    return made.out.substr(0, made.out.find('\n'));
  }
  void revoke(const std::string& user) {
    const json::Value all = parsed(command({"tokens", "list", user, "--json"}).out);
    expect_done(command({"tokens", "revoke", text_at(all.array()->front(), {"id"})}));
  }
  bool comes_in(const std::string& name, const Gateway& where) {
    token = tokens.at(name);
    at(where);
    return answer("GET", "v1/models").status == 200;
  }
  std::unique_ptr<PageClient> page_of(const std::string& name, const Gateway& where) {
    token = tokens.at(name);
    return page_at(where);
  }
  std::int64_t owned(const Gateway& where) {
    token = the_token;
    return owned_by(where);
  }
  // Of ann, begun on her page at `a`, which has it from then on.
  std::string conversation_at_a() {
    const std::string id = new_conversation(*annas);
    prompt(*annas, id, "help");
    until_turns(*annas, id, 1);
    return id;
  }

  // ---- programs
  Variables as(const std::string& name) const {
    return {{"PARLANCE_TOKEN", tokens.at(name)}, {"PARLANCE_STATE", path("own-" + name)}};
  }
  std::unique_ptr<Program> started(Words words, const std::string& name = "ann") {
    words.push_back("--to=" + way->address());
    return launch(with_program(std::move(words)), as(name));
  }
  Finished done_through(Words words, const std::string& input, const std::string& name = "ann") {
    words.push_back("--to=" + way->address());
    return parlance(std::move(words), input, as(name));
  }
  void say(Program& program, const std::string& line) { type(program, line + "\n"); }
  static std::string said(const Program& program) {
    std::string all;
    for (const std::string& line : program.lines) all += line + "\n";
    return all;
  }
  void until_line(Program& program, const std::string& text) {
    until([&] { return said(program).contains(text) || program.ended(); }, text + " in " + said(program) + program.errors);
    ASSERT_THAT(said(program), testing::HasSubstr(text)) << program.errors;
  }
  void until_shown(Program& program, const std::string& text) {  // on stderr
    try {
      until([&] { return program.errors.contains(text) || program.ended(); }, text);
    } catch (const std::runtime_error&) {  // NOLINT(bugprone-empty-catch): the next line fails with the output
    }
    ASSERT_THAT(program.errors, testing::HasSubstr(text)) << said(program);
  }
  void leave(Program& program, const std::string& last) {
    say(program, last);
    until([&] { return program.ended(); }, "the end");
  }

  Gateway a, b;
  std::optional<ChangingWay> way;
  std::map<std::string, std::string> tokens;
  std::unique_ptr<PageClient> annas;
};

}  // namespace parlance::test
