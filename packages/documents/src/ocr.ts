import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DocumentError, type Limits, type Page, type ReadDocument, ScanError, type Source } from './document.ts'
import { mediaTypes } from './media-types.ts'
import { TextWriter } from './text-writer.ts'

const execute = promisify(execFile)

/** Programs of the machine that turn the pages of a PDF into pictures and pictures into text. */
export interface OcrTools {
  pdftoppm: string
  tesseract: string
  /** As tesseract takes them: `eng+deu`. */
  languages: string
}

const mostLanguages = 4
// On the longer side of a page: about 210 dots an inch on A4, and no page can ask for more memory than that.
const picturePixels = 2_500
const pageSeconds = 60
const lowPriority = 5

/** The tools, where both of them are installed. */
export async function findOcrTools(pdftoppm = 'pdftoppm', tesseract = 'tesseract'): Promise<OcrTools | undefined> {
  try {
    const [{ stdout }] = await Promise.all([execute(tesseract, ['--list-langs']), execute(pdftoppm, ['-v'])])
    const installed = stdout
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^[a-z]{3}(?:_\w+)?$/.test(line) && line !== 'osd')
    if (installed.length === 0) return undefined
    const languages = installed.length <= mostLanguages ? installed : installed.filter((language) => language === 'eng')
    return { pdftoppm, tesseract, languages: languages.join('+') || (installed[0] ?? 'eng') }
  } catch {
    return undefined
  }
}

/** Reads the pages of a scanned PDF one by one, as many as there is time for. */
export async function readScan(
  source: Source,
  pageCount: number,
  tools: OcrTools,
  limits: Limits,
  signal?: AbortSignal,
): Promise<ReadDocument> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-ocr-'))
  try {
    const file = typeof source === 'string' ? source : join(folder, 'document.pdf')
    if (typeof source !== 'string') await writeFile(file, source)
    const { text, pages } = await readPages(file, folder, pageCount, tools, limits, signal)
    if (text.trim() === '') throw new ScanError(pageCount)
    const read =
      pages.length < pageCount ? `Only the first ${pages.length} of ${pageCount} pages were read in time.` : ''
    const warnings = ['The text was read from pictures with OCR and may hold mistakes.', read].filter(
      (one) => one !== '',
    )
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
  }
  return { text: writer.toString(), pages }
}

/** The text of a page, or undefined when there was not enough time. */
async function readPage(
  file: string,
  picture: string,
  page: number,
  tools: OcrTools,
  seconds: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const until = Date.now() + seconds * 1000
  const draw = [
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
  if ((await perform(tools.pdftoppm, draw, until, signal)) === undefined) return undefined
  // With a thread for each core it is slower than with one, and in everybody's way.
  const read = ['OMP_THREAD_LIMIT=1', tools.tesseract, `${picture}.png`, 'stdout', '-l', tools.languages]
  return (await perform('env', read, until, signal))?.trim()
}

async function perform(
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
