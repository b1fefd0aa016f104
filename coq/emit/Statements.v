(** * Merged statements

    Emitted code merges the statements that [Codegen] gives: loops of one iteration are their bodies,
    loops are split at numbers where their conditions change, conditions that ranges decide are gone or
    are bounds, indices are in normal form.  [check] walks the flat program and the merged one in step and
    says what of the merged one is left after the program; nothing of how it was made is asked.  A plain
    loop is loops over ranges, one behind the other, and single iterations; iterations that are left out
    do nothing.  How two indices are compared, and a condition is decided by what is known, are
    parameters, and so is whether an index has a value. *)

From Coq Require Import List Arith Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Values dpia.Target emit.MiniC emit.Flat.
From Calque Require kernel.Kernel.
Import ListNotations.
Set Implicit Arguments.

Section Statements.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation cindex := (cindex N). Notation ccond := (ccond N). Notation fexp := (fexp A N).
  Notation fstm := (fstm A N). Notation data := (data N). Notation store := (fstore A).

  (** [MFor v lo hi low high b]: from the greatest of [lo] and [low] to before the least of [hi] and [high]. *)
  Inductive mstm :=
    | MSet (r : nat) (k : cindex) (e : fexp)
    | MBlock (r : nat) (d : data) (b : list mstm)
    | MFor (v : nat) (lo hi : Z) (low high : list cindex) (b : list mstm)
    | MIf (c : ccond) (a b : list mstm).

  (** ** Execution *)

  Definition upz (q : ienv) (v : nat) (z : Z) : ienv := fun k => if k =? v then z else q k.

  Fixpoint iter (n : nat) (a : Z) (f : Z -> store -> option store) (m : store) : option store :=
    match n with O => Some m | S n => obind (f a m) (iter n (a + 1)%Z f) end.

  Definition bound (pick : Z -> Z -> Z) (q : ienv) (z : Z) (l : list cindex) : option Z :=
    fold_right (fun k r => obind (kev q k) (fun x => obind r (fun y => Some (pick x y)))) (Some z) l.

  Fixpoint mrun (q : ienv) (c : mstm) (m : store) {struct c} : option store :=
    let all := fix all (q : ienv) (l : list mstm) (m : store) {struct l} : option store :=
      match l with [] => Some m | c :: l => obind (mrun q c m) (all q l) end in
    match c with
    | MSet r k e =>
        obind (natural (kev q k)) (fun o =>
        obind (fev q m e) (fun x =>
        match m r o with Some _ => Some (fset m r o x) | None => None end))
    | MBlock r d b => obind (all q b (falloc m r (cells d))) (fun m' => Some (leave m m' r))
    | MFor v lo hi low high b =>
        obind (bound Z.max q lo low) (fun a =>
        obind (bound Z.min q hi high) (fun z =>
        iter (Z.to_nat (z - a)) a (fun i => all (upz q v i) b) m))
    | MIf c a b => obind (kholds q c) (fun h => if h then all q a m else all q b m)
    end.
  Fixpoint mruns (q : ienv) (l : list mstm) (m : store) {struct l} : option store :=
    match l with [] => Some m | c :: l => obind (mrun q c m) (mruns q l) end.

  (** ** Plain indices, over the variables of merged loops *)

  Definition view := list (nat * cindex).

  Fixpoint lookup (g : view) (l : nat) : option cindex :=
    match g with [] => None | (k, x) :: g => if l =? k then Some x else lookup g l end.

  Definition pair (f : cindex -> cindex -> cindex) (a b : option cindex) : option cindex :=
    match a, b with Some a, Some b => Some (f a b) | _, _ => None end.

  Fixpoint apply (g : view) (k : cindex) : option cindex :=
    match k with
    | KVar l => lookup g l
    | KCst _ | KSize _ => Some k
    | KAdd a b => pair KAdd (apply g a) (apply g b)
    | KSub a b => pair KSub (apply g a) (apply g b)
    | KMul a b => pair KMul (apply g a) (apply g b)
    | KDiv a b => pair KDiv (apply g a) (apply g b)
    | KMod a b => pair KMod (apply g a) (apply g b)
    | KQuot a b => pair KQuot (apply g a) (apply g b)
    | KRem a b => pair KRem (apply g a) (apply g b)
    end.

  Fixpoint apply_cond (g : view) (c : ccond) : option ccond :=
    match c with
    | KCmp o a b => match apply g a, apply g b with Some a, Some b => Some (KCmp o a b) | _, _ => None end
    | KAnd c d => match apply_cond g c, apply_cond g d with Some c, Some d => Some (KAnd c d) | _, _ => None end
    end.

  Fixpoint occurs (v : nat) (k : cindex) : bool :=
    match k with
    | KVar l => l =? v
    | KCst _ | KSize _ => false
    | KAdd a b | KSub a b | KMul a b | KDiv a b | KMod a b | KQuot a b | KRem a b => occurs v a || occurs v b
    end.
  Fixpoint occurs_cond (v : nat) (c : ccond) : bool :=
    match c with KCmp _ a b => occurs v a || occurs v b | KAnd c d => occurs_cond v c || occurs_cond v d end.

  (** ** What is known, and what it decides *)

  Definition facts := list (ccond * bool).
  Definition known (q : ienv) (F : facts) : Prop := forall c b, In (c, b) F -> kholds q c = Some b.

  Record judge := Judge {
    same : facts -> cindex -> cindex -> bool;
    decide : facts -> ccond -> option bool;
    total : facts -> cindex -> bool;
    lit_same : lit A -> lit A -> bool;
    uop_same : uop A -> uop A -> bool;
    bop_same : bop A -> bop A -> bool }.

  Record fair (J : judge) : Prop := Fair {
    same_right : forall q F a b z, known q F -> same J F a b = true -> kev q a = Some z -> kev q b = Some z;
    decide_right : forall q F c b h, known q F -> decide J F c = Some b -> kholds q c = Some h -> h = b;
    total_right : forall q F k, known q F -> total J F k = true -> exists z, kev q k = Some z;
    lit_right : forall c d, lit_same J c d = true -> lit_val A c = lit_val A d;
    uop_right : forall o o' x, uop_same J o o' = true -> uop_val A o x = uop_val A o' x;
    bop_right : forall o o' x y, bop_same J o o' = true -> bop_val A o x y = bop_val A o' x y }.

  Context (J : judge).

  Definition is (o : option bool) (b : bool) : bool := match o with Some x => Bool.eqb x b | None => false end.

  Fixpoint total_cond (F : facts) (c : ccond) : bool :=
    match c with KCmp _ a b => total J F a && total J F b | KAnd c d => total_cond F c && total_cond F d end.

  Definition same_place (F : facts) (g : view) (k k' : cindex) : bool :=
    match apply g k with Some x => same J F x k' | None => false end.

  (** ** Expressions *)

  Fixpoint same_exp (F : facts) (g : view) (e e' : fexp) {struct e} : bool :=
    match e with
    | FLoad r k => match e' with FLoad r' k' => (r' =? r) && same_place F g k k' | _ => false end
    | FLit c => match e' with FLit d => lit_same J c d | _ => false end
    | FUn o a => match e' with FUn o' a' => uop_same J o o' && same_exp F g a a' | _ => false end
    | FBin o a b =>
        match e' with FBin o' a' b' => bop_same J o o' && (same_exp F g a a' && same_exp F g b b') | _ => false end
    | FCond c a b =>
        match apply_cond g c with
        | None => false
        | Some x =>
            match decide J F x with
            | Some true => same_exp F g a e'
            | Some false => same_exp F g b e'
            | None =>
                match e' with
                | FCond c' a' b' =>
                    total_cond F c' && is (decide J ((c', true) :: F) x) true && is (decide J ((c', false) :: F) x) false &&
                    (same_exp ((c', true) :: F) g a a' && same_exp ((c', false) :: F) g b b')
                | _ => false
                end
            end
        end
    | FNone => false
    end.

  (** ** Statements *)

  Definition from (v : nat) (a h : Z) : facts :=
    [(KCmp Kernel.CGe (KVar v) (KCst a), true); (KCmp Kernel.CLt (KVar v) (KCst h), true)].
  Definition between (v : nat) (low high : list cindex) : facts :=
    map (fun k => (KCmp Kernel.CGe (KVar v) k, true)) low ++ map (fun k => (KCmp Kernel.CLt (KVar v) k, true)) high.

  (** No number is at least each of [low] and below each of [high]. *)
  Definition never (F : facts) (low high : list cindex) : bool :=
    existsb (fun a => existsb (fun b => is (decide J F (KCmp Kernel.CLt a b)) false) high) low.

  Definition fresh (v : nat) (g : view) (F : facts) (l : list cindex) : bool :=
    forallb (fun x => negb (occurs v (snd x))) g && forallb (fun x => negb (occurs_cond v (fst x))) F &&
    forallb (fun k => negb (occurs v k) && total J F k) l.

  Definition done (o : option (list mstm)) : bool := match o with Some [] => true | _ => false end.

  (** The next statements are the iterations [lo] to [n - 1]: [part lo hi v low high b], is the loop over [v]
      these; [cell lo], what is left after one. *)
  Fixpoint cover (n : Z) (part : Z -> Z -> nat -> list cindex -> list cindex -> list mstm -> bool)
    (cell : Z -> list mstm -> option (list mstm)) (k : nat) (lo : Z) (M : list mstm) : option (list mstm) :=
    match k with
    | O => None
    | S k =>
        let one (_ : unit) := match cell lo M with Some M => cover n part cell k (lo + 1)%Z M | None => None end in
        if (lo =? n)%Z then Some M else
        match M with
        | MFor v a h low high b :: M' =>
            if (a =? lo)%Z && (lo <? h)%Z && (h <=? n)%Z && part lo h v low high b then cover n part cell k h M' else one tt
        | _ => one tt
        end
    end.

  Fixpoint check (c : fstm) (g : view) (F : facts) (M : list mstm) {struct c} : option (list mstm) :=
    match c with
    | FSkip => Some M
    | FSeq a b => match check a g F M with Some M => check b g F M | None => None end
    | FSet r k e =>
        match M with
        | MSet r' k' e' :: M => if (r' =? r) && same_place F g k k' && same_exp F g e e' then Some M else None
        | _ => None
        end
    | FBlock r d b =>
        match M with
        | MBlock r' d' b' :: M => if (r' =? r) && (cells d' =? cells d) && done (check b g F b') then Some M else None
        | _ => None
        end
    | FIf c a b =>
        match apply_cond g c with
        | None => None
        | Some x =>
            match decide J F x with
            | Some true => check a g F M
            | Some false => check b g F M
            | None =>
                if done (check a g ((x, true) :: F) []) && done (check b g ((x, false) :: F) []) then Some M else
                match M with
                | MIf c' a' b' :: M =>
                    if total_cond F c' && is (decide J ((c', true) :: F) x) true && is (decide J ((c', false) :: F) x) false &&
                       (done (check a g ((c', true) :: F) a') && done (check b g ((c', false) :: F) b'))
                    then Some M else None
                | _ => None
                end
            end
        end
    | FFor _ l n b =>
        cover (Z.of_nat #n)
          (fun lo h v low high b' =>
             let g' := (l, KVar v) :: g in
             let F' := from v lo h ++ F in
             fresh v g F (low ++ high) && (done (check b g' (between v low high ++ F') b') || never F low high) &&
             forallb (fun k => done (check b g' ((KCmp Kernel.CGe (KVar v) k, false) :: F') [])) low &&
             forallb (fun k => done (check b g' ((KCmp Kernel.CLt (KVar v) k, false) :: F') [])) high)
          (fun lo M => check b ((l, KCst lo) :: g) F M) (S #n) 0%Z M
    | FStop => None
    end.

  (** The merged statements are the whole program. *)
  Definition statements (c : fstm) (M : list mstm) : bool := done (check c [] [] M).
End Statements.

Arguments mstm : clear implicits.
Arguments judge : clear implicits.
