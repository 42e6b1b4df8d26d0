import { describe, expect, it } from 'vitest'
import { decodeText, detectCharset } from './charset.ts'

const read = async (bytes: Uint8Array) => decodeText(bytes, (await detectCharset(bytes)) ?? 'binary')

const fromHex = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

const codePoint = (character: string): number => character.codePointAt(0) ?? 0

describe('charsets', () => {
  it.each([
    ['UTF-8', Buffer.from('Grüße, 世界')],
    ['UTF-8 with a mark', Buffer.from('\ufeffGrüße, 世界')],
    ['UTF-16 with a mark', Buffer.from('\ufeffGrüße, 世界', 'utf16le')],
    ['UTF-16 with a mark, big end first', Buffer.from('\ufeffGrüße, 世界', 'utf16le').swap16()],
    ['UTF-32 with a mark', Buffer.from(Uint32Array.from([...'\ufeffGrüße, 世界'].map(codePoint)).buffer)],
  ])('reads %s', async (_name, bytes) => {
    expect(await read(bytes)).toBe('Grüße, 世界')
  })

  it('reads UTF-16 without a byte order mark', async () => {
    expect(await read(Buffer.from('Plain English words', 'utf16le'))).toBe('Plain English words')
    expect(await read(Buffer.from('Plain English words', 'utf16le').swap16())).toBe('Plain English words')
  })

  it('reads legacy encodings', async () => {
    expect(await read(Buffer.from('Die Größe über den Fluß, dann zurück.', 'latin1'))).toBe(
      'Die Größe über den Fluß, dann zurück.',
    )
    expect(await read(fromHex('96bc 914f 2c94 4e97 ee0a 8db2 93a1 91be 9859 2c33 300a'))).toBe(
      '名前,年齢\n佐藤太郎,30\n',
    )
    expect(await read(fromHex('f0d2 c9d7 c5d4 20cd c9d2 21'))).toBe('Привет мир!')
    expect(await read(fromHex('1b24 4246 7c4b 5c1b 2842'))).toBe('日本')
  })

  it('detects the encoding even if the first 100 KB are ASCII', async () => {
    const text = `${'plain words '.repeat(10_000)}Überraschung für Käthe`
    expect(await read(Buffer.from(text, 'latin1'))).toBe(text)
  })

  it('rejects bytes with control characters as binary', async () => {
    expect(await detectCharset(fromHex('0001 0203 0405 0607 0809 0a0b'))).toBeUndefined()
    const noise = Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * at * 7919 + at * 31) >> 3))
    for (const mark of ['efbbbf', 'fffe', 'feff', 'fffe0000'])
      expect([mark, await detectCharset(Buffer.concat([fromHex(mark), noise]))]).toEqual([mark, undefined])
    const quiet = Int16Array.from({ length: 2000 }, (_, at) => Math.round(60 + 50 * Math.sin(at / 9)))
    expect(await detectCharset(new Uint8Array(quiet.buffer))).toBeUndefined()
  })
})
