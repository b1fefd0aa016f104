(** * Extraction of the oracle

    Stock libraries only: [Z] and [N] become arbitrary precision integers of
    zarith, never machine integers (int64 is a range check of the semantics, not
    an accident of the target); Coq strings become OCaml strings, byte for byte.
    Extraction writes into the current directory: compile this file from the
    build directory. *)

From Coq Require Extraction.
From Coq Require Import ExtrOcamlBasic ExtrOcamlNativeString ExtrOcamlZBigInt.
From Calque Require Import attr.Attr.

Extraction "extracted.ml"
  in_int64 value_in_range value_eqb unary_names binary_names reduction_names func_names
  env_full eval amatch.
