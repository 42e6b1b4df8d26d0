import type { Tone } from './types.ts'

const hueStep = 15
/** Red and its neighbours are left to errors. */
const firstHue = 60
const hues = (360 - firstHue) / hueStep
/** Lightness in the light and in the dark theme. */
const levels = [
  [44, 62],
  [56, 73],
  [66, 84],
] as const

/** Spreads similar ids over all numbers (FNV-1a, mixed at the end). */
function hashId(id: string): number {
  let hash = 0x811c9dc5
  for (const letter of id) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** The colour of a model, an agent or a user: the same in every chart and table, whatever else is shown. */
export function chooseTone(id: string): Tone {
  const hash = hashId(id)
  return `hue-${firstHue + (hash % hues) * hueStep}-${Math.floor(hash / hues) % levels.length}`
}

export function toCssColor(tone: Tone): string {
  const [, hue, level] = /^hue-(\d+)-(\d)$/.exec(tone) ?? []
  if (hue === undefined) return `var(--${tone})`
  const [light, dark] = levels[Number(level)] ?? levels[0]
  return `light-dark(oklch(${light}% 0.14 ${hue}), oklch(${dark}% 0.13 ${hue}))`
}
