/** Returns one vector for each text, in the same order. */
export type Embed = (texts: string[]) => Promise<Float32Array[]>

/** The semantic similarity of each text to the question, from 0 to 1. */
export async function similarities(question: string, texts: string[], embed: Embed): Promise<number[]> {
  if (texts.length === 0) return []
  const [questionVector, ...vectors] = await embed([question, ...texts])
  return vectors.map((vector) => (questionVector ? Math.max(0, cosine(questionVector, vector)) : 0))
}

export function cosine(one: Float32Array, other: Float32Array): number {
  let product = 0
  let ones = 0
  let others = 0
  for (let at = 0; at < one.length; at++) {
    const a = one[at] ?? 0
    const b = other[at] ?? 0
    product += a * b
    ones += a * a
    others += b * b
  }
  return ones === 0 || others === 0 ? 0 : product / Math.sqrt(ones * others)
}
