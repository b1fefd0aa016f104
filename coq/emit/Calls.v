(** * The calls of a run, and where their arguments lie in memory

    A model's run calls functions one after the other.  What it means: each reads and writes ranges of tensors, and
    each tensor has memory of its own.  What is emitted: each argument is a place in a region (the arena, the
    weights, an input, an output), tensors follow one another in the arena, and calls that repeat are a loop in
    which places move.  [calls_hold] checks that the one is the other: it knows at each call which bytes of which
    tensors stand where. *)

From Coq Require Import List Arith Lia Bool NArith.
From Calque Require Import base.Lists.
Import ListNotations.
Open Scope N_scope.

(** Bytes [start .. start + size - 1] of a tensor, or of a region of memory. *)
Record range := Range { region : N; start : N; size : N }.

Definition end_of (r : range) : N := start r + size r.

Definition inside (r : range) (k i : N) : bool := (k =? region r) && (start r <=? i) && (i <? end_of r).

Lemma inside_iff r k i : inside r k i = true <-> k = region r /\ start r <= i < end_of r.
Proof. unfold inside. rewrite !andb_true_iff, N.eqb_eq, N.leb_le, N.ltb_lt. tauto. Qed.

(** A call of function [fn]: what it writes, what it reads. *)
Record call := Call { fn : N; outs : list range; ins : list range }.

Section Run.
  Context {byte : Type}.

  Definition memory := N -> N -> byte.

  (** What a function writes as byte [i] of its result [k], of the bytes that it reads. *)
  Variable meaning : N -> list (list byte) -> nat -> N -> byte.

  Definition contents (m : memory) (r : range) : list byte :=
    map (fun i => m (region r) (start r + N.of_nat i)) (seq 0 (N.to_nat (size r))).

  Definition write (m : memory) (r : range) (g : N -> byte) : memory :=
    fun k i => if inside r k i then g (i - start r) else m k i.

  Fixpoint write_all (m : memory) (g : nat -> N -> byte) (k : nat) (rs : list range) : memory :=
    match rs with
    | [] => m
    | r :: rs' => write_all (write m r (g k)) g (S k) rs'
    end.

  Definition run_call (m : memory) (c : call) : memory :=
    write_all m (meaning (fn c) (map (contents m) (ins c))) 0 (outs c).

  Definition run_calls (m : memory) (cs : list call) : memory := fold_left run_call cs m.
End Run.
Arguments memory : clear implicits.

(** ** Calls that are emitted: loops *)

(** A place that begins [step] bytes further in each iteration; numbers are C's [size_t], of so many values, so that it may
    also move back. *)
Record moving := Moving { at_first : range; step : N }.

Definition words : N := 2 ^ 64.

Definition at_time (t : N) (p : moving) : range :=
  Range (region (at_first p)) ((start (at_first p) + step p * t) mod words) (size (at_first p)).

Record moving_call := MovingCall { moving_fn : N; moving_outs : list moving; moving_ins : list moving }.

Definition call_at (t : N) (c : moving_call) : call :=
  Call (moving_fn c) (map (at_time t) (moving_outs c)) (map (at_time t) (moving_ins c)).

Inductive item :=
| One (c : call)
| Loop (count : nat) (body : list moving_call).

Section RunItems.
  Context {byte : Type}.
  Variable meaning : N -> list (list byte) -> nat -> N -> byte.

  (** [for (t = 0; t < count; t++) { .. }]: iterations from [t] on. *)
  Fixpoint run_loop (count : nat) (t : N) (body : list moving_call) (m : memory byte) : memory byte :=
    match count with
    | O => m
    | S n => run_loop n (t + 1) body (fold_left (fun m c => run_call meaning m (call_at t c)) body m)
    end.

  Definition run_item (m : memory byte) (i : item) : memory byte :=
    match i with
    | One c => run_call meaning m c
    | Loop n body => run_loop n 0 body m
    end.

  Definition run_items (m : memory byte) (is : list item) : memory byte := fold_left run_item is m.
End RunItems.

(** The calls that they make. *)
Fixpoint unrolled (count : nat) (t : N) (body : list moving_call) : list call :=
  match count with
  | O => []
  | S n => map (call_at t) body ++ unrolled n (t + 1) body
  end.

Definition calls_of (i : item) : list call :=
  match i with
  | One c => [c]
  | Loop n body => unrolled n 0 body
  end.

Lemma run_loop_unrolled {byte} (meaning : N -> list (list byte) -> nat -> N -> byte) n t body m :
  run_loop meaning n t body m = run_calls meaning m (unrolled n t body).
Proof.
  revert t m. induction n as [| n IH]; intros t m; simpl; [reflexivity |].
  unfold run_calls. rewrite fold_left_app, IH. unfold run_calls. f_equal. clear IH.
  revert m. induction body as [| c body IH]; intros m; simpl; [reflexivity | apply IH].
Qed.

Lemma run_items_calls {byte} (meaning : N -> list (list byte) -> nat -> N -> byte) is : forall m,
  run_items meaning m is = run_calls meaning m (flat_map calls_of is).
Proof.
  induction is as [| i is IH]; intros m; simpl; [reflexivity |].
  unfold run_calls. rewrite fold_left_app. rewrite IH. unfold run_calls. f_equal.
  destruct i as [c | n body]; simpl; [reflexivity | apply run_loop_unrolled].
Qed.

(** ** The check *)

(** Range [of] of a tensor stands at [place], which is as large. *)
Record fact := Fact { of : range; place_region : N; place_start : N }.

Definition holds {byte} (s t : memory byte) (f : fact) : Prop :=
  forall i, i < size (of f) -> t (place_region f) (place_start f + i) = s (region (of f)) (start (of f) + i).

(** Bytes [k .. k + n - 1] of a fact. *)
Definition piece (f : fact) (k n : N) : fact :=
  Fact (Range (region (of f)) (start (of f) + k) n) (place_region f) (place_start f + k).

Lemma holds_piece {byte} (s t : memory byte) f k n : holds s t f -> k + n <= size (of f) -> holds s t (piece f k n).
Proof.
  intros H L i Hi. simpl in *. rewrite <- !N.add_assoc. apply H. lia.
Qed.

(** What is left of a fact without its bytes [lo .. hi - 1]. *)
Definition without (f : fact) (lo hi : N) : list fact :=
  (if 0 <? N.min (size (of f)) lo then [piece f 0 (N.min (size (of f)) lo)] else []) ++
  (if hi <? size (of f) then [piece f hi (size (of f) - hi)] else []).

(** What is known when [w] is written: of a region, or of a tensor. *)
Definition place_written (w : range) (f : fact) : list fact :=
  if place_region f =? region w then without f (start w - place_start f) (end_of w - place_start f) else [f].
Definition tensor_written (w : range) (f : fact) : list fact :=
  if region (of f) =? region w then without f (start w - start (of f)) (end_of w - start (of f)) else [f].

Definition written (pair : range * range) (fs : list fact) : list fact :=
  Fact (fst pair) (region (snd pair)) (start (snd pair)) ::
  flat_map (place_written (snd pair)) (flat_map (tensor_written (fst pair)) fs).

(** Does the fact say where byte [i] of range [a] stands, there where [b] has it? *)
Definition says (a b : range) (i : N) (f : fact) : bool :=
  (region (of f) =? region a) && (place_region f =? region b) &&
  (start (of f) <=? start a + i) && (start a + i <? end_of (of f)) &&
  (place_start f + (start a + i) =? start b + i + start (of f)).

(** Is range [a] of a tensor known to stand at [b], from its byte [i] on? One fact of [fuel] is used for each part. *)
Fixpoint known (fuel facts : list fact) (a b : range) (i : N) : bool :=
  (size a <=? i) ||
  match fuel with
  | [] => false
  | _ :: fuel' =>
      match find (says a b i) facts with
      | Some f => known fuel' facts a b (end_of (of f) - start a)
      | None => false
      end
  end.

Definition stands (facts : list fact) (pair : range * range) : bool :=
  (size (fst pair) =? size (snd pair)) && known facts facts (fst pair) (snd pair) 0.

Definition disjoint (a b : range) : bool :=
  negb (region a =? region b) || (end_of a <=? start b) || (end_of b <=? start a).

(** No function reads what it writes, or writes a byte twice. *)
Fixpoint apart (outs ins : list range) : bool :=
  match outs with
  | [] => true
  | o :: outs' => forallb (disjoint o) ins && forallb (disjoint o) outs' && apart outs' ins
  end.

(** The place lies in its region, of so many bytes. *)
Definition within (regions : list (N * N)) (r : range) : bool :=
  existsb (fun x => (fst x =? region r) && (end_of r <=? snd x)) regions.

Definition call_holds (regions : list (N * N)) (facts : list fact) (c d : call) : bool :=
  (fn c =? fn d) && Nat.eqb (length (ins c)) (length (ins d)) && Nat.eqb (length (outs c)) (length (outs d)) &&
  forallb (stands facts) (combine (ins c) (ins d)) &&
  forallb (fun x => size (fst x) =? size (snd x)) (combine (outs c) (outs d)) &&
  forallb (within regions) (outs d ++ ins d) && apart (outs d) (ins d).

Fixpoint facts_after (regions : list (N * N)) (facts : list fact) (cs ds : list call) : option (list fact) :=
  match cs, ds with
  | [], [] => Some facts
  | c :: cs', d :: ds' =>
      if call_holds regions facts c d
      then facts_after regions (fold_left (fun fs x => written x fs) (combine (outs c) (outs d)) facts) cs' ds'
      else None
  | _, _ => None
  end.

(** [given]: where the tensors that the caller brings stand; [cs]: what is to be called; [is]: what is; [results]: where
    the caller finds the results. *)
Definition calls_hold (regions : list (N * N)) (given : list (range * range)) (cs : list call) (is : list item)
    (results : list (range * range)) : bool :=
  forallb (fun x => size (fst x) =? size (snd x)) given &&
  match facts_after regions (map (fun x => Fact (fst x) (region (snd x)) (start (snd x))) given) cs (flat_map calls_of is) with
  | Some facts => forallb (stands facts) results
  | None => false
  end.

(** ** The check is right *)

Section Right.
  Context {byte : Type}.
  Variable meaning : N -> list (list byte) -> nat -> N -> byte.
  Implicit Types s t : memory byte.

  Lemma write_other m r (g : N -> byte) k i : ~ (k = region r /\ start r <= i < end_of r) -> write m r g k i = m k i.
  Proof.
    intros H. unfold write. destruct (inside r k i) eqn:E; [| reflexivity]. apply inside_iff in E. tauto.
  Qed.

  Lemma write_here m r (g : N -> byte) i : i < size r -> write m r g (region r) (start r + i) = g i.
  Proof.
    intros H. unfold write. replace (inside r (region r) (start r + i)) with true.
    - f_equal. lia.
    - symmetry. apply inside_iff. unfold end_of. lia.
  Qed.

  Lemma in_without f lo hi g : In g (without f lo hi) -> lo <= hi ->
    exists k n, g = piece f k n /\ k + n <= size (of f) /\ forall i, k <= i < k + n -> ~ lo <= i < hi.
  Proof.
    intros H L. unfold without in H. apply in_app_or in H. destruct H as [H | H].
    - destruct (0 <? N.min (size (of f)) lo); [| contradiction]. destruct H as [<- | []].
      exists 0, (N.min (size (of f)) lo). split; [reflexivity |]. split; [lia |]. intros i Hi. lia.
    - destruct (hi <? size (of f)) eqn:E; [| contradiction]. destruct H as [<- | []]. apply N.ltb_lt in E.
      exists hi, (size (of f) - hi). split; [reflexivity |]. split; [lia |]. intros i Hi. lia.
  Qed.

  (** What is left of a fact holds where the bytes that it speaks of are as they were, of tensor and region. *)
  Lemma without_holds s t s' t' f lo hi h : holds s t f -> In h (without f lo hi) -> lo <= hi ->
    (forall i, i < size (of f) -> ~ lo <= i < hi -> s' (region (of f)) (start (of f) + i) = s (region (of f)) (start (of f) + i) /\
      t' (place_region f) (place_start f + i) = t (place_region f) (place_start f + i)) -> holds s' t' h.
  Proof.
    intros H I L K. apply in_without in I; [| exact L]. destruct I as (k & n & -> & B & O). intros i Hi. simpl in *.
    rewrite <- !N.add_assoc. destruct (K (k + i)) as [-> ->]; [lia | apply O; lia |]. apply H. lia.
  Qed.

  Lemma tensor_written_holds s t w g f h : holds s t f -> In h (tensor_written w f) -> holds (write s w g) t h.
  Proof.
    intros H I. unfold tensor_written in I. destruct (region (of f) =? region w) eqn:E.
    - apply (without_holds s t _ _ _ _ _ _ H I); unfold end_of; [lia |].
      intros i _ O. split; [| reflexivity]. apply write_other. unfold end_of. lia.
    - destruct I as [<- | []]. apply N.eqb_neq in E. intros i Hi. rewrite write_other; [apply H; assumption | tauto].
  Qed.

  Lemma place_written_holds s t w g f h : holds s t f -> In h (place_written w f) -> holds s (write t w g) h.
  Proof.
    intros H I. unfold place_written in I. destruct (place_region f =? region w) eqn:E.
    - apply (without_holds s t _ _ _ _ _ _ H I); unfold end_of; [lia |].
      intros i _ O. split; [reflexivity |]. apply write_other. unfold end_of. lia.
    - destruct I as [<- | []]. apply N.eqb_neq in E. intros i Hi. rewrite write_other; [apply H; assumption | tauto].
  Qed.

  Lemma written_holds s t a b g fs : size a = size b -> Forall (holds s t) fs ->
    Forall (holds (write s a g) (write t b g)) (written (a, b) fs).
  Proof.
    intros L H. rewrite Forall_forall in *. intros h I. simpl in I. destruct I as [<- | I].
    - intros i Hi. simpl in *. rewrite write_here by lia. symmetry. apply write_here. assumption.
    - apply in_flat_map in I. destruct I as (f & I & J). apply in_flat_map in I. destruct I as (e & I & K).
      eapply place_written_holds; [| exact J]. eapply tensor_written_holds; [| exact K]. apply H. assumption.
  Qed.

  Lemma written_all g pairs : forall s t k fs,
    forallb (fun x : range * range => size (fst x) =? size (snd x)) pairs = true -> Forall (holds s t) fs ->
    Forall (holds (write_all s g k (map fst pairs)) (write_all t g k (map snd pairs)))
      (fold_left (fun fs x => written x fs) pairs fs).
  Proof.
    induction pairs as [| [a b] pairs IH]; intros s t k fs L H; simpl in *; [assumption |].
    apply andb_true_iff in L. destruct L as [L L']. apply N.eqb_eq in L. apply IH; [assumption |].
    apply written_holds; assumption.
  Qed.

  Lemma known_stands s t facts a b : forall fuel i,
    Forall (holds s t) facts -> known fuel facts a b i = true -> forall j, i <= j < size a ->
    t (region b) (start b + j) = s (region a) (start a + j).
  Proof.
    induction fuel as [| x fuel IH]; intros i H K j J; simpl in K; apply orb_true_iff in K; destruct K as [K | K];
      try (apply N.leb_le in K; lia); try discriminate.
    destruct (find (says a b i) facts) as [f |] eqn:E; [| discriminate].
    pose proof (find_some _ _ E) as [I S]. unfold says in S. rewrite !andb_true_iff, !N.eqb_eq, N.leb_le, N.ltb_lt in S.
    destruct S as ((((R & P) & B) & C) & D).
    destruct (N.lt_ge_cases j (end_of (of f) - start a)) as [Lt | Ge].
    - rewrite Forall_forall in H. specialize (H f I (start a + j - start (of f))). unfold end_of in *.
      rewrite R, P in H.
      replace (place_start f + (start a + j - start (of f))) with (start b + j) in H by lia.
      replace (start (of f) + (start a + j - start (of f))) with (start a + j) in H by lia.
      apply H. lia.
    - apply (IH _ H K). lia.
  Qed.

  Lemma stands_contents s t facts a b :
    Forall (holds s t) facts -> stands facts (a, b) = true -> contents t b = contents s a.
  Proof.
    intros H K. unfold stands in K. apply andb_true_iff in K. destruct K as [L K]. apply N.eqb_eq in L. simpl in *.
    unfold contents. rewrite <- L. apply map_ext_in. intros i I. apply in_seq in I.
    eapply known_stands; [exact H | exact K | lia].
  Qed.

  Lemma map_fst_combine {A B} (l : list A) : forall m : list B, length l = length m -> map fst (combine l m) = l.
  Proof. induction l as [| a l IH]; intros [| b m] E; simpl in *; try discriminate; [reflexivity | f_equal; apply IH; lia]. Qed.

  Lemma map_snd_combine {A B} (l : list A) : forall m : list B, length l = length m -> map snd (combine l m) = m.
  Proof. induction l as [| a l IH]; intros [| b m] E; simpl in *; try discriminate; [reflexivity | f_equal; apply IH; lia]. Qed.

  Lemma inputs_same s t facts : Forall (holds s t) facts -> forall l m, length l = length m ->
    forallb (stands facts) (combine l m) = true -> map (contents t) m = map (contents s) l.
  Proof.
    intros H. induction l as [| a l IH]; intros [| b m] E K; simpl in *; try discriminate; [reflexivity |].
    apply andb_true_iff in K. destruct K as [K K']. f_equal; [| apply IH; [lia | assumption]].
    eapply stands_contents; eassumption.
  Qed.

  Lemma call_step regions facts c d s t : call_holds regions facts c d = true -> Forall (holds s t) facts ->
    Forall (holds (run_call meaning s c) (run_call meaning t d))
      (fold_left (fun fs x => written x fs) (combine (outs c) (outs d)) facts).
  Proof.
    intros C H. unfold call_holds in C. rewrite !andb_true_iff in C. destruct C as ((((((F & I) & O) & K) & L) & _) & _).
    apply N.eqb_eq in F. apply Nat.eqb_eq in I, O. unfold run_call.
    rewrite <- F, (inputs_same s t facts H _ _ I K).
    rewrite <- (map_fst_combine (outs c) (outs d) O) at 1. rewrite <- (map_snd_combine (outs c) (outs d) O) at 2.
    apply written_all; assumption.
  Qed.

  Lemma facts_right regions cs : forall ds s t facts facts',
    facts_after regions facts cs ds = Some facts' -> Forall (holds s t) facts ->
    Forall (holds (run_calls meaning s cs) (run_calls meaning t ds)) facts'.
  Proof.
    induction cs as [| c cs IH]; intros [| d ds] s t facts facts' E H; simpl in *; try discriminate.
    - injection E as <-. assumption.
    - destruct (call_holds regions facts c d) eqn:C; [| discriminate].
      eapply IH; [exact E |]. eapply call_step; eassumption.
  Qed.

  (** If the check says yes, then whatever the functions are: where each tensor that the caller brings stands where the
      caller says, the emitted calls leave each result there, byte for byte. *)
  Theorem calls_correct regions given cs is results s t :
    calls_hold regions given cs is results = true ->
    (forall a b, In (a, b) given -> contents t b = contents s a) ->
    forall a b, In (a, b) results -> contents (run_items meaning t is) b = contents (run_calls meaning s cs) a.
  Proof.
    intros C G a b R. unfold calls_hold in C. apply andb_true_iff in C. destruct C as [L C].
    destruct (facts_after _ _ _ _) as [facts |] eqn:E; [| discriminate].
    rewrite run_items_calls. eapply stands_contents; [| rewrite forallb_forall in C; apply C, R].
    eapply facts_right; [exact E |]. rewrite Forall_forall. intros f I. apply in_map_iff in I.
    destruct I as ([x y] & <- & I). rewrite forallb_forall in L. specialize (L _ I). apply N.eqb_eq in L. simpl in *.
    specialize (G _ _ I). intros i Hi. simpl in *. unfold contents in G. rewrite <- L in G.
    assert (J : In (N.to_nat i) (seq 0 (N.to_nat (size x)))) by (apply in_seq; lia).
    pose proof (ext_in_map G _ J) as S. simpl in S. rewrite !N2Nat.id in S. exact S.
  Qed.
End Right.

(** Each call that is made reads and writes inside the regions, and reads nothing that it writes: the functions' C may
    write its results while it reads. *)
Definition sound_call (regions : list (N * N)) (d : call) : Prop :=
  (forall r, In r (outs d ++ ins d) -> exists n, In (region r, n) regions /\ end_of r <= n) /\
  (forall o r k i, In o (outs d) -> In r (ins d) -> inside o k i = true -> inside r k i = false).

Lemma disjoint_sound a b k i : disjoint a b = true -> inside a k i = true -> inside b k i = false.
Proof.
  unfold disjoint. rewrite !orb_true_iff, negb_true_iff, N.eqb_neq, !N.leb_le, inside_iff. intros D [-> A].
  apply not_true_is_false. rewrite inside_iff. intros [E B]. unfold end_of in *. lia.
Qed.

Lemma apart_sound outs ins : apart outs ins = true ->
  forall o r k i, In o outs -> In r ins -> inside o k i = true -> inside r k i = false.
Proof.
  induction outs as [| x outs IH]; intros H o r k i O R; simpl in *; [contradiction |].
  rewrite !andb_true_iff, !forallb_forall in H. destruct H as ((H & _) & K).
  destruct O as [-> | O]; [apply disjoint_sound, H, R | apply (IH K); assumption].
Qed.

Lemma facts_sound regions cs : forall ds facts facts',
  facts_after regions facts cs ds = Some facts' -> Forall (sound_call regions) ds.
Proof.
  induction cs as [| c cs IH]; intros [| d ds] facts facts' E; simpl in *; try discriminate; [constructor |].
  destruct (call_holds regions facts c d) eqn:C; [| discriminate]. constructor; [| eapply IH; exact E].
  unfold call_holds in C. rewrite !andb_true_iff in C. destruct C as ((_ & W) & A). split.
  - intros r R. rewrite forallb_forall in W. specialize (W _ R). unfold within in W. apply existsb_exists in W.
    destruct W as ([k n] & I & B). simpl in B. rewrite andb_true_iff, N.eqb_eq, N.leb_le in B. destruct B as [-> B].
    exists n. split; assumption.
  - apply apart_sound, A.
Qed.

Theorem calls_inside regions given cs is results :
  calls_hold regions given cs is results = true -> Forall (sound_call regions) (flat_map calls_of is).
Proof.
  unfold calls_hold. intros C. apply andb_true_iff in C. destruct C as [_ C].
  destruct (facts_after _ _ _ _) as [facts |] eqn:E; [| discriminate]. eapply facts_sound, E.
Qed.

(** Three tensors one after the other through an arena in which the third takes the place of the first, the last two
    calls as a loop would make them; and the same where it takes that of the second, which is read. *)
Definition example_calls : list call :=
  [Call 0 [Range 1 0 4] [Range 0 0 4]; Call 1 [Range 2 0 4] [Range 1 0 4]; Call 1 [Range 3 0 4] [Range 2 0 4]].
Definition example_items (back : N) : list item :=
  [One (Call 0 [Range 0 0 4] [Range 1 0 4]);
   Loop 2 [MovingCall 1 [Moving (Range 0 8 4) back] [Moving (Range 0 0 4) 8]]].
Definition example_holds (back : N) : bool :=
  calls_hold [(0, 16); (1, 4)] [(Range 0 0 4, Range 1 0 4)] example_calls (example_items back) [(Range 3 0 4, Range 0 0 4)].

Example example_accepted : example_holds (words - 8) = true. Proof. reflexivity. Qed.
Example example_refused : example_holds 0 = false. Proof. reflexivity. Qed.
