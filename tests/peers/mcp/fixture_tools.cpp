// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include "parlance/codec/json/value.h"
#include "parlance/codec/json/writer.h"
#include "tests/peers/mcp/fixture.h"

namespace parlance::mcp::fixture {
namespace {

using namespace std::chrono_literals;

constexpr const char* for_tests = "For the conformance suite.";

// A picture of one red pixel, and a sound of no samples.
constexpr const char* png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
constexpr const char* wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

Content image() { return {ImageContent{.data = png, .mime_type = "image/png"}}; }
Content resource(std::string uri, std::string type, std::string what) {
  return {EmbeddedResource{.resource = {.uri = std::move(uri), .mime_type = std::move(type), .text = std::move(what)}}};
}
CallToolResult says(std::vector<Content> content) { return {.content = std::move(content)}; }
CallToolResult says(std::string what) { return says(std::vector<Content>{text(std::move(what))}); }

void fixed(Server& server, std::string name, std::vector<Content> content) {
  server.add({.name = std::move(name), .description = "Answers the same every time."},
             [content = std::move(content)](Raw, Request&) -> Task<Result<CallToolResult>> { co_return says(content); });
}

Raw asks_for(std::string_view name, std::string_view type) {
  return {R"({"type":"object","properties":{")" + std::string(name) + R"(":{"type":")" + std::string(type) +
          R"("}},"required":[")" + std::string(name) + R"("]})"};
}
ElicitParams question(std::string message, std::string_view field, std::string_view type = "string") {
  return {.message = std::move(message), .requested_schema = asks_for(field, type)};
}
CreateMessageParams prompt(std::string_view what, std::uint64_t tokens = 100) {
  Raw content;
  content.json = R"({"type":"text","text":)";
  json::write_text(content.json, what);
  content.json += '}';
  return {.messages = {SamplingMessage{.role = Role::user, .content = std::move(content)}}, .max_tokens = tokens};
}

std::string text_of(const Raw& content) {
  const auto value = json::parse(content.json);
  return value ? std::string(value->text_or("text", "")) : std::string();
}
std::string outcome(const ElicitResult& result) {
  return "action=" + std::string(wire::name_of(result.action)) +
         ", content=" + (result.content.json.empty() ? std::string("{}") : result.content.json);
}

void add_simple(Server& server) {
  fixed(server, "test_simple_text", {text("This is a simple text response for testing.")});
  fixed(server, "test_image_content", {image()});
  fixed(server, "test_audio_content", {Content{AudioContent{.data = wav, .mime_type = "audio/wav"}}});
  fixed(server, "test_embedded_resource",
        {resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")});
  fixed(server, "test_multiple_content_types",
        {text("Multiple content types test:"), image(),
         resource("test://mixed-content-resource", "application/json", R"({"test":"data","value":123})")});
  server.add({.name = "test_error_handling", .description = for_tests}, [](Raw, Request&) -> Task<Result<CallToolResult>> {
    co_return fail(Errc::failed, "This tool intentionally returns an error for testing");
  });
  Tool schema{.name = "json_schema_2020_12_tool", .description = "Its schema uses more than most."};
  schema.input_schema.json =
      R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false})";
  server.add(std::move(schema), [](Raw arguments, Request&) -> Task<Result<CallToolResult>> { co_return says(arguments.json); });
  Tool headers{.name = "test_mirrored_header", .description = "Its argument is mirrored in a header."};
  headers.input_schema.json =
      R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}},"required":["region"]})";
  server.add(std::move(headers), [](Raw arguments, Request&) -> Task<Result<CallToolResult>> { co_return says(arguments.json); });
}

Task<Result<CallToolResult>> log_three(Loop& loop, Request& request) {
  request.log("info", "Tool execution started");
  co_await sleep_for(loop, 50ms);
  request.log("info", "Tool processing data");
  co_await sleep_for(loop, 50ms);
  request.log("info", "Tool execution completed");
  co_return says("Tool with logging executed successfully");
}

void add_while_running(Server& server) {
  Loop& loop = server.loop();
  for (const char* name : {"test_tool_with_logging", "test_logging_tool"})
    server.add({.name = name, .description = for_tests}, [&loop](Raw, Request& request) { return log_three(loop, request); });
  server.add({.name = "test_tool_with_progress", .description = for_tests},
             [&loop](Raw, Request& request) -> Task<Result<CallToolResult>> {
               request.progress(0, 100);
               co_await sleep_for(loop, 50ms);
               request.progress(50, 100);
               co_await sleep_for(loop, 50ms);
               request.progress(100, 100);
               co_return says("Tool with progress executed successfully");
             });
  server.add({.name = "test_reconnection", .description = for_tests},
             [&loop](Raw, Request& request) -> Task<Result<CallToolResult>> {
               request.close_stream();
               co_await sleep_for(loop, 100ms);
               co_return says("Reconnection test completed successfully. If you received this, the client properly reconnected.");
             });
  // Runs until it is cancelled, for tests of exactly that.
  server.add({.name = "test_never_ends", .description = for_tests},
             [&loop](Raw, Request& request) -> Task<Result<CallToolResult>> {
               for (int i = 0;; ++i) {
                 request.progress(i);
                 co_await sleep_for(loop, 20ms);
               }
             });
}

struct PromptArguments {
  std::string prompt{};
  static constexpr auto wire = fields(field<&PromptArguments::prompt>("prompt", "For the model."));
};
struct MessageArguments {
  std::string message{};
  static constexpr auto wire = fields(field<&MessageArguments::message>("message", "For the person."));
};

template <class In, class F>
void add_typed(Server& server, std::string name, F handler) {
  server.add({.name = std::move(name), .description = for_tests, .input_schema = closed_schema(wire::type_of<In>())},
             [handler](Raw arguments, Request& request) -> Task<Result<CallToolResult>> {
               In in{};
               PARLANCE_CO_TRY_DO(read_arguments(arguments, wire::type_of<In>(), &in, request));
               co_return co_await handler(std::move(in), request);
             });
}

void add_asking(Server& server) {
  add_typed<PromptArguments>(server, "test_sampling", [](PromptArguments in, Request& request) -> Task<Result<CallToolResult>> {
    PARLANCE_CO_TRY(answer, co_await request.sample("answer", prompt(in.prompt)));
    co_return says("LLM response: " + text_of(answer.content));
  });
  add_typed<
      MessageArguments>(server, "test_elicitation", [](MessageArguments in, Request& request) -> Task<Result<CallToolResult>> {
    ElicitParams asked{.message = in.message};
    asked.requested_schema.json =
        R"({"type":"object","properties":{"username":{"type":"string","description":"User's response"},"email":{"type":"string","description":"User's email address"}},"required":["username","email"]})";
    PARLANCE_CO_TRY(answer, co_await request.elicit("user", std::move(asked)));
    co_return says("User response: " + outcome(answer));
  });
  const auto elicits = [&](std::string name, std::string message, std::string schema) {
    server.add({.name = std::move(name), .description = for_tests},
               [message = std::move(message), schema = std::move(schema)](Raw, Request& request) -> Task<Result<CallToolResult>> {
                 PARLANCE_CO_TRY(answer,
                                 co_await request.elicit("form", ElicitParams{.message = message, .requested_schema = {schema}}));
                 co_return says("Elicitation completed: " + outcome(answer));
               });
  };
  elicits(
      "test_elicitation_sep1034_defaults", "Please check what is filled in",
      R"({"type":"object","properties":{"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},"verified":{"type":"boolean","default":true}},"required":[]})");
  elicits(
      "test_elicitation_sep1330_enums", "Please choose",
      R"({"type":"object","properties":{"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}},"required":[]})");
}

// Calls of 2026-07-28 that end with what they need.
void add_input_required(Server& server) {
  server.add({.name = "test_input_required_result_elicitation", .description = for_tests},
             [](Raw, Request& request) -> Task<Result<CallToolResult>> {
               PARLANCE_CO_TRY(answer, co_await request.elicit("user_name", question("What is your name?", "name")));
               const auto content = json::parse(answer.content.json);
               co_return says("Hello, " +
                              (content ? std::string(content->text_or("name", "whoever you are")) : std::string("stranger")) +
                              "!");
             });
  server.add({.name = "test_input_required_result_sampling", .description = for_tests},
             [](Raw, Request& request) -> Task<Result<CallToolResult>> {
               PARLANCE_CO_TRY(answer, co_await request.sample("capital_question", prompt("What is the capital of France?")));
               co_return says(text_of(answer.content));
             });
  server.add({.name = "test_input_required_result_list_roots", .description = for_tests},
             [](Raw, Request& request) -> Task<Result<CallToolResult>> {
               PARLANCE_CO_TRY(answer, co_await request.roots("client_roots"));
               std::string roots;
               for (const Root& root : answer.roots) roots += root.uri + '\n';
               co_return says("Roots: " + roots);
             });
  for (const char* name : {"test_input_required_result_request_state", "test_input_required_result_tampered_state"})
    server.add({.name = name, .description = for_tests}, [](Raw, Request& request) -> Task<Result<CallToolResult>> {
      const bool known = request.kept() == "asked";
      request.keep("asked");
      PARLANCE_CO_TRY(answer, co_await request.elicit("confirm", question("Please confirm", "ok", "boolean")));
      co_return says(known ? "state-ok" : "no state came back");
    });
  server.add({.name = "test_input_required_result_multiple_inputs", .description = for_tests},
             [](Raw, Request& request) -> Task<Result<CallToolResult>> {
               auto name = co_await request.elicit("user_name", question("What is your name?", "name"));
               auto greeting = co_await request.sample("greeting", prompt("Generate a greeting", 50));
               auto roots = co_await request.roots("client_roots");
               if (!name) co_return std::unexpected(name.error());
               if (!greeting) co_return std::unexpected(greeting.error());
               if (!roots) co_return std::unexpected(roots.error());
               co_return says(text_of(greeting->content) + " " + std::to_string(roots->roots.size()));
             });
  server.add({.name = "test_input_required_result_multi_round", .description = for_tests},
             [](Raw, Request& request) -> Task<Result<CallToolResult>> {
               PARLANCE_CO_TRY(name, co_await request.elicit("step1", question("Step 1: What is your name?", "name")));
               PARLANCE_CO_TRY(color,
                               co_await request.elicit("step2", question("Step 2: What is your favorite color?", "color")));
               co_return says(name.content.json + color.content.json);
             });
}

// Calls that look at what the client can be asked.
void add_capable(Server& server) {
  server.add({.name = "test_input_required_result_capabilities", .description = for_tests},
             [](Raw, Request& request) -> Task<Result<CallToolResult>> {
               Result<void> missing{};
               if (!request.client().sampling.json.empty())
                 if (auto answer = co_await request.sample("question", prompt("Say something")); !answer)
                   missing = std::unexpected(answer.error());
               if (!request.client().elicitation.json.empty())
                 if (auto answer = co_await request.elicit("user_name", question("What is your name?", "name")); !answer)
                   missing = std::unexpected(answer.error());
               if (!missing) co_return std::unexpected(missing.error());
               co_return says("nothing more is needed");
             });
  server.add({.name = "test_missing_capability", .description = for_tests},
             [](Raw, Request& request) -> Task<Result<CallToolResult>> {
               PARLANCE_CO_TRY(answer, co_await request.sample("answer", prompt("Say something")));
               co_return says(text_of(answer.content));
             });
  server.add({.name = "test_streaming_elicitation", .description = for_tests},
             [](Raw, Request& request) -> Task<Result<CallToolResult>> {
               request.progress(1);
               PARLANCE_CO_TRY(answer, co_await request.elicit("user_name", question("What is your name?", "name")));
               co_return says(outcome(answer));
             });
}

void add_changing(Server& server) {
  server.add({.name = "test_trigger_tool_change", .description = for_tests},
             [&server](Raw, Request&) -> Task<Result<CallToolResult>> {
               server.tools_changed();
               co_return says("told");
             });
  server.add({.name = "test_trigger_prompt_change", .description = for_tests},
             [&server](Raw, Request&) -> Task<Result<CallToolResult>> {
               server.prompts_changed();
               co_return says("told");
             });
  server.add({.name = "test_trigger_resource_update", .description = for_tests},
             [&server](Raw, Request&) -> Task<Result<CallToolResult>> {
               server.resource_updated("test://watched-resource");
               co_return says("told");
             });
}

}  // namespace

void add_tools(Server& server) {
  add_simple(server);
  add_while_running(server);
  add_asking(server);
  add_input_required(server);
  add_capable(server);
  add_changing(server);
}

void add_prompts(Server& server) {
  const auto user = [](Content content) { return PromptMessage{.role = Role::user, .content = std::move(content)}; };
  server.add(Prompt{.name = "test_simple_prompt", .description = "Without arguments."},
             [user](Variables, Request&) -> Task<Result<GetPromptResult>> {
               GetPromptResult result;
               result.messages.emplace().push_back(user(text("This is a simple prompt for testing.")));
               co_return result;
             });
  const PromptArgument first{.name = "arg1", .description = "First test argument", .required = true};
  const PromptArgument second{.name = "arg2", .description = "Second test argument", .required = true};
  server.add(Prompt{.name = "test_prompt_with_arguments", .description = for_tests, .arguments = std::vector{first, second}},
             [user](Variables a, Request&) -> Task<Result<GetPromptResult>> {
               GetPromptResult result;
               result.messages.emplace().push_back(
                   user(text("Prompt with arguments: arg1='" + a.at("arg1") + "', arg2='" + a.at("arg2") + "'")));
               co_return result;
             });
  server.add(
      Prompt{.name = "test_prompt_with_embedded_resource",
             .description = for_tests,
             .arguments = std::vector{PromptArgument{.name = "resourceUri", .required = true}}},
      [user](Variables a, Request&) -> Task<Result<GetPromptResult>> {
        GetPromptResult result;
        result.messages.emplace();
        result.messages->push_back(user(resource(a.at("resourceUri"), "text/plain", "Embedded resource content for testing.")));
        result.messages->push_back(user(text("Please process the embedded resource above.")));
        co_return result;
      });
  server.add(Prompt{.name = "test_prompt_with_image", .description = for_tests},
             [user](Variables, Request&) -> Task<Result<GetPromptResult>> {
               GetPromptResult result;
               result.messages.emplace();
               result.messages->push_back(user(image()));
               result.messages->push_back(user(text("Please analyze the image above.")));
               co_return result;
             });
  server.add(Prompt{.name = "test_input_required_result_prompt", .description = for_tests},
             [user](Variables, Request& request) -> Task<Result<GetPromptResult>> {
               PARLANCE_CO_TRY(
                   answer, co_await request.elicit("user_context", question("What context should the prompt use?", "context")));
               GetPromptResult result;
               result.messages.emplace().push_back(user(text("Context: " + answer.content.json)));
               co_return result;
             });
  server.on_complete([](CompleteParams asked, Request&) -> Task<Result<Completion>> {
    Completion completion;
    for (const char* city : {"paris", "park", "party", "london"})
      if (std::string_view(city).starts_with(asked.argument.value)) completion.values.emplace_back(city);
    completion.total = completion.values.size();
    co_return completion;
  });
}

void add_resources(Server& server) {
  const auto one = [](std::string uri, std::string type, std::string what) {
    return std::vector{ResourceContents{.uri = std::move(uri), .mime_type = std::move(type), .text = std::move(what)}};
  };
  server.add(Resource{.uri = "test://static-text", .name = "Static text", .mime_type = "text/plain"},
             [one](std::string uri, Request&) -> Task<Result<std::vector<ResourceContents>>> {
               co_return one(uri, "text/plain", "This is the content of the static text resource.");
             });
  server.add(Resource{.uri = "test://static-binary", .name = "Static binary", .mime_type = "image/png"},
             [](std::string uri, Request&) -> Task<Result<std::vector<ResourceContents>>> {
               co_return std::vector{ResourceContents{.uri = uri, .mime_type = "image/png", .blob = png}};
             });
  server.add(Resource{.uri = "test://watched-resource", .name = "Watched", .mime_type = "text/plain"},
             [one](std::string uri, Request&) -> Task<Result<std::vector<ResourceContents>>> {
               co_return one(uri, "text/plain", "Watched resource content.");
             });
  server.add(ResourceTemplate{.uri_template = "test://template/{id}/data", .name = "Template", .mime_type = "application/json"},
             [one](std::string uri, Variables v, Request&) -> Task<Result<std::vector<ResourceContents>>> {
               json::Object data;
               data.set("id", v.at("id"));
               data.set("templateTest", true);
               data.set("data", "Data for ID: " + v.at("id"));
               co_return one(uri, "application/json", json::to_text(json::Value(std::move(data))));
             });
}

}  // namespace parlance::mcp::fixture
