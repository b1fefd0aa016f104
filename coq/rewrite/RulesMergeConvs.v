(** * Any number of convolutions of one input: what the merged one is made of

    For the rules of the set merge: [branch] is what a match knows of one of the convolutions, [branches] of all; the
    lemmas say what the target's patterns mean that are built for each ([concat_many], [kernel_nodes], [bias_nodes]).
    The rules: [RulesParallelConv]. *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Rewrite rewrite.Check rewrite.Facts.
From Calque Require Import rewrite.Sound rewrite.SoundRule rewrite.SoundBuild rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library rewrite.RulesSimplify rewrite.RulesMany.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpsWindow.
From Calque Require Import tensor.OpTable tensor.IndexProof tensor.Concat tensor.LawsMerge tensor.LawsConv.
From Calque Require Import rewrite.RulesMerge rewrite.RulesBranches rewrite.RulesMergeConv rewrite.RulesFold.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Optional inputs of instances *)

Section Default.
  Context {T : Type} (S : model T).
  Variable commutes : string -> bool.
  Variables (r : rule) (g : tgraph) (M : mstate) (outs : list nat).
  Hypothesis fs : facts commutes r g M outs.
  Notation pats := (patterns r).

  (** Whatever pattern has the address [k] has the default [v]. *)
  Definition default_at (k : nat) (v : value) : bool :=
    forallb (fun pq => implb (Nat.eqb (fst pq) k || match first (snd pq) with Some f => Nat.eqb f k | None => false end)
                         match form (snd pq) with POptional _ (Some (AConst w)) => value_eqb w v | _ => false end)
      (combine (seq 0 (List.length pats)) pats).

  Lemma default_found k v p q : default_at k v = true -> nth_error pats p = Some q -> p = k \/ first q = Some k ->
    exists kid, form q = POptional kid (Some (AConst v)).
  Proof.
    unfold default_at. intros D at_p W. rewrite forallb_forall in D.
    assert (nth_error (combine (seq 0 (List.length pats)) pats) p = Some (p, q)) as at_c.
    { assert (forall (l : list pattern) s p, nth_error l p = Some q -> nth_error (combine (seq s (List.length l)) l) p = Some (s + p, q)) as go.
      { induction l as [| a l IH]; intros s p' E; [now destruct p' |]. destruct p' as [| p']; cbn in E |- *.
        - injection E as ->. now rewrite Nat.add_0_r.
        - rewrite (IH (Datatypes.S s) p' E). do 2 f_equal. lia. }
      exact (go pats 0 p at_p). }
    specialize (D _ (nth_error_In _ _ at_c)). cbn [fst snd] in D.
    destruct (Nat.eqb p k || _) eqn:C in D.
    - cbn [implb] in D. destruct (form q) as [| | | | | | kid d | | | | | | |]; try discriminate. destruct d as [d |]; [| discriminate]. destruct d; try discriminate.
      apply value_eqb_iff in D. subst. now exists kid.
    - exfalso. apply orb_false_iff in C. destruct C as [C1 C2]. destruct W as [-> | W].
      + now rewrite Nat.eqb_refl in C1.
      + rewrite W, Nat.eqb_refl in C2. discriminate.
  Qed.

  Lemma means_default i p q x kid v : means S pats g M i p x -> nth_error pats p = Some q ->
    form q = POptional kid (Some (AConst v)) -> default_at (fst (addr_of pats i p)) v = true ->
    forall e n, Pattern.get M (addr_of pats i p) = Some e -> nth_error g e = Some n ->
    (present n = true /\ x = Some (rho S g M (addr_of pats i p))) \/
    (present n = false /\ x = option_map Of (consts S 0 (Some v))).
  Proof.
    intros H at_p Fq D e n G at_e. rewrite (addr_of_at pats i p q at_p) in *.
    destruct (present n) eqn:P; [left | right]; (split; [reflexivity |]).
    - rewrite (rho_value S g M _ _ G).
      inversion H as [? ? q' e' at_q L' | ? ? q' i' p' q2 gs f rs at_q L' at_p' A L2 Pl ms]; subst;
        (assert (q' = q) as -> by (clear - at_p at_q; congruence)); unfold looked_up in L'; rewrite G, Fq, at_e, P in L'; cbv beta iota in L'; congruence.
    - inversion H as [? ? q' e' at_q L' | ? ? q' i' p' q2 gs f rs at_q L' at_p' A L2 Pl ms]; subst;
        (assert (q' = q) as -> by congruence); unfold looked_up in L'; rewrite G, Fq, at_e, P in L'; [discriminate |].
      destruct (default_found _ _ p' q2 D at_p') as (kid' & F2).
      { rewrite <- A. unfold Pattern.at_. destruct (first_of i' q2) as [k |] eqn:F1; [right | left; reflexivity].
        unfold first_of in F1. destruct i' as [[|] |]; try discriminate. destruct (template q2); [exact F1 | discriminate]. }
      unfold plan in Pl. rewrite F2 in Pl. unfold value_at in Pl. cbn [eval option_map] in Pl. injection Pl as <- <-. inversion ms; subst.
      reflexivity.
  Qed.
End Default.

Lemma none_true vs : Attr.reduce RExists vs = Some (VBool false) -> Forall (eq (VBool false)) vs.
Proof.
  unfold Attr.reduce. cbn [reduction_start reduction_step].
  assert (forall vs (b : bool), fold_left (fun u v => match u with Some w => binary_op BOr w v | None => None end) vs (Some (VBool b)) =
    Some (VBool false) -> b = false /\ Forall (eq (VBool false)) vs) as go.
  { clear vs. induction vs as [| v vs IH]; intros b H; cbn [fold_left] in H.
    - split; [now injection H | constructor].
    - destruct v as [| c | | | |]; cbn [binary_op] in H.
      2: { apply IH in H. destruct H as [H F]. apply orb_false_iff in H. destruct H as [-> ->]. split; [reflexivity | now constructor]. }
      all: exfalso; clear - H; induction vs as [| v' vs IH]; [discriminate | exact (IH H)]. }
  intros H. now apply go in H.
Qed.

Definition is_some {A} (o : option A) : bool := match o with Some _ => true | None => false end.

(** One of the convolutions: its kernel, bound at [a], its optional bias at [b]. *)
Definition branch S inputs constants shapes (pats : list pattern) (g : tgraph) (M : mstate) (t f0 : tensor (num S)) win grp
    (a b : addr) (w : tensor (num S)) (o : option (tensor (num S))) (y : tensor (num S)) : Prop :=
  let T := tensors S inputs constants shapes in
  bound_at M a /\ rho T g M a = Of w /\ good y /\ conv S win grp t w o = Some y /\ skipn 2 (dims w) = skipn 2 (dims f0) /\
  (exists e n, Pattern.get M b = Some e /\ nth_error g e = Some n /\
     Pattern.label_at pats g M b "present"%string = Some (VBool (present n)) /\ present n = is_some o /\ third S (rho T g M b) o) /\
  (forall s, Pattern.label_at pats g M a "shape"%string = Some s -> s = shape_value (dims w)).

Lemma third_is S inputs constants shapes g M b e n o : sane (tensors S inputs constants shapes) g ->
  Pattern.get M b = Some e -> nth_error g e = Some n -> third S (rho (tensors S inputs constants shapes) g M b) o ->
  (present n = true \/ present n = false /\ rho (tensors S inputs constants shapes) g M b = Absent) -> present n = is_some o.
Proof.
  intros san G at_e Th [P | [P R]]; rewrite P.
  - destruct o as [t |]; [reflexivity |]. exfalso. exact (present_rho S inputs constants shapes g M b e n san G at_e P Th).
  - destruct o as [t |]; [| reflexivity]. cbn in Th. rewrite R in Th. discriminate.
Qed.

(** The second convolution has the parameters of the first. *)
Lemma same_window l l' (x f f' : sizes) win grp w' g' :
  Forall (fun name => attribute l name = attribute l' name) conv_labels -> attribute l "kernel_shape"%string <> None ->
  conv_params l x f = Some (win, grp) -> conv_params l' x f' = Some (w', g') -> w' = win /\ g' = grp /\ skipn 2 f' = skipn 2 f.
Proof.
  intros E K P P'. destruct (attribute l "kernel_shape"%string) as [v |] eqn:A; [| easy].
  assert (attribute l' "kernel_shape"%string = Some v) as A' by (rewrite <- A; symmetry; exact (Forall_inv E)).
  pose proof (params_kernel l x f (win, grp) v A P) as Q. pose proof (params_kernel l' x f' (w', g') v A' P') as Q'.
  assert (skipn 2 f' = skipn 2 f) as Ek by congruence. rewrite (conv_params_same l l' x f f' E) in P by now rewrite Ek.
  rewrite P' in P. injection P as -> ->. now repeat split.
Qed.

(** A loop over the [n] instances. *)
Ltac counted_loop n Ln E Tr :=
  rewrite Ln in E; let n' := fresh "n" in let Cn := fresh "Cn" in let us := fresh "us" in
  destruct (count (Z.of_nat n)) as [n' |] eqn:Cn; [| discriminate E]; apply count_nat in Cn; subst n';
  destruct (traverse _ (seq 0 n)) as [us |] eqn:Tr in E; [| discriminate E]; cbn [option_map] in E.

(** ** The parts of a target that are as many as the convolutions *)

Section Parts.
  Variable S : arith.
  Variables inputs constants : N -> option (tensor (num S)).
  Variable shapes : N -> option sizes.
  Notation tensor := (tensor (num S)).
  Notation T := (tensors S inputs constants shapes).
  Variables (r : rule) (g : tgraph) (M : mstate) (outs : list nat).
  Hypothesis fs : facts commutative r g M outs.
  Notation pats := (patterns r).
  Notation instance_of p c := (addr_of pats (Some c) p).

  (** [src(w, k).shape[0] for k in range(n)] *)
  Lemma sizes_said i t p q (ws : list tensor) us : nth_error pats p = Some q -> N.to_nat t = p ->
    (forall c w s, nth_error ws c = Some w -> Pattern.label_at pats g M (instance_of p c) "shape"%string = Some s -> s = shape_value (dims w)) ->
    traverse (fun c => match inst (env_at pats g M i) t (Z.of_nat c) "shape"%string with
                       | Some (VTuple vs) => tuple_index vs 0 | _ => None end) (seq 0 (List.length ws)) = Some us ->
    VTuple us = shape_value (map (along S 0) ws).
  Proof.
    intros at_p <- Sh Tr.
    apply traverse_seq with (h := fun c => VInt (Z.of_nat (match nth_error ws c with Some w => along S 0 w | None => 0 end))) in Tr.
    - subst us. unfold shape_value. f_equal. rewrite (map_seq_list _ (fun w => VInt (Z.of_nat (along S 0 w))) ws _ eq_refl).
      + now rewrite map_map.
      + intros c w at_c. now rewrite at_c.
    - intros c u lt E. rewrite (inst_at r g M i t _ q (Z.of_nat c) _ at_p eq_refl (Zle_0_nat c)), Nat2Z.id in E.
      destruct (nth_error ws c) as [w |] eqn:at_c; [| apply nth_error_None in at_c; lia].
      destruct (Pattern.label_at _ _ _ _ "shape"%string) as [s |] eqn:Ls; [| discriminate].
      apply (Sh c w s at_c) in Ls. subst s. unfold shape_value in E. apply (tuple_index_shape (dims w) 0) in E. now destruct E as [_ ->].
  Qed.

  (** src(b, k).present for k in range(n) *)
  Lemma present_said i t p q (os : list (option tensor)) us : nth_error pats p = Some q -> N.to_nat t = p ->
    (forall c o, nth_error os c = Some o -> Pattern.label_at pats g M (instance_of p c) "present"%string = Some (VBool (is_some o))) ->
    traverse (fun c => inst (env_at pats g M i) t (Z.of_nat c) "present"%string) (seq 0 (List.length os)) = Some us ->
    us = map (fun o => VBool (is_some o)) os.
  Proof.
    intros at_p <- Sh Tr.
    apply traverse_seq with (h := fun c => VBool (match nth_error os c with Some o => is_some o | None => false end)) in Tr.
    - subst us. apply map_seq_list; [reflexivity |]. intros c o at_c. now rewrite at_c.
    - intros c u lt E. rewrite (inst_at r g M i t _ q (Z.of_nat c) _ at_p eq_refl (Zle_0_nat c)), Nat2Z.id in E.
      destruct (nth_error os c) as [o |] eqn:at_c; [| apply nth_error_None in at_c; lia]. rewrite (Sh c o at_c) in E. now injection E as <-.
  Qed.

  (** Concat(Variadic(..), axis=0), [src] being the number of the source. *)
  Lemma concat_many i p q x v qv field least index src qs (ts : list tensor) : means T pats g M i p x -> nth_error pats p = Some q ->
    existsb (Nat.eqb p) (reached_sources r) = false ->
    (match first q with None => alone r p | Some _ => false end &&
     match form q with PNone | PInst _ _ => false | _ => true end) = true ->
    form q = PCall (OName "Concat") [v] -> wants q = [("axis"%string, AConst (VInt 0))] ->
    nth_error pats v = Some qv -> form qv = PVariadic field least (Some (AAccess src "length"%string)) index ->
    nth_error pats (N.to_nat src) = Some qs -> (forall i, addr_of pats i (N.to_nat src) = (N.to_nat src, None)) ->
    Pattern.label_at pats g M (N.to_nat src, None) "length"%string = Some (VInt (Z.of_nat (List.length ts))) ->
    (forall c t y, nth_error ts c = Some t -> means T pats g M (Some c) field y -> y = Some (Of t)) ->
    x = calls T "Concat"%string [("axis"%string, VInt 0)] (strip (map Of ts)).
  Proof.
    intros m at_p R A Fq W at_v Fv at_s As Ln H.
    destruct (means_call_many T commutative r g M outs fs i p q x _ v qv _ _ _ _ m at_p R A Fq at_v Fv)
      as (i' & vs & kk & mm & rs & _ & Gv & En & Ck & ms & ->).
    unfold given in Gv. rewrite W in Gv. cbn in Gv. injection Gv as <-.
    cbn [eval] in En. rewrite (access_at r g M i' src _ qs _ at_s eq_refl), As, Ln in En. injection En as <-.
    apply count_nat in Ck. subst mm.
    assert (rs = map Some (map Of ts)) as ->; [| now rewrite traverse_present].
    apply forall2_seq with (h := fun c => match nth_error ts c with Some t => Some (Of t) | None => None end) in ms.
    - subst rs. rewrite map_map. apply map_seq_list; [reflexivity |]. intros c t at_c. now rewrite at_c.
    - intros c y lt my. destruct (nth_error ts c) as [t |] eqn:at_c; [now apply (H c t) | apply nth_error_None in at_c; lia].
  Qed.
End Parts.

(** Lists of convolutions: kernels, results, biases. *)
Section Lists.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation entry := (tensor * tensor * option tensor)%type.

  Definition kernel_of (a : entry) : tensor := fst (fst a).
  Definition value_of_conv (a : entry) : tensor := snd (fst a).
  Definition bias_of_conv (a : entry) : option tensor := snd a.

  Lemma entries_convs win grp t (l : list entry) :
    (forall c a, nth_error l c = Some a -> conv S win grp t (kernel_of a) (bias_of_conv a) = Some (value_of_conv a)) ->
    forall c v y, nth_error (map kernel_of l) c = Some v -> nth_error (map value_of_conv l) c = Some y ->
      conv S win grp t v (nth c (map bias_of_conv l) None) = Some y.
  Proof.
    intros H c v y at_v at_y. rewrite nth_error_map in at_v, at_y. destruct (nth_error l c) as [a |] eqn:at_c; [| discriminate].
    injection at_v as <-. injection at_y as <-.
    assert (nth_error (map bias_of_conv l) c = Some (bias_of_conv a)) as at_b by (rewrite nth_error_map, at_c; reflexivity).
    rewrite (nth_error_nth _ _ None at_b). now apply (H c).
  Qed.

  (** The biases made for all of them. *)
  Lemma entries_biases (P : nat -> tensor -> Prop) (l : list entry) : l <> [] ->
    (forall c a, nth_error l c = Some a -> exists d, P c d /\ bias_like S (bias_of_conv a) (along S 0 (kernel_of a)) d) ->
    exists d ds B, List.length (d :: ds) = List.length l /\ (forall c e, nth_error (d :: ds) c = Some e -> P c e) /\
      List.length (dims d) = 1 /\ concat S 0 d ds = Some B /\ good B /\
      biases S (Some B) (fun c => nth c (map bias_of_conv l) None) (map (along S 0) (map kernel_of l)).
  Proof.
    intros ne H. destruct (choose (fun c d => P c d /\ forall a, nth_error l c = Some a -> bias_like S (bias_of_conv a) (along S 0 (kernel_of a)) d)
      (List.length l)) as (ds & len & all).
    { intros c lt. apply nth_error_Some in lt. destruct (nth_error l c) as [a |] eqn:at_c; [| easy].
      destruct (H c a at_c) as (d & Pd & L). exists d. split; [exact Pd |]. intros b E. now injection E as <-. }
    destruct ds as [| d ds]; [destruct l; [easy | discriminate] |].
    destruct (biases_made S d ds (fun c => nth c (map bias_of_conv l) None) (map (along S 0) (map kernel_of l))) as (B & C & G & Bi).
    - rewrite !map_length. exact len.
    - intros c e n at_e at_n. rewrite map_map, nth_error_map in at_n. destruct (nth_error l c) as [a |] eqn:at_c; [| discriminate].
      injection at_n as <-. assert (nth_error (map bias_of_conv l) c = Some (bias_of_conv a)) as at_b by (rewrite nth_error_map, at_c; reflexivity).
      rewrite (nth_error_nth _ _ None at_b). exact (proj2 (all c e at_e) a at_c).
    - exists d, ds, B. split; [exact len |]. split; [intros c e at_e; now apply (all c e at_e) |].
      split; [| split; [exact C |]; split; [exact G | exact Bi]]. destruct l as [| a l']; [easy |].
      destruct (proj2 (all 0 d eq_refl) a eq_refl) as (D & _). now rewrite D.
  Qed.
End Lists.

(** ** All the convolutions *)

Section Branches.
  Variable S : arith.
  Variables inputs constants : N -> option (tensor (num S)).
  Variable shapes : N -> option sizes.
  Notation tensor := (tensor (num S)).
  Notation T := (tensors S inputs constants shapes).
  Variables (r : rule) (g : tgraph) (M : mstate).
  Hypothesis laws : float_laws S.
  Hypothesis san : sane T g.
  Variables (t f0 : tensor) (win : window) (grp pw pb : nat).
  Variable l : list (tensor * tensor * option tensor).
  Notation pats := (patterns r).
  Notation instance_of p c := (addr_of pats (Some c) p).

  Definition branches : Prop := forall c a, nth_error l c = Some a ->
    branch S inputs constants shapes pats g M t f0 win grp (instance_of pw c) (instance_of pb c) (kernel_of S a) (bias_of_conv S a) (value_of_conv S a).
  Hypothesis all : branches.

  Lemma branches_convs c v y : nth_error (map (kernel_of S) l) c = Some v -> nth_error (map (value_of_conv S) l) c = Some y ->
    conv S win grp t v (nth c (map (bias_of_conv S) l) None) = Some y.
  Proof. apply entries_convs. intros k a at_k. now destruct (all k a at_k) as (_ & _ & _ & F & _). Qed.

  Lemma branches_kernels v : In v (map (kernel_of S) l) -> skipn 2 (dims v) = skipn 2 (dims f0).
  Proof.
    intros inv. apply in_map_iff in inv. destruct inv as (a & <- & ina). apply In_nth_error in ina. destruct ina as [c at_c].
    now destruct (all c a at_c) as (_ & _ & _ & _ & K & _).
  Qed.

  Lemma branches_shapes c w s : nth_error (map (kernel_of S) l) c = Some w ->
    Pattern.label_at pats g M (instance_of pw c) "shape"%string = Some s -> s = shape_value (dims w).
  Proof.
    intros at_w Ls. rewrite nth_error_map in at_w. destruct (nth_error l c) as [a |] eqn:at_c; [| discriminate]. injection at_w as <-.
    destruct (all c a at_c) as (_ & _ & _ & _ & _ & _ & Sh). now apply Sh.
  Qed.

  Lemma branches_present c o : nth_error (map (bias_of_conv S) l) c = Some o ->
    Pattern.label_at pats g M (instance_of pb c) "present"%string = Some (VBool (is_some o)).
  Proof.
    intros at_o. rewrite nth_error_map in at_o. destruct (nth_error l c) as [a |] eqn:at_c; [| discriminate]. injection at_o as <-.
    destruct (all c a at_c) as (_ & _ & _ & _ & _ & (e & nn & _ & _ & Lp & Pr & _) & _). now rewrite Lp, Pr.
  Qed.

  Lemma kernel_nodes q c w y : nth_error pats pw = Some q -> form q = PVariable ->
    nth_error (map (kernel_of S) l) c = Some w -> means T pats g M (Some c) pw y -> y = Some (Of w).
  Proof.
    intros at_p Fq at_w my. rewrite nth_error_map in at_w. destruct (nth_error l c) as [a |] eqn:at_c; [| discriminate]. injection at_w as <-.
    destruct (all c a at_c) as (B & Rw & _).
    assert (y = Some (rho T g M (instance_of pw c))) as ->.
    { apply (means_source T r g M (Some c) pw q y my at_p); [now rewrite Fq | exact B]. }
    now f_equal.
  Qed.

  (** The bias of each, expanded: -0 where there is none. *)
  Lemma bias_nodes q kid pe : nth_error pats pb = Some q -> form q = POptional kid (Some (AConst (VFloat minus_zero_bits))) ->
    (forall c, default_at r (fst (instance_of pb c)) (VFloat minus_zero_bits) = true) ->
    (forall c a y, nth_error l c = Some a -> means T pats g M (Some c) pe y ->
       exists y', means T pats g M (Some c) pb y' /\
         y = match y' with
             | Some u => calls T "Expand"%string [("shape"%string, VTuple [VInt (Z.of_nat (along S 0 (kernel_of S a)))])] (strip [u])
             | None => None
             end) ->
    forall c a, nth_error l c = Some a -> exists d, (forall y, means T pats g M (Some c) pe y -> y = Some (Of d)) /\
      bias_like S (bias_of_conv S a) (along S 0 (kernel_of S a)) d.
  Proof.
    intros at_p Fq D made c a at_c. destruct (all c a at_c) as (B & Rw & _ & F & _ & (e & nn & Ge & Ne & _ & Pr & Th) & Sh).
    destruct (conv_weights _ _ _ _ _ _ _ F) as [_ Db].
    assert (forall y', means T pats g M (Some c) pb y' ->
      (present nn = true /\ y' = Some (rho T g M (instance_of pb c))) \/
      (present nn = false /\ y' = option_map Of (consts T 0 (Some (VFloat minus_zero_bits))))) as bias
      by (intros y' my; exact (means_default T r g M (Some c) pb q y' kid _ my at_p Fq (D c) e nn Ge Ne)).
    rewrite Pr in bias. destruct (bias_of_conv S a) as [tb |]; cbn [is_some third] in *.
    - destruct (bias_present S inputs constants shapes (along S 0 (kernel_of S a)) tb (Db tb eq_refl)
                  (rho_good _ _ _ _ _ _ _ _ san Th)) as (d & Ed & Ld).
      exists d. split; [| exact Ld]. intros y my. destruct (made c a y at_c my) as (y' & my' & ->).
      destruct (bias y' my') as [[_ ->] | [no _]]; [| discriminate]. rewrite Th. exact Ed.
    - destruct (bias_absent S inputs constants shapes laws (along S 0 (kernel_of S a))) as (u & d & Eu & Ed & Ld).
      exists d. split; [| exact Ld]. intros y my. destruct (made c a y at_c my) as (y' & my' & ->).
      destruct (bias y' my') as [[no _] | [_ ->]]; [discriminate |]. rewrite Eu. exact Ed.
  Qed.
End Branches.

(** No bias is there. *)
Lemma no_biases_of S (os : list (option (tensor (num S)))) ns : Attr.reduce RExists (map (fun o => VBool (is_some o)) os) = Some (VBool false) ->
  biases S None (fun c => nth c os None) ns.
Proof.
  intros G. apply none_true in G. apply biases_none. intros c v _. destruct (nth_error os c) as [o |] eqn:at_o.
  - rewrite (nth_error_nth _ _ None at_o). rewrite Forall_forall in G.
    specialize (G (VBool (is_some o)) (in_map (fun o => VBool (is_some o)) _ _ (nth_error_In _ _ at_o))). now destruct o.
  - now rewrite nth_overflow by (now apply nth_error_None).
Qed.

(** A branch whose parts are known: the kernel [R], the value [Gy] [F], the optional bias's node [n] and its value [Th]. *)
Ltac branch_made san R Gy F K Th e n G Z :=
  (split; [assumption |]; split; [exact R |]; split; [exact Gy |]; split; [exact F |]; split; [exact K |]; split;
   [exists e, n; repeat (split; [assumption |]); split; [exact (third_is _ _ _ _ _ _ _ e n _ san G Z Th ltac:(auto)) | exact Th]
   | let s := fresh "s" in let Ls := fresh "Ls" in let D := fresh "D" in
     intros s Ls; says_leaf Ls D; apply shape_of_inv; exact (shape_label _ _ _ _ _ _ _ _ _ D R)]).
