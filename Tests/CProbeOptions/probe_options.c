#include "probe_options.h"

#include "../../Sources/LifelineProbe/Process/options.c"

// Discards the probe's messages.
void notice_say(const char *format, ...) { (void)format; }
void notice_set_quiet(bool on) { (void)on; }

void probe_options_read(const char *text) {
  options_reset();
  options_read(text);
  const pattern_list *lists[] = {&the_options.only, &the_options.ignore, &the_options.guard, &the_options.retains};
  for (unsigned i = 0; i < sizeof lists / sizeof *lists; i++) options_match(lists[i], "App.Session<Swift.Int>");
}
