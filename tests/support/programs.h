// Tests of our programs as the processes that people start: the binary that this build made, in a folder of the test, with nothing
// of the tester's own settings. Whatever is started here ends with the test.
#pragma once

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "codec/json/value.h"
#include "tests/support/child_process_fixture.h"

namespace parlance::test {

using Words = std::vector<std::string>;
using Variables = std::vector<std::pair<std::string, std::string>>;

inline std::string parlance_program() { return PARLANCE_BINARY_DIR "/bin/parlance"; }

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();  // does not throw when a process of /proc ends meanwhile
  return text.str();
}
inline void write_file(const std::string& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }
inline unsigned mode_of(const std::string& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 0777U : 0U;
}
inline json::Value parsed(std::string_view text) {
  auto value = json::parse(text);
  if (!value) throw std::runtime_error(value.error().message + " in " + std::string(text));
  return *std::move(value);
}
// The value at a path of names and indices; a null value where there is none.
inline json::Value at(const json::Value& value, std::initializer_list<std::string_view> path) {
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
inline std::string text_at(const json::Value& value, std::initializer_list<std::string_view> path) {
  const json::Value found = at(value, path);
  return found.text() != nullptr ? *found.text() : json::to_text(found);
}

// How a program ended, and all that it said.
struct Finished {
  int code = -1;
  int signal = 0;
  std::string out{};
  std::string errors{};
};

// A program that goes on running; what it prints is kept by line.
class Program {
 public:
  Program(Loop& loop, ChildSettings settings) : scope_(loop) {
    settings.on_stderr_line = [this](BytesView line) { errors += std::string(line) + "\n"; };
    auto child = ChildProcess::start(loop, std::move(settings));
    if (!child) throw std::runtime_error(child.error().message);
    child_ = *std::move(child);
    stream_ = child_->take_stream();
    scope_.start(read_lines());
  }
  ChildProcess& child() { return *child_; }
  ByteStream& stream() { return *stream_; }
  bool ended() const { return child_->exit_status().has_value(); }

  std::vector<std::string> lines;
  std::string errors;

 private:
  Task<void> read_lines() {
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
  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<ByteStream> stream_;
  Scope scope_;  // goes first
};

class ProgramTest : public ChildProcessTest {
 protected:
  ProgramTest() : folder_((std::filesystem::temp_directory_path() / "parlance-XXXXXX").string()) {
    if (::mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no folder for the test");
  }
  ~ProgramTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  const std::string& folder() const { return folder_; }
  std::string path(std::string_view name) const { return folder_ + "/" + std::string(name); }

  // Started in the test's folder, which is its home too.
  ChildSettings settings_for(Words command, Variables set = {}) const {
    ChildSettings settings{.command = std::move(command), .folder = folder_};
    settings.unset = {"PARLANCE_*", "OPENCLAW_*", "OPENAI_*", "ANTHROPIC_*", "EMBEDDING_*", "XDG_*"};
    settings.set = {{"HOME", folder_}};
    for (auto& one : set) settings.set.push_back(std::move(one));
    return settings;
  }
  static Words with_program(Words words) {
    words.insert(words.begin(), parlance_program());
    return words;
  }

  std::unique_ptr<Program> launch(Words command, Variables set = {}) {
    return std::make_unique<Program>(loop, settings_for(std::move(command), std::move(set)));
  }

  // To its end.
  Finished run(Words command, std::string_view input = "", Variables set = {}) {
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
  Finished parlance(Words words, std::string_view input = "", Variables set = {}) {
    return run(with_program(std::move(words)), input, std::move(set));
  }

  // Runs the loop until it holds. Nothing is assumed about how long that takes, but for ever is too long.
  void until(const std::function<bool()>& condition, std::string_view what) {
    const TimePoint limit = Clock::now() + long_enough;
    while (!condition()) {
      if (Clock::now() > limit) throw std::runtime_error("waited too long for: " + std::string(what));
      loop.run_for(2ms);
    }
  }

 private:
  std::string folder_;
};

}  // namespace parlance::test
