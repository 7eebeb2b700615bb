#include "Process/process.h"

process_state *the_process;
void (*process_begin_child)(void);
