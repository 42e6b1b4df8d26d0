import { countTokens as count } from 'gpt-tokenizer/encoding/o200k_base'

/** Longer unbroken runs make the encoder's work grow with their square, so they are counted in parts. */
const longestRun = 200

/** How many tokens a text has, by the encoding of today's larger models; a little high for very long words. */
export function countTokens(text: string): number {
  const bounded = text.replace(/\S{200,}/g, (run) => run.replace(new RegExp(`(.{${longestRun}})`, 'gsu'), '$1 '))
  return count(bounded)
}
