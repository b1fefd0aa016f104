(** * What a target adds

    [sims] goes through a target as [build] does, without the graph: what may have
    been built when a pattern is, one list for each choice.  The weight of the new
    nodes is at most that of one of the lists, and no new node reads what the match
    uses up. *)

From Coq Require Import Arith Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.MatchProof pattern.Forward pattern.ForwardProof.
From Calque Require Import rewrite.Rewrite rewrite.Check rewrite.Facts rewrite.Sound.
From Calque Require Import rewrite.TermImage rewrite.TermMatch.
Import ListNotations.
Open Scope nat_scope.

(** A weight of operators, and one of tuples and projections. *)
Record weight := Weight { of_call : string -> nat; of_tuple : nat }.

Definition weigh (w : weight) (n : node oper) : nat :=
  match what (op n) with KCall s => of_call w s | KTuple | KProj _ => of_tuple w | _ => 0 end.

(** The operator that a call stands for, if the operator pattern of the rule stands for [name]. *)
Definition call_name (name : string) (o : opref) : string :=
  match o with OName s => s | OPat _ => name end.

Definition weight_of (w : weight) (name : string) (q : pattern) : nat :=
  match form q with
  | PCall o _ => of_call w (call_name name o)
  | PTuple _ | PProj _ _ => of_tuple w
  | _ => 0
  end.

Section Sims.
  Variable pats : list pattern.
  Variable sources : list nat.
  Variable deep : nat.                  (** patterns below are those of the source *)
  Variable w : weight.
  Variable name : string.

  Definition pattern_weight (p : nat) : nat :=
    match nth_error pats p with Some q => weight_of w name q | None => 0 end.

  (** A look-up that is never of an application: a leaf of the source, or one that is optional;
      for instance 0, so is what stands in for it. *)
  Definition leaf_at (p : nat) : bool :=
    match nth_error pats p with Some q => is_leaf q | None => false end.

  Definition with_first (ok : nat -> bool) (p : nat) : bool :=
    Nat.ltb p deep && ok p && match nth_error pats p with
            | Some q => match first q with Some f => ok f | None => true end
            | None => false
            end.

  Definition looks_outside : nat -> bool :=
    with_first (fun p => leaf_at p ||
      match nth_error pats p with
      | Some q => match form q with POptional k _ => with_first leaf_at k | _ => false end
      | None => false
      end).

  Definition each {A} (f : A -> option (list A)) (l : list A) : option (list A) :=
    option_map (@List.concat A) (traverse f l).

  Definition template_at (p : nat) : bool := match nth_error pats p with Some q => template q | None => false end.

  Definition recorded (p : nat) (q : pattern) (B : list nat) : list nat := if template q then B else p :: B.

  Definition member (B : list nat) (Bs : list (list nat)) : bool :=
    existsb (fun C => if list_eq_dec Nat.eq_dec C B then true else false) Bs.

  (** Instances of a template are made over and over: what they share is there after the first. *)
  Definition again (f : list nat -> option (list (list nat))) (B : list nat) : option (list (list nat)) :=
    match f B with
    | Some Bs =>
        if forallb (fun B1 => match f B1 with
                              | Some Cs => forallb (fun C => member C (B :: Bs)) Cs
                              | None => false
                              end) Bs
        then Some (B :: Bs) else None
    | None => None
    end.

  (** One child after the other. *)
  Fixpoint in_turn (f : nat -> list nat -> option (list (list nat))) (l : list nat) (B : list nat) :
      option (list (list nat)) :=
    match l with
    | [] => Some [B]
    | k :: l' => match f k B with Some Bs => each (in_turn f l') Bs | None => None end
    end.

  (** One of the children. *)
  Definition either (f : nat -> list nat -> option (list (list nat))) (l : list nat) (B : list nat) :
      option (list (list nat)) :=
    option_map (@List.concat (list nat)) (traverse (fun k => f k B) l).

  (** After the children, the pattern itself; a template may have been made before. *)
  Definition made (p : nat) (q : pattern) (o : option (list (list nat))) (B : list nat) : option (list (list nat)) :=
    match o with
    | Some Bs =>
        if template q then if Nat.eqb (weight_of w name q) 0 then Some (B :: Bs) else None
        else Some (map (cons p) Bs)
    | None => None
    end.

  Fixpoint sims (n : nat) (p : nat) (B : list nat) : option (list (list nat)) :=
    match n, nth_error pats p with
    | S n', Some q =>
        let there := negb (template q) && existsb (Nat.eqb p) B in
        if existsb (Nat.eqb p) sources then
          if looks_outside p then
            match form q with
            | PConst (Some _) | POptional _ (Some _) =>
                if match first q with Some f => template_at f | None => false end then None
                else Some ((if there then [B] else [B; recorded p q B]) ++
                           match first q with Some f => if existsb (Nat.eqb f) B then [] else [f :: B] | None => [] end)
            | _ => Some [B]
            end
          else None
        else
          match first q, form q with
          | Some _, _ => None
          | None, PNone => Some [B]
          | None, PInst t _ => if looks_outside t then Some [B] else None
          | None, s =>
              if there then Some [B] else
              match s with
              | PConst _ | POptional _ _ => made p q (Some [B]) B
              | PCall _ l | PTuple l =>
                  made p q match l, match l with [v] => variadic pats v | _ => None end with
                           | [_], Some f => again (sims n' f) B
                           | _, _ => in_turn (sims n') l B
                           end B
              | PProj k _ =>
                  if existsb (Nat.eqb k) sources then None
                  else match nth_error pats k with
                       | Some s => match form s with PCall _ _ => made p q (sims n' k B) B | _ => None end
                       | None => None
                       end
              | PCond _ a b => made p q (either (sims n') [a; b] B) B
              | PMatch _ l => made p q (either (sims n') l B) B
              | _ => None
              end
          end
    | _, _ => None
    end.

  (** All the targets: the instances of the only one, if it is variadic. *)
  Definition sim_roots (targets : list nat) : option (list (list nat)) :=
    let n := List.length pats in
    match targets with
    | [p] => match variadic pats p with
             | Some f => again (sims n f) []
             | None => sims n p []
             end
    | l => in_turn (sims n) l []
    end.
End Sims.
