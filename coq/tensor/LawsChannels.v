(** * Two convolutions added: one, of the inputs next to each other *)

From Coq Require Import Bool List Lia Arith NArith ZArith Ring_theory Ring.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.Algebra tensor.Channel tensor.Factors tensor.Concat tensor.LawsMerge.
Import ListNotations.
Open Scope nat_scope.

(** The second part of a first dimension. *)
Definition later (a : nat) (k : list Z) : list Z := match k with z :: k' => (z + Z.of_nat a)%Z :: k' | [] => [] end.

Lemma box_sum a b ns : box (a + b :: ns) = box (a :: ns) ++ map (later a) (box (b :: ns)).
Proof.
  cbn [Kernel.box]. rewrite seq_app, flat_map_app. f_equal. cbn [Nat.add].
  assert (forall b s, flat_map (fun k => map (cons (Z.of_nat k)) (box ns)) (seq (a + s) b) =
    map (later a) (flat_map (fun k => map (cons (Z.of_nat k)) (box ns)) (seq s b))) as go.
  { clear b. induction b as [| b IH]; intros s; [reflexivity |]. cbn [seq flat_map]. rewrite map_app. f_equal.
    - rewrite map_map. apply map_ext. intros k. cbn [later]. f_equal. lia.
    - rewrite <- Nat.add_succ_r. apply IH. }
  rewrite <- (go b 0). now rewrite Nat.add_0_r.
Qed.

Section Ring.
  Variable S : arith.
  Variable laws : ring_laws S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).
  Local Infix "+" := (s_add S).

  Add Ring channel_numbers : (ring_is S laws).

  Lemma sum_parts a b ns f :
    s_sum S ((a + b)%nat :: ns) f = s_sum S (a :: ns) f + s_sum S (b :: ns) (fun k => f (later a k)).
  Proof.
    rewrite !(sum_is S laws). unfold reduce. rewrite box_sum, fold_left_app, fold_left_map.
    generalize (fold_left (fun acc k => acc + f k) (box (a :: ns)) (s_zero S)). generalize (box (b :: ns)).
    intros l s. assert (forall s t, fold_left (fun acc k => acc + f (later a k)) l (s + t) = s + fold_left (fun acc k => acc + f (later a k)) l t) as go.
    { induction l as [| k l IH]; intros s' t; [reflexivity |]. cbn [fold_left]. rewrite <- IH. f_equal. ring. }
    rewrite <- go. f_equal. ring.
  Qed.

  Section Channels.
    Variables (w : window) (x1 x2 f1 f2 X F : tensor) (n o c1 c2 : nat) (ns ks : list nat).
    Hypotheses (D1 : dims x1 = n :: c1 :: ns) (D2 : dims x2 = n :: c2 :: ns).
    Hypotheses (E1 : dims f1 = o :: c1 :: ks) (E2 : dims f2 = o :: c2 :: ks).
    Hypotheses (HX : concat S 1 x1 [x2] = Some X) (HF : concat S 1 f1 [f2] = Some F).

    Lemma channels_dims : dims X = n :: (c1 + c2)%nat :: ns /\ dims F = o :: (c1 + c2)%nat :: ks.
    Proof.
      destruct (concat_dims_of S 1 x1 [x2] X HX) as [-> _]; [rewrite D1; simpl; lia |].
      destruct (concat_dims_of S 1 f1 [f2] F HF) as [-> _]; [rewrite E1; simpl; lia |].
      unfold along. cbn [map list_sum fold_right]. rewrite D1, D2, E1, E2. cbn [nth set_nth fold_right]. now rewrite Nat.add_0_r.
    Qed.

    Lemma part_at (a b A : tensor) z i r m d1 d2 rest : concat S 1 a [b] = Some A -> dims a = m :: d1 :: rest -> dims b = m :: d2 :: rest ->
      (in_box (m :: d1 :: rest) (z :: i :: r) = true -> at_ A (z :: i :: r) = at_ a (z :: i :: r)) /\
      (in_box (m :: d2 :: rest) (z :: i :: r) = true -> at_ A (z :: (i + Z.of_nat d1)%Z :: r) = at_ b (z :: i :: r)).
    Proof.
      intros H Da Db. split; intros I.
      - pose proof (concat_at S 1 a [b] A 0 a (z :: i :: r) H eq_refl) as P. rewrite Da in P. specialize (P ltac:(simpl; lia) I).
        unfold start in P. cbn [firstn list_sum fold_right nth set_nth Z.of_nat] in P. now rewrite Z.add_0_r in P.
      - pose proof (concat_at S 1 a [b] A 1 b (z :: i :: r) H eq_refl) as P. rewrite Da, Db in P. specialize (P ltac:(simpl; lia) I).
        unfold start, along in P. cbn [map firstn list_sum fold_right nth set_nth] in P. rewrite Da, Nat.add_0_r in P. exact P.
    Qed.

    Lemma cells_sum m q y : (0 <= q < Z.of_nat o)%Z ->
      conv_cell S w 1 X F (m :: q :: y) = conv_cell S w 1 x1 f1 (m :: q :: y) + conv_cell S w 1 x2 f2 (m :: q :: y).
    Proof.
      intros Q. destruct channels_dims as [DX DF]. unfold conv_cell. rewrite DF, E1, E2. cbn [tl]. rewrite sum_parts.
      assert (forall x f c z k, dims f = o :: c :: ks -> conv_term S w 1 x f m q y (z :: k) =
        if in_box (dims x) (m :: z :: place w y k) then s_mul S (at_ x (m :: z :: place w y k)) (at_ f (q :: z :: k)) else s_zero S) as term.
      { intros x f c z k Df. unfold conv_term. rewrite Df. cbn [nth tl]. rewrite Nat.div_1_r, Z.div_small by exact Q. reflexivity. }
      f_equal; apply s_sum_ext; intros [| z k] I; try discriminate; apply in_box_cons in I; destruct I as [bz I]; cbn [later].
      - rewrite (term X F _ z k DF), (term x1 f1 _ z k E1), DX, D1.
        destruct (part_at x1 x2 X m z (place w y k) n c1 c2 ns HX D1 D2) as [Px _].
        destruct (part_at f1 f2 F q z k o c1 c2 ks HF E1 E2) as [Pf _].
        assert (in_box (n :: (c1 + c2)%nat :: ns) (m :: z :: place w y k) = in_box (n :: c1 :: ns) (m :: z :: place w y k)) as ->.
        { cbn [Kernel.in_box]. destruct (Z.ltb_spec z (Z.of_nat (c1 + c2)%nat)), (Z.ltb_spec z (Z.of_nat c1)); try lia; reflexivity. }
        destruct (in_box (n :: c1 :: ns) (m :: z :: place w y k)) eqn:B; [| reflexivity]. rewrite Px by exact eq_refl.
        rewrite Pf; [reflexivity |]. apply in_box_cons. split; [exact Q |]. apply in_box_cons. now split.
      - rewrite (term X F _ (z + Z.of_nat c1)%Z k DF), (term x2 f2 _ z k E2), DX, D2.
        destruct (part_at x1 x2 X m z (place w y k) n c1 c2 ns HX D1 D2) as [_ Px].
        destruct (part_at f1 f2 F q z k o c1 c2 ks HF E1 E2) as [_ Pf].
        assert (in_box (n :: (c1 + c2)%nat :: ns) (m :: (z + Z.of_nat c1)%Z :: place w y k) = in_box (n :: c2 :: ns) (m :: z :: place w y k)) as ->.
        { cbn [Kernel.in_box]. destruct (Z.leb_spec 0 (z + Z.of_nat c1)%Z), (Z.leb_spec 0 z); try lia.
          destruct (Z.ltb_spec (z + Z.of_nat c1)%Z (Z.of_nat (c1 + c2)%nat)), (Z.ltb_spec z (Z.of_nat c2)); try lia; reflexivity. }
        destruct (in_box (n :: c2 :: ns) (m :: z :: place w y k)) eqn:B; [| reflexivity]. rewrite Px by exact eq_refl.
        rewrite Pf; [reflexivity |]. apply in_box_cons. split; [exact Q |]. apply in_box_cons. now split.
    Qed.

    Theorem channels_add b1 b2 b u1 u2 v :
      conv S w 1 x1 f1 b1 = Some u1 -> conv S w 1 x2 f2 b2 = Some u2 -> map2 S (s_add S) u1 u2 = Some v ->
      match b with Some b => dims b = [o] | None => True end ->
      (forall i, in_box (dims u1) i = true -> bias S b i = bias S b1 i + bias S b2 i) ->
      conv S w 1 X F b = Some v.
    Proof.
      intros H1 H2 V Db B. apply (conv_iff S laws) in H1. apply (conv_iff S laws) in H2.
      destruct H1 as (o1 & O1 & _ & ->), H2 as (o2 & O2 & _ & ->). destruct channels_dims as [DX DF].
      unfold conv_dims in O1, O2. rewrite D1, E1 in O1. rewrite D2, E2 in O2. unfold guard in O1, O2.
      destruct (_ && _ && _ && _ && _ && _) eqn:C in O1; [| discriminate]. destruct (_ && _ && _ && _ && _ && _) in O2; [| discriminate].
      destruct (spatial_dims false w ks ns) as [l |] eqn:Sp; [| discriminate]. injection O1 as <-. injection O2 as <-.
      apply (conv_iff S laws). exists (n :: o :: l). split; [| split].
      - unfold conv_dims. rewrite DX, DF, Sp. unfold guard. rewrite !andb_true_iff in C. destruct C as (((((C1 & C2) & C3) & C4) & C5) & _).
        rewrite C1, C5, Nat.mod_1_r, Nat.div_1_r, !Nat.eqb_refl. reflexivity.
      - rewrite DF. cbn [nth]. exact Db.
      - rewrite map2_same in V by reflexivity. injection V as <-. cbn [dims tabulate] in *. apply tabulate_ext. intros i I.
        rewrite !at_tabulate by exact I. rewrite B by exact I. destruct i as [| m [| q y]]; try discriminate.
        { apply in_box_cons in I. destruct I as [_ I]. discriminate. }
        apply in_box_cons in I. destruct I as [_ I]. apply in_box_cons in I. destruct I as [Q _].
        rewrite cells_sum by exact Q. ring.
    Qed.
  End Channels.

  (** With the tensors that are made: the inputs, the kernels, and the biases, absent ones being 0. *)
  Theorem conv_channels w x1 x2 f1 f2 b1 b2 u1 u2 v n o c1 c2 ns ks :
    dims x1 = n :: c1 :: ns -> dims x2 = n :: c2 :: ns -> dims f1 = o :: c1 :: ks -> dims f2 = o :: c2 :: ks ->
    conv S w 1 x1 f1 b1 = Some u1 -> conv S w 1 x2 f2 b2 = Some u2 -> map2 S (s_add S) u1 u2 = Some v ->
    exists X F, concat S 1 x1 [x2] = Some X /\ good X /\ concat S 1 f1 [f2] = Some F /\ good F /\
      skipn 2 (dims F) = ks /\ List.length (dims X) = List.length (dims x1) /\
      (b1 = None -> b2 = None -> conv S w 1 X F None = Some v) /\
      (b1 <> None \/ b2 <> None -> exists b, map2 S (s_add S) (bias_or_zero S b1) (bias_or_zero S b2) = Some b /\
        conv S w 1 X F (Some b) = Some v).
  Proof.
    intros D1 D2 E1 E2 H1 H2 V.
    destruct (concat_some S 1 x1 [x2]) as (X & HX & GX & _); [rewrite D1; simpl; lia | intros y [<- | []]; exists c2; now rewrite D1, D2 |].
    destruct (concat_some S 1 f1 [f2]) as (F & HF & GF & _); [rewrite E1; simpl; lia | intros y [<- | []]; exists c2; now rewrite E1, E2 |].
    destruct (channels_dims x1 x2 f1 f2 X F n o c1 c2 ns ks D1 D2 E1 E2 HX HF) as [DX DF].
    exists X, F. repeat (split; [first [assumption | now rewrite DF | now rewrite DX, D1] |]). split.
    - intros -> ->. apply (channels_add w x1 x2 f1 f2 X F n o c1 c2 ns ks D1 D2 E1 E2 HX HF None None None u1 u2 v H1 H2 V Logic.I).
      intros i _. cbn. ring.
    - intros some. pose proof (conv_bias S laws w 1 x1 f1 b1 u1 H1) as B1. pose proof (conv_bias S laws w 1 x2 f2 b2 u2 H2) as B2.
      rewrite E1 in B1. rewrite E2 in B2. cbn [nth] in B1, B2.
      destruct (bias_sum S b1 b2 o B1 B2 some) as (b & Eb & Db & B). exists b. split; [exact Eb |].
      apply (channels_add w x1 x2 f1 f2 X F n o c1 c2 ns ks D1 D2 E1 E2 HX HF b1 b2 (Some b) u1 u2 v H1 H2 V Db).
      intros i I. apply B. pose proof (conv_out_channel S laws w 1 x1 f1 b1 u1 i H1 I) as Q. now rewrite E1 in Q.
  Qed.
End Ring.
