#ifndef CALQUE_PATTERN_MATCH_FAR_H
#define CALQUE_PATTERN_MATCH_FAR_H

/* How far a failure is: beyond every structural one of the same search. */
enum { MATCH_FAR = 1 << 30 }; /* more entries than M ever has */

#endif
