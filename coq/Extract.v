(** * Extraction of the oracle

    Stock libraries, and some constants for whole models (below): [Z], [N] and [nat] become arbitrary precision integers of
    zarith, never machine integers (int64 is a range check of the semantics, not
    an accident of the target); Coq strings become OCaml strings, byte for byte.
    Extraction writes into the current directory: compile this file from the
    build directory. *)

From Coq Require Extraction PeanoNat.
From Coq Require Import ExtrOcamlBasic ExtrOcamlNativeString ExtrOcamlZBigInt ExtrOcamlNatBigInt.
From Calque Require Import attr.Attr.
From Calque Require pattern.Pattern pattern.Match rewrite.Rewrite rewrite.Check rewrite.Proved.
From Calque Require kernel.Kernel kernel.Wf kernel.Lookup kernel.Inline kernel.Reverse kernel.Numbers.
From Calque Require kernel.GradientProgram kernel.GradientNumbers.
From Calque Require dpia.Syntax dpia.Typing dpia.Range dpia.Values dpia.Target dpia.Trans dpia.Scalars.
From Calque Require tensor.OpKernel tensor.OpTable tensor.Scalars tensor.Instances tensor.Mixed.
From Calque Require rewrite.GraphEval rewrite.Typed rewrite.OptCorrect.
From Calque Require emit.MiniC emit.Codegen emit.Flat emit.Memory emit.Whole emit.Machine.
From Calque Require rewrite.SoundModel model.Unit model.Compile model.GraphKernel model.Fused model.Plan model.Refused.
From Calque Require kernel.ValidateWords.

Extraction "extracted.ml"
  in_int64 value_in_range value_eqb unary_names binary_names reduction_names func_names
  env_full eval amatch
  Graph.wfb Pattern.orderedb Match.commutative Match.all_matches Rewrite.rewrite_fix Check.rule_check Proved.proved_rules
  Kernel.box Numbers.int64s Numbers.kernel_exec Lookup.kernel_look Inline.inline_once Inline.inline_tensor Inline.reads Reverse.reverse_tensor
  Wf.wf_stmt GradientProgram.gradient GradientNumbers.binary64_field GradientNumbers.integer_field.

(** In a file of its own, so that its names do not depend on the others'. *)
Set Warnings "-extraction-opaque-accessed".
Extraction "extracted_dpia.ml"
  Range.symbols Range.symbol Range.poly_plus Range.poly_lift Range.poly_val
  Range.range_var Range.range_interval Whole.checked Whole.meaning Whole.all_set
  Whole.translate_all Whole.emitted Flat.kcells Flat.cells Memory.mrun Memory.maps
  Scalars.binary32 Scalars.binary64 Scalars.integers Scalars.machine Scalars.words.

Extraction "extracted_validate.ml" ValidateWords.nothing ValidateWords.neutral_words ValidateWords.validate_words.

Extraction "extracted_op.ml" OpKernel.op_kernel OpTable.no_numbers Scalars.kernel_scalars Wf.wf_stmt.

(** For whole models: what [ExtrOcamlNatBigInt] does to [plus] and [mult], under the names of [Arith]; cells of tensors
    are lists, whose elements are found in an array of the same. *)
Extract Constant PeanoNat.Nat.add => "Big_int_Z.add_big_int".
Extract Constant PeanoNat.Nat.mul => "Big_int_Z.mult_big_int".
Extract Constant List.nth => "Fast.nth".
(** [nat], [N] and [Z] are one type of integers here, which conversions leave as they are: sizes and offsets are large. *)
Extract Constant BinInt.Z.of_nat => "(fun n -> n)".
Extract Constant BinInt.Z.to_nat => "(fun z -> if Big_int_Z.sign_big_int z < 0 then Big_int_Z.zero_big_int else z)".
Extract Constant BinNat.N.of_nat => "(fun n -> n)".
Extract Constant BinNat.N.to_nat => "(fun n -> n)".
Extraction "extracted_value.ml"
  OpTable.op_value OpTable.op_infer Instances.int64 Instances.binary32 Instances.binary64
  GraphEval.graph_eval OptCorrect.ready Typed.typed Typed.inputs_fit Typed.constants_fit Typed.open_gathers
  Mixed.mixed Mixed.standard.

(** Whole models: the compilers to units, their run in 64-bit indices, and its test. *)
Extraction "extracted_model.ml" Compile.compile Plan.compile_stacked Fused.compile_fused GraphKernel.graph_kernel
  Unit.run_unit Machine.fits Machine.frun64
  Refused.refused Refused.reason_of Function.stored Compile.known_index SoundModel.const_value OpKernel.op_kernel Mixed.mixed Mixed.standard Instances.int64.
