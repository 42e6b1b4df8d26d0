/** One Server-Sent Event. */
export interface ServerEvent {
  id: string
  event: string
  data: string
}

/** Parses Server-Sent Events. Throws if nothing arrives for `idleTimeout` milliseconds. */
export async function* serverEvents(
  body: ReadableStream<Uint8Array>,
  idleTimeout: number,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let buffer = ''
  try {
    for (;;) {
      const { done, value } = await readWithTimeout(reader, idleTimeout)
      buffer += done ? decoder.decode() : decoder.decode(value, { stream: true })
      // The last block may be incomplete, and a \r\n may be split between chunks.
      const blocks = buffer.split(/\r\n\r\n|\n\n|\r\r(?!\n)/)
      buffer = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event) yield event
      }
      if (done) return
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

function parseEvent(block: string): ServerEvent | null {
  const event: ServerEvent = { id: '', event: 'message', data: '' }
  const data: string[] = []
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'data') data.push(value)
    else if (field === 'id' || field === 'event') event[field] = value
  }
  return data.length === 0 ? null : { ...event, data: data.join('\n') }
}

async function readWithTimeout(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  idleTimeout: number,
): Promise<Awaited<ReturnType<typeof reader.read>>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The stream timed out.')), idleTimeout)
  })
  try {
    return await Promise.race([reader.read(), timeout])
  } finally {
    clearTimeout(timer)
  }
}
