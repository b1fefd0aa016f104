/* A graph begins. */
#include "graph/graph.h"

/*@ requires valid:    \valid(g);
    terminates \true;
    exits    never:    \false;
    assigns  *g;
    ensures  shared:   g->mem == mem && g->strs == strs && g->values == values;
    ensures  names:    g->name == -1 && g->rules == -1 && g->class == -1 && g->opset == 17;
    ensures  nodes:    g->node.a == \null && g->node.n == 0 && g->node.cap == 0;
    ensures  inputs:   g->in.a == \null && g->in.n == 0 && g->in.cap == 0;
    ensures  attrs:    g->attr.a == \null && g->attr.n == 0 && g->attr.cap == 0;
    ensures  data:     g->tensor.a == \null && g->tensor.n == 0 && g->tensor.cap == 0 && g->raw.a == \null && g->raw.n == 0 &&
                       g->raw.cap == 0;
    ensures  ends:     g->input.a == \null && g->input.n == 0 && g->input.cap == 0 && g->output.a == \null &&
                       g->output.n == 0 && g->output.cap == 0;
    ensures  model:    g->model.a == \null && g->model.n == 0;
*/
void graph_init(struct graph *g, struct mem *mem, struct strs *strs, struct values *values)
{
    g->mem = mem;
    g->strs = strs;
    g->values = values;
    g->name = g->rules = g->class = -1;
    g->opset = 17;
    g->node.a = NULL;
    g->node.n = g->node.cap = 0;
    g->in.a = NULL;
    g->in.n = g->in.cap = 0;
    g->attr.a = NULL;
    g->attr.n = g->attr.cap = 0;
    g->tensor.a = NULL;
    g->tensor.n = g->tensor.cap = 0;
    g->raw.a = NULL;
    g->raw.n = g->raw.cap = 0;
    g->input.a = NULL;
    g->input.n = g->input.cap = 0;
    g->output.a = NULL;
    g->output.n = g->output.cap = 0;
    g->model.a = NULL;
    g->model.n = 0;
}
