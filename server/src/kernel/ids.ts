import { randomBytes, randomFillSync } from 'node:crypto'

export type IdPrefix =
  | 'agt'
  | 'api'
  | 'apr'
  | 'aud'
  | 'cnv'
  | 'con'
  | 'dlv'
  | 'doc'
  | 'evl'
  | 'evt'
  | 'exp'
  | 'fil'
  | 'grt'
  | 'idx'
  | 'inv'
  | 'job'
  | 'mdl'
  | 'mem'
  | 'mon'
  | 'msc'
  | 'msg'
  | 'nod'
  | 'ujb'
  | 'rag'
  | 'req'
  | 'ret'
  | 'rev'
  | 'run'
  | 'sch'
  | 'ses'
  | 'src'
  | 'syn'
  | 'tbl'
  | 'thr'
  | 'tok'
  | 'tpl'
  | 'trg'
  | 'use'
  | 'usr'
  | 'whk'
  | 'wsp'

/** With `after`, the new id sorts after that one, even if another node with a faster clock has made it. */
export type NewId = (prefix: IdPrefix, after?: string | null) => string

const digits = '0123456789abcdefghjkmnpqrstvwxyz'
const digitCodes = Buffer.from(digits)
const timeDigits = 10
const randomDigits = 16

/**
 * IDs that sort by creation time: a prefix and a lower-case ULID (10 digits of milliseconds, 16 random digits). IDs
 * of the same millisecond and process also sort in order.
 */
export function idSource(now: () => number): NewId {
  const random = new Uint8Array(randomDigits)
  const text = Buffer.alloc(timeDigits + randomDigits)
  // Random bytes are fetched in bulk, because the system call costs more than all the rest.
  const pool = new Uint8Array(randomDigits * 256)
  let poolOffset = pool.length
  let lastTime = -1

  const next = (): string => {
    const time = now()
    if (time > lastTime) {
      lastTime = time
      text.write(encodeTime(time), 'latin1')
      if (poolOffset === pool.length) {
        randomFillSync(pool)
        poolOffset = 0
      }
      for (let i = 0; i < randomDigits; i++) random[i] = (pool[poolOffset++] as number) & 31
      random[0] = (random[0] as number) & 15 // leaves room for increments
      for (let i = 0; i < randomDigits; i++) text[timeDigits + i] = digitCodes[random[i] as number] as number
    } else {
      const first = increment(random)
      for (let i = first; i < randomDigits; i++) text[timeDigits + i] = digitCodes[random[i] as number] as number
    }
    return text.toString('latin1')
  }

  return (prefix, after) => {
    const id = next()
    const isLater = !after || id > after.slice(after.indexOf('_') + 1)
    return `${prefix}_${isLater ? id : encodeTime(decodeTime(after) + 1) + randomText()}`
  }
}

/** Sorts before every id of this kind that is made at this time (milliseconds) or later. */
export const lowestId = (prefix: IdPrefix, time: number): string => `${prefix}_${encodeTime(Math.max(0, time))}`

function encodeTime(time: number): string {
  let text = ''
  for (let i = 0, rest = time; i < timeDigits; i++, rest = Math.floor(rest / 32)) text = digits[rest % 32] + text
  return text
}

function decodeTime(id: string): number {
  const time = id.slice(id.indexOf('_') + 1).slice(0, timeDigits)
  return [...time].reduce((sum, digit) => sum * 32 + digits.indexOf(digit), 0)
}

const randomText = (): string => [...randomBytes(randomDigits)].map((byte) => digits[byte & 31]).join('')

/** Returns the index of the first digit that changed. */
function increment(number: Uint8Array): number {
  let at = number.length - 1
  while (at > 0 && number[at] === 31) number[at--] = 0
  number[at] = (number[at] as number) + 1
  return at
}
