(** * A normal form of cells, and when two cells have one value

    Indices in normal form under the ranges of the loops around; conditions that the ranges
    decide are gone; a fold in a fold that goes on with its accumulator is one fold over all
    their terms, in the same order; a guard that leaves an accumulator alone is an addition
    that does not change it, where the laws say so.  Nothing else is used of the scalars. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require kernel.Kernel.
From Calque Require Import base.Lists dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Cells dpia.CellsProof dpia.CellsForm.
Import ListNotations.
Set Implicit Arguments.
Open Scope nat_scope.

(** ** What is used of the scalars *)

(** Literals and operations of one meaning; [pad o z]: what may be added by [o] to whatever has
    been added to [z], if all that is added is good. *)
Record laws (A : algebra) := Laws {
  lit_same : lit A -> lit A -> bool;
  uop_same : uop A -> uop A -> bool;
  bop_same : bop A -> bop A -> bool;
  pad : bop A -> lit A -> option (lit A);
  good : scalar A -> Prop;
  lit_same_right : forall a b, lit_same a b = true -> lit_val A a = lit_val A b;
  uop_same_right : forall o o' x, uop_same o o' = true -> uop_val A o x = uop_val A o' x;
  bop_same_right : forall o o' x y, bop_same o o' = true -> bop_val A o x y = bop_val A o' x y;
  good_lit : forall c, good (lit_val A c);
  good_un : forall o x, good x -> good (uop_val A o x);
  good_bin : forall o x y, good x -> good y -> good (bop_val A o x y);
  pad_right : forall o z0 z, pad o z0 = Some z -> exists keeps : scalar A -> Prop,
    keeps (lit_val A z0) /\ (forall x y, keeps x -> good y -> keeps (bop_val A o x y)) /\
    (forall x, keeps x -> bop_val A o x (lit_val A z) = x) }.

Section Normal.
  Context {A : algebra} (law : laws A).
  Notation cell := (cell A). Notation cond := (cond numbers). Notation point := (point A).
  Notation holdsn := (holds (s := numbers_sizing)).

  (** ** Conditions *)

  Definition decided (R : list nat) (c : Kernel.cmp) (i j : ixn) : option bool :=
    match span R (XSub i j) with
    | Some (lo, hi) =>
        let yes := match c with
          | Kernel.CLt => hi <? 0 | Kernel.CLe => hi <=? 0 | Kernel.CGt => 0 <? lo | Kernel.CGe => 0 <=? lo
          | Kernel.CEq => (0 <=? lo) && (hi <=? 0) | Kernel.CNe => (hi <? 0) || (0 <? lo) end in
        let no := match c with
          | Kernel.CLt => 0 <=? lo | Kernel.CLe => 0 <? lo | Kernel.CGt => hi <=? 0 | Kernel.CGe => hi <? 0
          | Kernel.CEq => (hi <? 0) || (0 <? lo) | Kernel.CNe => (0 <=? lo) && (hi <=? 0) end in
        (if yes then Some true else if no then Some false else None)%Z
    | None => None
    end%Z.

  (** The comparisons that are open; nothing where one fails. *)
  Fixpoint open (R : list nat) (c : cond) : option (list cond) :=
    match c with
    | CCmp c i j =>
        match decided R c i j with
        | Some true => Some []
        | Some false => None
        | None => Some [CCmp c (tidy R (XSub i j)) (XCst 0)]
        end
    | CAnd a b =>
        match open R a, open R b with Some l, Some m => Some (l ++ m) | _, _ => None end
    end.

  Definition guarded (l : list cond) (a b : cell) : cell :=
    match l with [] => a | c :: l => CIte (fold_left (fun c d => CAnd c d) l c) a b end.

  (** ** Indices and conditions *)

  Definition tidy_turn (R : list nat) (t : turn) : turn :=
    match t with SAt i => SAt (tidy R i) | SL => SL | SR => SR end.

  Fixpoint polish (R : list nat) (c : cell) : cell :=
    match c with
    | CLit _ | CAcc _ => c
    | CUn o a => CUn o (polish R a)
    | CBin o a b => CBin o (polish R a) (polish R b)
    | CLoad x p => CLoad x (map (tidy_turn R) p)
    | CFold l n step init =>
        if l =? length R then CFold l n (polish (R ++ [n]) step) (polish R init) else c
    | CIte c a b =>
        match open R c with
        | Some l => guarded l (polish R a) (polish R b)
        | None => polish R b
        end
    end.

  (** ** Two folds as one *)

  (** Loop [l] of a number of turns and loop [l + 1] of [k] are loop [l]; later ones move down. *)
  Definition merged (l : nat) (k : positive) (x : nat) : ixn :=
    if x <? l then XVar x else if x =? l then XDiv (XVar l) k
    else if x =? S l then XMod (XVar l) k else XVar (x - 1).
  Definition down (l x : nat) : nat := if x <=? l then x else x - 1.

  (** [d]: how many loops are around afterwards. *)
  Definition merged_ix (l : nat) (k : positive) (d : nat) (i : ixn) : option ixn :=
    if scoped (S d) i then Some (ix_subst (merged l k) i) else None.

  Definition merged_turn (l : nat) (k : positive) (d : nat) (t : turn) : option turn :=
    match t with SAt i => option_map SAt (merged_ix l k d i) | SL => Some SL | SR => Some SR end.

  Fixpoint merged_cond (l : nat) (k : positive) (d : nat) (c : cond) : option cond :=
    match c with
    | CCmp o i j =>
        match merged_ix l k d i, merged_ix l k d j with Some i, Some j => Some (CCmp o i j) | _, _ => None end
    | CAnd a b =>
        match merged_cond l k d a, merged_cond l k d b with Some a, Some b => Some (CAnd a b) | _, _ => None end
    end.

  Fixpoint rename (l : nat) (k : positive) (d : nat) (c : cell) : option cell :=
    match c with
    | CLit z => Some (CLit z)
    | CUn o a => option_map (CUn o) (rename l k d a)
    | CBin o a b => both (CBin o) (rename l k d a) (rename l k d b)
    | CLoad x p => option_map (CLoad x) (traverse (merged_turn l k d) p)
    | CAcc x => if (x =? l) || (d <? x) then None else Some (CAcc (down l x))
    | CFold x n step init =>
        if x =? S d then both (CFold d n) (rename l k (S d) step) (rename l k d init) else None
    | CIte c a b =>
        match merged_cond l k d c with
        | Some c => both (CIte c) (rename l k d a) (rename l k d b)
        | None => None
        end
    end.

  Definition one_fold (l n : nat) (step : cell) : nat * cell :=
    match step with
    | CFold l' m t (CAcc x) =>
        match Z.of_nat m with
        | Zpos k =>
            match (if (l' =? S l) && (x =? l) then rename l k (S l) t else None) with
            | Some t => (n * m, t)
            | None => (n, step)
            end
        | _ => (n, step)
        end
    | _ => (n, step)
    end.

  (** ** Guards *)

  Definition unguarded (l : nat) (step init : cell) : cell :=
    match init, step with
    | CLit z0, CIte c (CBin o (CAcc x) e) (CAcc y) =>
        match pad law o z0 with
        | Some z => if (x =? l) && (y =? l) then CBin o (CAcc l) (CIte c e (CLit z)) else step
        | None => step
        end
    | _, _ => step
    end.

  Fixpoint fuse (R : list nat) (c : cell) : cell :=
    match c with
    | CLit _ | CAcc _ | CLoad _ _ => c
    | CUn o a => CUn o (fuse R a)
    | CBin o a b => CBin o (fuse R a) (fuse R b)
    | CIte c a b => CIte c (fuse R a) (fuse R b)
    | CFold l n step init =>
        if l =? length R then
          let init := fuse R init in
          let '(n, step) := one_fold l n (fuse (R ++ [n]) step) in
          CFold l n (unguarded l step init) init
        else c
    end.

  Definition normal (R : list nat) (c : cell) : cell := polish R (fuse R (polish R c)).

  (** ** The same cell *)

  Definition cmp_same (a b : Kernel.cmp) : bool :=
    match a, b with
    | Kernel.CLt, Kernel.CLt | Kernel.CLe, Kernel.CLe | Kernel.CGt, Kernel.CGt | Kernel.CGe, Kernel.CGe
    | Kernel.CEq, Kernel.CEq | Kernel.CNe, Kernel.CNe => true
    | _, _ => false
    end.

  Fixpoint cond_same (c d : cond) : bool :=
    match c, d with
    | CCmp o i j, CCmp p k l => cmp_same o p && ix_same i k && ix_same j l
    | CAnd a b, CAnd c d => cond_same a c && cond_same b d
    | _, _ => false
    end.

  Fixpoint same (c d : cell) : bool :=
    match c, d with
    | CLit a, CLit b => lit_same law a b
    | CUn o a, CUn p b => uop_same law o p && same a b
    | CBin o a b, CBin p c d => bop_same law o p && same a c && same b d
    | CLoad x p, CLoad y q => (x =? y) && place_same p q
    | CAcc x, CAcc y => x =? y
    | CFold l n s i, CFold m k t j => (l =? m) && (n =? k) && same s t && same i j
    | CIte c a b, CIte d a' b' => cond_same c d && same a a' && same b b'
    | _, _ => false
    end.

  (** Have the cells one value, under loops of these sizes? *)
  Definition cell_eq (R : list nat) (c d : cell) : bool := same (normal R c) (normal R d).
End Normal.
