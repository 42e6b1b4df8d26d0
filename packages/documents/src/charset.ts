import { isUtf8 } from 'node:buffer'

const byteOrderMarks: [encoding: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

const sampleBytes = 64 * 1024

/** The encoding of a text, or undefined if the bytes are not text. */
export async function detectCharset(bytes: Uint8Array): Promise<string | undefined> {
  const charset = quickCharset(bytes)
  return charset === 'legacy' ? legacyCharset(bytes) : charset
}

/** The encoding of the start of a text, good enough for its ASCII characters, or undefined if it is not text. */
export function likelyCharset(start: Uint8Array): string | undefined {
  const charset = quickCharset(start)
  return charset === 'legacy' ? 'windows-1252' : charset
}

function quickCharset(bytes: Uint8Array): string | undefined {
  const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))
  const wide = marked?.[0] ?? wideCharset(bytes)
  if (wide) return isReadable(bytes, wide) ? wide : undefined
  if (looksBinary(bytes)) return undefined
  if (isUtf8(bytes)) return hasEscapedJapanese(bytes) ? 'iso-2022-jp' : 'utf-8'
  return 'legacy'
}

/** The text without its byte order mark. */
export function decodeText(bytes: Uint8Array, charset: string): string {
  if (charset.startsWith('utf-32')) return decodeUtf32(bytes, charset === 'utf-32le')
  return new TextDecoder(charset).decode(bytes)
}

export function isKnownCharset(label: string): boolean {
  try {
    new TextDecoder(label)
    return true
  } catch {
    return false
  }
}

/** Detects UTF-16 without a byte order mark: in Latin text every second byte is zero. */
function wideCharset(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, sampleBytes)
  if (sample.length < 4 || bytes.length % 2 === 1) return undefined
  const zeros = [0, 0]
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  })
  const half = sample.length / 2
  const [even = 0, odd = 0] = zeros
  if (odd > half * 0.4 && even < half * 0.05) return 'utf-16le'
  if (even > half * 0.4 && odd < half * 0.05) return 'utf-16be'
  return undefined
}

const maxWrongShare = 0.005
const characterBytes = 4

/** Noise behind a byte order mark, and samples of sound, decode to control characters and to characters that do not exist. */
function isReadable(bytes: Uint8Array, charset: string): boolean {
  return takeSamples(bytes).every((sample) => {
    const text = decodeText(sample, charset)
    const wrong = text.match(/(?!\s)[\p{Cc}\p{Cn}\ufffd]/gu)?.length ?? 0
    // A sample may begin and end within a character.
    return wrong <= 2 || wrong <= text.length * maxWrongShare
  })
}

/** The start, the middle and the end. Positions are multiples of the size of any character. */
function takeSamples(bytes: Uint8Array): Uint8Array[] {
  const middle = Math.max(0, Math.floor(bytes.length / 2) - sampleBytes / 2)
  const end = Math.max(0, bytes.length - sampleBytes)
  return [0, middle, end].map((at) => {
    const start = at - (at % characterBytes)
    return bytes.subarray(start, start + sampleBytes)
  })
}

/** Text has almost no control characters except line ends, tabs, form feeds and escapes. */
function looksBinary(bytes: Uint8Array): boolean {
  return takeSamples(bytes).some((sample) => {
    let controls = 0
    for (const byte of sample) if ((byte < 32 && (byte < 8 || byte > 13) && byte !== 27) || byte === 127) controls++
    return controls > 0 && controls > sample.length * 0.005
  })
}

/** ISO-2022-JP uses only 7-bit bytes, so it is also valid UTF-8. Its escape sequences identify it. */
function hasEscapedJapanese(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, sampleBytes))
  return head.includes('\x1b$B') || head.includes('\x1b$@')
}

async function legacyCharset(bytes: Uint8Array): Promise<string> {
  // Loaded on demand: its models are large, and most texts are Unicode.
  const { chardet } = await import('jschardet')
  // ASCII says nothing about the encoding, so the sample starts near the first other byte.
  const first = Math.max(0, bytes.findIndex((byte) => byte > 127) - 256)
  const { encoding } = chardet.detect(bytes.subarray(first, first + sampleBytes), {
    encodingEra: chardet.EncodingEra.MODERN_WEB,
    compatNames: false,
  })
  const name = encoding?.toLowerCase() ?? ''
  const label = labels[name] ?? name.replace(/^cp(?=125\d$)/, 'windows-').replace(/^iso8859/, 'iso-8859')
  return isKnownCharset(label) ? label : 'windows-1252'
}

/** Labels that TextDecoder knows under another name. */
const labels: Record<string, string> = {
  big5hkscs: 'big5',
  cp866: 'ibm866',
  cp874: 'windows-874',
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  euc_jis_2004: 'euc-jp',
  euc_kr: 'euc-kr',
  iso2022_jp_2: 'iso-2022-jp',
  'mac-roman': 'macintosh',
  shift_jis_2004: 'shift_jis',
  'tis-620': 'windows-874',
}

function decodeUtf32(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: string[] = []
  for (let at = 4; at + 4 <= bytes.byteLength; at += 4) {
    const code = view.getUint32(at, littleEndian)
    parts.push(code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code))
  }
  return parts.join('')
}
