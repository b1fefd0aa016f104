(** * What is read of a kernel has its value

    [tval]: the value of a tree in the tensors of the original kernel.  A kernel's expression has
    the value of what is read of it, wherever its loads do ([read_right]); a load of a packed
    tensor and of a temporary do ([load_new_right]). *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.WfProof kernel.Forms kernel.FormsProof.
From Calque Require Import kernel.Repack kernel.RepackProof.
Import ListNotations.
Open Scope nat_scope.

Section RepackValue.
  Context {S : scalars} (law : rules S).
  Notation ex := (ex S).
  Notation prog := (prog S).
  Notation store := (store S).
  Notation tree := (tree S).
  Notation good := (good S law).
  Variable P : packing.

  Section TreeInd.
    Variable Q : tree -> Prop.
    Hypothesis cst : forall c, Q (TCst c).
    Hypothesis ld : forall t l, Q (TLd t l).
    Hypothesis bin : forall o a b, Q a -> Q b -> Q (TBin o a b).
    Hypothesis fn : forall f l, Forall Q l -> Q (TFn f l).
    Hypothesis sel : forall c a b, Q a -> Q b -> Q (TSel c a b).
    Hypothesis red_ : forall r ns a, Q a -> Q (TRed r ns a).

    Fixpoint tree_nested_ind (t : tree) : Q t :=
      match t with
      | TCst c => cst c
      | TLd t l => ld t l
      | TBin o a b => bin o a b (tree_nested_ind a) (tree_nested_ind b)
      | TFn f l => fn f l
          ((fix all l : Forall Q l :=
              match l with
              | [] => Forall_nil Q
              | a :: l' => Forall_cons a (tree_nested_ind a) (all l')
              end) l)
      | TSel c a b => sel c a b (tree_nested_ind a) (tree_nested_ind b)
      | TRed r ns a => red_ r ns a (tree_nested_ind a)
      end.
  End TreeInd.

  Theorem tree_eqb_right (x : tree) : forall y, tree_eqb law x y = true -> x = y.
  Proof.
    induction x as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns a IH] using tree_nested_ind;
      intros [c' | t' l' | o' a' b' | f' l' | c' a' b' | r' ns' a'] E; cbn in E; try discriminate;
      rewrite ?andb_true_iff in E.
    - f_equal. now apply lit_eqb_right in E.
    - destruct E as [Et E]. apply Nat.eqb_eq in Et. subst. f_equal.
      apply (same_list_right form_eqb); [intros; now apply form_eqb_right | exact E].
    - destruct E as [[O A] B]. apply bop_eqb_right in O. subst. f_equal; auto.
    - destruct E as [F E]. apply fid_eqb_right in F. subst. f_equal. rewrite Forall_forall in IH.
      apply (same_list_right (tree_eqb law)); [intros a ina b; now apply IH | exact E].
    - destruct E as [[C A] B]. f_equal; auto.
      apply (same_list_right test_eqb); [intros; now apply test_eqb_right | exact C].
    - destruct E as [[R N] A]. apply red_eqb_right in R. apply dims_eqb_eq in N. subst. f_equal. auto.
  Qed.

  (** ** Meaning *)

  Fixpoint tval (st : store) (sigma : list Z) (t : tree) : carrier S :=
    match t with
    | TCst c => lit_value S c
    | TLd t l => st t (map (eval_form sigma) l)
    | TBin o a b => bop_value S o (tval st sigma a) (tval st sigma b)
    | TFn f l => fid_value S f (map (tval st sigma) l)
    | TSel c a b => if forallb (holds sigma) c then tval st sigma a else tval st sigma b
    | TRed r ns a => fold_left (fun acc k => red_step S r acc (tval st (sigma ++ k) a)) (box ns) (red_start S r)
    end.

  (** A cell of a tensor of numbers is one, and of one without -0. *)
  Definition known (t : tid) (x : carrier S) : Prop :=
    (is_numeric P t = true -> is_number S law x) /\ (forall s, is_clean P s t = true -> clean S law s x).

  (** So is what is loaded, wherever it is evaluated. *)
  Fixpoint fine (st : store) (sigma : list Z) (t : tree) : Prop :=
    match t with
    | TCst _ => True
    | TLd t l => known t (st t (map (eval_form sigma) l))
    | TBin _ a b => fine st sigma a /\ fine st sigma b
    | TFn _ l => fold_right (fun a Q => fine st sigma a /\ Q) True l
    | TSel c a b => if forallb (holds sigma) c then fine st sigma a else fine st sigma b
    | TRed _ ns a => forall k, in_box ns k = true -> fine st (sigma ++ k) a
    end.

  (** ** Guards of sums *)

  (** The same, or nothing that a sum would see. *)
  Definition alike (x y : carrier S) : Prop :=
    x = y \/ exists o z w, is_product S law o = true /\ is_nought S law z = true /\ is_number S law w /\
      (x = bop_value S o (lit_value S z) w \/ x = bop_value S o w (lit_value S z)) /\ y = lit_value S z.

  Lemma guard_alike st sigma o c x z w (left : bool) : is_product S law o && is_zero law z && is_finite P w = true ->
    let g := TSel c x z in
    let t := if left then TBin o g w else TBin o w g in
    let u := TSel c (if left then TBin o x w else TBin o w x) z in
    fine st sigma t -> fine st sigma u /\ alike (tval st sigma t) (tval st sigma u).
  Proof.
    rewrite !andb_true_iff. intros [[O Z] F]. destruct z as [z | | | | |]; try discriminate.
    destruct w as [| v l | | | |]; try discriminate. cbn in Z, F. intros g t u H. subst g t u.
    destruct left; cbn [fine tval] in *; destruct (forallb (holds sigma) c); cbn [fine tval] in *;
      unfold known in H; (split; [unfold known; tauto |]); try (now left); right; exists o, z, (st v (map (eval_form sigma) l));
        tauto.
  Qed.

  Lemma outside_alike st sigma t : fine st sigma t ->
    fine st sigma (guard_outside law P t) /\ alike (tval st sigma t) (tval st sigma (guard_outside law P t)).
  Proof.
    intros H. assert (same : fine st sigma t /\ alike (tval st sigma t) (tval st sigma t)) by (split; [exact H | now left]).
    destruct t as [c | u l | o a b | f l | c a b | r ns a]; cbn [guard_outside]; try exact same.
    destruct a as [c | u l | o' a b' | f l | c x z | r ns a].
    5: { destruct (_ && _) eqn:E; [| exact same]. exact (guard_alike st sigma o c x z b true E H). }
    all: destruct b as [c' | u' l' | o2 a2 b2 | f' l' | c' x z | r' ns' a']; try exact same;
      destruct (_ && _) eqn:E; [| exact same]; exact (guard_alike st sigma o c' x z _ false E H).
  Qed.

  Lemma sum_alike r (x y : list Z -> carrier S) l : is_sum S law r = true ->
    (forall k, In k l -> good (x k) /\ alike (x k) (y k)) ->
    fold_left (fun acc k => red_step S r acc (y k)) l (red_start S r) =
      fold_left (fun acc k => red_step S r acc (x k)) l (red_start S r).
  Proof.
    intros R H. destruct (sum_right S law r R) as (keeps & start & more & none).
    revert start. generalize (red_start S r) as a. induction l as [| k l IH]; intros a A; [reflexivity |]. cbn [fold_left].
    assert (E : red_step S r a (y k) = red_step S r a (x k)).
    { destruct (H k (or_introl eq_refl)) as [_ [-> | (o & z & w & O & Z & W & X & ->)]]; [reflexivity |].
      destruct (none a o z w A O Z W) as (N1 & N2 & N3). rewrite N3. destruct X as [-> | ->]; congruence. }
    rewrite E. apply IH; [intros j inj; apply H; now right |]. apply more; [exact A |]. apply H. now left.
  Qed.

  (** ** Guards of exact products *)

  Lemma exact_outside_alike st sigma t : fine st sigma t ->
    fine st sigma (exact_outside law P t) /\
    (tval st sigma (exact_outside law P t) = tval st sigma t \/
     exists f z w, is_exact S law f = true /\ is_nought S law z = true /\ is_number S law w /\
       (tval st sigma t = fid_value S f [lit_value S z; w] \/ tval st sigma t = fid_value S f [w; lit_value S z]) /\
       tval st sigma (exact_outside law P t) = lit_value S (left_out S law z)).
  Proof.
    intros H. assert (same : fine st sigma t /\ (tval st sigma t = tval st sigma t \/
      exists f z w, is_exact S law f = true /\ is_nought S law z = true /\ is_number S law w /\
       (tval st sigma t = fid_value S f [lit_value S z; w] \/ tval st sigma t = fid_value S f [w; lit_value S z]) /\
       tval st sigma t = lit_value S (left_out S law z))) by (split; [exact H | now left]).
    assert (go : forall f c x z w (left : bool), is_exact S law f && is_zero law z && is_finite P w = true ->
      let g := TSel c x z in
      let t := TFn f (if left then [g; w] else [w; g]) in
      let u := TSel c (TFn f (if left then [x; w] else [w; x])) (instead law z) in
      fine st sigma t -> fine st sigma u /\ (tval st sigma u = tval st sigma t \/
        exists f z w, is_exact S law f = true /\ is_nought S law z = true /\ is_number S law w /\
          (tval st sigma t = fid_value S f [lit_value S z; w] \/ tval st sigma t = fid_value S f [w; lit_value S z]) /\
          tval st sigma u = lit_value S (left_out S law z))).
    { clear. intros f c x z w left. rewrite !andb_true_iff. intros [[O Z] F]. destruct z as [z | | | | |]; try discriminate.
      destruct w as [| v l | | | |]; try discriminate. cbn in Z, F. intros g t u H. subst g t u.
      destruct left; cbn [fine tval map fold_right] in *; destruct (forallb (holds sigma) c); cbn [fine tval map fold_right] in *;
        unfold known in H; (split; [unfold known; tauto |]); try (now left); right;
          exists f, z, (st v (map (eval_form sigma) l)); tauto. }
    destruct t as [c | u l | o a b | f l | c a b | r ns a]; cbn [exact_outside]; try exact same.
    destruct l as [| a [| b [| e l]]]; try exact same; try (destruct a; exact same); [| destruct a, b; exact same].
    destruct a as [c | u l | o' a1 a2 | f' l | c x z | r ns a].
    5: { destruct (is_exact S law f && is_zero law z && is_finite P b) eqn:E.
         - pose proof (go f c x z b true E H) as G. destruct b; exact G.
         - destruct b; exact same. }
    all: destruct b as [c' | u' l' | o2 a3 b2 | f2 l' | c' x z | r' ns' a']; try exact same;
      destruct (_ && _) eqn:E; [| exact same]; exact (go f c' x z _ false E H).
  Qed.

  Lemma unmasked_right st sigma r t : is_sum S law r = true -> fine st sigma t ->
    fine st sigma (unmasked law P t) /\
    forall a, red_step S r a (tval st sigma (unmasked law P t)) = red_step S r a (tval st sigma t).
  Proof.
    intros R H. assert (same : fine st sigma t /\ forall a, red_step S r a (tval st sigma t) = red_step S r a (tval st sigma t))
      by (split; [exact H | reflexivity]).
    destruct t as [| | | f l | |]; try exact same.
    destruct l as [| [| | | | c x z |] [| [| | | g m | |] [| e l]]]; try exact same.
    2: { destruct m as [| w [| [| | | | d [most | | | | |] [neg | | | | |] |] [| e' m]]]; exact same. }
    destruct m as [| w [| [| | | | d [most | | | | |] [neg | | | | |] |] [| e m]]]; try exact same. cbn [unmasked].
    destruct (_ && _) eqn:E; [| exact same]. rewrite !andb_true_iff in E. destruct E as [[[[[[X Z] F] L] T] N] C].
    apply (same_list_right test_eqb c) in C; [| intros; now apply test_eqb_right]. subst d.
    destruct z as [z | | | | |]; try discriminate. destruct w as [| v l | | | |]; try discriminate. cbn in Z, F.
    cbn [fine fold_right] in H. cbn [fine tval map fold_right instead].
    destruct (forallb (holds sigma) c) eqn:Hc; cbn [fine tval map fold_right].
    - split; [tauto |]. intros a. rewrite (most_right S law g most); auto. now apply H.
    - split; [exact I |]. intros a. symmetry. apply (negative_right S law); auto. now apply H.
  Qed.

  Lemma loosened_right st sigma o x y : fine st sigma x -> fine st sigma y ->
    fine st sigma (loosened law P o x y) /\
    bop_value S o (tval st sigma (loosened law P o x y)) (tval st sigma y) = bop_value S o (tval st sigma x) (tval st sigma y).
  Proof.
    intros Fx Fy. destruct x as [c | u l | o' a b | f l | c a b | r ns t]; try (now split). cbn [loosened].
    destruct (_ && _) eqn:E; [| now split]. apply andb_true_iff in E as [R E]. apply existsb_exists in E as (s & _ & E).
    apply andb_true_iff in E as [A C].
    destruct y as [| v l | | | |]; try discriminate. cbn in C. cbn [fine] in Fy. destruct Fy as [_ Cy]. specialize (Cy s C).
    split; [intros k ink; now apply exact_outside_alike, Fx |].
    destruct (exact_right S law r s o R A) as (alike & start & step & zeros & seen). symmetry. apply seen; [| exact Cy].
    cbn [tval].
    assert (go : forall l, (forall k, In k l -> in_box ns k = true) -> forall a b, alike a b ->
      alike (fold_left (fun acc k => red_step S r acc (tval st (sigma ++ k) t)) l a)
            (fold_left (fun acc k => red_step S r acc (tval st (sigma ++ k) (exact_outside law P t))) l b)).
    { induction l0 as [| k l0 IH]; intros all a b AB; [exact AB |]. cbn [fold_left].
      apply IH; [intros j inj; apply all; now right |].
      destruct (exact_outside_alike st (sigma ++ k) t (Fx k (all k (or_introl eq_refl)))) as
        [_ [-> | (f & z & w & O & Z & W & X & ->)]]; [now apply step |].
      destruct (zeros a b f z w AB O Z W) as [Z1 Z2]. destruct X as [-> | ->]; assumption. }
    apply go; [intros k ink; now apply in_box_box | exact start].
  Qed.

  (** ** Values are good *)

  Lemma eval_good shape (X : store) : (forall t i, in_box (shape t) i = true -> good (X t i)) ->
    forall e rho, safe shape rho e -> good (eval X rho e).
  Proof.
    intros G. induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind; intros rho ok.
    - apply good_lit.
    - apply G. now apply (ok t).
    - cbn [eval]. apply good_bop; [apply IHa | apply IHb]; intros t; apply (ok t).
    - cbn [eval]. apply good_fid. apply Forall_forall. intros v inv. apply in_map_iff in inv as (a & <- & ina).
      rewrite Forall_forall in IH. apply IH; [exact ina |]. intros t. specialize (ok t). cbn [in_bounds] in ok.
      clear -ok ina. induction l as [| b l IHl]; [contradiction |]. cbn in ok. destruct ok, ina as [<- |]; auto.
    - cbn [eval]. unfold safe in ok. cbn [in_bounds] in ok. destruct (eval_cond rho c); auto.
    - cbn [eval].
      assert (forall l a, good a -> (forall k, In k l -> in_box ns k = true) ->
                good (fold_left (fun acc k => red_step S r acc (eval X (k ++ rho) e)) l a)) as go.
      { induction l as [| k l IHl]; intros a A all; [exact A |]. cbn [fold_left].
        apply IHl; [| intros j inj; apply all; now right].
        apply good_step; [exact A |]. apply IH. intros t. apply (ok t). apply all. now left. }
      apply go; [apply good_start |]. intros k ink. now apply in_box_box.
  Qed.

  (** ** Reading *)

  Section Read.
    Variable shape : tid -> list nat.
    (** The kernel's tensors, and the original's. *)
    Variables X G : store.
    Hypothesis good_X : forall t i, in_box (shape t) i = true -> good (X t i).

    (** A load of a tensor that is not early means what the kernel's load does. *)
    Definition loads_right (early : tid -> bool) (load : loading S) : Prop :=
      forall t R l T sigma i, early t = false -> in_box R sigma = true -> means sigma l i -> in_box (shape t) i = true ->
        load t R l = Ok T -> tval G sigma T = X t i /\ fine G sigma T.

    Theorem read_right early load : loads_right early load -> forall e R env T sigma rho,
      in_box R sigma = true -> means sigma env rho -> safe shape rho e -> read law P early load R env e = Ok T ->
      tval G sigma T = eval X rho e /\ fine G sigma T.
    Proof.
      intros L. induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind;
        intros R env T sigma rho inside M ok E; cbn [read] in E.
      - injection E as <-. now split.
      - destruct (early t) eqn:Et; [discriminate |]. cbn [eval].
        apply (L t R (map (subst_ix env) l)); auto; [now apply means_subst | now apply (ok t)].
      - apply bind_ok in E as (x & Ex & E). apply bind_ok in E as (y & Ey & E). injection E as <-. cbn [tval fine eval].
        destruct (IHa R env x sigma rho) as [Va Fa]; auto; [intros t; apply (ok t) |].
        destruct (IHb R env y sigma rho) as [Vb Fb]; auto; [intros t; apply (ok t) |].
        destruct (loosened_right G sigma o x y Fa Fb) as [F V]. now rewrite V, Va, Vb.
      - apply bind_ok in E as (m & Em & E). injection E as <-. apply each_ok in Em. cbn [tval fine eval].
        assert (H : map (tval G sigma) m = map (eval X rho) l /\ fold_right (fun a Q => fine G sigma a /\ Q) True m).
        { clear -IH inside M ok Em. assert (ok' : forall t, fold_right (fun a Q => in_bounds t (shape t) rho a /\ Q) True l) by
            exact ok.
          clear ok. induction Em as [| a x l m Ea Em IHl]; [now split |]. inversion IH as [| ? ? IHa IHm]; subst.
          destruct (IHa R env x sigma rho) as [V F]; auto; [intros t; apply (ok' t) |].
          destruct IHl as [Vs Fs]; [assumption | intros t; apply (ok' t) |]. cbn [map fold_right]. rewrite V, Vs. now split. }
        destruct H as [-> H]. now split.
      - apply bind_ok in E as (o & Eo & E). apply (opened_right R sigma inside env rho c M) in Eo.
        unfold safe in ok. cbn [in_bounds] in ok. cbn [eval].
        destruct o as [[| u l] |].
        + cbn in Eo. destruct (eval_cond rho c); [| discriminate]. eapply IHa; eauto.
        + apply bind_ok in E as (x & Ex & E). apply bind_ok in E as (y & Ey & E). injection E as <-. cbn [tval fine].
          rewrite Eo. cbn [forallb]. rewrite andb_true_r. destruct (eval_cond rho c); [eapply IHa | eapply IHb]; eauto.
        + rewrite Eo in *. eapply IHb; eauto.
      - apply bind_ok in E as (x & Ex & E). injection E as <-. cbn [eval].
        assert (H : forall k, in_box ns k = true -> tval G (sigma ++ k) x = eval X (k ++ rho) e /\ fine G (sigma ++ k) x).
        { intros k ink. apply (IH (R ++ ns) (under R ns env)); auto.
          - rewrite in_box_app by (symmetry; now rewrite (in_box_length _ _ inside)). now rewrite inside, ink.
          - apply means_under; [apply (in_box_length _ _ inside) | apply (in_box_length _ _ ink) | exact M].
          - intros t. apply (ok t). exact ink. }
        destruct (is_sum S law r) eqn:R_.
        + cbn [tval fine]. split; [| intros k ink; apply (unmasked_right G (sigma ++ k) r _ R_); now apply outside_alike, H].
          rewrite (fold_left_ext_in _ (fun acc k => red_step S r acc (tval G (sigma ++ k) (guard_outside law P x)))).
          2: { intros acc k ink. apply in_box_box in ink. apply (unmasked_right G (sigma ++ k) r _ R_).
               now apply outside_alike, H. }
          assert (E : fold_left (fun acc k => red_step S r acc (tval G (sigma ++ k) (guard_outside law P x))) (box ns)
            (red_start S r) =
                      fold_left (fun acc k => red_step S r acc (tval G (sigma ++ k) x)) (box ns) (red_start S r)).
          { apply sum_alike; [exact R_ |]. intros k ink. apply in_box_box in ink. destruct (H k ink) as [V F].
            split; [| now apply outside_alike]. rewrite V. apply (eval_good shape X good_X). intros t. apply (ok t). exact ink. }
          rewrite E. apply fold_left_ext_in. intros acc k ink. apply in_box_box in ink. now rewrite (proj1 (H k ink)).
        + cbn [tval fine]. split; [| intros k ink; now apply H]. apply fold_left_ext_in.
          intros acc k ink. apply in_box_box in ink. now rewrite (proj1 (H k ink)).
    Qed.
  End Read.

  (** ** Loads *)

  Lemma load_plain_right (G : store) t R l T sigma i : in_box R sigma = true -> means sigma l i -> load_plain t R l = Ok T ->
    known t (G t i) -> tval G sigma T = G t i /\ fine G sigma T.
  Proof.
    intros inside M E N. apply bind_ok in E as (m & Em & E). injection E as <-. cbn [tval fine].
    rewrite (normals_right R sigma inside l m Em), (means_here _ _ _ M). now split.
  Qed.

  Lemma load_packed_right (G X : store) e t R l T sigma i :
    ordered e (old_shape P t) (new_shape P t) = true -> in_box R sigma = true -> means sigma l i ->
    in_box (new_shape P t) i = true -> load_packed P e t R l = Ok T ->
    (forall j, in_box (old_shape P t) j = true -> known t (G t j)) ->
    (forall j, in_box (new_shape P t) j = true -> X t j = packed_cell (zero S) e (G t) j) ->
    tval G sigma T = X t i /\ fine G sigma T.
  Proof.
    intros ord inside M ini E N data. unfold load_packed in E. destruct (divides (row_ix e l)) eqn:D; [| discriminate].
    destruct (span_form R (normal R (row_ix e l))) as [lo hi] eqn:Sp.
    destruct ((width e (new_shape P t) <=? rows e) || ((0 <=? lo) && (hi <? Z.of_nat (rows e)))%Z) eqn:B; [| discriminate].
    pose proof (span_inside R sigma inside _ lo hi D Sp) as row. rewrite row_ix_eval, (means_here _ _ _ M) in row.
    destruct (mids_inside e _ _ ord i ini) as [_ bound].
    assert (lt : (row_at e i < Z.of_nat (rows e))%Z).
    { apply orb_true_iff in B as [B | B]; [apply Nat.leb_le in B; lia |]. apply andb_true_iff in B as [_ B].
      apply Z.ltb_lt in B. lia. }
    destruct (place_inside e _ _ ord i ini lt) as [inj at_row].
    assert (M' : means sigma (place_ix e l) (place_at e i)) by (intros k; rewrite place_ix_eval; now rewrite (M k)).
    rewrite (data i ini). unfold packed_cell. rewrite at_row. apply Z.ltb_lt in lt. rewrite lt.
    apply (load_plain_right G t R (place_ix e l)); auto.
  Qed.
End RepackValue.
