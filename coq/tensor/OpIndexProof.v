(** * Affine index expressions keep their value *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require kernel.WfProof.
From Calque Require Import kernel.Kernel tensor.Tensor tensor.OpIndex.
Import ListNotations.
Open Scope Z_scope.

Section Values.
  Variable rho : list Z.

  Definition term_value (t : term) : Z := coef t * eval_ix rho (atom t).
  Definition ix_value (a : ixs) : Z := plain a + sum_of term_value (terms a).

  Definition within_term (t : term) : Prop := low t <= eval_ix rho (atom t) <= high t.

  (** The bounds hold, and the value is [z]. *)
  Definition sees (a : ixs) (z : Z) : Prop := Forall within_term (terms a) /\ ix_value a = z.

  Lemma sum_of_app f l m : sum_of f (l ++ m) = sum_of f l + sum_of f m.
  Proof. induction l as [| t l IH]; simpl; [reflexivity |]. unfold sum_of in *. simpl. rewrite IH. lia. Qed.

  Lemma sum_of_filter f p l :
    sum_of f l = sum_of f (filter p l) + sum_of f (filter (fun t => negb (p t)) l).
  Proof. induction l as [| t l IH]; [reflexivity |]. simpl. destruct (p t); simpl; lia. Qed.

  Lemma sum_of_ext f g l : (forall t, In t l -> f t = g t) -> sum_of f l = sum_of g l.
  Proof.
    induction l as [| t l IH]; intros E; [reflexivity |]. simpl.
    rewrite E by now left. rewrite IH; [reflexivity |]. intros u inu. apply E. now right.
  Qed.

  Lemma sum_of_scale f k l : sum_of (fun t => f t * k) l = sum_of f l * k.
  Proof. induction l as [| t l IH]; [reflexivity |]. simpl. rewrite IH. lia. Qed.

  Lemma sum_of_map f g l : sum_of f (map g l) = sum_of (fun t => f (g t)) l.
  Proof. induction l as [| t l IH]; [reflexivity |]. simpl. now rewrite IH. Qed.

  Lemma Forall_filter {B} (P : B -> Prop) p l : Forall P l -> Forall P (filter p l).
  Proof.
    rewrite !Forall_forall. intros H x inx. apply filter_In in inx. now apply H.
  Qed.

  (** ** Bounds *)

  Lemma sees_range a z : sees a z -> ix_first a <= z <= ix_last a.
  Proof.
    intros [ok <-]. unfold ix_first, ix_last, ix_value.
    cut (sum_of term_low (terms a) <= sum_of term_value (terms a) <= sum_of term_high (terms a)); [lia |].
    induction ok as [| t l h _ IH]; [simpl; lia |]. simpl.
    cut (term_low t <= term_value t <= term_high t); [lia |].
    unfold within_term in h. unfold term_low, term_high, term_value.
    destruct (Z.ltb_spec 0 (coef t)); nia.
  Qed.

  Lemma sees_settled a z : sees a z -> sees (settled a) z.
  Proof.
    intros [ok V]. split; [now apply Forall_filter |]. rewrite <- V. unfold ix_value. simpl.
    rewrite (sum_of_filter term_value fixed (terms a)).
    rewrite (sum_of_ext (fun t => coef t * low t) term_value (filter fixed (terms a))); [lia |].
    intros t int_. apply filter_In in int_. destruct int_ as [int_ F]. unfold fixed in F.
    apply Z.eqb_eq in F. rewrite Forall_forall in ok. specialize (ok t int_). unfold within_term in ok.
    unfold term_value. f_equal. lia.
  Qed.

  Lemma sees_const k : sees (ix_const k) k.
  Proof. split; [constructor |]. unfold ix_value. simpl. lia. Qed.

  Lemma sees_atom a l h : l <= eval_ix rho a <= h -> sees (ix_atom a l h) (eval_ix rho a).
  Proof.
    intros b. split; [now repeat constructor |].
    unfold ix_value, ix_atom. cbn [terms OpIndex.plain].
    unfold sum_of. cbn [fold_right]. unfold term_value. cbn [coef atom]. lia.
  Qed.

  Lemma sees_plus a k z : sees a z -> sees (ix_plus a k) (z + k).
  Proof.
    intros H. unfold ix_plus. destruct (Z.eqb_spec k 0) as [-> | _]; [now rewrite Z.add_0_r |].
    destruct (sees_settled a z H) as [ok V]. split; [exact ok |]. unfold ix_value in *. simpl in *. lia.
  Qed.

  Lemma settled_const a z : sees a z -> terms (settled a) = [] -> plain (settled a) = z.
  Proof.
    intros H E. destruct (sees_settled a z H) as [_ V]. unfold ix_value in V. rewrite E in V. change (sum_of term_value []) with 0 in V. lia.
  Qed.

  Lemma sees_add a b y z : sees a y -> sees b z -> sees (ix_add a b) (y + z).
  Proof.
    intros A B. unfold ix_add.
    destruct (terms (settled b)) as [| tb lb] eqn:EB.
    - rewrite (settled_const b z B EB). destruct (terms (settled a)); now apply sees_plus.
    - destruct (terms (settled a)) as [| ta la] eqn:EA.
      + rewrite (settled_const a y A EA), Z.add_comm. now apply sees_plus.
      + destruct (sees_settled a y A) as [oka VA], (sees_settled b z B) as [okb VB].
        rewrite EA in oka. rewrite EB in okb. unfold ix_value in VA, VB. rewrite EA in VA. rewrite EB in VB.
        split; [apply Forall_app; now split |].
        unfold ix_value. cbn [terms OpIndex.plain]. rewrite sum_of_app. lia.
  Qed.

  Lemma sees_mul a m z : sees a z -> sees (ix_mul a m) (z * m).
  Proof.
    intros H. unfold ix_mul. destruct (Z.eqb_spec m 1) as [-> | _]; [now rewrite Z.mul_1_r |].
    destruct (Z.eqb_spec m 0) as [-> | _]; [rewrite Z.mul_0_r; apply sees_const |].
    destruct (sees_settled a z H) as [ok V]. split.
    - simpl in *. apply Forall_map. exact ok.
    - rewrite <- V. unfold ix_value. cbn [terms OpIndex.plain]. rewrite sum_of_map.
      rewrite (sum_of_ext _ (fun t => term_value t * m)).
      + rewrite sum_of_scale. lia.
      + intros t _. unfold term_value. simpl. lia.
  Qed.

  (** ** As an expression *)

  Lemma eval_scaled t : eval_ix rho (scaled_ix t) = Z.abs (coef t) * eval_ix rho (atom t).
  Proof. unfold scaled_ix. destruct (Z.eqb_spec (Z.abs (coef t)) 1) as [-> |]; cbn [eval_ix]; lia. Qed.

  Lemma eval_put l : forall a,
    eval_ix rho (fold_left put l a) = eval_ix rho a + sum_of term_value l.
  Proof.
    induction l as [| t l IH]; intros a; [simpl; lia |]. cbn [fold_left]. rewrite IH.
    change (sum_of term_value (t :: l)) with (term_value t + sum_of term_value l). unfold put, term_value.
    destruct (Z.ltb_spec (coef t) 0); cbn [eval_ix]; rewrite eval_scaled; nia.
  Qed.

  Lemma eval_ix_of a : eval_ix rho (ix_of a) = ix_value a.
  Proof.
    unfold ix_of, ix_value. destruct (terms a) as [| t l]; [simpl; lia |].
    destruct (Z.ltb_spec (coef t) 0) as [neg | pos]; [apply eval_put |].
    assert (eval_ix rho (fold_left put l (scaled_ix t)) = sum_of term_value (t :: l)) as E.
    { rewrite eval_put, eval_scaled, Z.abs_eq by lia. reflexivity. }
    destruct (Z.eqb_spec (plain a) 0) as [e |]; [lia |].
    destruct (Z.ltb_spec 0 (plain a)); cbn [eval_ix]; lia.
  Qed.

  Lemma eval_sees a z : sees a z -> eval_ix rho (ix_of a) = z.
  Proof. intros [_ V]. now rewrite eval_ix_of. Qed.

  (** ** Quotient and remainder *)

  Lemma sees_split a d z : 0 < d -> sees a z ->
    exists q r, sees (ix_whole a d) q /\ sees (ix_rest a d) r /\ z = d * q + r.
  Proof.
    intros pos H. destruct (sees_settled a z H) as [ok V]. rewrite Forall_forall in ok.
    exists (ix_value (ix_whole a d)), (ix_value (ix_rest a d)). repeat split.
    - simpl. apply Forall_map. apply Forall_forall. intros t int_. apply filter_In in int_.
      destruct int_ as [int_ _]. now apply (ok t) in int_.
    - simpl. apply Forall_forall. intros t int_. apply filter_In in int_. now apply ok.
    - rewrite <- V. unfold ix_value. unfold ix_whole, ix_rest. cbn [terms OpIndex.plain].
      rewrite (sum_of_filter term_value (divides d) (terms (settled a))).
      rewrite sum_of_map.
      rewrite (sum_of_ext term_value
                 (fun t => term_value (Term (atom t) (coef t / d) (low t) (high t)) * d)
                 (filter (divides d) (terms (settled a)))).
      + rewrite sum_of_scale. pose proof (Z.div_mod (plain (settled a)) d). lia.
      + intros t int_. apply filter_In in int_. destruct int_ as [_ D]. unfold divides in D.
        apply Z.eqb_eq in D. unfold term_value. simpl. pose proof (Z.div_mod (coef t) d).
        assert (coef t = d * (coef t / d)) as E by lia. rewrite E at 1. lia.
  Qed.

  Lemma sees_div a d z : 0 < d -> sees a z -> sees (ix_div a d) (z / d).
  Proof.
    intros pos H. unfold ix_div. destruct (Z.eqb_spec d 1) as [-> | _]; [now rewrite Z.div_1_r |].
    destruct (sees_split a d z pos H) as (q & r & Q & R & ->).
    pose proof (sees_range _ _ R) as b. pose proof (WfProof.div_mono _ _ _ d pos b) as db.
    rewrite Z.add_comm, Z.mul_comm, Z.div_add by lia. rewrite (Z.add_comm (r / d) q).
    destruct (Z.eqb_spec (ix_first (ix_rest a d) / d) (ix_last (ix_rest a d) / d)) as [E | _].
    - replace (r / d) with (ix_first (ix_rest a d) / d) by lia. now apply sees_plus.
    - apply sees_add; [exact Q |].
      replace (r / d) with (eval_ix rho (IDiv (ix_of (ix_rest a d)) d))
        by (simpl; now rewrite (eval_sees _ _ R)).
      apply sees_atom. simpl. now rewrite (eval_sees _ _ R).
  Qed.

  Lemma sees_mod a d z : 0 < d -> sees a z -> sees (ix_mod a d) (z mod d).
  Proof.
    intros pos H. unfold ix_mod.
    destruct ((0 <=? ix_first a) && (ix_last a <? d)) eqn:B.
    - apply andb_true_iff in B. rewrite Z.leb_le, Z.ltb_lt in B. pose proof (sees_range a z H).
      rewrite Z.mod_small by lia. exact H.
    - destruct (sees_split a d z pos H) as (q & r & Q & R & ->).
      pose proof (sees_range _ _ R) as b. pose proof (WfProof.div_mono _ _ _ d pos b) as db.
      replace ((d * q + r) mod d) with (r mod d)
        by (rewrite Z.add_comm, Z.mul_comm; now rewrite Z_mod_plus_full).
      destruct (Z.eqb_spec (ix_first (ix_rest a d) / d) (ix_last (ix_rest a d) / d)) as [E | _].
      + replace (r mod d) with (r + - (ix_first (ix_rest a d) / d) * d); [now apply sees_plus |].
        replace (ix_first (ix_rest a d) / d) with (r / d) by lia. rewrite Z.mod_eq by lia. lia.
      + replace (r mod d) with (eval_ix rho (IMod (ix_of (ix_rest a d)) d))
          by (simpl; now rewrite (eval_sees _ _ R)).
        apply sees_atom. simpl. rewrite (eval_sees _ _ R).
        pose proof (Z.mod_pos_bound r d pos). lia.
  Qed.

  (** ** Lists of indices *)

  Definition all_see : list ixs -> list Z -> Prop := Forall2 sees.

  Lemma all_see_eval l i : all_see l i -> map (eval_ix rho) (map ix_of l) = i.
  Proof. intros H. induction H as [| a z l i A _ IH]; [reflexivity |]. simpl. now rewrite (eval_sees _ _ A), IH. Qed.

  Lemma all_see_length l i : all_see l i -> length l = length i.
  Proof. intros H. induction H; simpl; congruence. Qed.

  Lemma all_see_nth l i k : all_see l i -> sees (nth k l (ix_const 0)) (nth k i 0).
  Proof.
    intros H. revert k. induction H as [| a z l i A _ IH]; intros [| k]; simpl; auto using sees_const.
  Qed.

  Lemma all_see_firstn l i k : all_see l i -> all_see (firstn k l) (firstn k i).
  Proof.
    unfold all_see. intros H. revert k. induction H as [| a z l i a_ _ IH]; intros [| k]; cbn [firstn]; auto.
  Qed.

  Lemma all_see_skipn l i k : all_see l i -> all_see (skipn k l) (skipn k i).
  Proof.
    unfold all_see. intros H. revert k. induction H as [| a z l i a_ t IH]; intros [| k]; cbn [skipn];
      auto using Forall2_cons.
  Qed.

  Lemma all_see_app l m i j : all_see l i -> all_see m j -> all_see (l ++ m) (i ++ j).
  Proof. apply Forall2_app. Qed.

  Lemma sees_row_major l d i :
    all_see l i -> length l = length d -> in_box d i = true ->
    sees (ix_row_major l d) (Z.of_nat (position d i)).
  Proof.
    unfold ix_row_major. intros H len I.
    cut (forall r x, sees r x ->
           sees (fold_left (fun r p => ix_add (ix_mul r (Z.of_nat (snd p))) (fst p)) (combine l d) r)
                (x * Z.of_nat (cell_count d) + Z.of_nat (position d i))).
    { intros C. specialize (C (ix_const 0) 0 (sees_const 0)). now rewrite Z.mul_0_l in C. }
    revert d len I. induction H as [| a z l i A _ IH]; intros [| n d] len I r x R; try discriminate.
    - simpl. now rewrite Z.mul_1_r, Z.add_0_r.
    - apply in_box_cons in I. destruct I as [b I]. simpl in len.
      cbn [combine fold_left fst snd].
      replace (x * Z.of_nat (cell_count (n :: d)) + Z.of_nat (position (n :: d) (z :: i)))
        with ((x * Z.of_nat n + z) * Z.of_nat (cell_count d) + Z.of_nat (position d i)).
      + apply IH; [lia | exact I |]. apply sees_add; [now apply sees_mul | exact A].
      + cbn [position]. change (cell_count (n :: d)) with (n * cell_count d)%nat.
        rewrite Nat2Z.inj_add, !Nat2Z.inj_mul, Z2Nat.id by lia. lia.
  Qed.
End Values.

(** ** Variables *)

Lemma sees_var rho v n z : nth v rho 0 = z -> 0 <= z < Z.of_nat n -> sees rho (ix_var v n) z.
Proof. intros <- b. apply (sees_atom rho (IVar v)). simpl. lia. Qed.

Lemma all_see_numbered k d : forall i, in_box d i = true ->
  forall pre, length pre = k -> all_see (pre ++ i) (numbered k d) i.
Proof.
  revert k. induction d as [| n d IH]; intros k [| z i] I pre len; try discriminate; [constructor |].
  apply in_box_cons in I. destruct I as [b I]. cbn [numbered]. constructor.
  - apply sees_var; [rewrite <- len; apply nth_middle | exact b].
  - change (z :: i) with ([z] ++ i). rewrite app_assoc. apply IH; [exact I |].
    rewrite app_length. simpl. lia.
Qed.

(** An index of a reduction's variables, with those of one value. *)
Fixpoint widen (d : list nat) (k : list Z) : list Z :=
  match d with
  | [] => []
  | n :: d' => if (1 <? n)%nat then hd 0 k :: widen d' (tl k) else 0 :: widen d' k
  end.

Lemma all_see_bound d : forall v k pre post, in_box (live d) k = true -> length pre = v ->
  all_see (pre ++ k ++ post) (bound v d) (widen d k).
Proof.
  induction d as [| n d IH]; intros v k pre post I len; [constructor |].
  cbn [bound widen]. unfold live in I. cbn [filter] in I.
  destruct (1 <? n)%nat eqn:N.
  - destruct k as [| z k]; [discriminate |]. apply in_box_cons in I. destruct I as [b I].
    constructor.
    + apply sees_var; [rewrite <- len; apply nth_middle | exact b].
    + cbn [tl]. change (pre ++ (z :: k) ++ post) with (pre ++ [z] ++ (k ++ post)).
      rewrite app_assoc. apply IH; [exact I |]. rewrite app_length. simpl. lia.
  - constructor; [apply sees_const |]. now apply IH.
Qed.

(** No side is 0: the box is that of the live sides, expanded. *)
Definition no_zero (d : list nat) : bool := forallb (fun n => negb (n =? 0)%nat) d.

Lemma box_live d : no_zero d = true -> box d = map (widen d) (box (live d)).
Proof.
  induction d as [| n d IH]; intros nz; [reflexivity |].
  apply andb_true_iff in nz. destruct nz as [n0 nz]. unfold live. cbn [filter widen].
  destruct (1 <? n)%nat eqn:N; cbn [Kernel.box].
  - rewrite (IH nz). rewrite !flat_map_concat_map, concat_map, !map_map. f_equal. apply map_ext.
    intros a. rewrite !map_map. reflexivity.
  - apply Nat.ltb_ge in N. apply negb_true_iff, Nat.eqb_neq in n0.
    replace n with 1%nat by lia. cbn [seq flat_map]. rewrite app_nil_r, (IH nz), map_map. reflexivity.
Qed.

Lemma live_single d : no_zero d = true -> forallb (Nat.eqb 1) d = match live d with [] => true | _ => false end.
Proof.
  induction d as [| n d IH]; intros nz; [reflexivity |].
  apply andb_true_iff in nz. destruct nz as [n0 nz]. apply negb_true_iff, Nat.eqb_neq in n0.
  unfold live in *. cbn [filter forallb]. destruct (Nat.ltb_spec 1 n) as [lt | ge].
  - destruct (Nat.eqb_spec 1 n); [lia | reflexivity].
  - destruct (Nat.eqb_spec 1 n); [| lia]. simpl. now apply IH.
Qed.

Lemma widen_in_box d k : no_zero d = true -> in_box (live d) k = true -> in_box d (widen d k) = true.
Proof.
  intros nz I. apply in_box_box. rewrite (box_live d nz). apply in_map. now apply in_box_box.
Qed.

Lemma widen_nil d : live d = [] -> widen d [] = map (fun _ => 0) d.
Proof.
  induction d as [| n d IH]; [reflexivity |]. unfold live. cbn [filter widen map].
  destruct (1 <? n)%nat; [discriminate |]. intros E. now rewrite IH.
Qed.
