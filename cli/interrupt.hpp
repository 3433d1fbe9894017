// Ctrl-C as a request: the first one is noted and the work ends in good order, the second one kills.
#pragma once

namespace milcci::cli {

void catch_interrupts();
bool is_interrupted();

}  // namespace milcci::cli
