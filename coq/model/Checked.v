(** * The checker of programs accepts operators' kernels

    With the range test of [RangeKnown]; [range_interval] refuses the loads of Concat and Pad
    behind selects. *)

From Coq Require Import Bool List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr kernel.Kernel kernel.Lower.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel.
From Calque Require Import model.Function model.Instance.
From Calque Require dpia.Syntax dpia.Typing dpia.Range dpia.RangeKnown emit.Whole.
Import ListNotations.
Open Scope nat_scope.

Notation plain := (scalar_algebra (kernel_scalars no_numbers)).

(** Is the lowered kernel accepted? *)
Definition accepted (range : Typing.ctx Syntax.numbers -> Syntax.ix Syntax.numbers -> nat -> bool)
    (name : string) (attrs : attributes) (ins : list sizes) (out : sizes) : bool :=
  match op_kernel no_numbers name attrs ins out false [] with
  | Some p =>
      let given := combine (map tX (seq 0 (List.length ins))) ins in
      let ts := tensors given p in
      match traverse (assign ts) p with
      | Some l => Whole.checked (A := plain) range (map (fun td => array (snd td)) ts) (given_first (List.length ins)) l
      | None => false
      end
  | None => false
  end.

Notation known := (@RangeKnown.range_known Syntax.numbers Syntax.numbers_sizing).
Notation plain_interval := (@Range.range_interval Syntax.numbers Syntax.numbers_sizing).

Open Scope string_scope.

(** Name, attributes, sizes of the inputs and of the output. *)
Definition cases : list (string * attributes * list sizes * sizes) :=
  [("Concat", [("axis", VInt 1)], [[2; 3]; [2; 2]], [2; 5]);
   ("Concat", [("axis", VInt 1)], [[2; 3]; [2; 2]; [2; 4]], [2; 9]);
   ("Pad", [("pads", vector [1; 0; 1; 2]%Z)], [[2; 3]], [4; 5]);
   ("Pad", [("mode", VStr "edge"); ("pads", vector [1; 1; 1; 2]%Z)], [[2; 3]], [4; 6]);
   ("Pad", [("mode", VStr "reflect"); ("pads", vector [1; 1; 1; 2]%Z)], [[2; 3]], [4; 6]);
   ("Conv", [("pads", vector [1; 1; 1; 1]%Z)], [[1; 2; 4; 4]; [3; 2; 3; 3]], [1; 3; 4; 4]);
   ("MaxPool", [("pads", vector [1; 1; 1; 1]%Z); ("kernel_shape", vector [3; 3]%Z)], [[1; 2; 4; 4]], [1; 2; 4; 4]);
   ("LRN", [("size", VInt 3)], [[1; 4; 2; 2]], [1; 4; 2; 2]);
   ("Softmax", [("axis", VInt 1)], [[2; 3]], [2; 3]);
   ("Reshape", shaped [6; 4]%Z, [[2; 3; 4]], [6; 4]);
   ("Split", [("axis", VInt 1); ("split", vector [1; 2]%Z)], [[2; 3]], [])].

Theorem kernels_accepted :
  forallb (fun c => let '(name, attrs, ins, out) := c in accepted known name attrs ins out) cases = true /\
  accepted plain_interval "Concat" [("axis", VInt 1)] [[2; 3]; [2; 2]] [2; 5] = false.
Proof. split; vm_compute; reflexivity. Qed.
