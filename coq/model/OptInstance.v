(** * A small model, rewritten and then compiled

    Every hypothesis of [opt_then_emit_correct] holds at binary32: the graph has values and the
    sizes that are written on it, all the rules that keep every bit of floats are tried, and
    what they leave is compiled. *)

From Coq Require Import Bool List Arith NArith String ZArith Lia.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern pattern.Match rewrite.Rewrite.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Instances tensor.OpTable.
From Calque Require Import rewrite.Sound rewrite.SoundModel rewrite.ProvedSound.
From Calque Require Import model.Unit model.Compile model.ModelProof model.Instance.
From Calque Require model.OptEmit.
Import ListNotations.
Open Scope nat_scope.

(** relu(identity(x)), for x = [1, -1]. *)
Definition tiny : tgraph :=
  [leaf KAbsent []; leaf (KInput 0) (shaped [2]%Z); call "Identity" [] [1]; call "Relu" [] [2]].

Definition tiny_x : tensor (num binary32) := Tensor [2] [s_int binary32 1; s_int binary32 (-1)].
Definition tiny_inputs (k : N) : option (tensor (num binary32)) := if (k =? 0)%N then Some tiny_x else None.
Notation tiny_model := (tensors binary32 tiny_inputs (fun _ => None) (fun _ => None)).

Lemma tiny_values i v : ge (den tiny_model) tiny i v ->
  nth_error [Absent; Of tiny_x; Of tiny_x; Of (Tensor [2] [s_int binary32 1; s_int binary32 0])] i = Some v.
Proof.
  intros H. assert (ok : wf tiny) by (apply wfb_iff; reflexivity).
  apply graph_eval_iff in H; [| exact ok].
  destruct i as [| [| [| [| i]]]]; try (rewrite <- H; vm_compute; reflexivity).
  exfalso. apply graph_eval_iff in H; [| exact ok]. inversion H as [? n ? ? E]; subst. now destruct i.
Qed.

Lemma tiny_sane : sane tiny_model tiny.
Proof.
  constructor.
  - apply wfb_iff. reflexivity.
  - now exists [], [].
  - intros i lt. assert (ok : wf tiny) by (apply wfb_iff; reflexivity).
    destruct i as [| [| [| [| i]]]]; [| | | | cbn in lt; lia];
      eexists; apply graph_eval_iff; try exact ok; vm_compute; reflexivity.
  - intros i n v l s E H L T. apply tiny_values in H.
    destruct i as [| [| [| [| i]]]]; cbn in E; try (injection E as <-); try (cbn in T; discriminate T); [| now destruct i].
    cbn in H. injection H as <-.
    change (option_map snd (if String.eqb "shape" l then Some ("shape"%string, vector [2]%Z) else None) = Some s) in T.
    destruct (String.eqb_spec "shape" l) as [<- | ne]; [| discriminate T]. injection T as <-.
    split; [intros _; reflexivity | intros E; discriminate E].
  - intros i n E. destruct i as [| [| [| [| i]]]]; cbn in E; try (injection E as <-); try (now destruct i);
      (split; [intros name l v W L T; try discriminate W; try discriminate L | intros l s T; try discriminate T]).
    change (option_map snd (if String.eqb "shape" l then Some ("shape"%string, vector [2]%Z) else None) = Some s) in T.
    destruct (String.eqb_spec "shape" l) as [<- | ne]; [reflexivity | discriminate T].
Qed.

Notation tiny_rewritten := (rewrite_fix commutative 10 (rules_of exactly) tiny [3] []).

Lemma tiny_compiles :
  let '(h, outs, log) := tiny_rewritten in
  log <> [] /\ compile (const_value binary32 (fun _ => None) (fun _ => None)) 2 [0] h outs <> None /\
  forall n k, In n h -> what (op n) = KInput k -> k = 0%N /\ declared_sizes (op n) = Some [2].
Proof.
  assert (T : (let '(h, outs, log) := tiny_rewritten in
    negb (match log with [] => true | _ => false end) &&
    (match compile (const_value binary32 (fun _ => None) (fun _ => None)) 2 [0] h outs with Some _ => true | None => false end) &&
    forallb (fun n => match what (op n) with
                      | KInput k => (k =? 0)%N && match declared_sizes (op n) with Some [2] => true | _ => false end
                      | _ => true
                      end) h) = true) by (vm_compute; reflexivity).
  destruct tiny_rewritten as [[h outs] log]. apply andb_true_iff in T as [T C]. apply andb_true_iff in T as [A B].
  split; [now destruct log |]. split; [intros E; rewrite E in B; discriminate B |].
  intros n k I W. rewrite forallb_forall in C. specialize (C n I). rewrite W in C. apply andb_true_iff in C as [K0 D].
  apply N.eqb_eq in K0. split; [exact K0 |].
  destruct (declared_sizes (op n)) as [[| [| [| [|]]] [|]] |]; try discriminate D; reflexivity.
Qed.

Theorem tiny_correct :
  let '(h, outs, log) := tiny_rewritten in
  log <> [] /\
  exists u ts, compile (const_value binary32 (fun _ => None) (fun _ => None)) 2 [0] h outs = Some u /\
    outputs_of binary32 tiny_inputs (fun _ => None) (fun _ => None) tiny [3] = Some ts /\
    run_unit u tiny_inputs = Finished ts.
Proof.
  pose proof tiny_compiles as T.
  assert (O : forall u, let '(h, outs, _) := tiny_rewritten in
    compile (const_value binary32 (fun _ => None) (fun _ => None)) 2 [0] h outs = Some u -> inputs_fit tiny_inputs h ->
    exists ts, outputs_of binary32 tiny_inputs (fun _ => None) (fun _ => None) tiny [3] = Some ts /\
      run_unit u tiny_inputs = Finished ts).
  { intros u. apply OptEmit.opt_then_emit.
    - exact binary32_float_laws.
    - apply incl_refl.
    - exact tiny_sane.
    - intros o [<- | []]. cbn. lia. }
  destruct tiny_rewritten as [[h outs] log]. destruct T as (applied & there & fit). split; [exact applied |].
  destruct (compile _ 2 [0] h outs) as [u |] eqn:C; [| elim there; reflexivity].
  destruct (O u eq_refl) as (ts & E & R).
  - intros n k I W. destruct (fit n k I W) as [-> D]. exists tiny_x. repeat split. exact D.
  - exists u, ts. auto.
Qed.
