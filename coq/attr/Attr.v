(** * Attribute values and expressions

    The attribute language of GSL: how an attribute expression is evaluated
    ([G;a => v], figure attr_eval of the thesis) and how it is matched against
    an attribute of a graph node ([G |- a ~ v], figure attr_match).  Each
    judgement stands next to the function that decides it; [AttrProof] shows
    that the two agree.

    Four things differ from the thesis, each for a reason stated as a theorem
    in [AttrProof] or [Memo]: tuples and indices count from 0 and a negative
    index counts from the end ([erratum_one_based_projection]); "any" is an
    expression that only matching understands, never a value
    ([erratum_any_in_computation]); an empty range is a range
    ([erratum_empty_sum]); integers are int64 and an operation that leaves the
    range has no value. *)

From Coq Require Import Ascii Bool List NArith String ZArith.
From Calque Require Import base.Lists.
Import ListNotations.
Open Scope Z_scope.

(** ** Values *)

(** ORDER value_kind: keep with the C enum and with oracle/shim.ml. *)
Inductive value :=
  | VNone                        (** an absent attribute *)
  | VBool (b : bool)
  | VInt (z : Z)                 (** in int64: [value_in_range] *)
  | VFloat (bits : N)            (** the 64 bits of a binary64, compared only: [number] *)
  | VStr (s : string)            (** bytes *)
  | VTuple (vs : list value).

Definition int64_min : Z := -9223372036854775808.
Definition int64_max : Z := 9223372036854775807.
Definition float_end : N := 18446744073709551616.

Definition in_int64 (z : Z) : bool := (int64_min <=? z) && (z <=? int64_max).

(** Every number of the value is representable. *)
Fixpoint value_in_range (v : value) : bool :=
  match v with
  | VInt z => in_int64 z
  | VFloat bits => (bits <? float_end)%N
  | VTuple vs => forallb value_in_range vs
  | _ => true
  end.

(** Structural equality; values with different tags are unequal. *)
Fixpoint value_eqb (v w : value) : bool :=
  match v, w with
  | VNone, VNone => true
  | VBool b, VBool c => Bool.eqb b c
  | VInt y, VInt z => y =? z
  | VFloat b, VFloat c => (b =? c)%N
  | VStr s, VStr t => String.eqb s t
  | VTuple vs, VTuple ws => all2 value_eqb vs ws
  | _, _ => false
  end.

(** ** Expressions *)

(** ORDER attr_unary: keep with c/attr/attr_ops.def. *)
Inductive unary :=
  | UNeg                         (** int *)
  | UNot                         (** bool *)
  | ULen.                        (** tuple -> int *)

(** ORDER attr_binary: keep with c/attr/attr_ops.def. *)
Inductive binary :=
  | BAdd                         (** int + int, tuple ++ tuple *)
  | BSub | BMul                  (** int *)
  | BFloordiv | BMod             (** int, rounded down; no value on 0 *)
  | BMin | BMax                  (** int *)
  | BEq | BNe                    (** any two values *)
  | BLt | BLe | BGt | BGe        (** ints and floats, by their exact [number]s *)
  | BAnd | BOr                   (** bool, both operands needed *)
  | BGather.                     (** tuple t, tuple of ints ix -> (t[i] for i in ix) *)

(** Reductions of a tuple, from the left; [amin], [amax] of the empty tuple have
    no value. *)
Inductive reduction :=
  | RSum | RProd | RMin | RMax   (** ints *)
  | RAll | RExists               (** bools *)
  | RConcat.                     (** tuples *)

(** The other functions of values; every argument is needed. *)
Inductive func :=
  | FIn                          (** v, t: is v a component of the tuple t? *)
  | FReversed                    (** t *)
  | FRange                       (** start, stop, step: as Python's range *)
  | FSlice                       (** t, start, stop, step: as Python's slice; none: left out *)
  | FZip                         (** t1 .. tn: the tuple of the i-th components, for each i *)
  | FRemap.                      (** two strings: where each letter of the second is in the first *)

(** A pattern is named by its number, an attribute of it by a label, the index
    of a comprehension or of a variadic pattern by its number. *)
Definition patno := N.
Definition label := string.
Definition symbol := N.

(** ORDER attr_kind: keep with the C enum and with oracle/shim.ml. *)
Inductive attr :=
  | AConst (v : value)
  | AAny                         (** [_]: matches everything, has no value *)
  | AAccess (p : patno) (l : label)
  | AUnary (o : unary) (a : attr)
  | ABinary (o : binary) (a b : attr)
  | ATuple (l : list attr)
  | AProj (a b : attr)
  | ASymbol (s : symbol)
  | AInst (p : patno) (a : attr) (l : label)     (** [src(p, a).l] *)
  | AVar (s : symbol) (n a : attr)               (** [[a for s in range(n)]]; [n] may be [_] in a match *)
  | AMap (s : symbol) (t a : attr)               (** [[a for s in t]] *)
  | AReduce (o : reduction) (t : attr)           (** [sum(a for s in range(n))] reduces an [AVar] *)
  | ACond (c a b : attr)                         (** only the chosen one is evaluated *)
  | AMatch (p : patno) (l : list attr)           (** by the alternative that [p] matched by *)
  | AFunc (f : func) (l : list attr).

(** The names of the operations in the canonical text. *)
Definition unary_names : list (unary * string) :=
  [(UNeg, "neg"); (UNot, "not"); (ULen, "len")]%string.

Definition binary_names : list (binary * string) :=
  [(BAdd, "add"); (BSub, "sub"); (BMul, "mul"); (BFloordiv, "floordiv");
   (BMod, "mod"); (BMin, "min"); (BMax, "max"); (BEq, "eq"); (BNe, "ne");
   (BLt, "lt"); (BLe, "le"); (BGt, "gt"); (BGe, "ge"); (BAnd, "and");
   (BOr, "or"); (BGather, "gather")]%string.

Definition reduction_names : list (reduction * string) :=
  [(RSum, "sum"); (RProd, "prod"); (RMin, "amin"); (RMax, "amax");
   (RAll, "all"); (RExists, "exists"); (RConcat, "concat")]%string.

Definition func_names : list (func * string) :=
  [(FIn, "in"); (FReversed, "reversed"); (FRange, "range"); (FSlice, "slice");
   (FZip, "zip"); (FRemap, "remap")]%string.

(** The environment: attributes of the nodes matched so far (in a template of a
    variadic pattern: of the current instance), those of the instances, the
    values of the symbols in scope, the alternatives taken. *)
Record env := Env {
  access : patno -> label -> option value;
  inst : patno -> Z -> label -> option value;
  value_of : symbol -> option value;
  taken : patno -> option nat
}.

Definition bind (G : env) (s : symbol) (v : value) : env :=
  Env (access G) (inst G) (fun t => if N.eqb t s then Some v else value_of G t) (taken G).

(** The first binding of a name counts. *)
Definition look_up {K V} (eqb : K -> K -> bool) (l : list (K * V)) (k : K) : option V :=
  option_map snd (find (fun b => eqb (fst b) k) l).

Definition env_full (accesses : list (patno * label * value))
    (insts : list (patno * Z * label * value)) (symbols : list (symbol * value))
    (alts : list (patno * nat)) : env :=
  Env (fun p n => look_up (fun b c => N.eqb (fst b) (fst c) && String.eqb (snd b) (snd c))
                    accesses (p, n))
      (fun p k n => look_up (fun b c => N.eqb (fst (fst b)) (fst (fst c)) &&
                               Z.eqb (snd (fst b)) (snd (fst c)) && String.eqb (snd b) (snd c))
                      insts (p, k, n))
      (look_up N.eqb symbols)
      (look_up N.eqb alts).

Definition env_of (l : list (patno * label * value)) : env := env_full l [] [] [].

(** ** Operations *)

Definition int_result (z : Z) : option value :=
  if in_int64 z then Some (VInt z) else None.

(** [vs[k]] with [-n <= k < n]; a negative [k] counts from the end. *)
Definition tuple_index {A} (vs : list A) (k : Z) : option A :=
  let n := Z.of_nat (List.length vs) in
  if (0 <=? k) && (k <? n) then nth_error vs (Z.to_nat k)
  else if (- n <=? k) && (k <? 0) then nth_error vs (Z.to_nat (k + n))
  else None.

(** The same, as a relation. *)
Definition index_at {A} (vs : list A) (k : Z) (v : A) : Prop :=
  exists i : nat, nth_error vs i = Some v /\
    (k = Z.of_nat i \/ k = Z.of_nat i - Z.of_nat (List.length vs)).

Definition gather_one (vs : list value) (i : value) : option value :=
  match i with VInt k => tuple_index vs k | _ => None end.

Definition unary_op (o : unary) (v : value) : option value :=
  match o, v with
  | UNeg, VInt z => int_result (- z)
  | UNot, VBool b => Some (VBool (negb b))
  | ULen, VTuple vs => int_result (Z.of_nat (List.length vs))
  | _, _ => None
  end.

(** The number that a binary64 is, times 2^1074: all are integers so.  With [m] its bits without the sign and [e] its
    exponent: a subnormal is [m], a normal one 2^(e - 1) times its significand, and by the same formula an infinity is
    2^2098, beyond every other number.  A NaN is none. *)
Definition float_number (bits : N) : option Z :=
  let b := Z.of_N bits in
  let m := b mod 2 ^ 63 in
  let e := m / 2 ^ 52 in
  let n := if e =? 0 then m else (m mod 2 ^ 52 + 2 ^ 52) * 2 ^ (e - 1) in
  if 2047 * 2 ^ 52 <? m then None else Some (if b <? 2 ^ 63 then n else - n).

Definition number (v : value) : option Z :=
  match v with
  | VInt z => Some (z * 2 ^ 1074)
  | VFloat bits => float_number bits
  | _ => None
  end.

Definition number_test (test : Z -> Z -> bool) (v w : value) : option value :=
  match number v, number w with
  | Some y, Some z => Some (VBool (test y z))
  | _, _ => None
  end.

Definition binary_op (o : binary) (v w : value) : option value :=
  match o, v, w with
  | BEq, _, _ => Some (VBool (value_eqb v w))
  | BNe, _, _ => Some (VBool (negb (value_eqb v w)))
  | BAdd, VInt y, VInt z => int_result (y + z)
  | BAdd, VTuple vs, VTuple ws => Some (VTuple (vs ++ ws))
  | BSub, VInt y, VInt z => int_result (y - z)
  | BMul, VInt y, VInt z => int_result (y * z)
  | BFloordiv, VInt y, VInt z => if z =? 0 then None else int_result (y / z)
  | BMod, VInt y, VInt z => if z =? 0 then None else int_result (y mod z)
  | BMin, VInt y, VInt z => Some (VInt (Z.min y z))
  | BMax, VInt y, VInt z => Some (VInt (Z.max y z))
  | BLt, VInt y, VInt z => Some (VBool (y <? z))
  | BLe, VInt y, VInt z => Some (VBool (y <=? z))
  | BGt, VInt y, VInt z => Some (VBool (z <? y))
  | BGe, VInt y, VInt z => Some (VBool (z <=? y))
  | BLt, _, _ => number_test Z.ltb v w
  | BLe, _, _ => number_test Z.leb v w
  | BGt, _, _ => number_test Z.gtb v w
  | BGe, _, _ => number_test Z.geb v w
  | BAnd, VBool b, VBool c => Some (VBool (b && c))
  | BOr, VBool b, VBool c => Some (VBool (b || c))
  | BGather, VTuple vs, VTuple ix =>
      option_map VTuple (traverse (gather_one vs) ix)
  | _, _, _ => None
  end.

(** Reduction, from the left. *)
Definition reduction_step (o : reduction) : binary :=
  match o with
  | RSum | RConcat => BAdd
  | RProd => BMul
  | RMin => BMin
  | RMax => BMax
  | RAll => BAnd
  | RExists => BOr
  end.

Definition reduction_start (o : reduction) (vs : list value) : option value :=
  match o with
  | RSum => Some (VInt 0)
  | RProd => Some (VInt 1)
  | RMin | RMax => hd_error vs
  | RAll => Some (VBool true)
  | RExists => Some (VBool false)
  | RConcat => Some (VTuple [])
  end.

Definition reduce (o : reduction) (vs : list value) : option value :=
  fold_left (fun u v => match u with Some w => binary_op (reduction_step o) w v | None => None end)
    vs (reduction_start o vs).

(** What a range may count: a longer one has no value. *)
Definition count_max : Z := 65536.

Definition count (k : Z) : option nat :=
  if (0 <=? k) && (k <=? count_max) then Some (Z.to_nat k) else None.

(** How many of [lo, lo + step, ..] lie before [hi]. *)
Definition steps (lo hi step : Z) : Z :=
  if 0 <? step then Z.max 0 ((hi - lo + step - 1) / step)
  else Z.max 0 ((lo - hi - step - 1) / (- step)).

Definition range_op (lo hi step : Z) : option value :=
  if step =? 0 then None
  else match count (steps lo hi step) with
       | Some m => option_map VTuple
                     (traverse (fun i => int_result (lo + Z.of_nat i * step)) (seq 0 m))
       | None => None
       end.

(** A bound of a slice: counted from the end if negative, then brought into [lo..hi]. *)
Definition slice_bound (n lo hi otherwise : Z) (v : value) : option Z :=
  match v with
  | VNone => Some otherwise
  | VInt k => Some (Z.max lo (Z.min hi (if k <? 0 then k + n else k)))
  | _ => None
  end.

Definition slice_op (vs : list value) (a b c : value) : option value :=
  let n := Z.of_nat (List.length vs) in
  match (match c with VNone => Some 1 | VInt k => if k =? 0 then None else Some k | _ => None end) with
  | Some step =>
      let lo := if 0 <? step then 0 else -1 in
      let hi := if 0 <? step then n else n - 1 in
      match slice_bound n lo hi (if 0 <? step then lo else hi) a,
            slice_bound n lo hi (if 0 <? step then hi else lo) b with
      | Some x, Some y =>
          option_map VTuple
            (traverse (fun i => nth_error vs (Z.to_nat (x + Z.of_nat i * step)))
               (seq 0 (Z.to_nat (steps x y step))))
      | _, _ => None
      end
  | None => None
  end.

Definition components (v : value) : option (list value) :=
  match v with VTuple vs => Some vs | _ => None end.

Definition zip_op (ts : list (list value)) : option value :=
  let m := match ts with [] => 0%nat | t :: ts' => fold_left Nat.min (map (@List.length _) ts') (List.length t) end in
  option_map VTuple
    (traverse (fun i => option_map VTuple (traverse (fun t => nth_error t i) ts)) (seq 0 m)).

Definition letter_at (s : string) (c : value) : option value :=
  match c with
  | VStr t => match index 0 t s with Some i => int_result (Z.of_nat i) | None => None end
  | _ => None
  end.

Definition func_op (f : func) (vs : list value) : option value :=
  match f, vs with
  | FIn, [v; VTuple ws] => Some (VBool (existsb (value_eqb v) ws))
  | FReversed, [VTuple ws] => Some (VTuple (rev ws))
  | FRange, [VInt a; VInt b; VInt c] => range_op a b c
  | FSlice, [VTuple ws; a; b; c] => slice_op ws a b c
  | FZip, _ => match traverse components vs with Some ts => zip_op ts | None => None end
  | FRemap, [VStr s; VStr t] =>
      option_map VTuple
        (traverse (letter_at s) (map (fun c => VStr (String c EmptyString)) (list_ascii_of_string t)))
  | _, _ => None
  end.

(** ** Evaluation: [G;a => v] *)

Inductive ae (G : env) : attr -> value -> Prop :=
  (** [AE-Value]:  v => v *)
  | AE_Value : forall v,
      ae G (AConst v) v
  (** [AE-Access]:  G |- p ~ e   attr(e)(l) = v  /  G;p.l => v *)
  | AE_Access : forall p l v,
      access G p l = Some v ->
      ae G (AAccess p l) v
  (** [AE-Unary]:  G;a => v   uop(v) = w  /  G;uop a => w   (left out in the thesis) *)
  | AE_Unary : forall o a v w,
      ae G a v -> unary_op o v = Some w ->
      ae G (AUnary o a) w
  (** [AE-Binary]:  G;a1 => v1   G;a2 => v2   bop(v1,v2) = v  /  G;a1 bop a2 => v *)
  | AE_Binary : forall o a b v w u,
      ae G a v -> ae G b w -> binary_op o v w = Some u ->
      ae G (ABinary o a b) u
  (** [AE-Tuple]:  for all i, G;ai => vi  /  G;(a1..an) => (v1..vn) *)
  | AE_Tuple : forall l vs,
      Forall2 (ae G) l vs ->
      ae G (ATuple l) (VTuple vs)
  (** [AE-Proj]:  G;at => (v1..vn)   G;ap => k   1 <= k <= n  /  G;at.ap => vk
      (here from 0, and from the end when negative) *)
  | AE_Proj : forall a b vs k v,
      ae G a (VTuple vs) -> ae G b (VInt k) -> index_at vs k v ->
      ae G (AProj a b) v
  (** [AE-Symbol]:  G(s) = v  /  G;s => v *)
  | AE_Symbol : forall s v,
      value_of G s = Some v ->
      ae G (ASymbol s) v
  (** [AE-Inst]:  G;a => k   G |- p@k ~ e   attr(e)(l) = v  /  G;src(p,a).l => v *)
  | AE_Inst : forall p a l k v,
      ae G a (VInt k) -> inst G p k l = Some v ->
      ae G (AInst p a l) v
  (** [AE-Var]:  G;n => m   for all i in 0..m-1, G[s->i];a => vi  /  G;var a s n => (v0..) *)
  | AE_Var : forall s n a k m vs,
      ae G n (VInt k) -> count k = Some m ->
      Forall2 (fun i v => ae (bind G s (VInt (Z.of_nat i))) a v) (seq 0 m) vs ->
      ae G (AVar s n a) (VTuple vs)
  (** [AE-Map]:  G;t => (w1..wn)   for all i, G[s->wi];a => vi  /  G;map a s t => (v1..vn) *)
  | AE_Map : forall s t a ws vs,
      ae G t (VTuple ws) ->
      Forall2 (fun w v => ae (bind G s w) a v) ws vs ->
      ae G (AMap s t a) (VTuple vs)
  (** [AE-Sum]:  G;t => (v1..vn)   v1 + .. + vn = v  /  G;sum t => v  (and the other reductions) *)
  | AE_Sum : forall o t vs v,
      ae G t (VTuple vs) -> reduce o vs = Some v ->
      ae G (AReduce o t) v
  (** [AE-Cond]:  G;c => b   G;ab => v  /  G;cond c a_true a_false => v *)
  | AE_Cond : forall c a a' b v,
      ae G c (VBool b) -> ae G (if b then a else a') v ->
      ae G (ACond c a a') v
  (** [AE-Match]:  p matched by its k-th alternative   G;ak => v  /  G;match p (a0..) => v *)
  | AE_Match : forall p l k a v,
      taken G p = Some k -> nth_error l k = Some a -> ae G a v ->
      ae G (AMatch p l) v
  (** [AE-Func]:  for all i, G;ai => vi   f(v1..vn) = v  /  G;f(a1..an) => v *)
  | AE_Func : forall f l vs v,
      Forall2 (ae G) l vs -> func_op f vs = Some v ->
      ae G (AFunc f l) v.

Fixpoint eval (G : env) (a : attr) : option value :=
  match a with
  | AConst v => Some v
  | AAny => None
  | AAccess p l => access G p l
  | AUnary o a' =>
      match eval G a' with Some v => unary_op o v | None => None end
  | ABinary o a' b =>
      match eval G a', eval G b with
      | Some v, Some w => binary_op o v w
      | _, _ => None
      end
  | ATuple l => option_map VTuple (traverse (eval G) l)
  | AProj a' b =>
      match eval G a', eval G b with
      | Some (VTuple vs), Some (VInt k) => tuple_index vs k
      | _, _ => None
      end
  | ASymbol s => value_of G s
  | AInst p a' l =>
      match eval G a' with Some (VInt k) => inst G p k l | _ => None end
  | AVar s n a' =>
      match eval G n with
      | Some (VInt k) =>
          match count k with
          | Some m => option_map VTuple
              (traverse (fun i => eval (bind G s (VInt (Z.of_nat i))) a') (seq 0 m))
          | None => None
          end
      | _ => None
      end
  | AMap s t a' =>
      match eval G t with
      | Some (VTuple ws) => option_map VTuple (traverse (fun w => eval (bind G s w) a') ws)
      | _ => None
      end
  | AReduce o t =>
      match eval G t with Some (VTuple vs) => reduce o vs | _ => None end
  | ACond c a' b =>
      match eval G c with
      | Some (VBool true) => eval G a'
      | Some (VBool false) => eval G b
      | _ => None
      end
  | AMatch p l =>
      match taken G p with
      | Some k => match nth_error (map (eval G) l) k with Some v => v | None => None end
      | None => None
      end
  | AFunc f l =>
      match traverse (eval G) l with Some vs => func_op f vs | None => None end
  end.

(** ** Matching: [G |- a ~ v] *)

Inductive am (G : env) : attr -> value -> Prop :=
  (** [AM-Any]:  G |- any ~ v *)
  | AM_Any : forall v,
      am G AAny v
  (** [AM-Eval]:  G;a => v  /  G |- a ~ v *)
  | AM_Eval : forall a v,
      ae G a v ->
      am G a v
  (** [AM-Tuple]:  for all i, G |- ai ~ vi  /  G |- (a1..an) ~ (v1..vn) *)
  | AM_Tuple : forall l vs,
      Forall2 (am G) l vs ->
      am G (ATuple l) (VTuple vs)
  (** [AM-Var]:  G |- n ~ m   for all i in 0..m-1, G[s->i] |- a ~ vi  /  G |- var a s n ~ (v0..vm-1) *)
  | AM_Var : forall s n a m vs,
      am G n (VInt (Z.of_nat m)) -> count (Z.of_nat m) = Some m ->
      Forall2 (fun i v => am (bind G s (VInt (Z.of_nat i))) a v) (seq 0 m) vs ->
      am G (AVar s n a) (VTuple vs).

Fixpoint amatch (G : env) (a : attr) (v : value) : bool :=
  match a with
  | AAny => true
  | ATuple l => match v with VTuple vs => all2 (amatch G) l vs | _ => false end
  | AVar s n a' =>
      match v with
      | VTuple vs =>
          let m := List.length vs in
          (Z.of_nat m <=? count_max) && amatch G n (VInt (Z.of_nat m)) &&
          all2 (fun i => amatch (bind G s (VInt (Z.of_nat i))) a') (seq 0 m) vs
      | _ => false
      end
  | _ => match eval G a with Some w => value_eqb w v | None => false end
  end.

(** ** Syntactic conditions of the theorems *)

(** No [_] anywhere. *)
Fixpoint any_free (a : attr) : bool :=
  match a with
  | AConst _ | AAccess _ _ | ASymbol _ => true
  | AAny => false
  | AUnary _ a' | AInst _ a' _ | AReduce _ a' => any_free a'
  | ABinary _ a' b | AProj a' b | AVar _ a' b | AMap _ a' b => any_free a' && any_free b
  | ACond c a' b => any_free c && any_free a' && any_free b
  | ATuple l | AMatch _ l | AFunc _ l => forallb any_free l
  end.

(** Every constant is representable. *)
Fixpoint consts_in_range (a : attr) : bool :=
  match a with
  | AConst v => value_in_range v
  | AAny | AAccess _ _ | ASymbol _ => true
  | AUnary _ a' | AInst _ a' _ | AReduce _ a' => consts_in_range a'
  | ABinary _ a' b | AProj a' b | AVar _ a' b | AMap _ a' b =>
      consts_in_range a' && consts_in_range b
  | ACond c a' b => consts_in_range c && consts_in_range a' && consts_in_range b
  | ATuple l | AMatch _ l | AFunc _ l => forallb consts_in_range l
  end.

Definition env_in_range (G : env) : Prop :=
  (forall p l v, access G p l = Some v -> value_in_range v = true) /\
  (forall p k l v, inst G p k l = Some v -> value_in_range v = true) /\
  (forall s v, value_of G s = Some v -> value_in_range v = true).
