# Generators of inputs that once took work beyond their size; each writes to standard output. N is the size.

# N chained x * Sigmoid(x)
gen_silu() {
    awk -v n="$1" 'BEGIN { print "graph silu {\n    input x0 : f32[4, 32]"
        for (i = 1; i <= n; i++) printf "    x%d = Mul(x%d, Sigmoid(x%d))\n", i, i - 1, i - 1
        printf "    return x%d\n}\n", n }'
}

# N chained x + x * Erf(x)
gen_erf() {
    awk -v n="$1" 'BEGIN { print "graph erf {\n    input x0 : f32[4, 32]"
        for (i = 1; i <= n; i++) printf "    x%d = Add(x%d, Mul(x%d, Erf(x%d)))\n", i, i - 1, i - 1, i - 1
        printf "    return x%d\n}\n", n }'
}

# N chained unary operators
gen_chain() {
    awk -v n="$1" 'BEGIN { print "graph chain {\n    input x0 : f32[4, 32]"
        for (i = 1; i <= n; i++) printf "    x%d = %s(x%d)\n", i, i % 2 ? "Relu" : "Neg", i - 1
        printf "    return x%d\n}\n", n }'
}

# N kernel statements, each the double of the one before
gen_double() {
    awk -v n="$1" 'BEGIN { print "T0<4>[i] = A<4>[i] + 1;"
        for (i = 1; i <= n; i++) printf "T%d<4>[i] = T%d<4>[i] + T%d<4>[i];\n", i, i - 1, i - 1 }'
}

# N parallel convolutions of one input, each of its own kernel
gen_convs() {
    awk -v n="$1" 'BEGIN { print "graph convs {\n    input x : f32[1, 2, 3, 3]"
        for (i = 1; i <= n; i++) printf "    param w%d : f32[1, 2, 1, 1]\n", i
        for (i = 1; i <= n; i++) printf "    y%d = Conv(x, w%d)\n", i, i
        printf "    return "
        for (i = 1; i <= n; i++) printf "%sy%d", (i > 1 ? ", " : ""), i
        print "\n}" }'
}

# N nested quotients in one statement
gen_quotients() {
    awk -v n="$1" 'BEGIN { s = "B<4>[i]"
        for (i = 1; i <= n; i++) s = "A<4>[i]/(" s ")"
        print "Y<4>[i] = " s ";" }'
}

# One value with N users
gen_hub() {
    awk -v n="$1" 'BEGIN { print "graph hub {\n    input x : f32[4]\n    h = Relu(x)"
        for (i = 1; i <= n; i++) printf "    y%d = Neg(h)\n", i
        printf "    return "
        for (i = 1; i <= n; i++) printf "%sy%d", (i > 1 ? ", " : ""), i
        print "\n}" }'
}

# N kernel statements, each with a number of its own
gen_statements() {
    awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++) printf "T%d<4>[i] = A<4>[i] * %d;\n", i, i
        print "Y<4>[i] = T1<4>[i];" }'
}

# A concatenation of N constants
gen_concat() {
    awk -v n="$1" 'BEGIN { print "graph concat {\n    input x : f32[4]"
        for (i = 1; i <= n; i++) printf "    const c%d : f32[4] = %d\n", i, i
        printf "    k = Concat("
        for (i = 1; i <= n; i++) printf "%sc%d", (i > 1 ? ", " : ""), i
        print ", axis=0)\n    return y = Add(k, ReduceSum(x))\n}" }'
}

# One value with N users of five operators in turn, one of which matches nothing
gen_mixed() {
    awk -v n="$1" 'BEGIN { print "graph mixed {\n    input h : f32[4]"
        split("Neg(h) Relu(h) Add(h,h) Sigmoid(h) Exp(h)", f, " ")
        for (i = 1; i <= n; i++) printf "    y%d = %s\n", i, f[i % 5 + 1]
        printf "    return "
        for (i = 1; i <= n; i++) printf "%sy%d", (i > 1 ? ", " : ""), i
        print "\n}" }'
}

# N products of one input with matrices: its own each, or with `shared` one for all
gen_dense() {
    awk -v n="$1" -v one="$2" 'BEGIN { print "graph dense {\n    input x : f32[2, 3]"
        for (i = 1; i <= (one ? 1 : n); i++) printf "    param w%d : f32[3, 2]\n", i
        for (i = 1; i <= n; i++) printf "    y%d = MatMul(x, w%d)\n", i, (one ? 1 : i)
        printf "    return "
        for (i = 1; i <= n; i++) printf "%sy%d", (i > 1 ? ", " : ""), i
        print "\n}" }'
}

# N operators of one input, put together by OPERATOR
gen_fan() {
    awk -v n="$1" -v op="$2" 'BEGIN { print "graph fan {\n    input h : f32[4]"
        for (i = 1; i <= n; i++) printf "    a%d = Neg(h)\n", i
        printf "    return y = %s(", op
        for (i = 1; i <= n; i++) printf "%sa%d", (i > 1 ? ", " : ""), i
        print (op == "Concat" ? ", axis=0" : "") ")\n}" }'
}

# A Split into N parts, put together again
gen_split() {
    awk -v n="$1" 'BEGIN { printf "graph parts {\n    input x : f32[%d]\n    s = Split(x, axis=0, split=(", n
        for (i = 1; i <= n; i++) printf "%s1", (i > 1 ? ", " : "")
        printf "))\n    return y = Concat("
        for (i = n; i > 0; i--) printf "%ss[%d]", (i < n ? ", " : ""), i - 1
        print ", axis=0)\n}" }'
}

# N chained operators whose names have LENGTH letters
gen_long() {
    awk -v n="$1" -v m="$2" 'BEGIN { for (i = 0; i < m; i++) s = s "n"
        print "graph long {\n    input x : f32[4]"
        for (i = 1; i <= n; i++) printf "    %s%d = Neg(%s)\n", s, i, (i > 1 ? s (i - 1) : "x")
        printf "    return %s%d\n}\n", s, n }'
}

# N kernel statements, each the product of the one before with A
gen_products() {
    awk -v n="$1" 'BEGIN { print "T0<4>[i] = A<4>[i];"
        for (i = 1; i <= n; i++) printf "T%d<4>[i] = T%d<4>[i] * A<4>[i];\n", i, i - 1 }'
}
