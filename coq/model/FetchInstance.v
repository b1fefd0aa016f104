(** * Look-ups by data, compiled

    Rows of relu(x) at indices that are an input: for all values of the inputs the run gives
    what the graph means, or ends with an index outside; both happen.  Over [int64], and over
    mixed numbers, x binary32 and the indices int64. *)

From Coq Require Import Bool List Arith NArith String ZArith Lia.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Instances tensor.Mixed.
From Calque Require Import rewrite.Sound rewrite.SoundModel model.Unit model.Compile model.ModelProof model.Plan model.Instance.
From Calque Require model.CastInstance pattern.Pattern.
Import ListNotations.
Open Scope nat_scope.

Definition rows : Pattern.tgraph :=
  [leaf Pattern.KAbsent []; leaf (Pattern.KInput 0) (shaped [3; 2]%Z); leaf (Pattern.KInput 1) (shaped [2; 2]%Z);
   call "Relu" [] [1]; call "Gather" [("axis"%string, VInt 0)] [3; 2]; call "Add" [] [4; 4]].

Definition nothing {X Y} (_ : X) : option Y := None.

Section Any.
  Variable S : arith.
  Notation tensor := (tensor (num S)).

  Definition two (x ix : tensor) (k : N) : option tensor := match k with 0%N => Some x | 1%N => Some ix | _ => None end.

  Lemma two_fit x ix : good x -> dims x = [3; 2] -> good ix -> dims ix = [2; 2] -> inputs_fit (two x ix) rows.
  Proof.
    intros Gx Dx Gi Di n k I Wh. repeat (destruct I as [<- | I]; [try discriminate Wh |]); [| | destruct I];
      injection Wh as <-; eexists; (split; [reflexivity |]); [rewrite Dx | rewrite Di]; now split.
  Qed.
End Any.

(** The unit over [S]. *)
Definition rows_unit (S : arith) : option (unit_ S) := compile_stacked (const_value S nothing nothing) rows [5].

Lemma rows_correct S x ix u : rows_unit S = Some u ->
  good x -> dims x = [3; 2] -> good ix -> dims ix = [2; 2] ->
  match run_unit u (two S x ix) with
  | Finished outs =>
      outputs_of S (two S x ix) nothing nothing rows [5] = Some outs /\
      all_valued S (two S x ix) nothing nothing rows
  | OutOfRange => outside_at S (two S x ix) nothing nothing rows
  | Stuck => False
  end.
Proof. intros U Gx Dx Gi Di. apply (stacked_correct S _ nothing nothing rows [5] u U). now apply two_fit. Qed.

Section Mixed.
  Variable ex : spec_float -> spec_float.
  Notation S := (mixed (CastInstance.some ex)).

  (** -1, 0, 1, .. 4. *)
  Definition its_rows : tensor (num S) :=
    Tensor [3; 2] (map (fun k => of_f32 (CastInstance.some ex) (s_int binary32 (Z.of_nat k - 1))) (seq 0 6)).
  Definition its_indices (l : list Z) : tensor (num S) :=
    Tensor [2; 2] (map (fun z => of_i64 (CastInstance.some ex) (Some z)) l).

  Theorem rows_mixed : exists u, rows_unit S = Some u /\ no_fetches u = false /\
    (forall x ix, good x -> dims x = [3; 2] -> good ix -> dims ix = [2; 2] ->
       match run_unit u (two S x ix) with
       | Finished outs => outputs_of S (two S x ix) nothing nothing rows [5] = Some outs /\
           all_valued S (two S x ix) nothing nothing rows
       | OutOfRange => outside_at S (two S x ix) nothing nothing rows
       | Stuck => False
       end) /\
    (exists t, run_unit u (two S its_rows (its_indices [0; -1; 1; -2]%Z)) = Finished [t] /\
       map (CastInstance.shown ex) (cells t) = map (fun z => Some (CastInstance.single z)) [0; 0; 6; 8; 2; 4; 2; 4]%Z) /\
    run_unit u (two S its_rows (its_indices [0; 1; 3; 2]%Z)) = OutOfRange.
  Proof.
    assert (match rows_unit S with
            | Some u => negb (no_fetches u) &&
                match run_unit u (two S its_rows (its_indices [0; 1; 3; 2]%Z)) with OutOfRange => true | _ => false end
            | None => false
            end = true) as T by (vm_compute; reflexivity).
    assert (match rows_unit S with
            | Some u => match run_unit u (two S its_rows (its_indices [0; -1; 1; -2]%Z)) with
                        | Finished [t] => map (CastInstance.shown ex) (cells t)
                        | _ => [] end
            | None => []
            end = map (fun z => Some (CastInstance.single z)) [0; 0; 6; 8; 2; 4; 2; 4]%Z) as V by (vm_compute; reflexivity).
    pose proof (rows_correct S) as C.
    destruct (rows_unit S) as [u |]; [| discriminate T]. exists u. apply andb_true_iff in T as [N O]. apply negb_true_iff in N.
    split; [reflexivity |]. split; [exact N |]. split; [intros x ix; now apply C |]. split.
    - destruct (run_unit u (two S its_rows (its_indices [0; -1; 1; -2]%Z))) as [[| t [| ? ?]] | |]; try discriminate V.
      now exists t.
    - destruct (run_unit u (two S its_rows (its_indices [0; 1; 3; 2]%Z))); [discriminate O | reflexivity | discriminate O].
  Qed.
End Mixed.

(** Over [int64]. *)
Definition sums : list (option Z) := map Some [0; 0; 6; 8; 2; 4; 2; 4]%Z.
Definition some_rows : tensor (num int64) := Tensor [3; 2] (map (fun k => Some (Z.of_nat k - 1)%Z) (seq 0 6)).
Definition some_indices (l : list Z) : tensor (num int64) := Tensor [2; 2] (map Some l).

Theorem rows_int64 : exists u, rows_unit int64 = Some u /\
  run_unit u (two int64 some_rows (some_indices [0; -1; 1; -2]%Z)) = Finished [Tensor [2; 2; 2] sums] /\
  run_unit u (two int64 some_rows (some_indices [0; 1; -4; 2]%Z)) = OutOfRange.
Proof.
  assert (match rows_unit int64 with
          | Some u => (run_unit u (two int64 some_rows (some_indices [0; -1; 1; -2]%Z)),
                       run_unit u (two int64 some_rows (some_indices [0; 1; -4; 2]%Z)))
          | None => (Stuck, Stuck)
          end = (Finished [Tensor [2; 2; 2] sums], OutOfRange)) as T by (vm_compute; reflexivity).
  destruct (rows_unit int64) as [u |]; [| discriminate T]. injection T as A B. now exists u.
Qed.

(** Where the indices are inside, all nodes have values, and the run gives them. *)
Theorem rows_run : exists u outs, rows_unit int64 = Some u /\
  outputs_of int64 (two int64 some_rows (some_indices [0; -1; 1; -2]%Z)) nothing nothing rows [5] = Some outs /\
  run_unit u (two int64 some_rows (some_indices [0; -1; 1; -2]%Z)) = Finished outs.
Proof.
  destruct rows_int64 as (u & U & _). exists u. unfold rows_unit in U.
  destruct (stacked_runs int64 (two int64 some_rows (some_indices [0; -1; 1; -2]%Z)) nothing nothing rows [5] u U) as (outs & E & R).
  - now apply two_fit.
  - intros i lt. do 6 (destruct i as [| i]; [vm_compute; discriminate |]). cbn in lt. lia.
  - exists outs. exact (conj U (conj E R)).
Qed.
