// SPDX-License-Identifier: Apache-2.0
// Vectors as JSON. Hand-written instead of a wire table: the table's numbers are doubles with twice the digits, and a batch is
// megabytes of numbers. Values; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/memory/embedder.h"

namespace parlance::server {

// [0.25,-0.5,…]: the shortest digits for the same float.
void write_vector(std::string& out, std::span<const float> vector);
// The floats' bytes, little-endian, in base64: the form requested by OpenAI's own clients.
std::string to_base64(std::span<const float> vector);

// A JSON value of the member "embedding": a list of numbers, such a text, or a list of lists.
//
// llama.cpp without pooling returns a row for each token; their mean is the text's vector. Errors: failed.
Result<memory::Vector> read_vector(std::string_view json);

// To length 1; all zeros stay so. False when a component is no finite number.
bool normalize(memory::Vector& vector);

}  // namespace parlance::server
