module X = Extracted_dpia
module S = Shim_dpia

let int = Z.to_int

(* {1 What both stages print alike} *)

type printer = {
  p : S.program;
  buf : Buffer.t;
  mutable fresh : int;          (* numbers of variables, one counter over the whole text *)
}

let puts q s = Buffer.add_string q.buf s
let putf q format = Printf.bprintf q.buf format

let terms (n : X.size) : (Z.t * Z.t list) list = Obj.obj n

let number_of_size n =
  match terms n with
  | [] -> Some Z.zero
  | [(c, [])] -> Some c
  | _ -> None

let is_atom n =
  match terms n with
  | [(c, [_])] -> Z.equal c Z.one
  | _ -> number_of_size n <> None

let size_text_with variable spaced n =
  match number_of_size n with
  | Some c -> Z.to_string c
  | None ->
    let times = if spaced then " * " else "*" in
    let term (c, vars) =
      let vars = List.map (fun v -> variable (int v)) vars in
      String.concat times (if Z.equal c Z.one && vars <> [] then vars else Z.to_string c :: vars) in
    String.concat (if spaced then " + " else "+") (List.map term (terms n))

let size_text q = size_text_with (fun v -> q.p.S.sizes.(v))

let bracketed_size q n = if is_atom n then size_text q false n else "(" ^ size_text q false n ^ ")"

let rec type_text q = function
  | X.DNum -> "num"
  | X.DAry (n, d) -> bracketed_size q n ^ "." ^ type_text q d
  | X.DPair (a, b) -> "(" ^ type_text q a ^ " x " ^ type_text q b ^ ")"

(* Names of levels: parameters, then what binders above have given. *)
let root_names p = List.mapi (fun k x -> (k, x.S.name)) p.S.params

let fresh q letter =
  q.fresh <- q.fresh + 1;
  letter ^ string_of_int (q.fresh - 1)

let name names l = List.assoc (int l) names

let rec ix_text q names = function
  | X.XVar l -> name names l
  | X.XCst k -> Z.to_string k
  | X.XSize n -> bracketed_size q n
  | X.XAdd (a, b) -> "(" ^ ix_text q names a ^ " + " ^ ix_text q names b ^ ")"
  | X.XSub (a, b) -> "(" ^ ix_text q names a ^ " - " ^ ix_text q names b ^ ")"
  | X.XMul (a, k) -> "(" ^ ix_text q names a ^ " * " ^ Z.to_string k ^ ")"
  | X.XDiv (a, k) -> "(" ^ ix_text q names a ^ " // " ^ Z.to_string k ^ ")"
  | X.XMod (a, k) -> "(" ^ ix_text q names a ^ " % " ^ Z.to_string k ^ ")"

let comparison = function
  | X.CLt -> "<" | X.CLe -> "<=" | X.CGt -> ">" | X.CGe -> ">=" | X.CEq -> "==" | X.CNe -> "!="

let rec cond_text q names = function
  | X.CCmp (c, a, b) -> ix_text q names a ^ " " ^ comparison c ^ " " ^ ix_text q names b
  | X.CAnd (a, b) -> cond_text q names a ^ " && " ^ cond_text q names b

let word (x : 'a) : string = Obj.obj (Obj.repr x)
let is_infix f = match f.[0] with 'a' .. 'z' | 'A' .. 'Z' -> false | _ -> true

(* {1 Commands} *)

let rec view q names v =
  let one f v = puts q ("(" ^ f ^ " "); view q names v; puts q ")" in
  let two f a b = puts q ("(" ^ f ^ " "); view q names a; puts q " "; view q names b; puts q ")" in
  match v with
  | X.VRoot r -> puts q (name names r)
  | X.VLit l -> puts q (word l)
  | X.VUn (o, v) -> puts q (word o ^ "("); view q names v; puts q ")"
  | X.VBin (o, a, b) ->
    let infix = is_infix (word o) in
    puts q (if infix then "(" else word o ^ "(");
    view q names a;
    puts q (if infix then " " ^ word o ^ " " else ", ");
    view q names b;
    puts q ")"
  | X.VZip (a, b) -> two "zip" a b
  | X.VSplit (n, v) -> one ("split " ^ bracketed_size q n) v
  | X.VJoin (n, v) -> one ("join " ^ bracketed_size q n) v
  | X.VIdx (v, i) -> view q names v; puts q ("[" ^ ix_text q names i ^ "]")
  | X.VPair (a, b) -> two "pair" a b
  | X.VFst v -> one "fst" v
  | X.VSnd v -> one "snd" v
  | X.VRev (_, v) -> one "reverse" v
  | X.VTr v -> one "transpose" v
  | X.VIte (c, a, b) ->
    puts q ("(if " ^ cond_text q names c ^ " then ");
    view q names a;
    puts q " else ";
    view q names b;
    puts q ")"
  | X.VIx i -> puts q (ix_text q names i)

let rec acceptor q names a =
  let one f a = puts q ("(" ^ f ^ " "); acceptor q names a; puts q ")" in
  match a with
  | X.ARoot r -> puts q (name names r)
  | X.AIdx (a, i) -> acceptor q names a; puts q ("{" ^ ix_text q names i ^ "}")
  | X.AZip1 a -> one "zipAcc1" a
  | X.AZip2 a -> one "zipAcc2" a
  | X.ASplit (_, a) -> one "splitAcc" a
  | X.AJoin (_, a) -> one "joinAcc" a
  | X.APair1 a -> one "pairAcc1" a
  | X.APair2 a -> one "pairAcc2" a
  | X.ARev (_, a) -> one "reverseAcc" a
  | X.ATr a -> one "transposeAcc" a

let rec command q names indent c =
  let start () = puts q (String.make (2 * indent) ' ') in
  match c with
  | X.CSkip -> start (); puts q "skip\n"
  | X.CSeq (a, b) -> command q names indent a; command q names indent b
  | X.CAssign (a, v) ->
    start ();
    acceptor q names a;
    puts q " := ";
    view q names v;
    puts q "\n"
  | X.CNew (r, d, c) ->
    let x = fresh q "v" in
    start ();
    putf q "new %s : %s\n" x (type_text q d);
    command q ((int r, x) :: names) indent c
  | X.CLoop (p, l, n, c) ->
    let x = fresh q "i" in
    start ();
    putf q "%s %s < %s\n" (if p = X.Par then "parfor" else "for") x (size_text q false n);
    command q ((int l, x) :: names) (indent + 1) c
  | X.CIf (b, c1, c2) ->
    start ();
    putf q "if %s\n" (cond_text q names b);
    command q names (indent + 1) c1;
    if c2 <> X.CSkip then begin
      start ();
      puts q "else\n";
      command q names (indent + 1) c2
    end

let printer p = { p; buf = Buffer.create 4096; fresh = List.length p.S.params }

let comm p =
  let q = printer p in
  command q (root_names p) 0 (S.commands S.words p);
  Buffer.contents q.buf

(* {1 Emitted C} *)

let suffix = function S.F32 -> "f32" | S.F64 -> "f64" | S.I32 -> "i32" | S.I64 -> "i64"
let c_type = function S.F32 -> "float" | S.F64 -> "double" | S.I32 -> "int32_t" | S.I64 -> "int64_t"
let stored_type = function
  | "f32" -> "float" | "f64" -> "double" | "i32" -> "int32_t" | "i64" -> "int64_t" | "i8" -> "int8_t" | _ -> "uint8_t"

let bytes = function S.F32 | S.I32 -> 4 | S.F64 | S.I64 -> 8
let is_real = function S.F32 | S.F64 -> true | _ -> false

(* Helper functions in the order of the prelude. *)
let helpers =
  let two name t body = (name, Printf.sprintf "static inline %s %s(%s a, %s b)\n{\n    %s\n}\n" t name t t body) in
  let commented text (name, body) = (name, text ^ body) in
  let one name t body = (name, Printf.sprintf "static inline %s %s(%s a)\n{\n    %s\n}\n" t name t body) in
  let maxmin (s, t) =
    [two ("calque_max_" ^ s) t "return a < b ? b : a;"; two ("calque_min_" ^ s) t "return b < a ? b : a;"] in
  let ints (s, t, u) =
    let wrap op = Printf.sprintf "return (%s)((%s)a %s (%s)b);" t u op u in
    [ two ("calque_add_" ^ s) t (wrap "+"); two ("calque_sub_" ^ s) t (wrap "-"); two ("calque_mul_" ^ s) t (wrap "*");
      two ("calque_div_" ^ s) t
        (Printf.sprintf "if (b == 0 || b == -1)\n        return b == 0 ? 0 : (%s)(0 - (%s)a);\n\
                        \    return a / b - (a %% b != 0 && (a < 0) != (b < 0));" t u);
      two ("calque_mod_" ^ s) t
        "if (b == 0 || b == -1)\n        return 0;\n    return a % b != 0 && (a < 0) != (b < 0) ? a % b + b : a % b;";
      one ("calque_neg_" ^ s) t (Printf.sprintf "return (%s)(0 - (%s)a);" t u);
      one ("calque_abs_" ^ s) t (Printf.sprintf "return a < 0 ? (%s)(0 - (%s)a) : a;" t u) ] in
  List.concat_map maxmin
    [("f32", "float"); ("f64", "double"); ("i32", "int32_t"); ("i64", "int64_t"); ("index", "long")]
  @ [ two "calque_div_index" "long" "return a / b - (a % b < 0);";
      two "calque_mod_index" "long" "return a % b < 0 ? a % b + b : a % b;" ]
  @ ints ("i32", "int32_t", "uint32_t") @ ints ("i64", "int64_t", "uint64_t")
  @ [ one "calque_hide_f32" "float" "volatile float b = a;\n    return b;";
      one "calque_hide_f64" "double" "volatile double b = a;\n    return b;";
      two "calque_less_f32" "float" "return a < b ? 1.0f : 0.0f;";
      two "calque_less_f64" "double" "return a < b ? 1.0 : 0.0;";
      two "calque_less_i32" "int32_t" "return a < b;"; two "calque_less_i64" "int64_t" "return a < b;" ]
  @ List.concat_map
      (fun (s, t, minus) ->
        [ two ("calque_equal_" ^ s) t "return a == b;"; two ("calque_when_" ^ s) t "return a == 0 ? 0 : b;";
          two ("calque_orelse_" ^ s) t ("return a == 0" ^ minus ^ " ? b : a;") ])
      [ "f32", "float", " && !signbit(a)"; "f64", "double", " && !signbit(a)"; "i32", "int32_t", ""; "i64", "int64_t", "" ]
  @ List.map
      (fun (s, t) ->
        let name = "calque_bool_" ^ s in
        (name, Printf.sprintf "static inline uint8_t %s(%s a)\n{\n    return a != 0;\n}\n" name t))
      [ "f32", "float"; "f64", "double"; "i32", "int32_t"; "i64", "int64_t" ]
  @ List.map
      (fun (sfx, t, from, real, least, power) ->
        let name = "calque_to_" ^ sfx ^ "_" ^ from and bound = String.uppercase_ascii t in
        let bound = String.sub bound 0 (String.length bound - 2) in
        ( name,
          Printf.sprintf "static inline %s %s(%s a)\n{\n    return a != a ? 0 : a < %s ? %s : a >= %s ? %s_MAX : (%s)a;\n}\n" t
            name real least (if sfx = "u8" then "0" else bound ^ "_MIN") power bound t ))
      [ "i32", "int32_t", "f32", "float", "-0x1p31f", "0x1p31f"; "i32", "int32_t", "f64", "double", "-0x1p31", "0x1p31";
        "i64", "int64_t", "f32", "float", "-0x1p63f", "0x1p63f"; "i64", "int64_t", "f64", "double", "-0x1p63", "0x1p63";
        "i8", "int8_t", "f32", "float", "-0x1p7f", "0x1p7f"; "i8", "int8_t", "f64", "double", "-0x1p7", "0x1p7";
        "u8", "uint8_t", "f32", "float", "0.0f", "0x1p8f"; "u8", "uint8_t", "f64", "double", "0.0", "0x1p8" ]
  @ [ commented
        "/* a to the nearest integer, halves to even, with its sign: from 2^23 on every number is one, and so is a sum with it. No\n\
         \   comparison of floats, which would keep a loop from being vectorised. */\n"
        (one "calque_round_f32" "float"
           "union { float x; uint32_t u; } b, c, p;\n\n    b.x = a;\n    c.u = b.u & 0x7fffffffu;\n\
         \    p.u = 0x4b000000u & (0u - (uint32_t)(c.u < 0x4b000000u));\n    c.x = (c.x + p.x) - p.x;\n\
         \    c.u |= b.u & 0x80000000u;\n    return c.x;");
      commented "/* As calque_round_f32, from 2^52 on. */\n"
        (one "calque_round_f64" "double"
           "union { double x; uint64_t u; } b, c, p;\n\n    b.x = a;\n    c.u = b.u & 0x7fffffffffffffffu;\n\
         \    p.u = 0x4330000000000000u & (0u - (uint64_t)(c.u < 0x4330000000000000u));\n    c.x = (c.x + p.x) - p.x;\n\
         \    c.u |= b.u & 0x8000000000000000u;\n    return c.x;") ]

let prelude =
  "#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n\
   #ifdef __clang__ /* a loop marked simd may be left as it is */\n\
   #pragma clang diagnostic ignored \"-Wpass-failed\"\n#endif\n\n"

type c_printer = {
  q : printer;
  types : X.data array;           (* of parameters *)
  stored : string array;          (* the element types of their cells; none: the program's *)
  mutable used : string list;
  mutable parallel : bool;        (* inside a parallel loop *)
}

let helper k stem sfx =
  let n = "calque_" ^ stem ^ "_" ^ sfx in
  if not (List.mem n k.used) then k.used <- n :: k.used;
  n

(* ORDER c_name: c/emit/name.c. *)
let reserved =
  let h = Hashtbl.create 1000 in
  List.iter (fun w -> Hashtbl.replace h w ())
    (String.split_on_char ' '
    "I L_ctermid L_cuserid L_tmpnam P_tmpdir abort abs acos acosf acosh acoshf acoshl acosl acospi acospif \
     acospil alignas aligned_alloc alignof alloca and and_eq asin asinf asinh asinhf asinhl asinl asinpi \
     asinpif asinpil asm assert at_quick_exit atan atan2 atan2f atan2l atan2pi atan2pif atan2pil atanf atanh \
     atanhf atanhl atanl atanpi atanpif atanpil atexit atof atoi atol atoll auto bcmp bcopy bitand bitor bool \
     break bsearch bzero calloc case catch cbrt cbrtf cbrtl ceil ceilf ceill char char16_t char32_t char8_t \
     class clearerr clock_t co_await co_return co_yield compl complex compoundn compoundnf compoundnl concept \
     const const_cast consteval constexpr constinit continue copysign copysignf copysignl cos cosf cosh coshf \
     coshl cosl cospi cospif cospil decltype default delete div div_t do double double_t dprintf drand48 drem \
     dynamic_cast else enum environ erf erfc erfcf erfcl erff erfl errno exception exit exp exp10 exp10f \
     exp10l exp10m1 exp10m1f exp10m1l exp2 exp2f exp2l exp2m1 exp2m1f exp2m1l expf expl explicit expm1 expm1f \
     expm1l export extern fabs fabsf fabsl failed false far fclose fdim fdimf fdiml fdopen feof ferror fflush \
     ffs fgetc fgetpos fgets fileno final finite float float_t floor floorf floorl fma fmaf fmal fmax fmaxf \
     fmaximum fmaximumf fmaximuml fmaxl fmin fminf fminimum fminimumf fminimuml fminl fmod fmodf fmodl fopen \
     for fortran fpclassify fpos_t fprintf fputc fputs fread free freopen frexp frexpf frexpl friend fscanf \
     fseek fsetpos ftell fwrite gamma gammaf getc getchar getdelim getenv getline gets gid_t goto hppa hypot \
     hypotf hypotl i386 if ilogb ilogbf ilogbl imaginary index inline int int16_t int32_t int64_t int8_t \
     int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t \
     int_least8_t intmax_t intptr_t iscanonical isfinite isgreater isgreaterequal isinf isless islessequal \
     islessgreater isnan isnormal issignaling issubnormal isunordered iszero j0 j0f j1 j1f jn jnf labs ldexp \
     ldexpf ldexpl ldiv ldiv_t lgamma lgammaf lgammal linux llabs lldiv lldiv_t llrint llrintf llrintl \
     llround llroundf llroundl log log10 log10f log10l log10p1 log10p1f log10p1l log1p log1pf log1pl log2 \
     log2f log2l log2p1 log2p1f log2p1l logb logbf logbl logf logl logp1 logp1f logp1l long lrint lrintf \
     lrintl lround lroundf lroundl m68k main malloc math_errhandling max_align_t mblen mbstowcs mbtowc \
     memccpy memchr memcmp memcpy memmove memset memset_explicit mips mode_t modf modff modfl mutable \
     namespace nan nanf nanl near nearbyint nearbyintf nearbyintl new nextafter nextafterf nextafterl \
     nextdown nextdownf nextdownl nexttoward nexttowardf nexttowardl nextup nextupf nextupl noexcept noreturn \
     not not_eq nullptr nullptr_t off_t offsetof operator or or_eq override pclose perror pid_t pixel popen \
     pow powf powl pown pownf pownl powr powrf powrl printf private protected ptrdiff_t public putc putchar \
     putenv puts qsort quick_exit rand random realloc register reinterpret_cast remainder remainderf \
     remainderl remove remquo remquof remquol rename requires restrict return rewind rindex rint rintf rintl \
     rootn rootnf rootnl round roundeven roundevenf roundevenl roundf roundl rsqrt rsqrtf rsqrtl scalb \
     scalbln scalblnf scalblnl scalbn scalbnf scalbnl scanf setbuf setenv setjmp setvbuf short signbit signed \
     signgam significand sin sinf sinh sinhf sinhl sinl sinpi sinpif sinpil size_t sizeof snprintf sparc \
     sprintf sqrt sqrtf sqrtl srand srandom sscanf ssize_t static static_assert static_cast std stderr stdin \
     stdout strcat strchr strcmp strcoll strcpy strcspn strdup strerror strlen strncat strncmp strncpy \
     strndup strnlen strpbrk strrchr strspn strstr strtod strtof strtok strtol strtold strtoll strtoul \
     strtoull struct strxfrm sun switch system tan tanf tanh tanhf tanhl tanl tanpi tanpif tanpil template \
     tgamma tgammaf tgammal this thread_local throw time_t tmpfile tmpnam true trunc truncf truncl try \
     typedef typeid typename typeof typeof_unqual uid_t uint16_t uint32_t uint64_t uint8_t uint_fast16_t \
     uint_fast32_t uint_fast64_t uint_fast8_t uint_least16_t uint_least32_t uint_least64_t uint_least8_t \
     uintmax_t uintptr_t ungetc union unix unsetenv unsigned using va_arg va_copy va_end va_list va_start vax \
     vector vfprintf vfscanf virtual void volatile vprintf vscanf vsnprintf vsprintf vsscanf wchar_t wcstombs \
     wctomb while wint_t xor xor_eq y0 y0f y1 y1f yn ynf");
  h

(* The names C has other uses for, and what our variables are called, get an underscore, also when they have some already;
   names that are one identifier, because one of them begins with an underscore, are numbered. *)
let identifier s = if s.[0] = '_' then "t" ^ s else s

let c_name s =
  let s = identifier s in
  let n = ref (String.length s) in
  while !n > 0 && s.[!n - 1] = '_' do decr n done;
  let base = String.sub s 0 !n in
  let starts p = String.length base >= String.length p && String.sub base 0 (String.length p) = p in
  let digit c = c >= '0' && c <= '9' in
  let numbered p =
    let k = String.length p in
    starts p && !n > k && String.for_all digit (String.sub base k (!n - k)) in
  let taken =
    starts "calque_" || List.exists numbered [ "i"; "v"; "arg_"; "size_" ] || Hashtbl.mem reserved base
    || (!n > 2 && not (String.exists (fun c -> c >= 'a' && c <= 'z') base)) in
  if taken then s ^ "_" else s

let all_names p = Array.to_list p.S.sizes @ List.map (fun x -> x.S.name) p.S.params

let unique p stem k s =
  let same = List.filter (fun x -> identifier x = identifier s) (all_names p) in
  if List.length same > 1 then stem ^ string_of_int k else c_name s

let size_var p k = unique p "size_" k p.S.sizes.(k)
let param_var p k = unique p "arg_" k (List.nth p.S.params k).S.name

let c_size k n = size_text_with (size_var k.q.p) true n

let size_prec k n prec =
  let bracket = (not (is_atom n)) && prec > if List.length (terms n) = 1 then 2 else 1 in
  if bracket then "(" ^ c_size k n ^ ")" else c_size k n

let rec index k names prec e =
  let infix op own right a b =
    let s = index k names own a ^ op ^ index k names right b in
    if own < prec then "(" ^ s ^ ")" else s in
  let call stem a b =
    helper k stem "index" ^ "(" ^ index k names 0 a ^ ", " ^ index k names 0 b ^ ")" in
  match e with
  | X.KVar l -> name names l
  | X.KCst z -> if Z.sign z < 0 && prec > 1 then "(" ^ Z.to_string z ^ ")" else Z.to_string z
  | X.KSize n -> size_prec k n prec
  | X.KAdd (a, b) -> infix " + " 1 1 a b
  | X.KSub (a, b) -> infix " - " 1 2 a b
  | X.KMul (a, b) -> infix " * " 2 2 a b
  | X.KQuot (a, b) -> infix " / " 2 3 a b
  | X.KRem (a, b) -> infix " % " 2 3 a b
  | X.KDiv (a, b) -> call "div" a b
  | X.KMod (a, b) -> call "mod" a b

let rec conds k names = function
  | X.KCmp (c, a, b) -> index k names 0 a ^ " " ^ comparison c ^ " " ^ index k names 0 b
  | X.KAnd (a, b) -> conds k names a ^ " && " ^ conds k names b

(* Does the value depend on an input on every path? *)
let rec reads p = function
  | X.FLoad (r, _) -> int r < List.length p.S.params && (List.nth p.S.params (int r)).S.role = S.In
  | X.FUn (_, e) -> reads p e
  | X.FBin (o, a, b) ->
    (match word o with
     | "max" | "min" | "orelse" -> reads p a && reads p b
     | "less" | "equal" | "when" -> false
     | _ -> reads p a || reads p b)
  | X.FCond (_, a, b) -> reads p a && reads p b
  | X.FLit _ | X.FNone -> false

let real number s =
  let f32 = number = S.F32 in
  let x = float_of_string s in
  let x = if f32 then Int32.float_of_bits (Int32.bits_of_float x) else x in
  let ending = if f32 then "f" else "" in
  if Float.is_nan x then if f32 then "NAN" else "(double)NAN"
  else if Float.abs x = infinity then
    (if x < 0. then "-" else "") ^ if f32 then "INFINITY" else "(double)INFINITY"
  else if Float.is_integer x && Float.abs x < 1e6 then Printf.sprintf "%.1f%s" x ending
  else Printf.sprintf "%h%s" x ending

let literal number s =
  match number with
  | S.F32 | S.F64 -> real number s
  | S.I32 -> if s = "-2147483648" then "INT32_MIN" else s
  | S.I64 -> if s = "-9223372036854775808" then "INT64_MIN" else "INT64_C(" ^ s ^ ")"

let libm k f =
  let base = match f with "abs" -> "fabs" | f -> f in
  if k.q.p.S.number = S.F32 then base ^ "f" else base

let spelled = function
  | "+" -> "add" | "-" -> "sub" | "*" -> "mul" | "/" -> "div" | "%" -> "mod" | f -> f

(* [s] converted, between element types. *)
let converted k from into s =
  let real t = t = "f32" || t = "f64" in
  if from = into then s
  else
    let head =
      if into = "bool" then helper k "bool" from
      else if real into then "(" ^ stored_type into ^ ")"
      else if real from then helper k ("to_" ^ into) from
      else
        match from, into with
        | "bool", _ | ("i8" | "u8"), ("i32" | "i64") -> ""
        | _, "i32" -> "(int32_t)(uint32_t)"
        | _, "i8" -> "(int8_t)(uint8_t)"
        | _, "u8" -> "(uint8_t)"
        | _ -> "(int64_t)" in
    head ^ (if from = "bool" then "(0 != " else "(") ^ s ^ ")"

(* The element type of a root's cells. *)
let stored k r = if int r < Array.length k.stored then k.stored.(int r) else suffix k.q.p.S.number

(* [types]: of every root in scope.  What is stored in another type is converted as it is loaded and stored. *)
let rec value k types names prec e =
  let number = k.q.p.S.number in
  let argument hidden e =
    let s = value k types names 0 e in
    if hidden && not (reads k.q.p e) then helper k "hide" (suffix number) ^ "(" ^ s ^ ")" else s in
  let applied f args =
    let own = (not (is_real number)) || List.mem f ["max"; "min"; "less"; "equal"; "when"; "orelse"; "round"] in
    let f = if own then helper k (spelled f) (suffix number) else libm k f in
    f ^ "(" ^ String.concat ", " (List.map (argument (not own)) args) ^ ")" in
  let in_brackets own s = if own < prec then "(" ^ s ^ ")" else s in
  match e with
  | X.FLoad (r, i) -> converted k (stored k r) (suffix number) (place k types names r i)
  | X.FLit l ->
    let s = word l in
    let s' = literal number s in
    if s.[0] = '-' && prec > 1 then "(" ^ s' ^ ")" else s'
  | X.FCond (c, a, b) ->
    let c = conds k names c in
    let a = value k types names 0 a in
    "(" ^ c ^ " ? " ^ a ^ " : " ^ value k types names 0 b ^ ")"
  | X.FUn (o, a) ->
    if word o = "neg" && is_real number then in_brackets 3 ("-" ^ value k types names 4 a)
    else applied (word o) [a]
  | X.FBin (o, a, b) ->
    let op = word o in
    if is_real number && is_infix op then begin
      let own = if op = "+" || op = "-" then 1 else 2 in
      let a = value k types names own a in
      in_brackets own (a ^ " " ^ op ^ " " ^ value k types names (own + 1) b)
    end
    else applied op [a; b]
  | X.FNone -> "stuck"

(* A local scalar is a variable; everything else is indexed. *)
and place k types names r i =
  let r = int r in
  if r >= Array.length k.types && List.assoc r types = X.DNum then List.assoc r names
  else List.assoc r names ^ "[" ^ index k names 0 i ^ "]"

let rec loads_exp r = function
  | X.FLoad (r', _) -> int r' = r
  | X.FLit _ | X.FNone -> false
  | X.FUn (_, e) -> loads_exp r e
  | X.FBin (_, a, b) | X.FCond (_, a, b) -> loads_exp r a || loads_exp r b

(* Is root [r] read; is it set? *)
let rec loads r = function
  | X.FSkip | X.FStop -> false
  | X.FSeq (a, b) | X.FIf (_, a, b) -> loads r a || loads r b
  | X.FSet (_, _, e) -> loads_exp r e
  | X.FBlock (_, _, b) | X.FFor (_, _, _, b) -> loads r b

let rec sets r = function
  | X.FSkip | X.FStop -> false
  | X.FSeq (a, b) | X.FIf (_, a, b) -> sets r a || sets r b
  | X.FSet (r', _, _) -> int r' = r
  | X.FBlock (_, _, b) | X.FFor (_, _, _, b) -> sets r b

let rec is_empty = function
  | X.FSkip -> true
  | X.FSeq (a, b) -> is_empty a && is_empty b
  | _ -> false

let stack_max = 4096

(* The size of an array: [None] when it is known and small enough for the stack. *)
let cells d = match X.kcells X.symbols d with X.KSize n -> n | _ -> raise (Shim.Internal "a size")

let is_heap k d =
  match number_of_size (cells d) with
  | Some n -> int n > stack_max / bytes k.q.p.S.number
  | None -> true

let rec has_heap k = function
  | X.FSkip | X.FStop | X.FSet _ -> false
  | X.FSeq (a, b) | X.FIf (_, a, b) -> has_heap k a || has_heap k b
  | X.FFor (_, _, _, b) -> has_heap k b
  | X.FBlock (_, d, b) -> (d <> X.DNum && is_heap k d) || has_heap k b

let rec nest n = function X.FFor (X.Par, _, _, b) -> nest (n + 1) b | _ -> n

let rec statement k types names at c =
  let q = k.q in
  let start () = puts q (String.make (4 * at) ' ') in
  let line s = start (); puts q (s ^ "\n") in
  match c with
  | X.FSkip -> ()
  | X.FStop -> line "stuck;"
  | X.FSeq (a, b) ->
    statement k types names at a;
    statement k types names at b
  | X.FSet (r, i, e) ->
    let p = place k types names r i in
    let v = converted k (suffix q.p.S.number) (stored k r) (value k types names 0 e) in
    line (p ^ " = " ^ v ^ ";")
  | X.FBlock (r, d, b) -> block k types names at r d b
  | X.FFor (p, l, n, b) ->
    let outer = p = X.Par && not k.parallel in
    if outer then begin
      let depth = nest 1 b in
      line ("#pragma omp parallel for" ^ if depth > 1 then Printf.sprintf " collapse(%d)" depth else "")
    end;
    let x = fresh q "i" in
    line (Printf.sprintf "for (long %s = 0; %s < %s; %s++) {" x x (c_size k n) x);
    let before = k.parallel in
    k.parallel <- before || outer;
    statement k types ((int l, x) :: names) (at + 1) b;
    k.parallel <- before;
    line "}"
  | X.FIf (c, a, b) ->
    let not_ = is_empty a in
    line (Printf.sprintf (if not_ then "if (!(%s)) {" else "if (%s) {") (conds k names c));
    statement k types names (at + 1) (if not_ then b else a);
    if (not not_) && not (is_empty b) then begin
      line "} else {";
      statement k types names (at + 1) b
    end;
    line "}"

and block k types names at r d b =
  let q = k.q in
  let line at s = puts q (String.make (4 * at) ' ' ^ s ^ "\n") in
  let x = fresh q "v" in
  let t = c_type q.p.S.number in
  let unread () = if not (loads (int r) b) then line at ("(void)" ^ x ^ ";") in
  let body at = statement k ((int r, d) :: types) ((int r, x) :: names) at b in
  let n = cells d in
  if d = X.DNum then begin
    line at (Printf.sprintf "%s %s;" t x);
    unread ();
    body at
  end
  else if not (is_heap k d) then begin
    let n = match number_of_size n with Some c when Z.sign c > 0 -> Z.to_string c | _ -> "1" in
    line at (Printf.sprintf "%s %s[%s];" t x n);
    unread ();
    body at
  end
  else begin
    let known = number_of_size n <> None in
    line at
      (Printf.sprintf "%s *restrict %s = malloc(sizeof(%s) * %s);" t x t
         (if known then c_size k n else "(size_t)(" ^ c_size k n ^ " + 1)"));
    line at (Printf.sprintf "if (%s == NULL) {" x);
    line (at + 1) "#pragma omp atomic write";
    line (at + 1) "failed = 1;";
    line at "} else {";
    body (at + 1);
    line (at + 1) (Printf.sprintf "free(%s);" x);
    line at "}"
  end

let with_helpers used text =
  prelude
  ^ String.concat "" (List.filter_map (fun (n, body) -> if List.mem n used then Some (body ^ "\n") else None) helpers)
  ^ text

let c_function ?(head = "") ?(stored = [||]) ~name p body =
  let q = printer p in
  let k = { q; types = Array.of_list (S.types p); stored; used = []; parallel = false } in
  let heap = has_heap k body in
  let t r = if r < Array.length stored then stored_type stored.(r) else c_type p.S.number in
  let params =
    List.init (Array.length p.S.sizes) (fun k -> "long " ^ size_var p k)
    @ List.mapi
        (fun r x -> Printf.sprintf "%s%s *restrict %s" (if x.S.role = S.In then "const " else "") (t r) (param_var p r))
        p.S.params in
  putf q "%s%s %s(%s)\n{\n" head (if heap then "int" else "void") name
    (if params = [] then "void" else String.concat ", " params);
  if heap then puts q "    int failed = 0;\n";
  Array.iteri (fun k _ -> putf q "    (void)%s;\n" (size_var p k)) p.S.sizes;
  List.iteri
    (fun r _ -> if not (loads r body || sets r body) then putf q "    (void)%s;\n" (param_var p r))
    p.S.params;
  let names = List.map (fun (l, _) -> (l, param_var p l)) (root_names p) in
  statement k [] names 1 body;
  puts q (if heap then "    return failed;\n}\n" else "}\n");
  (Buffer.contents q.buf, k.used)

let c p =
  let text, used = c_function ~name:"kernel" p (S.emitted S.words p) in
  with_helpers used text

(* {1 Running} *)

let run ~values ~inputs ~races p =
  let sc = S.running p.S.number in
  let s = S.sizing values in
  let given = ref inputs in
  let take x =
    match x.S.role, !given with
    | S.In, l :: rest ->
      given := rest;
      if List.length l <> S.cells s x.S.ty then Error (x.S.name ^ ": another number of values")
      else
        (match List.map (S.scalar_of_string p.S.number) l with
         | l -> Ok (Some (S.value_of s x.S.ty (Array.of_list l)))
         | exception _ -> Error (x.S.name ^ ": no numbers"))
    | S.In, [] -> Error (x.S.name ^ ": no values")
    | _, _ -> Ok None in
  let rec all = function
    | [] -> if !given = [] then Ok [] else Error "too many values"
    | x :: l -> Result.bind (take x) (fun v -> Result.map (fun l -> v :: l) (all l)) in
  Result.bind (all p.S.params) (fun env ->
    let text x scalars =
      Printf.sprintf "%s%s\n" x.S.name
        (String.concat "" (List.map (fun v -> " " ^ S.scalar_to_string p.S.number v) scalars)) in
    let result = S.evaluate sc s p env in
    let answer =
      List.map2
        (fun x v -> match x.S.role, v with S.Out, Some v -> text x (S.scalars_of v []) | _ -> "")
        p.S.params result in
    let answer = String.concat "" answer in
    match S.execute ~races sc s p env with
    | None -> Error "the emitted program is stuck"
    | Some roots ->
      let out x l =
        if x.S.role <> S.Out then ""
        else if List.mem None l then x.S.name ^ " unset\n"
        else text x (List.map Option.get l) in
      if String.concat "" (List.map2 out p.S.params roots) = answer then Ok answer
      else Error "the emitted program computes something else")

(* {1 Requests} *)

type request =
  | Translate of S.program
  | Run of int list * string list list * S.program

let rec items i item =
  if Read.next i = ')' then [] else let x = item i in x :: items i item

let named word i item =
  S.form i (fun w -> if w = word then items i item else Read.fail i ("'" ^ word ^ "'"))

let request i =
  S.form i (function
    | "translate" -> Translate (S.program (fun _ -> S.words) i)
    | "run" ->
      let values = named "sizes" i Read.number in
      let count = Read.number i in
      let inputs = List.init count (fun _ -> named "values" i Read.atom) in
      Run (values, inputs, S.program S.running i)
    | _ -> Read.fail i "'translate' or 'run'")

let typed = function
  | Translate p -> S.well_typed ?values:(if p.S.sizes = [||] then Some [||] else None) S.words p
  | Run (values, _, p) -> S.well_typed ~values:(Array.of_list values) (S.running p.S.number) p

type counts = { mutable translated : int; mutable typed : int; mutable ran : int }

let answer counts r =
  match r with
  | Translate p ->
    counts.translated <- counts.translated + 1;
    if typed r then counts.typed <- counts.typed + 1;
    Ok (comm p ^ "--\n" ^ c p)
  | Run (values, inputs, p) ->
    counts.ran <- counts.ran + 1;
    run ~values:(Array.of_list values) ~inputs ~races:true p

let parse_request line = Read.parse line request
let parse_program text = Read.parse text (S.program (fun _ -> S.words))
let parse_runnable text = Read.parse text (S.program S.running)
