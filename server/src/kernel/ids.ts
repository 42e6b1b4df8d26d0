import { randomFillSync } from 'node:crypto'

export type IdPrefix =
  | 'agt'
  | 'api'
  | 'aud'
  | 'cnv'
  | 'dlv'
  | 'doc'
  | 'evl'
  | 'evt'
  | 'idx'
  | 'job'
  | 'mdl'
  | 'msg'
  | 'nod'
  | 'rag'
  | 'req'
  | 'ret'
  | 'run'
  | 'src'
  | 'syn'
  | 'thr'
  | 'tok'
  | 'tpl'
  | 'use'
  | 'whk'
  | 'wsp'

export type NewId = (prefix: IdPrefix) => string

const digits = '0123456789abcdefghjkmnpqrstvwxyz'
const digitCodes = Buffer.from(digits)
const timeDigits = 10
const randomDigits = 16

/**
 * Identifiers that sort by the time they were made: a prefix, 10 digits of milliseconds and 16 of chance
 * (a ULID in lower case). Two made in the same millisecond by one process still sort in order.
 */
export function idSource(now: () => number): NewId {
  const chance = new Uint8Array(randomDigits)
  const text = Buffer.alloc(timeDigits + randomDigits)
  // Asking the system for chance costs more than all the rest, so it is asked for in bulk.
  const pool = new Uint8Array(randomDigits * 256)
  let drawn = pool.length
  let lastTime = -1

  return (prefix) => {
    const time = now()
    if (time > lastTime) {
      lastTime = time
      text.write(encodeTime(time), 'latin1')
      if (drawn === pool.length) {
        randomFillSync(pool)
        drawn = 0
      }
      for (let i = 0; i < randomDigits; i++) chance[i] = (pool[drawn++] as number) & 31
      chance[0] = (chance[0] as number) & 15 // room to count up
      for (let i = 0; i < randomDigits; i++) text[timeDigits + i] = digitCodes[chance[i] as number] as number
    } else {
      const first = countUp(chance)
      for (let i = first; i < randomDigits; i++) text[timeDigits + i] = digitCodes[chance[i] as number] as number
    }
    return `${prefix}_${text.toString('latin1')}`
  }
}

function encodeTime(time: number): string {
  let text = ''
  for (let i = 0, rest = time; i < timeDigits; i++, rest = Math.floor(rest / 32)) text = digits[rest % 32] + text
  return text
}

/** Answers with the first digit that is another one now. */
function countUp(number: Uint8Array): number {
  let at = number.length - 1
  while (at > 0 && number[at] === 31) number[at--] = 0
  number[at] = (number[at] as number) + 1
  return at
}
