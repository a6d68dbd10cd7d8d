// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/embed/vector_json.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/server/embed/limits.h"

namespace parlance::server {
namespace {

using memory::Vector;

std::string text_of(const Vector& vector) {
  std::string out;
  write_vector(out, vector);
  return out;
}

TEST(VectorJson, EveryFloatComesBackAsItWas) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> numbers(-1, 1);
  Vector vector{0, -0.0F, 1, -1, 0.1F, 1e-8F, std::numeric_limits<float>::min(), std::numeric_limits<float>::max(), 1e20F, 3e7F};
  for (int i = 0; i < 1'000; ++i) vector.push_back(numbers(random));
  const std::string json = text_of(vector);
  EXPECT_TRUE(json::is_valid(json));
  const auto back = read_vector(json);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, vector);
  EXPECT_EQ(read_vector('"' + to_base64(vector) + '"').value(), vector);
}

TEST(VectorJson, ItTakesTheFewestDigits) {
  EXPECT_EQ(text_of({0.1F, -0.5F, 2}), "[0.1,-0.5,2]");
  EXPECT_EQ(text_of({}), "[]");
  EXPECT_EQ(text_of({std::numeric_limits<float>::quiet_NaN()}), "[0]");
}

TEST(VectorJson, Base64IsThatOfOpenAi) { EXPECT_EQ(to_base64(Vector{1, -2}), "AACAPwAAAMA="); }

TEST(VectorJson, RowsOfTokensBecomeTheirMean) {
  EXPECT_EQ(read_vector("[[1,2],[3,6]]").value(), (Vector{2, 4}));
  EXPECT_EQ(read_vector(" [ [ 1 , 2 ] ]").value(), (Vector{1, 2}));
  EXPECT_EQ(read_vector("[ 1.5e-1 , 2 ]").value(), (Vector{0.15F, 2}));
}

TEST(VectorJson, AnInvalidVectorIsAnError) {
  for (const char* json : {"[1,null]", "[1,\"2\"]", "[[1],[1,2]]", "[[1],2]", "{}", "3", "null", "true", "\"AAA\"",
                           "\"AACAPw==AA\"", "\"AAAA\"", "[[1],[null]]"}) {
    const auto vector = read_vector(json);
    EXPECT_FALSE(vector) << json;
  }
  EXPECT_FALSE(read_vector(text_of(Vector(limits::embed_dimension + 1, 0.5F))));
}

TEST(VectorJson, NormalizingMakesLengthOne) {
  Vector vector{3, 4};
  EXPECT_TRUE(normalize(vector));
  EXPECT_FLOAT_EQ(vector[0], 0.6F);
  EXPECT_FLOAT_EQ(vector[1], 0.8F);
  Vector zeros{0, 0};
  EXPECT_TRUE(normalize(zeros));
  EXPECT_EQ(zeros, (Vector{0, 0}));
  Vector large{1e30F, 1e30F};
  EXPECT_TRUE(normalize(large));
  EXPECT_FLOAT_EQ(large[0], std::sqrt(0.5F));
  Vector infinite{std::numeric_limits<float>::infinity(), 1};
  EXPECT_FALSE(normalize(infinite));
}

}  // namespace
}  // namespace parlance::server
