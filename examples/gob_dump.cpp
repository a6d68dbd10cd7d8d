// SPDX-License-Identifier: Apache-2.0
// Prints what a recorded gob stream says, message by message:
//
//   gob_dump stream.gob
//
// A stream says itself which types its values have, so no declaration of them is needed. parlance::gob stands on no other library.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "parlance/codec/gob/dump.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: gob_dump FILE\n";
    return 2;
  }
  std::ifstream file(arguments[1], std::ios::binary);
  if (!file) {
    std::cerr << "gob_dump: " << arguments[1] << " cannot be read\n";
    return 1;
  }
  const std::string stream(std::istreambuf_iterator<char>(file), {});
  std::cout << parlance::gob::dump_text(stream);  // dump_json_lines() says the same for programs
}
