// SPDX-License-Identifier: Apache-2.0
#include "tests/support/programs.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <sys/stat.h>

namespace parlance::test {

std::string parlance_program() {
  const char* const others = std::getenv("PARLANCE_PROGRAMS");
  return std::string(others != nullptr ? others : PARLANCE_BINARY_DIR "/bin") + "/parlance";
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();  // does not throw when a process of /proc ends meanwhile
  return text.str();
}
void write_file(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot be written: " + path);
}
unsigned mode_of(const std::string& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 0777U : 0U;
}
json::Value parsed(std::string_view text) {
  auto value = json::parse(text);
  if (!value) throw std::runtime_error(value.error().message + " in " + std::string(text));
  return *std::move(value);
}
json::Value at(const json::Value& value, std::initializer_list<std::string_view> path) {
  const json::Value* here = &value;
  for (const std::string_view name : path) {
    if (const json::Array* array = here->array()) {
      const auto index = static_cast<std::size_t>(std::stoul(std::string(name)));
      if (index >= array->size()) return {};
      here = &(*array)[index];
    } else {
      here = here->find(name);
      if (here == nullptr) return {};
    }
  }
  return *here;
}
std::string text_at(const json::Value& value, std::initializer_list<std::string_view> path) {
  const json::Value found = at(value, path);
  return found.text() != nullptr ? *found.text() : json::to_text(found);
}

Program::Program(Loop& loop, ChildSettings settings) : scope_(loop) {
  settings.on_stderr_line = [this](BytesView line) { errors += std::string(line) + "\n"; };
  auto child = ChildProcess::start(loop, std::move(settings));
  if (!child) throw std::runtime_error(child.error().message);
  child_ = *std::move(child);
  stream_ = child_->take_stream();
  scope_.start(read_lines());
}
Task<void> Program::read_lines() {
  std::string partial;
  std::vector<char> buffer(4096);
  for (;;) {
    const auto got = co_await read_some(*stream_, buffer);
    if (!got || *got == 0) co_return;
    partial.append(buffer.data(), *got);
    for (std::size_t end = 0; (end = partial.find('\n')) != std::string::npos; partial.erase(0, end + 1))
      lines.push_back(partial.substr(0, end));
  }
}

ProgramTest::ProgramTest() : folder_((std::filesystem::temp_directory_path() / "parlance-XXXXXX").string()) {
  if (::mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no folder for the test");
}
ProgramTest::~ProgramTest() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

ChildSettings ProgramTest::settings_for(Words command, Variables set) const {
  ChildSettings settings{.command = std::move(command), .folder = folder_};
  settings.unset = {"PARLANCE_*", "OPENCLAW_*", "OPENAI_*", "ANTHROPIC_*", "EMBEDDING_*", "XDG_*"};
  settings.set = {{"HOME", folder_}};
  for (auto& one : set) settings.set.push_back(std::move(one));
  return settings;
}
Words ProgramTest::with_program(Words words) {
  words.insert(words.begin(), parlance_program());
  return words;
}

std::unique_ptr<Program> ProgramTest::launch(Words command, Variables set) {
  return std::make_unique<Program>(loop, settings_for(std::move(command), std::move(set)));
}

void ProgramTest::type(Program& program, std::string_view text) {
  const auto write = [&]() -> Task<bool> { co_return (co_await write_all(program.stream(), text)).has_value(); };
  EXPECT_TRUE(get(write())) << program.errors;
}

Finished ProgramTest::run(Words command, std::string_view input, Variables set) {
  ChildSettings settings = settings_for(std::move(command), std::move(set));
  Finished finished;
  settings.on_stderr_line = [&](BytesView line) { finished.errors += std::string(line) + "\n"; };
  const auto child = start(std::move(settings));
  const auto stream = child->take_stream();
  const auto feed = [&]() -> Task<void> {
    static_cast<void>(co_await write_all(*stream, input));
    stream->close_output();
  };
  Scope feeding(loop);
  feeding.start(feed());
  finished.out = read_all(*stream);
  const ExitStatus status = get(child->wait());
  finished.code = status.code;
  finished.signal = status.signal;
  return finished;
}
Finished ProgramTest::parlance(Words words, std::string_view input, Variables set) {
  return run(with_program(std::move(words)), input, std::move(set));
}

}  // namespace parlance::test
