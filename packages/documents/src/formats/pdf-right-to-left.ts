const letter = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const presentationForms = /[\ufb1d-\ufdff\ufe70-\ufefc]/g

export const isRightToLeft = (text: string): boolean => letter.test(text)

/** Shaped letters become plain ones. */
const plain = (text: string): string => text.replace(presentationForms, (form) => form.normalize('NFKC'))

const letters = (text: string): string[] => [...plain(text)].filter(isRightToLeft)

/**
 * Puts the letters of ligatures in order. pdf.js reverses the characters of a line that was drawn from the left, and so also
 * the letters that a font writes as one glyph, such as lam and alef. `glyphs` are the texts of all glyphs of the page in the
 * order in which they were drawn, which is that of the items. An item that does not fit its glyphs stays as it is.
 */
export function withOrderedLigatures<Item extends { str: string }>(items: Item[], glyphs: string[]): Item[] {
  const drawn = glyphs.map(letters).filter((each) => each.length > 0)
  let next = 0
  return items.map((item) => {
    const str = plain(item.str)
    const shown = letters(str)
    const own: string[][] = []
    for (let count = 0; count < shown.length && next < drawn.length; count += own.at(-1)?.length ?? 0)
      own.push(drawn[next++] ?? [])
    const ordered = orderedLetters(shown, own.reverse())
    if (!ordered) return { ...item, str }
    let at = 0
    return { ...item, str: str.replace(new RegExp(letter, 'gu'), (each) => ordered[at++] ?? each) }
  })
}

/** Undefined if the letters are not those of the glyphs, each of which may be reversed. */
function orderedLetters(shown: string[], glyphs: string[][]): string[] | undefined {
  let at = 0
  for (const glyph of glyphs) {
    const part = shown.slice(at, at + glyph.length).join('')
    if (part !== glyph.join('') && part !== glyph.toReversed().join('')) return undefined
    at += glyph.length
  }
  return at === shown.length ? glyphs.flat() : undefined
}
