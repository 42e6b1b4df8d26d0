/** One Server-Sent Event. */
export interface ServerEvent {
  id: string
  event: string
  data: string
}

/** Reads Server-Sent Events as they come. A stream that says nothing at all for `silence` milliseconds is given up. */
export async function* serverEvents(
  body: ReadableStream<Uint8Array>,
  silence: number,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await beforeSilence(reader, silence)
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      // The last line may still grow, and the second half of a \r\n may be on its way.
      const blocks = rest.split(/\r\n\r\n|\n\n|\r\r(?!\n)/)
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventOf(block)
        if (event) yield event
      }
      if (done) return
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

function eventOf(block: string): ServerEvent | null {
  const event: ServerEvent = { id: '', event: 'message', data: '' }
  const data: string[] = []
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'data') data.push(value)
    else if (field === 'id' || field === 'event') event[field] = value
  }
  return data.length === 0 ? null : { ...event, data: data.join('\n') }
}

async function beforeSilence(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  silence: number,
): Promise<Awaited<ReturnType<typeof reader.read>>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The stream fell silent.')), silence)
  })
  try {
    return await Promise.race([reader.read(), tooLong])
  } finally {
    clearTimeout(timer)
  }
}
