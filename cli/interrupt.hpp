// Ctrl-C, SIGTERM and SIGHUP as a request: the first one is noted and the work ends in good order, the next
// one kills.
#pragma once

namespace milcci::cli {

/// From here on the three signals are requests. A SIGTERM or SIGHUP that the program was started to ignore,
/// as by nohup, stays ignored.
void catch_interrupts();

/// The signal that asked to stop, or 0.
int interrupting_signal();

}  // namespace milcci::cli
