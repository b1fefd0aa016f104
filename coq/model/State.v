(** * What the compiler knows and what memory holds

    After the calls so far, the places that the compiler takes for valid hold the values of
    the nodes that they are bound to. *)

From Coq Require Import Bool List Arith NArith String ZArith Lia.
From Calque Require Import base.Lists attr.Attr graph.Graph kernel.Kernel kernel.Lower.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel.
From Calque Require Import model.Function model.Unit model.CallProof model.Compile.
From Calque Require emit.Flat pattern.Pattern.
Import ListNotations.
Open Scope nat_scope.

(** ** Values and where they are *)

Section Related.
  Context {X Y : Type} (R : X -> Y -> Prop).

  Definition value_rel (b : gvalue X) (v : gvalue Y) : Prop :=
    match b, v with
    | GTensor p, GTensor t => R p t
    | GTuple ps, GTuple ts => Forall2 R ps ts
    | GAbsent, GAbsent => True
    | _, _ => False
    end.

  Definition option_rel (b : option X) (v : option Y) : Prop :=
    match b, v with Some p, Some t => R p t | None, None => True | _, _ => False end.

  Lemma operands_rel bs vs : Forall2 value_rel bs vs -> forall l, traverse operand bs = Some l ->
    exists l', traverse operand vs = Some l' /\ Forall2 option_rel l l'.
  Proof.
    intros F. induction F as [| b v bs vs r _ IH]; intros l E; cbn [traverse] in E.
    - injection E as <-. exists []. split; [reflexivity | constructor].
    - destruct (operand b) as [o |] eqn:O; [| discriminate].
      destruct (traverse operand bs) as [l' |]; [| discriminate]. injection E as <-.
      destruct (IH l' eq_refl) as (m & E & F').
      destruct b, v; cbn in O, r; try contradiction; try discriminate; injection O as <-; cbn [traverse operand];
        rewrite E; eexists; (split; [reflexivity |]); constructor; auto; exact I.
  Qed.

  Lemma trim_rel l l' : Forall2 option_rel l l' -> Forall2 option_rel (trim l) (trim l').
  Proof.
    intros F. induction F as [| b v l l' r _ IH]; [constructor |]. cbn [trim].
    destruct b as [p |], v as [t |]; cbn in r; try contradiction.
    - now constructor.
    - destruct IH; [constructor | constructor; [exact I |]; now constructor].
  Qed.

  Lemma inputs_rel bs vs l : Forall2 value_rel bs vs -> inputs bs = Some l ->
    exists l', inputs vs = Some l' /\ Forall2 option_rel l l'.
  Proof.
    unfold inputs. intros F E. destruct (traverse operand bs) as [m |] eqn:T; [| discriminate].
    injection E as <-. destruct (operands_rel bs vs F m T) as (m' & -> & F'). cbn [option_map].
    eexists. split; [reflexivity | now apply trim_rel].
  Qed.

  Lemma present_rel l l' xs : Forall2 option_rel l l' -> traverse (fun o : option X => o) l = Some xs ->
    exists ys, l' = map Some ys /\ Forall2 R xs ys.
  Proof.
    intros F. revert xs. induction F as [| b v l l' r _ IH]; intros xs E; cbn [traverse] in E.
    - injection E as <-. exists []. split; [reflexivity | constructor].
    - destruct b as [p |]; [| discriminate]. destruct (traverse _ l) as [m |]; [| discriminate].
      injection E as <-. destruct v as [t |]; cbn in r; [| contradiction].
      destruct (IH m eq_refl) as (ys & -> & F'). exists (t :: ys). split; [reflexivity | now constructor].
  Qed.

  Lemma tensors_rel bs vs ps : Forall2 value_rel bs vs ->
    traverse (fun b => match b with GTensor p => Some p | _ => None end) bs = Some ps ->
    exists ts, traverse (fun v => match v with GTensor t => Some t | _ => None end) vs = Some ts /\ Forall2 R ps ts.
  Proof.
    intros F. revert ps. induction F as [| b v bs vs r _ IH]; intros ps E; cbn [traverse] in E.
    - injection E as <-. exists []. split; [reflexivity | constructor].
    - destruct b as [p | |]; try discriminate.
      destruct (traverse (fun b : gvalue X => match b with GTensor q => Some q | _ => None end) bs) as [m |];
        [| discriminate].
      injection E as <-. destruct v as [t | |]; cbn in r; try contradiction.
      destruct (IH m eq_refl) as (ts & E & F'). exists (t :: ts). cbn [traverse]. rewrite E.
      split; [reflexivity | now constructor].
  Qed.

  Lemma value_rel_sizes (f : X -> sizes) (g : Y -> sizes) bs vs : Forall2 value_rel bs vs ->
    (forall x y, R x y -> f x = g y) -> map (map_value f) bs = map (map_value g) vs.
  Proof.
    intros F same. induction F as [| b v bs vs r _ IH]; [reflexivity |]. cbn [map]. rewrite IH. f_equal.
    destruct b, v; cbn in r |- *; try contradiction; f_equal; auto.
    induction r; cbn; [reflexivity |]. now f_equal; auto.
  Qed.
End Related.

Lemma value_rel_mono {X Y} (R R' : X -> Y -> Prop) b v :
  (forall x y, In x (match b with GTensor p => [p] | GTuple ps => ps | GAbsent => [] end) -> R x y -> R' x y) ->
  value_rel R b v -> value_rel R' b v.
Proof.
  intros H. destruct b as [p | ps |], v as [t | ts |]; cbn; try contradiction; auto.
  - apply H. now left.
  - intros F. revert H. induction F as [| p t ps ts r _ IH]; intros H; constructor; [apply H; auto; now left |].
    apply IH. intros x y I. apply H. now right.
Qed.

Lemma all2_eqb d e : all2 Nat.eqb d e = true -> d = e.
Proof.
  revert e. induction d as [| n d IH]; intros [| m e] H; try discriminate; [reflexivity |].
  cbn [all2] in H. apply andb_true_iff in H as [E H]. apply Nat.eqb_eq in E. f_equal; auto.
Qed.

Lemma place_eqb_eq p q : place_eqb p q = true <-> p = q.
Proof.
  unfold place_eqb. split.
  - intros H. repeat (apply andb_true_iff in H; destruct H as [H ?]). apply Nat.eqb_eq in H, H1, H2.
    apply all2_eqb in H0. destruct p, q; cbn in *; congruence.
  - intros <-. rewrite !Nat.eqb_refl. cbn [andb]. induction (p_dims p); [reflexivity |].
    cbn. now rewrite Nat.eqb_refl.
Qed.

Lemma mem_place_iff p l : mem_place p l = true <-> In p l.
Proof.
  unfold mem_place. rewrite existsb_exists. split.
  - intros (q & I & E). apply place_eqb_eq in E. now subst.
  - intros I. exists p. split; [exact I | now apply place_eqb_eq].
Qed.

Section State.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Notation tensor := (tensor (num S)).
  Notation memory := (Flat.fstore (scalar_algebra K)).
  Notation state := (state S).

  (** A place in [l] holds the tensor; any place has its sizes. *)
  Definition keeps (l : list place) (m : memory) (p : place) (t : tensor) : Prop :=
    dims t = p_dims p /\ good t /\ (In p l -> has S m p (get (s_zero S) t)).

  Variable size : nat.
  (** All the weights, and memory before the first call. *)
  Variables (W : list (num S)) (m0 : memory).

  Record sound (values : nat -> option (gvalue tensor)) (i : nat) (st : state) (m : memory) : Prop := Sound {
    sound_length : List.length (bound_to st) = i;
    sound_bound : forall j b, nth_error (bound_to st) j = Some b ->
      exists v, values j = Some v /\ value_rel (keeps (valid st) m) b v;
    sound_next : forall j b p, nth_error (bound_to st) j = Some b -> In p (places_in b) -> p_id p < next st;
    sound_weights : exists rest, W = weights st ++ rest;
    sound_run : run_calls (rev (calls st)) m0 = Finished m;
    sound_frame : forall q o, is_local q = false -> q <> arena -> m q o = m0 q o;
    sound_arena : forall o, o < size -> m arena o <> None
  }.

  Definition extended (values : nat -> option (gvalue tensor)) (i : nat) (v : gvalue tensor) :=
    fun j => if j =? i then Some v else values j.

  Lemma sound_arguments values i st m l bs : sound values i st m ->
    traverse (nth_error (bound_to st)) l = Some bs ->
    exists vs, traverse values l = Some vs /\ Forall2 (value_rel (keeps (valid st) m)) bs vs /\
      forall b, In b bs -> exists j, nth_error (bound_to st) j = Some b.
  Proof.
    intros H. revert bs. induction l as [| j l IH]; intros bs E; cbn [traverse] in E.
    - injection E as <-. exists []. split; [reflexivity |]. split; [constructor | intros b []].
    - destruct (nth_error (bound_to st) j) as [b |] eqn:Ej; [| discriminate].
      destruct (traverse (nth_error (bound_to st)) l) as [bs' |]; [| discriminate]. injection E as <-.
      destruct (IH bs' eq_refl) as (vs & E & F & from). destruct (sound_bound _ _ _ _ H j b Ej) as (v & Ev & r).
      exists (v :: vs). cbn [traverse]. rewrite Ev, E. split; [reflexivity |]. split; [now constructor |].
      intros b' [<- | I]; eauto.
  Qed.

  (** A node whose value is somewhere, without a call. *)
  Lemma sound_bind values i st m b v news l :
    sound values i st m -> (exists rest, W = (weights st ++ l) ++ rest) ->
    value_rel (keeps (valid st ++ news) m) b v ->
    (forall p, In p news -> next st <= p_id p) ->
    (forall p, In p (places_in b) -> p_id p < next st + List.length news) ->
    sound (extended values i v) (i + 1) (bind st b news l) m.
  Proof.
    intros H HW r fresh below. constructor; cbn [bind bound_to valid calls weights next].
    - rewrite app_length, (sound_length _ _ _ _ H). reflexivity.
    - intros j b' E. unfold extended. destruct (Nat.eqb_spec j i) as [-> | ne].
      + rewrite nth_error_app2 in E by (rewrite (sound_length _ _ _ _ H); lia).
        rewrite (sound_length _ _ _ _ H), Nat.sub_diag in E. injection E as <-. eauto.
      + pose proof (nth_error_bound _ _ _ E) as lt. rewrite app_length, (sound_length _ _ _ _ H) in lt. cbn in lt.
        rewrite nth_error_app1 in E by (rewrite (sound_length _ _ _ _ H); lia).
        destruct (sound_bound _ _ _ _ H j b' E) as (w & Ew & r'). exists w. split; [exact Ew |].
        revert r'. apply value_rel_mono. intros p t Ip (d & g & h). split; [exact d |]. split; [exact g |].
        intros I. apply h. apply in_app_iff in I as [I | I]; [exact I |].
        apply fresh in I. pose proof (sound_next _ _ _ _ H j b' p E Ip). lia.
    - intros j b' p E I. destruct (Nat.eq_dec j i) as [-> | ne].
      + rewrite nth_error_app2 in E by (rewrite (sound_length _ _ _ _ H); lia).
        rewrite (sound_length _ _ _ _ H), Nat.sub_diag in E. injection E as <-. now apply below.
      + pose proof (nth_error_bound _ _ _ E) as lt. rewrite app_length, (sound_length _ _ _ _ H) in lt. cbn in lt.
        rewrite nth_error_app1 in E by (rewrite (sound_length _ _ _ _ H); lia).
        pose proof (sound_next _ _ _ _ H j b' p E I). lia.
    - exact HW.
    - apply H.
    - apply H.
    - apply H.
  Qed.

  (** ** What is in memory from the start *)

  Lemma has_cells q b (t : tensor) (m : memory) n : good t ->
    (forall o, o < cell_count (dims t) -> m q (b + o) = option_map Some (nth_error (cells t) o)) ->
    has S m (Place n q b (dims t)) (get (s_zero S) t).
  Proof.
    intros G H i I. cbn [p_array p_base p_dims] in *. pose proof (position_lt _ _ I) as lt. rewrite H by exact lt.
    unfold get. rewrite I. unfold good in G.
    rewrite (nth_error_nth' (cells t) (s_zero S)) by lia. reflexivity.
  Qed.

  Lemma weights_at st values i m t n : sound values i st m ->
    (forall o, m0 weights_array o = at_place S W o) ->
    (exists rest, W = (weights st ++ cells t) ++ rest) -> good t ->
    has S m (Place n weights_array (List.length (weights st)) (dims t)) (get (s_zero S) t).
  Proof.
    intros H at_ [rest EW] G. apply has_cells; [exact G |]. intros o lt. unfold good in G.
    rewrite (sound_frame _ _ _ _ H), at_ by (try reflexivity; discriminate). unfold at_place. f_equal.
    rewrite EW, <- app_assoc, nth_error_app2 by lia.
    replace (List.length (weights st) + o - List.length (weights st)) with o by lia.
    apply nth_error_app1. lia.
  Qed.

  (** The weights that a bound constant is. *)
  Lemma known_cells_value st values i m p t l : sound values i st m ->
    (forall o, m0 weights_array o = at_place S W o) ->
    keeps (valid st) m p t -> In p (valid st) -> known_cells st p = Some l -> cells t = l.
  Proof.
    intros H at_ (D & G & h) I. unfold known_cells.
    destruct ((p_array p =? weights_array) && _) eqn:B; [| discriminate]. intros E. injection E as <-.
    apply andb_true_iff in B as [Ea le]. apply Nat.eqb_eq in Ea. apply Nat.leb_le in le.
    specialize (h I). destruct (sound_weights _ _ _ _ H) as [rest EW]. unfold good in G. rewrite D in G.
    apply nth_ext with (d := s_zero S) (d' := s_zero S).
    { rewrite firstn_length, skipn_length. lia. }
    intros o lt. rewrite G in lt. rewrite nth_firstn, nth_skipn by exact lt.
    destruct (index_at_spec (p_dims p) o lt) as [I' P]. specialize (h _ I'). rewrite P, Ea in h.
    rewrite (sound_frame _ _ _ _ H), at_ in h by (try reflexivity; discriminate). unfold at_place in h.
    destruct (nth_error W (p_base p + o)) as [x |] eqn:Ex; [| discriminate]. cbn in h. injection h as ->.
    rewrite EW, nth_error_app1 in Ex by lia. rewrite (nth_error_nth _ _ _ Ex).
    unfold get. rewrite D, I', P. reflexivity.
  Qed.
End State.
