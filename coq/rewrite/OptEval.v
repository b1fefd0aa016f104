(** * Optimising keeps what a graph evaluates to

    [Opt] speaks of the sizes of constants as a part of the state; here they are those that
    are written on the graph, before and after, so that both are [graph_eval]. *)

From Coq Require Import Bool Arith Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Order rewrite.Rewrite rewrite.RewriteProof.
From Calque Require Import rewrite.Sound rewrite.SoundRule rewrite.SoundModel rewrite.GraphEval rewrite.Fold.
From Calque Require Import rewrite.Opt.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.OpTable tensor.Meaning.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Definition node_sizes (n : node oper) : option sizes :=
  let? s := look_up String.eqb (type (op n)) "shape"%string in shape_of s.

(** Two nodes of one constant have the same sizes written on them. *)
Definition consistent (g : tgraph) : bool :=
  forallb (fun n => match what (op n) with
                    | KConst k _ =>
                        (k =? 0)%N ||
                        match written_shape g k, node_sizes n with
                        | Some a, Some b => sizes_eqb a b
                        | None, None => true
                        | _, _ => false
                        end
                    | _ => true
                    end) g.

(** *** What is built is no constant of the environment *)

Definition no_const (n : node oper) : Prop := forall k v, what (op n) = KConst k v -> k = 0%N.
Definition only_new (g h : tgraph) : Prop := exists more, h = g ++ more /\ Forall no_const more.

Lemma only_new_refl g : only_new g g.
Proof. exists []. now rewrite app_nil_r. Qed.

Lemma only_new_one g n : no_const n -> only_new g (g ++ [n]).
Proof. intros no. exists [n]. split; [reflexivity | now constructor]. Qed.

Lemma only_new_trans a b c : only_new a b -> only_new b c -> only_new a c.
Proof.
  intros (m & -> & F) (k & -> & H). exists (m ++ k). split; [now rewrite app_assoc | now apply Forall_app].
Qed.

Section Built.
  Variables (pats : list pattern) (g : tgraph) (M : mstate).

  Lemma plan_no_const i q gs o es : plan pats g M i q = Some (gs, FNew o) -> no_const (Node o es).
  Proof.
    intros P k v W. simpl in W. unfold plan in P. destruct (form q); try discriminate.
    - destruct a as [a |]; [| discriminate]. destruct (value_at _ _ _ i a); [| discriminate].
      destruct (given _ _ _ i q); [| discriminate]. injection P as _ <-. cbn in W. congruence.
    - destruct (target_op g M o0); [| discriminate]. destruct (parts _ _ _ i kids); [| discriminate].
      destruct (given _ _ _ i q); [| discriminate]. injection P as _ <-. discriminate.
    - destruct (parts _ _ _ i kids); [| discriminate]. injection P as _ <-. discriminate.
    - destruct a as [a |]; [| discriminate]. destruct (value_at _ _ _ i a) as [[| | z | | |] |]; discriminate.
    - destruct otherwise as [a |]; [| discriminate]. destruct (value_at _ _ _ i a); [| discriminate].
      injection P as _ <-. cbn in W. congruence.
    - destruct (value_at _ _ _ i c) as [[| [|] | | | |] |]; discriminate.
    - destruct (look_up Nat.eqb (alts M) alt) as [j |]; [| discriminate]. destruct (nth_error kids j); discriminate.
  Qed.

  Lemma finished_only_new i q gs f es h e h' : plan pats g M i q = Some (gs, f) ->
    finished f es h = Some (e, h') -> only_new h h'.
  Proof.
    intros P F. destruct f as [o | | k]; simpl in F.
    - injection F as _ <-. apply only_new_one. exact (plan_no_const i q gs o es P).
    - destruct es as [| x [|]]; try discriminate. injection F as _ <-. apply only_new_refl.
    - destruct es as [| x [|]]; try discriminate. destruct (nth_error h x) as [m |]; [| discriminate].
      assert (only_new h (h ++ [Node (Oper (KProj k) [] []) [x]])) as proj.
      { apply only_new_one. intros j v W. discriminate. }
      destruct (what (op m)); try (injection F as _ <-; exact proj).
      destruct (k <? 0)%Z; [discriminate |]. destruct (nth_error (args m) (Z.to_nat k)); [| discriminate].
      injection F as _ <-. apply only_new_refl.
  Qed.

  Lemma build_only_new fuel : forall i st p e st',
    build pats g M fuel i st p = Some (e, st') -> only_new (whole st) (whole st').
  Proof.
    induction fuel as [| fuel IH]; intros i st p e st' B; [discriminate |]. cbn [build] in B.
    destruct (nth_error pats p) as [q |]; [| discriminate].
    destruct (looked_up pats g M i p q); [injection B as _ <-; apply only_new_refl |].
    destruct (look_up addr_eqb (built st) (at_ i p q)); [injection B as _ <-; apply only_new_refl |].
    destruct (plan pats g M i q) as [[gs f] |] eqn:P; [| discriminate].
    match type of B with context [collects ?f st gs] =>
      destruct (collects f st gs) as [[es st1] |] eqn:C; [| discriminate] end.
    destruct (finished f es (whole st1)) as [[e' h] |] eqn:F; [| discriminate]. injection B as _ <-. cbn [whole].
    apply only_new_trans with (whole st1); [| exact (finished_only_new i q gs f es _ e' h P F)].
    clear F P. revert st es C. induction gs as [| [j p'] gs IHg]; intros st es C; simpl in C.
    - injection C as _ <-. apply only_new_refl.
    - destruct (build pats g M fuel j st p') as [[e1 st2] |] eqn:B1; [| discriminate].
      match type of C with context [collects ?f st2 gs] =>
        destruct (collects f st2 gs) as [[es' st3] |] eqn:C1; [| discriminate] end.
      injection C as _ <-.
      apply only_new_trans with (whole st2); [exact (IH _ _ _ _ _ B1) | exact (IHg _ _ C1)].
  Qed.
End Built.

Lemma roots_only_new r g M n es st : build_roots r g M n = Some (es, st) -> only_new g (whole st).
Proof.
  unfold build_roots. change g with (whole (BState [] g)) at 3. generalize (BState [] g) as st0. revert es.
  generalize (roots r n) as l. induction l as [| [j p] l IH]; intros es st0 C; simpl in C.
  - injection C as _ <-. apply only_new_refl.
  - destruct (build (patterns r) g M (List.length (patterns r)) j st0 p) as [[e1 st2] |] eqn:B1; [| discriminate].
    match type of C with context [collects ?f st2 l] =>
      destruct (collects f st2 l) as [[es' st3] |] eqn:C1; [| discriminate] end.
    injection C as _ <-.
    apply only_new_trans with (whole st2); [exact (build_only_new _ _ _ _ _ _ _ _ _ B1) | exact (IH _ _ C1)].
Qed.

(** *** Operators of nodes that are moved *)

(** Each constant of [h] is one of [g], with its type. *)
Definition consts_of (g h : tgraph) : Prop :=
  forall m, In m h -> no_const m \/ exists n, In n g /\ op m = op n.

Lemma consts_trans a b c : consts_of a b -> consts_of b c -> consts_of a c.
Proof.
  intros H K m inm. destruct (K m inm) as [no | (n & inn & E)]; [now left |].
  destruct (H n inn) as [no | (x & inx & E')].
  - left. intros k v. rewrite E. apply no.
  - right. exists x. split; [exact inx | congruence].
Qed.

Lemma reorder_consts order (g : tgraph) : consts_of g (reorder order g).
Proof.
  intros m inm. unfold reorder in inm. apply in_flat_map in inm. destruct inm as (i & _ & inm).
  destruct (nth_error g i) as [n |] eqn:at_i; [| destruct inm]. destruct inm as [<- | []].
  right. exists n. split; [now apply nth_error_In in at_i | reflexivity].
Qed.

Lemma redirect_consts to (g : tgraph) : consts_of g (redirect to g).
Proof.
  intros m inm. unfold redirect in inm. apply in_map_iff in inm. destruct inm as (n & <- & inn).
  right. now exists n.
Qed.

Lemma tidy_consts g os : consts_of g (fst (tidy g os)).
Proof. apply reorder_consts. Qed.

Lemma retype_consts g h moves : only_new g h -> consts_of g (g ++ skipn (List.length g) (retype g h moves)).
Proof.
  intros (more & -> & F) m inm. apply in_app_or in inm. destruct inm as [inm | inm]; [right; now exists m |].
  left. apply In_nth_error in inm. destruct inm as [j at_j]. rewrite nth_error_skipn, retype_nth, nth_error_app2 in at_j by lia.
  destruct (nth_error more _) as [n |] eqn:at_n; [| discriminate]. injection at_j as <-.
  apply nth_error_In in at_n. rewrite Forall_forall in F. specialize (F n at_n).
  intros k v W. apply (F k v). revert W. unfold retyped. destruct (find _ moves) as [mv |]; [| easy].
  destruct (nth_error g _); [easy |]. now destruct (nth_error g (fst mv)).
Qed.

Lemma rewrite_consts r g os M outs h os' : rewrite_match r g os M outs = Some (h, os') -> consts_of g h.
Proof.
  unfold rewrite_match. destruct (build_roots r g M (List.length outs)) as [[es st] |] eqn:B; [| discriminate].
  destruct (Nat.eqb _ _ && _); [| discriminate]. unfold place_target. destruct (_ && _); [| discriminate].
  intros H. injection H as <- _. eapply consts_trans; [| apply tidy_consts].
  eapply consts_trans; [| apply redirect_consts]. eapply consts_trans; [| apply reorder_consts].
  apply retype_consts. exact (roots_only_new _ _ _ _ _ _ B).
Qed.

(** ** The sizes of constants are those that are written *)

Section Labelled.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation state := (state S).
  Variable inputs : N -> option tensor.
  Variable spell : tensor -> option value.
  Hypothesis spell_value : forall t v, spell t = Some v -> constant S v (Some (dims t)) = Some t.
  Variable rules : list (string * rule).
  Hypothesis sound : forall constants shapes name r, In (name, r) rules ->
    rule_sound_for (tensors S inputs constants shapes) commutative r.

  Definition labelled (s : state) : Prop :=
    forall n k v, In n (nodes s) -> what (op n) = KConst k v -> k <> 0%N -> shapes s k = node_sizes n.

  Lemma labelled_consts g os c sh h os' : consts_of g h -> labelled (State g os c sh) -> labelled (State h os' c sh).
  Proof.
    intros C L n k v inn W nz. destruct (C n inn) as [no | (m & inm & E)]; [now destruct (nz (no k v W)) |].
    unfold node_sizes. rewrite E. apply (L m k v inm); [congruence | exact nz].
  Qed.

  Lemma in_put (g : tgraph) i n m : In m (set_nth i n g) -> m = n \/ In m g.
  Proof.
    revert i. induction g as [| a g IH]; intros [| i] inm; simpl in inm; try easy.
    - destruct inm as [<- | inm]; [now left | right; now right].
    - destruct inm as [<- | inm]; [right; now left |]. destruct (IH i inm); [now left | right; now right].
  Qed.

  Lemma fold_labelled allowed s i : sane (model_of S inputs s) (nodes s) -> labelled s ->
    labelled (fold_at S spell allowed s i).
  Proof.
    intros san L. unfold fold_at. destruct (known S s i) as [t |] eqn:K; [| exact L].
    destruct (nth_error (nodes s) i) as [n |] eqn:at_i; [| exact L]. destruct (allowed (nodes s) i t); [| exact L].
    intros m k v inm W nz. cbn [nodes shapes] in *. unfold extend. apply in_put in inm. destruct inm as [-> | inm].
    - cbn in W. injection W as <- _. rewrite N.eqb_refl. unfold node_sizes, const_node, with_sizes. cbn [op type].
      destruct (look_up String.eqb (type (op n)) "shape"%string) as [x |] eqn:Lab.
      + rewrite Lab. pose proof (known_value S inputs s i t san K) as V.
        destruct (sane_declared _ _ san i n _ "shape"%string x at_i V eq_refl Lab) as [R _]. symmetry. now apply R.
      + unfold look_up. cbn [find fst]. symmetry. apply sizes_read.
    - destruct (N.eqb_spec k (fresh (nodes s))) as [-> |]; [| now apply (L m k v)].
      apply In_nth_error in inm. destruct inm as [j at_j]. destruct (fresh_not _ _ _ _ at_j W).
  Qed.

  Lemma step_labelled s s' : opt_step S spell rules s s' -> sane (model_of S inputs s) (nodes s) -> labelled s -> labelled s'.
  Proof.
    intros H san L. destruct H as [name r e M matched h outs' inr lt A B | allowed i |].
    - apply (labelled_consts (nodes s) (outs s)); [exact (rewrite_consts _ _ _ _ _ _ _ B) | now destruct s].
    - now apply fold_labelled.
    - apply (labelled_consts (nodes s) (outs s)); [apply tidy_consts | now destruct s].
  Qed.

  Lemma run_labelled s s' : opt_run S spell rules s s' ->
    sane (model_of S inputs s) (nodes s) -> (forall o, In o (outs s) -> o < List.length (nodes s)) ->
    labelled s -> labelled s'.
  Proof.
    induction 1 as [| s s' s'' step _ IH]; intros san inside L; [exact L |].
    destruct (opt_step_keeps S inputs spell spell_value rules sound s s' step san inside) as (san' & inside' & _).
    apply IH; try assumption. exact (step_labelled s s' step san L).
  Qed.

  (** *** The two meanings of the graph of a state *)

  Lemma written_labelled s k n v : labelled s -> In n (nodes s) -> what (op n) = KConst k v -> k <> 0%N ->
    written_shape (nodes s) k = shapes s k.
  Proof.
    intros L inn W nz. unfold written_shape. destruct (find _ (nodes s)) as [m |] eqn:F.
    - apply find_some in F. destruct F as [inm E]. destruct (what (op m)) as [| | j u | | |] eqn:Wm; try discriminate.
      apply N.eqb_eq in E. subst j. symmetry. exact (L m k u inm Wm nz).
    - pose proof (find_none _ _ F n inn) as E. cbn in E. rewrite W, N.eqb_refl in E. discriminate.
  Qed.

  Lemma meaning_ge s i v : labelled s ->
    ge (den (meaning S inputs (constants s) (nodes s))) (nodes s) i v <-> ge (den (model_of S inputs s)) (nodes s) i v.
  Proof.
    intros L. assert (forall n vs, In n (nodes s) ->
      den (meaning S inputs (constants s) (nodes s)) (op n) vs = den (model_of S inputs s) (op n) vs) as same.
    { intros n vs inn. unfold den. destruct (what (op n)) as [| | k c | | |] eqn:W; try reflexivity.
      destruct vs; [| reflexivity]. cbn. unfold const_value. destruct c as [c |]; [| reflexivity].
      destruct (N.eqb_spec k 0) as [-> | nz]; [reflexivity |]. now rewrite (written_labelled s k n _ L inn W nz). }
    split; apply ge_den; intros j n vs u at_j; rewrite (same n vs (nth_error_In _ _ at_j)); auto.
  Qed.

  Lemma node_at_ge s i v : labelled s -> wf (nodes s) ->
    (node_at S inputs (constants s) (nodes s) i = Some v <-> ge (den (model_of S inputs s)) (nodes s) i v).
  Proof. intros L ok. unfold node_at. rewrite graph_eval_iff by exact ok. now apply meaning_ge. Qed.

  Lemma node_at_same s s' i j : labelled s -> labelled s' -> wf (nodes s) -> wf (nodes s') ->
    (forall v, ge (den (model_of S inputs s)) (nodes s) i v <-> ge (den (model_of S inputs s')) (nodes s') j v) ->
    node_at S inputs (constants s') (nodes s') j = node_at S inputs (constants s) (nodes s) i.
  Proof.
    intros L L' ok ok' same. destruct (node_at S inputs (constants s) (nodes s) i) as [v |] eqn:E.
    - apply node_at_ge; try assumption. apply same. now apply node_at_ge.
    - destruct (node_at S inputs (constants s') (nodes s') j) as [v |] eqn:E'; [| reflexivity].
      apply node_at_ge, same, node_at_ge in E'; try assumption. congruence.
  Qed.

  Lemma consistent_labelled g os c : consistent g = true -> labelled (State g os c (written_shape g)).
  Proof.
    unfold consistent. rewrite forallb_forall. intros H n k v inn W nz. cbn [shapes nodes] in *.
    specialize (H n inn). rewrite W in H. replace (k =? 0)%N with false in H by (symmetry; now apply N.eqb_neq).
    cbn [orb] in H. destruct (written_shape g k), (node_sizes n); try discriminate; [| reflexivity].
    apply sizes_eqb_iff in H. now subst.
  Qed.

  (** Whatever the steps: the graph evaluates to the same tensors. *)
  Theorem opt_run_eval g os c s' :
    consistent g = true -> sane (meaning S inputs c g) g -> (forall o, In o os -> o < List.length g) ->
    opt_run S spell rules (State g os c (written_shape g)) s' ->
    sane (meaning S inputs (constants s') (nodes s')) (nodes s') /\
    graph_eval S inputs (constants s') (nodes s') (outs s') = graph_eval S inputs c g os.
  Proof.
    intros con san inside run. set (s := State g os c (written_shape g)) in *.
    pose proof (consistent_labelled g os c con) as L.
    pose proof (run_labelled s s' run san inside L) as L'.
    destruct (opt_run_keeps S inputs spell spell_value rules sound s s' run san inside) as (san' & _ & same).
    split.
    - destruct san' as [ok ground C D P]. constructor; try assumption.
      + intros i lt. destruct (C i lt) as [v H]. exists v. now apply meaning_ge.
      + intros i n v l x at_i H. apply (D i n v l x at_i). now apply meaning_ge.
    - unfold graph_eval. change os with (outs s). change g with (nodes s) at 1. change c with (constants s).
      pose proof (sane_wf _ _ san) as ok. pose proof (sane_wf _ _ san') as ok'.
      induction same as [| i j l m e _ IH]; [reflexivity |]. cbn [traverse].
      rewrite (node_at_same s s' i j L L' ok ok' e). now rewrite IH.
  Qed.
End Labelled.
