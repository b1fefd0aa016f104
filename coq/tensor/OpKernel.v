(** * The kernels of operators

    Each operator is defined once, as a kernel: this is what gen_<Op> of c/tensor
    writes, statement by statement.  [ins] are the sizes of the inputs that are
    there (absent ones only come last), [out] those of output 0; attributes are read
    as for the meaning.  A scalar has no dimensions here and is printed as one of
    size 1 without index. *)

From Coq Require Import String Bool List Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes.
From Calque Require Import tensor.OpTable tensor.OpIndex.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope Z_scope.

Notation length := List.length.

(** Inputs, outputs and temporaries of one kernel. *)
Definition tX (k : nat) : tid := (3 * k)%nat.
Definition tY (k : nat) : tid := (3 * k + 1)%nat.
Definition tT (k : nat) : tid := (3 * k + 2)%nat.

(** ** Indices *)

(** The variables of an output, under a reduction over [es]. *)
Definition outer (es d : sizes) : list ixs := numbered (length (live es)) d.

Definition nth_ix (l : list ixs) (k : nat) : ixs := nth k l (ix_const 0).

(** Indices of a tensor of sizes [s] broadcast from the right to [d]. *)
Fixpoint clip_ix (s d : sizes) (l : list ixs) : list ixs :=
  match s, d, l with
  | m :: s', n :: d', v :: l' => (if (m =? n)%nat then v else ix_const 0) :: clip_ix s' d' l'
  | _, _, _ => []
  end.

Definition spread_ix (s d : sizes) (l : list ixs) : list ixs :=
  let more := (length d - length s)%nat in clip_ix s (skipn more d) (skipn more l).

(** The list whose marked places are [a] and the others [b]. *)
Fixpoint weave_ix (m : list bool) (a b : list ixs) : list ixs :=
  match m with
  | [] => []
  | true :: m' => match a with x :: a' => x :: weave_ix m' a' b | [] => [] end
  | false :: m' => match b with y :: b' => y :: weave_ix m' a b' | [] => [] end
  end.

(** Comparisons that keep indices in [d]: those that can fail; [None]: one always does. *)
Fixpoint guards (l : list ixs) (d : sizes) : option (list cond) :=
  match l, d with
  | a :: l', n :: d' =>
      if (ix_last a <? 0) || (Z.of_nat n <=? ix_first a) then None
      else
        let? cs := guards l' d' in
        Some ((if 0 <=? ix_first a then [] else [CCmp CGe (ix_of a) (ICst 0)]) ++
              (if ix_last a <? Z.of_nat n then [] else [CCmp CLt (ix_of a) (ICst (Z.of_nat n))]) ++ cs)
  | _, _ => Some []
  end.

Section Gen.
  Variable A : arith.
  Notation ex := (ex (kernel_scalars A)).
  Notation stmt := (stmt (kernel_scalars A)).
  Notation prog := (prog (kernel_scalars A)).

  (** ** Expressions *)

  Definition lit (n : literal) : ex := ECst (S := kernel_scalars A) n.
  Definition int (z : Z) : ex := lit (LInt z).
  Definition load (t : tid) (l : list ixs) : ex := ELd t (map ix_of l).
  Definition bin (o : Numbers.operator) (a b : ex) : ex := EBin (S := kernel_scalars A) o a b.
  Definition call1 (f : function) (a : ex) : ex := EFn (S := kernel_scalars A) f [a].
  Definition call2 (f : function) (a b : ex) : ex := EFn (S := kernel_scalars A) f [a; b].

  (** A reduction over those of [es] that have several values. *)
  Definition reduced (r : reduction) (es : sizes) (e : ex) : ex :=
    match live es with [] => e | ns => ERed (S := kernel_scalars A) r ns e end.

  (** The same where some extent may be 0. *)
  Definition sum_or_zero (es : sizes) (e : ex) : ex :=
    if existsb (Nat.eqb 0) es then int 0 else reduced KSum es e.

  Definition select (cs : list cond) (a b : ex) : ex :=
    match cs with [] => a | c :: cs' => ESel (fold_left CAnd cs' c) a b end.

  Definition over_n (n : nat) (e : ex) : ex :=
    if (n =? 1)%nat then e else bin ODiv e (int (Z.of_nat n)).

  Section Operator.
    Variable (ins : list sizes) (out : sizes) (integers : bool).

    Definition in_ (k : nat) : sizes := nth k ins [].
    Definition vars : list ixs := numbered 0 out.

    (** Input [k], broadcast. *)
    Definition spread_in (k : nat) : ex := load (tX k) (spread_ix (in_ k) out vars).

    Definition stored (t : tid) (d : sizes) (e : ex) : stmt := Stmt t d e.
    Definition stores (e : ex) : option prog := Some [stored (tY 0) out e].
    Definition floats (p : option prog) : option prog := if integers then None else p.

    (** ** Elementwise *)

    Definition relu (a : ex) : ex := call2 FMax a (int 0).
    Definition sigmoid (a : ex) : ex := bin ODiv (int 1) (bin OAdd (int 1) (call1 FExp (call1 FNeg a))).

    (** Integer quotients are truncated: the floor, and one more where that is below 0 and there is a rest. *)
    Definition divided (a b : ex) : ex :=
      let q := bin ODiv a b in
      if integers then
        bin OAdd q (call2 FWhen (call2 FLess q (int 0)) (bin OSub (int 1) (call2 FEqual (bin OMul q b) a)))
      else q.

    (** An infinite bound is none. *)
    Definition clipped (lo hi : N) (a : ex) : ex :=
      let a := if is_minus_infinity lo then a else call2 FMax a (lit (LReal lo)) in
      if is_infinity hi then a else call2 FMin a (lit (LReal hi)).

    Definition leaky_relu (alpha : N) (a : ex) : ex :=
      bin OAdd (call2 FMax a (int 0)) (bin OMul (lit (LReal alpha)) (call2 FMin a (int 0))).

    (** *** Activations *)

    Definition real (bits : N) : ex := lit (LReal bits).
    Definition above (a : ex) : ex := call2 FMax a (int 0).
    Definition below (a : ex) : ex := call2 FMin a (int 0).

    Definition elu (alpha : N) (a : ex) : ex :=
      bin OAdd (above a) (bin OMul (real alpha) (bin OSub (call1 FExp (below a)) (int 1))).
    Definition selu (alpha gamma : N) (a : ex) : ex := bin OMul (real gamma) (elu alpha a).
    Definition celu (alpha : N) (a : ex) : ex :=
      bin OAdd (above a)
        (bin OMul (real alpha) (bin OSub (call1 FExp (bin ODiv (below a) (real alpha))) (int 1))).
    Definition prelu (a slope : ex) : ex := bin OAdd (above a) (bin OMul slope (below a)).
    Definition thresholded (alpha : N) (a : ex) : ex := call2 FWhen (call2 FLess (real alpha) a) a.
    Definition hard_sigmoid (alpha beta : N) (a : ex) : ex :=
      call2 FMin (call2 FMax (bin OAdd (bin OMul (real alpha) a) (real beta)) (int 0)) (int 1).
    Definition hard_swish (a : ex) : ex := bin OMul a (hard_sigmoid sixth_bits half_bits a).
    Definition softplus (a : ex) : ex :=
      bin OAdd (above a) (call1 FLog (bin OAdd (int 1) (call1 FExp (call1 FNeg (call1 FAbs a))))).
    Definition softsign (a : ex) : ex := bin ODiv a (bin OAdd (int 1) (call1 FAbs a)).
    Definition mish (a : ex) : ex := bin OMul a (call1 FTanh (softplus a)).
    Definition gelu (by_tanh : bool) (a : ex) : ex :=
      bin OMul (bin OMul a (real half_bits))
        (bin OAdd
           (if by_tanh
            then call1 FTanh (bin OMul (bin OAdd a (bin OMul (bin OMul (bin OMul a a) a) (real gelu_cubic_bits)))
                                       (real gelu_inner_bits))
            else call1 FErf (bin OMul a (real root_half_bits)))
           (int 1)).
    Definition swish (alpha : N) (a : ex) : ex :=
      bin OMul a (bin ODiv (int 1) (bin OAdd (int 1) (call1 FExp (call1 FNeg (bin OMul (real alpha) a))))).
    Definition sign (a : ex) : ex := bin OSub (call2 FLess (int 0) a) (call2 FLess a (int 0)).

    (** Truth values are 1 and 0; of [chosen]'s two parts one is 0. *)
    Definition is_not (a : ex) : ex := call2 FEqual a (int 0).
    Definition at_most (a b : ex) : ex := bin OAdd (call2 FLess a b) (call2 FEqual a b).
    Definition chosen (c a b : ex) : ex := call2 FOrelse (call2 FWhen c a) (call2 FWhen (is_not c) b).

    Definition k_map (f : ex -> ex) : option prog := stores (f (spread_in 0)).
    Definition k_map2 (f : ex -> ex -> ex) : option prog := stores (f (spread_in 0) (spread_in 1)).
    Definition k_where : option prog := stores (chosen (spread_in 0) (spread_in 1) (spread_in 2)).

    (** The left fold of the inputs [from] on, at most 128 of them in a statement. *)
    Fixpoint fold_from (f : ex -> ex -> ex) (fuel part from : nat) : prog :=
      match fuel with
      | O => []
      | S fuel' =>
          let n := length ins in
          let many := (128 <? n - from)%nat in
          let to := if many then (from + 128)%nat else n in
          let first := match part with O => spread_in from | S p => load (tT p) vars end in
          let more := match part with O => seq (S from) (to - S from) | S _ => seq from (to - from) end in
          stored (if many then tT part else tY 0) out (fold_left (fun a k => f a (spread_in k)) more first) ::
          (if many then fold_from f fuel' (S part) to else [])
      end.

    Definition k_fold (f : ex -> ex -> ex) : option prog := Some (fold_from f (length ins) 0 0).

    Definition k_batch_norm (eps : N) : option prog :=
      let c k := load (tX k) [if (1 <? length out)%nat then nth_ix vars 1 else ix_const 0] in
      stores (bin OAdd (bin OMul (bin ODiv (bin OSub (spread_in 0) (c 3%nat))
                                           (call1 FSqrt (bin OAdd (c 4%nat) (lit (LReal eps)))))
                                 (c 1%nat)) (c 2%nat)).

    Definition k_bias_add (axis : nat) : option prog :=
      stores (bin OAdd (spread_in 0) (load (tX 1) [nth_ix vars axis])).

    (** ** Reductions and products *)

    Definition inner_product (n : nat) (a b : list ixs) : ex :=
      sum_or_zero [n] (bin OMul (load (tX 0) a) (load (tX 1) b)).

    Definition scale (factor : N) (e : ex) : ex :=
      if rounds_to_one factor then e else bin OMul (lit (LReal factor)) e.

    (** beta = 0 drops C. *)
    Definition k_gemm (alpha beta : N) (ta tb : bool) : option prog :=
      let n := nth (if ta then 0 else 1)%nat (in_ 0) O in
      let v := outer [n] out in
      let k := nth_ix (bound 0 [n]) 0 in
      let ab := scale alpha (inner_product n (if ta then [k; nth_ix v 0] else [nth_ix v 0; k])
                                             (if tb then [nth_ix v 1; k] else [k; nth_ix v 1])) in
      floats (stores (if (2 <? length ins)%nat && negb (rounds_to_zero beta)
                      then bin OAdd ab (scale beta (spread_in 2)) else ab)).

    (** Batch dimensions are broadcast, then come rows and columns. *)
    Definition k_matmul : option prog :=
      let? (pa, rows, n) := matmul_left (in_ 0) in
      let? (pb, _, cols) := matmul_right (in_ 1) in
      let batch := (length out - length rows - length cols)%nat in
      let v := outer [n] out in
      let k := bound 0 [n] in
      let d := firstn batch out in
      stores (inner_product n
        (spread_ix pa d (firstn batch v) ++ firstn (length rows) (skipn batch v) ++ k)
        (spread_ix pb d (firstn batch v) ++ k ++ skipn (batch + length rows) v)).

    (** [keep]: the result has the dimensions summed over, too. *)
    Definition sum_marked (m : list bool) (v : list ixs) : ex :=
      let es := marked m (in_ 0) in
      sum_or_zero es (load (tX 0) (weave_ix m (bound 0 es) v)).

    Definition k_reduce (mean keep : bool) (axes : list nat) : option prog :=
      let m := marks (length (in_ 0)) axes in
      let es := marked m (in_ 0) in
      let v := outer es out in
      let e := sum_marked m (if keep then unmarked m v else v) in
      stores (if mean then over_n (cell_count es) e else e).

    Definition k_reduce_max (keep : bool) (axes : list nat) : option prog :=
      let m := marks (length (in_ 0)) axes in
      let es := marked m (in_ 0) in
      let v := outer es out in
      stores (reduced KMax es (load (tX 0) (weave_ix m (bound 0 es) (if keep then unmarked m v else v)))).

    (** Sums over the dimensions that the result lacks, or has with size 1. *)
    Definition k_collapse : option prog :=
      let m := collapse_marks out (in_ 0) in
      let v := outer (marked m (in_ 0)) out in
      stores (sum_marked m (unmarked (skipn (length (in_ 0) - length out) m) v)).

    (** The window reaches (size-1)/2 channels down, the rest up. *)
    Definition k_lrn (alpha beta bias : N) (size : nat) : option prog :=
      let v := outer [size] out in
      let l := set_nth 1 (ix_plus (ix_add (nth_ix v 1) (nth_ix (bound 0 [size]) 0)) (- Z.of_nat ((size - 1) / 2))) v in
      let? cs := guards l out in
      stores (bin ODiv (load (tX 0) vars)
                (call2 FPow
                   (bin OAdd (lit (LReal bias))
                      (bin OMul (lit (LRatio alpha (Z.of_nat size)))
                         (reduced KSum [size] (select cs (bin OMul (load (tX 0) l) (load (tX 0) l)) (int 0)))))
                   (lit (LReal beta)))).

    (** ** Normalisations: statistics of groups of cells, then each cell

        [es] sides of a group, [rest] of the statistics, [cells] those of a group at the
        variables of the statistics, [own] the group of a cell. *)

    (** T0 = the mean, T1 = the mean square of X - T0. *)
    Definition moments (es rest : sizes) (cells : list ixs) : prog :=
      let less := bin OSub (load (tX 0) cells) (load (tT 0) (outer es rest)) in
      [stored (tT 0) rest (over_n (cell_count es) (reduced KSum es (load (tX 0) cells)));
       stored (tT 1) rest (over_n (cell_count es) (reduced KSum es (bin OMul less less)))].

    Definition standardized (own : list ixs) (eps : N) : ex :=
      bin ODiv (bin OSub (load (tX 0) vars) (load (tT 0) own))
               (call1 FSqrt (bin OAdd (load (tT 1) own) (lit (LReal eps)))).

    Definition cells_of (m : list bool) : list ixs :=
      weave_ix m (bound 0 (marked m out)) (outer (marked m out) (unmarked m out)).

    Definition k_layer_norm (axis : nat) (eps : N) : option prog :=
      let m := map (Nat.leb axis) (seq 0 (length out)) in
      let y := bin OMul (standardized (unmarked m vars) eps) (spread_in 1) in
      Some (moments (marked m out) (unmarked m out) (cells_of m) ++
            [stored (tY 0) out (if (2 <? length ins)%nat then bin OAdd y (spread_in 2) else y)]).

    (** T0 = the root of the mean square, Y = X / T0 * scale. *)
    Definition k_rms_norm (axis : nat) (eps : N) : option prog :=
      let m := map (Nat.leb axis) (seq 0 (length out)) in
      let es := marked m out in
      let square := reduced KSum es (bin OMul (load (tX 0) (cells_of m)) (load (tX 0) (cells_of m))) in
      Some [stored (tT 0) (unmarked m out)
              (call1 FSqrt (bin OAdd (over_n (cell_count es) square) (lit (LReal eps))));
            stored (tY 0) out
              (bin OMul (bin ODiv (load (tX 0) vars) (load (tT 0) (unmarked m vars))) (spread_in 1))].

    (** Scale and bias of the channel. *)
    Definition scaled_channel (y : ex) : ex :=
      let c k := load (tX k) [nth_ix vars 1] in bin OAdd (bin OMul y (c 1%nat)) (c 2%nat).

    Definition k_instance_norm (eps : N) : option prog :=
      let m := map (Nat.leb 2) (seq 0 (length out)) in
      Some (moments (marked m out) (unmarked m out) (cells_of m) ++
            [stored (tY 0) out (scaled_channel (standardized (unmarked m vars) eps))]).

    (** [share] channels together. *)
    Definition k_group_norm (groups : nat) (eps : N) : option prog :=
      let c := nth 1 out O in
      let share := (c / groups)%nat in
      let es := share :: skipn 2 out in
      let rest := [nth 0 out O; (c / share)%nat] in
      let r := outer es rest in
      let b := bound 0 es in
      let cells := nth_ix r 0 :: ix_add (ix_mul (nth_ix r 1) (Z.of_nat share)) (nth_ix b 0) :: tl b in
      let own := [nth_ix vars 0; ix_div (nth_ix vars 1) (Z.of_nat share)] in
      Some (moments es rest cells ++
            [stored (tY 0) out (scaled_channel (standardized own eps))]).

    (** T0 = the norm, Y = X / bounded T0. *)
    Definition by_norm (m : list bool) (norm : sizes -> list ixs -> ex) (bounded : ex -> ex) : option prog :=
      Some [stored (tT 0) (unmarked m out) (norm (marked m out) (cells_of m));
            stored (tY 0) out (bin ODiv (load (tX 0) vars) (bounded (load (tT 0) (unmarked m vars))))].

    Definition square_sum (es : sizes) (l : list ixs) : ex :=
      reduced KSum es (bin OMul (load (tX 0) l) (load (tX 0) l)).

    Definition k_lp_norm (axis : nat) (square : bool) : option prog :=
      by_norm (marks (length out) [axis])
              (fun es l => if square then call1 FSqrt (square_sum es l)
                           else reduced KSum es (call1 FAbs (load (tX 0) l)))
              (fun t => call2 FMax t (lit LTiny)).

    Definition k_l2_norm (axes : list nat) (eps : N) : option prog :=
      by_norm (marks (length out) axes) square_sum
              (fun t => call1 FSqrt (call2 FMax t (lit (LReal eps)))).

    (** T0 the greatest, T1 = exp(X - T0), T2 the sum, Y = T1 / T2. *)
    Definition k_softmax (axis : nat) (flatten : bool) : option prog :=
      let m := map (fun k => if flatten then (axis <=? k)%nat else (axis =? k)%nat) (seq 0 (length out)) in
      let es := marked m out in
      let rest := unmarked m out in
      let own := unmarked m vars in
      Some [stored (tT 0) rest (reduced KMax es (load (tX 0) (cells_of m)));
            stored (tT 1) out (call1 FExp (bin OSub (load (tX 0) vars) (load (tT 0) own)));
            stored (tT 2) rest (reduced KSum es (load (tT 1) (cells_of m)));
            stored (tY 0) out (bin ODiv (load (tT 1) vars) (load (tT 2) own))].

    (** T0 the greatest, T1 = X - T0, T2 = log of the sum of exp(T1), Y = T1 - T2. *)
    Definition k_log_softmax (axis : nat) (flatten : bool) : option prog :=
      let m := map (fun k => if flatten then (axis <=? k)%nat else (axis =? k)%nat) (seq 0 (length out)) in
      let es := marked m out in
      let rest := unmarked m out in
      let own := unmarked m vars in
      Some [stored (tT 0) rest (reduced KMax es (load (tX 0) (cells_of m)));
            stored (tT 1) out (bin OSub (load (tX 0) vars) (load (tT 0) own));
            stored (tT 2) rest (call1 FLog (reduced KSum es (call1 FExp (load (tT 1) (cells_of m)))));
            stored (tY 0) out (bin OSub (load (tT 1) vars) (load (tT 2) own))].

    (** ** Elements moved *)

    (** The next least groups of dimensions of equal size, on both sides: those taken and those left. *)
    Fixpoint grow (fuel p q : nat) (i o ti to : sizes) : sizes * sizes * sizes * sizes :=
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

    Definition group (i o : sizes) : sizes * sizes * sizes * sizes :=
      grow (length i + length o) (hd 1%nat i) (hd 1%nat o) (tl i) (tl o) (firstn 1 i) (firstn 1 o).

    (** The indices in dimensions [d] of a row-major position; the first one needs no remainder. *)
    Fixpoint unflatten (outermost : bool) (pos : ixs) (d : sizes) : list ixs :=
      match d with
      | [] => []
      | n :: d' =>
          let q := ix_div pos (Z.of_nat (cell_count d')) in
          (if outermost then q else ix_mod q (Z.of_nat n)) :: unflatten false pos d'
      end.

    Definition group_at (v : list ixs) (to ti : sizes) : list ixs :=
      match ti, to, v with
      | [_], [_], a :: _ => [a]
      | _, _, _ => unflatten true (ix_row_major (firstn (length to) v) to) ti
      end.

    Fixpoint reshape_at (fuel : nat) (v : list ixs) (i o : sizes) : list ixs :=
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

    Definition k_transpose (perm : list nat) : option prog :=
      stores (load (tX 0) (map (fun p => nth_ix vars (place_of p perm)) (seq 0 (length perm)))).

    (** Inputs with where they begin and their size on the axis, chosen by halves. *)
    Fixpoint runs (axis start k : nat) (ss : list sizes) : list (nat * nat * nat) :=
      match ss with
      | [] => []
      | s :: ss' =>
          let n := nth axis s O in
          if (n =? 0)%nat then runs axis start (S k) ss'
          else (k, start, n) :: runs axis (start + n) (S k) ss'
      end.

    Definition run_load (axis : nat) (p : nat * nat * nat) : ex :=
      let '(k, start, n) := p in
      load (tX k)
        (if (0 <? start)%nat || (start + n <? nth axis out O)%nat
         then set_nth axis (if (n =? 1)%nat then ix_const 0 else ix_plus (nth_ix vars axis) (- Z.of_nat start)) vars
         else vars).

    Fixpoint choose (fuel axis : nat) (ps : list (nat * nat * nat)) : ex :=
      match fuel, ps with
      | S fuel', _ :: _ :: _ =>
          let h := Nat.div2 (length ps) in
          let start := snd (fst (nth h ps (O, O, O))) in
          ESel (CCmp CLt (ix_of (nth_ix vars axis)) (ICst (Z.of_nat start)))
               (choose fuel' axis (firstn h ps)) (choose fuel' axis (skipn h ps))
      | _, p :: _ => run_load axis p
      | _, [] => int 0
      end.

    Definition k_concat (axis : nat) : option prog := stores (choose (length ins) axis (runs axis 0 0 ins)).

    Definition slice_ix (v : ixs) (n m : nat) (start step : Z) : ixs :=
      if negb (n =? m)%nat || negb (step =? 1)
      then ix_plus (if (m =? 1)%nat then ix_const 0 else ix_mul v step) start
      else v.

    Fixpoint slices (vs : list ixs) (ns ms : sizes) (starts steps : list Z) : list ixs :=
      match vs, ns, ms, starts, steps with
      | v :: vs', n :: ns', m :: ms', a :: starts', k :: steps' =>
          slice_ix v n m a k :: slices vs' ns' ms' starts' steps'
      | _, _, _, _, _ => []
      end.

    Definition k_slice (starts steps : list Z) : option prog :=
      stores (load (tX 0) (slices vars (in_ 0) out starts steps)).

    (** A statement for each part that is not empty. *)
    Fixpoint split_from (axis k start : nat) (parts : list nat) : prog :=
      match parts with
      | [] => []
      | n :: parts' =>
          let d := set_nth axis n (in_ 0) in
          let v := numbered 0 d in
          let more := split_from axis (S k) (start + n) parts' in
          if (n =? 0)%nat then more
          else stored (tY k) d (load (tX 0) (set_nth axis (ix_plus (nth_ix v axis) (Z.of_nat start)) v)) :: more
      end.

    Definition k_split (axis : nat) (parts : list nat) : option prog := Some (split_from axis 0 0 parts).

    (** X at the output's places less the pads before, else the value. *)
    Definition k_pad_constant (value : N) (lo : list Z) : option prog :=
      let l := map (fun p => ix_plus (fst p) (- snd p)) (combine vars lo) in
      stores
        (match (if (cell_count (in_ 0) =? 0)%nat then None else guards l (in_ 0)) with
         | None => lit (LReal value)
         | Some cs => select cs (load (tX 0) l) (lit (LReal value))
         end).

    (** One dimension that grows: what lies before and after is its edge or its mirror image. *)
    Definition pad_one (t : tid) (now : sizes) (dim n : nat) (lo hi : Z) (reflect : bool) : ex :=
      let vs := numbered 0 now in
      let v := nth_ix vs dim in
      let at_ a := load t (set_nth dim a vs) in
      let turned k := ix_plus (ix_mul v (-1)) k in
      let below z := CCmp CLt (ix_of v) (ICst z) in
      let inside := at_ (if (n =? 1)%nat then ix_const 0 else ix_plus v (- lo)) in
      let after := at_ (if reflect then turned (lo + 2 * Z.of_nat n - 2) else ix_const (Z.of_nat n - 1)) in
      let before := at_ (if reflect then turned lo else ix_const 0) in
      let e := if 0 <? hi then ESel (below (lo + Z.of_nat n)) inside after else inside in
      if 0 <? lo then ESel (below lo) before e else e.

    Definition grows (p : Z * Z) : bool := negb (fst p =? 0) || negb (snd p =? 0).

    Fixpoint pad_from (reflect : bool) (dim part : nat) (now : sizes) (ps : list (Z * Z)) : prog :=
      match ps with
      | [] => []
      | (lo, hi) :: ps' =>
          if grows (lo, hi) then
            let n := nth dim now O in
            let next := set_nth dim (n + Z.to_nat (lo + hi))%nat now in
            stored (if existsb grows ps' then tT part else tY 0) next
                  (pad_one (match part with O => tX 0 | S p => tT p end) next dim n lo hi reflect) ::
            pad_from reflect (S dim) (S part) next ps'
          else pad_from reflect (S dim) part now ps'
      end.

    Definition k_pad (mode : pad_mode) (value : N) (lo hi : list Z) : option prog :=
      let ps := combine lo hi in
      match mode with
      | PadConstant => k_pad_constant value lo
      | _ =>
          if existsb grows ps
          then Some (pad_from (match mode with PadReflect => true | _ => false end) 0 0 (in_ 0) ps)
          else k_map (fun e => e)
      end.

    (** ** Tables *)

    (** Numbers at places [lo], .., chosen by halves. *)
    Fixpoint numbers_at (fuel : nat) (v : ix) (lo : nat) (zs : list Z) : ex :=
      match fuel, zs with
      | S fuel', z :: zs' =>
          if forallb (Z.eqb z) zs' then int z
          else
            let h := Nat.div2 (length zs) in
            ESel (CCmp CLt v (ICst (Z.of_nat (lo + h))))
                 (numbers_at fuel' v lo (firstn h zs)) (numbers_at fuel' v (lo + h) (skipn h zs))
      | _, _ => int 0
      end.

    Definition k_shape (start stop : Z) : option prog :=
      let (a, b) := shape_bounds start stop (length (in_ 0)) in
      let zs := map Z.of_nat (firstn (b - a) (skipn a (in_ 0))) in
      stores (numbers_at (length zs) (ix_of (nth_ix vars 0)) 0 zs).

    Definition k_eye (k : Z) : option prog :=
      stores (ESel (CCmp CEq (ix_of (nth_ix vars 1)) (ix_of (ix_plus (nth_ix vars 0) k))) (int 1) (int 0)).

    (** Do the numbers go up by [step]? *)
    Fixpoint affine (step z : Z) (zs : list Z) : bool :=
      match zs with
      | [] => true
      | y :: zs' => (y - z =? step) && affine step y zs'
      end.

    (** X at index[position], for positions [lo], ..: an affine run is one load, else by halves. *)
    Fixpoint gather_at (fuel : nat) (f : ixs -> list ixs) (position : ixs) (lo : nat) (zs : list Z) : ex :=
      match fuel, zs with
      | S fuel', z :: zs' =>
          let step := match zs' with y :: _ => y - z | [] => 0 end in
          if affine step z zs' && ((step =? 0) || (2 <? length zs)%nat) then
            load (tX 0) (f (ix_plus (ix_mul position step) (z - Z.of_nat lo * step)))
          else
            let h := Nat.div2 (length zs) in
            ESel (CCmp CLt (ix_of position) (ICst (Z.of_nat (lo + h))))
                 (gather_at fuel' f position lo (firstn h zs)) (gather_at fuel' f position (lo + h) (skipn h zs))
      | _, _ => int 0
      end.

    (** [index] are the cells of input 1, which must be known, and not too many. (A name for the number, and a power: written out
        it is a term as long as it is great and, extracted, a call for each one of it at each start of the oracle.) *)
    Definition gather_most : nat := Nat.pow 2 12.

    Definition k_gather (axis : nat) (index : list Z) : option prog :=
      let where_ := in_ 1 in
      let r := length where_ in
      let f a := firstn axis vars ++ a :: skipn (axis + r) vars in
      let size := Z.of_nat (nth axis (in_ 0) O) in
      let valid z := (- size <=? z) && (z <? size) in
      if (gather_most <? length index)%nat || negb (forallb valid index) then None
      else stores (gather_at (length index) f (ix_row_major (firstn r (skipn axis vars)) where_) 0
                          (map (fun z => if z <? 0 then z + size else z) index)).

    (** ** Windows *)

    Fixpoint window_ix (strides dilations pads : list nat) (y u : list ixs) : list ixs :=
      match strides, dilations, pads, y, u with
      | s :: strides', d :: dilations', p :: pads', a :: y', b :: u' =>
          ix_plus (ix_add (ix_mul a (Z.of_nat s)) (ix_mul b (Z.of_nat d))) (- Z.of_nat p) ::
          window_ix strides' dilations' pads' y' u'
      | _, _, _, _, _ => []
      end.

    Definition place_ix (w : window) : list ixs -> list ixs -> list ixs :=
      window_ix (strides w) (dilations w) (pads_before w).

    Definition k_conv (w : window) (group : nat) : option prog :=
      let f := in_ 1 in
      let es := tl f in
      let v := outer es out in
      let k := bound 0 es in
      let o := nth_ix v 1 in
      let c := ix_add (ix_mul (ix_div o (Z.of_nat (nth 0 f O / group))) (Z.of_nat (nth 1 f O))) (nth_ix k 0) in
      let l := nth_ix v 0 :: c :: place_ix w (skipn 2 v) (tl k) in
      let sum := sum_or_zero es
                   (match guards l (in_ 0) with
                    | None => int 0
                    | Some cs => select cs (bin OMul (load (tX 0) l) (load (tX 1) (o :: k))) (int 0)
                    end) in
      stores (if (2 <? length ins)%nat then bin OAdd sum (load (tX 2) [nth_ix vars 1]) else sum).

    (** reduce(u<..,v<..) select(in range, X, otherwise) *)
    Definition pooled (r : reduction) (otherwise : literal) (w : window) (kernel : sizes) : option ex :=
      let v := outer kernel out in
      let l := nth_ix v 0 :: nth_ix v 1 :: place_ix w (skipn 2 v) (bound 0 kernel) in
      let? cs := guards l (in_ 0) in
      if (cell_count (in_ 0) =? 0)%nat || integers then None
      else Some (reduced r kernel (select cs (load (tX 0) l) (lit otherwise))).

    Definition k_max_pool (w : window) (kernel : sizes) : option prog :=
      let? e := pooled KMax LLeast w kernel in stores e.

    Definition varies (p : ixs * nat) : bool := (ix_first (fst p) <? 0) || (Z.of_nat (snd p) <=? ix_last (fst p)).

    (** The box whose cells count and the places of the window in it. *)
    Definition count_limit (w : window) (include : bool) (ns : sizes) : sizes :=
      if include then map (fun npq => fst npq + fst (snd npq) + snd (snd npq))%nat
                          (combine ns (combine (pads_before w) (pads_after w)))
      else ns.

    Definition count_ix (w : window) (include : bool) (kernel spatial : sizes) : list ixs :=
      let l := place_ix w (outer kernel spatial) (bound 0 kernel) in
      if include then map (fun ap => ix_plus (fst ap) (Z.of_nat (snd ap))) (combine l (pads_before w)) else l.

    (** Cells of each window that count, T0 over the spatial output, unless it is the same everywhere. *)
    Definition k_average_pool (include : bool) (w : window) (kernel : sizes) : option prog :=
      let spatial := skipn 2 out in
      let l := count_ix w include kernel spatial in
      let limit := count_limit w include (skipn 2 (in_ 0)) in
      let? e := pooled KSum (LInt 0) w kernel in
      if existsb varies (combine l limit) then
        let? cs := guards l limit in
        Some [stored (tT 0) spatial (reduced KSum kernel (select cs (int 1) (int 0)));
              stored (tY 0) out (bin ODiv e (load (tT 0) (skipn 2 vars)))]
      else stores (bin ODiv e (int (Z.of_nat (cell_count kernel)))).

    Definition k_global_average_pool : option prog :=
      let s := skipn 2 (in_ 0) in
      let v := outer s out in
      stores (bin ODiv (sum_or_zero s (load (tX 0) (nth_ix v 0 :: nth_ix v 1 :: bound 0 s)))
                       (int (Z.of_nat (cell_count s)))).
  End Operator.

  (** ** One entry for each operator, in the order of ops.def *)

  Definition entry := attributes -> list sizes -> sizes -> bool -> list Z -> option prog.

  Definition elementwise (f : bool -> ex -> ex) : entry := fun _ i o b _ => k_map i o (f b).
  Definition pointwise {P} (params : attributes -> option P) (f : P -> ex -> ex) : entry :=
    fun l i o b _ => let? p := params l in k_map i o (f p).
  Definition of_floats (f : ex -> ex) : entry := fun _ i o b _ => floats b (k_map i o f).
  Definition folds (f : ex -> ex -> ex) : entry := fun _ i o b _ => k_fold i o f.
  Definition pairs (f : ex -> ex -> ex) : entry := fun _ i o b _ => k_map2 i o f.
  Definition copies : entry := fun _ i o b _ => k_map i o (fun e => e).
  Definition recasts : entry := fun _ i o b _ => k_reshape i o.
  Definition fills (z : Z) : entry := fun _ i o b _ => stores o (int z).

  Definition kernels : list (string * entry) :=
    [("Conv", fun l i o b _ => let? (w, g) := conv_params l (in_ i 0) (in_ i 1) in k_conv i o w g);
     ("Relu", elementwise (fun _ => relu));
     ("MaxPool", fun l i o b _ => let? (w, k, _) := pool_params l true (in_ i 0) in k_max_pool i o b w k);
     ("Softmax", fun l i o b _ => let? (axis, flatten) := softmax_params l (in_ i 0) in k_softmax o axis flatten);
     ("Concat", fun l i o b _ => let? axis := axis_in l None (in_ i 0) in k_concat i o axis);
     ("GlobalAveragePool", fun l i o b _ => k_global_average_pool i o);
     ("Dropout", copies);
     ("Reshape", recasts);
     ("Gemm", fun l i o b _ => let? (alpha, beta, ta, tb) := gemm_params l in k_gemm i o b alpha beta ta tb);
     ("LRN", fun l i o b _ => let? (alpha, beta, bias, size) := lrn_params l (in_ i 0) in k_lrn o alpha beta bias size);
     ("AveragePool", fun l i o b _ =>
        let? (w, k, _, include) := average_params l (in_ i 0) in k_average_pool i o b include w k);
     ("BatchNormalization", fun l i o b _ =>
        let? e := real_attr l "epsilon" (Some epsilon_bits) in k_batch_norm i o e);
     ("Sum", folds (bin OAdd));
     ("Transpose", fun l i o b _ => let? perm := perm_of l (in_ i 0) in k_transpose o perm);
     ("Unsqueeze", recasts);
     ("Mul", folds (bin OMul));
     ("Add", folds (bin OAdd));
     ("ConstantOfShape", fun l i o b _ =>
        let? v := real_attr l "value" (Some 0%N) in stores o (lit (LReal v)));
     ("MatMul", fun l i o b _ => k_matmul i o);
     ("Identity", copies);
     ("Sub", folds (bin OSub));
     ("Div", fun l i o (b : bool) _ =>
        if b then stores o (divided b (spread_in i o 0) (spread_in i o 1)) else k_fold i o (bin ODiv));
     ("Sqrt", of_floats (call1 FSqrt));
     ("Neg", elementwise (fun _ => call1 FNeg));
     ("Abs", elementwise (fun _ => call1 FAbs));
     ("Exp", of_floats (call1 FExp));
     ("Log", of_floats (call1 FLog));
     ("Tanh", of_floats (call1 FTanh));
     ("Sigmoid", elementwise (fun _ => sigmoid));
     ("Erf", of_floats (call1 FErf));
     ("Pow", fun l i o b _ => floats b (k_fold i o (call2 FPow)));
     ("Max", folds (call2 FMax));
     ("Min", folds (call2 FMin));
     ("Flatten", recasts);
     ("Squeeze", recasts);
     ("ReduceMean", fun l i o b _ =>
        let? (keep, axes) := reduce_params l (in_ i 0) in floats b (k_reduce i o true keep axes));
     ("ReduceSum", fun l i o b _ =>
        let? (keep, axes) := reduce_params l (in_ i 0) in k_reduce i o false keep axes);
     ("Shape", fun l i o b _ =>
        let? start := int_attr l "start" (Some 0) in
        let? stop := int_attr l "end" (Some (Z.of_nat (length (in_ i 0)))) in k_shape i o start stop);
     ("Gather", fun l i o b c => let? axis := axis_in l (Some 0) (in_ i 0) in k_gather i o axis c);
     ("Slice", fun l i o b _ =>
        let? (starts, steps, _) := slice_params l (in_ i 0) in k_slice i o starts steps);
     ("Cast", fun l i o b _ => let? to := dtype_attr l "to" None in k_map i o (call1 (FCast to)));
     ("Split", fun l i o b _ => let? (axis, parts) := split_params l (in_ i 0) in k_split i axis parts);
     ("Pad", fun l i o b _ => let? (mode, value, lo, hi) := pad_params l (in_ i 0) in k_pad i o mode value lo hi);
     ("Expand", copies);
     ("EyeLike", fun l i o b _ => let? k := int_attr l "k" (Some 0) in k_eye o k);
     ("LayerNormalization", fun l i o b _ => let? (axis, e) := layer_params l (in_ i 0) in k_layer_norm i o axis e);
     ("InstanceNormalization", fun l i o b _ => let? e := epsilon_of l in k_instance_norm o e);
     ("GroupNormalization", fun l i o b _ =>
        let? e := epsilon_of l in let? n := group_of l (in_ i 0) in k_group_norm o n e);
     ("LpNormalization", fun l i o b _ => let? (axis, square) := lp_params l (in_ i 0) in k_lp_norm o axis square);
     ("L2Normalize", fun l i o b _ => let? (axes, e) := l2_params l (in_ i 0) in k_l2_norm o axes e);
     ("Clip", fun l i o b _ => let? (lo, hi) := clip_params l in k_map i o (clipped lo hi));
     ("LeakyRelu", fun l i o b _ =>
        let? alpha := real_attr l "alpha" (Some leak_bits) in k_map i o (leaky_relu alpha));
     ("Reciprocal", elementwise (fun _ => bin ODiv (int 1)));
     ("BiasAdd", fun l i o b _ => let? axis := axis_in l (Some 1) (in_ i 0) in k_bias_add i o axis);
     ("ZerosLike", fills 0);
     ("OnesLike", fills 1);
     ("FullLike", fun l i o b _ => stores o (spread_in i o 1));
     ("ReshapeLike", recasts);
     ("BroadcastLike", copies);
     ("CollapseSum", fun l i o b _ => k_collapse i o);
     ("CollapseSumLike", fun l i o b _ => k_collapse i o);
     ("LayoutTransform", fun l i o b _ => let? perm := layout_of l in k_transpose o perm);
     ("Equal", pairs (call2 FEqual));
     ("Less", pairs (call2 FLess));
     ("Greater", pairs (fun a b => call2 FLess b a));
     ("LessOrEqual", pairs at_most);
     ("GreaterOrEqual", pairs (fun a b => at_most b a));
     ("Not", elementwise (fun _ => is_not));
     ("And", pairs (call2 FMin));
     ("Or", pairs (call2 FMax));
     ("Xor", pairs (fun a b => is_not (call2 FEqual a b)));
     ("Where", fun l i o b _ => k_where i o);
     ("Elu", pointwise alpha_of elu);
     ("Selu", pointwise selu_params (fun '(alpha, gamma) => selu alpha gamma));
     ("Celu", pointwise alpha_of celu);
     ("PRelu", pairs prelu);
     ("ThresholdedRelu", pointwise alpha_of thresholded);
     ("HardSigmoid", pointwise hard_params (fun '(alpha, beta) => hard_sigmoid alpha beta));
     ("HardSwish", elementwise (fun _ => hard_swish));
     ("Softplus", elementwise (fun _ => softplus));
     ("Softsign", elementwise (fun _ => softsign));
     ("Mish", elementwise (fun _ => mish));
     ("Gelu", pointwise gelu_params gelu);
     ("Swish", pointwise alpha_of swish);
     ("Sign", elementwise (fun _ => sign));
     ("Round", of_floats (call1 FRound));
     ("Mod", pairs (bin OMod));
     ("ReduceMax", fun l i o b _ =>
        let? (keep, axes) := reduce_params l (in_ i 0) in k_reduce_max i o keep axes);
     ("LogSoftmax", fun l i o b _ => let? (axis, flatten) := softmax_params l (in_ i 0) in k_log_softmax o axis flatten);
     ("RMSNormalization", fun l i o b _ => let? (axis, e) := layer_params l (in_ i 0) in k_rms_norm i o axis e)].

  (** [integers]: is the element type one of integers? [index]: the cells of a Gather's indices.  An
      output without cells needs no statement; only Split has others. *)
  Definition op_kernel (name : string) (l : attributes) (ins : list sizes) (out : sizes) (integers : bool)
      (index : list Z) : option prog :=
    let? k := look_up String.eqb kernels name in
    if (cell_count out =? 0)%nat && negb (String.eqb name "Split") then Some []
    else k l ins out integers index.
End Gen.
