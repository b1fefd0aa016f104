(** * Sets merge and pairs: convolutions of one input become one, whose result is split *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Rewrite rewrite.Check rewrite.Facts.
From Calque Require Import rewrite.Sound rewrite.SoundRule rewrite.SoundBuild rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.Library rewrite.RulesSimplify rewrite.RulesMany.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpsWindow.
From Calque Require Import tensor.OpTable tensor.IndexProof tensor.Concat tensor.LawsMerge tensor.LawsConv rewrite.RulesMerge.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Attributes of convolutions *)

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
  cbv beta in F; destruct (conv_params _ (dims x) (dims f)) as [[w g] |] eqn:P in F; [| discriminate F].

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
    pose proof (L 0 c n0 eq_refl eq_refl) as (D0 & _).
    pose proof (concat_some S 0 c cr) as (B & C & GB & _).
    - rewrite D0. simpl. lia.
    - intros y iny. apply In_nth_error in iny. destruct iny as (k & at_y).
      assert (Datatypes.S k < List.length (n0 :: ns)) as lt
        by (rewrite <- len; apply nth_error_Some; simpl; congruence).
      apply nth_error_Some in lt. destruct (nth_error (n0 :: ns) (Datatypes.S k)) as [n |] eqn:at_n; [| easy].
      pose proof (L (Datatypes.S k) y n at_y at_n) as (D & _). exists n. now rewrite D, D0.
    - exists B. split; [exact C |]. split; [exact GB |]. apply (biases_some S c B cr b (n0 :: ns) C).
      + apply same_parts; [now rewrite map_length |]. intros k u y at_u at_y. rewrite nth_error_map in at_u.
        destruct (nth_error (c :: cr) k) as [d |] eqn:at_d; [| discriminate]. injection at_u as <-.
        pose proof (L k d y at_d at_y) as (D & _). unfold along. now rewrite D.
      + now rewrite D0.
      + intros k d n at_d at_n. pose proof (L k d n at_d at_n) as (D & _ & V). now split.
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
      pose proof (conv_is S w 1 x f (b 0) y0 M0) as (n & c & ns & o & c' & ks & l & _ & F & _). exists o. now rewrite F. }
    pose proof (parallel_conv_all S w x f fr b B ys len ker M Bi) as (F & Y & C & GF & KF & HY & GY & lY & Sp & Gs).
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

(** [A]: the second convolution's attribute is the first's, which is [v] ([E]). *)
Ltac same_attribute A Ec E C C' :=
  attribute_of A C; attribute_of Ec C'; rewrite E in A; apply value_eqb_iff in A;
  match type of A with _ = ?b => subst b end.

(** One size of a shape, by its index. *)
Ltac size_at E Sh k b :=
  lazymatch type of Sh with
  | shape_of ?s = _ =>
      let B := fresh "B" in let z := eval cbv in (Z.of_nat k) in
      destruct (match s with VTuple vs => tuple_index vs z | _ => None end) as [b |] eqn:B; [| discriminate E];
      apply (shape_index s _ k b Sh ltac:(lia)) in B; subst b
  end.

Lemma conv_weights S w g (x f : tensor (num S)) b y : conv S w g x f b = Some y ->
  2 <= List.length (dims f) /\ forall t, b = Some t -> dims t = [nth 0 (dims f) 0].
Proof.
  intros H. destruct (conv_is S w g x f b y H) as (n & c & ns & o & c' & ks & l & _ & F & _ & _ & _ & _ & _ & _ & B & _).
  rewrite F. split; [simpl; lia |]. exact B.
Qed.

(** [y], which the optional input [p] (pattern [kid] if it is there) means in the target, with
    [o] the bias that the source had: expanded, it adds to [n] channels what [o] does. *)
Ltac bias_node p kid m y n o Ro u d Y Ed Ld :=
  lazymatch goal with
  | laws : float_laws ?S, fs : facts ?c ?r ?g ?M ?outs, san : sane (tensors ?S ?inputs ?constants ?shapes) ?g |- _ =>
    assert (exists u d, y = Some u /\
              calls (tensors S inputs constants shapes) "Expand"%string
                [("shape"%string, VTuple [VInt (Z.of_nat n)])] (strip [u]) = Some (Of d) /\
              bias_like S o n d) as (u & d & Y & Ed & Ld);
    [ let e := fresh "e" in let nn := fresh "nn" in let G := fresh "G" in let A := fresh "A" in let L := fresh "L" in
      let P := fresh "P" in let R := fresh "R" in
      see_optional p e nn G A L P R;
      (let Pn := fresh "Pn" in let Yn := fresh "Yn" in let ii := fresh "ii" in let vv := fresh "vv" in let Ev := fresh "Ev" in
       destruct (means_optional _ _ _ _ _ _ _ _ _ _ m eq_refl eq_refl ltac:(by_text) eq_refl e nn G A)
         as [[Pn Yn] | [Pn (ii & vv & _ & Ev & Yn)]]; try congruence;
       lazymatch type of P with
       | _ = true =>
         let tb := fresh "tb" in let Rb := fresh "Rb" in see_variable kid tb Rb;
         let tb' := fresh "tb" in
         destruct o as [tb' |]; [| exfalso; cbn in Ro; congruence];
         let B := fresh "B" in
         assert (dims tb' = [n] /\ good tb') as B;
         [ split; [| eapply rho_good; [exact san | exact Ro]] |
           let d := fresh "d" in let Ed := fresh "Ed" in let Ld := fresh "Ld" in
           destruct (bias_present S inputs constants shapes n tb' (proj1 B) (proj2 B)) as (d & Ed & Ld);
           exists (Of tb'), d; split; [rewrite Yn; f_equal; exact Ro | now split] ]
       | _ = false =>
         let tb' := fresh "tb" in
         destruct o as [tb' |]; [exfalso; cbn in Ro; congruence |];
         cbn in Ev; injection Ev as <-;
         let u := fresh "u" in let d := fresh "d" in let Eu := fresh "Eu" in let Ed := fresh "Ed" in let Ld := fresh "Ld" in
         destruct (bias_absent S inputs constants shapes laws n) as (u & d & Eu & Ed & Ld);
         exists u, d; split; [rewrite Yn; exact Eu | now split]
       end)
    | ]
  end.

(** No input [p] where [C] says that none is present. *)
Ltac no_bias p o Ro C N :=
  assert (o = None) as N;
  [ let e := fresh "e" in let nn := fresh "nn" in let G := fresh "G" in let A := fresh "A" in let L := fresh "L" in
    let P := fresh "P" in let R := fresh "R" in
    see_optional p e nn G A L P R;
    [ exfalso; rewrite L, P in C;
      repeat match type of C with
      | context [Pattern.label_at ?ps ?g ?M ?a "present"] =>
          destruct (Pattern.label_at ps g M a "present") as [[| [|] | | | |] |]
      end; discriminate C
    | let t := fresh "t" in destruct o as [t |]; [exfalso; cbn in Ro; congruence | reflexivity] ]
  | subst o ].

Lemma same_kernels {A} (f1 f2 : tensor A) : skipn 2 (dims f2) = skipn 2 (dims f1) ->
  forall v, In v [f1; f2] -> skipn 2 (dims v) = skipn 2 (dims f1).
Proof. intros E v [<- | [<- | []]]; [reflexivity | exact E]. Qed.

Lemma no_biases S m ns : biases S None (fun k => nth k (repeat None m) None) ns.
Proof. apply biases_none. intros k n _. apply nth_repeat. Qed.

Lemma params_look l l' x f f' v1 v2 v3 v4 v5 :
  look l "kernel_shape"%string = Some v1 -> look l "strides"%string = Some v2 -> look l "pads"%string = Some v3 ->
  look l "dilations"%string = Some v4 -> look l "group"%string = Some v5 ->
  look l' "kernel_shape"%string = Some v1 -> look l' "strides"%string = Some v2 -> look l' "pads"%string = Some v3 ->
  look l' "dilations"%string = Some v4 -> look l' "group"%string = Some v5 ->
  skipn 2 f' = skipn 2 f -> conv_params l' x f' = conv_params l x f.
Proof.
  intros. apply params_same; [| assumption]. intros name [<- | [<- | [<- | [<- | [<- | []]]]]];
    change (attribute l') with (look l'); change (attribute l) with (look l); congruence.
Qed.

Lemma params_attrs l x f v1 v2 v3 v4 v5 :
  look l "kernel_shape"%string = Some v1 -> look l "strides"%string = Some v2 -> look l "pads"%string = Some v3 ->
  look l "dilations"%string = Some v4 -> look l "group"%string = Some v5 ->
  conv_params (conv_attrs v1 v2 v3 v4 v5) x f = conv_params l x f.
Proof. intros. apply params_look with v1 v2 v3 v4 v5; try assumption; reflexivity. Qed.

(** [m] : the field that an output is, of what [A] says the tuple is. *)
Ltac mean_field m A :=
  lazymatch type of m with
  | means ?T (patterns ?r) ?g ?M ?i ?p ?x =>
    lazymatch goal with
    | fs : facts ?c r g M ?outs |- _ =>
      lazymatch pattern_at r p with
      | Some ?q =>
        let f := eval cbv in (form q) in
        lazymatch f with
        | PProj ?kid (Some ?a) =>
            let i' := fresh "i" in let k := fresh "k" in let y := fresh "y" in let Ti := fresh "Ti" in
            let G := fresh "G" in let m' := fresh "m" in let E := fresh "E" in
            destruct (means_proj T c r g M outs fs i p q x kid a m eq_refl ltac:(by_text) ltac:(by_text) eq_refl)
              as (i' & k & y & Ti & G & m' & E);
            rewrite (A _ _ m') in E; values G; injection G as <-; rewrite E; cbn
        end
      end
    end
  end.

Theorem rule_parallel_two_conv_sound : float_rule rule_text_parallel_two_conv.
Proof.
  at_match.
  assert (bound_at M (7, None)) as B7 by exact (source_has _ _ _ _ _ fs 0 (7, None) eq_refl).
  assert (bound_at M (8, None)) as B8 by exact (source_has _ _ _ _ _ fs 1 (8, None) eq_refl).
  see 7 l7 V7 L7 C7. see 8 l8 V8 L8 C8.
  claim 7 0 vg Eg Ag. claim 8 0 c0 Ec0 Ac0. claim 8 1 c1 Ec1 Ac1. claim 8 2 c2 Ec2 Ac2. claim 8 3 c3 Ec3 Ac3. claim 8 4 c4 Ec4 Ac4.
  open_conv V7 t f1 o1 y1' w g1 Rt Rf1 Ro1 U1 P1 F1 Q1. open_conv V8 t' f2 o2 y2' w' g2 Rt' Rf2 Ro2 U2 P2 F2 Q2.
  assert (forall i y, means (tensors S inputs constants shapes) (patterns rule_text_parallel_two_conv) g M i 16 y ->
                      y = Some (Fields [y1'; y2'])) as All.
  { clear m. intros j y m0.
    (mean m0;
     attribute_of E1 C7; attribute_of E2 C7; attribute_of E3 C7; attribute_of E4 C7; attribute_of E5 C7; attribute_of Eg C7;
     same_attribute Ac0 Ec0 E1 C7 C8; same_attribute Ac1 Ec1 E2 C7 C8; same_attribute Ac2 Ec2 E3 C7 C8;
     same_attribute Ac3 Ec3 E4 C7 C8; same_attribute Ac4 Ec4 E5 C7 C8;
     assert (t' = t) as -> by congruence;
     assert (vg = VInt 1) as -> by (apply value_eqb_iff in Ag; congruence);
     pose proof (params_group l7 _ _ _ _ Eg P1) as ->;
     pose proof (params_kernel l7 _ _ _ _ E1 P1) as K1; pose proof (params_kernel l8 _ _ _ _ Ec0 P2) as K2;
     assert (skipn 2 (dims f2) = skipn 2 (dims f1)) as ker by congruence;
     pose proof (same_kernels f1 f2 ker) as ker';
     pose proof (params_look l7 l8 (dims t) (dims f1) (dims f2) _ _ _ _ _ E1 E2 E3 E4 E5 Ec0 Ec1 Ec2 Ec3 Ec4 ker) as Eq;
     rewrite Eq, P1 in P2; injection P2 as <- <-;
     pose proof (params_attrs l7 (dims t) (dims f1) _ _ _ _ _ E1 E2 E3 E4 E5) as Pt; rewrite P1 in Pt;
     destruct (conv_weights _ _ _ _ _ _ _ F1) as [r1 D1]; destruct (conv_weights _ _ _ _ _ _ _ F2) as [r2 D2];
     shape_said E0 Rf1 Sh1; size_at E0 Sh1 0 b1; shape_said E0 Rf2 Sh2; size_at E0 Sh2 0 b2;
     injection E0 as <-; injection E6 as <-; injection E as <-;
     [ injection E7 as <-; injection E8 as <-; injection E9 as <-;
       bias_node 4 3 m1 y7 (nth 0 (dims f1) 0) o1 Ro1 u1 d1 Y1 Ed1 Ld1; [now apply D1 |];
       bias_node 6 5 m2 y6 (nth 0 (dims f2) 0) o2 Ro2 u2 d2 Y2 Ed2 Ld2; [now apply D2 |];
       pose proof (two_biases S _ _ _ _ d1 d2 Ld1 Ld2) as Lb;
       pose proof (biases_made S d1 [d2] (fun k => nth k [o1; o2] None) [nth 0 (dims f1) 0; nth 0 (dims f2) 0] eq_refl Lb)
         as (Bt & CB & GB & Bi);
       pose proof (concat_made S inputs constants shapes 0 d1 [d2] Bt CB GB
                     ltac:(destruct Ld1 as (-> & _); simpl; lia)) as EB;
       pose proof (two_convs S _ _ _ _ _ _ _ _ F1 F2) as Tc;
       pose proof (shape_of_sizes [nth 0 (dims f1) 0; nth 0 (dims f2) 0]) as Sz;
       pose proof (convs_made S inputs constants shapes _ _ t f1 [f2] _ (Some Bt) [y1'; y2'] _ eq_refl ker' Pt Tc Bi Sz) as (F & Y & EF & EY & ES & Sp & lY & GY);
       cbn [map] in EF, ES, EB; rewrite Rf1, Rf2 in X4; node X4 EF;
       subst y7 y6; node X3 Ed1; node X2 Ed2; node X1 EB; rewrite Rt in X0; node X0 EY; node X ES;
       reflexivity
     | no_bias 4 o1 Ro1 G N1; no_bias 6 o2 Ro2 G N2;
       pose proof (two_convs S _ _ _ _ _ _ _ _ F1 F2) as Tc;
       pose proof (shape_of_sizes [nth 0 (dims f1) 0; nth 0 (dims f2) 0]) as Sz;
       pose proof (convs_made S inputs constants shapes _ _ t f1 [f2] _ None [y1'; y2'] _ eq_refl ker' Pt Tc (no_biases S 2 _) Sz) as (F & Y & EF & EY & ES & Sp & lY & GY);
       cbn [map] in EF, ES; rewrite Rf1, Rf2 in X1; node X1 EF; rewrite Rt in X0; node X0 EY; node X ES;
       reflexivity ]). }
  each_output; mean_field m All; first [rewrite U1 | rewrite U2]; reflexivity.
Qed.

(** ** The same with a Relu behind each *)

Lemma relu_parts S inputs constants shapes s ns (Y : tensor (num S)) ys us :
  1 < List.length (dims Y) -> split S 1 ns Y = Some ys ->
  Forall2 (fun t u => map1 S (relu_cell S) t = Some u) ys us -> shape_of s = Some ns ->
  let calls := calls (tensors S inputs constants shapes) in
  exists Y', calls "Relu"%string [] (strip [Of Y]) = Some (Of Y') /\
    calls "Split"%string [("axis"%string, VInt 1); ("split"%string, s)] (strip [Of Y']) = Some (Fields us).
Proof.
  intros lt Sp Us Sh calls. set (Y' := tabulate (dims Y) (fun i => relu_cell S (at_ S Y i))).
  assert (map1 S (relu_cell S) Y = Some Y') as MY by reflexivity.
  pose proof (split_map1 S (relu_cell S) 1 ns Y Y' ys lt MY Sp) as (us' & Sp' & Us').
  assert (us' = us) as -> by (eapply Forall2_unique; [| exact Us | exact Us']; apply Forall_always; intros t u v Hu Hv; congruence).
  exists Y'. split.
  - eapply op1_intro; [reflexivity | exact MY | split; [apply good_tabulate | reflexivity]].
  - apply (split_made S inputs constants shapes 1 s ns Y' us Sp'); [| exact Sh | exact lt].
    clear - Us. induction Us as [| t u l m here _ IH]; constructor; [| exact IH].
    injection here as <-. apply good_tabulate.
Qed.

Theorem rule_parallel_two_conv_bias_relu_sound : float_rule rule_text_parallel_two_conv_bias_relu.
Proof.
  at_match.
  assert (bound_at M (9, None)) as B9 by exact (source_has _ _ _ _ _ fs 0 (9, None) eq_refl).
  assert (bound_at M (10, None)) as B10 by exact (source_has _ _ _ _ _ fs 1 (10, None) eq_refl).
  see 9 l9 V9 L9 C9. see 10 l10 V10 L10 C10. see 7 l7 V7 L7 C7. see 8 l8 V8 L8 C8.
  claim 7 0 vg Eg Ag. claim 8 0 c0 Ec0 Ac0. claim 8 1 c1 Ec1 Ac1. claim 8 2 c2 Ec2 Ac2. claim 8 3 c3 Ec3 Ac3. claim 8 4 c4 Ec4 Ac4.
  open_conv V7 t f1 o1 y1' w g1 Rt Rf1 Ro1 U1 P1 F1 Q1. open_conv V8 t' f2 o2 y2' w' g2 Rt' Rf2 Ro2 U2 P2 F2 Q2.
  open1 V9 q1 z1 Rq1 Uz1 Z1 Gz1. open1 V10 q2 z2 Rq2 Uz2 Z2 Gz2.
  assert (forall i y, means (tensors S inputs constants shapes) (patterns rule_text_parallel_two_conv_bias_relu) g M i 19 y ->
                      y = Some (Fields [z1; z2])) as All.
  { clear m. intros j y m0.
    (mean m0;
     attribute_of E1 C7; attribute_of E2 C7; attribute_of E3 C7; attribute_of E4 C7; attribute_of E5 C7; attribute_of Eg C7;
     same_attribute Ac0 Ec0 E1 C7 C8; same_attribute Ac1 Ec1 E2 C7 C8; same_attribute Ac2 Ec2 E3 C7 C8;
     same_attribute Ac3 Ec3 E4 C7 C8; same_attribute Ac4 Ec4 E5 C7 C8;
     assert (q1 = y1') as -> by congruence; assert (q2 = y2') as -> by congruence;
     assert (t' = t) as -> by congruence;
     assert (vg = VInt 1) as -> by (apply value_eqb_iff in Ag; congruence);
     pose proof (params_group l7 _ _ _ _ Eg P1) as ->;
     pose proof (params_kernel l7 _ _ _ _ E1 P1) as K1; pose proof (params_kernel l8 _ _ _ _ Ec0 P2) as K2;
     assert (skipn 2 (dims f2) = skipn 2 (dims f1)) as ker by congruence;
     pose proof (same_kernels f1 f2 ker) as ker';
     pose proof (params_look l7 l8 (dims t) (dims f1) (dims f2) _ _ _ _ _ E1 E2 E3 E4 E5 Ec0 Ec1 Ec2 Ec3 Ec4 ker) as Eq;
     rewrite Eq, P1 in P2; injection P2 as <- <-;
     pose proof (params_attrs l7 (dims t) (dims f1) _ _ _ _ _ E1 E2 E3 E4 E5) as Pt; rewrite P1 in Pt;
     pose proof (conv_weights _ _ _ _ _ _ _ F1) as [r1 D1]; pose proof (conv_weights _ _ _ _ _ _ _ F2) as [r2 D2];
     shape_said E0 Rf1 Sh1; size_at E0 Sh1 0 b1; shape_said E0 Rf2 Sh2; size_at E0 Sh2 0 b2;
     injection E0 as <-; injection E6 as <-; injection E as <-;
     [ injection E7 as <-; injection E8 as <-; injection E9 as <-;
       bias_node 4 3 m1 y8 (nth 0 (dims f1) 0) o1 Ro1 u1 d1 Y1 Ed1 Ld1; [now apply D1 |];
       bias_node 6 5 m2 y7 (nth 0 (dims f2) 0) o2 Ro2 u2 d2 Y2 Ed2 Ld2; [now apply D2 |];
       pose proof (two_biases S _ _ _ _ d1 d2 Ld1 Ld2) as Lb;
       pose proof (biases_made S d1 [d2] (fun k => nth k [o1; o2] None) [nth 0 (dims f1) 0; nth 0 (dims f2) 0] eq_refl Lb)
         as (Bt & CB & GB & Bi);
       pose proof (concat_made S inputs constants shapes 0 d1 [d2] Bt CB GB
                     ltac:(destruct Ld1 as (-> & _); simpl; lia)) as EB;
       pose proof (two_convs S _ _ _ _ _ _ _ _ F1 F2) as Tc;
       pose proof (shape_of_sizes [nth 0 (dims f1) 0; nth 0 (dims f2) 0]) as Sz;
       pose proof (convs_made S inputs constants shapes _ _ t f1 [f2] _ (Some Bt) [y1'; y2'] _ eq_refl ker' Pt Tc Bi Sz) as (F & Y & EF & EY & ES & Sp & lY & GY);
       cbn [map] in EF, ES, EB; rewrite Rf1, Rf2 in X5; node X5 EF;
       subst y8 y7; node X4 Ed1; node X3 Ed2; node X2 EB; rewrite Rt in X1; node X1 EY; pose proof (relu_parts S inputs constants shapes _ _ Y _ [z1; z2] lY Sp (Forall2_cons _ _ Z1 (Forall2_cons _ _ Z2 (Forall2_nil _))) Sz)
         as (Y' & EZ & ES');
       node X0 EZ; node X ES'; reflexivity
     | no_bias 4 o1 Ro1 G N1; no_bias 6 o2 Ro2 G N2;
       pose proof (two_convs S _ _ _ _ _ _ _ _ F1 F2) as Tc;
       pose proof (shape_of_sizes [nth 0 (dims f1) 0; nth 0 (dims f2) 0]) as Sz;
       pose proof (convs_made S inputs constants shapes _ _ t f1 [f2] _ None [y1'; y2'] _ eq_refl ker' Pt Tc (no_biases S 2 _) Sz) as (F & Y & EF & EY & ES & Sp & lY & GY);
       cbn [map] in EF, ES; rewrite Rf1, Rf2 in X2; node X2 EF; rewrite Rt in X1; node X1 EY; pose proof (relu_parts S inputs constants shapes _ _ Y _ [z1; z2] lY Sp (Forall2_cons _ _ Z1 (Forall2_cons _ _ Z2 (Forall2_nil _))) Sz)
         as (Y' & EZ & ES');
       node X0 EZ; node X ES'; reflexivity ]). }
  each_output; mean_field m All; first [rewrite Uz1 | rewrite Uz2]; reflexivity.
Qed.

(** ** Three of them *)

Lemma three_convs S w (x f1 f2 f3 : tensor (num S)) o1 o2 o3 y1 y2 y3 :
  conv S w 1 x f1 o1 = Some y1 -> conv S w 1 x f2 o2 = Some y2 -> conv S w 1 x f3 o3 = Some y3 ->
  forall k v y, nth_error [f1; f2; f3] k = Some v -> nth_error [y1; y2; y3] k = Some y ->
    conv S w 1 x v (nth k [o1; o2; o3] None) = Some y.
Proof.
  intros H1 H2 H3 [| [| [| k]]] v y V Y; simpl in V, Y |- *; [congruence | congruence | congruence | destruct k; discriminate].
Qed.

Lemma three_biases S n1 n2 n3 o1 o2 o3 (d1 d2 d3 : tensor (num S)) :
  bias_like S o1 n1 d1 -> bias_like S o2 n2 d2 -> bias_like S o3 n3 d3 ->
  forall k d n, nth_error [d1; d2; d3] k = Some d -> nth_error [n1; n2; n3] k = Some n ->
    bias_like S (nth k [o1; o2; o3] None) n d.
Proof.
  intros H1 H2 H3 [| [| [| k]]] v y V Y; simpl in V, Y |- *; [congruence | congruence | congruence | destruct k; discriminate].
Qed.

Lemma three_kernels {A} (f1 f2 f3 : tensor A) :
  skipn 2 (dims f2) = skipn 2 (dims f1) -> skipn 2 (dims f3) = skipn 2 (dims f1) ->
  forall v, In v [f1; f2; f3] -> skipn 2 (dims v) = skipn 2 (dims f1).
Proof. intros E2 E3 v [<- | [<- | [<- | []]]]; [reflexivity | exact E2 | exact E3]. Qed.

Theorem rule_parallel_three_conv_bias_relu_sound : float_rule rule_text_parallel_three_conv_bias_relu.
Proof.
  at_match.
  assert (bound_at M (13, None)) as B13 by exact (source_has _ _ _ _ _ fs 0 (13, None) eq_refl).
  assert (bound_at M (14, None)) as B14 by exact (source_has _ _ _ _ _ fs 1 (14, None) eq_refl).
  assert (bound_at M (15, None)) as B15 by exact (source_has _ _ _ _ _ fs 2 (15, None) eq_refl).
  see 13 l13 V13 L13 C13. see 14 l14 V14 L14 C14. see 15 l15 V15 L15 C15.
  see 10 l7 V7 L7 C7. see 11 l8 V8 L8 C8. see 12 l9 V9 L9 C9.
  claim 10 0 vg Eg Ag.
  claim 11 0 c0 Ec0 Ac0. claim 11 1 c1 Ec1 Ac1. claim 11 2 c2 Ec2 Ac2. claim 11 3 c3 Ec3 Ac3. claim 11 4 c4 Ec4 Ac4.
  claim 12 0 k0 Ek0 Ak0. claim 12 1 k1 Ek1 Ak1. claim 12 2 k2 Ek2 Ak2. claim 12 3 k3 Ek3 Ak3. claim 12 4 k4 Ek4 Ak4.
  open_conv V7 t f1 o1 y1' w g1 Rt Rf1 Ro1 U1 P1 F1 Q1. open_conv V8 t' f2 o2 y2' w' g2 Rt' Rf2 Ro2 U2 P2 F2 Q2.
  open_conv V9 t'' f3 o3 y3' w'' g3 Rt'' Rf3 Ro3 U3 P3 F3 Q3.
  open1 V13 q1 z1 Rq1 Uz1 Z1 Gz1. open1 V14 q2 z2 Rq2 Uz2 Z2 Gz2. open1 V15 q3 z3 Rq3 Uz3 Z3 Gz3.
  assert (forall i y, means (tensors S inputs constants shapes) (patterns rule_text_parallel_three_conv_bias_relu) g M i 25 y ->
                      y = Some (Fields [z1; z2; z3])) as All.
  { clear m. intros j y m0.
    (mean m0;
     attribute_of E1 C7; attribute_of E2 C7; attribute_of E3 C7; attribute_of E4 C7; attribute_of E5 C7; attribute_of Eg C7;
     same_attribute Ac0 Ec0 E1 C7 C8; same_attribute Ac1 Ec1 E2 C7 C8; same_attribute Ac2 Ec2 E3 C7 C8;
     same_attribute Ac3 Ec3 E4 C7 C8; same_attribute Ac4 Ec4 E5 C7 C8;
     same_attribute Ak0 Ek0 E1 C7 C9; same_attribute Ak1 Ek1 E2 C7 C9; same_attribute Ak2 Ek2 E3 C7 C9;
     same_attribute Ak3 Ek3 E4 C7 C9; same_attribute Ak4 Ek4 E5 C7 C9;
     assert (q1 = y1') as -> by congruence; assert (q2 = y2') as -> by congruence; assert (q3 = y3') as -> by congruence;
     assert (t' = t) as -> by congruence; assert (t'' = t) as -> by congruence;
     assert (vg = VInt 1) as -> by (apply value_eqb_iff in Ag; congruence);
     pose proof (params_group l7 _ _ _ _ Eg P1) as ->;
     pose proof (params_kernel l7 _ _ _ _ E1 P1) as K1; pose proof (params_kernel l8 _ _ _ _ Ec0 P2) as K2;
     pose proof (params_kernel l9 _ _ _ _ Ek0 P3) as K3;
     assert (skipn 2 (dims f2) = skipn 2 (dims f1)) as ker2 by congruence;
     assert (skipn 2 (dims f3) = skipn 2 (dims f1)) as ker3 by congruence;
     pose proof (three_kernels f1 f2 f3 ker2 ker3) as ker';
     pose proof (params_look l7 l8 (dims t) (dims f1) (dims f2) _ _ _ _ _ E1 E2 E3 E4 E5 Ec0 Ec1 Ec2 Ec3 Ec4 ker2) as Eq2;
     pose proof (params_look l7 l9 (dims t) (dims f1) (dims f3) _ _ _ _ _ E1 E2 E3 E4 E5 Ek0 Ek1 Ek2 Ek3 Ek4 ker3) as Eq3;
     rewrite Eq2, P1 in P2; injection P2 as <- <-; rewrite Eq3, P1 in P3; injection P3 as <- <-;
     pose proof (params_attrs l7 (dims t) (dims f1) _ _ _ _ _ E1 E2 E3 E4 E5) as Pt; rewrite P1 in Pt;
     pose proof (conv_weights _ _ _ _ _ _ _ F1) as [r1 D1]; pose proof (conv_weights _ _ _ _ _ _ _ F2) as [r2 D2];
     pose proof (conv_weights _ _ _ _ _ _ _ F3) as [r3 D3];
     shape_said E0 Rf1 Sh1; size_at E0 Sh1 0 b1; shape_said E0 Rf2 Sh2; size_at E0 Sh2 0 b2;
     shape_said E0 Rf3 Sh3; size_at E0 Sh3 0 b3;
     injection E0 as <-; injection E6 as <-; injection E as <-;
     pose proof (three_convs S _ _ _ _ _ _ _ _ _ _ _ F1 F2 F3) as Tc;
     pose proof (shape_of_sizes [nth 0 (dims f1) 0; nth 0 (dims f2) 0; nth 0 (dims f3) 0]) as Sz;
     [ injection E7 as <-; injection E8 as <-; injection E9 as <-; injection E10 as <-;
       bias_node 5 4 m1 y10 (nth 0 (dims f1) 0) o1 Ro1 u1 d1 Y1 Ed1 Ld1; [now apply D1 |];
       bias_node 7 6 m2 y9 (nth 0 (dims f2) 0) o2 Ro2 u2 d2 Y2 Ed2 Ld2; [now apply D2 |];
       bias_node 9 8 m3 y8 (nth 0 (dims f3) 0) o3 Ro3 u3 d3 Y3 Ed3 Ld3; [now apply D3 |];
       pose proof (three_biases S _ _ _ _ _ _ d1 d2 d3 Ld1 Ld2 Ld3) as Lb;
       pose proof (biases_made S d1 [d2; d3] _ [nth 0 (dims f1) 0; nth 0 (dims f2) 0; nth 0 (dims f3) 0] eq_refl Lb)
         as (Bt & CB & GB & Bi);
       pose proof (concat_made S inputs constants shapes 0 d1 [d2; d3] Bt CB GB
                     ltac:(destruct Ld1 as (-> & _); simpl; lia)) as EB;
       pose proof (convs_made S inputs constants shapes _ _ t f1 [f2; f3] _ (Some Bt) [y1'; y2'; y3'] _ eq_refl ker' Pt Tc Bi Sz)
         as (F & Y & EF & EY & ES & Sp & lY & GY);
       cbn [map] in EF, ES, EB; rewrite Rf1, Rf2, Rf3 in X6; node X6 EF;
       subst y10 y9 y8; node X5 Ed1; node X4 Ed2; node X3 Ed3; node X2 EB; rewrite Rt in X1; node X1 EY
     | no_bias 5 o1 Ro1 G N1; no_bias 7 o2 Ro2 G N2; no_bias 9 o3 Ro3 G N3;
       pose proof (convs_made S inputs constants shapes _ _ t f1 [f2; f3] _ None [y1'; y2'; y3'] _ eq_refl ker' Pt Tc
                   (no_biases S 3 _) Sz) as (F & Y & EF & EY & ES & Sp & lY & GY);
       cbn [map] in EF, ES; rewrite Rf1, Rf2, Rf3 in X2; node X2 EF; rewrite Rt in X1; node X1 EY ];
     pose proof (relu_parts S inputs constants shapes _ _ Y _ [z1; z2; z3] lY Sp
                 (Forall2_cons _ _ Z1 (Forall2_cons _ _ Z2 (Forall2_cons _ _ Z3 (Forall2_nil _)))) Sz) as (Y' & EZ & ES');
     node X0 EZ; node X ES'; reflexivity). }
  each_output; mean_field m All; first [rewrite Uz1 | rewrite Uz2 | rewrite Uz3]; reflexivity.
Qed.

#[export] Hint Resolve rule_parallel_two_conv_sound rule_parallel_two_conv_bias_relu_sound
  rule_parallel_three_conv_bias_relu_sound : sound_rules.
