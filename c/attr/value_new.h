/* The contracts of the constructors of values. */
#ifndef CALQUE_ATTR_VALUE_NEW_H
#define CALQUE_ATTR_VALUE_NEW_H

#include "attr/value_room.h"

/*@ VALUE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    VALUE_IS_NEXT
    ensures  value:    \result >= 0 ==> v_kind(MADE) == VALUE_NONE;
*/
int value_none(struct values *vs);

/*@ VALUE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    VALUE_IS_NEXT
    ensures  value:    \result >= 0 ==> v_kind(MADE) == VALUE_BOOL && v_num(MADE) == (b ? 1 : 0);
*/
int value_bool(struct values *vs, bool b);

/*@ VALUE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    VALUE_IS_NEXT
    ensures  value:    \result >= 0 ==> MADE == int_value(z);
*/
int value_int(struct values *vs, long z);

/*@ VALUE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    VALUE_IS_NEXT
    ensures  value:    \result >= 0 ==> v_kind(MADE) == VALUE_FLOAT && float_bits(x, v_num(MADE));
*/
int value_float(struct values *vs, double x);

/*@ VALUE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    VALUE_IS_NEXT
    ensures  value:    \result >= 0 ==> v_kind(MADE) == VALUE_FLOAT && v_num(MADE) == bits;
*/
int value_float_bits(struct values *vs, long bits);

/*@ VALUE_REQUIRES
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    ensures  id:       str_id < 0 ==> \result == -1;
    ensures  room:     0 <= str_id ==> \old(has_room(vs, 1, 0)) ==> \result >= 0;
    ensures  next:     \result >= 0 ==> one_value{Pre,Post}(vs, \result);
    ensures  value:    \result >= 0 ==> v_kind(MADE) == VALUE_STR && v_num(MADE) == str_id;
*/
int value_str(struct values *vs, int str_id);

/*@ VALUE_REQUIRES
    requires elems:    \valid_read(elems + (0 .. n - 1)) && apart_ids(vs, elems, n);
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    VALUE_HAS_ELEMS
*/
int value_tuple(struct values *vs, const int *elems, int n);

/*@ VALUE_REQUIRES
    requires nums:     \valid_read(x + (0 .. n - 1)) && apart_nums(vs, x, n);
    terminates \true;
    exits    never:    \false;
    assigns  *vs, *vs->mem, { *p | struct value *p; \true }, { *q | int *q; \true };
    VALUE_KEEPS
    VALUE_HAS_INTS
*/
int value_ints(struct values *vs, const long *x, int n);

#endif
