/* Evaluation over another copy of the nodes. */
#ifndef CALQUE_ATTR_RUN_H
#define CALQUE_ATTR_RUN_H

#include "attr/attr.h"

/* attr_eval of node a, the nodes read from `node`, as many as t has. */
enum attr_result attr_run_eval(struct attrs *t, const struct attr_node *node, const struct attr_env *env, int a, int *out);

#endif
