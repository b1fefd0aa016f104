(** * The operators as the rules see them

    The meaning of [tensor/OpTable] over any scalars, for graphs in the one internal form:
    the sizes written in a Reshape are those of its result. *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Rewrite rewrite.Sound rewrite.SoundBuild rewrite.SoundRule rewrite.SoundUse.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpTable tensor.Meaning.
From Calque Require Import tensor.IndexProof.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** As many cells as the sizes say. *)
Definition well_tensor {A} (t : tensor A) : bool := List.length (cells t) =? cell_count (dims t).

Definition well {A} (v : val (tensor A)) : bool :=
  match v with Of t => well_tensor t | Fields ts => forallb well_tensor ts | Absent => true end.

Lemma well_good {A} (t : tensor A) : well_tensor t = true <-> good t.
Proof. unfold well_tensor, good. apply Nat.eqb_eq. Qed.

(** What the labels of a type say. *)
Definition describes_value {A} (v : val (tensor A)) (l : label) (s : value) : Prop :=
  match v with
  | Of t => (l = "shape" -> shape_of s = Some (dims t)) /\ (l = "ndim" -> s = VInt (Z.of_nat (List.length (dims t))))
  | _ => True
  end.

Definition shape_operators : list string := ["Reshape"; "CollapseSum"; "ConstantOfShape"].
Definition states_shape (name : string) (l : label) : bool :=
  String.eqb l "shape" && existsb (String.eqb name) shape_operators.
Definition owns_shape (name : string) (l : label) : bool :=
  String.eqb l "shape" && existsb (String.eqb name) ("Expand" :: shape_operators).

Definition stated {A} (name : string) (at_ : attributes) (v : val (tensor A)) : bool :=
  if states_shape name "shape" then
    match attribute at_ "shape", v with
    | Some s, Of t => match shape_of s with Some ds => sizes_eqb ds (dims t) | None => false end
    | None, _ => true
    | _, _ => false
    end
  else true.

Section Model.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Variables inputs constants : N -> option tensor.
  Variable shapes : N -> option sizes.          (** of the constants *)

  Definition op_calls (name : string) (at_ : attributes) (vs : list (val tensor)) : option (val tensor) :=
    let? v := op_value S name at_ vs in guard (well v && stated name at_ v) (Some v).

  Definition checked (o : option tensor) : option tensor := let? t := o in guard (well_tensor t) (Some t).

  (** New constants, number 0, are scalars. *)
  Definition const_value (k : N) (v : option value) : option tensor :=
    checked match v with
            | None => constants k
            | Some v => constant S v (if (k =? 0)%N then None else shapes k)
            end.

  (** An operator's value, whatever computed it, is as its attributes say. *)
  Lemma stated_describes name l at_ (o : option (val tensor)) v s : states_shape name l = true ->
    (let? v := o in guard (well v && stated name at_ v) (Some v)) = Some v -> look_up String.eqb at_ l = Some s ->
    describes_value v l s.
  Proof.
    unfold states_shape. intros st C L. apply andb_true_iff in st. destruct st as [El st].
    apply String.eqb_eq in El. subst l. destruct o as [w |]; [| discriminate]. unfold guard in C.
    destruct (well w && stated name at_ w) eqn:G; [| discriminate]. injection C as ->.
    apply andb_true_iff in G. destruct G as [_ G]. unfold stated, states_shape in G. rewrite st in G. simpl in G.
    unfold attribute in G. rewrite L in G. destruct v as [t | |]; try easy.
    split; [intros _ | discriminate]. destruct (shape_of s) as [ds |]; [| discriminate].
    apply sizes_eqb_iff in G. now subst.
  Qed.

  Lemma op_states name l at_ vs v s : states_shape name l = true -> type_label l = true ->
    op_calls name at_ vs = Some v -> look_up String.eqb at_ l = Some s -> describes_value v l s.
  Proof. intros st _. now apply stated_describes. Qed.

  Definition tensors : model tensor :=
    Model tensor op_calls (fun k => checked (inputs k)) const_value describes_value owns_shape states_shape op_states.

  (** ** Values have as many cells as they say *)

  Lemma checked_well o t : checked o = Some t -> well_tensor t = true.
  Proof.
    unfold checked. destruct o as [u |]; [| discriminate]. unfold guard.
    destruct (well_tensor u) eqn:W; [| discriminate]. intros E. now injection E as <-.
  Qed.

  Lemma op_calls_iff name at_ vs v :
    op_calls name at_ vs = Some v <-> op_value S name at_ vs = Some v /\ well v = true /\ stated name at_ v = true.
  Proof.
    unfold op_calls. destruct (op_value S name at_ vs) as [w |]; [| split; [discriminate | now intros [E _]]].
    unfold guard. destruct (well w && stated name at_ w) eqn:G.
    - split.
      + intros E. injection E as ->. apply andb_true_iff in G. now split.
      + now intros [E _].
    - split; [discriminate |]. intros (E & W & St). injection E as ->. rewrite W, St in G. discriminate.
  Qed.

  Theorem node_well (g : tgraph) i v : ge (den tensors) g i v -> well v = true.
  Proof.
    intros H. refine (ge_nested_ind (den tensors) g (fun _ v => well v = true) _ i v H).
    clear i v H. intros i n vs v _ _ IH D. unfold den in D.
    destruct (what (op n)) as [| k | k c | name | k |].
    - destruct vs; [| discriminate]. now injection D as <-.
    - destruct vs; [| discriminate]. cbn in D. destruct (checked (inputs k)) as [t |] eqn:C; [| discriminate].
      injection D as <-. exact (checked_well _ _ C).
    - destruct vs; [| discriminate]. cbn in D. destruct (const_value k c) as [t |] eqn:C; [| discriminate].
      injection D as <-. exact (checked_well _ _ C).
    - cbn in D. now apply op_calls_iff in D.
    - destruct vs as [| [t | ts |] [|]]; try discriminate. destruct (k <? 0)%Z; [discriminate |].
      destruct (nth_error ts (Z.to_nat k)) as [t |] eqn:at_k; [| discriminate]. injection D as <-.
      inversion IH as [| ? ? ? ? W _]; subst. simpl in W. rewrite forallb_forall in W.
      apply W. now apply nth_error_In in at_k.
    - destruct (traverse tensor_in vs) as [ts |] eqn:Tr; [| discriminate]. injection D as <-. simpl.
      clear - IH Tr. revert ts Tr. induction IH as [| j v l vs here _ IHl]; intros ts Tr; simpl in Tr.
      + now injection Tr as <-.
      + destruct v as [t | |]; try discriminate. simpl in Tr. destruct (traverse tensor_in vs) as [ts' |]; [| discriminate].
        injection Tr as <-. simpl in *. now rewrite here, IHl.
  Qed.

  Theorem rho_well g M a : sane tensors g -> well (rho tensors g M a) = true.
  Proof.
    intros san. unfold rho. destruct (Pattern.get M a) as [e |]; [| reflexivity].
    destruct (eval_node (den tensors) g e) as [v |] eqn:E; [| reflexivity].
    apply (node_well g e). apply graph_eval_iff; [apply (sane_wf _ _ san) | exact E].
  Qed.

  (** ** Add and Mul *)

  Record commutative_laws : Prop := {
    add_comm : forall a b, s_add S a b = s_add S b a;
    mul_comm : forall a b, s_mul S a b = s_mul S b a
  }.

  Lemma map2_comm f : (forall a b, f a b = f b a) -> forall x y, map2 S f x y = map2 S f y x.
  Proof.
    intros C x y. unfold map2, table. rewrite broadcast_comm. destruct (broadcast (dims y) (dims x)); [| reflexivity].
    f_equal. apply tabulate_ext. intros i _. apply C.
  Qed.

  Theorem tensors_commute : commutative_laws -> commutes_in tensors commutative.
  Proof.
    intros [A M] name at_ a b C. unfold commutative in C. simpl in C.
    assert (name = "Mul" \/ name = "Add") as N.
    { rewrite orb_false_r in C. apply orb_true_iff in C. destruct C as [E | E]; apply String.eqb_eq in E; auto. }
    assert (op_value S name at_ (strip [a; b]) = op_value S name at_ (strip [b; a])) as E.
    { destruct N as [-> | ->]; destruct a as [x | |], b as [y | |]; try reflexivity;
        unfold op_value; cbn; unfold on2, one; cbn; now rewrite map2_comm. }
    change (op_calls name at_ (strip [a; b]) = op_calls name at_ (strip [b; a])). unfold op_calls. now rewrite E.
  Qed.
End Model.
