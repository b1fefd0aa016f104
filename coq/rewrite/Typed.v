(** * Well-typed graphs have values

    [sane], which rewriting asks for, speaks of values; [typed] is a check of the graph alone,
    by the type rules: every node has sizes, inferred from those of its arguments, and the
    labels written on it say so.  Then every node has a value for all inputs of the declared
    sizes.  One thing is left to data: the indices of a Gather; those that are computed from
    constants are checked, and [open_gathers] are the others.  Element types are not checked:
    what adds numbers of different types has cells without a reading ([tensor/Mixed]), before
    and after a rewrite.  An operator without a meaning has no sizes, so no graph that has one
    is typed. *)

From Coq Require Import Bool Arith Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Sound rewrite.SoundModel rewrite.GraphEval.
From Calque Require Import rewrite.Fold.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Meaning tensor.Infer.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Sizes of nodes *)

Definition stated_sizes (name : string) (l : attributes) (s : val sizes) : bool :=
  if states_shape name "shape" then
    match attribute l "shape", s with
    | Some x, Of ds => match shape_of x with Some es => sizes_eqb es ds | None => false end
    | None, _ => true
    | _, _ => false
    end
  else true.

Definition label_sizes (o : oper) : option sizes :=
  let? s := look_up String.eqb (type o) "shape"%string in shape_of s.

Definition type_node (g : tgraph) (o : oper) (ss : list (val sizes)) : option (val sizes) :=
  match what o with
  | KAbsent => match ss with [] => Some Absent | _ => None end
  | KInput _ | KConst _ None => match ss with [] => option_map Of (label_sizes o) | _ => None end
  | KConst k (Some v) =>
      match ss with
      | [] => let? t := constant no_numbers v (if (k =? 0)%N then None else written_shape g k) in Some (Of (dims t))
      | _ => None
      end
  | KCall name => let? s := op_infer name (attrs o) (strip ss) in guard (stated_sizes name (attrs o) s) (Some s)
  | KProj k => match ss with
               | [Fields l] => if (k <? 0)%Z then None else option_map Of (nth_error l (Z.to_nat k))
               | _ => None
               end
  | KTuple => option_map Fields (traverse tensor_in ss)
  end.

Definition type_at (g : tgraph) (i : nat) : option (val sizes) := eval_node (type_node g) g i.

(** ** The check *)

Definition says (s : val sizes) (c : label * value) : bool :=
  match s with
  | Of ds =>
      (if String.eqb (fst c) "shape" then
         match shape_of (snd c) with Some es => sizes_eqb es ds | None => false end else true) &&
      (if String.eqb (fst c) "ndim" then value_eqb (snd c) (VInt (Z.of_nat (List.length ds))) else true)
  | _ => true
  end.

Definition typed_node (g : tgraph) (i : nat) : bool :=
  match nth_error g i, type_at g i with
  | Some n, Some s =>
      forallb (says s) (type (op n)) && forallb (fun c => known_label (fst c)) (type (op n)) &&
      match what (op n) with
      | KCall name => forallb (fun c => negb (type_label (fst c)) || owns_shape name (fst c)) (attrs (op n))
      | _ => true
      end
  | _, _ => false
  end.

Definition typed (g : tgraph) : bool :=
  wfb g &&
  match g with Node (Oper KAbsent _ _) [] :: _ => true | _ => false end &&
  forallb (typed_node g) (seq 0 (List.length g)).

Section Typed.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Variables inputs constants : N -> option tensor.

  (** What the environment gives has the declared sizes. *)
  Definition given_fits (f : N -> option tensor) (k : N) (o : oper) : bool :=
    match f k, label_sizes o with Some t, Some ds => well_tensor t && sizes_eqb (dims t) ds | _, _ => false end.

  Definition inputs_fit (g : tgraph) : bool :=
    forallb (fun n => match what (op n) with KInput k => given_fits inputs k (op n) | _ => true end) g.

  Definition constants_fit (g : tgraph) : bool :=
    forallb (fun n => match what (op n) with KConst k None => given_fits constants k (op n) | _ => true end) g.

  (** A Gather whose indices are computed from constants and lie inside. *)
  Definition gather_inside (g : tgraph) (n : node oper) : bool :=
    match args n with
    | [j; k] =>
        match type_at g j, eval_node (den (meaning S (fun _ => None) constants g)) g k with
        | Some (Of ds), Some (Of ix) =>
            match axis_in (attrs (op n)) (Some 0%Z) ds with
            | Some axis => forallb (fun i => match index_of S (nth axis ds 0) (at_ S ix i) with
                                             | Some _ => true | None => false end) (box (dims ix))
            | None => false
            end
        | _, _ => false
        end
    | _ => false
    end.

  Definition open_gathers (g : tgraph) : list nat :=
    filter (fun i => match nth_error g i with
                     | Some n => match what (op n) with
                                 | KCall name => String.eqb name "Gather" && negb (gather_inside g n)
                                 | _ => false
                                 end
                     | None => false
                     end) (seq 0 (List.length g)).

  (** ** Proofs *)

  Variable g : tgraph.
  Notation D := (den (meaning S inputs constants g)).

  Lemma well_value (v : val tensor) : Infer.good_value v <-> well v = true.
  Proof.
    destruct v as [t | ts |]; simpl; [now rewrite well_good | | easy].
    rewrite forallb_forall, Forall_forall. split; intros H t int; apply well_good, H, int.
  Qed.

  Lemma stated_dims name l (v : val tensor) : stated name l v = stated_sizes name l (map_value dims v).
  Proof. unfold stated, stated_sizes. destruct (states_shape name "shape"); [| reflexivity]. now destruct v. Qed.

  Lemma strip_dims (vs : list (val tensor)) : strip (map (map_value dims) vs) = map (map_value dims) (strip vs).
  Proof.
    induction vs as [| v vs IH]; [reflexivity |]. cbn [map strip]. rewrite IH.
    destruct (strip vs) as [| w l]; [now destruct v | now destruct v].
  Qed.

  Lemma strip_Forall (P : val tensor -> Prop) vs : Forall P vs -> Forall P (strip vs).
  Proof.
    induction 1 as [| v vs H _ IH]; [constructor |]. cbn [strip]. destruct (strip vs); destruct v; now constructor.
  Qed.

  Lemma number_any v a : number no_numbers v = Some a -> exists b, number S v = Some b.
  Proof. destruct v; try discriminate; intros _; eexists; reflexivity. Qed.

  Lemma numbers_any vs (l : list (num no_numbers)) : traverse (number no_numbers) vs = Some l ->
    exists m, traverse (number S) vs = Some m /\ List.length m = List.length l.
  Proof.
    revert l. induction vs as [| v vs IH]; intros l T; cbn [traverse] in T.
    - exists []. now replace l with (@nil (num no_numbers)) by congruence.
    - destruct (number no_numbers v) as [a |] eqn:N; [| discriminate]. destruct (number_any v a N) as [b B].
      destruct (traverse (number no_numbers) vs) as [l' |]; [| discriminate].
      destruct (IH l' eq_refl) as (m & M & len). exists (b :: m). cbn [traverse]. rewrite B, M. split; [reflexivity |].
      replace l with (a :: l') by congruence. exact (f_equal Datatypes.S len).
  Qed.

  Lemma constant_dims v sh u : constant no_numbers v sh = Some u ->
    exists t, constant S v sh = Some t /\ dims t = dims u /\ well_tensor t = true.
  Proof.
    assert (forall w, (let? a := number no_numbers w in
                       Some (tabulate match sh with Some ds => ds | None => [] end (fun _ => a))) = Some u ->
            exists t, (let? a := number S w in Some (tabulate match sh with Some ds => ds | None => [] end (fun _ => a)))
                      = Some t /\ dims t = dims u /\ well_tensor t = true) as scalar.
    { intros w H. destruct (number no_numbers w) as [a |] eqn:N; [| discriminate].
      destruct (number_any w a N) as [b ->]. injection H as <-. eexists. split; [reflexivity |].
      split; [reflexivity | apply well_good, good_tabulate]. }
    destruct v as [| b | z | x | str | vs];
      [exact (scalar VNone) | exact (scalar (VBool b)) | exact (scalar (VInt z)) | exact (scalar (VFloat x)) | exact (scalar (VStr str)) |].
    cbn [constant]. destruct (traverse (number no_numbers) vs) as [l |] eqn:T; [| discriminate].
    assert (exists m, traverse (number S) vs = Some m /\ List.length m = List.length l) as (m & -> & len).
    { exact (numbers_any vs l T). }
    intros H. unfold recast in *. cbn [cells] in *.
    match type of H with (if ?b then _ else _) = _ => destruct b eqn:E; [| discriminate H] end.
    assert (cell_count match sh with Some ds => ds | None => [List.length m] end =? List.length m = true) as E'
      by (rewrite len; exact E).
    rewrite E'. injection H as <-. eexists. split; [reflexivity |]. split.
    - cbn. destruct sh; [reflexivity | exact (f_equal (fun k => [k]) len)].
    - unfold well_tensor. cbn. now rewrite Nat.eqb_sym.
  Qed.

  Hypothesis check : typed g = true.
  Hypothesis inputs_ok : inputs_fit g = true.
  Hypothesis constants_ok : constants_fit g = true.
  Hypothesis indices_ok : forall i, In i (open_gathers g) -> exists v, ge D g i v.

  Lemma typed_wf : wf g.
  Proof. unfold typed in check. apply andb_true_iff in check as [H _]. apply andb_true_iff in H as [H _]. now apply wfb_iff. Qed.

  Lemma given_value f k n : given_fits f k (op n) = true ->
    exists t, f k = Some t /\ label_sizes (op n) = Some (dims t) /\ well_tensor t = true.
  Proof.
    unfold given_fits. destruct (f k) as [t |]; [| discriminate]. destruct (label_sizes (op n)) as [ds |]; [| discriminate].
    intros H. apply andb_true_iff in H as [W E]. apply sizes_eqb_iff in E. subst. now exists t.
  Qed.

  Definition has_sizes (i : nat) (s : val sizes) : Prop :=
    exists v, ge D g i v /\ map_value dims v = s /\ well v = true.

  Lemma gather_value i n vs s :
    nth_error g i = Some n -> what (op n) = KCall "Gather"%string -> Forall2 (ge D g) (args n) vs ->
    Forall2 (ge (type_node g) g) (args n) (map (map_value dims) vs) ->
    op_infer "Gather" (attrs (op n)) (strip (map (map_value dims) vs)) = Some s ->
    exists v, op_value S "Gather" (attrs (op n)) (strip vs) = Some v.
  Proof.
    intros at_i W all typ I. destruct (gather_inside g n) eqn:G.
    - unfold gather_inside in G. destruct (args n) as [| j [| k [|]]] eqn:A; try discriminate.
      inversion all as [| ? x ? l1 hx h1]; subst. inversion h1 as [| ? y ? l2 hy h2]; subst. inversion h2; subst.
      cbn [map] in typ. inversion typ as [| ? ? ? ? tx _]; subst.
      unfold type_at in G. apply (graph_eval_iff (type_node g) g j _ typed_wf) in tx. rewrite tx in G.
      destruct x as [x | |]; try discriminate. cbn [map_value] in G.
      destruct (eval_node (den (meaning S (fun _ => None) constants g)) g k) as [[ix | |] |] eqn:E; try discriminate.
      apply (graph_eval_iff _ g k _ typed_wf) in E.
      pose proof (closed_value S inputs (State g [] constants (written_shape g)) k (Of ix) E) as E'.
      rewrite (eval_node_unique _ g k _ _ E' hy). clear E E' hy.
      destruct (axis_in (attrs (op n)) (Some 0%Z) (dims x)) as [axis |] eqn:Ax; [| discriminate].
      eexists. unfold op_value. cbn. unfold gather_op, op2, on2, one. cbn. rewrite Ax. unfold gather, guard.
      cbv zeta. rewrite G. reflexivity.
    - destruct (indices_ok i) as [v H].
      { unfold open_gathers. apply filter_In. split; [apply in_seq; split; [lia |]; apply nth_error_Some; congruence |].
        rewrite at_i, W, G. reflexivity. }
      inversion H as [? n' ws ? at_i' all' d]; subst. assert (n' = n) as -> by congruence.
      assert (ws = vs) as ->.
      { clear - all all'. revert ws all'. induction all as [| a b l m h _ IH]; intros ws all'; inversion all'; subst; [reflexivity |].
        f_equal; [now apply (eval_node_unique D g a) | now apply IH]. }
      unfold den in d. rewrite W in d. apply op_calls_iff in d. now exists v.
  Qed.

  Lemma typed_value i s : ge (type_node g) g i s -> has_sizes i s.
  Proof.
    intros H. refine (ge_nested_ind (type_node g) g has_sizes _ i s H). clear i s H.
    intros i n ss s at_i typ IH d.
    assert (exists vs, Forall2 (ge D g) (args n) vs /\ map (map_value dims) vs = ss /\ Forall (fun v => well v = true) vs)
      as (vs & all & E & good).
    { clear - IH. induction IH as [| j s l ss (v & H & E & W) _ (vs & all & Es & good)].
      - exists []. repeat split; constructor.
      - exists (v :: vs). repeat split; [now constructor | cbn; congruence | now constructor]. }
    subst ss.
    assert (forall v, D (op n) vs = Some v -> map_value dims v = s -> well v = true -> has_sizes i s) as done.
    { intros v dv E W. exists v. split; [now apply GE_Node with n vs | now split]. }
    assert (In n g) as inn by now apply nth_error_In with i.
    unfold type_node in d. unfold den in done. destruct (what (op n)) as [| k | k [c |] | name | k |] eqn:W.
    - destruct vs; [| discriminate]. injection d as <-. now apply (done Absent).
    - destruct vs; [| discriminate]. unfold inputs_fit in inputs_ok. rewrite forallb_forall in inputs_ok.
      specialize (inputs_ok n inn). rewrite W in inputs_ok. destruct (given_value _ _ _ inputs_ok) as (t & T & L & Wt).
      cbn [map] in d. rewrite L in d. injection d as <-. apply (done (Of t)); [| reflexivity | exact Wt].
      cbn. unfold checked, guard. now rewrite T, Wt.
    - destruct vs; [| discriminate]. cbn [map] in d.
      destruct (constant no_numbers c _) as [u |] eqn:C; [| discriminate]. injection d as <-.
      destruct (constant_dims c _ u C) as (t & T & Dt & Wt). apply (done (Of t)); [| exact (f_equal Of Dt) | exact Wt].
      cbn. unfold const_value, checked, guard. now rewrite T, Wt.
    - destruct vs; [| discriminate]. unfold constants_fit in constants_ok. rewrite forallb_forall in constants_ok.
      specialize (constants_ok n inn). rewrite W in constants_ok. destruct (given_value _ _ _ constants_ok) as (t & T & L & Wt).
      cbn [map] in d. rewrite L in d. injection d as <-. apply (done (Of t)); [| reflexivity | exact Wt].
      cbn. unfold const_value, checked, guard. now rewrite T, Wt.
    - destruct (op_infer name (attrs (op n)) _) as [s' |] eqn:I; [| discriminate]. unfold guard in d.
      destruct (stated_sizes name (attrs (op n)) s') eqn:St; [| discriminate]. injection d as ->.
      assert (Forall Infer.good_value (strip vs)) as goods.
      { apply strip_Forall. eapply Forall_impl; [| exact good]. intros v. apply well_value. }
      assert (exists v, op_value S name (attrs (op n)) (strip vs) = Some v) as [v V].
      { destruct (string_dec name "Gather") as [-> | ne]; [now apply (gather_value i n vs s) |].
        rewrite strip_dims in I. exact (infer_complete S name (attrs (op n)) (strip vs) s goods ne I). }
      pose proof (infer_sound S name (attrs (op n)) (strip vs) v V) as I'. rewrite strip_dims, I' in I. injection I as Ev.
      pose proof (op_value_good S name (attrs (op n)) (strip vs) v goods V) as Wv. apply well_value in Wv.
      apply (done v); [| exact Ev | exact Wv]. cbn. apply op_calls_iff. split; [exact V |]. split; [exact Wv |].
      now rewrite stated_dims, Ev.
    - destruct vs as [| v [|]]; try discriminate; [| now destruct v]. cbn [map] in d. destruct v as [t | ts |]; try discriminate.
      cbn [map_value] in d. destruct (k <? 0)%Z eqn:K; [discriminate |].
      rewrite nth_error_map in d. destruct (nth_error ts (Z.to_nat k)) as [t |] eqn:at_k; [| discriminate].
      injection d as <-. apply (done (Of t)); [| reflexivity |].
      + reflexivity.
      + inversion good as [| ? ? Wts _]; subst. cbn in Wts. rewrite forallb_forall in Wts. apply Wts. now apply nth_error_In in at_k.
    - destruct (traverse tensor_in (map (map_value dims) vs)) as [l |] eqn:T; [| discriminate]. injection d as <-.
      assert (exists ts, traverse tensor_in vs = Some ts /\ map dims ts = l /\ forallb well_tensor ts = true) as (ts & Ts & El & Wts).
      { clear - T good. revert l T. induction good as [| v vs Wv _ IH]; intros l T; simpl in T.
        - injection T as <-. now exists [].
        - destruct v as [t | |]; try discriminate. cbn [map_value tensor_in] in T.
          destruct (traverse tensor_in (map (map_value dims) vs)) as [l' |]; [| discriminate]. injection T as <-.
          destruct (IH l' eq_refl) as (ts & Ts & El & Wts). exists (t :: ts). cbn. rewrite Ts. cbn in Wv.
          repeat split; [now rewrite El | now rewrite Wv]. }
      apply (done (Fields ts)); [now rewrite Ts | cbn; congruence | exact Wts].
  Qed.

  Theorem typed_sane : sane (meaning S inputs constants g) g.
  Proof.
    pose proof typed_wf as ok. pose proof check as c. unfold typed in c.
    apply andb_true_iff in c as [c each]. apply andb_true_iff in c as [_ first].
    rewrite forallb_forall in each.
    assert (forall i n, nth_error g i = Some n -> typed_node g i = true) as node.
    { intros i n at_i. apply each, in_seq. split; [lia |]. apply nth_error_Some. congruence. }
    assert (forall i n, nth_error g i = Some n -> exists s, type_at g i = Some s /\ has_sizes i s) as has.
    { intros i n at_i. specialize (node i n at_i). unfold typed_node in node. rewrite at_i in node.
      destruct (type_at g i) as [s |] eqn:T; [| discriminate]. exists s. split; [reflexivity |].
      apply typed_value. now apply (graph_eval_iff (type_node g) g i s ok). }
    constructor.
    - exact ok.
    - destruct g as [| [[k t a] [|]] g']; try discriminate; destruct k; try discriminate. now exists t, a.
    - intros i lt. apply nth_error_Some in lt. destruct (nth_error g i) as [n |] eqn:at_i; [| easy].
      destruct (has i n at_i) as (s & _ & v & H & _). now exists v.
    - intros i n v l x at_i H TL L. destruct (has i n at_i) as (s & T & w & Hw & E & _).
      rewrite (eval_node_unique D g i _ _ Hw H). clear H v.
      specialize (node i n at_i). unfold typed_node in node. rewrite at_i, T in node.
      apply andb_true_iff in node as [node _]. apply andb_true_iff in node as [Says _]. rewrite forallb_forall in Says.
      assert (In (l, x) (type (op n))) as inl.
      { unfold tensor_label, look_up in L. destruct (find (fun b => String.eqb (fst b) l) (type (op n))) as [[j y] |] eqn:F;
          [| discriminate]. injection L as <-. apply find_some in F. destruct F as [inc F]. apply String.eqb_eq in F. now subst. }
      specialize (Says _ inl). subst s. destruct w as [t | |]; [| exact Logic.I | exact Logic.I].
      cbn in Says. apply andb_true_iff in Says as [Ss Sn]. split; intros ->.
      + cbn in Ss. destruct (shape_of x) as [ds |]; [| discriminate]. apply sizes_eqb_iff in Ss. now subst.
      + cbn in Sn. now apply value_eqb_iff in Sn.
    - intros i n at_i. specialize (node i n at_i). unfold typed_node in node. rewrite at_i in node.
      destruct (type_at g i) as [s |]; [| discriminate].
      apply andb_true_iff in node as [node P]. apply andb_true_iff in node as [_ K]. rewrite forallb_forall in K.
      assert (forall (m : list (label * value)) l x, look_up String.eqb m l = Some x -> In (l, x) m) as inl.
      { intros m l x L. unfold look_up in L. destruct (find (fun b => String.eqb (fst b) l) m) as [[j y] |] eqn:F;
          [| discriminate]. injection L as <-. apply find_some in F. destruct F as [inc F]. apply String.eqb_eq in F. now subst. }
      split.
      + intros name l x W L TL. rewrite W in P. rewrite forallb_forall in P. specialize (P _ (inl _ _ _ L)).
        cbn [fst] in P. now rewrite TL in P.
      + intros l x L. exact (K _ (inl _ _ _ L)).
  Qed.
End Typed.
