#pragma once
// The user's options, from LIFELINE_OPTIONS: `key=value:key=value`, where a backslash escapes ':' and '\'.
#include <stdbool.h>
#include <stdint.h>

#define OPTIONS_PATTERN_LIMIT 32
#define OPTIONS_HOLD_LIMIT 512

typedef struct pattern_list {
  uint32_t count;
  const char *pattern[OPTIONS_PATTERN_LIMIT];  // '*' matches any run of characters
} pattern_list;

/// A place in a schedule: where a thread is held, and at which of its visits.
typedef struct schedule_hold {
  uint32_t key, hit;  // hit 0: each time
} schedule_hold;

typedef struct options {
  const char *output;  // path pattern: %p process ID, %e program name
  const char *examine;  // socket of the `lifeline` that examines the heap when the process ends, or NULL
  unsigned filters;    // system call filters that this `lifeline` runs under itself
  const char *skip;    // folder whose programs are left alone, or NULL
  uint64_t session;
  bool made_session;  // none was given: this process made it, and its forked children inherit it
  uint32_t frames;
  bool force, all_classes, exact_time;
  bool zombies, stop_on_use_after_free;
  bool lives;  // allocations and frees only; retains and releases are not recorded
  uint32_t sample;  // N of "1/N": one object in N is recorded; 0 or 1 for all
  uint64_t quarantine;  // bytes
  uint32_t max_overhead;  // tenths of a percent of the program's own processor time, 0: no limit
  uint64_t keep_size, keep_time;  // bytes or nanoseconds that the trace keeps; both 0: all
  int toggle;  // signal that begins a recording and ends it, 0: none
  bool attached;  // the recording starts in a running process (attach)
  uint32_t age;   // … which has run for this many tenths of a second
  pattern_list only, ignore, guard;
  pattern_list retains;  // classes whose retains and releases are recorded; all when there is none
  bool explores;             // threads are held, or points that could hold them are recorded
  bool explore_learns;       // … the latter
  uint64_t explore;          // seed of a random schedule
  uint64_t explore_budget;   // microseconds that all holds together may take
  uint64_t explore_longest;  // microseconds of one hold of a given schedule
  uint32_t explorer;         // process that explores this one, which must end with it; 0: none
  uint32_t hold_count;       // holds of a given schedule; then there are no others
  schedule_hold holds[OPTIONS_HOLD_LIMIT];
} options;

extern options the_options;  // set when a recording begins; afterwards only explore_begin changes the schedule

/// Forgets the options of an earlier recording.
void options_reset(void);
/// Parses the environment variable; unknown keys are named on stderr once.
void options_read(const char *text);
/// Whether a class name, or its part after the module, matches any of the patterns.
bool options_match(const pattern_list *list, const char *name);
