/* Names, given back twice. Guards: names.c. */
#include "graph/names.c"

/*@ requires names: \valid(ns); */
void client_names(struct names *ns)
{
    names_free(ns);
    names_free(ns);
    /*@ assert free: ns->used == \null; */
    /*@ assert BOOM: \false; */
}
