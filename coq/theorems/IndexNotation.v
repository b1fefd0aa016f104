(** * Headline theorems: graphs and kernels *)

From Coq Require Import Bool List NArith String ZArith.
From Coq Require QArith Qcanon.
From Calque Require Import attr.Attr.
From Calque Require attr.AttrProof attr.Memo graph.Graph kernel.Kernel kernel.KernelProof.
From Calque Require kernel.Wf kernel.WfProof.
From Calque Require kernel.Numbers kernel.Gradient kernel.GradientProgram kernel.SweepProof kernel.NeededProof.
From Calque Require kernel.Source kernel.Inline kernel.InlineProof kernel.Dual kernel.GradErrata.
From Calque Require kernel.Lower kernel.LowerProof kernel.LowerTyped.
From Calque Require dpia.Range dpia.Order dpia.Correct dpia.Scalars dpia.Errata dpia.Programs.
From Calque Require emit.Codegen emit.Flat emit.FlatProof emit.Memory emit.Tidy emit.TidyProof.
From Calque Require emit.Owner emit.Machine emit.MachineProof emit.Errata emit.Whole emit.WholeProof.
Import ListNotations.
Open Scope Z_scope.

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
Import Kernel Gradient SweepProof Dual.

Theorem tangent_dual :
  forall F (st du : store (text F)) (e : ex (text F)) own rho,
    sums_only F e = true ->
    eval (dual_store F st du) rho (embed F e) =
    ((eval st rho e, tangent F st du None own rho e) : dual_number F).
Proof. exact Dual.tangent_dual. Qed.

Theorem dual_inverse :
  forall F (b b' : elt F),
    rmul F b (rinv F b) = r1 F -> rinv F (rmul F b b) = rmul F (rinv F b) (rinv F b) ->
    rmul (dual F) (b, b') (rinv (dual F) (b, b')) = r1 (dual F).
Proof. exact Dual.dual_inverse. Qed.
End OfDual.

(** *** Errata of the seed report on gradients: pairs of what its swap gives and what
    is right, rational numbers *)

Module OfSwap.
Import QArith Qcanon Kernel Wf Numbers Inline Gradient GradientProgram NeededProof Source GradErrata.
Local Open Scope Z_scope.

Theorem erratum_swap_1 :
  let e := ld A [i] *! ld C [i] +! ld C [i] *! ld D [i] in
  swap A e = ld dO [i] *! ld C [i] +! ld C [i] *! ld D [i] /\ row e A = (90 # 1, 55 # 1)%Q.
Proof. exact GradErrata.erratum_swap_1. Qed.

Theorem erratum_swap_2 :
  let e := ld C [i] -! ld A [i] in
  swap A e = ld C [i] -! ld dO [i] /\ row e A = (-6 # 1, -11 # 1)%Q.
Proof. exact GradErrata.erratum_swap_2. Qed.

Theorem erratum_swap_3 :
  let e := ld A [i] *! (ld C [i] +! q 1) in
  let f := ld A [i] /! (ld C [i] +! q 4) in
  swap A e = ld dO [i] *! (ld C [i] +! q 0) /\ row e A = (55 # 1, 66 # 1)%Q /\
  row f A = (11 # 5, 11 # 9)%Q.
Proof. exact GradErrata.erratum_swap_3. Qed.

Theorem erratum_swap_4 :
  let e := ld A [i] *! ld A [i] *! ld A [i] in
  swap A e = ld dO [i] *! (ld A [i] +! ld A [i]) *! ld dO [i] /\ row e A = (484 # 1, 132 # 1)%Q.
Proof. exact GradErrata.erratum_swap_4. Qed.

Theorem erratum_swap_5 :
  let e := ld A [i] *! ld C [i] *! ld A [i] in
  swap A e = ld dO [i] *! ld C [i] *! ld dO [i] /\ row e A = (605 # 1, 220 # 1)%Q.
Proof. exact GradErrata.erratum_swap_5. Qed.

Theorem erratum_swap_6 :
  let e := (ld A [i] +! q 1) *! (ld A [i] +! q 1) in
  swap A e = (ld dO [i] +! q 0) *! (ld dO [i] +! q 0) /\ row e A = (121 # 1, 66 # 1)%Q.
Proof. exact GradErrata.erratum_swap_6. Qed.

Theorem erratum_swap_7 :
  let e := ld C [i] /! ld A [i] in
  swap A e = ld C [i] /! ld dO [i] /\ row e A = (5 # 11, -55 # 4)%Q.
Proof. exact GradErrata.erratum_swap_7. Qed.

Theorem erratum_swap_8 :
  let e := ld A [i] /! ld A [i] in
  swap A e = ld dO [i] /! ld dO [i] /\ row e A = (1 # 1, 0 # 1)%Q.
Proof. exact GradErrata.erratum_swap_8. Qed.

(** Two index maps under a product: B<3>[i] = A<4>[i] * A<4>[i+1]. *)
Theorem erratum_swap_9 :
  let e := ld A [i] *! ld A [IAdd i (ICst 1)] in
  let seed := ESel (CCmp CLt i (ICst 3)) (ld dO [i]) (q 0) *!
              ESel (CCmp CGe i (ICst 1)) (ld dO [ISub i (ICst 1)]) (q 0) in
  at_cell [1] seed = 132 # 1 /\ right [3%nat] e A [4%nat] [1] = 70 # 1.
Proof. exact GradErrata.erratum_swap_9. Qed.

(** The Gram matrix C<2,2>[i,j] = A<2,3>[i,k] * A<2,3>[j,k]. *)
Theorem erratum_swap_10 :
  let e := total [3%nat] (ld A [IVar 1; IVar 0] *! ld A [IVar 2; IVar 0]) in
  let seed := total [2%nat] (ld dO [IVar 1; IVar 0] *! ld dO [IVar 1; IVar 0]) in
  at_cell [0; 1] seed = 265 # 1 /\ right [2; 2]%nat e A [2; 3]%nat [0; 1] = 495 # 1.
Proof. exact GradErrata.erratum_swap_10. Qed.

(** C<2,2>[i,j] = sum(k<3) A[i,k] * B[k,j] + D[i,j] by D: the product survives, and
    the gradient is added once for each k. *)
Theorem erratum_swap_11 :
  let product := ld A [IVar 1; IVar 0] *! ld B [IVar 0; IVar 2] in
  let e := total [3%nat] product +! ld D [i; j] in
  let seed := total [3%nat] (product +! ld dO [IVar 1; IVar 2]) in
  at_cell [0; 1] seed = 182 # 1 /\ right [2; 2]%nat e D [2; 2]%nat [0; 1] = 12 # 1.
Proof. exact GradErrata.erratum_swap_11. Qed.

(** B<2>[i] = A<4>[i]: the rest of dA is never written. *)
Theorem erratum_swap_12 :
  (forall old, run_loops [2%nat] [i] (ld dO [i]) old [3] = old [3]) /\
  right [2%nat] (ld A [i]) A [4%nat] [3] = 0 # 1.
Proof. exact GradErrata.erratum_swap_12. Qed.

(** B<3>[i] = A<3,3>[i,i]: only the diagonal is written. *)
Theorem erratum_swap_13 :
  (forall old, run_loops [3%nat] [i; i] (ld dO [i]) old [0; 1] = old [0; 1]) /\
  right [3%nat] (ld A [i; i]) A [3; 3]%nat [0; 1] = 0 # 1 /\
  right [3%nat] (ld A [i; i]) A [3; 3]%nat [1; 1] = 12 # 1.
Proof. exact GradErrata.erratum_swap_13. Qed.

(** B<4>[i] = A<8>[i*2]: dB[a/2] for odd a too. *)
Theorem erratum_swap_14 :
  let e := ld A [IMul i 2] in
  at_cell [3] (ld dO [IDiv i 2]) = 12 # 1 /\ right [4%nat] e A [8%nat] [3] = 0 # 1 /\
  right [4%nat] e A [8%nat] [2] = 12 # 1.
Proof. exact GradErrata.erratum_swap_14. Qed.

(** B<32>[i] = A<2>[i//16] and B<32>[i] = A<16>[i%16]: a lone digit is many to one. *)
Theorem erratum_swap_15 :
  at_cell [0] (ld dO [IMul i 16]) = 11 # 1 /\
  right [32%nat] (ld A [IDiv i 16]) A [2%nat] [0] = 296 # 1 /\
  at_cell [0] (ld dO [i]) = 11 # 1 /\
  right [32%nat] (ld A [IMod i 16]) A [16%nat] [0] = 38 # 1.
Proof. exact GradErrata.erratum_swap_15. Qed.

(** B<40>[i] = A<3,16>[i//16, i%16]: dB[16a+b] is read past its end. *)
Theorem erratum_swap_16 :
  let shapes := fun t => if (t =? dO)%nat then [40%nat] else [3; 16]%nat in
  let e := ld A [IDiv i 16; IMod i 16] in
  ~ safe shapes [2; 15] (ld dO [IAdd (IMul i 16) j]) /\
  wf_stmt shapes (Stmt 5%nat [3; 16]%nat (gradient_of [40%nat] e A [3; 16]%nat)) = true /\
  right [40%nat] e A [3; 16]%nat [2; 15] = 0 # 1.
Proof. exact GradErrata.erratum_swap_16. Qed.

(** B<32>[i] = A<2,8>[i//16, i%8]: different divisors, two to one. *)
Theorem erratum_swap_17 :
  let e := ld A [IDiv i 16; IMod i 8] in
  at_cell [1; 3] (ld dO [IAdd (IMul i 16) j]) = 30 # 1 /\
  right [32%nat] e A [2; 8]%nat [1; 3] = 68 # 1.
Proof. exact GradErrata.erratum_swap_17. Qed.

(** O<2,3>[k,p] = sum(r<3) I<7>[2*p+r] * W<2,3>[k,r], a strided convolution: outside
    of the report's binary index expressions.  Here r is eliminated and guarded. *)
Theorem gather_18 :
  let e := total [3%nat] (ld A [IAdd (IMul (IVar 2) 2) (IVar 0)] *! ld C [IVar 1; IVar 0]) in
  let r := ISub (IVar 2) (IMul (IVar 1) 2) in
  gradient_of [2; 3]%nat e A [7%nat] =
  @ERed (text rationals) (KSum, [0; 0]) [2; 3]%nat
    (ESel (CAnd (CCmp CGe r (ICst 0)) (CCmp CLt r (ICst 3)))
          (ld dO [IVar 0; IVar 1] *! ld C [IVar 0; r]) (q 0)).
Proof. exact GradErrata.gather_18. Qed.

(** Two statements, the second in place: O = A * C; O = O + D * O (row 19).  The
    last statement alone does not load A; backwards, its gradient is dO * (1 + D) * C. *)
Theorem erratum_swap_19 :
  let last := ld B [i] +! ld D [i] *! ld B [i] in
  let p := [([], Stmt B [1%nat] (ld A [i] *! ld C [i])); ([], Stmt B [1%nat] last)] in
  at_cell [0] (gradient_of [1%nat] last A [1%nat]) = 0 # 1 /\
  match gradient rationals (Options false false false) (repeat [1%nat] 4) p [B] [A] with
  | Done r => this (run rationals (result_steps rationals r)
                (upd (S := text rationals) world (adjoint rationals r B) (world dO)) (adjoint rationals r A) [0])
  | _ => 0 # 1
  end = 440 # 1.
Proof. exact GradErrata.erratum_swap_19. Qed.

(** Case 8, B<32>[i] = A<2,16>[i//16, i%16]: a pair of digits. *)
Theorem gather_case8 :
  gradient_of [32%nat] (ld A [IDiv i 16; IMod i 16]) A [2; 16]%nat =
  ld dO [IAdd (IMul i 16) j].
Proof. exact GradErrata.gather_case8. Qed.

(** Case 1, a needed input: B is needed, A is not. *)
Theorem needed_case1 :
  loads (gradient_of [4; 16]%nat (ld A [i; j] *! ld C [i; j] +! q 1) A [4; 16]%nat) = [dO; C].
Proof. exact GradErrata.needed_case1. Qed.

End OfSwap.
