import type { Director } from './scripted-provider.ts'
import { stage } from './stage.ts'

/** About 100 tokens. */
export const long = (n: number) => `Question ${n}: ${'lorem ipsum dolor sit amet '.repeat(16)}`

export const context = { strategy: 'summarize', keep_messages: 4 }

export async function summarizing() {
  let count = 0
  const director: Director = ({ body }) => {
    const [first] = body.messages as { content: string }[]
    if (first?.content.startsWith('You summarize'))
      return { deltas: [`Summary ${++count}`], usage: { input: 700, output: 9 } }
    return { deltas: ['Fine.'] }
  }
  const all = await stage(director, {}, { context, max_tokens: 100 })
  await all.put(`/models/${all.model}`, { context_window: 1000 })
  return all
}
