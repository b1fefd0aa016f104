(** * The acceptor/continuation translation (seed 002, section 3.1)

    [A(e)(a)] are commands that make the acceptor [a] hold [e]; [C(e)(k)] those
    that hand a view of [e] to [k].  One structural function gives both.  The
    counter [l] is the next free level; continuations get it because [C] may have
    taken levels in between. *)

From Coq Require Import List Arith Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Values dpia.Target.
Import ListNotations.
Set Implicit Arguments.

Section Trans.
  Context {A : algebra} {N : sizes}.
  Notation data := (data N). Notation exp := (exp A N). Notation ix := (ix N).
  Notation vexp := (vexp A N). Notation vacc := (vacc N). Notation comm := (comm A N).

  (** [acceptor d a l]: the type is an argument, for the copies. *)
  Definition acceptor := data -> vacc -> nat -> comm.
  Definition continuation := (vexp -> nat -> comm) -> nat -> comm.

  (** Assignment at type [d] (a.1 a.2 a.3): the outer dimension has the policy [p]. *)
  Fixpoint copy (p : policy) (d : data) (a : vacc) (v : vexp) (l : nat) : comm :=
    match d with
    | DNum => CAssign a v
    | DAry n d => CLoop p l n (copy Seq d (AIdx a (XVar l)) (VIdx v (XVar l)) (S l))
    | DPair d1 d2 => CSeq (copy p d1 (APair1 a) (VFst v) l) (copy p d2 (APair2 a) (VSnd v) l)
    end.

  (** An index expression over levels: variables replaced by what they stand for. *)
  Definition level_of (rho : list vexp) (x : nat) : ix :=
    match nth_error rho x with Some (VIx i) => i | _ => XCst 0 end.

  (** ** Expressions without commands: [C(e)(k) = k(view e)] *)

  Fixpoint quiet (e : exp) : bool :=
    match e with
    | EVar _ | ELit _ => true
    | EUn _ e | ESplit _ _ e | EJoin _ _ e | EIdx e _ | EFst e | ESnd e | ERev _ e | ETr _ _ e =>
        quiet e
    | EBin _ e1 e2 | EZip _ _ _ e1 e2 | EPair e1 e2 | EIte _ _ e1 e2 => quiet e1 && quiet e2
    | EMap _ _ _ _ _ | EGen _ _ _ _ | ERed _ _ _ _ _ | EFold _ _ _ _ | ELet _ _ _ => false
    end.

  Fixpoint view (e : exp) (rho : list vexp) : vexp :=
    match e with
    | EVar x => nth x rho (VIx (XCst 0))
    | ELit c => VLit c
    | EUn o e => VUn o (view e rho)
    | EBin o e1 e2 => VBin o (view e1 rho) (view e2 rho)
    | EZip _ _ _ e1 e2 => VZip (view e1 rho) (view e2 rho)
    | ESplit n _ e => VSplit n (view e rho)
    | EJoin n _ e => VJoin n (view e rho)
    | EIdx e i => VIdx (view e rho) (ix_subst (level_of rho) i)
    | EPair e1 e2 => VPair (view e1 rho) (view e2 rho)
    | EFst e => VFst (view e rho)
    | ESnd e => VSnd (view e rho)
    | ERev n e => VRev n (view e rho)
    | ETr _ _ e => VTr (view e rho)
    | EIte c _ e1 e2 => VIte (cond_subst (level_of rho) c) (view e1 rho) (view e2 rho)
    | EMap _ _ _ _ _ | EGen _ _ _ _ | ERed _ _ _ _ _ | EFold _ _ _ _ | ELet _ _ _ => VIx (XCst 0)
    end.

  (** ** When the accumulator of a reduction is updated in place

      Always at type num.  At array types when the body is elementwise: nested
      maps over pure views with a pure scalar core, the accumulator not used
      inside but as the thing mapped over.  Everything else goes through a second
      buffer: the published rule is wrong there ([Errata.v]). *)

  Fixpoint pure (e : exp) : bool :=
    match e with
    | EVar _ | ELit _ => true
    | EUn _ e | EFst e | ESnd e => pure e
    | EBin _ e1 e2 | EZip _ _ _ e1 e2 | EPair e1 e2 => pure e1 && pure e2
    | _ => false
    end.

  (** May variable [x] occur? *)
  Fixpoint occurs (x : nat) (e : exp) : bool :=
    match e with
    | EVar y => x =? y
    | ELit _ => false
    | EUn _ e | EFst e | ESnd e => occurs x e
    | EBin _ e1 e2 | EZip _ _ _ e1 e2 | EPair e1 e2 => occurs x e1 || occurs x e2
    | EMap _ _ _ f e => occurs (S x) f || occurs x e
    | _ => true
    end.

  Fixpoint elementwise (k : nat) (e : exp) : bool :=
    match k, e with
    | 0, e => pure e
    | S k, EMap _ _ _ f e => pure e && (negb (occurs 1 f) && elementwise k f)
    | _, _ => false
    end.

  (** The number of dimensions of an array of numbers. *)
  Fixpoint rank (d : data) : option nat :=
    match d with
    | DNum => Some 0
    | DAry _ d => option_map S (rank d)
    | DPair _ _ => None
    end.

  Definition in_place (d : data) (f : exp) : bool :=
    match d with
    | DNum => true
    | _ => match rank d with Some k => elementwise k f | None => false end
    end.

  (** ** The rules *)

  Definition via_c (c : continuation) : acceptor := fun d a => c (fun v l => copy Par d a v l).
  Definition via_a (d : data) (a : acceptor) : continuation :=
    fun k l => CNew l d (CSeq (a d (ARoot l) (S l)) (k (VRoot l) (S l))).

  (** reduceSeqI: root [l] is the accumulator, [init] fills it, [elem] is the view
      of the element at a loop level. *)
  Definition reduce (n : size N) (d : data) (direct : bool) (body : vexp -> vexp -> acceptor)
      (elem : nat -> vexp) (init : nat -> comm) (k : vexp -> nat -> comm) (l : nat) : comm :=
    CNew l d
      (CSeq (init l)
      (CSeq (CLoop Seq (S l) n
               (if direct
                then body (VRoot l) (elem (S l)) d (ARoot l) (2 + l)
                else CNew (2 + l) d
                       (CSeq (body (VRoot l) (elem (S l)) d (ARoot (2 + l)) (3 + l))
                             (copy Seq d (ARoot l) (VRoot (2 + l)) (3 + l)))))
            (k (VRoot l) (S l)))).

  (** The initial value: a view of it is assigned (sequentially, as in the seed); what
      a loop makes is accepted by the accumulator itself. *)
  Definition is_loop (e : exp) : bool :=
    match e with EMap _ _ _ _ _ | EGen _ _ _ _ => true | _ => false end.
  Definition initialised (direct : bool) (d : data) (a : acceptor) (c : continuation)
      (rest : (nat -> comm) -> nat -> comm) : nat -> comm :=
    if direct then rest (fun r => a d (ARoot r) (S r))
    else c (fun y => rest (fun r => copy Seq d (ARoot r) y (S r))).

  (** A view that costs nothing to read twice. *)
  Fixpoint is_path (v : vexp) : bool :=
    match v with
    | VRoot _ | VLit _ => true
    | VSplit _ v | VJoin _ v | VIdx v _ | VFst v | VSnd v | VRev _ v | VTr v => is_path v
    | VUn _ _ | VBin _ _ _ | VZip _ _ | VPair _ _ | VIte _ _ _ | VIx _ => false
    end.

  (** let: a number that costs something is computed once, into a variable. *)
  Definition bound (d : data) (c : continuation) (rest : vexp -> nat -> comm) : nat -> comm :=
    c (fun v l =>
      match d with
      | DNum =>
          if is_path v then rest v l
          else CNew l DNum (CSeq (CAssign (ARoot l) v) (rest (VRoot l) (S l)))
      | _ => rest v l
      end).

  Fixpoint trans (e : exp) (rho : list vexp) {struct e} : acceptor * continuation :=
    let acc e rho := fst (trans e rho) in
    let con e rho := snd (trans e rho) in
    let by_c (c : continuation) := (via_c c, c) in
    match e with
    | EVar x => by_c (fun k l => k (nth x rho (VIx (XCst 0))) l)                     (* a.1 c.1 *)
    | ELit c => by_c (fun k l => k (VLit c) l)
    | EUn o e => by_c (fun k => con e rho (fun x => k (VUn o x)))                    (* a.4 c.2 *)
    | EBin o e1 e2 =>                                                        (* a.5 a.6 c.3 c.4 *)
        by_c (fun k => con e1 rho (fun x => con e2 rho (fun y => k (VBin o x y))))
    | EMap p n d f e =>                                                      (* a.7 a.8 c.5 c.6 *)
        let a := fun (_ : data) a => con e rho (fun x l =>
          CLoop p l n (acc f (VIdx x (XVar l) :: rho) d (AIdx a (XVar l)) (S l))) in
        (a, via_a (DAry n d) a)
    | EGen p n d f =>
        let a := fun (_ : data) a l =>
          CLoop p l n (acc f (VIx (XVar l) :: rho) d (AIdx a (XVar l)) (S l)) in
        (a, via_a (DAry n d) a)
    | ERed n d f i e =>                                                              (* a.9 c.7 *)
        by_c (fun k => con e rho (fun x => initialised (is_loop i) d (acc i rho) (con i rho) (fun init =>
          reduce n d (in_place d f) (fun y x => acc f (y :: x :: rho)) (fun l => VIdx x (XVar l))
                 init k)))
    | EFold n d f i =>
        by_c (fun k => initialised (is_loop i) d (acc i rho) (con i rho) (fun init =>
          reduce n d (in_place d f) (fun y x => acc f (y :: x :: rho)) (fun l => VIx (XVar l))
                 init k))
    | EZip n d1 d2 e1 e2 =>                                                         (* a.10 c.8 *)
        (fun _ a l => CSeq (acc e1 rho (DAry n d1) (AZip1 a) l)
          (acc e2 rho (DAry n d2) (AZip2 a) l),
         fun k => con e1 rho (fun x => con e2 rho (fun y => k (VZip x y))))
    | ESplit n m e =>                                                               (* a.11 c.9 *)
        (fun d a => match d with
                    | DAry _ (DAry _ d) => acc e rho (DAry (mul N n m) d) (ASplit n a)
                    | _ => fun _ => CSkip
                    end,
         fun k => con e rho (fun x => k (VSplit n x)))
    | EJoin n m e =>                                                               (* a.12 c.10 *)
        (fun d a => match d with
                    | DAry _ d => acc e rho (DAry m (DAry n d)) (AJoin n a)
                    | _ => fun _ => CSkip
                    end,
         fun k => con e rho (fun x => k (VJoin n x)))
    | EIdx e i => by_c (fun k => con e rho (fun x => k (VIdx x (ix_subst (level_of rho) i))))
    | EPair e1 e2 =>                                                               (* a.13 c.11 *)
        (fun d a l => match d with
                      | DPair d1 d2 => CSeq (acc e1 rho d1 (APair1 a) l)
                        (acc e2 rho d2 (APair2 a) l)
                      | _ => CSkip
                      end,
         fun k => con e1 rho (fun x => con e2 rho (fun y => k (VPair x y))))
    | EFst e => by_c (fun k => con e rho (fun x => k (VFst x)))                    (* a.14 c.12 *)
    | ESnd e => by_c (fun k => con e rho (fun x => k (VSnd x)))                    (* a.15 c.13 *)
    | ERev n e => (fun d a => acc e rho d (ARev n a), fun k => con e rho (fun x => k (VRev n x)))
    | ETr n m e =>
        (fun d a => match d with
                    | DAry _ (DAry _ d) => acc e rho (DAry n (DAry m d)) (ATr a)
                    | _ => fun _ => CSkip
                    end,
         fun k => con e rho (fun x => k (VTr x)))
    | EIte c d e1 e2 =>
        let a := fun d a l => CIf (cond_subst (level_of rho) c) (acc e1 rho d a l)
          (acc e2 rho d a l) in
        (a, if quiet e1 && quiet e2
            then fun k => con e1 rho (fun x => con e2 rho (fun y =>
                   k (VIte (cond_subst (level_of rho) c) x y)))
            else via_a d a)
    | ELet d e f =>
        (fun d' a => bound d (con e rho) (fun v => acc f (v :: rho) d' a),
         fun k => bound d (con e rho) (fun v => con f (v :: rho) k))
    end.

  Definition trans_a (e : exp) (rho : list vexp) : acceptor := fst (trans e rho).
  Definition trans_c (e : exp) (rho : list vexp) : continuation := snd (trans e rho).

  (** A program: inputs are the roots [0 .. n-1], root [n] is the output. *)
  Definition inputs (n : nat) : list vexp := map VRoot (seq 0 n).
  Definition compile (G : list data) (e : exp) (d : data) : comm :=
    trans_a e (inputs (length G)) d (ARoot (length G)) (S (length G)).
End Trans.
