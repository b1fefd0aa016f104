(** * Gemm with one left factor: one Gemm, and its columns

    Each product has a bias of one value for each column.  Put together along the columns, factors and
    biases make the products side by side. *)

From Coq Require Import Bool Lia List Arith NArith ZArith.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes.
From Calque Require Import tensor.Ops tensor.Algebra tensor.Concat.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Section Gemm.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).
  Variables (alpha beta : N) (ta tb : bool) (x : tensor).

  (** The dimension of the right factor along which its columns are. *)
  Definition columns : nat := if tb then 0 else 1.
  Definition units (w : tensor) : nat := nth columns (dims w) 0.
  Definition rows : nat := nth (if ta then 1 else 0) (dims x) 0.
  Definition inner : nat := nth (if ta then 0 else 1) (dims x) 0.
  Definition factor_dims (u : nat) : sizes := if tb then [u; inner] else [inner; u].
  Definition factor_at (col k : Z) : list Z := if tb then [col; k] else [k; col].

  Definition gemm_cell (w c : tensor) (row col : Z) : num S :=
    let ab := scaled S alpha (s_sum S [inner] (fun k =>
      s_mul S (at_ x (if ta then [nth 0 k 0%Z; row] else [row; nth 0 k 0%Z])) (at_ w (factor_at col (nth 0 k 0%Z))))) in
    if rounds_to_zero beta then ab else s_add S ab (scaled S beta (at_ c [col])).

  Lemma spread_row u m row col : in_box [m; u] [row; col] = true -> spread [u] [m; u] [row; col] = [col].
  Proof. intros I. unfold spread. cbn. now rewrite Nat.eqb_refl. Qed.

  Lemma broadcast_row u m : broadcasts [u] [m; u] = true.
  Proof.
    apply broadcasts_iff. unfold broadcast, lead. cbn. rewrite Nat.eqb_refl. cbn. now rewrite orb_true_r.
  Qed.

  Lemma gemm_iff w c y : dims c = [units w] -> gemm S alpha beta ta tb x w (Some c) = Some y <->
    List.length (dims x) = 2 /\ dims w = factor_dims (units w) /\
    y = tabulate [rows; units w] (fun i => gemm_cell w c (nth 0 i 0%Z) (nth 1 i 0%Z)).
  Proof.
    intros Dc. unfold gemm. rewrite table_iff. unfold gemm_dims, option_map. rewrite Dc.
    assert (forall m u (f g : list Z -> num S), (forall row col, in_box [m; u] [row; col] = true -> f [row; col] = g [row; col]) ->
              tabulate [m; u] f = tabulate [m; u] g) as pairs.
    { intros m u f g E. apply tabulate_ext. intros i I. pose proof (in_box_length _ _ I) as len.
      destruct i as [| row [| col [|]]]; try discriminate. now apply E. }
    assert (forall m, tabulate [m; units w] (fun i =>
         let row := nth 0 i 0%Z in let col := nth 1 i 0%Z in
         let ab := scaled S alpha (s_sum S [inner] (fun k => let k := nth 0 k 0%Z in
           s_mul S (at_ x (if ta then [k; row] else [row; k])) (at_ w (if tb then [col; k] else [k; col])))) in
         if rounds_to_zero beta then ab else s_add S ab (scaled S beta (spread_at S c [m; units w] i))) =
       tabulate [m; units w] (fun i => gemm_cell w c (nth 0 i 0%Z) (nth 1 i 0%Z))) as same.
    { intros m. apply pairs. intros row col I. unfold gemm_cell, factor_at, spread_at. cbn [nth]. rewrite Dc, spread_row by exact I.
      reflexivity. }
    unfold factor_dims, gemm_cell in *. unfold rows, inner, units, columns in *.
    destruct (dims x) as [| x0 [| x1 [|]]]; try (split; [intros (ds & E & _); discriminate | intros (E & _); discriminate]).
    destruct (dims w) as [| w0 [| w1 [|]]];
      try (split; [intros (ds & E & _); discriminate | intros (_ & E & _); destruct tb; discriminate]).
    unfold guard. destruct tb; cbn [nth] in *; rewrite broadcast_row, andb_true_r.
    all: match goal with |- context [if ?a =? ?b then _ else _] => destruct (Nat.eqb_spec a b) as [E | ne] end.
    all: split.
    all: try (intros (ds & Q & _); discriminate).
    all: try (intros (_ & Q & _); injection Q; intros; subst; destruct ta; cbn [nth] in *; congruence).
    all: try (intros (ds & Q & ->); injection Q as <-; split; [reflexivity |]; split; [destruct ta; cbn [nth] in *; congruence |]).
    all: try (intros (_ & Q & ->); eexists; split; [reflexivity |]; symmetry).
    all: destruct ta; exact (same _).
  Qed.

  Lemma factor_at_in u col k : (0 <= col < Z.of_nat u)%Z -> in_box [inner] [k] = true -> in_box (factor_dims u) (factor_at col k) = true.
  Proof.
    intros C K. apply in_box_cons in K. destruct K as [K _]. unfold factor_dims, factor_at.
    destruct tb; (apply in_box_cons; split; [assumption |]; apply in_box_cons; split; [assumption | reflexivity]).
  Qed.

  Lemma factor_at_moved col k z : set_nth columns (nth columns (factor_at col k) 0 + z)%Z (factor_at col k) = factor_at (col + z) k.
  Proof. unfold columns, factor_at. now destruct tb. Qed.

  Lemma units_of u (w : tensor) : dims w = factor_dims u -> units w = u.
  Proof. intros D. unfold units, columns. rewrite D. unfold factor_dims. now destruct tb. Qed.

  Theorem gemm_columns w c ws cs ys :
    List.length cs = List.length ws -> List.length ys = List.length (w :: ws) ->
    (forall j v b y, nth_error (w :: ws) j = Some v -> nth_error (c :: cs) j = Some b -> nth_error ys j = Some y ->
       gemm S alpha beta ta tb x v (Some b) = Some y /\ dims b = [units v]) ->
    exists W C Y, concat S columns w ws = Some W /\ concat S 0 c cs = Some C /\
      gemm S alpha beta ta tb x W (Some C) = Some Y /\ good W /\ good C /\ good Y /\ List.length (dims Y) = 2 /\
      List.length (dims w) = 2 /\ List.length (dims c) = 1 /\ split S 1 (map units (w :: ws)) Y = Some ys.
  Proof.
    intros lc ly all.
    assert (forall j v, nth_error (w :: ws) j = Some v -> exists b y, nth_error (c :: cs) j = Some b /\ nth_error ys j = Some y /\
              List.length (dims x) = 2 /\ dims v = factor_dims (units v) /\ dims b = [units v] /\
              y = tabulate [rows; units v] (fun i => gemm_cell v b (nth 0 i 0%Z) (nth 1 i 0%Z))) as known.
    { intros j v at_v. assert (j < List.length (w :: ws)) as lt by (apply nth_error_Some; congruence).
      destruct (nth_error (c :: cs) j) as [b |] eqn:at_b; [| apply nth_error_None in at_b; simpl in *; lia].
      destruct (nth_error ys j) as [y |] eqn:at_y; [| apply nth_error_None in at_y; simpl in *; lia].
      exists b, y. destruct (all j v b y at_v at_b at_y) as [F D]. apply (gemm_iff v b y D) in F. now destruct F as (lx & Dv & ->). }
    destruct (known 0 w eq_refl) as (c' & y0 & at_c & _ & lx & Dw & Dc & _). injection at_c as <-.
    set (total := list_sum (map units (w :: ws))).
    assert (map (fun t : tensor => nth 0 (dims t) 0) (c :: cs) = map units (w :: ws)) as sizes.
    { apply nth_ext with (d := 0) (d' := 0); [rewrite !map_length; simpl; lia |]. intros j lt. rewrite map_length in lt.
      destruct (nth_error (w :: ws) j) as [v |] eqn:at_v; [| apply nth_error_None in at_v; simpl in *; lia].
      destruct (known j v at_v) as (b & y & at_b & _ & _ & _ & Db & _).
      rewrite (nth_error_nth _ _ 0 (map_nth_error (fun t : tensor => nth 0 (dims t) 0) j (c :: cs) at_b)), Db.
      now rewrite (nth_error_nth _ _ 0 (map_nth_error units j (w :: ws) at_v)). }
    assert (concat S columns w ws = Some (tabulate (set_nth columns total (dims w)) (concat_cell S columns w ws))) as EW.
    { apply concat_iff. split; [| reflexivity]. intros v inv. apply (in_cons w) in inv. apply In_nth_error in inv. destruct inv as [j at_v].
      destruct (known j v at_v) as (_ & _ & _ & _ & _ & Dv & _). unfold alike. rewrite Dv, Dw. unfold factor_dims, columns.
      now destruct tb. }
    assert (concat S 0 c cs = Some (tabulate (set_nth 0 total (dims c)) (concat_cell S 0 c cs))) as EC.
    { apply concat_iff. split; [| now rewrite sizes]. intros b inb. apply (in_cons c) in inb. apply In_nth_error in inb.
      destruct inb as [j at_b]. assert (j < List.length (c :: cs)) as lt by (apply nth_error_Some; congruence).
      destruct (nth_error (w :: ws) j) as [v |] eqn:at_v; [| apply nth_error_None in at_v; simpl in *; lia].
      destruct (known j v at_v) as (b' & _ & at_b' & _ & _ & _ & Db & _). assert (b' = b) as -> by congruence.
      unfold alike. rewrite Db, Dc. now split. }
    set (W := tabulate _ _) in EW. set (C := tabulate _ _) in EC.
    assert (dims W = factor_dims total) as DW by (unfold W; cbn [dims tabulate]; rewrite Dw; unfold factor_dims, columns; now destruct tb).
    assert (dims C = [total]) as DC by (unfold C; cbn [dims tabulate]; rewrite Dc; reflexivity).
    pose proof (units_of total W DW) as UW.
    set (Y := tabulate [rows; total] (fun i => gemm_cell W C (nth 0 i 0%Z) (nth 1 i 0%Z))).
    exists W, C, Y. split; [exact EW |]. split; [exact EC |]. split.
    { apply gemm_iff; [now rewrite UW |]. rewrite UW. now split. }
    split; [apply good_tabulate |]. split; [apply good_tabulate |]. split; [apply good_tabulate |]. split; [reflexivity |].
    split; [rewrite Dw; unfold factor_dims; now destruct tb |]. split; [now rewrite Dc |].
    apply split_iff. split; [reflexivity |].
    apply nth_ext with (d := Y) (d' := Y); [rewrite parts_length, !map_length; exact ly |].
    intros j lt. destruct (nth_error (w :: ws) j) as [v |] eqn:at_v; [| apply nth_error_None in at_v; lia].
    destruct (known j v at_v) as (b & y & at_b & at_y & _ & Dv & Db & Ey).
    rewrite (nth_error_nth _ _ Y at_y). symmetry. apply nth_error_nth. rewrite nth_parts by (cbn [dims tabulate Y]; simpl; lia).
    rewrite nth_error_map, at_v. cbn [option_map]. f_equal. rewrite Ey. unfold part, Y. cbn [dims tabulate set_nth].
    fold (tabulate [rows; total] (fun i => gemm_cell W C (nth 0 i 0%Z) (nth 1 i 0%Z))). fold Y.
    apply tabulate_ext. intros i I. pose proof (in_box_length _ _ I) as len.
    destruct i as [| r [| q [|]]]; try discriminate. cbn [nth set_nth].
    set (z := Z.of_nat _). apply in_box_cons in I. destruct I as [R I]. apply in_box_cons in I. destruct I as [Q _].
    assert (nth_error (map units (w :: ws)) j = Some (units v)) as at_u by now rewrite nth_error_map, at_v.
    pose proof (start_le _ _ _ at_u) as le. fold total in le.
    assert (in_box [rows; total] [r; (q + z)%Z] = true) as Iz
      by (apply in_box_cons; split; [exact R |]; apply in_box_cons; split; [unfold z; lia | reflexivity]).
    unfold Ops.at_ at 1. unfold Y. rewrite get_tabulate by exact Iz. cbn [nth]. unfold gemm_cell.
    assert (at_ C [(q + z)%Z] = at_ b [q]) as ->.
    { pose proof (concat_part S 0 c cs C j b [q] EC at_b ltac:(rewrite Dc; simpl; lia)
        ltac:(rewrite Db; apply in_box_cons; split; [exact Q | reflexivity])) as [_ E].
      rewrite sizes in E. exact E. }
    assert (forall f, s_sum S [inner] (fun k => s_mul S (f k) (at_ W (factor_at (q + z) (nth 0 k 0%Z)))) =
                      s_sum S [inner] (fun k => s_mul S (f k) (at_ v (factor_at q (nth 0 k 0%Z))))) as sums.
    { intros f. apply s_sum_ext. intros kk Ik. f_equal. pose proof (in_box_length _ _ Ik) as lk. destruct kk as [| k [|]]; try discriminate.
      cbn [nth]. rewrite <- factor_at_moved.
      apply (concat_part S columns w ws W j v (factor_at q k) EW at_v).
      - rewrite Dw. unfold factor_dims, columns. destruct tb; simpl; lia.
      - rewrite Dv. now apply factor_at_in. }
    now rewrite sums.
  Qed.
End Gemm.
