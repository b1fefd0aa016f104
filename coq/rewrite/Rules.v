(** * Rules of the library, proved

    Tensors over any scalars, in row-major order; the meaning of the operators that
    only change the shape (and of those that do nothing in inference), the others
    left open; and rules that hold at every match, for all shapes. *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph tensor.Tensor.
From Calque Require Import tensor.Attrs tensor.Shapes.
From Calque Require Import pattern.Pattern pattern.PatternProof pattern.Match pattern.MatchProof.
From Calque Require Import rewrite.Order rewrite.Rewrite rewrite.RewriteProof.
Import ListNotations.
Open Scope string_scope.
Open Scope nat_scope.

(** ** Meaning *)

(** An axis of [rank], counted from the end if negative. *)
Definition axis_in (rank : nat) (v : value) : option nat :=
  match v with
  | VInt z =>
      let k := if (z <? 0)%Z then (z + Z.of_nat rank)%Z else z in
      if (0 <=? k)%Z && (k <=? Z.of_nat rank)%Z then Some (Z.to_nat k) else None
  | _ => None
  end.

Definition axes_in (rank : nat) (v : value) : option (list nat) :=
  match v with VTuple vs => traverse (axis_in rank) vs | _ => None end.

(** The shape after an operator that keeps the elements and their order. *)
Definition new_dims (name : string) (l : list (label * value)) (ds : list nat) : option (list nat) :=
  if String.eqb name "Reshape" then
    match attribute l "shape" with Some v => shape_of v | None => None end
  else if String.eqb name "Flatten" then
    match axis_in (List.length ds) (match attribute l "axis" with Some v => v | None => VInt 1 end) with
    | Some a => Some [cell_count (firstn a ds); cell_count (skipn a ds)]
    | None => None
    end
  else if String.eqb name "Squeeze" then
    match attribute l "axes" with
    | Some v => match axes_in (List.length ds) v with Some axes => squeezed 0 axes ds | None => None end
    | None => Some (filter (fun d => negb (Nat.eqb d 1)) ds)
    end
  else if String.eqb name "Unsqueeze" then
    match attribute l "axes" with
    | Some (VTuple vs) =>
        let n := List.length ds + List.length vs in
        match axes_in n (VTuple vs) with Some axes => unsqueezed n 0 axes ds | None => None end
    | _ => None
    end
  else None.

Definition recasts (name : string) : bool :=
  existsb (String.eqb name) ["Reshape"; "Flatten"; "Squeeze"; "Unsqueeze"].

Definition copies (name : string) : bool := existsb (String.eqb name) ["Identity"; "Dropout"].

Section Meaning.
  Context {S : Type}.
  Variable rest : oper -> list (tensor S) -> option (tensor S).

  Definition meaning (o : oper) (vs : list (tensor S)) : option (tensor S) :=
    match what o with
    | KCall name =>
        if copies name then match vs with [v] => Some v | _ => None end
        else if recasts name then
          match vs with
          | [v] => match new_dims name (attrs o) (dims v) with Some ds => recast ds v | None => None end
          | _ => None
          end
        else rest o vs
    | _ => rest o vs
    end.

  (** Every node has a value, and the shape that is written on it is that of its value. *)
  Definition computes (g : tgraph) : Prop := forall i, i < List.length g -> exists v, ge meaning g i v.

  Definition shape_label (n : node oper) : option value :=
    match attribute (attrs (op n)) "shape" with
    | Some v => Some v
    | None => if present n then tensor_label n "shape" else None
    end.

  Definition declared (g : tgraph) : Prop :=
    forall i n v, nth_error g i = Some n -> ge meaning g i v ->
      (forall name s, what (op n) = KCall name -> recasts name = true ->
         attribute (attrs (op n)) "shape" = Some s -> shape_of s = Some (dims v)) /\
      (forall s, tensor_label n "shape" = Some s -> shape_of s = Some (dims v)).

  Lemma declared_label g i n name v s :
    declared g -> nth_error g i = Some n -> what (op n) = KCall name -> recasts name = true ->
    ge meaning g i v -> shape_label n = Some s -> shape_of s = Some (dims v).
  Proof.
    intros D at_i W C H L. destruct (D i n v at_i H) as [a b]. unfold shape_label in L.
    destruct (attribute (attrs (op n)) "shape") as [s' |] eqn:E.
    - injection L as <-. now apply (a name).
    - destruct (present n); [now apply b | discriminate].
  Qed.

  (** A rule holds at every match. *)
  Definition rule_sound (r : rule) : Prop :=
    forall commutes g outputs e M, wf g -> computes g -> declared g ->
      match_at commutes r g outputs (hd 0 (source r)) e = Some M -> valid_at meaning r g M [e].

  (** ** Applications of one operator to one input *)

  Definition leaf : pattern := Pattern PWildcard [] false false None.
  Definition unary (name : string) (kid : nat) : pattern :=
    Pattern (PCall (OName name) [kid]) [] false false None.

  Lemma leaf_match commutes pats g i M p e M' :
    nth_error pats p = Some leaf -> pm commutes pats g i M p e M' -> get M (p, None) = None ->
    M' = put M (p, None) e.
  Proof.
    intros at_p H B.
    assert (forall j, at_ j p leaf = (p, None)) as own by (intros [[|] |]; reflexivity).
    inversion H as [? ? ? ? q n at_q at_n B' | ? ? ? ? q n at_q at_n B' I |
      ? ? ? ? q n f ? at_q at_n B' I F | ? ? ? ? q n M1 gs ? at_q at_n B' I F J st th]; subst;
      (assert (q = leaf) as -> by congruence); rewrite own in *; try congruence; try discriminate.
    - now destruct i as [[|] |].
    - inversion st; subst; try discriminate. inversion th; subst. reflexivity.
  Qed.

  Lemma unary_match commutes pats g i M p e M' name kid n a r :
    nth_error pats p = Some (unary name kid) -> nth_error pats kid = Some r -> variadic pats kid = None ->
    nth_error g e = Some n -> args n = [a] ->
    pm commutes pats g i M p e M' -> get M (p, None) = None ->
    what (op n) = KCall name /\ pm commutes pats g i (put M (p, None) e) kid a M'.
  Proof.
    intros at_p at_k V at_n A H B.
    assert (forall j, at_ j p (unary name kid) = (p, None)) as own by (intros [[|] |]; reflexivity).
    inversion H as [? ? ? ? q m at_q at_m B' | ? ? ? ? q m at_q at_m B' I |
      ? ? ? ? q m f ? at_q at_m B' I F | ? ? ? ? q m M1 gs ? at_q at_m B' I F J st th]; subst;
      (assert (q = unary name kid) as -> by congruence); (assert (m = n) as -> by congruence);
      rewrite own in *; try congruence; try discriminate.
    - now destruct i as [[|] |].
    - inversion st as [| | | | o kids s M2 es es' M3 gs' Fm W Al C ord G | | | | | |]; subst; try discriminate.
      injection Fm as <- <-. unfold op_allows in Al.
      destruct (String.eqb_spec name s) as [<- |]; [| discriminate]. injection Al as <-.
      unfold call_inputs in C. rewrite V, A in C. unfold fit in C. cbn in C. injection C as <-.
      unfold orders in ord. destruct ord as [<- | []].
      unfold goals in G. rewrite V in G. cbn in G. injection G as <- <-.
      inversion th as [| ? ? M2 ? ? here rest_]; subst. inversion rest_; subst. split; [exact W | exact here].
  Qed.

  Lemma meaning_unary g e n name v :
    nth_error g e = Some n -> what (op n) = KCall name -> copies name || recasts name = true ->
    ge meaning g e v ->
    exists a u, args n = [a] /\ ge meaning g a u /\
      if copies name then v = u
      else exists ds, new_dims name (attrs (op n)) (dims u) = Some ds /\ recast ds u = Some v.
  Proof.
    intros at_e W C H. inversion H as [? m vs ? at_m all d]; subst. assert (m = n) as -> by congruence.
    unfold meaning in d. rewrite W in d. destruct (copies name).
    - destruct vs as [| u [|]]; try discriminate. injection d as <-.
      inversion all as [| a ? l ? ha hl E]; subst. inversion hl; subst. exists a, u. now repeat split.
    - rewrite orb_false_l in C. rewrite C in d. destruct vs as [| u [|]]; try discriminate.
      inversion all as [| a ? l ? ha hl E]; subst. inversion hl; subst. exists a, u.
      split; [reflexivity |]. split; [exact ha |].
      destruct (new_dims name _ (dims u)) as [ds |]; [| discriminate]. now exists ds.
  Qed.

  (** The arity of what is matched: it has a value. *)
  Lemma unary_arity commutes pats g i M p e M' name kid :
    nth_error pats p = Some (unary name kid) -> get M (p, None) = None ->
    pm commutes pats g i M p e M' -> copies name || recasts name = true -> computes g ->
    exists n a, nth_error g e = Some n /\ args n = [a].
  Proof.
    intros at_p B H C all.
    assert (forall j, at_ j p (unary name kid) = (p, None)) as own by (intros [[|] |]; reflexivity).
    inversion H as [? ? ? ? q m at_q at_m B' | ? ? ? ? q m at_q at_m B' I |
      ? ? ? ? q m f ? at_q at_m B' I F | ? ? ? ? q m M1 gs ? at_q at_m B' I F J st th]; subst;
      (assert (q = unary name kid) as -> by congruence); rewrite own in *; try congruence; try discriminate.
    - now destruct i as [[|] |].
    - inversion st as [| | | | o kids s M2 es es' M3 gs' Fm W Al C' ord G | | | | | |]; subst; try discriminate.
      injection Fm as <- _. unfold op_allows in Al.
      destruct (String.eqb_spec name s) as [<- |]; [| discriminate].
      assert (e < List.length g) as lt by (apply nth_error_Some; congruence).
      destruct (all e lt) as [v Hv].
      destruct (meaning_unary g e m name v at_m W C Hv) as (a & u & A & _). now exists m, a.
  Qed.

  (** ** Rules that take their argument: copies of it, reshapes to its own shape *)

  Definition removal (name : string) (conditions : list attr) : rule :=
    Rule [leaf; unary name 0] [1] [0] conditions.

  Lemma removal_match commutes name conds g e M :
    pm commutes (patterns (removal name conds)) g None empty 1 e M ->
    copies name || recasts name = true -> computes g ->
    exists n a, nth_error g e = Some n /\ args n = [a] /\ what (op n) = KCall name /\
      M = put (put empty (1, None) e) (0, None) a.
  Proof.
    intros H C all.
    pose (ps := patterns (removal name conds)).
    destruct (unary_arity commutes ps g None empty 1 e M name 0 eq_refl eq_refl H C all)
      as (n & a & at_n & A).
    destruct (unary_match commutes ps g None empty 1 e M name 0 n a leaf
                eq_refl eq_refl eq_refl at_n A H eq_refl) as [W K].
    exists n, a. repeat split; try assumption.
    now apply (leaf_match commutes ps g None (put empty (1, None) e) 0 a M eq_refl K).
  Qed.

  Lemma ord2 name conds : ordered (patterns (removal name conds)).
  Proof. now apply orderedb_iff. Qed.

  (** What replaces the node is its argument. *)
  Lemma removal_valid name conds g e n a :
    wf g -> nth_error g e = Some n -> args n = [a] ->
    (forall v, ge meaning g e v <-> ge meaning g a v) ->
    valid_at meaning (removal name conds) g (put (put empty (1, None) e) (0, None) a) [e].
  Proof.
    intros ok at_e A same es st B. unfold build_roots in B. cbn in B. injection B as <- <-. cbn.
    intros o x [E | []] v. injection E as <- <-.
    assert (e < List.length g) as lt by (apply nth_error_Some; congruence).
    assert (a < List.length g) as lta.
    { pose proof (ok e n at_e a) as below. rewrite A in below. specialize (below (or_introl eq_refl)). lia. }
    set (new := skipn _ _). rewrite !eval_app by assumption. apply same.
  Qed.

  Lemma copy_sound name : copies name = true -> rule_sound (removal name []).
  Proof.
    intros C commutes g outputs e M ok all _ H. cbn [hd source removal] in H.
    apply match_sound in H; [| exact ok | apply ord2]. destruct H as [H _].
    apply removal_match in H; [| now rewrite C | exact all].
    destruct H as (n & a & at_e & A & W & ->). apply (removal_valid name [] g e n a); try assumption.
    assert (e < List.length g) as lt by (apply nth_error_Some; congruence).
    destruct (all e lt) as [w Hw].
    destruct (meaning_unary g e n name w at_e W) as (a' & u & A' & Hu & E); [now rewrite C | exact Hw |].
    rewrite C in E. subst w. assert (a' = a) as -> by congruence. intros v. split; intros H.
    - now rewrite (eval_node_unique meaning g e u v Hw H).
    - now rewrite (eval_node_unique meaning g a u v Hu H).
  Qed.

  Theorem rule_identity_removal_sound : rule_sound (removal "Identity" []).
  Proof. now apply copy_sound. Qed.

  Theorem rule_dropout_removal_sound : rule_sound (removal "Dropout" []).
  Proof. now apply copy_sound. Qed.

  (** ** Two changes of shape in a row: only the last shape counts *)

  Definition to_shape : pattern :=
    Pattern (PCall (OName "Reshape") [0]) [("shape", AAccess 2%N "shape")] false false None.

  Definition reshape_pair (outer inner : string) : rule :=
    Rule [leaf; unary inner 0; unary outer 1; to_shape] [2] [3] [].

  Lemma ord3 outer inner : ordered (patterns (reshape_pair outer inner)).
  Proof. now apply orderedb_iff. Qed.

  Lemma pair_match commutes outer inner g e M :
    pm commutes (patterns (reshape_pair outer inner)) g None empty 2 e M ->
    recasts outer = true -> recasts inner = true -> computes g ->
    exists n b m a, nth_error g e = Some n /\ args n = [b] /\ what (op n) = KCall outer /\
      nth_error g b = Some m /\ args m = [a] /\ what (op m) = KCall inner /\
      M = put (put (put empty (2, None) e) (1, None) b) (0, None) a.
  Proof.
    intros H Co Ci all.
    pose (ps := patterns (reshape_pair outer inner)). pose (M1 := put empty (2, None) e).
    destruct (unary_arity commutes ps g None empty 2 e M outer 1 eq_refl eq_refl H) as (n & b & at_n & A);
      [rewrite Co; apply orb_true_r | exact all |].
    destruct (unary_match commutes ps g None empty 2 e M outer 1 n b (unary inner 0)
                eq_refl eq_refl eq_refl at_n A H eq_refl) as [W K].
    destruct (unary_arity commutes ps g None M1 1 b M inner 0 eq_refl eq_refl K) as (m & a & at_m & A');
      [rewrite Ci; apply orb_true_r | exact all |].
    destruct (unary_match commutes ps g None M1 1 b M inner 0 m a leaf
                eq_refl eq_refl eq_refl at_m A' K eq_refl) as [W' K'].
    exists n, b, m, a. repeat split; try assumption.
    now apply (leaf_match commutes ps g None (put M1 (1, None) b) 0 a M eq_refl K').
  Qed.

  Lemma combine_app {A B} (l l' : list A) (m m' : list B) :
    List.length l = List.length m -> (combine (l ++ l') (m ++ m') = combine l m ++ combine l' m')%list.
  Proof.
    revert m. induction l as [| x l IH]; intros [| y m] len; try discriminate; [easy |].
    simpl. f_equal. apply IH. now injection len.
  Qed.

  (** The new node that takes the place of [e] has the type of [e]. *)
  Lemma retype_new g (x : node oper) e n :
    nth_error g e = Some n ->
    skipn (List.length g) (retype g (g ++ [x])%list [(e, List.length g)]) =
    [Node (Oper (what (op x)) (type (op n)) (attrs (op x))) (args x)].
  Proof.
    intros at_e. unfold retype. rewrite app_length, seq_app. simpl.
    rewrite combine_app by apply seq_length. rewrite map_app, skipn_app, map_length, combine_length, seq_length.
    rewrite Nat.min_id, Nat.sub_diag, skipn_all2 by (rewrite map_length, combine_length, seq_length; lia).
    simpl. rewrite Nat.eqb_refl.
    assert (nth_error g (List.length g) = None) as -> by (apply nth_error_None; lia).
    simpl. now rewrite at_e.
  Qed.

  Lemma recast_facts ds u (v : tensor S) :
    recast ds u = Some v -> dims v = ds /\ cells v = cells u /\ cell_count (dims v) = List.length (cells v).
  Proof.
    unfold recast. destruct (Nat.eqb_spec (cell_count ds) (List.length (cells u))) as [E |]; [| discriminate].
    intros H. injection H as <-. now repeat split.
  Qed.

  Lemma recast_not_copy name : recasts name = true -> copies name = false.
  Proof.
    unfold recasts, copies. intros H. apply existsb_exists in H. destruct H as (s & ins & E).
    apply String.eqb_eq in E. subst s. repeat (destruct ins as [<- | ins]; [reflexivity |]). destruct ins.
  Qed.

  (** What is built: one node, with the value and the type of what it replaces. *)
  Lemma pair_built commutes outer inner g outputs e M es st :
    recasts outer = true -> recasts inner = true -> wf g -> computes g -> declared g ->
    match_at commutes (reshape_pair outer inner) g outputs 2 e = Some M ->
    build_roots (reshape_pair outer inner) g M 1 = Some (es, st) ->
    exists n a s w, nth_error g e = Some n /\ es = [List.length g] /\
      let new := [Node (Oper (KCall "Reshape") (type (op n)) [("shape", s)]) [a]] in
      skipn (List.length g) (retype g (whole st) (combine [e] es)) = new /\
      ge meaning g e w /\ shape_of s = Some (dims w) /\ ge meaning (g ++ new)%list (List.length g) w.
  Proof.
    intros Co Ci ok all decl H B.
    apply match_sound in H; [| exact ok | apply ord3]. destruct H as [H _].
    apply pair_match in H; try assumption.
    destruct H as (n & b & m & a & at_e & A & W & at_b & A' & W' & ->).
    unfold build_roots in B. cbn in B. change (Pos.to_nat 2) with 2 in B.
    unfold label_at, node_label in B. cbn in B. rewrite at_e in B. cbn in B. rewrite W in B.
    change (look_up String.eqb (attrs (op n)) "shape") with (attribute (attrs (op n)) "shape") in B.
    assert (present n = true) as P by (unfold present; now rewrite W).
    assert (forall s, (match attribute (attrs (op n)) "shape" with
                       | Some v => Some v
                       | None => if present n then tensor_label n "shape" else None
                       end) = Some s -> shape_label n = Some s) as lab by (intros s E; exact E).
    destruct (match attribute (attrs (op n)) "shape" with
              | Some v => Some v
              | None => if present n then tensor_label n "shape" else None
              end) as [s |] eqn:L; [| discriminate].
    specialize (lab s eq_refl). cbn in B. injection B as <- <-.
    exists n, a, s. cbn [List.length combine whole]. rewrite (retype_new g _ e n at_e). cbn [what op attrs args].
    assert (e < List.length g) as lt by (apply nth_error_Some; congruence).
    assert (b < e) as ltb by (apply (ok e n at_e); rewrite A; now left).
    assert (a < b) as lta by (apply (ok b m at_b); rewrite A'; now left).
    destruct (all e lt) as [w Hw].
    destruct (meaning_unary g e n outer w at_e W) as (b' & u & Eb & Hu & E1);
      [rewrite Co; apply orb_true_r | exact Hw |].
    assert (b' = b) as -> by congruence.
    destruct (meaning_unary g b m inner u at_b W') as (a' & x & Ea & Hx & E2);
      [rewrite Ci; apply orb_true_r | exact Hu |].
    assert (a' = a) as -> by congruence.
    rewrite recast_not_copy in E1, E2 by assumption.
    destruct E1 as (ds1 & _ & R1), E2 as (ds2 & _ & R2).
    apply recast_facts in R1, R2. destruct R1 as (d1 & c1 & k1), R2 as (d2 & c2 & k2).
    pose proof (declared_label g e n outer w s decl at_e W Co Hw lab) as sh.
    exists w. split; [exact at_e |]. split; [reflexivity |]. set (new := [Node (Oper _ _ _) _]).
    split; [reflexivity |]. split; [exact Hw |]. split; [exact sh |].
    { apply GE_Node with (Node (Oper (KCall "Reshape") (type (op n)) [("shape", s)]) [a]) [x].
      - rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity.
      - cbn [args]. constructor; [| constructor]. apply eval_app; [exact ok | lia | exact Hx].
      - cbn [op]. unfold meaning. cbn [what attrs]. cbn. unfold new_dims. cbn. rewrite sh.
        unfold recast. rewrite k1, c1, c2, Nat.eqb_refl. destruct w as [dw cw]. cbn in c1 |- *. congruence. }
  Qed.

  Lemma pair_sound outer inner :
    recasts outer = true -> recasts inner = true -> rule_sound (reshape_pair outer inner).
  Proof.
    intros Co Ci commutes g outputs e M ok all decl H es st B.
    destruct (pair_built commutes outer inner g outputs e M es st Co Ci ok all decl H B)
      as (n & a & s & w & at_e & -> & E & Hw & _ & Hn). cbv zeta. rewrite E.
    intros o t [E' | []] v. injection E' as <- <-. set (new := [Node (Oper _ _ _) _]) in *.
    assert (e < List.length g) as lt by (apply nth_error_Some; congruence).
    split; intros K.
    - apply (proj1 (eval_app meaning g new e v ok lt)) in K.
      rewrite (eval_node_unique meaning g e w v Hw K). exact Hn.
    - rewrite (eval_node_unique meaning _ _ w v Hn K). exact (proj2 (eval_app meaning g new e w ok lt) Hw).
  Qed.

  Theorem rule_reshape_reshape_sound : rule_sound (reshape_pair "Reshape" "Reshape").
  Proof. now apply pair_sound. Qed.
  Theorem rule_reshape_flatten_sound : rule_sound (reshape_pair "Reshape" "Flatten").
  Proof. now apply pair_sound. Qed.
  Theorem rule_reshape_squeeze_sound : rule_sound (reshape_pair "Reshape" "Squeeze").
  Proof. now apply pair_sound. Qed.
  Theorem rule_reshape_unsqueeze_sound : rule_sound (reshape_pair "Reshape" "Unsqueeze").
  Proof. now apply pair_sound. Qed.
  Theorem rule_flatten_reshape_sound : rule_sound (reshape_pair "Flatten" "Reshape").
  Proof. now apply pair_sound. Qed.
  Theorem rule_squeeze_reshape_sound : rule_sound (reshape_pair "Squeeze" "Reshape").
  Proof. now apply pair_sound. Qed.
  Theorem rule_unsqueeze_reshape_sound : rule_sound (reshape_pair "Unsqueeze" "Reshape").
  Proof. now apply pair_sound. Qed.
  Theorem rule_squeeze_unsqueeze_sound : rule_sound (reshape_pair "Squeeze" "Unsqueeze").
  Proof. now apply pair_sound. Qed.
  Theorem rule_unsqueeze_squeeze_sound : rule_sound (reshape_pair "Unsqueeze" "Squeeze").
  Proof. now apply pair_sound. Qed.

  (** ** A change of shape to the same shape *)

  Definition same_shape : attr := ABinary BEq (AAccess 1%N "shape") (AAccess 0%N "shape").

  Lemma same_shape_sound name : recasts name = true -> rule_sound (removal name [same_shape]).
  Proof.
    intros C commutes g outputs e M ok all decl H. cbn [hd source removal] in H.
    apply match_sound in H; [| exact ok | apply ord2]. destruct H as (H & _ & _ & req & _).
    apply removal_match in H; [| rewrite C; apply orb_true_r | exact all].
    destruct H as (n & a & at_e & A & W & ->). apply (removal_valid name [same_shape] g e n a); try assumption.
    assert (e < List.length g) as lt by (apply nth_error_Some; congruence).
    assert (a < e) as lta by (apply (ok e n at_e); rewrite A; now left).
    assert (a < List.length g) as ltg by lia.
    pose proof ltg as ltg'. apply nth_error_Some in ltg'. destruct (nth_error g a) as [k |] eqn:at_a; [| easy].
    destruct (all e lt) as [w Hw], (all a ltg) as [x Hx].
    destruct (meaning_unary g e n name w at_e W) as (a' & u & A' & Hu & E1);
      [rewrite C; apply orb_true_r | exact Hw |].
    assert (a' = a) as -> by congruence. rewrite recast_not_copy in E1 by assumption.
    destruct E1 as (ds & _ & R). apply recast_facts in R. destruct R as (d1 & c1 & k1).
    assert (u = x) as -> by exact (eval_node_unique meaning g a x u Hx Hu).
    specialize (req same_shape (or_introl eq_refl)).
    apply AttrProof.attr_eval_iff in req. cbn in req. change (Pos.to_nat 1) with 1 in req.
    unfold label_at, node_label in req. cbn in req. rewrite at_e, at_a in req. cbn in req. rewrite W in req.
    change (look_up String.eqb (attrs (op n)) "shape") with (attribute (attrs (op n)) "shape") in req.
    assert (forall s, (match attribute (attrs (op n)) "shape" with
                       | Some v => Some v
                       | None => if present n then tensor_label n "shape" else None
                       end) = Some s -> shape_label n = Some s) as lab by (intros s E; exact E).
    destruct (match attribute (attrs (op n)) "shape" with
              | Some v => Some v
              | None => if present n then tensor_label n "shape" else None
              end) as [s |] eqn:L; [| discriminate].
    specialize (lab s eq_refl).
    destruct (if present k then tensor_label k "shape" else None) as [t |] eqn:Lk; [| discriminate].
    cbn in req. injection req as Eq. apply AttrProof.value_eqb_iff in Eq. subst t.
    pose proof (declared_label g e n name w s decl at_e W C Hw lab) as sh.
    assert (shape_of s = Some (dims x)) as shx.
    { destruct (decl a k x at_a Hx) as [_ T]. apply T. destruct (present k); [exact Lk | discriminate]. }
    assert (w = x) as ->.
    { rewrite sh in shx. injection shx as E. destruct w as [dw cw], x as [dx cx]. cbn in *. congruence. }
    intros v. split; intros H.
    - now rewrite (eval_node_unique meaning g e x v Hw H).
    - now rewrite (eval_node_unique meaning g a x v Hx H).
  Qed.

  Theorem rule_reshape_identity_sound : rule_sound (removal "Reshape" [same_shape]).
  Proof. now apply same_shape_sound. Qed.
  Theorem rule_flatten_identity_sound : rule_sound (removal "Flatten" [same_shape]).
  Proof. now apply same_shape_sound. Qed.

  (** ** All together, by the names of the library *)

  Definition proved_rules : list (string * rule) :=
    [("identity_removal", removal "Identity" []);
     ("dropout_removal", removal "Dropout" []);
     ("reshape_reshape", reshape_pair "Reshape" "Reshape");
     ("reshape_flatten", reshape_pair "Reshape" "Flatten");
     ("reshape_squeeze", reshape_pair "Reshape" "Squeeze");
     ("reshape_unsqueeze", reshape_pair "Reshape" "Unsqueeze");
     ("flatten_reshape", reshape_pair "Flatten" "Reshape");
     ("squeeze_reshape", reshape_pair "Squeeze" "Reshape");
     ("unsqueeze_reshape", reshape_pair "Unsqueeze" "Reshape");
     ("squeeze_unsqueeze", reshape_pair "Squeeze" "Unsqueeze");
     ("unsqueeze_squeeze", reshape_pair "Unsqueeze" "Squeeze");
     ("reshape_identity", removal "Reshape" [same_shape]);
     ("flatten_identity", removal "Flatten" [same_shape])].

  Theorem proved_rules_sound name r : In (name, r) proved_rules -> rule_sound r.
  Proof.
    intros H. repeat (destruct H as [E | H]; [injection E as _ <-;
      solve [now apply copy_sound | now apply pair_sound | now apply same_shape_sound] |]).
    destruct H.
  Qed.
End Meaning.
