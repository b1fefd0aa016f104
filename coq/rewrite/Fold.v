(** * Folding constants

    What c/rewrite/fold.c does: an application whose value is known becomes a constant with
    that value, under a new number, which the environment of constants then has.  Known is
    what is computed from constants alone (a part of a Split too), and the Shape of what has
    its sizes written on it.  A tuple or an absent input is never a constant. *)

From Coq Require Import Bool Arith Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern rewrite.Rewrite rewrite.RewriteProof rewrite.Sound rewrite.SoundModel.
From Calque Require Import rewrite.GraphEval.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.Meaning.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** Numbers of constants; one that the graph does not have, and not 0, which new scalars have. *)
Definition const_number (n : node oper) : N := match what (op n) with KConst k _ => k | _ => 0%N end.

Definition fresh (g : tgraph) : N := N.succ (fold_right (fun n m => N.max (const_number n) m) 0%N g).

Definition put_node (g : tgraph) (i : nat) (n : node oper) : tgraph := set_nth i n g.

Section Fold.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Variable inputs : N -> option tensor.
  (** What a rule may read as the value of a constant, where an attribute can say it. *)
  Variable spell : tensor -> option value.
  (** Which results are folded: the limit of the command. *)
  Variable allowed : tgraph -> nat -> tensor -> bool.

  Record state := State {
    nodes : tgraph;
    outs : list nat;
    constants : N -> option tensor;
    shapes : N -> option sizes
  }.

  Definition model_of (s : state) : model tensor := tensors S inputs (constants s) (shapes s).

  (** The same without inputs. *)
  Definition closed (s : state) : model tensor := tensors S (fun _ => None) (constants s) (shapes s).

  Definition tensor_of_value (v : option (val tensor)) : option tensor := let? w := v in tensor_in w.

  (** Shape of a tensor of these sizes: the cells say nothing. *)
  Definition shape_value (l : attributes) (ds : sizes) : option tensor :=
    tensor_of_value (op_calls S "Shape" l [Of (Tensor ds [])]).

  Definition written_sizes (g : tgraph) (j : nat) : option sizes :=
    let? n := nth_error g j in let? s := tensor_label n "shape" in shape_of s.

  Definition known_shape (s : state) (n : node oper) : option tensor :=
    match what (op n), args n with
    | KCall name, [j] =>
        if String.eqb name "Shape" then let? ds := written_sizes (nodes s) j in shape_value (attrs (op n)) ds else None
    | _, _ => None
    end.

  Definition known (s : state) (i : nat) : option tensor :=
    let? n := nth_error (nodes s) i in
    match what (op n) with
    | KCall _ | KProj _ =>
        match known_shape s n with
        | Some t => Some t
        | None => tensor_of_value (eval_node (den (closed s)) (nodes s) i)
        end
    | _ => None
    end.

  Definition extend {A} (f : N -> option A) (k : N) (a : A) (j : N) : option A :=
    if (j =? k)%N then Some a else f j.

  (** The type stays: it is that of the value; the sizes are written on every constant. *)
  Definition with_sizes (t : tensor) (l : list (label * value)) : list (label * value) :=
    match look_up String.eqb l "shape"%string with
    | Some _ => l
    | None => ("shape"%string, VTuple (map (fun d => VInt (Z.of_nat d)) (dims t))) :: l
    end.

  Definition const_node (k : N) (t : tensor) (n : node oper) : node oper :=
    Node (Oper (KConst k (spell t)) (with_sizes t (type (op n))) []) [].

  Definition fold_at (s : state) (i : nat) : state :=
    match known s i, nth_error (nodes s) i with
    | Some t, Some n =>
        if allowed (nodes s) i t then
          let k := fresh (nodes s) in
          State (put_node (nodes s) i (const_node k t n)) (outs s)
            (extend (constants s) k t) (extend (shapes s) k (dims t))
        else s
    | _, _ => s
    end.

  (** In the order of the list, so that what is folded is a constant for the nodes behind it. *)
  Definition fold (s : state) : state := fold_left fold_at (seq 0 (List.length (nodes s))) s.

  (** ** Proofs *)

  Lemma sizes_read ds : shape_of (VTuple (map (fun d => VInt (Z.of_nat d)) ds)) = Some ds.
  Proof.
    cbn [shape_of]. induction ds as [| d ds IH]; [reflexivity |]. cbn [map traverse natural].
    replace (0 <=? Z.of_nat d)%Z with true by (symmetry; apply Z.leb_le; lia). now rewrite Nat2Z.id, IH.
  Qed.

  Lemma with_sizes_label t l k x : look_up String.eqb (with_sizes t l) k = Some x ->
    look_up String.eqb l k = Some x \/ (k = "shape"%string /\ shape_of x = Some (dims t)).
  Proof.
    unfold with_sizes. destruct (look_up String.eqb l "shape"%string) eqn:L; [now left |].
    unfold look_up. cbn [find fst]. destruct (String.eqb_spec "shape" k) as [<- | ne].
    - intros E. injection E as <-. right. split; [reflexivity | apply sizes_read].
    - now left.
  Qed.

  Lemma fresh_not g i n v : nth_error g i = Some n -> what (op n) = KConst (fresh g) v -> False.
  Proof.
    unfold fresh. assert (forall g i n, nth_error g i = Some n ->
      (const_number n <= fold_right (fun n m => N.max (const_number n) m) 0 g)%N) as below.
    { intros h. induction h as [| m h IH]; intros [| j] x at_j; try discriminate; simpl in *.
      - injection at_j as ->. lia.
      - specialize (IH j x at_j). lia. }
    intros at_i W. specialize (below g i n at_i). unfold const_number in below at 1. rewrite W in below. lia.
  Qed.

  (** Two meanings of the operators of a graph, where one has what the other has. *)
  Lemma ge_den {V} (D D' : oper -> list V -> option V) (g : tgraph) :
    (forall i n vs v, nth_error g i = Some n -> D (op n) vs = Some v -> D' (op n) vs = Some v) ->
    forall i v, ge D g i v -> ge D' g i v.
  Proof.
    intros same i v H. refine (ge_nested_ind D g (fun i v => ge D' g i v) _ i v H).
    clear i v H. intros i n vs v at_i _ IH d. apply GE_Node with n vs; [exact at_i | exact IH |].
    now apply (same i).
  Qed.

  Lemma closed_value s i v : ge (den (closed s)) (nodes s) i v -> ge (den (model_of s)) (nodes s) i v.
  Proof.
    apply ge_den. intros j n us u _. unfold den. destruct (what (op n)); try (intros H; exact H).
    now destruct us.
  Qed.

  Lemma shape_calls l (x : tensor) : op_calls S "Shape" l [Of x] = op_calls S "Shape" l [Of (Tensor (dims x) [])].
  Proof. reflexivity. Qed.

  Lemma shape_of_tensor l vs v : op_calls S "Shape" l (strip vs) = Some v -> List.length vs = 1 ->
    exists x, vs = [Of x].
  Proof.
    intros C one. destruct vs as [| [x | ts |] [|]]; try discriminate. now exists x.
  Qed.

  Lemma known_shape_value s i n t :
    sane (model_of s) (nodes s) -> nth_error (nodes s) i = Some n -> known_shape s n = Some t ->
    ge (den (model_of s)) (nodes s) i (Of t).
  Proof.
    intros [ok _ C D _] at_i K. unfold known_shape in K.
    destruct (what (op n)) as [| | | name | |] eqn:W; try discriminate.
    destruct (args n) as [| j [|]] eqn:A; try discriminate.
    destruct (String.eqb_spec name "Shape") as [-> |]; [| discriminate].
    destruct (written_sizes (nodes s) j) as [ds |] eqn:Ws; [| discriminate].
    unfold written_sizes in Ws. destruct (nth_error (nodes s) j) as [m |] eqn:at_j; [| discriminate].
    destruct (tensor_label m "shape") as [lab |] eqn:L; [| discriminate].
    destruct (C i) as [v H]; [apply nth_error_Some; congruence |].
    inversion H as [? n' vs ? at_i' all d]; subst. assert (n' = n) as -> by congruence.
    rewrite A in all. inversion all as [| ? w ? us hw hus]; subst. inversion hus; subst.
    pose proof d as d'. unfold den in d'. rewrite W in d'. cbn [calls model_of tensors] in d'.
    destruct (shape_of_tensor _ _ _ d' eq_refl) as [x E]. injection E as ->.
    pose proof (D j m (Of x) "shape"%string lab at_j hw eq_refl L) as [sh _]. specialize (sh eq_refl).
    assert (ds = dims x) as -> by congruence.
    cbn [strip] in d'. rewrite shape_calls in d'. unfold shape_value in K. rewrite d' in K.
    destruct v as [u | |]; try discriminate. injection K as ->. exact H.
  Qed.

  Lemma known_value s i t :
    sane (model_of s) (nodes s) -> known s i = Some t -> ge (den (model_of s)) (nodes s) i (Of t).
  Proof.
    intros san K. unfold known in K. destruct (nth_error (nodes s) i) as [n |] eqn:at_i; [| discriminate].
    assert (match known_shape s n with Some t => Some t | None => tensor_of_value (eval_node (den (closed s)) (nodes s) i) end
            = Some t) as K'.
    { destruct (what (op n)); try discriminate; exact K. }
    destruct (known_shape s n) as [u |] eqn:E.
    - injection K' as <-. exact (known_shape_value s i n u san at_i E).
    - unfold tensor_of_value in K'. destruct (eval_node (den (closed s)) (nodes s) i) as [[u | |] |] eqn:V; try discriminate.
      injection K' as ->. apply closed_value, graph_eval_iff; [apply (sane_wf _ _ san) | exact V].
  Qed.

  (** Spelled constants are the tensors that they spell. *)
  Hypothesis spell_value : forall t v, spell t = Some v -> constant S v (Some (dims t)) = Some t.

  Definition keeps (s s' : state) : Prop :=
    sane (model_of s') (nodes s') /\ (forall o, In o (outs s') -> o < List.length (nodes s')) /\
    Forall2 (fun o o' => forall v, ge (den (model_of s)) (nodes s) o v <-> ge (den (model_of s')) (nodes s') o' v)
      (outs s) (outs s').

  Lemma put_nth g i n j m : nth_error g i = Some m ->
    nth_error (put_node g i n) j = if j =? i then Some n else nth_error g j.
  Proof.
    unfold put_node. revert i j. induction g as [| a g IH]; intros [| i] [| j] at_i; try discriminate; try reflexivity.
    simpl. now apply IH.
  Qed.

  Section Step.
    Variables (s : state) (i : nat) (n : node oper) (t : tensor).
    Hypothesis san : sane (model_of s) (nodes s).
    Hypothesis at_i : nth_error (nodes s) i = Some n.
    Hypothesis is : known s i = Some t.

    Let k := fresh (nodes s).
    Let g' := put_node (nodes s) i (const_node k t n).
    Let s' := State g' (outs s) (extend (constants s) k t) (extend (shapes s) k (dims t)).
    Notation D := (den (model_of s)).
    Notation D' := (den (model_of s')).

    Lemma step_den j m vs : nth_error (nodes s) j = Some m -> D (op m) vs = D' (op m) vs.
    Proof.
      intros at_j. unfold den. destruct (what (op m)) as [| | k' c | | |] eqn:W; try reflexivity.
      destruct vs; [| reflexivity]. cbn. unfold const_value, extend.
      destruct (N.eqb_spec k' k) as [-> |]; [exfalso; exact (fresh_not _ _ _ _ at_j W) | reflexivity].
    Qed.

    Lemma step_same j v : ge D (nodes s) j v <-> ge D' (nodes s) j v.
    Proof.
      split; apply ge_den; intros x m vs w at_x.
      - now rewrite (step_den x m vs at_x).
      - now rewrite <- (step_den x m vs at_x).
    Qed.

    Lemma step_const : ge D' g' i (Of t).
    Proof.
      pose proof (known_value s i t san is) as H. pose proof (node_well _ _ _ _ _ _ _ H) as W.
      apply GE_Node with (const_node k t n) []; [| constructor |].
      - unfold g'. now rewrite (put_nth _ _ _ _ _ at_i), Nat.eqb_refl.
      - cbn. unfold const_value, extend. rewrite N.eqb_refl. replace (k =? 0)%N with false
          by (symmetry; apply N.eqb_neq; unfold k, fresh; lia).
        destruct (spell t) as [v |] eqn:E.
        + rewrite (spell_value t v E). unfold checked. change (well_tensor t = true) in W. unfold guard. now rewrite W.
        + unfold checked, guard. change (well_tensor t = true) in W. now rewrite W.
    Qed.

    Lemma step_length : List.length g' = List.length (nodes s).
    Proof. apply set_nth_length. Qed.

    Lemma step_nth j : nth_error g' j = if j =? i then Some (const_node k t n) else nth_error (nodes s) j.
    Proof. exact (put_nth _ _ _ _ _ at_i). Qed.

    Lemma step_wf : wf g'.
    Proof.
      intros j m at_j x inx. rewrite step_nth in at_j. destruct (Nat.eqb_spec j i).
      - injection at_j as <-. destruct inx.
      - exact (sane_wf _ _ san j m at_j x inx).
    Qed.

    Lemma step_values j v : ge D (nodes s) j v <-> ge D' g' j v.
    Proof.
      rewrite step_same. destruct (Nat.lt_ge_cases j (List.length (nodes s))) as [lt | ge_].
      - revert j lt v. apply (eval_simulation D' (nodes s) g' (fun j => j) (sane_wf _ _ san)).
        intros j m at_j. rewrite step_nth. destruct (Nat.eqb_spec j i) as [-> |].
        + right. intros _ v. pose proof step_const as here.
          pose proof (proj1 (step_same i (Of t)) (known_value s i t san is)) as there.
          split; intros H.
          * now rewrite (eval_node_unique D' (nodes s) i _ v there H).
          * now rewrite (eval_node_unique D' g' i _ v here H).
        + left. rewrite at_j, map_id. now destruct m.
      - split; intros H; inversion H as [? m ? ? at_j]; subst.
        + apply nth_error_None in ge_. congruence.
        + rewrite <- step_length in ge_. apply nth_error_None in ge_. congruence.
    Qed.

    Lemma step_not_first : i <> 0.
    Proof.
      intros ->. destruct (sane_grounded _ _ san) as (ty & a & at_0). unfold known in is. rewrite at_0 in is. discriminate.
    Qed.

    Lemma step_keeps : (forall o, In o (outs s) -> o < List.length (nodes s)) -> keeps s s'.
    Proof.
      intros inside. pose proof san as [ok (ty & a & at_0) C De P]. split; [constructor | split].
      - exact step_wf.
      - exists ty, a. change (nodes s') with g'. rewrite step_nth. pose proof step_not_first.
        destruct (Nat.eqb_spec 0 i); [congruence | exact at_0].
      - intros j lt. change (nodes s') with g' in *. rewrite step_length in lt. destruct (C j lt) as [v H].
        exists v. now apply step_values.
      - intros j m v l x at_j H TL L. change (nodes s') with g' in *. apply step_values in H.
        rewrite step_nth in at_j. destruct (Nat.eqb_spec j i) as [-> |].
        + injection at_j as <-. destruct (with_sizes_label _ _ _ _ L) as [L' | [-> R]]; [exact (De i n v l x at_i H TL L') |].
          rewrite (eval_node_unique _ _ _ _ _ (known_value s i t san is) H). now split.
        + exact (De j m v l x at_j H TL L).
      - intros j m at_j. change (nodes s') with g' in at_j. rewrite step_nth in at_j. destruct (Nat.eqb_spec j i).
        + injection at_j as <-. destruct (P i n at_i) as [_ labels]. split; [discriminate |].
          intros l x L. destruct (with_sizes_label _ _ _ _ L) as [L' | [-> _]]; [exact (labels l x L') | reflexivity].
        + exact (P j m at_j).
      - intros o ino. change (nodes s') with g'. rewrite step_length. now apply inside.
      - assert (forall os, Forall2 (fun o o' => forall v, ge D (nodes s) o v <-> ge D' g' o' v) os os) as all.
        { intros os. induction os as [| o os IH]; constructor; [intros v; apply step_values | exact IH]. }
        apply all.
    Qed.
  End Step.

  Lemma keeps_refl s : sane (model_of s) (nodes s) -> (forall o, In o (outs s) -> o < List.length (nodes s)) -> keeps s s.
  Proof.
    intros san inside. split; [exact san | split; [exact inside |]]. clear inside.
    induction (outs s) as [| o os IH]; constructor; [reflexivity | exact IH].
  Qed.

  Lemma keeps_trans s1 s2 s3 : keeps s1 s2 -> keeps s2 s3 -> keeps s1 s3.
  Proof.
    intros (_ & _ & E) (san & inside & F). split; [exact san | split; [exact inside |]]. clear san inside.
    revert F. generalize (outs s3). induction E as [| a b l m e _ IH]; intros l3 F; inversion F as [| ? c ? l' f rest]; subst; constructor.
    - intros v. rewrite e. apply f.
    - now apply IH.
  Qed.

  (** Folding one node, whichever it is. *)
  Theorem fold_at_keeps s i :
    sane (model_of s) (nodes s) -> (forall o, In o (outs s) -> o < List.length (nodes s)) -> keeps s (fold_at s i).
  Proof.
    intros san inside. unfold fold_at. destruct (known s i) as [t |] eqn:K; [| now apply keeps_refl].
    destruct (nth_error (nodes s) i) as [n |] eqn:at_i; [| now apply keeps_refl].
    destruct (allowed (nodes s) i t); [now apply step_keeps | now apply keeps_refl].
  Qed.

  (** Folding keeps every output, under the constants that it adds, and leaves a graph whose nodes have values and
      the types that are written on them. *)
  Theorem fold_preserves s :
    sane (model_of s) (nodes s) -> (forall o, In o (outs s) -> o < List.length (nodes s)) -> keeps s (fold s).
  Proof.
    unfold fold. generalize (seq 0 (List.length (nodes s))). intros l. revert s.
    induction l as [| i l IH]; intros s san inside; simpl; [now apply keeps_refl |].
    pose proof (fold_at_keeps s i san inside) as K. destruct K as (san' & inside' & E).
    apply keeps_trans with (fold_at s i); [exact (conj san' (conj inside' E)) |]. now apply IH.
  Qed.
End Fold.
Arguments State {S}.
Arguments nodes {S}.
Arguments outs {S}.
Arguments constants {S}.
Arguments shapes {S}.
