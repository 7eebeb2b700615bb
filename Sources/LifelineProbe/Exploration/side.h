#pragma once
// The operations that points are before, or after.

/// What is about to happen at a point; at EXPLORE_UNLOCK, EXPLORE_WAIT and EXPLORE_SIGNAL it has happened.
enum explore_side {
  EXPLORE_USE,      // a retain, or a reference that gives one
  EXPLORE_END,      // a release, which may be the final one
  EXPLORE_DEINIT,   // its deinit: the final release is over
  EXPLORE_BIRTH,    // it is allocated: its class stands for the object, which does not exist yet
  EXPLORE_LOCK,     // a lock is taken
  EXPLORE_UNLOCK,   // … was released
  EXPLORE_WAIT,     // what the thread waited for has happened
  EXPLORE_SIGNAL,   // a waiting thread was signaled
  EXPLORE_ENQUEUE,  // a block or a task is put on a queue
  EXPLORE_RUN,      // … is taken from it and starts
  EXPLORE_SWITCH,   // a task continues on another executor
};
