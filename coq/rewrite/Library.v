(** * The rules of the library, in the order of their turns *)

From Coq Require Import List String.
From Calque Require Import pattern.Match.
From Calque Require Export rewrite.LibrarySimplify rewrite.LibraryFold rewrite.LibraryLike.
From Calque Require Export rewrite.LibraryMerge rewrite.LibraryPairs rewrite.LibraryLower rewrite.LibraryQuantised.
Import ListNotations.
Open Scope list_scope.

Definition library : list (string * rule) :=
  library_simplify ++ library_fold ++ library_like ++ library_merge ++ library_pairs ++ library_lower ++ library_quantised.
