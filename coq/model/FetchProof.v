(** * A look-up on flat arrays is Gather

    Where the operator has a value, the run leaves it; where it has none, an index is outside,
    and that is how the run ends. *)

From Coq Require Import Bool List Arith NArith ZArith Lia.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Lower kernel.Lookup.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Shapes tensor.Ops tensor.OpKernel tensor.OpLookup.
From Calque Require tensor.OpMapProof.
From Calque Require Import model.Unit model.CallProof.
From Calque Require emit.Flat.
Import ListNotations.
Open Scope nat_scope.

Section FetchProof.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Notation tensor := (tensor (num S)).
  Notation memory := (Flat.fstore (scalar_algebra K)).
  Variables (axis : nat) (tx tix : tensor) (x ix y : place) (m0 : memory) (size : nat).
  Notation l := (gather_look axis (p_dims x) (p_dims ix)).
  Notation r := (length (dims tix)).
  Notation n := (nth axis (dims tx) 0).
  Hypothesis below : axis < length (dims tx).
  Hypothesis Dx : dims tx = p_dims x.
  Hypothesis Di : dims tix = p_dims ix.
  Hypothesis Dy : p_dims y = gather_dims axis (p_dims x) (p_dims ix).
  Hypothesis held_x : has S m0 x (get (s_zero S) tx).
  Hypothesis held_ix : has S m0 ix (get (s_zero S) tix).
  Hypothesis ok : look_ok size l x ix y = true.
  Hypothesis there : forall o, o < size -> m0 arena o <> None.

  Lemma index_of_range a z : index_of S n a = Some z -> (0 <= z < Z.of_nat n)%Z.
  Proof.
    unfold index_of. destruct (s_index S a) as [w |]; [| discriminate]. unfold guard.
    destruct ((0 <=? _) && (_ <? _))%Z eqn:B; [| discriminate]. intros E. injection E as <-.
    apply andb_true_iff in B as [lo hi]. apply Z.leb_le in lo. apply Z.ltb_lt in hi. now split.
  Qed.

  (** Memory that differs at most in the place that is written. *)
  Definition same (m : memory) : Prop :=
    (forall q o, ~ within (window_of y) q o -> m q o = m0 q o) /\ (forall o, o < size -> m arena o <> None).

  Lemma ok_parts : p_array y = arena /\ p_base y + cell_count (p_dims y) <= size /\
    disjoint (window_of y) (window_of x) = true /\ disjoint (window_of y) (window_of ix) = true /\ look_fits l x ix y = true.
  Proof.
    unfold look_ok in ok. repeat (apply andb_true_iff in ok as [ok ?]).
    apply Nat.eqb_eq in ok. apply Nat.leb_le in H2. auto.
  Qed.

  Lemma cell_there (p : place) (t : tensor) m i : same m -> has S m0 p (get (s_zero S) t) -> dims t = p_dims p ->
    disjoint (window_of y) (window_of p) = true -> in_box (dims t) i = true -> cell_at m p i = Some (at_ S t i).
  Proof.
    intros [M _] H D apart_ I. unfold cell_at. rewrite D in I. rewrite I, M.
    - now rewrite (H i I).
    - intros W. apply (disjoint_within _ _ _ _ apart_ W). cbn. split; [reflexivity |].
      pose proof (position_lt _ _ I). lia.
  Qed.

  Lemma index_there m j : same m -> in_box (dims tix) j = true ->
    read_index l ix j m = match index_of S n (at_ S tix j) with Some z => Finished z | None => OutOfRange end.
  Proof.
    intros M I. unfold read_index. destruct ok_parts as (_ & _ & _ & D & _).
    rewrite (cell_there ix tix m j M held_ix Di D I). cbn [sure and_then lsize gather_look]. rewrite <- Dx.
    rewrite <- counted_index. now destruct (s_index S (at_ S tix j)).
  Qed.

  Lemma tested is : (forall j, In j is -> in_box (dims tix) j = true) ->
    each (test_index l ix) is m0 =
    if forallb (fun j => match index_of S n (at_ S tix j) with Some _ => true | None => false end) is
    then Finished m0 else OutOfRange.
  Proof.
    induction is as [| j is IH]; intros I; [reflexivity |]. cbn [each forallb]. unfold test_index at 1.
    rewrite index_there by (try (now split); apply I; now left).
    destruct (index_of S n (at_ S tix j)) as [z |]; [| reflexivity]. cbn [and_then andb]. apply IH.
    intros k Ik. apply I. now right.
  Qed.

  Section Inside.
  Hypothesis all : forall j, in_box (dims tix) j = true -> exists z, index_of S n (at_ S tix j) = Some z.

  Definition where_ (i : list Z) : list Z := firstn r (skipn axis i).
  Definition cell (i : list Z) : num S :=
    match index_of S n (at_ S tix (where_ i)) with
    | Some z => at_ S tx (firstn axis i ++ z :: skipn (axis + r) i)
    | None => s_zero S
    end.

  Lemma y_split i : in_box (p_dims y) i = true -> exists a b c, i = a ++ b ++ c /\
    in_box (firstn axis (dims tx)) a = true /\ in_box (dims tix) b = true /\
    in_box (skipn (Datatypes.S axis) (dims tx)) c = true /\ length a = axis /\ length b = r /\
    length c = length (dims tx) - Datatypes.S axis.
  Proof.
    rewrite Dy, <- Dx, <- Di. unfold gather_dims. intros I. apply in_box_split in I.
    destruct I as (a & bc & -> & Ia & I). apply in_box_split in I. destruct I as (b & c & -> & Ib & Ic).
    exists a, b, c. pose proof (in_box_length _ _ Ia) as La. pose proof (in_box_length _ _ Ic) as Lc.
    rewrite firstn_length_le in La by lia. rewrite skipn_length in Lc.
    repeat split; auto. now apply in_box_length.
  Qed.

  Lemma parts a b c : length a = axis -> length b = r ->
    where_ (a ++ b ++ c) = b /\ firstn axis (a ++ b ++ c) = a /\ skipn (axis + r) (a ++ b ++ c) = c.
  Proof.
    intros La Lb. unfold where_. rewrite <- Lb, <- La.
    rewrite skipn_app, Nat.sub_diag, skipn_all. cbn [app skipn].
    rewrite firstn_app, Nat.sub_diag, firstn_all. cbn [firstn]. rewrite app_nil_r.
    split; [reflexivity |]. split.
    - rewrite firstn_app, Nat.sub_diag, firstn_all. cbn [firstn]. apply app_nil_r.
    - rewrite app_assoc, skipn_app, app_length, Nat.sub_diag, skipn_all2 by (rewrite app_length; lia). reflexivity.
  Qed.

  Lemma copied i m : in_box (p_dims y) i = true -> same m ->
    copy_cell l x ix y i m = Finished (Flat.fset m (p_array y) (p_base y + position (p_dims y) i) (cell i)).
  Proof.
    intros I M. pose proof I as I'. apply y_split in I'. destruct I' as (a & b & c & -> & Ia & Ib & Ic & La & Lb & Lc).
    destruct (parts a b c La Lb) as (Pb & Pa & Pc). destruct ok_parts as (ya & yb & Dsx & _).
    assert (where_at l (a ++ b ++ c) = b) as W.
    { unfold where_at. cbn [lplace gather_look]. rewrite <- Di, eval_seq by (rewrite !app_length; lia). exact Pb. }
    unfold copy_cell. rewrite W, index_there by assumption. unfold cell. rewrite Pb, Pa, Pc.
    destruct (all b Ib) as [z Ez]. rewrite Ez. cbn [and_then].
    assert (from_at l (a ++ b ++ c) z = a ++ z :: c) as F.
    { unfold from_at. cbn [before after gather_look]. rewrite <- Di, <- Dx.
      rewrite !eval_seq by (rewrite !app_length; lia). cbn [skipn]. rewrite Pa, Pc, (firstn_all2 c) by lia. reflexivity. }
    assert (in_box (dims tx) (a ++ z :: c) = true) as J.
    { apply index_of_range in Ez. destruct (nth_split (dims tx) 0 below) as (d & e & D & Ld). rewrite <- Ld in Ia, Ic.
      rewrite D, firstn_app, Nat.sub_diag, firstn_all in Ia. cbn [firstn] in Ia. rewrite app_nil_r in Ia.
      rewrite D, skipn_app, (skipn_all2 d) in Ic by lia. replace (Datatypes.S (length d) - length d) with 1 in Ic by lia.
      cbn [app skipn] in Ic. rewrite D at 1. rewrite in_box_app by lia. rewrite Ia. now apply in_box_cons. }
    rewrite F, (cell_there x tx m) by assumption.
    cbn [sure and_then]. unfold put_at. rewrite I, ya.
    pose proof (position_lt _ _ I). destruct (m arena _) eqn:C; [reflexivity |].
    now apply (proj2 M) in C; [| lia].
  Qed.

  Lemma all_copied is : forall m, (forall i, In i is -> in_box (p_dims y) i = true) -> same m ->
    exists m', each (copy_cell l x ix y) is m = Finished m' /\ same m' /\
      (forall i, in_box (p_dims y) i = true -> In i is \/ m (p_array y) (p_base y + position (p_dims y) i) = Some (Some (cell i)) ->
         m' (p_array y) (p_base y + position (p_dims y) i) = Some (Some (cell i))).
  Proof.
    induction is as [| i is IH]; intros m I M; cbn [each].
    - exists m. split; [reflexivity |]. split; [exact M |]. intros i _ [[] | E]. exact E.
    - assert (Ii : in_box (p_dims y) i = true) by (apply I; now left). rewrite (copied i m Ii M). cbn [and_then].
      destruct (IH (Flat.fset m (p_array y) (p_base y + position (p_dims y) i) (cell i))) as (m' & E & M' & got).
      { intros j J. apply I. now right. }
      { destruct M as [M A]. pose proof (position_lt _ _ Ii) as lt. split.
        - intros q o W. unfold Flat.fset. destruct ((q =? p_array y) && _) eqn:B; [| now apply M].
          apply andb_true_iff in B as [B1 B2]. apply Nat.eqb_eq in B1, B2. elim W. cbn. split; [now symmetry | lia].
        - intros o lo. unfold Flat.fset. destruct ((arena =? p_array y) && _); [discriminate | now apply A]. }
      exists m'. split; [exact E |]. split; [exact M' |]. intros j J [[-> | Ij] | old]; apply got; auto; right; unfold Flat.fset.
      + now rewrite !Nat.eqb_refl.
      + rewrite Nat.eqb_refl. cbn [andb]. destruct (Nat.eqb_spec (p_base y + position (p_dims y) j) (p_base y + position (p_dims y) i)) as [P | _];
          [| exact old]. assert (j = i) as -> by (apply (position_inj (p_dims y)); auto; lia). reflexivity.
  Qed.
  End Inside.

  Theorem fetch_correct :
    match gather S axis tx tix with
    | Some t => exists m', run_look l x ix y m0 = Finished m' /\ has S m' y (get (s_zero S) t) /\ same m'
    | None => run_look l x ix y m0 = OutOfRange
    end.
  Proof.
    assert (M : same m0) by (split; auto). destruct ok_parts as (_ & _ & _ & _ & fits).
    unfold run_look. rewrite fits. replace (box (p_dims ix)) with (box (dims tix)) by now rewrite Di.
    rewrite tested by (intros j I; now apply in_box_box in I).
    destruct (forallb _ (box (dims tix))) eqn:B.
    - assert (all : forall j, in_box (dims tix) j = true -> exists z, index_of S n (at_ S tix j) = Some z).
      { intros j I. rewrite forallb_forall in B. specialize (B j (proj2 (in_box_box _ _) I)).
        destruct (index_of S n (at_ S tix j)) as [z |]; [now exists z | discriminate]. }
      unfold gather. rewrite B. cbn [guard table option_map and_then].
      destruct (all_copied all (box (p_dims y)) m0) as (m' & E & M' & got); [intros i I; now apply in_box_box in I | exact M |].
      exists m'. split; [exact E |]. split; [| exact M']. intros i I.
      rewrite (got i I (or_introl (proj2 (in_box_box _ _) I))). do 2 f_equal.
      rewrite Dy, <- Dx, <- Di in I. symmetry. exact (get_tabulate _ _ _ i I).
    - unfold gather. now rewrite B.
  Qed.
End FetchProof.
