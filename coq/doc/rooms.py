"""The sections of the site: which judgements and functions of which files, and how their names are written.

A section's number is part of what is cited ("PM-Call, Calque 0.1.0, section 3"): new ones come last. `speak` are the words that
a theorem on the section has in its statement; `parts` are the judgements and functions shown, in this order, by file and name.
"""
from collections import namedtuple

Section = namedtuple('Section', 'id title about parts templates speak theorems')

A, R, S, P = 100, 30, 50, 0  # atoms, relations, sums, loose

# attr/Attr.v
ATTR = {
    'ae': (3, '{0} ; {1} ⇒ {2}', P), 'am': (3, '{0} ⊢ {1} ∼ {2}', P), 'eval': (2, '⟦{1!}⟧<sub>{0!}</sub>', A),
    'amatch': (3, '{0} ⊢ {1} ∼<sup>?</sup> {2}', R), 'access': (3, '{0}({1!}).{2}', A), 'value_of': (2, '{0}({1!})', A),
    'inst': (4, '{0}({1}@{2}).{3}', A), 'bind': (3, '{0}[{1!} ↦ {2!}]', A), 'index_at': (3, '{0}[{1!}] ≐ {2}', R),
    'taken': (2, '{0}<sub>alt</sub>({1!})', A),
    'AConst': (1, '{0}', None), 'AAny': (0, '<b>any</b>', A), 'AAccess': (2, '{0}.{1}', A), 'AUnary': (2, '{0} {1}', 90),
    'ABinary': (3, '{1} <span class="v">{0}</span> {2}', S), 'ATuple': (1, '({0:, })', A), 'AProj': (2, '{0}.{1}', A),
    'ASymbol': (1, '{0}', None), 'AInst': (3, 'src({0}, {1!}).{2}', A), 'AVar': (3, '<b>var</b> {0} &lt; {1} . {2}', P),
    'AMap': (3, '<b>map</b> {0} ∈ {1} . {2}', P), 'AReduce': (2, '{0} {1}', 90), 'ACond': (3, '<b>cond</b>({0!}, {1!}, {2!})', A),
    'AMatch': (2, '<b>match</b> {0} ({1!})', 90), 'AFunc': (2, '{0}({1!})', A),
    'VTuple': (1, '({0:, })', A), 'VInt': (1, '{0}', None), 'VBool': (1, '{0}', None)}

# pattern/Pattern.v
ADDR = {'at_': (3, '{1}@{0}', A), 'instance': (2, '{0}@{1}', A), 'get': (2, '{0}({1!})', A), 'put': (3, '{0}[{1!} ↦ {2!}]', A),
        'put_alt': (3, '{0}[alt {1!} ↦ {2!}]', A), 'form': (1, 'form({0!})', A), 'args': (1, 'args({0!})', A)}
PATTERN = dict(
    ADDR, pm=(5, '{1} ⊢ {2}@{0} ∼ {3} ⇒ {4}', P), thread=(4, '{1} ⟶<sub>{0!}</sub><sup>{2!}</sup> {3}', P),
    step=(8, '{3} ⊢ {1}@{0} : {4} ∼ {2} : {5} ⟶ {6} ; {7}', P))

# rewrite/Rewrite.v, Opt.v
REWRITE = dict(
    ADDR, pe=(5, '{1} ; {2}@{0} ⇒ {3} ; {4}', P), make=(4, '{1}@{0} ⟶ {2} ; {3}', P),
    collect=(5, '{1} ⟶<sub>{0!}</sub><sup>{2!}</sup> {3} ; {4}', P), opt_step=(2, '{0} ⟶ {1}', P), opt_run=(2, '{0} ⟶<sup>∗</sup> {1}', P),
    value_at=(2, '⟦{1!}⟧<sub>{0!}</sub>', A), VInt=(1, '{0}', None), VBool=(1, '{0}', None))

GRAPH = {'ge': (3, '{0} ⊢ {1} ⇓ {2}', P), 'ancestor': (3, '{0} ⊢ {1} ⊑ {2}', P)}

# kernel/
INDEX = {
    'eval_ix': (2, '⟦{1!}⟧<sub>{0!}</sub>', A), 'eval_cond': (2, '⟦{1!}⟧<sub>{0!}</sub>', A),
    'eval_cmp': (3, '{1} <span class="v">{0}</span> {2}', R),
    'IVar': (1, '<span class="v">x</span><sub>{0!}</sub>', A), 'ICst': (1, '{0}', None), 'IAdd': (2, '{0} + {1}', S),
    'ISub': (2, '{0} − {1}', S),
    'IMul': (2, '{0} · {1}', 60), 'IDiv': (2, '{0} // {1}', 60), 'IMod': (2, '{0} % {1}', 60),
    'CCmp': (3, '{1} <span class="v">{0}</span> {2}', R), 'CAnd': (2, '{0} &amp;&amp; {1}', 26)}


def binary(args):
    signs = {'OAdd': ('+', S), 'OSub': ('−', S), 'OMul': ('·', 60), 'ODiv': ('/', 60), 'OMod': ('%', 60)}
    if args and args[0][0] == 'id' and args[0][1] in signs:
        sign, level = signs[args[0][1]]
        return 3, '{1} %s {2}' % sign, level
    return 3, '{1} <span class="v">{0!}</span> {2}', S


KERNEL = dict(
    INDEX, eval=(3, '⟦{2!}⟧<sub>{0!}, {1!}</sub>', A), ECst=(1, '{0}', None), ELd=(2, '{0}[{1!}]', A), EBin=binary, EFn=(2, '{0}({1!})', A),
    ESel=(3, 'select({0!}, {1!}, {2!})', A), ERed=(3, '<span class="big">⨁</span><sup>{0!}</sup><sub>{1!}</sub> {2}', 55),
    upd=(3, '{0}[{1!} ↦ {2!}]', A), mk=binary, mk_neg=(1, '−{0}', 65), looked=(4, '{0} ⊢ {1}[{2!}] ⇓ {3}', P), outside=(3, '{0} ⊢ {1}[{2!}] ⇑', P),
    sum=(2, '<span class="big">Σ</span><sub>{1!}</sub> {0}', 55), inline=(2, '{1}[{0!} inlined]', A))
KERNEL['exec'] = (2, '⟦{0!}⟧ {1}', 90)
KERNEL['exec_prog'] = (2, '⟦{0!}⟧ {1}', 90)
GRADIENT = dict(KERNEL, sweep=(7, '<b>∂</b>⟦{4!}⟧<sub>{0!}</sub><sup>{1!}, {2!}, {3!}</sup> ({5!}, {6!})', A))

# dpia/, emit/
INDICES = {'XVar': (1, '<span class="v">x</span><sub>{0!}</sub>', A), 'XCst': (1, '{0}', None), 'XSize': (1, '{0}', None),
    'XAdd': (2, '{0} + {1}', S),
           'XSub': (2, '{0} − {1}', S), 'XMul': (2, '{0} · {1}', 60), 'XDiv': (2, '{0} // {1}', 60), 'XMod': (2, '{0} % {1}', 60)}
DPIA = dict(INDICES, **{
    'ty': (3, '{0} ⊢ {1} : {2}', P), 'acc': (2, '<b>A</b>⟦{0!}⟧<sub>{1!}</sub>', A), 'con': (2, '<b>C</b>⟦{0!}⟧<sub>{1!}</sub>', A),
    'DNum': (0, '<b>num</b>', A), 'DAry': (2, '{0}.{1}', A), 'DPair': (2, '{0} × {1}', 60), 'TD': (1, '{0}', None),
    'TI': (1, 'idx({0!})', A),
    'bind': (2, '{1!} , {0!}', 5), 'assume': (3, '{2!} , {0!} = {1!}', 5), 'mul': (3, '{1} · {2}', 60),
    'ix_subst': (2, '{1}[{0!}]', A), 'cond_subst': (2, '{1}[{0!}]', A),
    'EVar': (1, '<span class="v">x</span><sub>{0!}</sub>', A), 'ELit': (1, '{0}', None), 'EUn': (2, '{0} {1}', 90),
    'EBin': (3, '{1} <span class="v">{0!}</span> {2}', S),
    'EMap': (5, '<b>map</b><sup>{0!}</sup> {3} {4}', 90), 'EGen': (4, '<b>gen</b><sup>{0!}</sup><sub>{1!}</sub> {3}', 90),
    'ERed': (5, '<b>reduce</b> {2} {3} {4}', 90), 'EFold': (4, '<b>fold</b><sub>{0!}</sub> {2} {3}', 90),
    'EZip': (5, '<b>zip</b> {3} {4}', 90),
    'ESplit': (3, '<b>split</b><sub>{0!}</sub> {2}', 90), 'EJoin': (3, '<b>join</b><sub>{0!}</sub> {2}', 90),
    'EIdx': (2, '{0}[{1!}]', A), 'EPair': (2, '⟨{0!}, {1!}⟩', A),
    'EFst': (1, '<b>fst</b> {0}', 90), 'ESnd': (1, '<b>snd</b> {0}', 90), 'ERev': (2, '<b>reverse</b> {1}', 90),
    'ETr': (3, '<b>transpose</b> {2}', 90),
    'EIte': (4, '<b>if</b>({0!}, {2!}, {3!})', A), 'ELet': (3, '<b>let</b> {1} <b>in</b> {2}', P),
    'VRoot': (1, '<span class="v">r</span><sub>{0!}</sub>', A), 'VLit': (1, '{0}', None), 'VUn': (2, '{0} {1}', 90),
    'VBin': (3, '{1} <span class="v">{0!}</span> {2}', S),
    'VZip': (2, '<b>zip</b> {0} {1}', 90), 'VSplit': (2, '<b>split</b><sub>{0!}</sub> {1}', 90),
    'VJoin': (2, '<b>join</b><sub>{0!}</sub> {1}', 90), 'VIdx': (2, '{0}[{1!}]', A),
    'VPair': (2, '⟨{0!}, {1!}⟩', A), 'VFst': (1, '<b>fst</b> {0}', 90), 'VSnd': (1, '<b>snd</b> {0}', 90),
    'VRev': (2, '<b>reverse</b> {1}', 90), 'VTr': (1, '<b>transpose</b> {0}', 90),
    'VIte': (3, '<b>if</b>({0!}, {1!}, {2!})', A), 'VIx': (1, '{0}', None),
    'ARoot': (1, '<span class="v">r</span><sub>{0!}</sub>', A), 'AZip1': (1, '<b>zipAcc</b>₁ {0}', 90),
    'AZip2': (1, '<b>zipAcc</b>₂ {0}', 90), 'ASplit': (2, '<b>splitAcc</b><sub>{0!}</sub> {1}', 90),
    'AJoin': (2, '<b>joinAcc</b><sub>{0!}</sub> {1}', 90), 'AIdx': (2, '{0}[{1!}]', A), 'APair1': (1, '<b>pairAcc</b>₁ {0}', 90),
    'APair2': (1, '<b>pairAcc</b>₂ {0}', 90),
    'ARev': (2, '<b>reverseAcc</b> {1}', 90), 'ATr': (1, '<b>transposeAcc</b> {0}', 90),
    'CCmp': (3, '{1} <span class="v">{0}</span> {2}', R), 'CAnd': (2, '{0} &amp;&amp; {1}', 26), 'CSkip': (0, '<b>skip</b>', A),
    'CSeq': (2, '{0} ; {1}', 10), 'CAssign': (2, '{0} := {1}', R),
    'CNew': (3, '<b>new</b> <span class="v">r</span><sub>{0!}</sub> : {1} . {2}', P),
    'CLoop': (4, '<b>for</b><sup>{0!}</sup> <span class="v">x</span><sub>{1!}</sub> &lt; {2} . {3}', P),
    'CIf': (3, '<b>if</b>({0!}, {1!}, {2!})', A)})

EMIT = dict(DPIA, **{
    'rd': (4, '<b>R</b>⟦{2!}⟧<sub>{0!}, {1!}</sub> ({3!})', A), 'wr': (3, '<b>W</b>⟦{1!}⟧<sub>{0!}</sub> ({2!})', A),
    'obind': (2, '{0} ≫= {1}', 10),
    'cge': (2, '<b>E</b>⟦{0!}⟧ ({1!})', A), 'cga': (2, '<b>A</b>⟦{0!}⟧ ({1!})', A), 'cgc': (1, '<b>S</b>⟦{0!}⟧', A),
    'cgi': (1, '<b>I</b>⟦{0!}⟧', A), 'cgb': (1, '<b>B</b>⟦{0!}⟧', A),
    'At': (1, '{0}', None), 'L': (0, '<b>1</b>', A), 'R': (0, '<b>2</b>', A), 'Sub': (1, '[{0!}]', A), 'X1': (0, '<b>.x1</b>', A),
    'X2': (0, '<b>.x2</b>', A),
    'KVar': (1, '<span class="v">x</span><sub>{0!}</sub>', A), 'KCst': (1, '{0}', None), 'KSize': (1, '{0}', None),
    'KAdd': (2, '{0} + {1}', S), 'KSub': (2, '{0} − {1}', S),
    'KMul': (2, '{0} * {1}', 60), 'KDiv': (2, '{0} // {1}', 60), 'KMod': (2, '{0} % {1}', 60), 'KQuot': (2, '{0} / {1}', 60),
    'KRem': (2, '{0} % {1}', 60),
    'KCmp': (3, '{1} <span class="v">{0}</span> {2}', R), 'KAnd': (2, '{0} &amp;&amp; {1}', 26),
    'XLoad': (2, '<span class="v">r</span><sub>{0!}</sub> {1}', 90), 'XLit': (1, '{0}', None), 'XUn': (2, '{0} {1}', 90),
    'XBin': (3, '{1} <span class="v">{0!}</span> {2}', S),
    'XCond': (3, '{0} ? {1} : {2}', 10), 'XStuck': (0, '<b>stuck</b>', A), 'SStuck': (0, '<b>stuck</b>', A),
    'SSkip': (0, '<b>{ }</b>', A), 'SSeq': (2, '{0} {1}', 90), 'SSet': (3, '<span class="v">r</span><sub>{0!}</sub> {1} = {2} ;', 10),
    'SBlock': (3, '<b>{</b> {1} <span class="v">r</span><sub>{0!}</sub> ; {2} <b>}</b>', A),
    'SIf': (3, '<b>if</b> ({0!}) {1} <b>else</b> {2}', 10),
    'SFor': (4, '<b>for</b><sup>{0!}</sup> (<span class="v">x</span><sub>{1!}</sub> &lt; {2}) {3}', 10),
    'xstep': (3, '{0} ⟶<sup>{1!}</sup> {2}', P), 'tstep': (3, '{0} ⟶<sup>{1!}</sup> {2}', P),
    'happens': (3, '{0} ⟶<sup>{1!}</sup> {2}', P), 'step': (2, '{0} ⟶ {1}', P),
    'steps': (3, '{1} ⟶<sup>{0!}</sup> {2}', P), 'Read': (3, '<b>R</b> {0}.{1} {2}', 90), 'Write': (3, '<b>W</b> {0}.{1} {2}', 90),
    'Quiet': (0, 'τ', A),
    'TSet': (3, '<span class="v">r</span><sub>{0!}</sub>[{1!}] = {2}', 10), 'TSeq': (2, '{0} ; {1}', 10), 'TPar': (2, '{0} ∥ {1}', 12),
    'TBlock': (3, '<b>new</b> <span class="v">r</span><sub>{0!}</sub> = {1} . {2}', P),
    'TDone': (0, '<b>done</b>', A), 'TLoad': (2, '<span class="v">r</span><sub>{0!}</sub>[{1!}]', A), 'TVal': (1, '{0}', None),
    'TUn': (2, '{0} {1}', 90), 'TBin': (3, '{1} <span class="v">{0!}</span> {2}', S),
    'race': (1, '{0} races', R)})

SECTIONS = [
    Section('attributes', 'Attributes', 'attr/Attr.v', [('attr/Attr.v', n) for n in ('ae', 'eval', 'am', 'amatch')], ATTR,
            r'\b(ae|am|eval G|amatch|eval_memo)\b', ['attr_eval_iff', 'attr_match_iff', 'attr_eval_deterministic']),
    Section('graphs', 'Graphs', 'graph/Graph.v', [('graph/Graph.v', n) for n in ('ge', 'ancestor')], GRAPH,
            r'\b(ge|ancestor|graph_eval|Graph\.ge|eval_in_order)\b', ['graph_eval_iff', 'graph_eval_order_irrelevant']),
    Section('patterns', 'Patterns', 'pattern/Pattern.v', [('pattern/Pattern.v', n) for n in ('pm', 'step', 'thread', 'expand', 'pmatch')], PATTERN,
            r'\b(pm|pmatch|match_at|multi_at|outputs_match)\b', ['match_judgement_iff', 'match_sound', 'match_complete']),
    Section('rewriting', 'Rewriting', 'rewrite/Rewrite.v', [('rewrite/Rewrite.v', n) for n in ('pe', 'make', 'collect', 'plan', 'build')] +
            [('rewrite/Opt.v', n) for n in ('opt_step', 'opt_run')], REWRITE,
            r'\b(pe|build|rewrite_match|rewrite_fix|opt_run|opt_step)\b', ['build_iff', 'rewrite_preserves', 'rewrite_fix_sound', 'opt_correct']),
    Section('kernels', 'Kernels', 'kernel/Kernel.v', [('kernel/Kernel.v', n) for n in ('eval_ix', 'eval_cmp', 'eval_cond', 'eval', 'exec', 'exec_prog')] +
            [('kernel/Lookup.v', n) for n in ('looked', 'outside', 'look_cell')], KERNEL,
            r'\b(exec_prog|eval_ix|looked|outside|look_cell)\b', ['kernel_wf_sound', 'kernel_exec_frame', 'look_cell_iff']),
    Section('inlining', 'Inlining', 'kernel/Inline.v', [('kernel/Kernel.v', n) for n in ('subst', 'inline', 'inline_stmt', 'in_bounds', 'in_bounds_stmt')] +
            [('kernel/Inline.v', n) for n in ('scan', 'inline_tensor', 'cheap', 'inline_once')], KERNEL,
            r'\b(inline_tensor|inline_stmt|reverse_tensor|inline_once|graph_kernel_inlined)\b', ['inline_tensor_correct', 'inline_safe', 'reverse_inline_correct']),
    Section('gradients', 'Gradients', 'kernel/Gradient.v', [('kernel/Gradient.v', 'sweep'), ('kernel/GradientProgram.v', 'adjoints_of'), ('kernel/GatherValue.v', 'hit_value')] +
            [('kernel/GatherForm.v', n) for n in ('digit', 'split_by', 'replaced', 'solve', 'eliminate', 'guards_of')], GRADIENT,
            r'\b(gradient|sweep|adjoint|hit_value|gradient_check|tangent)\b', ['gradient_correct', 'step_adjoint', 'gather_value']),
    Section('dpia', 'Functional programs', 'dpia/Trans.v', [('dpia/Typing.v', 'ty')] +
            [('dpia/Trans.v', n) for n in ('copy', 'via_c', 'via_a', 'reduce', 'initialised', 'bound', 'trans')], DPIA,
            r'\b(trans_a|trans_c|compile|ty)\b', ['dpia_acceptor_correct', 'dpia_continuation_correct']),
    Section('statements', 'Statements and threads', 'emit/Codegen.v', [('emit/Codegen.v', n) for n in ('cgi', 'cgb', 'cge', 'cga', 'cgc')] +
            [('dpia/Target.v', n) for n in ('rd', 'wr')] +
            [('emit/Threads.v', n) for n in ('xstep', 'tstep', 'happens', 'step', 'steps', 'race')], EMIT,
            r'\b(cgc|cge|cga|frun|tstep|race|steps|rd|wr)\b', ['emit_codegen_correct', 'emit_program_correct', 'par_interleaving']),
]

# Labels that stand in prose alone: the files whose comments say them, and the functions that decide them.
PROSE = {
    'I1': ('inlining', ['kernel/KernelProof.v', 'kernel/Inline.v'], [('kernel/Inline.v', 'inline_tensor'), ('kernel/Inline.v', 'scan')]),
    'I2': ('inlining', ['kernel/KernelProof.v', 'kernel/Inline.v'], [('kernel/Inline.v', 'scan')]),
    'I3': ('inlining', ['kernel/KernelProof.v', 'kernel/Inline.v'], [('kernel/Inline.v', 'inline_tensor')]),
    'KG-Digit': ('gradients', ['kernel/GatherForm.v'], [('kernel/GatherForm.v', 'digit'), ('kernel/GatherForm.v', 'split_by')]),
    'KG-Point': ('gradients', ['kernel/GatherForm.v'], [('kernel/GatherForm.v', 'replaced'), ('kernel/GatherForm.v', 'solve')]),
    'KG-Stride': ('gradients', ['kernel/GatherForm.v'], [('kernel/GatherForm.v', 'solve')]),
    'KG-Guard': ('gradients', ['kernel/GatherForm.v'], [('kernel/GatherForm.v', 'guards_of')]),
}

# How a judgement is read: the names of its places, and the sentence, its variables between stars.
READ = {
    'ae': ('G a v', 'In environment *G*, attribute expression *a* has the value *v*.'),
    'am': ('G a v', 'In environment *G*, attribute expression *a* matches the value *v*.'),
    'ge': ("g i v", 'Node *i* of graph *g* computes *v*.'),
    'ancestor': ('g j i', 'Node *j* of graph *g* is *i*, or one of the nodes that *i* is computed from.'),
    'pm': ("i M p e M'", "In match state *M*, pattern *p* of instance *i* matches node *e*; the state is then *M′*."),
    'step': ('i p e M q n M1 gs', 'Pattern *p*, whose form is *q*, stands for node *e*, which is *n*: *M₁* is the state, and the goals *gs* are left to match.'),
    'thread': ("R s l s'", '*R* leads from *s* to *s′* along the elements of *l*, one after the other.'),
    'pe': ("i s p e s'", 'In build state *s*, target pattern *p* of instance *i* is node *e*; the state is then *s′*.'),
    'make': ('i q gs f', 'For a target pattern *q* of instance *i*, the goals *gs* are built first; then *f* finishes it.'),
    'collect': ("R s l m s'", '*R* leads from *s* to *s′* along the elements of *l* and gives the elements of *m*.'),
    'opt_step': ("s s'", 'One step of the optimiser: a rewrite, a folded constant, or the removal of what no output needs.'),
    'opt_run': ("s s'", 'Any number of steps of the optimiser.'),
    'looked': ('st l i x', 'In store *st*, the cell of look-up *l* at indices *i* is *x*.'),
    'outside': ('st l i', 'In store *st*, the look-up *l* at indices *i* is outside of its tensor, or by no integer: there is no cell.'),
    'ty': ('G e d', 'In context *G*, functional expression *e* has the data type *d*.'),
    'xstep': ("e a e'", 'An expression takes a step, with the access *a*.'),
    'tstep': ("c a c'", 'A statement takes a step, with the access *a*, in any interleaving of its threads.'),
    'happens': ("m a m'", 'The access *a* takes the shared memory from *m* to *m′*.'),
    'step_threads': ("k k'", 'A configuration, memory and statement, takes a step.'),
    'steps': ("n k k'", 'A configuration takes *n* steps.'),
    'race': ('c', 'Two threads of *c* could access one place next, one of them writing.'),
}

NOTATION = [
    ('f(<i>x</i>) = ⌊<i>v</i>⌋', 'the partial function f has the value v at x (<code>Some v</code>)'),
    ('f(<i>x</i>) = ⊥', 'it has none (<code>None</code>)'),
    ('<i>l</i>[<i>k</i>]', 'the k-th element of a list, from 0; ⊥ beyond its end, or the default of <code>nth</code>'),
    ('[<i>x</i>, <i>y</i>]', 'a list by its elements'), ('<i>x</i> ∷ <i>l</i>', 'an element before a list'), ('<i>l</i> ⧺ <i>m</i>', 'a list behind another'),
    ('<i>M</i>[<i>x</i> ↦ <i>v</i>]', 'M, but x stands for v'), ('<i>p</i>@<i>i</i>', 'pattern p in instance i of a variadic pattern, ⊥ where it stands in none'),
    ('∀<i>k</i>. P(<i>l<sub>k</sub></i>, <i>m<sub>k</sub></i>)', 'P holds of the elements of l and m at each place; both have the same length (<code>Forall2</code>)'),
    ('<i>x</i>.1, <i>x</i>.2', 'the components of a pair'), ('⟦<i>a</i>⟧<sub><i>G</i></sub>', 'the meaning of the piece of syntax a, in G'),
    ('λ<i>x</i>. <i>e</i>', 'the function that gives e for x'),
    ('<i>a</i> // <i>b</i>, <i>a</i> % <i>b</i>', 'quotient rounded down, and its remainder'),
    ('if, otherwise', 'the first case that applies'),
    ('<i>v</i>', 'a value where an expression is asked for, an integer or a truth value where a value is: the injection is not shown, but stands in the source'),
]
