/* libcalque: everything a program that embeds Calque needs. One struct mem, strs and values per process or thread are shared by
   all objects made with them; no global state; every function that can fail returns enum calque_status and fills a struct diag.
   Typical use: onnx_read, rules_parse (library_parse for the built-in rules), rewrite_fix, onnx_write or emit_model. */
#ifndef CALQUE_H
#define CALQUE_H

#include "attr/attr.h"
#include "base/mem.h"
#include "base/status.h"
#include "base/strs.h"
#include "base/text.h"
#include "emit/emit.h"
#include "graph/graph.h"
#include "onnx/onnx.h"
#include "graph/text.h"
#include "kernel/grad.h"
#include "kernel/inline.h"
#include "kernel/kernel.h"
#include "pattern/gsl.h"
#include "pattern/match.h"
#include "rewrite/equiv.h"
#include "rewrite/library.h"
#include "rewrite/rewrite.h"
#include "tensor/npy.h"
#include "tensor/op.h"
#include "tensor/gen.h"
#include "tensor/tensor.h"

#endif
