(** * The bidirectional search

    For a further output only nodes are tried that are computed from what is matched
    already.  [anchors]: the matched nodes that pattern [p] is certainly computed
    from, the nearest on every path.  Whatever stands for [p] is computed from all of
    them ([ForwardProof]), so that a search that tries only such nodes finds the
    same matches in the same order as one that tries every node. *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern pattern.Match.
Import ListNotations.
Open Scope nat_scope.

Section Anchors.
  Variable pats : list pattern.

  (** Matched in instance [i], it stands for a node that is not absent, at its own
      address. *)
  Definition solid (i : option nat) (q : pattern) : bool :=
    match first_of i q with
    | None =>
        match form q with
        | PWildcard | PVariable | PConst _ | PCall _ _ | PTuple _ | PProj _ _ => true
        | _ => false
        end
    | Some _ => false
    end.

  (** The children that are matched whenever [q] is. *)
  Definition links (i : option nat) (q : pattern) : list nat :=
    filter (fun k => match nth_error pats k with
                     | Some r => solid i r && implb (template r) (template q)
                     | None => false
                     end)
      match form q with
      | PCall _ kids | PTuple kids => kids
      | PProj kid _ => [kid]
      | _ => []
      end.

  Definition inst_of (i : option nat) (q : pattern) : option nat := if template q then i else None.

  Fixpoint nearest (fuel : nat) (M : mstate) (i : option nat) (p : nat) : list nat :=
    match fuel with
    | O => []
    | S fuel' =>
        match nth_error pats p with
        | Some q =>
            match get M (p, inst_of i q) with
            | Some e => [e]
            | None => flat_map (nearest fuel' M i) (links i q)
            end
        | None => []
        end
    end.

  Definition anchors (M : mstate) (i : option nat) (p : nat) : list nat :=
    match nth_error pats p with
    | Some q => if solid i q then nearest (S p) M i p else []
    | None => []
    end.

  (** What matching [p], no template, binds for certain. *)
  Fixpoint below (fuel : nat) (p : nat) : list nat :=
    match fuel with
    | O => []
    | S fuel' =>
        p :: match nth_error pats p with
             | Some q => flat_map (below fuel') (links None q)
             | None => []
             end
    end.

  Definition certain (p : nat) : list nat :=
    match nth_error pats p with
    | Some q => if solid None q && negb (template q) then below (S p) p else []
    | None => []
    end.

  (** Every output shares a pattern with the earlier ones, for certain. *)
  Fixpoint connected_from (seen ps : list nat) : bool :=
    match ps with
    | [] => true
    | p :: ps' =>
        existsb (fun q => mem q seen) (certain p) && connected_from (certain p ++ seen) ps'
    end.

  Definition connected (ps : list nat) : bool :=
    match ps with [] => true | p :: ps' => connected_from (certain p) ps' end.
End Anchors.

Section Search.
  Variable commutes : string -> bool.
  Variable r : rule.
  Variable g : tgraph.
  Variable outputs : list nat.
  Notation pmatch := (pmatch commutes (patterns r) g).

  (** Which nodes are tried for pattern [p] of instance [i]. *)
  Variable near : mstate -> option nat -> nat -> nat -> bool.

  Fixpoint search_near (candidates : list nat) (M : mstate) (ps es : list nat) :
      list (mstate * list nat) :=
    match ps with
    | [] => [(M, rev es)]
    | p :: ps' =>
        flat_map (fun e =>
            flat_map (fun M' => search_near candidates M' ps' (e :: es)) (pmatch (S p) None M p e))
          (filter (near M None p) candidates)
    end.

  Definition multi_near (candidates : list nat) (ps : list nat) (e : nat) : list (mstate * list nat) :=
    match ps with
    | [] => []
    | p :: ps' =>
        filter (fun Mo => conditions_ok r g outputs (fst Mo) (snd Mo))
          (flat_map (fun M => search_near candidates M ps' [e]) (pmatch (S p) None empty p e))
    end.

  (** Any number of outputs. *)
  Fixpoint grow_near (fuel : nat) (candidates : list nat) (field : nat) (M : mstate) (outs : list nat) :
      mstate * list nat :=
    match fuel with
    | O => (M, outs)
    | S fuel' =>
        let k := List.length outs in
        match first_some (branch commutes r g outputs field k M outs)
                (filter (near M (Some k) field) candidates) with
        | Some (e, M') => grow_near fuel' candidates field M' (outs ++ [e])
        | None => (M, outs)
        end
    end.
End Search.

(** Computed from every anchor. *)
Definition near_all (pats : list pattern) (g : tgraph) (M : mstate) (i : option nat) (p e : nat) : bool :=
  forallb (fun a => mem e (reach g a)) (anchors pats M i p).

(** Computed from anything that is matched, if there is an anchor. *)
Definition near_any (pats : list pattern) (g : tgraph) (M : mstate) (i : option nat) (p e : nat) : bool :=
  match anchors pats M i p with
  | [] => true
  | _ => existsb (fun b => mem e (reach g (snd b))) (bound M)
  end.
