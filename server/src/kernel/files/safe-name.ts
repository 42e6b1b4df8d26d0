const longest = 200
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
// Control characters, and those that turn the direction of text around to make a name look like another.
const invisible = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/** The name of a file that came from outside, made safe to show: it is not a path and not another name in disguise. */
export function safeName(given: string): string {
  const last = given.toWellFormed().normalize('NFC').replace(invisible, '').split(/[/\\]/).at(-1) ?? ''
  const plain = last.trim().replace(/[. ]+$/, '')
  if (plain === '') return 'unnamed'
  const name = devices.test(plain) ? `_${plain}` : plain
  return name.length <= longest ? name : shortened(name)
}

/** What a file is shows in its extension, so that stays. */
function shortened(name: string): string {
  const extension = /\.[^.]{1,15}$/.exec(name)?.[0] ?? ''
  return `${name.slice(0, longest - extension.length).toWellFormed()}${extension}`
}
