(** * The steps of ConvTranspose's composition *)

From Coq Require Import Bool List Lia Arith NArith String ZArith Ring_theory Ring.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.OpTable tensor.Algebra tensor.Along tensor.Channel.
From Calque Require Import tensor.KernelPad tensor.PadConv.
From Calque Require Import onnx.Composition onnx.Steps onnx.AxisSteps onnx.Interleaved onnx.WindowSums onnx.ConvTranspose.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

Section Steps.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Hypothesis index_typed : forall z, (0 <= z < 2 ^ 63)%Z -> s_index S (typed i64_code (LInt z)) = Some z.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).
  Notation runs := (runs S typed).
  Notation knows := (knows S).
  Notation picked := (picked S).

  (** ** Padding by zeros: what is outside is 0 anyway *)

  Lemma no_pads ds : forall lo hi out, forallb (Z.eqb 0) (lo ++ hi) = true -> pad_dims PadConstant ds lo hi = Some out ->
    out = ds /\ forall i, List.length i = List.length ds -> pad_at PadConstant ds lo i = i.
  Proof.
    induction ds as [| n ds IH]; intros [| p lo] [| q hi] out Z0 P; try discriminate; cbn [pad_dims] in P.
    - injection P as <-. split; [reflexivity |]. intros [| z i] E; [reflexivity | discriminate].
    - unfold guard in P. destruct (_ && _) in P; [| discriminate].
      destruct (pad_dims PadConstant ds lo hi) as [out' |] eqn:D; [| discriminate]. injection P as <-.
      rewrite forallb_app in Z0. cbn [forallb] in Z0. rewrite !andb_true_iff, !Z.eqb_eq in Z0.
      destruct Z0 as [[<- Zlo] [<- Zhi]].
      destruct (IH lo hi out') as [-> I]; [rewrite forallb_app, Zlo; exact Zhi | exact D |]. split; [f_equal; lia |].
      intros [| z i] E; [discriminate |]. cbn [pad_at pad_place]. rewrite I by now injection E. f_equal. lia.
  Qed.

  Lemma padded_runs vs lo hi out k (x : tensor) : knows vs k (GTensor x) -> good x ->
    pad_dims PadConstant (dims x) lo hi = Some out ->
    runs vs (padded lo hi k)
      (fun ws j => knows ws j (GTensor (tabulate out (fun i => at_ x (pad_at PadConstant (dims x) lo i))))).
  Proof.
    intros K G P. unfold padded. destruct (forallb _ _) eqn:E.
    - destruct (no_pads (dims x) lo hi out E P) as [-> I].
      replace (tabulate (dims x) _) with x; [now apply runs_return |].
      transitivity (tabulate (dims x) (get (s_zero S) x)); [symmetry; now apply tabulate_get |].
      apply tabulate_ext. intros i J. now rewrite I by now apply in_box_length.
    - eapply runs_apply; [constructor; [exact K | constructor] |].
      destruct (pad_dims_length _ _ _ _ _ P) as (ll & _ & _). rewrite (pad_value S x lo hi 0 out ll P). do 2 f_equal.
      apply tabulate_ext. intros i _. cbv zeta. destruct (in_box (dims x) _) eqn:I; [reflexivity |].
      now rewrite at_outside.
  Qed.

  (** ** One axis after the other *)

  Fixpoint mapped {A} (f : A -> Z -> Z) (l : list A) (i : list Z) : list Z :=
    match l, i with a :: l', z :: i' => f a z :: mapped f l' i' | _, _ => [] end.

  Definition changed (ds : sizes) (f : list Z -> list Z) (x u : tensor) : Prop :=
    good u /\ dims u = ds /\ forall i, in_box ds i = true -> at_ u i = at_ x (f i).

  Definition gives (vs : list (gvalue tensor)) (b : build nat) (P : tensor -> Prop) : Prop :=
    runs vs b (fun ws k => exists u, knows ws k (GTensor u) /\ P u).

  Lemma along_axes_runs {A} step (from to : A -> nat) f l : forall vs pre k (x : tensor),
    (forall vs pre a post k (x : tensor), In a l -> knows vs k (GTensor x) -> good x -> dims x = pre ++ from a :: post ->
       runs vs (step pre a post k) (fun ws j => knows ws j (GTensor (picked pre (to a) post (f a) x)))) ->
    knows vs k (GTensor x) -> good x -> dims x = pre ++ map from l ->
    gives vs (along_axes step from to pre l k) (changed (pre ++ map to l)
      (fun i => firstn (List.length pre) i ++ mapped f l (skipn (List.length pre) i)) x).
  Proof.
    induction l as [| a l IH]; intros vs pre k x H K G D; cbn [along_axes map].
    - apply runs_return. exists x. split; [exact K |]. split; [exact G |]. split; [exact D |]. intros i I. f_equal.
      rewrite app_nil_r in I. pose proof (in_box_length _ _ I) as E.
      rewrite <- E, firstn_all, skipn_all. cbn [mapped]. now rewrite app_nil_r.
    - eapply runs_bind; [apply (H vs pre a (map from l) k x (or_introl eq_refl) K G D) |]. intros ws j X J.
      set (x1 := picked pre (to a) (map from l) (f a) x) in *.
      eapply runs_weaken; [apply (IH ws (pre ++ [to a]) j x1) |].
      + intros us p b post i y inb. apply H. now right.
      + exact J.
      + apply good_tabulate.
      + cbn [x1 picked AxisSteps.picked dims tabulate]. now rewrite <- app_assoc.
      + intros us i _ (u & U & Gu & Du & E). exists u. split; [exact U |]. split; [exact Gu |].
        split; [now rewrite Du, <- app_assoc |]. intros i' I. rewrite <- app_assoc in E. rewrite (E i' I).
        destruct (in_box_middle pre (to a) (map to l) i' I) as (p & z & q & -> & lp & P & Z0 & Q).
        assert (firstn (List.length (pre ++ [to a])) (p ++ z :: q) = p ++ [z] /\
                skipn (List.length (pre ++ [to a])) (p ++ z :: q) = q) as [-> ->].
        { rewrite app_length, <- lp. change (z :: q) with ([z] ++ q). rewrite app_assoc. cbn [List.length].
          replace (List.length p + 1) with (List.length (p ++ [z])) by (rewrite app_length; reflexivity).
          rewrite firstn_app, skipn_app, firstn_all, skipn_all, Nat.sub_diag. cbn [firstn skipn]. rewrite app_nil_r. now split. }
        rewrite <- lp, firstn_app, skipn_app, firstn_all, skipn_all, Nat.sub_diag. cbn [firstn skipn app mapped].
        rewrite app_nil_r, <- app_assoc. cbn [app]. set (r := mapped f l q).
        destruct (in_box (map from l) r) eqn:R; [now apply picked_at |].
        rewrite !at_outside; [reflexivity | |].
        * rewrite D, in_box_app by exact lp. rewrite P. cbn [map andb Kernel.in_box]. rewrite R. apply andb_false_r.
        * cbn [x1 picked AxisSteps.picked dims tabulate]. rewrite in_box_app by exact lp. rewrite P.
          cbn [andb Kernel.in_box]. rewrite R. apply andb_false_r.
  Qed.

  (** ** Dimensions cut, put in another order, and joined *)

  Lemma ordered_in_box perm ds i : permutes (List.length ds) perm = true -> in_box ds i = true ->
    in_box (ordered 0 perm ds) (ordered 0%Z perm i) = true.
  Proof.
    intros P I. apply permutes_iff in P. destruct P as (_ & _ & less). apply in_box_nth in I. destruct I as [len I].
    apply in_box_nth. unfold ordered. rewrite !map_length. split; [reflexivity |]. intros k lt.
    rewrite !(nth_map_lt _ _ _ 0) by exact lt. apply I. apply less, nth_In, lt.
  Qed.

  (** Where the places of three indices are the same two and two, the middle one in the other order. *)
  Lemma regrouped_runs vs from to perm last k (x : tensor) : knows vs k (GTensor x) -> good x -> dims x = from ->
    permutes (List.length to) perm = true -> cell_count to = cell_count from ->
    cell_count last = cell_count (ordered 0 perm to) ->
    gives vs (regrouped from to perm last k) (fun u => good u /\ dims u = last /\
      forall i j l, in_box from i = true -> in_box to l = true -> in_box last j = true -> position from i = position to l ->
        position last j = position (ordered 0 perm to) (ordered 0%Z perm l) -> at_ u j = at_ x i).
  Proof.
    intros K G D P C1 C2. unfold regrouped. eapply runs_bind; [apply (reshaped_runs S typed vs from to k x K D G C1) |].
    intros ws a _ A. cbv beta in A. set (u := Tensor to (cells x)) in *. eapply runs_bind.
    { eapply runs_apply; [constructor; [exact A | constructor] |]. apply (transpose_value S u perm P). }
    intros us t _ T. change (permuted (dims u) perm) with (ordered 0 perm to) in T.
    set (v := tabulate (ordered 0 perm to) _) in T.
    eapply runs_weaken; [apply (reshaped_runs S typed us (ordered 0 perm to) last t v T);
      [reflexivity | apply good_tabulate | exact C2] |].
    intros ys j _ J. cbv beta in J. eexists. split; [exact J |].
    split; [apply good_recast; [apply good_tabulate | exact C2] |]. split; [reflexivity |].
    intros i m l I L M E F. rewrite (at_recast S last v m (ordered 0%Z perm l) M (ordered_in_box perm to l P L) F).
    unfold v. rewrite at_tabulate by now apply ordered_in_box.
    assert (List.length l = List.length to) as len by now apply in_box_length. rewrite <- len in P.
    rewrite (unpermute_ordered perm l P). apply (at_recast S); [exact L | now rewrite D | now rewrite D].
  Qed.

  (** ** The weights along one dimension *)

  Lemma pad_at_zeros pre : forall post a z b, List.length a = List.length pre -> List.length b = List.length post -> forall n,
    pad_at PadConstant (pre ++ n :: post) (repeat 0%Z (List.length pre) ++ 0%Z :: repeat 0%Z (List.length post)) (a ++ z :: b) =
    a ++ z :: b.
  Proof.
    intros post a z b la lb n. rewrite <- (app_nil_l (repeat 0%Z (List.length pre) ++ _)).
    assert (forall ds i, List.length i = List.length ds -> pad_at PadConstant ds (repeat 0%Z (List.length ds)) i = i) as H.
    { induction ds as [| d ds IH]; intros [| y i] E; try discriminate; [reflexivity |].
      cbn [List.length repeat pad_at pad_place].
      rewrite IH by now injection E. f_equal. lia. }
    cbn [app]. specialize (H (pre ++ n :: post) (a ++ z :: b)). rewrite !app_length in H. cbn [List.length] in H.
    rewrite repeat_app in H. cbn [repeat] in H. apply H. lia.
  Qed.

  Lemma pad_dims_zeros pre n post (q : Z) : (0 <= q)%Z ->
    pad_dims PadConstant (pre ++ n :: post) (repeat 0%Z (List.length pre) ++ 0%Z :: repeat 0%Z (List.length post))
      (repeat 0%Z (List.length pre) ++ q :: repeat 0%Z (List.length post)) = Some (pre ++ n + Z.to_nat q :: post).
  Proof.
    intros q0. assert (forall m ds lo hi, pad_dims PadConstant (m :: ds) (0%Z :: lo) (0%Z :: hi) =
                         option_map (cons m) (pad_dims PadConstant ds lo hi)) as H.
    { intros m ds lo hi. cbn [pad_dims]. unfold guard. replace (Z.of_nat m + 0 + 0)%Z with (Z.of_nat m) by lia.
      rewrite Nat2Z.id, andb_true_r. now rewrite (proj2 (Z.leb_le 0 (Z.of_nat m))) by lia. }
    assert (forall ds, pad_dims PadConstant ds (repeat 0%Z (List.length ds)) (repeat 0%Z (List.length ds)) = Some ds) as W.
    { induction ds as [| d ds IH]; [reflexivity |]. cbn [List.length repeat]. now rewrite H, IH. }
    induction pre as [| d pre IH]; cbn [List.length repeat app].
    - cbn [pad_dims]. unfold guard. rewrite W, andb_true_r, (proj2 (Z.leb_le 0 _)) by lia. cbn [option_map]. do 2 f_equal. lia.
    - now rewrite H, IH.
  Qed.

  Lemma cell_weights_runs vs pre a post k (x : tensor) : knows vs k (GTensor x) -> good x ->
    dims x = pre ++ a_kernel a :: post -> (Z.of_nat (a_kernel a) + 1 < 2 ^ 63)%Z ->
    runs vs (cell_weights pre a post k)
      (fun ws j => knows ws j (GTensor (picked pre (stride_span a) post (weight_place a) x))).
  Proof.
    intros K G D big. unfold cell_weights. set (n := a_stride a * span a). fold (stride_span a).
    change (stride_span a) with n. set (kk := a_kernel a) in *.
    set (at_place := fun j => if in_kernel a (weight_place a (Z.of_nat j)) then weight_place a (Z.of_nat j) else Z.of_nat kk).
    assert (B : forall j, (0 <= at_place j <= Z.of_nat kk)%Z).
    { intros j. unfold at_place, in_kernel. fold kk. destruct (_ && _) eqn:E; [rewrite andb_true_iff in E |]; lia. }
    assert (V : forall p z q, List.length p = List.length pre -> (0 <= z < Z.of_nat n)%Z ->
              at_ x (p ++ at_place (Z.to_nat z) :: q) = at_ x (p ++ weight_place a z :: q)).
    { intros p z q lp Z0. unfold at_place. rewrite Z2Nat.id by lia. destruct (in_kernel a (weight_place a z)) eqn:E;
      [reflexivity |].
      assert (forall w, in_kernel a w = false -> at_ x (p ++ w :: q) = s_zero S) as O.
      { intros w W. apply at_outside. rewrite D, in_box_app by exact lp. cbn [Kernel.in_box]. unfold in_kernel in W.
        fold kk in W.
        rewrite W. now rewrite andb_false_r. }
      rewrite !O; [reflexivity | exact E |]. unfold in_kernel. fold kk. apply andb_false_iff. right. apply Z.ltb_ge. lia. }
    destruct (_ && _) eqn:E.
    - apply andb_true_iff in E. destruct E as [E F]. apply Nat.eqb_eq in E.
      replace (picked pre n post (weight_place a) x) with x; [now apply runs_return |].
      apply picked_is; [exact G | now rewrite D, E |]. intros p z q P Z0 _.
      rewrite <- V by (try exact Z0; now apply in_box_length).
      apply (proj1 (forallb_forall _ _)) with (x := Z.to_nat z) in F; [| apply in_seq; lia].
      apply Z.eqb_eq in F. change (at_place (Z.to_nat z) = Z.of_nat (Z.to_nat z)) in F.
      rewrite F. now rewrite Z2Nat.id by lia.
    - clear E. set (index := map _ (seq 0 n)). set (zero := existsb _ index). set (q := (if zero then 1 else 0)%Z).
      assert (q0 : (0 <= q)%Z) by (unfold q; destruct zero; lia).
      eapply runs_bind.
      { apply (padded_runs vs _ _ (pre ++ kk + Z.to_nat q :: post) k x K G). rewrite D. now apply pad_dims_zeros. }
      intros ws p _ P. cbv beta in P. set (u := tabulate _ _) in P.
      assert (L : List.length index = n) by (unfold index; now rewrite map_length, seq_length).
      assert (N : forall z, (0 <= z < Z.of_nat n)%Z -> nth (Z.to_nat z) index 0%Z = at_place (Z.to_nat z)).
      { intros z Z0. unfold index. rewrite (nth_map_lt _ _ _ 0) by (rewrite seq_length; lia). now rewrite seq_nth by lia. }
      assert (R : Forall (fun z => (0 <= z < Z.of_nat (kk + Z.to_nat q))%Z) index).
      { apply Forall_forall. intros z inz. assert (0 <= z <= Z.of_nat kk)%Z as [a0 a1].
        { pose proof inz as inz'. unfold index in inz'. apply in_map_iff in inz'. destruct inz' as (j & <- & _). exact (B j). }
        destruct (Z.eq_dec z (Z.of_nat kk)) as [-> | ne]; [| lia].
        assert (zero = true) as Zt by (apply existsb_exists; exists (Z.of_nat kk); split; [exact inz | apply Z.eqb_refl]).
        unfold q. rewrite Zt. lia. }
      eapply runs_weaken; [apply (taken_runs S typed index_typed ws pre (kk + Z.to_nat q) post index p u P) |].
      + reflexivity.
      + exact R.
      + unfold q. destruct zero; lia.
      + intros us j _ J. cbv beta in J. rewrite L in J. replace (picked pre n post (weight_place a) x) with
          (picked pre n post (fun z => nth (Z.to_nat z) index 0%Z) u); [exact J |].
        apply picked_is; [apply good_tabulate | reflexivity |]. intros b z c Ib Z0 Ic. rewrite picked_at by assumption.
        unfold u. rewrite at_tabulate.
        * rewrite D, pad_at_zeros by now apply in_box_length. rewrite N by exact Z0. apply V;
          [now apply in_box_length | exact Z0].
        * apply middle_in_box; [exact Ib | | exact Ic]. apply (proj1 (Forall_forall _ _) R), nth_In. lia.
  Qed.
End Steps.
