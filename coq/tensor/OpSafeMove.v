(** * Kernels of operators read inside of their tensors: elements moved *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.Wf kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpIndex tensor.OpIndexProof tensor.OpKernel tensor.OpEval tensor.OpMapProof.
From Calque Require Import tensor.OpSumProof tensor.OpMoveProof tensor.OpPadProof tensor.OpReshapeProof.
From Calque Require Import tensor.OpSafe tensor.OpSafeSum.
From Calque Require Import tensor.IndexProof.
Import ListNotations.
Open Scope nat_scope.

(** ** Indices inside *)

Lemma slice_inside ns : forall starts steps ms i, slices_fit ns starts steps ms = true -> in_box ms i = true ->
  in_box ns (slice_at starts steps i) = true.
Proof.
  induction ns as [| n ns IH]; intros [| a starts] [| s steps] [| m ms] i F I; try discriminate.
  - destruct i; [reflexivity | discriminate].
  - destruct i as [| k i]; [discriminate |]. apply in_box_cons in I. destruct I as [b I].
    cbn [slices_fit] in F. apply andb_true_iff in F. destruct F as [F Fs]. cbn [slice_at]. apply in_box_cons.
    split; [| now apply (IH starts steps ms)].
    unfold slice_fits in F.
    rewrite !andb_true_iff, orb_true_iff, !andb_true_iff, !Z.ltb_lt, !Z.leb_le, Nat.eqb_eq in F.
    destruct F as [[_ a0] [m0 | [[an l0] ln]]]; [lia |].
    assert (0 <= k <= Z.of_nat m - 1)%Z as bk by lia. destruct (Z.le_ge_cases 0 s); nia.
Qed.

Section Safe.
  Variable A : arith.
  Notation K := (kernel_scalars A).
  Notation num := (num A).
  Notation tensor := (tensor num).
  Notation ex := (Kernel.ex K).
  Variable shapes : tid -> sizes.
  Notation safe := (Wf.safe (S := K) shapes).
  Notation all_safe := (all_safe A shapes).
  Notation sized := (sized A shapes).

  Theorem k_transpose_safe perm x out p : transpose_dims perm (dims x) = Some out ->
    k_transpose A out perm = Some p -> sized [x] -> all_safe p.
  Proof.
    intros E P S. unfold transpose_dims, guard in E. destruct (permutes (length (dims x)) perm) eqn:Pm; [| discriminate].
    injection E as <-. apply (all_safe_stores A shapes _ _ _ P). intros i I.
    apply (safe_input A shapes [x] 0 x i _ (unpermute perm i) S eq_refl).
    - unfold unpermute. apply all_see_map. intros q _. apply all_see_nth. now apply all_see_vars.
    - now apply (unpermute_in_box _ _ _ _ Pm).
  Qed.

  Theorem k_slice_safe starts steps sizes x out p : slice_dims starts steps sizes (dims x) = Some out ->
    k_slice A (map dims [x]) out starts steps = Some p -> sized [x] -> all_safe p.
  Proof.
    intros E P S. unfold slice_dims, guard in E. destruct (slices_fit _ _ _ _) eqn:F; [| discriminate]. injection E as <-.
    apply (all_safe_stores A shapes _ _ _ P). intros i I.
    apply (safe_input A shapes [x] 0 x i _ (slice_at starts steps i) S eq_refl).
    - apply all_see_slices; auto. now apply all_see_vars.
    - now apply (slice_inside _ _ _ sizes).
  Qed.

  (** ** Concatenation *)

  Lemma choose_safe outd i axis : in_box outd i = true -> forall fuel ps s e, length ps <= fuel -> chain s ps e ->
    (Z.of_nat s <= nth axis i 0 < Z.of_nat e)%Z ->
    (forall p, In p ps -> (Z.of_nat (run_start p) <= nth axis i 0 < Z.of_nat (run_start p + run_size p))%Z ->
       safe i (run_load A outd axis p)) ->
    safe i (choose A outd fuel axis ps).
  Proof.
    intros I. set (z := nth axis i 0%Z).
    assert (eval_ix i (ix_of (nth_ix (vars outd) axis)) = z) as Ez
      by (apply eval_sees, all_see_nth, all_see_vars, I).
    induction fuel as [| fuel IH]; intros ps s e len C b H.
    - destruct ps; [simpl in C; lia | simpl in len; lia].
    - destruct ps as [| p [| q ps]].
      + simpl in C. lia.
      + simpl in C. destruct C as (<- & _ & <-). apply H; [now left | exact b].
      + set (l := p :: q :: ps) in *. set (h := Nat.div2 (length l)).
        pose proof (half_bounds p q ps) as hb. fold l in hb. fold h in hb.
        pose proof (firstn_skipn h l) as parts_.
        rewrite <- parts_ in C. apply chain_app in C. destruct C as (m & Cl & Cr).
        pose proof (chain_nth h l m e (proj2 hb) Cr) as Em. unfold run_start in Em.
        assert (choose A outd (S fuel) axis l =
                ESel (CCmp CLt (ix_of (nth_ix (vars outd) axis)) (ICst (Z.of_nat m)))
                  (choose A outd fuel axis (firstn h l)) (choose A outd fuel axis (skipn h l))) as ->.
        { rewrite <- Em. reflexivity. }
        apply safe_sel; cbn [eval_cond eval_cmp eval_ix]; rewrite Ez; intros Q.
        * apply Z.ltb_lt in Q. apply (IH (firstn h l) s m); auto; [rewrite firstn_length; lia | lia |].
          intros r inr. apply H. rewrite <- parts_. apply in_or_app. now left.
        * apply Z.ltb_ge in Q. apply (IH (skipn h l) m e); auto; [rewrite skipn_length; lia | lia |].
          intros r inr. apply H. rewrite <- parts_. apply in_or_app. now right.
  Qed.

  Lemma runs_in axis ss : forall start k p, In p (runs axis start k ss) ->
    k <= fst (fst p) /\ exists s, nth_error ss (fst (fst p) - k) = Some s /\ run_size p = nth axis s 0.
  Proof.
    induction ss as [| s ss IH]; intros start k p H; cbn [runs] in H; [destruct H |].
    assert (forall st, In p (runs axis st (S k) ss) -> k <= fst (fst p) /\
              exists u, nth_error (s :: ss) (fst (fst p) - k) = Some u /\ run_size p = nth axis u 0) as later.
    { intros st inp. destruct (IH st (S k) p inp) as (le & u & at_u & E). split; [lia |]. exists u.
      replace (fst (fst p) - k) with (S (fst (fst p) - S k)) by lia. now split. }
    destruct (nth axis s 0 =? 0); [now apply (later start) |]. destruct H as [<- | H]; [| now apply (later _ H)].
    cbn [fst snd run_size]. rewrite Nat.sub_diag. split; [lia |]. exists s. split; reflexivity.
  Qed.

  Lemma same_but_axis axis a b : set_nth axis 0 b = set_nth axis 0 a -> axis < length a ->
    b = set_nth axis (nth axis b 0) a.
  Proof.
    intros E lt. rewrite <- (set_nth_same axis b 0) at 1. rewrite <- (set_nth_twice axis (nth axis b 0) 0 b), E.
    apply set_nth_twice.
  Qed.

  Theorem k_concat_safe axis x l out p : axis < length (dims x) -> concat_dims axis (dims x) (map dims l) = Some out ->
    k_concat A (map dims (x :: l)) out axis = Some p -> sized (x :: l) -> all_safe p.
  Proof.
    intros ax E P S. unfold concat_dims, guard in E. destruct (forallb _ _) eqn:F; [| discriminate].
    injection E as E. rewrite fold_total in E. rewrite forallb_forall in F.
    apply (all_safe_stores A shapes _ _ _ P). intros i I.
    assert (axis < length out) as axd by (rewrite <- E, set_nth_length; exact ax).
    assert (nth axis out 0 = 0 + total axis (map dims (x :: l))) as En by (rewrite <- E, nth_set_same by exact ax; reflexivity).
    pose proof (in_box_nth_range _ _ axis I axd) as b. rewrite En in b.
    apply (choose_safe out i axis I _ _ 0 (0 + total axis (map dims (x :: l)))); auto.
    { apply runs_length. }
    { apply runs_chain. }
    intros r inr br. destruct (runs_in _ _ _ _ _ inr) as (_ & s & at_s & Es). rewrite Nat.sub_0_r in at_s.
    destruct r as [[k start] n]. unfold run_start, run_size in *. cbn [fst snd] in *. cbn [run_load].
    rewrite nth_error_map in at_s. destruct (nth_error (x :: l) k) as [y |] eqn:at_y; [| discriminate].
    injection at_s as <-.
    assert (dims y = set_nth axis n out) as Dy.
    { subst n. rewrite <- E, set_nth_twice. apply same_but_axis; [| exact ax].
      destruct k as [| k]; [injection at_y as <-; reflexivity |]. cbn [nth_error] in at_y. apply nth_error_In in at_y.
      specialize (F (dims y) (in_map dims _ _ at_y)). apply andb_true_iff in F. destruct F as [_ F].
      unfold sizes_eqb in F. destruct (list_eq_dec _ _ _) as [e |]; [exact e | discriminate]. }
    pose proof (all_see_vars _ _ I) as V.
    apply (safe_input A shapes (x :: l) k y i _ (set_nth axis (nth axis i 0 - Z.of_nat start)%Z i) S at_y).
    - destruct ((0 <? start) || (start + n <? nth axis out 0)) eqn:O.
      + apply all_see_set; [| exact V]. destruct (Nat.eqb_spec n 1) as [-> | _].
        * replace (nth axis i 0 - Z.of_nat start)%Z with 0%Z by lia. apply sees_const.
        * apply sees_plus. exact (all_see_nth _ _ _ axis V).
      + apply orb_false_iff in O. rewrite !Nat.ltb_ge in O. assert (start = 0) as -> by lia.
        change (Z.of_nat 0) with 0%Z. rewrite Z.sub_0_r, set_nth_same. exact V.
    - rewrite Dy. apply in_box_set; auto. lia.
  Qed.

  (** ** Splitting *)

  Lemma split_from_safe axis x parts : axis < length (dims x) -> sized [x] -> forall k start,
    start + list_sum parts <= nth axis (dims x) 0 -> all_safe (split_from A (map dims [x]) axis k start parts).
  Proof.
    intros ax S. induction parts as [| n parts IH]; intros k start le; [apply all_safe_nil |].
    cbn [split_from]. change (in_ (map dims [x]) 0) with (dims x). cbn [list_sum fold_right] in le.
    change (fold_right Nat.add 0 parts) with (list_sum parts) in le.
    destruct (Nat.eqb_spec n 0) as [-> | N]; [apply IH; lia |]. apply all_safe_cons; [intros _; apply IH; lia |].
    intros _ i I. pose proof (all_see_vars _ _ I) as V.
    apply (safe_input A shapes [x] 0 x i _ (set_nth axis (nth axis i 0 + Z.of_nat start)%Z i) S eq_refl).
    - apply all_see_set; [| exact V]. apply sees_plus. exact (all_see_nth _ _ _ axis V).
    - pose proof (in_box_nth_range _ _ axis I) as b. rewrite set_nth_length, nth_set_same in b by exact ax. specialize (b ax).
      rewrite <- (set_nth_same axis (dims x) 0) at 1. rewrite <- (set_nth_twice axis (nth axis (dims x) 0) n (dims x)).
      apply in_box_set; [exact I |]. lia.
  Qed.

  (** ** Padding *)

  Theorem k_pad_constant_safe value lo hi x out p : pad_dims PadConstant (dims x) lo hi = Some out ->
    k_pad_constant A (map dims [x]) out value lo = Some p -> sized [x] -> all_safe p.
  Proof.
    intros E P S. apply pad_dims_length in E. destruct E as (Ld & Ll & Lh).
    unfold k_pad_constant in P. change (in_ (map dims [x]) 0) with (dims x) in P.
    apply (all_safe_stores A shapes _ _ _ P). intros i I. set (at_x := map _ (combine (vars out) lo)) in *.
    assert (length (vars out) = length (dims x)) as Lv by (unfold vars; rewrite length_numbered; exact Ld).
    assert (all_see i at_x (pad_at PadConstant (dims x) lo i)) as V
      by (apply all_see_pad; [now apply all_see_vars | auto | lia]).
    assert (length at_x = length (dims x)) as len by (unfold at_x; rewrite map_length, combine_length; lia).
    destruct (cell_count (dims x) =? 0); [apply safe_lit |].
    destruct (guards at_x (dims x)) as [cs |] eqn:G; [| apply safe_lit].
    apply (safe_guarded A shapes i at_x _ (dims x) cs _ _ V len G); [| apply safe_lit].
    intros inside. exact (safe_input A shapes [x] 0 x i at_x _ S eq_refl V inside).
  Qed.

  Lemma safe_pad_one mode reflect t n p q pre post i1 z i2 next :
    repeats mode reflect -> pad_ok mode n p q ->
    next = pre ++ (n + Z.to_nat (p + q)) :: post ->
    in_box pre i1 = true -> (0 <= z < Z.of_nat n + p + q)%Z -> in_box post i2 = true ->
    shapes t = pre ++ n :: post ->
    safe (i1 ++ z :: i2) (pad_one A t next (length pre) n p q reflect).
  Proof.
    intros R P -> I1 b I2 D. pose proof P as (Pp & Pq & Pn).
    set (i := i1 ++ z :: i2). set (vs := numbered 0 (pre ++ (n + Z.to_nat (p + q)) :: post)).
    assert (length i1 = length pre) as L1 by now apply in_box_length.
    assert (all_see i vs i) as V0.
    { apply all_see_vars. apply in_box_join; [exact I1 |]. apply in_box_cons. split; [lia | exact I2]. }
    assert (sees i (nth_ix vs (length pre)) z) as Vz.
    { replace z with (nth (length pre) i 0%Z); [now apply all_see_nth |]. unfold i. rewrite <- L1. apply nth_middle. }
    assert (forall a x, sees i a x -> (0 <= x < Z.of_nat n)%Z -> safe i (load A t (set_nth (length pre) a vs))) as at_x.
    { intros a x S r. apply (safe_load A shapes i t _ (i1 ++ x :: i2)).
      - replace (i1 ++ x :: i2) with (set_nth (length pre) x i); [now apply all_see_set |].
        unfold i. rewrite <- L1. apply set_nth_app.
      - rewrite D. apply in_box_join; [exact I1 |]. now apply in_box_cons. }
    assert (forall k, sees i (ix_plus (ix_mul (nth_ix vs (length pre)) (-1)) k) (k - z)%Z) as turned.
    { intros k. replace (k - z)%Z with (z * -1 + k)%Z by lia. apply sees_plus. now apply sees_mul. }
    assert ((p <= z < p + Z.of_nat n)%Z ->
            safe i (load A t (set_nth (length pre) (if n =? 1 then ix_const 0 else ix_plus (nth_ix vs (length pre)) (- p)) vs)))
      as inside.
    { intros bz. apply (at_x _ (z - p)%Z); [| lia]. destruct (Nat.eqb_spec n 1) as [-> | _].
      - replace (z - p)%Z with 0%Z by lia. apply sees_const.
      - apply (sees_plus i _ (- p) z Vz). }
    unfold pad_one. fold vs. cbv zeta.
    assert (forall k, eval_cond i (CCmp CLt (ix_of (nth_ix vs (length pre))) (ICst k)) = (z <? k)%Z) as below
      by (intros k; cbn [eval_cond eval_cmp eval_ix]; now rewrite (eval_sees _ _ _ Vz)).
    assert ((p <= z)%Z -> safe i (if (0 <? q)%Z
              then ESel (CCmp CLt (ix_of (nth_ix vs (length pre))) (ICst (p + Z.of_nat n)))
                     (load A t (set_nth (length pre) (if n =? 1 then ix_const 0 else ix_plus (nth_ix vs (length pre)) (- p)) vs))
                     (load A t (set_nth (length pre)
                        (if reflect then ix_plus (ix_mul (nth_ix vs (length pre)) (-1)) (p + 2 * Z.of_nat n - 2)
                         else ix_const (Z.of_nat n - 1)) vs))
              else load A t (set_nth (length pre) (if n =? 1 then ix_const 0 else ix_plus (nth_ix vs (length pre)) (- p)) vs)))
      as behind.
    { intros ge. destruct (Z.ltb_spec 0 q); [| apply inside; lia].
      apply safe_sel; rewrite below; intros Q; [apply Z.ltb_lt in Q; apply inside; lia | apply Z.ltb_ge in Q].
      destruct mode, reflect; unfold repeats in R; try contradiction; try discriminate; cbv iota in Pn.
      - apply (at_x _ (Z.of_nat n - 1)%Z); [apply sees_const | lia].
      - apply (at_x _ (p + 2 * Z.of_nat n - 2 - z)%Z); [apply turned | lia]. }
    destruct (Z.ltb_spec 0 p); [| apply behind; lia].
    apply safe_sel; rewrite below; intros Q; [apply Z.ltb_lt in Q | apply Z.ltb_ge in Q; now apply behind].
    destruct mode, reflect; unfold repeats in R; try contradiction; try discriminate; cbv iota in Pn.
    - apply (at_x _ 0%Z); [apply sees_const | lia].
    - apply (at_x _ (p - z)%Z); [apply turned | lia].
  Qed.

  Lemma pad_from_safe mode reflect ds : repeats mode reflect ->
    forall lo hi out part pre, pad_dims mode ds lo hi = Some out ->
    shapes (source part) = pre ++ ds ->
    all_safe (pad_from A reflect (length pre) part (pre ++ ds) (combine lo hi)).
  Proof.
    intros R. induction ds as [| n ds IH]; intros [| p lo] [| q hi] out part pre E D; try discriminate.
    - apply all_safe_nil.
    - apply (pad_dims_cons _ reflect) in E; [| exact R]. destruct E as (out' & -> & E & ok). pose proof ok as (Pp & Pq & _).
      cbn [combine pad_from]. destruct (grows (p, q)) eqn:gr.
      + assert (nth (length pre) (pre ++ n :: ds) 0 = n) as -> by apply nth_middle.
        rewrite set_nth_app. set (next := pre ++ (n + Z.to_nat (p + q)) :: ds).
        apply all_safe_cons.
        * intros Dn. destruct (existsb grows (combine lo hi)) eqn:more.
          -- replace next with ((pre ++ [n + Z.to_nat (p + q)]) ++ ds) in * by (unfold next; now rewrite <- app_assoc).
             replace (S (length pre)) with (length (pre ++ [n + Z.to_nat (p + q)])) by (rewrite app_length; simpl; lia).
             apply (IH lo hi out'); auto.
          -- rewrite (pad_from_still A _ _ more). apply all_safe_nil.
        * intros _ i I. unfold next in I. apply in_box_split in I. destruct I as (j1 & [| y j2] & -> & J1 & J2); [discriminate |].
          apply in_box_cons in J2. destruct J2 as [by_ J2].
          apply (safe_pad_one mode reflect (source part) n p q pre ds j1 y j2 next); auto. lia.
      + replace (pre ++ n :: ds) with ((pre ++ [n]) ++ ds) in * by now rewrite <- app_assoc.
        replace (S (length pre)) with (length (pre ++ [n])) by (rewrite app_length; simpl; lia).
        now apply (IH lo hi out').
  Qed.

  Theorem k_pad_safe mode value lo hi x out p : pad_dims mode (dims x) lo hi = Some out ->
    k_pad A (map dims [x]) out mode value lo hi = Some p -> sized [x] -> all_safe p.
  Proof.
    intros E P S.
    assert (mode <> PadConstant -> exists reflect, repeats mode reflect /\
              k_pad A (map dims [x]) out mode value lo hi =
              if existsb grows (combine lo hi) then Some (pad_from A reflect 0 0 (dims x) (combine lo hi))
              else k_map A (map dims [x]) out (fun e => e)) as other.
    { intros N. destruct mode; [contradiction | exists false | exists true]; split; reflexivity. }
    destruct (match mode with PadConstant => true | _ => false end) eqn:C.
    - destruct mode; try discriminate. now apply (k_pad_constant_safe value lo hi x out p).
    - destruct other as (reflect & R & Ek); [intros ->; discriminate |]. rewrite Ek in P.
      destruct (existsb grows (combine lo hi)) eqn:g.
      + apply some_inj in P. subst p. apply (pad_from_safe mode reflect (dims x) R lo hi out 0 [] E). now apply (S 0).
      + destruct (pad_still mode reflect (dims x) R lo hi out E g) as [-> _].
        apply (k_map_safe A shapes (fun e => e) x [] (dims x) p); auto; [apply keeps_same | apply fits_refl].
  Qed.

  (** ** Tables and gathering *)

  Lemma numbers_safe i v fuel : forall lo zs, safe i (numbers_at A fuel v lo zs).
  Proof.
    induction fuel as [| fuel IH]; intros lo [| z zs]; try apply safe_lit. cbn [numbers_at].
    destruct (forallb (Z.eqb z) zs); [apply safe_lit |]. apply safe_sel; intros _; apply IH.
  Qed.

  Theorem k_shape_safe start stop ins out p : k_shape A ins out start stop = Some p -> all_safe p.
  Proof.
    unfold k_shape. destruct (shape_bounds _ _ _) as [a b]. intros P. apply (all_safe_stores A shapes _ _ _ P).
    intros i _. apply numbers_safe.
  Qed.

  Theorem k_eye_safe k out p : k_eye A out k = Some p -> all_safe p.
  Proof.
    intros P. apply (all_safe_stores A shapes _ _ _ P). intros i _. apply safe_sel; intros _; apply safe_lit.
  Qed.

  Lemma gather_safe i t f (g : Z -> list Z) position pz (n : Z) :
    sees i position pz -> (forall a z, sees i a z -> all_see i (f a) (g z)) ->
    (forall z, (0 <= z < n)%Z -> in_box (shapes t) (g z) = true) -> t = tX 0 ->
    forall fuel lo zs, length zs <= fuel -> (Z.of_nat lo <= pz < Z.of_nat (lo + length zs))%Z ->
    (forall z, In z zs -> (0 <= z < n)%Z) ->
    safe i (gather_at A fuel f position lo zs).
  Proof.
    intros Sp F B ->. induction fuel as [| fuel IH]; intros lo zs len b N; [destruct zs; simpl in *; lia |].
    destruct zs as [| y zs]; [simpl in b; lia |]. cbn [gather_at].
    set (step := match zs with [] => 0%Z | y' :: _ => (y' - y)%Z end).
    destruct (affine step y zs && ((step =? 0)%Z || (2 <? length (y :: zs)))) eqn:run.
    - apply andb_true_iff in run. destruct run as [aff _].
      assert (nth (Z.to_nat pz - lo) (y :: zs) 0%Z = (pz * step + (y - Z.of_nat lo * step))%Z) as E.
      { rewrite (affine_nth step zs y aff) by (simpl in b; lia).
        replace (Z.of_nat (Z.to_nat pz - lo)) with (pz - Z.of_nat lo)%Z by lia. lia. }
      apply (safe_load A shapes i (tX 0) _ (g (pz * step + (y - Z.of_nat lo * step))%Z)).
      + apply F. apply sees_plus. now apply sees_mul.
      + apply B. rewrite <- E. apply N. apply nth_In. lia.
    - destruct zs as [| y' zs]; [discriminate |]. set (l := y :: y' :: zs) in *.
      set (h := Nat.div2 (length l)). pose proof (half_bounds y y' zs) as hb. fold l in hb. fold h in hb.
      assert (length (firstn h l) = h) as Lf by (rewrite firstn_length; lia).
      assert (length (skipn h l) = length l - h) as Ls by apply skipn_length.
      apply safe_sel; cbn [eval_cond eval_cmp eval_ix]; rewrite (eval_sees _ _ _ Sp); intros Q.
      + apply Z.ltb_lt in Q. apply IH; [rewrite Lf; lia | rewrite Lf; lia |].
        intros z inz. apply N. rewrite <- (firstn_skipn h l). apply in_or_app. now left.
      + apply Z.ltb_ge in Q. apply IH; [rewrite Ls; lia | rewrite Ls; lia |].
        intros z inz. apply N. rewrite <- (firstn_skipn h l). apply in_or_app. now right.
  Qed.

  Theorem k_gather_safe axis x ix index p : axis < length (dims x) -> length index = cell_count (dims ix) ->
    k_gather A (map dims [x; ix]) (gather_dims axis (dims x) (dims ix)) axis index = Some p ->
    sized [x; ix] -> all_safe p.
  Proof.
    intros ax Li P S. unfold k_gather in P. change (in_ (map dims [x; ix]) 0) with (dims x) in P.
    change (in_ (map dims [x; ix]) 1) with (dims ix) in P. set (size := Z.of_nat (nth axis (dims x) 0)) in *.
    destruct ((gather_most <? length index) || _) eqn:ok in P; [discriminate |].
    apply orb_false_iff in ok. destruct ok as [_ ok]. apply negb_false_iff in ok. rewrite forallb_forall in ok.
    apply (all_safe_stores A shapes _ _ _ P). intros i I. set (r := length (dims ix)) in *.
    pose proof (all_see_vars _ _ I) as V. pose proof I as I'.
    unfold gather_dims in I'. apply in_box_split in I'. destruct I' as (i1 & i2 & Ei & I1 & I2).
    apply in_box_split in I2. destruct I2 as (i3 & i4 & -> & I3 & I4).
    pose proof (in_box_length _ _ I1) as L1. pose proof (in_box_length _ _ I3) as L3.
    rewrite firstn_length_le in L1 by lia.
    assert (firstn axis i = i1) as E1.
    { rewrite Ei, <- L1, firstn_app, Nat.sub_diag, firstn_all. cbn [firstn]. apply app_nil_r. }
    assert (skipn axis i = i3 ++ i4) as E2.
    { rewrite Ei, <- L1, skipn_app, Nat.sub_diag, skipn_all. reflexivity. }
    assert (firstn r (skipn axis i) = i3) as E3.
    { rewrite E2. unfold r. rewrite <- L3, firstn_app, Nat.sub_diag, firstn_all. cbn [firstn]. apply app_nil_r. }
    assert (skipn (axis + r) i = i4) as E4.
    { rewrite <- skipn_add, E2. unfold r. rewrite <- L3, skipn_app, Nat.sub_diag, skipn_all. reflexivity. }
    set (pos := position (dims ix) i3). pose proof (position_lt _ _ I3) as lt. fold pos in lt.
    apply (gather_safe i (tX 0) _ (fun z => firstn axis i ++ z :: skipn (axis + r) i) _ (Z.of_nat pos) size).
    - apply sees_row_major; [| | exact I3].
      + rewrite <- E3. apply all_see_firstn, all_see_skipn. exact V.
      + pose proof (all_see_length _ _ _ (all_see_firstn _ _ _ r (all_see_skipn _ _ _ axis V))) as L.
        rewrite E3, L3 in L. exact L.
    - intros a z Sa. apply all_see_app; [now apply all_see_firstn |]. apply Forall2_cons; [exact Sa |].
      now apply all_see_skipn.
    - intros z bz. rewrite (S 0 x eq_refl), E1, E4. rewrite <- (firstn_skipn axis (dims x)).
      apply in_box_join; [exact I1 |].
      destruct (skipn axis (dims x)) as [| n d] eqn:Sk.
      + pose proof (skipn_length axis (dims x)) as L. rewrite Sk in L. simpl in L. lia.
      + assert (nth axis (dims x) 0 = n) as En.
        { rewrite <- (firstn_skipn axis (dims x)), Sk, app_nth2; rewrite firstn_length_le by lia; [| lia].
          now rewrite Nat.sub_diag. }
        apply in_box_cons. split; [unfold size in bz; rewrite En in bz; exact bz |].
        replace (skipn (Datatypes.S axis) (dims x)) with d in I4; [exact I4 |].
        replace (Datatypes.S axis) with (axis + 1) by lia. rewrite <- skipn_add, Sk. reflexivity.
    - reflexivity.
    - rewrite map_length. lia.
    - rewrite map_length. lia.
    - intros z inz. apply in_map_iff in inz. destruct inz as (y & <- & iny). specialize (ok y iny).
      rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in ok. destruct (Z.ltb_spec y 0); lia.
  Qed.

  Theorem k_reshape_safe x more out p : cell_count (dims x) = cell_count out ->
    k_reshape A (dims x :: more) out = Some p -> sized [x] -> all_safe p.
  Proof.
    intros E P S. unfold k_reshape in P. change (in_ (dims x :: more) 0) with (dims x) in P.
    apply (all_safe_stores A shapes _ _ _ P). intros i I.
    apply (safe_input A shapes [x] 0 x i _ (index_at (dims x) (position out i)) S eq_refl).
    - apply reshape_at_sees; auto. now apply all_see_vars.
    - apply index_at_spec. rewrite E. now apply position_lt.
  Qed.
End Safe.
