(** * Instances: the premises of the theorems on emitted programs and on lowering hold together

    Each [NAME_applies] is the theorem NAME of [Theorems] at the sum of two vectors,
    over integers, binary32 and binary64, or as said. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Values dpia.Target dpia.Trans dpia.Scalars dpia.Errata.
From Calque Require Import emit.MiniC emit.Codegen emit.Flat.
From Calque Require dpia.Range dpia.Programs emit.FlatProof emit.Machine emit.Memory emit.Tidy.
From Calque Require emit.Whole emit.WholeProof theorems.Translation.
Import ListNotations.
Import theorems.Translation.OfEmit.
Open Scope nat_scope.

(** ** A store that is ready: inputs from root 0 on, then the output *)

Section Start.
  Context {A : algebra} {N : sizes} {s : sizing N}.

  Definition start_of (ws : list (value A)) (d : data N) : store A := fun r p =>
    match nth_error ws r with
    | Some w => option_map Some (look w p)
    | None => if (r =? length ws) && leafb d p then Some None else None
    end.

  Lemma ready_start G ws d : Forall2 has_type G ws -> ready G ws d (start_of ws d).
  Proof.
    intros typed. assert (len : length ws = length G).
    { clear d. induction typed; cbn; auto. }
    split; [exact len | split].
    - intros k dk w EG Ew. assert (T : has_type dk w).
      { clear len d. revert k EG Ew. induction typed as [| dk' w' G ws T _ IH]; intros [| k] EG Ew; try discriminate.
        - now injection EG as <-; injection Ew as <-.
        - exact (IH k EG Ew). }
      split; [exact T |]. intros p lf. unfold start_of. rewrite Ew.
      destruct (look_some _ _ _ T lf) as [x ->]. reflexivity.
    - intros p lf. unfold start_of.
      replace (nth_error ws (length G)) with (@None (value A)) by (symmetry; apply nth_error_None; lia).
      rewrite <- len, Nat.eqb_refl. apply leafb_iff in lf. rewrite lf. discriminate.
  Qed.

  Definition vector (l : list (scalar A)) : value A := Arr (map (@Num A) l).

  Lemma vector_typed n l : length l = #n -> has_type (DAry n DNum) (vector l).
  Proof.
    intros len. split; [now rewrite map_length |]. intros i x E.
    apply nth_error_In, in_map_iff in E. now destruct E as (z & <- & _).
  Qed.
End Start.

(** ** The sum of two vectors, any scalars that have an addition *)

Notation three := (ary 3 DNum).

Definition sum_of_two (A : algebra) (o : bop A) : exp A numbers :=
  EGen Par (3 : size numbers) DNum (EBin o (EIdx (EVar 1) (XVar 0)) (EIdx (EVar 2) (XVar 0))).

Lemma sum_typed A o : ty (s := numbers_sizing) (closed [three; three]) (sum_of_two A o) three.
Proof.
  apply Typing.infer_sound with (range := Range.range_var (N := numbers)); [| reflexivity].
  intros G i n. apply Range.range_var_sound.
Qed.

Lemma sum_ready A (xs ys : list (scalar A)) : length xs = 3 -> length ys = 3 ->
  ready (s := numbers_sizing) [three; three] [vector xs; vector ys] three
    (start_of (s := numbers_sizing) [vector xs; vector ys] three).
Proof. intros X Y. apply ready_start. repeat (apply Forall2_cons; [now apply vector_typed |]). apply Forall2_nil. Qed.

Definition xs : list Z := [1; 2; 3]%Z.
Definition ys : list Z := [10; 20; 30]%Z.
Definition vectors : list (value integers) := [vector (A := integers) xs; vector (A := integers) ys].
Definition sum : exp integers numbers := sum_of_two integers Add.
Definition memory : store integers := start_of (s := numbers_sizing) vectors three.

Lemma vectors_ready : ready (s := numbers_sizing) [three; three] vectors three memory.
Proof. now apply sum_ready. Qed.

Example emit_compile_correct_applies :
  exists m', run no_levels (cgc (compile [three; three] sum three)) memory = Some m' /\
    exec no_levels (compile [three; three] sum three) memory = Some m' /\
    (forall p, leaf (s := numbers_sizing) three p -> m' 2 p = Some (look (eval vectors sum) p)) /\
    (forall k q, k < 2 -> m' k q = memory k q).
Proof. exact (emit_compile_correct _ _ _ _ _ _ _ _ no_levels (sum_typed integers Add) vectors_ready). Qed.

Example emit_codegen_correct_applies :
  exists m', run no_levels (cgc (compile [three; three] sum three)) memory = Some m' /\
    touches no_levels (cgc (compile [three; three] sum three)) = footprint no_levels (compile [three; three] sum three).
Proof.
  destruct emit_compile_correct_applies as (m' & _ & E & _). exists m'.
  exact (emit_codegen_correct _ _ _ _ _ _ _ E).
Qed.

Example emit_compile_correct_integers_applies :
  exists m', run no_levels (cgc (compile [three; three] sum three)) memory = Some m' /\
    forall p, leaf (s := numbers_sizing) three p -> m' 2 p = Some (look (eval vectors sum) p).
Proof. exact (emit_compile_correct_integers _ _ _ _ _ _ _ no_levels (sum_typed integers Add) vectors_ready). Qed.

(** 1, 2 and 4; infinity, -0 and NaN. *)
Definition some_floats : list spec_float :=
  [S754_finite false 8388608 (-23); S754_finite false 8388608 (-22); S754_finite false 8388608 (-21)].
Definition strange_floats : list spec_float := [S754_infinity false; S754_zero true; S754_nan].

Example emit_compile_correct_binary32_applies :
  let ws := [vector (A := binary32) some_floats; vector (A := binary32) strange_floats] in
  exists m', run no_levels (cgc (compile [three; three] (sum_of_two binary32 Add) three))
      (start_of (s := numbers_sizing) ws three) = Some m' /\
    forall p, leaf (s := numbers_sizing) three p -> m' 2 p = Some (look (eval ws (sum_of_two binary32 Add)) p).
Proof. eapply emit_compile_correct_binary32; [apply sum_typed | now apply (sum_ready binary32)]. Qed.

Example emit_compile_correct_binary64_applies :
  let ws := [vector (A := binary64) some_floats; vector (A := binary64) strange_floats] in
  exists m', run no_levels (cgc (compile [three; three] (sum_of_two binary64 Add) three))
      (start_of (s := numbers_sizing) ws three) = Some m' /\
    forall p, leaf (s := numbers_sizing) three p -> m' 2 p = Some (look (eval ws (sum_of_two binary64 Add)) p).
Proof. eapply emit_compile_correct_binary64; [apply sum_typed | now apply (sum_ready binary64)]. Qed.

(** The inner product of Table 1, its size a symbol, at size 3: products into a temporary, then their sum. *)
Example emit_every_size_applies :
  let sizes_ (x : nat) := 3 in
  let G := Programs.params Programs.product in
  let e := Programs.body Programs.product in
  let ws := [vector (A := binary32) some_floats; vector (A := binary32) strange_floats] in
  let m := start_of (N := Range.symbols) (s := sizes_) ws DNum in
  exists m', run (N := Range.symbols) (s := sizes_) no_levels (cgc (compile G e DNum)) m = Some m' /\
    (forall p, leaf (N := Range.symbols) (s := sizes_) DNum p ->
       m' 2 p = Some (look (eval (N := Range.symbols) (s := sizes_) ws e) p)) /\
    (forall k q, k < 2 -> m' k q = m k q).
Proof.
  intros sizes_ G e ws m. apply (emit_every_size binary32 G e DNum); [reflexivity |].
  apply ready_start. repeat (apply Forall2_cons; [now apply vector_typed |]). apply Forall2_nil.
Qed.

(** ** Flat arrays *)

Definition flat_memory : fstore integers := fun r k =>
  match r with
  | 0 => option_map Some (nth_error xs k)
  | 1 => option_map Some (nth_error ys k)
  | 2 => if k <? 3 then Some None else None
  | _ => None
  end.
Notation flat_sum := (FlatProof.flat_program [three; three] sum three).

Lemma flat_vector (l : list Z) p : leaf (s := numbers_sizing) (ary (length l) DNum) p ->
  option_map Some (nth_error l (offset (s := numbers_sizing) (ary (length l) DNum) p)) =
  Some (look (vector (A := integers) l) p).
Proof.
  destruct p as [| [i | |] [| t p]]; cbn; try tauto. intros [lt _].
  rewrite Nat.mul_1_r, Nat.add_0_r, nth_error_map.
  apply nth_error_Some in lt. destruct (nth_error l i); [reflexivity | congruence].
Qed.

Lemma flat_memory_ready :
  FlatProof.flat_ready (s := numbers_sizing) [three; three] vectors three flat_memory.
Proof.
  split; [reflexivity | split].
  - intros [| [| [| k]]] dk w EG Ew; try discriminate; injection EG as <-; injection Ew as <-;
      (split; [now apply (vector_typed (A := integers) (N := numbers)) |]).
    + exact (flat_vector xs).
    + exact (flat_vector ys).
  - intros o lt. change (o < 3) in lt. apply Nat.ltb_lt in lt. change (flat_memory 2 o <> None).
    unfold flat_memory. now rewrite lt.
Qed.

Example emit_flat_correct_applies :
  exists fm', frun no_levels flat_sum flat_memory = Some fm' /\
    (forall p, leaf (s := numbers_sizing) three p ->
       fm' 2 (offset (s := numbers_sizing) three p) = Some (look (eval vectors sum) p)) /\
    (forall k dk p, nth_error [three; three] k = Some dk -> leaf (s := numbers_sizing) dk p ->
       fm' k (offset (s := numbers_sizing) dk p) = flat_memory k (offset (s := numbers_sizing) dk p)).
Proof. exact (emit_flat_correct _ _ _ _ _ _ _ _ no_levels (sum_typed integers Add) flat_memory_ready). Qed.

(** Two cells of an array of pairs of a number and a vector. *)
Example emit_offset_injective_applies :
  let d := ary 2 (DPair DNum three) in
  let p := [At 1; R; At 2] in
  let q := [At 1; L] in
  offset (s := numbers_sizing) d p < cells (s := numbers_sizing) d /\
  offset (s := numbers_sizing) d p <> offset (s := numbers_sizing) d q.
Proof.
  intros d p q. destruct (emit_offset_injective numbers numbers_sizing d p q) as [lt inj]; [cbn; lia .. |].
  split; [exact lt |]. intros same. discriminate (inj same).
Qed.

Lemma flat_sum_runs : exists fm', frun no_levels flat_sum flat_memory = Some fm'.
Proof. destruct emit_flat_correct_applies as (fm' & E & _). eauto. Qed.

Example emit_tidy_correct_applies :
  exists fm', frun no_levels (Tidy.tidy flat_sum) flat_memory = Some fm' /\
    incl (ftouches no_levels (Tidy.tidy flat_sum)) (ftouches no_levels flat_sum).
Proof.
  destruct flat_sum_runs as [m' E].
  destruct (emit_tidy_correct _ _ _ _ _ _ _ flat_memory (fun _ _ => eq_refl) E) as [(fm' & E' & _) W]. eauto.
Qed.

Example emit_printed_correct_applies :
  exists fm', frun no_levels (Tidy.tidy flat_sum) flat_memory = Some fm' /\
    forall p, leaf (s := numbers_sizing) three p ->
      fm' 2 (offset (s := numbers_sizing) three p) = Some (look (eval vectors sum) p).
Proof. exact (emit_printed_correct _ _ _ _ _ _ _ _ no_levels (sum_typed integers Add) flat_memory_ready). Qed.

(** ** Two assignments: z = x + y, then x = z + y through a buffer *)

Definition two_assignments : list (@Whole.assignment integers numbers) :=
  [Whole.Assignment 2 three sum false;
   Whole.Assignment 0 three
     (@EGen integers numbers Par 3 DNum (zadd (EIdx (EVar 3) (XVar 0)) (EIdx (EVar 2) (XVar 0)))) true].
Definition inputs_set (k : nat) : bool := k <? 2.

Example emit_program_correct_applies :
  let params := [three; three; three] in
  let env := [vector (A := integers) xs; vector (A := integers) ys; junk] in
  let c := Whole.translate_all params inputs_set two_assignments in
  exists m', exec no_levels c memory = Some m' /\ run no_levels (cgc c) memory = Some m' /\
    WholeProof.holding (s := numbers_sizing) params (Whole.all_set inputs_set two_assignments)
      (Whole.meaning inputs_set two_assignments env) m'.
Proof.
  intros params env c.
  apply (emit_program_correct _ _ numbers_sizing (Range.range_var (N := numbers))).
  - intros G i n. apply Range.range_var_sound.
  - reflexivity.
  - split; [reflexivity | split].
    + destruct vectors_ready as (_ & held & _).
      intros [| [| [| k]]] d w Ed Ew set; try discriminate.
      * exact (held 0 d w Ed Ew).
      * exact (held 1 d w Ed Ew).
    + destruct vectors_ready as (_ & held & out).
      intros [| [| [| k]]] d p Ed lf; try (injection Ed as <-).
      * destruct (held 0 _ _ eq_refl eq_refl) as [_ H]. rewrite (H p lf). discriminate.
      * destruct (held 1 _ _ eq_refl eq_refl) as [_ H]. rewrite (H p lf). discriminate.
      * exact (out p lf).
      * now destruct k.
Qed.

(** ** 64 bits, allocation, memory *)

(** A size is a number: its text computes nothing on the way. *)
Example emit_no_overflow_applies :
  exists m', Machine.frun64 (s := numbers_sizing) Z.of_nat no_levels flat_sum flat_memory = Some m'.
Proof.
  destruct flat_sum_runs as [m' E]. exists m'.
  apply (emit_no_overflow integers numbers numbers_sizing Z.of_nat) with (most := 3%Z).
  - intros n. apply Z.le_refl.
  - vm_compute. reflexivity.
  - intros l. cbn. lia.
  - exact E.
Qed.

(** The inner product: its temporary is asked for, and refused. *)
Notation inner := (@ERed integers numbers 3 DNum (zadd (EVar 1) (EVar 0)) (@ELit integers numbers 0%Z)
  (@EMap integers numbers Par 3 DNum (zmul (EFst (EVar 0)) (ESnd (EVar 0)))
    (@EZip integers numbers 3 DNum DNum (EVar 0) (EVar 1)))).
Notation flat_inner := (FlatProof.flat_program [three; three] inner (@DNum numbers)).
Definition inner_memory : fstore integers := fun r k =>
  if (r =? 2) then if k =? 0 then Some None else None else flat_memory r k.

Lemma inner_runs : exists m', frun no_levels flat_inner inner_memory = Some m'.
Proof.
  assert (C : match frun no_levels flat_inner inner_memory with Some _ => true | None => false end = true)
    by (vm_compute; reflexivity).
  destruct (frun no_levels flat_inner inner_memory); [eauto | discriminate].
Qed.

Example emit_allocation_correct_applies :
  let t := @Machine.State integers inner_memory 0 false [] in
  exists t', Machine.arun (s := numbers_sizing) (fun _ => false) (fun _ => true) (0%Z : scalar integers)
      no_levels flat_inner t = Some t' /\
    Machine.held t' = [] /\ Machine.failed t' = true /\
    (Machine.failed t' = true <->
       false = true \/ exists j, 0 <= j < Machine.asked t' /\ false = false).
Proof.
  intros t. destruct inner_runs as [m' E].
  destruct (emit_allocation_correct integers numbers numbers_sizing (fun _ => false) (fun _ => true) (0%Z : scalar integers)
    flat_inner no_levels inner_memory m' t) as (t' & E' & _ & H & _ & F & _).
  - reflexivity.
  - exact E.
  - exists t'. split; [exact E' |]. split; [exact H |]. split; [| exact F].
    assert (C : match Machine.arun (s := numbers_sizing) (fun _ => false) (fun _ => true) (0%Z : scalar integers)
      no_levels flat_inner t with Some t' => Machine.failed t' | None => false end = true) by (vm_compute; reflexivity).
    now rewrite E' in C.
Qed.

(** The finite maps that hold the same. *)
Definition int_maps : Memory.memory integers := Memory.maps integers.
Definition map_memory : Memory.mem int_maps :=
  let put r l m := fold_left (fun m kx => Memory.put int_maps m r (fst kx) (snd kx)) (combine [0; 1; 2] l) m in
  let empty := FMapPositive.PositiveMap.empty _ in
  put 0 xs (put 1 ys (Memory.fresh int_maps (Memory.fresh int_maps (Memory.fresh int_maps empty 0 3) 1 3) 2 3)).

Lemma map_memory_same r k : Memory.get int_maps map_memory r k = flat_memory r k.
Proof.
  unfold map_memory, xs, ys. cbv zeta. cbn [combine fold_left fst snd].
  repeat (rewrite ?Memory.get_put; unfold fset; rewrite ?Memory.get_fresh; unfold falloc).
  assert (nowhere : Memory.get int_maps (FMapPositive.PositiveMap.empty _) r k = None).
  { cbn. unfold Memory.map_get. now rewrite FMapPositive.PositiveMap.gempty. }
  destruct r as [| [| [| r]]]; [.. | exact nowhere]; destruct k as [| [| [| [| k]]]]; reflexivity.
Qed.

Example emit_memory_correct_applies :
  exists m', Memory.mrun (s := numbers_sizing) int_maps true no_levels flat_sum map_memory = Some m'.
Proof.
  destruct flat_sum_runs as [fm' E].
  destruct (emit_memory_correct integers numbers numbers_sizing int_maps true flat_sum no_levels map_memory flat_memory fm'
    map_memory_same E) as (m' & E' & _). eauto.
Qed.
