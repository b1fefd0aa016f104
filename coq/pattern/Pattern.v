(** * Patterns, and when they match

    A pattern is an array of nodes, children by number; a match sends addresses
    to nodes of a graph.  An address is a pattern number and, for a template of a
    variadic pattern, the number of the instance: no template is ever copied.
    The judgement [pm i M p e M'] reads: in instance [i], given the match [M] so
    far, pattern [p] stands for node [e], and then the match is [M'] (thesis,
    figure pat_match, where the match is a side effect).  What attributes must
    satisfy is asked of the whole match ([attrs_ok]), so that it does not depend
    on the order in which the patterns are visited. *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
Import ListNotations.

(** ** The graphs *)

(** What a node does; an absent optional input is a node too.  Inputs and
    constants have a number, so that the meaning of the operators may tell them
    apart. *)
Inductive kind :=
  | KAbsent
  | KInput (k : N)
  | KConst (k : N) (v : option value)   (** [v]: its value where an attribute can say it *)
  | KCall (name : string)
  | KProj (k : Z)
  | KTuple.

Record oper := Oper {
  what : kind;
  type : list (label * value);          (** shape, dtype, ndim: those that are known *)
  attrs : list (label * value)
}.

Notation tgraph := (Graph.graph oper).

(** ** The patterns *)

Inductive opref :=
  | OName (s : string)
  | OPat (p : nat).                     (** an operator pattern: the same operator everywhere *)

(** ORDER pattern_kind *)
Inductive shape :=
  | PWildcard
  | PVariable
  | PConst (a : option attr)
  | PCall (o : opref) (kids : list nat)
  | PTuple (kids : list nat)
  | PProj (kid : nat) (a : option attr)
  | POptional (kid : nat) (otherwise : option attr)
  | PNone
  | PAlt (kids : list nat)
  | POp (names : list string)
  | PVariadic (field least : nat) (len : option attr) (index : option symbol)
  | PInst (template : nat) (a : attr)
  | PCond (c : attr) (kid kid' : nat)   (** targets only *)
  | PMatch (alt : nat) (kids : list nat). (** targets only *)

Record pattern := Pattern {
  form : shape;
  wants : list (label * attr);          (** attributes: matched in a source, given in a target *)
  shared : bool;                        (** may stand for what another leaf stands for *)
  template : bool;                      (** of the variadic pattern it is part of *)
  first : option nat                    (** whose constraints hold for instance 0 instead *)
}.

Definition children (s : shape) : list nat :=
  match s with
  | PCall (OName _) kids | PTuple kids | PAlt kids => kids
  | PCall (OPat o) kids => o :: kids
  | PProj kid _ | POptional kid _ => [kid]
  | PVariadic field _ _ _ => [field]
  | PInst t _ => [t]
  | PCond _ a b => [a; b]
  | PMatch q kids => q :: kids
  | _ => []
  end.

(** ** Matches *)

Definition addr := (nat * option nat)%type.

Definition inst_eqb (i j : option nat) : bool :=
  match i, j with
  | None, None => true
  | Some k, Some l => Nat.eqb k l
  | _, _ => false
  end.

Definition addr_eqb (a b : addr) : bool :=
  Nat.eqb (fst a) (fst b) && inst_eqb (snd a) (snd b).

Record mstate := MState {
  bound : list (addr * nat);            (** M, the latest first *)
  lens : list (nat * nat);              (** how many instances a variadic pattern has *)
  alts : list (nat * nat)               (** which alternative was taken *)
}.

Definition empty : mstate := MState [] [] [].

Definition get (M : mstate) (a : addr) : option nat := look_up addr_eqb (bound M) a.
Definition put (M : mstate) (a : addr) (e : nat) : mstate :=
  MState ((a, e) :: bound M) (lens M) (alts M).
Definition put_len (M : mstate) (p n : nat) : mstate :=
  MState (bound M) ((p, n) :: lens M) (alts M).
Definition put_alt (M : mstate) (p k : nat) : mstate :=
  MState (bound M) (lens M) ((p, k) :: alts M).

(** A goal: pattern [p] in instance [i] against node [e]. *)
Definition goal := (option nat * nat * nat)%type.

(** Threading a relation through a list of goals. *)
Inductive thread {A S} (R : S -> A -> S -> Prop) : S -> list A -> S -> Prop :=
  | T_Nil : forall s, thread R s [] s
  | T_Cons : forall s a s1 l s2,
      R s a s1 -> thread R s1 l s2 -> thread R s (a :: l) s2.

Section Thread.
  Context {A S : Type} (f : S -> A -> list S).

  Fixpoint threads (s : S) (l : list A) : list S :=
    match l with
    | [] => [s]
    | a :: l' => flat_map (fun s1 => threads s1 l') (f s a)
    end.
End Thread.

Section Match.
  (** Which binary operators are commutative. *)
  Variable commutes : string -> bool.
  Variables (pats : list pattern) (g : tgraph).

  (** The pattern that instance 0 of a template is, if it is another. *)
  Definition first_of (i : option nat) (q : pattern) : option nat :=
    match i with Some 0%nat => if template q then first q else None | _ => None end.

  (** The address of [p] in instance [i]. *)
  Definition at_ (i : option nat) (p : nat) (q : pattern) : addr :=
    match first_of i q with
    | Some f => (f, None)
    | None => (p, if template q then i else None)
    end.

  Definition instance (t k : nat) : addr :=
    match nth_error pats t with Some q => at_ (Some k) t q | None => (t, Some k) end.

  Definition present (n : node oper) : bool :=
    match what (op n) with KAbsent => false | _ => true end.

  (** *** Inputs of an application *)

  (** Inputs that are not written are absent (node 0); further ones must be. *)
  Definition fit (k : nat) (es : list nat) : option (list nat) :=
    if forallb (fun e => match nth_error g e with Some n => negb (present n) | None => false end)
         (skipn k es)
    then Some (firstn k (es ++ repeat 0%nat k)) else None.

  (** As written, and for a commutative operator swapped. *)
  Definition orders (name : string) (es : list nat) : list (list nat) :=
    match es with
    | [a; b] => if commutes name then [[a; b]; [b; a]] else [[a; b]]
    | _ => [es]
    end.

  (** Children against nodes: as many of either; or all the nodes are instances
      of one variadic pattern [v], [Some (v, length)]. *)
  Definition instances (field : nat) (es : list nat) : list goal :=
    map (fun ke => (Some (fst ke), field, snd ke)) (combine (seq 0 (List.length es)) es).

  Definition variadic (p : nat) : option nat :=
    match nth_error pats p with
    | Some q => match form q with PVariadic field _ _ _ => Some field | _ => None end
    | None => None
    end.

  Definition goals (i : option nat) (M : mstate) (kids es : list nat) : option (mstate * list goal) :=
    match kids, match kids with [v] => variadic v | _ => None end with
    | [v], Some field =>
        match look_up Nat.eqb (lens M) v with
        | Some n => if Nat.eqb n (List.length es) then Some (M, instances field es) else None
        | None => Some (put_len M v (List.length es), instances field es)
        end
    | _, _ =>
        if Nat.eqb (List.length kids) (List.length es)
        then Some (M, map (fun ke => (i, fst ke, snd ke)) (combine kids es)) else None
    end.

  (** How many inputs a call asks for: any number if they are instances. *)
  Definition call_inputs (kids es : list nat) : option (list nat) :=
    match match kids with [v] => variadic v | _ => None end with
    | Some _ => Some es
    | None => fit (List.length kids) es
    end.

  (** *** One pattern may stand for one node *)

  (** Patterns that are another view of a node, or of none. *)
  Definition transparent (q : pattern) : bool :=
    match form q with
    | POptional _ _ | PNone | PAlt _ | POp _ | PInst _ _ => true
    | _ => false
    end.

  Definition is_leaf (q : pattern) : bool :=
    match form q with PWildcard | PVariable | PConst _ => true | _ => false end.

  (** May [q] stand for what address [a] stands for?  Leaves may,
      if one is shared; what a rule replaces may not. *)
  Definition alias (q : pattern) (a : addr) : bool :=
    transparent q ||
    match nth_error pats (fst a) with
    | Some r => transparent r || (is_leaf q && is_leaf r && (shared q || shared r))
    | None => false
    end.

  Definition injective (M : mstate) (q : pattern) (e : nat) : bool :=
    forallb (fun b => negb (Nat.eqb (snd b) e) || alias q (fst b)) (bound M).

  (** The operator of a call; an operator pattern stands for the first node that
      has the operator. *)
  Definition name_of (e : nat) : option string :=
    match nth_error g e with
    | Some n => match what (op n) with KCall s => Some s | _ => None end
    | None => None
    end.

  Definition op_allows (M : mstate) (o : opref) (name : string) (e : nat) : option mstate :=
    match o with
    | OName s => if String.eqb s name then Some M else None
    | OPat p =>
        match get M (p, None) with
        | Some e' => match name_of e' with
                     | Some s => if String.eqb s name then Some M else None
                     | None => None
                     end
        | None =>
            match nth_error pats p with
            | Some q => match form q with
                        | POp names => if existsb (String.eqb name) names
                                       then Some (put M (p, None) e) else None
                        | _ => None
                        end
            | None => None
            end
        end
    end.

  (** *** Attributes *)

  Definition tensor_label (n : node oper) (l : label) : option value :=
    look_up String.eqb (type (op n)) l.

  (** Attribute [l] of pattern [q] where it stands for node [n]. *)
  Definition node_label (q : pattern) (n : node oper) (l : label) : option value :=
    let tensor := if present n then tensor_label n l else None in
    match form q, what (op n) with
    | PCall _ _, KCall _ =>
        match look_up String.eqb (attrs (op n)) l with Some v => Some v | None => tensor end
    | PConst _, KConst _ v => if String.eqb l "value" then v else tensor
    | PProj _ _, KProj k => if String.eqb l "index" then Some (VInt k) else tensor
    | _, _ => tensor
    end.

  Definition label_at (M : mstate) (a : addr) (l : label) : option value :=
    match nth_error pats (fst a) with
    | None => None
    | Some q =>
        match form q, get M a with
        | PVariadic _ _ _ _, o =>
            if String.eqb l "length"
            then option_map (fun n => VInt (Z.of_nat n)) (look_up Nat.eqb (lens M) (fst a))
            else match o with
                 | Some e => match nth_error g e with Some n => node_label q n l | None => None end
                 | None => None
                 end
        | POptional kid _, Some e =>
            match nth_error g e with
            | Some n =>
                if String.eqb l "present" then Some (VBool (present n))
                else match nth_error pats kid with
                     | Some r => node_label r n l
                     | None => None
                     end
            | None => None
            end
        | _, Some e =>
            match nth_error g e with Some n => node_label q n l | None => None end
        | _, None => None
        end
    end.

  (** The environment in instance [i].  A symbol that no comprehension binds is
      the index of the instance. *)
  Definition env_at (M : mstate) (i : option nat) : env :=
    Env (fun p l =>
           let p := N.to_nat p in
           match nth_error pats p with Some q => label_at M (at_ i p q) l | None => None end)
        (fun p k l => if (k <? 0)%Z then None else label_at M (instance (N.to_nat p) (Z.to_nat k)) l)
        (fun _ => match i with Some k => Some (VInt (Z.of_nat k)) | None => None end)
        (fun p => look_up Nat.eqb (alts M) (N.to_nat p)).

  (** *** Structure *)

  (** What is left to match once [p], which is [q], is bound to [e], which is
      [n], in [M]. *)
  Inductive step (i : option nat) (p e : nat) (M : mstate) (q : pattern) (n : node oper) :
      mstate -> list goal -> Prop :=
    (** [PM-Wildcard]:  M |- * ~ e, where e is not absent *)
    | PM_Wildcard :
        form q = PWildcard -> present n = true ->
        step i p e M q n M []
    (** [PM-Variable]:  M |- Variable ~ an input or a constant *)
    | PM_Variable :
        form q = PVariable -> args n = [] ->
        (exists k, what (op n) = KInput k) \/ (exists k v, what (op n) = KConst k v) ->
        step i p e M q n M []
    (** [PM-Const]:  M |- Const a ~ a constant (its value is an attribute) *)
    | PM_Const : forall a k v,
        form q = PConst a -> what (op n) = KConst k v ->
        step i p e M q n M []
    (** [PM-None]:  M |- none ~ absent *)
    | PM_None :
        form q = PNone -> present n = false ->
        step i p e M q n M []
    (** [PM-Call]:  for all k, Mk |- pk ~ ek => Mk+1  /  M0 |- op(p1..pn) ~ op(e1..en) => Mn
        (the inputs as written, or swapped if op is commutative) *)
    | PM_Call : forall o kids name M1 es es' M2 gs,
        form q = PCall o kids -> what (op n) = KCall name ->
        op_allows M o name e = Some M1 ->
        call_inputs kids (args n) = Some es -> In es' (orders name es) ->
        goals i M1 kids es' = Some (M2, gs) ->
        step i p e M q n M2 gs
    (** [PM-Tuple]:  for all k, Mk |- pk ~ ek => Mk+1  /  M0 |- (p1..pn) ~ (e1..en) => Mn *)
    | PM_Tuple : forall kids M2 gs,
        form q = PTuple kids -> what (op n) = KTuple ->
        goals i M kids (args n) = Some (M2, gs) ->
        step i p e M q n M2 gs
    (** [PM-Variadic]:  for all k, Mk |- field@k ~ ek => Mk+1
          /  M0 |- Variadic field ~ (e0..en-1) => Mn, and its length is n *)
    | PM_Variadic : forall field least len index M2 gs,
        form q = PVariadic field least len index -> what (op n) = KTuple ->
        goals i M [p] (args n) = Some (M2, gs) ->
        step i p e M q n M2 gs
    (** [PM-Proj]:  M |- p ~ e => M'  /  M |- p.a ~ e.k => M' (the index is an attribute) *)
    | PM_Proj : forall kid a k x,
        form q = PProj kid a -> what (op n) = KProj k -> args n = [x] ->
        step i p e M q n M [(i, kid, x)]
    (** [PM-Optional]:  M |- p ~ e => M'  /  M |- Optional p ~ e => M' *)
    | PM_Optional : forall kid d,
        form q = POptional kid d -> present n = true ->
        step i p e M q n M [(i, kid, e)]
    (** [PM-Absent]:  M |- Optional p ~ absent *)
    | PM_Absent : forall kid d,
        form q = POptional kid d -> present n = false ->
        step i p e M q n M []
    (** [PM-Alt]:  M |- pk ~ e => M'  /  M |- Alt p0..pn ~ e => M', by alternative k *)
    | PM_Alt : forall kids k kid,
        form q = PAlt kids -> nth_error kids k = Some kid ->
        step i p e M q n (put_alt M p k) [(i, kid, e)].

  (** The same as a list, in the order of preference. *)
  Definition one_way (o : option (mstate * list goal)) : list (mstate * list goal) :=
    match o with Some x => [x] | None => [] end.

  Definition expand (i : option nat) (p e : nat) (M : mstate) (q : pattern) (n : node oper) :
      list (mstate * list goal) :=
    match form q, what (op n) with
    | PWildcard, _ => if present n then [(M, [])] else []
    | PVariable, (KInput _ | KConst _ _) =>
        match args n with [] => [(M, [])] | _ => [] end
    | PConst _, KConst _ _ => [(M, [])]
    | PNone, _ => if present n then [] else [(M, [])]
    | PCall o kids, KCall name =>
        match op_allows M o name e, call_inputs kids (args n) with
        | Some M1, Some es => flat_map (fun es' => one_way (goals i M1 kids es')) (orders name es)
        | _, _ => []
        end
    | PTuple kids, KTuple => one_way (goals i M kids (args n))
    | PVariadic _ _ _ _, KTuple => one_way (goals i M [p] (args n))
    | PProj kid _, KProj _ => match args n with [x] => [(M, [(i, kid, x)])] | _ => [] end
    | POptional kid _, _ => if present n then [(M, [(i, kid, e)])] else [(M, [])]
    | PAlt kids, _ =>
        map (fun kq => (put_alt M p (fst kq), [(i, snd kq, e)]))
          (combine (seq 0 (List.length kids)) kids)
    | _, _ => []
    end.

  (** [src(t, a)]: a look-up, no match. *)
  Definition is_instance (i : option nat) (M : mstate) (q : pattern) (e : nat) : bool :=
    match form q with
    | PInst t a =>
        match eval (env_at M i) a with
        | Some (VInt k) =>
            (0 <=? k)%Z && match get M (instance t (Z.to_nat k)) with Some e' => Nat.eqb e' e | None => false end
        | _ => false
        end
    | _ => false
    end.

  (** ** The judgement *)

  Inductive pm : option nat -> mstate -> nat -> nat -> mstate -> Prop :=
    (** [PM-Function]:  M(p@i) = e  /  M |- p ~ e => M *)
    | PM_Function : forall i M p e q n,
        nth_error pats p = Some q -> nth_error g e = Some n ->
        get M (at_ i p q) = Some e ->
        pm i M p e M
    (** [PM-Inst]:  M;a => k   M(t@k) = e  /  M |- src(t,a) ~ e => M *)
    | PM_Inst : forall i M p e q n,
        nth_error pats p = Some q -> nth_error g e = Some n ->
        get M (at_ i p q) = None -> is_instance i M q e = true ->
        pm i M p e M
    (** [PM-First]:  M |- first(t) ~ e => M'  /  M |- t@0 ~ e => M' *)
    | PM_First : forall i M p e q n f M',
        nth_error pats p = Some q -> nth_error g e = Some n ->
        get M (at_ i p q) = None -> is_instance i M q e = false ->
        first_of i q = Some f ->
        pm None M f e M' ->
        pm i M p e M'
    (** the other rules, which are [step]:  p@i is not bound yet, no pattern that
        must differ from p stands for e, M[p@i -> e] leaves goals by the rule of
        p's form, and these hold *)
    | PM_Node : forall i M p e q n M1 gs M',
        nth_error pats p = Some q -> nth_error g e = Some n ->
        get M (at_ i p q) = None -> is_instance i M q e = false ->
        first_of i q = None ->
        injective M q e = true ->
        step i p e (put M (at_ i p q) e) q n M1 gs ->
        thread (fun M x M' => pm (fst (fst x)) M (snd (fst x)) (snd x) M') M1 gs M' ->
        pm i M p e M'.

  (** The matcher: every [M'], in the order of preference. *)
  Fixpoint pmatch (fuel : nat) (i : option nat) (M : mstate) (p e : nat) : list mstate :=
    match fuel with
    | O => []
    | S fuel' =>
        match nth_error pats p, nth_error g e with
        | Some q, Some n =>
            match get M (at_ i p q) with
            | Some e' => if Nat.eqb e' e then [M] else []
            | None =>
                if is_instance i M q e then [M]
                else
                  match first_of i q with
                  | Some f => pmatch fuel' None M f e
                  | None =>
                      if injective M q e
                      then flat_map
                             (fun way => threads
                                (fun M x => pmatch fuel' (fst (fst x)) M (snd (fst x)) (snd x))
                                (fst way) (snd way))
                             (expand i p e (put M (at_ i p q) e) q n)
                      else []
                  end
            end
        | _, _ => []
        end
    end.

  (** Children, and what a first pattern stands in for, have smaller numbers. *)
  Definition ordered : Prop :=
    forall p q, nth_error pats p = Some q ->
      (forall k, In k (children (form q)) -> (k < p)%nat) /\
      (forall f, first q = Some f -> (f < p)%nat).

  Definition orderedb : bool :=
    forallb (fun pq =>
        forallb (fun k => Nat.ltb k (fst pq)) (children (form (snd pq))) &&
        match first (snd pq) with Some f => Nat.ltb f (fst pq) | None => true end)
      (combine (seq 0 (List.length pats)) pats).
End Match.
