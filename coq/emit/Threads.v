(** * Threads: a parallel loop is the interleaving of its iterations' accesses

    A parallel loop starts a thread for each iteration.  A step is one read or one
    write of one scalar, an operation on values, the end of a statement or of a
    variable's scope, or the join of two threads; any thread may take the next one.
    Operands are evaluated in any order, also interleaved.  A variable of a block is
    private to the thread that declares it, and to those that it starts; all others
    are shared.  Nested parallel loops start threads of threads.

    Indices, conditions and loop bounds depend on loop variables alone, which are
    private: [thread] computes them first. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Values dpia.Target emit.MiniC emit.Flat.
Import ListNotations.
Set Implicit Arguments.

Section Threads.
  Context {A : algebra} {N : sizes}.
  Notation store := (fstore A).

  (** ** What is left to do *)

  Inductive texp :=
    | TVal (x : scalar A)
    | TLoad (r o : nat)
    | TUn (o : uop A) (e : texp)
    | TBin (o : bop A) (e1 e2 : texp)
    | TNone.

  Inductive tstm :=
    | TDone
    | TSeq (c1 c2 : tstm)
    | TSet (r o : nat) (e : texp)
    | TBlock (r : nat) (own : nat -> cell (A := A)) (c : tstm)   (** [own]: the private array [r] *)
    | TPar (c1 c2 : tstm)                 (** two threads *)
    | TStop.

  Fixpoint seqs (n : nat) (f : nat -> tstm) : tstm :=
    match n with O => TDone | S n => TSeq (seqs n f) (f n) end.
  Fixpoint pars (n : nat) (f : nat -> tstm) : tstm :=
    match n with O => TDone | S n => TPar (pars n f) (f n) end.

  Section Start.
    Context {s : sizing N}.

    Fixpoint thread_exp (ie : ienv) (e : fexp A N) : texp :=
      match e with
      | FLoad r k => match natural (kev ie k) with Some o => TLoad r o | None => TNone end
      | FLit c => TVal (lit_val A c)
      | FUn o e => TUn o (thread_exp ie e)
      | FBin o e1 e2 => TBin o (thread_exp ie e1) (thread_exp ie e2)
      | FCond c e1 e2 =>
          match kholds ie c with
          | Some b => if b then thread_exp ie e1 else thread_exp ie e2
          | None => TNone
          end
      | FNone => TNone
      end.

    Fixpoint thread (ie : ienv) (c : fstm A N) : tstm :=
      match c with
      | FSkip => TDone
      | FSeq s1 s2 => TSeq (thread ie s1) (thread ie s2)
      | FSet r k e =>
          match natural (kev ie k) with Some o => TSet r o (thread_exp ie e) | None => TStop end
      | FBlock r d b => TBlock r (fun k => if k <? cells d then Some None else None) (thread ie b)
      | FFor Seq l n b => seqs #n (fun i => thread (upi ie l i) b)
      | FFor Par l n b => pars #n (fun i => thread (upi ie l i) b)
      | FIf c s1 s2 =>
          match kholds ie c with
          | Some b => if b then thread ie s1 else thread ie s2
          | None => TStop
          end
      | FStop => TStop
      end.
  End Start.

  (** ** Steps *)

  Inductive act := Quiet | Read (r o : nat) (x : scalar A) | Write (r o : nat) (x : scalar A).

  Inductive xstep : texp -> act -> texp -> Prop :=
    | X_Load : forall r o x, xstep (TLoad r o) (Read r o x) (TVal x)
    | X_Un : forall o x, xstep (TUn o (TVal x)) Quiet (TVal (uop_val A o x))
    | X_UnIn : forall o e a e', xstep e a e' -> xstep (TUn o e) a (TUn o e')
    | X_Bin : forall o x y, xstep (TBin o (TVal x) (TVal y)) Quiet (TVal (bop_val A o x y))
    | X_BinLeft : forall o e1 a e1' e2, xstep e1 a e1' -> xstep (TBin o e1 e2) a (TBin o e1' e2)
    | X_BinRight : forall o e1 e2 a e2', xstep e2 a e2' -> xstep (TBin o e1 e2) a (TBin o e1 e2').

  Definition elsewhere (r : nat) (a : act) : Prop :=
    match a with Quiet => True | Read r' _ _ | Write r' _ _ => r' <> r end.

  Definition write_own (own : nat -> cell (A := A)) (o : nat) (x : scalar A) : nat -> cell (A := A) :=
    fun o' => if o' =? o then Some (Some x) else own o'.

  Inductive tstep : tstm -> act -> tstm -> Prop :=
    | T_SetIn : forall r o e a e', xstep e a e' -> tstep (TSet r o e) a (TSet r o e')
    | T_Set : forall r o x, tstep (TSet r o (TVal x)) (Write r o x) TDone
    | T_SeqIn : forall c1 a c1' c2, tstep c1 a c1' -> tstep (TSeq c1 c2) a (TSeq c1' c2)
    | T_Seq : forall c2, tstep (TSeq TDone c2) Quiet c2
    | T_Left : forall c1 a c1' c2, tstep c1 a c1' -> tstep (TPar c1 c2) a (TPar c1' c2)
    | T_Right : forall c1 c2 a c2', tstep c2 a c2' -> tstep (TPar c1 c2) a (TPar c1 c2')
    | T_Join : tstep (TPar TDone TDone) Quiet TDone
    | T_BlockIn : forall r own c a c',
        tstep c a c' -> elsewhere r a -> tstep (TBlock r own c) a (TBlock r own c')
    | T_BlockRead : forall r own c o x c',
        tstep c (Read r o x) c' -> own o = Some (Some x) ->
        tstep (TBlock r own c) Quiet (TBlock r own c')
    | T_BlockWrite : forall r own c o x c',
        tstep c (Write r o x) c' -> own o <> None ->
        tstep (TBlock r own c) Quiet (TBlock r (write_own own o x) c')
    | T_Block : forall r own, tstep (TBlock r own TDone) Quiet TDone.

  (** What an access does to the shared memory: a read sees the value that is there,
      and is stuck without one; a write needs the place. *)
  Inductive happens : store -> act -> store -> Prop :=
    | H_Quiet : forall m, happens m Quiet m
    | H_Read : forall m r o x, m r o = Some (Some x) -> happens m (Read r o x) m
    | H_Write : forall m r o x, m r o <> None -> happens m (Write r o x) (fset m r o x).

  Definition config := (store * tstm)%type.
  Inductive step : config -> config -> Prop :=
    | Step : forall m c a m' c', tstep c a c' -> happens m a m' -> step (m, c) (m', c').

  Inductive steps : nat -> config -> config -> Prop :=
    | Steps_0 : forall k, steps 0 k k
    | Steps_S : forall n k k' k'', step k k' -> steps n k' k'' -> steps (S n) k k''.

  (** ** Data races: two threads whose next accesses are of one place, one of them a write *)

  Definition accesses (a : act) : list faccess :=
    match a with
    | Quiet => []
    | Read r o _ => [(false, (r, o))]
    | Write r o _ => [(true, (r, o))]
    end.

  Inductive race : tstm -> Prop :=
    | Race : forall c1 a c1' x c2 b c2' y,
        tstep c1 a c1' -> In x (accesses a) -> tstep c2 b c2' -> In y (accesses b) ->
        fconflict x y = true -> race (TPar c1 c2)
    | Race_Left : forall c1 c2, race c1 -> race (TPar c1 c2)
    | Race_Right : forall c1 c2, race c2 -> race (TPar c1 c2)
    | Race_Seq : forall c1 c2, race c1 -> race (TSeq c1 c2)
    | Race_Block : forall r own c, race c -> race (TBlock r own c).

  (** ** A bound of the steps *)

  Fixpoint exp_work (e : texp) : nat :=
    match e with
    | TVal _ | TNone => 0
    | TLoad _ _ => 1
    | TUn _ e => S (exp_work e)
    | TBin _ e1 e2 => S (exp_work e1 + exp_work e2)
    end.

  Fixpoint work (c : tstm) : nat :=
    match c with
    | TDone | TStop => 0
    | TSeq c1 c2 | TPar c1 c2 => S (work c1 + work c2)
    | TSet _ _ e => S (exp_work e)
    | TBlock _ _ c => S (work c)
    end.
End Threads.

Arguments texp : clear implicits.
Arguments tstm : clear implicits.
Arguments act : clear implicits.
Arguments TDone {A}.
Arguments TStop {A}.
Arguments Quiet {A}.
