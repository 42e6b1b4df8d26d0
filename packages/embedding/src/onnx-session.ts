/** A loaded model. */
export interface Session {
  /** One vector per token, concatenated. */
  run(tokens: Uint16Array): Promise<Float32Array>
  close(): Promise<void>
}

/**
 * Texts are not batched: the 8-bit model scales its numbers by the largest one of a run, so texts of one batch would change
 * each other's vectors. From 32 tokens on, batching is no faster either.
 */
export async function openSession(model: Buffer, threads: number): Promise<Session> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node')
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    // Spinning threads take the processor from those that have work.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  })

  return {
    async run(tokens) {
      const shape = [1, tokens.length]
      const { last_hidden_state: output } = await session.run({
        input_ids: new Tensor('int64', BigInt64Array.from(tokens, BigInt), shape),
        attention_mask: new Tensor('int64', new BigInt64Array(tokens.length).fill(1n), shape),
        token_type_ids: new Tensor('int64', new BigInt64Array(tokens.length), shape),
      })
      if (!(output?.data instanceof Float32Array)) throw new Error('The model returned no vectors.')
      return output.data
    },
    close: () => session.release(),
  }
}
