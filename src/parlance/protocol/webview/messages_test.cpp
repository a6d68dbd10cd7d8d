// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/webview/messages.h"

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"

namespace parlance::webview {
namespace {

template <class T>
std::string again(std::string_view text) {
  const auto value = json::from_text<T>(text);
  return value ? json::to_text(*value) : value.error().message;
}

// Every message with all its members: read and written again it is the same.
TEST(WebviewMessages, OfThePageComeBackAsTheyWere) {
  for (
      const char* text : {
          R"({"type":"ready","conversationId":"c","codeChunks":true})",
          R"({"type":"recheckCli"})",
          R"({"type":"pickFiles"})",
          R"({"type":"listWorkspaceFiles","query":"a"})",
          R"({"type":"searchFiles","query":"a"})",
          R"({"type":"readFiles","paths":["/a"]})",
          R"({"type":"openFile","path":"/a","line":3})",
          R"({"type":"sendMessage","prompt":"p","content":"c","attachedFiles":[{"path":"/a","content":"x"}],"mode":"plan","think":true,"model":"m","ideContext":{"activeFile":{"path":"/a","name":"a"},"selection":{"filePath":"/a","fileName":"a","text":"t","lineStart":1,"lineEnd":2}},"workspaceFiles":["a"]})",
          R"({"type":"sendMessage","prompt":"p","ideContext":null})",
          R"({"type":"toolApproval","requestId":1,"outcome":"alwaysAllowTool"})",
          R"({"type":"questionAnswer","requestId":1,"answers":{"A":"x","B":["y","z"]}})",
          R"({"type":"planApproval","requestId":-1,"option":"feedback","feedback":"f","approved":false})",
          R"({"type":"cancelCurrent"})",
          R"({"type":"newConversation","agent":"a"})",
          R"({"type":"switchConversation","conversationId":"c"})",
          R"({"type":"deleteConversation","conversationId":"c"})",
          R"({"type":"clearConversation"})",
          R"({"type":"setMode","mode":"smart"})",
          R"({"type":"setThink","think":true,"enabled":true})",
          R"({"type":"setModel","model":"m"})",
          R"({"type":"setWorkspaceFolder","folder":"/f"})",
          R"({"type":"ideContextChanged","context":{"activeFile":null,"selection":null}})",
          R"({"type":"pickedFiles","files":["/a"]})",
          R"({"type":"workspaceFolders","folders":["/f"]})",
      })
    EXPECT_EQ(again<PageMessage>(text), text);
}

TEST(WebviewMessages, OfTheHostComeBackAsTheyWere) {
  for (
      const char* text : {
          R"({"type":"stateUpdated","state":{"version":"v","cliAvailable":true,"cliDiagnostics":"d","agents":[{"id":"a","name":"A","available":true,"diagnostics":"","modes":["plan"],"models":["m"],"scripted":true,"commands":[{"name":"n","description":"d","hint":"h"}]}],"workspaceFolders":["/f"],"conversations":[{"id":"c","title":"t","agent":"a","mode":"default","think":false,"model":"","workspaceFolder":"/f","isStreaming":true,"pending":1,"queued":["q"],"createdAt":"2024-01-01T00:00:00.000Z"}],"currentConversationId":"c","isStreaming":true,"messages":[{"role":"user","id":"1","content":"hi","files":["a"],"timestamp":"t"},{"role":"assistant","id":"2","chunks":[{"chunkType":"text","content":"x"}],"timestamp":"t"}]}})",
          R"({"type":"streamEnd","conversationId":"c","stopReason":"end_turn"})",
          R"({"type":"userMessage","conversationId":"c","message":{"id":"1","content":"x","files":[],"timestamp":"t"}})",
          R"({"type":"requestSettled","requestId":4,"state":"answered","by":"person"})",
          R"({"type":"cliStatus","available":false,"diagnostics":"d"})",
          R"({"type":"pickedFiles","files":["/a"]})",
          R"({"type":"workspaceFiles","query":"a","files":["a.txt"],"all":true})",
          R"({"type":"fileContents","files":[{"path":"/a","content":"x","truncated":true,"error":"e"}]})",
          R"({"type":"ideContextChanged","context":{"activeFile":null,"selection":null}})",
          R"({"type":"failed","of":"setMode","code":"invalid_params","message":"m"})",
      })
    EXPECT_EQ(again<HostMessage>(text), text);
}

TEST(WebviewMessages, ChunksComeBackAsTheyWere) {
  for (
      const char* text : {
          R"({"chunkType":"text","content":"x"})",
          R"({"chunkType":"thinking_start"})",
          R"({"chunkType":"thinking_content","content":"x"})",
          R"({"chunkType":"thinking_end"})",
          R"({"chunkType":"code_start","language":"cpp"})",
          R"({"chunkType":"code_content","content":"x"})",
          R"({"chunkType":"code_end"})",
          R"({"chunkType":"tool_start","toolId":"t","name":"n","input":{"a":1},"label":"l","icon":{"type":"emoji","value":"v"},"parentId":"p"})",
          R"({"chunkType":"tool_output","toolId":"t","content":"x"})",
          R"({"chunkType":"tool_end","toolId":"t","status":"error"})",
          R"({"chunkType":"tool_confirmation","requestId":1,"toolId":"t","toolName":"n","description":"d","confirmationType":"execute","options":[{"optionId":"o","name":"n","kind":"allow_once"}]})",
          R"({"chunkType":"user_question","requestId":1,"questions":[{"question":"q","header":"h","options":[{"label":"l","description":"d"}],"multiSelect":true}]})",
          R"({"chunkType":"plan_approval","requestId":-1,"plan":""})",
          R"({"chunkType":"plan","entries":[{"content":"c","status":"in_progress","priority":"high"}]})",
          R"({"chunkType":"file_ref","path":"/a","lineStart":3})",
          R"({"chunkType":"warning","message":"m"})",
          R"({"chunkType":"error","code":"c","message":"m"})",
      })
    EXPECT_EQ(again<StreamChunk>(text), text);
}

TEST(WebviewMessages, FaultsNameTheirPlace) {
  EXPECT_EQ(again<PageMessage>(R"({"type":"setMode","mode":"fast"})"), again<PageMessage>(R"({"type":"setMode","mode":"fast"})"));
  EXPECT_NE(again<PageMessage>(R"({"type":"setMode","mode":"fast"})").find("$.mode"), std::string::npos);
  EXPECT_NE(again<PageMessage>(R"({"type":"readFiles","paths":"/a"})").find("$.paths"), std::string::npos);
}

}  // namespace
}  // namespace parlance::webview
