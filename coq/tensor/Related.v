(** * Operators over related numbers

    If numbers of two structures are related, and each operation keeps that, then so does every
    operator: what one structure computes, the other computes too, cell by cell.  [MixedEmbed]
    applies it to the readings of numbers of several element types. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes.
From Calque Require Import tensor.Ops tensor.OpsWindow tensor.OpsNorm tensor.OpTable.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** The operators that divide otherwise than [Div]: means and the like. *)
Definition quotients : list string :=
  ["Softmax"; "GlobalAveragePool"; "LRN"; "AveragePool"; "BatchNormalization"; "Sigmoid"; "ReduceMean"; "LayerNormalization";
   "InstanceNormalization"; "GroupNormalization"; "LpNormalization"; "L2Normalize"; "Reciprocal"; "Celu"; "Softsign"; "Swish";
   "RMSNormalization"].

Section Related.
  Variables A B : arith.
  Variable R : num A -> num B -> Prop.

  Definition keeps1 (f : num A -> num A) (g : num B -> num B) : Prop := forall a b, R a b -> R (f a) (g b).
  Definition keeps2 (f : num A -> num A -> num A) (g : num B -> num B -> num B) : Prop :=
    forall a b c d, R a b -> R c d -> R (f a c) (g b d).

  (** Of an index only what [A] says of it: [B] may say more. *)
  Record simulates : Prop := {
    sim_int : forall z, R (s_int A z) (s_int B z);
    sim_float : forall b, R (s_float A b) (s_float B b);
    sim_ratio : forall b z, R (s_ratio A b z) (s_ratio B b z);
    sim_tiny : R (s_tiny A) (s_tiny B);
    sim_least : R (s_least A) (s_least B);
    sim_add : keeps2 (s_add A) (s_add B);
    sim_sub : keeps2 (s_sub A) (s_sub B);
    sim_mul : keeps2 (s_mul A) (s_mul B);
    sim_div : keeps2 (div_cell A) (div_cell B);
    sim_mod : keeps2 (s_mod A) (s_mod B);
    sim_max : keeps2 (s_max A) (s_max B);
    sim_min : keeps2 (s_min A) (s_min B);
    sim_less : keeps2 (s_less A) (s_less B);
    sim_equal : keeps2 (s_equal A) (s_equal B);
    sim_when : keeps2 (s_when A) (s_when B);
    sim_orelse : keeps2 (s_orelse A) (s_orelse B);
    sim_pow : keeps2 (s_pow A) (s_pow B);
    sim_neg : keeps1 (s_neg A) (s_neg B);
    sim_abs : keeps1 (s_abs A) (s_abs B);
    sim_exp : keeps1 (s_exp A) (s_exp B);
    sim_log : keeps1 (s_log A) (s_log B);
    sim_sqrt : keeps1 (s_sqrt A) (s_sqrt B);
    sim_tanh : keeps1 (s_tanh A) (s_tanh B);
    sim_erf : keeps1 (s_erf A) (s_erf B);
    sim_round : keeps1 (s_round A) (s_round B);
    sim_index : forall a b z, R a b -> s_index A a = Some z -> s_index B b = Some z
  }.

  Definition divides : Prop := keeps2 (s_div A) (s_div B).

  Definition related (x : tensor (num A)) (y : tensor (num B)) : Prop :=
    dims x = dims y /\ Forall2 R (cells x) (cells y).

  Definition related_value (v : gvalue (tensor (num A))) (w : gvalue (tensor (num B))) : Prop :=
    match v, w with
    | GTensor x, GTensor y => related x y
    | GTuple xs, GTuple ys => Forall2 related xs ys
    | GAbsent, GAbsent => True
    | _, _ => False
    end.

  (** What [A] has, [B] has. *)
  Definition follows {X Y} (P : X -> Y -> Prop) (a : option X) (b : option Y) : Prop :=
    forall x, a = Some x -> exists y, b = Some y /\ P x y.

  Lemma follows_some {X Y} (P : X -> Y -> Prop) x y : P x y -> follows P (Some x) (Some y).
  Proof. intros H z E. injection E as <-. now exists y. Qed.

  Lemma follows_none {X Y} (P : X -> Y -> Prop) b : follows P None b.
  Proof. intros z E. discriminate. Qed.

  Variable sim : simulates.

  Lemma sim_zero : R (s_zero A) (s_zero B).
  Proof. apply (sim_int sim). Qed.

  Lemma sim_one : R (s_one A) (s_one B).
  Proof. apply (sim_int sim). Qed.

  Lemma sim_real b : R (s_real A b) (s_real B b).
  Proof.
    unfold s_real. destruct (b =? 0)%N; [apply sim_zero |]. destruct (b =? one_bits)%N; [apply sim_one | apply (sim_float sim)].
  Qed.

  (** ** Cells *)

  Lemma nth_related l m a b : Forall2 R l m -> R a b -> forall k, R (nth k l a) (nth k m b).
  Proof. intros H D. induction H as [| x y l m h _ IH]; intros [| k]; simpl; auto. Qed.

  Lemma at_related x y i : related x y -> R (at_ A x i) (at_ B y i).
  Proof.
    intros [D C]. unfold at_, get. rewrite <- D. destruct (in_box (dims x) i); [| exact sim_zero].
    apply nth_related; [exact C | exact sim_zero].
  Qed.

  Lemma spread_related x y out i : related x y -> R (spread_at A x out i) (spread_at B y out i).
  Proof. intros H. unfold spread_at. rewrite <- (proj1 H). now apply at_related. Qed.

  Lemma fold_related {X} (f : num A -> num A -> num A) (g : num B -> num B -> num B) (l : list X) h k : keeps2 f g ->
    (forall x, R (h x) (k x)) -> forall a b, R a b ->
    R (fold_left (fun acc x => f acc (h x)) l a) (fold_left (fun acc x => g acc (k x)) l b).
  Proof. intros K H. induction l as [| x l IH]; intros a b r; simpl; [exact r |]. apply IH, K; [exact r | apply H]. Qed.

  Lemma sum_related ns f g : (forall k, R (f k) (g k)) -> R (s_sum A ns f) (s_sum B ns g).
  Proof.
    intros H. unfold s_sum. destruct (single ns); [apply H |]. unfold reduce.
    apply fold_related; [apply (sim_add sim) | exact H | exact sim_zero].
  Qed.

  Lemma greatest_related ns f g : (forall k, R (f k) (g k)) -> R (s_greatest A ns f) (s_greatest B ns g).
  Proof.
    intros H. unfold s_greatest. destruct (single ns); [apply H |]. unfold reduce.
    apply fold_related; [apply (sim_max sim) | exact H | apply (sim_least sim)].
  Qed.

  Lemma tabulate_related ds f g : (forall i, R (f i) (g i)) -> related (tabulate ds f) (tabulate ds g).
  Proof.
    intros H. split; [reflexivity |]. unfold tabulate. cbn [cells]. induction (box ds) as [| i l IH]; constructor; auto.
  Qed.

  Lemma table_related o p f g : o = p -> (forall ds i, R (f ds i) (g ds i)) -> follows related (table A o f) (table B p g).
  Proof.
    intros <- H. unfold table. destruct o as [ds |]; [| apply follows_none]. apply follows_some, tabulate_related, H.
  Qed.

  Lemma recast_related ds x y : related x y -> follows related (recast ds x) (recast ds y).
  Proof.
    intros [D C]. unfold recast. rewrite <- (Forall2_length C). destruct (_ =? _); [| apply follows_none].
    now apply follows_some.
  Qed.

  Lemma dims_related xs ys : Forall2 related xs ys -> map dims xs = map dims ys.
  Proof. induction 1 as [| x y xs ys [D _] _ IH]; [reflexivity |]. simpl. now rewrite D, IH. Qed.

  (** The operations, through everything that does not depend on numbers. *)
  Ltac cell :=
    repeat first
      [ assumption
      | match goal with
        | |- R (if ?c then _ else _) (if ?c then _ else _) => destruct c
        | |- R (match ?l with [] => _ | _ :: _ => _ end) (match ?l with [] => _ | _ :: _ => _ end) => destruct l
        | |- R (match ?l with Some _ => _ | None => _ end) (match ?l with Some _ => _ | None => _ end) => destruct l
        | |- R (match ?p with PadConstant => _ | PadEdge => _ | PadReflect => _ end) _ => destruct p
        | p : (_ * _)%type |- _ => destruct p; cbn beta iota
        | |- R (at_ A _ _) (at_ B _ _) => apply at_related
        | |- R (spread_at A _ _ _) (spread_at B _ _ _) => apply spread_related
        | |- R (s_sum A _ _) (s_sum B _ _) => apply sum_related; intros
        | |- R (s_greatest A _ _) (s_greatest B _ _) => apply greatest_related; intros
        | |- R (s_real A _) (s_real B _) => apply sim_real
        | |- R (s_zero A) (s_zero B) => exact sim_zero
        | |- R (s_one A) (s_one B) => exact sim_one
        | |- R (s_int A _) (s_int B _) => apply (sim_int sim)
        | |- R (s_ratio A _ _) (s_ratio B _ _) => apply (sim_ratio sim)
        | |- R (s_tiny A) (s_tiny B) => apply (sim_tiny sim)
        | |- R (s_least A) (s_least B) => apply (sim_least sim)
        | |- R (s_add A _ _) (s_add B _ _) => apply (sim_add sim)
        | |- R (s_sub A _ _) (s_sub B _ _) => apply (sim_sub sim)
        | |- R (s_mul A _ _) (s_mul B _ _) => apply (sim_mul sim)
        | H : divides |- R (s_div A _ _) (s_div B _ _) => apply H
        | |- R (div_cell A _ _) (div_cell B _ _) => apply (sim_div sim)
        | |- R (s_mod A _ _) (s_mod B _ _) => apply (sim_mod sim)
        | |- R (s_max A _ _) (s_max B _ _) => apply (sim_max sim)
        | |- R (s_min A _ _) (s_min B _ _) => apply (sim_min sim)
        | |- R (s_less A _ _) (s_less B _ _) => apply (sim_less sim)
        | |- R (s_equal A _ _) (s_equal B _ _) => apply (sim_equal sim)
        | |- R (s_when A _ _) (s_when B _ _) => apply (sim_when sim)
        | |- R (s_orelse A _ _) (s_orelse B _ _) => apply (sim_orelse sim)
        | |- R (s_pow A _ _) (s_pow B _ _) => apply (sim_pow sim)
        | |- R (s_neg A _) (s_neg B _) => apply (sim_neg sim)
        | |- R (s_abs A _) (s_abs B _) => apply (sim_abs sim)
        | |- R (s_exp A _) (s_exp B _) => apply (sim_exp sim)
        | |- R (s_log A _) (s_log B _) => apply (sim_log sim)
        | |- R (s_sqrt A _) (s_sqrt B _) => apply (sim_sqrt sim)
        | |- R (s_tanh A _) (s_tanh B _) => apply (sim_tanh sim)
        | |- R (s_erf A _) (s_erf B _) => apply (sim_erf sim)
        | |- R (s_round A _) (s_round B _) => apply (sim_round sim)
        end
      | progress (unfold relu_cell, sigmoid_cell, reciprocal_cell, clip_cell, leaky_relu_cell, elu_cell, selu_cell, celu_cell,
                         prelu_cell, thresholded_cell, hard_sigmoid_cell, hard_swish_cell, softplus_cell, softsign_cell, mish_cell, gelu_cell,
                         swish_cell, sign_cell, above, below, not_cell, where_cell, over_count,
                         scaled, conv_term, conv_cell, window_cell, pool_count, mean_of, variance_of, standard, fellows,
                         scale_channel, group_fellows, sum_over; cbv zeta; cbn [dims]) ].

  (** ** Operators by the number of inputs *)

  Definition operand_related (a : option (tensor (num A))) (b : option (tensor (num B))) : Prop :=
    match a, b with Some x, Some y => related x y | None, None => True | _, _ => False end.

  Definition operators_related (o : operator A) (p : operator B) : Prop :=
    forall l xs ys, Forall2 operand_related xs ys -> follows related_value (op_cells o l xs) (op_cells p l ys).

  Lemma one_related o p : follows related o p -> follows related_value (one o) (one p).
  Proof.
    intros H v E. unfold one in E. destruct o as [x |]; [| discriminate]. injection E as <-.
    destruct (H x eq_refl) as (y & -> & r). now exists (GTensor y).
  Qed.

  Lemma on1_related d d' f g : (forall l x y, related x y -> follows related (f l x) (g l y)) ->
    operators_related (op1 A d f) (op1 B d' g).
  Proof.
    intros H l xs ys F. cbn. unfold on1. destruct F as [| a b xs ys h F]; [apply follows_none |].
    destruct F; [| destruct a; apply follows_none]. destruct a as [x |]; [| apply follows_none].
    destruct b as [y |]; [| destruct h]. apply one_related, H, h.
  Qed.

  Lemma on2_related d d' f g :
    (forall l x y u v, related x y -> related u v -> follows related (f l x u) (g l y v)) ->
    operators_related (op2 A d f) (op2 B d' g).
  Proof.
    intros H l xs ys F. cbn. unfold on2. destruct F as [| a b xs ys h F]; [apply follows_none |].
    destruct a as [x |]; [| apply follows_none]. destruct b as [y |]; [| destruct h].
    destruct F as [| c d0 xs ys k F]; [apply follows_none |]. destruct c as [u |]; [| apply follows_none].
    destruct d0 as [v |]; [| destruct k]. destruct F; [| apply follows_none]. now apply one_related, H.
  Qed.

  Lemma on3_related d d' f g :
    (forall l x y u v a b, related x y -> related u v -> operand_related a b -> follows related (f l x u a) (g l y v b)) ->
    operators_related (op3 A d f) (op3 B d' g).
  Proof.
    intros H l xs ys F. cbn. unfold on3. destruct F as [| a b xs ys h F]; [apply follows_none |].
    destruct a as [x |]; [| apply follows_none]. destruct b as [y |]; [| destruct h].
    destruct F as [| c d0 xs ys k F]; [apply follows_none |]. destruct c as [u |]; [| apply follows_none].
    destruct d0 as [v |]; [| destruct k]. destruct F as [| e e' xs ys m F]; [now apply one_related, H |].
    destruct e as [w |]; [| apply follows_none]. destruct e' as [z |]; [| destruct m].
    destruct F; [| apply follows_none]. now apply one_related, H.
  Qed.

  Lemma exactly3_related d d' f g :
    (forall l x y u v w z, related x y -> related u v -> related w z -> follows related (f l x u w) (g l y v z)) ->
    operators_related (Operator A d (exactly3 f)) (Operator B d' (exactly3 g)).
  Proof.
    intros H l xs ys F. cbn. unfold exactly3. destruct F as [| a b xs ys h F]; [apply follows_none |].
    destruct a as [x |]; [| apply follows_none]. destruct b as [y |]; [| destruct h].
    destruct F as [| c d0 xs ys k F]; [apply follows_none |]. destruct c as [u |]; [| apply follows_none].
    destruct d0 as [v |]; [| destruct k]. destruct F as [| e e' xs ys m F]; [apply follows_none |].
    destruct e as [w |]; [| apply follows_none]. destruct e' as [z |]; [| destruct m].
    destruct F; [| apply follows_none]. now apply one_related, H.
  Qed.

  Lemma any_related d d' f g :
    (forall l x y r s, related x y -> Forall2 related r s -> follows related (f l x r) (g l y s)) ->
    operators_related (Operator A d (any f)) (Operator B d' (any g)).
  Proof.
    intros H l xs ys F. cbn. unfold any.
    assert (forall ts, traverse (fun o : option (tensor (num A)) => o) xs = Some ts ->
              exists us, traverse (fun o : option (tensor (num B)) => o) ys = Some us /\ Forall2 related ts us) as T.
    { induction F as [| a b xs ys h _ IH]; intros ts E; simpl in E.
      - injection E as <-. now exists [].
      - destruct a as [x |]; [| discriminate]. destruct b as [y |]; [| destruct h]. simpl.
        destruct (traverse _ xs) as [ts' |]; [| discriminate]. injection E as <-.
        destruct (IH ts' eq_refl) as (us & -> & G). exists (y :: us). split; [reflexivity | now constructor]. }
    destruct (traverse _ xs) as [ts |]; [| apply follows_none].
    destruct (T ts eq_refl) as (us & -> & G). destruct G as [| x y r s h G]; [apply follows_none |]. now apply one_related, H.
  Qed.

  (** ** The operators *)

  (** Related tensors have the same sizes: written the same. *)
  Ltac open h :=
    let D := fresh "D" in
    pose proof (proj1 h) as D;
    match type of h with related ?x ?y => destruct x, y; cbn [dims] in D; subst end.

  Ltac step :=
    first
      [ apply follows_none
      | apply recast_related; assumption
      | apply table_related; [reflexivity | intros; cell]
      | match goal with
        | |- follows _ (guard ?c _) (guard ?c _) => unfold guard; destruct c
        | |- follows _ (match ?o with Some _ => _ | None => _ end) (match ?o with Some _ => _ | None => _ end) => destruct o
        | |- follows _ (match ?p with (_, _) => _ end) (match ?p with (_, _) => _ end) => destruct p
        | |- follows _ (if ?c then _ else _) (if ?c then _ else _) => destruct c
        | |- follows _ (match ?l with [] => _ | _ :: _ => _ end) (match ?l with [] => _ | _ :: _ => _ end) => destruct l
        | |- follows related (Some (tabulate _ _)) (Some (tabulate _ _)) => apply follows_some, tabulate_related; intros; cell
        | |- follows related (Some _) (Some _) => apply follows_some; assumption
        end ].

  Lemma folded_related f g : keeps2 f g -> forall x y r s, related x y -> Forall2 related r s ->
    follows related (fold_all A f x r) (fold_all B g y s).
  Proof.
    intros K x y r s h F. unfold fold_all. rewrite <- (proj1 h), <- (dims_related r s F).
    apply table_related; [reflexivity |]. intros ds i.
    assert (forall a b, R a b -> R (fold_left (fun a u => f a (spread_at A u ds i)) r a)
                                   (fold_left (fun b v => g b (spread_at B v ds i)) s b)) as H.
    { induction F as [| u v r s k _ IH]; intros a b ab; simpl; [exact ab |]. apply IH, K; [exact ab | now apply spread_related]. }
    apply H. now apply spread_related.
  Qed.

  Lemma concat_related axis x y r s : related x y -> Forall2 related r s ->
    follows related (concat A axis x r) (concat B axis y s).
  Proof.
    intros h F. unfold concat. rewrite <- (proj1 h), <- (dims_related r s F).
    apply table_related; [reflexivity |]. intros _ i. revert x y h i.
    induction F as [| u v r s k _ IH]; intros x y h i; cbn [concat_cell]; [now apply at_related |].
    rewrite <- (proj1 h). cbv zeta. destruct (_ <? _)%Z; [now apply at_related | now apply IH].
  Qed.

  Lemma split_related axis sizes x y : related x y -> follows (Forall2 related) (split A axis sizes x) (split B axis sizes y).
  Proof.
    intros h. unfold split. rewrite <- (proj1 h). destruct (split_dims axis sizes (dims x)) as [l |]; [| apply follows_none].
    apply follows_some. generalize 0. induction l as [| ds l IH]; intros k; cbn [parts]; constructor; [| apply IH].
    unfold part. apply tabulate_related. intros i. now apply at_related.
  Qed.

  Lemma gather_related axis x y u v : axis < List.length (dims x) -> related x y -> related u v ->
    follows related (gather A axis x u) (gather B axis y v).
  Proof.
    intros lt h k. unfold gather. cbv zeta. rewrite <- (proj1 h), <- (proj1 k).
    assert (forall n i z, index_of A n (at_ A u i) = Some z -> index_of B n (at_ B v i) = Some z) as same.
    { intros n i z. unfold index_of. destruct (s_index A (at_ A u i)) as [w |] eqn:E; [| discriminate].
      now rewrite (sim_index sim _ _ w (at_related u v i k) E). }
    unfold guard at 1. destruct (forallb _ (box (dims u))) eqn:all; [| apply follows_none].
    rewrite forallb_forall in all.
    assert (forallb (fun i => match index_of B (nth axis (dims x) 0) (at_ B v i) with Some _ => true | None => false end)
              (box (dims u)) = true) as ->.
    { apply forallb_forall. intros i ini. specialize (all i ini).
      destruct (index_of A _ (at_ A u i)) as [z |] eqn:E; [| discriminate]. now rewrite (same _ _ _ E). }
    unfold guard, table. apply follows_some. split; [reflexivity |]. unfold tabulate. cbn [cells].
    set (r := List.length (dims u)).
    assert (forall i, in_box (gather_dims axis (dims x) (dims u)) i = true ->
              exists z, index_of A (nth axis (dims x) 0) (at_ A u (firstn r (skipn axis i))) = Some z) as inside.
    { intros i I. assert (in_box (dims u) (firstn r (skipn axis i)) = true) as J.
      { unfold gather_dims in I. clear - I lt. revert i I lt. generalize (dims x) as ds. unfold r. clear r.
        induction axis as [| axis IH]; intros ds i I lt.
        - cbn [firstn app] in I. cbn [skipn]. revert i I. generalize (skipn 1 ds) as rest. generalize (dims u) as es.
          induction es as [| e es IHe]; intros rest i I; [reflexivity |].
          destruct i as [| z i]; [discriminate |]. cbn [app] in I. apply in_box_cons in I. destruct I as [zb I].
          cbn [List.length firstn]. apply in_box_cons. split; [exact zb | exact (IHe rest i I)].
        - destruct ds as [| d ds]; [simpl in lt; lia |].
          change (firstn (Datatypes.S axis) (d :: ds)) with (d :: firstn axis ds) in I.
          change (skipn (Datatypes.S (Datatypes.S axis)) (d :: ds)) with (skipn (Datatypes.S axis) ds) in I. cbn [app] in I.
          destruct i as [| z i]; [discriminate |]. apply in_box_cons in I. destruct I as [_ I].
          cbn [skipn]. apply (IH ds i I). simpl in lt. lia. }
      specialize (all _ (proj2 (in_box_box _ _) J)). destruct (index_of A _ _) as [z |]; [now exists z | discriminate]. }
    assert (forall l, (forall i, In i l -> in_box (gather_dims axis (dims x) (dims u)) i = true) ->
      Forall2 R
        (map (fun i => match index_of A (nth axis (dims x) 0) (at_ A u (firstn r (skipn axis i))) with
                       | Some z => at_ A x (firstn axis i ++ z :: skipn (axis + r) i) | None => s_zero A end) l)
        (map (fun i => match index_of B (nth axis (dims x) 0) (at_ B v (firstn r (skipn axis i))) with
                       | Some z => at_ B y (firstn axis i ++ z :: skipn (axis + r) i) | None => s_zero B end) l)) as go.
    { intros l. induction l as [| i l IH]; intros I; simpl; constructor.
      - destruct (inside i (I i (or_introl eq_refl))) as [z E]. rewrite E, (same _ _ _ E). now apply at_related.
      - apply IH. intros j inj. apply I. now right. }
    apply go. intros i ini. now apply in_box_box.
  Qed.
  Lemma axis_lt l d ds axis : axis_in l d ds = Some axis -> axis < List.length ds.
  Proof.
    unfold axis_in, axis_attr, axis_of. destruct (int_attr l "axis" d) as [z |]; [| discriminate].
    destruct (_ && _)%bool eqn:C; [| discriminate]. intros E. injection E as <-. apply andb_true_iff in C. destruct C as [lo hi].
    apply Z.leb_le in lo. apply Z.ltb_lt in hi. destruct (z <? 0)%Z eqn:N; [apply Z.ltb_lt in N | apply Z.ltb_ge in N]; lia.
  Qed.

  Ltac inputs_ h :=
    first
      [ apply on1_related; intros l x y h; open h
      | apply on2_related; intros l x y u v h k; open h; open k
      | apply on3_related; intros l x y u v [a |] [b |] h k m; try contradiction;
        [cbn [operand_related] in m; open h; open k; open m | open h; open k]
      | apply exactly3_related; intros l x y u v w z h k m; open h; open k; open m ].

  Ltac by_steps :=
    cbn [dims option_map map]; unfold map1, map2, where_of, recast_to, transpose, slice, pad, expand, filled, eye, reduce_sum, reduce_mean,
      collapse_sum, gemm, matmul, bias_add, conv, max_pool, average_pool, global_average_pool, layer_norm, instance_norm,
      group_norm, lp_norm, l2_norm, softmax, lrn, reduce_max, log_softmax, rms_norm;
    cbv zeta; cbn [dims option_map map]; repeat step.

  Lemma batch_related l x y g g' b b' m m' v v' : divides ->
    related x y -> related g g' -> related b b' -> related m m' -> related v v' ->
    follows related
      (let? e := real_attr l "epsilon" (Some epsilon_bits) in batch_norm A e x g b m v)
      (let? e := real_attr l "epsilon" (Some epsilon_bits) in batch_norm B e y g' b' m' v').
  Proof.
    intros dv h1 h2 h3 h4 h5. open h1. open h2. open h3. open h4. open h5. unfold batch_norm. cbn [dims map]. repeat step.
  Qed.

  (** Whether an operator divides is computed, not searched for. *)
  Lemma among name l : existsb (String.eqb name) l = true -> In name l.
  Proof. intros E. apply existsb_exists in E as (x & I & E). apply String.eqb_eq in E as ->. exact I. Qed.

  Ltac divides_if_among quot :=
    lazymatch type of quot with
    | In ?name quotients -> _ =>
        lazymatch eval vm_compute in (existsb (String.eqb name) quotients) with
        | true => pose proof (quot (among name quotients eq_refl))
        | false => idtac
        end
    end;
    clear quot.

  (** The operators of the two structures, in the order of the table. *)
  Lemma operators_follow :
    Forall2 (fun e f => fst e = fst f /\
      (fst e <> "Cast" -> (In (fst e) quotients -> divides) -> operators_related (snd e) (snd f)))
      (operators A) (operators B).
  Proof.
    unfold operators.
    repeat (apply Forall2_cons; [split; [reflexivity |]; cbn [fst snd]; intros no_cast quot; divides_if_among quot |]); [.. | apply Forall2_nil].
    all: try (contradiction (no_cast eq_refl)).
    all: clear no_cast.
    all: try (unfold folded; apply any_related; intros l x y r s h F; apply folded_related; try assumption;
              first [apply (sim_add sim) | apply (sim_max sim) | apply (sim_min sim)]).
    all: try (unfold elementwise, pointwise, onto, binary, copy, recasting, conv_op, max_pool_op, average_pool_op, softmax_op, gemm_op, lrn_op,
                transpose_op, reduce_op, slice_op, pad_op, expand_op, broadcast_like_op, eye_op, layer_norm_op,
                instance_norm_op, group_norm_op, lp_norm_op, l2_norm_op, clip_op, leaky_relu_op, where_op, bias_add_op,
                like_op, reshape_like_op, collapse_op, collapse_like_op, reduce_max_op, log_softmax_op, rms_norm_op; inputs_ h; by_steps; fail).
    - (* Concat *)
      apply any_related. intros l x y r s h F. rewrite <- (proj1 h).
      destruct (axis_in l None (dims x)); [now apply concat_related | apply follows_none].
    - (* BatchNormalization *)
      intros l xs ys F. cbn. do 5 (destruct F as [| [?|] [?|] ? ? ? F]; try apply follows_none; try contradiction).
      destruct F; [| apply follows_none]. apply one_related. now apply batch_related.
    - (* ConstantOfShape *)
      intros l xs ys F. cbn. destruct F; [| apply follows_none]. apply one_related.
      repeat step. apply follows_some. unfold filled. apply tabulate_related. intros. cell.
    - (* Shape *)
      inputs_ h. cbn [dims]. repeat step. apply follows_some. unfold shape_tensor. cbn [dims].
      destruct (shape_bounds _ _ _) as [a b]. split; [reflexivity |]. cbn [Tensor.cells].
      generalize (firstn (b - a) (skipn a dims0)). intros m. induction m; constructor; [apply (sim_int sim) | assumption].
    - (* Gather *)
      apply on2_related. intros l x y u v h k. rewrite <- (proj1 h).
      destruct (axis_in l (Some 0%Z) (dims x)) as [axis |] eqn:E; [| apply follows_none].
      apply gather_related; [exact (axis_lt _ _ _ _ E) | exact h | exact k].
    - (* Split *)
      intros l xs ys F. cbn. destruct F as [| [x |] [y |] xs ys h F]; try apply follows_none; try contradiction.
      destruct F; [| apply follows_none]. cbn [operand_related] in h. rewrite <- (proj1 h).
      destruct (split_params l (dims x)) as [[axis ps] |]; [| apply follows_none].
      intros v E. destruct (split A axis ps x) as [ts |] eqn:Sp; [| discriminate]. injection E as <-.
      destruct (split_related axis ps x y h ts Sp) as (us & -> & G). now exists (GTuple us).
  Qed.

  (** *** By name *)

  Lemma operand_follows v w : related_value v w -> forall a, operand v = Some a ->
    exists b, operand w = Some b /\ operand_related a b.
  Proof.
    intros H a E. destruct v as [x | xs |], w as [y | ys |]; try contradiction; try discriminate; injection E as <-.
    - now exists (Some y).
    - now exists None.
  Qed.

  Lemma inputs_follow vs ws : Forall2 related_value vs ws -> follows (Forall2 operand_related) (inputs vs) (inputs ws).
  Proof.
    intros F l E. unfold inputs in *. destruct (traverse operand vs) as [m |] eqn:T; [| discriminate]. injection E as <-.
    assert (exists n, traverse operand ws = Some n /\ Forall2 operand_related m n) as (n & -> & G).
    { revert m T. induction F as [| v w vs ws h _ IH]; intros m T; simpl in T.
      - injection T as <-. now exists [].
      - destruct (operand v) as [a |] eqn:Ov; [| discriminate]. destruct (operand_follows v w h a Ov) as (b & Ow & ab).
        destruct (traverse operand vs) as [m' |]; [| discriminate]. injection T as <-.
        destruct (IH m' eq_refl) as (n & Tn & G). exists (b :: n). simpl. rewrite Ow, Tn. split; [reflexivity | now constructor]. }
    exists (trim n). split; [reflexivity |]. clear - G. induction G as [| a b m n h G IH]; [constructor |]. simpl.
    destruct a as [x |], b as [y |]; try contradiction; [now constructor |].
    destruct IH as [| c d lc ld cd rest]; [exact (Forall2_nil _) | exact (Forall2_cons _ _ h (Forall2_cons _ _ cd rest))].
  Qed.

  (** What an operator computes over the one, it computes over the other; conversions are the structures' own, and
      those that divide ask for quotients. *)
  Theorem op_value_related name l vs ws :
    name <> "Cast" -> (In name quotients -> divides) -> Forall2 related_value vs ws ->
    follows related_value (op_value A name l vs) (op_value B name l ws).
  Proof.
    intros no_cast quot F v E. unfold op_value in *.
    destruct (look_up String.eqb (operators A) name) as [o |] eqn:L; [| discriminate].
    assert (exists p, look_up String.eqb (operators B) name = Some p /\ operators_related o p) as (p & -> & op).
    { unfold look_up in L. destruct (find _ (operators A)) as [[k o'] |] eqn:Fi; [| discriminate]. injection L as ->.
      pose proof operators_follow as all. revert Fi. unfold look_up.
      induction all as [| [ka oa] [kb ob] la lb [K H] _ IH]; intros Fi; [discriminate |]. simpl in Fi, K, H |- *. subst kb.
      destruct (String.eqb_spec ka name) as [-> |]; [| exact (IH Fi)].
      injection Fi as _ <-. exists ob. split; [reflexivity | now apply H]. }
    destruct (inputs vs) as [xs |] eqn:I; [| discriminate].
    destruct (inputs_follow vs ws F xs I) as (ys & -> & G). exact (op l xs ys G v E).
  Qed.
End Related.
