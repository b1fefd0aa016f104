#include "graph/compact_sums.h"

struct graph_sums graph_sums(struct graph_put g)
{
    size_t in = 0, attr = 0;

    /*@ loop invariant range: 0 <= i <= g.n;
        loop invariant in:    0 <= in <= i * INT32_MAX && in == all_ins(g, i);
        loop invariant attr:  0 <= attr <= i * INT32_MAX && attr == all_atts(g, i);
        loop assigns i, in, attr;
        loop variant g.n - i;
    */
    for (int i = 0; i < g.n; i++) {
        /*@ assert node: node_in(g, i); */
        in += (size_t)g.node[i].nin;
        attr += (size_t)g.node[i].nattr;
    }
    if (in > GRAPH_ROOM_MAX || attr > GRAPH_ROOM_MAX)
        return (struct graph_sums){ false, 0, 0 };
    return (struct graph_sums){ true, (int)in, (int)attr };
}

/* The node with number c counts as one more. */
/*@ ghost
  /@ requires valid:    valid_graph(g) && ranges_ok(g) && numbers(g, map, order, n) && 0 <= c < n;
     requires read:     \valid_read(map + (0 .. g.n - 1)) && \valid_read(order + (0 .. n - 1));
     terminates \true;
     exits    never:    \false;
     assigns  \nothing;
     ensures  ins:      some_ins(g, map, c + 1, g.n) == some_ins(g, map, c, g.n) + g.node[order[c]].nin;
     ensures  atts:     some_atts(g, map, c + 1, g.n) == some_atts(g, map, c, g.n) + g.node[order[c]].nattr;
  @/
  static void one_more(struct graph_put g, int *map, int *order, int n, int c)
  {
      int at = 0, x = order[c], d = c + 1;
      /@ loop invariant range: 0 <= at <= g.n;
         loop invariant ins:   some_ins(g, map, d, at) == some_ins(g, map, c, at) + (x < at ? g.node[x].nin : 0);
         loop invariant atts:  some_atts(g, map, d, at) == some_atts(g, map, c, at) + (x < at ? g.node[x].nattr : 0);
         loop assigns at;
         loop variant g.n - at;
      @/
      while (at < g.n) {
          /@ assert mine: at == x <==> map[at] == c; @/
          /@ assert both: 0 <= map[at] < d <==> 0 <= map[at] < c || at == x; @/
          at++;
      }
  }
*/

/* What is counted is at most all. */
/*@ ghost
  /@ requires valid:    valid_graph(g) && ranges_ok(g) && \valid_read(map + (0 .. g.n - 1));
     terminates \true;
     exits    never:    \false;
     assigns  \nothing;
     ensures  ins:      0 <= some_ins(g, map, c, g.n) <= all_ins(g, g.n);
     ensures  atts:     0 <= some_atts(g, map, c, g.n) <= all_atts(g, g.n);
     ensures  none:     c == 0 ==> some_ins(g, map, c, g.n) == 0 && some_atts(g, map, c, g.n) == 0;
  @/
  static void at_most(struct graph_put g, int *map, int c)
  {
      int at = 0;
      /@ loop invariant range: 0 <= at <= g.n;
         loop invariant ins:   0 <= some_ins(g, map, c, at) <= all_ins(g, at);
         loop invariant atts:  0 <= some_atts(g, map, c, at) <= all_atts(g, at);
         loop invariant none:  c == 0 ==> some_ins(g, map, c, at) == 0 && some_atts(g, map, c, at) == 0;
         loop assigns at;
         loop variant g.n - at;
      @/
      while (at < g.n) {
          /@ assert node: node_in(g, at); @/
          at++;
      }
  }
*/

/*@ ghost
  void graph_sums_enough(struct graph_put g, int *map, int *order, int n)
  {
      int c = 0;
      at_most(g, map, 0);
      /@ loop invariant range: 0 <= c <= n;
         loop invariant ins:   ins(g, order, c) == some_ins(g, map, c, g.n);
         loop invariant atts:  atts(g, order, c) == some_atts(g, map, c, g.n);
         loop assigns c;
         loop variant n - c;
      @/
      while (c < n) {
          one_more(g, map, order, n, c);
          c++;
      }
      at_most(g, map, n);
  }
*/
