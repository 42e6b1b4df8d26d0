import type { Tone } from './types.ts'

const tones: Tone[] = ['accent', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6', 'series-7', 'series-8']

/**
 * The colour of each resource, the same in all charts. The place comes from the id, and the next free one if another has taken
 * it, so that a new resource at the end of the list changes no colour of the others.
 */
export function tonesById(ids: readonly string[]): Map<string, Tone> {
  const given = new Map<string, Tone>()
  for (const id of ids) {
    const place = [...id].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) >>> 0, 7) % tones.length
    const byPreference = [...tones.slice(place), ...tones.slice(0, place)]
    const taken = new Set(given.values())
    given.set(id, byPreference.find((tone) => !taken.has(tone)) ?? byPreference[0] ?? 'accent')
  }
  return given
}
