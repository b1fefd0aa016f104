(** * Views read as values

    One lemma per view: the path rule of [rd] is the list function of [eval].
    Since every well-typed value is what some root view reads, the same lemmas
    also give that evaluation is well typed, and serve for the acceptors. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import base.Lists dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Target.
Import ListNotations.
Set Implicit Arguments.

(** The cases of a path below a type. *)
Tactic Notation "path_cases" ident(p) ident(i) :=
  destruct p as [| [i | |] p]; cbn [leaf] in *; try tauto.

Section Match.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation data := (data N). Notation exp := (exp A N). Notation vexp := (vexp A N).
  Notation value := (value A). Notation store := (store A).
  Implicit Types (d : data) (v : vexp) (w : value) (m : store) (ie : ienv).

  Definition matches ie m d v w : Prop :=
    has_type d w /\ forall p, leaf d p -> rd ie m v p = look w p.

  (** What a variable's view stands for. *)
  Definition stands_for ie m (t : entry N) v w : Prop :=
    match t with
    | TD d => matches ie m d v w
    | TI n => exists i k, v = VIx i /\ w = Pos k /\ ixv ie i = Z.of_nat k /\ k < #n
    end.

  Section At.
    Variables (ie : ienv) (m : store).
    Notation matches := (matches ie m).

    Lemma match_lit c : matches DNum (VLit c) (Num (lit_val A c)).
    Proof. split; [exact I |]. intros p lf. path_cases p i. Qed.

    Lemma match_un o v w :
      matches DNum v w -> matches DNum (VUn o v) (with_num (fun x => Num (uop_val A o x)) w).
    Proof.
      intros [H same]. apply has_num in H as [x ->]. split; [exact I |].
      intros p lf. path_cases p i. cbn. now rewrite same.
    Qed.

    Lemma match_bin o v1 v2 w1 w2 : matches DNum v1 w1 -> matches DNum v2 w2 ->
      matches DNum (VBin o v1 v2)
        (with_num (fun x => with_num (fun y => Num (bop_val A o x y)) w2) w1).
    Proof.
      intros [H1 same1] [H2 same2]. apply has_num in H1 as [x ->], H2 as [y ->].
      split; [exact I |]. intros p lf. path_cases p i. cbn. now rewrite same1, same2.
    Qed.

    Lemma match_idx n d v w i k : matches (DAry n d) v w -> index ie i = Some k -> k < #n ->
      matches d (VIdx v i) (nth k (elems w) junk).
    Proof.
      intros [H same] E lt. apply has_ary in H as (l & -> & len & each). cbn [elems].
      rewrite <- len in lt. destruct (nth_some _ lt) as [x Ex]. rewrite (nth_error_nth _ _ _ Ex).
      split; [eauto |]. intros p lf. cbn [rd]. rewrite E. cbn [obind].
      rewrite same by (cbn; rewrite <- len; auto). cbn. now rewrite Ex.
    Qed.

    Lemma match_zip n d1 d2 v1 v2 w1 w2 : matches (DAry n d1) v1 w1 -> matches (DAry n d2) v2 w2 ->
      matches (DAry n (DPair d1 d2)) (VZip v1 v2) (zip_of w1 w2).
    Proof.
      intros [H1 same1] [H2 same2].
      apply has_ary in H1 as (l1 & -> & len1 & each1).
      apply has_ary in H2 as (l2 & -> & len2 & each2).
      unfold zip_of. cbn [elems]. split.
      - cbn. rewrite map_length, combine_length. split; [lia |]. intros i x.
        rewrite nth_error_map, nth_combine.
        destruct (nth_error l1 i) eqn:E1, (nth_error l2 i) eqn:E2; cbn; intros E; try discriminate.
        injection E as <-. cbn; eauto.
      - intros p lf. path_cases p i. destruct lf as [lt lf].
        assert (lt1 : i < length l1) by lia. assert (lt2 : i < length l2) by lia.
        destruct (nth_some _ lt1) as [x Ex], (nth_some _ lt2) as [y Ey].
        path_cases p j; cbn [rd]; rewrite ?same1, ?same2 by (cbn; auto); cbn;
          now rewrite nth_error_map, nth_combine, Ex, Ey.
    Qed.

    Lemma match_split n k d v w : matches (DAry (mul N n k) d) v w ->
      matches (DAry k (DAry n d)) (VSplit n v) (split_of #n #k w).
    Proof.
      intros [H same]. apply has_ary in H as (l & -> & len & each). rewrite count_mul in len.
      unfold split_of. cbn [elems].
      assert (at_ : forall i j, i < #k -> j < #n ->
                nth_error (firstn #n (skipn (i * #n) l)) j = nth_error l (i * #n + j)).
      { intros i j lt_i lt_j. rewrite nth_error_firstn by auto. apply nth_error_skipn. }
      split.
      - cbn. rewrite map_length, seq_length. split; auto. intros i x. rewrite nth_error_map.
        destruct (nth_error (seq 0 #k) i) eqn:E; cbn; intros X; try discriminate. injection X as <-.
        pose proof (nth_error_bound _ _ _ E) as lt. rewrite seq_length in lt.
        rewrite nth_seq in E by auto. injection E as <-.
        split; [rewrite firstn_length, skipn_length; nia |]. intros j y Ej.
        assert (j < #n) by (apply nth_error_bound in Ej; rewrite firstn_length in Ej; lia).
        rewrite at_ in Ej by auto. eauto.
      - intros p lf. path_cases p i. destruct lf as [lt_i lf]. path_cases p j.
        destruct lf as [lt_j lf].
        cbn [rd]. rewrite same by (cbn [leaf]; rewrite count_mul; split; [nia | auto]).
        cbn. rewrite nth_error_map, nth_seq by auto. cbn. now rewrite at_.
    Qed.

    Lemma match_join n k d v w : matches (DAry k (DAry n d)) v w ->
      matches (DAry (mul N n k) d) (VJoin n v) (join_of w).
    Proof.
      intros [H same]. apply has_ary in H as (rows & -> & len & each).
      unfold join_of. cbn [elems].
      assert (len_row : forall l, In l (map elems rows) -> length l = #n).
      { intros l Hl. apply in_map_iff in Hl as (x & <- & Hx). apply In_nth_error in Hx as [i Hi].
        apply each, has_ary in Hi as (l' & -> & len' & _). exact len'. }
      assert (at_ : forall i, i < #n * #k -> nth_error (concat (map elems rows)) i =
                match nth_error rows (i / #n) with
                | Some row => nth_error (elems row) (i mod #n) | None => None end).
      { intros i lt. assert (#n <> 0) by nia. rewrite (Nat.div_mod i #n) at 1 by auto.
        rewrite (Nat.mul_comm #n).
        rewrite (nth_concat _ len_row) by (apply Nat.mod_upper_bound; auto).
        rewrite nth_error_map. now destruct (nth_error rows (i / #n)). }
      split.
      - cbn. rewrite (length_concat _ len_row), map_length, count_mul. split; [lia |].
        intros i x Ei.
        assert (lt : i < #n * #k)
          by (apply nth_error_bound in Ei; rewrite (length_concat _ len_row), map_length in Ei; lia).
        rewrite at_ in Ei by auto. destruct (nth_error rows (i / #n)) eqn:E; try discriminate.
        apply each, has_ary in E as (l' & -> & _ & each'). eauto.
      - intros p lf. path_cases p i. rewrite count_mul in lf. destruct lf as [lt lf].
        assert (nz : #n <> 0) by nia. apply Nat.eqb_neq in nz as nzb. cbn [rd]. rewrite nzb, same.
        + cbn. rewrite at_ by auto. destruct (nth_error rows (i / #n)) eqn:E; auto.
          apply each, has_ary in E as (l' & -> & _ & _). reflexivity.
        + cbn. repeat split; auto; [apply Nat.div_lt_upper_bound; lia |
            now apply Nat.mod_upper_bound].
    Qed.

    Lemma match_pair d1 d2 v1 v2 w1 w2 :
      matches d1 v1 w1 -> matches d2 v2 w2 -> matches (DPair d1 d2) (VPair v1 v2) (Two w1 w2).
    Proof. intros [H1 same1] [H2 same2]. split; [now split |]. intros p lf.
    path_cases p i; cbn; auto. Qed.

    Lemma match_fst d1 d2 v w : matches (DPair d1 d2) v w -> matches d1 (VFst v) (fst_of w).
    Proof.
      intros [H same]. apply has_pair in H as (a & b & -> & Ha & Hb). split; auto.
      intros p lf. cbn [rd]. now rewrite same.
    Qed.

    Lemma match_snd d1 d2 v w : matches (DPair d1 d2) v w -> matches d2 (VSnd v) (snd_of w).
    Proof.
      intros [H same]. apply has_pair in H as (a & b & -> & Ha & Hb). split; auto.
      intros p lf. cbn [rd]. now rewrite same.
    Qed.

    Lemma match_rev n d v w : matches (DAry n d) v w ->
      matches (DAry n d) (VRev n v) (reverse_of w).
    Proof.
      intros [H same]. apply has_ary in H as (l & -> & len & each). unfold reverse_of. cbn [elems].
      split.
      - cbn. rewrite rev_length. split; auto. intros i x Ei. pose proof (nth_error_bound _ _ _ Ei) as lt.
        rewrite rev_length in lt. rewrite nth_rev in Ei by auto. eauto.
      - intros p lf. path_cases p i. destruct lf as [lt lf]. apply Nat.ltb_lt in lt as ltb.
        cbn [rd]. rewrite ltb, same by (cbn; split; [lia | auto]). cbn. rewrite nth_rev by lia.
        now rewrite len.
    Qed.

    Lemma match_tr n k d v w : matches (DAry n (DAry k d)) v w ->
      matches (DAry k (DAry n d)) (VTr v) (transpose_of #k w).
    Proof.
      intros [H same]. apply has_ary in H as (l & -> & len & each). unfold transpose_of.
      cbn [elems]. split.
      - cbn. rewrite map_length, seq_length. split; auto. intros j x Ej.
        pose proof (nth_error_bound _ _ _ Ej) as lt.
        rewrite map_length, seq_length in lt. rewrite nth_error_map, nth_seq in Ej by auto.
        injection Ej as <-.
        split; [now rewrite map_length |]. intros i x. rewrite nth_error_map.
        destruct (nth_error l i) eqn:E; cbn; intros X; try discriminate. injection X as <-.
        apply each, has_ary in E as (row & -> & len' & each'). cbn. rewrite <- len' in lt.
        destruct (nth_some _ lt) as [y Ey]. rewrite (nth_error_nth _ _ _ Ey). eauto.
      - intros p lf. path_cases p i. destruct lf as [lt_j lf]. path_cases p j.
        destruct lf as [lt_i lf].
        cbn [rd]. rewrite same by (cbn; auto). cbn. rewrite nth_error_map, nth_seq by auto. cbn.
        rewrite nth_error_map. rewrite <- len in lt_i. destruct (nth_some _ lt_i) as [y Ey].
        rewrite Ey. cbn.
        pose proof Ey as Ey'. apply each, has_ary in Ey' as (row & -> & len' & each'). cbn.
        rewrite <- len' in lt_j. destruct (nth_some _ lt_j) as [z Ez].
        now rewrite Ez, (nth_error_nth _ _ _ Ez).
    Qed.

    Lemma match_ite c d v1 v2 w1 w2 :
      (holds ie c = true -> matches d v1 w1) -> (holds ie c = false -> matches d v2 w2) ->
      matches d (VIte c v1 v2) (if holds ie c then w1 else w2).
    Proof.
      intros one two. unfold Match.matches. cbn [rd].
      destruct (holds ie c); [now apply one | now apply two].
    Qed.

    Lemma match_num v w : matches DNum v w -> exists x, w = Num x /\ rd ie m v [] = Some x.
    Proof. intros [H same]. destruct (has_num H) as [x ->]. exists x. split; auto.
    now rewrite same. Qed.
  End At.

  (** ** Every value is read by some view *)

  Definition nowhere : ienv := fun _ => 0%Z.
  (** Root 0 holds [w1], every other root [w2]. *)
  Definition holding w1 w2 : store :=
    fun r p => option_map Some (look (match r with 0 => w1 | _ => w2 end) p).

  Lemma root0 d w1 w2 : has_type d w1 -> matches nowhere (holding w1 w2) d (VRoot 0) w1.
  Proof.
    intros H. split; auto. intros p lf. cbn. unfold holding.
    destruct (look_some d _ _ H lf) as [x ->]. reflexivity.
  Qed.

  Lemma root1 d w1 w2 : has_type d w2 -> matches nowhere (holding w1 w2) d (VRoot 1) w2.
  Proof.
    intros H. split; auto. intros p lf. cbn. unfold holding.
    destruct (look_some d _ _ H lf) as [x ->]. reflexivity.
  Qed.

  Arguments root0 {d w1} w2 _.
  Arguments root1 {d} w1 {w2} _.

  (** ** Evaluation is well typed *)

  Lemma fold_has_type d (f : value -> value -> value) l : forall w,
    has_type d w -> (forall acc x, has_type d acc -> In x l -> has_type d (f acc x)) ->
    has_type d (fold_left f l w).
  Proof.
    induction l as [| x l IH]; cbn; intros w H step; [exact H |].
    apply IH; auto.
  Qed.

  Theorem eval_has_type G (e : exp) d : ty G e d -> forall env, env_ok G env ->
    has_type d (eval env e).
  Proof.
    induction 1 as [G x d looked | | G o e _ IH | G o e1 e2 _ IH1 _ IH2 | G p n d1 d f e _ IHe _ IHf
      | G p n d f _ IHf | G n d1 d f i e _ IHe _ IHi _ IHf | G n d f i _ IHi _ IHf
      | G n d1 d2 e1 e2 _ IH1 _ IH2 | G n k d e _ IH | G n k d e _ IH | G n d e i _ IH _ rng
      | G d1 d2 e1 e2 _ IH1 _ IH2 | G d1 d2 e _ IH | G d1 d2 e _ IH | G n d e _ IH | G n k d e _ IH
      | G c d e1 e2 _ _ IH1 _ IH2 | G d1 d e f _ IHe _ IHf]; intros env ok; cbn [eval].
    - destruct (proj1 ok _ _ looked) as (w & E & H). now rewrite (nth_error_nth _ _ _ E).
    - exact I.
    - destruct (has_num (IH env ok)) as [x ->]. exact I.
    - destruct (has_num (IH1 env ok)) as [x ->], (has_num (IH2 env ok)) as [y ->]. exact I.
    - destruct (has_ary (IHe env ok)) as (l & -> & len & each). cbn. rewrite map_length.
      split; auto.
      intros i x. rewrite nth_error_map.
      destruct (nth_error l i) eqn:E; cbn; intros X; try discriminate.
      injection X as <-. apply IHf, env_bind; cbn; eauto.
    - cbn. rewrite map_length, seq_length. split; auto. intros i x Ei.
      pose proof (nth_error_bound _ _ _ Ei) as lt.
      rewrite map_length, seq_length in lt. rewrite nth_error_map, nth_seq in Ei by auto.
      injection Ei as <-.
      apply IHf, env_bind; cbn; eauto.
    - destruct (has_ary (IHe env ok)) as (l & -> & len & each). cbn [elems].
      apply fold_has_type; auto. intros acc x Hacc Hx. apply In_nth_error in Hx as [j Ej].
      apply IHf, env_bind; [apply env_bind |]; cbn; eauto.
    - apply fold_has_type; auto. intros acc x Hacc Hx. apply in_map_iff in Hx as (k & <- & Hk).
      apply in_seq in Hk. apply IHf, env_bind; [apply env_bind |]; cbn; auto. exists k. split; auto.
      lia.
    - apply (match_zip (root0 (eval env e2) (IH1 env ok)) (root1 (eval env e1) (IH2 env ok))).
    - apply (match_split _ _ (root0 junk (IH env ok))).
    - apply (match_join (root0 junk (IH env ok))).
    - destruct (index_in_range ok rng) as (k & -> & lt).
      destruct (has_ary (IH env ok)) as (l & -> & len & each). cbn. rewrite <- len in lt.
      destruct (nth_some _ lt) as [x Ex]. rewrite (nth_error_nth _ _ _ Ex). eauto.
    - split; auto.
    - destruct (has_pair (IH env ok)) as (a & b & -> & Ha & Hb). exact Ha.
    - destruct (has_pair (IH env ok)) as (a & b & -> & Ha & Hb). exact Hb.
    - apply (match_rev (root0 junk (IH env ok))).
    - apply (match_tr (root0 junk (IH env ok))).
    - pose proof (env_assume c ok) as ok'.
      destruct (holds (positions env) c); [now apply IH1 | now apply IH2].
    - apply IHf, env_bind; cbn; auto.
  Qed.
End Match.

Arguments root0 {A N s d w1} w2 _.
Arguments root1 {A N s d} w1 {w2} _.
