import type { Aim } from './bench.ts'

/** The aims of turns, beside the minimal server. */
export const chatAims = {
  /** By the number of conversations at once. */
  rate: { 1: { of: 'ratio', min: 0.5 }, 64: { of: 'ratio', min: 0.8 } } as Record<number, Aim>,
  firstDelta: { of: 'difference', max: 3 } satisfies Aim as Aim,
  memory: { max: 250 } satisfies Aim as Aim,
  /** The five hundredth turn, beside the first ones. */
  longConversation: { of: 'ratio', max: 1.5 } satisfies Aim as Aim,
}
