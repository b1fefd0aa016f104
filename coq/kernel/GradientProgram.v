(** * The gradient of a program

    Forward statements in single assignment form, a reduction inside a product,
    quotient or function before them as a statement of its own; then adjoints
    backwards, one for each version of a tensor; what the wanted gradients do not need
    is left out. *)

From Coq Require Import Bool List Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.Wf kernel.Numbers kernel.Gradient kernel.GatherForm.
Import ListNotations.
Open Scope Z_scope.

(** Where a tensor comes from, which gives its name: a tensor of the source with its
    first values; a later version, under the same name or not; a sum, a maximum or its
    ties split off from what a tensor stores; the adjoint of a tensor. *)
Inductive origin :=
  | First (t : tid)
  | Version (t : tid) (same_name : bool)
  | SumOf (t : tid)
  | MaxOf (t : tid)
  | TiesOf (t : tid)
  | AdjointOf (t : tid).

Record options := Options {
  universal : bool;      (** no variable is eliminated *)
  no_split : bool;       (** sums stay where they are *)
  values : bool }.       (** the outputs are stored too *)

(** Numbers of names of variables that the source does not have. *)
Definition name_none : Z := -3.
Definition name_cell (i : nat) : Z := - 10 - Z.of_nat i.

Definition scalar (d : list nat) : bool :=
  match d with [n] => (n =? 1)%nat | _ => false end.

(** The indices of a tensor's own cell. *)
Definition own_ix (d : list nat) : list ix :=
  if scalar d then [] else map IVar (seq 0 (length d)).

Definition own_names (d : list nat) : list Z :=
  if scalar d then [name_none] else map name_cell (seq 0 (length d)).

Definition groups : Type := list (list Z * list nat).

(** Does variable [j] stand in the index? *)
Fixpoint mentions (j : nat) (a : ix) : bool :=
  match a with
  | IVar n => (n =? j)%nat
  | ICst _ => false
  | IAdd a b | ISub a b => mentions j a || mentions j b
  | IMul a _ | IDiv a _ | IMod a _ => mentions j a
  end.

Section Program.
  Variable K : field.
  Variable O : options.
  Variable shapes : list (list nat).      (** of the source *)
  Notation ex := (ex (text K)).
  Notation stmt := (stmt (text K)).

  (** A statement, the names of its variables, and if it stores a maximum: where, and
      where its ties are.  [fixed]: it has no derivative. *)
  Record step := Step { does : stmt; names : list Z; stores_max : places; fixed : bool }.

  Record builder := Builder { tensors : list (origin * list nat); steps : list step }.

  Definition new_tensor (o : origin) (d : list nat) (b : builder) : tid * builder :=
    (length (tensors b), Builder (tensors b ++ [(o, d)]) (steps b)).

  Definition emit (s : step) (b : builder) : builder := Builder (tensors b) (steps b ++ [s]).

  Definition shape_of (b : builder) (t : tid) : list nat := snd (nth t (tensors b) (First 0%nat, [])).

  (** ** Splitting reductions off *)

  Definition comparison_uses (j : nat) (c : comparison) : bool :=
    let '(_, a, b) := c in mentions j a || mentions j b.

  Definition guard_uses (j : nat) (g : guard) : bool := existsb (comparison_uses j) (fst g).

  Fixpoint uses (j : nat) (e : ex) : bool :=
    match e with
    | ECst _ => false
    | ELd _ l => existsb (mentions j) l
    | EBin _ a b => uses j a || uses j b
    | EFn _ l => existsb (uses j) l
    | ESel c a b => existsb (comparison_uses j) (comparisons c) || uses j a || uses j b
    | ERed _ ns e => uses (length ns + j) e
    end.

  (** Variables in the order in which they were bound, the statement's first; [g] has the
      innermost reduction first. *)
  Fixpoint bound_order (g : groups) (off own : nat) : list nat :=
    match g with
    | [] => seq off own
    | (_, ns) :: g' => bound_order g' (off + length ns)%nat own ++ seq off (length ns)
    end.

  Definition most_cells : Z := 2147483647.

  Fixpoint fits (rank : nat) (size : Z) (d : list nat) : bool :=
    match d with
    | [] => true
    | n :: d' =>
        match rank with
        | 0%nat => false
        | S rank =>
            let n := Z.of_nat n in
            ((n =? 0) || (size <=? most_cells / n)) && fits rank (if n =? 0 then size else size * n) d'
        end
    end.

  (** Of a statement: the tensor it stores, names and extents of its variables, the
      version of each tensor it reads. *)
  Record place := Place { stores : tid; own : list Z; box_ : list nat; version : list tid }.

  (** The variables as they are. *)
  Definition in_place (P : place) (g : groups) : substitution :=
    let extents := concat (map snd g) ++ box_ P in
    let n := length extents in
    Substitution (map IVar (seq 0 n)) extents extents (numbering g 0 (length (box_ P)) n) n.

  (** The reduction [r] of [e], over [ns], becomes a statement over the variables [deps]. *)
  Definition split_off (P : place) (g : groups) (deps : list nat) (path : list guard)
      (r : reduced) (ns : list nat) (e : ex) (b : builder) : ex * builder :=
    let all_names := concat (map fst g) ++ own P in
    let extents := concat (map snd g) ++ box_ P in
    let f := map (fun j => if existsb (Nat.eqb j) deps then IVar (place_of j deps) else ICst 0)
                 (seq 0 (length extents)) in
    let d := match deps with [] => [1%nat] | _ => map (fun j => nth j extents 0%nat) deps end in
    let ids := match deps with [] => [name_none] | _ => map (fun j => nth j all_names 0) deps end in
    let here := map IVar (seq 0 (length deps)) in
    let inside := subst (lift (length ns) f) e in
    let path := map (fun q => subst_guard f (put_comparisons (in_place P g) (fst q), snd q)) path in
    let closed x := fold_right guarded x path in
    match fst r with
    | KSum =>
        let (t, b) := new_tensor (SumOf (stores P)) d b in
        (ELd t (map IVar deps),
         emit (Step (Stmt t d (closed (@ERed (text K) r ns inside))) ids None false) b)
    | KMax =>
        let (t, b) := new_tensor (MaxOf (stores P)) d b in
        let tie := call FLess [inside; ELd t (map IVar (seq (length ns) (length deps)))] in
        let b := emit (Step (Stmt t d (closed (@ERed (text K) r ns inside))) ids (Some (t, S t)) false) b in
        let (u, b) := new_tensor (TiesOf (stores P)) d b in
        (ELd t (map IVar deps),
         emit (Step (Stmt u d (closed (@ERed (text K) (KSum, snd r) ns (mk OSub unity tie)))) ids None true) b)
    end.

  (** [inside]: under an operation whose weights use the values of its arguments. *)
  Definition linear (o : operator) (x y : ex) : bool :=
    match o with
    | OAdd | OSub => true
    | OMul => negb (loads_any x) || negb (loads_any y)
    | ODiv => negb (loads_any y)
    | OMod => false
    end.

  (** Later parts first; the expression with loads of the versions. *)
  Fixpoint split (P : place) (e : ex) (g : groups) (path : list guard) (inside : bool)
      (b : builder) {struct e} : ex * builder :=
    match e with
    | ECst _ => (e, b)
    | ELd t l =>
        (ELd (nth t (version P) 0%nat) (put_indices (in_place P g) (nth t shapes []) l), b)
    | EBin o x y =>
        let inside := inside || negb (linear o x y) in
        let (y, b) := split P y g path inside b in
        let (x, b) := split P x g path inside b in
        (bin o x y, b)
    | EFn f l =>
        let inside := inside || match f with FNeg => false | _ => true end in
        let (l, b) :=
          (fix go l b :=
             match l with
             | [] => ([], b)
             | a :: l' =>
                 let (l', b) := go l' b in
                 let (a, b) := split P a g path inside b in
                 (a :: l', b)
             end) l b in
        (call f l, b)
    | ESel c x y =>
        let l := comparisons c in
        let (y, b) := split P y g (path ++ [(l, true)]) inside b in
        let (x, b) := split P x g (path ++ [(l, false)]) inside b in
        (mk_select (put_comparisons (in_place P g) l) x y, b)
    | ERed r ns x =>
        let n := (length (concat (map snd g)) + length (box_ P))%nat in
        let deps := filter (fun j => uses j e || existsb (guard_uses j) path)
                           (bound_order g 0 (length (box_ P))) in
        let extents := concat (map snd g) ++ box_ P in
        let wanted := match fst r with KSum => inside && negb (no_split O) | KMax => true end in
        let alone := wanted && fits 8 1 (map (fun j => nth j extents 0%nat) deps) in
        let (x, b) := split P x ((snd r, ns) :: g) (map (subst_guard (up (length ns) n)) path)
                            (inside && negb alone) b in
        if alone then split_off P g deps path r ns x b else (@ERed (text K) r ns x, b)
    end.

  (** ** Forward statements *)

  Fixpoint loaded_first (t : tid) (p : list (list Z * stmt)) : bool :=
    match p with
    | [] => false
    | (_, s) :: p' => loads_of t (body s) || (negb (out s =? t)%nat && loaded_first t p')
    end.

  Fixpoint forward (all p : list (list Z * stmt)) (current : list tid) (b : builder)
      : list tid * builder :=
    match p with
    | [] => (current, b)
    | (ids, s) :: p' =>
        let t := out s in
        let same := (nth t current 0 =? t)%nat && negb (loaded_first t all) in
        let (e, b) := split (Place t ids (dims s) current) (body s) [] [] false b in
        let (u, b) := new_tensor (Version t same) (dims s) b in
        forward all p' (set_nth t u current) (emit (Step (Stmt u (dims s) e) ids None false) b)
    end.

  (** The tensors that depend on those in [l]. *)
  Fixpoint activity (l : list tid) (p : list step) : list tid :=
    match p with
    | [] => l
    | s :: p' =>
        activity (if negb (fixed s) && existsb (fun t => existsb (Nat.eqb t) l) (loads (body (does s)))
                  then out (does s) :: l else l) p'
    end.

  (** ** Adjoints *)

  Definition table : Type := list (tid * tid).

  Fixpoint find (t : tid) (l : table) : option tid :=
    match l with
    | [] => None
    | (u, v) :: l' => if (u =? t)%nat then Some v else find t l'
    end.

  Definition plus_ex (o : option ex) (e : ex) : option ex :=
    Some (match o with Some s => mk OAdd s e | None => e end).

  (** What the step adds to the adjoint of [t]. *)
  Definition contribute (b : builder) (adjoints : table) (t : tid) (s : step) (sum : option ex)
      : outcome (option ex) :=
    match find (out (does s)) adjoints with
    | None => Done sum
    | Some v =>
        let d := dims (does s) in
        and_then (sweep t (length d) (stores_max s) (own_ix d) (body (does s)) (ELd v (own_ix d)) [])
          (fun l => Done (fold_left (fun sum c =>
             plus_ex sum (gather (shape_of b) (universal O) (names s) d (shape_of b t) c)) l sum))
    end.

  (** The adjoint of [t]; none when it is zero. *)
  Definition adjoint_body (b : builder) (p : list step) (seeds adjoints : table) (t : tid)
      : outcome (option ex) :=
    let first := option_map (fun v => ELd v (own_ix (shape_of b t))) (find t seeds) in
    and_then (fold_left (fun o s => and_then o (contribute b adjoints t s)) p (Done first))
      (fun o => Done (match o with Some e => if is_zero e then None else o | None => None end)).

  (** A whole tensor of the shape [d] as it is. *)
  Definition same_tensor (b : builder) (d : list nat) (e : ex) : option tid :=
    match e with
    | ELd u l =>
        if dims_eqb (shape_of b u) d && (length l =? length (own_ix d))%nat &&
           forallb (fun '(a, i) => ix_eqb a (IVar i)) (combine l (seq 0 (length l)))
        then Some u else None
    | _ => None
    end.

  Definition store_adjoint (t : tid) (e : ex) (b : builder) : tid * builder :=
    let d := shape_of b t in
    let (u, b) := new_tensor (AdjointOf t) d b in
    (u, emit (Step (Stmt u d e) (own_names d) None false) b).

  (** KG-Seq: the adjoints of what the steps [todo] store, the last step first. *)
  Fixpoint adjoints_of (p todo : list step) (active : list tid) (seeds adjoints : table) (b : builder)
      : outcome (table * builder) :=
    match todo with
    | [] => Done (adjoints, b)
    | s :: todo' =>
        let t := out (does s) in
        if existsb (Nat.eqb t) active then
          and_then (adjoint_body b p seeds adjoints t) (fun o =>
            match o with
            | None => adjoints_of p todo' active seeds adjoints b
            | Some e =>
                match same_tensor b (shape_of b t) e with
                | Some u => adjoints_of p todo' active seeds ((t, u) :: adjoints) b
                | None =>
                    let (u, b) := store_adjoint t e b in
                    adjoints_of p todo' active seeds ((t, u) :: adjoints) b
                end
            end)
        else adjoints_of p todo' active seeds adjoints b
    end.

  (** ** The wanted gradients *)

  (** Several gradients that overwrite what is given are copied at the end. *)
  Definition copy_last (l : table) (both : list tid) (b : builder) : table * builder :=
    if (1 <? length both)%nat then
      fold_left (fun '(l, b) x =>
          match find x l with
          | Some u =>
              let (v, b) := store_adjoint x (ELd u (own_ix (shape_of b x))) b in
              ((x, v) :: l, b)
          | None => (l, b)
          end) both (l, b)
    else (l, b).

  (** Steps whose output is used, going backwards. *)
  Definition used_steps (roots : list tid) (p : list step) : list step :=
    snd (fold_right (fun s '(used, kept) =>
           if existsb (Nat.eqb (out (does s))) used
           then (loads (body (does s)) ++ used, s :: kept) else (used, kept)) (roots, []) p).

  Record result := Result { result_tensors : list (origin * list nat); result_steps : list step }.

  (** ** All of it *)

  (** The source's tensors with their first values. *)
  Definition sources : builder := Builder (map (fun '(t, d) => (First t, d)) (combine (seq 0 (length shapes)) shapes)) [].

  (** Given adjoints of the outputs; by their last versions, and by the outputs. *)
  Fixpoint give (outputs current : list tid) (b : builder) : table * table * builder :=
    match outputs with
    | [] => ([], [], b)
    | t :: outputs' =>
        let (v, b) := new_tensor (AdjointOf t) (shape_of b t) b in
        let '(seeds, given, b) := give outputs' current b in
        ((nth t current 0%nat, v) :: seeds, (t, v) :: given, b)
    end.

  Fixpoint gradients (p : list step) (seeds adjoints : table) (wrt : list tid) (b : builder)
      : outcome (table * builder) :=
    match wrt with
    | [] => Done ([], b)
    | x :: wrt' =>
        and_then (adjoint_body b p seeds adjoints x) (fun e =>
          let (u, b) := store_adjoint x (match e with Some e => e | None => nought end) b in
          and_then (gradients p seeds adjoints wrt' b) (fun '(l, b) => Done ((x, u) :: l, b)))
    end.

  (** The gradients of the outputs by [wrt], the steps being all forward ones. *)
  Definition backward (outputs wrt current : list tid) (b : builder)
      : outcome (table * table * builder) :=
    let p := steps b in
    let '(seeds, given, b) := give outputs current b in
    and_then (adjoints_of p (rev p) (activity wrt p) seeds [] b) (fun '(adjoints, b) =>
    and_then (gradients p seeds adjoints wrt b) (fun '(l, b) => Done (given, l, b))).

  Definition at_table (l : table) (x : tid) : tid :=
    match find x l with Some u => u | None => 0%nat end.

  (** Where an output is also differentiated by, one tensor is its given adjoint and the
      result; several such gradients are stored when all are computed. *)
  Definition deliver (outputs wrt current : list tid) (given l : table) (b : builder) : result :=
    let both := filter (fun x => match find x given with Some _ => true | None => false end) wrt in
    let (l, b) := copy_last l both b in
    let results := map (at_table l) wrt in
    let asked := if values O then map (fun t => nth t current 0%nat) outputs else [] in
    let renamed := map (fun x => (at_table l x, at_table given x)) both in
    let close s :=
      let u := out (does s) in
      Step (Stmt (match find u renamed with Some v => v | None => u end) (dims (does s)) (body (does s)))
           (names s) (stores_max s) (fixed s) in
    Result (tensors b) (map close (used_steps (results ++ asked) (steps b))).

  (** The gradient of the tensors [outputs] by [wrt]; gradients that overwrite what is given
      come last. *)
  Definition gradient (p : list (list Z * stmt)) (outputs wrt : list tid) : outcome result :=
    let (current, b) := forward p p (seq 0 (length shapes)) sources in
    let is_output x := existsb (Nat.eqb x) outputs in
    let order := filter (fun x => negb (is_output x)) wrt ++ filter is_output wrt in
    and_then (backward outputs order current b) (fun '(given, l, b) =>
      Done (deliver outputs wrt current given l b)).
End Program.
