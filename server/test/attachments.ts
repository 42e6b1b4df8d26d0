import { deflateSync } from 'node:zlib'
import type { Answer, Service } from './harness.ts'
import { checkResponse } from './openapi-check.ts'

interface More {
  token?: string
  type?: string
  headers?: Record<string, string>
  signal?: AbortSignal | null
}

/** Uploads a file as a client does, and checks the response against openapi.json. */
export async function uploadFile(
  { url, token }: Pick<Service, 'url' | 'token'>,
  name: string,
  content: string | Uint8Array,
  { token: other = token, type = '', headers = {}, signal = null }: More = {},
): Promise<Answer> {
  const form = new FormData()
  form.append('file', new Blob([content as string], { type }), name)
  const response = await fetch(`${url}/api/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${other}`, ...headers },
    body: form,
    signal,
  })
  const text = await response.text()
  checkResponse('POST', response, text)
  return { status: response.status, headers: response.headers, body: JSON.parse(text) }
}

/** Uploads a file and returns its id. Throws if it is refused. */
export async function createFile(...args: Parameters<typeof uploadFile>): Promise<string> {
  const { status, body } = await uploadFile(...args)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data.id
}

/** A PNG of one grey, with bytes after its end if it shall be larger. */
export function png(width = 4, height = 4, bytes = 0): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const whole = Buffer.alloc(body.length + 8)
    whole.writeUInt32BE(data.length)
    body.copy(whole, 4)
    whole.writeUInt32BE(crc(body), body.length + 4)
    return whole
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 0], 8)
  const pixels = deflateSync(Buffer.alloc(height * (width + 1), 0x80).map((_, at) => (at % (width + 1) ? 0x80 : 0)))
  const image = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return Buffer.concat([image, Buffer.alloc(Math.max(0, bytes - image.length), 7)])
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  }
  return (value ^ 0xffffffff) >>> 0
}
