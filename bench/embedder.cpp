// SPDX-License-Identifier: Apache-2.0
// Measures the built-in embedder on one processor: short texts embedded each second, and texts scored by the words of a query.
//
//   `embedder embed|score SECONDS`      prints the line of measure.h. A call is a text.
//
// The texts have 60 characters on average: half are English, a quarter Chinese, and a quarter have names and numbers. Consecutive
// texts differ.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "measure.h"
#include "parlance/memory/builtin_embedder.h"
#include "parlance/memory/keyword.h"

namespace parlance {
namespace {

std::vector<std::string> make_texts() {
  const std::vector<std::string> who = {"The user", "Our team", "Katarina", "The service", "Everybody here", "Mr. Olsen"};
  const std::vector<std::string> does = {"prefers the dark theme in", "deploys every Tuesday from",
                                         "keeps the nightly backups of", "asked twice about the colours of",
                                         "never changes the settings of"};
  const std::vector<std::string> what = {"the editor", "libsqlite3-dev 3.40", "the billing database",
                                         "port 5433",  "GoogleTest",          "the staging server"};
  const std::vector<std::string> chinese = {"用户喜欢在编辑器里使用深色主题，并且每个星期二晚上部署新的版本",
                                            "数据库每天夜里自动备份，备份文件保存三十天以后就会被系统删除",
                                            "会议室在三楼，预订的时候请告诉前台需要投影仪和视频会议的设备"};
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 1000; ++i) {
    if (i % 4 == 3) {
      texts.push_back(chinese[i / 4 % chinese.size()] + std::to_string(i));
      continue;
    }
    texts.push_back(who[i % who.size()] + ' ' + does[i / 6 % does.size()] + ' ' + what[i / 30 % what.size()] +
                    (i % 4 == 1 ? " since " + std::to_string(i) : ""));
  }
  return texts;
}

template <class Work>
void measure(double seconds, const Work& work) {
  const std::vector<std::string> texts = make_texts();
  bench::Measurement measurement(seconds);
  for (TimePoint now = Clock::now(); !measurement.over(now); now = Clock::now()) {
    for (const std::string& text : texts) work(text);
    measurement.count(now, texts.size());
  }
  measurement.print();
}

}  // namespace
}  // namespace parlance

int main(int argc, char** argv) {
  using namespace parlance;
  const std::string what = argc == 3 ? argv[1] : "";
  const double seconds = argc == 3 ? std::atof(argv[2]) : 0;
  double seen = 0;  // prevents the removal of unused results
  if (what == "embed") {
    measure(seconds, [&](const std::string& text) { seen += static_cast<double>(memory::embed_text(text)[0]); });
  } else if (what == "score") {
    const memory::KeywordQuery query("which editor theme does the user prefer");
    measure(seconds, [&](const std::string& text) { seen += query.score(text); });
  } else {
    std::fprintf(stderr, "usage: embedder embed|score SECONDS\n");
    return 1;
  }
  return seen > -1e300 ? 0 : 1;
}
