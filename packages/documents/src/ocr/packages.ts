import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Where the npm packages are that recognize text. */
export interface OcrPackages {
  /** The folder of `tesseract.js-core`. */
  core: string
  /** The files with the trained data of each language. */
  data: Record<string, string>
}

const require = createRequire(import.meta.url)
/** The packages have several kinds of data: this is the smallest. */
const smallest = '4.0.0_best_int'

/** The packages, if they and the data of at least one language are installed. */
export function findOcrPackages(resolve: (id: string) => string = require.resolve): OcrPackages | undefined {
  try {
    const core = dirname(resolve('tesseract.js-core/package.json'))
    const folder = join(core, '..', '@tesseract.js-data')
    const data = readdirSync(folder)
      .map((language): [string, string] => [language, join(folder, language, smallest, `${language}.traineddata.gz`)])
      .filter(([, path]) => existsSync(path))
    return data.length > 0 ? { core, data: Object.fromEntries(data) } : undefined
  } catch {
    return undefined
  }
}
