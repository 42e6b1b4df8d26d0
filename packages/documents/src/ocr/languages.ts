import { DocumentError } from '../document.ts'

const maxLanguages = 4

/**
 * The languages to read with. Each costs time, so if many are installed and none is asked for, all but one were probably
 * installed for other documents.
 */
export function chosenLanguages(installed: readonly string[], wanted: readonly string[] = []): string[] {
  const missing = wanted.filter((language) => !installed.includes(language))
  if (missing.length > 0) {
    const packages = missing.map((language) => `@tesseract.js-data/${language}`).join(' ')
    throw new DocumentError(
      'unsupported',
      `The document needs OCR, which has no data for ${missing.join(', ')}. Install ${packages}, or choose among ${installed.join(', ')}.`,
    )
  }
  if (wanted.length > 0) return [...new Set(wanted)]
  if (installed.length <= maxLanguages) return [...installed]
  return installed.includes('eng') ? ['eng'] : installed.slice(0, 1)
}
