(** * Kernels of padding by edge and mirror, of tables and of gathering *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpIndex tensor.OpIndexProof tensor.OpKernel.
From Calque Require Import tensor.OpEval tensor.OpMapProof tensor.OpSumProof tensor.OpMoveProof.
From Calque Require Import tensor.IndexProof.
Import ListNotations.
Open Scope nat_scope.

Lemma in_box_join d e j k : in_box d j = true -> in_box e k = true -> in_box (d ++ e) (j ++ k) = true.
Proof. intros J H. rewrite in_box_app by now apply in_box_length. now rewrite J, H. Qed.

(** Halving a list of at least two. *)
Lemma half_bounds {B} (a b : B) l : 0 < Nat.div2 (length (a :: b :: l)) < length (a :: b :: l).
Proof. cbn [length Nat.div2]. pose proof (Nat.div2_decr (length l) (length l)). lia. Qed.

Section Pad.
  Variable A : arith.
  Notation K := (kernel_scalars A).
  Notation num := (num A).
  Notation tensor := (tensor num).
  Notation ex := (Kernel.ex K).

  (** ** Padding, a statement for each dimension that grows *)

  Definition repeats (mode : pad_mode) (reflect : bool) : Prop :=
    match mode with PadConstant => False | PadEdge => reflect = false | PadReflect => reflect = true end.

  (** What the type rule says of one dimension. *)
  Definition pad_ok (mode : pad_mode) (n : nat) (p q : Z) : Prop :=
    (0 <= p)%Z /\ (0 <= q)%Z /\
    match mode with
    | PadReflect => (p = 0 \/ p < Z.of_nat n)%Z /\ (q = 0 \/ q < Z.of_nat n)%Z
    | _ => 0 < n \/ (Z.of_nat n + p + q = 0)%Z
    end.

  Lemma pad_place_range mode reflect n p q z : repeats mode reflect -> pad_ok mode n p q ->
    (0 <= z < Z.of_nat n + p + q)%Z -> (0 <= pad_place mode n p z < Z.of_nat n)%Z.
  Proof.
    unfold repeats, pad_ok, pad_place. intros R (P & Q & N) b.
    destruct mode; try contradiction; destruct (Z.ltb_spec z p); try destruct (Z.ltb_spec z (p + Z.of_nat n)); lia.
  Qed.

  Lemma pad_place_still mode reflect n z : repeats mode reflect -> (0 <= z < Z.of_nat n)%Z -> pad_place mode n 0 z = z.
  Proof.
    unfold repeats, pad_place. intros R b.
    destruct mode; try contradiction; destruct (Z.ltb_spec z 0); try destruct (Z.ltb_spec z (0 + Z.of_nat n)); lia.
  Qed.

  Lemma eval_pad_one (st : Kernel.store K) mode reflect t n p q pre post i1 z i2 (V : list Z -> num) next :
    repeats mode reflect -> pad_ok mode n p q ->
    next = pre ++ (n + Z.to_nat (p + q)) :: post ->
    in_box pre i1 = true -> (0 <= z < Z.of_nat n + p + q)%Z -> in_box post i2 = true ->
    (forall i, in_box (pre ++ n :: post) i = true -> st t i = V i) ->
    eval st (i1 ++ z :: i2) (pad_one A t next (length pre) n p q reflect) =
    V (i1 ++ pad_place mode n p z :: i2).
  Proof.
    intros R P -> I1 b I2 src. pose proof P as (Pp & Pq & Pn).
    set (i := i1 ++ z :: i2). set (vs := numbered 0 (pre ++ (n + Z.to_nat (p + q)) :: post)).
    assert (length i1 = length pre) as L1 by now apply in_box_length.
    assert (all_see i vs i) as V0.
    { apply all_see_vars. apply in_box_join; [exact I1 |]. apply in_box_cons. split; [lia | exact I2]. }
    assert (sees i (nth_ix vs (length pre)) z) as Vz.
    { replace z with (nth (length pre) i 0%Z); [now apply all_see_nth |]. unfold i. rewrite <- L1. apply nth_middle. }
    assert (forall a x, sees i a x -> (0 <= x < Z.of_nat n)%Z ->
              eval st i (load A t (set_nth (length pre) a vs)) = V (i1 ++ x :: i2)) as at_x.
    { intros a x S r. rewrite (eval_load A st i t _ (i1 ++ x :: i2)).
      - apply src. apply in_box_join; [exact I1 |]. now apply in_box_cons.
      - replace (i1 ++ x :: i2) with (set_nth (length pre) x i); [now apply all_see_set |].
        unfold i. rewrite <- L1. apply set_nth_app. }
    assert (forall k, sees i (ix_plus (ix_mul (nth_ix vs (length pre)) (-1)) k) (k - z)%Z) as turned.
    { intros k. replace (k - z)%Z with (z * -1 + k)%Z by lia. apply sees_plus. now apply sees_mul. }
    pose proof (pad_place_range mode reflect n p q z R P b) as r.
    assert ((p <= z < p + Z.of_nat n)%Z ->
            eval st i (load A t (set_nth (length pre) (if n =? 1 then ix_const 0 else ix_plus (nth_ix vs (length pre)) (- p)) vs)) =
            V (i1 ++ (z - p)%Z :: i2)) as inside.
    { intros bz. apply at_x; [| lia]. destruct (Nat.eqb_spec n 1) as [-> | _].
      - replace (z - p)%Z with 0%Z by lia. apply sees_const.
      - apply (sees_plus i _ (- p) z Vz). }
    unfold pad_one. fold vs. cbv zeta. unfold pad_place in r |- *.
    destruct (Z.ltb_spec 0 p), (Z.ltb_spec 0 q); cbn [eval eval_cond eval_cmp eval_ix]; rewrite ?(eval_sees _ _ _ Vz);
      unfold repeats in R; destruct mode, reflect; try contradiction; try discriminate;
      repeat (match goal with |- context [Z.ltb ?a ?b] => destruct (Z.ltb_spec a b) end);
      try lia; try (rewrite inside by lia; reflexivity);
      try (apply at_x; [first [apply sees_const | apply turned |
             match goal with |- sees _ (ix_plus _ ?k) ?x => replace x with (k - z)%Z by lia; apply turned end] | lia]).
  Qed.

  Lemma pad_from_still reflect ps : existsb grows ps = false -> forall dim part now,
    pad_from A reflect dim part now ps = [].
  Proof.
    induction ps as [| [p q] ps IH]; intros E dim part now; [reflexivity |]. cbn [existsb] in E.
    apply orb_false_iff in E. destruct E as [g E]. cbn [pad_from]. rewrite g. now apply IH.
  Qed.

  Lemma grows_false p q : grows (p, q) = false -> p = 0%Z /\ q = 0%Z.
  Proof. unfold grows. cbn [fst snd]. rewrite orb_false_iff, !negb_false_iff, !Z.eqb_eq. tauto. Qed.

  (** The type rule, dimension by dimension. *)
  Lemma pad_dims_cons mode reflect n ds p lo q hi out : repeats mode reflect ->
    pad_dims mode (n :: ds) (p :: lo) (q :: hi) = Some out ->
    exists out', out = (n + Z.to_nat (p + q)) :: out' /\ pad_dims mode ds lo hi = Some out' /\ pad_ok mode n p q.
  Proof.
    intros R E. cbn [pad_dims] in E. unfold guard in E.
    destruct ((0 <=? Z.of_nat n + p + q)%Z && _) eqn:G; [| discriminate].
    destruct (pad_dims mode ds lo hi) as [d |]; [| discriminate]. injection E as <-. exists d.
    apply andb_true_iff in G. destruct G as [_ G].
    assert (pad_ok mode n p q) as ok.
    { unfold pad_ok. destruct mode; try contradiction;
        rewrite !andb_true_iff, ?orb_true_iff, ?Z.leb_le, ?Z.eqb_eq, ?Z.ltb_lt, ?Nat.ltb_lt in G; lia. }
    split; [| split; [reflexivity | exact ok]]. f_equal. destruct ok as (P & Q & _). lia.
  Qed.

  Lemma pad_still mode reflect ds : repeats mode reflect -> forall lo hi out, pad_dims mode ds lo hi = Some out ->
    existsb grows (combine lo hi) = false ->
    out = ds /\ forall i, in_box ds i = true -> pad_at mode ds lo i = i.
  Proof.
    intros R. induction ds as [| n ds IH]; intros [| p lo] [| q hi] out E g; try discriminate.
    - injection E as <-. split; [reflexivity |]. intros [| z i] I; [reflexivity | discriminate].
    - apply (pad_dims_cons _ reflect) in E; [| exact R]. destruct E as (out' & -> & E & ok).
      cbn [combine existsb] in g. apply orb_false_iff in g. destruct g as [g gs].
      apply grows_false in g. destruct g as [-> ->].
      destruct (IH lo hi out' E gs) as [-> same]. split; [f_equal; lia |].
      intros [| z i] I; [discriminate |]. apply in_box_cons in I. destruct I as [b I]. cbn [pad_at].
      rewrite (pad_place_still mode reflect) by auto. now rewrite same.
  Qed.

  Definition source (part : nat) : tid := match part with O => tX 0 | S p => tT p end.

  Lemma pad_from_gives mode reflect ds : repeats mode reflect ->
    forall lo hi out, pad_dims mode ds lo hi = Some out -> existsb grows (combine lo hi) = true ->
    forall (st : Kernel.store K) part pre (V : list Z -> num) i1 i2,
    (forall i, in_box (pre ++ ds) i = true -> st (source part) i = V i) ->
    in_box pre i1 = true -> in_box out i2 = true ->
    exec_prog (pad_from A reflect (length pre) part (pre ++ ds) (combine lo hi)) st (tY 0) (i1 ++ i2) =
    V (i1 ++ pad_at mode ds lo i2).
  Proof.
    intros R. induction ds as [| n ds IH]; intros [| p lo] [| q hi] out E g st part pre V i1 i2 src I1 I2; try discriminate.
    apply (pad_dims_cons _ reflect) in E; [| exact R]. destruct E as (out' & -> & E & ok).
    destruct i2 as [| z i2]; [discriminate |]. apply in_box_cons in I2. destruct I2 as [b I2].
    pose proof ok as (Pp & Pq & _).
    assert ((0 <= z < Z.of_nat n + p + q)%Z) as bz by lia.
    cbn [combine pad_from pad_at]. destruct (grows (p, q)) eqn:gr.
    - assert (nth (length pre) (pre ++ n :: ds) 0 = n) as -> by apply nth_middle.
      rewrite set_nth_app. set (next := pre ++ (n + Z.to_nat (p + q)) :: ds).
      rewrite exec_cons. set (s := stored A _ next _).
      assert (forall i, in_box next i = true -> exists j1 y j2, i = j1 ++ y :: j2 /\ in_box pre j1 = true /\
                (0 <= y < Z.of_nat n + p + q)%Z /\ in_box ds j2 = true) as parts.
      { intros i I. apply in_box_split in I. destruct I as (j1 & [| y j2] & -> & J1 & J2); [discriminate |].
        apply in_box_cons in J2. destruct J2 as [by_ J2]. exists j1, y, j2. repeat split; auto; lia. }
      set (V' := fun i => V (set_nth (length pre) (pad_place mode n p (nth (length pre) i 0%Z)) i)).
      assert (forall j1 y j2, in_box pre j1 = true -> V' (j1 ++ y :: j2) = V (j1 ++ pad_place mode n p y :: j2)) as V'E.
      { intros j1 y j2 J1. unfold V'. rewrite <- (in_box_length _ _ J1). now rewrite nth_middle, set_nth_app. }
      assert (forall i, in_box next i = true -> exec s st (out s) i = V' i) as own.
      { intros i I. unfold s at 2. cbn [Kernel.out stored]. unfold s. rewrite exec_own by exact I.
        destruct (parts i I) as (j1 & y & j2 & -> & J1 & by_ & J2). rewrite V'E by exact J1.
        apply (eval_pad_one st mode reflect (source part) n p q pre ds j1 y j2 V); auto. }
      destruct (existsb grows (combine lo hi)) eqn:more.
      + replace next with ((pre ++ [n + Z.to_nat (p + q)]) ++ ds) by (unfold next; now rewrite <- app_assoc).
        replace (S (length pre)) with (length (pre ++ [n + Z.to_nat (p + q)])) by (rewrite app_length; simpl; lia).
        replace (i1 ++ z :: i2) with ((i1 ++ [z]) ++ i2) by now rewrite <- app_assoc.
        rewrite (IH lo hi out' E more (exec s st) (S part) _ V').
        * rewrite <- app_assoc. cbn [app]. now apply V'E.
        * intros i I. rewrite <- app_assoc in I. exact (own i I).
        * apply in_box_join; [exact I1 |]. apply in_box_cons. split; [lia | reflexivity].
        * exact I2.
      + rewrite (pad_from_still _ _ more). cbn [exec_prog fold_left].
        destruct (pad_still mode reflect ds R lo hi out' E more) as [-> still].
        rewrite still by exact I2. rewrite <- V'E by exact I1. apply (own (i1 ++ z :: i2)).
        apply in_box_join; [exact I1 |]. apply in_box_cons. split; [lia | exact I2].
    - cbn [combine existsb] in g. rewrite gr in g. cbn [orb] in g. apply grows_false in gr. destruct gr as [-> ->].
      replace (pre ++ n :: ds) with ((pre ++ [n]) ++ ds) in * by now rewrite <- app_assoc.
      replace (S (length pre)) with (length (pre ++ [n])) by (rewrite app_length; simpl; lia).
      replace (i1 ++ z :: i2) with ((i1 ++ [z]) ++ i2) by now rewrite <- app_assoc.
      rewrite (IH lo hi out' E g st part (pre ++ [n]) V); auto.
      + rewrite <- app_assoc. cbn [app]. rewrite (pad_place_still mode reflect n z R) by lia. reflexivity.
      + apply in_box_join; [exact I1 |]. apply in_box_cons. split; [lia | reflexivity].
  Qed.

  Theorem k_pad_gives st mode value lo hi x t p :
    pad A mode value lo hi x = Some t -> k_pad A (map dims [x]) (dims t) mode value lo hi = Some p ->
    holds A st [x] -> gives A p st 0 t.
  Proof.
    intros M P H. pose proof M as M'. destruct (table_some A _ _ _ M') as (ds & E & T).
    assert (dims t = ds) as Dt by now rewrite T.
    assert (mode <> PadConstant -> exists reflect, repeats mode reflect /\
              k_pad A (map dims [x]) (dims t) mode value lo hi =
              if existsb grows (combine lo hi) then Some (pad_from A reflect 0 0 (dims x) (combine lo hi))
              else k_map A (map dims [x]) (dims t) (fun e => e)) as other.
    { intros N. destruct mode; [contradiction | exists false | exists true]; split; reflexivity. }
    destruct (match mode with PadConstant => true | _ => false end) eqn:C.
    - destruct mode; try discriminate. now apply (k_pad_constant_gives A st value lo hi x t p).
    - destruct other as (reflect & R & Ek); [intros ->; discriminate |]. rewrite Ek in P.
      destruct (existsb grows (combine lo hi)) eqn:g.
      + apply some_inj in P. subst p. intros i I. rewrite Dt in I.
        transitivity (at_ A x (pad_at mode (dims x) lo i)).
        * apply (pad_from_gives mode reflect (dims x) R lo hi ds E g st 0 [] (at_ A x) [] i); auto.
          intros j _. now apply H.
        * rewrite T. unfold at_ at 2. rewrite get_tabulate by exact I. now destruct mode.
      + destruct (pad_still mode reflect (dims x) R lo hi ds E g) as [-> still].
        apply (stores_gives A st _ _ _ _ _ M P). intros i I. rewrite Dt in *.
        rewrite (eval_spread A st [x] _ 0 x) by auto. unfold spread_at. rewrite spread_same by exact I.
        rewrite still by exact I. now destruct mode.
  Qed.

  (** ** Tables *)

  Section OneStore.
  Variable st : Kernel.store K.

  Lemma eval_numbers i v z : eval_ix i v = z -> forall fuel lo zs, length zs <= fuel ->
    (Z.of_nat lo <= z < Z.of_nat (lo + length zs))%Z ->
    eval st i (numbers_at A fuel v lo zs) = s_int A (nth (Z.to_nat z - lo) zs 0%Z).
  Proof.
    intros Ev. induction fuel as [| fuel IH]; intros lo zs len b; [destruct zs; simpl in *; lia |].
    destruct zs as [| y zs]; [simpl in b; lia |]. cbn [numbers_at].
    destruct (forallb (Z.eqb y) zs) eqn:same.
    - assert (nth (Z.to_nat z - lo) (y :: zs) 0%Z = y) as ->; [| reflexivity].
      assert (Z.to_nat z - lo < length (y :: zs)) as lt by lia. revert lt.
      generalize (Z.to_nat z - lo). intros [| k] lt; [reflexivity |]. cbn [nth].
      rewrite forallb_forall in same. symmetry. apply Z.eqb_eq, same, nth_In. simpl in lt. lia.
    - destruct zs as [| y' zs]; [discriminate |]. set (l := y :: y' :: zs) in *.
      set (h := Nat.div2 (length l)). pose proof (half_bounds y y' zs) as hb. fold l in hb. fold h in hb.
      assert (length (firstn h l) = h) as Lf by (rewrite firstn_length; lia).
      assert (length (skipn h l) = length l - h) as Ls by apply skipn_length.
      cbn [eval eval_cond eval_cmp eval_ix]. rewrite Ev.
      destruct (Z.ltb_spec z (Z.of_nat (lo + h))).
      + rewrite IH; [| rewrite Lf; lia | rewrite Lf; lia]. now rewrite nth_firstn by lia.
      + rewrite IH; [| rewrite Ls; lia | rewrite Ls; lia]. rewrite nth_skipn. do 2 f_equal. lia.
  Qed.

  Theorem k_shape_gives start stop x p :
    k_shape A (map dims [x]) (dims (shape_tensor A start stop x)) start stop = Some p ->
    gives A p st 0 (shape_tensor A start stop x).
  Proof.
    unfold k_shape, shape_tensor. change (in_ (map dims [x]) 0) with (dims x).
    destruct (shape_bounds start stop (length (dims x))) as [a b].
    set (l := firstn (b - a) (skipn a (dims x))). cbn [dims]. intros P. apply some_inj in P. subst p.
    intros i I. cbn [dims] in I. rewrite exec_cons. cbn [exec_prog fold_left]. rewrite exec_own by exact I.
    destruct i as [| z [| y i]]; try discriminate; [| apply in_box_cons in I; destruct I; discriminate].
    pose proof (all_see_nth _ _ _ 0 (all_see_vars _ _ I)) as V. cbn [nth] in V. pose proof I as I'.
    apply in_box_cons in I'. destruct I' as [bz _].
    rewrite (eval_numbers [z] _ z (eval_sees _ _ _ V)); [| reflexivity | rewrite map_length; simpl; lia].
    unfold at_, get. cbn [dims cells]. rewrite I. cbn [position cell_count fold_right].
    rewrite Nat.sub_0_r, Nat.mul_1_r, Nat.add_0_r.
    rewrite (nth_indep _ (s_zero A) (s_int A (Z.of_nat 0))) by (rewrite map_length; lia).
    rewrite (map_nth (fun n => s_int A (Z.of_nat n)) l 0).
    change 0%Z with (Z.of_nat 0). now rewrite map_nth.
  Qed.

  (** ** Gathering *)

  Lemma affine_nth step zs : forall z, affine step z zs = true -> forall k, k <= length zs ->
    nth k (z :: zs) 0%Z = (z + Z.of_nat k * step)%Z.
  Proof.
    induction zs as [| y zs IH]; intros z E k le.
    - destruct k; [simpl; lia | simpl in le; lia].
    - cbn [affine] in E. apply andb_true_iff in E. destruct E as [s E]. apply Z.eqb_eq in s.
      destruct k as [| k]; [simpl; lia |]. change (nth (S k) (z :: y :: zs) 0%Z) with (nth k (y :: zs) 0%Z).
      rewrite (IH y E k) by (simpl in le; lia). lia.
  Qed.

  Lemma eval_gather x ts i f (g : Z -> list Z) position pz :
    holds A st ts -> nth_error ts 0 = Some x -> sees i position pz ->
    (forall a z, sees i a z -> all_see i (f a) (g z)) ->
    forall fuel lo zs, length zs <= fuel -> (Z.of_nat lo <= pz < Z.of_nat (lo + length zs))%Z ->
    eval st i (gather_at A fuel f position lo zs) = at_ A x (g (nth (Z.to_nat pz - lo) zs 0%Z)).
  Proof.
    intros H at_0 S F. induction fuel as [| fuel IH]; intros lo zs len b; [destruct zs; simpl in *; lia |].
    destruct zs as [| y zs]; [simpl in b; lia |]. cbn [gather_at].
    set (step := match zs with [] => 0%Z | y' :: _ => (y' - y)%Z end).
    destruct (affine step y zs && ((step =? 0)%Z || (2 <? length (y :: zs)))) eqn:run.
    - apply andb_true_iff in run. destruct run as [aff _].
      apply (load_input A st ts 0 x); auto. apply F.
      rewrite (affine_nth step zs y aff) by (simpl in b; lia).
      replace (y + Z.of_nat (Z.to_nat pz - lo) * step)%Z with (pz * step + (y - Z.of_nat lo * step))%Z.
      + apply sees_plus. now apply sees_mul.
      + replace (Z.of_nat (Z.to_nat pz - lo)) with (pz - Z.of_nat lo)%Z by lia. lia.
    - destruct zs as [| y' zs]; [discriminate |]. set (l := y :: y' :: zs) in *.
      set (h := Nat.div2 (length l)). pose proof (half_bounds y y' zs) as hb. fold l in hb. fold h in hb.
      assert (length (firstn h l) = h) as Lf by (rewrite firstn_length; lia).
      assert (length (skipn h l) = length l - h) as Ls by apply skipn_length.
      cbn [eval eval_cond eval_cmp eval_ix]. rewrite (eval_sees _ _ _ S).
      destruct (Z.ltb_spec pz (Z.of_nat (lo + h))).
      + rewrite IH; [| rewrite Lf; lia | rewrite Lf; lia]. now rewrite nth_firstn by lia.
      + rewrite IH; [| rewrite Ls; lia | rewrite Ls; lia]. rewrite nth_skipn. do 2 f_equal. f_equal. lia.
  Qed.

  Lemma traverse_nth {B C} (f : B -> option C) l m k d e : traverse f l = Some m -> k < length l ->
    f (nth k l d) = Some (nth k m e).
  Proof.
    revert m k. induction l as [| a l IH]; intros m k E lt; [simpl in lt; lia |]. cbn [traverse] in E.
    destruct (f a) as [b |] eqn:Fa; [| discriminate]. destruct (traverse f l) as [m' |]; [| discriminate].
    injection E as <-. destruct k as [| k]; [exact Fa |]. cbn [nth]. apply IH; [reflexivity | simpl in lt; lia].
  Qed.

  Lemma traverse_len {B C} (f : B -> option C) l m : traverse f l = Some m -> length m = length l.
  Proof.
    revert m. induction l as [| a l IH]; intros m E; cbn [traverse] in E; [now injection E as <- |].
    destruct (f a); [| discriminate]. destruct (traverse f l); [| discriminate]. injection E as <-. simpl. now rewrite IH.
  Qed.

  Theorem k_gather_gives axis x ix index t p :
    axis < length (dims x) -> good ix -> traverse (s_index A) (cells ix) = Some index ->
    gather A axis x ix = Some t -> k_gather A (map dims [x; ix]) (dims t) axis index = Some p ->
    holds A st [x; ix] -> gives A p st 0 t.
  Proof.
    intros ax G Ei M P H. unfold gather in M. unfold guard in M at 1.
    destruct (forallb _ (box (dims ix))); [| discriminate].
    destruct (table_some A _ _ _ M) as (ds & E & T). injection E as <-.
    assert (dims t = gather_dims axis (dims x) (dims ix)) as Dt by now rewrite T.
    unfold k_gather in P. change (in_ (map dims [x; ix]) 0) with (dims x) in P.
    change (in_ (map dims [x; ix]) 1) with (dims ix) in P.
    set (size := Z.of_nat (nth axis (dims x) 0)) in *.
    destruct ((gather_most <? length index) || _) eqn:ok in P; [discriminate |].
    apply orb_false_iff in ok. destruct ok as [_ ok]. apply negb_false_iff in ok. rewrite forallb_forall in ok.
    apply (stores_gives A st _ _ _ _ _ M P). intros i I. set (r := length (dims ix)) in *.
    set (j := firstn r (skipn axis i)).
    assert (in_box (dims ix) j = true) as J.
    { rewrite Dt in I. unfold gather_dims in I. apply in_box_split in I. destruct I as (i1 & i2 & Ei12 & I1 & I2).
      apply in_box_split in I2. destruct I2 as (i3 & i4 & E34 & I3 & _). subst i2.
      apply in_box_length in I1 as L1. apply in_box_length in I3 as L3.
      rewrite firstn_length_le in L1 by lia. unfold j. rewrite Ei12, skipn_app, L1, Nat.sub_diag.
      rewrite skipn_all2 by lia. cbn [app skipn]. rewrite firstn_app. unfold r. rewrite <- L3, Nat.sub_diag.
      rewrite firstn_all. cbn [firstn]. now rewrite app_nil_r. }
    pose proof (all_see_vars _ _ I) as V.
    set (pos := position (dims ix) j).
    assert (pos < length (cells ix)) as lt by (rewrite G; now apply position_lt).
    assert (length index = length (cells ix)) as Li by now apply traverse_len in Ei.
    rewrite (eval_gather x [x; ix] i _ (fun z => firstn axis i ++ z :: skipn (axis + r) i) _ (Z.of_nat pos) H eq_refl).
    - rewrite Nat2Z.id, Nat.sub_0_r. fold j.
      assert (at_ A ix j = nth pos (cells ix) (s_zero A)) as Ea by (unfold at_, get; now rewrite J).
      unfold Ops.index_of. rewrite Ea, (traverse_nth _ _ _ pos (s_zero A) 0%Z Ei lt).
      set (z := nth pos index 0%Z).
      assert ((- size <= z < size)%Z) as bz.
      { specialize (ok z). rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in ok. apply ok. apply nth_In. lia. }
      set (norm := fun z => if (z <? 0)%Z then (z + size)%Z else z).
      assert (nth pos (map norm index) 0%Z = norm z) as ->.
      { rewrite (nth_indep _ 0%Z (norm 0%Z)) by (rewrite map_length; lia). now rewrite map_nth. }
      unfold guard. fold size. change (if (z <? 0)%Z then (z + size)%Z else z) with (norm z).
      assert (((0 <=? norm z)%Z && (norm z <? size)%Z) = true) as ->; [| reflexivity].
      unfold norm. rewrite andb_true_iff, Z.leb_le, Z.ltb_lt. destruct (Z.ltb_spec z 0); lia.
    - apply sees_row_major; [apply all_see_firstn, all_see_skipn; exact V | | exact J].
      transitivity (length j); [| now rewrite (in_box_length _ _ J)].
      exact (all_see_length _ _ _ (all_see_firstn _ _ _ r (all_see_skipn _ _ _ axis V))).
    - intros a z S. apply all_see_app; [now apply all_see_firstn |]. apply Forall2_cons; [exact S |].
      now apply all_see_skipn.
    - rewrite map_length. lia.
    - rewrite map_length. lia.
  Qed.
  End OneStore.
End Pad.
