(** * Transposes *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.Library rewrite.RulesSimplify.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.IndexProof.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Transposes in a row *)

Definition after_perm (p q : list nat) : list nat := map (fun a => nth a p 0) q.

Lemma after_permutes r p q : permutes r p = true -> permutes r q = true -> permutes r (after_perm p q) = true.
Proof.
  intros P Q. apply permutes_iff in P, Q. apply permutes_iff. destruct P as (lp & np & ltp), Q as (lq & nq & ltq).
  unfold after_perm. rewrite map_length. split; [exact lq |]. split.
  - apply (proj2 (NoDup_nth _ 0)). rewrite map_length. intros i j li lj E.
    rewrite !(nth_map_lt _ _ _ 0) in E by assumption.
    apply (proj1 (NoDup_nth p 0) np) in E; [| rewrite lp; apply ltq; now apply nth_In | rewrite lp; apply ltq; now apply nth_In].
    now apply (proj1 (NoDup_nth q 0) nq).
  - intros k ink. apply in_map_iff in ink. destruct ink as (a & <- & ina). apply ltp, nth_In. rewrite lp. now apply ltq.
Qed.

Lemma permuted_permuted r p q ds : permutes r p = true -> permutes r q = true -> List.length ds = r ->
  permuted (permuted ds p) q = permuted ds (after_perm p q).
Proof.
  intros P Q len. apply permutes_iff in P, Q. destruct P as (lp & _ & _), Q as (_ & _ & ltq).
  unfold permuted, after_perm. rewrite map_map. apply map_ext_in. intros a ina.
  apply (nth_map_lt (fun p => nth p ds 0)). rewrite lp. now apply ltq.
Qed.

Lemma place_after r p q k : permutes r p = true -> permutes r q = true -> k < r ->
  place_of k (after_perm p q) = place_of (place_of k p) q.
Proof.
  intros P Q lt. pose proof (after_permutes r p q P Q) as PQ. apply permutes_iff in PQ. destruct PQ as (_ & nd & _).
  pose proof (permutes_all r p k P lt) as ink.
  pose proof (place_of_lt k p ink) as ltk. apply permutes_iff in P. destruct P as (lp & np & _). rewrite lp in ltk.
  pose proof (permutes_all r q _ Q ltk) as inq. pose proof (place_of_lt _ q inq) as ltq.
  assert (nth (place_of (place_of k p) q) (after_perm p q) 0 = k) as E.
  { unfold after_perm. rewrite (nth_map_lt _ _ _ 0) by exact ltq. rewrite nth_place_of by exact inq.
    now apply nth_place_of. }
  rewrite <- E at 1. apply place_of_nth; [exact nd | unfold after_perm; now rewrite map_length].
Qed.

Lemma unpermute_unpermute r p q i : permutes r p = true -> permutes r q = true ->
  unpermute p (unpermute q i) = unpermute (after_perm p q) i.
Proof.
  intros P Q. pose proof P as P'. pose proof Q as Q'. apply permutes_iff in P', Q'.
  destruct P' as (lp & _ & _), Q' as (lq & _ & _).
  apply nth_ext with (d := 0%Z) (d' := 0%Z); rewrite !unpermute_length; [unfold after_perm; now rewrite map_length, lp, lq |].
  intros k lt. pose proof (permutes_all r p k P ltac:(lia)) as ink. pose proof (place_of_lt k p ink).
  rewrite nth_unpermute by exact lt. rewrite nth_unpermute by lia.
  rewrite nth_unpermute by (unfold after_perm; rewrite map_length; lia). now rewrite (place_after r) by (try assumption; lia).
Qed.

Lemma transpose_iff S p (x t : tensor (num S)) : transpose S p x = Some t <->
  permutes (List.length (dims x)) p = true /\ t = tabulate (permuted (dims x) p) (fun i => at_ S x (unpermute p i)).
Proof.
  unfold transpose, table, transpose_dims, guard. destruct (permutes _ p); split.
  - intros E. injection E as <-. now split.
  - now intros [_ ->].
  - discriminate.
  - now intros [E _].
Qed.

Lemma dims_tabulate {A} ds (f : list Z -> A) : dims (tabulate ds f) = ds.
Proof. reflexivity. Qed.

Lemma permuted_length p ds : List.length (permuted ds p) = List.length p.
Proof. unfold permuted. apply map_length. Qed.

Theorem transpose_transpose S p q (x t u : tensor (num S)) :
  transpose S p x = Some t -> transpose S q t = Some u -> transpose S (after_perm p q) x = Some u.
Proof.
  intros H K. apply transpose_iff in H, K. destruct H as [P ->], K as [Q ->]. rewrite dims_tabulate in *.
  rewrite permuted_length in Q. pose proof P as P'. apply permutes_iff in P'. destruct P' as (lp & _ & _). rewrite lp in Q.
  apply transpose_iff. split; [now apply after_permutes |].
  rewrite (permuted_permuted (List.length (dims x))) by (try assumption; reflexivity).
  apply tabulate_ext. intros i I. unfold at_ at 1.
  rewrite get_tabulate.
  - now rewrite (unpermute_unpermute (List.length (dims x))).
  - apply (unpermute_in_box (List.length (dims x))); [exact Q | now rewrite permuted_length |].
    now rewrite (permuted_permuted (List.length (dims x))) by (try assumption; reflexivity).
Qed.

Theorem transpose_identity S (x t : tensor (num S)) :
  good x -> transpose S (seq 0 (List.length (dims x))) x = Some t -> t = x.
Proof.
  intros G H. apply transpose_iff in H. destruct H as [_ ->].
  assert (permuted (dims x) (seq 0 (List.length (dims x))) = dims x) as E.
  { unfold permuted. apply nth_ext with (d := 0) (d' := 0); rewrite map_length, seq_length; [reflexivity |].
    intros k lt. rewrite (nth_map_lt _ _ _ 0) by now rewrite seq_length. now rewrite seq_nth. }
  apply (tensor_ext (s_zero S)); [apply good_tabulate | exact G | exact E |].
  intros i I. cbn [dims tabulate] in I. rewrite get_tabulate by exact I. rewrite E in I. unfold at_. f_equal.
  apply nth_ext with (d := 0%Z) (d' := 0%Z); rewrite unpermute_length, seq_length; [now rewrite (in_box_length _ _ I) |].
  intros k lt. rewrite nth_unpermute by now rewrite seq_length. f_equal.
  replace k with (nth k (seq 0 (List.length (dims x))) 0) at 1 by now rewrite seq_nth. apply place_of_nth; [apply seq_NoDup | now rewrite seq_length].
Qed.

(** ** The rules *)

(** The permutation that is written. *)
Lemma written_perm l ds v : attribute l "perm"%string = Some v -> perm_of l ds = shape_of v.
Proof. intros E. unfold perm_of, sizes_attr, attr_or. now rewrite E. Qed.

Lemma shape_of_nth vs ds : traverse natural vs = Some ds ->
  forall k d, k < List.length ds -> exists z, nth_error vs k = Some (VInt z) /\ (0 <= z)%Z /\ Z.to_nat z = nth k ds d.
Proof.
  revert ds. induction vs as [| v vs IH]; intros ds H k d lt; simpl in H; [injection H as <-; simpl in lt; lia |].
  destruct v as [| | z | | |]; try discriminate. simpl in H. destruct (0 <=? z)%Z eqn:Z0; [| discriminate].
  destruct (traverse natural vs) as [ds' |]; [| discriminate]. injection H as <-. destruct k as [| k].
  - exists z. repeat split. now apply Z.leb_le.
  - simpl in *. apply (IH ds' eq_refl). lia.
Qed.

(** [[p[a] for a in q]] of two permutations of a rank. *)
Lemma map_perm ps p qs q r f v :
  traverse natural ps = Some p -> traverse natural qs = Some q -> permutes r p = true -> permutes r q = true ->
  (forall w, f w = match w with VInt k => tuple_index ps k | _ => None end) ->
  option_map VTuple (traverse f qs) = Some v -> shape_of v = Some (after_perm p q).
Proof.
  intros Hp Hq P Q Hf E. apply permutes_iff in P, Q. destruct P as (lp & _ & _), Q as (_ & _ & ltq).
  assert (List.length ps = List.length p) as len.
  { clear - Hp. revert p Hp. induction ps as [| w ps IH]; intros p Hp; simpl in Hp; [now injection Hp as <- |].
    destruct (natural w); [| discriminate]. destruct (traverse natural ps); [| discriminate]. injection Hp as <-.
    simpl. f_equal. now apply IH. }
  revert q v Hq ltq E. induction qs as [| w qs IH]; intros q v Hq ltq E; simpl in Hq, E.
  - injection Hq as <-. injection E as <-. reflexivity.
  - destruct w as [| | z | | |]; try discriminate. simpl in Hq. destruct (0 <=? z)%Z eqn:Z0; [| discriminate].
    destruct (traverse natural qs) as [q' |]; [| discriminate]. injection Hq as <-.
    rewrite Hf in E. apply Z.leb_le in Z0. assert (Z.to_nat z < r) as ltz by (apply ltq; now left).
    destruct (shape_of_nth ps p Hp (Z.to_nat z) 0 ltac:(lia)) as (y & at_y & Y & Ey).
    unfold tuple_index in E. rewrite (proj2 (Z.leb_le 0 z) Z0), (proj2 (Z.ltb_lt z _)) in E by lia. cbn [andb] in E.
    rewrite at_y in E. destruct (traverse f qs) as [us |]; [| discriminate]. injection E as <-.
    specialize (IH q' (VTuple us) eq_refl (fun k ink => ltq k (or_intror ink)) eq_refl).
    simpl in IH |- *. rewrite (proj2 (Z.leb_le 0 y) Y), IH, Ey. reflexivity.
Qed.

Lemma transpose_to S inputs constants shapes v p (t u : tensor (num S)) : 
  shape_of v = Some p -> transpose S p t = Some u ->
  calls (tensors S inputs constants shapes) "Transpose"%string [("perm"%string, v)] (strip [Of t]) = Some (Of u).
Proof.
  intros Sh H. eapply op1_intro; [reflexivity | |].
  - cbn. unfold perm_of, sizes_attr, attr_or. cbn. now rewrite Sh.
  - split; [| reflexivity]. apply transpose_iff in H. destruct H as [_ ->]. apply good_tabulate.
Qed.

Theorem rule_transpose_transpose_sound : exact_rule rule_text_transpose_transpose.
Proof.
  at_match. each_output. see 2 l2 V2 L2 C2. see 1 l1 V1 L1 C1. mean m.
  attribute_of E C2. attribute_of E C1.
  open1 V1 t u R R1 F1 G1. open1 V2 w w' R2 Q F2 G2. rewrite R1 in R2. injection R2 as <-. cbn in F1, F2.
  change (look l2 "perm"%string) with (attribute l2 "perm"%string) in E.
  change (look l1 "perm"%string) with (attribute l1 "perm"%string) in E.
  destruct (attribute l2 "perm"%string) as [v2 |] eqn:A2; [| discriminate].
  destruct v2 as [| | | | | qs]; try discriminate. rewrite (written_perm _ _ _ A2) in F2. cbn [shape_of] in F2.
  destruct (traverse natural qs) as [q |] eqn:Eq; [| discriminate].
  destruct (perm_of l1 (dims t)) as [p |] eqn:Ep; [| discriminate].
  assert (shape_of v = Some (after_perm p q)) as Sh.
  { destruct qs as [| q0 qs].
    - injection Eq as <-. injection E as <-. reflexivity.
    - destruct (attribute l1 "perm"%string) as [v1 |] eqn:A1; [| discriminate].
      rewrite (written_perm _ _ _ A1) in Ep. destruct v1 as [| | | | | ps]; try discriminate. cbn [shape_of] in Ep.
      pose proof F1 as F1'. pose proof F2 as F2'. apply transpose_iff in F1', F2'.
      destruct F1' as [P ->], F2' as [P' _]. rewrite dims_tabulate, permuted_length in P'.
      pose proof P as lp. apply permutes_iff in lp. destruct lp as (lp & _ & _). rewrite lp in P'.
      exact (map_perm ps p (q0 :: qs) q _ _ v Ep Eq P P' (fun w => eq_refl) E). }
  rewrite X, R, Q. apply (transpose_to _ _ _ _ v (after_perm p q)); [exact Sh |].
  now apply transpose_transpose with u.
Qed.

Lemma count_seq n : forall k vs,
  traverse (fun i => int_result (0 + Z.of_nat i * 1)) (seq k n) = Some vs -> traverse natural vs = Some (seq k n).
Proof.
  induction n as [| n IH]; intros k vs H; cbn [seq traverse] in H.
  - injection H as <-. reflexivity.
  - destruct (int_result _) as [w |] eqn:Ew; [| discriminate]. unfold int_result in Ew.
    destruct (in_int64 _); [| discriminate]. injection Ew as <-.
    destruct (traverse _ (seq (Datatypes.S k) n)) as [us |] eqn:Eu; [| discriminate]. injection H as <-.
    specialize (IH (Datatypes.S k) us Eu). replace (Z.of_nat k * 1)%Z with (Z.of_nat k) by lia.
    cbn [traverse natural seq]. rewrite (proj2 (Z.leb_le 0 _)) by lia. now rewrite IH, Nat2Z.id.
Qed.

Lemma range_seq n v : func_op FRange [VInt 0; VInt (Z.of_nat n); VInt 1] = Some v -> shape_of v = Some (seq 0 n).
Proof.
  cbn [func_op]. unfold range_op. cbn [Z.eqb].
  assert (steps 0 (Z.of_nat n) 1 = Z.of_nat n) as -> by (unfold steps; cbn [Z.ltb Z.compare]; rewrite Z.div_1_r; lia).
  unfold count. destruct (_ && _); [| discriminate]. rewrite Nat2Z.id.
  destruct (traverse _ (seq 0 n)) as [vs |] eqn:E; [| discriminate]. intros H. injection H as <-. exact (count_seq n 0 vs E).
Qed.

Theorem rule_transpose_identity_sound : exact_rule rule_text_transpose_identity.
Proof.
  at_match. each_output. see 1 l V L C. mean m. require 0 Rq. attribute_of Rq C.
  open1 V t u R Q F G. cbn in F. change (look l "perm"%string) with (attribute l "perm"%string) in Rq.
  destruct (attribute l "perm"%string) as [v |] eqn:A; [| discriminate].
  destruct (Pattern.label_at _ _ _ _ "ndim") as [n |] eqn:En; [| discriminate].
  says_call En C D. pose proof (ndim_label _ _ _ _ _ _ _ _ _ D Q) as ->.
  destruct (func_op FRange _) as [w |] eqn:Ef; [| discriminate]. cbn [binary_op] in Rq. injection Rq as Rq.
  apply value_eqb_iff in Rq. subst w.
  apply range_seq in Ef. rewrite (written_perm _ _ _ A), Ef in F.
  assert (List.length (dims u) = List.length (dims t)) as len.
  { apply transpose_iff in F. destruct F as [P ->]. apply permutes_iff in P. rewrite dims_tabulate, permuted_length. easy. }
  rewrite len in F. rewrite R, Q. f_equal. f_equal. symmetry. apply (transpose_identity S); [| exact F].
  eapply rho_good; eassumption.
Qed.

#[export] Hint Resolve rule_transpose_transpose_sound rule_transpose_identity_sound : sound_rules.
