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
