(** * Gather form of a gradient

    A contribution as a sum over all its points, with the equation that the point
    is where the contribution goes: right for every index map.  Then summation
    variables are eliminated: a point (x = ..), a stride (x * k = ..), a pair of
    digits (f // c = s and f % c = t), a single digit. *)

From Coq Require Import Bool List Arith ZArith.
From Calque Require Import kernel.Kernel kernel.Wf kernel.Grad.
Import ListNotations.
Open Scope Z_scope.

Definition equation : Type := ix * ix.

Definition conditions (l : list equation) : list cond :=
  map (fun e => CCmp CEq (fst e) (snd e)) l.

Fixpoint mentions (j : nat) (a : ix) : bool :=
  match a with
  | IVar n => (n =? j)%nat
  | ICst _ => false
  | IAdd a b | ISub a b => mentions j a || mentions j b
  | IMul a _ | IDiv a _ | IMod a _ => mentions j a
  end.

(** [a = t] solved for variable [j]: its value, and the conditions that stay. *)
Fixpoint solve (j : nat) (a t : ix) : option (ix * list cond) :=
  match a with
  | IVar n => if (n =? j)%nat then Some (t, []) else None
  | IAdd a b =>
      if mentions j b then if mentions j a then None else solve j b (ISub t a)
      else solve j a (ISub t b)
  | ISub a b =>
      if mentions j b then if mentions j a then None else solve j b (ISub a t)
      else solve j a (IAdd t b)
  | IMul a k =>
      if k =? 0 then None
      else option_map (fun r : ix * list cond =>
             (fst r, CCmp CEq (IMod t k) (ICst 0) :: snd r)) (solve j a (IDiv t k))
  | _ => None
  end.

(** The substitution that puts [x] for variable [j] of [n] ones and closes the gap. *)
Definition insertion (j : nat) (x : ix) (n : nat) : list ix :=
  map IVar (seq 0 j) ++ x :: map IVar (seq j (n - 1 - j)).

Fixpoint remove_at {A} (j : nat) (l : list A) : list A :=
  match l, j with
  | [], _ => []
  | _ :: l', O => l'
  | a :: l', S j' => a :: remove_at j' l'
  end.

Definition subst_eq (f : list ix) (e : equation) : equation :=
  (subst_ix f (fst e), subst_ix f (snd e)).

(** ** Simplification of index expressions *)

Definition mk_add (a b : ix) : ix :=
  match a, b with
  | ICst y, ICst z => ICst (y + z)
  | ICst 0, c | c, ICst 0 => c
  | c, ICst z => if z <? 0 then ISub c (ICst (- z)) else IAdd c b
  | _, _ => IAdd a b
  end.

Definition mk_sub (a b : ix) : ix :=
  if ix_eqb a b then ICst 0
  else match a, b with
       | ICst y, ICst z => ICst (y - z)
       | c, ICst 0 => c
       | IAdd c d, _ => if ix_eqb d b then c else if ix_eqb c b then d else ISub a b
       | ISub c d, _ => if ix_eqb c b then mk_add (ICst 0) (ISub (ICst 0) d) else ISub a b
       | _, ICst z => if z <? 0 then IAdd a (ICst (- z)) else ISub a b
       | _, ISub c d => if ix_eqb a c then d else ISub a b
       | _, _ => ISub a b
       end.

Definition mk_mul (a : ix) (k : Z) : ix :=
  match a with
  | ICst z => ICst (z * k)
  | _ => if k =? 1 then a else if k =? 0 then ICst 0 else IMul a k
  end.

Definition mk_div (a : ix) (k : Z) : ix :=
  match a with
  | ICst z => ICst (z / k)
  | _ => if k =? 1 then a else IDiv a k
  end.

Definition mk_mod (a : ix) (k : Z) : ix :=
  match a with
  | ICst z => ICst (z mod k)
  | _ => if k =? 1 then ICst 0 else IMod a k
  end.

Fixpoint simp_ix (a : ix) : ix :=
  match a with
  | IVar _ | ICst _ => a
  | IAdd a b => mk_add (simp_ix a) (simp_ix b)
  | ISub a b => mk_sub (simp_ix a) (simp_ix b)
  | IMul a k => mk_mul (simp_ix a) k
  | IDiv a k => mk_div (simp_ix a) k
  | IMod a k => mk_mod (simp_ix a) k
  end.

Fixpoint simp_cond (c : cond) : cond :=
  match c with
  | CCmp o a b => CCmp o (simp_ix a) (simp_ix b)
  | CAnd a b => CAnd (simp_cond a) (simp_cond b)
  end.

(** Does the condition hold whenever the facts do? *)
Fixpoint surely (G : facts) (c : cond) : bool :=
  match c with
  | CCmp o a b =>
      match range G (ISub a b) with
      | Some d => let (l, h) := cmp_span (cmp_neg o) d in h <? l
      | None => false
      end
  | CAnd a b => surely G a && surely G b
  end.

Section Gather.
  Variable K : ring.
  Notation ex := (ex (alg K)).
  Notation stmt := (stmt (alg K)).

  (** The sum over the box [ran] of [summand] where equations and guards hold.  The
      variables of the box come first, then those of the gradient's cell. *)
  Record term := Term {
    ran : list nat; eqs : list equation; guards : list cond; summand : ex }.

  Definition guarded (l : list cond) (e : ex) : ex :=
    match l with
    | [] => e
    | c :: l' => ESel (fold_left CAnd l' c) e (cst (r0 K))
    end.

  Definition term_ex (T : term) : ex :=
    let e := guarded (conditions (eqs T) ++ guards T) (summand T) in
    match ran T with
    | [] => e
    | ns => @ERed (alg K) Sum ns e
    end.

  (** A contribution of a statement with output box [d], gathered into a tensor of
      rank [m]. *)
  Definition universal (d : list nat) (m : nat) (c : contribution K) : term :=
    let ns := over c ++ d in
    let own := map IVar (seq 0 (length ns)) in
    Term ns (combine (map (subst_ix own) (at_ c)) (map IVar (seq (length ns) m))) []
         (subst own (weight c)).

  (** ** Elimination steps; each keeps the value of the term *)

  (** Splits at the elements that [f] accepts: before, image, after. *)
  Fixpoint pick {A B} (f : A -> option B) (pre l : list A) : list (list A * B * list A) :=
    match l with
    | [] => []
    | a :: l' =>
        match f a with
        | Some b => [(pre, b, l')]
        | None => []
        end ++ pick f (pre ++ [a]) l'
    end.

  Definition best (j : nat) (e : equation) : option (ix * list cond) :=
    let try a t :=
      if mentions j t then None
      else match solve j a t with
           | Some (x, cs) => if mentions j x then None else Some (x, cs)
           | None => None
           end in
    match try (fst e) (snd e) with
    | Some r => Some r
    | None => try (snd e) (fst e)
    end.

  (** Point and stride: variable [j], whose value an equation gives, goes. *)
  Definition eliminate (m j : nat) (T : term) : option term :=
    match nth_error (ran T) j, pick (best j) [] (eqs T) with
    | Some n, (pre, (x, cs), post) :: _ =>
        let N := (length (ran T) + m)%nat in
        let x' := simp_ix (subst_ix (insertion j (ICst 0) N) x) in
        let f := insertion j x' N in
        Some (Term (remove_at j (ran T))
                   (map (subst_eq f) (pre ++ post))
                   (CCmp CLe (ICst 0) x' :: CCmp CLt x' (ICst (Z.of_nat n)) ::
                    map (subst_cond f) (cs ++ guards T))
                   (subst f (summand T)))
    | _, _ => None
    end.

  Definition quotient (e : equation) : option (ix * Z * ix) :=
    match e with
    | (IDiv f c, s) => if 0 <? c then Some (f, c, s) else None
    | _ => None
    end.

  Definition remainder (f : ix) (c : Z) (e : equation) : option ix :=
    match e with
    | (IMod f' c', t) => if ix_eqb f f' && (c =? c') then Some t else None
    | _ => None
    end.

  (** f // c = s and f % c = t: f = s * c + t with a digit t. *)
  Definition digit_pair (T : term) : option term :=
    let try (p : list equation * (ix * Z * ix) * list equation) :=
      let '(pre, (f, c, s), post) := p in
      match pick (remainder f c) [] (pre ++ post) with
      | (pre', t, post') :: _ =>
          Some (Term (ran T) ((f, IAdd (IMul s c) t) :: pre' ++ post')
                     (CCmp CLe (ICst 0) t :: CCmp CLt t (ICst c) :: guards T) (summand T))
      | [] => None
      end in
    fold_right (fun p o => match try p with Some T' => Some T' | None => o end) None
               (pick quotient [] (eqs T)).

  (** f // c = s: f = s * c + r for one r < c, a new variable. *)
  Definition digit_div (m : nat) (T : term) : option term :=
    match pick quotient [] (eqs T) with
    | (pre, (f, c, s), post) :: _ =>
        let up := map IVar (seq 1 (length (ran T) + m)) in
        Some (Term (Z.to_nat c :: ran T)
                   ((subst_ix up f, IAdd (IMul (subst_ix up s) c) (IVar 0)) ::
                    map (subst_eq up) (pre ++ post))
                   (map (subst_cond up) (guards T)) (subst up (summand T)))
    | [] => None
    end.

  (** f % c = t, f in 0..h: f = q * c + t for one q, a new variable. *)
  Definition modulus (G : facts) (e : equation) : option (ix * Z * ix * Z) :=
    match e with
    | (IMod f c, t) =>
        if 0 <? c then
          match range G f with
          | Some (l, h) => if (0 <=? l) && (l <=? h) then Some (f, c, t, h) else None
          | None => None
          end
        else None
    | _ => None
    end.

  Definition digit_mod (D : list nat) (T : term) : option term :=
    match pick (modulus (box_facts 0 (ran T ++ D))) [] (eqs T) with
    | (pre, (f, c, t, h), post) :: _ =>
        let up := map IVar (seq 1 (length (ran T) + length D)) in
        let t' := subst_ix up t in
        Some (Term (Z.to_nat (h / c + 1) :: ran T)
                   ((subst_ix up f, IAdd (IMul (IVar 0) c) t') ::
                    map (subst_eq up) (pre ++ post))
                   (CCmp CLe (ICst 0) t' :: CCmp CLt t' (ICst c) ::
                    map (subst_cond up) (guards T)) (subst up (summand T)))
    | [] => None
    end.

  Definition or_else {A} (a b : option A) : option A :=
    match a with Some _ => a | None => b end.

  (** The variables, the largest extent first. *)
  Definition by_extent (ns : list nat) : list nat :=
    let insert := fix insert j l :=
      match l with
      | [] => [j]
      | k :: l' => if (nth k ns 0 <? nth j ns 0)%nat then j :: l else k :: insert j l'
      end in
    fold_left (fun l j => insert j l) (seq 0 (length ns)) [].

  Definition step (D : list nat) (T : term) : option term :=
    or_else (digit_pair T)
    (or_else (fold_right (fun j o => or_else (eliminate (length D) j T) o) None
                         (by_extent (ran T)))
    (or_else (digit_div (length D) T) (digit_mod D T))).

  Fixpoint steps (fuel : nat) (D : list nat) (T : term) : term :=
    match fuel with
    | O => T
    | S fuel' => match step D T with Some T' => steps fuel' D T' | None => T end
    end.

  (** Guards in plain form, without those that always hold. *)
  Definition tidy (D : list nat) (T : term) : term :=
    let G := box_facts 0 (ran T ++ D) in
    Term (ran T) []
         (filter (fun c => negb (surely G c))
                 (map simp_cond (conditions (eqs T) ++ guards T))) (summand T).

  Definition fuel (T : term) : nat := 3 * length (eqs T) + length (ran T).

  Definition solved (D : list nat) (T : term) : term := tidy D (steps (fuel T) D T).

  (** ** Simplification of scalar expressions: what is multiplied by 0 goes *)

  Definition is_cst (z : elt K) (e : ex) : bool :=
    match e with ECst c => req K c z | _ => false end.

  Definition mk_bin (o : arith) (a b : ex) : ex :=
    match o with
    | Add => if is_cst (r0 K) a then b else if is_cst (r0 K) b then a else bin Add a b
    | Sub => if is_cst (r0 K) b then a else bin Sub a b
    | Mul =>
        if is_cst (r0 K) a || is_cst (r0 K) b then cst (r0 K)
        else if is_cst (r1 K) a then b else if is_cst (r1 K) b then a else bin Mul a b
    | Div => if is_cst (r0 K) a then cst (r0 K) else bin Div a b
    end.

  Fixpoint simp (e : ex) : ex :=
    match e with
    | ECst c => ECst c
    | ELd t l => ELd t (map simp_ix l)
    | EBin o a b => mk_bin o (simp a) (simp b)
    | EFn f l => EFn f (map simp l)
    | ESel c a b =>
        let a' := simp a in
        let b' := simp b in
        if is_cst (r0 K) a' && is_cst (r0 K) b' then cst (r0 K)
        else ESel (simp_cond c) a' b'
    | ERed Sum ns e =>
        let e' := simp e in
        if is_cst (r0 K) e' then cst (r0 K) else @ERed (alg K) Sum ns e'
    | ERed (Other o) ns e => @ERed (alg K) (Other o) ns (simp e)
    end.

  (** ** The gradient of a statement by the tensor [t] of shape [D] *)

  Definition relevant (t : tid) (m : nat) (c : contribution K) : bool :=
    (target c =? t)%nat && (length (at_ c) =? m)%nat.

  Definition add_all (l : list ex) : ex := fold_right (bin Add) (cst (r0 K)) l.

  Definition gather_body (s : stmt) (v t : tid) (D : list nat) : ex :=
    simp (add_all
      (map (fun c => term_ex (solved D (universal (dims s) (length D) c)))
           (filter (relevant t (length D)) (contributions s v)))).

  (** [dt] is the name of the gradient. *)
  Definition gather (s : stmt) (v t : tid) (D : list nat) (dt : tid) : stmt :=
    Stmt dt D (gather_body s v t D).

  (** The tensors that the gradient needs. *)
  Definition needed (s : stmt) (v t : tid) (D : list nat) : list tid :=
    loads (gather_body s v t D).
End Gather.

Arguments Term {K}.
Arguments ran {K}.
Arguments eqs {K}.
Arguments guards {K}.
Arguments summand {K}.
Arguments guarded {K}.
Arguments term_ex {K}.
Arguments universal {K}.
Arguments eliminate {K}.
Arguments digit_pair {K}.
Arguments digit_div {K}.
Arguments digit_mod {K}.
Arguments step {K}.
Arguments steps {K}.
Arguments tidy {K}.
Arguments fuel {K}.
Arguments solved {K}.
Arguments mk_bin {K}.
Arguments is_cst {K}.
Arguments simp {K}.
Arguments relevant {K}.
Arguments add_all {K}.
Arguments gather_body {K}.
Arguments gather {K}.
Arguments needed {K}.
