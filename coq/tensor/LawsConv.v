(** * Convolutions of one input as one: that it has a value, and its parts *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.Formulas tensor.Concat tensor.LawsMerge.
Import ListNotations.
Open Scope nat_scope.

Section Laws.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation along := (along S).
  Notation biased := (biased S).

  (** [B], the bias of all, adds to the channels of the [k]-th what [b k] does. *)
  Definition biases (B : option tensor) (b : nat -> option tensor) (ns : list nat) : Prop :=
    (forall t, B = Some t -> dims t = [list_sum ns]) /\
    forall k n j a, nth_error ns k = Some n -> (0 <= j < Z.of_nat n)%Z ->
      biased B a (j + Z.of_nat (start k ns)) = biased (b k) a j.

  Theorem parallel_conv_all w (x f : tensor) fr b B ys :
    length ys = length (f :: fr) ->
    (forall v, In v (f :: fr) -> skipn 2 (dims v) = skipn 2 (dims f)) ->
    (forall k v y, nth_error (f :: fr) k = Some v -> nth_error ys k = Some y -> conv S w 1 x v (b k) = Some y) ->
    biases B b (map (along 0) (f :: fr)) ->
    exists F Y, concat S 0 f fr = Some F /\ good F /\ skipn 2 (dims F) = skipn 2 (dims f) /\
      conv S w 1 x F B = Some Y /\ good Y /\ 1 < length (dims Y) /\
      split S 1 (map (along 0) (f :: fr)) Y = Some ys /\ Forall good ys.
  Proof.
    intros len ker M [BD BV].
    assert (forall v, In v (f :: fr) -> exists n c ns o c' ks l, dims x = n :: c :: ns /\ dims v = o :: c' :: ks /\
              c / 1 = c' /\ spatial_dims false w ks ns = Some l) as each.
    { intros v inv. apply In_nth_error in inv. destruct inv as (k & at_v).
      assert (k < length ys) as lt by (rewrite len; apply nth_error_Some; congruence).
      apply nth_error_Some in lt. destruct (nth_error ys k) as [y |] eqn:at_y; [| easy].
      destruct (conv_is _ _ _ _ _ _ _ (M k v y at_v at_y)) as (n & c & ns & o & c' & ks & l & X & V & _ & _ & _ & Cc & _ & _ & _ & L & _).
      now exists n, c, ns, o, c', ks, l. }
    destruct (each f (or_introl eq_refl)) as (n & c & ns & o & c' & ks & l & X & F0 & Cc & L).
    destruct (concat_some S 0 f fr) as (F & C & GF & DF).
    { rewrite F0. simpl. lia. }
    { intros y iny. destruct (each y (or_intror iny)) as (n' & c2 & ns' & o' & c2' & ks' & l' & X' & V & Cc' & _).
      exists o'. pose proof (ker y (or_intror iny)) as K. rewrite V, F0 in *. cbn [skipn set_nth] in *.
      rewrite X in X'. injection X' as <- <- <-. congruence. }
    set (N := list_sum (map (along 0) (f :: fr))) in *.
    assert (dims F = N :: c' :: ks) as DF' by (rewrite DF, F0; reflexivity).
    assert (exists Y, conv S w 1 x F B = Some Y /\ dims Y = n :: N :: l) as (Y & HY & DY).
    { unfold conv, table, conv_dims. rewrite X, DF', L. unfold guard.
      pose proof (M 0 f) as M0. destruct ys as [| y0 ys]; [discriminate |]. specialize (M0 y0 eq_refl eq_refl).
      unfold conv, table, conv_dims in M0. rewrite X, F0 in M0. unfold guard in M0.
      destruct (andb _ _) eqn:A in M0; [| discriminate]. rewrite !andb_true_iff in A. destruct A as (((((A1 & A2) & A3) & A4) & A5) & _).
      assert ((0 <? length ns) && (0 <? 1) && (c mod 1 =? 0) && (c / 1 =? c') && (N mod 1 =? 0) &&
              match option_map dims B with Some ds => sizes_eqb ds [N] | None => true end = true) as ->.
      { rewrite !andb_true_iff. repeat split; try assumption; try (now rewrite Nat.mod_1_r).
        destruct B as [t |]; [| reflexivity]. simpl. apply sizes_eqb_iff. now apply BD. }
      eexists. split; [reflexivity | reflexivity]. }
    pose proof (table_good _ _ _ _ HY) as GY.
    destruct (split_some S 1 (map (along 0) (f :: fr)) Y) as (ts & Hts & lts & Gts); [now rewrite DY |].
    rewrite map_length in lts.
    assert (ts = ys) as E.
    { apply same_parts; [congruence |]. intros k u y at_u at_y.
      assert (k < length (f :: fr)) as lt by (rewrite <- len; apply nth_error_Some; congruence).
      apply nth_error_Some in lt. destruct (nth_error (f :: fr) k) as [v |] eqn:at_v; [| easy].
      apply (parallel_conv S w x f F fr (b k) B Y ts k u v y C HY Hts at_u at_v (M k v y at_v at_y)).
      intros j a J. apply (BV k (along 0 v) j a); [now apply map_nth_error | exact J]. }
    subst ts. exists F, Y. repeat split; try assumption.
    - rewrite DF', F0. reflexivity.
    - rewrite DY. simpl. lia.
  Qed.

  (** No bias anywhere. *)
  Lemma biases_none b ns : (forall k n, nth_error ns k = Some n -> b k = None) -> biases None b ns.
  Proof. intros H. split; [discriminate |]. intros k n j a at_k _. now rewrite (H k n at_k). Qed.

  (** One bias below the other, where each has one cell for a channel. *)
  Lemma biases_some (c B : tensor) cr b ns :
    concat S 0 c cr = Some B -> map (along 0) (c :: cr) = ns -> length (dims c) = 1 ->
    (forall k d n, nth_error (c :: cr) k = Some d -> nth_error ns k = Some n ->
       dims d = [n] /\ forall j a, (0 <= j < Z.of_nat n)%Z -> s_add S a (at_ S d [j]) = biased (b k) a j) ->
    biases (Some B) b ns.
  Proof.
    intros C E one H. split.
    - intros t Et. injection Et as <-. destruct (concat_dims_of S 0 c cr B C ltac:(lia)) as [-> _]. rewrite E.
      destruct (dims c) as [| d [|]]; try discriminate. reflexivity.
    - intros k n j a at_n J. assert (k < length (c :: cr)) as lt.
      { rewrite <- (map_length (along 0)), E. apply nth_error_Some. congruence. }
      apply nth_error_Some in lt. destruct (nth_error (c :: cr) k) as [d |] eqn:at_d; [| easy].
      destruct (H k d n at_d at_n) as [D V]. rewrite <- (V j a J). cbn [LawsMerge.biased]. f_equal.
      rewrite <- E. apply (concat_at S 0 c cr B k d [j] C at_d); [lia |]. rewrite D. apply in_box_cons. now split.
  Qed.

  (** A function of each cell before the split is the function of the parts. *)
  Lemma split_map1 g axis ns (x y : tensor) ts :
    axis < length (dims x) -> map1 S g x = Some y -> split S axis ns x = Some ts ->
    exists us, split S axis ns y = Some us /\ Forall2 (fun t u => map1 S g t = Some u) ts us.
  Proof.
    intros lt My Sp. injection My as <-. apply split_iff in Sp. destruct Sp as [sum ->].
    exists (parts S axis (tabulate (dims x) (fun i => g (at_ S x i))) 0 (map (fun n => set_nth axis n (dims x)) ns)).
    split; [now apply split_iff |].
    assert (forall l s, s + list_sum l <= nth axis (dims x) 0 ->
              Forall2 (fun t u => map1 S g t = Some u) (parts S axis x s (map (fun n => set_nth axis n (dims x)) l))
                (parts S axis (tabulate (dims x) (fun i => g (at_ S x i))) s (map (fun n => set_nth axis n (dims x)) l))) as all.
    { induction l as [| n l IH]; intros s le; simpl; constructor.
      - unfold map1, part. f_equal. cbn [dims tabulate]. apply tabulate_ext. intros i I.
        unfold at_ at 1. rewrite get_tabulate by exact I. unfold at_ at 2. rewrite get_tabulate; [reflexivity |].
        rewrite <- (set_nth_same axis (dims x) 0) by exact lt. rewrite <- (set_nth_twice axis _ n (dims x)).
        apply in_box_set; [exact I |]. pose proof I as I'. apply in_box_nth in I'. destruct I' as [_ I'].
        rewrite set_nth_length in I'. specialize (I' axis lt). rewrite nth_set_same in I' by exact lt. simpl in le. lia.
      - rewrite !nth_set_same by exact lt. apply IH. simpl in le. lia. }
    apply all. lia.
  Qed.
End Laws.
