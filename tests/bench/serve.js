// node serve.js MODEL.onnx THREADS: for each line K on standard input the least milliseconds of K inferences by onnxruntime.
const ort = require("onnxruntime-node");
const readline = require("readline");
const [model, threads] = process.argv.slice(2);

async function main() {
  const session = await ort.InferenceSession.create(model, {
    intraOpNumThreads: Number(threads), interOpNumThreads: 1, graphOptimizationLevel: "all", logSeverityLevel: 3,
  });
  const feeds = {};
  for (const meta of session.inputMetadata) {
    const n = meta.shape.reduce((a, b) => a * b, 1);
    feeds[meta.name] = new ort.Tensor("float32", Float32Array.from({ length: n }, (_, i) => Math.sin(i)), meta.shape);
  }
  await session.run(feeds);
  for await (const line of readline.createInterface({ input: process.stdin })) {
    let best = Infinity;
    for (let k = 0; k < Number(line); k++) {
      const start = process.hrtime.bigint();
      await session.run(feeds);
      best = Math.min(best, Number(process.hrtime.bigint() - start) / 1e6);
    }
    console.log(best.toFixed(4));
  }
}
main().catch((e) => { console.error(String(e)); process.exit(1); });
