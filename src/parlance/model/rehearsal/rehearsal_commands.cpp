// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/model/limits.h"
#include "parlance/model/over_http.h"
#include "parlance/model/rehearsal/rehearsal_step.h"
#include "parlance/model/rehearsal/rehearsal_texts.h"

namespace parlance::model::rehearsal {
namespace {

using json::Array;
using json::Object;
using json::Value;
using namespace std::chrono_literals;

constexpr std::int64_t most_words = 1'000'000;  // of `long`: about 7 MB, below limits::model_answer_bytes
constexpr std::int64_t most_pause_ms = 60'000;  // of `slow`

Object object(std::initializer_list<std::pair<const char*, Value>> members) {
  Object made;
  for (const auto& [name, value] : members) made.set(name, value);
  return made;
}

ToolCall call(std::string_view name, Object arguments) {
  return {.name = std::string(name), .arguments = json::to_text(Value(std::move(arguments)))};
}

std::pair<std::string_view, std::string_view> first_word(std::string_view text) {
  text = trim(text);
  const std::size_t end = text.find_first_of(" \t\r\n");
  if (end == std::string_view::npos) return {text, {}};
  return {text.substr(0, end), trim(text.substr(end))};
}

// ---- calling one tool ---------------------------------------------------------------------------------------------------

Step not_offered(std::string_view tool) {
  return {.say = "The tool `" + std::string(tool) + "` is not offered in this conversation, so I cannot run this command here."};
}

// The failure of a call, in polite words; nothing after a success.
std::optional<Step> trouble(const PastCall& past) {
  const std::string name = "`" + past.call.name + "`";
  if (past.fate == Fate::refused)
    return Step{.say = "You refused " + name + ", so I did not continue. The answer was:\n\n> " + quote(past.result)};
  if (past.fate == Fate::failed)
    return Step{.say = "The tool " + name + " failed:\n\n```\n" + quote(past.result) + "\n```\n\nI stop here."};
  return std::nullopt;
}

struct OneTool {
  std::string_view tool;
  Object arguments;
  std::string think;
  std::string say;
  std::string_view after;  // before the quoted result
};

Step one_tool(const Turn& turn, OneTool what) {
  if (!turn.has(what.tool)) return not_offered(what.tool);
  const PastCall* past = turn.last(what.tool);
  if (past == nullptr)
    return {.think = std::move(what.think), .say = std::move(what.say), .calls = {call(what.tool, std::move(what.arguments))}};
  if (auto bad = trouble(*past)) return *std::move(bad);
  return {.say = std::string(what.after) + "\n\n```\n" + quote(past->result) + "\n```"};
}

// ---- commands -------------------------------------------------------------------------------------------------------------

Step help(const Turn&, std::string_view) { return {.say = std::string(texts::help)}; }

Step think(const Turn&, std::string_view about) {
  const std::string topic = about.empty() ? "the question itself" : "“" + std::string(about) + "”";
  return {
      .think =
          "The topic is " + topic +
          ".\n\nFirst I collect the known facts. Then I look for mistakes in the obvious answer. "
          "Neither needs a model, because these sentences are the same every time.\n\nThat is enough thinking for a rehearsal.",
      .say = "I have thought about " + topic +
             ". The page shows the thoughts of a real model in the same way: in a separate block, as above."};
}

Step markdown(const Turn&, std::string_view) { return {.say = std::string(texts::markdown)}; }

Step error(const Turn&, std::string_view) {
  return {.say = "This answer ends with an error",
          .error = Error{.code = Errc::failed, .message = "the rehearsal failed on request; everything works"}};
}

Step read(const Turn& turn, std::string_view path) {
  return one_tool(turn, {"read_file", object({{"path", path}}), "I have to read the file before I can describe its contents.",
                         "I read `" + std::string(path) + "`.", "The file begins like this:"});
}

Step list(const Turn& turn, std::string_view path) {
  const std::string_view folder = path.empty() ? "." : path;
  return one_tool(turn,
                  {"list_files", object({{"path", folder}}), "", "I look into `" + std::string(folder) + "`.", "There I see:"});
}

Step search(const Turn& turn, std::string_view pattern) {
  return one_tool(turn,
                  {"search_files", object({{"pattern", pattern}}), "", "I search for `" + std::string(pattern) + "`.", "Found:"});
}

Step write(const Turn& turn, std::string_view rest) {
  const auto [path, content] = first_word(rest);
  return one_tool(turn, {"write_file", object({{"path", path}, {"content", std::string(content) + "\n"}}),
                         "Writing changes something, so the person decides.",
                         "I would like to write `" + std::string(path) + "`.", "Written:"});
}

Step edit(const Turn& turn, std::string_view rest) {
  const auto [path, change] = first_word(rest);
  const std::size_t arrow = change.find("=>");
  return one_tool(
      turn, {"edit_file",
             object({{"path", path}, {"old_text", trim(change.substr(0, arrow))}, {"new_text", trim(change.substr(arrow + 2))}}),
             "", "I would like to change `" + std::string(path) + "`.", "Changed:"});
}

Step run(const Turn& turn, std::string_view command) {
  return one_tool(turn, {"run_command", object({{"command", command}}), "A command can do anything, so the person decides.",
                         "I would like to run `" + std::string(command) + "`.", "It printed:"});
}

// A script's guess from single words; a language model chooses by the meaning.
std::string_view category_of(std::string_view text) {
  const std::string lower = to_lower(text);
  const auto says = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
  if (says("prefer") || says("favourite") || says("favorite") || says("i like")) return "preference";
  return says("decided") ? "decision" : "fact";
}

Step remember(const Turn& turn, std::string_view text) {
  const auto [first, rest] = first_word(text);
  if (to_lower(first) == "that" && !rest.empty()) text = rest;
  return one_tool(turn, {"memory_store", object({{"text", text}, {"category", category_of(text)}, {"importance", 0.5}}), "",
                         "I store this in the memory.", "Kept:"});
}

Step recall(const Turn& turn, std::string_view query) {
  return one_tool(turn,
                  {"memory_search", object({{"query", query}, {"limit", 5}}), "", "I ask the memory.", "The memory knows:"});
}

// The id in the first "(id mem_…" of memory_search's answer; empty: none.
std::string first_id(std::string_view found) {
  constexpr std::string_view mark = "(id ";
  const std::size_t at = found.find(mark);
  if (at == std::string_view::npos) return {};
  found.remove_prefix(at + mark.size());
  return std::string(found.substr(0, found.find_first_of(",) \n")));
}

Step forget(const Turn& turn, std::string_view query) {
  if (!turn.has("memory_forget")) return not_offered("memory_forget");
  const PastCall* found = turn.last("memory_search");
  if (found == nullptr)
    return one_tool(turn, {"memory_search", object({{"query", query}, {"limit", 1}}),
                           "I have to find the memory before I can delete the memory.", "I search the memory.", ""});
  if (auto bad = trouble(*found)) return *std::move(bad);
  const std::string id = first_id(found->result);
  if (id.empty()) return {.say = "The memory knows nothing like “" + std::string(query) + "”, so I delete no memory."};
  return one_tool(turn, {"memory_forget", object({{"id", id}}), "A deleted memory cannot be restored, so the person decides.",
                         "I would like to forget this.", "Deleted:"});
}

Step ask(const Turn& turn, std::string_view) {
  const auto option = [](const char* label, const char* description) {
    return Value(object({{"label", label}, {"description", description}}));
  };
  const Object question = object({{"header", "Colour"},
                                  {"question", "Which colour should the bicycle shed have?"},
                                  {"multiple", false},
                                  {"options", Array{option("Green", "Like the grass around it"),
                                                    option("Red", "Seen from far away"), option("None", "Wood ages well")}}});
  return one_tool(turn, {"ask_user", object({{"questions", Array{Value(question)}}}), "Only the person can know this.",
                         "I have a question.", "Your answer was:"});
}

Step plan(const Turn& turn, std::string_view) {
  if (turn.has("propose_plan")) {
    const PastCall* past = turn.last("propose_plan");
    if (past == nullptr)
      return {.think = "The work has several steps; agreeing on them first is cheaper than undoing them.",
              .say = "Before I begin, here is my plan.",
              .calls = {call("propose_plan", object({{"plan", texts::plan}}))}};
    if (past->fate == Fate::refused)
      return {.say = "The plan is not approved, so I do not begin. Your answer was:\n\n> " + quote(past->result)};
    if (auto bad = trouble(*past)) return *std::move(bad);
    return {.say = "The plan is approved:\n\n> " + quote(past->result) +
                   "\n\nA real agent would begin now; the rehearsal ends here."};
  }
  if (!turn.has("update_plan")) return {.say = std::string(texts::plan)};
  const auto entry = [](const char* content, const char* status) {
    return Value(object({{"content", content}, {"status", status}, {"priority", "medium"}}));
  };
  const std::size_t done = turn.count("update_plan");
  if (done > 0)
    if (auto bad = trouble(*turn.last("update_plan"))) return *std::move(bad);
  constexpr std::array names{"Look at the shed", "Choose a colour", "Paint it"};
  if (done > names.size()) return {.say = "All three steps of the plan are done, on paper at least."};
  Array entries;
  for (std::size_t i = 0; i < names.size(); ++i)
    entries.push_back(entry(names[i], i < done ? "completed" : i == done ? "in_progress" : "pending"));
  return {.calls = {call("update_plan", object({{"entries", entries}}))}};
}

std::string words(std::int64_t count) {
  std::string text;
  for (std::int64_t i = 1; i <= count; ++i)
    text += (i == 1 ? "" : i % 20 == 1 ? "\n" : " ") + std::string("w") + std::to_string(i);
  return text;
}

Step long_answer(const Turn&, std::string_view rest) {
  const std::int64_t count = *parse_number<std::int64_t>(rest);
  return {.say = words(count), .pace = 0ms};
}

Step slow(const Turn&, std::string_view rest) {
  const auto [count, pause] = first_word(rest);
  return {.say = words(*parse_number<std::int64_t>(count)),
          .pace = std::chrono::milliseconds(*parse_number<std::int64_t>(pause)),
          .piece_bytes = 1};
}

// ---- free text ------------------------------------------------------------------------------------------------------------

Value demonstration_entry(std::string_view content, std::string_view status) {
  return object({{"content", content}, {"status", status}, {"priority", "medium"}});
}

ToolCall demonstration_plan(std::string_view look, std::string_view note, std::string_view report) {
  return call("update_plan", object({{"entries", Array{demonstration_entry("Look into the folder", look),
                                                       demonstration_entry("Leave a note there", note),
                                                       demonstration_entry("Tell what happened", report)}}}));
}

std::string demonstration_end(const Turn& turn) {
  std::string text;
  if (const PastCall* note = turn.last("write_file")) {
    if (note->fate == Fate::done) text = "Done: `" + std::string(texts::note_path) + "` is written, with your approval.\n\n";
    else if (note->fate == Fate::refused)
      text = "You refused the note, so no file was touched. This is the purpose of approvals.\n\n";
    else text = "The note could not be written:\n\n```\n" + quote(note->result) + "\n```\n\n";
  } else if (const PastCall* folder = turn.last("list_files")) {
    text = folder->fate == Fate::done ? "In the folder I see:\n\n```\n" + quote(folder->result) + "\n```\n\n"
                                      : "The folder could not be read:\n\n> " + quote(folder->result) + "\n\n";
  }
  return text + "You wrote “" + quote(turn.text, 200) + "”. " + std::string(texts::what_this_is);
}

// Thinking, a plan, a look into the folder, a file with an approval, a report: once in each conversation. Steps without an
// offered tool are skipped, so the next step is the first without a call of its tool.
Step demonstration(const Turn& turn) {
  const bool plans = turn.has("update_plan");
  if (plans && turn.count("update_plan") == 0)
    return {
        .think =
            "A greeting from a curious person. A small tour shows more than an explanation: a plan, a look into the folder, a file "
            "with an approval, and a report.",
        .say = "Let me show you a turn.",
        .calls = {demonstration_plan("in_progress", "pending", "pending")}};
  if (turn.has("list_files") && turn.count("list_files") == 0)
    return {.say = "First I look around.", .calls = {call("list_files", object({{"path", "."}}))}};
  if (turn.has("write_file") && turn.count("write_file") == 0) {
    Step step{.think = "Reading is harmless, writing is not: the person decides.",
              .say = "Now I would like to leave a note. You decide whether I may."};
    if (const PastCall* folder = turn.last("list_files"); folder != nullptr && folder->fate == Fate::done)
      step.say = "I see:\n\n```\n" + quote(folder->result, 200) + "\n```\n\n" + step.say;
    if (plans) step.calls.push_back(demonstration_plan("completed", "in_progress", "pending"));
    step.calls.push_back(call("write_file", object({{"path", texts::note_path}, {"content", texts::note}})));
    return step;
  }
  if (plans && turn.has("write_file") && turn.count("update_plan") < 3)
    return {.calls = {demonstration_plan("completed", "completed", "completed")}};  // the report follows at once
  return {.say = demonstration_end(turn)};
}

Step free_text(const Turn& turn) {
  if (!turn.remembered.empty())
    return {.say = "You wrote “" + quote(turn.text, 200) + "”. A language model would use the memories above. " +
                   std::string(texts::what_this_is)};
  // The tour asks for an approval, and a program over HTTP has no person to approve.
  const bool over_http = turn.system.find(called_over_http) != std::string::npos;
  if (turn.number <= 1 && !over_http) return demonstration(turn);
  return {.say = "You wrote “" + quote(turn.text, 200) + "”. " + std::string(texts::what_this_is)};
}

// ---- choosing a command -----------------------------------------------------------------------------------------------------

bool anything(std::string_view) { return true; }
bool nothing(std::string_view rest) { return rest.empty(); }
bool something(std::string_view rest) { return !rest.empty(); }
bool at_most_one_word(std::string_view rest) { return first_word(rest).second.empty(); }
bool one_word(std::string_view rest) { return something(rest) && at_most_one_word(rest); }
bool two_words(std::string_view rest) { return something(first_word(rest).second); }
bool a_change(std::string_view rest) {
  const std::string_view change = first_word(rest).second;
  const std::size_t arrow = change.find("=>");
  return arrow != std::string_view::npos && !trim(change.substr(0, arrow)).empty();
}
bool in_range(std::string_view text, std::int64_t most) {
  const auto number = parse_number<std::int64_t>(text);
  return number && *number >= 1 && *number <= most;
}
bool a_count(std::string_view rest) { return in_range(rest, most_words); }
bool a_count_and_a_pause(std::string_view rest) {
  const auto [count, pause] = first_word(rest);
  return in_range(count, most_words) && in_range(pause, most_pause_ms);
}

// A word counts as a command only with its arguments: "read the manual, please" is free text.
struct Command {
  std::string_view word;
  bool (*fits)(std::string_view rest);
  Step (*step)(const Turn&, std::string_view rest);
};
constexpr std::array commands{
    Command{"help", nothing, help},         Command{"think", anything, think},        Command{"plan", nothing, plan},
    Command{"read", one_word, read},        Command{"list", at_most_one_word, list},  Command{"search", something, search},
    Command{"write", two_words, write},     Command{"edit", a_change, edit},          Command{"run", something, run},
    Command{"ask", nothing, ask},           Command{"remember", something, remember}, Command{"recall", something, recall},
    Command{"forget", something, forget},   Command{"long", a_count, long_answer},    Command{"slow", a_count_and_a_pause, slow},
    Command{"markdown", nothing, markdown}, Command{"error", nothing, error}};

// The memories for a language model, shown at the beginning of the turn; commands of the memory show their own results.
void show_remembered(const Turn& turn, Step& step) {
  std::string lines;
  for (const Remembered& memory : turn.remembered) lines += "- " + quote(memory.text, 200) + " *(" + memory.category + ")*\n";
  step.say.insert(0, "Remembered:\n\n" + lines + "\n");
  const std::size_t count = turn.remembered.size();
  step.think.insert(0, "The agent looked into its memory for this message and found " +
                           (count == 1 ? std::string("something") : std::to_string(count) + " things") +
                           ". The memory may be out of date." + (step.think.empty() ? "" : "\n\n"));
}

// Confirms attachments to a person who tests the feature.
void show_attached(const Turn& turn, Step& step) {
  std::string came = "With your message came ";
  for (std::size_t i = 0; i < turn.attached.size(); ++i)
    came += (i == 0 ? "" : i + 1 == turn.attached.size() ? " and " : ", ") + turn.attached[i];
  came += ". A script ignores attachments; a language model would receive them.";
  if (turn.text.empty()) step = {.say = came};
  else step.say = came + (step.say.empty() ? "" : "\n\n" + step.say);
}

}  // namespace

Step next_step(const Turn& turn) {
  auto [word, rest] = first_word(turn.text);
  if (word.starts_with('/')) word.remove_prefix(1);
  const std::string lower = to_lower(word);
  const auto* const command =
      std::ranges::find_if(commands, [&](const Command& candidate) { return candidate.word == lower && candidate.fits(rest); });
  const bool known = command != commands.end();
  Step step = known ? command->step(turn, rest) : free_text(turn);
  const bool of_memory = known && (lower == "remember" || lower == "recall" || lower == "forget");
  if (!turn.remembered.empty() && turn.steps == 0 && !of_memory) show_remembered(turn, step);
  if (!turn.attached.empty() && turn.steps == 0) show_attached(turn, step);
  return step;
}

}  // namespace parlance::model::rehearsal
