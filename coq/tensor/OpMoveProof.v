(** * Kernels of the operators that move elements *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpIndex tensor.OpIndexProof tensor.OpKernel.
From Calque Require Import tensor.OpEval tensor.OpMapProof tensor.OpSumProof.
Import ListNotations.
Open Scope nat_scope.

Section Move.
  Variable A : arith.
  Notation K := (kernel_scalars A).
  Notation num := (num A).
  Notation tensor := (tensor num).
  Notation ex := (Kernel.ex K).

  Section OneStore.
  Variable st : Kernel.store K.

  (** ** Permutations and slices *)

  Theorem k_transpose_gives perm x t p :
    transpose A perm x = Some t -> k_transpose A (dims t) perm = Some p -> holds A st [x] -> gives A p st 0 t.
  Proof.
    intros M P H. apply (stores_gives A st _ _ _ _ _ M P). intros i I.
    apply (load_input A st [x] 0 x); auto. unfold unpermute. apply all_see_map. intros q _.
    apply all_see_nth. now apply all_see_vars.
  Qed.

  Lemma all_see_slices rho ns : forall ms starts steps vs i,
    slices_fit ns starts steps ms = true -> all_see rho vs i -> in_box ms i = true ->
    all_see rho (slices vs ns ms starts steps) (slice_at starts steps i).
  Proof.
    induction ns as [| n ns IH]; intros [| m ms] [| a starts] [| s steps] vs i F V I; try discriminate.
    - destruct V; [constructor | discriminate].
    - destruct V as [| v k vs i v_ V]; [discriminate |]. apply in_box_cons in I. destruct I as [b I].
      cbn [slices_fit] in F. apply andb_true_iff in F. destruct F as [F Fs].
      cbn [slices slice_at]. apply Forall2_cons; [| now apply IH].
      unfold slice_ix. rewrite Z.add_comm.
      destruct (negb (n =? m) || negb (s =? 1)%Z) eqn:N.
      + apply sees_plus. destruct (Nat.eqb_spec m 1) as [-> | _].
        * replace k with 0%Z by lia. apply sees_const.
        * now apply sees_mul.
      + apply orb_false_iff in N. rewrite !negb_false_iff, Nat.eqb_eq, Z.eqb_eq in N. destruct N as [-> ->].
        replace (k * 1 + a)%Z with k; [exact v_ |]. unfold slice_fits in F.
        rewrite !andb_true_iff, orb_true_iff, !andb_true_iff, !Z.ltb_lt, !Z.leb_le, Nat.eqb_eq in F. lia.
  Qed.

  Theorem k_slice_gives starts steps sizes x t p :
    slice A starts steps sizes x = Some t -> k_slice A (map dims [x]) (dims t) starts steps = Some p ->
    holds A st [x] -> gives A p st 0 t.
  Proof.
    intros M P H. destruct (table_some A _ _ _ M) as (ds & E & T). unfold slice_dims, guard in E.
    destruct (slices_fit (dims x) starts steps sizes) eqn:F; [| discriminate]. injection E as <-.
    assert (dims t = sizes) as Dt by now rewrite T.
    apply (stores_gives A st _ _ _ _ _ M P). intros i I. apply (load_input A st [x] 0 x); auto.
    rewrite Dt in *. apply all_see_slices; auto. now apply all_see_vars.
  Qed.

  (** ** Concatenation *)

  Definition run := (nat * nat * nat)%type.
  Definition run_start (p : run) : nat := snd (fst p).
  Definition run_size (p : run) : nat := snd p.

  (** Runs that follow each other from [s] to [e]. *)
  Fixpoint chain (s : nat) (ps : list run) (e : nat) : Prop :=
    match ps with
    | [] => s = e
    | p :: ps' => run_start p = s /\ 0 < run_size p /\ chain (s + run_size p) ps' e
    end.

  Lemma chain_le s ps e : chain s ps e -> s <= e.
  Proof. revert s. induction ps as [| p ps IH]; intros s; simpl; [lia |]. intros (_ & pos & C). apply IH in C. lia. Qed.

  Lemma chain_in s ps e p : chain s ps e -> In p ps -> s <= run_start p.
  Proof.
    revert s. induction ps as [| q ps IH]; intros s; simpl; [easy |]. intros (<- & pos & C) [-> | inp]; [lia |].
    specialize (IH _ C inp). lia.
  Qed.

  Lemma chain_app s ps qs e : chain s (ps ++ qs) e <-> exists m, chain s ps m /\ chain m qs e.
  Proof.
    revert s. induction ps as [| p ps IH]; intros s; simpl.
    - split; [eauto |]. now intros (m & -> & C).
    - rewrite IH. split.
      + intros (a & b & m & C & D). eauto 6.
      + intros (m & (a & b & C) & D). eauto 6.
  Qed.

  Lemma chain_nth h l m e : h < length l -> chain m (skipn h l) e -> run_start (nth h l (0, 0, 0)) = m.
  Proof.
    revert h. induction l as [| p l IH]; intros [| h] lt C; simpl in lt; try lia; [apply C |].
    apply IH; [lia | exact C].
  Qed.

  Lemma choose_spec out i axis : in_box out i = true -> forall fuel ps s e, length ps <= fuel -> chain s ps e ->
    (Z.of_nat s <= nth axis i 0 < Z.of_nat e)%Z ->
    exists p, In p ps /\ (Z.of_nat (run_start p) <= nth axis i 0 < Z.of_nat (run_start p + run_size p))%Z /\
      eval st i (choose A out fuel axis ps) = eval st i (run_load A out axis p).
  Proof.
    intros I. set (z := nth axis i 0%Z).
    assert (eval_ix i (ix_of (nth_ix (vars out) axis)) = z) as Ez
      by (apply eval_sees, all_see_nth, all_see_vars, I).
    induction fuel as [| fuel IH]; intros ps s e len C b.
    - destruct ps; [simpl in C; lia | simpl in len; lia].
    - destruct ps as [| p [| q ps]].
      + simpl in C. lia.
      + exists p. simpl in C. destruct C as (<- & _ & <-). split; [now left |]. split; [exact b | reflexivity].
      + set (l := p :: q :: ps) in *. set (h := Nat.div2 (length l)).
        assert (0 < h < length l) as hb.
        { unfold h, l. cbn [length Nat.div2]. pose proof (Nat.div2_decr (length ps) (length ps)). lia. }
        rewrite <- (firstn_skipn h l) in C. apply chain_app in C. destruct C as (m & Cl & Cr).
        pose proof (chain_nth h l m e (proj2 hb) Cr) as Em. unfold run_start in Em.
        assert (choose A out (S fuel) axis l =
                ESel (CCmp CLt (ix_of (nth_ix (vars out) axis)) (ICst (Z.of_nat m)))
                  (choose A out fuel axis (firstn h l)) (choose A out fuel axis (skipn h l))) as ->.
        { rewrite <- Em. reflexivity. }
        cbn [eval eval_cond eval_cmp eval_ix]. rewrite Ez.
        destruct (Z.ltb_spec z (Z.of_nat m)) as [lt | ge].
        * destruct (IH (firstn h l) s m) as (r & inr & br & Er); auto; [rewrite firstn_length; lia | lia |].
          exists r. split; [| auto]. rewrite <- (firstn_skipn h l). apply in_or_app. now left.
        * destruct (IH (skipn h l) m e) as (r & inr & br & Er); auto; [rewrite skipn_length; lia | lia |].
          exists r. split; [| auto]. rewrite <- (firstn_skipn h l). apply in_or_app. now right.
  Qed.

  Fixpoint total (axis : nat) (ss : list sizes) : nat :=
    match ss with [] => 0 | s :: ss' => nth axis s 0 + total axis ss' end.

  Lemma runs_chain axis ss : forall start k, chain start (runs axis start k ss) (start + total axis ss).
  Proof.
    induction ss as [| s ss IH]; intros start k; cbn [runs total]; [simpl; lia |].
    destruct (Nat.eqb_spec (nth axis s 0) 0) as [E | N].
    - rewrite E. apply IH.
    - simpl. unfold run_start, run_size. simpl. split; [reflexivity |]. split; [lia |].
      rewrite Nat.add_assoc. apply IH.
  Qed.

  Lemma runs_length axis ss : forall start k, length (runs axis start k ss) <= length ss.
  Proof.
    induction ss as [| s ss IH]; intros start k; cbn [runs]; [simpl; lia |].
    destruct (nth axis s 0 =? 0); cbn [length]; [specialize (IH start (S k)) | specialize (IH (start + nth axis s 0) (S k))]; lia.
  Qed.

  (** The run of a place is the tensor that the meaning finds. *)
  Lemma concat_run axis i l : forall x start k p,
    In p (runs axis start k (map dims (x :: l))) -> axis < length i ->
    (Z.of_nat (run_start p) <= nth axis i 0 < Z.of_nat (run_start p + run_size p))%Z ->
    (Z.of_nat start <= nth axis i 0)%Z ->
    exists y, k <= fst (fst p) /\ nth_error (x :: l) (fst (fst p) - k) = Some y /\
      concat_cell A axis x l (set_nth axis (nth axis i 0 - Z.of_nat start)%Z i) =
      at_ A y (set_nth axis (nth axis i 0 - Z.of_nat (run_start p))%Z i).
  Proof.
    set (z := nth axis i 0%Z).
    induction l as [| y l IH]; intros x start k p inp lt b lo; cbn [map runs] in inp.
    - destruct (nth axis (dims x) 0 =? 0); cbn in inp; [destruct inp |]. destruct inp as [<- | []].
      exists x. unfold run_start, run_size in *. cbn [fst snd] in *. rewrite Nat.sub_diag.
      split; [lia |]. split; [reflexivity |]. reflexivity.
    - set (n := nth axis (dims x) 0) in *. destruct (Nat.eqb_spec n 0) as [E | N].
      + destruct (IH y start (S k) p inp lt b lo) as (w & le & at_w & Ew).
        exists w. split; [lia |]. split.
        * replace (fst (fst p) - k) with (S (fst (fst p) - S k)) by lia. exact at_w.
        * cbn [concat_cell]. fold n. rewrite nth_set_same by exact lt.
          destruct (Z.ltb_spec (z - Z.of_nat start) (Z.of_nat n)); [lia |].
          rewrite set_nth_twice, E, Z.sub_0_r. exact Ew.
      + destruct inp as [<- | inp].
        * exists x. unfold run_start, run_size in *. cbn [fst snd] in *. rewrite Nat.sub_diag.
          split; [lia |]. split; [reflexivity |]. cbn [concat_cell]. fold n. rewrite nth_set_same by exact lt.
          destruct (Z.ltb_spec (z - Z.of_nat start) (Z.of_nat n)); [reflexivity | lia].
        * pose proof (chain_in _ _ _ p (runs_chain axis (map dims (y :: l)) (start + n) (S k)) inp) as ge.
          destruct (IH y (start + n) (S k) p inp lt b) as (w & le & at_w & Ew); [lia |].
          exists w. split; [lia |]. split.
          -- replace (fst (fst p) - k) with (S (fst (fst p) - S k)) by lia. exact at_w.
          -- cbn [concat_cell]. fold n. rewrite nth_set_same by exact lt.
             destruct (Z.ltb_spec (z - Z.of_nat start) (Z.of_nat n)); [lia |].
             rewrite set_nth_twice. rewrite <- Ew. f_equal. f_equal. lia.
  Qed.

  Lemma fold_total axis l : forall n, fold_left (fun n b => n + nth axis b 0) l n = n + total axis l.
  Proof. induction l as [| s l IH]; intros n; simpl; [lia |]. rewrite IH. lia. Qed.

  Theorem k_concat_gives axis x l t p :
    axis < length (dims x) -> concat A axis x l = Some t ->
    k_concat A (map dims (x :: l)) (dims t) axis = Some p -> holds A st (x :: l) -> gives A p st 0 t.
  Proof.
    intros ax M P H. destruct (table_some A _ _ _ M) as (ds & E & T). unfold concat_dims, guard in E.
    destruct (forallb _ _); [| discriminate]. injection E as E. rewrite fold_total in E.
    assert (dims t = ds) as Dt by now rewrite T.
    apply (stores_gives A st _ _ _ _ _ M P). intros i I.
    assert (axis < length ds) as axd by (rewrite <- E, set_nth_length; exact ax).
    assert (axis < length i) as axi by (rewrite (in_box_length _ _ I), Dt; exact axd).
    assert (nth axis ds 0 = 0 + total axis (map dims (x :: l))) as En by (rewrite <- E, nth_set_same by exact ax; reflexivity).
    pose proof (in_box_nth_range _ _ axis I) as b. rewrite Dt in b. specialize (b axd). rewrite En in b.
    destruct (choose_spec (dims t) i axis I (length (map dims (x :: l))) (runs axis 0 0 (map dims (x :: l))) 0
                (0 + total axis (map dims (x :: l)))) as (r & inr & br & Er); auto.
    { apply runs_length. }
    { apply runs_chain. }
    rewrite Er. destruct (concat_run axis i l x 0 0 r inr axi br) as (y & _ & at_y & Ey); [lia |].
    rewrite Nat.sub_0_r in at_y. change (Z.of_nat 0) with 0%Z in Ey. rewrite Z.sub_0_r, set_nth_same in Ey. rewrite Ey.
    destruct r as [[k start] n]. unfold run_start, run_size in *. cbn [fst snd] in *. cbn [run_load].
    apply (load_input A st (x :: l) k y i _ _ H at_y).
    pose proof (all_see_vars _ _ I) as V.
    destruct ((0 <? start) || (start + n <? nth axis (dims t) 0)) eqn:O.
    - apply all_see_set; [| exact V]. destruct (Nat.eqb_spec n 1) as [-> | _].
      + replace (nth axis i 0 - Z.of_nat start)%Z with 0%Z by lia. apply sees_const.
      + apply sees_plus. exact (all_see_nth _ _ _ axis V).
    - apply orb_false_iff in O. rewrite !Nat.ltb_ge in O. assert (start = 0) as -> by lia.
      change (Z.of_nat 0) with 0%Z. rewrite Z.sub_0_r, set_nth_same. exact V.
  Qed.

  (** ** Constant padding *)

  Lemma all_see_pad rho lo : forall ds vs i, all_see rho vs i -> length ds = length vs -> length lo = length vs ->
    all_see rho (map (fun p => ix_plus (fst p) (- snd p)) (combine vs lo)) (pad_at PadConstant ds lo i).
  Proof.
    induction lo as [| z lo IH]; intros [| n ds] vs i V Ld Ll; destruct V as [| v k vs i v_ V]; try discriminate;
      try constructor.
    - cbn [fst snd pad_place]. apply (sees_plus rho v (- z) k v_).
    - apply IH; auto.
  Qed.

  Lemma pad_dims_length mode ds : forall lo hi out, pad_dims mode ds lo hi = Some out ->
    length out = length ds /\ length lo = length ds /\ length hi = length ds.
  Proof.
    induction ds as [| n ds IH]; intros [| p lo] [| q hi] out E; try discriminate; cbn [pad_dims] in E.
    - injection E as <-. repeat split.
    - unfold guard in E. destruct (_ && _); [| discriminate].
      destruct (pad_dims mode ds lo hi) as [d |] eqn:D; [| discriminate]. injection E as <-.
      destruct (IH _ _ _ D) as (a & b & c). simpl. auto.
  Qed.

  Theorem k_pad_constant_gives value lo hi x t p :
    pad A PadConstant value lo hi x = Some t -> k_pad_constant A (map dims [x]) (dims t) value lo = Some p ->
    holds A st [x] -> gives A p st 0 t.
  Proof.
    intros M P H. destruct (table_some A _ _ _ M) as (ds & E & T). apply pad_dims_length in E.
    destruct E as (Ld & Ll & Lh). assert (dims t = ds) as Dt by now rewrite T.
    unfold k_pad_constant in P. change (in_ (map dims [x]) 0) with (dims x) in P.
    apply (stores_gives A st _ _ _ _ _ M P). intros i I. set (at_x := map _ (combine (vars (dims t)) lo)) in *.
    assert (length (vars (dims t)) = length (dims x)) as Lv by (unfold vars; rewrite length_numbered, Dt; exact Ld).
    assert (all_see i at_x (pad_at PadConstant (dims x) lo i)) as V
      by (apply all_see_pad; [now apply all_see_vars | auto | lia]).
    assert (length at_x = length (dims x)) as len by (unfold at_x; rewrite map_length, combine_length; lia).
    cbv zeta. destruct (Nat.eqb_spec (cell_count (dims x)) 0) as [none | some].
    - assert (in_box (dims x) (pad_at PadConstant (dims x) lo i) = false) as ->; [| reflexivity].
      destruct (in_box (dims x) _) eqn:B; [| reflexivity]. apply position_lt in B. lia.
    - pose proof (guards_spec i (dims x) at_x _ V len) as G. destruct (guards at_x (dims x)) as [cs |].
      + rewrite eval_select, <- G. destruct (in_box (dims x) (pad_at PadConstant (dims x) lo i)); [| reflexivity].
        now apply (load_input A st [x] 0 x).
      + now rewrite G.
  Qed.
  End OneStore.

  (** ** Splitting *)

  Lemma split_others axis ins parts : forall k start s, In s (split_from A ins axis k start parts) ->
    exists j, k <= j /\ out s = tY j.
  Proof.
    induction parts as [| n parts IH]; intros k start s ins_; cbn [split_from] in ins_; [destruct ins_ |].
    destruct (n =? 0).
    - destruct (IH _ _ _ ins_) as (j & le & E). exists j. split; [lia | exact E].
    - destruct ins_ as [<- | ins_]; [exists k; auto |]. destruct (IH _ _ _ ins_) as (j & le & E). exists j. split; [lia | exact E].
  Qed.

  Lemma split_from_gives axis x parts : axis < length (dims x) -> forall k start st j t,
    holds A st [x] ->
    nth_error (Ops.parts A axis x start (map (fun n => set_nth axis n (dims x)) parts)) j = Some t ->
    gives A (split_from A (map dims [x]) axis k start parts) st (k + j) t.
  Proof.
    intros ax. induction parts as [| n parts IH]; intros k start st j t H at_j; [destruct j; discriminate |].
    cbn [map Ops.parts] in at_j. rewrite nth_set_same in at_j by exact ax.
    cbn [split_from]. change (in_ (map dims [x]) 0) with (dims x).
    set (d := set_nth axis n (dims x)) in *.
    destruct j as [| j]; cbn [nth_error] in at_j.
    - injection at_j as <-. rewrite Nat.add_0_r. intros i I. unfold part in I. table_dims.
      assert (0 < n) as pos.
      { pose proof (in_box_nth_range d i axis I) as b. unfold d in b. rewrite set_nth_length, nth_set_same in b by exact ax.
        specialize (b ax). lia. }
      destruct (Nat.eqb_spec n 0); [lia |]. rewrite exec_cons.
      rewrite (kernel_prog_frame K).
      + rewrite exec_own by exact I. unfold part. unfold at_ at 1. rewrite get_tabulate by exact I.
        apply (load_input A st [x] 0 x); auto. pose proof (all_see_vars _ _ I) as V.
        apply all_see_set; [| exact V]. apply sees_plus. exact (all_see_nth _ _ _ axis V).
      + intros s ins_. destruct (split_others _ _ _ _ _ _ ins_) as (j & le & ->). apply y_inj. lia.
    - replace (k + S j) with (S k + j) by lia. intros i I. destruct (Nat.eqb_spec n 0) as [-> | N].
      + now apply IH.
      + rewrite exec_cons. apply (IH (S k) (start + n)); auto. apply holds_exec; [exact H | intros q; apply x_not_y].
  Qed.

  Theorem k_split_gives st axis sizes x ts j t p :
    axis < length (dims x) -> split A axis sizes x = Some ts -> k_split A (map dims [x]) axis sizes = Some p ->
    holds A st [x] -> nth_error ts j = Some t -> gives A p st j t.
  Proof.
    intros ax M P H at_j. unfold split, split_dims, guard in M.
    destruct (list_sum sizes =? nth axis (dims x) 0); [| discriminate].
    apply some_inj in M. subst ts. apply some_inj in P. subst p.
    apply (split_from_gives axis x sizes ax 0 0 st j t H at_j).
  Qed.
End Move.
