// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target over stored inputs: replay CORPUS FOUND. The first folder must hold inputs, the second may be missing.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::size_t replay_folder(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) return 0;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::fprintf(stderr, "%s\n", file.c_str());  // the last line before a crash names its input
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  return files.size();
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::size_t> replayed;
  for (int n = 1; n < count; ++n) replayed.push_back(replay_folder(arguments[n]));
  if (replayed.empty() || replayed.front() == 0) {
    std::fprintf(stderr, "no inputs to replay\n");
    return 1;
  }
  return 0;
}
