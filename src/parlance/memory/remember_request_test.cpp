// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/remember_request.h"

#include <string>

#include <gtest/gtest.h>

namespace parlance::memory {
namespace {

TEST(AsksToRemember, KnowsTheRequest) {
  for (const char* message : {
           "remember that I prefer tabs",
           "Remember: the port is 5432",
           "Please remember my birthday, the 4th of May",
           "The shed is green. Remember that!",
           "I use tabs, please remember that",
           "could you please remember that I use fish?",
           "Can you remember that the tests need Node 18?",
           "I want you to remember this for later",
           "From now on you should remember that main is protected",
           "Make sure to remember the port",
           "don't forget that the deploy is on Friday",
           "Don\u2019t forget my name is Ann",
           "do not forget to use clang",
           "and keep in mind that we ship on Debian",
           "Note that the database is read-only",
           "make a note of the address",
           "/remember the milk",
           "Merke dir, dass ich Tabs mag",
           "Bitte merk dir das",
           "Merken Sie sich bitte die Nummer 7",
           "Vergiss nicht, dass der Port 5432 ist",
           "Das Passwort liegt im Tresor, bitte nicht vergessen!",
           "记住我喜欢用制表符",
           "请记住：端口是5432",
           "帮我记一下，部署在周五",
           "别忘了我住在柏林",
           "請記住我喜歡綠茶",
           "私はタブが好きです。覚えておいて",
           "N'oublie pas que je prends du thé",
           "Recuerda que prefiero tabuladores",
       })
    EXPECT_TRUE(asks_to_remember(message)) << message;
}

TEST(AsksToRemember, TakesNothingElseForIt) {
  for (const char* message : {
           "",
           "hello",
           "remember",
           "Do you remember what I said?",
           "do you remember my name",
           "Remember when we fixed the parser?",
           "can you remember what I told you yesterday?",
           "I remember that the port was 5432",
           "I don't remember the port",
           "You don't need to remember this",
           "please don't remember this",
           "never remember passwords",
           "I can't remember where it is",
           "What did I ask you to do?",
           "the function remembers its last argument",
           "Why does it not remember the window size?",
           "write a test named remember_me",
           "I never forget a face",
           "forget what I said about tabs",
           "add a note to the README",
           "Merkst du dir etwas?",
           "Merk dir nicht alles",
           "你记住了吗？",
           "我记住了你的名字",
           "不要记住这个",
           "你还记得我吗",
           "没记住",
       })
    EXPECT_FALSE(asks_to_remember(message)) << message;
}

TEST(AsksToRemember, SurvivesAnyBytes) {
  EXPECT_FALSE(asks_to_remember(std::string("\xff\xfe\0 \xe8\xae", 6)));
  EXPECT_TRUE(asks_to_remember(std::string(100'000, ' ') + "remember the milk"));
}

}  // namespace
}  // namespace parlance::memory
