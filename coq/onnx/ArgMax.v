(** * ArgMax and ArgMin

    There is no operator that says where something is (c/onnx/expand_reduce.c, place).  X has its greatest value where the
    difference to it is 0.  A difference that is not becomes 1: it is stretched, and cut at 1.  Where there is none, the
    cell's number is left of a constant that counts the places of the axis, down for the first place and up for the last
    one; the greatest number that is left says the place.  ArgMin is the ArgMax of -X.  Of f32 and f64, opset 12 and
    later; other element types stay as they are. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Numbers tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index.
From Calque Require Import tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.Channel tensor.Along tensor.KeepDims.
From Calque Require Import tensor.Instances onnx.Composition onnx.Steps onnx.Reduced onnx.ReduceMin.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** ONNX's formula *)

(** The first place, or with [last] the last one, of the greatest among the cells [f 0], .., [f (n - 1)]. *)
Fixpoint greatest_place {A} (less : A -> A -> bool) (last : bool) (f : nat -> A) (n : nat) : nat :=
  match n with
  | 0 => 0
  | Datatypes.S k =>
      let b := greatest_place less last f k in
      if (if last then negb (less (f k) (f b)) else less (f b) (f k)) then k else b
  end.

Section Formula.
  Variable S : arith.
  (** How the numbers are ordered, and an integer as a number of the element type int64. *)
  Variable less : num S -> num S -> bool.
  Variable index : Z -> num S.

  Definition onnx_arg_max (keep last : bool) (axis : Z) (x : tensor (num S)) : option (tensor (num S)) :=
    let ds := dims x in
    let? a := axis_of (length ds) (length ds) axis in
    let m := marks (length ds) [a] in
    table S (Some (reduce_dims keep m ds)) (fun _ i =>
      index (Z.of_nat (greatest_place less last (fun k => at_ S x (weave m [Z.of_nat k] (rest_at keep m i))) (nth a ds 0)))).
End Formula.

Definition onnx_arg_min (S : arith) (less : num S -> num S -> bool) := onnx_arg_max S (fun a b => less b a).

(** ** The composition *)

(** The greatest finite numbers; 2^127 and 2^22, 2^1000 and 2^74. *)
Definition most32 : N := 5183643170566569984.
Definition least32_bits : N := 14407015207421345792.
Definition most64 : N := 9218868437227405311.
Definition least64_bits : N := 18442240474082181119.
Definition stretch32 : N * N := (5179139571476070400, 4706261610602168320)%N.
Definition stretch64 : N * N := (9110782046170513408, 4940448791225434112)%N.

Definition apply_with (name : string) (type : Z) (c : literal) (x : nat) : build nat :=
  k <- constant type [] [c] ;; apply name [] [x; k].

Definition limited (type : Z) (x : nat) : build nat :=
  if (type =? f64_code)%Z then y <- apply_with "Max" type (LReal least64_bits) x ;; apply_with "Min" type (LReal most64) y
  else apply "Clip" [("min", VFloat least32_bits); ("max", VFloat most32)] [x].

Definition stretch (type : Z) : N * N := if (type =? f64_code)%Z then stretch64 else stretch32.

(** 1 of what is above 0, else 0. *)
Definition positive_of (type : Z) (x : nat) : build nat :=
  y <- apply_with "Mul" type (LReal (fst (stretch type))) x ;; z <- apply_with "Mul" type (LReal (snd (stretch type))) y ;;
  apply "Clip" [("min", VFloat 0%N); ("max", VFloat one_bits)] [z].

(** Of [n] places. *)
Definition count_at (last : bool) (n : nat) (k : nat) : Z := if last then Z.of_nat k + 1 else Z.of_nat n - Z.of_nat k.

Definition numbered (type : Z) (last : bool) (axis : nat) (ds : sizes) (x : nat) : build nat :=
  let n := nth axis ds 0 in
  f <- limited type x ;; g <- greatest true [axis] ds f ;; d <- apply "Sub" [] [g; f] ;; p <- positive_of type d ;;
  q <- apply "Neg" [] [p] ;; t <- apply_with "Add" type (LInt 1) q ;;
  c <- constant type (n :: repeat 1 (length ds - 1 - axis)) (map (fun k => LInt (count_at last n k)) (seq 0 n)) ;;
  apply "Mul" [] [t; c].

Definition place_of_number (type : Z) (last : bool) (n : nat) (x : nat) : build nat :=
  y <- (if last then apply_with "Sub" type (LInt 1) x
        else q <- apply "Neg" [] [x] ;; apply_with "Add" type (LInt (Z.of_nat n)) q) ;;
  apply "Cast" [("to", VInt i64_code)] [y].

(** No float counts further. *)
Definition most_places : N := 16777216.

Definition arg_composition (least : bool) (type : Z) (keep last : bool) (axis : Z) (ds : sizes) : option (build nat) :=
  let? a := axis_of (length ds) (length ds) axis in
  guard (is_float_code type && negb (cell_count ds =? 0) && (N.of_nat (nth a ds 0%nat) <=? most_places)%N)
    (Some (x <- (if least then apply "Neg" [] [0] else Return 0) ;; p <- numbered type last a ds x ;;
           g <- greatest keep [a] ds p ;; place_of_number type last (nth a ds 0) g)).

Definition arg_max_composition := arg_composition false.
Definition arg_min_composition := arg_composition true.

(** ** Places *)

(** By the numbers [K] that order the cells. *)
Lemma greatest_place_spec {A} (less : A -> A -> bool) (f : nat -> A) (K : nat -> Z) last n :
  (forall i j, i < n -> j < n -> less (f i) (f j) = (K i <? K j)%Z) -> 0 < n ->
  let p := greatest_place less last f n in
  p < n /\ (forall k, k < n -> (K k <= K p)%Z) /\
  (forall k, k < n -> (if last then p < k else k < p) -> (K k < K p)%Z).
Proof.
  induction n as [| n IH]; intros L P p; [lia |]. destruct n as [| n].
  - assert (E : p = 0) by (unfold p; cbn; destruct last, (less (f 0) (f 0)); reflexivity). rewrite E.
    split; [lia |]. split; intros k lt; [assert (k = 0) by lia; subst k; lia | destruct last; lia].
  - destruct IH as (B & U & V); [intros i j I J; apply L; lia | lia |].
    set (b := greatest_place less last f (Datatypes.S n)) in *.
    assert (p = if (if last then negb (less (f (Datatypes.S n)) (f b)) else less (f b) (f (Datatypes.S n)))
                then Datatypes.S n else b) as E by reflexivity. clearbody p b. subst p.
    rewrite !L by lia. destruct last.
    + destruct (Z.ltb_spec (K (Datatypes.S n)) (K b)) as [lt | ge]; cbn [negb].
      * split; [lia |]. split; intros k kn.
        -- destruct (Nat.eq_dec k (Datatypes.S n)) as [-> | ne]; [lia | apply U; lia].
        -- intros bk. destruct (Nat.eq_dec k (Datatypes.S n)) as [-> | ne]; [lia | apply V; lia].
      * split; [lia |]. split; intros k kn; [| lia].
        destruct (Nat.eq_dec k (Datatypes.S n)) as [-> | ne]; [lia |]. specialize (U k ltac:(lia)). lia.
    + destruct (Z.ltb_spec (K b) (K (Datatypes.S n))) as [lt | ge].
      * split; [lia |]. split; intros k kn.
        -- destruct (Nat.eq_dec k (Datatypes.S n)) as [-> | ne]; [lia |]. specialize (U k ltac:(lia)). lia.
        -- intros kb. specialize (U k ltac:(lia)). lia.
      * split; [lia |]. split; intros k kn.
        -- destruct (Nat.eq_dec k (Datatypes.S n)) as [-> | ne]; [lia | apply U; lia].
        -- intros kb. apply V; lia.
Qed.

Lemma greatest_place_ext {A B} (less : A -> A -> bool) (less' : B -> B -> bool) last f g n :
  (forall i j, i < n -> j < n -> less (f i) (f j) = less' (g i) (g j)) ->
  greatest_place less last f n = greatest_place less' last g n.
Proof.
  induction n as [| n IH]; intros E; [reflexivity |]. cbn [greatest_place]. rewrite IH by (intros i j I J; apply E; lia).
  assert (greatest_place less' last g n < Datatypes.S n) as lt.
  { clear. induction n as [| n IH]; [cbn; lia |]. cbn [greatest_place].
    set (b := greatest_place less' last g n) in *. destruct (if last then _ else _); lia. }
  set (b := greatest_place less' last g n) in *. now rewrite !E by lia.
Qed.

(** The number that is left is that of the place. *)
Lemma counted_place (K : nat -> Z) (last : bool) n p g b : p < n -> g < n -> b < n ->
  (forall k, k < n -> (K k <= K p)%Z) -> (forall k, k < n -> (if last then p < k else k < p) -> (K k < K p)%Z) ->
  (forall k, k < n -> (K k <= K b)%Z) ->
  (let h k := if (K k <? K b)%Z then 0%Z else count_at last n k in
   (forall k, k < n -> (h k <= h g)%Z) -> h g = count_at last n p).
Proof.
  intros P G B U V W h H. assert (K b = K p) as E by (specialize (U b B); specialize (W p P); lia).
  unfold h in *. rewrite E in *. specialize (H p P). rewrite Z.ltb_irrefl in H.
  destruct (Z.ltb_spec (K g) (K p)) as [lt | ge]; [unfold count_at in H; destruct last; lia |].
  unfold count_at in *. destruct last; (destruct (Nat.eq_dec g p) as [-> | ne]; [reflexivity |]);
    (specialize (V g G); lia).
Qed.

Section Correct.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).
  Notation knows := (knows S).
  Notation runs := (runs S typed).

  (** ** Cells *)

  Definition limited_cell (type : Z) (a : num S) : num S :=
    if (type =? f64_code)%Z then s_min S (s_max S a (typed type (LReal least64_bits))) (typed type (LReal most64))
    else clip_cell S least32_bits most32 a.

  Definition positive_cell (type : Z) (a : num S) : num S :=
    clip_cell S 0 one_bits
      (s_mul S (s_mul S a (typed type (LReal (fst (stretch type))))) (typed type (LReal (snd (stretch type))))).

  Definition top_cell (type : Z) (a : num S) : num S := s_add S (s_neg S (positive_cell type a)) (typed type (LInt 1)).

  Definition count (type : Z) (c : Z) : num S := typed type (LInt c).

  Definition found_cell (type : Z) (last : bool) (n : nat) (a : num S) : num S :=
    s_cast S i64_code (if last then s_sub S a (count type 1) else s_add S (s_neg S a) (count type (Z.of_nat n))).

  (** What the composition needs of the numbers: [key] orders the cells, a difference says which is greater, and up to
      [limit] places are counted exactly. *)
  Record counts_places (type : Z) (less : num S -> num S -> bool) (cell : num S -> Prop) (key : num S -> Z)
      (limit : Z) : Prop := {
    key_less : forall a b, cell a -> cell b -> less a b = (key a <? key b)%Z;
    limited_max : forall a b, cell a -> cell b -> s_max S (limited_cell type a) (limited_cell type b) =
      if (key a <? key b)%Z then limited_cell type b else limited_cell type a;
    limited_least : forall a, cell a -> s_max S (s_least S) (limited_cell type a) = limited_cell type a;
    counted_top : forall a g c, cell a -> cell g -> (key a <= key g)%Z -> (0 <= c <= limit)%Z ->
      s_mul S (top_cell type (s_sub S (limited_cell type g) (limited_cell type a))) (count type c) =
      count type (if (key a <? key g)%Z then 0 else c);
    count_max : forall b c, (0 <= b <= limit)%Z -> (0 <= c <= limit)%Z -> s_max S (count type b) (count type c) =
      if (b <? c)%Z then count type c else count type b;
    count_least : forall c, (0 <= c <= limit)%Z -> s_max S (s_least S) (count type c) = count type c;
    found_last : forall c n, (1 <= c <= limit)%Z -> found_cell type true n (count type c) = typed i64_code (LInt (c - 1));
    found_first : forall c n, (1 <= c <= Z.of_nat n)%Z -> (Z.of_nat n <= limit)%Z ->
      found_cell type false n (count type c) = typed i64_code (LInt (Z.of_nat n - c))
  }.

  (** The greatest of a line of cells is one of them. *)
  Lemma greatest_line {A} (emb : A -> num S) (key : A -> Z) (h : nat -> A) n : 0 < n ->
    (forall i j, i < n -> j < n ->
      s_max S (emb (h i)) (emb (h j)) = if (key (h i) <? key (h j))%Z then emb (h j) else emb (h i)) ->
    (forall i, i < n -> s_max S (s_least S) (emb (h i)) = emb (h i)) ->
    exists k, k < n /\ s_greatest S [n] (fun l => emb (h (Z.to_nat (nth 0 l 0%Z)))) = emb (h k) /\
      forall j, j < n -> (key (h j) <= key (h k))%Z.
  Proof.
    intros P M L. unfold s_greatest. destruct (single [n]) eqn:O.
    { cbn [single forallb] in O. rewrite andb_true_r in O. apply Nat.eqb_eq in O. subst n. exists 0.
      split; [lia |]. split; [reflexivity |]. intros j J. assert (j = 0) by lia. subst j. lia. }
    unfold reduce. rewrite box_as_seq, fold_left_map. cbn [cell_count fold_right]. rewrite Nat.mul_1_r.
    rewrite (fold_left_ext_in _ (fun a k => s_max S a (emb (h k)))).
    2: { intros u k _. cbn [index_at cell_count fold_right nth]. now rewrite Nat.div_1_r, Nat2Z.id. }
    assert (G : forall q, 0 < q <= n -> exists k, k < q /\
      fold_left (fun a k => s_max S a (emb (h k))) (seq 0 q) (s_least S) = emb (h k) /\
      forall j, j < q -> (key (h j) <= key (h k))%Z).
    { induction q as [| q IH]; intros [q0 qn]; [lia |]. rewrite seq_S, fold_left_app. cbn [fold_left plus].
      destruct q as [| q].
      - exists 0. split; [lia |]. split; [apply L; lia |]. intros j J. assert (j = 0) by lia. subst j. lia.
      - destruct IH as (k & K & -> & U); [lia |]. rewrite M by lia.
        destruct (Z.ltb_spec (key (h k)) (key (h (Datatypes.S q)))) as [lt | ge].
        + exists (Datatypes.S q). split; [lia |]. split; [reflexivity |]. intros j J.
          destruct (Nat.eq_dec j (Datatypes.S q)) as [-> | ne]; [lia |]. specialize (U j ltac:(lia)). lia.
        + exists k. split; [lia |]. split; [reflexivity |]. intros j J.
          destruct (Nat.eq_dec j (Datatypes.S q)) as [-> | ne]; [lia | apply U; lia]. }
    apply G. lia.
  Qed.

  (** A line's numbers say its place. *)
  Lemma line_found type less cell key limit last n (f : nat -> num S) : counts_places type less cell key limit ->
    0 < n -> (Z.of_nat n <= limit)%Z -> (forall k, k < n -> cell (f k)) ->
    let top := s_greatest S [n] (fun l => limited_cell type (f (Z.to_nat (nth 0 l 0%Z)))) in
    found_cell type last n (s_greatest S [n] (fun l => let k := Z.to_nat (nth 0 l 0%Z) in
      s_mul S (top_cell type (s_sub S top (limited_cell type (f k)))) (count type (count_at last n k)))) =
    typed i64_code (LInt (Z.of_nat (greatest_place less last f n))).
  Proof.
    intros law P Lim C top.
    destruct (greatest_line (limited_cell type) key f n P) as (b & B & Eb & Ub).
    { intros i j I J. apply (limited_max _ _ _ _ _ law); auto. }
    { intros i I. apply (limited_least _ _ _ _ _ law); auto. }
    fold top in Eb. rewrite Eb.
    set (h := fun k => if (key (f k) <? key (f b))%Z then 0%Z else count_at last n k).
    assert (R : forall k, k < n -> (1 <= count_at last n k <= Z.of_nat n)%Z) by (intros k K; unfold count_at; destruct last; lia).
    assert (H : forall k, k < n -> (0 <= h k <= limit)%Z).
    { intros k K. specialize (R k K). unfold h. destruct (key (f k) <? key (f b))%Z; lia. }
    rewrite (s_greatest_ext S [n] _ (fun l => count type (h (Z.to_nat (nth 0 l 0%Z))))).
    2: { intros l I. destruct (line_index n l I) as (k & K & ->). cbn [nth]. rewrite Nat2Z.id. specialize (R k K).
         rewrite (counted_top _ _ _ _ _ law) by (auto; lia). reflexivity. }
    destruct (greatest_line (count type) (fun c => c) h n P) as (g & G & -> & U).
    { intros i j I J. apply (count_max _ _ _ _ _ law); auto. }
    { intros i I. apply (count_least _ _ _ _ _ law); auto. }
    destruct (greatest_place_spec less f (fun k => key (f k)) last n) as (p0 & U0 & V0); [| exact P |].
    { intros i j I J. apply (key_less _ _ _ _ _ law); auto. }
    set (p := greatest_place less last f n) in *.
    assert (h g = count_at last n p) as -> by exact (counted_place (fun k => key (f k)) last n p g b p0 G B U0 V0 Ub U).
    specialize (R p p0).
    destruct last.
    - rewrite (found_last _ _ _ _ _ law) by lia. do 2 f_equal. unfold count_at. lia.
    - rewrite (found_first _ _ _ _ _ law) by lia. do 2 f_equal. unfold count_at. lia.
  Qed.

  (** ** Tensors *)

  Lemma runs_with vs name f type c (y : tensor) k :
    (forall z, op_value S name [] [GTensor y; GTensor (scalar S z)] = Some (GTensor (mapped S (fun a => f a z) y))) ->
    knows vs k (GTensor y) ->
    runs vs (apply_with name type c k) (fun ws j => knows ws j (GTensor (mapped S (fun a => f a (typed type c)) y))).
  Proof.
    intros V K. eapply runs_bind; [apply (runs_constant S typed _ type [] [c]); reflexivity |]. intros ws j X J. cbv beta in J.
    apply (runs_apply S typed ws _ _ _ [GTensor y; GTensor (scalar S (typed type c))]); [| apply V].
    constructor; [eapply knows_extends; eassumption | constructor; [exact J | constructor]].
  Qed.

  Lemma runs_limited vs type (y : tensor) k : knows vs k (GTensor y) ->
    runs vs (limited type k) (fun ws j => knows ws j (GTensor (mapped S (limited_cell type) y))).
  Proof.
    intros K. unfold limited, limited_cell. destruct (type =? f64_code)%Z.
    - eapply runs_bind; [apply (runs_with vs "Max" (s_max S)); [intros z; now apply folded_with | exact K] |].
      intros ws j _ J. cbv beta in J.
      eapply runs_weaken; [apply (runs_with ws "Min" (s_min S)); [intros z; now apply folded_with | exact J] |].
      intros us i _ I. cbv beta in I. now rewrite mapped_mapped in I.
    - apply (runs_apply S typed vs _ _ _ [GTensor y]); [repeat constructor; exact K | apply clip_value].
  Qed.

  Lemma runs_positive vs type (y : tensor) k : knows vs k (GTensor y) ->
    runs vs (positive_of type k) (fun ws j => knows ws j (GTensor (mapped S (positive_cell type) y))).
  Proof.
    intros K. eapply runs_bind; [apply (runs_with vs "Mul" (s_mul S)); [intros z; now apply binary_with | exact K] |].
    intros ws j _ J. cbv beta in J.
    eapply runs_bind; [apply (runs_with ws "Mul" (s_mul S)); [intros z; now apply binary_with | exact J] |].
    intros us i _ I. cbv beta in I. rewrite mapped_mapped in I.
    set (z := mapped S _ y) in I.
    eapply runs_weaken; [apply (runs_apply S typed us _ _ _ [GTensor z]); [repeat constructor; exact I | apply clip_value] |].
    intros ts h _ H. cbv beta in H. change (knows ts h (GTensor (mapped S (clip_cell S 0 one_bits) z))) in H.
    unfold z in H. now rewrite mapped_mapped in H.
  Qed.

  Lemma map2_from_kept f (x : tensor) m g : length m = length (dims x) ->
    map2 S f (tabulate (reduce_dims true m (dims x)) (fun i => g (unmarked m i))) x =
    Some (tabulate (dims x) (fun i => f (g (unmarked m i)) (at_ x i))).
  Proof.
    intros L. pose proof (map2_kept S (fun a b => f b a) x m g L) as K. unfold map2 in *.
    cbn [dims tabulate] in *. now rewrite broadcast_comm.
  Qed.

  Section Axis.
    Variables (type : Z) (last : bool) (x : tensor) (a : nat).
    Let ds := dims x.
    Let n := nth a ds 0.
    Let m := marks (length ds) [a].
    Hypothesis G : good x.
    Hypothesis E : cell_count ds <> 0.
    Hypothesis A : a < length ds.

    Definition line (rest : list Z) (k : nat) : num S := at_ x (weave m [Z.of_nat k] rest).

    Definition line_top (rest : list Z) : num S :=
      s_greatest S [n] (fun l => limited_cell type (line rest (Z.to_nat (nth 0 l 0%Z)))).

    Definition numbers_left : tensor := tabulate ds (fun i =>
      s_mul S (top_cell type (s_sub S (line_top (unmarked m i)) (limited_cell type (at_ x i))))
        (count type (count_at last n (Z.to_nat (nth a i 0%Z))))).

    Lemma unmarked_kept keep i : in_box (reduce_dims keep m ds) i = true -> forall k, k < n ->
      in_box ds (weave m [Z.of_nat k] (rest_at keep m i)) = true /\
      unmarked m (weave m [Z.of_nat k] (rest_at keep m i)) = rest_at keep m i /\
      nth a (weave m [Z.of_nat k] (rest_at keep m i)) 0%Z = Z.of_nat k.
    Proof.
      intros I k K. pose proof (rest_length keep (length ds) a ds i A eq_refl I) as L.
      destruct (filter_marks_one (length ds) a A) as [F0 F1]. split; [| split].
      - apply weave_box; [apply marks_length | exact I |]. unfold m. rewrite (marked_one (length ds) a ds A eq_refl).
        apply in_box_cons. split; [fold n; lia | reflexivity].
      - apply unmarked_weave; [exact (eq_sym F0) | exact (eq_trans L (eq_sym F1))].
      - now apply nth_weave_one.
    Qed.

    Lemma greatest_limited : greatest_of S true [a] (mapped S (limited_cell type) x) =
      tabulate (reduce_dims true m ds) (fun i => line_top (unmarked m i)).
    Proof.
      unfold greatest_of, mapped. cbn [dims tabulate]. fold ds m. apply tabulate_ext. intros i I.
      unfold m at 1. rewrite (marked_one (length ds) a ds A eq_refl). fold n. apply s_greatest_ext. intros l Il.
      destruct (line_index n l Il) as (k & K & ->). cbn [nth]. rewrite Nat2Z.id.
      destruct (unmarked_kept true i I k K) as (B & _ & _). now rewrite at_tabulate.
    Qed.

    Lemma runs_numbered vs k : knows vs k (GTensor x) ->
      runs vs (numbered type last a ds k) (fun ws j => knows ws j (GTensor numbers_left)).
    Proof.
      intros K. eapply runs_bind; [apply (runs_limited vs type x k K) |]. intros v1 f _ F. cbv beta in F.
      eapply runs_bind; [apply (runs_greatest S typed v1 true [a] (mapped S (limited_cell type) x) f F);
        [apply good_tabulate | exact E] |].
      intros v2 g X2 Q. cbv beta in Q. rewrite greatest_limited in Q.
      eapply runs_bind.
      { apply (runs_apply S typed v2 "Sub" [] [g; f]
          [GTensor (tabulate (reduce_dims true m ds) (fun i => line_top (unmarked m i)));
           GTensor (mapped S (limited_cell type) x)]
          (GTensor (tabulate ds (fun i => s_sub S (line_top (unmarked m i)) (at_ (mapped S (limited_cell type) x) i))))).
        - constructor; [exact Q |]. constructor; [eapply knows_extends; eassumption | constructor].
        - change (one (map2 S (s_sub S) (tabulate (reduce_dims true m (dims (mapped S (limited_cell type) x)))
            (fun i => line_top (unmarked m i))) (mapped S (limited_cell type) x)) =
            Some (GTensor (tabulate ds (fun i => s_sub S (line_top (unmarked m i)) (at_ (mapped S (limited_cell type) x) i))))).
          rewrite map2_from_kept by apply marks_length. reflexivity. }
      intros v3 d _ D. cbv beta in D.
      eapply runs_bind; [apply (runs_positive v3 type _ d D) |]. intros v4 p _ P. cbv beta in P.
      eapply runs_bind; [apply (runs_map S typed v4 "Neg" (s_neg S) _ p eq_refl P) |]. intros v5 q _ R. cbv beta in R.
      rewrite mapped_mapped in R.
      eapply runs_bind; [apply (runs_with v5 "Add" (s_add S)); [intros z; now apply binary_with | exact R] |].
      intros v6 t _ T. cbv beta in T. rewrite mapped_mapped in T.
      set (cs := map (fun k => LInt (count_at last n k)) (seq 0 n)).
      eapply runs_bind; [apply (runs_constant S typed v6 type (n :: repeat 1 (length ds - 1 - a)) cs) |].
      { unfold cs. rewrite map_length, seq_length. cbn [cell_count fold_right]. fold (cell_count (repeat 1 (length ds - 1 - a))).
        rewrite cell_count_ones. lia. }
      intros v7 c X7 C. cbv beta in C. set (cst := Tensor (n :: repeat 1 (length ds - 1 - a)) (map (typed type) cs)) in *.
      set (tops := mapped S (fun a : num S => s_add S (s_neg S (positive_cell type a)) (typed type (LInt 1))) _) in T.
      eapply runs_weaken; [apply (runs_apply S typed v7 "Mul" [] [t; c] [GTensor tops; GTensor cst] (GTensor numbers_left)) |].
      - constructor; [eapply knows_extends; eassumption |]. constructor; [exact C | constructor].
      - change (one (map2 S (s_mul S) (mapped S (top_cell type) (tabulate ds (fun i =>
          s_sub S (line_top (unmarked m i)) (at_ (mapped S (limited_cell type) x) i)))) cst) = Some (GTensor numbers_left)).
        destruct (nth_split ds 0 A) as (pre & ys & Ed & Ep). fold n in Ed.
        rewrite (map2_along S (s_mul S) _ cst pre n ys);
          [| exact Ed | unfold cst; cbn [dims]; rewrite Ed at 1; rewrite app_length; cbn [length]; do 2 f_equal; lia].
        cbn [one]. do 2 f_equal. unfold numbers_left, mapped. cbn [dims tabulate]. apply tabulate_ext. intros i I.
        rewrite !at_tabulate by exact I. f_equal. rewrite Ep.
        assert (0 <= nth a i 0 < Z.of_nat n)%Z as N by (apply in_box_nth in I; now apply I).
        unfold chan, cst. cbn [cells]. unfold cs. rewrite map_map.
        rewrite (nth_map_lt (fun k => typed type (LInt (count_at last n k))) (seq 0 n) _ 0) by (rewrite seq_length; lia).
        rewrite seq_nth by lia. reflexivity.
      - intros ws j _ J. exact J.
    Qed.

    Lemma runs_found vs k (y : tensor) : knows vs k (GTensor y) ->
      runs vs (place_of_number type last n k) (fun ws j => knows ws j (GTensor (mapped S (found_cell type last n) y))).
    Proof.
      intros K. unfold place_of_number, found_cell. destruct last.
      - eapply runs_bind; [apply (runs_with vs "Sub" (s_sub S)); [intros z; now apply binary_with | exact K] |].
        intros ws j _ J. cbv beta in J.
        eapply runs_weaken; [exact (runs_cast S typed ws i64_code _ j ltac:(unfold i64_code; lia) J) |].
        intros us i _ I. cbv beta in I. now rewrite mapped_mapped in I.
      - eapply runs_bind.
        + eapply runs_bind; [apply (runs_map S typed vs "Neg" (s_neg S) y k eq_refl K) |]. intros ws j _ J. cbv beta in J.
          apply (runs_with ws "Add" (s_add S)); [intros z; now apply binary_with | exact J].
        + intros ws j _ J. cbv beta in J. rewrite mapped_mapped in J.
          eapply runs_weaken; [exact (runs_cast S typed ws i64_code _ j ltac:(unfold i64_code; lia) J) |].
          intros us i _ I. cbv beta in I. now rewrite mapped_mapped in I.
    Qed.

    Lemma places_found less cell key limit keep : counts_places type less cell key limit -> (Z.of_nat n <= limit)%Z ->
      Forall cell (cells x) -> mapped S (found_cell type last n) (greatest_of S keep [a] numbers_left) =
      tabulate (reduce_dims keep m ds) (fun i =>
        typed i64_code (LInt (Z.of_nat (greatest_place less last (fun k => at_ x (weave m [Z.of_nat k] (rest_at keep m i))) n)))).
    Proof.
      intros law Lim C. unfold greatest_of, mapped. cbn [dims tabulate]. fold ds m.
      change (dims numbers_left) with ds. fold m. apply tabulate_ext. intros i I. rewrite at_tabulate by exact I.
      unfold m at 1. rewrite (marked_one (length ds) a ds A eq_refl). fold n.
      assert (0 < n) as P.
      { unfold n. destruct (nth_split ds 0 A) as (pre & ys & Ed & _). destruct (nth a ds 0); [| lia].
        rewrite Ed, cell_count_app in E. cbn in E. lia. }
      rewrite <- (line_found type less cell key limit last n _ law P Lim).
      - f_equal. apply s_greatest_ext. intros l Il. destruct (line_index n l Il) as (k & K & ->). cbn [nth]. rewrite Nat2Z.id.
        destruct (unmarked_kept keep i I k K) as (B & U & N). unfold numbers_left. rewrite at_tabulate by exact B.
        rewrite U, N, Nat2Z.id. reflexivity.
      - intros k K. destruct (unmarked_kept keep i I k K) as (B & _ & _). now apply cells_at.
    Qed.
  End Axis.

  Lemma composition_open least type keep last axis ds b : arg_composition least type keep last axis ds = Some b ->
    exists a, axis_of (length ds) (length ds) axis = Some a /\ a < length ds /\ cell_count ds <> 0 /\
      (Z.of_nat (nth a ds 0%nat) <= Z.of_N most_places)%Z /\
      b = (x <- (if least then apply "Neg" [] [0] else Return 0) ;; p <- numbered type last a ds x ;;
           g <- greatest keep [a] ds p ;; place_of_number type last (nth a ds 0) g).
  Proof.
    unfold arg_composition. destruct (axis_of (length ds) (length ds) axis) as [a |] eqn:Ax; [| discriminate]. unfold guard.
    destruct (is_float_code type && negb (cell_count ds =? 0) && (N.of_nat (nth a ds 0%nat) <=? most_places)%N) eqn:Q;
      [| discriminate]. intros B. apply some_eq in B. exists a.
    apply andb_true_iff in Q. destruct Q as [Q N]. apply andb_true_iff in Q. destruct Q as [_ E].
    apply negb_true_iff, Nat.eqb_neq in E. apply N.leb_le in N.
    repeat split; [| exact E | lia | now symmetry].
    unfold axis_of in Ax. destruct (_ && _) eqn:R in Ax; [| discriminate]. injection Ax as <-.
    apply andb_true_iff in R. destruct R as [R0 R1]. destruct (Z.ltb_spec axis 0); lia.
  Qed.

  Lemma runs_places type less cell key limit keep last a (x : tensor) vs k :
    counts_places type less cell key limit -> good x -> Forall cell (cells x) -> a < length (dims x) ->
    cell_count (dims x) <> 0 -> (Z.of_nat (nth a (dims x) 0%nat) <= limit)%Z -> knows vs k (GTensor x) ->
    runs vs (p <- numbered type last a (dims x) k ;; g <- greatest keep [a] (dims x) p ;;
             place_of_number type last (nth a (dims x) 0) g)
      (fun ws j => knows ws j (GTensor (tabulate (reduce_dims keep (marks (length (dims x)) [a]) (dims x)) (fun i =>
        typed i64_code (LInt (Z.of_nat (greatest_place less last
          (fun k => at_ x (weave (marks (length (dims x)) [a]) [Z.of_nat k] (rest_at keep (marks (length (dims x)) [a]) i)))
          (nth a (dims x) 0)))))))).
  Proof.
    intros law G C A E Lim K.
    eapply runs_bind; [exact (runs_numbered type last x a E A vs k K) |]. intros ws p _ P. cbv beta in P.
    eapply runs_bind; [apply (runs_greatest S typed ws keep [a] (numbers_left type last x a) p P);
      [apply good_tabulate | exact E] |].
    intros us g _ Q. cbv beta in Q.
    eapply runs_weaken; [eapply (runs_found type last x a); eassumption |]. intros ts j _ J. cbv beta in J.
    rewrite (places_found type last x a G E A less cell key limit keep law) in J; assumption.
  Qed.

  (** Of cells that are ordered and told apart: [counts_places]. *)
  Theorem arg_max_correct type less cell key limit keep last axis (x : tensor) b :
    counts_places type less cell key limit -> (Z.of_N most_places <= limit)%Z -> good x -> Forall cell (cells x) ->
    arg_max_composition type keep last axis (dims x) = Some b ->
    exists y, onnx_arg_max S less (fun k => typed i64_code (LInt k)) keep last axis x = Some y /\ composed S typed b [x] = Some y.
  Proof.
    intros law Lim G C B. destruct (composition_open _ _ _ _ _ _ _ B) as (a & Ax & A & E & N & ->). unfold onnx_arg_max.
    rewrite Ax. eexists. split; [reflexivity |]. apply runs_composed.
    apply (runs_places type less cell key limit); try assumption; [lia | reflexivity].
  Qed.

  (** Negation turns the order round. *)
  Theorem arg_min_correct type less cell key limit keep last axis (x : tensor) b :
    counts_places type less cell key limit -> (Z.of_N most_places <= limit)%Z ->
    (forall a, cell a -> cell (s_neg S a)) -> (forall a c, cell a -> cell c -> less (s_neg S a) (s_neg S c) = less c a) ->
    good x -> Forall cell (cells x) -> arg_min_composition type keep last axis (dims x) = Some b ->
    exists y, onnx_arg_min S less (fun k => typed i64_code (LInt k)) keep last axis x = Some y /\ composed S typed b [x] = Some y.
  Proof.
    intros law Lim CN LN G C B. destruct (composition_open _ _ _ _ _ _ _ B) as (a & Ax & A & E & N & ->).
    unfold onnx_arg_min, onnx_arg_max. rewrite Ax. eexists. split; [reflexivity |]. apply runs_composed.
    set (y := mapped S (s_neg S) x).
    assert (Cy : Forall cell (cells y)).
    { unfold y, mapped. cbn [cells tabulate]. apply Forall_map, Forall_forall. intros i I.
      apply CN, cells_at; [exact G | exact C |].
      now apply in_box_box. }
    eapply runs_bind; [apply (runs_map S typed _ "Neg" (s_neg S) x 0); reflexivity |]. intros ws k _ K. cbv beta in K.
    fold y in K.
    eapply runs_weaken;
      [apply (runs_places type less cell key limit keep last a y ws k law); try assumption; [apply good_tabulate | cbn; lia] |].
    intros us j _ J. cbv beta in J. change (dims y) with (dims x) in J. set (m := marks (length (dims x)) [a]) in *.
    match goal with |- knows us j (GTensor ?u) =>
      match type of J with knows us j (GTensor ?v) => assert (u = v) as ->; [| exact J] end end.
    cbn [table]. apply tabulate_ext. intros i I. do 3 f_equal.
    apply greatest_place_ext. intros p q P Q.
    destruct (unmarked_kept x a E A keep i I p P) as (Bp & _ & _), (unmarked_kept x a E A keep i I q Q) as (Bq & _ & _).
    unfold y, mapped. fold m in Bp, Bq. rewrite !at_tabulate by assumption. symmetry. now apply LN; apply cells_at.
  Qed.
End Correct.

(** ** An instance: integers that no difference leaves *)

Lemma integers_count_places : counts_places integers plain f32_code Z.ltb (fun z => Z.abs z < 2 ^ 61)%Z (fun z => z) (2 ^ 62).
Proof.
  assert (Lo : s_real integers least32_bits = least) by reflexivity.
  assert (Hi : s_real integers most32 = (- least - 1)%Z) by reflexivity.
  assert (Lim : forall a : Z, (Z.abs a < 2 ^ 62)%Z -> limited_cell integers plain f32_code a = a).
  { intros a R. unfold limited_cell, clip_cell. change (f32_code =? f64_code)%Z with false.
    change (is_minus_infinity least32_bits) with false. change (is_infinity most32) with false. rewrite Lo, Hi.
    cbn [integers s_max s_min]. unfold least. lia. }
  split.
  - reflexivity.
  - intros a b A B. rewrite !Lim by lia. cbn [integers s_max]. destruct (Z.ltb_spec a b); lia.
  - intros a A. rewrite Lim by lia. cbn [integers s_max s_least]. unfold least. lia.
  - intros a g c A G le C. rewrite !Lim by lia. unfold top_cell, positive_cell, clip_cell, stretch, count.
    change (f32_code =? f64_code)%Z with false. change (is_minus_infinity 0) with false. change (is_infinity one_bits) with false.
    change (s_real integers 0) with 0%Z. change (s_real integers one_bits) with 1%Z.
    cbn [integers s_mul s_add s_neg s_sub s_max s_min num plain literal_value s_int].
    change (s_real integers (fst stretch32)) with (- - 2 ^ 63 - 1)%Z. change (s_real integers (snd stretch32)) with 4194304%Z.
    destruct (Z.ltb_spec a g) as [lt | ge].
    + set (d := ((g - a) * (- - 2 ^ 63 - 1) * 4194304)%Z).
      assert (1 <= d)%Z by (unfold d; change (- - 2 ^ 63 - 1)%Z with 9223372036854775807%Z; lia).
      replace (Z.min (Z.max d 0) 1) with 1%Z by lia. lia.
    + replace (g - a)%Z with 0%Z by lia. rewrite !Z.mul_0_l. change (Z.min (Z.max 0 0) 1) with 0%Z. lia.
  - intros b c B C. cbn [count plain literal_value integers s_int s_max]. destruct (Z.ltb_spec b c); lia.
  - intros c C. cbn [count plain literal_value integers s_int s_max s_least]. unfold least. lia.
  - intros c n C. cbn. lia.
  - intros c n C N. cbn. lia.
Qed.

Example arg_max_example : let x := Tensor [2; 3] [5; 9; 9; 4; -2; -7]%Z in
  option_map (fun b => composed integers plain b [x]) (arg_max_composition f32_code false false (-1) [2; 3]) =
    Some (Some (Tensor [2] [1; 0]%Z)) /\
  option_map (fun b => composed integers plain b [x]) (arg_min_composition f32_code true true 0 [2; 3]) =
    Some (Some (Tensor [1; 3] [1; 1; 1]%Z)) /\
  onnx_arg_max integers Z.ltb (fun z => z) false true (-1) x = Some (Tensor [2] [2; 0]%Z).
Proof. repeat split; reflexivity. Qed.
