(** * The type rules are sound

    The value of an operator has the sizes that are inferred from those of its inputs
    ([infer_sound]); inputs whose sizes are accepted have a value, but for the indices of a
    Gather, which may be outside of the dimension ([infer_complete]); values are good, that is
    have as many cells as their sizes say ([op_value_good]). *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsWindow tensor.OpsNorm tensor.OpTable.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Shapes that keep the number of cells *)

Lemma fits_iff total ds es : fits total ds = Some es <-> es = ds /\ cell_count ds = total.
Proof.
  unfold fits, guard. destruct (Nat.eqb_spec (cell_count ds) total); split.
  - intros H. now injection H as <-.
  - now intros [-> _].
  - discriminate.
  - now intros [_ H].
Qed.

Lemma opened_count total v es : opened total v = Some es -> cell_count es = total.
Proof.
  unfold opened. destruct (naturals (map _ v)) as [o |]; [| discriminate].
  destruct (andb _ _); [| discriminate]. destruct (naturals _) as [p |]; [| discriminate].
  intros H. apply fits_iff in H. now destruct H as [-> H].
Qed.

Lemma reshape_dims_count v ds es : reshape_dims v ds = Some es -> cell_count es = cell_count ds.
Proof.
  unfold reshape_dims. destruct (match naturals v with Some n => fits (cell_count ds) n | None => None end) eqn:E.
  - intros H. injection H as <-. destruct (naturals v) as [n |]; [| discriminate].
    apply fits_iff in E. now destruct E as [-> E].
  - destruct (naturals (copied_zeros v ds)) as [m |]; [| apply opened_count].
    intros H. apply fits_iff in H. now destruct H as [-> H].
Qed.

Lemma flatten_dims_count axis ds : cell_count (flatten_dims axis ds) = cell_count ds.
Proof.
  unfold flatten_dims. rewrite <- (firstn_skipn axis ds) at 3. rewrite cell_count_app. simpl. lia.
Qed.

Lemma squeezed_count axes ds : forall k es, squeezed k axes ds = Some es -> cell_count es = cell_count ds.
Proof.
  induction ds as [| d ds IH]; intros k es H; simpl in H; [now injection H as <- |].
  destruct (has k axes).
  - destruct (Nat.eqb_spec d 1) as [-> |]; [| discriminate]. rewrite (IH _ _ H). simpl. lia.
  - destruct (squeezed (S k) axes ds) as [fs |] eqn:E; [| discriminate].
    injection H as <-. simpl. now rewrite (IH _ _ E).
Qed.

Lemma unsqueezed_count axes n : forall k ds es, unsqueezed n k axes ds = Some es -> cell_count es = cell_count ds.
Proof.
  induction n as [| n IH]; intros k ds es H; simpl in H.
  - destruct ds; [now injection H as <- | discriminate].
  - destruct (has k axes).
    + destruct (unsqueezed n (S k) axes ds) as [fs |] eqn:E; [| discriminate].
      injection H as <-. simpl. rewrite (IH _ _ _ E). lia.
    + destruct ds as [| d ds]; [discriminate |].
      destruct (unsqueezed n (S k) axes ds) as [fs |] eqn:E; [| discriminate].
      injection H as <-. simpl. now rewrite (IH _ _ _ E).
Qed.

Lemma filter_ones_count ds : cell_count (filter (fun d => negb (d =? 1)) ds) = cell_count ds.
Proof.
  induction ds as [| d ds IH]; [reflexivity |]. simpl.
  destruct (Nat.eqb_spec d 1) as [-> |]; simpl; rewrite IH; lia.
Qed.

Lemma squeeze_dims_count o ds es : squeeze_dims o ds = Some es -> cell_count es = cell_count ds.
Proof.
  unfold squeeze_dims. destruct o as [zs |].
  - destruct (axes_of _ zs) as [l |]; [| discriminate]. apply squeezed_count.
  - intros H. injection H as <-. apply filter_ones_count.
Qed.

Lemma unsqueeze_dims_count zs ds es : unsqueeze_dims zs ds = Some es -> cell_count es = cell_count ds.
Proof.
  unfold unsqueeze_dims. destruct (axes_of _ zs) as [l |]; [| discriminate]. apply unsqueezed_count.
Qed.

Lemma reshape_like_dims_count l0 l1 r0 r1 a b es :
  reshape_like_dims l0 l1 r0 r1 a b = Some es -> cell_count es = cell_count a.
Proof.
  unfold reshape_like_dims, guard. destruct (andb _ _); [| discriminate].
  intros H. apply fits_iff in H. now destruct H as [-> H].
Qed.

(** What the recasting operators' rules have in common. *)
Definition keeps_count (d : attributes -> sizes -> option sizes) : Prop :=
  forall l x ds, d l x = Some ds -> cell_count ds = cell_count x.

Ltac step H :=
  match type of H with
  | match ?o with Some _ => _ | None => None end = Some _ => let E := fresh "E" in destruct o eqn:E; [| discriminate H]
  end.

Lemma reshape_keeps : keeps_count reshape_of.
Proof. intros l x ds H. unfold reshape_of in H. step H. now apply reshape_dims_count in H. Qed.

Lemma flatten_keeps : keeps_count flatten_of.
Proof. intros l x ds H. unfold flatten_of in H. step H. injection H as <-. apply flatten_dims_count. Qed.

Lemma squeeze_keeps : keeps_count squeeze_of.
Proof.
  intros l x ds H. unfold squeeze_of in H. destruct (attribute l "axes"); [step H |]; now apply squeeze_dims_count in H.
Qed.

Lemma unsqueeze_keeps : keeps_count unsqueeze_of.
Proof. intros l x ds H. unfold unsqueeze_of in H. step H. now apply unsqueeze_dims_count in H. Qed.

Lemma reshape_like_keeps l x y ds : reshape_like_of l x y = Some ds -> cell_count ds = cell_count x.
Proof. unfold reshape_like_of. intros H. do 4 step H. now apply reshape_like_dims_count in H. Qed.

(** ** Values and their sizes *)

Definition good_value {A} (v : gvalue (tensor A)) : Prop :=
  match v with GTensor t => good t | GTuple ts => Forall good ts | GAbsent => True end.

Definition good_operand {A} (o : option (tensor A)) : Prop := match o with Some t => good t | None => True end.

Lemma map_trim {A B} (f : A -> B) l : trim (map (option_map f) l) = map (option_map f) (trim l).
Proof.
  induction l as [| a l IH]; [reflexivity |]. simpl. rewrite IH.
  destruct a, (trim l) as [| b m]; reflexivity.
Qed.

Lemma inputs_map {A B} (f : A -> B) vs :
  inputs (map (map_value f) vs) = option_map (map (option_map f)) (inputs vs).
Proof.
  unfold inputs. assert (traverse operand (map (map_value f) vs) =
                         option_map (map (option_map f)) (traverse operand vs)) as ->.
  { induction vs as [| v vs IH]; [reflexivity |]. simpl. rewrite IH.
    destruct v; simpl; try reflexivity; now destruct (traverse operand vs). }
  destruct (traverse operand vs) as [l |]; [| reflexivity]. simpl. now rewrite map_trim.
Qed.

Lemma trim_good {A} (l : list (option (tensor A))) : Forall good_operand l -> Forall good_operand (trim l).
Proof.
  induction l as [| a l IH]; intros H; [constructor |]. inversion H as [| ? ? ha hl]; subst.
  specialize (IH hl). simpl. destruct a; [now constructor |].
  destruct (trim l); [constructor | now constructor].
Qed.

Lemma inputs_good {A} (vs : list (gvalue (tensor A))) l :
  Forall good_value vs -> inputs vs = Some l -> Forall good_operand l.
Proof.
  unfold inputs. intros G H. destruct (traverse operand vs) as [m |] eqn:T; [| discriminate].
  injection H as <-. apply trim_good. revert m T. induction G as [| v vs g _ IH]; intros m T; simpl in T.
  - injection T as <-. constructor.
  - destruct (operand v) as [o |] eqn:O; [| discriminate].
    destruct (traverse operand vs) as [m' |]; [| discriminate]. injection T as <-. constructor; [| now apply IH].
    destruct v; simpl in O; try discriminate; injection O as <-; exact g.
Qed.

Section Sound.
  Variable S : arith.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation operator := (operator S).

  Definition sizes_of (v : list (option tensor)) : list (option sizes) := map (option_map dims) v.

  (** An operator and its type rule. *)
  Definition sound (o : operator) : Prop :=
    forall l v w, op_cells o l v = Some w -> op_shape o l (sizes_of v) = Some (map_value dims w).

  Definition makes_good (o : operator) : Prop :=
    forall l v w, Forall good_operand v -> op_cells o l v = Some w -> good_value w.

  Definition total (o : operator) : Prop :=
    forall l v s, Forall good_operand v -> op_shape o l (sizes_of v) = Some s -> exists w, op_cells o l v = Some w.

  Lemma table_dims o f t : table S o f = Some t -> o = Some (dims t) /\ good t.
  Proof.
    unfold table. destruct o as [ds |]; [| discriminate]. intros H. injection H as <-.
    split; [reflexivity | apply good_tabulate].
  Qed.

  Lemma table_some o f ds : o = Some ds -> exists t, table S o f = Some t.
  Proof. intros ->. now eexists. Qed.

  Lemma recast_to_dims o x t : recast_to S o x = Some t -> o = Some (dims t) /\ good t.
  Proof.
    unfold recast_to. destruct o as [ds |]; [| discriminate]. intros H. split; [| now apply recast_good in H].
    apply recast_iff in H. now destruct H as [_ ->].
  Qed.

  Lemma recast_to_some o (x : tensor) ds :
    good x -> o = Some ds -> cell_count ds = cell_count (dims x) -> exists t, recast_to S o x = Some t.
  Proof.
    intros G -> E. exists (Tensor ds (cells x)). apply recast_iff. split; [| reflexivity]. now rewrite E, G.
  Qed.

  (** *** By the number of inputs *)

  Ltac results H := unfold one in H; step H; injection H as <-.

  (** [f] has what [d] says, and is good. *)
  Definition rule1 (d : attributes -> sizes -> option sizes) (f : attributes -> tensor -> option tensor) : Prop :=
    forall l x y, f l x = Some y -> d l (dims x) = Some (dims y) /\ (good x -> good y).

  Definition full1 (d : attributes -> sizes -> option sizes) (f : attributes -> tensor -> option tensor) : Prop :=
    forall l x ds, good x -> d l (dims x) = Some ds -> exists y, f l x = Some y.

  Definition right (o : operator) : Prop := sound o /\ makes_good o /\ total o.

  Lemma right1 d f : rule1 d f -> full1 d f -> right (op1 S d f).
  Proof.
    intros R F. split; [| split].
    - intros l v w H. destruct v as [| [x |] [|]]; try discriminate. simpl in H. results H.
      destruct (R _ _ _ E) as [D _]. simpl. now rewrite D.
    - intros l v w G H. destruct v as [| [x |] [|]]; try discriminate. simpl in H. results H.
      apply (R _ _ _ E). now inversion G.
    - intros l v s G H. destruct v as [| [x |] [|]]; try discriminate. simpl in H.
      unfold one in H. step H. inversion G as [| ? ? g _]; subst.
      destruct (F _ _ _ g E) as [y Y]. exists (GTensor y). simpl. now rewrite Y.
  Qed.

  Definition rule2 (d : attributes -> sizes -> sizes -> option sizes)
      (f : attributes -> tensor -> tensor -> option tensor) : Prop :=
    forall l x y z, f l x y = Some z -> d l (dims x) (dims y) = Some (dims z) /\ (good x -> good y -> good z).

  Definition full2 (d : attributes -> sizes -> sizes -> option sizes)
      (f : attributes -> tensor -> tensor -> option tensor) : Prop :=
    forall l x y ds, good x -> good y -> d l (dims x) (dims y) = Some ds -> exists z, f l x y = Some z.

  Lemma sound2 d f : rule2 d f -> sound (op2 S d f) /\ makes_good (op2 S d f).
  Proof.
    intros R. split.
    - intros l v w H. destruct v as [| [x |] [| [y |] [|]]]; try discriminate. simpl in H. results H.
      destruct (R _ _ _ _ E) as [D _]. simpl. now rewrite D.
    - intros l v w G H. destruct v as [| [x |] [| [y |] [|]]]; try discriminate. simpl in H. results H.
      inversion G as [| ? ? g G']; subst. inversion G' as [| ? ? g' _]; subst. now apply (R _ _ _ _ E).
  Qed.

  Lemma right2 d f : rule2 d f -> full2 d f -> right (op2 S d f).
  Proof.
    intros R F. destruct (sound2 d f R) as [so go]. split; [exact so | split; [exact go |]].
    intros l v s G H. destruct v as [| [x |] [| [y |] [|]]]; try discriminate. simpl in H.
    unfold one in H. step H. inversion G as [| ? ? g G']; subst. inversion G' as [| ? ? g' _]; subst.
    destruct (F _ _ _ _ g g' E) as [z Z]. exists (GTensor z). simpl. now rewrite Z.
  Qed.

  Definition rule3 (d : attributes -> sizes -> sizes -> option sizes -> option sizes)
      (f : attributes -> tensor -> tensor -> option tensor -> option tensor) : Prop :=
    forall l x y z,
      (forall w, f l x y z = Some w -> d l (dims x) (dims y) (option_map dims z) = Some (dims w) /\ good w) /\
      (forall ds, d l (dims x) (dims y) (option_map dims z) = Some ds -> exists w, f l x y z = Some w).

  Lemma right3 d f : rule3 d f -> right (op3 S d f).
  Proof.
    intros R. split; [| split].
    - intros l v w H. destruct v as [| [x |] [| [y |] [| [z |] [|]]]]; try discriminate; simpl in H; results H.
      + destruct (proj1 (R l x y None) _ E) as [D _]. simpl in D. simpl. now rewrite D.
      + destruct (proj1 (R l x y (Some z)) _ E) as [D _]. simpl in D. simpl. now rewrite D.
    - intros l v w G H. destruct v as [| [x |] [| [y |] [| [z |] [|]]]]; try discriminate; simpl in H; results H.
      + now destruct (proj1 (R l x y None) _ E).
      + now destruct (proj1 (R l x y (Some z)) _ E).
    - intros l v s G H. destruct v as [| [x |] [| [y |] [| [z |] [|]]]]; try discriminate; simpl in H;
        unfold one in H; step H.
      + destruct (proj2 (R l x y None) _ E) as [w W]. exists (GTensor w). simpl. now rewrite W.
      + destruct (proj2 (R l x y (Some z)) _ E) as [w W]. exists (GTensor w). simpl. now rewrite W.
  Qed.

  Definition rule_exactly3 (d : attributes -> sizes -> sizes -> sizes -> option sizes)
      (f : attributes -> tensor -> tensor -> tensor -> option tensor) : Prop :=
    forall l x y z,
      (forall w, f l x y z = Some w -> d l (dims x) (dims y) (dims z) = Some (dims w) /\ good w) /\
      (forall ds, d l (dims x) (dims y) (dims z) = Some ds -> exists w, f l x y z = Some w).

  Lemma right_exactly3 d f : rule_exactly3 d f -> right (Operator S (exactly3 d) (exactly3 f)).
  Proof.
    intros R. split; [| split].
    - intros l v w H. destruct v as [| [x |] [| [y |] [| [z |] [|]]]]; try discriminate. simpl in H. results H.
      destruct (proj1 (R l x y z) _ E) as [D _]. simpl. now rewrite D.
    - intros l v w G H. destruct v as [| [x |] [| [y |] [| [z |] [|]]]]; try discriminate. simpl in H. results H.
      now destruct (proj1 (R l x y z) _ E).
    - intros l v s G H. destruct v as [| [x |] [| [y |] [| [z |] [|]]]]; try discriminate. simpl in H.
      unfold one in H. step H.
      destruct (proj2 (R l x y z) _ E) as [w W]. exists (GTensor w). simpl. now rewrite W.
  Qed.

  Definition rule_any (d : attributes -> sizes -> list sizes -> option sizes)
      (f : attributes -> tensor -> list tensor -> option tensor) : Prop :=
    forall l x r,
      (forall w, f l x r = Some w -> d l (dims x) (map dims r) = Some (dims w) /\ good w) /\
      (forall ds, d l (dims x) (map dims r) = Some ds -> exists w, f l x r = Some w).

  Lemma traverse_sizes v :
    traverse (fun o => o) (sizes_of v) = option_map (map dims) (traverse (fun o => o) v).
  Proof.
    induction v as [| a v IH]; [reflexivity |]. cbn [sizes_of map traverse]. unfold sizes_of in IH. rewrite IH.
    destruct a; [| reflexivity]. simpl. now destruct (traverse _ v).
  Qed.

  Lemma right_any d f : rule_any d f -> right (Operator S (any d) (any f)).
  Proof.
    intros R. split; [| split].
    - intros l v w H. cbn [op_cells op_shape] in *. unfold any in *. rewrite traverse_sizes.
      destruct (traverse (fun o => o) v) as [[| x r] |]; try discriminate. cbn [option_map map]. results H.
      destruct (proj1 (R l x r) _ E) as [D _]. now rewrite D.
    - intros l v w G H. cbn [op_cells] in H. unfold any in H.
      destruct (traverse (fun o => o) v) as [[| x r] |]; try discriminate. results H.
      now destruct (proj1 (R l x r) _ E).
    - intros l v s G H. cbn [op_cells op_shape] in *. unfold any in *. rewrite traverse_sizes in H.
      destruct (traverse (fun o => o) v) as [[| x r] |]; try discriminate. cbn [option_map map] in H.
      unfold one in H. step H. destruct (proj2 (R l x r) _ E) as [w W]. exists (GTensor w). now rewrite W.
  Qed.

  (** *** Operator by operator *)

  Ltac tabled := split; [intros ?w; apply table_dims | intros ds; apply table_some].
  Ltac tabled1 := apply right1; [intros l x y H | intros l x ds _ H].

  Lemma right_copy : right (copy S).
  Proof.
    apply right1; [intros l x y H; injection H as <-; now split | intros l x ds _ H; now exists x].
  Qed.

  Lemma right_recasting d : keeps_count d -> right (recasting S d).
  Proof.
    intros K. apply right1.
    - intros l x y H. apply recast_to_dims in H. destruct H as [D G]. now split.
    - intros l x ds G H. apply (recast_to_some _ _ ds); [exact G | exact H | now apply K in H].
  Qed.

  (** The result has the sizes of the input. *)
  Lemma right_same {P} (p : attributes -> sizes -> option P) (g : tensor -> P -> option tensor) :
    (forall l x a, p l (dims x) = Some a -> exists y, g x a = Some y /\ dims y = dims x /\ good y) ->
    right (op1 S (fun l x => let? _ := p l x in Some x) (fun l x => let? a := p l (dims x) in g x a)).
  Proof.
    intros F. apply right1; intros l x.
    - intros y H. step H. destruct (F _ _ _ E) as (y' & Y & D & G). assert (y' = y) as -> by congruence.
      now rewrite D.
    - intros ds _ H. step H. destruct (F _ _ _ E) as (y & Y & _). now exists y.
  Qed.

  Lemma right_always (g : tensor -> option tensor) :
    (forall x, exists y, g x = Some y /\ dims y = dims x /\ good y) ->
    right (op1 S (fun _ x => Some x) (fun _ x => g x)).
  Proof. intros F. apply (right_same (fun _ _ => Some tt) (fun x _ => g x)). intros _ x _ _. apply F. Qed.

  Lemma same_table (x : tensor) f : exists y, table S (Some (dims x)) f = Some y /\ dims y = dims x /\ good y.
  Proof. eexists. split; [reflexivity |]. split; [reflexivity | apply good_tabulate]. Qed.

  Lemma same_map1 f (x : tensor) : exists y, map1 S f x = Some y /\ dims y = dims x /\ good y.
  Proof. apply (same_table x (fun _ i => f (at_ S x i))). Qed.

  Lemma right_elementwise f : right (elementwise S f).
  Proof. apply right_always. intros x. apply same_map1. Qed.

  Lemma right_like a : right (like_op S a).
  Proof. apply right_always. intros x. apply (same_table x (fun _ _ => a)). Qed.

  Lemma right_softmax : right (softmax_op S).
  Proof. apply (right_same softmax_params (fun x '(axis, flatten) => softmax S axis flatten x)). intros l x [a f] _. apply same_table. Qed.

  Lemma right_log_softmax : right (log_softmax_op S).
  Proof.
    apply (right_same softmax_params (fun x '(axis, flatten) => log_softmax S axis flatten x)). intros l x [a f] _. apply same_table.
  Qed.

  Lemma right_lrn : right (lrn_op S).
  Proof.
    apply (right_same lrn_params (fun x '(alpha, beta, bias, size) => lrn S alpha beta bias size x)).
    intros l x [[[alpha beta] bias] size] H. unfold lrn. unfold lrn_params in H. do 4 step H.
    unfold guard in H. destruct (andb _ _) eqn:B; [| discriminate]. apply andb_true_iff in B.
    rewrite (proj2 B). apply same_table.
  Qed.

  Lemma right_lp : right (lp_norm_op S).
  Proof. apply (right_same lp_params (fun x '(axis, square) => lp_norm S axis square x)). intros l x [a f] _. apply same_table. Qed.

  Lemma right_l2 : right (l2_norm_op S).
  Proof. apply (right_same l2_params (fun x '(axes, e) => l2_norm S axes e x)). intros l x [a f] _. apply same_table. Qed.

  Lemma right_clip : right (clip_op S).
  Proof.
    apply (right_same (fun l _ => clip_params l) (fun x '(lo, hi) => map1 S (clip_cell S lo hi) x)).
    intros l x [a f] _. apply same_map1.
  Qed.

  Lemma right_leaky : right (leaky_relu_op S).
  Proof.
    apply (right_same (fun l _ => real_attr l "alpha" (Some leak_bits)) (fun x a => map1 S (leaky_relu_cell S a) x)).
    intros l x a _. apply same_map1.
  Qed.

  Lemma right_pointwise {P} (params : attributes -> option P) f : right (pointwise S params f).
  Proof.
    apply (right_same (fun l _ => params l) (fun x p => map1 S (f p) x)). intros l x p _. apply same_map1.
  Qed.

  Lemma right_cast : right (cast_op S).
  Proof.
    apply (right_same (fun l _ => dtype_attr l "to" None) (fun x to => map1 S (s_cast S to) x)).
    intros l x a _. apply same_map1.
  Qed.

  Lemma right_binary f : right (binary S f).
  Proof.
    apply right2.
    - intros l x y z H. apply table_dims in H. destruct H as [D G]. now split.
    - intros l x y ds _ _ H. now apply table_some with ds.
  Qed.

  Lemma right_folded f : right (folded S f).
  Proof. apply right_any. intros l x r. tabled. Qed.

  Lemma right_conv : right (conv_op S).
  Proof.
    apply right3. intros l x f b. destruct (conv_params l (dims x) (dims f)) as [[w g] |]; [tabled | now split].
  Qed.

  Lemma right_gemm : right (gemm_op S).
  Proof. apply right3. intros l a b c. destruct (gemm_params l) as [[[[alpha beta] ta] tb] |]; [tabled | now split]. Qed.

  Lemma right_layer_norm : right (layer_norm_op S).
  Proof. apply right3. intros l x g b. destruct (layer_params l (dims x)) as [[axis e] |]; [tabled | now split]. Qed.

  Lemma right_instance_norm : right (instance_norm_op S).
  Proof. apply right_exactly3. intros l x g b. destruct (epsilon_of l) as [e |]; [tabled | now split]. Qed.

  Lemma right_group_norm : right (group_norm_op S).
  Proof.
    apply right_exactly3. intros l x g b. destruct (epsilon_of l) as [e |]; [| now split].
    destruct (group_of l (dims x)) as [n |] eqn:E; [| now split].
    unfold group_norm. unfold group_of in E. destruct (nat_attr l "num_groups" None) as [m |]; [| discriminate].
    unfold guard in *. destruct (andb _ _) eqn:B in E; [| discriminate]. injection E as ->. rewrite B. tabled.
  Qed.

  Lemma right_where : right (where_op S).
  Proof. apply right_exactly3. intros l c x y. tabled. Qed.

  Lemma right_concat : right (concat_op S).
  Proof. apply right_any. intros l x r. destruct (axis_in l None (dims x)) as [axis |]; [tabled | now split]. Qed.

  (** One input, one table after the attributes. *)
  Ltac one_table H :=
    first [ apply table_dims in H; destruct H as [D G]; now split | now apply table_some with (1 := H) ].

  Lemma right_max_pool : right (max_pool_op S).
  Proof. tabled1; destruct (pool_params l true (dims x)) as [[[w k] c] |]; try discriminate; one_table H. Qed.

  Lemma right_average_pool : right (average_pool_op S).
  Proof. tabled1; destruct (average_params l (dims x)) as [[[[w k] c] i] |]; try discriminate; one_table H. Qed.

  Lemma right_global_pool : right (op1 S (fun _ => global_pool_dims) (fun _ => global_average_pool S)).
  Proof. tabled1; one_table H. Qed.

  Lemma right_transpose p : right (transpose_op S p).
  Proof. tabled1; destruct (p l (dims x)) as [perm |]; try discriminate; one_table H. Qed.

  Lemma right_slice : right (slice_op S).
  Proof. tabled1; destruct (slice_params l (dims x)) as [[[a b] c] |]; try discriminate; one_table H. Qed.

  Lemma right_pad : right (pad_op S).
  Proof. tabled1; destruct (pad_params l (dims x)) as [[[[m v] lo] hi] |]; try discriminate; one_table H. Qed.

  Lemma right_expand : right (expand_op S).
  Proof. tabled1; one_table H. Qed.

  Lemma right_collapse : right (collapse_op S).
  Proof. tabled1; destruct (sizes_attr l "shape" None) as [to |]; try discriminate; one_table H. Qed.

  Lemma right_reduce f :
    (forall keep axes (x : tensor), exists g, f keep axes x =
       table S (Some (reduce_dims keep (marks (List.length (dims x)) axes) (dims x))) g) ->
    right (reduce_op S f).
  Proof.
    intros F. tabled1; destruct (reduce_params l (dims x)) as [[keep axes] |]; try discriminate;
      destruct (F keep axes x) as [g E].
    - rewrite E in H. one_table H.
    - rewrite E. now exists (tabulate ds (g ds)); injection H as <-.
  Qed.

  Lemma right_reduce_max : right (reduce_max_op S).
  Proof. tabled1; destruct (reduce_params l (dims x)) as [[keep axes] |]; try discriminate; one_table H. Qed.

  Lemma right_shape : right (shape_op S).
  Proof.
    tabled1; destruct (int_attr l "start" (Some 0%Z)) as [a |]; try discriminate;
      destruct (int_attr l "end" _) as [b |]; try discriminate.
    - injection H as <-. unfold shape_tensor. pose (r := List.length (dims x)).
      assert (snd (shape_bounds a b r) <= r) as le.
      { unfold shape_bounds. simpl. apply Nat.max_lub; apply Nat2Z.inj_le; rewrite Z2Nat.id; lia. }
      fold r. destruct (shape_bounds a b r) as [lo hi]. simpl in *.
      split; [| intros _; unfold good; simpl; rewrite map_length; lia].
      rewrite firstn_length, skipn_length. do 2 f_equal. fold r. lia.
    - now exists (shape_tensor S a b x).
  Qed.

  Lemma right_eye : right (eye_op S).
  Proof.
    tabled1; destruct (int_attr l "k" (Some 0%Z)) as [k |]; try discriminate;
      destruct (dtype_attr l "dtype" (Some 1%Z)) as [t |]; try discriminate; unfold eye in *.
    - destruct (dims x) as [| m [| n [|]]] eqn:E; try discriminate. injection H as <-.
      split; [reflexivity | intros _; apply good_tabulate].
    - destruct (dims x) as [| m [| n [|]]]; try discriminate. now eexists.
  Qed.

  Lemma right_constant : right (constant_op S).
  Proof.
    split; [| split]; intros l v.
    - intros w H. destruct v; [| discriminate]. simpl in *.
      destruct (sizes_attr l "shape" None) as [ds |]; [| discriminate].
      destruct (dtype_attr l "dtype" (Some 1%Z)); [| discriminate].
      destruct (real_attr l "value" (Some 0%N)); [| discriminate]. now injection H as <-.
    - intros w _ H. destruct v; [| discriminate]. simpl in *.
      destruct (sizes_attr l "shape" None) as [ds |]; [| discriminate].
      destruct (dtype_attr l "dtype" (Some 1%Z)); [| discriminate].
      destruct (real_attr l "value" (Some 0%N)); [| discriminate]. injection H as <-. apply good_tabulate.
    - intros s _ H. destruct v; [| discriminate]. simpl in *.
      destruct (sizes_attr l "shape" None) as [ds |]; [| discriminate].
      destruct (dtype_attr l "dtype" (Some 1%Z)); [| discriminate].
      destruct (real_attr l "value" (Some 0%N)); [| discriminate]. now eexists.
  Qed.

  Lemma right_batch_norm : right (batch_norm_op S).
  Proof.
    split; [| split]; intros l v; [intros w H | intros w _ H | intros s _ H];
      destruct v as [| [x |] [| [g |] [| [b |] [| [m |] [| [t |] [|]]]]]]; try discriminate; simpl in *;
      unfold one in *; destruct (real_attr l "epsilon" (Some epsilon_bits)) as [e |]; try discriminate.
    - destruct (batch_norm S e x g b m t) as [y |] eqn:E; [| discriminate]. injection H as <-.
      apply table_dims in E. cbn [map] in E. now rewrite (proj1 E).
    - destruct (batch_norm S e x g b m t) as [y |] eqn:E; [| discriminate]. injection H as <-.
      apply table_dims in E. now destruct E.
    - destruct (batch_norm_dims _ _) as [ds |] eqn:E; [| discriminate].
      destruct (table_some _ (fun _ i => s_add S (s_mul S (s_div S (s_sub S (at_ S x i) (at_ S m (channel (dims x) i)))
        (s_sqrt S (s_add S (at_ S t (channel (dims x) i)) (s_real S e)))) (at_ S g (channel (dims x) i)))
        (at_ S b (channel (dims x) i))) ds E) as [y Y].
      exists (GTensor y). unfold batch_norm. cbn [map]. now rewrite Y.
  Qed.

  Lemma right_matmul : right (op2 S (fun _ => matmul_dims) (fun _ => matmul S)).
  Proof.
    apply right2; intros l x y.
    - intros z H. unfold matmul in H. step H. destruct p as [[pa rows] inner]. step H. destruct p as [[pb k'] cols].
      apply table_dims in H. destruct H as [D G]. now split.
    - intros ds _ _ H. unfold matmul. pose proof H as M. unfold matmul_dims in M.
      destruct (matmul_left (dims x)) as [[[pa rows] inner] |]; [| discriminate].
      destruct (matmul_right (dims y)) as [[[pb k'] cols] |]; [| discriminate].
      now apply table_some with ds.
  Qed.

  Lemma right_bias_add : right (bias_add_op S).
  Proof.
    apply right2; intros l x y.
    - intros z H. step H. apply table_dims in H. destruct H as [D G]. now split.
    - intros ds _ _ H. step H. now apply table_some with ds.
  Qed.

  Lemma right_rms_norm : right (rms_norm_op S).
  Proof.
    apply right2; intros l x y.
    - intros z H. destruct (layer_params l (dims x)) as [[axis e] |]; [| discriminate].
      apply table_dims in H. destruct H as [D G]. now split.
    - intros ds _ _ H. destruct (layer_params l (dims x)) as [[axis e] |]; [| discriminate]. now apply table_some with ds.
  Qed.

  Lemma right_full_like : right (full_like_op S).
  Proof.
    apply right2; intros l x y.
    - intros z H. destruct (dims y); [| discriminate]. injection H as <-.
      split; [reflexivity | intros _ _; apply good_tabulate].
    - intros ds _ _ H. destruct (dims y); [| discriminate]. now eexists.
  Qed.

  Lemma right_broadcast_like : right (broadcast_like_op S).
  Proof.
    apply right2; intros l x y.
    - intros z H. apply table_dims in H. destruct H as [D G]. now split.
    - intros ds _ _ H. now apply table_some with ds.
  Qed.

  Lemma right_onto f : right (onto S f).
  Proof.
    apply right2; intros l x y.
    - intros z H. apply table_dims in H. destruct H as [D G]. now split.
    - intros ds _ _ H. now apply table_some with ds.
  Qed.

  Lemma right_collapse_like : right (collapse_like_op S).
  Proof.
    apply right2; intros l x y.
    - intros z H. apply table_dims in H. destruct H as [D G]. now split.
    - intros ds _ _ H. now apply table_some with ds.
  Qed.

  Lemma right_reshape_like : right (reshape_like_op S).
  Proof.
    apply right2; intros l x y.
    - intros z H. apply recast_to_dims in H. destruct H as [D G]. now split.
    - intros ds G _ H. apply (recast_to_some _ _ ds); [exact G | exact H | now apply reshape_like_keeps in H].
  Qed.

  Lemma parts_dims axis (x : tensor) l : forall start, map dims (parts S axis x start l) = l.
  Proof. induction l as [| ds l IH]; intros start; [reflexivity |]. simpl. now rewrite IH. Qed.

  Lemma parts_good axis (x : tensor) l : forall start, Forall good (parts S axis x start l).
  Proof.
    induction l as [| ds l IH]; intros start; constructor; [apply good_tabulate | apply IH].
  Qed.

  Lemma right_split : right (split_op S).
  Proof.
    split; [| split]; intros l v; [intros w H | intros w _ H | intros s _ H];
      destruct v as [| [x |] [|]]; try discriminate; simpl in *;
      destruct (split_params l (dims x)) as [[axis ps] |]; try discriminate; unfold split in *;
      destruct (split_dims axis ps (dims x)) as [ts |]; try discriminate.
    - injection H as <-. simpl. now rewrite parts_dims.
    - injection H as <-. apply parts_good.
    - now eexists.
  Qed.

  Lemma sound_gather : sound (gather_op S) /\ makes_good (gather_op S).
  Proof.
    apply sound2. intros l x y z H. destruct (axis_in l (Some 0%Z) (dims x)) as [axis |]; [| discriminate].
    unfold gather, guard in H. destruct (forallb _ _); [| discriminate].
    apply table_dims in H. destruct H as [D G]. now split.
  Qed.

  (** *** All of them *)

  Lemma all_right : Forall (fun p => (sound (snd p) /\ makes_good (snd p)) /\
                                     (fst p <> "Gather"%string -> total (snd p))) (operators S).
  Proof.
    assert (forall name o, right o -> (sound o /\ makes_good o) /\ (name <> "Gather"%string -> total o)) as whole.
    { intros name o (a & b & c). now repeat split. }
    repeat apply Forall_cons; try apply Forall_nil; cbn [fst snd];
      try (apply whole;
           first [ apply right_copy | apply right_elementwise | apply right_pointwise | apply right_onto | apply right_binary | apply right_folded
                 | apply right_like | apply right_transpose
                 | apply right_recasting; first [ exact reshape_keeps | exact flatten_keeps | exact squeeze_keeps
                                                | exact unsqueeze_keeps ]
                 | apply right_conv | apply right_max_pool | apply right_softmax | apply right_concat
                 | apply right_global_pool | apply right_gemm | apply right_lrn | apply right_average_pool
                 | apply right_batch_norm | apply right_constant | apply right_matmul | apply right_shape
                 | apply right_slice | apply right_cast | apply right_split | apply right_pad | apply right_expand
                 | apply right_eye | apply right_layer_norm | apply right_instance_norm | apply right_group_norm
                 | apply right_lp | apply right_l2 | apply right_clip | apply right_leaky | apply right_bias_add
                 | apply right_full_like | apply right_reshape_like | apply right_broadcast_like
                 | apply right_collapse | apply right_collapse_like | apply right_where
                 | apply right_reduce_max | apply right_log_softmax | apply right_rms_norm
                 | apply right_reduce; intros keep axes x; eexists; reflexivity ]).
    split; [apply sound_gather | intros F; now elim F].
  Qed.

  (** The type rules do not depend on the numbers. *)
  Lemma rules_same name :
    option_map op_shape (look_up String.eqb (operators no_numbers) name) = option_map op_shape (look_up String.eqb (operators S) name).
  Proof.
    assert (map (fun p => (fst p, op_shape (snd p))) (operators no_numbers) =
            map (fun p => (fst p, op_shape (snd p))) (operators S))
      as E by reflexivity.
    assert (forall (T U : arith) (l : list (string * OpTable.operator T)) (m : list (string * OpTable.operator U)),
              map (fun p => (fst p, op_shape (snd p))) l = map (fun p => (fst p, op_shape (snd p))) m ->
              option_map op_shape (look_up String.eqb l name) = option_map op_shape (look_up String.eqb m name)) as all.
    { intros T U. induction l as [| [a p] l IH]; intros [| [b q] m] H; try discriminate; [reflexivity |].
      cbn in H. injection H as -> E1 E2. specialize (IH m E2). unfold look_up in *. cbn [find fst].
      destruct (String.eqb b name); [exact (f_equal Some E1) | exact IH]. }
    now apply all.
  Qed.

  Lemma look_up_in name (o : operator) : look_up String.eqb (operators S) name = Some o -> In (name, o) (operators S).
  Proof.
    unfold look_up. intros H. destruct (find _ _) as [[b p] |] eqn:F; [| discriminate]. injection H as ->.
    apply find_some in F. destruct F as [I E]. apply String.eqb_eq in E. simpl in E. now subst b.
  Qed.
End Sound.

(** ** The theorems *)

Theorem infer_sound S name l vs v :
  op_value S name l vs = Some v -> op_infer name l (map (map_value dims) vs) = Some (map_value dims v).
Proof.
  unfold op_value, op_infer. intros H. pose proof (rules_same S name) as R.
  destruct (look_up String.eqb (operators S) name) as [o |] eqn:L; [| discriminate].
  destruct (look_up String.eqb (operators no_numbers) name) as [r |]; [| discriminate].
  simpl in R. injection R as R. rewrite inputs_map.
  destruct (inputs vs) as [w |]; [| discriminate]. simpl. rewrite R.
  apply look_up_in in L. pose proof (proj1 (Forall_forall _ _) (all_right S) _ L) as [[so _] _].
  now apply so.
Qed.

Theorem op_value_good S name l vs v :
  Forall good_value vs -> op_value S name l vs = Some v -> good_value v.
Proof.
  unfold op_value. intros G H. destruct (look_up String.eqb (operators S) name) as [o |] eqn:L; [| discriminate].
  destruct (inputs vs) as [w |] eqn:I; [| discriminate].
  apply look_up_in in L. pose proof (proj1 (Forall_forall _ _) (all_right S) _ L) as [[_ go] _].
  apply (go l w); [now apply inputs_good with vs | exact H].
Qed.

Theorem infer_complete S name l vs s :
  Forall good_value vs -> name <> "Gather"%string ->
  op_infer name l (map (map_value dims) vs) = Some s -> exists v, op_value S name l vs = Some v.
Proof.
  unfold op_value, op_infer. intros G N H. pose proof (rules_same S name) as R.
  destruct (look_up String.eqb (operators no_numbers) name) as [r |]; [| discriminate].
  destruct (look_up String.eqb (operators S) name) as [o |] eqn:L; [| discriminate].
  simpl in R. injection R as R. rewrite inputs_map in H.
  destruct (inputs vs) as [w |] eqn:I; [| discriminate]. simpl in H. rewrite R in H.
  apply look_up_in in L. pose proof (proj1 (Forall_forall _ _) (all_right S) _ L) as [_ to].
  apply (to N l w s); [now apply inputs_good with vs | exact H].
Qed.
