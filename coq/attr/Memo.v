(** * Memoised evaluation

    A subexpression that occurs several times is evaluated once, provided that
    its value does not depend on the index symbols in scope.  What it depends on
    are its free symbols; the thesis computes them by a rule that also forgets
    those of a length, and then memoised evaluation is wrong
    ([erratum_free_symbols]). *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof.
Import ListNotations.
Open Scope Z_scope.

(** ** Free symbols *)

Definition without (s : symbol) : list symbol -> list symbol :=
  filter (fun t => negb (N.eqb t s)).

(** FV(var a s n) = FV(n) + (FV(a) - s). *)
Fixpoint free_symbols (a : attr) : list symbol :=
  match a with
  | AConst _ | AAny | AAccess _ _ => []
  | ASymbol s => [s]
  | AUnary _ a' | AInst _ a' _ | AReduce _ a' => free_symbols a'
  | ABinary _ a' b | AProj a' b => free_symbols a' ++ free_symbols b
  | ACond c a' b => free_symbols c ++ free_symbols a' ++ free_symbols b
  | AVar s n a' | AMap s n a' => free_symbols n ++ without s (free_symbols a')
  | ATuple l | AMatch _ l | AFunc _ l => flat_map free_symbols l
  end.

Definition closed (a : attr) : bool :=
  match free_symbols a with [] => true | _ => false end.

(** The rule of the thesis: the union over the subexpressions minus the bound
    symbol. *)
Fixpoint free_symbols_printed (a : attr) : list symbol :=
  match a with
  | AConst _ | AAny | AAccess _ _ => []
  | ASymbol s => [s]
  | AUnary _ a' | AInst _ a' _ | AReduce _ a' => free_symbols_printed a'
  | ABinary _ a' b | AProj a' b => free_symbols_printed a' ++ free_symbols_printed b
  | ACond c a' b =>
      free_symbols_printed c ++ free_symbols_printed a' ++ free_symbols_printed b
  | AVar s n a' | AMap s n a' =>
      without s (free_symbols_printed n ++ free_symbols_printed a')
  | ATuple l | AMatch _ l | AFunc _ l => flat_map free_symbols_printed l
  end.

Definition closed_printed (a : attr) : bool :=
  match free_symbols_printed a with [] => true | _ => false end.

(** ** Equality of expressions *)

Definition unary_eq_dec (o p : unary) : {o = p} + {o <> p}.
Proof. decide equality. Defined.
Definition binary_eq_dec (o p : binary) : {o = p} + {o <> p}.
Proof. decide equality. Defined.
Definition reduction_eq_dec (o p : reduction) : {o = p} + {o <> p}.
Proof. decide equality. Defined.
Definition func_eq_dec (o p : func) : {o = p} + {o <> p}.
Proof. decide equality. Defined.

Fixpoint attr_eqb (a b : attr) : bool :=
  match a, b with
  | AConst v, AConst w => value_eqb v w
  | AAny, AAny => true
  | AAccess p l, AAccess q m => N.eqb p q && String.eqb l m
  | AUnary o a', AUnary p b' => (if unary_eq_dec o p then true else false) && attr_eqb a' b'
  | ABinary o a' c, ABinary p b' d =>
      (if binary_eq_dec o p then true else false) && attr_eqb a' b' && attr_eqb c d
  | ATuple l, ATuple m => all2 attr_eqb l m
  | AProj a' c, AProj b' d => attr_eqb a' b' && attr_eqb c d
  | ASymbol s, ASymbol t => N.eqb s t
  | AInst p a' l, AInst q b' m => N.eqb p q && attr_eqb a' b' && String.eqb l m
  | AVar s a' c, AVar t b' d => N.eqb s t && attr_eqb a' b' && attr_eqb c d
  | AMap s a' c, AMap t b' d => N.eqb s t && attr_eqb a' b' && attr_eqb c d
  | AReduce o a', AReduce p b' => (if reduction_eq_dec o p then true else false) && attr_eqb a' b'
  | ACond a' c e, ACond b' d f => attr_eqb a' b' && attr_eqb c d && attr_eqb e f
  | AMatch p l, AMatch q m => N.eqb p q && all2 attr_eqb l m
  | AFunc f l, AFunc g m => (if func_eq_dec f g then true else false) && all2 attr_eqb l m
  | _, _ => false
  end.

(** ** The evaluator with a memo *)

Section Traverse.
  Context {A B M : Type} (f : M -> A -> option B * M).

  Fixpoint memo_traverse (m : M) (l : list A) : option (list B) * M :=
    match l with
    | [] => (Some [], m)
    | a :: l' =>
        match f m a with
        | (None, m1) => (None, m1)
        | (Some b, m1) =>
            match memo_traverse m1 l' with
            | (None, m2) => (None, m2)
            | (Some bs, m2) => (Some (b :: bs), m2)
            end
        end
    end.
End Traverse.

Definition memo := list (attr * value).

Section Memo.
  (** Which expressions are remembered. *)
  Variable keep : attr -> bool.

  Definition remember (a : attr) (r : option value * memo) : option value * memo :=
    match r with
    | (Some v, m) => (Some v, (a, v) :: m)
    | (None, m) => (None, m)
    end.

  Definition on_value (r : option value * memo) (k : memo -> value -> option value * memo) :=
    match r with (Some v, m) => k m v | (None, m) => (None, m) end.

  Definition tupled (r : option (list value) * memo) : option value * memo :=
    match r with (o, m) => (option_map VTuple o, m) end.

  Fixpoint memo_eval (G : env) (m : memo) (a : attr) : option value * memo :=
    let here :=
      match a with
      | AConst v => (Some v, m)
      | AAny => (None, m)
      | AAccess p l => (access G p l, m)
      | AUnary o a' => on_value (memo_eval G m a') (fun m v => (unary_op o v, m))
      | ABinary o a' b =>
          on_value (memo_eval G m a') (fun m v =>
          on_value (memo_eval G m b) (fun m w => (binary_op o v w, m)))
      | ATuple l => tupled (memo_traverse (memo_eval G) m l)
      | AProj a' b =>
          on_value (memo_eval G m a') (fun m v =>
          on_value (memo_eval G m b) (fun m w =>
            (match v, w with VTuple vs, VInt k => tuple_index vs k | _, _ => None end, m)))
      | ASymbol s => (value_of G s, m)
      | AInst p a' l =>
          on_value (memo_eval G m a') (fun m v =>
            (match v with VInt k => inst G p k l | _ => None end, m))
      | AVar s n a' =>
          on_value (memo_eval G m n) (fun m v =>
            match v with
            | VInt k =>
                match count k with
                | Some c => tupled
                    (memo_traverse (fun m i => memo_eval (bind G s (VInt (Z.of_nat i))) m a') m
                       (seq 0 c))
                | None => (None, m)
                end
            | _ => (None, m)
            end)
      | AMap s t a' =>
          on_value (memo_eval G m t) (fun m v =>
            match v with
            | VTuple ws => tupled (memo_traverse (fun m w => memo_eval (bind G s w) m a') m ws)
            | _ => (None, m)
            end)
      | AReduce o t =>
          on_value (memo_eval G m t) (fun m v =>
            (match v with VTuple vs => reduce o vs | _ => None end, m))
      | ACond c a' b =>
          on_value (memo_eval G m c) (fun m v =>
            match v with
            | VBool true => memo_eval G m a'
            | VBool false => memo_eval G m b
            | _ => (None, m)
            end)
      | AMatch p l =>
          match taken G p with
          | Some k =>
              match nth_error (map (fun a' => memo_eval G m a') l) k with
              | Some r => r
              | None => (None, m)
              end
          | None => (None, m)
          end
      | AFunc f l =>
          match memo_traverse (memo_eval G) m l with
          | (Some vs, m') => (func_op f vs, m')
          | (None, m') => (None, m')
          end
      end in
    if keep a then
      match look_up attr_eqb m a with
      | Some v => (Some v, m)
      | None => remember a here
      end
    else here.
End Memo.

(** ** Proof *)

Lemma if_dec {A B : Prop} (d : {A} + {B}) : (if d then true else false) = true -> A.
Proof. now destruct d. Qed.

Lemma all2_eq {A} (f : A -> A -> bool) l :
  Forall (fun a => forall b, f a b = true -> a = b) l ->
  forall m, all2 f l m = true -> l = m.
Proof.
  intros H. induction H as [| a l here _ IH]; intros [| b m]; try discriminate; [easy |].
  simpl. intros E. apply andb_true_iff in E. destruct E as [E F].
  f_equal; [now apply here | now apply IH].
Qed.

Lemma attr_eqb_eq a b : attr_eqb a b = true -> a = b.
Proof.
  revert b. induction a using attr_nested_ind; intros [];
    cbn [attr_eqb]; try discriminate; try reflexivity;
    rewrite ?andb_true_iff, ?N.eqb_eq, ?String.eqb_eq, ?value_eqb_iff; intros H';
    repeat match goal with
    | H : _ /\ _ |- _ => destruct H
    | H : (if _ then true else false) = true |- _ => apply if_dec in H
    | H : all2 attr_eqb _ _ = true |- _ => apply all2_eq in H; [| assumption]
    | IH : forall b, attr_eqb ?a b = true -> ?a = b, H : attr_eqb ?a _ = true |- _ => apply IH in H
    end; subst; reflexivity.
Qed.

(** Environments that differ in their symbols only. *)
Definition same_nodes (G H : env) : Prop :=
  (forall p l, access G p l = access H p l) /\
  (forall p k l, inst G p k l = inst H p k l) /\
  (forall p, taken G p = taken H p).

Lemma without_spec s t l : In t l -> t <> s -> In t (without s l).
Proof.
  intros int_ ne. apply filter_In. split; [exact int_ |].
  apply negb_true_iff. now apply N.eqb_neq.
Qed.

(** The value of an expression depends on its free symbols only. *)
Theorem eval_free_symbols a G H :
  same_nodes G H ->
  (forall s, In s (free_symbols a) -> value_of G s = value_of H s) ->
  eval G a = eval H a.
Proof.
  revert G H.
  induction a as [w | | p l | o a IHa | o a b IHa IHb | l IH | a b IHa IHb
      | s | p a l IHa | s n a IHn IHa | s t a IHt IHa | o t IHt | c a b IHc IHa IHb
      | p l IH | f l IH] using attr_nested_ind;
    intros G H nodes syms; cbn [eval]; simpl in syms;
    try rewrite Forall_forall in IH;
    try (rewrite (IHa G H nodes) by (intros; apply syms; rewrite ?in_app_iff; tauto));
    try (rewrite (IHb G H nodes) by (intros; apply syms; rewrite ?in_app_iff; tauto));
    try (rewrite (IHc G H nodes) by (intros; apply syms; rewrite ?in_app_iff; tauto));
    try (rewrite (IHn G H nodes) by (intros; apply syms; rewrite ?in_app_iff; tauto));
    try (rewrite (IHt G H nodes) by (intros; apply syms; rewrite ?in_app_iff; tauto));
    try reflexivity.
  - apply nodes.
  - rewrite (traverse_ext _ (eval H)); [reflexivity |]. intros a ina.
    apply IH; [exact ina | exact nodes |]. intros s ins. apply syms, in_flat_map. eauto.
  - apply syms. now left.
  - destruct (eval H a) as [[| | k | | |] |]; try reflexivity. apply nodes.
  - destruct (eval H n) as [[| | k | | |] |]; try reflexivity.
    destruct (count k) as [m |]; [| reflexivity]. f_equal. apply traverse_ext.
    intros i _. apply IHa; [now repeat split; apply nodes |]. intros u inu. simpl.
    destruct (N.eqb_spec u s); [reflexivity |]. apply syms, in_or_app. right.
    now apply without_spec.
  - destruct (eval H t) as [[| | | | | ws] |]; try reflexivity. f_equal. apply traverse_ext.
    intros w _. apply IHa; [now repeat split; apply nodes |]. intros u inu. simpl.
    destruct (N.eqb_spec u s); [reflexivity |]. apply syms, in_or_app. right.
    now apply without_spec.
  - destruct nodes as (n1 & n2 & n3). rewrite n3. destruct (taken H p) as [k |]; [| reflexivity].
    rewrite !eval_alternative. destruct (nth_error l k) as [a |] eqn:Ea; [| reflexivity].
    apply nth_error_In in Ea. apply IH; [exact Ea | now repeat split |].
    intros s ins. apply syms, in_flat_map. eauto.
  - rewrite (traverse_ext _ (eval H)); [reflexivity |]. intros a ina.
    apply IH; [exact ina | exact nodes |]. intros s ins. apply syms, in_flat_map. eauto.
Qed.

(** What is remembered is right, whatever the symbols are. *)
Definition memo_ok (G : env) (m : memo) : Prop :=
  forall a v, In (a, v) m -> free_symbols a = [] /\ eval G a = Some v.

Lemma memo_ok_bind G s w m : memo_ok G m <-> memo_ok (bind G s w) m.
Proof.
  assert (forall a, free_symbols a = [] -> eval (bind G s w) a = eval G a) as same.
  { intros a none. apply eval_free_symbols; [now repeat split |]. now rewrite none. }
  split; intros ok a v ina; destruct (ok a v ina) as [none val]; split;
    try exact none; [rewrite same | rewrite <- same]; assumption.
Qed.

Lemma memo_traverse_ok {A B} (I : memo -> Prop) (f : memo -> A -> option B * memo)
    (g : A -> option B) l :
  (forall a, In a l -> forall m, I m -> fst (f m a) = g a /\ I (snd (f m a))) ->
  forall m, I m -> fst (memo_traverse f m l) = traverse g l /\ I (snd (memo_traverse f m l)).
Proof.
  induction l as [| a l IH]; intros one m ok; simpl; [now split |].
  destruct (one a (or_introl eq_refl) m ok) as [val ok1].
  destruct (f m a) as [[b |] m1]; simpl in val, ok1; rewrite <- val; [| now split].
  destruct (IH (fun c inc => one c (or_intror inc)) m1 ok1) as [vals ok2].
  destruct (memo_traverse f m1 l) as [[bs |] m2]; simpl in vals, ok2; rewrite <- vals; now split.
Qed.

Lemma look_up_in (m : memo) a v : look_up attr_eqb m a = Some v -> In (a, v) m.
Proof.
  unfold look_up. destruct (find _ m) as [[b w] |] eqn:E; [| discriminate].
  intros H. injection H as <-. apply find_some in E. destruct E as [inb same].
  apply attr_eqb_eq in same. simpl in same. now subst.
Qed.

Definition right_with (G : env) (a : attr) (r : option value * memo) : Prop :=
  fst r = eval G a /\ memo_ok G (snd r).

Lemma memo_step G a (m : memo) r :
  memo_ok G m -> right_with G a r ->
  right_with G a
    (if closed a then
       match look_up attr_eqb m a return option value * memo with
       | Some v => (Some v, m) | None => remember a r end
     else r).
Proof.
  intros ok. destruct r as [r m']. intros [val ok']. simpl in val, ok'.
  destruct (closed a) eqn:C; [| now split]. unfold closed in C.
  destruct (free_symbols a) as [|] eqn:none; [| discriminate].
  destruct (look_up _ m a) as [v |] eqn:E.
  - apply look_up_in in E. split; [symmetry; now apply (ok a v E) | exact ok].
  - destruct r as [v |]; [| now split]. split; [exact val |].
    intros b w [Eq | inb]; [| now apply ok'].
    injection Eq as <- <-. split; [exact none | now symmetry].
Qed.

Theorem memo_eval_ok a G m : memo_ok G m -> right_with G a (memo_eval closed G m a).
Proof.
  revert G m.
  induction a as [w | | p l | o a IHa | o a b IHa IHb | l IH | a b IHa IHb
      | s | p a l IHa | s n a IHn IHa | s t a IHt IHa | o t IHt | c a b IHc IHa IHb
      | p l IH | f l IH] using attr_nested_ind; intros G m ok;
  cbn [memo_eval]; (apply memo_step; [exact ok |]); unfold right_with; cbn [eval].
  all: try (now split).
  - destruct (IHa G m ok) as [val ok1]. destruct (memo_eval closed G m a) as [[v |] m1];
      simpl in val, ok1; rewrite <- val; now split.
  - destruct (IHa G m ok) as [val ok1]. destruct (memo_eval closed G m a) as [[v |] m1];
      simpl in val, ok1; rewrite <- val; [| now split]. simpl.
    destruct (IHb G m1 ok1) as [val2 ok2]. destruct (memo_eval closed G m1 b) as [[w |] m2];
      simpl in val2, ok2; rewrite <- val2; now split.
  - rewrite Forall_forall in IH.
    destruct (memo_traverse_ok (memo_ok G) (memo_eval closed G) (eval G) l
                (fun a ina m ok => IH a ina G m ok) m ok) as [vals ok1].
    destruct (memo_traverse _ m l) as [r m1]. simpl in vals, ok1 |- *. now rewrite vals.
  - destruct (IHa G m ok) as [val ok1]. destruct (memo_eval closed G m a) as [[v |] m1];
      simpl in val, ok1; rewrite <- val; [| now split]. simpl.
    destruct (IHb G m1 ok1) as [val2 ok2]. destruct (memo_eval closed G m1 b) as [[w |] m2];
      simpl in val2, ok2; rewrite <- val2; destruct v; now split.
  - destruct (IHa G m ok) as [val ok1]. destruct (memo_eval closed G m a) as [[v |] m1];
      simpl in val, ok1; rewrite <- val; now split.
  - destruct (IHn G m ok) as [val ok1]. destruct (memo_eval closed G m n) as [[v |] m1];
      simpl in val, ok1; rewrite <- val; [| now split]. simpl.
    destruct v as [| | k | | |]; try now split. destruct (count k) as [c |]; [| now split].
    destruct (memo_traverse_ok (memo_ok G)
      (fun m i => memo_eval closed (bind G s (VInt (Z.of_nat i))) m a)
      (fun i => eval (bind G s (VInt (Z.of_nat i))) a) (seq 0 c)) with (m := m1) as [vals ok2];
      [| exact ok1 |].
    { intros i _ m2 ok2. rewrite (memo_ok_bind G s (VInt (Z.of_nat i))) in ok2.
      destruct (IHa _ m2 ok2) as [v3 ok3]. split; [exact v3 |]. now apply memo_ok_bind in ok3. }
    destruct (memo_traverse _ m1 (seq 0 c)) as [r m2]. simpl in vals, ok2 |- *. now rewrite vals.
  - destruct (IHt G m ok) as [val ok1]. destruct (memo_eval closed G m t) as [[v |] m1];
      simpl in val, ok1; rewrite <- val; [| now split]. simpl.
    destruct v as [| | | | | ws]; try now split.
    destruct (memo_traverse_ok (memo_ok G)
      (fun m w => memo_eval closed (bind G s w) m a)
      (fun w => eval (bind G s w) a) ws) with (m := m1) as [vals ok2];
      [| exact ok1 |].
    { intros w _ m2 ok2. rewrite (memo_ok_bind G s w) in ok2.
      destruct (IHa _ m2 ok2) as [v3 ok3]. split; [exact v3 |]. now apply memo_ok_bind in ok3. }
    destruct (memo_traverse _ m1 ws) as [r m2]. simpl in vals, ok2 |- *. now rewrite vals.
  - destruct (IHt G m ok) as [val ok1]. destruct (memo_eval closed G m t) as [[v |] m1];
      simpl in val, ok1; rewrite <- val; now split.
  - destruct (IHc G m ok) as [val ok1]. destruct (memo_eval closed G m c) as [[v |] m1];
      simpl in val, ok1; rewrite <- val; [| now split]. simpl.
    destruct v as [| [|] | | | |]; try (now split); [apply IHa | apply IHb]; exact ok1.
  - destruct (taken G p) as [k |]; [| now split]. rewrite eval_alternative, nth_error_map.
    destruct (nth_error l k) as [a |] eqn:Ea; [| now split]. simpl. apply nth_error_In in Ea.
    rewrite Forall_forall in IH. now apply (IH a Ea G m).
  - rewrite Forall_forall in IH.
    destruct (memo_traverse_ok (memo_ok G) (memo_eval closed G) (eval G) l
                (fun a ina m ok => IH a ina G m ok) m ok) as [vals ok1].
    destruct (memo_traverse _ m l) as [[vs |] m1]; simpl in vals, ok1 |- *; now rewrite <- vals.
Qed.

(** Memoised evaluation is evaluation, also when the memo is kept from one
    expression of a target to the next. *)
Theorem memo_correct G l :
  fst (memo_traverse (memo_eval closed G) [] l) = traverse (eval G) l.
Proof.
  apply (memo_traverse_ok (memo_ok G)).
  - intros a _ m ok. now apply memo_eval_ok.
  - intros a v [].
Qed.

(** 4A.12 (T0:389).  The rule of the thesis takes [sum(1 for s in range(s))] for closed although
    its length is the outer [s]; a memo kept by that rule repeats the value of
    the first instance. *)
Theorem erratum_free_symbols G :
  let e := AReduce RSum (AVar 0%N (ASymbol 0%N) (AConst (VInt 1))) in
  let family := AVar 0%N (AConst (VInt 3)) e in
  closed_printed e = true /\ closed e = false /\
  eval G family = Some (VTuple [VInt 0; VInt 1; VInt 2]) /\
  fst (memo_eval closed_printed G [] family) = Some (VTuple [VInt 0; VInt 0; VInt 0]).
Proof. repeat split. Qed.
