(** * A model that converts, compiled

    [x] at binary32 to int64, int32, bool and binary64, and from each back to binary32: every
    hypothesis of [model_correct] is computed, and so are the outputs at one input. *)

From Coq Require Import Bool List Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Instances tensor.Mixed tensor.Convert.
From Calque Require Import rewrite.Sound rewrite.SoundModel model.Unit model.Compile model.ModelProof model.Plan.
From Calque Require Import model.Instance model.MixedInstance.
From Calque Require pattern.Pattern.
Import ListNotations.
Open Scope nat_scope.

Definition casts_to (to : Z) (k : nat) : node Pattern.oper := call "Cast" [("to"%string, VInt to)] [k].

Definition casts : Pattern.tgraph :=
  [leaf Pattern.KAbsent []; leaf (Pattern.KInput 0) (shaped [2; 3]%Z);
   casts_to 7 1; casts_to 6 1; casts_to 9 1; casts_to 11 1;
   casts_to 1 2; casts_to 1 3; casts_to 1 4; casts_to 1 5; casts_to 6 2;
   casts_to 3 1; casts_to 2 1].

Definition the_outputs : list nat := [2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12].

Section CastInstance.
  Variable ex : spec_float -> spec_float.

  Definition some : elements := some_elements ex.
  Notation S := (mixed some).
  Notation tensor := (tensor (num S)).

  Definition the_unit : option (unit_ S) := compile_stacked (const_value S (fun _ => None) (fun _ => None)) casts the_outputs.

  (** There is one, and it has no look-ups. *)
  Lemma the_unit_is_there : exists u, the_unit = Some u /\ no_fetches u = true.
  Proof.
    assert (match the_unit with Some u => no_fetches u | None => false end = true) as T by (vm_compute; reflexivity).
    destruct the_unit as [u |]; [now exists u | discriminate T].
  Qed.

  Definition only (x : tensor) (k : N) : option tensor := if (k =? 0)%N then Some x else None.

  Theorem casts_correct (x : tensor) : good x -> dims x = [2; 3] ->
    exists u outs, the_unit = Some u /\
      outputs_of S (only x) (fun _ => None) (fun _ => None) casts the_outputs = Some outs /\ run_unit u (only x) = Finished outs.
  Proof.
    intros G D. destruct the_unit_is_there as (u & U & N).
    pose proof U as C. unfold the_unit in C. destruct (stacked_total S (only x) (fun _ => None) (fun _ => None) casts the_outputs u C) as (outs & E & R).
    - intros n k I Wh. repeat (destruct I as [<- | I]; [try discriminate Wh |]); [| destruct I].
      injection Wh as <-. exists x. rewrite D. repeat split. exact G.
    - exact N.
    - exists u, outs. auto.
  Qed.

  (** 2.5, -2.5, -0, NaN, infinity, 2^31. *)
  Definition reals : list spec_float :=
    [S754_finite false 10485760 (-22); S754_finite true 10485760 (-22); S754_zero true; S754_nan; S754_infinity false;
     S754_finite false 8388608 8].

  Definition the_input : tensor := Tensor [2; 3] (map (of_f32 some) reals).

  (** What a cell is, if it is of one type. *)
  Definition shown (a : num S) : option cell :=
    match a with
    | Scalar _ (Some x) None None None None None None => Some (F32 x)
    | Scalar _ None (Some x) None None None None None => Some (F64 x)
    | Scalar _ None None (Some (Some z)) None None None None => Some (I64 z)
    | Scalar _ None None None (Some (Some z)) None None None => Some (I32 z)
    | Scalar _ None None None None (Some (Some z)) None None => Some (I8 z)
    | Scalar _ None None None None None (Some (Some z)) None => Some (U8 z)
    | Scalar _ None None None None None None (Some b) => Some (Bool b)
    | _ => None
    end.

  Definition single (z : Z) : cell := F32 (s_int binary32 z).

  (** As int64, int32, bool, binary64; from each of them back to binary32; the int64 as int32. As int8 and uint8. *)
  Definition the_cells : list (list cell) :=
    [map I64 [2; -2; 0; 0; 2 ^ 63 - 1; 2 ^ 31]%Z; map I32 [2; -2; 0; 0; 2 ^ 31 - 1; 2 ^ 31 - 1]%Z;
     map Bool [true; true; false; true; true; true]; map (fun x => F64 (rounded 53 1024 x)) reals;
     map single [2; -2; 0; 0; 2 ^ 63; 2 ^ 31]%Z; map single [2; -2; 0; 0; 2 ^ 31; 2 ^ 31]%Z;
     map single [1; 1; 0; 1; 1; 1]%Z; map F32 reals; map I32 [2; -2; 0; 0; -1; - 2 ^ 31]%Z;
     map I8 [2; -2; 0; 0; 127; 127]%Z; map U8 [2; 0; 0; 0; 255; 255]%Z].

  Theorem casts_values : exists u outs, the_unit = Some u /\ run_unit u (only the_input) = Finished outs /\
    map (fun t => map shown (cells t)) outs = map (map Some) the_cells.
  Proof.
    destruct (casts_correct the_input eq_refl eq_refl) as (u & outs & U & O & R). exists u, outs.
    split; [exact U |]. split; [exact R |].
    assert (option_map (map (fun t => map shown (cells t)))
        (outputs_of S (only the_input) (fun _ => None) (fun _ => None) casts the_outputs) =
      Some (map (map Some) the_cells)) as E by (vm_compute; reflexivity).
    rewrite O in E. injection E as E. exact E.
  Qed.
End CastInstance.
