(** * Instances: the premises of the theorems on packed kernels hold together

    [NAME_applies] is the theorem NAME of [theorems.Cells] at a convolution over binary32 whose image
    gets a border of zeros, whose weights W have their first dimension last, in panels of 2 cells with
    one of zeros, and whose result is computed for a row more than there is:

      Y<3,4>[n,i] = sum(r<3) select(i + r - 1 >= 0 && i + r - 1 < 4, X<4>[i+r-1] * W<3,3>[n,r], 0)

      T<6>[t] = select(t - 1 >= 0 && t - 1 < 4, X<4>[t-1], 0)
      Q<4,4>[n,i] = sum(r<3) (T<6>[i+r] * P<2,3,2>[n//2,r,n%2])
      Y<3,4>[n,i] = Q<4,4>[n,i] *)

From Coq Require Import List Arith Lia Bool String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import kernel.Kernel kernel.KernelProof kernel.ValidateWords kernel.Repack kernel.RepackCorrect
  kernel.RepackWords kernel.Lower kernel.Validate.
From Calque Require base.FloatSum theorems.Cells theorems.AppliedCells.
Import ListNotations.
Open Scope string_scope.

Import AppliedCells.

Definition single_absorbing : absorbing single :=
  floats_absorbing 24 128 eq_refl decode (fun _ x => x) (fun _ x _ => x) eq_refl eq_refl decode_settled
    (fun _ x H => H) (fun _ x y H _ => H).

Notation ex := (ex (words single)).

Definition ld (t : tid) (l : list ix) : ex := @ELd (words single) t l.
Definition mul (a b : ex) : ex := @EBin (words single) "*" a b.
Definition nil_ : ex := @ECst (words single) "0x0p+0".
Definition sum (n : nat) (e : ex) : ex := @ERed (words single) ("+", "0x0p+0") [n] e.
Definition inside (a : ix) (n : Z) (e : ex) : ex :=
  @ESel (words single) (CAnd (CCmp CGe a (ICst 0)) (CCmp CLt a (ICst n))) e nil_.
Definition assign (t : tid) (d : list nat) (e : ex) : stmt (words single) := @Stmt (words single) t d e.

(** Tensors X 0, W 1, Y 2; T 3, Q 4.  Under the sum r is 0, n is 1, i is 2. *)
Definition back (a : ix) : ix := ISub a (ICst 1).
Definition original : prog (words single) :=
  let at_ := back (IAdd (IVar 2) (IVar 0)) in
  [assign 2 [3; 4] (sum 3 (inside at_ 4 (mul (ld 0 [at_]) (ld 1 [IVar 1; IVar 0]))))].
Definition changed (bound : Z) : prog (words single) :=
  [assign 3 [6] (inside (back (IVar 0)) bound (ld 0 [back (IVar 0)]));
   assign 4 [4; 4] (sum 3 (mul (ld 3 [IAdd (IVar 2) (IVar 0)]) (ld 1 [IDiv (IVar 1) 2; IVar 0; IMod (IVar 1) 2])));
   assign 2 [3; 4] (ld 4 [IVar 0; IVar 1])].

Definition panels : packed := Packed 1 0 3 2.
Definition packing_of (numeric : bool) : packing :=
  {| count_old := 3; old_shape := fun t => nth t [[4]; [3; 3]; [3; 4]] [];
     new_shape := fun t => nth t [[4]; [2; 3; 2]; [3; 4]; [6]; [4; 4]] [];
     entries := [panels]; is_constant := fun t => t =? 1; is_numeric := fun t => (t =? 1) && numeric; is_clean := fun _ _ => false |}%nat.

Lemma packed_valid : repack_words single single_absorbing (packing_of true) original (changed 4) = Same.
Proof. vm_compute. reflexivity. Qed.

(** What W holds then. *)
Definition packed_data : store (words single) := fun t =>
  if (t =? 1)%nat then packed_cell (zero (words single)) panels (store_ t) else store_ t.

Lemma packed_given : packed_store (packing_of true) store_ packed_data.
Proof. intros [| [| [| t]]] i lt; cbn in lt; try lia; intros _; reflexivity. Qed.

Lemma packed_settled t i : usual single (packed_data t i).
Proof.
  unfold packed_data. destruct (t =? 1)%nat; [| apply store_settled]. unfold packed_cell.
  destruct (_ <? _)%Z; [apply store_settled | exact I].
Qed.

Lemma store_numeric t i : numeric single single_absorbing (store_ t i).
Proof. cbn. unfold store_. now destruct (Z.even _). Qed.

Definition repacked_words_applies :=
  Cells.repacked_words single single_absorbing (packing_of true) original (changed 4) store_ packed_data packed_valid packed_given
    (fun t i _ => store_settled t i) (fun t i _ => packed_settled t i) (fun t i _ _ _ => store_numeric t i).

Definition repack_correct_applies :=
  Cells.repack_correct (words single) (word_rules single single_absorbing) (packing_of true) original (changed 4) store_
    packed_data packed_valid packed_given (fun t i _ => store_settled t i) (fun t i _ => packed_settled t i)
    (fun t i _ _ => conj (fun _ => store_numeric t i) (fun _ _ => I)).

(** The output is one of the tensors that are the same. *)
Example output_same i : exec_prog original store_ 2%nat i = exec_prog (changed 4) packed_data 2%nat i.
Proof. now apply repacked_words_applies. Qed.

(** Its program, as it is lowered without a strategy. *)
Definition lowered : list (tid * exp) :=
  flat_map (fun s => match lower_stmt (words single) (new_shape (packing_of true)) (fun t => t) s with
                     | Some e => [(out s, e)]
                     | None => []
                     end) (changed 4).

Lemma lowered_valid : validate_all (words single) law (new_shape (packing_of true)) 5 lowered (changed 4) = true.
Proof. vm_compute. reflexivity. Qed.

Definition packed_program_applies :=
  Cells.packed_program (words single) (word_rules single single_absorbing) (packing_of true) law 5 lowered original (changed 4)
    store_
    packed_data (fun _ => true) packed_valid packed_given (fun t i _ => store_settled t i) (fun t i _ => packed_settled t i)
    (fun t i _ _ => conj (fun _ => store_numeric t i) (fun _ _ => I)) lowered_valid (fun t i _ _ => packed_settled t i) (fun _ => eq_refl).

(** Refused: a border of something else, weights that may be no numbers. *)
Example border_refused : repack_words single single_absorbing (packing_of true) original (changed 3) = OtherCell.
Proof. vm_compute. reflexivity. Qed.

Example infinite_refused : repack_words single single_absorbing (packing_of false) original (changed 4) = OtherCell.
Proof. vm_compute. reflexivity. Qed.

(** The check of the data, which are words here. *)
Definition weights (i : list Z) : Z := fold_left (fun a k => 3 * a + k)%Z i 1%Z.

Lemma data_valid : data_same 0%Z Z.eqb (packing_of true) panels weights (packed_cell 0%Z panels weights) = true.
Proof. vm_compute. reflexivity. Qed.

Definition packed_data_same_applies :=
  Cells.packed_data_same Z 0%Z Z.eqb (packing_of true) panels weights (packed_cell 0%Z panels weights)
    (fun x y => proj1 (Z.eqb_eq x y)) data_valid.

Example shifted_data_refused :
  data_same 0%Z Z.eqb (packing_of true) panels weights (fun i => packed_cell 0%Z panels weights (rev i)) = false.
Proof. vm_compute. reflexivity. Qed.

(** Without the rule of sums, over integers: a copy in panels. *)
Definition numbers : scalars := KernelProof.integers.
Definition unit_eqb (_ _ : unit) : bool := true.
Lemma unit_right (a b : unit) : unit_eqb a b = true -> a = b.
Proof. now destruct a, b. Qed.

Definition plain : rules numbers :=
  @plain_rules numbers Z.eqb unit_eqb unit_eqb unit_eqb (fun a b => proj1 (Z.eqb_eq a b)) unit_right unit_right unit_right.
Definition copied : prog numbers := [@Stmt numbers 1 [6] (@ELd numbers 0 [IVar 0])].
Definition copied_in_panels : prog numbers :=
  [@Stmt numbers 2 [3; 2] (@ELd numbers 0 [IAdd (IVar 1) (IMul (IVar 0) 2)]);
   @Stmt numbers 1 [6] (@ELd numbers 2 [IDiv (IVar 0) 2; IMod (IVar 0) 2])].
Definition no_packing : packing :=
  {| count_old := 2; old_shape := fun t => nth t [[6]; [6]] []; new_shape := fun t => nth t [[6]; [6]; [3; 2]] [];
     entries := []; is_constant := fun _ => false; is_numeric := fun _ => false; is_clean := fun _ _ => false |}.

Lemma panels_valid : repack plain no_packing copied copied_in_panels = Same.
Proof. reflexivity. Qed.

Definition repack_plain_applies (st : store numbers) :=
  Cells.repack_plain numbers Z.eqb unit_eqb unit_eqb unit_eqb (fun a b => proj1 (Z.eqb_eq a b)) unit_right unit_right unit_right
    no_packing copied copied_in_panels st st panels_valid (fun t i _ _ => eq_refl).

(** A constant W<2,3> that is copied, with its first dimension last, as its data say. *)
Definition turned : packed := Packed 0 0 2 0.
Definition turned_packing : packing :=
  {| count_old := 2; old_shape := fun _ => [2; 3]%nat; new_shape := fun t => nth t [[3; 2]; [2; 3]]%nat [];
     entries := [turned]; is_constant := fun t => (t =? 0)%nat; is_numeric := fun _ => false; is_clean := fun _ _ => false |}.
Definition read_plain : prog numbers := [@Stmt numbers 1 [2; 3] (@ELd numbers 0 [IVar 0; IVar 1])].
Definition read_turned : prog numbers := [@Stmt numbers 1 [2; 3] (@ELd numbers 0 [IVar 1; IVar 0])].
Definition plain_store : store numbers := fun _ => weights.
Definition turned_store : store numbers := fun t => if (t =? 0)%nat then packed_cell 0%Z turned weights else weights.

Lemma turned_valid : repack plain turned_packing read_plain read_turned = Same.
Proof. reflexivity. Qed.

Lemma turned_data :
  forallb (fun e => data_same (zero numbers) Z.eqb turned_packing e (plain_store (Repack.tensor e)) (turned_store
    (Repack.tensor e)))
    (entries turned_packing) = true.
Proof. vm_compute. reflexivity. Qed.

Lemma turned_others t i : (t < 2)%nat -> entry turned_packing t = None -> in_box [2; 3]%nat i = true ->
  turned_store t i = plain_store t i.
Proof. destruct t as [| t]; [discriminate | reflexivity]. Qed.

Definition repack_with_data_applies :=
  Cells.repack_with_data numbers plain turned_packing Z.eqb read_plain read_turned plain_store turned_store
    (fun x y => proj1 (Z.eqb_eq x y)) turned_valid turned_data turned_others (fun _ _ _ => I) (fun _ _ _ => I)
    (fun _ _ _ _ => conj (fun _ => I) (fun _ _ => I)).
