(** * The headline theorems

    Every statement a reader is asked to rely on, restated in one place; the
    proof is a name elsewhere.  The output of compiling this file is compared
    with tests/coq/theorems.golden: a changed statement or a new assumption is
    a failed test. *)

From Coq Require Import Bool List NArith String ZArith.
From Coq Require QArith Qcanon.
From Calque Require Import attr.Attr.
From Calque Require attr.AttrProof attr.Memo graph.Graph kernel.Kernel kernel.KernelProof.
From Calque Require kernel.Wf kernel.WfProof.
From Calque Require kernel.Grad kernel.GradProof kernel.Gather kernel.GatherProof.
From Calque Require kernel.Inline kernel.InlineProof kernel.Dual kernel.Swap.
From Calque Require kernel.Lower kernel.LowerProof kernel.LowerTyped.
From Calque Require dpia.Range dpia.Order dpia.Correct dpia.Scalars dpia.Errata dpia.Programs.
From Calque Require emit.Codegen emit.Flat emit.FlatProof emit.Memory emit.Tidy emit.TidyProof.
From Calque Require emit.Owner emit.Machine emit.MachineProof emit.Errata emit.Whole emit.WholeProof.
Import ListNotations.
Open Scope Z_scope.

(** ** attr: evaluation [G;a => v] and matching [G |- a ~ v] *)

(** The evaluator decides the judgement. *)
Theorem attr_eval_iff :
  forall G a v, eval G a = Some v <-> ae G a v.
Proof. exact AttrProof.attr_eval_iff. Qed.

(** The matcher decides the judgement. *)
Theorem attr_match_iff :
  forall G a v, amatch G a v = true <-> am G a v.
Proof. exact AttrProof.attr_match_iff. Qed.

Theorem attr_eval_deterministic :
  forall G a v w, ae G a v -> ae G a w -> v = w.
Proof. exact AttrProof.attr_eval_deterministic. Qed.

(** Without [_], matching is evaluation. *)
Theorem attr_match_eval_agree :
  forall G a v, any_free a = true -> (amatch G a v = true <-> eval G a = Some v).
Proof. exact AttrProof.attr_match_eval_agree. Qed.

(** Evaluation stays in int64. *)
Theorem attr_eval_in_range :
  forall G a v, env_in_range G -> consts_in_range a = true ->
    eval G a = Some v -> value_in_range v = true.
Proof. exact AttrProof.attr_eval_in_range. Qed.

Theorem value_eqb_reflect :
  forall v w, reflect (v = w) (value_eqb v w).
Proof. exact AttrProof.value_eqb_reflect. Qed.

(** *** Errata of the thesis *)

Theorem erratum_any_in_computation :
  forall G,
    let pair := ATuple [AAny; AConst (VInt 3)] in
    (forall v, am G pair (VTuple [v; VInt 3])) /\
    (forall v, ~ ae G pair v) /\
    (forall v, ~ ae G (AProj pair (AConst (VInt 1))) v).
Proof. exact AttrProof.erratum_any_in_computation. Qed.

Theorem erratum_am_overlap :
  forall G a v w, ae G a v -> am G a w -> w = v.
Proof. exact AttrProof.erratum_am_overlap. Qed.

Theorem erratum_one_based_projection :
  (forall O I H W : value,
     AttrProof.one_based_index [O; I; H; W] 2 = Some I /\
     AttrProof.one_based_index [O; I; H; W] 3 = Some H /\
     tuple_index [O; I; H; W] 2 = Some H /\
     tuple_index [O; I; H; W] 3 = Some W) /\
  (let shape := [VInt 64; VInt 3; VInt 7; VInt 7] in
   let G := env_of [(1%N, "shape"%string, VTuple shape)] in
   let sample k := AProj (AAccess 1%N "shape"%string) (AConst (VInt k)) in
   let other := VTuple [VInt 16; VInt 3; VInt 7; VInt 7] in
   am G (ATuple [AAny; AAny; sample 2; sample 3]) other /\
   (forall h w,
      AttrProof.one_based_index shape 2 = Some h ->
      AttrProof.one_based_index shape 3 = Some w ->
      ~ am G (ATuple [AAny; AAny; AConst h; AConst w]) other)).
Proof. exact AttrProof.erratum_one_based_projection. Qed.

Theorem erratum_var_length :
  forall G,
    let zeros k := VTuple (repeat (VInt 0) k) in
    let two := AVar 0%N (AConst (VInt 2)) (AConst (VInt 0)) in
    ae G two (zeros 2%nat) /\
    Forall2 (fun i v => am (bind G 0%N (VInt (Z.of_nat i))) (AConst (VInt 0)) v)
      (seq 0 3) (repeat (VInt 0) 3) /\
    ~ am G two (zeros 3%nat).
Proof. exact AttrProof.erratum_var_length. Qed.

Theorem erratum_empty_sum :
  forall G a,
    let sum k := AReduce RSum (AVar 0%N (AConst (VInt k)) a) in
    ae G (sum 0) (VInt 0) /\ (forall v, ~ ae G (sum (-1)) v).
Proof. exact AttrProof.erratum_empty_sum. Qed.

(** *** Memoised evaluation *)

Module OfMemo.
Import Memo.

(** The value of an expression depends on its free symbols only. *)
Theorem attr_eval_free_symbols :
  forall a G H,
    same_nodes G H ->
    (forall s, In s (free_symbols a) -> value_of G s = value_of H s) ->
    eval G a = eval H a.
Proof. exact eval_free_symbols. Qed.

(** Remembering closed subexpressions, from one expression of the list to the
    next too, changes no value. *)
Theorem memo_correct :
  forall G l,
    fst (memo_traverse (memo_eval closed G) [] l) = Lists.traverse (eval G) l.
Proof. exact Memo.memo_correct. Qed.

Theorem erratum_free_symbols :
  forall G,
    let e := AReduce RSum (AVar 0%N (ASymbol 0%N) (AConst (VInt 1))) in
    let family := AVar 0%N (AConst (VInt 3)) e in
    closed_printed e = true /\ closed e = false /\
    eval G family = Some (VTuple [VInt 0; VInt 1; VInt 2]) /\
    fst (memo_eval closed_printed G [] family) = Some (VTuple [VInt 0; VInt 0; VInt 0]).
Proof. exact Memo.erratum_free_symbols. Qed.
End OfMemo.

(** ** graph: what a node computes, for any meaning [den] of the operators *)

Module OfGraph.
Import Graph.

(** The check decides that children come before their users. *)
Theorem graph_wf_iff :
  forall O (g : graph O), wfb g = true <-> wf g.
Proof. exact @wfb_iff. Qed.

Theorem graph_wf_acyclic :
  forall O (g : graph O) i n k,
    wf g -> nth_error g i = Some n -> In k (args n) -> ~ ancestor g i k.
Proof. exact @wf_acyclic. Qed.

(** The evaluator decides the judgement. *)
Theorem graph_eval_iff :
  forall O V (den : O -> list V -> option V) (g : graph O) i v,
    wf g -> (eval_node den g i = Some v <-> ge den g i v).
Proof. exact @graph_eval_iff. Qed.

Theorem graph_eval_unique :
  forall O V (den : O -> list V -> option V) (g : graph O) i v w,
    ge den g i v -> ge den g i w -> w = v.
Proof. exact @eval_node_unique. Qed.

Theorem graph_eval_ancestors :
  forall O V (den : O -> list V -> option V) (g h : graph O) i v,
    (forall j, ancestor g j i -> nth_error g j = nth_error h j) ->
    ge den g i v -> ge den h i v.
Proof. exact @eval_depends_on_ancestors. Qed.

(** Any two schedules that respect the arguments compute the same. *)
Theorem graph_eval_order_irrelevant :
  forall O V (den : O -> list V -> option V) (g : graph O) s t i,
    topological g s -> topological g t -> In i s -> In i t ->
    exec den g s i = exec den g t i.
Proof. exact @eval_order_irrelevant. Qed.

(** A graph whose nodes are copied, or replaced by nodes of the same value,
    keeps all its values. *)
Theorem graph_eval_simulation :
  forall O V (den : O -> list V -> option V) (g h : graph O) (f : nat -> nat),
    wf g ->
    (forall i n, nth_error g i = Some n ->
       nth_error h (f i) = Some (Node (op n) (map f (args n))) \/
       ((forall j, (j < i)%nat -> forall v, ge den g j v <-> ge den h (f j) v) ->
        forall v, ge den g i v <-> ge den h (f i) v)) ->
    forall i, (i < List.length g)%nat ->
    forall v, ge den g i v <-> ge den h (f i) v.
Proof. exact @eval_simulation. Qed.
End OfGraph.

(** ** kernel: index notation over an arbitrary scalar structure [S] *)

Module OfKernel.
Import Kernel KernelProof.

(** A statement changes its output tensor only. *)
Theorem kernel_exec_frame :
  forall S (s : stmt S) st t i, t <> out s -> exec s st t i = st t i.
Proof. exact @KernelProof.kernel_exec_frame. Qed.

(** Substitution of indices captures nothing. *)
Theorem kernel_eval_subst :
  forall S (e : ex S) st f rho,
    eval st rho (subst f e) = eval st (map (eval_ix rho) f) e.
Proof. exact @KernelProof.eval_subst. Qed.

(** Inlining a producer [p] into its consumers [c]. *)
Theorem kernel_inline_correct :
  forall S (before : prog S) (p : stmt S) (c r : prog S) st,
    (forall s, In s c -> out s <> out p) ->
    (forall s, In s c -> ~ In (out s) (loads (body p))) ->
    (forall s, In s r -> ~ In (out p) (loads (body s))) ->
    (forall s, In s c -> in_bounds_stmt (out p) (dims p) s) ->
    forall t i, t <> out p ->
      exec_prog (before ++ map (inline_stmt p) c ++ r) st t i =
      exec_prog (before ++ p :: c ++ r) st t i.
Proof. exact KernelProof.inline_correct. Qed.

Theorem kernel_inline_needs_I3 :
  let p := Stmt 1%nat [1%nat] (add (at_ 0 (IVar 0)) (num 1)) in
  let c := [Stmt 0%nat [1%nat] (at_ 3 (IVar 0));
            Stmt 2%nat [1%nat] (add (at_ 1 (IVar 0)) (at_ 0 (IVar 0)))] in
  exec_prog (p :: c) names 2%nat [0] = 4 /\
  exec_prog (map (inline_stmt p) c) names 2%nat [0] = 7.
Proof. exact KernelProof.inline_needs_I3. Qed.

Theorem kernel_inline_needs_I5 :
  let p := Stmt 1%nat [1%nat] (num 5) in
  let c := [Stmt 2%nat [2%nat] (at_ 1 (IVar 0))] in
  exec_prog (p :: c) names 2%nat [1] = 0 /\
  exec_prog (map (inline_stmt p) c) names 2%nat [1] = 5.
Proof. exact KernelProof.inline_needs_I5. Qed.
End OfKernel.

(** *** Well-formed kernels: every index of every load is shown inside by intervals *)

Module OfWf.
Import Kernel Wf.

Theorem kernel_wf_sound :
  forall S shapes (s : stmt S),
    wf_stmt shapes s = true ->
    dims s = shapes (out s) /\ forall t, in_bounds_stmt t (shapes t) s.
Proof. exact WfProof.wf_sound. Qed.

(** What a store holds outside of the shapes has no influence. *)
Theorem kernel_wf_reads_inside :
  forall S shapes (p : prog S),
    wf_prog shapes p = true ->
    forall st st', (forall t i, in_box (shapes t) i = true -> st t i = st' t i) ->
    forall t i, in_box (shapes t) i = true -> exec_prog p st t i = exec_prog p st' t i.
Proof. exact WfProof.wf_reads_inside. Qed.
End OfWf.

(** *** Gradients, over any commutative ring [K] with any inverse and any functions *)

Module OfGrad.
Import Kernel Grad Gather.

(** The gradients of a statement against a direction [du] are the gradient of its
    output, tensor [v] of the store, against the tangent in that direction. *)
Theorem grad_adjoint :
  forall K (s : stmt (alg K)) (v : tid) (st du : store (alg K)) shapes ts,
    NoDup ts ->
    (forall t, In t ts -> supported (shapes t) (du t)) ->
    (forall t, In t (loads (body s)) -> ~ In t ts -> forall i, du t i = r0 K) ->
    inner shapes ts (scatter s v st) du =
    inner_box (dims s) (st v) (fun i => tangent st du i (body s)).
Proof. exact GradProof.grad_adjoint. Qed.

(** Several statements, in-place ones included. *)
Theorem grad_adjoint_prog :
  forall K (p : list (stmt (alg K))) shapes ts,
    NoDup ts ->
    (forall s, In s p -> dims s = shapes (out s) /\ In (out s) ts /\
                         forall t, In t (loads (body s)) -> In t ts) ->
    forall st dv du,
      (forall t, In t ts -> supported (shapes t) (du t)) ->
      inner shapes ts (backward p st dv) du = inner shapes ts dv (tangent_prog p st du).
Proof. exact GradProof.grad_adjoint_prog. Qed.

(** Points, strides and digits eliminated: the gathered gradient is the scattered one. *)
Theorem gather_eq_scatter :
  forall K (s : stmt (alg K)) (v t : tid) (D : list nat) (st : store (alg K)) a,
    in_box D a = true ->
    eval st a (gather_body s v t D) = scatter s v st t a.
Proof. exact GatherProof.gather_eq_scatter. Qed.

(** What the simplified gradient does not load has no influence on it, and it loads
    nothing but the gradient of the output and what the statement loads. *)
Theorem grad_needed_inputs :
  forall K (s : stmt (alg K)) (v t : tid) (D : list nat),
    (forall st st' : store (alg K),
       (forall u, In u (needed s v t D) -> forall i, st u i = st' u i) ->
       forall a, in_box D a = true -> scatter s v st t a = scatter s v st' t a) /\
    incl (needed s v t D) (v :: loads (body s)).
Proof.
  intros K s v t D. split.
  - exact (GatherProof.grad_needed_inputs K s v t D).
  - exact (GatherProof.needed_loads K s v t D).
Qed.
End OfGrad.

(** *** Inlining as a decision, reverse inlining *)

Module OfInline.
Import Kernel KernelProof Wf Inline InlineProof.

(** What is accepted computes the same in every other tensor; [t] is no output. *)
Theorem inline_tensor_correct :
  forall S shapes outputs t (p q : list (stmt S)),
    inline_tensor outputs t p = inr q ->
    (forall s, In s p -> dims s = shapes (out s) /\ in_bounds_stmt t (shapes t) s) ->
    ~ In t outputs /\
    forall st u i, u <> t -> exec_prog q st u i = exec_prog p st u i.
Proof. exact InlineProof.inline_tensor_correct. Qed.

(** Inlining introduces no load outside of a tensor. *)
Theorem inline_safe :
  forall S u d (p s : stmt S),
    in_bounds_stmt u d p -> in_bounds_stmt u d s -> in_bounds_stmt (out p) (dims p) s ->
    in_bounds_stmt u d (inline_stmt p s).
Proof. exact InlineProof.inline_safe. Qed.

(** The consumer [s], run over the box of the producer [p]. *)
Theorem reverse_inline_correct :
  forall S (p s : stmt S) (pi : list nat) (r : list (stmt S)) st,
    covers pi (List.length (dims s)) = true ->
    dims p = map (fun k => nth k (dims s) O) pi ->
    in_bounds_stmt (out p) (dims p) s ->
    (forall u, In u r -> ~ In (out p) (loads (body u))) ->
    forall t i, t <> out p ->
      exec_prog r (exec_scatter (reverse_inline p s pi) st) t i =
      exec_prog r (exec s (exec p st)) t i.
Proof. exact InlineProof.reverse_inline_correct. Qed.

(** Errata of ComputeInline, on integers with +. *)

(** B<2,2>[i,j] = A[i,j] + 1; C<2,2>[i,j] = B[j,i] + B[i,j], with A, B, C = 0, 1, 2. *)
Theorem erratum_inline_D1 :
  let p := Stmt 1%nat [2; 2]%nat (add (ELd 0%nat [IVar 0; IVar 1]) (num 1)) in
  let s := Stmt 2%nat [2; 2]%nat (add (ELd 1%nat [IVar 1; IVar 0]) (ELd 1%nat [IVar 0; IVar 1])) in
  let stale := Stmt 2%nat [2; 2]%nat (fst (stale_inline p [IVar 0; IVar 1] (body s))) in
  body stale = add (add (ELd 0%nat [IVar 1; IVar 0]) (num 1)) (add (ELd 0%nat [IVar 1; IVar 0]) (num 1)) /\
  exec_prog [p; s] numbered 2%nat [0; 1] = 13 /\
  exec (inline_stmt p s) numbered 2%nat [0; 1] = 13 /\
  exec stale numbered 2%nat [0; 1] = 22.
Proof. exact InlineProof.erratum_inline_D1. Qed.

(** D3: loads inside indices; right with the indices first, else the producer is read
    where it is gone. *)
Theorem nested_inline_correct :
  forall b p e st gone i,
    (forall t k, t <> b -> gone t k = st t k) ->
    (forall k, st b k = nested_value st k p) ->
    (forall k, nested_value gone k p = nested_value st k p) ->
    nested_value gone i (nested_inline true b p e) = nested_value st i e.
Proof. exact InlineProof.nested_inline_correct. Qed.

Theorem erratum_inline_D3 :
  let p := NSub (NCst 1) (NLd 0%nat NVar) in
  let e := NLd 1%nat (NLd 1%nat NVar) in
  let st t k := if (t =? 1)%nat then 1 - k else k in
  let gone t k := if (t =? 1)%nat then 7 else k in
  nested_value st 0 e = 0 /\
  nested_value gone 0 (nested_inline true 1%nat p e) = 0 /\
  nested_value gone 0 (nested_inline false 1%nat p e) = -6.
Proof. exact InlineProof.erratum_inline_D3. Qed.

(** D5.  The newest precondition drops the distinctness of the store's indices:
    B[i,i] = A[i] stores the diagonal, yet B[x,y] becomes A[y]. *)
Theorem erratum_inline_D5 :
  let p := ScatterStmt (S := integers) 1%nat [2]%nat [IVar 0; IVar 0] (ELd 0%nat [IVar 0]) in
  exec_scatter p numbered 1%nat [0; 1] = 0 /\
  eval (S := integers) numbered [0; 1] (ELd 0%nat [IVar 1]) = 1.
Proof. exact InlineProof.erratum_inline_D5. Qed.

(** D7.  A tensor that the producer reads is overwritten before the consumer: the
    decision refuses, the naive substitution reads the new values. *)
Theorem erratum_inline_D7 :
  let p := Stmt 1%nat [1%nat] (add (at_ 0 (IVar 0)) (num 1)) in
  let c := [Stmt 0%nat [1%nat] (at_ 3 (IVar 0));
            Stmt 2%nat [1%nat] (add (at_ 1 (IVar 0)) (at_ 0 (IVar 0)))] in
  inline_tensor [2%nat] 1%nat (p :: c) = inl Overwritten /\
  exec_prog (p :: c) numbered 2%nat [0] = 301 /\
  exec_prog (map (inline_stmt p) c) numbered 2%nat [0] = 601.
Proof. exact InlineProof.erratum_inline_D7. Qed.

(** D8.  Reverse inlining when the consumer's range is smaller than the producer's:
    B<3>[i] = A[i]; C<2>[i] = B[i].  The loop over B's box stores outside of C, which
    the program does not; the side condition on the shapes excludes it.  With a
    broadcast consumer C<2,2>[i,j] = B<2>[j] variable i is not covered. *)
Theorem erratum_inline_D8 :
  let p := Stmt 1%nat [3%nat] (at_ 0 (IVar 0)) in
  let s := Stmt 2%nat [2%nat] (at_ 1 (IVar 0)) in
  exec_prog [p; s] numbered 2%nat [2] = 0 /\
  exec_scatter (reverse_inline p s [0%nat]) numbered 2%nat [2] = 2 /\
  dims p <> map (fun k => nth k (dims s) O) [0%nat] /\
  covers [1%nat] 2 = false.
Proof. exact InlineProof.erratum_inline_D8. Qed.

End OfInline.

(** *** The tangent is evaluation over dual numbers *)

Module OfDual.
Import Kernel Grad Dual.

Theorem tangent_dual :
  forall K (st du : store (alg K)) (e : ex (alg K)) rho,
    eval (along K st du) rho (embed K e) = ((eval st rho e, tangent st du rho e) : number K).
Proof. exact Dual.tangent_dual. Qed.

Theorem dual_inverse :
  forall K b b',
    rmul K b (rinv K b) = r1 K -> rinv K (rmul K b b) = rmul K (rinv K b) (rinv K b) ->
    rmul (dual K) (b, b') (rinv (dual K) (b, b')) = r1 (dual K).
Proof. exact Dual.dual_inverse. Qed.
End OfDual.

(** *** Errata of the seed report on gradients: pairs of what its swap gives and what
    is right, rational numbers *)

Module OfSwap.
Import QArith Qcanon Kernel Wf Grad Gather Inline Swap.
Local Open Scope Z_scope.

Theorem erratum_swap_1 :
  let e := ld A [i] *! ld C [i] +! ld C [i] *! ld D [i] in
  swap A e = ld dO [i] *! ld C [i] +! ld C [i] *! ld D [i] /\ row e A = (90 # 1, 55 # 1)%Q.
Proof. exact Swap.erratum_swap_1. Qed.

Theorem erratum_swap_2 :
  let e := ld C [i] -! ld A [i] in
  swap A e = ld C [i] -! ld dO [i] /\ row e A = (-6 # 1, -11 # 1)%Q.
Proof. exact Swap.erratum_swap_2. Qed.

Theorem erratum_swap_3 :
  let e := ld A [i] *! (ld C [i] +! q 1) in
  let f := ld A [i] /! (ld C [i] +! q 4) in
  swap A e = ld dO [i] *! (ld C [i] +! q 0) /\ row e A = (55 # 1, 66 # 1)%Q /\
  row f A = (11 # 5, 11 # 9)%Q.
Proof. exact Swap.erratum_swap_3. Qed.

Theorem erratum_swap_4 :
  let e := ld A [i] *! ld A [i] *! ld A [i] in
  swap A e = ld dO [i] *! (ld A [i] +! ld A [i]) *! ld dO [i] /\ row e A = (484 # 1, 132 # 1)%Q.
Proof. exact Swap.erratum_swap_4. Qed.

Theorem erratum_swap_5 :
  let e := ld A [i] *! ld C [i] *! ld A [i] in
  swap A e = ld dO [i] *! ld C [i] *! ld dO [i] /\ row e A = (605 # 1, 220 # 1)%Q.
Proof. exact Swap.erratum_swap_5. Qed.

Theorem erratum_swap_6 :
  let e := (ld A [i] +! q 1) *! (ld A [i] +! q 1) in
  swap A e = (ld dO [i] +! q 0) *! (ld dO [i] +! q 0) /\ row e A = (121 # 1, 66 # 1)%Q.
Proof. exact Swap.erratum_swap_6. Qed.

Theorem erratum_swap_7 :
  let e := ld C [i] /! ld A [i] in
  swap A e = ld C [i] /! ld dO [i] /\ row e A = (5 # 11, -55 # 4)%Q.
Proof. exact Swap.erratum_swap_7. Qed.

Theorem erratum_swap_8 :
  let e := ld A [i] /! ld A [i] in
  swap A e = ld dO [i] /! ld dO [i] /\ row e A = (1 # 1, 0 # 1)%Q.
Proof. exact Swap.erratum_swap_8. Qed.

(** Two index maps under a product: B<3>[i] = A<4>[i] * A<4>[i+1]. *)
Theorem erratum_swap_9 :
  let e := ld A [i] *! ld A [IAdd i (ICst 1)] in
  let seed := ESel (CCmp CLt i (ICst 3)) (ld dO [i]) (q 0) *!
              ESel (CCmp CGe i (ICst 1)) (ld dO [ISub i (ICst 1)]) (q 0) in
  at_cell [1] seed = 132 # 1 /\ right [3%nat] e A [4%nat] [1] = 70 # 1.
Proof. exact Swap.erratum_swap_9. Qed.

(** The Gram matrix C<2,2>[i,j] = A<2,3>[i,k] * A<2,3>[j,k]. *)
Theorem erratum_swap_10 :
  let e := total [3%nat] (ld A [IVar 1; IVar 0] *! ld A [IVar 2; IVar 0]) in
  let seed := total [2%nat] (ld dO [IVar 1; IVar 0] *! ld dO [IVar 1; IVar 0]) in
  at_cell [0; 1] seed = 265 # 1 /\ right [2; 2]%nat e A [2; 3]%nat [0; 1] = 495 # 1.
Proof. exact Swap.erratum_swap_10. Qed.

(** C<2,2>[i,j] = sum(k<3) A[i,k] * B[k,j] + D[i,j] by D: the product survives, and
    the gradient is added once for each k. *)
Theorem erratum_swap_11 :
  let product := ld A [IVar 1; IVar 0] *! ld B [IVar 0; IVar 2] in
  let e := total [3%nat] product +! ld D [i; j] in
  let seed := total [3%nat] (product +! ld dO [IVar 1; IVar 2]) in
  at_cell [0; 1] seed = 182 # 1 /\ right [2; 2]%nat e D [2; 2]%nat [0; 1] = 12 # 1.
Proof. exact Swap.erratum_swap_11. Qed.

(** B<2>[i] = A<4>[i]: the rest of dA is never written. *)
Theorem erratum_swap_12 :
  (forall old, run [2%nat] [i] (ld dO [i]) old [3] = old [3]) /\
  right [2%nat] (ld A [i]) A [4%nat] [3] = 0 # 1.
Proof. exact Swap.erratum_swap_12. Qed.

(** B<3>[i] = A<3,3>[i,i]: only the diagonal is written. *)
Theorem erratum_swap_13 :
  (forall old, run [3%nat] [i; i] (ld dO [i]) old [0; 1] = old [0; 1]) /\
  right [3%nat] (ld A [i; i]) A [3; 3]%nat [0; 1] = 0 # 1 /\
  right [3%nat] (ld A [i; i]) A [3; 3]%nat [1; 1] = 12 # 1.
Proof. exact Swap.erratum_swap_13. Qed.

(** B<4>[i] = A<8>[i*2]: dB[a/2] for odd a too. *)
Theorem erratum_swap_14 :
  let e := ld A [IMul i 2] in
  at_cell [3] (ld dO [IDiv i 2]) = 12 # 1 /\ right [4%nat] e A [8%nat] [3] = 0 # 1 /\
  right [4%nat] e A [8%nat] [2] = 12 # 1.
Proof. exact Swap.erratum_swap_14. Qed.

(** B<32>[i] = A<2>[i//16] and B<32>[i] = A<16>[i%16]: a lone digit is many to one. *)
Theorem erratum_swap_15 :
  at_cell [0] (ld dO [IMul i 16]) = 11 # 1 /\
  right [32%nat] (ld A [IDiv i 16]) A [2%nat] [0] = 296 # 1 /\
  at_cell [0] (ld dO [i]) = 11 # 1 /\
  right [32%nat] (ld A [IMod i 16]) A [16%nat] [0] = 38 # 1.
Proof. exact Swap.erratum_swap_15. Qed.

(** B<40>[i] = A<3,16>[i//16, i%16]: dB[16a+b] is read past its end. *)
Theorem erratum_swap_16 :
  let shapes := fun t => if (t =? dO)%nat then [40%nat] else [3; 16]%nat in
  let e := ld A [IDiv i 16; IMod i 16] in
  ~ safe shapes [2; 15] (ld dO [IAdd (IMul i 16) j]) /\
  wf_stmt shapes (gather (K := rationals) (Stmt B [40%nat] e) dO A [3; 16]%nat 5%nat) = true /\
  right [40%nat] e A [3; 16]%nat [2; 15] = 0 # 1.
Proof. exact Swap.erratum_swap_16. Qed.

(** B<32>[i] = A<2,8>[i//16, i%8]: different divisors, two to one. *)
Theorem erratum_swap_17 :
  let e := ld A [IDiv i 16; IMod i 8] in
  at_cell [1; 3] (ld dO [IAdd (IMul i 16) j]) = 30 # 1 /\
  right [32%nat] e A [2; 8]%nat [1; 3] = 68 # 1.
Proof. exact Swap.erratum_swap_17. Qed.

(** O<2,3>[k,p] = sum(r<3) I<7>[2*p+r] * W<2,3>[k,r], a strided convolution: outside
    of the report's binary index expressions.  Here r is eliminated and guarded. *)
Theorem gather_18 :
  let e := total [3%nat] (ld A [IAdd (IMul (IVar 2) 2) (IVar 0)] *! ld C [IVar 1; IVar 0]) in
  let r := ISub (IVar 2) (IMul (IVar 1) 2) in
  gather_body (K := rationals) (Stmt B [2; 3]%nat e) dO A [7%nat] =
  total [2; 3]%nat
    (ESel (CAnd (CCmp CLe (ICst 0) r) (CCmp CLt r (ICst 3)))
          (ld dO [IVar 0; IVar 1] *! ld C [IVar 0; r]) (q 0)).
Proof. exact Swap.gather_18. Qed.

(** Two statements, the second in place: O = A * C; O = O + D * O (row 19).  The
    last statement alone does not load A; backwards, its gradient is dO * (1 + D) * C. *)
Theorem erratum_swap_19 :
  let p := [Stmt B [1%nat] (ld A [i] *! ld C [i]);
            Stmt B [1%nat] (ld B [i] +! ld D [i] *! ld B [i])] in
  let seed := Stmt (S := alg rationals) B [1%nat] (ld B [i] +! ld D [i] *! ld B [i]) in
  let dv : store (alg rationals) := fun t => if (t =? B)%nat then world dO else fun _ => qc 0 in
  at_cell [0] (gather_body seed dO A [1%nat]) = 0 # 1 /\
  this (backward p world dv A [0]) = 440 # 1.
Proof. exact Swap.erratum_swap_19. Qed.

(** Case 8, B<32>[i] = A<2,16>[i//16, i%16]: a pair of digits. *)
Theorem gather_case8 :
  gather_body (K := rationals) (Stmt B [32%nat] (ld A [IDiv i 16; IMod i 16])) dO A [2; 16]%nat =
  ld dO [IAdd (IMul i 16) j].
Proof. exact Swap.gather_case8. Qed.

(** Case 1, a needed input: B is needed, A is not. *)
Theorem needed_case1 :
  needed (K := rationals) (Stmt B [4; 16]%nat (ld A [i; j] *! ld C [i; j] +! q 1)) dO A [4; 16]%nat =
  [dO; C].
Proof. exact Swap.needed_case1. Qed.

End OfSwap.

(** ** dpia: the acceptor/continuation translation, over any scalar structure [A],
    any sizes [N] and any values [s] of the size variables *)

Module OfDpia.
Import dpia.Syntax dpia.Typing dpia.Values dpia.Target dpia.Trans dpia.Match dpia.Access dpia.Foot
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
Proof. intros A N s G e d T. exact (proj1 (Foot.footprints T)). Qed.

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
    (forall f g : place -> num, (forall p, f p = g p) -> f = g) ->
    let update (m : place -> num) p v := fun p' => if eqb p p' then v else m p' in
    forall remove : place -> (place -> num) -> place -> num,
      ~ (forall p e m, remove p (update m p e) = m).
Proof. exact Errata.erratum_remove_update. Qed.
End OfDpia.

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
Notation kernel_stmt := Kernel.stmt.

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

(** ** Smaller errata of seed 002: the statements are in [theorems] *)

From Calque Require theorems.Text.
Module OfText := theorems.Text.

(** ** Matching, rewriting and the oracle: the statements are in [theorems] *)

From Calque Require theorems.Pattern theorems.Rewrite theorems.Errata theorems.Oracle.
Module OfPattern := theorems.Pattern.
Module OfRewrite := theorems.Rewrite.
Module OfErrata := theorems.Errata.
Module OfOracle := theorems.Oracle.

(** ** Statements and assumptions, for the golden file *)

Check attr_eval_iff.
Print Assumptions attr_eval_iff.
Check attr_match_iff.
Print Assumptions attr_match_iff.
Check attr_eval_deterministic.
Print Assumptions attr_eval_deterministic.
Check attr_match_eval_agree.
Print Assumptions attr_match_eval_agree.
Check attr_eval_in_range.
Print Assumptions attr_eval_in_range.
Check value_eqb_reflect.
Print Assumptions value_eqb_reflect.
Check erratum_any_in_computation.
Print Assumptions erratum_any_in_computation.
Check erratum_am_overlap.
Print Assumptions erratum_am_overlap.
Check erratum_one_based_projection.
Print Assumptions erratum_one_based_projection.
Check erratum_var_length.
Print Assumptions erratum_var_length.
Check erratum_empty_sum.
Print Assumptions erratum_empty_sum.
Check OfMemo.attr_eval_free_symbols.
Print Assumptions OfMemo.attr_eval_free_symbols.
Check OfMemo.memo_correct.
Print Assumptions OfMemo.memo_correct.
Check OfMemo.erratum_free_symbols.
Print Assumptions OfMemo.erratum_free_symbols.
Check OfGraph.graph_wf_iff.
Print Assumptions OfGraph.graph_wf_iff.
Check OfGraph.graph_wf_acyclic.
Print Assumptions OfGraph.graph_wf_acyclic.
Check OfGraph.graph_eval_iff.
Print Assumptions OfGraph.graph_eval_iff.
Check OfGraph.graph_eval_unique.
Print Assumptions OfGraph.graph_eval_unique.
Check OfGraph.graph_eval_ancestors.
Print Assumptions OfGraph.graph_eval_ancestors.
Check OfGraph.graph_eval_order_irrelevant.
Print Assumptions OfGraph.graph_eval_order_irrelevant.
Check OfGraph.graph_eval_simulation.
Print Assumptions OfGraph.graph_eval_simulation.
Check OfKernel.kernel_exec_frame.
Print Assumptions OfKernel.kernel_exec_frame.
Check OfKernel.kernel_eval_subst.
Print Assumptions OfKernel.kernel_eval_subst.
Check OfKernel.kernel_inline_correct.
Print Assumptions OfKernel.kernel_inline_correct.
Check OfKernel.kernel_inline_needs_I3.
Print Assumptions OfKernel.kernel_inline_needs_I3.
Check OfKernel.kernel_inline_needs_I5.
Print Assumptions OfKernel.kernel_inline_needs_I5.
Check OfWf.kernel_wf_sound.
Print Assumptions OfWf.kernel_wf_sound.
Check OfWf.kernel_wf_reads_inside.
Print Assumptions OfWf.kernel_wf_reads_inside.
Check OfGrad.grad_adjoint.
Print Assumptions OfGrad.grad_adjoint.
Check OfGrad.grad_adjoint_prog.
Print Assumptions OfGrad.grad_adjoint_prog.
Check OfGrad.gather_eq_scatter.
Print Assumptions OfGrad.gather_eq_scatter.
Check OfGrad.grad_needed_inputs.
Print Assumptions OfGrad.grad_needed_inputs.
Check OfInline.inline_tensor_correct.
Print Assumptions OfInline.inline_tensor_correct.
Check OfInline.inline_safe.
Print Assumptions OfInline.inline_safe.
Check OfInline.reverse_inline_correct.
Print Assumptions OfInline.reverse_inline_correct.
Check OfInline.erratum_inline_D1.
Print Assumptions OfInline.erratum_inline_D1.
Check OfInline.nested_inline_correct.
Print Assumptions OfInline.nested_inline_correct.
Check OfInline.erratum_inline_D3.
Print Assumptions OfInline.erratum_inline_D3.
Check OfInline.erratum_inline_D5.
Print Assumptions OfInline.erratum_inline_D5.
Check OfInline.erratum_inline_D7.
Print Assumptions OfInline.erratum_inline_D7.
Check OfInline.erratum_inline_D8.
Print Assumptions OfInline.erratum_inline_D8.
Check OfDual.tangent_dual.
Print Assumptions OfDual.tangent_dual.
Check OfDual.dual_inverse.
Print Assumptions OfDual.dual_inverse.
Check OfSwap.erratum_swap_1.
Print Assumptions OfSwap.erratum_swap_1.
Check OfSwap.erratum_swap_2.
Print Assumptions OfSwap.erratum_swap_2.
Check OfSwap.erratum_swap_3.
Print Assumptions OfSwap.erratum_swap_3.
Check OfSwap.erratum_swap_4.
Print Assumptions OfSwap.erratum_swap_4.
Check OfSwap.erratum_swap_5.
Print Assumptions OfSwap.erratum_swap_5.
Check OfSwap.erratum_swap_6.
Print Assumptions OfSwap.erratum_swap_6.
Check OfSwap.erratum_swap_7.
Print Assumptions OfSwap.erratum_swap_7.
Check OfSwap.erratum_swap_8.
Print Assumptions OfSwap.erratum_swap_8.
Check OfSwap.erratum_swap_9.
Print Assumptions OfSwap.erratum_swap_9.
Check OfSwap.erratum_swap_10.
Print Assumptions OfSwap.erratum_swap_10.
Check OfSwap.erratum_swap_11.
Print Assumptions OfSwap.erratum_swap_11.
Check OfSwap.erratum_swap_12.
Print Assumptions OfSwap.erratum_swap_12.
Check OfSwap.erratum_swap_13.
Print Assumptions OfSwap.erratum_swap_13.
Check OfSwap.erratum_swap_14.
Print Assumptions OfSwap.erratum_swap_14.
Check OfSwap.erratum_swap_15.
Print Assumptions OfSwap.erratum_swap_15.
Check OfSwap.erratum_swap_16.
Print Assumptions OfSwap.erratum_swap_16.
Check OfSwap.erratum_swap_17.
Print Assumptions OfSwap.erratum_swap_17.
Check OfSwap.gather_18.
Print Assumptions OfSwap.gather_18.
Check OfSwap.erratum_swap_19.
Print Assumptions OfSwap.erratum_swap_19.
Check OfSwap.gather_case8.
Print Assumptions OfSwap.gather_case8.
Check OfSwap.needed_case1.
Print Assumptions OfSwap.needed_case1.
Check OfDpia.dpia_infer_sound.
Print Assumptions OfDpia.dpia_infer_sound.
Check OfDpia.dpia_infer_complete.
Print Assumptions OfDpia.dpia_infer_complete.
Check OfDpia.dpia_eval_has_type.
Print Assumptions OfDpia.dpia_eval_has_type.
Check OfDpia.dpia_acceptor_correct.
Print Assumptions OfDpia.dpia_acceptor_correct.
Check OfDpia.dpia_continuation_correct.
Print Assumptions OfDpia.dpia_continuation_correct.
Check OfDpia.dpia_footprints.
Print Assumptions OfDpia.dpia_footprints.
Check OfDpia.dpia_par_any_order.
Print Assumptions OfDpia.dpia_par_any_order.
Check OfDpia.dpia_any_order.
Print Assumptions OfDpia.dpia_any_order.
Check OfDpia.dpia_range_var_sound.
Print Assumptions OfDpia.dpia_range_var_sound.
Check OfDpia.dpia_range_interval_sound.
Print Assumptions OfDpia.dpia_range_interval_sound.
Check OfDpia.dpia_programs_typed.
Print Assumptions OfDpia.dpia_programs_typed.
Check OfDpia.erratum_a9_reverse.
Print Assumptions OfDpia.erratum_a9_reverse.
Check OfDpia.erratum_a9_matrix_power.
Print Assumptions OfDpia.erratum_a9_matrix_power.
Check OfDpia.erratum_cga4_out_of_bounds.
Print Assumptions OfDpia.erratum_cga4_out_of_bounds.
Check OfDpia.erratum_cga5_clash.
Print Assumptions OfDpia.erratum_cga5_clash.
Check OfDpia.erratum_index_arithmetic.
Print Assumptions OfDpia.erratum_index_arithmetic.
Check OfDpia.erratum_transpose_temporary.
Print Assumptions OfDpia.erratum_transpose_temporary.
Check OfDpia.erratum_disjoint_writes.
Print Assumptions OfDpia.erratum_disjoint_writes.
Check OfDpia.erratum_remove_update.
Print Assumptions OfDpia.erratum_remove_update.
Check OfEmit.emit_codegen_correct.
Print Assumptions OfEmit.emit_codegen_correct.
Check OfEmit.emit_compile_correct.
Print Assumptions OfEmit.emit_compile_correct.
Check OfEmit.emit_every_size.
Print Assumptions OfEmit.emit_every_size.
Check OfEmit.emit_flat_correct.
Print Assumptions OfEmit.emit_flat_correct.
Check OfEmit.emit_offset_injective.
Print Assumptions OfEmit.emit_offset_injective.
Check OfEmit.emit_tidy_correct.
Print Assumptions OfEmit.emit_tidy_correct.
Check OfEmit.emit_printed_correct.
Print Assumptions OfEmit.emit_printed_correct.
Check OfEmit.emit_program_correct.
Print Assumptions OfEmit.emit_program_correct.
Check OfEmit.emit_no_overflow.
Print Assumptions OfEmit.emit_no_overflow.
Check OfEmit.emit_poly_room.
Print Assumptions OfEmit.emit_poly_room.
Check OfEmit.emit_allocation_correct.
Print Assumptions OfEmit.emit_allocation_correct.
Check OfEmit.emit_race_check.
Print Assumptions OfEmit.emit_race_check.
Check OfEmit.emit_memory_correct.
Print Assumptions OfEmit.emit_memory_correct.
Check OfEmit.emit_compile_correct_binary32.
Print Assumptions OfEmit.emit_compile_correct_binary32.
Check OfEmit.emit_compile_correct_binary64.
Print Assumptions OfEmit.emit_compile_correct_binary64.
Check OfEmit.emit_compile_correct_integers.
Print Assumptions OfEmit.emit_compile_correct_integers.
Check OfText.erratum_a8.
Print Assumptions OfText.erratum_a8.
Check OfText.erratum_a2_overlap.
Print Assumptions OfText.erratum_a2_overlap.
Check OfText.erratum_c11.
Print Assumptions OfText.erratum_c11.
Check OfText.erratum_c12.
Print Assumptions OfText.erratum_c12.
Check OfText.erratum_a10.
Print Assumptions OfText.erratum_a10.
Check OfText.erratum_cge2.
Print Assumptions OfText.erratum_cge2.
Check OfText.erratum_cge5.
Print Assumptions OfText.erratum_cge5.
Check OfText.erratum_cge6.
Print Assumptions OfText.erratum_cge6.
Check OfText.erratum_cgc2.
Print Assumptions OfText.erratum_cgc2.
Check OfText.erratum_int_declaration.
Print Assumptions OfText.erratum_int_declaration.
Check OfText.erratum_idxpred.
Print Assumptions OfText.erratum_idxpred.
Check OfText.erratum_split_dot_operator.
Print Assumptions OfText.erratum_split_dot_operator.
Check OfText.erratum_split_dot_listing.
Print Assumptions OfText.erratum_split_dot_listing.
Check OfText.erratum_operand_order.
Print Assumptions OfText.erratum_operand_order.
Check OfLower.lower_correct.
Print Assumptions OfLower.lower_correct.
Check OfLower.lower_typed.
Print Assumptions OfLower.lower_typed.
Check OfLower.kernel_compile_correct.
Print Assumptions OfLower.kernel_compile_correct.
Check OfPattern.match_judgement_iff.
Print Assumptions OfPattern.match_judgement_iff.
Check OfPattern.match_conditions_iff.
Print Assumptions OfPattern.match_conditions_iff.
Check OfPattern.match_sound.
Print Assumptions OfPattern.match_sound.
Check OfPattern.match_complete.
Print Assumptions OfPattern.match_complete.
Check OfPattern.multi_match_sound.
Print Assumptions OfPattern.multi_match_sound.
Check OfPattern.multi_match_complete.
Print Assumptions OfPattern.multi_match_complete.
Check OfPattern.variadic_sound.
Print Assumptions OfPattern.variadic_sound.
Check OfPattern.variadic_maximal.
Print Assumptions OfPattern.variadic_maximal.
Check OfRewrite.build_iff.
Print Assumptions OfRewrite.build_iff.
Check OfRewrite.convex_acyclic.
Print Assumptions OfRewrite.convex_acyclic.
Check OfRewrite.rewrite_preserves.
Print Assumptions OfRewrite.rewrite_preserves.
Check OfRewrite.fix_preserves.
Print Assumptions OfRewrite.fix_preserves.
Check OfPattern.pattern_order_iff.
Print Assumptions OfPattern.pattern_order_iff.
Check OfPattern.match_deterministic.
Print Assumptions OfPattern.match_deterministic.
Check OfPattern.path_fwd.
Print Assumptions OfPattern.path_fwd.
Check OfPattern.path_matched_iff.
Print Assumptions OfPattern.path_matched_iff.
Check OfPattern.path_output_new.
Print Assumptions OfPattern.path_output_new.
Check OfPattern.match_anchored.
Print Assumptions OfPattern.match_anchored.
Check OfPattern.connected_anchor.
Print Assumptions OfPattern.connected_anchor.
Check OfPattern.bidirectional_complete.
Print Assumptions OfPattern.bidirectional_complete.
Check OfPattern.bidirectional_variadic.
Print Assumptions OfPattern.bidirectional_variadic.
Check OfPattern.peg_sound.
Print Assumptions OfPattern.peg_sound.
Check OfPattern.peg_complete.
Print Assumptions OfPattern.peg_complete.
Check OfRewrite.convex_iff_acyclic.
Print Assumptions OfRewrite.convex_iff_acyclic.
Check OfRewrite.place_target_iff.
Print Assumptions OfRewrite.place_target_iff.
Check OfRewrite.joint_cycle.
Print Assumptions OfRewrite.joint_cycle.
Check OfRewrite.rewrite_wf.
Print Assumptions OfRewrite.rewrite_wf.
Check OfRewrite.fold_preserves.
Print Assumptions OfRewrite.fold_preserves.
Check OfRewrite.fold_complete.
Print Assumptions OfRewrite.fold_complete.
Check OfRewrite.check_sound.
Print Assumptions OfRewrite.check_sound.
Check OfRewrite.check_branches_sound.
Print Assumptions OfRewrite.check_branches_sound.
Check OfRewrite.check_irrelevant.
Print Assumptions OfRewrite.check_irrelevant.
Check OfRewrite.rule_identity_removal_sound.
Print Assumptions OfRewrite.rule_identity_removal_sound.
Check OfRewrite.rule_dropout_removal_sound.
Print Assumptions OfRewrite.rule_dropout_removal_sound.
Check OfRewrite.rule_reshape_reshape_sound.
Print Assumptions OfRewrite.rule_reshape_reshape_sound.
Check OfRewrite.rule_reshape_flatten_sound.
Print Assumptions OfRewrite.rule_reshape_flatten_sound.
Check OfRewrite.rule_reshape_squeeze_sound.
Print Assumptions OfRewrite.rule_reshape_squeeze_sound.
Check OfRewrite.rule_reshape_unsqueeze_sound.
Print Assumptions OfRewrite.rule_reshape_unsqueeze_sound.
Check OfRewrite.rule_flatten_reshape_sound.
Print Assumptions OfRewrite.rule_flatten_reshape_sound.
Check OfRewrite.rule_squeeze_reshape_sound.
Print Assumptions OfRewrite.rule_squeeze_reshape_sound.
Check OfRewrite.rule_unsqueeze_reshape_sound.
Print Assumptions OfRewrite.rule_unsqueeze_reshape_sound.
Check OfRewrite.rule_squeeze_unsqueeze_sound.
Print Assumptions OfRewrite.rule_squeeze_unsqueeze_sound.
Check OfRewrite.rule_unsqueeze_squeeze_sound.
Print Assumptions OfRewrite.rule_unsqueeze_squeeze_sound.
Check OfRewrite.rule_reshape_identity_sound.
Print Assumptions OfRewrite.rule_reshape_identity_sound.
Check OfRewrite.rule_flatten_identity_sound.
Print Assumptions OfRewrite.rule_flatten_identity_sound.
Check OfRewrite.proved_rules_sound.
Print Assumptions OfRewrite.proved_rules_sound.
Check OfErrata.erratum_no_state.
Print Assumptions OfErrata.erratum_no_state.
Check OfErrata.erratum_rebuild.
Print Assumptions OfErrata.erratum_rebuild.
Check OfErrata.erratum_succ_corres.
Print Assumptions OfErrata.erratum_succ_corres.
Check OfErrata.erratum_alg2_incomplete.
Print Assumptions OfErrata.erratum_alg2_incomplete.
Check OfErrata.erratum_duplicate_predecessor.
Print Assumptions OfErrata.erratum_duplicate_predecessor.
Check OfErrata.erratum_injective.
Print Assumptions OfErrata.erratum_injective.
Check OfErrata.erratum_cycle.
Print Assumptions OfErrata.erratum_cycle.
Check OfErrata.erratum_joint_cycle.
Print Assumptions OfErrata.erratum_joint_cycle.
Check OfErrata.erratum_variadic_veto.
Print Assumptions OfErrata.erratum_variadic_veto.
Check OfErrata.erratum_alt_commits.
Print Assumptions OfErrata.erratum_alt_commits.
Check OfErrata.erratum_inst_environment.
Print Assumptions OfErrata.erratum_inst_environment.
Check OfErrata.erratum_call_attributes.
Print Assumptions OfErrata.erratum_call_attributes.
Check OfErrata.erratum_symbol_outside_template.
Print Assumptions OfErrata.erratum_symbol_outside_template.
Check OfErrata.erratum_committed_outputs.
Print Assumptions OfErrata.erratum_committed_outputs.
Check OfErrata.erratum_inputs.
Print Assumptions OfErrata.erratum_inputs.
Check OfErrata.erratum_overlap.
Print Assumptions OfErrata.erratum_overlap.
Check OfErrata.erratum_variadic_outputs.
Print Assumptions OfErrata.erratum_variadic_outputs.
Check OfErrata.erratum_instantiate_copies.
Print Assumptions OfErrata.erratum_instantiate_copies.
Check OfErrata.erratum_instantiate_gap.
Print Assumptions OfErrata.erratum_instantiate_gap.
Check OfErrata.erratum_instantiate_attributes.
Print Assumptions OfErrata.erratum_instantiate_attributes.
Check OfErrata.erratum_wildcard_leaf.
Print Assumptions OfErrata.erratum_wildcard_leaf.
Check OfErrata.erratum_inst_unreachable.
Print Assumptions OfErrata.erratum_inst_unreachable.
Check OfErrata.erratum_map_not_restored.
Print Assumptions OfErrata.erratum_map_not_restored.
Check OfErrata.erratum_use_unchecked.
Print Assumptions OfErrata.erratum_use_unchecked.
Check OfErrata.erratum_push_undefined.
Print Assumptions OfErrata.erratum_push_undefined.
Check OfErrata.erratum_first_candidate.
Print Assumptions OfErrata.erratum_first_candidate.
Check OfErrata.erratum_weak_connectivity.
Print Assumptions OfErrata.erratum_weak_connectivity.
Check OfErrata.erratum_alg2_successors.
Print Assumptions OfErrata.erratum_alg2_successors.
Check OfErrata.erratum_divergence.
Print Assumptions OfErrata.erratum_divergence.
Check OfRewrite.identity_removal_valid.
Print Assumptions OfRewrite.identity_removal_valid.
Check OfPattern.match_one_to_one.
Print Assumptions OfPattern.match_one_to_one.
Check OfPattern.all_matches_sound.
Print Assumptions OfPattern.all_matches_sound.
Check OfOracle.env_full_first.
Print Assumptions OfOracle.env_full_first.
Check OfOracle.env_full_other.
Print Assumptions OfOracle.env_full_other.
Check OfOracle.rule_at_sound.
Print Assumptions OfOracle.rule_at_sound.
Check OfOracle.box_iff.
Print Assumptions OfOracle.box_iff.
Check OfOracle.kernel_exec_int64s.
Print Assumptions OfOracle.kernel_exec_int64s.
Check OfOracle.reads_iff.
Print Assumptions OfOracle.reads_iff.
Check OfOracle.inline_once_correct.
Print Assumptions OfOracle.inline_once_correct.
