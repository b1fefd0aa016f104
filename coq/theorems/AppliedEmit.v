(** * Instances: the premises of the theorems on emitted C hold together

    The program is [dl_mul_l] of Table 1, a matrix times a vector, at 2 by 3 and binary32;
    dot products at binary64 and the integers; three assignments; a parallel loop on
    finite maps.  Any typed inputs can be laid out as the theorems ask. *)

From Coq Require Import List Arith Lia Bool ZArith.
From Coq Require FSets.FMapPositive.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Target dpia.Trans dpia.Scalars dpia.Range.
From Calque Require Import emit.MiniC emit.Codegen emit.Flat emit.Whole.
From Calque Require dpia.Errata dpia.Programs emit.FlatProof emit.WholeProof emit.Machine emit.MachineProof.
From Calque Require emit.Memory emit.Tidy emit.ThreadsExample theorems.Translation.
Import ListNotations.
Open Scope nat_scope.
Module OfEmit := Translation.OfEmit.

(** ** Inputs laid out *)

Section LaidOut.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Implicit Types (G : list (data N)) (d : data N) (w : value A) (ws : list (value A)).

  Fixpoint typeb d w : bool :=
    match d, w with
    | DNum, Num _ => true
    | DAry n d, Arr l => (length l =? #n) && forallb (typeb d) l
    | DPair d1 d2, Two a b => typeb d1 a && typeb d2 b
    | _, _ => false
    end.

  Lemma typeb_sound d : forall w, typeb d w = true -> has_type d w.
  Proof.
    induction d as [| n d IH | d1 IH1 d2 IH2]; intros [x | l | a b | k]; cbn; try discriminate; auto.
    - rewrite andb_true_iff, Nat.eqb_eq, forallb_forall. intros [len each]. split; [exact len |].
      intros i x E. apply IH, each. now apply nth_error_In in E.
    - rewrite andb_true_iff. intros [Ta Tb]. auto.
  Qed.

  Fixpoint inputs_typed G ws : bool :=
    match G, ws with
    | [], [] => true
    | d :: G, w :: ws => typeb d w && inputs_typed G ws
    | _, _ => false
    end.

  Lemma inputs_typed_sound G : forall ws, inputs_typed G ws = true -> Forall2 has_type G ws.
  Proof.
    induction G as [| d G IH]; intros [| w ws]; cbn; try discriminate; [constructor |].
    rewrite andb_true_iff. intros [T Ts]. constructor; [now apply typeb_sound | auto].
  Qed.

  Lemma typed_inputs G ws : Forall2 has_type G ws -> length ws = length G /\
    forall k dk w, nth_error G k = Some dk -> nth_error ws k = Some w -> has_type dk w.
  Proof.
    induction 1 as [| d w G ws T _ [len each]]; [split; [reflexivity | now intros []] |].
    split; [cbn; now rewrite len |]. intros [| k] dk v Ed Ew; cbn in *; [congruence | eauto].
  Qed.

  (** Inputs in their roots, the output behind them. *)
  Definition laid_out ws d : store A := fun r p =>
    match nth_error ws r with
    | Some w => option_map Some (look w p)
    | None => if (r =? length ws) && leafb d p then Some None else None
    end.

  Lemma laid_out_ready G ws d : Forall2 has_type G ws -> ready G ws d (laid_out ws d).
  Proof.
    intros T. destruct (typed_inputs _ _ T) as [len each]. split; [exact len |]. split.
    - intros k dk w Ed Ew. pose proof (each k dk w Ed Ew) as Tw. split; [exact Tw |].
      intros p lf. unfold laid_out. rewrite Ew. destruct (look_some dk w p Tw lf) as [x ->]. reflexivity.
    - intros p lf. unfold laid_out. rewrite (proj2 (nth_error_None _ _)) by lia.
      rewrite len, Nat.eqb_refl. apply leafb_iff in lf. rewrite lf. discriminate.
  Qed.

  Fixpoint scalars_of (w : value A) : list (scalar A) :=
    match w with
    | Num x => [x]
    | Arr l => flat_map scalars_of l
    | Two a b => scalars_of a ++ scalars_of b
    | Pos _ => []
    end.

  Lemma flat_nth (c : nat) (l : list (value A)) : (forall x, In x l -> length (scalars_of x) = c) ->
    length (flat_map scalars_of l) = length l * c /\
    forall i k x, nth_error l i = Some x -> k < c ->
      nth_error (flat_map scalars_of l) (i * c + k) = nth_error (scalars_of x) k.
  Proof.
    induction l as [| y l IH]; intros each; [split; [reflexivity | now intros [] k x] |].
    destruct IH as [len at_]; [intros x H; apply each; now right |].
    pose proof (each y (or_introl eq_refl)) as ly. cbn [flat_map length]. split.
    - rewrite app_length, len, ly. reflexivity.
    - intros [| i] k x E lt; cbn in E.
      + injection E as ->. cbn. apply nth_error_app1. lia.
      + rewrite nth_error_app2 by lia. rewrite <- (at_ i k x E lt). f_equal. lia.
  Qed.

  Lemma scalars_at d : forall w, has_type d w -> length (scalars_of w) = cells d /\
    forall p, leaf d p -> nth_error (scalars_of w) (offset d p) = look w p.
  Proof.
    induction d as [| n d IH | d1 IH1 d2 IH2]; intros w T.
    - apply has_num in T as [x ->]. split; [reflexivity |]. intros [|] lf; [reflexivity | destruct lf].
    - apply has_ary in T as (l & -> & len & each). cbn [scalars_of].
      destruct (flat_nth (cells d) l) as [len' at_].
      { intros x H. apply In_nth_error in H as [i E]. apply (IH x (each i x E)). }
      split; [now rewrite len', len |]. intros [| [i | |] p] lf; cbn [leaf] in lf; try tauto.
      destruct lf as [lt lf]. destruct (nth_some l (i := i)) as [x E]; [now rewrite len |].
      cbn [offset look]. rewrite E, (at_ i _ x E (offset_lt d p lf)). now apply (IH x (each i x E)).
    - apply has_pair in T as (a & b & -> & Ta & Tb).
      destruct (IH1 a Ta) as [la at_a], (IH2 b Tb) as [lb at_b]. cbn [scalars_of cells]. split.
      + now rewrite app_length, la, lb.
      + intros [| [i | |] p] lf; cbn [leaf] in lf; try tauto; cbn [offset look].
        * rewrite nth_error_app1 by (rewrite la; now apply offset_lt). now apply at_a.
        * rewrite nth_error_app2 by lia. rewrite la, Nat.add_comm, Nat.add_sub. now apply at_b.
  Qed.

  (** The same in flat arrays. *)
  Definition laid_flat ws d : fstore A := fun r o =>
    match nth_error ws r with
    | Some w => nth_error (map Some (scalars_of w)) o
    | None => if (r =? length ws) && (o <? cells d) then Some None else None
    end.

  Lemma laid_flat_ready G ws d : Forall2 has_type G ws -> FlatProof.flat_ready G ws d (laid_flat ws d).
  Proof.
    intros T. destruct (typed_inputs _ _ T) as [len each]. split; [exact len |]. split.
    - intros k dk w Ed Ew. pose proof (each k dk w Ed Ew) as Tw. split; [exact Tw |].
      intros p lf. unfold laid_flat. rewrite Ew, nth_error_map, (proj2 (scalars_at dk w Tw) p lf).
      destruct (look_some dk w p Tw lf) as [x ->]. reflexivity.
    - intros o lt. unfold laid_flat. rewrite (proj2 (nth_error_None _ _)) by lia.
      rewrite len, Nat.eqb_refl. apply Nat.ltb_lt in lt. rewrite lt. discriminate.
  Qed.
End LaidOut.

Ltac typed := (apply inputs_typed_sound || apply typeb_sound); vm_compute; reflexivity.

Lemma checked_type {A N} {s : sizing N} G (e : exp A N) d :
  infer range_var (closed G) e = Some d -> ty (closed G) e d.
Proof. apply infer_sound. apply range_var_sound. Qed.

(** ** A matrix times a vector *)

Definition two_by_three : sizing symbols := fun x => match x with 0 => 3 | _ => 2 end.
Local Existing Instance two_by_three.

Definition whole (prec emax z : Z) : spec_float := binary_normalize prec emax z 0 false.
Definition num32 (z : Z) : value binary32 := @Num binary32 (whole 24 128 z).
Definition vec32 (l : list Z) : value binary32 := Arr (map num32 l).

Definition params := Programs.params Programs.dl_mul_l.
Definition body := Programs.body Programs.dl_mul_l.
Definition output := Programs.output Programs.dl_mul_l.
Definition matrix := [vec32 [1; 2; 3]; vec32 [4; 5; 6]]%Z.
Definition ws : list (value binary32) := [Arr matrix; vec32 [1; 1; 2]]%Z.

Lemma body_typed : ty (closed params) body output.
Proof. now apply checked_type. Qed.

Lemma ws_typed : Forall2 has_type params ws.
Proof. typed. Qed.

Definition tree_store : store binary32 := laid_out ws output.
Definition flat_store : fstore binary32 := laid_flat ws output.

Lemma tree_ready : ready params ws output tree_store.
Proof. exact (laid_out_ready _ _ _ ws_typed). Qed.

Lemma flat_ready : FlatProof.flat_ready params ws output flat_store.
Proof. exact (laid_flat_ready _ _ _ ws_typed). Qed.

(** What the theorems say of it, in numbers. *)
Definition nine_twenty_one (at_ : nat -> cell (A := binary32)) : Prop :=
  map at_ [0; 1] = [Some (Some (whole 24 128 9)); Some (Some (whole 24 128 21))].

Lemma product_value (at_ : path -> cell (A := binary32)) :
  (forall p, leaf output p -> at_ p = Some (look (eval ws body) p)) ->
  nine_twenty_one (fun i => at_ [At i]).
Proof.
  intros out. unfold nine_twenty_one. cbn [map].
  rewrite !out by (vm_compute; repeat constructor). vm_compute. reflexivity.
Qed.

Example emit_compile_correct_applies ie :
  exists m', run ie (cgc (compile params body output)) tree_store = Some m' /\
    exec ie (compile params body output) tree_store = Some m' /\
    nine_twenty_one (fun i => m' 2 [At i]).
Proof.
  destruct (OfEmit.emit_compile_correct _ _ _ _ _ _ _ _ ie body_typed tree_ready)
    as (m' & R & E & out & _).
  exists m'. split; [exact R |]. split; [exact E |]. exact (product_value _ out).
Qed.

Example emit_compile_correct_binary32_applies ie :
  exists m', run ie (cgc (compile params body output)) tree_store = Some m' /\
    nine_twenty_one (fun i => m' 2 [At i]).
Proof.
  destruct (OfEmit.emit_compile_correct_binary32 _ _ _ _ _ _ _ ie body_typed tree_ready) as (m' & R & out).
  exists m'. split; [exact R |]. exact (product_value _ out).
Qed.

Example emit_codegen_correct_applies ie :
  touches ie (cgc (compile params body output)) = footprint ie (compile params body output).
Proof.
  destruct (emit_compile_correct_applies ie) as (m' & _ & E & _).
  exact (proj2 (OfEmit.emit_codegen_correct _ _ _ _ _ _ _ E)).
Qed.

Example emit_every_size_applies ie :
  exists m', run ie (cgc (compile params body output)) tree_store = Some m' /\
    nine_twenty_one (fun i => m' 2 [At i]).
Proof.
  destruct (OfEmit.emit_every_size _ params body output eq_refl two_by_three ws tree_store ie tree_ready)
    as (m' & R & out & _).
  exists m'. split; [exact R |]. exact (product_value _ out).
Qed.

Example emit_flat_correct_applies ie :
  exists m', frun ie (FlatProof.flat_program params body output) flat_store = Some m' /\
    nine_twenty_one (m' 2).
Proof.
  destruct (OfEmit.emit_flat_correct _ _ _ _ _ _ _ _ ie body_typed flat_ready) as (m' & R & out & _).
  exists m'. split; [exact R |]. exact (product_value (fun p => m' 2 (offset output p)) out).
Qed.

Example emit_printed_correct_applies ie :
  exists m', frun ie (Tidy.tidy (FlatProof.flat_program params body output)) flat_store = Some m' /\
    nine_twenty_one (m' 2).
Proof.
  destruct (OfEmit.emit_printed_correct _ _ _ _ _ _ _ _ ie body_typed flat_ready) as (m' & R & out).
  exists m'. split; [exact R |]. exact (product_value (fun p => m' 2 (offset output p)) out).
Qed.

(** Tidying changes this program. *)
Example emit_tidy_correct_applies ie :
  let c := FlatProof.flat_program params body output in
  Tidy.tidy c <> c /\
  exists m', frun ie (Tidy.tidy c) flat_store = Some m' /\ nine_twenty_one (m' 2).
Proof.
  intros c. split; [discriminate |]. destruct (emit_flat_correct_applies ie) as (m & R & out).
  destruct (OfEmit.emit_tidy_correct _ _ _ c ie flat_store m flat_store (fun _ _ => eq_refl) R)
    as [(m' & R' & same) _].
  exists m'. split; [exact R' |]. unfold nine_twenty_one in *. cbn [map] in *. now rewrite <- !same.
Qed.

Example emit_offset_injective_applies :
  let d := @DAry numbers 2 (DPair DNum (@DAry numbers 3 DNum)) in
  (offset d [At 1; R; At 2] < cells d) /\
  (offset d [At 1; R; At 2] = offset d [At 1; L] -> [At 1; R; At 2] = [At 1; L]).
Proof.
  intros d. exact (OfEmit.emit_offset_injective numbers _ d [At 1; R; At 2] [At 1; L]
                     ltac:(vm_compute; repeat constructor) ltac:(vm_compute; repeat constructor)).
Qed.

(** ** The machine *)

Example emit_no_overflow_applies :
  exists m', Machine.frun64 (Machine.poly_room two_by_three) Errata.no_levels
      (FlatProof.flat_program params body output) flat_store = Some m' /\
    nine_twenty_one (m' 2).
Proof.
  destruct (emit_flat_correct_applies Errata.no_levels) as (m' & R & out). exists m'. split; [| exact out].
  apply (OfEmit.emit_no_overflow binary32 symbols two_by_three (Machine.poly_room two_by_three)
           (MachineProof.poly_room_val two_by_three) 3%Z); [vm_compute; reflexivity | | exact R].
  intros l. discriminate.
Qed.

(** What a place without a value reads as. *)
Definition garbage : scalar binary32 := S754_nan.

Definition is_array (d : data symbols) : bool := match d with DAry _ _ => true | _ => false end.

(** Each row has a temporary array; the request for the second is refused. *)
Example emit_allocation_correct_applies :
  let c := FlatProof.flat_program params body output in
  exists t', Machine.arun (fun j => j <? 1) is_array garbage Errata.no_levels c
      (@Machine.State binary32 flat_store 0 false []) = Some t' /\
    Machine.held t' = [] /\ Machine.asked t' = 2 /\ Machine.failed t' = true.
Proof.
  intros c. destruct (emit_flat_correct_applies Errata.no_levels) as (m' & R & _).
  destruct (OfEmit.emit_allocation_correct binary32 symbols two_by_three (fun j => j <? 1) is_array garbage c
              Errata.no_levels flat_store m' (@Machine.State binary32 flat_store 0 false [])
              (fun _ _ => iff_refl _) R) as (t' & E & _ & freed & _ & refused & _).
  assert (asked : option_map (@Machine.asked binary32)
    (Machine.arun (fun j => j <? 1) is_array garbage Errata.no_levels c
      (@Machine.State binary32 flat_store 0 false [])) = Some 2) by (vm_compute; reflexivity).
  rewrite E in asked. injection asked as asked.
  exists t'. split; [exact E |]. split; [exact freed |]. split; [exact asked |].
  apply refused. right. exists 1. rewrite asked. repeat constructor.
Qed.

(** The loop of [ThreadsExample] on finite maps. *)
Definition on_maps := Memory.maps integers.
Definition map_store : Memory.mem on_maps :=
  let m := Memory.fresh on_maps (Memory.fresh on_maps (FMapPositive.PositiveMap.empty _) 0 3) 1 3 in
  fold_right (fun ox m => Memory.put on_maps m 0 (fst ox) (snd ox)) m [(0, 5%Z); (1, 6%Z); (2, 7%Z)].

Example emit_memory_correct_applies :
  exists m', Memory.mrun (s := numbers_sizing) on_maps true Errata.no_levels ThreadsExample.doubled map_store
      = Some m' /\
    map (Memory.get on_maps m' 1) [0; 1; 2] = [Some (Some 10); Some (Some 12); Some (Some 14)]%Z.
Proof.
  destruct (frun (s := numbers_sizing) Errata.no_levels ThreadsExample.doubled (Memory.get on_maps map_store))
    as [f |] eqn:E; [| vm_compute in E; discriminate].
  destruct (OfEmit.emit_memory_correct _ _ numbers_sizing on_maps true ThreadsExample.doubled Errata.no_levels
              map_store _ f (fun _ _ => eq_refl) E) as (m' & R & same).
  exists m'. split; [exact R |]. cbn [map]. rewrite !same.
  assert (out : option_map (fun f => map (f 1) [0; 1; 2])
    (frun (s := numbers_sizing) Errata.no_levels ThreadsExample.doubled (Memory.get on_maps map_store)) =
    Some [Some (Some 10); Some (Some 12); Some (Some 14)]%Z) by (vm_compute; reflexivity).
  rewrite E in out. cbn [option_map map] in out. congruence.
Qed.

(** ** Dot products at binary64 and the integers *)

Definition dot (A : algebra) (add mul_ : bop A) (zero : lit A) : exp A numbers :=
  @ERed A numbers 3 DNum
    (EBin add (EBin mul_ (EFst (EVar 1)) (ESnd (EVar 1))) (EVar 0)) (ELit zero)
    (@EZip A numbers 3 DNum DNum (EVar 0) (EVar 1)).
Definition two_vectors : list (data numbers) := [@DAry numbers 3 DNum; @DAry numbers 3 DNum].

Definition dot64 : exp binary64 numbers := dot binary64 Scalars.Add Scalars.Mul (S754_zero false).
Definition vec64 (l : list Z) : value binary64 :=
  Arr (map (fun z => @Num binary64 (whole 53 1024 z)) l).
Definition ws64 := [vec64 [1; 2; 3]; vec64 [4; 5; 6]]%Z.

Example emit_compile_correct_binary64_applies ie :
  exists m', run ie (cgc (compile two_vectors dot64 DNum)) (laid_out ws64 (@DNum numbers)) = Some m' /\
    m' 2 [] = Some (Some (whole 53 1024 32)).
Proof.
  assert (T : Forall2 (@has_type binary64 numbers _) two_vectors ws64) by typed.
  destruct (OfEmit.emit_compile_correct_binary64 _ _ two_vectors dot64 DNum ws64 _ ie
              (checked_type two_vectors dot64 DNum eq_refl) (laid_out_ready _ _ _ T)) as (m' & R & out).
  exists m'. split; [exact R |].
  transitivity (Some (look (eval ws64 dot64) [])); [exact (out [] I) | vm_compute; reflexivity].
Qed.

Definition dotz : exp integers numbers := dot integers Scalars.Add Scalars.Mul 0%Z.
Definition wsz := [Errata.zvec [1; 2; 3]; Errata.zvec [4; 5; 6]]%Z.

Example emit_compile_correct_integers_applies ie :
  exists m', run ie (cgc (compile two_vectors dotz DNum)) (laid_out wsz (@DNum numbers)) = Some m' /\
    m' 2 [] = Some (Some 32%Z).
Proof.
  assert (T : Forall2 (@has_type integers numbers _) two_vectors wsz) by typed.
  destruct (OfEmit.emit_compile_correct_integers _ _ two_vectors dotz DNum wsz _ ie
              (checked_type two_vectors dotz DNum eq_refl) (laid_out_ready _ _ _ T)) as (m' & R & out).
  exists m'. split; [exact R |].
  transitivity (Some (look (eval wsz dotz) [])); [exact (out [] I) | reflexivity].
Qed.

(** ** Three assignments: y = reverse x; s = sum y; x = y + x, through a temporary *)

Definition three : list (data numbers) := [@DAry numbers 3 DNum; @DAry numbers 3 DNum; DNum].
Definition zplus (a b : exp integers numbers) : exp integers numbers := @EBin integers numbers Scalars.Add a b.
Definition assignments : list (@assignment integers numbers) :=
  [Assignment 1 (@DAry numbers 3 DNum)
     (@EMap integers numbers Par 3 DNum (EVar 0) (@ERev integers numbers 3 (EVar 0))) false;
   Assignment 2 DNum
     (@ERed integers numbers 3 DNum (zplus (EVar 1) (EVar 0)) (@ELit integers numbers 0%Z) (EVar 1)) false;
   Assignment 0 (@DAry numbers 3 DNum)
     (@EMap integers numbers Par 3 DNum (zplus (EFst (EVar 0)) (ESnd (EVar 0)))
        (@EZip integers numbers 3 DNum DNum (EVar 1) (EVar 0))) true].
Definition only_x (k : nat) : bool := k =? 0.
Definition given : list (value integers) := [Errata.zvec [1; 2; 4]; junk; junk]%Z.
Definition assigned : store integers := fun r p =>
  match r with
  | 0 => option_map Some (look (Errata.zvec [1; 2; 4]%Z) p)
  | 1 => if leafb (N := numbers) (@DAry numbers 3 DNum) p then Some None else None
  | 2 => if leafb (N := numbers) DNum p then Some None else None
  | _ => None
  end.

Lemma given_holding : WholeProof.holding three only_x given assigned.
Proof.
  split; [reflexivity |]. split.
  - intros [| k] d w Ed Ew S; [| discriminate S]. injection Ed as <-. injection Ew as <-.
    assert (T : has_type (@DAry numbers 3 DNum) (Errata.zvec [1; 2; 4]%Z)) by typed.
    split; [exact T |]. intros p lf. destruct (look_some _ _ p T lf) as [x E].
    unfold assigned. now rewrite E.
  - intros [| [| [| k]]] d p Ed lf; [| | | now destruct k]; injection Ed as <-.
    + assert (T : has_type (@DAry numbers 3 DNum) (Errata.zvec [1; 2; 4]%Z)) by typed.
      destruct (look_some _ _ p T lf) as [x E]. unfold assigned. now rewrite E.
    + apply leafb_iff in lf. unfold assigned. now rewrite lf.
    + apply leafb_iff in lf. unfold assigned. now rewrite lf.
Qed.

Example emit_program_correct_applies ie :
  exists m', run ie (cgc (translate_all three only_x assignments)) assigned = Some m' /\
    map (fun i => m' 0 [At i]) [0; 1; 2] = [Some (Some 5); Some (Some 4); Some (Some 5)]%Z /\
    map (fun i => m' 1 [At i]) [0; 1; 2] = [Some (Some 4); Some (Some 2); Some (Some 1)]%Z /\
    m' 2 [] = Some (Some 7%Z).
Proof.
  destruct (OfEmit.emit_program_correct _ _ _ range_var (@range_var_sound numbers _) three assignments only_x given
              assigned ie eq_refl given_holding) as (m' & _ & R & _ & held & _).
  exists m'. split; [exact R |].
  destruct (held 0 _ _ eq_refl eq_refl eq_refl) as [_ x].
  destruct (held 1 _ _ eq_refl eq_refl eq_refl) as [_ y].
  destruct (held 2 _ _ eq_refl eq_refl eq_refl) as [_ z].
  cbn [map]. rewrite !x, !y, z by (cbn; repeat constructor). repeat split.
Qed.
