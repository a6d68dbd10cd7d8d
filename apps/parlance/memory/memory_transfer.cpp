// SPDX-License-Identifier: Apache-2.0
// parlance memory export and import: JSON lines, and the database of the deployed program.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <iostream>
#include <unistd.h>

#include "apps/parlance/memory/memory_command.h"
#include "parlance/base/limits.h"
#include "parlance/base/text.h"
#include "parlance/base/visible_text.h"
#include "parlance/memory/limits.h"
#include "parlance/store/memory/memory_deployed.h"
#include "parlance/store/memory/memory_lines.h"

namespace parlance::app {
namespace {

// Entries in a transaction: an interruption undoes at most a batch, and other writers wait for at most a batch.
constexpr std::size_t batch = 200;
constexpr std::size_t progress_every = 5'000;

std::string file_error(const std::string& doing, const std::string& file) {
  return doing + " " + file + ": " + std::strerror(errno);
}

class Import {
 public:
  Import(OpenMemory& memory, std::uint64_t expected) : memory_(memory), expected_(expected) {}

  // Skips existing entries, so an interrupted import can be repeated.
  Result<void> add(memory::NewEntry entry) {
    entries_.push_back(std::move(entry));
    return entries_.size() < batch ? Result<void>{} : flush();
  }
  void skip() { ++skipped_; }
  Result<void> flush() {
    if (entries_.empty()) return {};
    PARLANCE_TRY(puts, memory_.loop.block_on(memory_.store.put(memory_.user, std::move(entries_))));
    entries_.clear();
    for (const memory::Put& put : puts) ++(put.duplicate ? duplicates_ : stored_);
    const std::uint64_t done = stored_ + duplicates_ + skipped_;
    if (done / progress_every != reported_steps_) {
      reported_steps_ = done / progress_every;
      std::fprintf(stderr, "parlance: %llu%s imported\n", static_cast<unsigned long long>(done),
                   expected_ == 0 ? "" : (" of " + std::to_string(expected_)).c_str());
    }
    return {};
  }
  std::uint64_t taken() const { return stored_ + duplicates_; }
  int report(const MemoryCommand& command) const {
    if (command.json) {
      json::Object object;
      object.set("stored", stored_);
      object.set("duplicates", duplicates_);
      object.set("skipped", skipped_);
      return print_json(std::move(object));
    }
    std::printf("%llu stored, %llu existed already", static_cast<unsigned long long>(stored_),
                static_cast<unsigned long long>(duplicates_));
    if (skipped_ > 0)
      std::printf(", %llu left out: empty, or longer than %zu bytes", static_cast<unsigned long long>(skipped_),
                  limits::memory_text_bytes);
    std::printf("\n");
    return ExitCode::done;
  }

 private:
  OpenMemory& memory_;
  std::uint64_t expected_;
  std::vector<memory::NewEntry> entries_;
  std::uint64_t stored_ = 0;
  std::uint64_t duplicates_ = 0;
  std::uint64_t skipped_ = 0;
  std::uint64_t reported_steps_ = 0;
};

int import_deployed(OpenMemory& memory, const MemoryCommand& command) {
  auto from = store::DeployedMemories::open(command.from_sqlite);
  if (!from) return complain(from.error());
  Import import(memory, from->count());
  for (;;) {
    auto entries = from->next(batch);
    if (!entries) return complain(entries.error());
    if (entries->empty()) break;
    for (memory::NewEntry& entry : *entries) {
      const std::size_t size = trim(entry.text).size();
      if (size == 0 || size > limits::memory_text_bytes) {
        import.skip();
        continue;
      }
      if (const auto done = import.add(std::move(entry)); !done) return complain(done.error());
    }
  }
  if (const auto done = import.flush(); !done) return complain(done.error());
  return import.report(command);
}

int import_lines(OpenMemory& memory, const MemoryCommand& command) {
  const std::string file = command.words.empty() ? "-" : command.words.front();
  std::ifstream opened;
  if (file != "-") {
    opened.open(file, std::ios::binary);
    if (!opened) return complain({.code = Errc::not_found, .message = file_error("read", file)});
  }
  std::istream& lines = file == "-" ? std::cin : opened;
  Import import(memory, 0);
  std::string line;
  for (std::uint64_t number = 1; std::getline(lines, line); ++number) {
    if (trim(line).empty()) continue;
    auto entry = store::memory_from_line(line);
    if (entry && entry->text.size() > limits::memory_text_bytes)
      entry = fail(Errc::invalid_params, "the text has " + std::to_string(entry->text.size()) + " bytes; at most " +
                                             std::to_string(limits::memory_text_bytes));
    const bool is_entry = entry.has_value();
    Result<void> done = is_entry ? import.add(*std::move(entry)) : Result<void>(std::unexpected(entry.error()));
    if (done) continue;
    // The entries before this line stay stored; a repeated import skips them.
    if (!is_entry) static_cast<void>(import.flush());
    return complain(
        {.code = Errc::invalid_params,
         .message = "line " + std::to_string(number) + ": " + done.error().message + " (" + std::to_string(import.taken()) +
                    " lines before it are imported; correct this line and import again)"},
        is_entry ? ExitCode::failed : ExitCode::usage);
  }
  if (const auto done = import.flush(); !done) return complain(done.error());
  if (lines.bad())
    return complain({.code = Errc::failed,
                     .message = file + " cannot be read to its end; " + std::to_string(import.taken()) + " lines are imported"});
  return import.report(command);
}

// Memories are private: a new file is readable for its user alone.
std::FILE* new_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  return fd < 0 ? nullptr : ::fdopen(fd, "wb");
}

}  // namespace

int export_memories(OpenMemory& memory, const MemoryCommand& command) {
  const std::string file = command.words.empty() ? "-" : command.words.front();
  std::FILE* out = file == "-" ? stdout : new_file(file);
  if (out == nullptr)
    return complain(
        {.code = Errc::failed,
         .message = errno == EEXIST ? file + " exists; choose another name or remove the file" : file_error("write", file)});
  memory::ListQuery query{.category = category_option(command),
                          .conversation = command.conversation,
                          .limit = limits::memory_page_entries,
                          .oldest_first = true};
  std::uint64_t count = 0;
  Result<void> done;
  do {
    const auto page = memory.loop.block_on(memory.store.list(memory.user, query));
    if (!page) {
      done = std::unexpected(page.error());
      break;
    }
    for (const memory::Entry& entry : page->entries) {
      if (std::fprintf(out, "%s\n", visible_json(store::memory_line(entry)).c_str()) < 0 && done)
        done = fail(Errc::failed, file_error("write", file));
      if (++count % progress_every == 0)
        std::fprintf(stderr, "parlance: %llu exported\n", static_cast<unsigned long long>(count));
    }
    query.before = page->next;
  } while (done && !query.before.empty());
  const bool is_written = out == stdout ? std::fflush(out) == 0 : std::fclose(out) == 0;
  if (!is_written && done) done = fail(Errc::failed, file_error("write", file));
  if (!done && out != stdout) ::unlink(file.c_str());  // a part looks like the whole
  if (!done) return complain(done.error());
  if (out != stdout) std::printf("%llu exported to %s\n", static_cast<unsigned long long>(count), file.c_str());
  return ExitCode::done;
}

int import_memories(OpenMemory& memory, const MemoryCommand& command) {
  return command.from_sqlite.empty() ? import_lines(memory, command) : import_deployed(memory, command);
}

}  // namespace parlance::app
