import { detectType, takeSample } from './detect.ts'
import type { Attachment, Limits, ParsedDocument } from './document.ts'

interface Collected {
  attachments: Attachment[]
  warnings: string[]
}

type ReadMail = (format: 'eml' | 'msg', bytes: Uint8Array) => Promise<ParsedDocument>

const maxNameLength = 150

/** The attachments of a mail and of the messages attached to it, under distinct names. */
export async function collectAttachments(
  attachments: readonly Attachment[],
  limits: Limits,
  readMail: ReadMail,
): Promise<Collected> {
  const collected: Collected = { attachments: [], warnings: [] }
  const names = new Set<string>()
  let bytes = 0
  let isFull = false

  async function collect(level: readonly Attachment[], folder: string, depth: number): Promise<void> {
    for (const attachment of level) {
      bytes += attachment.bytes.length
      isFull ||= collected.attachments.length === limits.attachments || bytes > limits.attachmentBytes
      if (isFull) return
      const name = unusedName(`${folder}${fileName(attachment.name)}`, names)
      names.add(name)
      collected.attachments.push({ ...attachment, name })
      const inner = await attachmentsIn(attachment, readMail)
      if (inner.length === 0) continue
      if (depth < limits.attachmentDepth) await collect(inner, `${name}/`, depth + 1)
      else collected.warnings.push(`The attachments of ${name} are nested too deeply and were left out.`)
    }
  }

  await collect(attachments, '', 1)
  if (isFull) {
    const size = `${Math.floor(limits.attachmentBytes / 1024 / 1024)} MB`
    collected.warnings.push(`Only the first attachments were read, ${limits.attachments} or ${size} at most.`)
  }
  return collected
}

/** The attachments of an attached mail. Empty if it cannot be read: the error is reported when it is parsed itself. */
async function attachmentsIn({ name, mediaType, bytes }: Attachment, readMail: ReadMail): Promise<Attachment[]> {
  try {
    const { format } = detectType(takeSample(bytes), { name, ...(mediaType !== undefined && { mediaType }) })
    return format === 'eml' || format === 'msg' ? ((await readMail(format, bytes)).attachments ?? []) : []
  } catch {
    return []
  }
}

const fileName = (name: string): string =>
  name
    .toWellFormed()
    .replace(/[\\/\p{Cc}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(-maxNameLength)
    .toWellFormed() || 'attachment'

function unusedName(name: string, used: ReadonlySet<string>): string {
  if (!used.has(name)) return name
  const [, stem = name, extension = ''] = /^(.*?)(\.[^./]{1,10})?$/s.exec(name) ?? []
  for (let count = 2; ; count++) {
    const numbered = `${stem} (${count})${extension}`
    if (!used.has(numbered)) return numbered
  }
}
