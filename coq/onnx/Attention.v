(** * Attention (opset 23 and on)

    For each batch and head: softmax of the scores, row by row, times the values.  A score is the product of a query and
    a key, both of which are multiplied by the root of [scale] before, cut by [softcap], plus the mask, and with
    [is_causal] minus infinity for keys behind the query.  Several heads share one of keys and values.  Earlier keys and
    values, if they are there, come first, and the results are all of them.  With a mask a score counts from the least
    finite number on, and the weight of a key with that score is 0 (so that a row of which every key is masked out is 0).

    Covered: three and four dimensions, float masks that broadcast, past and present, scale, softcap.  Left out, as C
    leaves these opaque: boolean masks, other element types than float32, [is_causal] with past keys, [softmax_precision]
    of another type, [nonpad_kv_seqlen]; and the fourth result, [qk_matmul_output]. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsNorm tensor.OpTable.
From Calque Require kernel.GradientNumbers tensor.Instances.
From Calque Require Import onnx.Composition onnx.Steps onnx.Heads onnx.AttentionSteps.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** Real numbers are binary64, by their bits. *)
Record attention := {
  q_heads : nat;                          (** of inputs of three dimensions *)
  kv_heads : nat;
  causal : bool;
  scale : option N;                       (** if it is left out, 1 / sqrt(size of a head) *)
  softcap : N                             (** 0: none *)
}.

(** The root of the scale, which is binary32. *)
Definition root_bits (scale : option N) (d : nat) : N :=
  let one := Instances.decode one_bits in
  let s := match scale with
           | Some b => Instances.decode b
           | None => SFdiv 53 1024 one (SFsqrt 53 1024 (Instances.whole 53 1024 (Z.of_nat d)))
           end in
  Z.to_N (GradientNumbers.encode (SFsqrt 53 1024 (Instances.rounded 24 128 s))).

(** The greatest binary32 and its negation; 2^127 and 2^22; the infinities. *)
Definition most_bits : N := 5183643170566569984.
Definition least_bits : N := 14407015207421345792.
Definition stretch_bits : N := 5179139571476070400.
Definition stretch_more_bits : N := 4706261610602168320.
Definition infinity_bits : N := 9218868437227405312.
Definition minus_infinity_bits : N := 18442240474082181120.

Definition is_zero (bits : N) : bool := (bits =? 0)%N || (bits =? minus_zero_bits)%N.

(** Query [i] may read key [j]. *)
Definition causal_cell (i j : Z) : literal := if (j <=? i)%Z then LInt 0 else LReal minus_infinity_bits.

(** ** Sizes *)

(** The table of [is_causal] is a constant of at most 2^24 bytes, of binary64. *)
Definition causal_fits (n t : nat) : bool :=
  ((N.of_nat n <=? 65536) && (N.of_nat t <=? 65536) && (N.of_nat n * N.of_nat t <=? 2097152))%N.

Definition scale_fits (scale : option N) : bool :=
  match scale with Some b => (0 <? b)%N && (b <=? infinity_bits)%N | None => true end.

(** Batch, heads of queries and of keys, queries, earlier keys, keys, sizes of keys and of values. *)
Definition attention_sizes (p : attention) (q k v : sizes) (mask : option sizes) (past : option (sizes * sizes)) :
    option (nat * nat * nat * nat * nat * nat * nat * nat) :=
  let? (b, h, n, d) := head_sizes (q_heads p) q in
  let? (b1, g, t, d1) := head_sizes (kv_heads p) k in
  let? (b2, g2, t2, e) := head_sizes (kv_heads p) v in
  let old := match past with Some (pk, _) => nth 2 pk 0 | None => 0 end in
  guard ((b1 =? b) && (d1 =? d) && (b2 =? b) && (g2 =? g) && (t2 =? t) && forallb (Nat.ltb 0) [b; h; n; d; g; t; e] &&
         (h mod g =? 0) && match mask with Some m => broadcasts m [b; h; n; old + t] | None => true end &&
         match past with
         | Some (pk, pv) => sizes_eqb pk [b; g; old; d] && sizes_eqb pv [b; g; old; e] && negb (causal p)
         | None => true
         end && (negb (causal p) || causal_fits n t) && scale_fits (scale p))
    (Some (b, h, g, n, old, t, d, e)).

(** ** The formula *)

Section Formula.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation num := (num S).
  Notation tensor := (tensor num).

  Definition real (bits : N) : num := typed f32_code (LReal bits).

  Section Cells.
    Variable p : attention.
    Variable d : nat.
    Variable out : sizes.
    Variable mask : option tensor.

    Definition product (q k : nat -> num) : num :=
      let r := real (root_bits (scale p) d) in sum_to S d (fun c => s_mul S (s_mul S (q c) r) (s_mul S (k c) r)).

    Definition capped (a : num) : num :=
      if is_zero (softcap p) then a
      else s_mul S (s_tanh S (div_cell S a (real (softcap p)))) (real (softcap p)).

    Definition with_mask (b h i j : nat) (a : num) : num :=
      match mask with Some m => s_add S a (spread_at S m out (map Z.of_nat [b; h; i; j])) | None => a end.

    Definition with_causal (i j : nat) (a : num) : num :=
      if causal p then s_add S a (typed f32_code (causal_cell (Z.of_nat i) (Z.of_nat j))) else a.

    Definition score (q k : nat -> nat -> nat -> nat -> num) (b h i j : nat) : num :=
      with_causal i j (with_mask b h i j (capped (product (q b h i) (k b h j)))).

    (** 1 of a number that is positive, 0 of others. *)
    Definition positive (a : num) : num :=
      clip_cell S 0 one_bits (s_mul S (s_mul S a (real stretch_bits)) (real stretch_more_bits)).

    Definition weight (n : nat) (f : nat -> num) (j : nat) : num :=
      match mask with
      | None => softmax_row S n f j
      | Some _ =>
          let s k := clip_cell S least_bits infinity_bits (f k) in
          s_mul S (softmax_row S n s j) (positive (s_add S (s j) (real most_bits)))
      end.
  End Cells.

  (** Those of earlier steps come first. *)
  Definition with_past (d old : nat) (past : option tensor) (x : tensor) (b g j c : nat) : num :=
    match past with
    | Some t => if j <? old then cell S t [b; g; j; c] else head_cell S d x b g (j - old) c
    | None => head_cell S d x b g j c
    end.

  Definition past_sizes (past : option (tensor * tensor)) : option (sizes * sizes) :=
    option_map (fun kv : tensor * tensor => (dims (fst kv), dims (snd kv))) past.

  (** Y, and the keys and values of all steps. *)
  Definition onnx_attention (p : attention) (q k v : tensor) (mask : option tensor) (past : option (tensor * tensor)) :
      option (list tensor) :=
    let? (b, h, g, n, old, t, d, e) :=
      attention_sizes p (dims q) (dims k) (dims v) (option_map dims mask) (past_sizes past) in
    let keys := with_past d old (option_map fst past) k in
    let values := with_past e old (option_map snd past) v in
    let share := h / g in
    let scores := score p d [b; h; n; old + t] mask (head_cell S d q) (fun b h => keys b (h / share)) in
    Some [of_heads S (is_flat (dims q)) b h n e (fun b h i c =>
            sum_to S (old + t) (fun j => s_mul S (weight mask (old + t) (scores b h i) j) (values b (h / share) j c)));
          table4 S b g (old + t) d keys; table4 S b g (old + t) e values].
End Formula.

(** ** Builders *)

Definition real_step (bits : N) : build nat := constant f32_code [] [LReal bits].

Definition scaled (p : attention) (d x : nat) : build nat :=
  c <- real_step (root_bits (scale p) d) ;; apply "Mul" [] [x; c].

Definition capped_steps (p : attention) (x : nat) : build nat :=
  if is_zero (softcap p) then Return x else
  c <- real_step (softcap p) ;;
  y <- apply "Div" [] [x; c] ;;
  z <- apply "Tanh" [] [y] ;;
  c' <- real_step (softcap p) ;;
  apply "Mul" [] [z; c'].

Definition causal_steps (p : attention) (n t x : nat) : build nat :=
  if causal p then
    c <- constant f32_code [n; t] (map (fun i => causal_cell (nth 0 i 0%Z) (nth 1 i 0%Z)) (box [n; t])) ;;
    apply "Add" [] [x; c]
  else Return x.

Definition score_steps (p : attention) (d n t : nat) (mask : option nat) (q k : nat) : build nat :=
  k1 <- scaled p d k ;;
  k2 <- transposed swap_perm k1 ;;
  q1 <- scaled p d q ;;
  x <- apply "MatMul" [] [q1; k2] ;;
  y <- capped_steps p x ;;
  z <- match mask with Some m => apply "Add" [] [y; m] | None => Return y end ;;
  causal_steps p n t z.

Definition softmax_step (x : nat) : build nat := apply "Softmax" [("axis", nat_value 3); ("flatten", bool_value false)] [x].
Definition clip_step (lo hi : N) (x : nat) : build nat := apply "Clip" [("min", VFloat lo); ("max", VFloat hi)] [x].

Definition positive_steps (x : nat) : build nat :=
  c <- real_step stretch_bits ;;
  y <- apply "Mul" [] [x; c] ;;
  c' <- real_step stretch_more_bits ;;
  z <- apply "Mul" [] [y; c'] ;;
  clip_step 0 one_bits z.

Definition weight_steps (masked : bool) (x : nat) : build nat :=
  if masked then
    s <- clip_step least_bits infinity_bits x ;;
    y <- softmax_step s ;;
    c <- real_step most_bits ;;
    a <- apply "Add" [] [s; c] ;;
    z <- positive_steps a ;;
    apply "Mul" [] [y; z]
  else softmax_step x.

Definition past_step (past : option nat) (x : nat) : build nat :=
  match past with Some a => apply "Concat" [("axis", nat_value 2)] [a; x] | None => Return x end.

(** Results that are inputs get names of their own. *)
Fixpoint finished_all (n : nat) (l : list nat) : build (list nat) :=
  match l with
  | [] => Return []
  | k :: l' =>
      j <- (if k <? n then apply "Identity" [] [k] else Return k) ;;
      r <- finished_all n l' ;;
      Return (j :: r)
  end.

(** Inputs: queries, keys, values, then the mask, the earlier keys and the earlier values, those that are there. *)
Definition attention_composition (p : attention) (q k v : sizes) (mask : option sizes) (past : option (sizes * sizes)) :
    option (build (list nat)) :=
  let? (b, h, g, n, old, t, d, e) := attention_sizes p q k v mask past in
  let masks := match mask with Some _ => 1 | None => 0 end in
  let pasts := match past with Some _ => 2 | None => 0 end in
  Some (x <- by_head (q_heads p) q 0 ;;
        y <- by_head (kv_heads p) k 1 ;;
        w <- by_head (kv_heads p) v 2 ;;
        keys <- past_step (option_map (fun _ => masks + 3) past) y ;;
        values <- past_step (option_map (fun _ => masks + 4) past) w ;;
        keys' <- shared b g (old + t) d (h / g) keys ;;
        z <- score_steps p d n (old + t) (option_map (fun _ => 3) mask) x keys' ;;
        z' <- weight_steps (match mask with Some _ => true | None => false end) z ;;
        values' <- shared b g (old + t) e (h / g) values ;;
        r <- apply "MatMul" [] [z'; values'] ;;
        r' <- (if is_flat q then by_step b h n e r else Return r) ;;
        finished_all (masks + pasts + 3) [r'; keys; values]).

(** ** The composition computes the formula *)

Section Proofs.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation shows := (shows S).
  Notation table4 := (table4 S).
  Notation runs := (runs S typed).
  Notation real := (real S typed).

  Definition shows_one (vs : list (gvalue tensor)) (k : option nat) (t : option tensor) : Prop :=
    match t, k with Some u, Some j => shows vs j u | None, None => True | _, _ => False end.

  Lemma shows_one_extends vs ws k t : shows_one vs k t -> extends S vs ws -> shows_one ws k t.
  Proof. intros K E. destruct t, k; try exact K. eapply shows_extends; eassumption. Qed.

  (** What is known stays known. *)
  Ltac keep X :=
    match type of X with
    | extends _ ?vs ?ws =>
        repeat match goal with H : Heads.shows S vs _ _ |- _ => apply (shows_extends S vs ws) in H; [| exact X] end;
        repeat match goal with H : shows_one vs _ _ |- _ => apply (shows_one_extends vs ws) in H; [| exact X] end;
        clear X
    end.

  Ltac step L := eapply runs_bind; [eapply L; try eassumption |]; cbv beta.

  Lemma runs_real vs bits : runs vs (real_step bits) (fun ws k => shows ws k (Tensor [] [real bits])).
  Proof. apply runs_number. Qed.

  Lemma runs_with name o (O : binary_step S name o) b h s d f bits vs x : shows vs x (table4 b h s d f) ->
    runs vs (c <- real_step bits ;; apply name [] [x; c])
      (fun ws r => shows ws r (table4 b h s d (fun i j k m => o (f i j k m) (real bits)))).
  Proof. intros X. step runs_real. intros ws c E C. keep E. eapply runs_scalar; eassumption. Qed.

  Lemma runs_scaled p b h s d f vs x : shows vs x (table4 b h s d f) ->
    runs vs (scaled p d x)
      (fun ws r => shows ws r (table4 b h s d (fun i j k m => s_mul S (f i j k m) (real (root_bits (scale p) d))))).
  Proof. apply runs_with, mul_step. Qed.

  Lemma runs_capped p b h s d f vs x : shows vs x (table4 b h s d f) ->
    runs vs (capped_steps p x) (fun ws r => shows ws r (table4 b h s d (fun i j k m => capped S typed p (f i j k m)))).
  Proof.
    intros X. unfold capped_steps, capped. destruct (is_zero (softcap p)); [now apply runs_return |].
    step runs_real. intros vs1 c E C. keep E.
    step (runs_scalar S typed _ _ (div_step S)). intros vs2 y E Y. keep E.
    step (runs_unary S typed "Tanh" [] (s_tanh S)); [reflexivity |]. intros vs3 z E Z. keep E.
    step runs_real. intros vs4 c' E C'. keep E.
    eapply (runs_scalar S typed _ _ (mul_step S)); eassumption.
  Qed.

  Lemma runs_causal p b h n t f vs x : shows vs x (table4 b h n t f) ->
    runs vs (causal_steps p n t x)
      (fun ws r => shows ws r (table4 b h n t (fun i j k m => with_causal S typed p k m (f i j k m)))).
  Proof.
    intros X. unfold causal_steps, with_causal. destruct (causal p); [| now apply runs_return].
    step runs_constant; [now rewrite map_length, length_box |]. intros ws c E C. keep E. rewrite map_map in C.
    set (mask := Tensor [n; t] _) in C.
    assert (B : broadcasts (dims mask) [b; h; n; t] = true).
    { change (dims mask) with [n; t]. apply broadcasts_iff. unfold broadcast.
      cbn [List.length Nat.max Nat.sub lead repeat app agree]. rewrite !Nat.eqb_refl. cbn [orb].
      destruct (Nat.eqb_spec 1 h), (Nat.eqb_spec 1 b); subst; reflexivity. }
    eapply runs_weaken; [eapply (runs_mask S typed b h n t f mask); [exact B | exact X | exact C] |].
    intros us r _ R. cbv beta in R. erewrite table4_ext; [exact R |].
    intros i j k m I J K M. cbv beta. f_equal. unfold spread_at. change (dims mask) with [n; t]. unfold spread.
    cbn [List.length Nat.sub skipn map clip]. rewrite !Nat.eqb_refl. unfold at_, mask.
    change (Tensor [n; t] (map (fun x0 => typed f32_code (causal_cell (nth 0 x0 0%Z) (nth 1 x0 0%Z))) (box [n; t])))
      with (tabulate [n; t] (fun x0 => typed f32_code (causal_cell (nth 0 x0 0%Z) (nth 1 x0 0%Z)))).
    rewrite get_tabulate; [reflexivity |]. apply (within_box [n; t] [k; m]). repeat constructor; assumption.
  Qed.

  Lemma runs_score p d b h n t f g mask m vs x y :
    match mask with Some a => broadcasts (dims a) [b; h; n; t] = true | None => True end -> shows_one vs m mask ->
    shows vs x (table4 b h n d f) -> shows vs y (table4 b h t d g) ->
    runs vs (score_steps p d n t m x y) (fun ws r => shows ws r (table4 b h n t (score S typed p d [b; h; n; t] mask f g))).
  Proof.
    intros B M X Y. unfold score_steps, score.
    step runs_scaled. intros vs1 k1 E K1. keep E. step runs_swap. intros vs2 k2 E K2. keep E.
    step runs_scaled. intros vs3 q1 E Q1. keep E. step runs_matmul. intros vs4 z E Z. keep E.
    step runs_capped. intros vs5 c E C. keep E.
    apply (runs_bind _ _ _ _ _ (fun ws r => shows ws r (table4 b h n t (fun i j k l =>
      with_mask S [b; h; n; t] mask i j k l (capped S typed p (product S typed p d (f i j k) (g i j l))))))).
    - destruct mask as [a |], m as [k |]; try contradiction; [| now apply runs_return].
      eapply runs_mask; [exact B | exact C | exact M].
    - intros vs6 w E W. keep E. eapply runs_weaken; [eapply runs_causal; exact W |]. intros ws r _ R. exact R.
  Qed.

  Lemma runs_softmax_step b h n t f vs x : shows vs x (table4 b h n t f) ->
    runs vs (softmax_step x) (fun ws r => shows ws r (table4 b h n t (fun i j k => softmax_row S t (f i j k)))).
  Proof. apply runs_softmax. Qed.

  Lemma runs_clip lo hi b h n t f vs x : shows vs x (table4 b h n t f) ->
    runs vs (clip_step lo hi x) (fun ws r => shows ws r (table4 b h n t (fun i j k l => clip_cell S lo hi (f i j k l)))).
  Proof. intros X. now apply (runs_unary S typed "Clip" _ (clip_cell S lo hi)). Qed.

  Lemma runs_positive b h n t f vs x : shows vs x (table4 b h n t f) ->
    runs vs (positive_steps x) (fun ws r => shows ws r (table4 b h n t (fun i j k l => positive S typed (f i j k l)))).
  Proof.
    intros X. unfold positive_steps. step runs_real. intros vs1 c E C. keep E.
    step (runs_scalar S typed _ _ (mul_step S)). intros vs2 y E Y. keep E.
    step runs_real. intros vs3 c' E C'. keep E.
    step (runs_scalar S typed _ _ (mul_step S)). intros vs4 z E Z. keep E.
    now apply runs_clip.
  Qed.

  Lemma runs_weight (mask : option tensor) b h n t f vs x : shows vs x (table4 b h n t f) ->
    runs vs (weight_steps (match mask with Some _ => true | None => false end) x)
      (fun ws r => shows ws r (table4 b h n t (fun i j k => weight S typed mask t (f i j k)))).
  Proof.
    intros X. unfold weight_steps, weight. destruct mask; [| now apply runs_softmax_step].
    step runs_clip. intros vs1 s E C. keep E. step runs_softmax_step. intros vs2 y E Y. keep E.
    step runs_real. intros vs3 c E K. keep E.
    step (runs_scalar S typed _ _ (add_step S)). intros vs4 a E A. keep E.
    step runs_positive. intros vs5 z E Z. keep E.
    eapply (runs_binary S typed _ _ (mul_step S)); eassumption.
  Qed.

  (** Keys or values of all steps. *)
  Lemma runs_past b g old t d past x m vs k :
    match past with Some a => dims a = [b; g; old; d] /\ good a | None => old = 0 end -> shows_one vs m past ->
    shows vs k (table4 b g t d (head_cell S d x)) ->
    runs vs (past_step m k) (fun ws r => shows ws r (table4 b g (old + t) d (with_past S d old past x))).
  Proof.
    intros D M K. destruct past as [a |], m as [j |]; try contradiction; cbn [past_step with_past].
    - destruct D as [D G]. cbn [shows_one] in M. rewrite (table4_cells S a b g old d G D) in M.
      eapply runs_joined; eassumption.
    - subst old. now apply runs_return.
  Qed.

  Lemma runs_finished n l us : forall vs, Forall2 (shows vs) l us ->
    runs vs (finished_all n l) (fun ws r => Forall2 (shows ws) r us).
  Proof.
    intros vs H. revert vs us H. induction l as [| k l IH]; intros vs us H; inversion H as [| ? u ? us' K T]; subst;
      cbn [finished_all]; [now apply runs_return |].
    apply (runs_bind _ _ _ _ _ (fun ws r => shows ws r u)).
    - destruct (k <? n); [| now apply runs_return].
      apply (runs_apply S typed vs "Identity" [] [k] [GTensor u]); [repeat constructor; exact K | reflexivity].
    - intros vs1 j E J. eapply runs_bind; [apply (IH vs1 us') |].
      + clear - T E. induction T; constructor; [eapply shows_extends; eassumption | assumption].
      + intros vs2 r E' R. cbv beta in R. apply runs_return. constructor; [eapply shows_extends; eassumption | exact R].
  Qed.

  (** The inputs that are there. *)
  Definition attention_inputs (q k v : tensor) (mask : option tensor) (past : option (tensor * tensor)) : list tensor :=
    [q; k; v] ++ match mask with Some m => [m] | None => [] end ++ match past with Some (a, c) => [a; c] | None => [] end.

  Definition all_good (mask : option tensor) (past : option (tensor * tensor)) : Prop :=
    match mask with Some m => good m | None => True end /\ match past with Some (a, c) => good a /\ good c | None => True end.

  Local Opaque score_steps weight_steps past_step shared finished_all Nat.div.

  Theorem attention_correct p q k v mask past b :
    attention_composition p (dims q) (dims k) (dims v) (option_map dims mask) (past_sizes S past) = Some b ->
    good q -> good k -> good v -> all_good mask past ->
    exists ys, onnx_attention S typed p q k v mask past = Some ys /\
      composed_all S typed b (attention_inputs q k v mask past) = Some ys.
  Proof.
    unfold attention_composition, onnx_attention. intros B Gq Gk Gv [_ Gp].
    destruct (attention_sizes p _ _ _ _ _) as [[[[[[[[n h] g] s] old] t] d] e] |] eqn:Z; [| discriminate].
    injection B as <-. eexists. split; [reflexivity |]. apply runs_composed_all.
    unfold attention_sizes in Z.
    destruct (head_sizes (q_heads p) (dims q)) as [[[[b0 h0] s0] d0] |] eqn:Hq; [| discriminate].
    destruct (head_sizes (kv_heads p) (dims k)) as [[[[b1 g1] t1] d1] |] eqn:Hk; [| discriminate].
    destruct (head_sizes (kv_heads p) (dims v)) as [[[[b2 g2] t2] e2] |] eqn:Hv; [| discriminate].
    unfold guard in Z. destruct (_ && _) eqn:Ok in Z; [| discriminate]. injection Z as <- <- <- <- Eold <- <- <-.
    rewrite Eold in Ok. rewrite !andb_true_iff in Ok. destruct Ok as [[[[[[[[[[B1 D1] B2] G2] T2] Pos] Mod] M] P] _] _].
    apply Nat.eqb_eq in B1, D1, B2, G2, T2, Mod. subst b1 d1 b2 g2 t2.
    cbn [forallb] in Pos. rewrite !andb_true_iff, !Nat.ltb_lt in Pos.
    destruct Pos as [_ [Hp [_ [_ [Gpos _]]]]].
    assert (Eh : h0 = g1 * (h0 / g1)) by (apply Nat.div_exact; lia).
    assert (Sh : 0 < h0 / g1) by (apply Nat.neq_0_lt_0; intros Z0; rewrite Z0 in Eh; lia).
    set (m := h0 / g1) in *. clearbody m. clear Mod Hp Gpos.
    set (ts := attention_inputs q k v mask past).
    set (masks := match option_map dims mask with Some _ => 1 | None => 0 end).
    set (old_keys := option_map (fun _ => masks + 3) (past_sizes S past)).
    set (old_values := option_map (fun _ => masks + 4) (past_sizes S past)).
    set (inputs := masks + match past_sizes S past with Some _ => 2 | None => 0 end + 3).
    set (nth_mask := option_map (fun _ => 3) (option_map dims mask)).
    assert (X : shows (map GTensor ts) 0 q) by now apply knows_inputs.
    assert (Y : shows (map GTensor ts) 1 k) by now apply knows_inputs.
    assert (W : shows (map GTensor ts) 2 v) by now apply knows_inputs.
    assert (Ms : shows_one (map GTensor ts) nth_mask mask) by (destruct mask; [now apply knows_inputs | exact I]).
    assert (Pk : shows_one (map GTensor ts) old_keys (option_map fst past))
      by (destruct past as [[a c] |]; [destruct mask; now apply knows_inputs | exact I]).
    assert (Pv : shows_one (map GTensor ts) old_values (option_map snd past))
      by (destruct past as [[a c] |]; [destruct mask; now apply knows_inputs | exact I]).
    assert (Dk : match option_map fst past with Some a => dims a = [b0; g1; old; d0] /\ good a | None => old = 0 end).
    { destruct past as [[a c] |]; [| now rewrite <- Eold]. cbn [option_map past_sizes fst snd] in P |- *.
      rewrite !andb_true_iff, !sizes_eqb_iff in P. tauto. }
    assert (Dv : match option_map snd past with Some a => dims a = [b0; g1; old; e2] /\ good a | None => old = 0 end).
    { destruct past as [[a c] |]; [| now rewrite <- Eold]. cbn [option_map past_sizes fst snd] in P |- *.
      rewrite !andb_true_iff, !sizes_eqb_iff in P. tauto. }
    assert (Mb : match mask with Some a => broadcasts (dims a) [b0; h0; s0; old + t1] = true | None => True end)
      by (destruct mask; [exact M | exact I]).
    assert (Masked : match option_map dims mask with Some _ => true | None => false end =
      match mask with Some _ => true | None => false end) by now destruct mask.
    rewrite Masked. clear Masked P Gp M Eold. clearbody old_keys old_values inputs nth_mask ts.
    step runs_by_head. intros vs1 x E X'. keep E.
    step runs_by_head. intros vs2 y E Y'. keep E.
    step runs_by_head. intros vs3 w E W'. keep E.
    eapply runs_bind; [eapply runs_past; [exact Dk | exact Pk | exact Y'] |]; cbv beta. intros vs4 keys E Ks. keep E.
    eapply runs_bind; [eapply runs_past; [exact Dv | exact Pv | exact W'] |]; cbv beta. intros vs5 values E Vs. keep E.
    step runs_shared. intros vs6 keys' E Ks'. keep E. rewrite <- Eh in Ks'.
    step runs_score. intros vs7 z E Zs. keep E.
    step runs_weight. intros vs8 z' E Zw. keep E.
    step runs_shared. intros vs9 values' E Vs'. keep E. rewrite <- Eh in Vs'.
    match goal with |- Composition.runs _ _ _ (Step (Apply ?n ?a ?l) ?f) _ =>
      change (Step (Apply n a l) f) with (bind (apply n a l) f) end.
    step runs_matmul. intros vs10 r E R. keep E.
    apply (runs_bind _ _ _ _ _ (fun ws r => shows ws r (of_heads S (is_flat (dims q)) b0 h0 s0 e2 (fun b h i c =>
      sum_to S (old + t1) (fun j => s_mul S
        (weight S typed mask (old + t1) (score S typed p d0 [b0; h0; s0; old + t1] mask (head_cell S d0 q)
          (fun b h => with_past S d0 old (option_map fst past) k b (h / m)) b h i) j)
        (with_past S e2 old (option_map snd past) v b (h / m) j c)))))).
    - destruct (is_flat (dims q)); [eapply runs_by_step; exact R | now apply runs_return].
    - intros vs11 r' E R'. keep E. apply runs_finished. repeat constructor; assumption.
  Qed.

  Local Transparent score_steps weight_steps past_step shared finished_all Nat.div.
End Proofs.

(** ** Instances: two batches, four heads of two, two queries, two keys; with a mask, and after two earlier keys *)

Definition counted (ds : sizes) (k : Z) : tensor Z := tabulate ds (fun i => Z.of_nat (position ds i) mod k)%Z.

Definition attention_instance (causal : bool) : attention := {|
  q_heads := 4; kv_heads := 2; causal := causal; scale := Some 4616189618054758400%N; softcap := 0%N |}.

Example attention_example :
  let q := counted [2; 2; 12] 5 in let k := counted [2; 2; 6] 7 in let v := counted [2; 2; 4] 9 in
  let mask := counted [2; 2] 2 in
  exists b y, attention_composition (attention_instance true) (dims q) (dims k) (dims v) (Some (dims mask)) None = Some b /\
    onnx_attention Instances.integers (fun _ => literal_value Instances.integers) (attention_instance true) q k v
      (Some mask) None = Some y /\
    composed_all Instances.integers (fun _ => literal_value Instances.integers) b [q; k; v; mask] = Some y.
Proof. eexists; eexists; (split; [reflexivity | split; vm_compute; reflexivity]). Qed.

Example attention_past_example :
  let q := counted [2; 4; 2; 3] 5 in let k := tabulate [2; 2; 2; 3] (fun i => nth 2 i 0 - 1)%Z in
  let v := counted [2; 2; 2; 2] 9 in let old_k := counted [2; 2; 2; 3] 1 in let old_v := counted [2; 2; 2; 2] 3 in
  exists b y, attention_composition (attention_instance false) (dims q) (dims k) (dims v) None (Some (dims old_k, dims old_v)) =
      Some b /\
    onnx_attention Instances.integers (fun _ => literal_value Instances.integers) (attention_instance false) q k v
      None (Some (old_k, old_v)) = Some y /\
    composed_all Instances.integers (fun _ => literal_value Instances.integers) b [q; k; v; old_k; old_v] = Some y.
Proof. eexists; eexists; (split; [reflexivity | split; vm_compute; reflexivity]). Qed.
