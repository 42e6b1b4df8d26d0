import { hash } from 'node:crypto'

const longest = 200
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
// Control characters, and those that turn the direction of text around to make a name look like another.
const invisible = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu
const extensionOf = (name: string): string => /\.[^./]{1,15}$/.exec(name)?.[0] ?? ''

/** The name of a file that came from outside, made safe to show: it is not a path and not another name in disguise. */
export function safeName(given: string): string {
  const last = given.toWellFormed().normalize('NFC').replace(invisible, '').split(/[/\\]/).at(-1) ?? ''
  const plain = last.trim().replace(/[. ]+$/, '')
  if (plain === '') return 'unnamed'
  const name = devices.test(plain) ? `_${plain}` : plain
  return name.length <= longest ? name : shortened(name)
}

/** What a file is shows in its extension, so that stays; whatever else is cut off still makes a difference. */
function shortened(name: string): string {
  const extension = extensionOf(name)
  const ending = `-${hash('sha256', name).slice(0, 8)}${extension}`
  const stem = name.slice(0, name.length - extension.length)
  return `${stem.slice(0, longest - ending.length).toWellFormed()}${ending}`
}

/** Names of their own for files that were sent together: the second of a name gets a number. */
export function apart<F extends { name: string }>(files: readonly F[]): F[] {
  const given = new Set(files.map(({ name }) => name))
  const used = new Set<string>()
  return files.map((file) => {
    let { name } = file
    for (let time = 2; used.has(name); time++) {
      const another = numbered(file.name, time)
      if (!given.has(another)) name = another
    }
    used.add(name)
    return { ...file, name }
  })
}

function numbered(name: string, time: number): string {
  const extension = extensionOf(name)
  return `${name.slice(0, name.length - extension.length)} (${time})${extension}`
}
