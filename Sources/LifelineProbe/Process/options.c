#include "Process/options.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "Process/notice.h"

#define DEFAULTS \
  {.output = "%e.%p.lifeline", .frames = 64, .quarantine = 64u << 20, .explore_budget = 100000, \
   .explore_longest = 20000}

options the_options = DEFAULTS;

void options_reset(void) { the_options = (options)DEFAULTS; }

static char storage[16384];  // the unescaped text; the pointers in the_options lead here

static bool flag(const char *key, const char *text) {
  bool yes = !strcmp(text, "1");
  if (!yes && strcmp(text, "0"))
    notice_say("the value '%s' of %s in LIFELINE_OPTIONS is neither 1 nor 0 and was ignored", text, key);
  return yes;
}

static uint64_t number(const char *key, const char *text, int base, uint64_t lowest, uint64_t highest,
                       uint64_t otherwise) {
  char *end = NULL;
  unsigned long long value = strtoull(text, &end, base);
  if (end == text || *end || value < lowest || value > highest) {
    notice_say("the value '%s' of %s in LIFELINE_OPTIONS is invalid and was ignored", text, key);
    return otherwise;
  }
  return value;
}

static void add(pattern_list *list, const char *pattern) {
  if (list->count < OPTIONS_PATTERN_LIMIT) list->pattern[list->count++] = pattern;
  else notice_say("more than 32 class patterns; '%s' was ignored", pattern);
}

static bool is_lives(const char *depth) {
  bool lives = !strcmp(depth, "lives");
  if (!lives && strcmp(depth, "full"))
    notice_say("the depth '%s' in LIFELINE_OPTIONS is neither lives nor full; using full", depth);
  return lives;
}

static uint32_t sample(const char *fraction) {
  if (!strncmp(fraction, "1/", 2)) return (uint32_t)number("sample", fraction + 2, 10, 1, 1 << 20, 0);
  notice_say("the sample '%s' in LIFELINE_OPTIONS is not 1/N; recording all objects", fraction);
  return 0;
}

/// "5%" or "2.5%", in tenths.
static uint32_t tenths(const char *value) {
  char *rest;
  uint64_t whole = strtoull(value, &rest, 10), tenth = 0;
  bool good = rest != value && whole <= 100;
  if (good && *rest == '.' && rest[1] >= '0' && rest[1] <= '9') { tenth = (uint64_t)(rest[1] - '0'); rest += 2; }
  if (good && whole * 10 + tenth > 0 && whole * 10 + tenth <= 1000 && !strcmp(rest, "%"))
    return (uint32_t)(whole * 10 + tenth);
  notice_say("the value '%s' of max-overhead in LIFELINE_OPTIONS is not a percentage from 0.1%% to 100%% "
             "and was ignored", value);
  return 0;
}

/// "256MiB" or "60s": how much of the trace is kept; the rest is discarded.
static void set_keep(options *o, const char *value) {
  static const struct { const char *unit; uint64_t size, time; } units[] = {
      {"", 1, 0}, {"KiB", 1ull << 10, 0}, {"MiB", 1ull << 20, 0}, {"GiB", 1ull << 30, 0},
      {"s", 0, 1000000000}, {"m", 0, 60000000000}, {"h", 0, 3600000000000},
  };
  const uint64_t LEAST = 2 << 20, MOST = 1ull << 38;
  char *unit;
  uint64_t number = strtoull(value, &unit, 10);
  for (unsigned i = 0; i < sizeof units / sizeof *units && unit != value; i++) {
    if (strcmp(unit, units[i].unit)) continue;
    uint64_t size, time;
    if (__builtin_mul_overflow(number, units[i].size, &size) || __builtin_mul_overflow(number, units[i].time, &time))
      break;
    if (units[i].size ? size < LEAST || size > MOST : !time) break;
    o->keep_size = size;
    o->keep_time = time;
    return;
  }
  notice_say("the value '%s' of keep in LIFELINE_OPTIONS is invalid and was ignored: "
             "it takes 2MiB to 256GiB, or a time such as 60s", value);
}

static int signal_named(const char *name) {
  int number = !strcmp(name, "USR1") ? SIGUSR1 : !strcmp(name, "USR2") ? SIGUSR2 : 0;
  if (!number)
    notice_say("the signal '%s' of toggle in LIFELINE_OPTIONS is neither USR1 nor USR2; recording from the start",
               name);
  return number;
}

/// "learn", or the seed of a random schedule.
static void set_explore(options *o, const char *value) {
  o->explore_learns = !strcmp(value, "learn");
  o->explore = o->explore_learns ? 0 : number("explore", value, 10, 0, UINT64_MAX, 0);
  o->explores = true;
}

/// "1234.1,77.0": site and hit of each.
static void set_holds(options *o, const char *text) {
  o->explores = true;
  while (*text && o->hold_count < OPTIONS_HOLD_LIMIT) {
    char *end;
    schedule_hold hold = {.key = (uint32_t)strtoul(text, &end, 10)};
    if (end == text || *end != '.') break;
    hold.hit = (uint32_t)strtoul(text = end + 1, &end, 10);
    if (end == text) break;
    o->holds[o->hold_count++] = hold;
    text = *end == ',' ? end + 1 : end;
  }
  if (*text) notice_say("the holds '%s' in LIFELINE_OPTIONS are invalid and were ignored", text);
}

static void set(const char *key, const char *value) {
  options *o = &the_options;
  if (!strcmp(key, "output")) o->output = value;
  else if (!strcmp(key, "skip")) o->skip = value;
  else if (!strcmp(key, "examine")) o->examine = value;
  else if (!strcmp(key, "filters")) o->filters = (unsigned)number(key, value, 10, 1, 1 << 20, 0);
  else if (!strcmp(key, "force")) o->force = flag(key, value);
  else if (!strcmp(key, "only")) add(&o->only, value);
  else if (!strcmp(key, "ignore")) add(&o->ignore, value);
  else if (!strcmp(key, "guard")) add(&o->guard, value);
  else if (!strcmp(key, "retains")) add(&o->retains, value);
  else if (!strcmp(key, "all-classes")) o->all_classes = flag(key, value);
  else if (!strcmp(key, "frames")) o->frames = (uint32_t)number(key, value, 10, 1, 1024, o->frames);
  else if (!strcmp(key, "time")) o->exact_time = !strcmp(value, "exact");
  else if (!strcmp(key, "depth")) o->lives = is_lives(value);
  else if (!strcmp(key, "sample")) o->sample = sample(value);
  else if (!strcmp(key, "keep")) set_keep(o, value);
  else if (!strcmp(key, "max-overhead")) o->max_overhead = tenths(value);
  else if (!strcmp(key, "zombies")) o->zombies = flag(key, value);
  else if (!strcmp(key, "quarantine")) o->quarantine = number(key, value, 10, 4096, 1ull << 40, o->quarantine);
  else if (!strcmp(key, "on-use-after-free")) o->stop_on_use_after_free = !strcmp(value, "stop");
  else if (!strcmp(key, "explore")) set_explore(o, value);
  else if (!strcmp(key, "explore-budget")) o->explore_budget = number(key, value, 10, 0, 3600000000, o->explore_budget);
  else if (!strcmp(key, "explore-longest"))
    o->explore_longest = number(key, value, 10, 1, 3600000000, o->explore_longest);
  else if (!strcmp(key, "explorer")) o->explorer = (uint32_t)number(key, value, 10, 0, INT32_MAX, 0);
  else if (!strcmp(key, "holds")) set_holds(o, value);
  else if (!strcmp(key, "session")) o->session = number(key, value, 16, 0, UINT64_MAX, 0);
  else if (!strcmp(key, "quiet")) notice_set_quiet(flag(key, value));
  else if (!strcmp(key, "toggle")) o->toggle = signal_named(value);
  else if (strcmp(key, "launcher"))
    notice_say("the key '%s' in LIFELINE_OPTIONS is unknown and was ignored", key);
}

void options_read(const char *text) {
  if (!text) return;
  if (strlen(text) >= sizeof storage) {
    notice_say("LIFELINE_OPTIONS is longer than 16383 bytes and was ignored");
    return;
  }
  char *out = storage;
  while (*text) {
    char *key = out, *value = NULL;
    for (; *text && *text != ':'; text++) {
      if (*text == '\\' && text[1]) *out++ = *++text;
      else if (*text == '=' && !value) { *out++ = 0; value = out; }
      else *out++ = *text;
    }
    *out++ = 0;
    if (*text == ':') text++;
    if (*key) set(key, value ? value : "1");
  }
  if ((the_options.sample > 1 || the_options.max_overhead) && the_options.guard.count) {
    notice_say("guard pages are off: with a sample, most objects would have none");
    the_options.guard.count = 0;
  }
}

static bool matches(const char *pattern, const char *name) {
  const char *star = NULL, *resume = NULL;
  while (*name) {
    if (*pattern == '*') { star = ++pattern; resume = name; }
    else if (*pattern == *name) { pattern++; name++; }
    else if (star) { pattern = star; name = ++resume; }
    else return false;
  }
  while (*pattern == '*') pattern++;
  return !*pattern;
}

bool options_match(const pattern_list *list, const char *name) {
  const char *dot = strchr(name, '.');
  for (uint32_t i = 0; i < list->count; i++)
    if (matches(list->pattern[i], name) || (dot && matches(list->pattern[i], dot + 1))) return true;
  return false;
}
