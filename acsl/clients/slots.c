/* Lists of slots, as printing reads them. Guards: print.acsl (Slots). */
#include "attr/print.h"

/*@ requires valid: \valid(a + (0 .. 2)); */
void client_slots(struct attr_slot *a)
{
    a[2].label = 7;
    /*@ assert same:  same_slots{Pre,Here}(a, 2); */
    /*@ assert list:  slots_of(a, 2) == slots_of{Pre}(a, 2); */
    /*@ assert entry: slot_label(slots_of(a, 3), 2) == 7 && slot_pattern(slots_of(a, 2), 1) == a[1].pattern; */
    /*@ assert BOOM: \false; */
}
