(** * Recurrent operators: what LSTM, GRU and RNN have in common

    A state goes through the steps of a sequence, in each direction for itself.  What the inputs contribute to all steps
    is one product (c/onnx/expand_rnn.c), and then each step has its own operators: the composition is as long as the
    sequence.  By induction over the steps it computes the states of the recurrence.

    Both layouts: of layout 1 inputs and outputs are transposed ([RecurrentSteps]).  [sequence_lens] that are not constant and all
    the whole sequence, [clip], [input_forget] and activations other than the usual ones are left out: C leaves these
    opaque.  What is made of constant weights and biases alone is a constant there. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable onnx.Composition onnx.Steps onnx.Tables onnx.RecurrentSteps.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** Sizes and directions *)

Inductive direction := Forward | Reverse | Bidirectional.

Definition directions (d : direction) : nat := match d with Bidirectional => 2 | _ => 1 end.

Record recurrence := Recurrence {
  seq_length : nat; batch_size : nat; input_size : nat; hidden_size : nat; toward : direction;
  by_batch : bool   (** layout 1 *)
}.

(** X [seq_length, batch_size, input_size], of layout 1 [batch_size, seq_length, input_size], W [directions, gates *
    hidden_size, input_size], R [directions, gates * hidden_size, hidden_size]. *)
Definition recurrence_of (gates : nat) (d : direction) (first : bool) (x w r : sizes) : option recurrence :=
  match x, w, r with
  | [t; b; n], [k; g; n'], [k'; g'; h] =>
      guard ((k =? directions d) && (k' =? directions d) && (n' =? n) && (g =? gates * h) && (g' =? gates * h))
        (Some (if first then Recurrence b t n h d true else Recurrence t b n h d false))
  | _, _, _ => None
  end.

(** What C reads of it: steps that are not too many, and no empty tensor. *)
Definition unrolls (gates : nat) (p : recurrence) : bool :=
  (seq_length p <=? 256) && negb (seq_length p * (batch_size p * input_size p) =? 0) && negb (hidden_size p =? 0) &&
  (Z.of_nat (gates * hidden_size p) <=? 1048576)%Z && (Z.of_nat (batch_size p * hidden_size p) <=? 2097152)%Z.

(** An optional input has these sizes. *)
Definition sized (ds : sizes) (o : option sizes) : bool := match o with Some e => sizes_eqb e ds | None => true end.

(** The sizes of initial and last states. *)
Definition state_sizes (p : recurrence) : sizes := laid (by_batch p) (directions (toward p)) (batch_size p) (hidden_size p).

(** Direction [k] goes backwards: the second one of two, or the only one. *)
Definition backwards (p : recurrence) (k : nat) : bool :=
  match toward p with Forward => false | Reverse => true | Bidirectional => k =? 1 end.

Definition turns {A} (p : recurrence) (k : nat) (l : list A) : list A := if backwards p k then rev l else l.

(** The times in the order of the steps. *)
Definition order (p : recurrence) (k : nat) : list nat := turns p k (seq 0 (seq_length p)).

(** The states after each of the steps. *)
Fixpoint states {A} (next : nat -> A -> A) (times : list nat) (s : A) : list A :=
  match times with
  | [] => []
  | t :: times' => let s' := next t s in s' :: states next times' s'
  end.

Lemma turns_length {A} p k (l : list A) : List.length (turns p k l) = List.length l.
Proof. unfold turns. destruct (backwards p k); [apply rev_length | reflexivity]. Qed.

Lemma states_length {A} (next : nat -> A -> A) times s : List.length (states next times s) = List.length times.
Proof. revert s. induction times as [| t times IH]; intros s; [reflexivity |]. cbn [states List.length]. now rewrite IH. Qed.

Lemma turns_all {A B} (R : A -> B -> Prop) p k l m : Forall2 R l m -> Forall2 R (turns p k l) (turns p k m).
Proof.
  intros F. unfold turns. destruct (backwards p k); [| exact F]. induction F as [| a b l m E _ IH]; [constructor |].
  cbn [rev]. apply Forall2_app; [exact IH | now constructor].
Qed.

Lemma in_order p k t : In t (order p k) -> t < seq_length p.
Proof.
  unfold order, turns. intros I. enough (In t (seq 0 (seq_length p))) as J by (apply in_seq in J; lia).
  destruct (backwards p k); [now apply in_rev |]; exact I.
Qed.

(** ** The formula *)

Section Formula.
  Variable S : arith.
  Notation num := (num S).
  Notation tensor := (tensor num).

  (** X_t * W^T of direction [k], at row [b] and gate column [g], and what is added to it once. *)
  Definition input_part (p : recurrence) (x w : tensor) (bias : option (nat -> Z -> num)) (k t : nat) (b g : Z) : num :=
    let s := dot S (input_size p) (fun z => at_ S x (laid (by_batch p) (Z.of_nat t) b z)) (fun z => at_ S w [Z.of_nat k; g; z]) in
    match bias with Some f => s_add S s (f k g) | None => s end.

  (** H * R^T. *)
  Definition state_part (p : recurrence) (h r : tensor) (k : nat) (b g : Z) : num :=
    dot S (hidden_size p) (fun z => at_ S h [b; z]) (fun z => at_ S r [Z.of_nat k; g; z]).

  (** Column [j] of gate [gate]. *)
  Definition column (p : recurrence) (gate : nat) (j : Z) : Z := (Z.of_nat (gate * hidden_size p) + j)%Z.

  (** Wb + Rb, one behind the other in B [directions, 2 * gates * hidden_size]. *)
  Definition both_biases (p : recurrence) (gates : nat) (b : tensor) (k : nat) (g : Z) : num :=
    s_add S (at_ S b [Z.of_nat k; g]) (at_ S b [Z.of_nat k; column p gates g]).

  (** One number for each row of the batch and each column of the state. *)
  Definition cellwise (p : recurrence) (f : Z -> Z -> num) : tensor :=
    tabulate [batch_size p; hidden_size p] (fun i => f (nth 0 i 0%Z) (nth 1 i 0%Z)).

  (** The initial state of direction [k]; if there is none it is 0 of the element type. *)
  Definition initial_state (p : recurrence) (zero : num) (o : option tensor) (k : nat) : tensor :=
    cellwise p (fun b j => match o with Some h => at_ S h (laid (by_batch p) (Z.of_nat k) b j) | None => zero end).

  (** The states of all directions, each in the order of its steps. *)
  Definition all_states {A} (p : recurrence) (next : nat -> nat -> A -> A) (start : nat -> A) : list (list A) :=
    map (fun k => states (next k) (order p k) (start k)) (seq 0 (directions (toward p))).

  (** The last states [directions, batch_size, hidden_size]; of layout 1 the batch is the first dimension. *)
  Definition last_output {A} (p : recurrence) (next : nat -> nat -> A -> A) (start : nat -> A) (part : A -> tensor) : tensor :=
    tabulate (state_sizes p) (fun i =>
      let j := laid_place (by_batch p) i in
      let k := Z.to_nat (nth 0 j 0%Z) in at_ S (part (last (nth k (all_states p next start) []) (start k))) (skipn 1 j)).

  (** Y [seq_length, directions, batch_size, hidden_size] has the hidden states of all times; the batch is first in layout 1. *)
  Definition outputs {A} (p : recurrence) (hidden : A -> tensor) (parts : list (A -> tensor)) (next : nat -> nat -> A -> A)
      (start : nat -> A) : list tensor :=
    tabulate (laid_all (by_batch p) (seq_length p) (directions (toward p)) (batch_size p) (hidden_size p)) (fun i =>
      let j := laid_all_place (by_batch p) i in
      let k := Z.to_nat (nth 1 j 0%Z) in
      at_ S (hidden (nth (Z.to_nat (nth 0 j 0%Z)) (turns p k (nth k (all_states p next start) [])) (start k))) (skipn 2 j)) ::
    map (last_output p next start) parts.
End Formula.

(** ** Optional inputs, which come one after the other where they are there *)

Definition present {A} (l : list (option A)) : list A := flat_map (fun o => match o with Some a => [a] | None => [] end) l.

Fixpoint places {A} (n : nat) (l : list (option A)) : list (option nat) :=
  match l with
  | [] => []
  | Some _ :: l' => Some n :: places (S n) l'
  | None :: l' => None :: places n l'
  end.

Lemma places_map {A B} (f : A -> B) l : forall n, places n (map (option_map f) l) = places n l.
Proof. induction l as [| [a |] l IH]; intros n; [reflexivity | |]; cbn [map option_map places]; now rewrite IH. Qed.

Lemma nth_places {A} (l : list (option A)) : forall (before : list A) k,
  match nth k (places (List.length before) l) None, nth k l None with
  | Some m, Some a => nth_error (before ++ present l) m = Some a
  | None, None => True
  | _, _ => False
  end.
Proof.
  induction l as [| [a |] l IH]; intros before k; [now destruct k | |].
  - specialize (IH (before ++ [a])). rewrite app_length in IH. cbn [List.length] in IH. rewrite Nat.add_1_r in IH.
    destruct k as [| k]; cbn [places nth present flat_map app].
    + rewrite nth_error_app2 by lia. now rewrite Nat.sub_diag.
    + specialize (IH k). rewrite <- app_assoc in IH. exact IH.
  - destruct k as [| k]; cbn [places nth present flat_map app]; [exact I | apply IH].
Qed.

(** ** Sizes that are read *)

Lemma recurrence_sizes gates d first x w r p : recurrence_of gates d first x w r = Some p ->
  x = laid (by_batch p) (seq_length p) (batch_size p) (input_size p) /\
  w = [directions (toward p); gates * hidden_size p; input_size p] /\
  r = [directions (toward p); gates * hidden_size p; hidden_size p].
Proof.
  unfold recurrence_of, guard. destruct x as [| t [| b [| n [| ? ?]]]]; try discriminate.
  destruct w as [| k [| g [| n' [| ? ?]]]]; try discriminate. destruct r as [| k' [| g' [| h [| ? ?]]]]; try discriminate.
  destruct (_ && _) eqn:E; [| discriminate]. rewrite !andb_true_iff, !Nat.eqb_eq in E.
  destruct E as ((((-> & ->) & ->) & ->) & ->). intros F. injection F as <-. destruct first; auto.
Qed.

Lemma some_same {A} (a b : A) : Some a = Some b -> a = b.
Proof. congruence. Qed.

Lemma unrolls_steps gates p : unrolls gates p = true -> seq_length p <> 0.
Proof.
  unfold unrolls. rewrite !andb_true_iff, negb_true_iff, Nat.eqb_neq. intros ((((_ & E) & _) & _) & _) Z. rewrite Z in E. lia.
Qed.

(** ** The composition *)

(** A matrix of direction [k], its rows the inputs. *)
Definition turned_weights (p : recurrence) (rows columns k w : nat) : build nat :=
  m <- element [directions (toward p); rows; columns] k w ;; turned m.

(** The places of an input that is there. *)
Definition initial (type : Z) (p : recurrence) (o : option nat) (k : nat) : build nat :=
  match o with
  | Some x => laid_element (by_batch p) (directions (toward p)) (batch_size p) (hidden_size p) k x
  | None => constant type [batch_size p; hidden_size p] (repeat (LInt 0) (cell_count [batch_size p; hidden_size p]))
  end.

Definition gate (p : recurrence) (gates sum g : nat) : build nat :=
  piece [batch_size p; gates * hidden_size p] 1 (g * hidden_size p) (hidden_size p) sum.

Definition plus_optional (x : nat) (o : option nat) : build nat := match o with Some y => plus x y | None => Return x end.

(** The two biases of all gates. *)
Definition biases (p : recurrence) (gates b k : nat) : build (nat * nat) :=
  let wide := gates * hidden_size p in
  v <- element [directions (toward p); 2 * wide] k b ;;
  wb <- piece [2 * wide] 0 0 wide v ;; rb <- piece [2 * wide] 0 wide wide v ;; Return (wb, rb).

(** Added once. *)
Definition bias_sum (p : recurrence) (gates : nat) (o : option nat) (k : nat) : build (option nat) :=
  match o with
  | Some b => v <- biases p gates b k ;; s <- plus (fst v) (snd v) ;; Return (Some s)
  | None => Return None
  end.

(** [start] reads what a direction has ([C]) and its first state, [next] is a step on what the inputs contribute. *)
Section Composition.
  Context {C N : Type} (p : recurrence) (gates : nat) (start : nat -> build (C * N)) (bias : C -> option nat).
  Context (next : C -> nat -> N -> build N) (hidden : N -> nat) (parts : list (N -> nat)).
  Let wide := gates * hidden_size p.
  Let ways := directions (toward p).

  Fixpoint unrolled (c : C) (all : nat) (times : list nat) (s : N) : build (list (N * nat)) :=
    match times with
    | [] => Return []
    | t :: times' =>
        x <- element [seq_length p; batch_size p; wide] t all ;;
        s' <- next c x s ;;
        y <- led [1; 1; batch_size p; hidden_size p] (hidden s') ;;
        l <- unrolled c all times' s' ;;
        Return ((s', y) :: l)
    end.

  (** The states of one direction for each time, and the last one; W is the second input. *)
  Definition one_direction (x k : nat) : build (nat * N) :=
    c <- start k ;;
    m <- turned_weights p wide (input_size p) k 1 ;;
    xw <- product x m ;;
    all <- plus_optional xw (bias (fst c)) ;;
    l <- unrolled (fst c) all (order p k) (snd c) ;;
    y <- joined 0 (turns p k (map snd l)) ;;
    Return (y, last (map fst l) (snd c)).

  Definition last_states (l : list N) (part : N -> nat) : build nat :=
    hs <- in_turn (fun s => led [1; batch_size p; hidden_size p] (part s)) l ;;
    h <- joined 0 hs ;;
    swapped (by_batch p) h.

  Definition recurrent : build (list nat) :=
    x <- swapped (by_batch p) 0 ;;
    l <- in_turn (one_direction x) (seq 0 ways) ;;
    all <- joined 1 (map fst l) ;;
    y <- swapped_all (by_batch p) all ;;
    ends <- in_turn (last_states (map snd l)) parts ;;
    Return (y :: ends).
End Composition.

(** ** The composition computes the formula *)

Section Proof.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation values := (list (gvalue tensor)).
  Notation runs := (runs S typed).
  Notation shows := (shows S).
  Notation extends := (extends S).
  Implicit Types (vs ws us : values).

  (** What is known of an input that is there. *)
  Definition input_shown vs (o : option nat) (ds : sizes) (v : option tensor) : Prop :=
    match o, v with Some n, Some t => shows vs n ds (at_ S t) | None, None => True | _, _ => False end.

  Lemma input_extends vs ws o ds v : input_shown vs o ds v -> extends vs ws -> input_shown ws o ds v.
  Proof. unfold input_shown. destruct o, v; try tauto. intros K X. exact (shows_extends _ _ _ _ _ _ K X). Qed.

  Lemma input_places (before : list tensor) os k ds : Forall good (present os) ->
    sized ds (option_map dims (nth k os None)) = true ->
    input_shown (map GTensor (before ++ present os)) (nth k (places (List.length before) os) None) ds (nth k os None).
  Proof.
    intros G E. pose proof (nth_places os before k) as P. unfold input_shown.
    destruct (nth k (places (List.length before) os) None) as [n |], (nth k os None) as [t |] eqn:N; try exact P.
    cbn [option_map sized] in E. apply sizes_eqb_iff in E. rewrite <- E. apply shows_tensor; [| now apply knows_inputs].
    rewrite Forall_forall in G. apply G. clear - N. revert k N. induction os as [| o os IH]; intros [| k] N; try discriminate.
    - cbn [nth] in N. subst o. now left.
    - cbn [nth] in N. destruct o as [a |]; [right |]; exact (IH k N).
  Qed.

  Lemma runs_turned_weights vs p rows columns k w f : k < directions (toward p) ->
    shows vs w [directions (toward p); rows; columns] f -> runs vs (turned_weights p rows columns k w)
      (fun ws m => shows ws m [columns; rows] (fun i => f [Z.of_nat k; nth 1 i 0%Z; nth 0 i 0%Z])).
  Proof.
    intros lt W. eapply runs_bind; [apply runs_element; [exact lt | exact W] |]. intros ws m _ M.
    apply (runs_turned S typed _ _ _ _ _ M).
  Qed.

  Variable p : recurrence.
  Notation T := (seq_length p).
  Notation B := (batch_size p).
  Notation H := (hidden_size p).
  Notation D := (directions (toward p)).

  (** A state is a tensor of these sizes. *)
  Definition holds vs (k : nat) (t : tensor) : Prop := knows S vs k (GTensor t) /\ good t /\ dims t = [B; H].

  Lemma holds_shows vs k t : holds vs k t -> shows vs k [B; H] (at_ S t).
  Proof. intros (K & G & E). rewrite <- E. now apply shows_tensor. Qed.

  Lemma shows_holds vs k f : shows vs k [B; H] f -> holds vs k (cellwise S p (fun b j => f [b; j])).
  Proof.
    intros K. split; [| split; [apply good_tabulate | reflexivity]].
    revert K. apply shows_ext. intros i I. apply in_box_two in I. now destruct I as (a & b & -> & _).
  Qed.

  Lemma holds_extends vs ws k t : holds vs k t -> extends vs ws -> holds ws k t.
  Proof. intros (K & Q) X. split; [exact (knows_extends _ _ _ _ _ K X) | exact Q]. Qed.

  Lemma runs_initial vs type o v k : k < D ->
    input_shown vs o (state_sizes p) v -> runs vs (initial type p o k) (fun ws n =>
      holds ws n (initial_state S p (typed type (LInt 0)) v k)).
  Proof.
    unfold input_shown. intros lt X. unfold initial, initial_state. destruct o as [x |], v as [t |]; try contradiction.
    - eapply runs_weaken; [exact (runs_laid_element S typed vs _ x D B H _ k lt X) |]. intros ws n _ K. cbn beta in K.
      exact (shows_holds ws n (fun i => at_ S t (laid (by_batch p) (Z.of_nat k) (nth 0 i 0%Z) (nth 1 i 0%Z))) K).
    - eapply runs_weaken; [exact (runs_filled S typed vs type [B; H] (LInt 0) _ eq_refl) |]. intros ws n _ K.
      now apply shows_holds in K.
  Qed.

  Lemma runs_gate vs gates sum g f : g < gates -> shows vs sum [B; gates * H] f ->
    runs vs (gate p gates sum g) (fun ws m => shows ws m [B; H] (fun i => f [nth 0 i 0%Z; column p g (nth 1 i 0%Z)])).
  Proof.
    intros lt K. eapply runs_weaken.
    { apply (runs_piece S typed vs sum [B; gates * H] f 1); [cbn; lia | cbn [nth]; nia | exact K]. }
    intros ws m _. cbn [set_nth]. apply shows_ext. intros i I. apply in_box_two in I. now destruct I as (a & b & -> & _).
  Qed.

  (** Both biases of direction [k] are there. *)
  Lemma runs_biases vs gates b t k : k < D -> shows vs b [D; 2 * (gates * H)] (at_ S t) ->
    runs vs (biases p gates b k) (fun ws v =>
      shows ws (fst v) [gates * H] (fun i => at_ S t [Z.of_nat k; nth 0 i 0%Z]) /\
      shows ws (snd v) [gates * H] (fun i => at_ S t [Z.of_nat k; column p gates (nth 0 i 0%Z)])).
  Proof.
    intros lt X. unfold biases. eapply runs_bind; [apply runs_element; [exact lt | exact X] |]. intros v1 v X1 V. cbn beta in V.
    eapply runs_bind.
    { refine (runs_piece S typed v1 v [2 * (gates * H)] _ 0 0 (gates * H) _ _ V); [cbn; lia | cbn [nth]; lia]. }
    intros v2 wb X2 W. cbn beta in W. apply (fun K => shows_extends _ _ _ _ _ _ K X2) in V.
    eapply runs_bind.
    { refine (runs_piece S typed v2 v [2 * (gates * H)] _ 0 (gates * H) (gates * H) _ _ V); [cbn; lia | cbn [nth]; lia]. }
    intros v3 rb X3 R. cbn beta in R. apply (fun K => shows_extends _ _ _ _ _ _ K X3) in W. apply runs_return. cbn [fst snd].
    split; [revert W | revert R]; cbn [set_nth]; apply shows_ext; intros i I; apply in_box_one in I;
      now destruct I as (z & -> & _).
  Qed.

  Lemma runs_bias_sum vs gates o v k : k < D ->
    input_shown vs o [D; 2 * (gates * H)] v ->
    runs vs (bias_sum p gates o k) (fun ws r => match r, option_map (both_biases S p gates) v with
      | Some b, Some f => shows ws b [gates * H] (fun i => f k (nth 0 i 0%Z))
      | None, None => True
      | _, _ => False
      end).
  Proof.
    unfold input_shown. intros lt X. unfold bias_sum.
    destruct o as [b |], v as [t |]; try contradiction; [| now apply runs_return].
    eapply runs_bind; [exact (runs_biases vs gates b t k lt X) |]. intros v1 v X1 [W R].
    eapply runs_bind; [exact (runs_plus S typed _ _ _ _ _ _ W R) |]. intros v2 s X2 K. now apply runs_return.
  Qed.

  Section Steps.
    Context {C N A : Type} (gates : nat) (start : nat -> build (C * N)) (bias : C -> option nat).
    Context (next : C -> nat -> N -> build N) (hidden : N -> nat) (parts : list (N -> nat)).
    Context (x w : tensor) (bias' : option (nat -> Z -> num)) (next' : nat -> nat -> A -> A) (start' : nat -> A).
    Context (hidden' : A -> tensor) (parts' : list (A -> tensor)).
    Context (ready : values -> nat -> C -> Prop) (same : values -> N -> A -> Prop).
    Let wide := gates * H.

    Hypothesis ready_extends : forall vs ws k c, ready vs k c -> extends vs ws -> ready ws k c.
    Hypothesis same_extends : forall vs ws n a, same vs n a -> extends vs ws -> same ws n a.
    Hypothesis same_hidden : forall vs n a, same vs n a -> holds vs (hidden n) (hidden' a).
    Hypothesis same_parts : Forall2 (fun f f' => forall vs n a, same vs n a -> holds vs (f n) (f' a)) parts parts'.
    Hypothesis ready_bias : forall vs k c, ready vs k c ->
      match bias c, bias' with
      | Some b, Some f => shows vs b [wide] (fun i => f k (nth 0 i 0%Z))
      | None, None => True
      | _, _ => False
      end.
    Hypothesis next_same : forall vs k c t n a xw, k < D -> t < T -> ready vs k c -> same vs n a ->
      shows vs xw [B; wide] (fun i => input_part S p x w bias' k t (nth 0 i 0%Z) (nth 1 i 0%Z)) ->
      runs vs (next c xw n) (fun ws m => same ws m (next' k t a)).

    Definition led_state vs (s : A) (y : nat) : Prop := shows vs y [1; 1; B; H] (fun i => at_ S (hidden' s) (skipn 2 i)).

    (** Induction over the steps. *)
    Lemma runs_unrolled vs k c all times n a : k < D -> (forall t, In t times -> t < T) -> ready vs k c -> same vs n a ->
      shows vs all [T; B; wide] (fun i => input_part S p x w bias' k (Z.to_nat (nth 0 i 0%Z)) (nth 1 i 0%Z) (nth 2 i 0%Z)) ->
      runs vs (unrolled p gates next hidden c all times n)
        (fun ws l => Forall2 (fun s my => same ws (fst my) s /\ led_state ws s (snd my)) (states (next' k) times a) l).
    Proof.
      intros lt. revert vs n a. induction times as [| t times IH]; intros vs n a R Y E L; cbn [unrolled states].
      - now apply runs_return.
      - eapply runs_bind; [apply runs_element; [apply R; now left | exact L] |]. intros ws xw X1 XW. cbn [nth] in XW.
        rewrite Nat2Z.id in XW.
        eapply runs_bind; [apply (next_same ws k c t n a xw); eauto; apply R; now left |]. intros us m X2 E'.
        eapply runs_bind.
        + apply (runs_led S typed us (hidden m) 2 [B; H]). apply holds_shows, same_hidden, E'.
        + intros zs y X3 Y0. pose proof (extends_trans _ _ _ _ X1 (extends_trans _ _ _ _ X2 X3)) as X.
          eapply runs_bind; [apply (IH zs m (next' k t a)) |].
          * intros u U. apply R. now right.
          * exact (ready_extends _ _ _ _ Y X).
          * exact (same_extends _ _ _ _ E' X3).
          * exact (shows_extends _ _ _ _ _ _ L X).
          * intros ys l X4 F. apply runs_return. constructor; [| exact F]. cbn [fst snd]. split.
            -- exact (same_extends _ _ _ _ E' (extends_trans _ _ _ _ X3 X4)).
            -- exact (shows_extends _ _ _ _ _ _ Y0 X4).
    Qed.

    (** One direction: the states of all times, and the last one. *)
    Definition direction_of vs (k : nat) (yn : nat * N) : Prop :=
      let l := states (next' k) (order p k) (start' k) in
      shows vs (fst yn) [T; 1; B; H] (fun i => at_ S (hidden' (nth (Z.to_nat (nth 0 i 0%Z)) (turns p k l) (start' k)))
        (skipn 2 i)) /\
      same vs (snd yn) (last l (start' k)).

    Lemma direction_extends vs ws k yn : direction_of vs k yn -> extends vs ws -> direction_of ws k yn.
    Proof. intros [Y E] X. split; [exact (shows_extends _ _ _ _ _ _ Y X) | exact (same_extends _ _ _ _ E X)]. Qed.

    Lemma runs_one_direction vs n k : k < D -> T <> 0 ->
      shows vs n [T; B; input_size p] (fun i => at_ S x (laid_place (by_batch p) i)) ->
      shows vs 1 [D; wide; input_size p] (at_ S w) ->
      runs vs (start k) (fun ws c => ready ws k (fst c) /\ same ws (snd c) (start' k)) ->
      runs vs (one_direction p gates start bias next hidden n k) (fun ws yn => direction_of ws k yn).
    Proof.
      intros lt T0 X W St. unfold one_direction. eapply runs_bind; [exact St |]. intros v1 c X1 [Rc Sc].
      eapply runs_bind; [apply runs_turned_weights; [exact lt | exact (shows_extends _ _ _ _ _ _ W X1)] |].
      intros v2 m X2 M. cbn beta in M.
      pose proof (shows_extends _ _ _ _ _ _ X (extends_trans _ _ _ _ X1 X2)) as X'.
      eapply runs_bind; [exact (runs_products S typed _ _ _ _ _ _ _ _ _ X' M) |]. intros v3 xw X3 XW. cbn beta in XW.
      pose proof (ready_extends _ _ _ _ Rc (extends_trans _ _ _ _ X2 X3)) as R3.
      pose proof (ready_bias _ _ _ R3) as Bi.
      assert (runs v3 (plus_optional xw (bias (fst c))) (fun ws all => shows ws all [T; B; wide] (fun i =>
        input_part S p x w bias' k (Z.to_nat (nth 0 i 0%Z)) (nth 1 i 0%Z) (nth 2 i 0%Z)))) as All.
      { unfold plus_optional. destruct (bias (fst c)) as [b |], bias' as [f |] eqn:F; try contradiction.
        - eapply runs_weaken; [exact (runs_plus_row S typed v3 xw b [T; B] wide _ _ XW Bi) |]. intros ws all _.
          apply shows_ext. intros i I. apply in_box_head in I. destruct I as (t & j & -> & R & I). apply in_box_two in I.
          destruct I as (u & v & -> & _). unfold input_part. cbn [nth List.length]. rewrite Z2Nat.id by lia. reflexivity.
        - apply runs_return. revert XW. apply shows_ext.
          intros i I. apply in_box_head in I. destruct I as (t & j & -> & R & I). apply in_box_two in I.
          destruct I as (u & v & -> & _). unfold input_part. cbn [nth List.length]. rewrite Z2Nat.id by lia. reflexivity. }
      eapply runs_bind; [exact All |]. intros v4 all X4 A4. cbn beta in A4. clear All.
      pose proof (ready_extends _ _ _ _ R3 X4) as R4.
      pose proof (same_extends _ _ _ _ Sc (extends_trans _ _ _ _ (extends_trans _ _ _ _ X2 X3) X4)) as S4.
      eapply runs_bind; [exact (runs_unrolled v4 k (fst c) all (order p k) _ _ lt (in_order p k) R4 S4 A4) |].
      intros v5 l X5 L. cbn beta in L. set (ss := states (next' k) (order p k) (start' k)) in *.
      assert (List.length ss = T) as Ls.
      { unfold ss. rewrite states_length. unfold order. rewrite turns_length. apply List.seq_length. }
      assert (List.length l = T) as Ll by (rewrite <- (Forall2_length L); exact Ls).
      eapply runs_bind.
      - apply (runs_joined S typed v5 0 [1; 1; B; H] _
          (map (fun s i => at_ S (hidden' s) (skipn 2 i)) (turns p k ss)) (fun i => at_ S (hidden' (start' k)) (skipn 2 i)));
          [cbn; lia | reflexivity | |].
        + intros E. apply (f_equal (@List.length _)) in E. rewrite turns_length, map_length in E. cbn in E. lia.
        + assert (Forall2 (fun y s => shows v5 y [1; 1; B; H] (fun i => at_ S (hidden' s) (skipn 2 i))) (map snd l) ss) as F.
          { clear - L. induction L as [| s my ss l [_ Y] _ IH]; constructor; auto. }
          assert (Forall2 (fun y s => shows v5 y [1; 1; B; H] (fun i => at_ S (hidden' s) (skipn 2 i)))
            (turns p k (map snd l)) (turns p k ss)) as G by now apply turns_all.
          clear - G. induction G; constructor; auto.
      - intros v6 y X6 Y. apply runs_return. cbn beta in Y. split; cbn [fst snd]; fold ss.
        + rewrite turns_length, map_length, Ll in Y. cbn [set_nth] in Y. revert Y. apply shows_ext. intros i I.
          apply in_box_head in I. destruct I as (t & j & -> & R & I). cbn [nth set_nth skipn].
          rewrite (map_nth (fun s i => at_ S (hidden' s) (skipn 2 i))). reflexivity.
        + assert (same v5 (snd c) (start' k)) as S5 by exact (same_extends _ _ _ _ S4 X5).
          eapply same_extends; [| exact X6]. clear - L S5. revert S5. generalize (snd c), (start' k). revert L.
          generalize ss, l. clear. intros ss l L. induction L as [| s my ss l [E _] L IH]; intros n a E0; [exact E0 |].
          cbn [map last]. destruct L as [| s' my' ss l E' L]; [exact E |]. cbn [map last] in IH |- *. exact (IH n a E0).
    Qed.
    Lemma nth_ways {R} (F : nat -> R) i d : (0 <= i < Z.of_nat D)%Z -> nth (Z.to_nat i) (map F (seq 0 D)) d = F (Z.to_nat i).
    Proof.
      intros I. rewrite (nth_map_lt F _ _ 0) by (rewrite List.seq_length; lia). now rewrite seq_nth by lia.
    Qed.

    (** What is known of direction [k], as a function of it. *)
    Lemma ways_shown vs axis ds (ys : list nat) (F : nat -> list Z -> num) : axis < List.length ds -> nth axis ds 0 = 1 ->
      Forall2 (fun y k => shows vs y ds (F k)) ys (seq 0 D) ->
      runs vs (joined axis ys) (fun ws y => shows ws y (set_nth axis D ds)
        (fun i => F (Z.to_nat (nth axis i 0%Z)) (set_nth axis 0%Z i))).
    Proof.
      intros lt E Y. pose proof (Forall2_length Y) as L. rewrite List.seq_length in L. eapply runs_weaken.
      - apply (runs_joined S typed vs axis ds ys (map F (seq 0 D)) (F 0) lt E).
        + intros ->. cbn in L. destruct (toward p); discriminate.
        + clear - Y. induction Y; constructor; auto.
      - intros ws y _. rewrite L. apply shows_ext. intros i I.
        apply in_box_nth in I. rewrite set_nth_length in I. destruct I as [_ I]. specialize (I axis lt).
        rewrite nth_set_same in I by exact lt. now rewrite nth_ways.
    Qed.

    (** The last states of all directions. *)
    Lemma runs_last_states vs l f f' : Forall2 (fun yn k => direction_of vs k yn) l (seq 0 D) ->
      (forall vs n a, same vs n a -> holds vs (f n) (f' a)) ->
      runs vs (last_states p (map snd l) f) (fun ws h => knows S ws h (GTensor (last_output S p next' start' f'))).
    Proof.
      intros L Hf. set (g := fun k i => at_ S (f' (last (states (next' k) (order p k) (start' k)) (start' k))) (skipn 1 i)).
      unfold last_states. eapply runs_bind.
      - apply (runs_in_turn S typed vs _ (fun ws n k => same ws n (last (states (next' k) (order p k) (start' k)) (start' k)))
          (fun ws y k => shows ws y [1; B; H] (g k)) _ (seq 0 D)).
        + intros ws us n k E X. exact (same_extends _ _ _ _ E X).
        + intros ws us y k E X. exact (shows_extends _ _ _ _ _ _ E X).
        + intros ws n k _ E. apply (runs_led S typed ws (f n) 1 [B; H]). now apply holds_shows, Hf.
        + clear - L. induction L as [| yn k l ks [_ E] _ IH]; constructor; auto.
      - intros ws hs _ Hs. cbn beta in Hs.
        eapply runs_bind; [apply (ways_shown ws 0 [1; B; H] hs g); [cbn; lia | reflexivity | exact Hs] |].
        intros us h _ K. cbn beta in K. cbn [set_nth] in K.
        apply (runs_swapped_back S typed us (by_batch p) h D B H (fun j =>
          let k := Z.to_nat (nth 0 j 0%Z) in
          at_ S (f' (last (nth k (all_states p next' start') []) (start' k))) (skipn 1 j))).
        revert K. apply shows_ext. intros i I. apply in_box_head in I. destruct I as (k & j & -> & R & I).
        unfold g, all_states. cbn [nth set_nth skipn]. cbv zeta.
        now rewrite (nth_ways (fun k => states (next' k) (order p k) (start' k)) k [] R).
    Qed.

    (** The outputs are those of the formula. *)
    Theorem runs_recurrent vs : T <> 0 -> shows vs 0 (laid (by_batch p) T B (input_size p)) (at_ S x) ->
      shows vs 1 [D; wide; input_size p] (at_ S w) ->
      (forall ws k, extends vs ws -> k < D -> runs ws (start k) (fun us c => ready us k (fst c) /\
        same us (snd c) (start' k))) ->
      runs vs (recurrent p gates start bias next hidden parts)
        (fun ws ks => Forall2 (fun k u => knows S ws k (GTensor u)) ks (outputs S p hidden' parts' next' start')).
    Proof.
      intros T0 X W St. unfold recurrent.
      eapply runs_bind; [exact (runs_swapped S typed vs _ 0 _ _ _ _ X) |]. intros v0 xs X0 Xs. cbn beta in Xs.
      eapply runs_bind.
      - apply (runs_in_turn S typed v0 _ (fun _ a k => a = k /\ k < D) (fun ws yn k => direction_of ws k yn) _ (seq 0 D)).
        + intros ws us a k E _. exact E.
        + intros ws us yn k E Y. exact (direction_extends _ _ _ _ E Y).
        + intros ws a k Y [-> lt]. pose proof (extends_trans _ _ _ _ X0 Y) as Y0.
          apply runs_one_direction; [exact lt | exact T0 | | | now apply St].
          * exact (shows_extends _ _ _ _ _ _ Xs Y).
          * exact (shows_extends _ _ _ _ _ _ W Y0).
        + assert (forall k, In k (seq 0 D) -> k < D) as R by (intros k I; apply in_seq in I; lia). revert R.
          generalize (seq 0 D). intros l R. induction l as [| k l IH]; constructor; [split; [reflexivity | apply R; now left] |].
          apply IH. intros j J. apply R. now right.
      - intros v1 l X1 L. cbn beta in L. eapply runs_bind.
        + apply (ways_shown v1 1 [T; 1; B; H] (map fst l) (fun k i => at_ S (hidden' (nth (Z.to_nat (nth 0 i 0%Z))
            (turns p k (states (next' k) (order p k) (start' k))) (start' k))) (skipn 2 i))); [cbn; lia | reflexivity |].
          clear - L. induction L as [| yn k l ks [E _] _ IH]; constructor; auto.
        + intros v2 all X2 Al. cbn beta in Al. cbn [set_nth] in Al.
          assert (Forall2 (fun yn k => direction_of v2 k yn) l (seq 0 D)) as L2.
          { clear - L X2 same_extends. induction L as [| yn k l ks E _ IH]; constructor;
            [exact (direction_extends _ _ _ _ E X2) | exact IH]. }
          eapply runs_bind; [exact (runs_swapped_all S typed v2 (by_batch p) all _ _ _ _ _ Al) |]. intros v3 y X3 Y.
          cbn beta in Y.
          eapply runs_bind.
          * apply (runs_in_turn S typed v3 _ (fun _ f f' => forall vs n a, same vs n a -> holds vs (f n) (f' a))
              (fun ws h f' => knows S ws h (GTensor (last_output S p next' start' f'))) parts parts').
            -- intros ws us f f' E _. exact E.
            -- intros ws us h f' E X4. exact (knows_extends _ _ _ _ _ E X4).
            -- intros ws f f' X4 E. apply runs_last_states; [| exact E]. pose proof (extends_trans _ _ _ _ X3 X4) as X5.
               clear - L2 X5 same_extends. induction L2 as [| yn k l ks F _ IH]; constructor;
                 [exact (direction_extends _ _ _ _ F X5) | exact IH].
            -- exact same_parts.
          * intros v4 ends X4 En. apply runs_return. cbn beta in En. unfold outputs. constructor.
            -- pose proof (shows_extends _ _ _ _ _ _ Y X4) as K. revert K. apply shows_ext. intros i I.
               assert (0 <= nth 1 (laid_all_place (by_batch p) i) 0 < Z.of_nat D)%Z as R.
               { unfold laid_all in I. unfold laid_all_place. apply in_box_nth in I. destruct I as [_ I].
                 destruct (by_batch p); cbn [List.length] in I; [apply (I 2) | apply (I 1)]; lia. }
               cbn [set_nth]. unfold all_states. cbv zeta. set (j := laid_all_place (by_batch p) i) in *.
               rewrite (nth_ways (fun k => states (next' k) (order p k) (start' k)) _ [] R). f_equal; [f_equal |].
               ++ now destruct j as [| ? [| ? ?]].
               ++ now destruct j as [| ? [| ? ?]].
            -- clear - En. induction En; constructor; auto.
    Qed.
  End Steps.
End Proof.

(** What is known of values is known of them where there are more. *)
Ltac grow X :=
  cbn beta in *;
  repeat match goal with
         | K : Tables.shows _ ?vs _ _ _ |- _ =>
             match type of X with Composition.extends _ vs _ => apply (fun F => shows_extends _ _ _ _ _ _ F X) in K end
         | K : holds _ _ ?vs _ _ |- _ =>
             match type of X with Composition.extends _ vs _ => apply (fun F => holds_extends _ _ _ _ _ _ F X) in K end
         end.
