(** * Headline theorems: the rules of the library

    [exact_rule r]: over any scalars whose + and * commute (so on floats, bit for bit), at every
    match of [r] in a graph whose nodes have values and the types written on them, what is built
    has a value, that of what it replaces.  [ring_rule]: over commutative rings.  [real_rule]:
    over fields.  The rules are the texts that the compiler reads (a test prints them again). *)

From Coq Require Import List NArith String.
From Calque Require Import graph.Graph pattern.Match rewrite.Rewrite rewrite.RewriteProof.
From Calque Require Import rewrite.Sound rewrite.SoundModel rewrite.SoundTactic rewrite.Library rewrite.Proved.
From Calque Require Import tensor.Scalars tensor.Factors.
From Calque Require rewrite.ProvedSound rewrite.RulesBranches rewrite.RulesDense rewrite.RulesLike rewrite.RulesMany rewrite.RulesSimplify rewrite.RulesTranspose rewrite.RulesUnit rewrite.RulesFull rewrite.RulesLayout rewrite.RulesBias.
Import ListNotations.

(** The theorem of each rule is [rule_NAME_sound] of rewrite/Rules*.v; theorems.golden has them all.  Here they are a
    list, which the oracle prints. *)
Theorem proved_sound : Forall (fun e => ProvedSound.class_sound (snd (fst e)) (snd e)) proved_rules.
Proof. exact ProvedSound.proved_sound. Qed.

Theorem proved_in_library :
  Forall (fun e => Attr.look_up String.eqb library (fst (fst e)) = Some (snd e)) proved_rules.
Proof. exact ProvedSound.proved_in_library. Qed.

(** And all of its rules. *)
Theorem library_proved : map (fun e => (fst (fst e), snd e)) proved_rules = library.
Proof. exact ProvedSound.library_proved. Qed.

(** Optimising with any of the rules that the library calls exact, in any order, however often: every output keeps
    its value, bit for bit on binary32 and binary64 ([binary32_float_laws]), and the graph stays one whose nodes have
    values and types. *)
Theorem opt_correct_exact :
  forall S inputs constants shapes rules fuel g outputs log,
    float_laws S -> incl rules (ProvedSound.rules_of ProvedSound.exactly) ->
    sane (tensors S inputs constants shapes) g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := rewrite_fix commutative fuel rules g outputs log in
    sane (tensors S inputs constants shapes) h /\
    same_values (den (tensors S inputs constants shapes)) g outputs h outputs'.
Proof. exact ProvedSound.opt_correct_exact. Qed.

(** With the ring rules too: over commutative rings (whose -0 is 0). *)
Theorem opt_correct_ring :
  forall S inputs constants shapes rules fuel g outputs log,
    ring_scalars S -> incl rules (ProvedSound.rules_of ProvedSound.in_rings) ->
    sane (tensors S inputs constants shapes) g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := rewrite_fix commutative fuel rules g outputs log in
    sane (tensors S inputs constants shapes) h /\
    same_values (den (tensors S inputs constants shapes)) g outputs h outputs'.
Proof. exact ProvedSound.opt_correct_ring. Qed.

(** With all of them: over fields. *)
Theorem opt_correct_real :
  forall S inputs constants shapes rules fuel g outputs log,
    real_laws S -> incl rules (ProvedSound.rules_of (fun _ => true)) ->
    sane (tensors S inputs constants shapes) g -> (forall o, In o outputs -> o < List.length g) ->
    let '(h, outputs', _) := rewrite_fix commutative fuel rules g outputs log in
    sane (tensors S inputs constants shapes) h /\
    same_values (den (tensors S inputs constants shapes)) g outputs h outputs'.
Proof. exact ProvedSound.opt_correct_real. Qed.
