#pragma once
#define NCURSES_WIDECHAR 1
#include <curses.h>

// Swift imports neither function-like macros nor changing variables.
static inline SCREEN *lifeline_terminal(void) { return newterm(NULL, stdout, stdin); }
static inline WINDOW *lifeline_screen(void) { return stdscr; }
static inline int lifeline_attribute_bold(void) { return (int)A_BOLD; }
static inline int lifeline_attribute_dim(void) { return (int)A_DIM; }
static inline int lifeline_attribute_reverse(void) { return (int)A_REVERSE; }
static inline int lifeline_attribute_color(int pair) { return (int)COLOR_PAIR(pair); }
