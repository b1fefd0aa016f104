(** * Headline theorems: functional programs, mini-C, and kernels through both *)

From Coq Require Import Bool List NArith String ZArith.
From Coq Require QArith Qcanon Floats.SpecFloat.
From Calque Require Import attr.Attr.
From Calque Require attr.AttrProof attr.Memo graph.Graph kernel.Kernel kernel.KernelProof.
From Calque Require kernel.Wf kernel.WfProof.
From Calque Require kernel.Inline kernel.InlineProof kernel.Dual kernel.GradErrata.
From Calque Require kernel.Lower kernel.LowerProof kernel.LowerTyped.
From Calque Require dpia.Range dpia.Order dpia.Correct dpia.Scalars dpia.Errata dpia.Programs dpia.Tiling.
From Calque Require emit.Codegen emit.Flat emit.FlatProof emit.Memory emit.Tidy emit.TidyProof.
From Calque Require emit.Owner emit.Machine emit.MachineProof emit.Errata emit.Whole emit.WholeProof.
Import ListNotations.
Open Scope Z_scope.

(** ** dpia: the acceptor/continuation translation, over any scalar structure [A],
    any sizes [N] and any values [s] of the size variables *)

Module OfDpia.
Import dpia.Syntax dpia.Typing dpia.Values dpia.Target dpia.Trans dpia.Match dpia.Access dpia.Footprint
  dpia.Sched dpia.Frame dpia.Reduce.

(** The checker is sound and complete with respect to its test of index ranges. *)
Theorem dpia_infer_sound :
  forall A N (s : sizing N) range,
    (forall G i n, range G i n = true -> in_range G i n) ->
    forall (e : exp A N) G d, infer range G e = Some d -> ty G e d.
Proof. exact @Typing.infer_sound. Qed.

Theorem dpia_infer_complete :
  forall A N (s : sizing N) range,
    (forall G i n, in_range G i n -> range G i n = true) ->
    forall G (e : exp A N) d, ty G e d -> infer range G e = Some d.
Proof. exact @Typing.infer_complete. Qed.

Theorem dpia_eval_has_type :
  forall A N (s : sizing N) G (e : exp A N) d,
    ty G e d -> forall env, env_ok G env -> has_type d (eval env e).
Proof. exact @Match.eval_has_type. Qed.

(** [A(e)(a)] runs (no race, no access out of bounds, no read of a place without
    a value), makes [a] hold the value of [e], and changes nothing else below [l]. *)
Theorem dpia_acceptor_correct :
  forall A N (s : sizing N) G (e : exp A N) d, ty G e d ->
  forall ie (P : nat -> Prop) l rho env m a,
    (forall r, P r -> (r < l)%nat) -> represents P l ie m G rho env ->
    (aroot a < l)%nat -> ascope (below l) a -> ~ P (aroot a) -> usable ie m d a ->
    exists m', exec ie (trans_a e rho d a l) m = Some m' /\
      stored ie m' d a (eval env e) /\ frame l ie d a m m'.
Proof. exact @Correct.acceptor_correct. Qed.

(** [C(e)(k)] runs as far as [k] does on any view of the value of [e]. *)
Theorem dpia_continuation_correct :
  forall A N (s : sizing N) G (e : exp A N) d, ty G e d ->
  forall ie (P : nat -> Prop) l rho env m k (Q : store A -> Prop),
    (forall r, P r -> (r < l)%nat) -> represents P l ie m G rho env ->
    (forall v m' l', (l <= l')%nat -> vscope (extend P l l') (below l') v -> agree l m m' ->
       matches ie m' d v (eval env e) -> exists m'', exec ie (k v l') m' = Some m'' /\ Q m'') ->
    exists m'', exec ie (trans_c e rho k l) m = Some m'' /\ Q m''.
Proof. exact @Correct.continuation_correct. Qed.

(** [A(e)(a)] writes places of [a] only and reads roots of the environment only. *)
Theorem dpia_footprints :
  forall A N (s : sizing N) G (e : exp A N) d, ty G e d ->
  forall ie (P : nat -> Prop) l rho a,
    (forall r, P r -> (r < l)%nat) -> scoped P l G rho -> (aroot a < l)%nat -> ascope (below l) a ->
    forall x, In x (footprint ie (trans_a e rho d a l)) -> within ie d a P x.
Proof. intros A N s G e d T. exact (proj1 (Footprint.footprints T)). Qed.

(** A parallel loop without races, of any command, gives the same store in every
    order of its iterations. *)
Theorem dpia_par_any_order :
  forall A N (s : sizing N) ie l n (c : comm A N) m,
    racefree ie l n c = true ->
    (forall i x, (i < n)%nat -> In x (footprint (upi ie l i) c) -> ~ news c (root_of x)) ->
    forall t, for_ n (fun i => exec (upi ie l i) c) m = Some t ->
    forall is, Permutation.Permutation is (seq 0 n) ->
    exists t', iterate is (fun i => exec (upi ie l i) c) m = Some t' /\
      forall r q, ~ news c r -> t' r q = t r q.
Proof. exact @Sched.par_any_order. Qed.

(** Every scheduler, an order for each parallel loop that is met, takes a
    translated program to the same store, its own temporaries apart. *)
Theorem dpia_any_order :
  forall A N (s : sizing N) G (e : exp A N) d, ty G e d ->
  forall ie (P : nat -> Prop) l rho a m t pick, Order.fair pick ->
    (forall r, P r -> (r < l)%nat) -> scoped P l G rho -> (aroot a < l)%nat -> ascope (below l) a ->
    exec ie (trans_a e rho d a l) m = Some t ->
    exists t', Order.run_order pick ie (trans_a e rho d a l) m = Some t' /\
      forall r q, (r < l)%nat -> t' r q = t r q.
Proof. exact @Order.translation_any_order. Qed.

(** Two tests of index ranges: at all sizes, and at given sizes. *)
Theorem dpia_range_var_sound :
  forall N (s : sizing N) G i n, Range.range_var G i n = true -> in_range G i n.
Proof. exact @Range.range_var_sound. Qed.

Theorem dpia_range_interval_sound :
  forall N (s : sizing N) G i n, Range.range_interval G i n = true -> in_range G i n.
Proof. exact @Range.range_interval_sound. Qed.

(** The 22 programs of Table 1 and seven more, checked once for all sizes. *)
Theorem dpia_programs_typed :
  List.length Programs.table1 = 22%nat /\
  Forall (fun p => infer Range.range_var (closed (Programs.params p)) (Programs.body p)
                   = Some (Programs.output p)) (Programs.table1 ++ Programs.further).
Proof. split; [reflexivity | exact Programs.programs_typed]. Qed.

(** *** Errata of seed 002 *)

Import dpia.Scalars dpia.Errata.
Open Scope nat_scope.

Theorem erratum_a9_reverse :
  let d := ary 3 DNum in
  let m := start d (zvec [10]%Z) (zvec [1; 2; 3]%Z) in
  eval [zvec [10]%Z; zvec [1; 2; 3]%Z] rev_red = zvec [13; 12; 11]%Z /\
  result (vec_paths 3) (exec no_levels (trans_a rev_red two_inputs d (ARoot 2) 3) m)
    = values [13; 12; 11]%Z /\
  result (vec_paths 3)
    (exec no_levels (seed_a9 1 d rev_body (EVar 1) (EVar 0) two_inputs (ARoot 2) 3) m)
    = values [13; 12; 23]%Z.
Proof. exact Errata.erratum_a9_reverse. Qed.

Theorem erratum_a9_matrix_power :
  let d := ary 2 (ary 2 DNum) in
  let m := start d (zvec [0; 0]%Z) fib in
  let seed p := exec no_levels (seed_a9 2 d (power_body p) (EVar 1) (EVar 0) two_inputs (ARoot 2) 3) m in
  (forall p, eval [zvec [0; 0]%Z; fib] (power p) = zmat [[3; 2]; [2; 1]]%Z) /\
  (forall p, result (mat_paths 2 2) (exec no_levels (trans_a (power p) two_inputs d (ARoot 2) 3) m)
             = values [3; 2; 2; 1]%Z) /\
  result (mat_paths 2 2) (seed Seq) = values [4; 2; 4; 2]%Z /\
  seed Par = None.
Proof. exact Errata.erratum_a9_matrix_power. Qed.

Theorem erratum_cga4_out_of_bounds :
  (exists n m i, i < n * m /\ ~ leaf (ary m (ary n DNum)) [At (i / m); At (i mod m)]) /\
  (forall n m i, i < n * m -> leaf (ary m (ary n DNum)) [At (i / n); At (i mod n)]).
Proof. exact Errata.erratum_cga4_out_of_bounds. Qed.

Theorem erratum_cga5_clash :
  (exists n m i j i' j',
     leaf (ary m (ary n DNum)) [At i; At j] /\ leaf (ary m (ary n DNum)) [At i'; At j'] /\
     (i, j) <> (i', j') /\ i * m + j = i' * m + j') /\
  (forall n i j i' j', j < n -> j' < n -> i * n + j = i' * n + j' -> i = i' /\ j = j').
Proof. exact Errata.erratum_cga5_clash. Qed.

Theorem erratum_index_arithmetic :
  (exists n i j, i < n /\ j < n /\ ~ i + j < n) /\
  (exists n i j, i < n /\ j < n /\ ~ i * j < n) /\
  (exists n i j : nat, i < n /\ j < n /\ ~ (0 <= Z.of_nat i - Z.of_nat j)%Z).
Proof. exact Errata.erratum_index_arithmetic. Qed.

Theorem erratum_transpose_temporary :
  exists n m p, leaf (ary m (ary n DNum)) p /\ ~ leaf (ary n (ary m DNum)) p.
Proof. exact Errata.erratum_transpose_temporary. Qed.

Theorem erratum_disjoint_writes :
  let m : store integers := fun r p =>
    match r, p with 2, [At i] => if i <? 2 then Some (Some (Z.of_nat i)) else None | _, _ => None end in
  let body i := exec (upi no_levels 3 i) swap in
  let written i := filter fst (footprint (upi no_levels 3 i) swap) in
  (forall i j x y, i < 2 -> j < 2 -> i <> j -> In x (written i) -> In y (written j) -> snd x <> snd y) /\
  result (vec_paths 2) (iterate [0; 1] body m) = values [1; 1]%Z /\
  result (vec_paths 2) (iterate [1; 0] body m) = values [0; 0]%Z /\
  exec no_levels (@CLoop integers numbers Par 3 2 swap) m = None.
Proof. exact Errata.erratum_disjoint_writes. Qed.

Theorem erratum_remove_update :
  forall (place num : Type) (eqb : place -> place -> bool) (a b : num) (x : place),
    (forall p, eqb p p = true) -> a <> b ->
    let update (m : place -> num) p v := fun p' => if eqb p p' then v else m p' in
    forall remove : place -> (place -> num) -> place -> num,
      (forall p f g, (forall q, f q = g q) -> forall q, remove p f q = remove p g q) ->
      ~ (forall p e m q, remove p (update m p e) q = m q).
Proof. exact Errata.erratum_remove_update. Qed.
End OfDpia.

(** ** dpia: loops in tiles.  Equations between meanings over any scalars: the same
    operations in the same order.  Premises say that a body means the same with other
    variables bound around it *)

Module OfTiling.
Import Coq.Floats.SpecFloat dpia.Syntax dpia.Values dpia.Scalars dpia.Tiling.
Local Open Scope nat_scope.

(** A loop over n * m cells is m loops over n, joined. *)
Theorem dpia_cut :
  forall (A : algebra) (N : sizes) (s : sizing N) p p1 p2 n m d d1 (f f' : exp A N)
    (env : list (value A)),
    (forall i j, i < #m -> j < #n ->
       eval (Pos j :: Pos i :: env) f' = eval (Pos (i * #n + j) :: env) f) ->
    eval env (EJoin n m (EGen p1 m d1 (EGen p2 n d f'))) = eval env (EGen p (mul N n m) d f).
Proof. exact @Tiling.cut. Qed.

(** Two loops are one over all their cells, split. *)
Theorem dpia_merge :
  forall (A : algebra) (N : sizes) (s : sizing N) p p1 p2 n m d d1 (f f' : exp A N)
    (env : list (value A)),
    (forall i j, i < #m -> j < #n ->
       eval (Pos j :: Pos i :: env) f' = eval (Pos (i * #n + j) :: env) f) ->
    eval env (ESplit n m (EGen p (mul N n m) d f)) = eval env (EGen p1 m d1 (EGen p2 n d f')).
Proof. exact @Tiling.merge. Qed.

(** Two loops in the other order, transposed. *)
Theorem dpia_exchange :
  forall (A : algebra) (N : sizes) (s : sizing N) p p1 p2 p3 n m d d1 d2 (f f' : exp A N)
    (env : list (value A)),
    (forall i j, i < #n -> j < #m ->
       eval (Pos i :: Pos j :: env) f' = eval (Pos j :: Pos i :: env) f) ->
    eval env (ETr n m (EGen p n d1 (EGen p1 m d f))) = eval env (EGen p2 m d2 (EGen p3 n d f')).
Proof. exact @Tiling.exchange. Qed.

(** A loop of folds is a fold of loops over an array of accumulators. *)
Theorem dpia_rows :
  forall (A : algebra) (N : sizes) (s : sizing N) p p1 p2 n q d
    (init init' step step' : exp A N) (env : list (value A)),
    (forall k, k < #q -> eval (Pos k :: env) init' = eval (Pos k :: env) init) ->
    (forall k x l, k < #q -> x < #n -> List.length l = #q ->
       eval (Pos k :: Arr l :: Pos x :: env) step' =
       eval (nth k l junk :: Pos x :: Pos k :: env) step) ->
    eval env (EFold n (DAry q d) (EGen p1 q d step') (EGen p2 q d init')) =
    eval env (EGen p q d (EFold n d step init)).
Proof. exact @Tiling.rows. Qed.

(** A row in parts, each with an array of accumulators of its own. *)
Theorem dpia_tile :
  forall (A : algebra) (N : sizes) (s : sizing N) p p1 p2 p3 n m l d d1
    (init init' step step' : exp A N) (env : list (value A)),
    (forall i j, i < #m -> j < #n ->
       eval (Pos j :: Pos i :: env) init' = eval (Pos (i * #n + j) :: env) init) ->
    (forall i j x c, i < #m -> j < #n -> x < #l -> List.length c = #n ->
       eval (Pos j :: Arr c :: Pos x :: Pos i :: env) step' =
       eval (nth j c junk :: Pos x :: Pos (i * #n + j) :: env) step) ->
    eval env (EJoin n m (EGen p1 m d1
               (EFold l (DAry n d) (EGen p2 n d step') (EGen p3 n d init')))) =
    eval env (EGen p (mul N n m) d (EFold l d step init)).
Proof. exact @Tiling.tile. Qed.

(** A rectangle in tiles of u * v cells, put together as lower_loops.c does. *)
Theorem dpia_tile_2 :
  forall (A : algebra) (N : sizes) (s : sizing N) p p1 p2 p3 p4 p5 p6 p7 u v m1 m2 l d t t1 t2 t3
    (init init' step step' : exp A N) (env : list (value A)),
    (forall i j a b, i < #m1 -> j < #m2 -> a < #u -> b < #v ->
       eval (Pos b :: Pos a :: Pos j :: Pos i :: env) init' =
       eval (Pos (j * #v + b) :: Pos (i * #u + a) :: env) init) ->
    (forall i j a b x g, i < #m1 -> j < #m2 -> a < #u -> b < #v -> x < #l ->
       eval (Pos b :: Pos a :: tab #u (fun a => tab #v (g a)) :: Pos x :: Pos j :: Pos i :: env) step' =
       eval (g a b :: Pos x :: Pos (j * #v + b) :: Pos (i * #u + a) :: env) step) ->
    eval env (EJoin u m1 (EGen p2 m1 t1 (ESplit (mul N v m2) u (EJoin v (mul N m2 u) (EJoin m2 u
      (ETr m2 u (EGen p3 m2 t2
        (EFold l t (EGen p4 u t3 (EGen p5 v d step')) (EGen p6 u t3 (EGen p7 v d init')))))))))) =
    eval env (EGen p (mul N u m1) t (EGen p1 (mul N v m2) d (EFold l d step init))).
Proof. exact @Tiling.tile_2. Qed.

(** A fold that would add zero leaves its accumulator alone.  What it adds is a number where the guard holds. *)
Theorem dpia_guard :
  forall (A : algebra) (N : sizes) (s : sizing N) (keeps : scalar A -> Prop) (o : bop A) n d c
    (e : exp A N) z init (env : list (value A)),
    (forall x y, keeps x -> keeps (bop_val A o x y)) ->
    (forall x, keeps x -> bop_val A o x (lit_val A z) = x) ->
    (exists x, eval env init = Num x /\ keeps x) ->
    (forall a x, x < #n -> holds (positions (Num a :: Pos x :: env)) c = true ->
       exists y, eval (Num a :: Pos x :: env) e = Num y) ->
    eval env (EFold n d (EIte c d (EBin o (EVar 0) e) (EVar 0)) init) =
    eval env (EFold n d (EBin o (EVar 0) (EIte c d e (ELit z))) init).
Proof. exact @Tiling.guard. Qed.

(** Minus infinity under the maximum of floats. *)
Theorem dpia_guard_max :
  forall (N : sizes) (s : sizing N) prec emax n d c e init (env : list (value (ieee prec emax))),
    (exists x, eval env init = Num x) ->
    (forall a x, x < #n -> holds (positions (Num a :: Pos x :: env)) c = true ->
       exists y, eval (Num a :: Pos x :: env) e = Num y) ->
    eval env (EFold n d (EIte c d (EBin (Max : bop (ieee prec emax)) (EVar 0) e) (EVar 0)) init) =
    eval env (EFold n d (EBin (Max : bop (ieee prec emax)) (EVar 0)
                            (EIte c d e (ELit (S754_infinity true : lit (ieee prec emax))))) init).
Proof. exact @Tiling.guard_max. Qed.

(** Zero in sums of integers. *)
Theorem dpia_guard_sum :
  forall (N : sizes) (s : sizing N) n d c e init (env : list (value integers)),
    (exists x, eval env init = Num x) ->
    (forall a x, x < #n -> holds (positions (Num a :: Pos x :: env)) c = true ->
       exists y, eval (Num a :: Pos x :: env) e = Num y) ->
    eval env (EFold n d (EIte c d (EBin (Add : bop integers) (EVar 0) e) (EVar 0)) init) =
    eval env (EFold n d (EBin (Add : bop integers) (EVar 0) (EIte c d e (ELit (0%Z : lit integers)))) init).
Proof. exact @Tiling.guard_sum. Qed.
End OfTiling.

(** ** emit: commands to mini-C *)

Module OfEmit.
Import dpia.Syntax dpia.Typing dpia.Values dpia.Target dpia.Trans emit.MiniC emit.Codegen.

(** A command that runs, runs as C, to the same store, touching the same places. *)
Theorem emit_codegen_correct :
  forall A N (s : sizing N) (c : comm A N) ie m m', exec ie c m = Some m' ->
    run ie (cgc c) m = Some m' /\ touches ie (cgc c) = footprint ie c.
Proof. exact @Codegen.codegen_correct. Qed.

(** A well-typed program, compiled to C, computes its value and leaves its inputs. *)
Theorem emit_compile_correct :
  forall A N (s : sizing N) G (e : exp A N) d ws m ie,
    ty (closed G) e d -> ready G ws d m ->
    exists m', run ie (cgc (compile G e d)) m = Some m' /\ exec ie (compile G e d) m = Some m' /\
      (forall p, leaf d p -> m' (List.length G) p = Some (look (eval ws e) p)) /\
      (forall k q, (k < List.length G)%nat -> m' k q = m k q).
Proof. exact @Codegen.compile_correct. Qed.

(** Checked once with symbolic sizes, the one C program is right at every size. *)
Theorem emit_every_size :
  forall A G (e : exp A Range.symbols) d, infer Range.range_var (closed G) e = Some d ->
  forall (s : sizing Range.symbols) ws m ie, ready G ws d m ->
    exists m', run ie (cgc (compile G e d)) m = Some m' /\
      (forall p, leaf d p -> m' (List.length G) p = Some (look (eval ws e) p)) /\
      (forall k q, (k < List.length G)%nat -> m' k q = m k q).
Proof.
  intros A G e d checked s ws m ie H.
  assert (T : ty (closed G) e d)
    by (eapply Typing.infer_sound; [apply Range.range_var_sound | exact checked]).
  destruct (Codegen.compile_correct ie T H) as (m' & E & _ & rest). eauto.
Qed.

(** The same on flat row-major arrays: one array per variable, the scalar at path
    [p] of a value of type [d] at [offset d p]; blocks scope their variable. *)
Theorem emit_flat_correct :
  forall A N (s : sizing N) G (e : exp A N) d ws fm ie,
    ty (closed G) e d -> FlatProof.flat_ready G ws d fm ->
    exists fm', Flat.frun ie (FlatProof.flat_program G e d) fm = Some fm' /\
      (forall p, leaf d p -> fm' (List.length G) (Flat.offset d p) = Some (look (eval ws e) p)) /\
      (forall k dk p, nth_error G k = Some dk -> leaf dk p ->
         fm' k (Flat.offset dk p) = fm k (Flat.offset dk p)).
Proof. exact @FlatProof.flat_program_correct. Qed.

Theorem emit_offset_injective :
  forall N (s : sizing N) d p q, leaf d p -> leaf d q ->
    (Flat.offset d p < Flat.cells d)%nat /\ (Flat.offset d p = Flat.offset d q -> p = q).
Proof. intros N s d p q lf lf'. split; [now apply Flat.offset_lt | now apply Flat.offset_inj]. Qed.

(** What is printed: sums with 0 and products with 1 gone from the indices, and
    assignments of a place to itself.  It runs where the flat program runs, to the same
    store, and touches no other places. *)
Theorem emit_tidy_correct :
  forall A N (s : sizing N) (c : Flat.fstm A N) ie m m' fm,
    (forall r k, m r k = fm r k) -> Flat.frun ie c m = Some m' ->
    (exists fm', Flat.frun ie (Tidy.tidy c) fm = Some fm' /\ forall r k, m' r k = fm' r k) /\
    incl (Flat.ftouches ie (Tidy.tidy c)) (Flat.ftouches ie c).
Proof. exact @TidyProof.tidy_correct. Qed.

(** A well-typed program, as it is printed, computes its value. *)
Theorem emit_printed_correct :
  forall A N (s : sizing N) G (e : exp A N) d ws fm ie,
    ty (closed G) e d -> FlatProof.flat_ready G ws d fm ->
    exists fm', Flat.frun ie (Tidy.tidy (FlatProof.flat_program G e d)) fm = Some fm' /\
      forall p, leaf d p -> fm' (List.length G) (Flat.offset d p) = Some (look (eval ws e) p).
Proof.
  intros A N s G e d ws fm ie T H.
  destruct (FlatProof.flat_program_correct ie T H) as (m' & E & out & _).
  destruct (TidyProof.tidy_correct _ _ (fun _ _ => eq_refl) E) as [(fm' & X & same) _].
  exists fm'. split; [exact X |]. intros p lf. rewrite <- same. now apply out.
Qed.

(** Several assignments, each seeing what has a value by then: the checked program runs,
    as commands and as C, and every parameter that is set holds its value. *)
Theorem emit_program_correct :
  forall A N (s : sizing N) range,
    (forall G i n, range G i n = true -> in_range G i n) ->
    forall params (l : list (@Whole.assignment A N)) set env m ie,
      Whole.checked range params set l = true -> WholeProof.holding params set env m ->
      exists m', exec ie (Whole.translate_all params set l) m = Some m' /\
        run ie (cgc (Whole.translate_all params set l)) m = Some m' /\
        WholeProof.holding params (Whole.all_set set l) (Whole.meaning set l env) m'.
Proof. exact @WholeProof.program_correct. Qed.

(** Computed in 64 bits: a program that passes the test [fits], of the sizes, overflows
    nowhere.  [room] bounds what the text of a size computes on the way, [most] the loops. *)
Theorem emit_no_overflow :
  forall A N (s : sizing N) (room : size N -> Z),
    (forall n, (Z.of_nat #n <= room n)%Z) ->
    forall most (c : Flat.fstm A N), Machine.fits room most c = true ->
    forall ie m m', (forall l, (Z.abs (ie l) <= most)%Z) ->
    Flat.frun ie c m = Some m' -> Machine.frun64 room ie c m = Some m'.
Proof. exact @MachineProof.no_overflow. Qed.

(** For polynomials, products with 0 as a later factor included. *)
Theorem emit_poly_room :
  forall sigma p c l l',
    (Z.of_nat (Range.poly_val sigma p) <= Machine.poly_room sigma p)%Z /\
    (Z.of_nat c * fold_right (fun x q => Z.of_nat (sigma x) * q) 1 l
       <= Machine.term_room sigma (c, l ++ l'))%Z.
Proof.
  intros sigma p c l l'. split; [apply MachineProof.poly_room_val | apply MachineProof.term_room_prefix].
Qed.

(** Temporaries from an allocator that may refuse: every one is freed, the run goes to its
    end, failure is reported if and only if a request failed, and without one the outputs
    are right. *)
Theorem emit_allocation_correct :
  forall A N (s : sizing N) ask heap blank (c : Flat.fstm A N) ie m m' t,
    (forall r k, m r k = None <-> Machine.memory t r k = None) -> Flat.frun ie c m = Some m' ->
    exists t', Machine.arun ask heap blank ie c t = Some t' /\
      (forall r k, m' r k = None <-> Machine.memory t' r k = None) /\
      Machine.held t' = Machine.held t /\ (Machine.asked t <= Machine.asked t')%nat /\
      (Machine.failed t' = true <->
         Machine.failed t = true \/
         exists j, (Machine.asked t <= j < Machine.asked t')%nat /\ ask j = false) /\
      (Machine.failed t' = false -> (forall r k, m r k = Machine.memory t r k) ->
         forall r k, m' r k = Machine.memory t' r k).
Proof. exact @MachineProof.allocation_correct. Qed.

(** The race check in one pass decides the same. *)
Theorem emit_race_check :
  forall n F, Owner.lone n F = Flat.fapart n F.
Proof. exact Owner.lone_fapart. Qed.

(** What runs on functions as stores runs on any memory, finite maps among them. *)
Theorem emit_memory_correct :
  forall A N (s : sizing N) (M : Memory.memory A) careful (c : Flat.fstm A N) ie m fm fm',
    (forall r k, Memory.get M m r k = fm r k) -> Flat.frun ie c fm = Some fm' ->
    exists m', Memory.mrun M careful ie c m = Some m' /\ forall r k, Memory.get M m' r k = fm' r k.
Proof. exact @Memory.memory_correct. Qed.

(** At binary32, binary64 (bit for bit; one NaN) and the integers. *)
Import dpia.Scalars.

Theorem emit_compile_correct_binary32 :
  forall N (s : sizing N) G (e : exp binary32 N) d ws m ie,
    ty (closed G) e d -> ready G ws d m ->
    exists m', run ie (cgc (compile G e d)) m = Some m' /\
      forall p, leaf d p -> m' (List.length G) p = Some (look (eval ws e) p).
Proof.
  intros N s G e d ws m ie T H.
  destruct (Codegen.compile_correct ie T H) as (m' & E & _ & out & _). eauto.
Qed.

Theorem emit_compile_correct_binary64 :
  forall N (s : sizing N) G (e : exp binary64 N) d ws m ie,
    ty (closed G) e d -> ready G ws d m ->
    exists m', run ie (cgc (compile G e d)) m = Some m' /\
      forall p, leaf d p -> m' (List.length G) p = Some (look (eval ws e) p).
Proof.
  intros N s G e d ws m ie T H.
  destruct (Codegen.compile_correct ie T H) as (m' & E & _ & out & _). eauto.
Qed.

Theorem emit_compile_correct_integers :
  forall N (s : sizing N) G (e : exp integers N) d ws m ie,
    ty (closed G) e d -> ready G ws d m ->
    exists m', run ie (cgc (compile G e d)) m = Some m' /\
      forall p, leaf d p -> m' (List.length G) p = Some (look (eval ws e) p).
Proof.
  intros N s G e d ws m ie T H.
  destruct (Codegen.compile_correct ie T H) as (m' & E & _ & out & _). eauto.
Qed.
End OfEmit.

(** ** kernel to dpia: lowering *)

Module OfLower.
Import dpia.Syntax dpia.Typing dpia.Values dpia.Target dpia.Trans emit.MiniC emit.Codegen.
Import kernel.Lower kernel.LowerProof kernel.LowerTyped.
Local Notation kernel_stmt := Kernel.stmt.

(** A kernel statement, lowered to a functional program, has its value (over any
    scalars, so bit for bit on floats) where its loads are inside their tensors. *)
Theorem lower_correct :
  forall S shape (s : kernel_stmt S) g e env st,
    lower_stmt S shape g s = Some e ->
    (forall t, In t (Kernel.loads (Kernel.body s)) ->
       nth (g t) env (@junk (scalar_algebra S)) = tree S (shape t) (st t)) ->
    (forall t, Kernel.in_bounds_stmt t (shape t) s) ->
    eval (s := numbers_sizing) env e =
      tree S (Kernel.dims s) (Kernel.exec s st (Kernel.out s)).
Proof. exact LowerProof.lower_correct. Qed.

Theorem lower_typed :
  forall S shape (s : kernel_stmt S) g e G,
    lower_stmt S shape g s = Some e ->
    holds_tensors S shape g G (Kernel.body s) ->
    (forall t, Kernel.in_bounds_stmt t (shape t) s) ->
    ty (s := numbers_sizing) G e (array (Kernel.dims s)).
Proof. exact LowerTyped.lower_stmt_typed. Qed.

(** The two with the correctness of the translation: the C program of a kernel
    statement over the tensors [ts] computes it. *)
Theorem kernel_compile_correct :
  forall S shape (s : kernel_stmt S) ts g e st m ie,
    let G := map (fun t => array (shape t)) ts in
    let d := array (Kernel.dims s) in
    lower_stmt S shape g s = Some e ->
    (forall t, In t (Kernel.loads (Kernel.body s)) -> nth_error ts (g t) = Some t) ->
    (forall t, Kernel.in_bounds_stmt t (shape t) s) ->
    ready (s := numbers_sizing) G (map (fun t => tree S (shape t) (st t)) ts) d m ->
    exists m', run ie (cgc (compile G e d)) m = Some m' /\
      forall p, leaf (s := numbers_sizing) d p ->
        m' (List.length ts) p = Some (look (tree S (Kernel.dims s) (Kernel.exec s st (Kernel.out s))) p).
Proof.
  intros S shape s ts g e st m ie G d lowered params safe R.
  assert (T : ty (s := numbers_sizing) (closed G) e d).
  { eapply LowerTyped.lower_stmt_typed; eauto. intros t int_.
    unfold closed, G. simpl vars. rewrite map_map, nth_error_map. now rewrite (params t int_). }
  destruct (Codegen.compile_correct ie T R) as (m' & E & _ & out & _).
  exists m'. split; [exact E |]. intros p lf.
  rewrite (LowerProof.lower_correct S shape s g e _ st lowered) in out; [| | exact safe].
  - rewrite <- out by exact lf. f_equal. unfold G. now rewrite map_length.
  - intros t int_. apply nth_error_nth. rewrite nth_error_map. now rewrite (params t int_).
Qed.
End OfLower.
