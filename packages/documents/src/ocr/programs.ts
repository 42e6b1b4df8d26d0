import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DocumentError, type Source } from '../document.ts'
import { minConfidence } from './engine.ts'
import type { Recognizer } from './scans.ts'

const execute = promisify(execFile)

/** Installed programs that render PDF pages and recognize their text. */
export interface OcrPrograms {
  pdftoppm: string
  tesseract: string
  /** Installed languages. */
  languages: string[]
}

// Longer side of a rendered page: about 210 dpi for A4. It also limits the memory for a page.
const picturePixels = 2_500
const lowPriority = 5

/** The programs, if both are installed. */
export async function findOcrPrograms(
  pdftoppm = 'pdftoppm',
  tesseract = 'tesseract',
): Promise<OcrPrograms | undefined> {
  try {
    const [{ stdout }] = await Promise.all([execute(tesseract, ['--list-langs']), execute(pdftoppm, ['-v'])])
    const installed = stdout
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^[a-z]{3}(?:_\w+)?$/.test(line) && line !== 'osd')
    return installed.length === 0 ? undefined : { pdftoppm, tesseract, languages: installed }
  } catch {
    return undefined
  }
}

/** Runs work with the programs and a folder for their output. */
export async function withPrograms<T>(
  source: Source,
  { pdftoppm, tesseract }: OcrPrograms,
  languages: string,
  signal: AbortSignal | undefined,
  work: (recognizer: Recognizer) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-ocr-'))
  const run = (program: string, args: string[], until: number) => runProgram(program, args, until, signal)
  // More threads make tesseract slower, and take processors from other work.
  const recognize = async (picture: string, until: number) => {
    const output = join(folder, 'recognized')
    const args = ['OMP_THREAD_LIMIT=1', tesseract, picture, output, '-l', languages, ...outputs]
    return (await run('env', args, until)) === undefined ? undefined : readOutput(output)
  }
  try {
    const file = typeof source === 'string' ? source : join(folder, 'document')
    if (typeof source !== 'string') await writeFile(file, source)
    return await work({
      languages,
      image: (seconds) => recognize(file, timeAfter(seconds)),
      async page(number, seconds) {
        const until = timeAfter(seconds)
        const picture = join(folder, 'page')
        const [page, side] = [`${number}`, `${picturePixels}`]
        const options = ['-f', page, '-l', page, '-singlefile', '-gray', '-png', '-scale-to', side]
        const drawn = await run(pdftoppm, [...options, file, picture], until)
        return drawn === undefined ? undefined : recognize(`${picture}.png`, until)
      },
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The text, and a table of its words. By variables, because their configuration files are not in every installation. */
const outputs = ['-c', 'tessedit_create_txt=1', '-c', 'tessedit_create_tsv=1']

/** The text, or none if it is noise of a picture without text. */
async function readOutput(path: string): Promise<string> {
  const [text, words] = await Promise.all(
    ['txt', 'tsv'].map((ending) => readFile(`${path}.${ending}`, 'utf8').catch(() => '')),
  )
  const confidence = meanConfidence(words ?? '')
  return confidence !== null && confidence < minConfidence ? '' : (text ?? '').trim()
}

/** In the table, level 5 is a word. */
function meanConfidence(table: string): number | null {
  const rows = table.split('\n').map((line) => line.split('\t'))
  const all = rows.filter(([level]) => level === '5').map((row) => Number(row[10]))
  return all.length === 0 ? null : all.reduce((sum, each) => sum + each, 0) / all.length
}

const timeAfter = (seconds: number): number => Date.now() + seconds * 1000

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
    throw new DocumentError('broken', 'The document is a scan or an image, and OCR cannot read its pictures.')
  }
}
