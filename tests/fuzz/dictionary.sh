#!/usr/bin/env bash
# The dictionary of a target for libFuzzer: the words its readers compare with, the names of operators, attributes and functions, from
# the tables and the sources, and the punctuation. usage: dictionary.sh TARGET
cd "$(dirname "$0")/../.."
words() { grep -hoE '"[A-Za-z_][A-Za-z_0-9]{0,20}"' "$@" | tr -d '"'; } # quoted words of sources
table() { sed -nE "s/^$1\(([^\"]*, )?\"([^\"]*)\".*/\2/p" "$2"; }       # quoted words of a table
names() { sed -nE "s/^$1\(([A-Za-z_0-9]+), ([A-Za-z_0-9]+).*/\\$2/p" "$3"; }
graph() {
    names OP 1 c/tensor/ops.def; names OP_ATTR 2 c/tensor/ops.def; words c/graph/text_*.c
    printf '%s\n' f32 f64 i32 i64 i8 u8 bool 'f32[2,3]' 'f32[]' '?[?]' '=(1,1)' ' : ' 'input x : ' 'param w : ' 'const c : ' 'return ' '0x1p-3' -1
}
rules() {
    words c/pattern/*.c; words c/attr/attr_ops.def
    printf '%s\n' '**same_attr(' '.shape' '[0]' '[1:]' ' for i in range(' ' == ' 'Op(' 'Const()' 'Wildcard()' 'Variadic(' templates=[ 'source ' 'target ' 'require ' 'class exact'
}
kernel() {
    table FN c/kernel/fn.def; words c/kernel/parse*.c c/kernel/elaborate.c
    printf '%s\n' 'sum(k<4) ' 'amax(r<2,s<2) ' 'select(' ' && ' '<=' '>=' '==' '!=' '//' '%' '<2,3>' ':i64>' ':bool>' '[i,j]' ';' 'A<4>[i]' inf nan 0x1p+0
}
case ${1:?} in
attr)
    table WORD c/attr/words.def; sed -nE 's/^ATTR_[A-Z_]*\([A-Z_0-9]*, "([^"]*)".*/\1/p' c/attr/attr_ops.def
    printf '%s\n' '(eval ' '(match ' '(tuple ' '(sym 0)' '(var 0 ' '(. 0 k)' '(alt 0 0)' -9223372036854775808 9223372036854775807 0x1p-1 '"a"' ;;
graph | opt | equiv | emit) graph ;;
gsl) rules; graph ;;
match) rules; graph ;;
names) sed -nE 's/^(RULE_SET|PUBLISHED|PROVED)\(([a-z_0-9]*).*/\2/p' c/rewrite/library.def; printf '%s\n' exact ring real all standard , ;;
onnx) names OP 1 c/tensor/ops.def; names ONNX_ATTR 2 c/onnx/forms.def; names ONNX_EXPAND 1 c/onnx/expand.def; words c/onnx/import*.c c/onnx/types.c ;;
tensor) printf "%s\n" raw_data name ;;
npy) words c/tensor/npy.c; printf '%s\n' "'descr': '<f4'" "'<i8'" "'|b1'" "'fortran_order': False" "'shape': (2,)" ;;
kernel | grad | loops) kernel ;;
json) kernel; words c/kernel/json.c; printf '%s\n' '": "' '": [' '"], "' '\u0041' '\n' ;;
dpia | lower)
    words c/dpia/parse.c c/dpia/syntax*.c c/dpia/elab*.c; table FN c/kernel/fn.def
    printf '%s\n' '(fun x -> ' 'out r : ' 'in a : ' ' := ' 'n.num' '(n*m)' '.(num x num)' 'size n' 'iota ' '(+)' '(*)' 'select(' ;;
*) echo "there is no target $1" >&2; exit 2 ;;
esac | sort -u | sed -e 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&"/' | grep -v '^""$'
