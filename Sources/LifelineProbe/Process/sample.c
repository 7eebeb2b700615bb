#include "Process/sample.h"

#include "Process/options.h"

uint64_t sample_limit = SAMPLE_ALL;

bool sample_wanted(void) { return the_options.sample > 1 || the_options.max_overhead; }
uint32_t sample_denominator(void) { return (uint32_t)(SAMPLE_ALL / sample_limit); }
void sample_choose(uint32_t denominator) {
  __atomic_store_n(&sample_limit, SAMPLE_ALL / denominator, __ATOMIC_RELAXED);
}
