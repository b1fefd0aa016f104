(** * Building a target and putting it in place

    The judgement [pe M i st p e st'] (thesis, figure pat_eval): under the match
    [M], in instance [i], pattern [p] stands for node [e]; on the way the graph
    of [st] grew to that of [st'].  A pattern that the match binds is looked up
    and never rebuilt; the others are built once for each address. *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Order.
Import ListNotations.
Open Scope nat_scope.

Record bstate := BState {
  built : list (addr * nat);
  whole : tgraph                        (** the graph and, behind it, the new nodes *)
}.

(** How a node comes from its children. *)
Inductive finish :=
  | FNew (o : oper)                     (** a new node *)
  | FSame                               (** the only child *)
  | FField (k : Z).                     (** field [k] of the only child *)

Definition bgoal := (option nat * nat)%type.

(** Threading a state through a list, with a result for each element. *)
Inductive collect {S A B} (R : S -> A -> B -> S -> Prop) : S -> list A -> list B -> S -> Prop :=
  | C_Nil : forall s, collect R s [] [] s
  | C_Cons : forall s a b s1 l bs s2,
      R s a b s1 -> collect R s1 l bs s2 -> collect R s (a :: l) (b :: bs) s2.

Section Collect.
  Context {S A B : Type} (f : S -> A -> option (B * S)).

  Fixpoint collects (s : S) (l : list A) : option (list B * S) :=
    match l with
    | [] => Some ([], s)
    | a :: l' =>
        match f s a with
        | Some (b, s1) =>
            match collects s1 l' with
            | Some (bs, s2) => Some (b :: bs, s2)
            | None => None
            end
        | None => None
        end
    end.
End Collect.

Section Build.
  Variable pats : list pattern.
  Variable g : tgraph.                  (** the graph that was matched *)
  Variable M : mstate.

  Notation env_at := (env_at pats g M).

  Definition value_at (i : option nat) (a : attr) : option value := eval (env_at i) a.

  Definition given (i : option nat) (q : pattern) : option (list (label * value)) :=
    traverse (fun c => option_map (pair (fst c)) (value_at i (snd c))) (wants q).

  (** Children, or the instances of the only one, if it is variadic. *)
  Definition parts (i : option nat) (kids : list nat) : option (list bgoal) :=
    match kids with
    | [v] =>
        match nth_error pats v with
        | Some q =>
            match form q with
            | PVariadic field _ (Some n) _ =>
                match value_at i n with
                | Some (VInt k) =>
                    option_map (fun m => map (fun j => (Some j, field)) (seq 0 m)) (count k)
                | _ => None
                end
            | PVariadic _ _ None _ => None
            | _ => Some [(i, v)]
            end
        | None => None
        end
    | _ => Some (map (pair i) kids)
    end.

  (** Number 0 is that of no constant of a graph that is read. *)
  Definition new_const (v : value) (t : list (label * value)) : finish :=
    FNew (Oper (KConst 0 (Some v)) t []).

  (** The operator of a call in a target; that of a pattern is the one matched. *)
  Definition target_op (o : opref) : option string :=
    match o with
    | OName s => Some s
    | OPat p => match get M (p, None) with Some e => name_of g e | None => None end
    end.

  (** *** One pattern: what to build first and how to finish *)

  Inductive make (i : option nat) (q : pattern) : list bgoal -> finish -> Prop :=
    (** [PE-Const]:  M;a => v  /  M;Const a => a new constant v *)
    | PE_Const : forall a v t,
        form q = PConst (Some a) -> value_at i a = Some v -> given i q = Some t ->
        make i q [] (new_const v t)
    (** [PE-Call]:  for all k, M;pk => ek   for all j, M;aj => vj
          /  M;op(p1..pn){l1=a1..} => op(e1..en){l1=v1..} *)
    | PE_Call : forall o kids name gs vs,
        form q = PCall o kids -> target_op o = Some name ->
        parts i kids = Some gs -> given i q = Some vs ->
        make i q gs (FNew (Oper (KCall name) [] vs))
    (** [PE-Tuple]:  for all k, M;pk => ek  /  M;(p1..pn) => (e1..en) *)
    | PE_Tuple : forall kids gs,
        form q = PTuple kids -> parts i kids = Some gs ->
        make i q gs (FNew (Oper KTuple [] []))
    (** [PE-Proj]:  M;p => e   M;a => k  /  M;p.a => e.k *)
    | PE_Proj : forall kid a k,
        form q = PProj kid (Some a) -> value_at i a = Some (VInt k) ->
        make i q [(i, kid)] (FField k)
    (** [PE-Cond]:  M;c => b   M;pb => e  /  M;Cond c p_true p_false => e *)
    | PE_Cond : forall c kid kid' b,
        form q = PCond c kid kid' -> value_at i c = Some (VBool b) ->
        make i q [(i, if b then kid else kid')] FSame
    (** [PE-Choice]:  p matched by alternative k   M;pk => e  /  M;Match p (p0..) => e *)
    | PE_Choice : forall alt kids k kid,
        form q = PMatch alt kids -> look_up Nat.eqb (alts M) alt = Some k ->
        nth_error kids k = Some kid ->
        make i q [(i, kid)] FSame
    (** [PE-Default]:  p is absent   M;a => v  /  M;Optional p (Const a) => a new constant v *)
    | PE_Default : forall kid a v,
        form q = POptional kid (Some a) -> value_at i a = Some v ->
        make i q [] (new_const v []).

  Definition plan (i : option nat) (q : pattern) : option (list bgoal * finish) :=
    match form q with
    | PConst (Some a) =>
        match value_at i a, given i q with
        | Some v, Some t => Some ([], new_const v t)
        | _, _ => None
        end
    | PCall o kids =>
        match target_op o, parts i kids, given i q with
        | Some name, Some gs, Some vs => Some (gs, FNew (Oper (KCall name) [] vs))
        | _, _, _ => None
        end
    | PTuple kids => option_map (fun gs => (gs, FNew (Oper KTuple [] []))) (parts i kids)
    | PProj kid (Some a) =>
        match value_at i a with Some (VInt k) => Some ([(i, kid)], FField k) | _ => None end
    | PCond c kid kid' =>
        match value_at i c with
        | Some (VBool b) => Some ([(i, if b then kid else kid')], FSame)
        | _ => None
        end
    | PMatch alt kids =>
        match look_up Nat.eqb (alts M) alt with
        | Some k => option_map (fun kid => ([(i, kid)], FSame)) (nth_error kids k)
        | None => None
        end
    | POptional kid (Some a) => option_map (fun v => ([], new_const v [])) (value_at i a)
    | _ => None
    end.

  (** The node, and the graph with it. *)
  Definition finished (f : finish) (es : list nat) (h : tgraph) : option (nat * tgraph) :=
    match f, es with
    | FNew o, _ => Some (List.length h, h ++ [Node o es])
    | FSame, [e] => Some (e, h)
    | FField k, [e] =>
        match nth_error h e with
        | Some n =>
            match what (op n) with
            | KTuple => if (k <? 0)%Z then None
                        else option_map (fun c => (c, h)) (nth_error (args n) (Z.to_nat k))
            | _ => Some (List.length h, h ++ [Node (Oper (KProj k) [] []) [e]])
            end
        | None => None
        end
    | _, _ => None
    end.

  (** Is the pattern a look-up: bound, an instance, or an absent input? *)
  Definition looked_up (i : option nat) (p : nat) (q : pattern) : option nat :=
    match get M (at_ i p q), form q with
    | Some e, POptional _ (Some _) =>
        match nth_error g e with Some n => if present n then Some e else None | None => None end
    | Some e, _ => Some e
    | None, PNone => Some 0
    | None, PInst t a =>
        match value_at i a with
        | Some (VInt k) => if (k <? 0)%Z then None else get M (instance pats t (Z.to_nat k))
        | _ => None
        end
    | None, _ => None
    end.

  Inductive pe : option nat -> bstate -> nat -> nat -> bstate -> Prop :=
    (** [PE-Match]:  M(p@i) = e  /  M;p => e *)
    | PE_Match : forall i st p q e,
        nth_error pats p = Some q -> looked_up i p q = Some e ->
        pe i st p e st
    (** [PE-Shared]:  a pattern is built once *)
    | PE_Shared : forall i st p q e,
        nth_error pats p = Some q -> looked_up i p q = None ->
        look_up addr_eqb (built st) (at_ i p q) = Some e ->
        pe i st p e st
    (** the rules of [make], children first *)
    | PE_Make : forall i st p q gs f es st1 e h,
        nth_error pats p = Some q -> looked_up i p q = None ->
        look_up addr_eqb (built st) (at_ i p q) = None ->
        make i q gs f ->
        collect (fun st x e st' => pe (fst x) st (snd x) e st') st gs es st1 ->
        finished f es (whole st1) = Some (e, h) ->
        pe i st p e (BState ((at_ i p q, e) :: built st1) h).

  Fixpoint build (fuel : nat) (i : option nat) (st : bstate) (p : nat) : option (nat * bstate) :=
    match fuel with
    | O => None
    | S fuel' =>
        match nth_error pats p with
        | Some q =>
            match looked_up i p q with
            | Some e => Some (e, st)
            | None =>
                match look_up addr_eqb (built st) (at_ i p q) with
                | Some e => Some (e, st)
                | None =>
                    match plan i q with
                    | Some (gs, f) =>
                        match collects (fun st x => build fuel' (fst x) st (snd x)) st gs with
                        | Some (es, st1) =>
                            match finished f es (whole st1) with
                            | Some (e, h) => Some (e, BState ((at_ i p q, e) :: built st1) h)
                            | None => None
                            end
                        | None => None
                        end
                    | None => None
                    end
                end
            end
        | None => None
        end
    end.
End Build.

(** ** One rewrite *)

(** Which patterns take the place of [n] outputs. *)
Definition roots (r : rule) (n : nat) : list bgoal :=
  match target r with
  | [p] =>
      match nth_error (patterns r) p with
      | Some q => match form q with
                  | PVariadic field _ _ _ => map (fun k => (Some k, field)) (seq 0 n)
                  | _ => [(None, p)]
                  end
      | None => []
      end
  | ps => map (pair None) ps
  end.

Definition build_roots (r : rule) (g : tgraph) (M : mstate) (n : nat) : option (list nat * bstate) :=
  collects (fun st x => build (patterns r) g M (List.length (patterns r)) (fst x) st (snd x))
    (BState [] g) (roots r n).

(** New outputs have the type of the old ones. *)
Definition retype (g h : tgraph) (moves : list (nat * nat)) : tgraph :=
  map (fun in_ =>
      match find (fun m => Nat.eqb (snd m) (fst in_)) moves, nth_error g (fst in_) with
      | Some m, None =>
          match nth_error g (fst m) with
          | Some n => Node (Oper (what (op (snd in_))) (type (op n)) (attrs (op (snd in_)))) (args (snd in_))
          | None => snd in_
          end
      | _, _ => snd in_
      end)
    (combine (seq 0 (List.length h)) h).

(** [outs], and the nodes that take their place. *)
Definition place_target {O} (g new : Graph.graph O) (moves : list (nat * nat)) :
    option (Graph.graph O * (nat -> nat)) :=
  let k := List.length g in
  let outs := map fst moves in
  let late := flat_map (reach g) outs in
  let early j := negb (Nat.ltb j k) || negb (mem j late) in
  let order := late_order g (List.length new) outs in
  let to j := match find (fun m => Nat.eqb (place_of (fst m) order) j) moves with
              | Some m => place_of (snd m) order
              | None => j
              end in
  if wfb (g ++ new) &&
     forallb (fun n => forallb early (args n)) new &&
     forallb (fun m => Nat.ltb (fst m) k && Nat.ltb (snd m) (k + List.length new) && early (snd m)) moves
  then Some (redirect to (reorder order (g ++ new)), fun j => to (place_of j order))
  else None.

(** Without the nodes that no output needs, except inputs and node 0. *)
Definition tidy (g : tgraph) (outs : list nat) : tgraph * list nat :=
  let inputs := filter (fun i => match nth_error g i with
                                 | Some n => match what (op n) with KInput _ | KAbsent => true | _ => false end
                                 | None => false
                                 end) (seq 0 (List.length g)) in
  let order := needed g (outs ++ inputs) in
  (reorder order g, map (fun o => place_of o order) outs).

Definition same_node (h : tgraph) (a b : nat) : bool :=
  Nat.eqb a b ||
  match nth_error h a, nth_error h b with
  | Some m, Some n =>
      match what (op m), what (op n) with
      | KCall s, KCall t =>
          String.eqb s t && all2 Nat.eqb (args m) (args n) &&
          all2 (fun c d => String.eqb (fst c) (fst d) && value_eqb (snd c) (snd d))
            (attrs (op m)) (attrs (op n))
      | _, _ => false
      end
  | _, _ => false
  end.

(** Every output is computed as before, and by a node of its own. *)
Definition changes_nothing (h : tgraph) (moves : list (nat * nat)) : bool :=
  forallb (fun m => same_node h (fst m) (snd m)) moves &&
  Nat.eqb (List.length (nodup Nat.eq_dec (map snd moves))) (List.length moves).

(** The graph after one rewrite of the match [M] with outputs [outs], and the
    outputs of the graph; nothing if the target cannot be built, changes nothing,
    or reads what it replaces. *)
Definition rewrite_match (r : rule) (g : tgraph) (outputs : list nat) (M : mstate) (outs : list nat) :
    option (tgraph * list nat) :=
  match build_roots r g M (List.length outs) with
  | Some (es, st) =>
      let moves := combine outs es in
      let h := retype g (whole st) moves in
      if Nat.eqb (List.length es) (List.length outs) &&
         negb (changes_nothing h moves)
      then
        match place_target g (skipn (List.length g) h) moves with
        | Some (h', f) => Some (tidy h' (map f outputs))
        | None => None
        end
      else None
  | None => None
  end.

Section Driver.
  Variable commutes : string -> bool.

  (** The first node of the graph where the rule applies. *)
  Definition rewrite_rule (r : rule) (g : tgraph) (outputs : list nat) :
      option (nat * (tgraph * list nat)) :=
    first_some (fun e =>
        match rule_at commutes r g outputs (seq 0 (List.length g)) e with
        | Some (M, outs) => rewrite_match r g outputs M outs
        | None => None
        end) (seq 0 (List.length g)).

  (** The first rule that applies, again and again; the log names rule and node. *)
  Fixpoint rewrite_fix (fuel : nat) (rules : list (string * rule)) (g : tgraph) (outputs : list nat)
      (log : list (string * nat)) : tgraph * list nat * list (string * nat) :=
    match fuel with
    | O => (g, outputs, rev log)
    | S fuel' =>
        match first_some (fun r => rewrite_rule (snd r) g outputs) rules with
        | Some (r, (e, (g', outputs'))) => rewrite_fix fuel' rules g' outputs' ((fst r, e) :: log)
        | None => (g, outputs, rev log)
        end
    end.
End Driver.
