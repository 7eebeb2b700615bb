// The version of Lifeline: the only place that names it.
#ifndef LIFELINE_VERSION_H
#define LIFELINE_VERSION_H

#define LIFELINE_RELEASE "1.0.0"

#endif
