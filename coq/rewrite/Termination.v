(** * Rewriting with the rules of the library ends

    The measure of a graph, compared from left to right: the weight of the operators
    that merging, folding and lowering remove, the number of tuples and projections,
    the number of operators, of which +, -, * and / count twice.  [falls_text] is a
    check of the text of a rule, after which every rewrite by it makes the measure
    smaller, in any graph. *)

From Coq Require Import Arith Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.Match pattern.MatchProof.
From Calque Require Import rewrite.Rewrite rewrite.RewriteProof rewrite.Check rewrite.Sound rewrite.Library.
From Calque Require Import rewrite.TermImage rewrite.TermMatch rewrite.TermBuild rewrite.TermStep rewrite.TermFix.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Definition is_one_of (l : list string) (s : string) : bool := existsb (String.eqb s) l.

(** Operators that the rules make fewer. *)
Definition twice : list string := ["MatMul"; "CollapseSumLike"]%string.
Definition once : list string :=
  ["Conv"; "Gemm"; "BatchNormalization"; "LayerNormalization"; "GroupNormalization"; "InstanceNormalization";
   "L2Normalize"; "BiasAdd"; "ZerosLike"; "OnesLike"; "FullLike"; "ReshapeLike"; "BroadcastLike"; "CollapseSum";
   "LayoutTransform"]%string.
Definition arithmetic : list string := ["Add"; "Sub"; "Mul"; "Div"]%string.

Definition great : weight := Weight (fun s => if is_one_of twice s then 2 else if is_one_of once s then 1 else 0) 0.
Definition fields : weight := Weight (fun _ => 0) 1.
Definition small : weight := Weight (fun s => if is_one_of arithmetic s then 2 else 1) 1.

Definition weights : list weight := [great; fields; small].

Definition measure (g : tgraph) : list nat := map (fun w => total (weigh w) g) weights.

(** ** The check *)

Definition used_up (r : rule) (w : weight) (name : string) : list nat :=
  map (total (fun a => pattern_weight (patterns r) w name (fst a))) (uses r).

Definition added (r : rule) (w : weight) (name : string) : option (list nat) :=
  option_map (map (total (pattern_weight (patterns r) w name)))
    (sim_roots (patterns r) (reached_sources r) (depth r) w name (target r)).

Fixpoint falls_by (r : rule) (name : string) (ws : list weight) : bool :=
  match ws with
  | [] => false
  | w :: ws' =>
      match added r w name with
      | Some l =>
          forallb (fun u => forallb (fun a => Nat.ltb a u) l) (used_up r w name) ||
          (forallb (fun u => forallb (fun a => Nat.leb a u) l) (used_up r w name) && falls_by r name ws')
      | None => false
      end
  end.

Definition falls_text (r : rule) : bool :=
  readable r && forallb (fun name => falls_by r name weights) (names r).

(** ** It is right *)

Theorem falls_text_right commutes r : falls_text r = true -> falls commutes measure r.
Proof.
  intros T g outputs e h outputs' ok ground within H. unfold falls_text in T. apply andb_true_iff in T.
  destruct T as [text all]. rewrite forallb_forall in all.
  destruct (text_ok r text) as (ord & lay & lt & _).
  unfold rewrite_rule in H.
  match type of H with first_some ?k ?l = _ => pose proof (first_some_iff k l) as F end.
  rewrite H in F. destruct F as [ine F]. apply in_seq in ine.
  destruct (rule_at commutes r g outputs (seq 0 (List.length g)) e) as [[M outs] |] eqn:A; [| discriminate].
  assert (known commutes r g outputs M outs) as K.
  { apply (known_at commutes r g outputs ord lay ok lt e); [lia | exact A]. }
  destruct (some_name commutes r g outputs text M outs K) as (name & inn & named). specialize (all name inn).
  destruct (some_use commutes r g outputs text M outs K) as (l & inl & nd & musts_).
  pose proof F as F'. unfold rewrite_match in F'.
  destruct (build_roots r g M (List.length outs)) as [[es st] |] eqn:B; [| discriminate]. clear F'.
  assert (forall w k, added r w name = Some k -> exists new,
            whole st = g ++ new /\ (forall n j, In n new -> In j (args n) -> ~ inside r M j) /\
            Forall (fun j => ~ inside r M j) es /\
            exists a, In a k /\ total (weigh w) new <= a) as bound.
  { intros w k Ad. unfold added in Ad.
    destruct (sim_roots (patterns r) (reached_sources r) (depth r) w name (target r)) as [Bs |] eqn:Sm; [| discriminate].
    injection Ad as <-.
    destruct (roots_bounded commutes r g outputs ord M outs K ground w name named (List.length outs) es st Bs B Sm)
      as ([new Fn] & inB & out).
    exists new. split; [exact (fine_whole _ _ _ _ _ _ _ Fn) |]. split; [exact (fine_args _ _ _ _ _ _ _ Fn) |].
    split; [exact out |]. exists (total (pattern_weight (patterns r) w name) (keys r st)). split; [| exact (fine_weight _ _ _ _ _ _ _ Fn)].
    now apply in_map. }
  assert (exists k, added r great name = Some k) as [k0 Ad0].
  { unfold weights in all. cbn [falls_by] in all. destruct (added r great name); [eauto | discriminate]. }
  destruct (bound great k0 Ad0) as (new & whole_ & args_ & outs_ & _).
  destruct (step_image commutes r g outputs ok within M outs K h outputs' es st new B whole_ args_ outs_ F) as [from im].
  split; [exact (step_grounded commutes r g outputs text ok ground M outs K h outputs' es st B F) |].
  assert (forall ws, falls_by r name ws = true ->
            less (map (fun w => total (weigh w) h) ws) (map (fun w => total (weigh w) g) ws)) as go; [| now apply go].
  induction ws as [| w ws IH]; intros Fb; [discriminate |]. cbn [falls_by map less] in *.
  destruct (added r w name) as [k |] eqn:Ad; [| discriminate].
  destruct (bound w k Ad) as (new' & whole' & _ & _ & a & ina & le).
  assert (new' = new) as -> by (rewrite whole_ in whole'; now apply app_inv_head in whole').
  pose proof (image_weight commutes r g outputs text M outs K h es st new whole_ w name from l named im nd musts_) as I.
  set (u := total (fun a => pattern_weight (patterns r) w name (fst a)) l) in *.
  assert (In u (used_up r w name)) as inu by (unfold used_up, u; now apply (in_map (total (fun a => pattern_weight (patterns r) w name (fst a))))).
  apply orb_true_iff in Fb. rewrite andb_true_iff in Fb. destruct Fb as [S | [L R]].
  - left. rewrite forallb_forall in S. specialize (S u inu). rewrite forallb_forall in S. specialize (S a ina).
    apply Nat.ltb_lt in S. lia.
  - right. rewrite forallb_forall in L. specialize (L u inu). rewrite forallb_forall in L. specialize (L a ina).
    apply Nat.leb_le in L. split; [lia | now apply IH].
Qed.
