(** * Transposes by permutation and by layout letters *)

From Coq Require Import Ascii Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.Library rewrite.RulesSimplify.
From Calque Require Import rewrite.RulesTranspose rewrite.RulesUnit.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops tensor.OpTable.
From Calque Require Import tensor.IndexProof.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** The places of letters *)

Lemma index_place c s : In (nat_of_ascii c) (map (fun c => nat_of_ascii c) (list_ascii_of_string s)) ->
  index 0 (String c EmptyString) s = Some (place_of (nat_of_ascii c) (map (fun c => nat_of_ascii c) (list_ascii_of_string s))).
Proof.
  assert (forall a b, nat_of_ascii a = nat_of_ascii b -> a = b) as inj
    by (intros a b E; rewrite <- (ascii_nat_embedding a), E; apply ascii_nat_embedding).
  induction s as [| d s IH]; [easy |]. cbn [list_ascii_of_string map place_of index prefix]. intros H.
  destruct (ascii_dec c d) as [-> | ne]; [rewrite Nat.eqb_refl; now destruct s |].
  destruct (Nat.eqb_spec (nat_of_ascii c) (nat_of_ascii d)) as [E | _]; [now apply inj in E |].
  destruct H as [E | H]; [now apply inj in E; subst |]. now rewrite (IH H).
Qed.

Lemma remap_perm s t p v : layout_perm s t = Some p -> func_op FRemap [VStr s; VStr t] = Some v -> shape_of v = Some p.
Proof.
  unfold layout_perm, letters, guard. intros P F.
  destruct (distinct _ && _); [| discriminate].
  destruct (distinct (map (fun c => nat_of_ascii c) (list_ascii_of_string t)) && _); [| discriminate].
  destruct (_ && _) eqn:H; [| discriminate]. injection P as <-. apply andb_true_iff in H. destruct H as [_ H].
  rewrite forallb_forall in H. cbn [func_op] in F.
  set (a := map (fun c => nat_of_ascii c) (list_ascii_of_string s)) in *.
  assert (forall l, (forall c, In c l -> In (nat_of_ascii c) a) -> forall w,
    option_map VTuple (traverse (letter_at s) (map (fun c => VStr (String c EmptyString)) l)) = Some w ->
    shape_of w = Some (map (fun c => place_of c a) (map (fun c => nat_of_ascii c) l))) as all.
  { clear F. induction l as [| c l IH]; intros inside w E; [simpl in E; injection E as <-; reflexivity |]. cbn [map traverse] in E.
    cbn [letter_at] in E. rewrite (index_place c s (inside c (or_introl eq_refl))) in E. fold a in E. unfold int_result in E.
    destruct (in_int64 _); [| discriminate]. cbv iota beta in E.
    destruct (traverse _ _) as [vs |] eqn:T; [| discriminate]. cbn [option_map] in E. injection E as <-.
    specialize (IH (fun d ind => inside d (or_intror ind)) (VTuple vs) eq_refl).
    cbn [shape_of map traverse natural] in IH |- *. rewrite (proj2 (Z.leb_le 0 _)) by lia. now rewrite IH, Nat2Z.id. }
  apply (all (list_ascii_of_string t)); [| exact F]. intros c inc. apply has_in, H. apply in_map_iff. now exists c.
Qed.

(** ** The permutations of the rule's text *)

Section Text.
  Variable G : env.

  Definition written_text (alt t l : N) : attr :=
    AMatch alt [AAccess t "perm"%string; AFunc FRemap [AAccess l "src_layout"%string; AAccess l "dst_layout"%string]].

  Definition composed_text : attr := AMap 0%N (written_text 6 4 5) (AProj (written_text 3 1 2) (ASymbol 0%N)).

  (** Whatever is written there is [p]. *)
  Definition writes (a : attr) (p : list nat) : Prop := forall v, eval G a = Some v -> shape_of v = Some p.

  Lemma writes_perm alt t l at_ ds p : taken G alt = Some 0 -> access G t "perm"%string = attribute at_ "perm"%string ->
    perm_of at_ ds = Some p -> writes (written_text alt t l) p.
  Proof.
    intros T A P v E. unfold written_text in E. cbn [eval] in E. rewrite T in E. cbn [map nth_error eval] in E.
    rewrite A in E. now rewrite <- (written_perm at_ ds v E).
  Qed.

  Lemma writes_layout alt t l at_ p : taken G alt = Some 1 ->
    access G l "src_layout"%string = attribute at_ "src_layout"%string ->
    access G l "dst_layout"%string = attribute at_ "dst_layout"%string ->
    layout_of at_ = Some p -> writes (written_text alt t l) p.
  Proof.
    intros T A B P v E. unfold written_text in E. cbn [eval] in E. rewrite T in E. cbn [map nth_error eval traverse] in E.
    rewrite A, B in E. unfold layout_of, text_attr, attr_or in P.
    destruct (attribute at_ "src_layout"%string) as [a |]; [| discriminate].
    destruct (attribute at_ "dst_layout"%string) as [b |]; [| discriminate].
    destruct a; try discriminate. destruct b; try discriminate. exact (remap_perm _ _ _ _ P E).
  Qed.

  Lemma writes_composed p q r v : writes (written_text 3 1 2) p -> writes (written_text 6 4 5) q ->
    permutes r p = true -> permutes r q = true -> eval G composed_text = Some v -> shape_of v = Some (after_perm p q).
  Proof.
    intros Wp Wq P Q E. set (inner := eval G (written_text 3 1 2)).
    change (match eval G (written_text 6 4 5) with
            | Some (VTuple ws) => option_map VTuple (traverse (fun w => match inner with
                | Some (VTuple vs) => match w with VInt k => tuple_index vs k | _ => None end | _ => None end) ws)
            | _ => None end = Some v) in E.
    destruct (eval G (written_text 6 4 5)) as [w |] eqn:Eq; [| discriminate]. pose proof (Wq w Eq) as Sq.
    destruct w as [| | | | | qs]; try discriminate. cbn [shape_of] in Sq. destruct qs as [| q0 qs].
    - injection Sq as <-. injection E as <-. reflexivity.
    - destruct inner as [w |] eqn:Ep; [| discriminate]. pose proof (Wp w Ep) as Sp.
      destruct w as [| | | | | ps]; try discriminate.
      exact (map_perm ps p (q0 :: qs) q r _ v Sp Sq P Q (fun w => eq_refl) E).
  Qed.
End Text.

(** ** The rule *)

Lemma transposed_dims S p (x t : tensor (num S)) : transpose S p x = Some t -> List.length (dims t) = List.length (dims x).
Proof.
  intros F. apply transpose_iff in F. destruct F as [P ->]. apply permutes_iff in P. destruct P as [P _].
  now rewrite dims_tabulate, permuted_length.
Qed.

(** What is bound to pattern [p] is the transpose by [q] of what is bound to [kid]: a Transpose, a LayoutTransform. *)
Ltac by_perm p :=
  let l := fresh "l" in let V := fresh "V" in let L := fresh "L" in let C := fresh "C" in
  let t := fresh "t" in let u := fresh "u" in let R := fresh "R" in let U := fresh "U" in let F := fresh "F" in
  let G := fresh "G" in let q := fresh "q" in let Eq := fresh "Eq" in
  see p l V L C; open1 V t u R U F G; cbn beta in F;
  destruct (perm_of l (dims t)) as [q |] eqn:Eq; [| discriminate F];
  exists t, u, q; repeat (split; [first [assumption | congruence] |]); intros i;
  refine (writes_perm _ _ _ _ l (dims t) q _ _ Eq);
    [assumption | destruct i as [[|] |]; exact (call_attribute _ _ _ _ _ _ _ _ _ _ _ _ "perm"%string C eq_refl)].

Ltac by_letters p :=
  let l := fresh "l" in let V := fresh "V" in let L := fresh "L" in let C := fresh "C" in
  let t := fresh "t" in let u := fresh "u" in let R := fresh "R" in let U := fresh "U" in let F := fresh "F" in
  let G := fresh "G" in let q := fresh "q" in let Eq := fresh "Eq" in
  see p l V L C; open1 V t u R U F G; cbn beta in F;
  destruct (layout_of l) as [q |] eqn:Eq; [| discriminate F];
  exists t, u, q; repeat (split; [first [assumption | congruence] |]); intros i;
  refine (writes_layout _ _ _ _ l q _ _ _ Eq);
    [assumption | destruct i as [[|] |]; exact (call_attribute _ _ _ _ _ _ _ _ _ _ _ _ "src_layout"%string C eq_refl)
     | destruct i as [[|] |]; exact (call_attribute _ _ _ _ _ _ _ _ _ _ _ _ "dst_layout"%string C eq_refl)].

Theorem rule_simplify_transpose_sound : exact_rule rule_text_simplify_transpose.
Proof.
  at_match. each_output. set (T := tensors S inputs constants shapes) in *.
  pose (env i := env_at (patterns rule_text_simplify_transpose) g M i).
  assert (exists t u q, bound_at M (3, None) /\ rho T g M (3, None) = Of t /\ rho T g M (6, None) = Of u /\
            transpose S q t = Some u /\ forall i, writes (env i) (written_text 6 4 5) q) as (t & u & q & H3 & R3 & R6 & Fq & Wq).
  { see_alt 6 E6 R6; [by_perm 4 | by_letters 5 | no_more]. }
  assert (exists x0 t' p, bound_at M (0, None) /\ rho T g M (0, None) = Of x0 /\ rho T g M (3, None) = Of t' /\
            transpose S p x0 = Some t' /\ forall i, writes (env i) (written_text 3 1 2) p) as (x0 & t' & p & H0 & R0 & R3' & Fp & Wp).
  { see_alt 3 E3 R3'; [by_perm 1 | by_letters 2 | no_more]. }
  assert (t' = t) as -> by congruence. clear R3'.
  pose proof (transpose_transpose S p q x0 t u Fp Fq) as F.
  pose proof Fp as Pp. apply transpose_iff in Pp. destruct Pp as [Pp _].
  pose proof Fq as Pq. apply transpose_iff in Pq. destruct Pq as [Pq _]. rewrite (transposed_dims S p x0 t Fp) in Pq.
  assert (forall i v, eval (env i) composed_text = Some v -> shape_of v = Some (after_perm p q)) as W
    by (intros i v E; exact (writes_composed (env i) p q _ v (Wp i) (Wq i) Pp Pq E)).
  mean m.
  - match goal with Q : _ = Some (VBool true) |- _ => rename Q into E end.
    set (n := Pattern.label_at _ _ _ (0, None) "ndim"%string) in E.
    change (match eval (env i) composed_text,
              (let? vs := (let? m := (let? b := n in Some [b; VInt 1]) in Some (VInt 0 :: m)) in func_op FRange vs) with
            | Some v, Some w => binary_op BEq v w | _, _ => None end = Some (VBool true)) in E.
    destruct (eval (env i) composed_text) as [v |] eqn:Ev; [| discriminate]. apply W in Ev.
    destruct n as [r |] eqn:Ln; [| discriminate]. subst n. cbv iota beta in E.
    destruct (func_op FRange _) as [w |] eqn:Er; [| discriminate].
    cbn [binary_op] in E. injection E as E. apply value_eqb_iff in E. subst w.
    says_leaf Ln Dn. pose proof (ndim_label _ _ _ _ _ _ _ _ _ Dn R0) as ->. apply range_seq in Er.
    rewrite Ev in Er. injection Er as Er. rewrite Er in F. rewrite R0, R6.
    rewrite (RulesTranspose.transpose_identity S x0 u (rho_good _ _ _ _ _ _ _ _ san R0) F). reflexivity.
  - match goal with X : x = calls _ _ [("perm"%string, ?v)] _, E : _ = Some ?v |- _ =>
      change (eval (env i0) composed_text = Some v) in E; apply W in E; rewrite X, R0, R6;
      exact (transpose_to S inputs constants shapes v _ x0 u E F) end.
Qed.

#[export] Hint Resolve rule_simplify_transpose_sound : sound_rules.
