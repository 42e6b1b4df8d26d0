import type { Line } from './pdf-lines.ts'

const maxWordLength = 60

/** Word counts of a document, without words that are divided at line ends. */
export type Vocabulary = Map<string, number>

export function buildVocabulary(pages: Line[][]): Vocabulary {
  const words: Vocabulary = new Map()
  for (const lines of pages)
    for (const { text } of lines)
      for (const [word] of withoutDivided(text).matchAll(/\p{L}+(?:-\p{L}+)*/gu)) {
        const known = word.toLowerCase()
        words.set(known, (words.get(known) ?? 0) + 1)
      }
  return words
}

const withoutDivided = (text: string): string =>
  /[-\u00ad]$/.test(text) ? text.slice(0, Math.max(0, text.lastIndexOf(' '))) : text

/** The text of the lines with the start of each. Words divided at line ends are joined. */
export function joinLines(lines: Line[], vocabulary: Vocabulary): { text: string; starts: number[] } {
  const starts: number[] = []
  let text = ''
  lines.forEach((line, index) => {
    const before = index > 0 && !line.startsParagraph ? (lines[index - 1]?.text ?? '') : ''
    const first = /[-\u00ad]$/.test(before) && /(\p{L}{2,}).$/u.exec(before.slice(-maxWordLength))?.[1]
    const second = first && /^\p{Ll}\p{L}*/u.exec(line.text)?.[0]
    if (first && second) {
      if (!keepsHyphen(first, second, vocabulary)) text = text.slice(0, -1)
    } else if (index > 0) text += line.startsParagraph ? '\n\n' : '\n'
    starts.push(text.length)
    text += line.text
  })
  return { text, starts }
}

/** The more frequent spelling in the document wins. If it has neither, the hyphen stays between two words that occur in it. */
function keepsHyphen(first: string, second: string, vocabulary: Vocabulary): boolean {
  const count = (word: string): number => vocabulary.get(word.toLowerCase()) ?? 0
  const [joined, hyphenated] = [count(first + second), count(`${first}-${second}`)]
  if (joined > 0 || hyphenated > 0) return hyphenated > joined
  return first.length > 2 && second.length > 2 && count(first) > 1 && count(second) > 1
}
