(** * Does a kernel that was changed before it is lowered compute the original's cells?

    Each tensor that the original stores is read in both kernels at symbolic indices, as one
    expression ([tree]):
    - a temporary that only the changed kernel has is its definition, at the indices that it is
      loaded at;
    - a load of a packed tensor is a load of the original one, at the indices that the map says;
    - indices are normal forms, and conditions that the ranges of the loops decide are gone;
    - in a sum of the [rules], (c ? x : 0) * w is (c ? x * w : 0) where all of w is numbers;
    - in a sum to which something is added, or of which something is subtracted, that does not see the sign of a zero
      ([is_clean]), exact(c ? x : 0, w) is (c ? exact(x, w) : -0) where all of w is numbers;
    - so is exact(c ? x : 0, min(w, c ? inf : -1)) in any sum.
    The kernels are the same when the trees are.  A load of a tensor that is stored comes after
    its statement, so a name means one thing.

    Variables of a tree are levels, the outermost loop is 0: [R] lists the extents of the loops
    around.  What is changed, and how, is not trusted. *)

From Coq Require Import List Arith Bool ZArith.
From Calque Require Import kernel.Kernel kernel.Wf kernel.Forms kernel.FormsProof.
From Calque Require dpia.CellsNormal.
Import ListNotations.
Open Scope nat_scope.

(** What is wrong, or nothing. *)
Inductive verdict :=
  | Same
  | OutOfBounds            (** a load may be outside of its tensor *)
  | StoredTwice
  | OtherShape             (** a tensor has another shape *)
  | OtherStored            (** another tensor is stored *)
  | NoConstant             (** what is packed is no constant *)
  | OtherOrder             (** a packed tensor has another shape than its map says *)
  | Early                  (** a tensor is read before it is stored *)
  | NoTemporary            (** a tensor that was added is not stored *)
  | Zeros                  (** zeros behind a packed tensor may be read *)
  | OtherCell.             (** the cells are not seen to be the same *)

(** The tensor has its dimension [axis], of [rows] cells, as the last one, perhaps with more
    cells; [panel] > 0: that one is cut into panels of so many cells, whose number is the first
    dimension: P[q, .., r] = W[.., q * panel + r, ..]. *)
Record packed := Packed { tensor : tid; axis : nat; rows : nat; panel : nat }.

(** [count_old] tensors of the original; [is_numeric]: is every cell of a tensor finite? [is_clean]: is none of them -0, or 0, if
    it is subtracted? *)
Record packing := Packing {
  count_old : nat;
  old_shape : tid -> list nat;
  new_shape : tid -> list nat;
  entries : list packed;
  is_constant : tid -> bool;
  is_numeric : tid -> bool;
  is_clean : bool -> tid -> bool }.

(** ** What is used of the scalars

    Literals and operations that are the same; a sum, and what may be added to it: after [start]
    nothing is changed by a product of [nought] and a number, or by [nought] itself, if all that
    was added is good.  With exact products a sum may differ in what an addition, or subtraction,
    of something clean does not see, the sign of a zero: whether an exact product of [nought] and a number
    is added, or [left_out nought].  It does not differ where the number is less than something negative. *)
Record rules (S : scalars) := Rules {
  lit_eqb : lit S -> lit S -> bool;
  bop_eqb : bop S -> bop S -> bool;
  fid_eqb : fid S -> fid S -> bool;
  red_eqb : red S -> red S -> bool;
  is_sum : red S -> bool;
  is_product : bop S -> bool;
  is_nought : lit S -> bool;
  good : carrier S -> Prop;
  is_number : carrier S -> Prop;
  is_adding : bool -> bop S -> bool;      (** subtracting, if true *)
  is_exact : fid S -> bool;
  left_out : lit S -> lit S;
  clean : bool -> carrier S -> Prop;
  is_least : fid S -> bool;
  is_most : lit S -> bool;
  is_negative : lit S -> bool;
  lit_eqb_right : forall a b, lit_eqb a b = true -> a = b;
  bop_eqb_right : forall a b, bop_eqb a b = true -> a = b;
  fid_eqb_right : forall a b, fid_eqb a b = true -> a = b;
  red_eqb_right : forall a b, red_eqb a b = true -> a = b;
  good_lit : forall c, good (lit_value S c);
  good_bop : forall o x y, good x -> good y -> good (bop_value S o x y);
  good_fid : forall f l, Forall good l -> good (fid_value S f l);
  good_start : forall r, good (red_start S r);
  good_step : forall r x y, good x -> good y -> good (red_step S r x y);
  sum_right : forall r, is_sum r = true -> exists keeps : carrier S -> Prop,
    keeps (red_start S r) /\ (forall x y, keeps x -> good y -> keeps (red_step S r x y)) /\
    (forall x o z w, keeps x -> is_product o = true -> is_nought z = true -> is_number w ->
       red_step S r x (bop_value S o (lit_value S z) w) = x /\ red_step S r x (bop_value S o w (lit_value S z)) = x /\
       red_step S r x (lit_value S z) = x);
  exact_right : forall r s o, is_sum r = true -> is_adding s o = true -> exists alike : carrier S -> carrier S -> Prop,
    alike (red_start S r) (red_start S r) /\ (forall x y v, alike x y -> alike (red_step S r x v) (red_step S r y v)) /\
    (forall x y f z w, alike x y -> is_exact f = true -> is_nought z = true -> is_number w ->
       alike (red_step S r x (fid_value S f [lit_value S z; w])) (red_step S r y (lit_value S (left_out z))) /\
       alike (red_step S r x (fid_value S f [w; lit_value S z])) (red_step S r y (lit_value S (left_out z)))) /\
    (forall x y b, alike x y -> clean s b -> bop_value S o x b = bop_value S o y b);
  most_right : forall g c w, is_least g = true -> is_most c = true -> is_number w -> fid_value S g [w; lit_value S c] = w;
  negative_right : forall r f g z c w x, is_sum r = true -> is_exact f = true -> is_least g = true -> is_nought z = true ->
    is_negative c = true -> is_number w ->
    red_step S r x (fid_value S f [lit_value S z; fid_value S g [w; lit_value S c]]) =
    red_step S r x (lit_value S (left_out z)) }.

(** ** Results *)

Inductive res (A : Type) := Ok (a : A) | No (v : verdict).
Arguments Ok {A}.
Arguments No {A}.

Definition bind {A B} (r : res A) (f : A -> res B) : res B := match r with Ok a => f a | No v => No v end.

Definition each {A B} (f : A -> res B) : list A -> res (list B) :=
  fix go l :=
    match l with
    | [] => Ok []
    | a :: l => bind (f a) (fun b => bind (go l) (fun m => Ok (b :: m)))
    end.

(** The first thing that is wrong. *)
Fixpoint every {A} (f : A -> verdict) (l : list A) : verdict :=
  match l with
  | [] => Same
  | a :: l => match f a with Same => every f l | v => v end
  end.

Definition refused (v : verdict) : verdict := match v with Same => OtherCell | v => v end.

Definition unless (wrong : bool) (v : verdict) : verdict := if wrong then v else Same.

(** ** Indices and conditions *)

Definition normal (R : list nat) (a : ix) : form := form_of [] R a.

Definition normals (R : list nat) (l : list ix) : res (list form) :=
  if forallb divides l then Ok (map (normal R) l) else No OutOfBounds.

(** A form that is at least 0, is 0, or is not. *)
Definition test : Type := cmp * form.

Definition form_eqb (f g : form) : bool := match form_cmp [] f g with Eq => true | _ => false end.
Definition test_eqb (s t : test) : bool := CellsNormal.cmp_same (fst s) (fst t) && form_eqb (snd s) (snd t).

(** [k + by * f] *)
Definition shifted (k by_ : Z) (f : form) : form := plus [] (FCst k) by_ f.

Definition either_sign (f : form) : form :=
  let g := shifted 0 (-1) f in match form_cmp [] g f with Lt => g | _ => f end.

(** A comparison of a difference with 0. *)
Definition test_of (c : cmp) (less : form) : test :=
  match c with
  | CLt => (CGe, shifted (-1) (-1) less)
  | CLe => (CGe, shifted 0 (-1) less)
  | CGt => (CGe, shifted (-1) 1 less)
  | CGe => (CGe, shifted 0 1 less)
  | CEq => (CEq, either_sign less)
  | CNe => (CNe, either_sign less)
  end.

Definition decided (R : list nat) (t : test) : option bool :=
  let (lo, hi) := span_form R (snd t) in
  (match fst t with
   | CGe => if 0 <=? lo then Some true else if hi <? 0 then Some false else None
   | CEq => if (0 <=? lo) && (hi <=? 0) then Some true else if (hi <? 0) || (0 <? lo) then Some false else None
   | CNe => if (hi <? 0) || (0 <? lo) then Some true else if (0 <=? lo) && (hi <=? 0) then Some false else None
   | _ => None
   end)%Z.

Definition cmp_rank (c : cmp) : nat := match c with CEq => 1 | CNe => 2 | _ => 0 end.

(** Adds a test to rising ones, unless it is there. *)
Fixpoint insert (t : test) (l : list test) : list test :=
  match l with
  | [] => [t]
  | u :: m =>
      match then_cmp (form_cmp [] (snd t) (snd u)) (Nat.compare (cmp_rank (fst t)) (cmp_rank (fst u))) with
      | Lt => t :: l
      | Gt => u :: insert t m
      | Eq => if test_eqb t u then l else t :: l
      end
  end.

(** The tests that are open, with those of [acc]; [None]: one fails. *)
Fixpoint opened (R : list nat) (env : list ix) (c : cond) (acc : list test) : res (option (list test)) :=
  match c with
  | CCmp o a b =>
      let less := ISub (subst_ix env a) (subst_ix env b) in
      if divides less then
        let t := test_of o (normal R less) in
        Ok (match decided R t with Some true => Some acc | Some false => None | None => Some (insert t acc) end)
      else No OutOfBounds
  | CAnd a b =>
      bind (opened R env a acc) (fun o => match o with Some acc => opened R env b acc | None => Ok None end)
  end.

(** ** The place of a packed cell *)

Definition place_at (e : packed) (i : list Z) : list Z :=
  let last := last i 0%Z in
  let '(x, mids) := match panel e with
                    | O => (last, removelast i)
                    | n => ((last + hd 0 i * Z.of_nat n)%Z, removelast (tl i))
                    end in
  firstn (axis e) mids ++ x :: skipn (axis e) mids.

Definition row_ix (e : packed) (l : list ix) : ix :=
  match panel e with
  | O => last l (ICst 0)
  | n => IAdd (last l (ICst 0)) (IMul (hd (ICst 0) l) (Z.of_nat n))
  end.

Definition place_ix (e : packed) (l : list ix) : list ix :=
  let mids := match panel e with O => removelast l | _ => removelast (tl l) end in
  firstn (axis e) mids ++ row_ix e l :: skipn (axis e) mids.

(** How many cells there are along [axis] with the zeros. *)
Definition width (e : packed) (new : list nat) : nat :=
  match panel e with O => last new 0 | n => hd 0 new * n end.

Definition others (e : packed) (old : list nat) : list nat := firstn (axis e) old ++ skipn (S (axis e)) old.

(** Are the dimensions what the map says? *)
Definition ordered (e : packed) (old new : list nat) : bool :=
  (axis e <? length old) && (rows e =? nth (axis e) old 0) && (rows e <=? width e new) &&
  match panel e with
  | O => dims_eqb new (others e old ++ [last new 0])
  | n => dims_eqb new (hd 0 new :: others e old ++ [n])
  end.

(** ** Packed data *)

(** What a packed tensor holds: the original's cell, and zero beyond. *)
Definition packed_cell {A} (zero : A) (e : packed) (w : list Z -> A) (i : list Z) : A :=
  let j := place_at e i in if (nth (axis e) j 0 <? Z.of_nat (rows e))%Z then w j else zero.

(** At each of [n] integers from [k] on. *)
Fixpoint all_from (f : Z -> bool) (k : Z) (n : nat) : bool :=
  match n with O => true | S n => if f k then all_from f (Z.succ k) n else false end.

(** At each index of the box, which is not made as a list: it may have as many as there are weights. *)
Fixpoint all_box (f : list Z -> bool) (d : list nat) : bool :=
  match d with [] => f [] | n :: d => all_from (fun k => all_box (fun i => f (k :: i)) d) 0 n end.

Definition data_same {A} (zero : A) (eqb : A -> A -> bool) (P : packing) (e : packed) (old new : list Z -> A) : bool :=
  all_box (fun i => eqb (new i) (packed_cell zero e old i)) (new_shape P (tensor e)).

Section Repack.
  Context {S : scalars} (law : rules S).
  Notation ex := (ex S).
  Notation stmt := (stmt S).
  Notation prog := (prog S).

  (** ** Trees *)

  Inductive tree :=
    | TCst (c : lit S)
    | TLd (t : tid) (l : list form)
    | TBin (o : bop S) (a b : tree)
    | TFn (f : fid S) (l : list tree)
    | TSel (c : list test) (a b : tree)
    | TRed (r : red S) (ns : list nat) (a : tree).

  Definition same_list {A} (eqb : A -> A -> bool) : list A -> list A -> bool :=
    fix go l m := match l, m with [], [] => true | a :: l, b :: m => eqb a b && go l m | _, _ => false end.

  Fixpoint tree_eqb (x y : tree) : bool :=
    match x, y with
    | TCst a, TCst b => lit_eqb S law a b
    | TLd t l, TLd u m => (t =? u) && same_list form_eqb l m
    | TBin o a b, TBin p c d => bop_eqb S law o p && tree_eqb a c && tree_eqb b d
    | TFn f l, TFn g m => fid_eqb S law f g && same_list tree_eqb l m
    | TSel c a b, TSel d a' b' => same_list test_eqb c d && tree_eqb a a' && tree_eqb b b'
    | TRed r ns a, TRed q ms b => red_eqb S law r q && dims_eqb ns ms && tree_eqb a b
    | _, _ => false
    end.

  (** ** Reading *)

  Variable P : packing.

  (** Are all cells of what is loaded numbers? *)
  Definition is_finite (t : tree) : bool := match t with TLd u _ => is_numeric P u | _ => false end.

  Definition is_zero (t : tree) : bool := match t with TCst c => is_nought S law c | _ => false end.

  (** The term of a sum with its guard outside. *)
  Definition guard_outside (t : tree) : tree :=
    match t with
    | TBin o (TSel c x z) w =>
        if is_product S law o && is_zero z && is_finite w then TSel c (TBin o x w) z else t
    | TBin o w (TSel c x z) =>
        if is_product S law o && is_zero z && is_finite w then TSel c (TBin o w x) z else t
    | _ => t
    end.

  Definition instead (z : tree) : tree := match z with TCst c => TCst (left_out S law c) | _ => z end.

  (** The term of a sum that is added to, with the guard of its exact product outside. *)
  Definition exact_outside (t : tree) : tree :=
    match t with
    | TFn f [TSel c x z; w] => if is_exact S law f && is_zero z && is_finite w then TSel c (TFn f [x; w]) (instead z) else t
    | TFn f [w; TSel c x z] => if is_exact S law f && is_zero z && is_finite w then TSel c (TFn f [w; x]) (instead z) else t
    | _ => t
    end.

  (** The term of a sum, its exact product with a number that a mask takes for a negative one where the guard does not hold. *)
  Definition unmasked (t : tree) : tree :=
    match t with
    | TFn f [TSel c x z; TFn g [w; TSel d (TCst most) (TCst negative)]] =>
        if is_exact S law f && is_zero z && is_finite w && is_least S law g && is_most S law most && is_negative S law negative &&
           same_list test_eqb c d
        then TSel c (TFn f [x; w]) (instead z) else t
    | _ => t
    end.

  Definition is_clean_load (t : tree) (s : bool) : bool := match t with TLd u _ => is_clean P s u | _ => false end.

  (** [x], to which [o] adds [y], or of which it subtracts it. *)
  Definition loosened (o : bop S) (x y : tree) : tree :=
    match x with
    | TRed r ns t =>
        if is_sum S law r && existsb (fun s => is_adding S law s o && is_clean_load y s) [false; true]
        then TRed r ns (exact_outside t) else x
    | _ => x
    end.

  Definition under (R : list nat) (ns : list nat) (env : list ix) : list ix :=
    map IVar (seq (length R) (length ns)) ++ env.

  Definition loading := tid -> list nat -> list ix -> res tree.

  Section Read.
    Variable early : tid -> bool.
    Variable load : loading.

    (** The expression under the loops of [R]; its variables are [env]. *)
    Fixpoint read (R : list nat) (env : list ix) (e : ex) : res tree :=
      match e with
      | ECst c => Ok (TCst c)
      | ELd t l => if early t then No Early else load t R (map (subst_ix env) l)
      | EBin o a b => bind (read R env a) (fun x => bind (read R env b) (fun y => Ok (TBin o (loosened o x y) y)))
      | EFn f l => bind (each (read R env) l) (fun m => Ok (TFn f m))
      | ESel c a b =>
          bind (opened R env c []) (fun o =>
            match o with
            | None => read R env b
            | Some [] => read R env a
            | Some l => bind (read R env a) (fun x => bind (read R env b) (fun y => Ok (TSel l x y)))
            end)
      | ERed r ns a =>
          bind (read (R ++ ns) (under R ns env) a) (fun x =>
            Ok (TRed r ns (if is_sum S law r then unmasked (guard_outside x) else x)))
      end.
  End Read.

  Definition stores (p : prog) (t : tid) : bool := existsb (fun s => out s =? t) p.

  (** A tensor that is stored, but not before. *)
  Definition early (all before : prog) (t : tid) : bool := stores all t && negb (stores before t).

  Definition entry (t : tid) : option packed := find (fun e => tensor e =? t) (entries P).

  Definition load_plain : loading := fun t R l => bind (normals R l) (fun l => Ok (TLd t l)).

  Definition load_packed (e : packed) : loading := fun t R l =>
    if divides (row_ix e l) then
      let (lo, hi) := span_form R (normal R (row_ix e l)) in
      if (width e (new_shape P t) <=? rows e) || ((0 <=? lo) && (hi <? Z.of_nat (rows e)))%Z
      then load_plain t R (place_ix e l) else No Zeros
    else No OutOfBounds.

  Definition load_old : loading := fun t R l => if t <? count_old P then load_plain t R l else No OutOfBounds.

  (** [temp]: a tensor that was added. *)
  Definition load_new (temp : loading) : loading := fun t R l =>
    if t <? count_old P then match entry t with Some e => load_packed e t R l | None => load_plain t R l end
    else temp t R l.

  (** [before]: the statements of the changed kernel before the load, the last one first. *)
  Fixpoint expand (all before : prog) : loading := fun t R l =>
    match before with
    | [] => No NoTemporary
    | s :: before =>
        if out s =? t then read (early all before) (load_new (expand all before)) R l (body s)
        else expand all before t R l
    end.

  (** ** The check *)

  (** The statement that stores the tensor, and those before it. *)
  Fixpoint find_store (t : tid) (before p : prog) : option (prog * stmt) :=
    match p with
    | [] => None
    | s :: p => if out s =? t then Some (before, s) else find_store t (s :: before) p
    end.

  Definition own (dims : list nat) : list ix := map IVar (seq 0 (length dims)).

  Definition read_old (k : prog) (t : tid) : res tree :=
    match find_store t [] k with
    | Some (before, s) => read (early k before) load_old (old_shape P t) (own (old_shape P t)) (body s)
    | None => No OtherStored
    end.

  Definition read_new (q : prog) (t : tid) : res tree :=
    match find_store t [] q with
    | Some (before, s) =>
        read (early q before) (load_new (expand q before)) (old_shape P t) (own (old_shape P t)) (body s)
    | None => No OtherStored
    end.

  Definition cell_same (k q : prog) (t : tid) : verdict :=
    if stores k t then
      match read_old k t, read_new q t with
      | Ok x, Ok y => if tree_eqb x y then Same else OtherCell
      | No v, _ | _, No v => refused v
      end
    else Same.

  Fixpoint stored_once (p : prog) : bool :=
    match p with [] => true | s :: p => negb (stores p (out s)) && stored_once p end.

  (** Every load of a tensor that is stored comes after its statement. *)
  Fixpoint in_order (all before p : prog) : bool :=
    match p with
    | [] => true
    | s :: p => forallb (fun t => negb (early all before t)) (loads (body s)) && in_order all (s :: before) p
    end.

  Definition shape_same (t : tid) : verdict :=
    match entry t with Some _ => Same | None => unless (negb (dims_eqb (old_shape P t) (new_shape P t))) OtherShape end.

  Definition tensor_same (k q : prog) (t : tid) : verdict :=
    match shape_same t with
    | Same => unless (negb (eqb (stores k t) (stores q t))) OtherStored
    | v => v
    end.

  Definition entry_same (k : prog) (l : list packed) (e : packed) : verdict :=
    if (tensor e <? count_old P) && is_constant P (tensor e) && negb (stores k (tensor e)) &&
       (length (filter (fun d => tensor d =? tensor e) l) =? 1)
    then unless (negb (ordered e (old_shape P (tensor e)) (new_shape P (tensor e)))) OtherOrder
    else NoConstant.

  Definition both_well (k q : prog) : verdict :=
    if wf_prog (old_shape P) k && wf_prog (new_shape P) q then
      unless (negb (stored_once k && stored_once q)) StoredTwice
    else OutOfBounds.

  (** Is something said of its cells? *)
  Definition described (t : tid) : bool := is_numeric P t || is_clean P false t || is_clean P true t.

  Definition rest_well (k q : prog) : verdict :=
    if forallb (fun s => out s <? count_old P) k && forallb (fun t => negb (described t && stores k t)) (seq 0 (count_old P))
    then unless (negb (in_order k [] k && in_order q [] q)) Early
    else NoConstant.

  (** [k]: the original; [q]: the changed one. *)
  Definition repack (k q : prog) : verdict :=
    let t := seq 0 (count_old P) in
    match both_well k q with
    | Same =>
        match every (tensor_same k q) t with
        | Same =>
            match every (entry_same k (entries P)) (entries P) with
            | Same => match every (cell_same k q) t with Same => rest_well k q | v => v end
            | v => v
            end
        | v => v
        end
    | v => v
    end.
End Repack.

Arguments tree : clear implicits.
Arguments loading : clear implicits.
