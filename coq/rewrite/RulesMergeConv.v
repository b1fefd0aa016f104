(** * Sets merge and pairs: convolutions of one input become one, whose result is split *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Rewrite rewrite.Check rewrite.Facts.
From Calque Require Import rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.Library rewrite.RulesSimplify rewrite.RulesMany.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpsWindow.
From Calque Require Import tensor.OpTable tensor.IndexProof tensor.Concat tensor.LawsMerge tensor.LawsConv rewrite.RulesMerge.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Over floats: adding -0 changes nothing *)

Definition float_rule : rule -> Prop := rule_for float_laws.

Lemma float_commutes S : float_laws S -> commutative_laws S.
Proof. intros [a b _]. now split. Qed.

Lemma exact_float r : exact_rule r -> float_rule r.
Proof. intros H S inputs constants shapes laws. apply H. now apply float_commutes. Qed.

Ltac at_float_match :=
  lazymatch goal with |- float_rule _ => at_match_with float_commutes end.

(** ** Attributes of convolutions *)

Definition conv_labels : list label := ["kernel_shape"; "strides"; "pads"; "dilations"; "group"]%string.

Lemma params_same l l' x f F :
  (forall name, In name conv_labels -> attribute l name = attribute l' name) -> skipn 2 f = skipn 2 F ->
  conv_params l x f = conv_params l' x F.
Proof.
  intros E K. unfold conv_params, window_of, sizes_attr, nat_attr, attr_or.
  rewrite !E by (simpl; tauto). now rewrite K.
Qed.

Lemma params_kernel l x f p v : attribute l "kernel_shape"%string = Some v -> conv_params l x f = Some p ->
  shape_of v = Some (skipn 2 f).
Proof.
  unfold conv_params. intros E H. destruct (window_of l _ true) as [w |]; [| discriminate].
  unfold sizes_attr, attr_or in H. rewrite E in H. destruct (shape_of v) as [ks |]; [| discriminate].
  destruct (nat_attr l _ _) as [g |]; [| discriminate]. unfold guard in H.
  destruct (sizes_eqb ks (skipn 2 f)) eqn:Q; [| discriminate]. apply sizes_eqb_iff in Q. now subst.
Qed.

Lemma params_group l x f w g : attribute l "group"%string = Some (VInt 1) -> conv_params l x f = Some (w, g) -> g = 1.
Proof.
  unfold conv_params. intros E H. destruct (window_of l _ true) as [w' |]; [| discriminate].
  destruct (sizes_attr l "kernel_shape" _) as [ks |]; [| discriminate].
  unfold nat_attr, attr_or in H. rewrite E in H. cbn in H. unfold guard in H.
  destruct (sizes_eqb _ _); [| discriminate]. change (Pos.to_nat 1) with 1 in H. now injection H.
Qed.

(** A convolution's value. *)
Ltac open_conv V x f b y w g Rx Rf Rb U P F G :=
  eapply op3_inv in V; [| reflexivity]; destruct V as (x & f & b & y & Rx & Rf & Rb & U & F & G);
  cbv beta in F; destruct (conv_params _ (dims x) (dims f)) as [[w g] |] eqn:P; [| discriminate F].

(** ** Biases *)

(** [d] adds to each of [n] channels what the bias [o] does. *)
Definition bias_like S (o : option (tensor (num S))) (n : nat) (d : tensor (num S)) : Prop :=
  dims d = [n] /\ good d /\ forall j a, (0 <= j < Z.of_nat n)%Z -> s_add S a (at_ S d [j]) = biased S o a j.

Section Bias.
  Variable S : arith.
  Variables inputs constants : N -> option (tensor (num S)).
  Variable shapes : N -> option sizes.
  Notation tensor := (tensor (num S)).
  Notation calls := (calls (tensors S inputs constants shapes)).
  Hypothesis laws : float_laws S.

  Lemma expand_shape n (t : tensor) ds :
    broadcast (dims t) [n] = Some ds ->
    calls "Expand"%string [("shape"%string, VTuple [VInt (Z.of_nat n)])] (strip [Of t]) =
    Some (Of (tabulate ds (fun i => spread_at S t ds i))).
  Proof.
    intros B. eapply op1_intro; [reflexivity | | split; [apply good_tabulate | reflexivity]].
    assert (expand_of [("shape"%string, VTuple [VInt (Z.of_nat n)])] (dims t) = Some ds) as E.
    { unfold expand_of, sizes_attr, attr_or.
      change (attribute [("shape"%string, VTuple [VInt (Z.of_nat n)])] "shape"%string) with (Some (VTuple [VInt (Z.of_nat n)])).
      cbv iota. pose proof (shape_of_sizes [n]) as Sh. cbn [map] in Sh. rewrite Sh. exact B. }
    cbv beta. unfold expand. rewrite E. reflexivity.
  Qed.

  Lemma bias_present n (t : tensor) : dims t = [n] -> good t -> exists d,
    calls "Expand"%string [("shape"%string, VTuple [VInt (Z.of_nat n)])] (strip [Of t]) = Some (Of d) /\
    bias_like S (Some t) n d.
  Proof.
    intros D G. eexists. split; [apply (expand_shape n t [n]); rewrite D; apply broadcast_same |].
    split; [reflexivity |]. split; [apply good_tabulate |]. intros j a J. unfold biased. f_equal.
    assert (in_box [n] [j] = true) as I by (apply in_box_cons; now split).
    unfold at_ at 1. rewrite get_tabulate by exact I. unfold spread_at. rewrite D. now rewrite spread_same.
  Qed.

  Lemma bias_absent n : exists u d,
    option_map Of (consts (tensors S inputs constants shapes) 0 (Some (VFloat minus_zero_bits))) = Some u /\
    calls "Expand"%string [("shape"%string, VTuple [VInt (Z.of_nat n)])] (strip [u]) = Some (Of d) /\
    bias_like S None n d.
  Proof.
    exists (Of (tabulate [] (fun _ => s_real S minus_zero_bits))). eexists. split; [reflexivity |].
    split; [apply (expand_shape n _ [n]); unfold broadcast; cbn; now rewrite orb_true_r |].
    split; [reflexivity |]. split; [apply good_tabulate |]. intros j a J.
    assert (in_box [n] [j] = true) as I by (apply in_box_cons; now split).
    unfold at_. rewrite get_tabulate by exact I. apply (float_minus_zero S laws).
  Qed.

  (** Concat of biases is the bias of the merged one. *)
  Lemma biases_made (c : tensor) cr (b : nat -> option tensor) ns :
    List.length (c :: cr) = List.length ns ->
    (forall k d n, nth_error (c :: cr) k = Some d -> nth_error ns k = Some n -> bias_like S (b k) n d) ->
    exists B, concat S 0 c cr = Some B /\ good B /\ biases S (Some B) b ns.
  Proof.
    intros len L. destruct ns as [| n0 ns]; [discriminate |].
    destruct (L 0 c n0 eq_refl eq_refl) as (D0 & _).
    destruct (concat_some S 0 c cr) as (B & C & GB & _).
    - rewrite D0. simpl. lia.
    - intros y iny. apply In_nth_error in iny. destruct iny as (k & at_y).
      assert (Datatypes.S k < List.length (n0 :: ns)) as lt
        by (rewrite <- len; apply nth_error_Some; simpl; congruence).
      apply nth_error_Some in lt. destruct (nth_error (n0 :: ns) (Datatypes.S k)) as [n |] eqn:at_n; [| easy].
      destruct (L (Datatypes.S k) y n at_y at_n) as (D & _). exists n. now rewrite D, D0.
    - exists B. split; [exact C |]. split; [exact GB |]. apply (biases_some S c B cr b (n0 :: ns) C).
      + apply same_parts; [now rewrite map_length |]. intros k u y at_u at_y. rewrite nth_error_map in at_u.
        destruct (nth_error (c :: cr) k) as [d |] eqn:at_d; [| discriminate]. injection at_u as <-.
        destruct (L k d y at_d at_y) as (D & _). unfold along. now rewrite D.
      + now rewrite D0.
      + intros k d n at_d at_n. destruct (L k d n at_d at_n) as (D & _ & V). now split.
  Qed.
End Bias.

(** ** The nodes of the targets *)

Definition conv_attrs (vk vs vp vd vg : value) : attributes :=
  [("kernel_shape"%string, vk); ("strides"%string, vs); ("pads"%string, vp); ("dilations"%string, vd); ("group"%string, vg)].

Section Nodes.
  Variable S : arith.
  Variables inputs constants : N -> option (tensor (num S)).
  Variable shapes : N -> option sizes.
  Notation tensor := (tensor (num S)).
  Notation calls := (calls (tensors S inputs constants shapes)).

  (** The merged convolution, with a bias or without, and its parts. *)
  Lemma convs_made at_ w (x f : tensor) fr b B ys s :
    List.length ys = List.length (f :: fr) ->
    (forall v, In v (f :: fr) -> skipn 2 (dims v) = skipn 2 (dims f)) ->
    conv_params at_ (dims x) (dims f) = Some (w, 1) ->
    (forall k v y, nth_error (f :: fr) k = Some v -> nth_error ys k = Some y -> conv S w 1 x v (b k) = Some y) ->
    biases S B b (map (along S 0) (f :: fr)) -> shape_of s = Some (map (along S 0) (f :: fr)) ->
    exists F Y, calls "Concat"%string [("axis"%string, VInt 0)] (strip (map Of (f :: fr))) = Some (Of F) /\
      match B with
      | Some t => calls "Conv"%string at_ (strip [Of x; Of F; Of t])
      | None => calls "Conv"%string at_ (strip [Of x; Of F])
      end = Some (Of Y) /\
      calls "Split"%string [("axis"%string, VInt 1); ("split"%string, s)] (strip [Of Y]) = Some (Fields ys) /\
      split S 1 (map (along S 0) (f :: fr)) Y = Some ys /\ 1 < List.length (dims Y) /\ good Y.
  Proof.
    intros len ker P M Bi Sh.
    assert (exists k, dims f = k :: tl (dims f)) as (k0 & Df).
    { destruct ys as [| y0 ys]; [discriminate |]. pose proof (M 0 f y0 eq_refl eq_refl) as M0.
      destruct (conv_is S w 1 x f (b 0) y0 M0) as (n & c & ns & o & c' & ks & l & _ & F & _). exists o. now rewrite F. }
    destruct (parallel_conv_all S w x f fr b B ys len ker M Bi) as (F & Y & C & GF & KF & HY & GY & lY & Sp & Gs).
    exists F, Y. split; [| split; [| split; [| now repeat split]]].
    - apply (concat_made S inputs constants shapes 0); [exact C | exact GF | rewrite Df; simpl; lia].
    - assert (conv_params at_ (dims x) (dims F) = Some (w, 1)) as P' by (rewrite <- P; now apply params_same).
      destruct B as [t |].
      + apply (op3_intro S inputs constants shapes "Conv" _ _ at_ x F (Of t) (Some t) Y eq_refl eq_refl);
          [| split; [exact GY | reflexivity]]. cbv beta. rewrite P'. exact HY.
      + eapply op3_intro2; [reflexivity | | split; [exact GY | reflexivity]]. cbv beta. rewrite P'. exact HY.
    - exact (split_made S inputs constants shapes 1 s _ Y ys Sp Gs Sh lY).
  Qed.
End Nodes.

(** ** Two convolutions *)

Lemma two_convs S w (x f1 f2 : tensor (num S)) o1 o2 y1 y2 :
  conv S w 1 x f1 o1 = Some y1 -> conv S w 1 x f2 o2 = Some y2 ->
  forall k v y, nth_error [f1; f2] k = Some v -> nth_error [y1; y2] k = Some y ->
    conv S w 1 x v (nth k [o1; o2] None) = Some y.
Proof.
  intros H1 H2 [| [| k]] v y V Y; simpl in V, Y |- *; [congruence | congruence | destruct k; discriminate].
Qed.

Lemma two_biases S n1 n2 o1 o2 (d1 d2 : tensor (num S)) : bias_like S o1 n1 d1 -> bias_like S o2 n2 d2 ->
  forall k d n, nth_error [d1; d2] k = Some d -> nth_error [n1; n2] k = Some n -> bias_like S (nth k [o1; o2] None) n d.
Proof.
  intros H1 H2 [| [| k]] v y V Y; simpl in V, Y |- *; [congruence | congruence | destruct k; discriminate].
Qed.
