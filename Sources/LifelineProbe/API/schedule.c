#include <errno.h>
#include <stddef.h>

#include "Exploration/explore.h"
#include "Hooks/hook.h"
#include "lifeline_probe.h"
#include "Process/options.h"
#include "Process/process.h"

static bool has_hooks;

__attribute__((visibility("default"))) const char *lifeline_explore(uint64_t seed, uint64_t budget) {
  int saved = errno;
  const char *problem = NULL;
  if (!process_recording()) problem = "Nothing is recorded.";
  else if (!has_hooks && the_options.explores) problem = "The process is already being explored.";
  else if (!seed == has_hooks && !hook_explore(seed != 0)) problem = "The kernel forbids this process to change code.";
  if (!problem) {
    has_hooks = seed != 0;
    explore_begin(seed, budget);
  }
  errno = saved;
  return problem;
}
