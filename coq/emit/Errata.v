(** * Smaller errata of seed 002

    Each lemma shows what the printed rule or example would do, next to what it must.
    The larger ones are in [dpia/Errata.v]. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Values dpia.Target dpia.Trans dpia.Scalars
  dpia.Errata emit.MiniC emit.Codegen emit.Flat.
Import ListNotations.
Set Implicit Arguments.


(** Is there a parallel loop? *)
Fixpoint parallel {A N} (c : comm A N) : bool :=
  match c with
  | CSkip | CAssign _ _ => false
  | CSeq c1 c2 | CIf _ c1 c2 => parallel c1 || parallel c2
  | CNew _ _ c => parallel c
  | CLoop p _ _ c => match p with Par => true | Seq => parallel c end
  end.

Definition square (p : policy) : zexp :=
  @EMap integers numbers p 3 DNum (zmul (EVar 0) (EVar 0)) (EVar 0).

(** (a.8) prints mapSeqI, the intermediate macro of mapSeq: as printed, A(mapPar f e) is
    A(mapSeq f e), and the parallel loop of the seed's own dot product is gone. *)
Theorem erratum_a8 :
  parallel (trans_a (square Par) two_inputs (ary 3 DNum) (ARoot 2) 3) = true /\
  parallel (trans_a (square Seq) two_inputs (ary 3 DNum) (ARoot 2) 3) = false.
Proof. split; reflexivity. Qed.

(** (a.1) to (a.3) are written for every expression, and overlap with (a.4) to (a.15).
    Used on mapSeq, (a.2) makes a temporary and a parallel loop; (a.7) does neither. *)
Theorem erratum_a2_overlap :
  parallel (via_c (trans_c (square Seq) two_inputs) (ary 3 DNum) (ARoot 2) 3) = true /\
  parallel (trans_a (square Seq) two_inputs (ary 3 DNum) (ARoot 2) 3) = false.
Proof. split; reflexivity. Qed.

(** (c.11) gives the components of a pair the types n.d1 and n.d1, (a.10) takes zip for
    d1 x d2, (c.12) gives Fst the type of the second component. *)
Theorem erratum_c11 :
  let G : ctx numbers := closed [] in
  let one : zexp := @ELit integers numbers 1%Z in
  ty G (EPair one one) (DPair DNum DNum) /\ forall n d, ~ ty G one (DAry n d).
Proof. split; [repeat constructor | intros n d T; inversion T]. Qed.

Theorem erratum_c12 :
  let G : ctx numbers := closed [DPair DNum (ary 2 DNum)] in
  let first : zexp := EFst (EVar 0) in
  ty G first DNum /\ ~ ty G first (ary 2 DNum).
Proof.
  split; [econstructor; constructor; reflexivity |]. intros T. inversion T; subst.
  match goal with H : ty _ (EVar 0) _ |- _ => inversion H; subst end. discriminate.
Qed.

Theorem erratum_a10 :
  let G : ctx numbers := closed [ary 2 DNum] in
  let zipped : zexp := @EZip integers numbers 2 DNum DNum (EVar 0) (EVar 0) in
  ty G zipped (ary 2 (DPair DNum DNum)) /\ ~ ty G zipped (DPair DNum DNum).
Proof. split; [repeat constructor | intros T; inversion T]. Qed.

(** (cge.2) has lost its minus sign: the code of neg e would be that of e. *)
Theorem erratum_cge2 : exists x : Z, uop_val integers NegZ x <> x.
Proof. exists 1%Z. discriminate. Qed.

(** (cge.5) and (cge.6) go on with zip e1 e2 itself after the field is taken off the path:
    what remains is no path of a zip, and has no code. *)
Theorem erratum_cge5 :
  forall n i (d2 : data numbers) ie m (v1 v2 : zview) k,
    i < n ->
    leaf (ary n (DPair DNum d2)) [At i; L] /\ ~ leaf (ary n (DPair DNum d2)) [At i] /\
    rd ie m (VZip v1 v2) [At i] = None /\ cge (VZip v1 v2) [Sub k] = XStuck.
Proof. intros n i d2 ie m v1 v2 k lt. cbn. repeat split; auto. intros [_ F]. exact F. Qed.

Theorem erratum_cge6 :
  forall n i (d1 : data numbers),
    i < n -> leaf (ary n (DPair d1 DNum)) [At i; R] /\ ~ leaf (ary n (DPair d1 DNum)) [At i].
Proof. intros n i d1 lt. cbn. repeat split; auto. intros [_ F]. exact F. Qed.

(** (cgc.2) splits new(tmp. p1; p2) into new(tmp. p1); p2, where p2 has no tmp. *)
Theorem erratum_cgc2 :
  let set_tmp : fstm integers numbers := FSet 1 (KCst 0) (@FLit integers numbers 7%Z) in
  let use_tmp : fstm integers numbers := FSet 0 (KCst 0) (FLoad 1 (KCst 0)) in
  let out : fstore integers := fun r k => if (r =? 0) && (k =? 0) then Some None else None in
  frun no_levels (FSeq (FBlock 1 DNum set_tmp) use_tmp) out = None /\
  exists m, frun no_levels (FBlock 1 DNum (FSeq set_tmp use_tmp)) out = Some m /\
    m 0 0 = Some (Some 7%Z).
Proof. split; [reflexivity |]. eexists. split; reflexivity. Qed.

(** Declarations of num as int truncate: two halves, added as int, are 0 and not 1. *)
Theorem erratum_int_declaration : (1 / 2 + 1 / 2 = 0 /\ (1 + 1) / 2 = 1)%Z.
Proof. split; reflexivity. Qed.

(** idxpred n is printed n: reverse would read a[n - i], outside of the array for i = 0. *)
Theorem erratum_idxpred :
  forall n, 0 < n ->
    ~ leaf (ary n DNum) [At (n - 0)] /\ (forall i, i < n -> leaf (ary n DNum) [At (n - 1 - i)]).
Proof. intros n pos. cbn. split; [intros [lt _] | intros i lt; split; auto]; lia. Qed.

(** The example with split adds the components of a pair where it should multiply. *)
Definition inner_of (f : zexp -> zexp -> zexp) : zexp :=
  @ERed integers numbers 2 DNum (zadd (f (EFst (EVar 1)) (ESnd (EVar 1))) (EVar 0))
    (@ELit integers numbers 0%Z) (@EZip integers numbers 2 DNum DNum (EVar 0) (EVar 1)).

Theorem erratum_split_dot_operator :
  eval [zvec [2; 3]; zvec [5; 7]]%Z (inner_of zmul) = Num (A := integers) 31%Z /\
  eval [zvec [2; 3]; zvec [5; 7]]%Z (inner_of zadd) = Num (A := integers) 17%Z.
Proof. split; reflexivity. Qed.

(** Its listing has n rows of m, A[i1*m + i3], where split n m gives m rows of n: other
    chunks, so other partial results as soon as the operation is not associative, and
    v0[n] is too short for m > n of them. *)
Theorem erratum_split_dot_listing :
  let xs := zvec [1; 2; 3; 4; 5; 6]%Z in
  let chunk n m := @ESplit integers numbers n m (EVar 0) in
  eval [xs] (chunk 3 2) = zmat [[1; 2; 3]; [4; 5; 6]]%Z /\
  eval [xs] (chunk 2 3) = zmat [[1; 2]; [3; 4]; [5; 6]]%Z /\
  (exists n m i, leaf (ary m (ary n DNum)) [At i; At 0] /\ ~ leaf (ary n DNum) [At i]).
Proof.
  split; [reflexivity | split; [reflexivity |]]. exists 2, 3, 2. cbn. repeat split; lia.
Qed.

(** reduceSeq applies f to element and accumulator in one listing, to accumulator and
    element in another: not the same where f does not commute. *)
Definition fold_by (f : zexp -> zexp -> zexp) : zexp :=
  @ERed integers numbers 2 DNum (f (EVar 1) (EVar 0)) (@ELit integers numbers 0%Z) (EVar 0).
Definition zsub (a b : zexp) : zexp := EBin (A := integers) Scalars.Sub a b.

Theorem erratum_operand_order :
  eval [zvec [1; 5]]%Z (fold_by zsub) = Num (A := integers) 4%Z /\
  eval [zvec [1; 5]]%Z (fold_by (fun x acc => zsub acc x)) = Num (A := integers) (-6)%Z.
Proof. split; reflexivity. Qed.
