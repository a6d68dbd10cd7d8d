// SPDX-License-Identifier: Apache-2.0
// Files of a client's editor, used by an agent.
#include <algorithm>

#include "parlance/face/acp/limits.h"
#include "parlance/face/acp/test_support.h"
#include "parlance/hub/conversation/turn_event.h"

namespace parlance::face {
namespace {

using testing::HasSubstr;

// The result of a turn as text.
std::string text_or_error(const Result<std::string>& text) {
  return text ? *text : std::string(to_string(text.error().code)) + ": " + text.error().message;
}

struct ClientFilesTest : HubOverAcp {
  // An agent that reads a file from the last client with files, and writes an extended version.
  void agent_reads() {
    bench.script = [this](hub::Turn& turn, hub::Prompt prompt) -> Task<Result<hub::StopReason>> {
      AcpClientFiles& files = *session().files.back();
      const Result<std::string> text = co_await files.read(prompt.text);
      std::string said = text_or_error(text);
      if (text) {
        const Result<void> written = co_await files.write(prompt.text, *text + " and more");
        if (!written) said += " " + std::string(to_string(written.error().code));
      }
      turn.emit(hub::event::Text{.text = said});
      co_return hub::StopReason::end_turn;
    };
  }
  AcpSession& session() { return *opened; }
  // Begins a session of the client, known to the frontend.
  std::string begin(TestClient& test_client, acp::FileSystemCapabilities files) {
    EXPECT_TRUE(test_client.initialize({.fs = files}));
    const std::string id = test_client.begin();
    opened = bench.loop.block_on(sessions.open(id, {})).value();
    return id;
  }
  AcpSessionPtr opened;
};

// Answers file requests of `client` with these functions.
void serve_files(TestClient& client, std::function<Result<acp::FileText>(const acp::ReadTextFile&)> read,
                 std::function<Result<acp::FileWritten>(const acp::WriteTextFile&)> write) {
  client.router().on(acp::method::read_text_file, [read](const acp::ReadTextFile& request, Context&) { return read(request); });
  client.router().on(acp::method::write_text_file,
                     [write](const acp::WriteTextFile& request, Context&) { return write(request); });
}

TEST_F(ClientFilesTest, AreReadAndWrittenWhereTheyAreDeclared) {
  agent_reads();
  const auto editor = client();
  std::string written;
  serve_files(
      *editor, [](const acp::ReadTextFile&) -> Result<acp::FileText> { return acp::FileText{.content = "not saved"}; },
      [&](const acp::WriteTextFile& request) -> Result<acp::FileWritten> {
        written = request.session_id + " " + request.path + " " + request.content;
        return acp::FileWritten{};
      });
  const std::string id = begin(*editor, {.read_text_file = true, .write_text_file = true});
  EXPECT_TRUE(session().files.back()->reads() && session().files.back()->writes());
  EXPECT_EQ(editor->prompt(id, "/tmp/a.txt"), "end_turn");
  EXPECT_EQ(written, id + " /tmp/a.txt not saved and more");
  const auto two = client();
  begin(*two, {});
  EXPECT_FALSE(session().files.back()->reads());
}

TEST_F(ClientFilesTest, WhateverNumberAClientSaysItWithAFileThatIsNotThereIsAbsent) {
  agent_reads();
  const auto editor = client();
  serve_files(
      *editor, [](const acp::ReadTextFile&) -> Result<acp::FileText> { return fail(Errc::failed, "File not found: /tmp/a.txt"); },
      [](const acp::WriteTextFile&) -> Result<acp::FileWritten> { return acp::FileWritten{}; });
  const std::string id = begin(*editor, {.read_text_file = true, .write_text_file = true});
  editor->prompt(id, "/tmp/a.txt");
  EXPECT_THAT(editor->updates, testing::Contains(HasSubstr("not_found: File not found")));
}

// iFlow's SDK declares files even without support.
TEST_F(ClientFilesTest, WhoHasNoneAfterAllIsNotAskedAgain) {
  agent_reads();
  const auto editor = client(acp::Flavour::iflow);
  serve_files(
      *editor,
      [](const acp::ReadTextFile&) -> Result<acp::FileText> { return fail(Errc::failed, "File system access not configured"); },
      [](const acp::WriteTextFile&) -> Result<acp::FileWritten> { return acp::FileWritten{}; });
  const std::string id = begin(*editor, {.read_text_file = true, .write_text_file = true});
  editor->prompt(id, "/tmp/a.txt");
  EXPECT_THAT(editor->updates, testing::Contains(HasSubstr("unknown_method")));
  EXPECT_FALSE(session().files.back()->reads() || session().files.back()->writes());
}

TEST_F(ClientFilesTest, AClientThatVanishesOrNeverAnswersEndsTheWait) {
  agent_reads();
  for (const bool vanishes : {true, false}) {
    auto editor = client();
    Signal never(bench.loop);
    editor->router().on(acp::method::read_text_file, [&never](const acp::ReadTextFile&, Context&) -> Task<Result<acp::FileText>> {
      for (;;) co_await never.wait();
    });
    const std::string id = begin(*editor, {.read_text_file = true});
    const auto other = client();
    ASSERT_TRUE(other->initialize());
    ASSERT_TRUE(other->call(acp::method::resume_session, {.session_id = id, .cwd = "/tmp"}));
    // the first client gets the requests
    std::rotate(session().files.begin(), session().files.begin() + 1, session().files.end());
    std::string end;
    editor->start_prompt(id, "/tmp/a.txt", end);
    settle();
    if (vanishes) editor.reset();
    bench.loop.advance(limits::acp_file_patience);
    settle();
    EXPECT_THAT(other->updates, testing::Contains(HasSubstr(vanishes ? "disconnected" : "deadline_exceeded"))) << vanishes;
  }
}

}  // namespace
}  // namespace parlance::face
