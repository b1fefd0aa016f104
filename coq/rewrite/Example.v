(** * A rule proved: Identity(x) => x

    What a proof of a rule looks like, and that [valid_at] can be had. *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.PatternProof pattern.Match pattern.MatchProof.
From Calque Require Import rewrite.Order rewrite.Rewrite rewrite.RewriteProof.
Import ListNotations.
Open Scope nat_scope.

Definition identity_removal : rule :=
  Rule [Pattern PWildcard [] false false None;
        Pattern (PCall (OName "Identity") [0]) [] false false None] [1] [0] [].

Section Identity.
  Context {V : Type} (den : oper -> list V -> option V) (commutes : string -> bool).
  Hypothesis identity : forall t l v, den (Oper (KCall "Identity") t l) [v] = Some v.

  Lemma identity_map g M e n :
    nth_error g e = Some n -> List.length (args n) = 1 ->
    pm commutes (patterns identity_removal) g None empty 1 e M ->
    exists a, what (op n) = KCall "Identity" /\ args n = [a] /\ get M (0, None) = Some a.
  Proof.
    intros at_e one H.
    inversion H as [i M0 p e0 q m at_p at_m B | i M0 p e0 q m at_p at_m B I |
      i M0 p e0 q m f M' at_p at_m B I F | i M0 p e0 q m M1 gs M' at_p at_m B I F J st th]; subst;
      cbn in at_p; injection at_p as <-; try discriminate.
    assert (m = n) as -> by congruence.
    inversion st as [| | | | o kids name M2 es es' M3 gs' Fm W A C ord G | | | | | |]; subst;
      try discriminate.
    injection Fm as <- <-. unfold op_allows in A. destruct (String.eqb_spec "Identity" name) as [<- |];
      [| discriminate]. injection A as <-.
    destruct (args n) as [| a [|]]; try discriminate.
    simpl in C. injection C as <-. simpl in ord. destruct ord as [<- | []].
    simpl in G. injection G as <- <-. simpl in th.
    inversion th as [| ? ? M3 ? ? here rest]; subst. inversion rest; subst. simpl in here.
    exists a. repeat split; [exact W |].
    inversion here as [i M0 p e0 q k at_q at_k B' | i M0 p e0 q k at_q at_k B' I' |
      i M0 p e0 q k f M' at_q at_k B' I' F' | i M0 p e0 q k M1 gs M' at_q at_k B' I' F' J' st' th'];
      subst; cbn in at_q; injection at_q as <-; try discriminate.
    inversion st'; subst; try discriminate. inversion th'; subst. reflexivity.
  Qed.

  Theorem identity_valid g outputs e M n :
    wf g -> nth_error g e = Some n -> List.length (args n) = 1 ->
    match_at commutes identity_removal g outputs 1 e = Some M ->
    valid_at den identity_removal g M [e].
  Proof.
    intros ok at_e one H. apply match_sound in H; [| exact ok | now apply orderedb_iff].
    destruct H as [H _]. apply identity_map with (n := n) in H; try assumption.
    destruct H as (a & W & A & G). intros es st B. unfold build_roots in B. simpl in B.
    unfold looked_up in B. change (at_ None 0 _) with (0, @None nat) in B. rewrite G in B.
    simpl in B. injection B as <- <-. simpl. intros o x [E | []] v. injection E as <- <-.
    set (new := skipn _ _).
    assert (e < List.length g) as lt by (apply nth_error_Some; congruence).
    assert (a < List.length g) as lta.
    { pose proof (ok e n at_e a). rewrite A in H. specialize (H (or_introl eq_refl)). lia. }
    rewrite !eval_app by assumption. split; intros H.
    - inversion H as [? m vs ? at_m all d]; subst. assert (m = n) as -> by congruence.
      rewrite A in all. inversion all as [| ? u ? us ha hl]; subst. inversion hl; subst.
      destruct (op n) as [w t l]. simpl in W. subst w. rewrite identity in d.
      injection d as <-. exact ha.
    - apply GE_Node with n [v]; [exact at_e | rewrite A; now repeat constructor |].
      destruct (op n) as [w t l]. simpl in W. subst w. apply identity.
  Qed.
End Identity.
