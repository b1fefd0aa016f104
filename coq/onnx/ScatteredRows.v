(** * Rows that are updated

    What ScatterND and ScatterElements share (c/onnx/expand_scatter.c): rows of some cells, and updates, each with the row that it
    updates, in their order.  Updates go in by rounds, in each of which no row comes twice: the rows and the round's updates are
    concatenated, and each row of the result is one of those.  So what is not updated keeps its bits, and the updates of a row
    are reduced in their order, as ONNX's formula has it: no law of arithmetic is needed. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Numbers tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index.
From Calque Require Import tensor.IndexProof tensor.Shapes tensor.Ops tensor.OpTable tensor.Algebra tensor.Instances tensor.Mixed.
From Calque Require Import onnx.Composition onnx.Steps onnx.Tables onnx.Reduced.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ONNX's attribute [reduction]. *)
Inductive reduction := ByNone | ByAdd | ByMul | ByMax | ByMin.

(** What becomes of a cell [a] and its update [u]. *)
Definition reduced_by (S : arith) (red : reduction) (a u : num S) : num S :=
  match red with
  | ByNone => u
  | ByAdd => s_add S a u
  | ByMul => s_mul S a u
  | ByMax => s_max S a u
  | ByMin => s_min S a u
  end.

(** Counted from the end if negative. *)
Definition from_end (n : nat) (z : Z) : Z := if (z <? 0)%Z then (z + Z.of_nat n)%Z else z.

Definition index_eqb (i j : list Z) : bool := if list_eq_dec Z.eq_dec i j then true else false.

Lemma index_eqb_position ds i j : in_box ds i = true -> in_box ds j = true -> index_eqb i j = (position ds i =? position ds j).
Proof.
  intros I J. unfold index_eqb. destruct (list_eq_dec Z.eq_dec i j) as [-> | ne]; [symmetry; apply Nat.eqb_refl |].
  symmetry. apply Nat.eqb_neq. intros E. apply ne. now apply (position_inj ds).
Qed.

(** ** The composition *)

Definition operator_of (red : reduction) : option string :=
  match red with ByNone => None | ByAdd => Some "Add" | ByMul => Some "Mul" | ByMax => Some "Max" | ByMin => Some "Min" end.

(** The rows that are updated, once each, by the first update. *)
Fixpoint firsts (rs : list nat) : list nat :=
  match rs with
  | [] => []
  | r :: rs' => r :: filter (fun q => negb (q =? r)) (firsts rs')
  end.

(** The last update of a row, of those from number [k] on. *)
Fixpoint last_update (k : nat) (rs : list nat) (r : nat) : option nat :=
  match rs with
  | [] => None
  | q :: rs' => match last_update (Datatypes.S k) rs' r with
                | Some j => Some j
                | None => if q =? r then Some k else None
                end
  end.

Definition last_of (rs : list nat) (r : nat) : nat := match last_update 0 rs r with Some k => k | None => 0 end.

(** Updates, each a number and a row, parted: the first one of each row that is not among [seen], and those that are left. *)
Fixpoint parted (seen : list nat) (l : list (nat * nat)) : list (nat * nat) * list (nat * nat) :=
  match l with
  | [] => ([], [])
  | (k, r) :: l' =>
      if has r seen then let (now, later) := parted seen l' in (now, (k, r) :: later)
      else let (now, later) := parted (r :: seen) l' in ((k, r) :: now, later)
  end.

(** No more than [fuel]. *)
Fixpoint rounds_from (fuel : nat) (l : list (nat * nat)) : list (list (nat * nat)) :=
  match fuel, l with
  | Datatypes.S fuel', _ :: _ => let (now, later) := parted [] l in now :: rounds_from fuel' later
  | _, _ => []
  end.

Definition updates_of (rs : list nat) : list (nat * nat) := combine (seq 0 (length rs)) rs.

(** Updates that replace go in at once, the last one of each row. *)
Definition rounds_of (red : reduction) (rs : list nat) : list (list (nat * nat)) :=
  match red with
  | ByNone => [map (fun r => (last_of rs r, r)) (firsts rs)]
  | _ => rounds_from (length rs) (updates_of rs)
  end.

Definition integers_at (l : list nat) : build nat := constant i64_code [length l] (map (fun n => LInt (Z.of_nat n)) l).

Definition taken (x : nat) (l : list nat) : build nat := k <- integers_at l ;; apply "Gather" [("axis", nat_value 0)] [x; k].

(** The rows that the updates of a round become. *)
Definition new_rows (red : reduction) (x u : nat) (now : list (nat * nat)) : build nat :=
  t <- taken u (map fst now) ;;
  match operator_of red with
  | Some name => o <- taken x (map snd now) ;; apply name [] [o; t]
  | None => Return t
  end.

(** Where a row of the result is, among X's rows and then those of the updates. *)
Definition row_from (count : nat) (rows : list nat) (r : nat) : nat := if has r rows then count + place_of r rows else r.

Definition one_round (red : reduction) (count x u : nat) (now : list (nat * nat)) : build nat :=
  t <- new_rows red x u now ;; c <- apply "Concat" [("axis", nat_value 0)] [x; t] ;;
  taken c (map (row_from count (map snd now)) (seq 0 count)).

Fixpoint all_rounds (red : reduction) (count u : nat) (rounds : list (list (nat * nat))) (x : nat) : build nat :=
  match rounds with
  | [] => Return x
  | now :: rounds' => y <- one_round red count x u now ;; all_rounds red count u rounds' y
  end.

Definition most_rows : N := 16777216.
Definition most_rounds : nat := 65.

(** X of sizes [ds], as [count] rows of [inner] cells, and updates of sizes [us], one for each of the rows [rs]. *)
Definition scattered (red : reduction) (count inner : nat) (rs : list nat) (ds us : sizes) : option (build nat) :=
  let n := length rs in
  let rounds := rounds_of red rs in
  guard ((1 <=? count) && (1 <=? inner) && (1 <=? n) && (N.of_nat count <=? most_rows)%N && (N.of_nat n <=? most_rows)%N &&
         (length rounds <=? most_rounds))
    (Some (x <- reshaped ds [count; inner] 0 ;; u <- reshaped us [n; inner] 1 ;;
           y <- all_rounds red count u rounds x ;; reshaped [count; inner] ds y)).

(** ** Which updates a row gets *)

Section Updates.
  Context {A : Type}.
  Variables (f : A -> nat -> A) (r : nat).

  (** The updates of row [r], one after the other. *)
  Definition updated (l : list (nat * nat)) (a : A) : A :=
    fold_left (fun a kq => if snd kq =? r then f a (fst kq) else a) l a.

  Lemma updated_seq rs : forall k a,
    updated (combine (seq k (length rs)) rs) a =
    fold_left (fun a j => if nth j rs 0 =? r then f a (k + j) else a) (seq 0 (length rs)) a.
  Proof.
    unfold updated. induction rs as [| q rs IH]; intros k a; [reflexivity |].
    cbn [length seq combine fold_left nth fst snd]. rewrite Nat.add_0_r, IH, <- seq_shift, fold_left_map. cbn [nth].
    apply fold_left_ext_in. intros b j _. now rewrite Nat.add_succ_r.
  Qed.

  Lemma parted_seen l : forall seen a, In r seen ->
    updated (fst (parted seen l)) a = a /\ updated (snd (parted seen l)) a = updated l a.
  Proof.
    induction l as [| [k q] l IH]; intros seen a I; [now split |]. cbn [parted].
    destruct (has q seen) eqn:H.
    - specialize (IH seen). destruct (parted seen l) as [now later]. cbn [fst snd] in *.
      split; [exact (proj1 (IH a I)) |]. unfold updated in *. cbn [fold_left fst snd]. now apply IH.
    - specialize (IH (q :: seen)). destruct (parted (q :: seen) l) as [now later]. cbn [fst snd] in *.
      assert (q <> r) as ne by (intros ->; apply has_in in I; congruence). apply Nat.eqb_neq in ne.
      unfold updated in *. cbn [fold_left fst snd]. rewrite ne. apply IH. now right.
  Qed.

  Lemma parted_updated l : forall seen a, updated (snd (parted seen l)) (updated (fst (parted seen l)) a) = updated l a.
  Proof.
    induction l as [| [k q] l IH]; intros seen a; [reflexivity |]. cbn [parted]. destruct (has q seen) eqn:H.
    - pose proof (parted_seen l seen) as P. specialize (IH seen). destruct (parted seen l) as [now later]. cbn [fst snd] in *.
      unfold updated at 1. cbn [fold_left fst snd]. destruct (Nat.eqb_spec q r) as [-> |].
      + apply has_in in H. rewrite (proj1 (P a H)). etransitivity; [apply (proj2 (P _ H)) |].
        unfold updated. cbn [fold_left fst snd]. now rewrite Nat.eqb_refl.
      + etransitivity; [apply IH |]. unfold updated. cbn [fold_left fst snd]. now rewrite (proj2 (Nat.eqb_neq q r)).
    - specialize (IH (q :: seen)). destruct (parted (q :: seen) l) as [now later]. cbn [fst snd] in *. apply IH.
  Qed.

  (** Rows that come once. *)
  Lemma updated_out l a : ~ In r (map snd l) -> updated l a = a.
  Proof.
    unfold updated. induction l as [| [k q] l IH]; intros N; [reflexivity |]. cbn [fold_left fst snd map In] in *.
    destruct (Nat.eqb_spec q r) as [-> |]; [destruct N; now left |]. apply IH. tauto.
  Qed.

  Lemma updated_once l a : NoDup (map snd l) -> In r (map snd l) ->
    updated l a = f a (nth (place_of r (map snd l)) (map fst l) 0).
  Proof.
    induction l as [| [k q] l IH]; intros D I; [destruct I |]. cbn [map fst snd place_of] in *.
    inversion D as [| ? ? N D']; subst.
    unfold updated. cbn [fold_left fst snd]. rewrite (Nat.eqb_sym q r). destruct (Nat.eqb_spec r q) as [e | ne].
    - rewrite <- e in N. exact (updated_out l (f a k) N).
    - apply IH; [exact D' |]. destruct I; congruence || assumption.
  Qed.
End Updates.

Lemma parted_in l kq : forall seen, In kq (fst (parted seen l)) \/ In kq (snd (parted seen l)) -> In kq l.
Proof.
  induction l as [| [k q] l IH]; intros seen I; [destruct I as [[] | []] |]. cbn [parted] in I.
  destruct (has q seen); [specialize (IH seen); destruct (parted seen l) | specialize (IH (q :: seen));
    destruct (parted (q :: seen) l)]; cbn [fst snd In] in *; tauto.
Qed.

Lemma parted_once l : forall seen, NoDup (map snd (fst (parted seen l))) /\
  forall r, In r (map snd (fst (parted seen l))) -> ~ In r seen.
Proof.
  induction l as [| [k q] l IH]; intros seen; [split; [constructor | intros r []] |]. cbn [parted].
  destruct (has q seen) eqn:H.
  - specialize (IH seen). destruct (parted seen l) as [now later]. exact IH.
  - specialize (IH (q :: seen)). destruct (parted (q :: seen) l) as [now later]. cbn [fst map snd] in *. destruct IH as [D N].
    split; [constructor; [intros I; apply (N q I); now left | exact D] |].
    intros r [<- | I]; [intros I; apply has_in in I; congruence |]. intros J. apply (N r I). now right.
Qed.

Lemma parted_less l : forall seen, length (snd (parted seen l)) <= length l.
Proof.
  induction l as [| [k q] l IH]; intros seen; [reflexivity |]. cbn [parted].
  destruct (has q seen); [specialize (IH seen); destruct (parted seen l) | specialize (IH (q :: seen));
    destruct (parted (q :: seen) l)]; cbn [snd length] in *; lia.
Qed.

(** A round of [n] updates: no row comes twice. *)
Definition is_round (n count : nat) (now : list (nat * nat)) : Prop :=
  NoDup (map snd now) /\ forall k r, In (k, r) now -> k < n /\ r < count.

Lemma rounds_from_are n count fuel : forall l, (forall k r, In (k, r) l -> k < n /\ r < count) ->
  Forall (is_round n count) (rounds_from fuel l).
Proof.
  induction fuel as [| fuel IH]; intros [| kq l] B; try constructor. cbn [rounds_from].
  pose proof (parted_in (kq :: l)) as P. pose proof (parted_once (kq :: l) []) as [D _]. specialize (fun kq => P kq []).
  destruct (parted [] (kq :: l)) as [now later]. cbn [fst snd] in *. constructor.
  - split; [exact D |]. intros k r I. apply B, P. now left.
  - apply IH. intros k r I. apply B, P. now right.
Qed.

Lemma rounds_from_updated {A} (f : A -> nat -> A) r fuel : forall l a, length l <= fuel ->
  fold_left (fun a now => updated f r now a) (rounds_from fuel l) a = updated f r l a.
Proof.
  induction fuel as [| fuel IH]; intros [| [k q] l] a L; try reflexivity; [cbn in L; lia |]. cbn [rounds_from].
  pose proof (parted_updated f r ((k, q) :: l) [] a) as U. pose proof (parted_less l [q]) as M.
  cbn [parted has existsb] in *. destruct (parted [q] l) as [now later]. cbn [fst snd] in *. cbn [fold_left].
  rewrite IH by (cbn [length] in L; lia). exact U.
Qed.

(** *** Updates that replace *)

Lemma firsts_in rs r : In r (firsts rs) <-> In r rs.
Proof.
  induction rs as [| q rs IH]; [reflexivity |]. cbn [firsts In]. rewrite filter_In, IH, negb_true_iff, Nat.eqb_neq.
  destruct (Nat.eq_dec q r) as [-> | ne]; [tauto |]. intuition congruence.
Qed.

Lemma firsts_once rs : NoDup (firsts rs).
Proof.
  induction rs as [| q rs IH]; [constructor |]. cbn [firsts]. constructor; [| now apply NoDup_filter].
  rewrite filter_In, Nat.eqb_refl. now intros [_ F].
Qed.

Lemma last_update_spec {A} (f : nat -> A) r rs : forall k a,
  updated (fun _ => f) r (combine (seq k (length rs)) rs) a = match last_update k rs r with Some j => f j | None => a end.
Proof.
  unfold updated. induction rs as [| q rs IH]; intros k a; [reflexivity |].
  cbn [length seq combine fold_left fst snd last_update].
  rewrite IH. destruct (last_update (Datatypes.S k) rs r) as [j |]; [reflexivity |]. now destruct (q =? r).
Qed.

Lemma last_update_bound rs r : forall k j, last_update k rs r = Some j -> k <= j < k + length rs.
Proof.
  induction rs as [| q rs IH]; intros k j E; [discriminate |]. cbn [last_update length] in *.
  destruct (last_update (Datatypes.S k) rs r) as [h |] eqn:F; [injection E as <-; specialize (IH _ _ F); lia |].
  destruct (q =? r); [injection E as <-; lia | discriminate].
Qed.

Lemma last_update_in rs r : forall k, In r rs -> exists j, last_update k rs r = Some j.
Proof.
  induction rs as [| q rs IH]; intros k I; [destruct I |]. cbn [last_update].
  destruct (last_update (Datatypes.S k) rs r) as [j |] eqn:F; [now exists j |].
  destruct I as [-> | I]; [exists k; now rewrite Nat.eqb_refl |]. destruct (IH (Datatypes.S k) I) as [j J]. congruence.
Qed.

Lemma last_update_out rs r : forall k, ~ In r rs -> last_update k rs r = None.
Proof.
  induction rs as [| q rs IH]; intros k N; [reflexivity |]. cbn [last_update]. rewrite IH by (intros I; apply N; now right).
  destruct (Nat.eqb_spec q r) as [-> |]; [destruct N; now left | reflexivity].
Qed.

Lemma last_of_lt rs r : In r rs -> last_of rs r < length rs.
Proof.
  intros I. unfold last_of. destruct (last_update_in rs r 0 I) as [j E]. rewrite E. apply last_update_bound in E. lia.
Qed.

Lemma map_lasts rs : map snd (map (fun r => (last_of rs r, r)) (firsts rs)) = firsts rs /\
  map fst (map (fun r => (last_of rs r, r)) (firsts rs)) = map (last_of rs) (firsts rs).
Proof. rewrite !map_map. split; [apply map_id | reflexivity]. Qed.

Lemma lasts_updated {A} (f : nat -> A) rs r a :
  updated (fun _ => f) r (map (fun r => (last_of rs r, r)) (firsts rs)) a = updated (fun _ => f) r (updates_of rs) a.
Proof.
  unfold updates_of. rewrite last_update_spec. destruct (map_lasts rs) as [E F]. destruct (in_dec Nat.eq_dec r rs) as [I | N].
  - pose proof (proj2 (firsts_in rs r) I) as J. destruct (place_of_spec r _ J) as [Q P].
    rewrite updated_once by (rewrite E; apply firsts_once || exact J). rewrite E, F.
    rewrite (nth_map_lt (last_of rs) (firsts rs) _ 0 0) by exact Q. rewrite P. unfold last_of.
    destruct (last_update_in rs r 0 I) as [k ->]. reflexivity.
  - rewrite updated_out by (rewrite E; now rewrite firsts_in). now rewrite last_update_out.
Qed.

(** *** All rounds *)

Lemma rounds_are red rs count : (forall r, In r rs -> r < count) -> Forall (is_round (length rs) count) (rounds_of red rs).
Proof.
  intros B. assert (F : Forall (is_round (length rs) count) (rounds_from (length rs) (updates_of rs))).
  { apply rounds_from_are. intros k r I. split; [apply in_combine_l, in_seq in I; lia | apply in_combine_r in I; auto]. }
  destruct red; try exact F. cbn [rounds_of]. constructor; [| constructor]. split.
  - rewrite (proj1 (map_lasts rs)). apply firsts_once.
  - intros k r I. apply in_map_iff in I. destruct I as (q & E & I). injection E as K R. apply (firsts_in rs q) in I.
    subst. split; [now apply last_of_lt | now apply B].
Qed.

Lemma rounds_updated S red (u : nat -> num S) rs r a :
  fold_left (fun a now => updated (fun a k => reduced_by S red a (u k)) r now a) (rounds_of red rs) a =
  fold_left (fun a k => if nth k rs 0 =? r then reduced_by S red a (u k) else a) (seq 0 (length rs)) a.
Proof.
  transitivity (updated (fun a k => reduced_by S red a (u k)) r (updates_of rs) a); [| exact (updated_seq _ r rs 0 a)].
  destruct red; cbn [rounds_of]; try (apply rounds_from_updated; unfold updates_of; rewrite combine_length; lia).
  cbn [fold_left]. exact (lasts_updated u rs r a).
Qed.

(** ** What the steps give *)

Section Rows.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Hypothesis counted : forall n : nat, (N.of_nat n <= 2 * most_rows)%N ->
    s_index S (typed i64_code (LInt (Z.of_nat n))) = Some (Z.of_nat n).
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation runs := (runs S typed).

  (** [n] rows: [f r p] is in row [r] at place [p]. *)
  Definition rows_are (vs : list (gvalue tensor)) (k n inner : nat) (f : nat -> Z -> num) : Prop :=
    shows S vs k [n; inner] (fun i => f (Z.to_nat (nth 0 i 0%Z)) (nth 1 i 0%Z)).

  Lemma rows_ext vs k n inner f g : (forall r p, r < n -> (0 <= p < Z.of_nat inner)%Z -> f r p = g r p) ->
    rows_are vs k n inner f -> rows_are vs k n inner g.
  Proof.
    intros E. apply shows_ext. intros i I. apply in_box_two in I. destruct I as (a & b & -> & A & B). cbn [nth]. apply E; lia.
  Qed.

  Lemma rows_extends vs ws k n inner f : rows_are vs k n inner f -> extends S vs ws -> rows_are ws k n inner f.
  Proof. apply shows_extends. Qed.

  Lemma runs_taken vs k l n inner f : rows_are vs k n inner f -> (N.of_nat n <= 2 * most_rows)%N ->
    (forall j, In j l -> j < n) ->
    runs vs (taken k l) (fun ws j => rows_are ws j (length l) inner (fun r p => f (nth r l 0) p)).
  Proof.
    intros K M R. unfold taken, integers_at. unfold rows_are, shows in K. set (x := tabulate [n; inner] _) in *.
    eapply runs_bind; [apply (runs_constant S typed vs i64_code [length l] (map (fun n => LInt (Z.of_nat n)) l)) |].
    { rewrite map_length. cbn. lia. }
    intros ws j X J. cbv beta in J. set (cs := map (typed i64_code) _) in J.
    eapply runs_weaken; [apply (runs_apply S typed ws _ _ _ [GTensor x; GTensor (Tensor [length l] cs)]) |].
    - constructor; [eapply knows_extends; eassumption |]. constructor; [exact J | constructor].
    - apply (gather_value S 0 x (length l) cs (map Z.of_nat l)); [cbn; lia | apply map_length | |].
      + unfold cs. rewrite !map_map. apply map_ext_in. intros j' I. apply counted. specialize (R j' I). lia.
      + intros z I. apply in_map_iff in I. destruct I as (j' & <- & I). specialize (R j' I). cbn [dims x tabulate nth]. lia.
    - intros us h _ H. cbv beta in H. cbn [dims x tabulate set_nth] in H. revert H. apply shows_ext. intros i I.
      apply in_box_two in I. destruct I as (a & b & -> & A & B). cbn [nth set_nth].
      rewrite (nth_map_lt Z.of_nat l (Z.to_nat a) 0 0%Z) by lia.
      assert (L : nth (Z.to_nat a) l 0 < n) by (apply R, nth_In; lia).
      unfold x. rewrite at_table by (apply in_box_pair; lia). cbn [nth]. now rewrite Nat2Z.id.
  Qed.

  (** Rows behind rows. *)
  Lemma runs_stacked vs j k m n inner f g : rows_are vs j m inner f -> rows_are vs k n inner g ->
    runs vs (apply "Concat" [("axis", nat_value 0)] [j; k])
      (fun ws h => rows_are ws h (m + n) inner (fun r p => if r <? m then f r p else g (r - m) p)).
  Proof.
    intros J K. unfold rows_are, shows in J, K. set (x := tabulate [m; inner] _) in *. set (t := tabulate [n; inner] _) in *.
    eapply runs_weaken; [eapply (runs_apply S typed vs _ _ _ [GTensor x; GTensor t]) |].
    - repeat constructor; assumption.
    - change [GTensor x; GTensor t] with (map (@GTensor _) (x :: [t])).
      apply (concat_value S 0 x [t] [m + n; inner]); [cbn; lia |].
      unfold concat_dims. cbn [x t dims tabulate map length nth set_nth forallb fold_left].
      rewrite Nat.eqb_refl, sizes_eqb_refl. reflexivity.
    - intros ws h _. apply shows_ext. intros i I. apply in_box_two in I. destruct I as (a & b & -> & A & B).
      cbn [concat_cell x dims tabulate nth set_nth].
      destruct (Z.ltb_spec a (Z.of_nat m)) as [lt | ge].
      + unfold x. rewrite at_table by (apply in_box_pair; lia). cbn [nth]. now rewrite (proj2 (Nat.ltb_lt _ _)) by lia.
      + unfold t. rewrite at_table by (apply in_box_pair; lia). cbn [nth]. rewrite (proj2 (Nat.ltb_ge _ _)) by lia.
        f_equal. lia.
  Qed.

  Lemma operator_value red name x y : operator_of red = Some name -> dims y = dims x ->
    op_value S name [] [GTensor x; GTensor y] =
    Some (GTensor (tabulate (dims x) (fun i => reduced_by S red (at_ S x i) (at_ S y i)))).
  Proof.
    intros N D. destruct red; try discriminate; apply some_eq in N; subst name; cbn [reduced_by].
    - now apply (binary_same S "Add" (s_add S)).
    - now apply (binary_same S "Mul" (s_mul S)).
    - now apply (folded_same S "Max" (s_max S)).
    - now apply (folded_same S "Min" (s_min S)).
  Qed.

  Lemma runs_new_rows red vs x u now count n inner f g : rows_are vs x count inner f -> rows_are vs u n inner g ->
    is_round n count now -> (N.of_nat count <= 2 * most_rows)%N -> (N.of_nat n <= 2 * most_rows)%N ->
    runs vs (new_rows red x u now) (fun ws k => rows_are ws k (length now) inner
      (fun j p => reduced_by S red (f (nth j (map snd now) 0) p) (g (nth j (map fst now) 0) p))).
  Proof.
    intros X U [_ B] C N. unfold new_rows. eapply runs_bind.
    { apply (runs_taken vs u (map fst now) n inner g U N). intros j I. apply in_map_iff in I.
      destruct I as ([k r] & <- & I). exact (proj1 (B k r I)). }
    intros ws t E T. cbv beta in T. rewrite map_length in T. destruct (operator_of red) as [name |] eqn:O.
    - eapply runs_bind.
      { apply (runs_taken ws x (map snd now) count inner f); [eapply rows_extends; eassumption | exact C |]. intros j I.
        apply in_map_iff in I. destruct I as ([k r] & <- & I). exact (proj2 (B k r I)). }
      intros us o F P. cbv beta in P. rewrite map_length in P. unfold rows_are, shows in P, T.
      eapply runs_weaken; [eapply (runs_apply S typed us name [] [o; t] [GTensor _; GTensor _]) |].
      + constructor; [exact P |]. constructor; [exact (knows_extends S _ _ _ _ T F) | constructor].
      + apply (operator_value red name); [exact O | reflexivity].
      + intros vs' k _. apply shows_ext. intros i I. now rewrite !at_table.
    - apply runs_return. destruct red; try discriminate. exact T.
  Qed.

  Lemma round_length n count now : is_round n count now -> length now <= count.
  Proof.
    intros [D B]. rewrite <- (map_length snd), <- (seq_length count 0). apply NoDup_incl_length; [exact D |].
    intros r I. apply in_map_iff in I. destruct I as ([k q] & <- & I). apply in_seq. specialize (B k q I). cbn. lia.
  Qed.

  Lemma runs_round red vs x u now count n inner f g : rows_are vs x count inner f -> rows_are vs u n inner g ->
    is_round n count now -> (N.of_nat count <= most_rows)%N -> (N.of_nat n <= most_rows)%N ->
    runs vs (one_round red count x u now) (fun ws k => rows_are ws k count inner
      (fun r p => updated (fun a k => reduced_by S red a (g k p)) r now (f r p))).
  Proof.
    intros X U B C N. pose proof (round_length _ _ _ B) as L. unfold one_round. eapply runs_bind.
    { apply (runs_new_rows red vs x u now count n inner f g X U B); lia. }
    intros ws t E T. cbv beta in T. eapply runs_bind.
    { eapply (runs_stacked ws x t count (length now) inner f); [eapply rows_extends; eassumption | exact T]. }
    intros us c F K. cbv beta in K. eapply runs_weaken; [apply (runs_taken us c _ _ inner _ K) |].
    - lia.
    - intros j I. apply in_map_iff in I. destruct I as (r & <- & I). apply in_seq in I. unfold row_from.
      destruct (has r (map snd now)) eqn:H; [| lia]. apply has_in, place_of_lt in H. rewrite map_length in H. lia.
    - intros vs' k _. rewrite map_length, seq_length. apply rows_ext. intros r p R P.
      rewrite (nth_map_lt (row_from count (map snd now)) (seq 0 count) r 0 0) by (rewrite seq_length; exact R).
      rewrite seq_nth by exact R. cbn [Nat.add]. unfold row_from. destruct (has r (map snd now)) eqn:H.
      + apply has_in in H. rewrite (proj2 (Nat.ltb_ge (count + place_of r (map snd now)) count)) by lia.
        replace (count + place_of r (map snd now) - count) with (place_of r (map snd now)) by lia.
        rewrite nth_place_of by exact H. symmetry.
        exact (updated_once (fun a k => reduced_by S red a (g k p)) r now (f r p) (proj1 B) H).
      + rewrite (proj2 (Nat.ltb_lt _ _) R). symmetry. apply updated_out. intros I. apply has_in in I. congruence.
  Qed.

  Lemma runs_rounds red u n count inner g rounds : (N.of_nat count <= most_rows)%N -> (N.of_nat n <= most_rows)%N ->
    Forall (is_round n count) rounds -> forall vs x f, rows_are vs x count inner f -> rows_are vs u n inner g ->
    runs vs (all_rounds red count u rounds x) (fun ws k => rows_are ws k count inner
      (fun r p => fold_left (fun a now => updated (fun a k => reduced_by S red a (g k p)) r now a) rounds (f r p))).
  Proof.
    intros C N. induction 1 as [| now rounds B _ IH]; intros vs x f X U; [now apply runs_return |]. cbn [all_rounds].
    eapply runs_bind; [exact (runs_round red vs x u now count n inner f g X U B C N) |].
    intros ws y E Y. cbv beta in Y. cbn [fold_left]. exact (IH ws y _ Y (rows_extends _ _ _ _ _ _ U E)).
  Qed.

  Lemma rows_of_tensor vs k n inner (x : tensor) : good x -> n * inner = cell_count (dims x) ->
    knows S vs k (GTensor (Tensor [n; inner] (cells x))) ->
    rows_are vs k n inner (fun r p => nth (r * inner + Z.to_nat p) (cells x) (s_zero S)).
  Proof.
    intros G C K. apply (shows_tensor S) in K; [| unfold good in *; cbn [dims cells]; rewrite G, <- C; cbn; lia].
    revert K. apply shows_ext. intros i I. pose proof I as J. apply in_box_two in J. destruct J as (a & b & -> & A & B).
    unfold at_, get. cbn [dims cells]. rewrite I. cbn [position cell_count fold_right nth]. f_equal. nia.
  Qed.

  (** Row [r] at place [p] is X's cell with all updates of that row. *)
  Theorem scattered_runs red count inner rs (x u : tensor) b : good x -> good u ->
    count * inner = cell_count (dims x) -> length rs * inner = cell_count (dims u) -> (forall r, In r rs -> r < count) ->
    scattered red count inner rs (dims x) (dims u) = Some b ->
    composed S typed b [x; u] = Some (tabulate (dims x) (fun i =>
      let q := position (dims x) i in
      fold_left (fun a k => if nth k rs 0 =? q / inner
                            then reduced_by S red a (nth (k * inner + q mod inner) (cells u) (s_zero S)) else a)
        (seq 0 (length rs)) (at_ S x i))).
  Proof.
    intros Gx Gu Cx Cu R B. unfold scattered, guard in B. destruct (_ && _) eqn:Q in B; [| discriminate].
    apply some_eq in B. subst b. rewrite !andb_true_iff, !Nat.leb_le, !N.leb_le in Q.
    destruct Q as [[[[[_ I1] _] Mc] Mn] _]. apply runs_composed.
    eapply runs_bind; [apply (runs_reshaped S typed (map (@GTensor _) [x; u]) [count; inner] x 0);
      [reflexivity | exact Gx | cbn; lia] |].
    intros v1 j1 X1 K1. cbv beta in K1.
    eapply runs_bind; [apply (runs_reshaped S typed v1 [length rs; inner] u 1); [| exact Gu | cbn; lia] |].
    { eapply knows_extends; [| exact X1]. reflexivity. }
    intros v2 j2 X2 K2. cbv beta in K2. apply (rows_of_tensor _ _ _ _ u Gu Cu) in K2.
    pose proof (rows_of_tensor _ _ _ _ x Gx Cx (knows_extends _ _ _ _ _ K1 X2)) as K1'.
    eapply runs_bind; [exact (runs_rounds red j2 (length rs) count inner _ _ Mc Mn (rounds_are red rs count R) v2 j1 _ K1' K2) |].
    intros v3 j3 X3 K3. cbv beta in K3. unfold rows_are, shows in K3. set (y := tabulate [count; inner] _) in K3.
    assert (Cy : cell_count (dims x) = cell_count (dims y)) by (cbn; lia).
    eapply runs_weaken; [apply (runs_reshaped S typed v3 (dims x) y j3 K3); [apply good_tabulate | exact Cy] |].
    intros v4 j4 _ K4. cbv beta in K4.
    match goal with |- knows S v4 j4 (GTensor ?w) => assert (Tensor (dims x) (cells y) = w) as E; [| now rewrite E in K4] end.
    apply (tensor_ext (s_zero S)); [unfold good; cbn [dims cells]; rewrite Cy; apply good_tabulate | apply good_tabulate |
      reflexivity |].
    cbn [dims]. intros i I. change (get (s_zero S) (Tensor (dims x) (cells y)) i) with (at_ S (Tensor (dims x) (cells y)) i).
    rewrite get_tabulate by exact I. set (q := position (dims x) i).
    pose proof (position_lt _ _ I) as lt. fold q in lt.
    pose proof (Nat.div_mod q inner ltac:(lia)) as Dq. pose proof (Nat.mod_upper_bound q inner ltac:(lia)) as Mq.
    assert (Hq : q / inner < count) by (apply Nat.div_lt_upper_bound; lia).
    assert (J : in_box [count; inner] [Z.of_nat (q / inner); Z.of_nat (q mod inner)] = true) by (apply in_box_pair; lia).
    rewrite (at_recast S (dims x) y i _ I J).
    - unfold y. rewrite at_table by exact J. cbn [nth]. rewrite !Nat2Z.id.
      rewrite (rounds_updated S red (fun k => nth (k * inner + q mod inner) (cells u) (s_zero S))).
      f_equal. unfold at_, get. rewrite I. fold q. f_equal. lia.
    - cbn [y dims tabulate position cell_count fold_right]. rewrite !Nat2Z.id. fold q. lia.
  Qed.
End Rows.

(** Places of rows are counted in graphs that mix element types. *)
Lemma mixed_counts (n : nat) : (N.of_nat n <= 2 * most_rows)%N ->
  s_index (mixed standard) (Steps.typed (mixed standard) i64_code (LInt (Z.of_nat n))) = Some (Z.of_nat n).
Proof.
  intros le. change (Some (wrap (Z.of_nat n)) = Some (Z.of_nat n)). unfold wrap, least.
  rewrite Z.mod_small by (unfold most_rows in le; lia). f_equal. lia.
Qed.
