/* What an opaque node says in its bytes: its operator's name and its attributes, as values. */
#ifndef CALQUE_ONNX_OPAQUE_H
#define CALQUE_ONNX_OPAQUE_H

#include "base/text.h"
#include "graph/graph.h"

/* The label under which the operator's name is an attribute: "domain::Type", with "ai.onnx" for the default domain. */
#define OPAQUE_NAME "op_type"

/* Appends the operator's name. */
void opaque_name(struct text *out, const struct graph *g, int node);

/* Attribute `label` (or OPAQUE_NAME) as a new value id in *out; -1: there is none, or it is no number, string or list of these.
   False when memory or a limit is exceeded. */
bool opaque_attr(const struct graph *g, int node, const char *label, int *out);

/* The number of attributes in the bytes; the name of number k as a string id, -1: memory is out. */
int opaque_count(const struct graph *g, int node);
int opaque_label(const struct graph *g, int node, int k);

/* Have both the same name and the same attributes, in whatever order? */
bool opaque_same(const struct graph *g, int a, int b);

/* Appends the bytes of a NodeProto with this name and these attributes, without inputs and outputs: the writer adds them. A label
   of OPAQUE_NAME is passed over. The label of an attribute that ONNX has no form for, else -1. */
int opaque_bytes(struct text *out, const struct graph *g, const char *name, const struct node_attr *attr, int n);

#endif
