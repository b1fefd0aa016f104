(** * Well-formed kernels

    A checker by interval analysis: every index of every load must be shown to lie
    inside its dimension.  What is known is a list of facts, each an index
    expression with an interval.  The guard of a select narrows the facts for the
    branch that is taken: a comparison bounds the difference of its sides, and a
    bound of an expression bounds its parts. *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import kernel.Kernel.
Import ListNotations.
Open Scope Z_scope.

(** First and last value; empty when the first is greater. *)
Definition span : Type := Z * Z.
Definition facts := list (ix * span).

Fixpoint ix_eqb (a b : ix) : bool :=
  match a, b with
  | IVar m, IVar n => (m =? n)%nat
  | ICst y, ICst z => y =? z
  | IAdd a b, IAdd c d | ISub a b, ISub c d => ix_eqb a c && ix_eqb b d
  | IMul a j, IMul b k | IDiv a j, IDiv b k | IMod a j, IMod b k =>
      ix_eqb a b && (j =? k)
  | _, _ => false
  end.

Definition meet (x y : option span) : option span :=
  match x, y with
  | Some (l, h), Some (l', h') => Some (Z.max l l', Z.min h h')
  | None, o | o, None => o
  end.

(** What the facts say about exactly this expression. *)
Fixpoint known (G : facts) (a : ix) : option span :=
  match G with
  | [] => None
  | (b, s) :: G' => if ix_eqb b a then meet (Some s) (known G' a) else known G' a
  end.

Definition span_mul (s : span) (k : Z) : span :=
  let (l, h) := s in if 0 <=? k then (l * k, h * k) else (h * k, l * k).

Definition span_mod (s : option span) (k : Z) : span :=
  match s with
  | Some (l, h) => if l / k =? h / k then (l mod k, h mod k) else (0, k - 1)
  | None => (0, k - 1)
  end.

Fixpoint range (G : facts) (a : ix) : option span :=
  meet (known G a)
    match a with
    | IVar _ => None
    | ICst z => Some (z, z)
    | IAdd a b =>
        match range G a, range G b with
        | Some (l, h), Some (l', h') => Some (l + l', h + h')
        | _, _ => None
        end
    | ISub a b =>
        match range G a, range G b with
        | Some (l, h), Some (l', h') => Some (l - h', h - l')
        | _, _ => None
        end
    | IMul a k => option_map (fun s => span_mul s k) (range G a)
    | IDiv a k =>
        if 0 <? k then option_map (fun s : span => (fst s / k, snd s / k)) (range G a)
        else None
    | IMod a k => if 0 <? k then Some (span_mod (range G a) k) else None
    end.

(** Adds the fact that [a] is in [l]..[h], and what follows for the parts of [a]. *)
Fixpoint narrow (a : ix) (s : span) (G : facts) : facts :=
  let (l, h) := s in
  let G := (a, s) :: G in
  match a with
  | IAdd b c =>
      let G' :=
        match range G c with
        | Some (lc, hc) => narrow b (l - hc, h - lc) G
        | None => G
        end in
      match range G' b with
      | Some (lb, hb) => narrow c (l - hb, h - lb) G'
      | None => G'
      end
  | ISub b c =>
      let G' :=
        match range G c with
        | Some (lc, hc) => narrow b (l + lc, h + hc) G
        | None => G
        end in
      match range G' b with
      | Some (lb, hb) => narrow c (lb - h, hb - l) G'
      | None => G'
      end
  | IMul b k =>
      if 0 <? k then narrow b (- (- l / k), h / k) G
      else if k <? 0 then narrow b (- (h / - k), - l / - k) G
      else G
  | IDiv b k => if 0 <? k then narrow b (l * k, h * k + k - 1) G else G
  | _ => G
  end.

(** The difference [d] of the sides of a comparison, when the comparison holds. *)
Definition cmp_span (c : cmp) (d : span) : span :=
  let (l, h) := d in
  match c with
  | CLt => (l, Z.min h (-1))
  | CLe => (l, Z.min h 0)
  | CGt => (Z.max l 1, h)
  | CGe => (Z.max l 0, h)
  | CEq => (Z.max l 0, Z.min h 0)
  | CNe => (if l =? 0 then 1 else l, if h =? 0 then -1 else h)
  end.

Fixpoint assume (c : cond) (G : facts) : facts :=
  match c with
  | CCmp o a b =>
      match range G (ISub a b) with
      | Some d => narrow (ISub a b) (cmp_span o d) G
      | None => G
      end
  | CAnd a b => assume b (assume a G)
  end.

Definition cmp_neg (c : cmp) : cmp :=
  match c with
  | CLt => CGe | CLe => CGt | CGt => CLe | CGe => CLt | CEq => CNe | CNe => CEq
  end.

(** A conjunction that fails says nothing. *)
Definition assume_not (c : cond) (G : facts) : facts :=
  match c with
  | CCmp o a b => assume (CCmp (cmp_neg o) a b) G
  | CAnd _ _ => G
  end.

(** Facts that contradict each other: nothing is evaluated here. *)
Definition dead (G : facts) : bool :=
  existsb (fun f => match range G (fst f) with
                    | Some (l, h) => h <? l
                    | None => false
                    end) G.

Fixpoint within (G : facts) (d : list nat) (l : list ix) : bool :=
  match d, l with
  | [], [] => true
  | n :: d', a :: l' =>
      match range G a with
      | Some (lo, hi) => (0 <=? lo) && (hi <? Z.of_nat n)
      | None => false
      end && within G d' l'
  | _, _ => false
  end.

(** The variables from [v] on run through the sides of a box. *)
Fixpoint box_facts (v : nat) (d : list nat) : facts :=
  match d with
  | [] => []
  | n :: d' => (IVar v, (0, Z.of_nat n - 1)) :: box_facts (S v) d'
  end.

Definition shift_facts (m : nat) (G : facts) : facts :=
  map (fun f => (shift_ix m (fst f), snd f)) G.

Definition enter (ns : list nat) (G : facts) : facts :=
  box_facts 0 ns ++ shift_facts (length ns) G.

Section Wf.
  Variable S : scalars.
  Variable shapes : tid -> list nat.

  Fixpoint wf (G : facts) (e : ex S) : bool :=
    match e with
    | ECst _ => true
    | ELd t l => dead G || within G (shapes t) l
    | EBin _ a b => wf G a && wf G b
    | EFn _ l => forallb (wf G) l
    | ESel c a b => wf (assume c G) a && wf (assume_not c G) b
    | ERed _ ns e => wf (enter ns G) e
    end.

  Fixpoint dims_eqb (d e : list nat) : bool :=
    match d, e with
    | [], [] => true
    | m :: d', n :: e' => (m =? n)%nat && dims_eqb d' e'
    | _, _ => false
    end.

  Definition wf_stmt (s : stmt S) : bool :=
    dims_eqb (dims s) (shapes (out s)) && wf (box_facts 0 (dims s)) (body s).

  Definition wf_prog (p : prog S) : bool := forallb wf_stmt p.

  (** Every load that is evaluated is in its tensor. *)
  Definition safe (rho : list Z) (e : ex S) : Prop :=
    forall t, in_bounds t (shapes t) rho e.
End Wf.

Arguments wf {S}.
Arguments wf_stmt {S}.
Arguments wf_prog {S}.
Arguments safe {S}.
