import { miniLmModel } from './models.ts'
import { plus, type Runtime } from './pooling.ts'

/**
 * Each row is a run of its own: the 8-bit model scales its numbers by the largest in the run, so texts that share one
 * change each other's vectors, and from 32 tokens on sharing is no faster.
 */
export async function openInOnnxRuntime(model: Buffer, threads: number): Promise<Runtime> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node')
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    // A waiting thread that spins takes the core from whoever would finish its work.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  })

  async function run(row: Uint16Array): Promise<Float32Array> {
    const shape = [1, row.length]
    const { last_hidden_state: output } = await session.run({
      input_ids: new Tensor('int64', BigInt64Array.from(row, BigInt), shape),
      attention_mask: new Tensor('int64', new BigInt64Array(row.length).fill(1n), shape),
      token_type_ids: new Tensor('int64', new BigInt64Array(row.length), shape),
    })
    if (!(output?.data instanceof Float32Array)) throw new Error('the model gave no vectors')
    return plus(new Float32Array(miniLmModel.dimensions), output.data)
  }

  return {
    async run(rows) {
      const sums: Float32Array[] = []
      for (const row of rows) sums.push(await run(row))
      return sums
    },
    close: () => session.release(),
  }
}
