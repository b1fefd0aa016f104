(** * Headline theorems: cells of programs, and emission that is checked *)

From Coq Require Import List Bool Arith String ZArith.
From Calque Require Import kernel.Repack kernel.RepackCorrect kernel.RepackWords.
From Calque Require kernel.RepackProgram.
From Calque Require Import base.Lists kernel.Kernel kernel.Lower kernel.LowerProof.
From Calque Require Import kernel.Validate kernel.ValidateProof kernel.ValidateWords.
From Calque Require dpia.Syntax dpia.Typing dpia.Values emit.Whole.
From Calque Require dpia.Cells dpia.CellsProof dpia.CellsForm dpia.CellsNormal dpia.CellsNormalProof.
Import ListNotations.
Open Scope nat_scope.

(** What is read as a program's cell has the value of the program there, over any scalars: no law
    of arithmetic, so bit for bit. *)
Theorem cells_correct :
  forall (A : Syntax.algebra) (types : list (Syntax.data Syntax.numbers)) (inputs : list (Values.value A))
    (dims : list nat) (e : Syntax.exp A Syntax.numbers) c ks,
    Typing.ty (s := Syntax.numbers_sizing) (Typing.closed types) e (array dims) ->
    Forall2 (Values.has_type (s := Syntax.numbers_sizing)) types inputs -> Forall2 lt ks dims ->
    Cells.cells CellsForm.tidy (List.length inputs) dims e = Some c ->
    Values.look (Values.eval (s := Syntax.numbers_sizing) inputs e) (map Values.At ks) = Cells.cval inputs (at_cell ks) c.
Proof. intros A. exact (@ValidateProof.cells_correct A). Qed.

(** Cells of one normal form have one value wherever the loops around stand. *)
Theorem cell_eq_right :
  forall (A : Syntax.algebra) (law : CellsNormal.laws A) (inputs : list (Values.value A)) (R : list nat)
    (r : Cells.point A) (c d : Cells.cell A),
    (forall w, In w inputs -> CellsNormalProof.good_value law w) ->
    CellsNormal.cell_eq law R c d = true ->
    CellsProof.within R (Cells.ind r) -> CellsNormalProof.good_point law r ->
    Cells.cval inputs r c = Cells.cval inputs r d.
Proof. intros A law inputs R r c d G E W P. exact (@CellsNormalProof.cell_eq_right A law inputs G R r c d E W P). Qed.

(** A program that passes the check computes the kernel's statement, whatever its strategy. *)
Theorem validated_correct :
  forall (S : scalars) (law : CellsNormal.laws (scalar_algebra S)) (shape : tid -> list nat) (n : nat)
    (p : Syntax.exp (scalar_algebra S) Syntax.numbers) (s : stmt S) (st : store S),
    validate S law shape n p s = Valid -> good_store S law shape n st ->
    Values.eval (s := Syntax.numbers_sizing) (held S shape n st) p = tree S (dims s) (exec s st (out s)).
Proof. exact ValidateProof.validated_correct. Qed.

(** Two statements that one program computes have the same cells. *)
Theorem validated_twice :
  forall (S : scalars) (law : CellsNormal.laws (scalar_algebra S)) (shape : tid -> list nat) (n : nat)
    (p : Syntax.exp (scalar_algebra S) Syntax.numbers) (s s' : stmt S) (st : store S),
    validate S law shape n p s = Valid -> validate S law shape n p s' = Valid -> good_store S law shape n st ->
    tree S (dims s) (exec s st (out s)) = tree S (dims s') (exec s' st (out s')).
Proof. intros S law shape n p s s' st P Q G. now rewrite <- (validated_correct S law shape n p s st P G), (validated_correct S law shape n p s' st Q G). Qed.

(** Several assignments, one after the other, against the statements in their order. *)
Theorem validated_program :
  forall (S : scalars) (law : CellsNormal.laws (scalar_algebra S)) (shape : tid -> list nat) (n : nat)
    (l : list (tid * Syntax.exp (scalar_algebra S) Syntax.numbers)) (k : prog S) (st : store S) (set : nat -> bool),
    validate_all S law shape n l k = true -> good_store S law shape n st -> (forall x, set x = true) ->
    Whole.meaning (s := Syntax.numbers_sizing) set (assignments S shape l) (held S shape n st) = held S shape n (exec_prog k st).
Proof. exact ValidateProof.validated_program. Qed.

(** The check that the oracle runs, on words: whatever these mean, floats of any precision among
    them, with guards around additions to +0. *)
Theorem validated_words :
  forall (M : reading) (shape : tid -> list nat) (n : nat) (p : Syntax.exp (scalar_algebra (words M)) Syntax.numbers)
    (s : stmt (words M)) (st : store (words M)),
    validate_words M shape n p s = Valid ->
    (forall t i, t < n -> in_box (shape t) i = true -> usual M (st t i)) ->
    Values.eval (s := Syntax.numbers_sizing) (held (words M) shape n st) p = tree (words M) (dims s) (exec s st (out s)).
Proof. exact ValidateWords.validated_words. Qed.

(** A kernel that was changed before it is lowered, with images that have a border, rounded sizes
    and packed weights, computes each tensor of the original, if the check says so and the packed
    data are what the map says. *)
Theorem repack_correct :
  forall (S : scalars) (law : rules S) (P : packing) (k q : prog S) (st st' : store S),
    repack law P k q = Same -> packed_store P st st' ->
    good_cells law (old_shape P) st -> good_cells law (new_shape P) st' -> numeric_cells law P st ->
    forall t i, stores k t = true -> exec_prog k st t i = exec_prog q st' t i.
Proof. exact RepackCorrect.repack_correct. Qed.

(** Over any scalars, where the rule of sums is not used. *)
Theorem repack_plain :
  forall (S : scalars) lit_eqb bop_eqb fid_eqb red_eqb
    (lit_right : forall a b : lit S, lit_eqb a b = true -> a = b) (bop_right : forall a b : bop S, bop_eqb a b = true -> a = b)
    (fid_right : forall a b : fid S, fid_eqb a b = true -> a = b) (red_right : forall a b : red S, red_eqb a b = true -> a = b)
    (P : packing) (k q : prog S) (st st' : store S),
    repack (plain_rules lit_eqb bop_eqb fid_eqb red_eqb lit_right bop_right fid_right red_right) P k q = Same ->
    packed_store P st st' ->
    forall t i, stores k t = true -> exec_prog k st t i = exec_prog q st' t i.
Proof. intros. eapply RepackCorrect.repack_plain; eassumption. Qed.

(** The check that the oracle runs, on words; at floats of any precision [RepackWords.floats_absorbing]. *)
Theorem repacked_words :
  forall (M : reading) (Z : absorbing M) (P : packing) (k q : prog (words M)) (st st' : store (words M)),
    repack_words M Z P k q = Same -> packed_store P st st' ->
    (forall t i, in_box (old_shape P t) i = true -> usual M (st t i)) ->
    (forall t i, in_box (new_shape P t) i = true -> usual M (st' t i)) ->
    (forall t i, t < count_old P -> is_numeric P t = true -> in_box (old_shape P t) i = true -> numeric M Z (st t i)) ->
    forall t i, stores k t = true -> exec_prog k st t i = exec_prog q st' t i.
Proof. exact RepackWords.repacked_words. Qed.

(** The same with products that are not rounded; at formal floats of any precision [RepackWords.floats_exact_absorbing]. *)
Theorem repacked_fused :
  forall (M : reading) (Z : exact_absorbing M) (P : packing) (k q : prog (words M)) (st st' : store (words M)),
    repack_fused M Z P k q = Same -> packed_store P st st' ->
    (forall t i, t < count_old P -> in_box (old_shape P t) i = true ->
       (is_numeric P t = true -> e_numeric M Z (st t i)) /\ (forall s, is_clean P s t = true -> e_clean M Z s (st t i))) ->
    forall t i, stores k t = true -> exec_prog k st t i = exec_prog q st' t i.
Proof. exact RepackWords.repacked_fused. Qed.

(** With the check of the data, cell by cell. *)
Theorem repack_with_data :
  forall (S : scalars) (law : rules S) (P : packing) (eqb : carrier S -> carrier S -> bool) (k q : prog S) (st st' : store S),
    (forall x y, eqb x y = true -> x = y) -> repack law P k q = Same ->
    forallb (fun e => data_same (zero S) eqb P e (st (Repack.tensor e)) (st' (Repack.tensor e))) (entries P) = true ->
    (forall t i, t < count_old P -> entry P t = None -> in_box (old_shape P t) i = true -> st' t i = st t i) ->
    good_cells law (old_shape P) st -> good_cells law (new_shape P) st' -> numeric_cells law P st ->
    forall t i, stores k t = true -> exec_prog k st t i = exec_prog q st' t i.
Proof. exact RepackCorrect.repack_with_data. Qed.

(** What the check of packed data says. *)
Theorem packed_data_same :
  forall (A : Type) (zero : A) (eqb : A -> A -> bool) (P : packing) (e : packed) (old new : list Z -> A),
    (forall x y, eqb x y = true -> x = y) -> data_same zero eqb P e old new = true ->
    forall i, in_box (new_shape P (Repack.tensor e)) i = true -> new i = packed_cell zero e old i.
Proof. exact @RepackCorrect.data_same_right. Qed.

(** Both checks, one after the other: the program of the changed kernel computes the original's
    tensors, whatever its strategy. *)
Theorem packed_program :
  forall (S : scalars) (law : rules S) (P : packing) (laws : CellsNormal.laws (scalar_algebra S)) (n : nat)
    (l : list (tid * Syntax.exp (scalar_algebra S) Syntax.numbers)) (k q : prog S) (st st' : store S) (set : nat -> bool),
    repack law P k q = Same -> packed_store P st st' ->
    good_cells law (old_shape P) st -> good_cells law (new_shape P) st' -> numeric_cells law P st ->
    validate_all S laws (new_shape P) n l q = true -> good_store S laws (new_shape P) n st' -> (forall x, set x = true) ->
    forall t, t < n -> stores k t = true ->
      nth t (Whole.meaning (s := Syntax.numbers_sizing) set (assignments S (new_shape P) l) (held S (new_shape P) n st'))
        (@Values.junk (scalar_algebra S)) =
      tree S (old_shape P t) (exec_prog k st t).
Proof. exact RepackProgram.packed_program. Qed.
