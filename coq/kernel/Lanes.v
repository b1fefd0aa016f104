(** * Sums in lanes

    A sum over a box whose last extent is [n], of cells that lie next to one another, as 16
    partial sums, each over every 16th cell, which vector units compute side by side.  That is
    another order of adding, hence another kernel: a temporary for the partial sums,

<<  T0<..,16>[..,l] = sum(r<..,q<n/16) f(..,16 q + l)  >>

    and in the place of the sum [sum(l<16) T0[..,l]], plus the sum of the rest, [f(..,16 (n/16) + t)]
    for [t] below [n mod 16], if there is one.  Which sums are taken is seen from the kernel
    ([taken]); [c/kernel/partial.c] is the same. *)

From Coq Require Import Bool List Arith ZArith.
From Calque Require Import kernel.Kernel.
Import ListNotations.
Open Scope nat_scope.

(** ** Indices *)

Fixpoint uses (v : nat) (a : ix) : bool :=
  match a with
  | IVar n => n =? v
  | ICst _ => false
  | IAdd a b | ISub a b => uses v a || uses v b
  | IMul a _ | IDiv a _ | IMod a _ => uses v a
  end.

(** What an index grows by when the variable does; none under a quotient or remainder. *)
Fixpoint slope (v : nat) (a : ix) : option Z :=
  match a with
  | IVar n => Some (if n =? v then 1%Z else 0%Z)
  | ICst _ => Some 0%Z
  | IAdd a b => match slope v a, slope v b with Some y, Some z => Some (y + z)%Z | _, _ => None end
  | ISub a b => match slope v a, slope v b with Some y, Some z => Some (y - z)%Z | _, _ => None end
  | IMul a k => option_map (fun y => y * k)%Z (slope v a)
  | IDiv a _ | IMod a _ => if uses v a then None else Some 0%Z
  end.

Definition lanes : nat := 16.

(** The variables of the sum but the last one, what stands for the last one, and those of a cell, behind them. *)
Definition last_at (k m : nat) (a : ix) : list ix := map IVar (seq 0 (k - 1)) ++ a :: map IVar (seq k m).

(** A box with another last side. *)
Definition with_last (ns : list nat) (n : nat) : list nat := removelast ns ++ [n].

Section Lanes.
  Variable S : scalars.
  Notation ex := (ex S).
  Notation stmt := (stmt S).

  (** Which reduction is a sum, what adds, the sum over the lanes, and names of temporaries. *)
  Variable is_sum : red S -> bool.
  Variable plus : bop S.
  Variable lane : red S -> red S.
  Variable temp : nat -> tid.

  (** ** Which sums *)

  (** Each cell that the load reads, it reads for one cell of the result alone, of sizes [d] at variables
      [k], ..; and variable [v] goes through such cells next to one another. *)
  Definition runs (v k : nat) (d : list nat) (l : list ix) : bool :=
    negb (existsb (uses v) (removelast l)) &&
    forallb (fun vn => (snd vn =? 1) || existsb (uses (fst vn)) l) (combine (seq k (length d)) d) &&
    match slope v (last l (ICst 0)) with Some c => (c =? 1)%Z | None => false end.

  (** Loads, without choice and without another reduction. *)
  Fixpoint simple (v k : nat) (d : list nat) (e : ex) : bool :=
    match e with
    | ECst _ => true
    | ELd _ l => negb (existsb (uses v) l) || runs v k d l
    | EBin _ a b => simple v k d a && simple v k d b
    | EFn _ l => forallb (simple v k d) l
    | ESel _ _ _ | ERed _ _ _ => false
    end.

  Fixpoint loads_at (v : nat) (e : ex) : bool :=
    match e with
    | ECst _ => false
    | ELd _ l => existsb (uses v) l
    | EBin _ a b | ESel _ a b => loads_at v a || loads_at v b
    | EFn _ l => existsb (loads_at v) l
    | ERed _ _ _ => false
    end.

  Definition taken (d : list nat) (r : red S) (ns : list nat) (e : ex) : bool :=
    is_sum r && (2 * lanes <=? last ns 0) && (length d <? 8) &&
    simple (length ns - 1) (length ns) d e && loads_at (length ns - 1) e.

  (** ** The kernel *)

  Definition partial_sums (d : list nat) (t : tid) (r : red S) (ns : list nat) (e : ex) : stmt :=
    let k := length ns in
    let l := IVar (k + length d) in
    Stmt t (d ++ [lanes])
      (ERed r (with_last ns (last ns 0 / lanes))
         (subst (last_at k (length d) (IAdd (IMul (IVar (k - 1)) (Z.of_nat lanes)) l)) e)).

  Definition lane_sum (d : list nat) (t : tid) (r : red S) : ex :=
    ERed (lane r) [lanes] (ELd t (map IVar (seq 1 (length d)) ++ [IVar 0])).

  Definition rest_sum (d : list nat) (r : red S) (ns : list nat) (e : ex) : ex :=
    let k := length ns in
    let n := last ns 0 in
    ERed r (with_last ns (n mod lanes))
      (subst (last_at k (length d) (IAdd (IVar (k - 1)) (ICst (Z.of_nat (lanes * (n / lanes)))))) e).

  Definition lane_sums (d : list nat) (t : tid) (r : red S) (ns : list nat) (e : ex) : ex :=
    if last ns 0 mod lanes =? 0 then lane_sum d t r else EBin plus (lane_sum d t r) (rest_sum d r ns e).

  (** Expressions in turn, each with the temporaries that those before it leave. *)
  Definition each (one : nat -> ex -> ex * list stmt) : nat -> list ex -> list ex * list stmt :=
    fix each next l :=
      match l with
      | [] => ([], [])
      | a :: l' =>
          let (b, p) := one next a in
          let (m, q) := each (next + length p) l' in (b :: m, p ++ q)
      end.

  (** An expression of a cell of sizes [d], and the partial sums that it reads, with the temporaries from [next] on. *)
  Fixpoint lanes_ex (d : list nat) (next : nat) (e : ex) : ex * list stmt :=
    match e with
    | EBin o a b =>
        let (a', p) := lanes_ex d next a in
        let (b', q) := lanes_ex d (next + length p) b in (EBin o a' b', p ++ q)
    | EFn f l => let (l', p) := each (lanes_ex d) next l in (EFn f l', p)
    | ERed r ns a =>
        if taken d r ns a then (lane_sums d (temp next) r ns a, [partial_sums d (temp next) r ns a]) else (e, [])
    | _ => (e, [])
    end.

  Definition lanes_stmt (next : nat) (s : stmt) : list stmt :=
    let (e, p) := lanes_ex (dims s) next (body s) in p ++ [Stmt (out s) (dims s) e].

  Fixpoint lanes_prog (next : nat) (p : list stmt) : list stmt :=
    match p with
    | [] => []
    | s :: p' => let q := lanes_stmt next s in q ++ lanes_prog (next + (length q - 1)) p'
    end.

  (** ** What it computes

      The same expression, where a sum that is taken has the value of the formula above. *)

  Notation num := (carrier S).

  Definition added (r : red S) (ns : list nat) (f : list Z -> num) : num :=
    fold_left (fun a k => red_step S r a (f k)) (box ns) (red_start S r).

  (** The tuple with its last number changed. *)
  Definition change_last (g : Z -> Z) (k : list Z) : list Z := removelast k ++ [g (last k 0%Z)].

  Definition added_in_lanes (r : red S) (ns : list nat) (f : list Z -> num) : num :=
    let n := last ns 0 in
    let partial (j : Z) := added r (with_last ns (n / lanes)) (fun k => f (change_last (fun q => q * Z.of_nat lanes + j) k)%Z) in
    let total := added (lane r) [lanes] (fun j => partial (nth 0 j 0%Z)) in
    if n mod lanes =? 0 then total
    else bop_value S plus total
           (added r (with_last ns (n mod lanes)) (fun k => f (change_last (fun t => t + Z.of_nat (lanes * (n / lanes))) k)%Z)).

  Fixpoint eval_lanes (d : list nat) (st : store S) (i : list Z) (e : ex) : num :=
    match e with
    | EBin o a b => bop_value S o (eval_lanes d st i a) (eval_lanes d st i b)
    | EFn f l => fid_value S f (map (eval_lanes d st i) l)
    | ERed r ns a =>
        if taken d r ns a then added_in_lanes r ns (fun k => eval st (k ++ i) a) else eval st i e
    | _ => eval st i e
    end.

  Definition exec_lanes (s : stmt) (st : store S) : store S :=
    upd st (out s) (tabulate (dims s) (fun i => eval_lanes (dims s) st i (body s))).

  Definition exec_lanes_prog (p : list stmt) (st : store S) : store S :=
    fold_left (fun st s => exec_lanes s st) p st.
End Lanes.

Arguments simple {S}.
Arguments loads_at {S}.
Arguments taken {S}.
Arguments partial_sums {S}.
Arguments lane_sum {S}.
Arguments rest_sum {S}.
Arguments lane_sums {S}.
Arguments lanes_ex {S}.
Arguments lanes_stmt {S}.
Arguments lanes_prog {S}.
Arguments added {S}.
Arguments added_in_lanes {S}.
Arguments eval_lanes {S}.
Arguments exec_lanes {S}.
Arguments exec_lanes_prog {S}.
