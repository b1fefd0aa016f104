(** * Index expressions of gathers: equations solved and simplified *)

From Coq Require Import Bool List Lia Arith ZArith Ring Ring_theory.
From Calque Require Import kernel.Kernel kernel.KernelProof kernel.Wf kernel.WfProof.
From Calque Require Import kernel.Gather.
Import ListNotations.
Open Scope Z_scope.

Lemma mentions_free j k1 z z' k2 a :
  length k1 = j -> mentions j a = false ->
  eval_ix (k1 ++ z :: k2) a = eval_ix (k1 ++ z' :: k2) a.
Proof.
  intros <-. induction a as [n | | a IHa b IHb | a IHa b IHb | | |]; simpl; intros free;
    try (apply orb_false_iff in free as []; rewrite IHa, IHb by assumption; reflexivity);
    try (rewrite IHa by exact free; reflexivity); [| reflexivity].
  apply Nat.eqb_neq in free. destruct (Nat.lt_ge_cases n (length k1)).
  - now rewrite !app_nth1.
  - rewrite !app_nth2 by lia. destruct (n - length k1)%nat eqn:E; [lia | reflexivity].
Qed.

Lemma eq_mul_div y t k : k <> 0 -> y * k = t <-> y = t / k /\ t mod k = 0.
Proof.
  intros ne. split.
  - intros <-. split; [now rewrite Z.div_mul | now apply Z.mod_mul].
  - intros [-> E]. pose proof (Z.div_mod t k ne). lia.
Qed.

(** What [solve] gives is equivalent to the equation. *)
Lemma solve_sound rho j a : forall t x cs,
  solve j a t = Some (x, cs) ->
  (eval_ix rho a = eval_ix rho t <->
   nth j rho 0 = eval_ix rho x /\ forallb (eval_cond rho) cs = true).
Proof.
  induction a as [n | | a IHa b IHb | a IHa b IHb | a IHa k | |]; intros t x cs H;
    simpl in H; try discriminate.
  - destruct (Nat.eqb_spec n j) as [-> |]; [| discriminate]. injection H as <- <-.
    simpl. intuition.
  - destruct (mentions j b); [destruct (mentions j a); [discriminate |] |].
    + apply IHb in H. simpl in H |- *. rewrite <- H. lia.
    + apply IHa in H. simpl in H |- *. rewrite <- H. lia.
  - destruct (mentions j b); [destruct (mentions j a); [discriminate |] |].
    + apply IHb in H. simpl in H |- *. rewrite <- H. lia.
    + apply IHa in H. simpl in H |- *. rewrite <- H. lia.
  - destruct (Z.eqb_spec k 0) as [| ne]; [discriminate |].
    destruct (solve j a (IDiv t k)) as [[x' cs'] |] eqn:E; [| discriminate].
    injection H as <- <-. apply IHa in E. simpl in E |- *.
    rewrite andb_true_iff, Z.eqb_eq, eq_mul_div by exact ne. rewrite E. intuition.
Qed.

Lemma insertion_eval j x n k1 k2 :
  length k1 = j -> (length k1 + length k2)%nat = (n - 1)%nat ->
  map (eval_ix (k1 ++ k2)) (insertion j x n) = k1 ++ eval_ix (k1 ++ k2) x :: k2.
Proof.
  intros <- len. unfold insertion. rewrite map_app. cbn [map]. f_equal.
  - apply eval_vars.
  - f_equal. replace (n - 1 - length k1)%nat with (length k2) by lia.
    now apply eval_vars_from.
Qed.

Lemma remove_at_app {A} (l1 l2 : list A) a : remove_at (length l1) (l1 ++ a :: l2) = l1 ++ l2.
Proof. induction l1; simpl; congruence. Qed.

Lemma mk_add_eval rho a b : eval_ix rho (mk_add a b) = eval_ix rho a + eval_ix rho b.
Proof.
  unfold mk_add.
  destruct a as [| [] | | | | |], b as [| [] | | | | |]; simpl; try lia;
    destruct (Z.ltb_spec _ _); simpl; lia.
Qed.

Lemma ix_eqb_eval rho a b : ix_eqb a b = true -> eval_ix rho a = eval_ix rho b.
Proof. intros H. now apply ix_eqb_eq in H as ->. Qed.

Lemma mk_sub_eval rho a b : eval_ix rho (mk_sub a b) = eval_ix rho a - eval_ix rho b.
Proof.
  unfold mk_sub. destruct (ix_eqb a b) eqn:E; [apply (ix_eqb_eval rho) in E; simpl; lia |].
  clear E.
  destruct a, b; try reflexivity;
    repeat match goal with
    | |- context [if ix_eqb ?c ?d then _ else _] =>
        let E := fresh in destruct (ix_eqb c d) eqn:E; [apply (ix_eqb_eval rho) in E |]
    | |- context [if ?y <? ?z then _ else _] => destruct (Z.ltb_spec y z)
    | |- context [match ?z with Z0 => _ | _ => _ end] => destruct z
    end; rewrite ?mk_add_eval; simpl in *; lia.
Qed.

Lemma simp_ix_eval rho a : eval_ix rho (simp_ix a) = eval_ix rho a.
Proof.
  induction a as [| | a IHa b IHb | a IHa b IHb | a IHa k | a IHa k | a IHa k]; simpl.
  - reflexivity.
  - reflexivity.
  - now rewrite mk_add_eval, IHa, IHb.
  - now rewrite mk_sub_eval, IHa, IHb.
  - rewrite <- IHa. unfold mk_mul. destruct (simp_ix a); try reflexivity;
      destruct (Z.eqb_spec k 1), (Z.eqb_spec k 0); subst; simpl; lia.
  - rewrite <- IHa. unfold mk_div. destruct (simp_ix a); try reflexivity;
      destruct (Z.eqb_spec k 1); subst; simpl; now rewrite ?Z.div_1_r.
  - rewrite <- IHa. unfold mk_mod. destruct (simp_ix a); try reflexivity;
      destruct (Z.eqb_spec k 1); subst; simpl; now rewrite ?Z.mod_1_r.
Qed.

Lemma simp_cond_eval rho c : eval_cond rho (simp_cond c) = eval_cond rho c.
Proof. induction c; simpl; rewrite ?simp_ix_eval; congruence. Qed.

Lemma surely_sound rho G c : holds rho G -> surely G c = true -> eval_cond rho c = true.
Proof.
  intros H. induction c as [o a b | c IHc d IHd]; cbn [surely].
  - destruct (range G (ISub a b)) as [d |] eqn:E; [| discriminate].
    intros S. destruct (eval_cond rho (CCmp o a b)) eqn:F; [reflexivity |].
    pose proof (range_sound rho G (ISub a b) H d E) as here. cbn [eval_ix] in here.
    apply (cmp_span_sound (cmp_neg o)) in here.
    2: { rewrite eval_cmp_neg. simpl in F. now rewrite F. }
    unfold inside in here. destruct (cmp_span _ d) as [l h]. simpl in *.
    apply Z.ltb_lt in S. lia.
  - simpl. rewrite !andb_true_iff. intuition.
Qed.

Lemma bool_iff a b : (a = true <-> b = true) -> a = b.
Proof. destruct a, b; intuition; symmetry; intuition. Qed.

Lemma forallb_map {A B} (f : A -> bool) (g : B -> A) l :
  forallb f (map g l) = forallb (fun b => f (g b)) l.
Proof. induction l; simpl; congruence. Qed.

Lemma forallb_ext {A} (f g : A -> bool) l : (forall a, f a = g a) -> forallb f l = forallb g l.
Proof. intros same. induction l; simpl; congruence. Qed.

Lemma forallb_mid {A} (f : A -> bool) l a m :
  forallb f (l ++ a :: m) = f a && forallb f (l ++ m).
Proof.
  rewrite !forallb_app. simpl. destruct (f a), (forallb f l); reflexivity.
Qed.

Lemma pick_sound {A B} (f : A -> option B) l : forall pre pre' b post,
  In (pre', b, post) (pick f pre l) ->
  exists a mid, f a = Some b /\ pre' = pre ++ mid /\ l = mid ++ a :: post.
Proof.
  induction l as [| a l IH]; intros pre pre' b post ini; simpl in ini; [contradiction |].
  apply in_app_iff in ini as [ini | ini].
  - destruct (f a) as [b' |] eqn:E; [| contradiction]. destruct ini as [ini | []].
    injection ini as <- <- <-. exists a, []. now rewrite app_nil_r.
  - apply IH in ini as (a' & mid & fa & -> & ->). exists a', (a :: mid).
    now rewrite <- app_assoc.
Qed.

Lemma digit_eq y c s t :
  0 < c -> (y / c = s /\ y mod c = t <-> y = s * c + t /\ 0 <= t < c).
Proof.
  intros pos. split.
  - intros [<- <-]. pose proof (Z.div_mod y c ltac:(lia)).
    pose proof (Z.mod_pos_bound y c pos). lia.
  - intros [-> lt]. split.
    + symmetry. apply Z.div_unique with t; lia.
    + symmetry. apply Z.mod_unique with s; lia.
Qed.
