#pragma once
// Foreign code between Swift functions: each entry calls back into Swift from an unusual place on the stack.
#ifdef __cplusplus
extern "C" {
#endif
typedef void (*callback)(int);

/// Prints the return addresses that libgcc's unwinder finds, starting at the caller.
void witness(void);
void through_longjmp(callback make, callback inner);
void leave(int value);  // out of `inner`
void through_exceptions(callback make);
void through_coroutines(callback entry, callback make);
void pause_routine(int which);
void through_signal(callback make, int on_alternate_stack);
void through_thread(callback make);
void through_search(callback make);
#ifdef __cplusplus
}
#endif
