(** * DPIA: reference semantics

    Values are trees and [eval] is total on them ([junk] where a typed program
    never comes).  Arrays are lists and the layout functions are the functions of
    the library on lists, so that the index formulas of the translation are
    proved against something that has none. *)

From Coq Require Import List Arith ZArith.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Nth.
Import ListNotations.
Set Implicit Arguments.

Section Values.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation data := (data N). Notation exp := (exp A N).

  Inductive value :=
    | Num (x : scalar A)
    | Arr (l : list value)
    | Two (a b : value)
    | Pos (k : nat).                   (** an index, in environments only *)

  Definition junk := Pos 0.
  Definition elems (v : value) := match v with Arr l => l | _ => [] end.
  Definition fst_of (v : value) := match v with Two a _ => a | _ => junk end.
  Definition snd_of (v : value) := match v with Two _ b => b | _ => junk end.
  Definition with_num (f : scalar A -> value) (v : value) :=
    match v with Num x => f x | _ => junk end.

  Definition zip_of (v w : value) : value :=
    Arr (map (fun p => Two (fst p) (snd p)) (combine (elems v) (elems w))).
  Definition split_of (n m : nat) (v : value) : value :=
    Arr (map (fun i => Arr (firstn n (skipn (i * n) (elems v)))) (seq 0 m)).
  Definition join_of (v : value) : value := Arr (concat (map elems (elems v))).
  Definition reverse_of (v : value) : value := Arr (rev (elems v)).
  Definition transpose_of (m : nat) (v : value) : value :=
    Arr (map (fun j => Arr (map (fun row => nth j (elems row) junk) (elems v))) (seq 0 m)).

  (** The index variables of an environment. *)
  Definition positions (env : list value) (x : nat) : Z :=
    match nth_error env x with Some (Pos k) => Z.of_nat k | _ => 0 end.

  Fixpoint eval (env : list value) (e : exp) : value :=
    match e with
    | EVar x => nth x env junk
    | ELit c => Num (lit_val A c)
    | EUn o e => with_num (fun x => Num (uop_val A o x)) (eval env e)
    | EBin o e1 e2 =>
        with_num (fun x => with_num (fun y => Num (bop_val A o x y)) (eval env e2)) (eval env e1)
    | EMap _ _ _ f e => Arr (map (fun v => eval (v :: env) f) (elems (eval env e)))
    | EGen _ n _ f => Arr (map (fun k => eval (Pos k :: env) f) (seq 0 #n))
    | ERed _ _ f i e =>
        fold_left (fun acc x => eval (acc :: x :: env) f) (elems (eval env e)) (eval env i)
    | EFold n _ f i =>
        fold_left (fun acc x => eval (acc :: x :: env) f) (map Pos (seq 0 #n)) (eval env i)
    | EZip _ _ _ e1 e2 => zip_of (eval env e1) (eval env e2)
    | ESplit n m e => split_of #n #m (eval env e)
    | EJoin _ _ e => join_of (eval env e)
    | EIdx e i =>
        match index (positions env) i with
        | Some k => nth k (elems (eval env e)) junk
        | None => junk
        end
    | EPair e1 e2 => Two (eval env e1) (eval env e2)
    | EFst e => fst_of (eval env e)
    | ESnd e => snd_of (eval env e)
    | ERev _ e => reverse_of (eval env e)
    | ETr _ m e => transpose_of #m (eval env e)
    | EIte c _ e1 e2 => if holds (positions env) c then eval env e1 else eval env e2
    | ELet _ e f => eval (eval env e :: env) f
    end.

  (** ** The scalars of a value are its leaves *)

  Inductive step := At (i : nat) | L | R.
  Definition path := list step.

  Fixpoint leaf (d : data) (p : path) : Prop :=
    match d, p with
    | DNum, [] => True
    | DAry n d, At i :: p => i < #n /\ leaf d p
    | DPair d1 _, L :: p => leaf d1 p
    | DPair _ d2, R :: p => leaf d2 p
    | _, _ => False
    end.

  Fixpoint leafb (d : data) (p : path) : bool :=
    match d, p with
    | DNum, [] => true
    | DAry n d, At i :: p => (i <? #n) && leafb d p
    | DPair d1 _, L :: p => leafb d1 p
    | DPair _ d2, R :: p => leafb d2 p
    | _, _ => false
    end.

  Fixpoint look (v : value) (p : path) : option (scalar A) :=
    match p, v with
    | [], Num x => Some x
    | At i :: p, Arr l => match nth_error l i with Some w => look w p | None => None end
    | L :: p, Two a _ => look a p
    | R :: p, Two _ b => look b p
    | _, _ => None
    end.

  Fixpoint has_type (d : data) (v : value) : Prop :=
    match d, v with
    | DNum, Num _ => True
    | DAry n d, Arr l => length l = #n /\ forall i x, nth_error l i = Some x -> has_type d x
    | DPair d1 d2, Two a b => has_type d1 a /\ has_type d2 b
    | _, _ => False
    end.

  Definition fits_entry (t : entry N) (w : value) : Prop :=
    match t with TD d => has_type d w | TI n => exists k, w = Pos k /\ k < #n end.

  (** Values for a context. *)
  Definition env_ok (G : ctx N) (env : list value) : Prop :=
    (forall x t, nth_error (vars G) x = Some t ->
       exists w, nth_error env x = Some w /\ fits_entry t w) /\
    (forall c b, In (c, b) (facts G) -> holds (positions env) c = b).

  (** ** Inversion *)

  Lemma has_ary n d w : has_type (DAry n d) w ->
    exists l, w = Arr l /\ length l = #n /\ forall i x, nth_error l i = Some x -> has_type d x.
  Proof. destruct w; simpl; try tauto. intros [len each]. eauto. Qed.

  Lemma has_pair d1 d2 w : has_type (DPair d1 d2) w ->
    exists a b, w = Two a b /\ has_type d1 a /\ has_type d2 b.
  Proof. destruct w; simpl; try tauto. intros [one two]. eauto. Qed.

  Lemma has_num w : has_type DNum w -> exists x, w = Num x.
  Proof. destruct w; simpl; try tauto; eauto. Qed.

  Lemma look_some d : forall w p, has_type d w -> leaf d p -> exists x, look w p = Some x.
  Proof.
    induction d as [| n d IH | d1 IH1 d2 IH2]; intros w p H lf.
    - apply has_num in H as [x ->]. destruct p; simpl in *; [eauto | tauto].
    - apply has_ary in H as (l & -> & len & each).
      destruct p as [| [i | |] p]; simpl in lf; try tauto.
      destruct lf as [lt lf]. rewrite <- len in lt. apply nth_some in lt as [x E].
      simpl. rewrite E. eauto.
    - apply has_pair in H as (a & b & -> & Ha & Hb).
      destruct p as [| [i | |] p]; simpl in lf; try tauto; simpl; eauto.
  Qed.

  Lemma leafb_iff d : forall p, leafb d p = true <-> leaf d p.
  Proof.
    induction d as [| n d IH | d1 IH1 d2 IH2]; intros [| [i | |] p]; simpl;
      try (split; [discriminate | tauto]); try tauto; auto.
    rewrite Bool.andb_true_iff, Nat.ltb_lt, IH. tauto.
  Qed.

  (** ** Environments *)

  Lemma fits_of_env G env : env_ok G env -> fits G (positions env).
  Proof.
    intros [typed known]. split; [| exact known].
    intros x n E. destruct (typed _ _ E) as (w & Ew & k & -> & lt).
    unfold positions. rewrite Ew. split; [apply Nat2Z.is_nonneg | now apply Nat2Z.inj_lt].
  Qed.

  Lemma holds_shift w env c : holds (positions (w :: env)) (cond_subst shift c) =
    holds (positions env) c.
  Proof. rewrite holds_subst. reflexivity. Qed.

  Lemma known_bind (env : list value) w t (G : ctx N) :
    (forall c b, In (c, b) (facts G) -> holds (positions env) c = b) ->
    forall c b, In (c, b) (facts (bind t G)) -> holds (positions (w :: env)) c = b.
  Proof.
    intros known c b HI. apply in_map_iff in HI as ([c0 b0] & E & HI). injection E as <- <-.
    simpl fst. rewrite holds_shift. now apply known.
  Qed.

  Lemma env_bind G env t w : env_ok G env -> fits_entry t w -> env_ok (bind t G) (w :: env).
  Proof.
    intros [typed known] fit. split.
    - intros [| x] u E; simpl in *; [injection E as <-; eauto | auto].
    - eapply known_bind; eauto.
  Qed.

  Lemma known_assume (env : list value) c (G : ctx N) :
    (forall c b, In (c, b) (facts G) -> holds (positions env) c = b) ->
    forall c' b, In (c', b) (facts (assume c (holds (positions env) c) G)) ->
      holds (positions env) c' = b.
  Proof. intros known c' b [E | HI]; [now injection E as <- <- | auto]. Qed.

  Lemma env_assume G env c : env_ok G env -> env_ok (assume c (holds (positions env) c) G) env.
  Proof. intros [typed known]. split; [exact typed |]. now apply known_assume. Qed.

  Lemma index_in_range G env i n : env_ok G env -> in_range G i n ->
    exists k, index (positions env) i = Some k /\ k < #n.
  Proof.
    intros H rng. destruct (rng _ (fits_of_env H)) as [lo hi]. unfold index.
    destruct (Z.leb_spec 0 (ixv (positions env) i)) as [_ | neg].
    - eexists. split; [reflexivity |]. apply Nat2Z.inj_lt. now rewrite Z2Nat.id.
    - exfalso. apply (Zlt_not_le _ _ neg lo).
  Qed.
End Values.

Arguments value : clear implicits.
Arguments junk {A}.
Arguments Num {A}.
Arguments Pos {A}.
Arguments has_ary {A N s n d w}.
Arguments has_pair {A N s d1 d2 w}.
Arguments has_num {A N s w}.
