/* The loops around a statement's cell: one function for each loop, whose `assigns` is the footprint of one iteration of the
   loop around it. The specification speaks of flat places o: a row of the output is an interval of them. */
#include "emit/contract_internal.h"
#include "emit/minic.h"

static const struct acsl_stmt *stmt(const struct acsl_printer *q)
{
    return &q->c->stmt.a[q->stmt];
}

static int extent(const struct acsl_printer *q, int d)
{
    return q->c->var.a[stmt(q)->var[d]].extent;
}

/* The first d output variables as one number. */
static int row(struct acsl_printer *q, int d)
{
    int at = ax_num(q->c, 0), rows = ax_num(q->c, 1);

    for (int i = 0; i < d; i++) {
        at = ax_join(q->c, at, ax_var(q->c, stmt(q)->var[i]), rows, extent(q, i));
        rows = ax_two(q->c, AX_MUL, rows, extent(q, i));
    }
    return at;
}

/* Product of the extents from d on, or of those before it. */
static int inner(struct acsl_printer *q, int d)
{
    int n = ax_num(q->c, 1);

    for (int i = d; i < stmt(q)->nvar; i++)
        n = ax_two(q->c, AX_MUL, n, extent(q, i));
    return n;
}

static int outer(struct acsl_printer *q, int d)
{
    int n = ax_num(q->c, 1);

    for (int i = 0; i < d; i++)
        n = ax_two(q->c, AX_MUL, n, extent(q, i));
    return n;
}

static int start(struct acsl_printer *q, int d)
{
    return ax_two(q->c, AX_MUL, row(q, d), inner(q, d));
}

static const char *out_name(const struct acsl_printer *q)
{
    return q->c->tensor.a[stmt(q)->out].name;
}

/* start .. start + n - 1 */
static void interval(struct acsl_printer *q, int d)
{
    int from = start(q, d);

    acsl_ax(q, from, 1);
    text_puts(q->t, " .. ");
    acsl_ax(q, ax_two(q->c, AX_ADD, from, ax_two(q->c, AX_SUB, inner(q, d), ax_num(q->c, 1))), 1);
}

void acsl_require_sizes(struct acsl_printer *q)
{
    bool any = false;

    text_puts(q->t, "/*@\n");
    if (!acsl_is_symbolic(q->c))
        return;
    text_puts(q->t, "    requires sizes: $_sizes(");
    acsl_sizes(q, &any, "");
    text_puts(q->t, ");\n");
}

void acsl_require_var(struct acsl_printer *q, int var)
{
    text_puts(q->t, "    requires bounds: 0 <= ");
    acsl_ax(q, ax_var(q->c, var), 0);
    text_puts(q->t, " < ");
    acsl_ax(q, q->c->var.a[var].extent, 1);
    text_puts(q->t, ";\n");
}

/* Output variable d, in the part. */
static void require_part(struct acsl_printer *q, int d)
{
    if (!q->part.cut[d]) {
        acsl_require_var(q, stmt(q)->var[d]);
        return;
    }
    text_printf(q->t, "    requires bounds: %ld <= ", q->part.lo[d]);
    acsl_ax(q, ax_var(q->c, stmt(q)->var[d]), 0);
    text_printf(q->t, " < %ld;\n", q->part.hi[d]);
}

static void part_name(struct acsl_printer *q)
{
    if (q->part.id > 0)
        text_printf(q->t, "_p%d", q->part.id);
}

/* P_at(.., o) or P_cell(.., i0, ..), up to its indices; were there any arguments? */
static bool cell_term(struct acsl_printer *q, const char *part, int mode)
{
    struct acsl_printer own = *q;
    bool any = false;

    own.mode = mode;
    acsl_part(q);
    text_printf(q->t, "_%s", part);
    if (mode == ACSL_CODE)
        part_name(q);
    text_puts(q->t, "(");
    acsl_sizes(&own, &any, "");
    acsl_vectors(&own, &any, stmt(q)->body, ACSL_ARGUMENT);
    return any;
}

static void typed(struct acsl_printer *q, bool *any)
{
    acsl_sizes(q, any, "integer ");
    acsl_vectors(q, any, stmt(q)->body, ACSL_SEQUENCE);
}

/* i0, i1, .. with a type or without. A logic function of a scalar has a parameter that says nothing: there may be no other. */
static void variables(struct acsl_printer *q, bool *any, int n, const char *type)
{
    if (n == 0 && q->mode != ACSL_CODE) {
        acsl_comma(q, any);
        text_puts(q->t, *type ? "integer none" : "0");
    }
    for (int i = 0; i < n; i++) {
        acsl_comma(q, any);
        text_puts(q->t, type);
        acsl_ax(q, ax_var(q->c, stmt(q)->var[i]), 0);
    }
}

/* After the text of a flat place: its coordinate d. */
static void coordinate(struct acsl_printer *q, int d)
{
    for (int i = stmt(q)->nvar - 1; i > d; i--) {
        text_puts(q->t, " / ");
        acsl_ax(q, extent(q, i), 3);
    }
    if (d > 0) {
        text_puts(q->t, " % ");
        acsl_ax(q, extent(q, d), 3);
    }
}

/* The value of the cell at flat place o. */
static void at_logic(struct acsl_printer *q)
{
    bool any = false;

    text_printf(q->t, "    logic %s ", acsl_type(acsl_result(q)));
    acsl_part(q);
    text_puts(q->t, "_at(");
    typed(q, &any);
    text_printf(q->t, "%sinteger o) = ", any ? ", " : "");
    any = false;
    acsl_part(q);
    text_puts(q->t, "_cell(");
    acsl_sizes(q, &any, "");
    acsl_vectors(q, &any, stmt(q)->body, ACSL_ARGUMENT);
    for (int d = 0; d < stmt(q)->nvar; d++) {
        acsl_comma(q, &any);
        text_puts(q->t, "o");
        coordinate(q, d);
    }
    if (stmt(q)->nvar == 0)
        text_puts(q->t, any ? ", 0" : "0");
    text_puts(q->t, ");\n");
}

/* Two iterations of the outermost loop write different places: o is in the row of r1, so not in that of r2. */
static void row_of(struct acsl_printer *q, int v, int n)
{
    text_printf(q->t, "r%d * ", v);
    acsl_ax(q, n, 3);
    text_printf(q->t, " <= o < r%d * ", v);
    acsl_ax(q, n, 3);
    text_puts(q->t, " + ");
    acsl_ax(q, n, 1);
}

static void apart(struct acsl_printer *q, int n, const char *then)
{
    for (int k = 1; k <= 2; k++) {
        text_printf(q->t, "0 <= r%d < ", k);
        acsl_ax(q, extent(q, 0), 1);
        text_puts(q->t, " && ");
    }
    text_puts(q->t, "r1 != r2 && ");
    row_of(q, 1, n);
    text_printf(q->t, "%s!(", then);
    row_of(q, 2, n);
    text_puts(q->t, ");\n");
}

static void disjoint_logic(struct acsl_printer *q)
{
    text_puts(q->t, "    lemma ");
    acsl_part(q);
    text_puts(q->t, "_disjoint: \\forall integer r1, r2, o;\n        ");
    apart(q, inner(q, 1), " ==> ");
}

/* The same for sizes that are no numbers, by a lemma that is not linear. */
static void disjoint_code(struct acsl_printer *q)
{
    int n = inner(q, 1);
    bool any = false;

    q->mode = ACSL_HERE;
    text_puts(q->t, "/*@ ghost\n  /@ requires sizes: $_sizes(");
    acsl_sizes(q, &any, "");
    text_puts(q->t, ");\n     requires bounds: ");
    apart(q, n, ";\n     terminates \\true; exits \\false; assigns \\nothing;\n     ensures disjoint: ");
    text_puts(q->t, "  @/\n  void ");
    acsl_part(q);
    text_puts(q->t, "_disjoint(");
    any = false;
    acsl_sizes(q, &any, "long ");
    text_puts(q->t, ", long r1, long r2, long o)\n  {\n    lemma_apart(r1, r2, ");
    acsl_ax(q, n, 0);
    text_puts(q->t, ", o);\n  }\n*/\n\n");
}

void acsl_nest_logic(struct acsl_printer *q)
{
    bool any = false;

    q->mode = ACSL_LOGIC;
    q->fold = -1;
    acsl_fold_logic(q, stmt(q)->body);
    text_printf(q->t, "    logic %s ", acsl_type(acsl_result(q)));
    acsl_part(q);
    text_puts(q->t, "_cell(");
    typed(q, &any);
    variables(q, &any, stmt(q)->nvar, "integer ");
    text_puts(q->t, ") =\n        ");
    acsl_ac(q, stmt(q)->body, 0);
    text_puts(q->t, ";\n");
    at_logic(q);
    if (stmt(q)->nvar > 0 && !acsl_is_symbolic(q->c))
        disjoint_logic(q);
}

static void cell_code(struct acsl_printer *q)
{
    bool any = false;

    q->mode = ACSL_HERE;
    acsl_require_sizes(q);
    for (int d = 0; d < stmt(q)->nvar; d++)
        require_part(q, d);
    acsl_valid(q, stmt(q)->body);
    text_printf(q->t, "    terminates \\true; exits \\false;\n    assigns \\nothing;\n    ensures value: same_%s(\\result, ",
                acsl_suffix(acsl_result(q)));
    any = cell_term(q, "cell", ACSL_HERE);
    variables(q, &any, stmt(q)->nvar, "");
    text_printf(q->t, "));\n*/\nstatic inline %s ", print_elem(acsl_result(q)));
    any = false;
    q->mode = ACSL_CODE;
    acsl_part(q);
    text_puts(q->t, "_cell");
    part_name(q);
    text_puts(q->t, "(");
    acsl_sizes(q, &any, "long ");
    acsl_vectors(q, &any, stmt(q)->body, ACSL_ARRAY);
    variables(q, &any, stmt(q)->nvar, "long ");
    text_puts(q->t, any ? ")\n{\n" : "void)\n{\n");
    acsl_unused(q);
    for (int t = 0; t < q->c->tensor.n; t++)
        if (acsl_loads(q->c, stmt(q)->body, t) && !acsl_part_loads(q, stmt(q)->body, t))
            text_printf(q->t, "    (void)%s;\n", q->c->tensor.a[t].name);
    for (int i = 0; i < stmt(q)->nvar; i++)
        if (!acsl_part_uses(q, stmt(q)->body, stmt(q)->var[i]))
            acsl_void(q, stmt(q)->var[i]);
    text_puts(q->t, "    return ");
    acsl_ac(q, stmt(q)->body, 0);
    text_puts(q->t, ";\n}\n\n");
}

/* Every cell of out from the one place to the other is the statement's. */
static void value(struct acsl_printer *q, int from, int to)
{
    text_puts(q->t, "\\forall integer o; ");
    acsl_ax(q, from, 1);
    text_puts(q->t, " <= o < ");
    acsl_ax(q, to, 1);
    text_printf(q->t, " ==>\n        same_%s(%s[o], ", acsl_suffix(acsl_result(q)), out_name(q));
    text_puts(q->t, cell_term(q, "at", q->pre ? ACSL_HERE : ACSL_PRE) ? ", o))" : "o))");
}

static void separated(struct acsl_printer *q, int d)
{
    for (int t = 0; t < q->c->tensor.n; t++)
        if (acsl_loads(q->c, stmt(q)->body, t)) {
            text_printf(q->t, "    requires separated: \\separated(%s + (0 .. ", q->c->tensor.a[t].name);
            acsl_ax(q, ax_two(q->c, AX_SUB, q->c->tensor.a[t].cells, ax_num(q->c, 1)), 0);
            text_printf(q->t, "), %s + (", out_name(q));
            interval(q, d);
            text_puts(q->t, "));\n");
        }
}

/* The contract of the function that computes the cells whose first d variables are given. */
static void nest_contract(struct acsl_printer *q, int d)
{
    q->mode = ACSL_HERE;
    acsl_require_sizes(q);
    for (int i = 0; i < d; i++)
        require_part(q, i);
    acsl_valid(q, stmt(q)->body);
    text_printf(q->t, "    requires valid: \\valid(%s + (", out_name(q));
    interval(q, d);
    text_puts(q->t, "));\n");
    separated(q, d);
    text_printf(q->t, "    terminates \\true; exits \\false;\n    assigns %s[", out_name(q));
    interval(q, d);
    text_puts(q->t, "];\n    ensures value: ");
    value(q, start(q, d), ax_two(q->c, AX_ADD, start(q, d), inner(q, d)));
    text_puts(q->t, ";\n*/\n");
}

/* Tensors of the statement's functions, in order: those it reads and its output. */
static void tensors(struct acsl_printer *q, bool *any, bool typed_, const char *restrict_)
{
    for (int t = 0; t < q->c->tensor.n; t++) {
        bool out = t == stmt(q)->out;
        if (!out && !acsl_loads(q->c, stmt(q)->body, t))
            continue;
        acsl_comma(q, any);
        if (typed_)
            text_printf(q->t, "%s%s *%s", out ? "" : "const ", print_elem(q->c->tensor.a[t].elem), restrict_);
        text_puts(q->t, q->c->tensor.a[t].name);
    }
}

static void nest_name(struct acsl_printer *q, int d)
{
    acsl_part(q);
    if (d > 0)
        text_printf(q->t, "_l%d", d);
    part_name(q);
    text_puts(q->t, "(");
}

static void put_lemma(struct acsl_printer *q, int at, const char *name, int a, int b, int n, int m)
{
    text_printf(q->t, at > 4 ? "%*s/*@ ghost %s(" : "%*s%s(", at, "", name);
    acsl_ax(q, a, 0);
    for (int i = 0; i < 3; i++) {
        int x = i == 0 ? b : i == 1 ? n : m;
        if (x < 0)
            continue;
        text_puts(q->t, ", ");
        acsl_ax(q, x, 0);
    }
    text_puts(q->t, at > 4 ? "); */\n" : ");\n");
}

/* A ghost function that says of which variables a place has been made. */
static void place_code(struct acsl_printer *q)
{
    int n = stmt(q)->nvar;
    bool any = false;

    q->out->used.lemmas = true;
    q->mode = ACSL_HERE;
    text_puts(q->t, "/*@ ghost\n  /@ requires bounds: \\true");
    for (int d = 0; d < n; d++) {
        text_puts(q->t, " && 0 <= ");
        acsl_ax(q, ax_var(q->c, stmt(q)->var[d]), 1);
        text_puts(q->t, " < ");
        acsl_ax(q, extent(q, d), 1);
    }
    if (acsl_is_symbolic(q->c)) {
        text_puts(q->t, ";\n     requires sizes: $_sizes(");
        acsl_sizes(q, &any, "");
        text_puts(q->t, ")");
    }
    text_puts(q->t, ";\n     terminates \\true; exits \\false; assigns \\nothing;\n");
    for (int d = 0; d < n; d++) {
        text_puts(q->t, "     ensures place: (");
        acsl_ax(q, row(q, n), 0);
        text_puts(q->t, ")");
        coordinate(q, d);
        text_puts(q->t, " == ");
        acsl_ax(q, ax_var(q->c, stmt(q)->var[d]), 1);
        text_puts(q->t, ";\n");
    }
    text_puts(q->t, "  @/\n  void ");
    acsl_part(q);
    text_puts(q->t, "_place(");
    any = false;
    acsl_sizes(q, &any, "long ");
    variables(q, &any, n, "long ");
    text_puts(q->t, ")\n  {\n");
    for (int i = 1; i < n; i++) {
        put_lemma(q, 4, "lemma_index", row(q, i), ax_var(q->c, stmt(q)->var[i]), outer(q, i), extent(q, i));
        put_lemma(q, 4, "lemma_div", row(q, i), ax_var(q->c, stmt(q)->var[i]), -1, extent(q, i));
    }
    text_puts(q->t, "  }\n*/\n\n");
}

/* What one step of the loop over variable d does: the function of the next loop, or the cell itself. */
static void nest_step(struct acsl_printer *q, int d)
{
    bool store = d + 1 >= stmt(q)->nvar && d > 0, any = false;

    if (acsl_is_symbolic(q->c) && !store)
        put_lemma(q, 8, "lemma_row", ax_var(q->c, stmt(q)->var[d]), -1, extent(q, d), inner(q, d + 1));
    if (store) {
        text_puts(q->t, "        /*@ ghost ");
        acsl_part(q);
        text_puts(q->t, "_place(");
        acsl_sizes(q, &any, "");
        variables(q, &any, d + 1, "");
        text_puts(q->t, "); */\n");
    }
    any = false;
    q->mode = ACSL_CODE;
    text_puts(q->t, "        ");
    if (store) {
        text_printf(q->t, "%s[", out_name(q));
        acsl_ax(q, row(q, d + 1), 0);
        text_puts(q->t, "] = ");
        any = cell_term(q, "cell", ACSL_CODE);
        variables(q, &any, d + 1, "");
        text_puts(q->t, ");\n");
    } else {
        nest_name(q, d + 1);
        acsl_sizes(q, &any, "");
        tensors(q, &any, false, "");
        variables(q, &any, d + 1, "");
        text_puts(q->t, ");\n");
    }
    q->mode = ACSL_HERE;
}

static void invariants(struct acsl_printer *q, int d, int n)
{
    int var = ax_var(q->c, stmt(q)->var[d]), part = inner(q, d + 1);
    bool any = false;

    text_printf(q->t, "    /*@ loop invariant bounds: %ld <= ", q->part.lo[d]);
    acsl_ax(q, var, 1);
    text_puts(q->t, " <= ");
    acsl_ax(q, n, 1);
    text_puts(q->t, ";\n");
    if (acsl_is_symbolic(q->c)) {
        text_puts(q->t, "        loop invariant place: 0 <= ");
        acsl_ax(q, ax_two(q->c, AX_MUL, var, part), 1);
        text_puts(q->t, " <= ");
        acsl_ax(q, ax_two(q->c, AX_MUL, n, part), 1);
        text_puts(q->t, ";\n");
    }
    for (int t = 0; t < q->c->tensor.n; t++)
        if (acsl_loads(q->c, stmt(q)->body, t)) {
            text_puts(q->t, any ? " && " : "        loop invariant unchanged: ");
            acsl_vector(q, t, ACSL_HERE);
            text_puts(q->t, " == ");
            acsl_vector(q, t, ACSL_PRE);
            any = true;
        }
    text_puts(q->t, any ? ";\n        loop invariant value: " : "        loop invariant value: ");
    value(q, start(q, d), ax_two(q->c, AX_ADD, start(q, d), ax_two(q->c, AX_MUL, var, part)));
    text_puts(q->t, ";\n        loop assigns ");
    acsl_ax(q, var, 0);
    text_printf(q->t, ", %s[", out_name(q));
    interval(q, d);
    text_puts(q->t, "];\n        loop variant ");
    acsl_ax(q, n, 1);
    text_puts(q->t, " - ");
    acsl_ax(q, var, 1);
    text_puts(q->t, "; */\n");
}

/* The loop over variable d in the part. */
static void nest_loop(struct acsl_printer *q, int d, bool pragmas)
{
    int var = ax_var(q->c, stmt(q)->var[d]), n = q->part.cut[d] ? ax_num(q->c, q->part.hi[d]) : extent(q, d);
    bool outside = acsl_is_symbolic(q->c);

    if (outside) {
        text_puts(q->t, "    long ");
        acsl_ax(q, var, 0);
        text_puts(q->t, ";\n");
    }
    invariants(q, d, n);
    if (pragmas && d == 0) {
        text_puts(q->t, "    CALQUE_PARALLEL_FOR(");
        acsl_ax(q, q->part.cut[d] ? ax_two(q->c, AX_MUL, ax_num(q->c, q->part.hi[d] - q->part.lo[d]), inner(q, 1)) : inner(q, 0),
                0);
        text_puts(q->t, ")\n");
    }
    text_puts(q->t, outside ? "    for (" : "    for (long ");
    acsl_ax(q, var, 0);
    text_printf(q->t, " = %ld; ", q->part.lo[d]);
    acsl_ax(q, var, 0);
    text_puts(q->t, " < ");
    acsl_ax(q, n, 1);
    text_puts(q->t, "; ");
    acsl_ax(q, var, 0);
    text_puts(q->t, "++) {\n");
    nest_step(q, d);
    text_puts(q->t, "    }\n");
    if (outside) {
        text_puts(q->t, "    /*@ assert end: ");
        acsl_ax(q, var, 1);
        text_puts(q->t, " == ");
        acsl_ax(q, n, 1);
        text_puts(q->t, "; */\n");
    }
}

/* The function of level d, its loop in these parts. */
static void nest(struct acsl_printer *q, int d, bool top, bool pragmas, const struct acsl_part *parts, int n)
{
    bool any = false;

    nest_contract(q, d);
    q->mode = ACSL_CODE;
    text_puts(q->t, d > 0 ? "static inline void " : top ? "void " : "static void ");
    nest_name(q, d);
    acsl_sizes(q, &any, "long ");
    tensors(q, &any, true, d == 0 ? "restrict " : "");
    variables(q, &any, d, "long ");
    text_puts(q->t, ")\n{\n");
    acsl_unused(q);
    q->mode = ACSL_HERE;
    if (d < stmt(q)->nvar) {
        struct acsl_part own = q->part;
        for (int i = 0; i < n; i++) {
            q->part = parts[i];
            nest_loop(q, d, pragmas);
        }
        q->part = own;
    } else {
        text_printf(q->t, "    %s[", out_name(q));
        acsl_ax(q, row(q, d), 0);
        text_puts(q->t, "] = ");
        q->mode = ACSL_CODE;
        any = cell_term(q, "cell", ACSL_CODE);
        variables(q, &any, d, "");
        text_puts(q->t, ");\n");
    }
    text_puts(q->t, "}\n\n");
}

void acsl_nest_value(struct acsl_printer *q)
{
    value(q, ax_num(q->c, 0), inner(q, 0));
}

void acsl_nest_call(struct acsl_printer *q)
{
    bool any = false;

    q->mode = ACSL_CODE;
    nest_name(q, 0);
    acsl_sizes(q, &any, "");
    tensors(q, &any, false, "");
    text_puts(q->t, ");\n");
    q->mode = ACSL_HERE;
}

/* The parts of the part in which conditions of variable d do not change; their number. */
static int cut(struct acsl_printer *q, int d, struct acsl_part *parts)
{
    struct acsl_cuts x;

    acsl_find_cuts(q, d, &x);
    for (int i = 0; i <= x.n; i++) {
        parts[i] = q->part;
        if (x.n == 0)
            continue;
        parts[i].id = ++q->parts;
        parts[i].cut[d] = true;
        parts[i].lo[d] = i > 0 ? x.at[i - 1] : q->part.lo[d];
        parts[i].hi[d] = i < x.n ? x.at[i] : q->part.hi[d];
    }
    return x.n + 1;
}

/* The function of level d for the part, after those it calls. */
static void levels(struct acsl_printer *q, int d, bool top, bool pragmas)
{
    struct acsl_part parts[ACSL_CUTS + 1], own = q->part;
    int nvar = stmt(q)->nvar, deepest = nvar <= 1 ? nvar : nvar - 1, n = 0;

    if (d < nvar)
        n = cut(q, d, parts);
    else
        cell_code(q);
    for (int i = 0; i < n; i++) {
        q->part = parts[i];
        if (d < deepest)
            levels(q, d + 1, top, pragmas);
        else
            cell_code(q);
    }
    q->part = own;
    if (!q->placed) {
        q->placed = true;
        if (nvar > 1)
            place_code(q);
        if (nvar > 0 && acsl_is_symbolic(q->c))
            disjoint_code(q);
    }
    nest(q, d, top, pragmas, parts, n);
}

void acsl_nest_code(struct acsl_printer *q, bool top, bool pragmas)
{
    q->fold = -1;
    acsl_fold_code(q, stmt(q)->body);
    acsl_whole(q);
    q->parts = 0;
    q->placed = false;
    levels(q, 0, top, pragmas);
}
