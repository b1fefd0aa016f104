(** * Any number of Gemms with one left factor *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Check rewrite.Sound rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import rewrite.SoundModel rewrite.SoundOps rewrite.SoundTactic rewrite.SoundMore rewrite.Library.
From Calque Require Import rewrite.RulesMany rewrite.RulesDense rewrite.RulesMerge.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpTable tensor.LawsGemm.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Attributes *)

Definition gemm_labels : list label := ["alpha"; "beta"; "transA"; "transB"]%string.

Lemma gemm_params_same l l' : Forall (fun n => attribute l n = attribute l' n) gemm_labels -> gemm_params l = gemm_params l'.
Proof.
  intros F. unfold gemm_labels in F. repeat (apply Forall_cons_iff in F; let A := fresh "A" in destruct F as [A F]).
  unfold gemm_params, real_attr, bool_attr, attr_or. now rewrite A, A0, A1, A2.
Qed.

(** The dimension of the columns, as the text has it. *)
Lemma columns_value l alpha beta ta tb v : gemm_params l = Some (alpha, beta, ta, tb) ->
  attribute l "transB"%string = Some v -> forall w, binary_op BSub (VInt 1) v = Some w -> w = VInt (Z.of_nat (columns tb)).
Proof.
  unfold gemm_params. intros P A w E. destruct (real_attr l "alpha"%string _); [| discriminate].
  destruct (real_attr l "beta"%string _); [| discriminate]. destruct (bool_attr l "transA"%string _); [| discriminate].
  unfold bool_attr, attr_or in P. rewrite A in P. destruct v as [| | z | | |]; try discriminate.
  cbn [binary_op] in E. unfold int_result in E. destruct (in_int64 _); [| discriminate]. injection E as <-.
  destruct z as [| [| |] |]; try discriminate; injection P as _ _ _ <-; reflexivity.
Qed.

(** ** All of them *)

Lemma all_true vs : Attr.reduce RAll vs = Some (VBool true) -> forall v, In v vs -> v = VBool true.
Proof.
  unfold Attr.reduce. cbn [reduction_start reduction_step].
  assert (forall vs, fold_left (fun u v => match u with Some w => binary_op BAnd w v | None => None end) vs None = None) as none
    by (clear; induction vs as [| v vs IH]; [reflexivity | exact IH]).
  assert (forall vs b, fold_left (fun u v => match u with Some w => binary_op BAnd w v | None => None end) vs (Some (VBool b)) =
            Some (VBool true) -> b = true /\ forall v, In v vs -> v = VBool true) as go.
  { clear vs. induction vs as [| v vs IH]; intros b E; cbn [fold_left] in E; [injection E as ->; split; [reflexivity | easy] |].
    destruct v as [| c | | | |]; cbn [binary_op] in E; try (rewrite none in E; discriminate).
    destruct (IH _ E) as [B all]. apply andb_true_iff in B. destruct B as [-> ->]. split; [reflexivity |].
    intros w [<- | inw]; [reflexivity | now apply all]. }
  intros E. now apply (go vs true).
Qed.

Lemma traverse_in {A B} (f : A -> option B) l m : traverse f l = Some m -> forall a, In a l -> exists b, f a = Some b /\ In b m.
Proof.
  revert m. induction l as [| a l IH]; intros m E b inb; [easy |]. simpl in E.
  destruct (f a) as [c |] eqn:Fa; [| discriminate]. destruct (traverse f l) as [m' |]; [| discriminate]. injection E as <-.
  destruct inb as [<- | inb]; [exists c; split; [exact Fa | now left] |].
  destruct (IH m' eq_refl b inb) as (d & Fd & ind). exists d. split; [exact Fd | now right].
Qed.

(** [all(a for s in range(n))] *)
Lemma all_of G s n a m : eval G (AReduce RAll (AVar s n a)) = Some (VBool true) -> eval G n = Some (VInt (Z.of_nat m)) ->
  forall i, i < m -> eval (bind G s (VInt (Z.of_nat i))) a = Some (VBool true).
Proof.
  intros E N i lt. cbn [eval] in E. rewrite N in E. destruct (count _) as [m' |] eqn:C; [| discriminate].
  apply count_nat in C. subst m'.
  destruct (traverse _ (seq 0 m)) as [vs |] eqn:T; [| discriminate]. cbn [option_map] in E.
  destruct (traverse_in _ _ _ T i ltac:(apply in_seq; lia)) as (v & Ev & inv). rewrite Ev. f_equal. exact (all_true vs E v inv).
Qed.

(** ** The operators of the target *)

Lemma gemm_rank (S : arith) alpha beta ta tb (x w y : tensor (num S)) c : gemm S alpha beta ta tb x w c = Some y -> List.length (dims w) = 2.
Proof.
  unfold gemm, table, gemm_dims. destruct (dims x) as [| x0 [| x1 [|]]]; try discriminate.
  destruct (dims w) as [| w0 [| w1 [|]]]; try discriminate. reflexivity.
Qed.

Theorem gemm_calls S inputs constants shapes alpha beta ta tb (x w c : tensor (num S)) ws cs ys v :
  let T := tensors S inputs constants shapes in
  List.length cs = List.length ws -> List.length ys = List.length (w :: ws) ->
  (forall j u b y, nth_error (w :: ws) j = Some u -> nth_error (c :: cs) j = Some b -> nth_error ys j = Some y ->
     gemm S alpha beta ta tb x u (Some b) = Some y /\ dims b = [units S tb u] /\ good y) ->
  shape_of v = Some (map (units S tb) (w :: ws)) ->
  exists W C Y,
    calls T "Concat"%string [("axis"%string, VInt (Z.of_nat (columns tb)))] (strip (map Of (w :: ws))) = Some (Of W) /\
    calls T "Concat"%string [("axis"%string, VInt 0)] (strip (map Of (c :: cs))) = Some (Of C) /\
    (forall l, gemm_params l = Some (alpha, beta, ta, tb) -> calls T "Gemm"%string l (strip [Of x; Of W; Of C]) = Some (Of Y)) /\
    calls T "Split"%string [("axis"%string, VInt 1); ("split"%string, v)] (strip [Of Y]) = Some (Fields ys).
Proof.
  intros T lc ly all Sv.
  destruct (gemm_columns S alpha beta ta tb x w c ws cs ys lc ly) as (W & C & Y & EW & EC & EY & GW & GC & GY & rY & rw & rc & Sp).
  { intros j u b y at_u at_b at_y. destruct (all j u b y at_u at_b at_y) as (F & D & _). now split. }
  assert (Forall good ys) as goods.
  { apply Forall_forall. intros y iny. apply In_nth_error in iny. destruct iny as [j at_y].
    assert (j < List.length ys) as lt by (apply nth_error_Some; congruence).
    destruct (nth_error (w :: ws) j) as [u |] eqn:at_u; [| apply nth_error_None in at_u; lia].
    destruct (nth_error (c :: cs) j) as [b |] eqn:at_b; [| apply nth_error_None in at_b; simpl in *; lia].
    now destruct (all j u b y at_u at_b at_y) as (_ & _ & G). }
  exists W, C, Y. split; [| split; [| split]].
  - eapply any_intro; [reflexivity | | split; [exact GW | reflexivity]]. cbv beta. unfold axis_in.
    rewrite (RulesDense.axis_written _ _ (Z.of_nat (columns tb))); [| reflexivity | unfold columns; destruct tb; lia].
    now rewrite Nat2Z.id.
  - eapply any_intro; [reflexivity | | split; [exact GC | reflexivity]]. cbv beta. unfold axis_in.
    rewrite (RulesDense.axis_written _ _ 0); [exact EC | reflexivity | lia].
  - intros l P. eapply (op3_intro _ _ _ _ _ _ _ _ _ _ _ (Some C)); [reflexivity | reflexivity | | split; [exact GY | reflexivity]].
    cbv beta. rewrite P. exact EY.
  - eapply split_intro; [| exact Sp | exact goods]. unfold split_params, axis_in. rewrite rY.
    rewrite (RulesDense.axis_written _ _ 1); [| reflexivity | lia]. unfold sizes_attr, attr_or. cbn. now rewrite Sv.
Qed.

(** The size of the columns, as the text has it. *)
Lemma unit_value l alpha beta ta tb vb s ds u : gemm_params l = Some (alpha, beta, ta, tb) ->
  attribute l "transB"%string = Some vb -> shape_of s = Some ds -> List.length ds = 2 ->
  match s with
  | VTuple vs => match binary_op BSub (VInt 1) vb with Some (VInt k) => tuple_index vs k | _ => None end
  | _ => None
  end = Some u -> u = VInt (Z.of_nat (nth (columns tb) ds 0)).
Proof.
  intros P A Sh len E. destruct (binary_op BSub (VInt 1) vb) as [w |] eqn:B; [| destruct s; discriminate].
  apply (columns_value l alpha beta ta tb vb P A) in B. subst w.
  exact (shape_index s ds (columns tb) u Sh ltac:(unfold columns; destruct tb; lia) E).
Qed.

Theorem rule_parallel_gemm_variadic_sound : exact_rule rule_text_parallel_gemm_variadic.
Proof.
  at_match. any_output small.
  set (T := tensors S inputs constants shapes) in *. set (n := List.length outs) in *.
  set (wa := fun p c => addr_of (patterns rule_text_parallel_gemm_variadic) (Some c) p).
  assert (forall c, c < n -> bound_at M (wa 6 c)) as each.
  { intros c lt. apply (source_has _ _ _ _ _ fs c).
    change (nth_error (map (wa 6) (seq 0 n)) c = Some (wa 6 c)). exact (nth_seq_map (wa 6) n c lt). }
  pose proof (each 0 ltac:(lia)) as B3. change (wa 6 0) with (3, @None nat) in B3.
  see 3 l3 V3 L3 C3.
  assert (exists t w0 c0 y0 alpha beta ta tb, rho T g M (0, None) = Of t /\ rho T g M (1, None) = Of w0 /\ rho T g M (2, None) = Of c0 /\
            rho T g M (3, None) = Of y0 /\ gemm_params l3 = Some (alpha, beta, ta, tb) /\
            gemm S alpha beta ta tb t w0 (Some c0) = Some y0 /\ good y0)
    as (t & w0 & c0 & y0 & alpha & beta & ta & tb & Rt & Rw0 & Rc0 & Ry0 & P3 & F0 & G0).
  { see_variable 2 c0 Rc. open3 V3 t w0 o y0 Rt Rw Ro Ry F G. rewrite Rc in Ro. destruct o as [o |]; [injection Ro as -> | discriminate Ro].
    destruct (gemm_params l3) as [[[[alpha beta] ta] tb] |] eqn:P; [| discriminate].
    exists t, w0, o, y0, alpha, beta, ta, tb. repeat (split; [assumption || reflexivity |]). exact (proj1 G). }
  assert (forall c, c < n -> exists w b y,
            rho T g M (wa 4 c) = Of w /\ rho T g M (wa 5 c) = Of b /\ rho T g M (wa 6 c) = Of y /\
            gemm S alpha beta ta tb t w (Some b) = Some y /\ good y /\
            bound_at M (wa 4 c) /\ bound_at M (wa 5 c) /\
            (forall s, Pattern.label_at (patterns rule_text_parallel_gemm_variadic) g M (wa 4 c) "shape"%string = Some s ->
                      shape_of s = Some (dims w)) /\
            (forall s, Pattern.label_at (patterns rule_text_parallel_gemm_variadic) g M (wa 5 c) "shape"%string = Some s ->
                      shape_of s = Some (dims b))) as known.
  { intros c lt. pose proof (each c lt) as B. destruct c as [| c].
    - change (wa 4 0) with (1, @None nat) in *. change (wa 5 0) with (2, @None nat) in *. change (wa 6 0) with (3, @None nat) in *.
      exists w0, c0, y0. repeat (split; [assumption |]). split.
      + intros s Ls. says_leaf Ls D. exact (shape_label _ _ _ _ _ _ _ _ _ D Rw0).
      + intros s Ls. says_leaf Ls D. exact (shape_label _ _ _ _ _ _ _ _ _ D Rc0).
    - change (wa 4 (Datatypes.S c)) with (4, Some (Datatypes.S c)) in *. change (wa 5 (Datatypes.S c)) with (5, Some (Datatypes.S c)) in *.
      change (wa 6 (Datatypes.S c)) with (6, Some (Datatypes.S c)) in *.
      see 6 l6 V6 L6 C6. see_variable 5 b Rb. open3 V6 t' w o y Rt' Rw Ro Ry F G.
      assert (t' = t) as -> by congruence. rewrite Rb in Ro. destruct o as [o |]; [injection Ro as -> | discriminate Ro].
      claim 6 "alpha"%string va A6 A3. claim 6 "beta"%string vb A6' A3'. claim 6 "transA"%string vc A6'' A3''.
      claim 6 "transB"%string vd A6''' A3'''.
      assert (gemm_params l6 = Some (alpha, beta, ta, tb)) as P6.
      { rewrite <- P3. attr_of A6 C6 Q1. attr_of A6' C6 Q2. attr_of A6'' C6 Q3. attr_of A6''' C6 Q4.
        attr_of A3 C3 Q5. attr_of A3' C3 Q6. attr_of A3'' C3 Q7. attr_of A3''' C3 Q8.
        apply gemm_params_same. unfold attribute. repeat constructor; congruence. }
      cbn beta in F. rewrite P6 in F. exists w, o, y. repeat (split; [first [assumption | exact (proj1 G)] |]). split.
      + intros s Ls. says_leaf Ls D. exact (shape_label _ _ _ _ _ _ _ _ _ D Rw).
      + intros s Ls. says_leaf Ls D. exact (shape_label _ _ _ _ _ _ _ _ _ D Rb). }
  assert (Pattern.label_at (patterns rule_text_parallel_gemm_variadic) g M (7, None) "length"%string = Some (VInt (Z.of_nat n))) as Ln.
  { eapply label_of_length; [reflexivity | reflexivity |]. eapply outputs_length; [exact fs | reflexivity | reflexivity]. }
  pose (w_ c := tensor_of t (rho T g M (wa 4 c))). pose (b_ c := tensor_of t (rho T g M (wa 5 c))).
  pose (y_ c := tensor_of t (rho T g M (wa 6 c))).
  mean m.
  pose proof E4 as A4. attr_of A4 C3 Q4. change (attribute l3 "transB"%string = Some v4) in Q4.
  assert (forall c, c < n -> rho T g M (wa 4 c) = Of (w_ c) /\ rho T g M (wa 5 c) = Of (b_ c) /\ rho T g M (wa 6 c) = Of (y_ c) /\
            gemm S alpha beta ta tb t (w_ c) (Some (b_ c)) = Some (y_ c) /\ good (y_ c) /\ List.length (dims (w_ c)) = 2 /\
            (forall s, Pattern.label_at (patterns rule_text_parallel_gemm_variadic) g M (wa 4 c) "shape"%string = Some s ->
                      shape_of s = Some (dims (w_ c))) /\
            (forall s, Pattern.label_at (patterns rule_text_parallel_gemm_variadic) g M (wa 5 c) "shape"%string = Some s ->
                      shape_of s = Some (dims (b_ c)))) as at_c.
  { intros c lt. destruct (known c lt) as (w & b & y' & Rw & Rb & Ry & F & G' & _ & _ & Sw & Sb). unfold w_, b_, y_.
    rewrite Rw, Rb, Ry. cbn [tensor_of]. repeat (split; [first [reflexivity | assumption | exact (gemm_rank _ _ _ _ _ _ _ _ _ F)] |]). exact Sb. }
  assert (forall c, c < n -> dims (b_ c) = [units S tb (w_ c)]) as biases.
  { intros c lt. pose proof (requires_nth _ _ _ _ _ fs 0 _ eq_refl) as Rq. apply (all_of _ _ _ _ n) with (i := c) in Rq; [| exact Ln | exact lt].
    destruct (at_c c lt) as (_ & _ & _ & _ & _ & len & Sw & Sb).
    apply eval_binary in Rq. destruct Rq as (s & u & Es & Eu & B). injection B as B. apply value_eqb_iff in B. subst u.
    cbn [eval bind value_of N.eqb inst] in Es, Eu.
    change (inst (env_at (patterns rule_text_parallel_gemm_variadic) g M None) 5%N (Z.of_nat c) "shape"%string = Some s) in Es.
    rewrite (inst_at rule_text_parallel_gemm_variadic g M None 5%N 5 _ (Z.of_nat c) "shape"%string eq_refl eq_refl (Zle_0_nat c)), Nat2Z.id in Es.
    apply Sb in Es. cbn [traverse] in Eu.
    destruct (eval _ (AProj _ _)) as [u |] eqn:Ev; [| discriminate Eu]. cbn [option_map] in Eu. injection Eu as <-.
    cbn [eval bind value_of N.eqb access] in Ev. cbv iota beta in Ev.
    change (inst _ 4%N (Z.of_nat c) "shape"%string)
      with (inst (env_at (patterns rule_text_parallel_gemm_variadic) g M None) 4%N (Z.of_nat c) "shape"%string) in Ev.
    rewrite (inst_at rule_text_parallel_gemm_variadic g M None 4%N 4 _ (Z.of_nat c) "shape"%string eq_refl eq_refl (Zle_0_nat c)), Nat2Z.id in Ev.
    change (addr_of (patterns rule_text_parallel_gemm_variadic) (Some c) 4) with (wa 4 c) in Ev.
    change (access _ 3%N "transB"%string) with (Pattern.label_at (patterns rule_text_parallel_gemm_variadic) g M (3, None) "transB"%string) in Ev.
    destruct (Pattern.label_at _ _ _ (wa 4 c) "shape"%string) as [s |]; [| discriminate Ev]. rewrite E4 in Ev.
    apply (unit_value l3 alpha beta ta tb v4 s _ u P3 Q4 (Sw s eq_refl) len) in Ev. subst u.
    cbn [shape_of traverse natural] in Es. rewrite (proj2 (Z.leb_le 0 _)) in Es by lia. rewrite Nat2Z.id in Es. now injection Es as <-. }
  rewrite Ln in E0. destruct (count (Z.of_nat n)) as [n' |] eqn:Cn; [| discriminate]. apply count_nat in Cn. subst n'.
  destruct (traverse _ (seq 0 n)) as [us |] eqn:Tr; [| discriminate]. cbn [option_map] in E0. injection E0 as <-.
  apply (traverse_all _ (fun c => VInt (Z.of_nat (units S tb (w_ c))))) in Tr.
  2: { intros c inc u Eb. apply in_seq in inc. destruct (at_c c ltac:(lia)) as (_ & _ & _ & _ & _ & len & Sw & _).
       cbn [N.eqb inst bind] in Eb. cbv iota beta in Eb.
       change (inst (bind (env_at (patterns rule_text_parallel_gemm_variadic) g M i) 0%N (VInt (Z.of_nat c))) 4%N (Z.of_nat c) "shape"%string)
         with (inst (env_at (patterns rule_text_parallel_gemm_variadic) g M i) 4%N (Z.of_nat c) "shape"%string) in Eb.
       rewrite (inst_at rule_text_parallel_gemm_variadic g M i 4%N 4 _ (Z.of_nat c) "shape"%string eq_refl eq_refl (Zle_0_nat c)), Nat2Z.id in Eb.
       change (addr_of (patterns rule_text_parallel_gemm_variadic) (Some c) 4) with (wa 4 c) in Eb.
       destruct (Pattern.label_at _ _ _ (wa 4 c) "shape"%string) as [s |]; [| discriminate Eb]. rewrite E4 in Eb.
       exact (unit_value l3 alpha beta ta tb v4 s _ u P3 Q4 (Sw s eq_refl) len Eb). }
  destruct (means_call_many T _ _ _ _ _ fs _ _ _ _ _ _ _ _ _ _ _ m0 eq_refl ltac:(by_text) ltac:(by_text) eq_refl eq_refl eq_refl)
    as (j & at_w & kk & mm & rs & _ & Gw & Nw & Cw & Fw & Xw).
  destruct (means_call_many T _ _ _ _ _ fs _ _ _ _ _ _ _ _ _ _ _ m1 eq_refl ltac:(by_text) ltac:(by_text) eq_refl eq_refl eq_refl)
    as (j' & at_b & kk' & mm' & rs' & _ & Gb & Nb & Cb & Fb & Xb).
  give Gw. give Gb. injection E5 as <-. rewrite E4 in E0. apply (columns_value l3 alpha beta ta tb v4 P3 Q4) in E0. subst v0.
  values Nw. values Nb. rewrite Ln in Nw, Nb. injection Nw as <-. injection Nb as <-. apply count_nat in Cw, Cb. subst mm mm'.
  assert (forall p, (p = 4 \/ p = 5) -> forall rs,
            Forall2 (fun j x => means T (patterns rule_text_parallel_gemm_variadic) g M (Some j) p x) (seq 0 n) rs ->
            rs = map (fun c => Some (rho T g M (wa p c))) (seq 0 n)) as sources.
  { intros p Hp l F. apply (Forall2_image _ _ _ _) with (2 := F). intros c z inc mc. apply in_seq in inc.
    destruct (known c ltac:(lia)) as (_ & _ & _ & _ & _ & _ & _ & _ & B4 & B5 & _).
    destruct Hp as [-> | ->];
      [exact (means_source T _ _ _ _ _ _ _ mc eq_refl eq_refl B4) | exact (means_source T _ _ _ _ _ _ _ mc eq_refl eq_refl B5)]. }
  rewrite (sources 4 (or_introl eq_refl) rs Fw), traverse_map_present in Xw.
  rewrite (sources 5 (or_intror eq_refl) rs' Fb), traverse_map_present in Xb. clear sources Fw Fb.
  assert (map (fun c => rho T g M (wa 4 c)) (seq 0 n) = map Of (map w_ (seq 0 n))) as Mw
    by (rewrite map_map; apply map_ext_in; intros c inc; apply in_seq in inc; now destruct (at_c c ltac:(lia))).
  assert (map (fun c => rho T g M (wa 5 c)) (seq 0 n) = map Of (map b_ (seq 0 n))) as Mb
    by (rewrite map_map; apply map_ext_in; intros c inc; apply in_seq in inc; now destruct (at_c c ltac:(lia)) as (_ & Rb & _)).
  rewrite Mw in Xw. rewrite Mb in Xb. cbv iota beta in Xw, Xb.
  assert (seq 0 n = 0 :: seq 1 (n - 1)) as Es by (destruct n; [lia | simpl; now rewrite Nat.sub_0_r]).
  destruct (gemm_calls S inputs constants shapes alpha beta ta tb t (w_ 0) (b_ 0) (map w_ (seq 1 (n - 1))) (map b_ (seq 1 (n - 1)))
              (map y_ (seq 0 n)) (VTuple us)) as (W & C & Y & EW & EC & EY & Sp).
  - now rewrite !map_length.
  - rewrite Es. simpl. now rewrite !map_length.
  - change (w_ 0 :: map w_ (seq 1 (n - 1))) with (map w_ (0 :: seq 1 (n - 1))).
    change (b_ 0 :: map b_ (seq 1 (n - 1))) with (map b_ (0 :: seq 1 (n - 1))). rewrite <- Es.
    intros c u b y' at_u at_b' at_y. apply nth_map_seq in at_u, at_b', at_y.
    destruct at_u as [lt ->], at_b' as [_ ->], at_y as [_ ->]. destruct (at_c c lt) as (_ & _ & _ & F & G' & _).
    split; [exact F |]. split; [now apply biases | exact G'].
  - change (w_ 0 :: map w_ (seq 1 (n - 1))) with (map w_ (0 :: seq 1 (n - 1))). rewrite <- Es, Tr.
    rewrite <- (map_map (fun c => units S tb (w_ c)) (fun d => VInt (Z.of_nat d))), shape_of_tuple, map_map. reflexivity.
  - change (w_ 0 :: map w_ (seq 1 (n - 1))) with (map w_ (0 :: seq 1 (n - 1))) in EW.
    change (b_ 0 :: map b_ (seq 1 (n - 1))) with (map b_ (0 :: seq 1 (n - 1))) in EC. rewrite <- Es in EW, EC.
    node Xw EW. node Xb EC. rewrite Rt in X1.
    assert (gemm_params [("alpha"%string, v1); ("beta"%string, v2); ("transA"%string, v3); ("transB"%string, v4)] =
              Some (alpha, beta, ta, tb)) as P.
    { rewrite <- P3. attr_of E1 C3 Q1. attr_of E2 C3 Q2. attr_of E3 C3 Q3. apply gemm_params_same. unfold attribute in *.
      repeat constructor; cbn [look_up find fst snd String.eqb Ascii.eqb Bool.eqb option_map]; congruence. }
    node X1 (EY _ P). injection E as <-. node X0 Sp. cbn in G. injection G as <-. rewrite X.
    destruct (Z.ltb_spec (Z.of_nat k) 0); [lia |]. rewrite Nat2Z.id, (nth_seq_map y_ n k small).
    destruct (at_c k small) as (_ & _ & Ry & _). cbn [option_map]. f_equal. symmetry. exact Ry.
Qed.

#[export] Hint Resolve rule_parallel_gemm_variadic_sound : sound_rules.
