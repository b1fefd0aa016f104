(** * The gradient is the adjoint of the tangent *)

From Coq Require Import Bool List Lia Arith ZArith Ring Ring_theory FinFun.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Grad.
Import ListNotations.
Open Scope Z_scope.

Section Proof.
  Variable K : ring.
  Add Ring K : (r_laws K).
  Notation R := (elt K).
  Declare Scope ring_scope.
  Notation "0" := (r0 K) : ring_scope.
  Notation "1" := (r1 K) : ring_scope.
  Infix "+" := (radd K) : ring_scope.
  Infix "*" := (rmul K) : ring_scope.
  Infix "-" := (rsub K) : ring_scope.
  Local Open Scope ring_scope.
  Notation alg := (alg K).
  Notation ex := (ex alg).
  Notation stmt := (stmt alg).
  Notation store := (store alg).
  Notation tensor := (tensor alg).
  Notation eval := (@eval alg).
  Notation sum := (@sum K _).
  Notation contribution := (contribution K).

  (** [ring] where the type of a side is known as [carrier alg]. *)
  Lemma zero_both (a b : R) : 0 + a = 0 + b -> a = b.
  Proof. intros H. transitivity (0 + a); [ring |]. rewrite H. ring. Qed.

  Ltac kring := apply zero_both; ring.

  (** ** Finite sums *)

  Lemma sum_app {A} (f : A -> R) l m : sum f (l ++ m) = sum f l + sum f m.
  Proof. induction l as [| a l IH]; simpl; [kring | rewrite IH; kring]. Qed.

  Lemma sum_map {A B} (g : B -> A) (f : A -> R) l : sum f (map g l) = sum (fun b => f (g b)) l.
  Proof. induction l as [| a l IH]; simpl; [| rewrite IH]; reflexivity. Qed.

  Lemma sum_ext {A} (f g : A -> R) l : (forall a, In a l -> f a = g a) -> sum f l = sum g l.
  Proof.
    induction l as [| a l IH]; intros same; simpl; [reflexivity |].
    rewrite same by now left. rewrite IH; [reflexivity |]. intros b inb. apply same. now right.
  Qed.

  Lemma sum_zero {A} (f : A -> R) l : (forall a, In a l -> f a = 0) -> sum f l = 0.
  Proof.
    intros none. induction l as [| a l IH]; simpl; [reflexivity |].
    rewrite none by now left. rewrite IH; [kring |]. intros b inb. apply none. now right.
  Qed.

  Lemma sum_add {A} (f g : A -> R) l : sum (fun a => f a + g a) l = sum f l + sum g l.
  Proof. induction l as [| a l IH]; simpl; [kring | rewrite IH; kring]. Qed.

  Lemma sum_mul_l {A} (f : A -> R) c l : sum (fun a => c * f a) l = c * sum f l.
  Proof. induction l as [| a l IH]; simpl; [kring | rewrite IH; kring]. Qed.

  Lemma sum_mul_r {A} (f : A -> R) c l : sum (fun a => f a * c) l = sum f l * c.
  Proof. induction l as [| a l IH]; simpl; [kring | rewrite IH; kring]. Qed.

  Lemma sum_swap {A B} (f : A -> B -> R) l m :
    sum (fun a => sum (fun b => f a b) m) l = sum (fun b => sum (fun a => f a b) l) m.
  Proof.
    induction l as [| a l IH]; simpl.
    - symmetry. now apply sum_zero.
    - now rewrite IH, sum_add.
  Qed.

  Lemma sum_flat_map {A B} (g : B -> list A) (f : A -> R) l :
    sum f (flat_map g l) = sum (fun b => sum f (g b)) l.
  Proof. induction l as [| a l IH]; simpl; [reflexivity |]. now rewrite sum_app, IH. Qed.

  Lemma sum_box_app (d e : list nat) (f : list Z -> R) :
    sum f (box (d ++ e)) = sum (fun i => sum (fun j => f (i ++ j)) (box e)) (box d).
  Proof.
    revert f. induction d as [| n d IH]; intros f; simpl.
    - transitivity (sum f (box e) + 0); [kring | reflexivity].
    - rewrite !sum_flat_map. apply sum_ext. intros k _. rewrite !sum_map. apply IH.
  Qed.

  (** A sum over a list without repetition picks one element. *)
  Lemma sum_pick {A} (eqb : A -> A -> bool) (f : A -> R) l a :
    (forall b, reflect (a = b) (eqb a b)) -> NoDup l -> In a l ->
    sum (fun b => if eqb a b then f b else 0) l = f a.
  Proof.
    intros eqb_ nodup ina. induction nodup as [| b l notin _ IH]; [contradiction |].
    simpl. destruct (eqb_ b) as [<- | ne].
    - rewrite sum_zero; [kring |]. intros c inc. destruct (eqb_ c); [congruence | reflexivity].
    - rewrite IH; [kring |]. destruct ina; congruence.
  Qed.

  Lemma fold_sum {A} (f : A -> R) l x : fold_left (fun acc a => acc + f a) l x = x + sum f l.
  Proof. revert x. induction l as [| a l IH]; intros x; simpl; [kring | rewrite IH; kring]. Qed.

  Lemma box_nodup d : NoDup (box d).
  Proof.
    induction d as [| n d IH]; simpl; [repeat constructor; intros [] |].
    generalize O. induction n as [| n IHn]; intros k; simpl; [constructor |].
    apply NoDup_app_intro; [| apply IHn |].
    - apply Injective_map_NoDup; [intros i j; congruence | exact IH].
    - intros i ini inr. apply in_map_iff in ini as (j & <- & _).
      apply in_flat_map in inr as (m & inm & inr). apply in_seq in inm.
      apply in_map_iff in inr as (j' & E & _). injection E as E _. lia.
  Qed.

  (** ** The sweep *)

  Lemma eval_sum st rho ns (e : ex) :
    eval st rho (@ERed alg Sum ns e) = sum (fun k => eval st (k ++ rho) e) (box ns).
  Proof.
    simpl. rewrite (fold_sum (fun k => eval st (k ++ rho) e)). kring.
  Qed.

  Lemma eval_shifted st k rho m n (e : ex) :
    length k = m -> length rho = n -> eval st (k ++ rho) (shifted m n e) = eval st rho e.
  Proof.
    intros <- <-. unfold shifted. rewrite eval_subst. f_equal. now apply eval_vars_from.
  Qed.

  (** What a contribution adds to the product with [du]. *)
  Definition share (st du : store) (rho : list Z) (c : contribution) : R :=
    sum (fun k => eval st (k ++ rho) (weight c) *
                  du (target c) (map (eval_ix (k ++ rho)) (at_ c))) (box (over c)).

  Theorem sweep_correct (st du : store) (e : ex) : forall n w rho,
    length rho = n ->
    sum (share st du rho) (sweep n e w) = eval st rho w * tangent st du rho e.
  Proof.
    induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros n w rho len.
    - simpl. kring.
    - simpl. unfold share. simpl. kring.
    - destruct o; simpl; rewrite sum_app, IHa, IHb by exact len; simpl; kring.
    - cbn [sweep tangent].
      set (vs := map (eval st rho) l).
      assert (distr : forall x y z, x * (y + z) = x * y + x * z) by (intros; kring).
      assert (H : forall rest i, Forall (fun e => forall n w rho, length rho = n ->
          sum (share st du rho) (sweep n e w) = eval st rho w * tangent st du rho e) rest ->
        sum (share st du rho)
          ((fix go i rest :=
              match rest with
              | [] => []
              | a :: rest' =>
                  sweep n a (bin Mul w (@EFn alg (partial K f i) l)) ++ go (S i) rest'
              end) i rest) =
        eval st rho w *
          ((fix go n rest :=
              match rest with
              | [] => 0
              | a :: rest' =>
                  func_value K (partial K f n) vs * tangent st du rho a + go (S n) rest'
              end) i rest)).
      { clear IH. induction rest as [| a rest IHr]; intros i all; [simpl; kring |].
        inversion all as [| ? ? here more]; subst.
        rewrite sum_app, IHr by exact more. rewrite here by reflexivity.
        etransitivity; [| symmetry; apply distr].
        apply f_equal2; [| reflexivity]. symmetry. apply (Rmul_assoc (r_laws K)). }
      now apply H.
    - simpl. rewrite sum_app, IHa, IHb by exact len. simpl.
      destruct (eval_cond rho c); kring.
    - destruct r as [| o]; [| simpl; kring].
      cbn [sweep tangent]. rewrite sum_map.
      transitivity (sum (fun k => sum (share st du (k ++ rho))
        (sweep (length ns + n) e (shifted (length ns) n w))) (box ns)).
      + rewrite sum_swap. apply sum_ext. intros c _. unfold share. simpl.
        rewrite sum_box_app, sum_swap. apply sum_ext. intros k _. apply sum_ext. intros j _.
        now rewrite app_assoc.
      + rewrite <- sum_mul_l. apply sum_ext. intros k ink. apply box_length in ink.
        rewrite IH by (rewrite app_length; lia).
        now rewrite eval_shifted by (exact ink || exact len).
  Qed.

  (** ** Scatter *)

  (** All index tuples of a contribution of a statement with output box [d]. *)
  Definition points (d : list nat) (c : contribution) : list (list Z) := box (over c ++ d).

  Definition hits (st : store) (d : list nat) (t : tid) (a : list Z) (c : contribution) : R :=
    if (target c =? t)%nat then
      sum (fun k => if tuple_eqb (map (eval_ix k) (at_ c)) a then eval st k (weight c) else 0)
          (points d c)
    else 0.

  Lemma scatter_one_hits st d t x c a :
    scatter_one st d t x c a = x a + hits st d t a c.
  Proof.
    unfold scatter_one, hits, points. destruct (target c =? t)%nat; [| kring].
    generalize (box (over c ++ d)). intros ks. revert x.
    induction ks as [| k ks IH]; intros x; simpl; [kring |].
    rewrite IH. unfold add_at. destruct (tuple_eqb _ a); kring.
  Qed.

  (** The loops of the scatter form as a sum with an Iverson bracket. *)
  Theorem scatter_iverson (s : stmt) v st t a :
    scatter s v st t a = sum (hits st (dims s) t a) (contributions s v).
  Proof.
    unfold scatter. generalize (contributions s v). intros cs.
    enough (H : forall x : tensor, fold_left (scatter_one st (dims s) t) cs x a =
      x a + sum (hits st (dims s) t a) cs) by (rewrite H; kring).
    induction cs as [| c cs IH]; intros x; simpl; [kring |].
    rewrite IH, scatter_one_hits. kring.
  Qed.

  (** One contribution against a direction. *)
  Lemma hits_inner st d t shape c (x : tensor) :
    supported shape x ->
    sum (fun a => hits st d t a c * x a) (box shape) =
    if (target c =? t)%nat then
      sum (fun k => eval st k (weight c) * x (map (eval_ix k) (at_ c))) (points d c)
    else 0.
  Proof.
    intros sup. unfold hits. destruct (target c =? t)%nat; [| apply sum_zero; intros; kring].
    transitivity (sum (fun a => sum (fun k =>
        if tuple_eqb (map (eval_ix k) (at_ c)) a then eval st k (weight c) * x a else 0)
      (points d c)) (box shape)).
    - apply sum_ext. intros a _. rewrite <- sum_mul_r. apply sum_ext. intros k _.
      destruct (tuple_eqb _ a); kring.
    - rewrite sum_swap. apply sum_ext. intros k _.
      set (i := map (eval_ix k) (at_ c)).
      destruct (in_box shape i) eqn:ini.
      + apply (sum_pick tuple_eqb (fun a => eval st k (weight c) * x a)).
        * apply tuple_eqb_spec.
        * apply box_nodup.
        * now apply in_box_box.
      + rewrite sup by exact ini. rewrite sum_zero; [kring |]. intros a ina.
        destruct (tuple_eqb_spec i a) as [<- |]; [| reflexivity].
        apply in_box_box in ina. congruence.
  Qed.

  Lemma sweep_targets (e : ex) : forall n w c, In c (sweep n e w) -> In (target c) (loads e).
  Proof.
    induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros n w k ink.
    - contradiction.
    - destruct ink as [<- | []]. now left.
    - apply in_or_app.
      destruct o; simpl in ink; apply in_app_iff in ink as []; eauto.
    - cbn [sweep] in ink. cbn [loads]. apply in_flat_map.
      revert ink. generalize O at 1. intros i.
      assert (H : forall rest i, incl rest l ->
        In k ((fix go i rest :=
              match rest with
              | [] => []
              | a :: rest' =>
                  sweep n a (bin Mul w (@EFn alg (partial K f i) l)) ++ go (S i) rest'
              end) i rest) -> exists x, In x l /\ In (target k) (loads x)).
      { clear i. induction rest as [| a rest IHr]; intros i sub ink; [contradiction |].
        apply in_app_iff in ink as [ink | ink].
        - exists a. split; [apply sub; now left |]. rewrite Forall_forall in IH.
          eapply IH; [apply sub; now left | exact ink].
        - eapply IHr; [| exact ink]. intros y iny. apply sub. now right. }
      apply H, incl_refl.
    - simpl in ink. apply in_app_iff in ink. apply in_or_app. destruct ink; eauto.
    - destruct r; [| contradiction]. cbn [sweep] in ink.
      apply in_map_iff in ink as (c & <- & inc). simpl. eauto.
  Qed.

  (** ** The adjoint identity *)

  (** For every store [st], every direction [du] and the gradient of the output in
      the tensor [v] of [st]: the gradients of the statement against [du] are the
      gradient of the output against the tangent.  [ts] are the tensors that are
      varied. *)
  Theorem grad_adjoint (s : stmt) (v : tid) (st du : store) shapes ts :
    NoDup ts ->
    (forall t, In t ts -> supported (shapes t) (du t)) ->
    (forall t, In t (loads (body s)) -> ~ In t ts -> forall i, du t i = 0) ->
    inner shapes ts (scatter s v st) du =
    inner_box (dims s) (st v) (fun i => tangent st du i (body s)).
  Proof.
    intros nodup sup fixed. unfold inner, inner_box.
    transitivity (sum (fun c => sum (fun k =>
        eval st k (weight c) * du (target c) (map (eval_ix k) (at_ c))) (points (dims s) c))
      (contributions s v)).
    - transitivity (sum (fun t => sum (fun c =>
        if (target c =? t)%nat then
          sum (fun k => eval st k (weight c) * du t (map (eval_ix k) (at_ c)))
            (points (dims s) c) else 0) (contributions s v)) ts).
      + apply sum_ext. intros t int_.
        transitivity (sum (fun a => sum (fun c => hits st (dims s) t a c * du t a)
          (contributions s v)) (box (shapes t))).
        * apply sum_ext. intros a _. rewrite scatter_iverson. now rewrite sum_mul_r.
        * rewrite sum_swap. apply sum_ext. intros c _. apply hits_inner. now apply sup.
      + rewrite sum_swap. apply sum_ext. intros c inc.
        destruct (in_dec Nat.eq_dec (target c) ts) as [int_ | notin].
        * apply (sum_pick Nat.eqb (fun t =>
            sum (fun k => eval st k (weight c) * du t (map (eval_ix k) (at_ c)))
              (points (dims s) c))); [| exact nodup | exact int_].
          intros t. apply Nat.eqb_spec.
        * rewrite sum_zero.
          -- symmetry. apply sum_zero. intros k _. rewrite fixed; [kring | | exact notin].
             eapply sweep_targets, inc.
          -- intros t int_. destruct (Nat.eqb_spec (target c) t); [congruence | reflexivity].
    - transitivity (sum (fun i => sum (share st du i) (contributions s v)) (box (dims s))).
      + rewrite sum_swap. apply sum_ext. intros c _. unfold share, points.
        rewrite sum_box_app, sum_swap. reflexivity.
      + apply sum_ext. intros i ini. apply box_length in ini. unfold contributions.
        rewrite sweep_correct by exact ini. f_equal. simpl. f_equal.
        pose proof (eval_vars i []) as E. rewrite app_nil_r, ini in E. exact E.
  Qed.

  (** ** Programs *)

  Lemma tangent_frame (e : ex) st st' du :
    (forall t, In t (loads e) -> agree alg st st' t) ->
    forall rho, tangent st du rho e = tangent st' du rho e.
  Proof.
    induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros same rho.
    - reflexivity.
    - reflexivity.
    - simpl in same. cbn [tangent].
      rewrite (eval_frame _ a st st'), (eval_frame _ b st st'), IHa, IHb;
        [reflexivity | | | |]; intros t int_; apply same, in_or_app; auto.
    - cbn [tangent].
      replace (map (eval st rho) l) with (map (eval st' rho) l).
      2: { apply map_ext_in. intros a ina. symmetry. apply eval_frame.
           intros t int_. apply same. simpl. apply in_flat_map. eauto. }
      generalize (map (eval st' rho) l). intros vs. generalize O.
      assert (H : Forall (fun e => forall rho, tangent st du rho e = tangent st' du rho e) l).
      { rewrite Forall_forall in IH |- *. intros a ina rho'. apply IH; [exact ina |].
        intros t int_. apply same. simpl. apply in_flat_map. eauto. }
      clear IH same. induction H as [| a l here _ IHl]; intros i; [reflexivity |].
      now rewrite here, IHl.
    - simpl in same |- *.
      rewrite IHa, IHb; [reflexivity | |]; intros t int_; apply same, in_or_app; auto.
    - destruct r; [| reflexivity]. simpl in same |- *.
      apply sum_ext. intros k _. now apply IH.
  Qed.

  Lemma fresh_notin l : ~ In (fresh l) l.
  Proof.
    intros inl. pose proof (proj1 (list_max_le l (list_max l)) (le_n _)) as H.
    rewrite Forall_forall in H. apply H in inl. unfold fresh in inl. lia.
  Qed.

  Lemma tangent_supported (s : stmt) st du shapes t :
    dims s = shapes (out s) -> supported (shapes t) (du t) ->
    supported (shapes t) (tangent_stmt s st du t).
  Proof.
    intros D sup i outside. unfold tangent_stmt, upd, tabulate.
    destruct (Nat.eqb_spec t (out s)) as [-> |]; [| now apply sup].
    now rewrite D, outside.
  Qed.

  Lemma backward_stmt_adjoint (s : stmt) (st dv du : store) shapes ts :
    NoDup ts -> dims s = shapes (out s) -> In (out s) ts ->
    (forall t, In t (loads (body s)) -> In t ts) ->
    (forall t, In t ts -> supported (shapes t) (du t)) ->
    inner shapes ts (backward_stmt s st dv) du = inner shapes ts dv (tangent_stmt s st du).
  Proof.
    intros nodup D outs ins sup.
    set (v := fresh (loads (body s))).
    set (st' := upd (S := alg) st v (dv (out s))).
    transitivity (inner shapes ts (fun t i => if (t =? out s)%nat then 0 else dv t i) du +
                  inner shapes ts (scatter s v st') du).
    { unfold inner, inner_box. rewrite <- sum_add. apply sum_ext. intros t _.
      rewrite <- sum_add. apply sum_ext. intros i _.
      apply (Rdistr_l (r_laws K)). }
    rewrite (grad_adjoint s v st' du shapes ts nodup sup)
      by (intros t int_ notin; now apply ins in int_).
    transitivity (inner shapes ts (fun t i => if (t =? out s)%nat then 0 else dv t i) du +
      sum (fun t => if (out s =? t)%nat then
        inner_box (dims s) (dv t) (fun i => tangent st du i (body s)) else 0) ts).
    { f_equal. rewrite (sum_pick Nat.eqb (fun t =>
        inner_box (dims s) (dv t) (fun i => tangent st du i (body s))));
        [| intros t; apply Nat.eqb_spec | exact nodup | exact outs].
      apply sum_ext. intros i _. unfold st' at 1. rewrite upd_same.
      f_equal. apply tangent_frame. intros t int_ j. unfold st'.
      rewrite upd_other; [reflexivity |]. intros ->. now apply fresh_notin in int_. }
    unfold inner. rewrite <- sum_add. apply sum_ext. intros t _.
    unfold inner_box, tangent_stmt, upd, tabulate. rewrite (Nat.eqb_sym (out s) t).
    destruct (Nat.eqb_spec t (out s)) as [-> | ne].
    - rewrite D. rewrite <- sum_add. apply sum_ext. intros i ini.
      apply in_box_box in ini. rewrite ini. kring.
    - kring.
  Qed.

  (** The same for a program, in-place statements included: the backward sweep is
      the adjoint of the tangent program. *)
  Theorem grad_adjoint_prog (p : list stmt) shapes ts :
    NoDup ts ->
    (forall s, In s p -> dims s = shapes (out s) /\ In (out s) ts /\
                         forall t, In t (loads (body s)) -> In t ts) ->
    forall st dv du,
      (forall t, In t ts -> supported (shapes t) (du t)) ->
      inner shapes ts (backward p st dv) du = inner shapes ts dv (tangent_prog p st du).
  Proof.
    intros nodup. induction p as [| s p IH]; intros ok st dv du sup; [reflexivity |].
    destruct (ok s (or_introl eq_refl)) as (D & outs & ins). simpl.
    rewrite backward_stmt_adjoint by assumption.
    apply IH.
    - intros u inu. apply ok. now right.
    - intros t int_. apply tangent_supported; [exact D | now apply sup].
  Qed.
End Proof.
