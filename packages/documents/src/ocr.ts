import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  DocumentError,
  type Limits,
  type OnProgress,
  type Page,
  type ReadDocument,
  ScanError,
  type Source,
} from './document.ts'
import { mediaTypes } from './media-types.ts'
import { TextWriter } from './text-writer.ts'

const execute = promisify(execFile)

/** Installed programs that render PDF pages and recognize their text. */
export interface OcrTools {
  pdftoppm: string
  tesseract: string
  /** In the format of tesseract: `eng+deu`. */
  languages: string
}

const maxLanguages = 4
// Longer side of a rendered page: about 210 dpi for A4. It also limits the memory for a page.
const picturePixels = 2_500
const pageSeconds = 60
const lowPriority = 5

/** The tools, if both are installed. */
export async function findOcrTools(pdftoppm = 'pdftoppm', tesseract = 'tesseract'): Promise<OcrTools | undefined> {
  try {
    const [{ stdout }] = await Promise.all([execute(tesseract, ['--list-langs']), execute(pdftoppm, ['-v'])])
    const installed = stdout
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^[a-z]{3}(?:_\w+)?$/.test(line) && line !== 'osd')
    if (installed.length === 0) return undefined
    const languages = installed.length <= maxLanguages ? installed : installed.filter((language) => language === 'eng')
    return { pdftoppm, tesseract, languages: languages.join('+') || (installed[0] ?? 'eng') }
  } catch {
    return undefined
  }
}

/** Reads the pages of a scanned PDF one by one until the time is over. */
export async function readScan(
  source: Source,
  pageCount: number,
  tools: OcrTools,
  limits: Limits,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: OnProgress } = {},
): Promise<ReadDocument> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-ocr-'))
  try {
    const file = typeof source === 'string' ? source : join(folder, 'document.pdf')
    if (typeof source !== 'string') await writeFile(file, source)
    const { text, pages } = await readPages(file, folder, pageCount, tools, limits, signal, onProgress)
    if (text.trim() === '') throw new ScanError(pageCount)
    const read =
      pages.length < pageCount ? `Only the first ${pages.length} of ${pageCount} pages were read in time.` : ''
    const warnings = ['The text was read with OCR and may contain mistakes.', read].filter((one) => one !== '')
    return { text, pages, headings: [], metadata: {}, warnings, format: 'pdf', mediaType: mediaTypes.pdf }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readPages(
  file: string,
  folder: string,
  pageCount: number,
  tools: OcrTools,
  limits: Limits,
  signal?: AbortSignal,
  onProgress: OnProgress = () => {},
): Promise<{ text: string; pages: Page[] }> {
  const writer = new TextWriter(limits.textCharacters)
  const pages: Page[] = []
  const deadline = Date.now() + limits.ocrSeconds * 1000
  for (let number = 1; number <= pageCount && Date.now() < deadline; number++) {
    const seconds = Math.min(pageSeconds, (deadline - Date.now()) / 1000)
    const text = await readPage(file, join(folder, 'page'), number, tools, seconds, signal)
    if (text === undefined) break
    if (writer.length > 0 && text !== '') writer.write('\n\n')
    const start = writer.write(text)
    pages.push({ number, start, end: writer.length })
    onProgress(number, pageCount)
  }
  return { text: writer.toString(), pages }
}

/** The text of a page, or undefined if the time was not enough. */
async function readPage(
  file: string,
  picture: string,
  page: number,
  tools: OcrTools,
  seconds: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const until = Date.now() + seconds * 1000
  const render = [
    '-f',
    `${page}`,
    '-l',
    `${page}`,
    '-singlefile',
    '-gray',
    '-png',
    '-scale-to',
    `${picturePixels}`,
    file,
    picture,
  ]
  if ((await runProgram(tools.pdftoppm, render, until, signal)) === undefined) return undefined
  // More threads make tesseract slower, and take processors from other work.
  const read = ['OMP_THREAD_LIMIT=1', tools.tesseract, `${picture}.png`, 'stdout', '-l', tools.languages]
  return (await runProgram('env', read, until, signal))?.trim()
}

async function runProgram(
  program: string,
  args: string[],
  until: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  signal?.throwIfAborted()
  try {
    const running = execute(program, args, {
      timeout: Math.max(1, until - Date.now()),
      killSignal: 'SIGKILL',
      maxBuffer: 10 * 1024 * 1024,
      ...(signal && { signal }),
    })
    if (running.child.pid !== undefined) setPriority(running.child.pid, lowPriority)
    return (await running).stdout
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof Error && 'killed' in error && error.killed === true) return undefined
    throw new DocumentError(
      'broken',
      'No text was found; this looks like a scan, and its pages cannot be drawn for OCR.',
    )
  }
}
