import { hash } from 'node:crypto'

const maxLength = 200
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
// Control characters, and those that reverse the direction of text to disguise a name.
const invisible = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu
const fileExtension = (name: string): string => /\.[^./]{1,15}$/.exec(name)?.[0] ?? ''

/** Makes the name of an uploaded file safe to show: without a path and without hidden characters. */
export function safeName(filename: string): string {
  const last = filename.toWellFormed().normalize('NFC').replace(invisible, '').split(/[/\\]/).at(-1) ?? ''
  const plain = last.trim().replace(/[. ]+$/, '')
  if (plain === '') return 'unnamed'
  const name = devices.test(plain) ? `_${plain}` : plain
  return name.length <= maxLength ? name : shortened(name)
}

/** Keeps the extension and adds a hash, so that different long names stay different. */
function shortened(name: string): string {
  const extension = fileExtension(name)
  const ending = `-${hash('sha256', name).slice(0, 8)}${extension}`
  const stem = name.slice(0, name.length - extension.length)
  return `${stem.slice(0, maxLength - ending.length).toWellFormed()}${ending}`
}

/** Numbers repeated names: the second `a.txt` becomes `a (2).txt`. */
export function uniqueNames<F extends { name: string }>(files: readonly F[]): F[] {
  const original = new Set(files.map(({ name }) => name))
  const used = new Set<string>()
  const numbers = new Map<string, number>()
  return files.map((file) => {
    let { name } = file
    while (used.has(name)) {
      const number = numbers.get(file.name) ?? 2
      numbers.set(file.name, number + 1)
      const candidate = numbered(file.name, number)
      if (!original.has(candidate)) name = candidate
    }
    used.add(name)
    return { ...file, name }
  })
}

function numbered(name: string, number: number): string {
  const extension = fileExtension(name)
  return `${name.slice(0, name.length - extension.length)} (${number})${extension}`
}
