(** * Errata of seed 002: what its rules and examples get wrong, with witnesses

    Over the integers and plain numbers as sizes. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Values dpia.Target dpia.Trans dpia.Sched.
From Calque Require Import dpia.Access dpia.Scalars.
Import ListNotations.

Notation zexp := (exp integers numbers).
Notation zval := (value integers).
Notation zview := (vexp integers numbers).
Notation zcomm := (comm integers numbers).

Definition ary (n : nat) (d : data numbers) : data numbers := @DAry numbers n d.
Definition zadd (a b : zexp) : zexp := @EBin integers numbers Add a b.
Definition zmul (a b : zexp) : zexp := @EBin integers numbers Mul a b.
Definition zvec (l : list Z) : zval := Arr (map (@Num integers) l).
Definition zmat (l : list (list Z)) : zval := Arr (map zvec l).
Definition no_levels : ienv := fun _ => 0%Z.

(** Inputs in roots 0 and 1, the output of type [d] in root 2; then what it holds. *)
Definition start (d : data numbers) (a b : zval) : store integers := fun r p =>
  match r with
  | 0 => option_map Some (look a p)
  | 1 => option_map Some (look b p)
  | 2 => if leafb d p then Some None else None
  | _ => None
  end.
Definition result (ps : list path) (o : option (store integers)) :=
  option_map (fun m => map (m 2) ps) o.
Definition values (l : list Z) : option (list (cell (A := integers))) :=
  Some (map (fun z => Some (Some z)) l).
Definition vec_paths (n : nat) : list path := map (fun i => [At i]) (seq 0 n).
Definition mat_paths (n m : nat) : list path :=
  flat_map (fun i => map (fun j => [At i; At j]) (seq 0 m)) (seq 0 n).

(** ** (a.9) and (c.7): the accumulator of reduceSeq is always updated in place *)

Definition seed_c7 (n : nat) d (f i e : zexp) (rho : list zview) (k : zview -> nat -> zcomm) :
  nat -> zcomm :=
  trans_c e rho (fun x => initialised (is_loop i) d (trans_a i rho) (trans_c i rho) (fun init =>
    @reduce integers numbers n d true (fun y x => trans_a f (y :: x :: rho))
      (fun l => VIdx x (XVar l)) init k)).
Definition seed_a9 n d f i e rho a : nat -> zcomm :=
  seed_c7 n d f i e rho (fun r l => copy Par d a r l).

Definition two_inputs : list zview := [VRoot 0; VRoot 1].

(** acc := map (+ x) (reverse acc) *)
Definition rev_body : zexp :=
  @EMap integers numbers Seq 3 DNum (zadd (EVar 0) (EVar 2)) (@ERev integers numbers 3 (EVar 0)).
Definition rev_red : zexp := @ERed integers numbers 1 (ary 3 DNum) rev_body (EVar 1) (EVar 0).

Theorem erratum_a9_reverse :
  let d := ary 3 DNum in
  let m := start d (zvec [10]%Z) (zvec [1; 2; 3]%Z) in
  eval [zvec [10]%Z; zvec [1; 2; 3]%Z] rev_red = zvec [13; 12; 11]%Z /\
  result (vec_paths 3) (exec no_levels (trans_a rev_red two_inputs d (ARoot 2) 3) m) =
    values [13; 12; 11]%Z /\
  result (vec_paths 3)
    (exec no_levels (seed_a9 1 d rev_body (EVar 1) (EVar 0) two_inputs (ARoot 2) 3) m) =
      values [13; 12; 23]%Z.
Proof. repeat split; vm_compute; reflexivity. Qed.

(** acc := M * acc, twice *)
Definition power_body (p : policy) : zexp :=
  @EMap integers numbers p 2 (ary 2 DNum)
    (@EMap integers numbers p 2 DNum
       (@ERed integers numbers 2 DNum (zadd (zmul (EFst (EVar 1)) (ESnd (EVar 1))) (EVar 0))
         (@ELit integers numbers 0%Z)
          (@EZip integers numbers 2 DNum DNum (EVar 1) (EVar 0)))
       (@ETr integers numbers 2 2 (EVar 1)))
    (EVar 3).
Definition power (p : policy) : zexp :=
  @ERed integers numbers 2 (ary 2 (ary 2 DNum)) (power_body p) (EVar 1) (EVar 0).
Definition fib : zval := zmat [[1; 1]; [1; 0]]%Z.

Theorem erratum_a9_matrix_power :
  let d := ary 2 (ary 2 DNum) in
  let m := start d (zvec [0; 0]%Z) fib in
  let seed p := exec no_levels (seed_a9 2 d (power_body p) (EVar 1) (EVar 0) two_inputs (ARoot 2) 3)
    m in
  (forall p, eval [zvec [0; 0]%Z; fib] (power p) = zmat [[3; 2]; [2; 1]]%Z) /\
  (forall p, result (mat_paths 2 2) (exec no_levels (trans_a (power p) two_inputs d (ARoot 2) 3) m)
             = values [3; 2; 2; 1]%Z) /\
  result (mat_paths 2 2) (seed Seq) = values [4; 2; 4; 2]%Z /\
  seed Par = None.                                          (** a data race *)
Proof.
  repeat split; try (intros [|]); vm_compute; reflexivity.
Qed.

(** ** (cga.4), (cga.5): the index formulas of splitAcc and joinAcc contradict their types *)

(** splitAcc n m turns an acceptor of m rows of n into one of n*m numbers. *)
Theorem erratum_cga4_out_of_bounds :
  (exists n m i, i < n * m /\ ~ leaf (ary m (ary n DNum)) [At (i / m); At (i mod m)]) /\
  (forall n m i, i < n * m -> leaf (ary m (ary n DNum)) [At (i / n); At (i mod n)]).
Proof.
  split.
  - exists 3, 2, 5. split; [lia |]. vm_compute. intros [lt _]. lia.
  - intros n m i lt. assert (n <> 0) by nia. cbn. repeat split.
    + apply Nat.div_lt_upper_bound; lia.
    + now apply Nat.mod_upper_bound.
Qed.

(** joinAcc n m turns an acceptor of n*m numbers into one of m rows of n. *)
Theorem erratum_cga5_clash :
  (exists n m i j i' j', leaf (ary m (ary n DNum)) [At i; At j] /\
    leaf (ary m (ary n DNum)) [At i'; At j'] /\
     (i, j) <> (i', j') /\ i * m + j = i' * m + j') /\
  (forall n i j i' j', j < n -> j' < n -> i * n + j = i' * n + j' -> i = i' /\ j = j').
Proof.
  split.
  - exists 3, 2, 0, 2, 1, 0. cbn. repeat split; try lia. discriminate.
  - intros n i j i' j' lt lt' E. assert (i = i') by nia. subst. split; lia.
Qed.

(** ** Arithmetic on indices, typed idx n -> idx n -> idx n *)

Theorem erratum_index_arithmetic :
  (exists n i j, i < n /\ j < n /\ ~ i + j < n) /\
  (exists n i j, i < n /\ j < n /\ ~ i * j < n) /\
  (exists n i j : nat, i < n /\ j < n /\ ~ (0 <= Z.of_nat i - Z.of_nat j)%Z).
Proof.
  split; [| split].
  - exists 2, 1, 1. lia.
  - exists 3, 2, 2. lia.
  - exists 2, 0, 1. lia.
Qed.

(** ** C(transPar) makes a temporary of type m.n; the transpose of n.m has type m.n
    only when n = m *)

Theorem erratum_transpose_temporary :
  exists n m p, leaf (ary m (ary n DNum)) p /\ ~ leaf (ary n (ary m DNum)) p.
Proof. exists 2, 3, [At 2; At 0]. cbn. split; [| intros [lt _]]; lia. Qed.

(** ** Disjoint writes do not make a parallel loop safe: what one iteration reads
    another must not write.  parfor i < 2: a[i] := (reverse a)[i] *)

Definition swap : zcomm :=
  CAssign (AIdx (ARoot 2) (XVar 3)) (VIdx (@VRev integers numbers 2 (VRoot 2)) (XVar 3)).

Theorem erratum_disjoint_writes :
  let m : store integers := fun r p =>
    match r, p with 2, [At i] => if i <? 2 then Some (Some (Z.of_nat i)) else None |
      _, _ => None end in
  let body i := exec (upi no_levels 3 i) swap in
  let written i := filter fst (footprint (upi no_levels 3 i) swap) in
  (forall i j x y, i < 2 -> j < 2 -> i <> j -> In x (written i) -> In y (written j) ->
    snd x <> snd y) /\
  result (vec_paths 2) (iterate [0; 1] body m) = values [1; 1]%Z /\
  result (vec_paths 2) (iterate [1; 0] body m) = values [0; 0]%Z /\
  exec no_levels (@CLoop integers numbers Par 3 2 swap) m = None.
Proof.
  intros m body written. split; [| split; [| split]]; try (vm_compute; reflexivity).
  intros i j x y lt_i lt_j ne Hx Hy.
  assert (Ei : i = 0 \/ i = 1) by lia. assert (Ej : j = 0 \/ j = 1) by lia.
  destruct Ei as [-> | ->], Ej as [-> | ->]; try lia; vm_compute in Hx, Hy;
    destruct Hx as [<- | []], Hy as [<- | []]; discriminate.
Qed.

(** ** The seed's assumption [remove_update] contradicts extensionality

    Said of contents: a [remove] that sees only what a store holds cannot give back what an update overwrote. *)

Theorem erratum_remove_update :
  forall (place num : Type) (eqb : place -> place -> bool) (a b : num) (x : place),
    (forall p, eqb p p = true) -> a <> b ->
    let update (m : place -> num) p v := fun p' => if eqb p p' then v else m p' in
    forall remove : place -> (place -> num) -> place -> num,
      (forall p f g, (forall q, f q = g q) -> forall q, remove p f q = remove p g q) ->
      ~ (forall p e m q, remove p (update m p e) q = m q).
Proof.
  intros place num eqb a b x refl ne update remove ext H.
  set (m1 := fun _ : place => a). set (m2 := update m1 x b).
  assert (E : forall q, update m1 x a q = update m2 x a q).
  { intros q. unfold m2, update. now destruct (eqb x q). }
  apply ne. rewrite <- (H x a m1 x : remove x (update m1 x a) x = a), (ext x _ _ E x), (H x a m2 x).
  unfold m2, update. now rewrite refl.
Qed.
