// SPDX-License-Identifier: Apache-2.0
// Vectors as JSON. By hand and not by a wire table: the table's numbers are doubles, in which a float takes twice as many digits,
// and a batch is megabytes of numbers. Values; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/memory/embedder.h"

namespace parlance::server {

// [0.25,-0.5,…]: the shortest digits that read back as the same float.
void write_vector(std::string& out, std::span<const float> vector);
// The floats' bytes, little-endian, in base64: what OpenAI's own clients ask for.
std::string to_base64(std::span<const float> vector);

// A JSON value that services call "embedding": a list of numbers, such a text, or a list of lists (llama.cpp has one row a token when
// its model pools nothing; the mean of the rows is the text's vector). Errors: failed.
Result<memory::Vector> read_vector(std::string_view json);

// To length 1; all zeros stay so. False when a component is no finite number.
bool normalize(memory::Vector& vector);

}  // namespace parlance::server
