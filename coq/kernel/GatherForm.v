(** * From scatter to gather, on linear forms

    A contribution as a sum over its box where the indices are those of the cell;
    then variables of the box are eliminated.  Slots are the variables of the cell,
    of the box, and new ones, in this order, by number; a linear form has a
    coefficient for each.
      KG-Digit   f // m and f % m become new variables q, r with f = m * q + r, r < m;
                 a finer division of the same f comes first;
      KG-Point   an equation with coefficient 1 or -1 of a box variable gives it;
      KG-Stride  another coefficient gives a multiple of it, and a guard;
      KG-Guard   an equation without box variables stays as a guard.
    Point and stride take the equation with the fewest box variables, in it the least
    coefficient, then the largest extent, then the first. *)

From Coq Require Import Bool List Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.Wf kernel.Numbers kernel.Forms kernel.Gradient.
Import ListNotations.
Open Scope Z_scope.

(** ** Linear forms: a constant and the coefficients of slots 0, 1, .. *)

Definition lin : Type := Z * list Z.

Fixpoint map2 (f : Z -> Z -> Z) (l m : list Z) : list Z :=
  match l, m with
  | [], _ => map (f 0) m
  | _, [] => map (fun y => f y 0) l
  | y :: l', z :: m' => f y z :: map2 f l' m'
  end.

(** a * x + b * y *)
Definition mix (a : Z) (x : lin) (b : Z) (y : lin) : lin :=
  (a * fst x + b * fst y, map2 (fun c d => a * c + b * d) (snd x) (snd y)).

Definition nil_lin : lin := (0, []).
Definition unit_lin (s : nat) (k : Z) : lin := (k, repeat 0 s ++ [1]).
Definition coef (x : lin) (s : nat) : Z := nth s (snd x) 0.

Fixpoint set_zero (s : nat) (l : list Z) : list Z :=
  match l, s with
  | [], _ => []
  | _ :: l', O => 0 :: l'
  | c :: l', S s' => c :: set_zero s' l'
  end.

Definition without (x : lin) (s : nat) : lin := (fst x, set_zero s (snd x)).

Fixpoint all_zero (l : list Z) : bool :=
  match l with [] => true | c :: l' => (c =? 0) && all_zero l' end.

Fixpoint list_eqb (l m : list Z) : bool :=
  match l, m with
  | [], _ => all_zero m
  | _, [] => all_zero l
  | y :: l', z :: m' => (y =? z) && list_eqb l' m'
  end.

Definition lin_eqb (x y : lin) : bool := (fst x =? fst y) && list_eqb (snd x) (snd y).

Fixpoint span_sum (ext : list nat) (l : list Z) : span :=
  match l, ext with
  | c :: l', n :: ext' => span_plus (span_mul (0, Z.of_nat n - 1) c) (span_sum ext' l')
  | _, _ => (0, 0)
  end.

Definition span_lin (ext : list nat) (x : lin) : span :=
  span_plus (fst x, fst x) (span_sum ext (snd x)).

(** ** Digits *)

(** The extents of the slots; equations, each form is 0; for a form and a divisor the
    quotient and the remainder. *)
Record box_state := State {
  slots : list nat; eqs : list lin; digits : list (lin * Z * lin * lin) }.

Definition add_eq (x : lin) (s : box_state) : box_state :=
  State (slots s) (eqs s ++ [x]) (digits s).

Fixpoint find_digit (f : lin) (m : Z) (l : list (lin * Z * lin * lin)) : option (lin * lin) :=
  match l with
  | [] => None
  | (g, n, q, r) :: l' => if (m =? n) && lin_eqb f g then Some (q, r) else find_digit f m l'
  end.

(** f = m * q + r *)
Definition digit (f : lin) (m : Z) (s : box_state) : lin * lin * box_state :=
  match find_digit f m (digits s) with
  | Some (q, r) => (q, r, s)
  | None =>
      let (l, h) := span_lin (slots s) f in
      let n := length (slots s) in
      let q := unit_lin n (l / m) in
      let r := unit_lin (S n) 0 in
      (q, r, State (slots s ++ [Z.to_nat (h / m - l / m + 1); Z.to_nat m])
                   (eqs s ++ [mix 1 (mix 1 f (- m) q) (-1) r])
                   (digits s ++ [(f, m, q, r)]))
  end.

(** The divisors of forms, also of those divided. *)
Fixpoint divisors (f : form) : list (form * Z) :=
  match f with
  | FCst _ => []
  | FTerm a _ f => divisors_atom a ++ divisors f
  end
with divisors_atom (a : atom) : list (form * Z) :=
  match a with
  | AVar _ => []
  | ADiv f m | AMod f m => (f, m) :: divisors f
  end.

Section Digits.
  Variable key : list nat.
  Variable known : list (form * Z).

  (** The greatest proper divisor of m by which the same form is divided. *)
  Definition finer (f : form) (m : Z) : option Z :=
    fold_left (fun best d =>
        let '(g, k) := d in
        match form_cmp key f g with
        | Eq =>
            if (1 <? k) && (k <? m) && (m mod k =? 0) then
              match best with Some b => if b <? k then Some k else best | None => Some k end
            else best
        | _ => best
        end) known None.

  (** The quotient and the remainder of the form [f], which is [x], by m. *)
  Definition split_by (f : form) (m : Z) (x : lin) (s : box_state) : lin * lin * box_state :=
    match finer f m with
    | None => digit x m s
    | Some k =>
        let '(q, low, s) := digit x k s in
        let '(q, high, s) := digit q (m / k) s in
        (q, mix k high 1 low, s)
    end.

  Fixpoint lin_of (f : form) (s : box_state) : lin * box_state :=
    match f with
    | FCst k => ((k, []), s)
    | FTerm a c f =>
        let '(x, s) := lin_of_atom a s in
        let '(y, s) := lin_of f s in
        (mix c x 1 y, s)
    end
  with lin_of_atom (a : atom) (s : box_state) : lin * box_state :=
    match a with
    | AVar n => (unit_lin n 0, s)
    | ADiv f m =>
        let '(x, s) := lin_of f s in
        let '(q, r, s) := split_by f m x s in (q, s)
    | AMod f m =>
        let '(x, s) := lin_of f s in
        let '(q, r, s) := split_by f m x s in (r, s)
    end.

  (** The equations index = cell; where the cell has one value there is none. *)
  Fixpoint equations (i : nat) (cell : list nat) (l : list form) (s : box_state) : box_state :=
    match cell, l with
    | n :: cell', f :: l' =>
        if (n <=? 1)%nat then equations (S i) cell' l' s
        else
          let '(x, s) := lin_of f s in
          equations (S i) cell' l' (add_eq (mix 1 x (-1) (unit_lin i 0)) s)
    | _, _ => s
    end.
End Digits.

(** ** Elimination *)

(** A slot that is gone: m times it is the form. *)
Definition removed : Type := nat * lin * Z.

Record solution := Solution { rest : list lin; gone : list removed; alive : list nat }.

(** The slot [s] becomes num / m. *)
Definition replaced (s : nat) (num : lin) (m : Z) (x : lin) : lin :=
  if coef x s =? 0 then x else mix m (without x s) (coef x s) num.

Definition replaced_gone (s : nat) (num : lin) (m : Z) (g : removed) : removed :=
  let '(t, x, k) := g in
  if coef x s =? 0 then g else (t, replaced s num m x, k * m).

(** A choice: number of box variables, coefficient, extent; equation and slot. *)
Definition choice : Type := (Z * Z * Z) * (nat * nat).

Definition better (a b : Z * Z * Z) : bool :=
  let '(n, c, e) := a in
  let '(n', c', e') := b in
  (n <? n') || ((n =? n') && ((c <? c') || ((c =? c') && (e' <? e)))).

Definition choices (ext : list nat) (alive : list nat) (j : nat) (x : lin) : list choice :=
  let mine := filter (fun s => negb (coef x s =? 0)) alive in
  map (fun s => ((Z.of_nat (length mine), Z.abs (coef x s), Z.of_nat (nth s ext 0%nat)), (j, s)))
      mine.

Fixpoint all_choices (ext alive : list nat) (j : nat) (l : list lin) : list choice :=
  match l with
  | [] => []
  | x :: l' => choices ext alive j x ++ all_choices ext alive (S j) l'
  end.

Fixpoint best (b : choice) (l : list choice) : choice :=
  match l with
  | [] => b
  | c :: l' => best (if better (fst c) (fst b) then c else b) l'
  end.

Definition solve (j s : nat) (x : lin) (S : solution) : solution :=
  let c := coef x s in
  let m := Z.abs c in
  let num := mix (if c <? 0 then 1 else -1) (without x s) 0 nil_lin in
  Solution (map (replaced s num m) (remove_at j (rest S)))
           (map (replaced_gone s num m) (gone S) ++ [(s, num, m)])
           (filter (fun t => negb (t =? s)%nat) (alive S)).

Fixpoint eliminate (fuel : nat) (ext : list nat) (S : solution) : solution :=
  match fuel, all_choices ext (alive S) 0 (rest S) with
  | Datatypes.S fuel, c :: l =>
      let (j, s) := snd (best c l) in
      eliminate fuel ext (solve j s (nth j (rest S) nil_lin) S)
  | _, _ => S
  end.

(** *** In lowest terms *)

Definition content (x : lin) : Z := fold_left Z.gcd (snd x) (Z.abs (fst x)).

Definition divided (x : lin) (d : Z) : lin := (fst x / d, map (fun c => c / d) (snd x)).

Definition lowest_gone (g : removed) : removed :=
  let '(s, x, m) := g in
  let d := Z.gcd m (content x) in (s, divided x d, m / d).

(** Of an equation; not with only negative coefficients. *)
Definition lowest (x : lin) : lin :=
  let d := content x in
  let y := if d =? 0 then x else divided x d in
  if forallb (fun c => c <=? 0) (snd y) then mix (-1) y 0 nil_lin else y.

Definition in_lowest_terms (S : solution) : solution :=
  Solution (map lowest (rest S)) (map lowest_gone (gone S)) (alive S).

(** ** Guards *)

Inductive condition :=
  | Multiple (m : Z) (x : lin)       (** x % m == 0 *)
  | AtLeast (x : lin)                (** x >= 0 *)
  | Below (x : lin) (k : Z)          (** x < k *)
  | Null (x : lin).                  (** x == 0 *)

(** Without what m divides. *)
Definition residue (m : Z) (x : lin) : lin :=
  let r c := if c mod m =? 0 then 0 else c in (r (fst x), map r (snd x)).

Definition range_guards (ext : list nat) (g : removed) : list condition :=
  let '(s, x, m) := g in
  [Multiple m (residue m x); AtLeast x; Below x ((Z.of_nat (nth s ext 0%nat) - 1) * m + 1)].

Definition surely (ext : list nat) (c : condition) : bool :=
  match c with
  | Multiple m x => lin_eqb x nil_lin
  | AtLeast x => 0 <=? fst (span_lin ext x)
  | Below x k => snd (span_lin ext x) <? k
  | Null x => let (l, h) := span_lin ext x in (l =? 0) && (h =? 0)
  end.

(** Modulo m the forms are the same, or opposite. *)
Definition same_multiple (c d : condition) : bool :=
  match c, d with
  | Multiple m x, Multiple n y =>
      (m =? n) && (lin_eqb (residue m (mix 1 x (-1) y)) nil_lin || lin_eqb (residue m (mix 1 x 1 y)) nil_lin)
  | _, _ => false
  end.

Fixpoint without_repeats (seen l : list condition) : list condition :=
  match l with
  | [] => []
  | c :: l' =>
      if existsb (same_multiple c) seen then without_repeats seen l'
      else c :: without_repeats (c :: seen) l'
  end.

Definition guards_of (ext : list nat) (S : solution) : list condition :=
  without_repeats [] (filter (fun c => negb (surely ext c))
                             (flat_map (range_guards ext) (gone S) ++ map Null (rest S))).

(** ** The result's variables: those of the box that are left, then the cell's *)

(** The variable of a slot; [cells] slots are the cell's. *)
Definition place (cells : nat) (kept : list nat) (s : nat) : nat :=
  if (s <? cells)%nat then (length kept + s)%nat else place_of s kept.

Fixpoint terms_of (cells : nat) (kept : list nat) (s : nat) (l : list Z) (k : Z) : form :=
  match l with
  | [] => FCst k
  | c :: l' => add_term (AVar (place cells kept s)) c (terms_of cells kept (S s) l' k)
  end.

Definition lin_ix (cells : nat) (kept : list nat) (x : lin) : ix :=
  form_ix (terms_of cells kept 0 (snd x) (fst x)).

Definition condition_of (cells : nat) (kept : list nat) (c : condition) : comparison :=
  match c with
  | Multiple m x => (CEq, IMod (lin_ix cells kept x) m, ICst 0)
  | AtLeast x => (CGe, lin_ix cells kept x, ICst 0)
  | Below x k => (CLt, lin_ix cells kept x, ICst k)
  | Null x => (CEq, lin_ix cells kept x, ICst 0)
  end.

Fixpoint find_removed (s : nat) (l : list removed) : option (lin * Z) :=
  match l with
  | [] => None
  | (t, x, m) :: l' => if (s =? t)%nat then Some (x, m) else find_removed s l'
  end.

(** What has become of a slot; one of a single value is 0. *)
Definition slot_ix (cells : nat) (kept : list nat) (l : list removed) (s : nat) : ix :=
  match find_removed s l with
  | Some (x, m) =>
      let a := lin_ix cells kept x in if m =? 1 then a else IDiv a m
  | None =>
      if (s <? cells)%nat || existsb (Nat.eqb s) kept then IVar (place cells kept s) else ICst 0
  end.

(** ** Copies under the substitution *)

(** [moved]: what the variables become; [from], [to]: extents before and after; [key]: the
    order of the variables after, [top] the next one. *)
Record substitution := Substitution {
  moved : list ix; from : list nat; to : list nat; key : list nat; top : nat }.

Definition under (ns : list nat) (f : substitution) : substitution :=
  Substitution (lift (length ns) (moved f)) (ns ++ from f) (ns ++ to f)
               (seq (top f) (length ns) ++ key f) (top f + length ns).

Definition normal (f : substitution) (a : ix) : form := form_of (key f) (to f) a.

Definition put_side (f : substitution) (a : ix) : ix :=
  form_ix (normal f (subst_ix (moved f) a)).

(** An index of a dimension [n]: in normal form where its bounds can be seen as before. *)
Definition put_index (f : substitution) (n : nat) (a : ix) : ix :=
  let b := subst_ix (moved f) a in
  let g := normal f b in
  let s := span_form (to f) g in
  if span_within s (0, Z.of_nat n - 1) || span_within s (span_ix (from f) a) then form_ix g else b.

Definition put_comparison (f : substitution) (c : comparison) : comparison :=
  let '(o, a, b) := c in (o, put_side f a, put_side f b).

Definition always (f : substitution) (c : comparison) : bool :=
  let '(o, a, b) := c in
  let (l, h) := span_form (to f) (plus (key f) (normal f a) (-1) (normal f b)) in
  match o with
  | CLt => h <? 0
  | CLe => h <=? 0
  | CGt => 0 <? l
  | CGe => 0 <=? l
  | CEq => (l =? 0) && (h =? 0)
  | CNe => (0 <? l) || (h <? 0)
  end.

Definition put_comparisons (f : substitution) (l : list comparison) : list comparison :=
  filter (fun c => negb (always f c)) (map (put_comparison f) l).

Section Gather.
  Variable K : field.
  Variable shapes : tid -> list nat.
  Notation ex := (ex (text K)).

  (** The indices of a load. *)
  Fixpoint put_indices (f : substitution) (d : list nat) (l : list ix) : list ix :=
    match l with
    | [] => []
    | a :: l' => put_index f (hd O d) a :: put_indices f (tl d) l'
    end.

  Fixpoint put (f : substitution) (e : ex) : ex :=
    match e with
    | ECst c => ECst c
    | ELd t l => ELd t (put_indices f (shapes t) l)
    | EBin o a b => EBin o (put f a) (put f b)
    | EFn g l => EFn g (map (put f) l)
    | ESel c a b => mk_select (put_comparisons f (comparisons c)) (put f a) (put f b)
    | ERed r ns e => ERed r ns (put (under ns f) e)
    end.

  Definition opposite (c : comparison) : comparison := let '(o, a, b) := c in (cmp_neg o, a, b).

  (** The body under conditions and guards, outermost first; those that must hold in
      one select as far as possible. *)
  Fixpoint put_guards (f : substitution) (own : list comparison) (gs : list guard) (e : ex) : ex :=
    match gs with
    | [] => mk_select own e nought
    | (l, false) :: gs' => put_guards f (own ++ put_comparisons f l) gs' e
    | ([c], true) :: gs' => put_guards f (own ++ put_comparisons f [opposite c]) gs' e
    | (l, true) :: gs' =>
        mk_select own (mk_select (put_comparisons f l) nought (put_guards f [] gs' e)) nought
    end.

  (** ** The contribution as an expression over the cell *)

  (** The slots of a contribution's variables: the cell's, then those of the output box,
      then those of the reductions, the outermost first. *)
  Fixpoint numbering (groups : list (list Z * list nat)) (first own last : nat) : list nat :=
    match groups with
    | [] => seq first own
    | (_, ns) :: groups' =>
        seq (last - length ns) (length ns) ++ numbering groups' first own (last - length ns)
    end.

  Definition box_extents (dims : list nat) (groups : list (list Z * list nat)) : list nat :=
    dims ++ concat (map snd (rev groups)).

  Definition box_names (own : list Z) (groups : list (list Z * list nat)) : list Z :=
    own ++ concat (map fst (rev groups)).

  (** Numbers of the names of new variables. *)
  Definition name_q : Z := -1.
  Definition name_r : Z := -2.

  Fixpoint digit_names (n : nat) : list Z :=
    match n with
    | S (S n) => name_q :: name_r :: digit_names n
    | _ => []
    end.

  (** Nothing eliminated: the equations as they are. *)
  Definition plain_guards (f : substitution) (cells : nat) (l : list ix) (cell : list nat) : list comparison :=
    map (fun p : ix * (nat * nat) =>
           let '(a, (i, _)) := p in (CEq, put_side f a, IVar (cells + i)%nat))
        (filter (fun p => negb (snd (snd p) <=? 1)%nat)
                (combine l (combine (seq 0 (length cell)) cell))).

  Definition gather (universal : bool) (own : list Z) (dims cell : list nat)
      (c : contribution K) : ex :=
    let cells := length cell in
    let boxes := box_extents dims (over c) in
    let names := box_names own (over c) in
    if existsb (Nat.eqb 0) boxes then nought
    else
      let first := (cells + length dims)%nat in
      let slot := numbering (over c) cells (length dims) (cells + length boxes) in
      let ext := cell ++ boxes in
      let key := seq 0 (length ext) in
      let forms := map (fun a => form_of key ext (subst_ix (map IVar slot) a)) (at_ c) in
      let s0 := State ext [] [] in
      let s1 := if universal then s0
                else equations key (flat_map divisors forms) 0 cell forms s0 in
      let n := length (slots s1) in
      let wide := filter (fun s => (1 <? nth s (slots s1) 0)%nat || (length ext <=? s)%nat)
                         (seq cells (n - cells)) in
      let S := if universal then Solution [] [] wide
               else in_lowest_terms (eliminate n (slots s1) (Solution (eqs s1) [] wide)) in
      let kept := alive S in
      let names := names ++ digit_names (n - length ext) in
      let f := Substitution (map (slot_ix cells kept (gone S)) slot)
                 (concat (map snd (over c)) ++ dims)
                 (map (fun s => nth s (slots s1) 0%nat) kept ++ cell)
                 (kept ++ seq 0 cells) n in
      let conditions :=
        if universal then plain_guards f (length kept) (at_ c) cell
        else map (condition_of cells kept) (guards_of (slots s1) S) in
      mk_sum (map (fun s => nth (s - cells) names 0) kept)
             (map (fun s => nth s (slots s1) 0%nat) kept)
             (put_guards f conditions (guards c) (put f (weight c))).
End Gather.

Arguments gather {K}.
