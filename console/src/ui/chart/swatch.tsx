import { toCssColor } from './tones.ts'
import type { Tone } from './types.ts'

/** A patch in the colour of a series. */
export const Swatch = ({ tone }: { tone: Tone | 'before' }) =>
  tone === 'before' ? (
    <span className="swatch before" aria-hidden />
  ) : (
    <span className="swatch" style={{ background: toCssColor(tone) }} aria-hidden />
  )
