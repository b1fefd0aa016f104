(** * The semantic check of a rule

    [rule_check] decides from the text of a rule alone that matching and building never
    come to an undefined reference: a pattern, an instance, an index symbol or an
    alternative that the match does not define.  What may still have no value is an
    operation (a division by zero, an index out of range) or an attribute that the
    node does not have.  [raw] are the addresses that every match defines. *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Rewrite.
Import ListNotations.
Open Scope nat_scope.

Definition some {A} (o : option A) : bool := match o with Some _ => true | None => false end.

(** ** References, as a match defines them *)

Section Defined.
  Variables (pats : list pattern) (M : mstate).

  Definition at_bound (a : addr) : bool := some (get M a).

  Definition access_defined (i : option nat) (p : patno) (l : label) : bool :=
    let p := N.to_nat p in
    match nth_error pats p with
    | Some q =>
        at_bound (at_ i p q) ||
        match form q with
        | PVariadic _ _ _ _ => String.eqb l "length" && some (look_up Nat.eqb (lens M) p)
        | _ => false
        end
    | None => false
    end.

  (** All the instances of [t], as many as some variadic pattern has. *)
  Definition instances_defined (t : nat) : bool :=
    existsb (fun vn => match look_up Nat.eqb (lens M) (fst vn) with
                       | Some n => Nat.ltb 0 n &&
                                   forallb (fun k => at_bound (instance pats t k)) (seq 0 n)
                       | None => false
                       end) (lens M).

  (** Every reference that the evaluation of [a] may come to is defined; [free]: is a
      symbol that no comprehension binds? *)
  Fixpoint defined (i : option nat) (syms : list symbol) (a : attr) : bool :=
    match a with
    | AConst _ | AAny => true
    | AAccess p l => access_defined i p l
    | ASymbol s => some i || existsb (N.eqb s) syms
    | AUnary _ b | AReduce _ b => defined i syms b
    | ABinary _ b c | AProj b c => defined i syms b && defined i syms c
    | ATuple l | AFunc _ l => forallb (defined i syms) l
    | AInst p b _ => defined i syms b && instances_defined (N.to_nat p)
    | AVar s b c | AMap s b c => defined i syms b && defined i (s :: syms) c
    | ACond b c d => defined i syms b && defined i syms c && defined i syms d
    | AMatch p l =>
        match look_up Nat.eqb (alts M) (N.to_nat p) with
        | Some k => match nth_error (map (defined i syms) l) k with Some b => b | None => false end
        | None => false
        end
    end.
End Defined.

(** ** What every match defines *)

Section Check.
  Variable pats : list pattern.

  (** The children that are matched whenever [p] is, or the variadic pattern that all
      the inputs are instances of, and its field. *)
  Definition parts_of (p : nat) (q : pattern) : list nat * option (nat * nat) :=
    match form q with
    | PCall _ kids | PTuple kids =>
        match kids with
        | [v] => match variadic pats v with Some f => ([], Some (v, f)) | None => (kids, None) end
        | _ => (kids, None)
        end
    | PProj kid _ => ([kid], None)
    | PVariadic f _ _ _ => ([], Some (p, f))
    | _ => ([], None)
    end.

  Definition is_inst (q : pattern) : bool := match form q with PInst _ _ => true | _ => false end.

  Definition is_in (a : addr) (l : list addr) : bool := existsb (addr_eqb a) l.

  (** Of alternatives: what all of them define. *)
  Definition common (ls : list (list addr)) : list addr :=
    match ls with
    | [] => []
    | l :: ls' => filter (fun a => forallb (is_in a) ls') l
    end.

  Fixpoint raw (fuel : nat) (i : option nat) (p : nat) : list addr :=
    match fuel with
    | O => []
    | S fuel' =>
        match nth_error pats p with
        | Some q =>
            if is_inst q then []
            else match first_of i q with
            | Some f => raw fuel' None f
            | None =>
                     (p, inst_of i q) ::
                     match form q with
                     | PCall (OPat k) _ => [(k, None)]
                     | PAlt kids => if template q then [] else common (map (raw fuel' i) kids)
                     | _ => []
                     end ++
                     flat_map (raw fuel' i) (fst (parts_of p q)) ++
                     match snd (parts_of p q) with Some (_, f) => raw fuel' (Some 0) f | None => [] end
            end
        | None => []
        end
    end.

  (** The variadic patterns whose length every match defines. *)
  Fixpoint met (fuel : nat) (i : option nat) (p : nat) : list nat :=
    match fuel with
    | O => []
    | S fuel' =>
        match nth_error pats p with
        | Some q =>
            if is_inst q then []
            else match first_of i q with
            | Some f => met fuel' None f
            | None =>
                     flat_map (met fuel' i) (fst (parts_of p q)) ++
                     match snd (parts_of p q) with Some (v, f) => v :: met fuel' (Some 0) f | None => [] end
            end
        | None => []
        end
    end.

  Let fuel := S (List.length pats).

  (** Every instance of [t] is matched with the branches of [v]. *)
  Definition each (v t : nat) : bool :=
    match variadic pats v, nth_error pats t with
    | Some f, Some q =>
        template q && is_in (at_ (Some 0) t q) (raw fuel (Some 0) f) &&
        is_in (t, Some 1) (raw fuel (Some 1) f)
    | _, _ => false
    end.

  (** [A]: the addresses that are defined; [V]: the variadic patterns whose length and
      instances are; [ctx]: of which one the expression is a template's; [free]: are
      free symbols the index? *)
  Fixpoint refers (A : list addr) (V : list nat) (ctx : option nat) (free : bool)
      (syms : list symbol) (a : attr) : bool :=
    match a with
    | AConst _ | AAny => true
    | AAccess p l =>
        let p := N.to_nat p in
        match nth_error pats p with
        | Some q =>
            (negb (template q) && is_in (p, None) A) ||
            match ctx with Some v => each v p | None => false end ||
            match form q with
            | PVariadic _ _ _ _ => String.eqb l "length" && mem p V
            | _ => false
            end
        | None => false
        end
    | ASymbol s => free || existsb (N.eqb s) syms
    | AUnary _ b | AReduce _ b => refers A V ctx free syms b
    | ABinary _ b c | AProj b c => refers A V ctx free syms b && refers A V ctx free syms c
    | ATuple l | AFunc _ l => forallb (refers A V ctx free syms) l
    | AInst p b _ => refers A V ctx free syms b && existsb (fun v => each v (N.to_nat p)) V
    | AVar s b c | AMap s b c => refers A V ctx free syms b && refers A V ctx free (s :: syms) c
    | ACond b c d => refers A V ctx free syms b && refers A V ctx free syms c && refers A V ctx free syms d
    | AMatch p l =>
        let p := N.to_nat p in
        match nth_error pats p with
        | Some q =>
            match form q with
            | PAlt kids =>
                negb (template q) && is_in (p, None) A &&
                (fix go l kids :=
                   match l, kids with
                   | [], [] => true
                   | b :: l', kid :: kids' =>
                       refers (raw fuel None kid ++ A) V ctx free syms b && go l' kids'
                   | _, _ => false
                   end) l kids
            | _ => false
            end
        | None => false
        end
    end.

  (** ** The source *)

  (** Outside of templates there are no templates, but in the field of a variadic and
      as what is looked up; a first pattern is neither a template nor a look-up, an
      operator pattern is no template. *)
  Definition plain (k : nat) : bool :=
    match nth_error pats k with Some r => negb (template r) | None => false end.

  Definition layered (q : pattern) : bool :=
    match first q with
    | Some f => plain f && match nth_error pats f with Some r => negb (is_inst r) | None => false end
    | None => true
    end &&
    match form q with POp _ => negb (template q) | _ => true end &&
    (template q ||
     match form q with
     | PVariadic _ _ _ _ | PInst _ _ => true
     | s => forallb plain (children s)
     end).

  (** [p] and what is reached from it. *)
  Fixpoint reached (n : nat) (p : nat) : list nat :=
    match n with
    | O => []
    | S n' =>
        p :: match nth_error pats p with
             | Some q => flat_map (reached n') (children (form q)) ++
                         match first q with Some f => reached n' f | None => [] end
             | None => []
             end
    end.

  (** What the patterns say about attributes, and the index of an instance, which is
      looked up while the match is not complete. *)
  Definition claims_ok (A : list addr) (V : list nat) (pq : nat * pattern) : bool :=
    let (p, q) := pq in
    let all ctx free := forallb (fun c => refers A V ctx free [] (snd c)) (claims q) in
    match form q with
    | PInst _ a => refers [] [] None false [] a
    | PVariadic _ _ (Some a) _ => refers A V None false [] a
    | _ => true
    end &&
    (if template q
     then forallb (fun v => match variadic pats v with
                            | Some f => negb (mem p (reached fuel f)) || all (Some v) true
                            | None => true
                            end) (seq 0 (List.length pats))
     else all None false).

  (** ** The target *)

  (** [a] is the length of that variadic pattern. *)
  Definition length_of (V : list nat) (a : attr) : option nat :=
    match a with
    | AAccess p l =>
        let v := N.to_nat p in
        if String.eqb l "length" && mem v V && plain v then Some v else None
    | _ => None
    end.

  (** [p] is looked up for certain, or everything that its building comes to is defined.
      [inside]: in an instance; [ctx]: in one of the instances of that variadic pattern
      of the source. *)
  Fixpoint builds (n : nat) (A : list addr) (V : list nat) (ctx : option nat) (inside : bool) (p : nat) : bool :=
    match n with
    | O => false
    | S n' =>
        match nth_error pats p with
        | None => false
        | Some q =>
            let ok := refers A V ctx inside [] in
            let given := forallb (fun c => ok (snd c)) (wants q) in
            let parts kids :=
              match kids with
              | [v] =>
                  match nth_error pats v with
                  | Some r =>
                      match form r with
                      | PVariadic f _ (Some a) _ => ok a && builds n' A V (length_of V a) true f
                      | PVariadic _ _ None _ => false
                      | _ => builds n' A V ctx inside v
                      end
                  | None => false
                  end
              | _ => forallb (builds n' A V ctx inside) kids
              end in
            if (negb (template q) && is_in (p, None) A) ||
               match ctx with Some v => each v p | None => false end
            then
              match form q with POptional _ (Some a) => ok a | _ => true end
            else
              negb (some (first q)) &&
              match form q with
              | PConst (Some a) => ok a && given
              | PCall o kids =>
                  given && parts kids && match o with OPat k => is_in (k, None) A | OName _ => true end
              | PTuple kids => parts kids
              | PProj kid (Some a) => ok a && builds n' A V ctx inside kid
              | PCond c kid kid' => ok c && builds n' A V ctx inside kid && builds n' A V ctx inside kid'
              | PMatch alt kids =>
                  match nth_error pats alt with
                  | Some r =>
                      match form r with
                      | PAlt ways =>
                          negb (template r) && is_in (alt, None) A &&
                          (fix go ways kids :=
                             match ways, kids with
                             | [], [] => true
                             | w :: ways', kid :: kids' =>
                                 builds n' (raw fuel None w ++ A) V ctx inside kid && go ways' kids'
                             | _, _ => false
                             end) ways kids
                      | _ => false
                      end
                  | None => false
                  end
              | PInst t a => ok a && existsb (fun v => each v t) V
              | PNone => true
              | _ => false
              end
        end
    end.
End Check.

(** ** The rule *)

Definition output_field (r : rule) : option nat :=
  match source r with [p] => variadic (patterns r) p | _ => None end.

Definition source_bound (r : rule) : list addr :=
  let pats := patterns r in
  let n := S (List.length pats) in
  match output_field r with
  | Some f => raw pats n (Some 0) f
  | None => flat_map (raw pats n None) (source r)
  end.

Definition source_met (r : rule) : list nat :=
  let pats := patterns r in
  let n := S (List.length pats) in
  match output_field r with
  | Some f => met pats n (Some 0) f
  | None => flat_map (met pats n None) (source r)
  end.

Definition rule_check (r : rule) : bool :=
  let pats := patterns r in
  let numbered := combine (seq 0 (List.length pats)) pats in
  let A := source_bound r in
  let V := source_met r in
  let V' := match output_field r with Some _ => source r ++ V | None => V end in
  let used p := existsb (fun o => mem p (reached pats (S (List.length pats)) o)) (source r) in
  orderedb pats &&
  negb (match source r with [] => true | _ => false end) &&
  forallb (fun p => plain pats p && Nat.ltb p (List.length pats)) (source r) &&
  forallb (layered pats) pats &&
  forallb (fun pq => negb (used (fst pq)) || claims_ok pats A V pq) numbered &&
  forallb (refers pats A V' None false []) (conditions r) &&
  Nat.eqb (List.length (target r)) (List.length (source r)) &&
  match target r with
  | [p] =>
      match variadic pats p with
      | Some f => some (output_field r) && builds pats (S (List.length pats)) A V' (hd_error (source r)) true f
      | None => builds pats (S (List.length pats)) A V' None false p
      end
  | ps => forallb (builds pats (S (List.length pats)) A V' None false) ps
  end.
