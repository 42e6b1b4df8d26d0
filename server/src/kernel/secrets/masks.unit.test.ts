import { describe, expect, it } from 'vitest'
import { Masks } from './masks.ts'

function makeMasks(...secrets: string[]): Masks {
  const masks = new Masks()
  masks.add(...secrets)
  return masks
}

const code = (each: string, digits: number) => each.charCodeAt(0).toString(16).padStart(digits, '0')
const ways: ((each: string) => string)[] = [
  (each) => each,
  (each) => `\\u${code(each, 4)}`,
  (each) => `\\u${code(each, 4).toUpperCase()}`,
  (each) => (each.isWellFormed() ? encodeURIComponent(each) : `\\u${code(each, 4)}`),
  (each) => `&#${each.charCodeAt(0)};`,
  (each) => `&#x${code(each, 2)};`,
  (each) => ({ '/': '\\/', '"': '\\"', '&': '&amp;', '<': '&lt;', ' ': '%20' })[each] ?? each,
]

describe('masks', () => {
  it('find a secret however each of its characters is escaped, and leave the rest as it was', () => {
    const secret = 'Ab/+ "&<é€😀z%='
    const masks = makeMasks(secret)
    // Every way meets every character.
    for (let turn = 0; turn < ways.length * 7; turn++) {
      const written = secret
        .split('')
        .map((each, at) => ways[(at * (1 + (turn % 7)) + turn) % ways.length]?.(each))
        .join('')
      const around = ['{"é":"\\n%41 ', '" \\u0041&amp;%'] as const
      expect([written, masks.hide(around.join(written))]).toEqual([written, around.join('••••')])
      const twice = JSON.stringify(written).slice(1, -1)
      expect([twice, masks.hide(around.join(twice))]).toEqual([twice, around.join('••••')])
    }
  })

  it.each(['100%25off', 'a&amp;b', 'C:\\new\\table', '%41%42', '\\\\\\\\', '$&$1$$', '(a+)+$'])(
    'find %s, which looks like something else',
    (secret) => {
      const masks = makeMasks(secret)
      expect(masks.hide(`<${secret}>`)).toBe('<••••>')
      expect(masks.hide(JSON.stringify({ a: secret }))).toBe('{"a":"••••"}')
      expect(masks.hide(`?a=${encodeURIComponent(secret)}&b`)).toBe('?a=••••&b')
      expect(masks.hideIn({ a: [secret] })).toEqual({ a: ['••••'] })
    },
  )

  it('hide overlapping secrets as one, and each of several', () => {
    expect(makeMasks('sesame', 'sesame-open', 'open-up').hide('sesame-open-up, sesame, sesamesesame')).toBe(
      '••••, ••••, ••••••••',
    )
  })

  it('hide nothing when there is nothing to hide', () => {
    const value = { a: 'x', b: [1, null, true, { c: '' }] }
    expect([makeMasks().hideIn(value), makeMasks('').hide('x')]).toEqual([value, 'x'])
  })
})
