(** * The equations of a gather say that the indices are those of the cell *)

From Coq Require Import Bool List Lia Arith ZArith Ring.
From Calque Require Import kernel.Kernel kernel.KernelProof kernel.Wf kernel.Sums.
From Calque Require Import kernel.Forms kernel.FormsProof kernel.Gradient kernel.GatherForm kernel.LinProof.
Import ListNotations.
Open Scope Z_scope.

Definition divisor_of (m k : Z) : Prop := 1 < k < m /\ m mod k = 0.

Lemma finer_sound key known f m k : finer key known f m = Some k -> divisor_of m k.
Proof.
  unfold finer.
  enough (H : forall best, (forall b, best = Some b -> divisor_of m b) ->
    forall k, fold_left (fun best d =>
        let '(g, k) := d in
        match form_cmp key f g with
        | Eq =>
            if (1 <? k) && (k <? m) && (m mod k =? 0) then
              match best with Some b => if b <? k then Some k else best | None => Some k end
            else best
        | _ => best
        end) known best = Some k -> divisor_of m k)
    by (apply H; discriminate).
  induction known as [| [g j] known IH]; intros best ok k'; simpl; [apply ok |].
  apply IH. intros b. destruct (form_cmp key f g); try apply ok.
  destruct ((1 <? j) && (j <? m) && (m mod j =? 0)) eqn:E; [| apply ok].
  assert (D : divisor_of m j).
  { rewrite !andb_true_iff, !Z.ltb_lt, Z.eqb_eq in E. unfold divisor_of. tauto. }
  destruct best as [b' |].
  - destruct (b' <? j); [| apply ok]. intros H. now injection H as <-.
  - intros H. now injection H as <-.
Qed.

Lemma lin_of_term key known a c f s :
  lin_of key known (FTerm a c f) s =
  let '(x, s) := lin_of_atom key known a s in
  let '(y, s) := lin_of key known f s in (mix c x 1 y, s).
Proof. reflexivity. Qed.

Lemma lin_of_div key known f m s :
  lin_of_atom key known (ADiv f m) s =
  let '(x, s) := lin_of key known f s in
  let '(q, r, s) := split_by key known f m x s in (q, s).
Proof. reflexivity. Qed.

Lemma lin_of_mod key known f m s :
  lin_of_atom key known (AMod f m) s =
  let '(x, s) := lin_of key known f s in
  let '(q, r, s) := split_by key known f m x s in (r, s).
Proof. reflexivity. Qed.

(** Are the indices [i] those of the cell [a]?  Where there is one cell they are. *)
Fixpoint same_cell (cell : list nat) (a i : list Z) : bool :=
  match cell, a, i with
  | n :: cell', y :: a', z :: i' => ((n <=? 1)%nat || (z =? y)) && same_cell cell' a' i'
  | _, _, _ => true
  end.

Section Equations.
  Variable ext : list nat.
  Variable e0 : list Z.
  Hypothesis e0_in : in_box ext e0 = true.
  Variable key : list nat.
  Variable known : list (form * Z).

  Definition among (n : nat) : bool := (1 <? nth n ext 1%nat)%nat.
  Notation settled := (settled ext e0).
  Notation in_scope := (in_scope ext).

  Definition gives (s : box_state) (d0 : list Z) (cond : bool) (x : lin) (s' : box_state) (z : Z) : Prop :=
    exists d0', settled s' d0' cond /\ advances s s' d0 d0' /\ in_scope s' x /\
                lin_val (e0 ++ d0') x = z.

  Lemma split_by_settled f m x s d0 cond q r s' :
    0 < m -> settled s d0 cond -> in_scope s x -> split_by key known f m x s = (q, r, s') ->
    exists d0', settled s' d0' cond /\ advances s s' d0 d0' /\ in_scope s' q /\ in_scope s' r /\
      lin_val (e0 ++ d0') q = lin_val (e0 ++ d0) x / m /\
      lin_val (e0 ++ d0') r = lin_val (e0 ++ d0) x mod m.
  Proof.
    intros pos S X. unfold split_by. destruct (finer key known f m) as [k |] eqn:E.
    - apply finer_sound in E as [[one less] whole].
      destruct (digit x k s) as [[q1 low] s1] eqn:D1.
      destruct (digit q1 (m / k) s1) as [[q2 high] s2] eqn:D2.
      intros H. cbv beta iota in H. injection H as <- <- <-.
      assert (pk : 0 < k) by lia.
      assert (EM : m = k * (m / k)) by (rewrite (Z.div_mod m k) at 1 by lia; lia).
      assert (pq : 0 < m / k) by nia.
      destruct (digit_settled ext e0 e0_in _ _ _ _ _ _ _ _ pk S X D1) as (d1 & S1 & A1 & Q1 & L1 & VQ1 & VL1).
      destruct (digit_settled ext e0 e0_in _ _ _ _ _ _ _ _ pq S1 Q1 D2) as (d2 & S2 & A2 & Q2 & H2 & VQ2 & VH2).
      exists d2. split; [exact S2 |]. split; [eapply advances_trans; eassumption |].
      split; [exact Q2 |].
      assert (L2 : in_scope s2 low) by (eapply in_scope_advances; eassumption).
      split.
      { destruct H2, L2. split; [| now apply supported_mix].
        unfold mix. cbn [snd]. now apply length_map2. }
      rewrite mix_val, VQ2, VH2, VQ1.
      rewrite (val_advances ext e0 e0_in _ _ _ _ _ low S1 A2 L1), VL1.
      set (v := lin_val (e0 ++ d0) x).
      assert (Z1 : v / k / (m / k) = v / m) by (rewrite Z.div_div by lia; now rewrite <- EM).
      split; [exact Z1 |].
      rewrite (Z.mod_eq v m), (Z.mod_eq v k), (Z.mod_eq (v / k) (m / k)) by lia.
      rewrite Z1. rewrite EM at 3. ring.
    - apply (digit_settled ext e0 e0_in); assumption.
  Qed.

  Lemma lin_of_settled :
    (forall f s d0 cond x s', divides_form among f = true -> settled s d0 cond ->
       lin_of key known f s = (x, s') -> gives s d0 cond x s' (eval_form e0 f)) /\
    (forall a s d0 cond x s', divides_atom among a = true -> settled s d0 cond ->
       lin_of_atom key known a s = (x, s') -> gives s d0 cond x s' (eval_atom e0 a)).
  Proof.
    apply form_atom_ind.
    - intros k s d0 cond x s' _ S H. cbn [lin_of] in H. inversion H; subst x s'; clear H. exists d0.
      split; [exact S |]. split; [apply advances_refl |]. split.
      + split; [simpl; lia |]. intros t H. unfold coef in H. simpl in H. now destruct t.
      + unfold lin_val. simpl. ring.
    - intros a IHa c f IHf s d0 cond x s' D S H. simpl in D. apply andb_true_iff in D as [Da Df].
      rewrite lin_of_term in H.
      destruct (lin_of_atom key known a s) as [y s1] eqn:E1.
      destruct (lin_of key known f s1) as [z s2] eqn:E2. cbv beta iota in H. injection H as <- <-.
      destruct (IHa _ _ _ _ _ Da S E1) as (d1 & S1 & A1 & Y & VY).
      destruct (IHf _ _ _ _ _ Df S1 E2) as (d2 & S2 & A2 & Zs & VZ).
      exists d2. split; [exact S2 |]. split; [eapply advances_trans; eassumption |].
      assert (Y2 : in_scope s2 y) by (eapply in_scope_advances; eassumption).
      split.
      { destruct Y2, Zs. split; [| now apply supported_mix].
        unfold mix. cbn [snd]. now apply length_map2. }
      rewrite mix_val, VZ, (val_advances ext e0 e0_in _ _ _ _ _ y S1 A2 Y), VY. cbn [eval_form]. ring.
    - intros n s d0 cond x s' D S H. change (among n = true) in D. cbn [lin_of_atom] in H. inversion H; subst x s'; clear H. exists d0.
      unfold among in D. pose proof D as W. apply Nat.ltb_lt in D.
      assert (lt : (n < length ext)%nat).
      { destruct (Nat.lt_ge_cases n (length ext)); [assumption |]. rewrite nth_overflow in D by lia. lia. }
      split; [exact S |]. split; [apply advances_refl |]. split.
      + split; [| apply supported_unit; unfold wide; now rewrite W].
        destruct S as [fresh E _ _ _ _]. unfold unit_lin. cbn [snd].
        rewrite E, !app_length, repeat_length. simpl. lia.
      + rewrite unit_val. rewrite app_nth1 by (rewrite (in_box_length _ _ e0_in); exact lt). simpl. ring.
    - intros f IH m s d0 cond x s' D S H. simpl in D. apply andb_true_iff in D as [pos D].
      apply Z.ltb_lt in pos. rewrite lin_of_div in H.
      destruct (lin_of key known f s) as [y s1] eqn:E1.
      destruct (split_by key known f m y s1) as [[q r] s2] eqn:E2. cbv beta iota in H. injection H as <- <-.
      destruct (IH _ _ _ _ _ D S E1) as (d1 & S1 & A1 & Y & VY).
      destruct (split_by_settled _ _ _ _ _ _ _ _ _ pos S1 Y E2) as (d2 & S2 & A2 & Q & _ & VQ & _).
      exists d2. split; [exact S2 |]. split; [eapply advances_trans; eassumption |].
      split; [exact Q |]. now rewrite VQ, VY.
    - intros f IH m s d0 cond x s' D S H. simpl in D. apply andb_true_iff in D as [pos D].
      apply Z.ltb_lt in pos. rewrite lin_of_mod in H.
      destruct (lin_of key known f s) as [y s1] eqn:E1.
      destruct (split_by key known f m y s1) as [[q r] s2] eqn:E2. cbv beta iota in H. injection H as <- <-.
      destruct (IH _ _ _ _ _ D S E1) as (d1 & S1 & A1 & Y & VY).
      destruct (split_by_settled _ _ _ _ _ _ _ _ _ pos S1 Y E2) as (d2 & S2 & A2 & _ & R & _ & VR).
      exists d2. split; [exact S2 |]. split; [eapply advances_trans; eassumption |].
      split; [exact R |]. now rewrite VR, VY.
  Qed.

  Lemma add_eq_settled x s d0 cond :
    settled s d0 cond -> in_scope s x ->
    settled (add_eq x s) d0 (cond && (lin_val (e0 ++ d0) x =? 0)).
  Proof.
    intros [fresh E D I sc dig] X. exists fresh; try assumption.
    - intros d ind. unfold add_eq. cbn [eqs]. rewrite forallb_app. cbn [forallb].
      rewrite andb_true_r, I by exact ind. unfold null.
      destruct (tuple_eqb_spec d d0) as [-> |]; [reflexivity |]. reflexivity.
    - intros y iny. unfold add_eq in iny. cbn [eqs] in iny.
      apply in_app_iff in iny as [iny | [<- | []]]; [now apply sc | exact X].
  Qed.

  Lemma settled_same s d0 cond cond' : cond = cond' -> settled s d0 cond -> settled s d0 cond'.
  Proof. now intros ->. Qed.

  Lemma equations_settled : forall cell forms i a s d0 cond,
    length a = length cell ->
    (forall j, (j < length cell)%nat -> nth (i + j) e0 0 = nth j a 0 /\
                                        nth (i + j) ext 1%nat = nth j cell 1%nat) ->
    forallb (divides_form among) forms = true ->
    settled s d0 cond ->
    exists d0', settled (equations key known i cell forms s) d0'
                  (cond && same_cell cell a (map (eval_form e0) forms)) /\
                advances s (equations key known i cell forms s) d0 d0'.
  Proof.
    induction cell as [| n cell IH]; intros forms i a s d0 cond len at_ D S.
    { exists d0. split; [| apply advances_refl]. simpl. now rewrite andb_true_r. }
    destruct a as [| y a]; [discriminate |]. injection len as len.
    destruct forms as [| f forms].
    { exists d0. split; [| apply advances_refl]. simpl. now rewrite andb_true_r. }
    simpl in D. apply andb_true_iff in D as [Df D].
    assert (next : forall j, (j < length cell)%nat -> nth (Datatypes.S i + j) e0 0 = nth j a 0 /\
                                        nth (Datatypes.S i + j) ext 1%nat = nth j cell 1%nat).
    { intros j lt. specialize (at_ (Datatypes.S j)).
      rewrite Nat.add_succ_r in at_. apply at_. simpl. lia. }
    destruct (at_ O ltac:(simpl; lia)) as [ye ne]. rewrite Nat.add_0_r in ye, ne. simpl in ye, ne.
    cbn [equations same_cell map]. destruct (Nat.leb_spec n 1) as [one | more]; cbn [orb].
    - cbn [andb]. now apply IH.
    - destruct (lin_of key known f s) as [x s1] eqn:E.
      destruct (proj1 lin_of_settled _ _ _ _ _ _ Df S E) as (d1 & S1 & A1 & X & VX).
      set (q := mix 1 x (-1) (unit_lin i 0)).
      assert (lt : (i < length ext)%nat).
      { destruct (Nat.lt_ge_cases i (length ext)); [assumption |]. rewrite nth_overflow in ne by lia. lia. }
      assert (Q : in_scope s1 q).
      { destruct X as [lx sx]. split.
        - unfold q, mix. cbn [snd]. apply length_map2; [exact lx |].
          destruct S1 as [fresh E1 _ _ _ _]. unfold unit_lin. cbn [snd].
          rewrite E1, !app_length, repeat_length. simpl. lia.
        - apply supported_mix; [exact sx |]. apply supported_unit. unfold wide. rewrite ne.
          apply orb_true_iff. left. now apply Nat.ltb_lt. }
      pose proof (add_eq_settled q s1 d1 cond S1 Q) as S2.
      destruct (IH forms (Datatypes.S i) a (add_eq q s1) d1 _ len next D S2) as (d2 & S3 & A2).
      exists d2. split.
      + eapply settled_same; [| exact S3]. rewrite <- andb_assoc. f_equal. f_equal.
        unfold q. rewrite mix_val, unit_val, VX.
        rewrite app_nth1 by (rewrite (in_box_length _ _ e0_in); exact lt). rewrite ye.
        apply eq_true_iff_eq. rewrite !Z.eqb_eq. lia.
      + eapply advances_trans; [exact A1 |]. destruct A2 as (m & f' & -> & E2).
        exists m, f'. split; [reflexivity | exact E2].
  Qed.

  Lemma start_settled : settled (State ext [] []) [] true.
  Proof.
    exists []; simpl; try easy.
    - now rewrite app_nil_r.
    - intros [|] H; [reflexivity | discriminate].
  Qed.
End Equations.
