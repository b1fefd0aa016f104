// onnxruntime's CPU provider as a backend for `calque-oracle diff --against-backend`: reads names of folders, a line each, with model.onnx
// and test_data_set_0/input_K.pb, writes got/output_K.pb there and answers done, unsupported WHY or error WHY.
// usage: NODE_PATH=.../node_modules node ort_backend.js [LEVEL]   (graph optimization: disabled, basic, extended, all; all if not said)
"use strict";
const fs = require("fs");
const path = require("path");
const readline = require("readline");
const ort = require("onnxruntime-node");

const codes = { float32: 1, int32: 6, int64: 7, bool: 9, float64: 11 };
const names = { 1: "float32", 6: "int32", 7: "int64", 9: "bool", 11: "float64" };
const arrays = { float32: Float32Array, int32: Int32Array, int64: BigInt64Array, bool: Uint8Array, float64: Float64Array };

function number(b, at) {
  let n = 0n;
  let shift = 0n;
  for (;;) {
    n |= BigInt(b[at] & 127) << shift;
    shift += 7n;
    if (b[at++] < 128) return [Number(n), at];
  }
}

// A TensorProto with raw data.
function tensor(b) {
  const t = { name: "", type: "float32", dims: [], raw: Buffer.alloc(0) };
  for (let at = 0, key, n; at < b.length;) {
    [key, at] = number(b, at);
    [n, at] = number(b, at);
    const part = (key & 7) === 2 ? b.subarray(at, (at += n)) : null;
    if (key >> 3 === 1) t.dims.push(n);
    else if (key >> 3 === 2) t.type = names[n];
    else if (key >> 3 === 8) t.name = part.toString();
    else if (key >> 3 === 9) t.raw = Buffer.from(part);
  }
  return t;
}

function varint(n) {
  const out = [];
  for (; n > 127; n = Math.floor(n / 128)) out.push((n % 128) | 128);
  return Buffer.from([...out, n]);
}

function proto(name, t) {
  const text = (k, s) => Buffer.concat([varint(k * 8 + 2), varint(s.length), s]);
  const raw = Buffer.from(t.data.buffer, t.data.byteOffset, t.data.byteLength);
  return Buffer.concat([...t.dims.map((d) => Buffer.concat([varint(8), varint(d)])), varint(16), varint(codes[t.type]),
    text(8, Buffer.from(name)), text(9, raw)]);
}

async function run(folder) {
  const got = path.join(folder, "got");
  const set = path.join(folder, "test_data_set_0");
  let session;
  try {
    session = await ort.InferenceSession.create(path.join(folder, "model.onnx"), {
      executionProviders: ["cpu"], intraOpNumThreads: 1, interOpNumThreads: 1, graphOptimizationLevel: process.argv[2] || "all", logSeverityLevel: 4,
    });
  } catch (e) {
    const why = String(e.message || e);
    return (/not.implemented|ould not find an implementation|is not a registered|nsupported model IR|under development/i.test(why) ? "unsupported " : "error ") + why;
  }
  try {
    const feeds = {};
    for (let k = 0; fs.existsSync(path.join(set, `input_${k}.pb`)); k++) {
      const t = tensor(fs.readFileSync(path.join(set, `input_${k}.pb`)));
      const bytes = new Uint8Array(t.raw); // a copy that begins at a multiple of 8
      feeds[t.name] = new ort.Tensor(t.type, new arrays[t.type](bytes.buffer, 0, bytes.length / arrays[t.type].BYTES_PER_ELEMENT), t.dims);
    }
    const out = await session.run(feeds);
    fs.mkdirSync(got, { recursive: true });
    session.outputNames.forEach((n, k) => fs.writeFileSync(path.join(got, `output_${k}.pb`), proto(n, out[n])));
    return "done";
  } finally {
    await session.release();
  }
}

async function main() {
  for await (const folder of readline.createInterface({ input: process.stdin })) {
    let answer;
    try {
      answer = await run(folder);
    } catch (e) {
      answer = "error " + String(e.message || e);
    }
    process.stdout.write(answer.replace(/\s+/g, " ").trim() + "\n");
  }
}
main();
