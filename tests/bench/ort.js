// node ort.js MODEL.onnx RUNS THREADS: best milliseconds of one inference by onnxruntime on random inputs.
const ort = require("onnxruntime-node");
const [model, runs, threads] = process.argv.slice(2);

async function main() {
  const session = await ort.InferenceSession.create(model, {
    intraOpNumThreads: Number(threads), interOpNumThreads: 1, graphOptimizationLevel: "all", logSeverityLevel: 3,
  });
  const feeds = {};
  for (const meta of session.inputMetadata) {
    const n = meta.shape.reduce((a, b) => a * b, 1);
    feeds[meta.name] = new ort.Tensor("float32", Float32Array.from({ length: n }, (_, i) => Math.sin(i)), meta.shape);
  }
  let best = Infinity;
  for (let k = 0; k <= Number(runs); k++) {
    const start = process.hrtime.bigint();
    await session.run(feeds);
    const ms = Number(process.hrtime.bigint() - start) / 1e6;
    if (k > 0) best = Math.min(best, ms);
  }
  console.log(best.toFixed(2));
}
main().catch((e) => { console.error(String(e)); process.exit(1); });
