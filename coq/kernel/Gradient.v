(** * The gradient of kernels, as a function on their text: scalars, forward statements, reverse sweep

    Every literal, operator and function of the text.  Reductions carry the numbers
    of their variables' names.  What decides the structure of a gradient is here and
    in [GatherForm], [GradientProgram]; the oracle only spells names. *)

From Coq Require Import Bool List Arith ZArith Ring_theory.
From Calque Require Import kernel.Kernel kernel.Wf kernel.Numbers.
Import ListNotations.
Open Scope Z_scope.

(** Literals: what a gradient asks of them and makes of them. *)
Record numbers := {
  number : Type;
  real : bool;                          (** else integers *)
  n_zero : number;
  n_one : number;
  n_two : number;
  n_erf : number;                       (** 2 over the root of pi *)
  n_is : number -> number -> bool;      (** the same value *)
  n_neg : number -> option number;
  n_pred : number -> number }.          (** less 1 *)

(** A commutative ring with any inverse, remainder, functions and maximum in which
    the literals have values. *)
Record field := {
  base : numbers;
  elt : Type;
  r0 : elt;
  r1 : elt;
  radd : elt -> elt -> elt;
  rmul : elt -> elt -> elt;
  rsub : elt -> elt -> elt;
  ropp : elt -> elt;
  r_laws : ring_theory r0 r1 radd rmul rsub ropp eq;
  rinv : elt -> elt;
  rdivide_1 : forall a, rmul a (rinv r1) = a;
  rmod : elt -> elt -> elt;
  rfun : function -> list elt -> elt;
  greatest_start : elt;
  greatest_step : elt -> elt -> elt;
  value : number base -> elt;
  value_zero : forall c, n_is base c (n_zero base) = true -> value c = r0;
  value_one : forall c, n_is base c (n_one base) = true -> value c = r1;
  value_zero_is : n_is base (n_zero base) (n_zero base) = true;
  value_one_is : n_is base (n_one base) (n_one base) = true;
  value_neg : forall c d, n_neg base c = Some d -> value d = ropp (value c) }.

Definition reduced : Type := reduction * list Z.

Definition text (K : field) : scalars :=
  {| carrier := elt K; lit := number (base K); bop := operator; fid := function;
     lit_value := value K;
     bop_value := fun o a b =>
       match o with
       | OAdd => radd K a b
       | OSub => rsub K a b
       | OMul => rmul K a b
       | ODiv => rmul K a (rinv K b)
       | OMod => rmod K a b
       end;
     fid_value := fun f l =>
       match f, l with
       | FNeg, [a] => ropp K a
       | _, _ => rfun K f l
       end;
     zero := r0 K;
     red := reduced;
     red_start := fun r => match fst r with KSum => r0 K | KMax => greatest_start K end;
     red_step := fun r => match fst r with KSum => radd K | KMax => greatest_step K end |}.

(** A gradient, or why there is none. *)
Inductive outcome (A : Type) :=
  | Done (a : A)
  | Refused           (** an integer quotient or remainder, a greatest integer *)
  | TooLarge.         (** a maximum that depends on too many variables *)
Arguments Done {A}.
Arguments Refused {A}.
Arguments TooLarge {A}.

Definition and_then {A B} (x : outcome A) (f : A -> outcome B) : outcome B :=
  match x with Done a => f a | Refused => Refused | TooLarge => TooLarge end.

(** A comparison, and a conjunction of them. *)
Definition comparison : Type := cmp * ix * ix.

Fixpoint comparisons (c : cond) : list comparison :=
  match c with
  | CCmp o a b => [(o, a, b)]
  | CAnd c d => comparisons c ++ comparisons d
  end.

Definition compare (c : comparison) : cond := let '(o, a, b) := c in CCmp o a b.

Definition subst_comparison (f : list ix) (c : comparison) : comparison :=
  let '(o, a, b) := c in (o, subst_ix f a, subst_ix f b).

(** Where a weight goes: in a branch of a select, the second one for [true]. *)
Definition guard : Type := list comparison * bool.

Definition subst_guard (f : list ix) (g : guard) : guard :=
  (map (subst_comparison f) (fst g), snd g).

(** The substitution that moves [n] variables up by [m]. *)
Definition up (m n : nat) : list ix := map IVar (seq m n).

Section Gradient.
  Variable K : field.
  Notation ex := (ex (text K)).
  Notation N := (base K).

  Definition cst (c : number N) : ex := @ECst (text K) c.
  Definition bin (o : operator) (a b : ex) : ex := @EBin (text K) o a b.
  Definition call (f : function) (l : list ex) : ex := @EFn (text K) f l.

  (** ** Simplifying constructors *)

  Definition is_cst (c : number N) (e : ex) : bool :=
    match e with ECst d => n_is N d c | _ => false end.

  Definition is_zero (e : ex) : bool := is_cst (n_zero N) e.
  Definition is_one (e : ex) : bool := is_cst (n_one N) e.
  Definition nought : ex := cst (n_zero N).
  Definition unity : ex := cst (n_one N).

  Definition negated (e : ex) : ex :=
    match e with
    | ECst c => match n_neg N c with Some d => cst d | None => call FNeg [e] end
    | EFn FNeg [a] => a
    | _ => call FNeg [e]
    end.

  Definition mk_neg (e : ex) : ex := if is_zero e then e else negated e.

  Definition mk (o : operator) (a b : ex) : ex :=
    match o with
    | OAdd => if is_zero a then b else if is_zero b then a else bin OAdd a b
    | OSub => if is_zero b then a else if is_zero a then negated b else bin OSub a b
    | OMul => if is_zero a || is_one b then a else if is_zero b || is_one a then b else bin OMul a b
    | ODiv => if is_zero a || is_one b then a else bin ODiv a b
    | OMod => bin OMod a b
    end.

  (** The first branch where all comparisons hold. *)
  Definition mk_select (l : list comparison) (a b : ex) : ex :=
    match l with
    | [] => a
    | c :: l' =>
        if is_zero a && is_zero b then a
        else ESel (fold_left (fun c d => CAnd c (compare d)) l' (compare c)) a b
    end.

  Definition mk_sum (ids : list Z) (ns : list nat) (e : ex) : ex :=
    match ns with
    | [] => e
    | _ => if is_zero e then e else @ERed (text K) (KSum, ids) ns e
    end.

  Definition guarded (g : guard) (e : ex) : ex :=
    if snd g then mk_select (fst g) nought e else mk_select (fst g) e nought.

  (** ** Reverse sweep *)

  Definition loads_of (t : tid) (e : ex) : bool := existsb (Nat.eqb t) (loads e).
  Definition loads_any (e : ex) : bool := match loads e with [] => false | _ => true end.

  (** For all values of the variables [over], the innermost reduction's first, and of
      those of the statement: where the guards (outermost first) let it, the weight
      is added to the gradient at the indices [at_]. *)
  Record contribution := Contribution {
    over : list (list Z * list nat); at_ : list ix; guards : list guard; weight : ex }.

  Definition bound (ids : list Z) (ns : list nat) (c : contribution) : contribution :=
    Contribution (over c ++ [(ids, ns)]) (at_ c) (guards c) (weight c).

  (** The weight of argument number [i] of a function, [w] being that of its value. *)
  Definition weight_pow (w a b : ex) (i : nat) : ex :=
    match i with
    | O =>
        let power :=
          match b with
          | ECst c =>
              if n_is N c (n_one N) then unity
              else if n_is N c (n_two N) then a
              else call FPow [a; cst (n_pred N c)]
          | _ => call FPow [a; mk OSub b unity]
          end in
        mk OMul w (mk OMul b power)
    | _ => mk OMul w (mk OMul (call FPow [a; b]) (call FLog [a]))
    end.

  Definition times_rest (w x : ex) : ex := mk OMul w (mk OSub unity x).

  Definition weight_of (f : function) (w : ex) (l : list ex) (i : nat) : ex :=
    match f, l with
    | FMax, [a; b] =>
        let x := call FLess [a; b] in
        match i with O => times_rest w x | _ => mk OMul w x end
    | FMin, [a; b] =>
        let x := call FLess [b; a] in
        match i with O => times_rest w x | _ => mk OMul w x end
    | FPow, [a; b] => weight_pow w a b i
    | FNeg, [a] => mk_neg w
    | FExp, [a] => mk OMul w (call FExp [a])
    | FLog, [a] => mk ODiv w a
    | FSqrt, [a] => mk ODiv w (mk OMul (cst (n_two N)) (call FSqrt [a]))
    | FTanh, [a] => let x := call FTanh [a] in times_rest w (mk OMul x x)
    | FAbs, [a] =>
        mk OMul w (mk OSub (call FLess [nought; a]) (call FLess [a; nought]))
    | FErf, [a] =>
        mk OMul w (mk OMul (cst (n_erf N)) (call FExp [mk_neg (mk OMul a a)]))
    | _, _ => nought                  (* round, less, equal: 0 wherever they have a derivative *)
    end.

  (** Choices by data, of which gradients are not taken. *)
  Definition chooses (f : function) : bool := match f with FWhen | FOrelse => true | _ => false end.

  (** The tensor of a maximum and that of the number of places that attain it. *)
  Definition places : Type := option (tid * tid).

  (** The places of a maximum share its weight. *)
  Definition weight_max (p : tid * tid) (own : list ix) (w e : ex) : ex :=
    times_rest (mk ODiv w (ELd (snd p) own)) (call FLess [e; ELd (fst p) own]).

  (** The gradient by [t]; [n] variables are in scope, [p] where [e] is the root of a
      statement that stores a maximum, [own] the indices of what it stores. *)
  Fixpoint sweep (t : tid) (n : nat) (p : places) (own : list ix) (e w : ex) (gs : list guard)
      {struct e} : outcome (list contribution) :=
    if is_zero w || negb (loads_of t e) then Done []
    else
      let both x y := and_then x (fun a => and_then y (fun b => Done (a ++ b))) in
      match e with
      | ECst _ => Done []
      | ELd _ l => Done [Contribution [] l gs w]                            (* KG-Load *)
      | EBin OAdd a b =>                                                    (* KG-Add *)
          both (sweep t n None own a w gs) (sweep t n None own b w gs)
      | EBin OSub a b =>                                                    (* KG-Sub *)
          both (sweep t n None own a w gs) (sweep t n None own b (mk_neg w) gs)
      | EBin OMul a b =>                                                    (* KG-Mul *)
          both (sweep t n None own a (mk OMul w b) gs) (sweep t n None own b (mk OMul w a) gs)
      | EBin ODiv a b =>                                                    (* KG-Div *)
          if real N then
            both (sweep t n None own a (mk ODiv w b) gs)
                 (sweep t n None own b (mk_neg (mk ODiv (mk OMul w a) (mk OMul b b))) gs)
          else Refused
      | EBin OMod _ _ => Refused
      | EFn f l =>                                                          (* KG-Fn *)
          if chooses f then Refused else
          (fix go i rest :=
             match rest with
             | [] => Done []
             | a :: rest' => both (sweep t n None own a (weight_of f w l i) gs) (go (S i) rest')
             end) O l
      | ESel c a b =>                                                       (* KG-Sel *)
          both (sweep t n p own a w (gs ++ [(comparisons c, false)]))
               (sweep t n p own b w (gs ++ [(comparisons c, true)]))
      | ERed (KSum, ids) ns e =>                                            (* KG-Sum *)
          let f := up (length ns) n in
          and_then (sweep t (length ns + n) None (map (subst_ix f) own) e (subst f w)
                          (map (subst_guard f) gs))
                   (fun l => Done (map (bound ids ns) l))
      | ERed (KMax, ids) ns e =>
          if real N then
            match p with
            | Some q =>
                let f := up (length ns) n in
                let own := map (subst_ix f) own in
                and_then (sweep t (length ns + n) None own e (weight_max q own (subst f w) e)
                                (map (subst_guard f) gs))
                         (fun l => Done (map (bound ids ns) l))
            | None => TooLarge
            end
          else Refused
      end.
End Gradient.

Arguments cst {K}.
Arguments bin {K}.
Arguments call {K}.
Arguments is_zero {K}.
Arguments is_one {K}.
Arguments nought {K}.
Arguments unity {K}.
Arguments mk_neg {K}.
Arguments mk {K}.
Arguments mk_select {K}.
Arguments mk_sum {K}.
Arguments guarded {K}.
Arguments loads_of {K}.
Arguments loads_any {K}.
Arguments Contribution {K}.
Arguments over {K}.
Arguments at_ {K}.
Arguments guards {K}.
Arguments weight {K}.
Arguments bound {K}.
Arguments weight_of {K}.
Arguments weight_max {K}.
Arguments sweep {K}.
