"""usage: roundtrip.py DIR MODEL...: DIR/k.onnx is the written copy of model k. The copy must pass python3-onnx's checker
(with shape inference where the original does) and have the same graph inputs, outputs, opset imports and opaque nodes."""
import os
import sys

import onnx


def valid(model, full):
    try:
        onnx.checker.check_model(model, full_check=full)
        return None
    except Exception as e:  # the checker and shape inference raise different classes
        return str(e).strip().splitlines()[0] if str(e).strip() else type(e).__name__


def inputs(graph):
    constant = {t.name for t in graph.initializer} | {t.values.name for t in graph.sparse_initializer}
    return [(v.name, v.type.SerializeToString()) for v in graph.input if v.name not in constant]


def known(table):
    with open(table) as f:
        return {l.split("(")[1].split(",")[0] for l in f if l.startswith("ONNX_FORM(") and "(op" not in l}


def differences(a, b, ops):
    if inputs(a.graph) != inputs(b.graph):
        yield "graph inputs differ"
    if [v.name for v in a.graph.output] != [v.name for v in b.graph.output]:
        yield "graph outputs differ"
    if [(o.domain, o.version) for o in a.opset_import] != [(o.domain, o.version) for o in b.opset_import]:
        yield "opset imports differ"
    if [p.SerializeToString() for p in a.metadata_props] != [p.SerializeToString() for p in b.metadata_props]:
        yield "metadata differs"
    if [f.SerializeToString() for f in a.functions] != [f.SerializeToString() for f in b.functions]:
        yield "functions differ"
    nodes = {n.SerializeToString() for n in a.graph.node}
    for n in b.graph.node:
        if (n.domain or n.op_type not in ops) and n.op_type != "Constant" and n.SerializeToString() not in nodes:
            yield f"opaque node {n.op_type} was changed"


def main():
    ops = known(os.path.join(os.path.dirname(__file__), "../../c/onnx/forms.def"))
    bad = checked = full = absent = 0
    for k, path in enumerate(sys.argv[2:]):
        copy = os.path.join(sys.argv[1], f"{k}.onnx")
        if not os.path.exists(copy):
            absent += 1
            continue
        a, b = onnx.load(path), onnx.load(copy)
        wrong = list(differences(a, b, ops))
        if valid(a, False) is None:
            checked += 1
            deep = valid(a, True) is None
            full += deep
            error = valid(b, deep)
            if error:
                wrong.append(error)
        for w in wrong:
            print(f"FAIL {path}: {w}")
        bad += bool(wrong)
    print(f"{k + 1 - absent} models written, {checked} valid as they were, {full} also with shape inference, "
          f"{absent} not static, {bad} failed")
    return 1 if bad or not checked else 0


sys.exit(main())
