(** * A small model, compiled

    Conv with padding, Relu, Gather by constant indices, Concat, Reshape, MatMul and Softmax
    at binary32: every hypothesis of [model_correct] is computed.  [ex] is any exponential.
    Indices are whole numbers of the same structure. *)

From Coq Require Import Bool List Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Instances.
From Calque Require Import rewrite.Sound rewrite.SoundModel model.Unit model.Compile model.ModelProof.
From Calque Require kernel.Kernel kernel.InlineAll model.GraphKernel model.GraphKernelProof model.Fused model.FusedProof model.Plan.
From Calque Require pattern.Pattern.
Import ListNotations.
Open Scope nat_scope.

(** The integer that a number is, if it is one. *)
Definition whole_index (x : spec_float) : option Z :=
  let z := cut x in if SFeqb x (whole 24 128 z) then Some z else None.

Definition floats (ex : spec_float -> spec_float) : arith :=
  let b := binary32 in
  {| num := spec_float; s_integer := false; s_int := s_int b; s_float := s_float b; s_ratio := s_ratio b;
     s_tiny := s_tiny b; s_least := s_least b; s_add := s_add b; s_sub := s_sub b; s_mul := s_mul b;
     s_div := s_div b; s_mod := s_mod b; s_max := s_max b; s_min := s_min b; s_less := s_less b;
     s_equal := s_equal b; s_when := s_when b; s_orelse := s_orelse b; s_pow := s_pow b; s_neg := s_neg b;
     s_abs := s_abs b; s_exp := ex; s_log := s_log b; s_sqrt := s_sqrt b; s_tanh := s_tanh b; s_erf := s_erf b; s_round := s_round b;
     s_cast := s_cast b; s_index := whole_index |}.

Section Instance.
  Variable ex : spec_float -> spec_float.
  Notation S := (floats ex).
  Notation tensor := (tensor (num S)).

  Definition vector (l : list Z) : value := VTuple (map VInt l).
  Definition shaped (l : list Z) : attributes := [("shape"%string, vector l)].
  Definition made (ds : sizes) (f : nat -> Z) : option tensor :=
    Some (Tensor ds (map (fun k => s_int S (f k)) (seq 0 (cell_count ds)))).

  Definition the_constants (k : N) : option tensor :=
    match k with
    | 1%N => made [3; 2; 3; 3] (fun k => Z.of_nat k mod 5 - 2)%Z
    | 2%N => made [3] (fun k => Z.of_nat k)
    | 3%N => made [2] (fun k => 2 - 2 * Z.of_nat k)%Z
    | 4%N => made [16; 4] (fun k => Z.of_nat k mod 3 - 1)%Z
    | _ => None
    end.

  Definition call (name : string) (attrs : attributes) (l : list nat) : node Pattern.oper :=
    Node (Pattern.Oper (Pattern.KCall name) [] attrs) l.
  Definition leaf (k : Pattern.kind) (type : attributes) : node Pattern.oper := Node (Pattern.Oper k type []) [].

  Definition the_model : Pattern.tgraph :=
    [leaf Pattern.KAbsent [];
     leaf (Pattern.KInput 0) (shaped [1; 2; 4; 4]%Z);
     leaf (Pattern.KConst 1 None) []; leaf (Pattern.KConst 2 None) [];
     call "Conv" [("pads"%string, vector [1; 1; 1; 1]%Z)] [1; 2; 3];
     call "Relu" [] [4];
     leaf (Pattern.KConst 3 None) [];
     call "Gather" [("axis"%string, VInt 1)] [5; 6];
     call "Concat" [("axis"%string, VInt 1)] [5; 7];
     call "Reshape" (shaped [5; 16]%Z) [8];
     leaf (Pattern.KConst 4 None) [];
     call "MatMul" [] [9; 10];
     call "Softmax" [("axis"%string, VInt 1)] [11]].

  (** Offsets of what the calls store; the last ones lie where others were. *)
  Definition the_plan : list nat := [0; 48; 96; 128; 48; 0; 20; 48; 25; 72].
  Notation the_unit := (compile (const_value S the_constants (fun _ => None)) 208 the_plan the_model [12]).

  (** There is one, and it has no look-ups. *)
  Lemma the_unit_is_there : exists u, the_unit = Some u /\ no_fetches u = true.
  Proof.
    assert (match the_unit with Some u => no_fetches u | None => false end = true) as T by (vm_compute; reflexivity).
    destruct the_unit as [u |]; [now exists u | discriminate T].
  Qed.

  Definition only (x : tensor) (k : N) : option tensor := if (k =? 0)%N then Some x else None.

  Lemma only_fits (x : tensor) : good x -> dims x = [1; 2; 4; 4] -> inputs_fit (only x) the_model.
  Proof.
    intros G D n k I Wh. repeat (destruct I as [<- | I]; [try discriminate Wh |]); [| destruct I].
    injection Wh as <-. exists x. rewrite D. repeat split. exact G.
  Qed.

  (** For any exponential and any input of the declared sizes, the run of the unit is the
      value of the model. *)
  Theorem the_model_correct (x : tensor) : good x -> dims x = [1; 2; 4; 4] ->
    exists u outs, the_unit = Some u /\
      outputs_of S (only x) the_constants (fun _ => None) the_model [12] = Some outs /\ run_unit u (only x) = Finished outs.
  Proof.
    intros G D. destruct the_unit_is_there as (u & U & N).
    destruct (model_total S (only x) the_constants (fun _ => None) 208 the_plan the_model [12] u U) as (outs & E & R).
    - now apply only_fits.
    - exact N.
    - exists u, outs. auto.
  Qed.

  (** As one kernel program, whatever is inlined. *)
  Notation the_kernel := (GraphKernel.graph_kernel S (const_value S the_constants (fun _ => None)) the_model [12]).

  Lemma the_kernel_is_there : the_kernel <> None.
  Proof.
    assert (match the_kernel with Some _ => true | None => false end = true) as T by (vm_compute; reflexivity).
    intros E. rewrite E in T. discriminate T.
  Qed.

  Theorem the_kernel_correct (x : tensor) ts : good x -> dims x = [1; 2; 4; 4] ->
    exists P us, the_kernel = Some P /\
      outputs_of S (only x) the_constants (fun _ => None) the_model [12] = Some us /\
      Forall2 (fun t u => forall i,
          Kernel.exec_prog (fst (InlineAll.live (kernel_scalars S) (GraphKernel.p_outputs P)
              (InlineAll.inline_all (kernel_scalars S) (GraphKernel.p_outputs P) ts (GraphKernel.p_prog P))))
            (GraphKernel.k_store S (GraphKernel.p_sources P) (only x)) t i = get (s_zero S) u i)
        (GraphKernel.p_outputs P) us.
  Proof.
    intros G D. destruct the_kernel as [P |] eqn:E; [| elim the_kernel_is_there; exact E].
    destruct (GraphKernelProof.graph_kernel_inlined S (only x) the_constants (fun _ => None) the_model [12] P ts E) as (us & Eu & F).
    - now apply only_fits.
    - exists P, us. auto.
  Qed.

  (** Without overlap. *)
  Lemma the_stacked_is_there :
    Plan.compile_stacked (const_value S the_constants (fun _ => None)) the_model [12] <> None.
  Proof.
    assert (match Plan.compile_stacked (const_value S the_constants (fun _ => None)) the_model [12] with
            | Some _ => true | None => false end = true) as T by (vm_compute; reflexivity).
    intros E. rewrite E in T. discriminate T.
  Qed.

  (** And as one function: of ten tensors that the operators store, five are inlined. *)
  Notation the_fused := (Fused.compile_fused (const_value S the_constants (fun _ => None)) 98 [0; 48; 68; 73; 78]
    (seq 0 15) the_model [12]).

  Lemma the_fused_is_there : the_fused <> None.
  Proof.
    assert (match the_fused with Some _ => true | None => false end = true) as T by (vm_compute; reflexivity).
    intros E. rewrite E in T. discriminate T.
  Qed.

  Theorem the_fused_correct (x : tensor) : good x -> dims x = [1; 2; 4; 4] ->
    exists u outs, the_fused = Some u /\
      outputs_of S (only x) the_constants (fun _ => None) the_model [12] = Some outs /\ run_unit u (only x) = Finished outs.
  Proof.
    intros G D. destruct the_fused as [u |] eqn:U; [| elim the_fused_is_there; exact U].
    destruct (FusedProof.fused_correct S (only x) the_constants (fun _ => None) 98 [0; 48; 68; 73; 78] (seq 0 15)
      the_model [12] u U) as (outs & E & R).
    - now apply only_fits.
    - exists u, outs. auto.
  Qed.
End Instance.
