(** * Attribute expressions: the functions decide the judgements *)

From Coq Require Import Bool List Lia NArith String ZArith.
From Calque Require Import base.Lists attr.Attr.
Import ListNotations.
Open Scope Z_scope.

(** ** Induction through lists of children *)

Section ValueInd.
  Variable P : value -> Prop.
  Hypothesis none : P VNone.
  Hypothesis bool : forall b, P (VBool b).
  Hypothesis int : forall z, P (VInt z).
  Hypothesis float : forall n, P (VFloat n).
  Hypothesis str : forall s, P (VStr s).
  Hypothesis tuple : forall vs, Forall P vs -> P (VTuple vs).

  Fixpoint value_nested_ind (v : value) : P v :=
    match v with
    | VNone => none
    | VBool b => bool b
    | VInt z => int z
    | VFloat n => float n
    | VStr s => str s
    | VTuple vs => tuple vs
        ((fix all l : Forall P l :=
            match l with
            | [] => Forall_nil P
            | w :: l' => Forall_cons w (value_nested_ind w) (all l')
            end) vs)
    end.
End ValueInd.

Section AttrInd.
  Variable P : attr -> Prop.
  Hypothesis const : forall v, P (AConst v).
  Hypothesis any : P AAny.
  Hypothesis acc : forall p l, P (AAccess p l).
  Hypothesis un : forall o a, P a -> P (AUnary o a).
  Hypothesis bin : forall o a b, P a -> P b -> P (ABinary o a b).
  Hypothesis tuple : forall l, Forall P l -> P (ATuple l).
  Hypothesis proj : forall a b, P a -> P b -> P (AProj a b).
  Hypothesis sym : forall s, P (ASymbol s).
  Hypothesis ins : forall p a l, P a -> P (AInst p a l).
  Hypothesis var : forall s n a, P n -> P a -> P (AVar s n a).
  Hypothesis mp : forall s t a, P t -> P a -> P (AMap s t a).
  Hypothesis red : forall o t, P t -> P (AReduce o t).
  Hypothesis cond : forall c a b, P c -> P a -> P b -> P (ACond c a b).
  Hypothesis mat : forall p l, Forall P l -> P (AMatch p l).
  Hypothesis fn : forall f l, Forall P l -> P (AFunc f l).

  Fixpoint attr_nested_ind (a : attr) : P a :=
    let all := (fix all l : Forall P l :=
            match l with
            | [] => Forall_nil P
            | b :: l' => Forall_cons b (attr_nested_ind b) (all l')
            end) in
    match a with
    | AConst v => const v
    | AAny => any
    | AAccess p l => acc p l
    | AUnary o b => un o b (attr_nested_ind b)
    | ABinary o b c => bin o b c (attr_nested_ind b) (attr_nested_ind c)
    | ATuple l => tuple l (all l)
    | AProj b c => proj b c (attr_nested_ind b) (attr_nested_ind c)
    | ASymbol s => sym s
    | AInst p b l => ins p b l (attr_nested_ind b)
    | AVar s n b => var s n b (attr_nested_ind n) (attr_nested_ind b)
    | AMap s t b => mp s t b (attr_nested_ind t) (attr_nested_ind b)
    | AReduce o t => red o t (attr_nested_ind t)
    | ACond c b d => cond c b d (attr_nested_ind c) (attr_nested_ind b) (attr_nested_ind d)
    | AMatch p l => mat p l (all l)
    | AFunc f l => fn f l (all l)
    end.
End AttrInd.

(** ** Equality of values *)

Lemma value_eqb_iff v w : value_eqb v w = true <-> v = w.
Proof.
  revert w. induction v as [| b | z | n | s | vs IH] using value_nested_ind;
    intros [| b' | z' | n' | s' | ws]; simpl;
    try (split; [discriminate | intros H; discriminate H]).
  - easy.
  - rewrite Bool.eqb_true_iff. split; congruence.
  - rewrite Z.eqb_eq. split; congruence.
  - rewrite N.eqb_eq. split; congruence.
  - rewrite String.eqb_eq. split; congruence.
  - rewrite (all2_iff _ eq) by exact IH. clear IH. split.
    + intros H. f_equal. induction H; congruence.
    + intros H. injection H as <-. induction vs; now constructor.
Qed.

Theorem value_eqb_reflect v w : reflect (v = w) (value_eqb v w).
Proof.
  destruct (value_eqb v w) eqn:E; constructor.
  - now apply value_eqb_iff.
  - intros H. apply value_eqb_iff in H. congruence.
Qed.

(** ** Projection *)

Lemma tuple_index_iff {A} (vs : list A) k v :
  tuple_index vs k = Some v <-> index_at vs k v.
Proof.
  unfold tuple_index, index_at.
  set (n := Z.of_nat (List.length vs)). split.
  - destruct ((0 <=? k) && (k <? n)) eqn:front.
    + intros H. exists (Z.to_nat k). split; [exact H | left; lia].
    + destruct ((- n <=? k) && (k <? 0)) eqn:back; [| discriminate].
      intros H. exists (Z.to_nat (k + n)). split; [exact H | right; lia].
  - intros (i & at_i & [-> | ->]); pose proof (nth_error_bound _ _ _ at_i).
    + replace ((0 <=? Z.of_nat i) && (Z.of_nat i <? n)) with true by lia.
      now rewrite Nat2Z.id.
    + replace ((0 <=? Z.of_nat i - n) && (Z.of_nat i - n <? n)) with false by lia.
      replace ((- n <=? Z.of_nat i - n) && (Z.of_nat i - n <? 0)) with true by lia.
      now replace (Z.to_nat (Z.of_nat i - n + n)) with i by lia.
Qed.

(** ** Evaluation *)

Lemma eval_list_iff l :
  Forall (fun a => forall G v, eval G a = Some v <-> ae G a v) l ->
  forall G vs, traverse (eval G) l = Some vs <-> Forall2 (ae G) l vs.
Proof. intros IH G. apply traverse_iff. revert IH. apply Forall_impl. auto. Qed.

Lemma eval_alternative G l k :
  match nth_error (map (eval G) l) k with Some v => v | None => None end =
  match nth_error l k with Some a => eval G a | None => None end.
Proof. rewrite nth_error_map. now destruct (nth_error l k). Qed.

Lemma count_iff k m : count k = Some m <-> k = Z.of_nat m /\ k <= count_max.
Proof.
  unfold count. destruct ((0 <=? k) && (k <=? count_max)) eqn:E; split.
  - intros H. injection H as <-. lia.
  - intros [-> _]. now rewrite Nat2Z.id.
  - discriminate.
  - lia.
Qed.

Theorem attr_eval_iff G a v : eval G a = Some v <-> ae G a v.
Proof.
  revert G v. induction a as [w | | p l | o a IHa | o a b IHa IHb | l IH | a b IHa IHb
      | s | p a l IHa | s n a IHn IHa | s t a IHt IHa | o t IHt | c a b IHc IHa IHb
      | p l IH | f l IH]
    using attr_nested_ind; intros G v; cbn [eval]; split; intros H.
  - injection H as <-. constructor.
  - inversion H. reflexivity.
  - discriminate.
  - inversion H.
  - now constructor.
  - now inversion H.
  - destruct (eval G a) as [u |] eqn:E; [| discriminate].
    apply AE_Unary with u; [now apply IHa | exact H].
  - inversion H as [| | ? ? u ? Ha Hu | | | | | | | | | | |]; subst.
    apply IHa in Ha. now rewrite Ha.
  - destruct (eval G a) as [u |] eqn:Ea; [| discriminate].
    destruct (eval G b) as [w |] eqn:Eb; [| discriminate].
    apply AE_Binary with u w; [now apply IHa | now apply IHb | exact H].
  - inversion H as [| | | ? ? ? u w ? Ha Hb Hu | | | | | | | | | |]; subst.
    apply IHa in Ha. apply IHb in Hb. now rewrite Ha, Hb.
  - destruct (traverse (eval G) l) as [vs |] eqn:E; [| discriminate].
    injection H as <-. constructor. now apply eval_list_iff.
  - inversion H as [| | | | ? vs Hl | | | | | | | | |]; subst.
    apply eval_list_iff in Hl; [| exact IH]. now rewrite Hl.
  - destruct (eval G a) as [[| | | | | vs] |] eqn:Ea; try discriminate.
    destruct (eval G b) as [[| | k | | |] |] eqn:Eb; try discriminate.
    apply AE_Proj with vs k; [now apply IHa | now apply IHb | now apply tuple_index_iff].
  - inversion H as [| | | | | ? ? vs k ? Ha Hb Hk | | | | | | | |]; subst.
    apply IHa in Ha. apply IHb in Hb. rewrite Ha, Hb.
    now apply tuple_index_iff.
  - now constructor.
  - now inversion H.
  - destruct (eval G a) as [[| | k | | |] |] eqn:Ea; try discriminate.
    apply AE_Inst with k; [now apply IHa | exact H].
  - inversion H as [| | | | | | | ? ? ? k ? Ha Hk | | | | | |]; subst.
    apply IHa in Ha. now rewrite Ha.
  - destruct (eval G n) as [[| | k | | |] |] eqn:En; try discriminate.
    destruct (count k) as [m |] eqn:Ek; [| discriminate].
    destruct (traverse _ (seq 0 m)) as [vs |] eqn:E; [| discriminate].
    injection H as <-. apply AE_Var with k m; [now apply IHn | exact Ek |].
    revert E. apply traverse_iff, Forall_always. intros i u. apply IHa.
  - inversion H as [| | | | | | | | ? ? ? k m vs Hn Hk Hl | | | | |]; subst.
    apply IHn in Hn. rewrite Hn, Hk. apply option_map_some.
    apply <- (traverse_iff (fun i => eval (bind G s (VInt (Z.of_nat i))) a)); [exact Hl |].
    apply Forall_always. intros i u. apply IHa.
  - destruct (eval G t) as [[| | | | | ws] |] eqn:Et; try discriminate.
    destruct (traverse _ ws) as [vs |] eqn:E; [| discriminate].
    injection H as <-. apply AE_Map with ws; [now apply IHt |].
    revert E. apply traverse_iff, Forall_always. intros w u. apply IHa.
  - inversion H as [| | | | | | | | | ? ? ? ws vs Ht Hl | | | |]; subst.
    apply IHt in Ht. rewrite Ht. apply option_map_some.
    apply <- (traverse_iff (fun w => eval (bind G s w) a)); [exact Hl |].
    apply Forall_always. intros w u. apply IHa.
  - destruct (eval G t) as [[| | | | | vs] |] eqn:Et; try discriminate.
    apply AE_Sum with vs; [now apply IHt | exact H].
  - inversion H as [| | | | | | | | | | ? ? vs ? Ht Hr | | |]; subst.
    apply IHt in Ht. now rewrite Ht.
  - destruct (eval G c) as [[| [|] | | | |] |] eqn:Ec; try discriminate.
    + apply AE_Cond with true; [now apply IHc | now apply IHa].
    + apply AE_Cond with false; [now apply IHc | now apply IHb].
  - inversion H as [| | | | | | | | | | | ? ? ? d ? Hc Hd | |]; subst.
    apply IHc in Hc. rewrite Hc. destruct d; [now apply IHa | now apply IHb].
  - destruct (taken G p) as [k |] eqn:Ep; [| discriminate].
    rewrite eval_alternative in H. destruct (nth_error l k) as [a |] eqn:Ea; [| discriminate].
    apply AE_Match with k a; [exact Ep | exact Ea |].
    rewrite Forall_forall in IH. now apply (IH a (nth_error_In _ _ Ea)).
  - inversion H as [| | | | | | | | | | | | ? ? k a ? Hp Hk Ha |]; subst.
    rewrite Hp, eval_alternative, Hk.
    rewrite Forall_forall in IH. now apply (IH a (nth_error_In _ _ Hk)).
  - destruct (traverse (eval G) l) as [vs |] eqn:E; [| discriminate].
    apply AE_Func with vs; [now apply eval_list_iff | exact H].
  - inversion H as [| | | | | | | | | | | | | ? ? vs ? Hl Hf]; subst.
    apply eval_list_iff in Hl; [| exact IH]. now rewrite Hl.
Qed.

Theorem attr_eval_deterministic G a v w : ae G a v -> ae G a w -> v = w.
Proof. intros Hv Hw. apply attr_eval_iff in Hv, Hw. congruence. Qed.

(** ** Matching *)

Lemma amatch_of_eval G a :
  (forall v, amatch G a v = match eval G a with
                            | Some w => value_eqb w v | None => false end) ->
  (forall w, am G a w -> ae G a w) ->
  forall v, amatch G a v = true <-> am G a v.
Proof.
  intros unfold only_eval v. rewrite unfold. split.
  - destruct (eval G a) as [w |] eqn:E; [| discriminate].
    intros H. apply value_eqb_iff in H. subst.
    now apply AM_Eval, attr_eval_iff.
  - intros H. apply only_eval, attr_eval_iff in H. rewrite H.
    now apply value_eqb_iff.
Qed.

Lemma match_list_iff l :
  Forall (fun a => forall G v, amatch G a v = true <-> am G a v) l ->
  forall G vs, all2 (amatch G) l vs = true <-> Forall2 (am G) l vs.
Proof. intros IH G. apply all2_iff. revert IH. apply Forall_impl. auto. Qed.

(** What [AM_Var] asks for follows from a value of the comprehension. *)
Lemma am_var_of_eval G s n a vs :
  ae G (AVar s n a) (VTuple vs) ->
  let m := List.length vs in
  ae G n (VInt (Z.of_nat m)) /\ count (Z.of_nat m) = Some m /\
  Forall2 (fun i v => ae (bind G s (VInt (Z.of_nat i))) a v) (seq 0 m) vs.
Proof.
  intros H. inversion H as [| | | | | | | | ? ? ? k m ? Hn Hk Hl | | | | |]; subst.
  assert (m = List.length vs) as -> by (rewrite <- (Forall2_length Hl); now rewrite seq_length).
  pose proof (proj1 (count_iff _ _) Hk) as [-> _]. now repeat split.
Qed.

Theorem attr_match_iff G a v : amatch G a v = true <-> am G a v.
Proof.
  revert G v. induction a as [w | | p l | o a _ | o a b _ _ | l IH | a b _ _
      | s | p a l _ | s n a IHn IHa | s t a _ _ | o t _ | c a b _ _ _
      | p l _ | f l _]
    using attr_nested_ind; intros G;
    try (apply amatch_of_eval; [reflexivity | intros w' H; now inversion H]).
  - intros v. split; [constructor | reflexivity].
  - intros v. split.
    + destruct v as [| | | | | vs]; try discriminate. simpl. intros H.
      now apply AM_Tuple, match_list_iff.
    + intros H. inversion H as [| ? ? Hv | ? vs Hl |]; subst.
      * inversion Hv as [| | | | ? vs Hl | | | | | | | | |]; subst. simpl.
        apply match_list_iff; [exact IH |].
        revert Hl. apply Forall2_mono, Forall_always. now constructor.
      * simpl. now apply match_list_iff.
  - intros v.
    assert (forall vs, amatch G (AVar s n a) (VTuple vs) = true <->
      am G n (VInt (Z.of_nat (List.length vs))) /\
      count (Z.of_nat (List.length vs)) = Some (List.length vs) /\
      Forall2 (fun i v => am (bind G s (VInt (Z.of_nat i))) a v) (seq 0 (List.length vs)) vs)
      as unfold.
    { intros vs. cbn [amatch]. rewrite !andb_true_iff, IHn, count_iff, Z.leb_le.
      rewrite (all2_iff _ (fun i v => am (bind G s (VInt (Z.of_nat i))) a v));
        [| apply Forall_always; intros i w; apply IHa]. tauto. }
    split.
    + destruct v as [| | | | | vs]; try discriminate. intros H.
      apply unfold in H. destruct H as (Hn & Hm & Hl). now apply AM_Var with (List.length vs).
    + intros H. inversion H as [| ? ? Hv | | ? ? ? m vs Hn Hm Hl]; subst.
      * assert (exists vs, v = VTuple vs) as [vs ->] by (inversion Hv; eauto).
        apply am_var_of_eval in Hv. destruct Hv as (Hn & Hm & Hl).
        apply unfold. repeat split; [now constructor | exact Hm |].
        revert Hl. apply Forall2_mono, Forall_always. now constructor.
      * assert (m = List.length vs) as ->
          by (rewrite <- (Forall2_length Hl); now rewrite seq_length).
        now apply unfold.
Qed.

(** Without [_], matching is evaluation. *)
Theorem attr_match_eval_agree G a v :
  any_free a = true -> (amatch G a v = true <-> eval G a = Some v).
Proof.
  rewrite attr_match_iff, attr_eval_iff. revert G v.
  induction a as [w | | p l | o a _ | o a b _ _ | l IH | a b _ _
      | s | p a l _ | s n a IHn IHa | s t a _ _ | o t _ | c a b _ _ _
      | p l _ | f l _]
    using attr_nested_ind; intros G v no_any;
    (split; [| now constructor]); intros H;
    inversion H as [| ? ? Hv | ? vs Hl | ? ? ? m vs Hn Hm Hl]; subst; try assumption;
    try discriminate; simpl in no_any.
  - constructor. rewrite forallb_forall in no_any.
    revert Hl. apply Forall2_mono. rewrite Forall_forall in *.
    intros b inb w. now apply IH, no_any.
  - apply andb_true_iff in no_any. destruct no_any as [no_n no_a].
    apply AE_Var with (Z.of_nat m) m; [now apply IHn | exact Hm |].
    revert Hl. apply Forall2_mono, Forall_always. intros i w. now apply IHa.
Qed.

(** ** Comparison of numbers *)

(** What a comparison asks of two numbers. *)
Definition order_test (o : binary) : option (Z -> Z -> Prop) :=
  match o with
  | BLt => Some Z.lt
  | BLe => Some Z.le
  | BGt => Some Z.gt
  | BGe => Some Z.ge
  | _ => None
  end.

(** Between ints it is that of the ints. *)
Lemma int_test_number test y z :
  (forall p, test (y * Z.pos p) (z * Z.pos p) = test y z) ->
  number_test test (VInt y) (VInt z) = Some (VBool (test y z)).
Proof. intros scaled. unfold number_test, number. do 2 f_equal. apply (scaled (2 ^ 1074)%positive). Qed.

Lemma binary_op_number o test v w :
  In (o, test) [(BLt, Z.ltb); (BLe, Z.leb); (BGt, Z.gtb); (BGe, Z.geb)] ->
  binary_op o v w = number_test test v w.
Proof.
  intros H.
  assert (forall p y z, (y * Z.pos p ?= z * Z.pos p) = (y ?= z)) as scaled
    by (intros p y z; symmetry; apply Zmult_compare_compat_r; reflexivity).
  repeat (destruct H as [H | H]; [injection H as <- <- |]); [.. | contradiction];
    destruct v as [| | y | | |], w as [| | z | | |]; try reflexivity;
    rewrite int_test_number by (intros p; unfold Z.ltb, Z.leb, Z.gtb, Z.geb; now rewrite scaled);
    cbn [binary_op]; now rewrite ?Z.gtb_ltb, ?Z.geb_leb.
Qed.

(** Both are numbers, or there is no value; and the answer is that of the exact numbers. *)
Theorem number_order o R v w b :
  order_test o = Some R ->
  (binary_op o v w = Some (VBool b) <->
   exists y z, number v = Some y /\ number w = Some z /\ (b = true <-> R y z)).
Proof.
  intros H. destruct o; try discriminate; injection H as <-;
    (erewrite binary_op_number by (simpl; eauto 6)); unfold number_test;
    destruct (number v) as [y |]; destruct (number w) as [z |];
    (split;
     [intros E; try discriminate; injection E as <-; exists y, z; repeat split; trivial;
        rewrite ?Z.gtb_ltb, ?Z.geb_leb, ?Z.ltb_lt, ?Z.leb_le; lia
     |intros (y' & z' & Ey & Ez & T); try discriminate; injection Ey as <-; injection Ez as <-;
        do 2 f_equal; apply Bool.eq_true_iff_eq; rewrite T, ?Z.gtb_ltb, ?Z.geb_leb, ?Z.ltb_lt, ?Z.leb_le; lia]).
Qed.

(** Ints and finite floats lie between the infinities. *)
Theorem number_finite v z :
  value_in_range v = true -> number v = Some z ->
  (forall s, v <> VFloat (if s : bool then 18442240474082181120 else 9218868437227405312)%N) ->
  - 2 ^ 2098 < z < 2 ^ 2098.
Proof.
  intros range N other. destruct v as [| | y | bits | |]; try discriminate.
  - injection N as <-. simpl in range. unfold in_int64, int64_min, int64_max in range.
    rewrite (Z.pow_add_r 2 1024 1074 ltac:(lia) ltac:(lia) : 2 ^ 2098 = _).
    pose proof (Z.pow_pos_nonneg 2 1074 ltac:(lia) ltac:(lia)) as P. set (p := 2 ^ 1074) in *.
    assert (- 2 ^ 1024 < y < 2 ^ 1024) as [low high] by lia. split.
    + rewrite <- Z.mul_opp_l. exact (proj1 (Z.mul_lt_mono_pos_r p _ _ P) low).
    + exact (proj1 (Z.mul_lt_mono_pos_r p _ _ P) high).
  - simpl in N. unfold float_number in N. set (b := Z.of_N bits) in *.
    assert (0 <= b < 2 ^ 64) as Hb by (unfold b; apply N.ltb_lt in range; unfold float_end in range; lia).
    pose proof (Z.mod_pos_bound b (2 ^ 63) ltac:(lia)) as Bm. set (m := b mod 2 ^ 63) in *.
    destruct (2047 * 2 ^ 52 <? m) eqn:nan; [discriminate |].
    assert (m <> 2047 * 2 ^ 52) as fin.
    { intros E. destruct (b <? 2 ^ 63) eqn:sign.
      - apply (other false). f_equal. unfold m in E. rewrite Z.mod_small in E by lia. lia.
      - apply (other true). f_equal. unfold m in E.
        replace b with (b - 2 ^ 63 + 1 * 2 ^ 63) in E by lia. rewrite Z.mod_add, Z.mod_small in E by lia. cbn. lia. }
    set (n := if m / 2 ^ 52 =? 0 then m else (m mod 2 ^ 52 + 2 ^ 52) * 2 ^ (m / 2 ^ 52 - 1)) in N.
    assert (0 <= n < 2 ^ 2098) as B.
    { unfold n. pose proof (Z.div_mod m (2 ^ 52) ltac:(lia)) as D.
      pose proof (Z.mod_pos_bound m (2 ^ 52) ltac:(lia)) as Bf.
      set (e := m / 2 ^ 52) in *. set (f := m mod 2 ^ 52) in *. clearbody e f.
      destruct (Z.eqb_spec e 0); [lia |].
      assert (1 <= e <= 2046) by lia.
      pose proof (Z.pow_le_mono_r 2 (e - 1) 2045 ltac:(lia) ltac:(lia)) as Q.
      pose proof (Z.pow_pos_nonneg 2 (e - 1) ltac:(lia) ltac:(lia)).
      rewrite (Z.pow_add_r 2 53 2045 ltac:(lia) ltac:(lia) : 2 ^ 2098 = _).
      set (q := 2 ^ 2045) in *. set (r := 2 ^ (e - 1)) in *. nia. }
    clearbody n. destruct (b <? 2 ^ 63); injection N as <-; lia.
Qed.

(** ** Ranges *)

Lemma int_result_in_range z v :
  int_result z = Some v -> value_in_range v = true.
Proof.
  unfold int_result. destruct (in_int64 z) eqn:E; [| discriminate].
  intros H. now injection H as <-.
Qed.

Lemma tuple_index_in_range vs k v :
  forallb value_in_range vs = true -> tuple_index vs k = Some v ->
  value_in_range v = true.
Proof.
  intros all H. apply tuple_index_iff in H. destruct H as (i & at_i & _).
  rewrite forallb_forall in all. now apply all, nth_error_In with i.
Qed.

Lemma traverse_in_range {A} (f : A -> option value) l :
  (forall a v, In a l -> f a = Some v -> value_in_range v = true) ->
  forall vs, traverse f l = Some vs -> forallb value_in_range vs = true.
Proof.
  induction l as [| a l IH]; intros ok vs; simpl.
  - intros H. now injection H as <-.
  - destruct (f a) as [v |] eqn:fa; [| discriminate].
    destruct (traverse f l) as [m |]; [| discriminate].
    intros H. injection H as <-. simpl. apply andb_true_iff. split.
    + apply ok with a; [now left | exact fa].
    + apply IH; [| reflexivity]. intros b w inb. apply ok. now right.
Qed.

Lemma unary_op_in_range o v w :
  unary_op o v = Some w -> value_in_range w = true.
Proof.
  destruct o, v; simpl; try discriminate; try apply int_result_in_range.
  intros H. now injection H as <-.
Qed.

Lemma number_test_in_range test v w u :
  number_test test v w = Some u -> value_in_range u = true.
Proof.
  unfold number_test. destruct (number v), (number w); try discriminate.
  intros H. now injection H as <-.
Qed.

Lemma binary_op_in_range o v w u :
  value_in_range v = true -> value_in_range w = true ->
  binary_op o v w = Some u -> value_in_range u = true.
Proof.
  intros rv rw.
  destruct o; cbn [binary_op]; try (intros H; injection H as <-; reflexivity);
    destruct v, w; try discriminate; try apply number_test_in_range; simpl in *;
    try apply int_result_in_range;
    try (destruct (_ =? 0); [discriminate | apply int_result_in_range]);
    try (intros H; injection H as <-; reflexivity).
  - intros H. injection H as <-. simpl. now rewrite forallb_app, rv, rw.
  - intros H. injection H as <-. simpl. now destruct (Z.min_spec z z0) as [[_ ->] | [_ ->]].
  - intros H. injection H as <-. simpl. now destruct (Z.max_spec z z0) as [[_ ->] | [_ ->]].
  - destruct (traverse (gather_one vs) vs0) as [us |] eqn:E; [| discriminate].
    intros H. injection H as <-. revert us E. apply traverse_in_range.
    intros [| | k | | |] x _; try discriminate. now apply tuple_index_in_range.
Qed.

Lemma fold_in_range (f : option value -> value -> option value) vs u v :
  (forall u v w, (forall x, u = Some x -> value_in_range x = true) -> value_in_range v = true ->
     f u v = Some w -> value_in_range w = true) ->
  (forall x, u = Some x -> value_in_range x = true) ->
  forallb value_in_range vs = true ->
  fold_left f vs u = Some v -> value_in_range v = true.
Proof.
  intros step. revert u. induction vs as [| w vs IH]; intros u start all; simpl.
  - apply start.
  - simpl in all. apply andb_true_iff in all. destruct all as [rw rvs].
    apply IH; [| exact rvs]. intros x. now apply step.
Qed.

Lemma reduce_in_range o vs v :
  forallb value_in_range vs = true -> reduce o vs = Some v -> value_in_range v = true.
Proof.
  intros all. apply fold_in_range; [| | exact all].
  - intros [u |] w x ru rw; [| discriminate]. apply binary_op_in_range; auto.
  - intros x. destruct o; simpl; try (intros H; injection H as <-; reflexivity);
      (destruct vs as [| w vs]; [discriminate |]; intros H; injection H as <-;
       simpl in all; now apply andb_true_iff in all).
Qed.

Lemma slice_in_range vs a b c v :
  forallb value_in_range vs = true -> slice_op vs a b c = Some v -> value_in_range v = true.
Proof.
  intros all. unfold slice_op.
  destruct (match c with VNone => _ | _ => _ end); [| discriminate].
  destruct (slice_bound _ _ _ _ a); [| discriminate].
  destruct (slice_bound _ _ _ _ b); [| discriminate].
  destruct (traverse _ _) as [us |] eqn:E; [| discriminate].
  intros H. injection H as <-. revert us E. apply traverse_in_range.
  intros i w _ H. rewrite forallb_forall in all. now apply all, nth_error_In with (1 := H).
Qed.

Lemma zip_in_range ts v :
  (forall t, In t ts -> forallb value_in_range t = true) ->
  zip_op ts = Some v -> value_in_range v = true.
Proof.
  intros all. unfold zip_op. destruct (traverse _ (seq _ _)) as [us |] eqn:E; [| discriminate].
  intros H. injection H as <-. revert us E. apply traverse_in_range.
  intros i w _. destruct (traverse _ ts) as [xs |] eqn:E; [| discriminate].
  intros H. injection H as <-. revert xs E. apply traverse_in_range.
  intros t x int_ at_i. specialize (all t int_). rewrite forallb_forall in all.
  now apply all, nth_error_In with (1 := at_i).
Qed.

Lemma range_in_range a b c v : range_op a b c = Some v -> value_in_range v = true.
Proof.
  unfold range_op. destruct (c =? 0); [discriminate |]. destruct (count _); [| discriminate].
  destruct (traverse _ _) as [us |] eqn:E; [| discriminate].
  intros H. injection H as <-. revert us E. apply traverse_in_range.
  intros i w _. apply int_result_in_range.
Qed.

Lemma remap_in_range s l us :
  traverse (letter_at s) l = Some us -> forallb value_in_range us = true.
Proof.
  apply traverse_in_range. intros c v _. unfold letter_at. destruct c; try discriminate.
  destruct (index 0 _ s); [apply int_result_in_range | discriminate].
Qed.

Lemma func_op_in_range f vs v :
  forallb value_in_range vs = true -> func_op f vs = Some v -> value_in_range v = true.
Proof.
  intros all. destruct f; simpl.
  - destruct vs as [| w [| [| | | | | ws] [|]]]; try discriminate.
    intros H. now injection H as <-.
  - destruct vs as [| [| | | | | ws] [|]]; try discriminate. intros H. injection H as <-.
    simpl in all |- *. rewrite andb_true_r, forallb_forall in all.
    apply forallb_forall. intros x inx. now apply all, in_rev.
  - destruct vs as [| [| | a | | |] [| [| | b | | |] [| [| | c | | |] [|]]]]; try discriminate.
    apply range_in_range.
  - destruct vs as [| [| | | | | ws] [| a [| b [| c [|]]]]]; try discriminate.
    simpl in all. apply slice_in_range. now apply andb_true_iff in all.
  - destruct (traverse components vs) as [ts |] eqn:E; [| discriminate].
    apply zip_in_range. revert ts E. induction vs as [| w vs IH]; simpl; intros ts.
    + intros H. now injection H as <-.
    + simpl in all. apply andb_true_iff in all. destruct all as [rw rvs].
      destruct (components w) as [t |] eqn:Ew; [| discriminate].
      destruct (traverse components vs) as [us |]; [| discriminate].
      intros H. injection H as <-. intros u [<- | inu].
      * destruct w; try discriminate. now injection Ew as <-.
      * now apply (IH rvs us eq_refl).
  - destruct vs as [| [| | | | s |] [| [| | | | t |] [|]]]; try discriminate.
    destruct (traverse _ _) as [us |] eqn:E; [| discriminate].
    intros H. injection H as <-. now apply remap_in_range in E.
Qed.

Lemma env_in_range_bind G s v :
  env_in_range G -> value_in_range v = true -> env_in_range (bind G s v).
Proof.
  intros (ok & oki & oks) rv. repeat split; [exact ok | exact oki |].
  intros t w. simpl. destruct (N.eqb t s); [intros H; now injection H as <- | apply oks].
Qed.

Lemma small_in_range m i :
  count (Z.of_nat m) = Some m -> In i (seq 0 m) -> value_in_range (VInt (Z.of_nat i)) = true.
Proof.
  intros H ini. apply count_iff in H. apply in_seq in ini.
  unfold value_in_range, in_int64, int64_min, int64_max, count_max in *. lia.
Qed.

(** Evaluation never leaves int64 (nor the 64 bits of a float). *)
Theorem attr_eval_in_range G a v :
  env_in_range G -> consts_in_range a = true ->
  eval G a = Some v -> value_in_range v = true.
Proof.
  intros env_ok ok. revert G v env_ok ok.
  induction a as [w | | p l | o a IHa | o a b IHa IHb | l IH | a b IHa IHb
      | s | p a l IHa | s n a IHn IHa | s t a IHt IHa | o t IHt | c a b IHc IHa IHb
      | p l IH | f l IH]
    using attr_nested_ind; intros G v env_ok ok; cbn [eval]; simpl in ok.
  - intros H. now injection H as <-.
  - discriminate.
  - apply env_ok.
  - destruct (eval G a); [apply unary_op_in_range | discriminate].
  - apply andb_true_iff in ok. destruct ok.
    destruct (eval G a) eqn:?; [| discriminate]. destruct (eval G b) eqn:?; [| discriminate].
    apply binary_op_in_range; eauto.
  - destruct (traverse (eval G) l) as [vs |] eqn:E; [| discriminate].
    intros H. injection H as <-. revert vs E. apply traverse_in_range.
    rewrite Forall_forall in IH. rewrite forallb_forall in ok.
    intros b w inb. now apply IH; [| | apply ok].
  - apply andb_true_iff in ok. destruct ok as [oka okb].
    destruct (eval G a) as [[| | | | | vs] |] eqn:Ea; try discriminate.
    destruct (eval G b) as [[| | k | | |] |]; try discriminate.
    apply tuple_index_in_range. now apply (IHa G (VTuple vs)).
  - apply env_ok.
  - destruct (eval G a) as [[| | k | | |] |]; try discriminate. apply env_ok.
  - apply andb_true_iff in ok. destruct ok as [okn oka].
    destruct (eval G n) as [[| | k | | |] |]; try discriminate.
    destruct (count k) as [m |] eqn:Em; [| discriminate].
    destruct (traverse _ _) as [vs |] eqn:E; [| discriminate].
    intros H. injection H as <-. revert vs E. apply traverse_in_range.
    intros i w ini. apply IHa; [| exact oka]. apply env_in_range_bind; [exact env_ok |].
    pose proof (proj1 (count_iff _ _) Em) as [-> _]. now apply small_in_range with m.
  - apply andb_true_iff in ok. destruct ok as [okt oka].
    destruct (eval G t) as [[| | | | | ws] |] eqn:Et; try discriminate.
    destruct (traverse _ _) as [vs |] eqn:E; [| discriminate].
    intros H. injection H as <-. revert vs E. apply traverse_in_range.
    intros w u inw. apply IHa; [| exact oka]. apply env_in_range_bind; [exact env_ok |].
    specialize (IHt G (VTuple ws) env_ok okt Et). simpl in IHt.
    rewrite forallb_forall in IHt. now apply IHt.
  - destruct (eval G t) as [[| | | | | vs] |] eqn:Et; try discriminate.
    apply reduce_in_range. now apply (IHt G (VTuple vs)).
  - rewrite !andb_true_iff in ok. destruct ok as [[okc oka] okb].
    destruct (eval G c) as [[| [|] | | | |] |]; try discriminate; eauto.
  - destruct (taken G p) as [k |]; [| discriminate]. rewrite eval_alternative.
    destruct (nth_error l k) as [a |] eqn:Ea; [| discriminate]. apply nth_error_In in Ea.
    rewrite Forall_forall in IH. rewrite forallb_forall in ok. eauto.
  - destruct (traverse (eval G) l) as [vs |] eqn:E; [| discriminate].
    apply func_op_in_range. revert vs E. apply traverse_in_range.
    rewrite Forall_forall in IH. rewrite forallb_forall in ok.
    intros b w inb. now apply IH; [| | apply ok].
Qed.

(** ** Tables *)

Lemma unary_names_complete o : exists s, In (o, s) unary_names.
Proof. destruct o; eexists; simpl; eauto 20. Qed.

Lemma binary_names_complete o : exists s, In (o, s) binary_names.
Proof. destruct o; eexists; simpl; eauto 20. Qed.

Lemma reduction_names_complete o : exists s, In (o, s) reduction_names.
Proof. destruct o; eexists; simpl; eauto 20. Qed.

Lemma func_names_complete f : exists s, In (f, s) func_names.
Proof. destruct f; eexists; simpl; eauto 20. Qed.

(** No two operations share a name. *)
Lemma operation_names_distinct :
  NoDup (map snd unary_names ++ map snd binary_names ++
         map snd reduction_names ++ map snd func_names).
Proof.
  match goal with |- NoDup ?l => assert (nodup string_dec l = l) as <- by (vm_compute; reflexivity) end. apply NoDup_nodup.
Qed.

(** ** Errata of the thesis *)

(** 4A.6 (T1, rule AE-Tuple).  "any" inside a computation: (any,3) has no value, hence its second
    component has none either, although (any,3) does match every pair that ends
    with 3.  So [_] must stay in match position. *)
Theorem erratum_any_in_computation G :
  let pair := ATuple [AAny; AConst (VInt 3)] in
  (forall v, am G pair (VTuple [v; VInt 3])) /\
  (forall v, ~ ae G pair v) /\
  (forall v, ~ ae G (AProj pair (AConst (VInt 1))) v).
Proof.
  repeat split; intros v.
  - now apply attr_match_iff.
  - intros H. now apply attr_eval_iff in H.
  - intros H. now apply attr_eval_iff in H.
Qed.

(** 4A.5 (T1, figure attr_match).  AM-Tuple and AM-Eval overlap on tuples but cannot conflict: an expression
    with a value matches that value and nothing else, whichever rule is used. *)
Theorem erratum_am_overlap G a v w : ae G a v -> am G a w -> w = v.
Proof.
  revert G v w. induction a as [u | | p l | o a _ | o a b _ _ | l IH | a b _ _
      | s | p a l _ | s n a IHn IHa | s t a _ _ | o t _ | c a b _ _ _
      | p l _ | f l _]
    using attr_nested_ind; intros G v w Hv Hw;
    inversion Hw as [| ? ? Hw' | ? ws Hl | ? ? ? m ws Hn Hm Hl]; subst;
    try (eapply attr_eval_deterministic; eassumption).
  - inversion Hv.
  - inversion Hv as [| | | | ? vs Hv' | | | | | | | | |]; subst. f_equal.
    refine (Forall2_unique (ae G) (am G) l _ vs ws Hv' Hl).
    revert IH. apply Forall_impl. eauto.
  - inversion Hv as [| | | | | | | | ? ? ? k m' vs Hn' Hm' Hv' | | | | |]; subst. f_equal.
    pose proof (IHn _ _ _ Hn' Hn) as E. injection E as <-.
    assert (m' = m) as -> by congruence.
    refine (Forall2_unique _ _ (seq 0 m) _ vs ws Hv' Hl).
    apply Forall_always. intros i b c. apply IHa.
Qed.

(** 4A.5 (T1:97, rule AM-Var).  As printed it looks at no length: [var 0 s 2] then matches the triple
    (0,0,0) although it evaluates to a pair.  Here it does not. *)
Theorem erratum_var_length G :
  let zeros k := VTuple (repeat (VInt 0) k) in
  let two := AVar 0%N (AConst (VInt 2)) (AConst (VInt 0)) in
  ae G two (zeros 2%nat) /\
  Forall2 (fun i v => am (bind G 0%N (VInt (Z.of_nat i))) (AConst (VInt 0)) v)
    (seq 0 3) (repeat (VInt 0) 3) /\
  ~ am G two (zeros 3%nat).
Proof.
  repeat split.
  - now apply attr_eval_iff.
  - repeat constructor.
  - intros H. now apply attr_match_iff in H.
Qed.

(** 4A.7 (T1, rules AE-Var and AE-Sum).  As printed they ask for a positive length: the empty sum of
    [src.length - 1] branches would have no value.  Here it is 0, and a negative
    length has none. *)
Theorem erratum_empty_sum G a :
  let sum k := AReduce RSum (AVar 0%N (AConst (VInt k)) a) in
  ae G (sum 0) (VInt 0) /\ (forall v, ~ ae G (sum (-1)) v).
Proof.
  split.
  - now apply attr_eval_iff.
  - intros v H. now apply attr_eval_iff in H.
Qed.

(** AE-Proj as printed in the thesis: 1 <= k <= n gives the k-th component. *)
Definition one_based_index {A} (vs : list A) (k : Z) : option A :=
  if (1 <=? k) && (k <=? Z.of_nat (List.length vs))
  then nth_error vs (Z.to_nat (k - 1)) else None.

(** 4A.8 (T1:154-158, T1:311).  The sample rule of the thesis writes w1.shape[2], w1.shape[3] for the height
    and width of an OIHW kernel.  Counting from 1 these are the input channels
    and the height; a 7x7 kernel with 3 input channels then no longer agrees
    with another 7x7 kernel, which it does when counting from 0. *)
Theorem erratum_one_based_projection :
  (forall O I H W : value,
     one_based_index [O; I; H; W] 2 = Some I /\
     one_based_index [O; I; H; W] 3 = Some H /\
     tuple_index [O; I; H; W] 2 = Some H /\
     tuple_index [O; I; H; W] 3 = Some W) /\
  (let shape := [VInt 64; VInt 3; VInt 7; VInt 7] in
   let G := env_of [(1%N, "shape"%string, VTuple shape)] in
   let sample k := AProj (AAccess 1%N "shape"%string) (AConst (VInt k)) in
   let other := VTuple [VInt 16; VInt 3; VInt 7; VInt 7] in
   am G (ATuple [AAny; AAny; sample 2; sample 3]) other /\
   (forall h w, one_based_index shape 2 = Some h -> one_based_index shape 3 = Some w ->
      ~ am G (ATuple [AAny; AAny; AConst h; AConst w]) other)).
Proof.
  split; [now repeat split |]. intros shape G sample other. split.
  - now apply attr_match_iff.
  - intros h w Hh Hw H. injection Hh as <-. injection Hw as <-.
    now apply attr_match_iff in H.
Qed.
