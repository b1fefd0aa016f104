(** * Programs of several assignments

    Inputs and outputs are the roots [0 ..].  An assignment sees the parameters that have a
    value by then, its own target only when it is buffered: computed into a temporary
    first.  To the translation the others are no data, so that nothing well-typed can
    mention them. *)

From Coq Require Import List Arith Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Values dpia.Target dpia.Trans.
From Calque Require Import emit.MiniC emit.Codegen emit.Flat emit.Tidy.
Import ListNotations.
Set Implicit Arguments.

Section Whole.
  Context {A : algebra} {N : sizes}.
  Notation data := (data N).

  Record assignment := Assignment {
    target : nat;
    value_type : data;
    source : exp A N;
    buffered : bool }.

  (** [set]: the parameters that have a value. *)
  Definition visible (set : nat -> bool) (a : assignment) (k : nat) : bool :=
    set k && (buffered a || negb (k =? target a)).
  Definition after (set : nat -> bool) (a : assignment) (k : nat) : bool :=
    (k =? target a) || set k.

  Definition context (params : list data) (set : nat -> bool) (a : assignment) : ctx N :=
    Ctx (map (fun kd => if visible set a (fst kd) then TD (snd kd) else TI (lift N 1))
             (combine (seq 0 (length params)) params)) [].
  Definition roots (params : list data) (set : nat -> bool) (a : assignment) : list (vexp A N) :=
    map (fun k => if visible set a k then VRoot k else VIx (XCst 0)) (seq 0 (length params)).

  Definition translate (params : list data) (set : nat -> bool) (a : assignment) : comm A N :=
    let l := length params in
    let d := value_type a in
    let rho := roots params set a in
    if buffered a
    then CNew l d (CSeq (trans_a (source a) rho d (ARoot l) (S l))
                        (copy Par d (ARoot (target a)) (VRoot l) (S l)))
    else trans_a (source a) rho d (ARoot (target a)) l.

  Fixpoint translate_all (params : list data) (set : nat -> bool) (l : list assignment) :
    comm A N :=
    match l with
    | [] => CSkip
    | a :: rest =>
        match rest with
        | [] => translate params set a
        | _ => CSeq (translate params set a) (translate_all params (after set a) rest)
        end
    end.

  Definition emitted (params : list data) (c : comm A N) : fstm A N :=
    tidy (flat (fun r => nth r params DNum) (cgc c)).

  (** ** Typing and meaning *)

  Fixpoint checked (range : ctx N -> ix N -> size N -> bool) (params : list data)
      (set : nat -> bool) (l : list assignment) : bool :=
    match l with
    | [] => true
    | a :: rest =>
        match nth_error params (target a), infer range (context params set a) (source a) with
        | Some d, Some d' => data_eqb d (value_type a) && data_eqb d' (value_type a)
        | _, _ => false
        end && checked range params (after set a) rest
    end.

  Context {s : sizing N}.

  Definition value_of (set : nat -> bool) (a : assignment) (env : list (value A)) : value A :=
    eval (map (fun kw => if visible set a (fst kw) then snd kw else junk)
              (combine (seq 0 (length env)) env)) (source a).
  Fixpoint replace (k : nat) (w : value A) (env : list (value A)) : list (value A) :=
    match env, k with
    | [], _ => []
    | _ :: env, O => w :: env
    | v :: env, S k => v :: replace k w env
    end.
  Fixpoint meaning (set : nat -> bool) (l : list assignment) (env : list (value A)) :
    list (value A) :=
    match l with
    | [] => env
    | a :: rest => meaning (after set a) rest (replace (target a) (value_of set a env) env)
    end.
  Definition all_set (set : nat -> bool) (l : list assignment) : nat -> bool :=
    fold_left after l set.
End Whole.
