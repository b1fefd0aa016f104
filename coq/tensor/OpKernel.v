(** * The kernels of operators

    Each operator is defined once, as a kernel: this is what gen_<Op> of c/tensor
    writes, statement by statement.  [ins] are the shapes of the inputs that are
    there (absent ones only come last), [out] that of output 0, attributes those of
    the one internal form (c/tensor/ops.def).  A scalar has no dimensions here and
    is printed as one of size 1 without index. *)

From Coq Require Import Ascii String Bool List NArith ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel tensor.Tensor tensor.Scalars tensor.OpIndex.
From Calque Require Import kernel.Numbers.
Import ListNotations.

Open Scope string_scope.
Open Scope list_scope.
Open Scope Z_scope.



Notation shape := (list nat).

(** Inputs, outputs and temporaries of one kernel. *)
Definition tX (k : nat) : tid := (3 * k)%nat.
Definition tY (k : nat) : tid := (3 * k + 1)%nat.
Definition tT (k : nat) : tid := (3 * k + 2)%nat.

(** ** Attributes *)

Definition attributes := list (label * value).

Definition attr_int (l : attributes) (name : label) : option Z :=
  match look_up String.eqb l name with Some (VInt z) => Some z | _ => None end.

Definition int_of (v : value) : option Z := match v with VInt z => Some z | _ => None end.

Definition attr_ints (l : attributes) (name : label) : option (list Z) :=
  match look_up String.eqb l name with Some (VTuple vs) => traverse int_of vs | _ => None end.

Definition attr_real (l : attributes) (name : label) : option N :=
  match look_up String.eqb l name with Some (VFloat b) => Some b | _ => None end.

Definition attr_str (l : attributes) (name : label) : option string :=
  match look_up String.eqb l name with Some (VStr s) => Some s | _ => None end.

Definition attr_nat (l : attributes) (name : label) : option nat := option_map Z.to_nat (attr_int l name).

Definition attr_nats (l : attributes) (name : label) : option (list nat) :=
  option_map (map Z.to_nat) (attr_ints l name).

Notation "'let?' x := a 'in' b" := (match a with Some x => b | None => None end)
  (at level 200, x pattern, b at level 200).

(** ** Dimensions that are kept, summed over, or cut into groups *)

Inductive role := Kept | Summed | Cut.

Definition role_eqb (a b : role) : bool :=
  match a, b with Kept, Kept | Summed, Summed | Cut, Cut => true | _, _ => false end.

Definition roles_of (n : nat) (summed : nat -> bool) : list role :=
  map (fun i => if summed i then Summed else Kept) (seq 0 n).

(** What the statistics have, and what is summed for each of their cells. *)
Fixpoint rest_dims (share : nat) (rs : list role) (d : shape) : shape :=
  match rs, d with
  | Kept :: rs', n :: d' => n :: rest_dims share rs' d'
  | Summed :: rs', _ :: d' => rest_dims share rs' d'
  | Cut :: rs', n :: d' => (n / share)%nat :: rest_dims share rs' d'
  | _, _ => []
  end.

Fixpoint extents (share : nat) (rs : list role) (d : shape) : shape :=
  match rs, d with
  | Kept :: rs', _ :: d' => extents share rs' d'
  | Summed :: rs', n :: d' => n :: extents share rs' d'
  | Cut :: rs', _ :: d' => share :: extents share rs' d'
  | _, _ => []
  end.

(** The cells at the statistics' indices [outer] and the reduction's [inner]. *)
Fixpoint weave_ix (share : nat) (rs : list role) (outer inner : list ixs) : list ixs :=
  match rs with
  | [] => []
  | Kept :: rs' => hd (ix_const 0) outer :: weave_ix share rs' (tl outer) inner
  | Summed :: rs' => hd (ix_const 0) inner :: weave_ix share rs' outer (tl inner)
  | Cut :: rs' =>
      ix_add (ix_mul (hd (ix_const 0) outer) (Z.of_nat share)) (hd (ix_const 0) inner) ::
      weave_ix share rs' (tl outer) (tl inner)
  end.

(** The group of a cell. *)
Fixpoint own (share : nat) (rs : list role) (at_ : list ixs) : list ixs :=
  match rs, at_ with
  | Kept :: rs', a :: l => a :: own share rs' l
  | Summed :: rs', _ :: l => own share rs' l
  | Cut :: rs', a :: l => ix_div a (Z.of_nat share) :: own share rs' l
  | _, _ => []
  end.

(** ** Expressions *)

(** The variables of an output, under a reduction over [es]. *)
Definition outer (es : shape) (d : shape) : list ixs := numbered (length (live es)) d.

(** Indices of a tensor of shape [s] broadcast from the right to [d]. *)
Definition spread_at (vars : list ixs) (d s : shape) : list ixs :=
  map (fun p => if (snd p =? snd (fst p))%nat then fst (fst p) else ix_const 0)
      (combine (skipn (length d - length s) (combine vars d)) s).

(** Comparisons that keep indices in [d]: those that can fail; [None]: one always does. *)
Fixpoint guards (at_ : list ixs) (d : list nat) : option (list cond) :=
  match at_, d with
  | a :: l, n :: d' =>
      if (ix_last a <? 0) || (Z.of_nat n <=? ix_first a) then None
      else
        match guards l d' with
        | Some cs =>
            Some ((if 0 <=? ix_first a then [] else [CCmp CGe (ix_of a) (ICst 0)]) ++
                  (if ix_last a <? Z.of_nat n then [] else [CCmp CLt (ix_of a) (ICst (Z.of_nat n))]) ++ cs)
        | None => None
        end
  | _, _ => Some []
  end.

Definition all_of (c : cond) (cs : list cond) : cond := fold_left CAnd cs c.

Definition set_ix {A} (l : list A) (k : nat) (a : A) : list A := firstn k l ++ a :: skipn (S k) l.
Definition nth_ix (l : list ixs) (k : nat) : ixs := nth k l (ix_const 0).

Section Gen.
  Variable A : arith.
  Notation ex := (ex (kernel_scalars A)).
  Notation stmt := (stmt (kernel_scalars A)).
  Notation prog := (prog (kernel_scalars A)).

  Definition lit (n : literal) : ex := ECst (S := kernel_scalars A) n.
  Definition int (z : Z) : ex := lit (LInt z).
  Definition load (t : tid) (at_ : list ixs) : ex := ELd t (map ix_of at_).
  Definition bin (o : operator) (a b : ex) : ex := EBin (S := kernel_scalars A) o a b.
  Definition call1 (f : function) (a : ex) : ex := EFn (S := kernel_scalars A) f [a].
  Definition call2 (f : function) (a b : ex) : ex := EFn (S := kernel_scalars A) f [a; b].

  (** A reduction over those of [es] that have several values. *)
  Definition reduced (r : Numbers.reduction) (es : shape) (e : ex) : ex :=
    match live es with [] => e | ns => ERed (S := kernel_scalars A) r ns e end.

  (** The same where some extent may be 0. *)
  Definition sum_or_zero (es : shape) (e : ex) : ex :=
    if existsb (fun n => n =? 0)%nat es then int 0 else reduced KSum es e.

  Definition select (cs : list cond) (a b : ex) : ex :=
    match cs with [] => a | c :: cs' => ESel (all_of c cs') a b end.

  Section Operator.
    Variable (ins : list shape) (out : shape) (integers : bool) (l : attributes).

    Definition in_ (k : nat) : shape := nth k ins [].
    Definition vars : list ixs := numbered 0 out.

    (** Input [k], broadcast. *)
    Definition spread (k : nat) : ex := load (tX k) (spread_at vars out (in_ k)).

    Definition store (t : tid) (d : shape) (e : ex) : stmt := Stmt t d e.
    Definition stores (e : ex) : option prog := Some [store (tY 0) out e].
    Definition floats (p : option prog) : option prog := if integers then None else p.

    (** *** Elementwise *)

    Definition k_map (f : ex -> ex) : option prog := stores (f (spread 0)).

    Definition k_abs : option prog :=
      stores (if integers then call2 FMax (spread 0) (call1 FNeg (spread 0)) else call1 FAbs (spread 0)).

    (** An infinite bound is none. *)
    Definition k_clip : option prog :=
      let? lo := attr_real l "min" in
      let? hi := attr_real l "max" in
      let a := if is_minus_infinity lo then spread 0 else call2 FMax (spread 0) (lit (LReal lo)) in
      stores (if is_infinity hi then a else call2 FMin a (lit (LReal hi))).

    Definition k_leaky : option prog :=
      let? alpha := attr_real l "alpha" in
      stores (bin OAdd (call2 FMax (spread 0) (int 0))
                       (bin OMul (lit (LReal alpha)) (call2 FMin (spread 0) (int 0)))).

    (** The left fold of the inputs, at most 128 of them in a statement. *)
    Fixpoint fold_from (f : ex -> ex -> ex) (fuel part from : nat) : prog :=
      match fuel with
      | O => []
      | S fuel' =>
          let n := length ins in
          let many := (128 <? n - from)%nat in
          let to := if many then (from + 128)%nat else n in
          let first := match part with O => spread from | S p => load (tT p) vars end in
          let more := match part with O => seq (S from) (to - S from) | S _ => seq from (to - from) end in
          store (if many then tT part else tY 0) out (fold_left (fun a k => f a (spread k)) more first) ::
          (if many then fold_from f fuel' (S part) to else [])
      end.

    Definition k_fold (f : ex -> ex -> ex) : option prog := Some (fold_from f (length ins) 0 0).

    (** Integer quotients are truncated: |a| // |b|, times both signs. *)
    Definition magnitude (e : ex) : ex := call2 FMax e (call1 FNeg e).
    Definition sign (e : ex) : ex := call2 FMax (call2 FMin e (int 1)) (int (-1)).

    Definition k_div : option prog :=
      if integers then
        stores (bin OMul (bin OMul (bin ODiv (magnitude (spread 0)) (magnitude (spread 1))) (sign (spread 0)))
                         (sign (spread 1)))
      else k_fold (bin ODiv).

    Definition channel (d : shape) : list ixs := [if (1 <? length d)%nat then nth_ix vars 1 else ix_const 0].

    Definition k_batch_norm : option prog :=
      let? eps := attr_real l "epsilon" in
      let at_ k := load (tX k) (channel out) in
      stores (bin OAdd (bin OMul (bin ODiv (bin OSub (spread 0) (at_ 3%nat))
                                           (call1 FSqrt (bin OAdd (at_ 4%nat) (lit (LReal eps)))))
                                 (at_ 1%nat)) (at_ 2%nat)).

    Definition k_bias_add : option prog :=
      let? axis := attr_nat l "axis" in
      stores (bin OAdd (spread 0) (load (tX 1) [nth_ix vars axis])).

    (** *** Reductions and products *)

    (** Over the marked dimensions: T0 the greatest, T1 = exp(X - T0), T2 the sum, Y = T1 / T2. *)
    Definition k_softmax : option prog :=
      let? axis := attr_nat l "axis" in
      let? flatten := attr_int l "flatten" in
      let rs := roles_of (length out) (fun i => if flatten =? 0 then (i =? axis)%nat else (axis <=? i)%nat) in
      let es := extents 1 rs out in
      let rest := rest_dims 1 rs out in
      let cells := weave_ix 1 rs (outer es rest) (bound 0 es) in
      let mine t := load t (own 1 rs vars) in
      Some [store (tT 0) rest (reduced KMax es (load (tX 0) cells));
            store (tT 1) out (call1 FExp (bin OSub (load (tX 0) vars) (mine (tT 0))));
            store (tT 2) rest (reduced KSum es (load (tT 1) cells));
            store (tY 0) out (bin ODiv (load (tT 1) vars) (mine (tT 2)))].

    (** The window reaches (size-1)/2 channels down, the rest up. *)
    Definition k_lrn : option prog :=
      let? size := attr_int l "size" in
      let? alpha := attr_real l "alpha" in
      let? beta := attr_real l "beta" in
      let? bias := attr_real l "bias" in
      let es := [Z.to_nat size] in
      let v := outer es out in
      let reach := nth_ix (bound 0 es) 0 in
      let at_ := set_ix v 1 (ix_plus (ix_add (nth_ix v 1) reach) (- ((size - 1) / 2))) in
      let? cs := guards at_ out in
      stores (bin ODiv (load (tX 0) vars)
                (call2 FPow
                   (bin OAdd (lit (LReal bias))
                      (bin OMul (lit (LRatio alpha size))
                         (reduced KSum es (select cs (bin OMul (load (tX 0) at_) (load (tX 0) at_)) (int 0)))))
                   (lit (LReal beta)))).

    Definition inner_product (n : nat) (a b : list ixs) : ex :=
      sum_or_zero [n] (bin OMul (load (tX 0) a) (load (tX 1) b)).

    Definition scale (factor : N) (e : ex) : ex :=
      if rounds_to_one factor then e else bin OMul (lit (LReal factor)) e.

    (** beta = 0 drops C. *)
    Definition k_gemm : option prog :=
      let? alpha := attr_real l "alpha" in
      let? beta := attr_real l "beta" in
      let? ta := attr_int l "transA" in
      let? tb := attr_int l "transB" in
      let n := nth (if ta =? 0 then 1%nat else O) (in_ 0) O in
      let v := outer [n] out in
      let i := nth_ix v 0 in
      let j := nth_ix v 1 in
      let k := nth_ix (bound 0 [n]) 0 in
      let ab := scale alpha (inner_product n (if ta =? 0 then [i; k] else [k; i])
                                             (if tb =? 0 then [k; j] else [j; k])) in
      floats (stores (if (2 <? length ins)%nat && negb (rounds_to_zero beta)
                      then bin OAdd ab (scale beta (spread 2)) else ab)).

    (** Indices of one operand: broadcast batch dimensions, then rows or columns. *)
    Definition operand (v : list ixs) (batch k : nat) (l : list ixs) : list ixs :=
      spread_at (firstn batch v) (firstn batch out) (firstn (length (in_ k) - length l) (in_ k)) ++ l.

    Definition k_mat_mul : option prog :=
      let p := in_ 0 in
      let q := in_ 1 in
      let vp := (length p =? 1)%nat in
      let vq := (length q =? 1)%nat in
      let batch := (length out - (if vp then 0 else 1) - (if vq then 0 else 1))%nat in
      let n := List.last p O in
      let v := outer [n] out in
      let k := nth_ix (bound 0 [n]) 0 in
      stores (inner_product n (operand v batch 0 (if vp then [k] else [nth_ix v batch; k]))
                              (operand v batch 1 (if vq then [k] else [k; nth_ix v (length out - 1)]))).

    Definition over_count (n : nat) (e : ex) : ex :=
      if (n =? 1)%nat then e else bin ODiv e (int (Z.of_nat n)).

    Definition k_reduce (mean : bool) : option prog :=
      let? axes := attr_nats l "axes" in
      let? keep := attr_int l "keepdims" in
      let s := in_ 0 in
      let rs := roles_of (length s) (fun i => existsb (Nat.eqb i) axes) in
      let es := extents 1 rs s in
      let v := outer es out in
      let v' := if keep =? 0 then v else own 1 rs v in
      let e := sum_or_zero es (load (tX 0) (weave_ix 1 rs v' (bound 0 es))) in
      stores (if mean then over_count (cell_count es) e else e).

    (** Sums over the dimensions that the result lacks, or has with size 1. *)
    Definition k_collapse : option prog :=
      let s := in_ 0 in
      let more := (length s - length out)%nat in
      let rs := roles_of (length s)
                  (fun i => negb ((more <=? i)%nat && (nth (i - more) out O =? nth i s O)%nat)) in
      let es := extents 1 rs s in
      let v := own 1 (skipn more rs) (outer es out) in
      stores (sum_or_zero es (load (tX 0) (weave_ix 1 rs v (bound 0 es)))).

    (** *** Normalisations *)

    (** T0 = the mean, T1 = the mean square of X - T0, of groups of cells. *)
    Definition moments (share : nat) (rs : list role) : prog :=
      let es := extents share rs out in
      let rest := rest_dims share rs out in
      let cells := weave_ix share rs (outer es rest) (bound 0 es) in
      let less := bin OSub (load (tX 0) cells) (load (tT 0) (outer es rest)) in
      [store (tT 0) rest (over_count (cell_count es) (reduced KSum es (load (tX 0) cells)));
       store (tT 1) rest (over_count (cell_count es) (reduced KSum es (bin OMul less less)))].

    Definition standard (share : nat) (rs : list role) (eps : N) : ex :=
      let mine := own share rs vars in
      bin ODiv (bin OSub (spread 0) (load (tT 0) mine))
               (call1 FSqrt (bin OAdd (load (tT 1) mine) (lit (LReal eps)))).

    Definition k_layer_norm : option prog :=
      let? axis := attr_nat l "axis" in
      let? eps := attr_real l "epsilon" in
      let rs := roles_of (length out) (fun i => (axis <=? i)%nat) in
      let y := bin OMul (standard 1 rs eps) (spread 1) in
      Some (moments 1 rs ++
            [store (tY 0) out (if (2 <? length ins)%nat then bin OAdd y (spread 2) else y)]).

    (** Scale and bias of the channel. *)
    Definition per_channel (share : nat) (rs : list role) (eps : N) : option prog :=
      let at_ k := load (tX k) [nth_ix vars 1] in
      Some (moments share rs ++
            [store (tY 0) out (bin OAdd (bin OMul (standard share rs eps) (at_ 1%nat)) (at_ 2%nat))]).

    Definition k_instance_norm : option prog :=
      let? eps := attr_real l "epsilon" in
      per_channel 1 (roles_of (length out) (fun i => (2 <=? i)%nat)) eps.

    Definition k_group_norm : option prog :=
      let? groups := attr_nat l "num_groups" in
      let? eps := attr_real l "epsilon" in
      per_channel (nth 1 out O / groups) (Kept :: Cut :: repeat Summed (length out - 2)) eps.

    (** T0 = the norm, Y = X / bounded T0. *)
    Definition by_norm (rs : list role) (norm : shape -> list ixs -> ex) (bounded : ex -> ex) : option prog :=
      let es := extents 1 rs out in
      let rest := rest_dims 1 rs out in
      Some [store (tT 0) rest (norm es (weave_ix 1 rs (outer es rest) (bound 0 es)));
            store (tY 0) out (bin ODiv (spread 0) (bounded (load (tT 0) (own 1 rs vars))))].

    Definition square_sum (es : shape) (at_ : list ixs) : ex :=
      reduced KSum es (bin OMul (load (tX 0) at_) (load (tX 0) at_)).

    Definition k_lp_norm : option prog :=
      let? axis := attr_nat l "axis" in
      let? p := attr_int l "p" in
      by_norm (roles_of (length out) (fun i => (i =? axis)%nat))
              (fun es at_ => if p =? 2 then call1 FSqrt (square_sum es at_)
                             else reduced KSum es (call1 FAbs (load (tX 0) at_)))
              (fun t => call2 FMax t (lit LTiny)).

    Definition k_l2_normalize : option prog :=
      let? axes := attr_nats l "axes" in
      let? eps := attr_real l "epsilon" in
      by_norm (roles_of (length out) (fun i => existsb (Nat.eqb i) axes)) square_sum
              (fun t => call1 FSqrt (call2 FMax t (lit (LReal eps)))).

    (** *** Movement *)

    (** The next least groups of dimensions of equal size, on both sides. *)
    Fixpoint grow (fuel p q : nat) (i o : shape) (ti to : shape) : shape * shape * shape * shape :=
      match fuel with
      | O => (ti, i, to, o)
      | S fuel' =>
          if (p =? q)%nat then (ti, i, to, o)
          else if (p <? q)%nat then
            match i with
            | n :: i' => grow fuel' (p * n) q i' o (ti ++ [n]) to
            | [] => (ti, i, to, o)
            end
          else
            match o with
            | n :: o' => grow fuel' p (q * n) i o' ti (to ++ [n])
            | [] => (ti, i, to, o)
            end
      end.

    Definition group (i o : shape) : shape * shape * shape * shape :=
      grow (length i + length o) (hd 1%nat i) (hd 1%nat o) (tl i) (tl o) (firstn 1 i) (firstn 1 o).

    (** The indices in dimensions [d] of a row-major position; the first one needs no remainder. *)
    Fixpoint unflatten (outermost : bool) (pos : ixs) (d : shape) : list ixs :=
      match d with
      | [] => []
      | n :: d' =>
          let q := ix_div pos (Z.of_nat (cell_count d')) in
          (if outermost then q else ix_mod q (Z.of_nat n)) :: unflatten false pos d'
      end.

    Definition group_at (v : list ixs) (to ti : shape) : list ixs :=
      match ti, to, v with
      | [_], [_], a :: _ => [a]
      | _, _, _ => unflatten true (ix_row_major (firstn (length to) v) to) ti
      end.

    Fixpoint reshape_at (fuel : nat) (v : list ixs) (i o : shape) : list ixs :=
      match fuel with
      | O => []
      | S fuel' =>
          match i, o with
          | [], [] => []
          | _, _ =>
              let '(ti, i', to, o') := group i o in
              group_at v to ti ++ reshape_at fuel' (skipn (length to) v) i' o'
          end
      end.

    (** The elements at the same row-major positions. *)
    Definition k_reshape : option prog :=
      stores (load (tX 0) (reshape_at (length (in_ 0) + length out) vars (in_ 0) out)).

    Fixpoint index_of {B} (eqb : B -> B -> bool) (b : B) (l : list B) : nat :=
      match l with [] => O | c :: l' => if eqb b c then O else S (index_of eqb b l') end.

    Definition k_transpose : option prog :=
      let? perm := attr_nats l "perm" in
      stores (load (tX 0) (map (fun p => nth_ix vars (index_of Nat.eqb p perm)) (seq 0 (length perm)))).

    Definition k_layout : option prog :=
      let? from := attr_str l "src_layout" in
      let? to := attr_str l "dst_layout" in
      stores (load (tX 0) (map (fun c => nth_ix vars (index_of Ascii.eqb c (list_ascii_of_string to)))
                               (list_ascii_of_string from))).

    (** Inputs with where they begin and their size on the axis, chosen by halves. *)
    Fixpoint parts (axis start k : nat) (ss : list shape) : list (nat * nat * nat) :=
      match ss with
      | [] => []
      | s :: ss' =>
          let n := nth axis s O in
          if (n =? 0)%nat then parts axis start (S k) ss'
          else (k, start, n) :: parts axis (start + n) (S k) ss'
      end.

    Definition part_load (axis : nat) (p : nat * nat * nat) : ex :=
      let '(k, start, n) := p in
      let v := nth_ix vars axis in
      load (tX k)
        (if (0 <? start)%nat || (start + n <? nth axis out O)%nat
         then set_ix vars axis (if (n =? 1)%nat then ix_const 0 else ix_plus v (- Z.of_nat start))
         else vars).

    Fixpoint choose (fuel axis : nat) (ps : list (nat * nat * nat)) : ex :=
      match fuel, ps with
      | S fuel', _ :: _ :: _ =>
          let h := Nat.div2 (length ps) in
          let start := snd (fst (nth h ps (O, O, O))) in
          ESel (CCmp CLt (ix_of (nth_ix vars axis)) (ICst (Z.of_nat start)))
               (choose fuel' axis (firstn h ps)) (choose fuel' axis (skipn h ps))
      | _, p :: _ => part_load axis p
      | _, [] => int 0
      end.

    Definition k_concat : option prog :=
      let? axis := attr_nat l "axis" in
      stores (choose (length ins) axis (parts axis 0 0 ins)).

    Definition slice_at (v : ixs) (n m : nat) (start step : Z) : ixs :=
      if negb (n =? m)%nat || negb (step =? 1)
      then ix_plus (if (m =? 1)%nat then ix_const 0 else ix_mul v step) start
      else v.

    Fixpoint slices (vs : list ixs) (ns ms : shape) (starts steps : list Z) : list ixs :=
      match vs, ns, ms, starts, steps with
      | v :: vs', n :: ns', m :: ms', a :: starts', k :: steps' =>
          slice_at v n m a k :: slices vs' ns' ms' starts' steps'
      | _, _, _, _, _ => []
      end.

    Definition k_slice : option prog :=
      let? starts := attr_ints l "starts" in
      let? steps := attr_ints l "steps" in
      stores (load (tX 0) (slices vars (in_ 0) out starts steps)).

    (** A statement for each part that is not empty. *)
    Fixpoint split_from (axis k start : nat) (sizes : list nat) : prog :=
      match sizes with
      | [] => []
      | n :: sizes' =>
          if (n =? 0)%nat then split_from axis (S k) start sizes'
          else
            let d := set_ix (in_ 0) axis n in
            let v := numbered 0 d in
            store (tY k) d (load (tX 0) (set_ix v axis (ix_plus (nth_ix v axis) (Z.of_nat start)))) ::
            split_from axis (S k) (start + n) sizes'
      end.

    Definition k_split : option prog :=
      let? axis := attr_nat l "axis" in
      let? sizes := attr_nats l "split" in
      Some (split_from axis 0 0 sizes).

    (** X at the output's places less the pads before, else the value. *)
    Definition k_pad_constant (pads : list Z) (value : N) : option prog :=
      let at_ := map (fun p => ix_plus (fst p) (- snd p)) (combine vars pads) in
      stores
        (match (if (cell_count (in_ 0) =? 0)%nat then None else guards at_ (in_ 0)) with
         | None => lit (LReal value)
         | Some cs => select cs (load (tX 0) at_) (lit (LReal value))
         end).

    (** One dimension that grows: what lies before and after is its edge or its mirror image. *)
    Definition pad_one (t : tid) (now : shape) (dim n : nat) (lo hi : Z) (reflect : bool) : ex :=
      let vs := numbered 0 now in
      let v := nth_ix vs dim in
      let at_ a := load t (set_ix vs dim a) in
      let turned k := ix_plus (ix_mul v (-1)) k in
      let below z := CCmp CLt (ix_of v) (ICst z) in
      let inside := at_ (if (n =? 1)%nat then ix_const 0 else ix_plus v (- lo)) in
      let after := at_ (if reflect then turned (lo + 2 * Z.of_nat n - 2) else ix_const (Z.of_nat n - 1)) in
      let before := at_ (if reflect then turned lo else ix_const 0) in
      let e := if 0 <? hi then ESel (below (lo + Z.of_nat n)) inside after else inside in
      if 0 <? lo then ESel (below lo) before e else e.

    Definition pad_pairs (pads : list Z) (rank : nat) : list (Z * Z) := combine (firstn rank pads) (skipn rank pads).
    Definition grows (p : Z * Z) : bool := negb (fst p =? 0) || negb (snd p =? 0).

    Fixpoint pad_from (reflect : bool) (dim part : nat) (now : shape) (ps : list (Z * Z)) : prog :=
      match ps with
      | [] => []
      | (lo, hi) :: ps' =>
          if grows (lo, hi) then
            let n := nth dim now O in
            let next := set_ix now dim (n + Z.to_nat (lo + hi))%nat in
            store (if existsb grows ps' then tT part else tY 0) next
                  (pad_one (match part with O => tX 0 | S p => tT p end) next dim n lo hi reflect) ::
            pad_from reflect (S dim) (S part) next ps'
          else pad_from reflect (S dim) part now ps'
      end.

    Definition k_pad : option prog :=
      let? pads := attr_ints l "pads" in
      let? mode := attr_str l "mode" in
      let? value := attr_real l "value" in
      if String.eqb mode "constant" then k_pad_constant pads value
      else
        let ps := pad_pairs pads (length (in_ 0)) in
        if existsb grows ps then Some (pad_from (String.eqb mode "reflect") 0 0 (in_ 0) ps)
        else k_map (fun e => e).

    (** *** Constants *)

    (** Numbers at places [lo], .., chosen by halves. *)
    Fixpoint table (fuel : nat) (v : ix) (lo : nat) (zs : list Z) : ex :=
      match fuel, zs with
      | S fuel', z :: zs' =>
          if forallb (Z.eqb z) zs' then int z
          else
            let h := Nat.div2 (length zs) in
            ESel (CCmp CLt v (ICst (Z.of_nat (lo + h))))
                 (table fuel' v lo (firstn h zs)) (table fuel' v (lo + h) (skipn h zs))
      | _, _ => int 0
      end.

    Definition k_shape : option prog :=
      let? start := attr_nat l "start" in
      let n := hd O out in
      stores (table n (ix_of (nth_ix vars 0)) 0 (map Z.of_nat (firstn n (skipn start (in_ 0))))).

    Definition k_eye : option prog :=
      let? k := attr_int l "k" in
      stores (ESel (CCmp CEq (ix_of (nth_ix vars 1)) (ix_of (ix_plus (nth_ix vars 0) k))) (int 1) (int 0)).

    (** Do the numbers go up by [step]? *)
    Fixpoint affine (step z : Z) (zs : list Z) : bool :=
      match zs with
      | [] => true
      | y :: zs' => (y - z =? step) && affine step y zs'
      end.

    (** X at index[position], for positions [lo], ..: an affine run is one load, else by halves. *)
    Fixpoint gather (fuel : nat) (at_ : ixs -> list ixs) (position : ixs) (lo : nat) (zs : list Z) : ex :=
      match fuel, zs with
      | S fuel', z :: zs' =>
          let step := match zs' with y :: _ => y - z | [] => 0 end in
          if affine step z zs' && ((step =? 0) || (2 <? length zs)%nat) then
            load (tX 0) (at_ (ix_plus (ix_mul position step) (z - Z.of_nat lo * step)))
          else
            let h := Nat.div2 (length zs) in
            ESel (CCmp CLt (ix_of position) (ICst (Z.of_nat (lo + h))))
                 (gather fuel' at_ position lo (firstn h zs)) (gather fuel' at_ position (lo + h) (skipn h zs))
      | _, _ => int 0
      end.

    (** [index] is the value of input 1, negative ones counted from the end already. *)
    Definition k_gather (index : list Z) : option prog :=
      let? axis := attr_nat l "axis" in
      let where_ := in_ 1 in
      let n := length where_ in
      let at_ a := firstn axis vars ++ a :: skipn (axis + n) vars in
      let size := Z.of_nat (nth axis (in_ 0) O) in
      let valid z := (- size <=? z) && (z <? size) in
      if (4096 <? length index)%nat || negb (forallb valid index) then None
      else stores (gather (length index) at_ (ix_row_major (firstn n (skipn axis vars)) where_) 0
                          (map (fun z => if z <? 0 then z + size else z) index)).

    (** *** Windows *)

    (** Places in the input of the window's cells at the output's: y * stride + u * dilation - pad. *)
    Fixpoint window_at (ys us : list ixs) (strides dilations pads : list Z) : list ixs :=
      match ys, us, strides, dilations, pads with
      | y :: ys', u :: us', s :: strides', d :: dilations', p :: pads' =>
          ix_plus (ix_add (ix_mul y s) (ix_mul u d)) (- p) :: window_at ys' us' strides' dilations' pads'
      | _, _, _, _, _ => []
      end.

    Definition k_conv : option prog :=
      let? strides := attr_ints l "strides" in
      let? pads := attr_ints l "pads" in
      let? dilations := attr_ints l "dilations" in
      let? sizes := attr_nats l "kernel_shape" in
      let? groups := attr_nat l "group" in
      let f := in_ 1 in
      let share := nth 1 f O in
      let es := share :: sizes in
      let v := outer es out in
      let bs := bound 0 es in
      let c := hd (ix_const 0) bs in
      let o := nth_ix v 1 in
      let at_ := nth_ix v 0 ::
                 ix_add (ix_mul (ix_div o (Z.of_nat (nth 0 f O / groups))) (Z.of_nat share)) c ::
                 window_at (skipn 2 v) (tl bs) strides dilations pads in
      let term := bin OMul (load (tX 0) at_) (load (tX 1) (o :: bs)) in
      let sum := sum_or_zero es (match guards at_ (in_ 0) with
                                 | None => int 0
                                 | Some cs => select cs term (int 0)
                                 end) in
      stores (if (2 <? length ins)%nat then bin OAdd sum (load (tX 2) [nth_ix vars 1]) else sum).

    (** reduce(u<..,v<..) select(in range, X, otherwise) *)
    Definition pooled (r : Numbers.reduction) (otherwise : literal) (sizes : list nat) (strides dilations pads : list Z) :
        option ex :=
      let v := outer sizes out in
      let at_ := nth_ix v 0 :: nth_ix v 1 :: window_at (skipn 2 v) (bound 0 sizes) strides dilations pads in
      let? cs := guards at_ (in_ 0) in
      if (cell_count (in_ 0) =? 0)%nat || integers then None
      else Some (reduced r sizes (select cs (load (tX 0) at_) (lit otherwise))).

    Definition k_max_pool : option prog :=
      let? strides := attr_ints l "strides" in
      let? pads := attr_ints l "pads" in
      let? dilations := attr_ints l "dilations" in
      let? sizes := attr_nats l "kernel_shape" in
      let? e := pooled KMax LLeast sizes strides dilations pads in
      stores e.

    (** Cells of each window that count, T0 over the spatial output, unless it is the same everywhere.
        With count_include_pad the padding counts, but not what ceil_mode reaches beyond it. *)
    Fixpoint counted (include : bool) (at_ : list ixs) (ns : shape) (before after : list Z) : list ixs * shape :=
      match at_, ns, before, after with
      | a :: at', n :: ns', p :: before', q :: after' =>
          let (l, m) := counted include at' ns' before' after' in
          if include then (ix_plus a p :: l, Z.to_nat (Z.of_nat n + (p + q)) :: m) else (a :: l, n :: m)
      | _, _, _, _ => ([], [])
      end.

    Definition varies (p : ixs * nat) : bool := (ix_first (fst p) <? 0) || (Z.of_nat (snd p) <=? ix_last (fst p)).

    Definition k_average_pool : option prog :=
      let? strides := attr_ints l "strides" in
      let? pads := attr_ints l "pads" in
      let? sizes := attr_nats l "kernel_shape" in
      let? include := attr_int l "count_include_pad" in
      let ones := map (fun _ => 1) sizes in
      let spatial := skipn 2 out in
      let n := length sizes in
      let '(at_, limit) :=
        counted (negb (include =? 0))
                (window_at (outer sizes spatial) (bound 0 sizes) strides ones pads)
                (skipn 2 (in_ 0)) (firstn n pads) (skipn n pads) in
      let? e := pooled KSum (LInt 0) sizes strides ones pads in
      if existsb varies (combine at_ limit) then
        let? cs := guards at_ limit in
        Some [store (tT 0) spatial (reduced KSum sizes (select cs (int 1) (int 0)));
              store (tY 0) out (bin ODiv e (load (tT 0) (skipn 2 vars)))]
      else stores (bin ODiv e (int (Z.of_nat (cell_count sizes)))).

    Definition k_global_average_pool : option prog :=
      let s := skipn 2 (in_ 0) in
      let v := outer s out in
      stores (bin ODiv (sum_or_zero s (load (tX 0) (nth_ix v 0 :: nth_ix v 1 :: bound 0 s)))
                       (int (Z.of_nat (cell_count s)))).
  End Operator.

  (** ** One entry for each operator, in the order of ops.def *)

  Definition kernels : list (string * (list shape -> shape -> bool -> attributes -> list Z -> option prog)) :=
    [("Conv", fun i o b l _ => k_conv i o l);
     ("Relu", fun i o b l _ => k_map i o (fun e => call2 FMax e (int 0)));
     ("MaxPool", fun i o b l _ => k_max_pool i o b l);
     ("Softmax", fun i o b l _ => k_softmax o l);
     ("Concat", fun i o b l _ => k_concat i o l);
     ("GlobalAveragePool", fun i o b l _ => k_global_average_pool i o);
     ("Dropout", fun i o b l _ => k_map i o (fun e => e));
     ("Reshape", fun i o b l _ => k_reshape i o);
     ("Gemm", fun i o b l _ => k_gemm i o b l);
     ("LRN", fun i o b l _ => k_lrn o l);
     ("AveragePool", fun i o b l _ => k_average_pool i o b l);
     ("BatchNormalization", fun i o b l _ => k_batch_norm i o l);
     ("Sum", fun i o b l _ => k_fold i o (bin OAdd));
     ("Transpose", fun i o b l _ => k_transpose o l);
     ("Unsqueeze", fun i o b l _ => k_reshape i o);
     ("Mul", fun i o b l _ => k_fold i o (bin OMul));
     ("Add", fun i o b l _ => k_fold i o (bin OAdd));
     ("ConstantOfShape", fun i o b l _ => let? v := attr_real l "value" in stores o (lit (LReal v)));
     ("MatMul", fun i o b l _ => k_mat_mul i o);
     ("Identity", fun i o b l _ => k_map i o (fun e => e));
     ("Sub", fun i o b l _ => k_fold i o (bin OSub));
     ("Div", fun i o b l _ => k_div i o b);
     ("Sqrt", fun i o b l _ => floats b (k_map i o (call1 FSqrt)));
     ("Neg", fun i o b l _ => k_map i o (call1 FNeg));
     ("Abs", fun i o b l _ => k_abs i o b);
     ("Exp", fun i o b l _ => floats b (k_map i o (call1 FExp)));
     ("Log", fun i o b l _ => floats b (k_map i o (call1 FLog)));
     ("Tanh", fun i o b l _ => floats b (k_map i o (call1 FTanh)));
     ("Sigmoid", fun i o b l _ =>
        k_map i o (fun e => bin ODiv (int 1) (bin OAdd (int 1) (call1 FExp (call1 FNeg e)))));
     ("Erf", fun i o b l _ => floats b (k_map i o (call1 FErf)));
     ("Pow", fun i o b l _ => floats b (k_fold i o (call2 FPow)));
     ("Max", fun i o b l _ => k_fold i o (call2 FMax));
     ("Min", fun i o b l _ => k_fold i o (call2 FMin));
     ("Flatten", fun i o b l _ => k_reshape i o);
     ("Squeeze", fun i o b l _ => k_reshape i o);
     ("ReduceMean", fun i o b l _ => floats b (k_reduce i o l true));
     ("ReduceSum", fun i o b l _ => k_reduce i o l false);
     ("Shape", fun i o b l _ => k_shape i o l);
     ("Gather", fun i o b l c => k_gather i o l c);
     ("Slice", fun i o b l _ => k_slice i o l);
     ("Cast", fun i o b l _ => k_map i o (fun e => e));
     ("Split", fun i o b l _ => k_split i l);
     ("Pad", fun i o b l _ => k_pad i o l);
     ("Expand", fun i o b l _ => k_map i o (fun e => e));
     ("EyeLike", fun i o b l _ => k_eye o l);
     ("LayerNormalization", fun i o b l _ => k_layer_norm i o l);
     ("InstanceNormalization", fun i o b l _ => k_instance_norm i o l);
     ("GroupNormalization", fun i o b l _ => k_group_norm i o l);
     ("LpNormalization", fun i o b l _ => k_lp_norm i o l);
     ("L2Normalize", fun i o b l _ => k_l2_normalize i o l);
     ("Clip", fun i o b l _ => k_clip i o l);
     ("LeakyRelu", fun i o b l _ => k_leaky i o l);
     ("Reciprocal", fun i o b l _ => k_map i o (bin ODiv (int 1)));
     ("BiasAdd", fun i o b l _ => k_bias_add i o l);
     ("ZerosLike", fun i o b l _ => stores o (int 0));
     ("OnesLike", fun i o b l _ => stores o (int 1));
     ("FullLike", fun i o b l _ => stores o (spread i o 1));
     ("ReshapeLike", fun i o b l _ => k_reshape i o);
     ("BroadcastLike", fun i o b l _ => k_map i o (fun e => e));
     ("CollapseSum", fun i o b l _ => k_collapse i o);
     ("CollapseSumLike", fun i o b l _ => k_collapse i o);
     ("LayoutTransform", fun i o b l _ => k_layout o l)].

  (** [index]: the value of a Gather's indices.  An output without cells needs no statement; only
      Split has others. *)
  Definition op_kernel (name : string) (l : attributes) (ins : list shape) (out : shape) (integers : bool)
      (index : list Z) : option prog :=
    let? k := look_up String.eqb kernels name in
    if (cell_count out =? 0)%nat && negb (String.eqb name "Split") then Some []
    else k ins out integers l index.
End Gen.

(** Numbers without values: the kernel as it is printed. *)
Definition symbols : arith :=
  let one (_ : unit) := tt in
  let two (_ _ : unit) := tt in
  {| num := unit; s_integer := false; s_int := fun _ => tt; s_float := fun _ => tt;
     s_ratio := fun _ _ => tt; s_tiny := tt; s_least := tt;
     s_add := two; s_sub := two; s_mul := two; s_div := two; s_mod := two; s_max := two; s_min := two;
     s_less := two; s_pow := two; s_neg := one; s_abs := one; s_exp := one; s_log := one; s_sqrt := one;
     s_tanh := one; s_erf := one; s_cast := fun _ => one; s_index := fun _ => None |}.

Definition op_kernel_text := op_kernel symbols.
