(** * Tactics for the rules of the library

    How a proof goes (examples: [RulesSimplify], [RulesMany]):
    - [at_match. each_output.] leaves a goal [x = Some (rho a)] for each output, with
      [m : means .. target x] and [H : bound_at M a]; [any_output small] does so for a
      variadic output, the [k]-th of them;
    - [see p l V L C] takes the call that pattern [p] is bound to apart: [V] is the equation
      between its value and those of its children, [l] its attributes, [L] its labels; its
      children are bound now.  [see_call] is the same for an operator pattern, [see_proj],
      [see_tuple], [see_alt], [see_optional], [see_variable], [see_const], [see_op] for the
      other forms; wildcards need nothing;
    - [mean m] takes the target apart, down to what the source binds (so: [see] first), and
      leaves [X : x = calls .. (strip [..])] and the expressions of its attributes; where it
      meets a choice ([PMatch], [POptional]) or a variadic child it stops: apply
      [means_match], [means_optional], [means_call_many] of [SoundUse];
    - [require k R] is the [k]-th condition; [says_call E C D], [says_leaf E D] what a label
      "shape" or "ndim" says of the value;
    - equations of calls are opened and made by [op1_inv], [op1_intro] and so on ([SoundOps]).

    [exact_rule] is soundness over all scalars whose + and * commute, [ring_rule] in a
    commutative ring, [float_rule] over floats, [real_rule] in a field, [rule_for laws] with any laws. *)

From Coq Require Import Bool Lia List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.Forward rewrite.Rewrite rewrite.Check rewrite.Facts.
From Calque Require Import rewrite.Sound rewrite.SoundBuild rewrite.SoundRule rewrite.SoundUse rewrite.SoundModel rewrite.SoundOps.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Ops tensor.OpTable tensor.Factors.
Import ListNotations.
Open Scope nat_scope.

Definition rule_for (laws : arith -> Prop) (r : rule) : Prop :=
  forall S inputs constants shapes, laws S ->
    rule_sound_for (tensors S inputs constants shapes) commutative r.

Definition exact_rule : rule -> Prop := rule_for commutative_laws.

(** A commutative ring in which the quotient by 1 is the number. *)
Record ring_scalars (S : arith) : Prop := {
  scalars_ring : ring_laws S;
  scalars_quotient : forall a, div_cell S a (s_one S) = a
}.

Definition ring_rule : rule -> Prop := rule_for ring_scalars.
(** + and * commute and adding -0 changes nothing: binary32 and binary64 have these laws. *)
Definition float_rule : rule -> Prop := rule_for float_laws.

(** A field whose elements are no integers, so that [Div] does not cut. *)
Definition real_rule : rule -> Prop := rule_for real_laws.

Lemma laws_commute S : ring_laws S -> commutative_laws S.
Proof.
  intros [R _ _]. split; intros a b; [apply (Ring_theory.Radd_comm R) | apply (Ring_theory.Rmul_comm R)].
Qed.

Lemma ring_commutes S : ring_scalars S -> commutative_laws S.
Proof. intros [R _]. now apply laws_commute. Qed.

Lemma float_commutes S : float_laws S -> commutative_laws S.
Proof. intros [a b _]. now split. Qed.

Lemma real_commutes S : real_laws S -> commutative_laws S.
Proof. intros R. apply laws_commute. now apply real_ring. Qed.

(** What is in a rule's text, by number. *)
Ltac pattern_at r p := eval vm_compute in (nth_error (patterns r) p).

Ltac at_match_with commutes_of :=
  let laws := fresh "laws" in let comm := fresh "comm" in
  intros S inputs constants shapes laws;
  pose proof (tensors_commute S inputs constants shapes (commutes_of S laws)) as comm;
  apply sound_local; [vm_compute; reflexivity |];
  intros g M outs san fs k i p a x at_r at_a m;
  let H := fresh "H" in
  pose proof (source_has commutative _ g M outs fs k a at_a) as H.

Ltac at_match :=
  lazymatch goal with
  | |- exact_rule _ => at_match_with (fun (S : arith) (laws : commutative_laws S) => laws)
  | |- ring_rule _ => at_match_with ring_commutes
  | |- float_rule _ => at_match_with float_commutes
  | |- real_rule _ => at_match_with real_commutes
  end.

(** The rule has as many outputs as its text has: one case for each. *)
Ltac each_output :=
  match goal with
  | at_r : nth_error (roots _ _) ?k = Some (?i, ?p), at_a : nth_error (source_addrs _ _) ?k = Some ?a |- _ =>
      vm_compute in at_r, at_a;
      repeat (destruct k as [| k];
              [first [discriminate at_a | injection at_r as <- <-; injection at_a as <-] | try discriminate at_a])
  end.

(** Any number of outputs: the [k]-th. *)
Lemma nth_map_seq {A} (f : nat -> A) n k a : nth_error (map f (seq 0 n)) k = Some a -> k < n /\ a = f k.
Proof.
  intros H. assert (k < List.length (map f (seq 0 n))) as lt by (apply nth_error_Some; congruence).
  rewrite map_length, seq_length in lt. split; [exact lt |].
  rewrite (nth_error_nth' _ (f 0)), map_nth, seq_nth in H by (rewrite ?map_length, ?seq_length; lia).
  simpl in H. congruence.
Qed.

Ltac any_output lt :=
  lazymatch goal with
  | at_r : nth_error (roots ?r ?n) ?k = Some (?i, ?p), at_a : nth_error (source_addrs ?r ?n) ?k = Some ?a |- _ =>
      let l := eval cbv -[List.length seq map] in (roots r n) in change (roots r n) with l in at_r;
      let l := eval cbv -[List.length seq map] in (source_addrs r n) in change (source_addrs r n) with l in at_a;
      apply nth_map_seq in at_r, at_a; destruct at_r as [lt at_r]; destruct at_a as [_ at_a];
      injection at_r as -> ->; subst a
  end.

Ltac lt_depth := vm_compute; lia.
Ltac first_proof comm r q j :=
  lazymatch j with
  | None => constr:(eq_refl (@None nat))
  | Some (Datatypes.S _) => constr:(eq_refl (@None nat))
  | _ => constr:(first_none j q eq_refl)
  end.

Ltac known_kids r M j kids :=
  lazymatch kids with
  | [?v] =>
      lazymatch eval vm_compute in (variadic (patterns r) v) with
      | Some ?f => let l := eval cbv -[length_of seq map] in (kid_addrs (patterns r) M j kids) in
                   change (kid_addrs (patterns r) M j kids) with l in *
      | None => let l := eval cbv -[length_of] in (kid_addrs (patterns r) M j kids) in
                change (kid_addrs (patterns r) M j kids) with l in *; cbn [map] in *
      end
  | _ => let l := eval cbv -[length_of] in (kid_addrs (patterns r) M j kids) in
         change (kid_addrs (patterns r) M j kids) with l in *; cbn [map] in *
  end.

Ltac kids_of K :=
  lazymatch type of K with
  | Forall _ (?a :: _) =>
      let K' := fresh "K" in pose proof (Forall_inv_tail K) as K'; kids_of K';
      lazymatch goal with
      | _ : bound_at _ a |- _ => idtac
      | _ => let H := fresh "H" in pose proof (Forall_inv K) as H
      end; clear K
  | Forall _ [] => clear K
  | _ => idtac
  end.

(** What is known of the call that pattern [p] is bound to: there is [H : bound_at M (p, j)]. *)
Ltac see_call p name ty at_ V L C :=
  match goal with
  | H : bound_at ?M (p, ?j) |- _ =>
    lazymatch goal with
    | fs : facts ?c ?r ?g M ?outs, comm : commutes_in ?S ?c, san : sane ?S ?g |- _ =>
      lazymatch pattern_at r p with
      | Some ?q =>
        let f := eval cbv in (form q) in
        lazymatch f with
        | PCall ?o ?kids =>
          let fp := first_proof comm r q j in
          let CC := fresh "C" in
          assert (exists name ty at_, call_fact S r g M p j q o kids name ty at_) as CC;
          [ refine (call_at S c comm r g M outs san fs p j q o kids _ eq_refl fp eq_refl eq_refl eq_refl H); lt_depth |];
          destruct CC as (name & ty & at_ & C);
          lazymatch o with
          | OName _ => let E := fresh "E" in pose proof (call_op _ _ _ _ _ _ _ _ _ _ _ _ C) as E; cbn [op_is] in E;
                       subst name
          | _ => idtac
          end;
          pose proof (call_value _ _ _ _ _ _ _ _ _ _ _ _ C) as V;
          pose proof (call_label _ _ _ _ _ _ _ _ _ _ _ _ C) as L;
          let K := fresh "K" in
          pose proof (call_kids _ _ _ _ _ _ _ _ _ _ _ _ C) as K;
          change (inst_of j q) with j in *;
          known_kids r M j kids;
          kids_of K
        end
      end
    end
  end.


Ltac see p at_ V L C := let name := fresh "name" in let ty := fresh "ty" in see_call p name ty at_ V L C.

(** The others: [lemma] says what is known, [k] goes on with the facts. *)
Ltac with_pattern p k :=
  lazymatch goal with
  | H : bound_at ?M (p, ?j) |- _ =>
    lazymatch goal with
    | fs : facts ?c ?r ?g M ?outs, san : sane ?S ?g |- _ =>
      lazymatch pattern_at r p with Some ?q => k S c r g M outs fs san j q H end
    end
  end.

(** The [k]-th field of the tuple [l] ([R]): [N] is its value, [L] the label "index". *)
Ltac see_proj p k l R N L :=
  with_pattern p ltac:(fun S c r g M outs fs san j q H =>
    let f := eval cbv in (form q) in
    lazymatch f with
    | PProj ?kid ?a =>
        let fp := first_proof c r q j in let K := fresh "K" in let B := fresh "H" in
        pose proof (proj_at S c r g M outs san fs p j q kid a ltac:(lt_depth) eq_refl fp eq_refl eq_refl H)
          as (k & l & B & R & K & N & L);
        change (inst_of j q) with j in *;
        let b := eval cbv in (addr_of (patterns r) j kid) in change (addr_of (patterns r) j kid) with b in *
    end).

(** The fields of a tuple: [R] it is [Fields ts], [E] and those are its children. *)
Ltac see_tuple p ts R E :=
  with_pattern p ltac:(fun S c r g M outs fs san j q H =>
    let kids := eval cbv in (tuple_kids p q) in
    let fp := first_proof c r q j in let K := fresh "K" in
    pose proof (tuple_at S c r g M outs san fs p j q ltac:(lt_depth) eq_refl fp eq_refl eq_refl eq_refl H)
      as (ts & R & E & K);
    change (inst_of j q) with j in *;
    change (tuple_kids p q) with kids in *;
    known_kids r M j kids; kids_of K).

(** An operator pattern: the node [e], its operator [name], one of those listed ([X]). *)
Ltac see_op p e name G N X :=
  with_pattern p ltac:(fun S c r g M outs fs san j q H =>
    let f := eval cbv in (form q) in
    lazymatch f with
    | POp ?names =>
        pose proof (op_at c r g M outs fs p q names ltac:(lt_depth) eq_refl eq_refl H) as (e & name & G & N & X)
    end).

(** One case for each alternative; [E] says which it was. *)
Ltac see_alt p E R :=
  with_pattern p ltac:(fun S c r g M outs fs san j q H =>
    let f := eval cbv in (form q) in
    lazymatch f with
    | PAlt ?kids =>
        let fp := first_proof c r q j in
        let k := fresh "k" in let kid := fresh "kid" in let e := fresh "e" in let at_k := fresh "at_k" in
        let G := fresh "G" in let G' := fresh "G" in
        pose proof (alt_at S c r g M outs fs p j q kids ltac:(lt_depth) eq_refl fp eq_refl eq_refl H)
          as (k & kid & e & at_k & G & G' & R & E);
        specialize (E eq_refl); change (inst_of j q) with j in *;
        repeat (destruct k as [| k]; [injection at_k as <- | try discriminate at_k]);
        lazymatch goal with
        | _ : Pattern.get M (addr_of (patterns r) j ?kid) = _ |- _ =>
            let b := eval cbv in (addr_of (patterns r) j kid) in change (addr_of (patterns r) j kid) with b in *;
            let B := fresh "H" in assert (bound_at M b) as B by (eexists; exact G')
        end
    end).

(** Two cases: the input [e] is there ([P], [R]), or it is absent. *)
Ltac see_optional p e n G A L P R :=
  with_pattern p ltac:(fun S c r g M outs fs san j q H =>
    let f := eval cbv in (form q) in
    lazymatch f with
    | POptional ?kid ?d =>
        let fp := first_proof c r q j in let G' := fresh "G" in
        pose proof (optional_at S c r g M outs san fs p j q kid d ltac:(lt_depth) eq_refl fp eq_refl eq_refl H)
          as (e & n & G & A & L & [(P & G' & R) | (P & R)]); change (inst_of j q) with j in *;
        [let b := eval cbv in (addr_of (patterns r) j kid) in change (addr_of (patterns r) j kid) with b in *;
         let B := fresh "H" in assert (bound_at M b) as B by (eexists; exact G') |]
    end).

(** An input or a constant is a tensor. *)
Ltac see_variable p t R :=
  with_pattern p ltac:(fun S c r g M outs fs san j q H =>
    let fp := first_proof c r q j in
    pose proof (variable_tensor S c r g M outs san fs p j q ltac:(lt_depth) eq_refl fp eq_refl H) as (t & R);
    change (inst_of j q) with j in R).

Ltac see_const p k v t R C L :=
  with_pattern p ltac:(fun S c r g M outs fs san j q H =>
    let f := eval cbv in (form q) in
    lazymatch f with
    | PConst ?a =>
        let fp := first_proof c r q j in
        pose proof (SoundUse.const_value S c r g M outs san fs p j q a ltac:(lt_depth) eq_refl fp eq_refl H) as (k & v & t & R & C & L);
        change (inst_of j q) with j in *
    end).

(** ** References of an expression become labels of what is bound *)

Ltac refs E :=
  repeat match type of E with
  | context [access (env_at (patterns ?r) ?g ?M ?i) ?k ?l] =>
      let p := eval vm_compute in (N.to_nat k) in
      let a := eval cbv in (addr_of (patterns r) i p) in
      lazymatch pattern_at r p with
      | Some ?q => rewrite (access_at r g M i k p q l eq_refl eq_refl) in E;
                   change (addr_of (patterns r) i p) with a in E
      end
  end.

Ltac values E := cbn [eval bind access value_of traverse] in E; refs E.

(** The [k]-th thing that pattern [p] says of its attributes ([E] the label is there; [A] it matches). *)
Ltac claim p k v E A :=
  with_pattern p ltac:(fun S c r g M outs fs san j q H =>
    lazymatch eval vm_compute in (nth_error (claims q) k) with
    | Some (?l, ?a) =>
        let fp := first_proof c r q j in
        pose proof (claim_nth c r g M outs fs p j q k l a ltac:(lt_depth) eq_refl fp eq_refl H eq_refl) as (v & E & A);
        change (inst_of j q) with j in E, A;
        lazymatch l with
        | "value"%string => idtac
        | _ => let A' := fresh "A" in destruct A as [A' | [A' _]]; [rename A' into A | discriminate A'];
               cbn [amatch] in A; values A
        end
    end).

(** [G]: the attributes that a pattern of the target gives. *)
Ltac give G :=
  unfold given in G; cbn [wants traverse fst snd option_map] in G;
  repeat match type of G with
  | context [value_at ?ps ?g ?M ?i ?a] =>
      let v := fresh "v" in let E := fresh "E" in
      destruct (value_at ps g M i a) as [v |] eqn:E in G; [| discriminate G]; cbn [option_map] in G;
      unfold value_at in E; values E
  end;
  injection G as <-.

(** The rule's [k]-th condition. *)
Ltac require k R :=
  lazymatch goal with
  | fs : facts ?c ?r ?g ?M ?outs |- _ =>
      lazymatch eval vm_compute in (nth_error (conditions r) k) with
      | Some ?a => pose proof (requires_nth c r g M outs fs k a eq_refl) as R; values R
      end
  end.

(** [E : label_at .. a l = Some s], of a call with fact [C] or of a leaf: what it says of the value. *)
Ltac says_call E C D :=
  lazymatch type of C with
  | call_fact ?T ?r ?g ?M ?p ?j ?q ?o ?kids ?name ?ty ?at_ =>
      lazymatch type of E with
      | Pattern.label_at _ _ _ _ ?l = Some ?s =>
          pose proof (call_describes T r g M p j q o kids name ty at_ l s C eq_refl
                        ltac:(first [left; reflexivity | right; reflexivity]) E) as D;
          change (inst_of j q) with j in D
      end
  end.
(** [E : label_at .. a l = ..] of a call with fact [C], [l] being an attribute. *)
Ltac attribute_of E C :=
  lazymatch type of C with
  | call_fact ?T ?r ?g ?M ?p ?j ?q ?o ?kids ?name ?ty ?at_ =>
      match type of E with
      | context [Pattern.label_at _ _ _ (p, j) ?l] =>
          change (Pattern.label_at (patterns r) g M (p, j) l)
            with (Pattern.label_at (patterns r) g M (p, inst_of j q) l) in E;
          rewrite (call_attribute T r g M p j q o kids name ty at_ l C eq_refl) in E
      end
  end.

Ltac says_leaf E D :=
  lazymatch goal with
  | fs : facts ?c ?r ?g ?M ?outs, san : sane _ ?g |- _ =>
      lazymatch type of E with
      | Pattern.label_at _ _ _ (?p, ?i) ?l = Some ?s =>
          lazymatch goal with
          | B : bound_at M (p, i) |- _ =>
              lazymatch pattern_at r p with
              | Some ?q => pose proof (leaf_describes _ c r g M outs san fs p i q l s eq_refl eq_refl eq_refl B E) as D
              end
          end
      end
  end.

Ltac each_mean ms mean :=
  lazymatch type of ms with
  | Forall2 _ (_ :: _) ?rs =>
      let y := fresh "y" in let l := fresh "l" in let m := fresh "m" in let ms' := fresh "ms" in
      let E := fresh "E" in
      pose proof (Forall2_cons_left _ _ _ _ ms) as (y & l & m & ms' & E); clear ms; subst rs; each_mean ms' mean; mean m
  | Forall2 _ [] ?rs =>
      let E := fresh "E" in
      pose proof (Forall2_nil_left _ _ ms) as E; clear ms; subst rs
  end.

Ltac by_text := vm_compute; reflexivity.

Ltac same_instance Ti :=
  cbn [template] in Ti;
  lazymatch type of Ti with
  | true = true -> ?j = _ => specialize (Ti eq_refl); subst j
  | _ => clear Ti
  end.

(** [m : means .. p x]: what [x] is, down to what the match binds. *)
Ltac mean m :=
  lazymatch type of m with
  | means ?T (patterns ?r) ?g ?M ?i ?p ?x =>
    lazymatch goal with
    | fs : facts ?c r g M ?outs, san : sane _ g |- _ =>
      lazymatch pattern_at r p with
      | Some ?q =>
        lazymatch eval vm_compute in (existsb (Nat.eqb p) (reached_sources r)) with
        | true =>
            let a := eval cbv in (addr_of (patterns r) i p) in
            let f := eval cbv in (form q) in
            lazymatch f with
            | POptional _ (Some _) => idtac (* see means_optional *)
            | _ =>
            lazymatch goal with
            | B : bound_at M a |- _ =>
                let E := fresh "E" in
                pose proof (means_source T r g M i p q x m eq_refl eq_refl B) as E;
                change (addr_of (patterns r) i p) with a in E; clear m; subst x
            | _ => idtac
            end
            end
        | false =>
            let i' := fresh "i" in let Ti := fresh "Ti" in let E := fresh "X" in let G := fresh "G" in
            let f := eval cbv in (form q) in
            lazymatch f with
            | PCall (OName ?s) ?kids =>
                lazymatch eval vm_compute in (plain_kids r kids) with
                | true =>
                    let vs := fresh "vs" in let rs := fresh "rs" in let ms := fresh "ms" in
                    pose proof (means_call T c r g M outs fs i p q x s kids m eq_refl ltac:(by_text) ltac:(by_text)
                                eq_refl ltac:(by_text)) as (i' & vs & rs & Ti & G & ms & E);
                    clear m; same_instance Ti; give G; each_mean ms ltac:(fun m => mean m); cbn [traverse] in E
                | false => idtac
                end
            | PCall (OPat ?o) ?kids =>
                let vs := fresh "vs" in let rs := fresh "rs" in let ms := fresh "ms" in
                let e := fresh "e" in let s := fresh "s" in let Ge := fresh "Ge" in let Ne := fresh "Ne" in
                pose proof (means_call_like T c r g M outs fs i p q x o kids m eq_refl ltac:(by_text) ltac:(by_text)
                            eq_refl ltac:(by_text)) as (i' & vs & rs & e & s & Ti & Ge & Ne & G & ms & E);
                clear m; same_instance Ti; give G; each_mean ms ltac:(fun m => mean m); cbn [traverse] in E
            | PProj ?kid (Some ?a) =>
                let k := fresh "k" in let y := fresh "y" in let m' := fresh "m" in
                pose proof (means_proj T c r g M outs fs i p q x kid a m eq_refl ltac:(by_text) ltac:(by_text)
                            eq_refl) as (i' & k & y & Ti & G & m' & E);
                clear m; same_instance Ti; values G; mean m'
            | PCond ?a ?kid ?kid' =>
                let b := fresh "b" in let m' := fresh "m" in
                pose proof (means_cond T c r g M outs fs i p q x a kid kid' m eq_refl ltac:(by_text) ltac:(by_text)
                            eq_refl) as (i' & b & Ti & G & m');
                clear m; same_instance Ti; values G; destruct b; mean m'
            | PConst (Some ?a) =>
                let v := fresh "v" in
                pose proof (means_const T c r g M outs fs i p q x a m eq_refl ltac:(by_text) ltac:(by_text)
                            eq_refl) as (i' & v & Ti & G & E);
                clear m; same_instance Ti; values G
            | PNone =>
                pose proof (means_none T c r g M outs san fs i p q x m eq_refl eq_refl ltac:(by_text) eq_refl) as E;
                clear m; subst x
            | _ => idtac
            end
        end
      end
    end
  end.

(** A rule's claim that two labels are equal, and the value of an application by the number of its inputs. *)
Ltac equal_labels R E E' :=
  match type of R with
  | match ?a with _ => _ end = _ => destruct a eqn:E; [| discriminate R];
      match type of R with
      | match ?b with _ => _ end = _ => destruct b eqn:E'; [| discriminate R];
          cbn [binary_op] in R; injection R as R; apply value_eqb_iff in R
      end
  end.

Ltac open1 V t u R U F G := eapply op1_inv in V; [| reflexivity]; destruct V as (t & u & R & U & F & G).

Ltac open2 V t t' u R R' U F G :=
  eapply op2_inv in V; [| reflexivity]; destruct V as (t & t' & u & R & R' & U & F & G).

(** What fixes the window and the groups of a convolution. *)
Definition conv_labels : list label := ["kernel_shape"; "strides"; "pads"; "dilations"; "group"]%string.

(** The theorems of the rules, [exact_rule rule_text_NAME] and so on: found by the rule as it is written. *)
Create HintDb sound_rules discriminated.
#[export] Hint Constants Opaque : sound_rules.
