import { decodeXml, type Zip } from '../zip.ts'
import { run } from './docx-equations.ts'
import { childrenNamed, descendant, descendants, parseXml, type XmlElement } from './xml.ts'

interface Level {
  start: number
  format: string
  /** Such as `%1.%2`, where %1 is the number of the first level. */
  text: string
}

interface Numbering {
  /** Lists that share a definition share its counters. */
  definition: string
  levels: Map<number, Level>
  /** The level of a style that a list is bound to. */
  styleLevels: Map<string, number>
}

interface Style {
  isHeading: boolean
  list: string | undefined
  level: number | undefined
  basedOn: string | undefined
}

const maxBases = 20
const maxLevel = 8

/** Writes the automatic numbers of headings into them, because mammoth drops them. */
export function withHeadingNumbers(part: Uint8Array<ArrayBuffer>, zip: Zip): Uint8Array<ArrayBuffer> {
  const lists = readLists(zip.text('word/numbering.xml') ?? '')
  if (lists.size === 0) return part
  const styles = readStyles(zip.text('word/styles.xml') ?? '')
  const counters = new Map<string, number[]>()
  // A tracked change keeps the earlier properties of a paragraph as a second list in it.
  const xml = decodeXml(part).replace(/<w:pPrChange\b(?:(?!<w:pPrChange\b)[\s\S])*?<\/w:pPrChange>/g, '')
  const numbered = xml.replace(/<w:pPr>((?:(?!<w:pPr>)[\s\S])*?)<\/w:pPr>/g, (found, properties: string) => {
    const styleId = settingIn(properties, 'pStyle')
    const style = inherited(styles, styleId)
    const list = settingIn(properties, 'numId') ?? style.list
    const numbering = list === undefined ? undefined : lists.get(list)
    if (!numbering) return found
    const level = Number(settingIn(properties, 'ilvl') ?? numbering.styleLevels.get(styleId ?? '') ?? style.level ?? 0)
    if (!(level >= 0 && level <= maxLevel)) return found
    const number = next(counters, numbering, level)
    return style.isHeading && number !== '' ? found + run(`${number} `) : found
  })
  return Buffer.from(numbered)
}

const settingIn = (xml: string, element: string): string | undefined =>
  new RegExp(`<w:${element}\\s[^>]*?w:val="([^"]*)"`).exec(xml)?.[1]

/** Counts a paragraph, and returns its number as it is shown. */
function next(counters: Map<string, number[]>, { definition, levels }: Numbering, level: number): string {
  const counts = counters.get(definition) ?? []
  counters.set(definition, counts)
  const start = (at: number) => levels.get(at)?.start ?? 1
  for (let above = 0; above < level; above++) counts[above] ??= start(above)
  counts[level] = counts[level] === undefined ? start(level) : counts[level] + 1
  counts.length = level + 1
  return (levels.get(level)?.text ?? '')
    .replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1
      return shown(counts[at] ?? start(at), levels.get(at)?.format)
    })
    .trim()
}

/** Bullets are no numbers. */
function shown(count: number, format = 'decimal'): string {
  switch (format) {
    case 'upperRoman':
      return roman(count)
    case 'lowerRoman':
      return roman(count).toLowerCase()
    case 'upperLetter':
      return letters(count)
    case 'lowerLetter':
      return letters(count).toLowerCase()
    case 'decimalZero':
      return `${count}`.padStart(2, '0')
    case 'none':
    case 'bullet':
      return ''
    default:
      return `${count}`
  }
}

/** A to Z, then AA to ZZ. */
const letters = (count: number): string =>
  String.fromCharCode(65 + ((count - 1) % 26)).repeat(Math.min(100, Math.ceil(count / 26)))

const romanDigits = Object.entries({
  M: 1000,
  CM: 900,
  D: 500,
  CD: 400,
  C: 100,
  XC: 90,
  L: 50,
  XL: 40,
  X: 10,
  IX: 9,
  V: 5,
  IV: 4,
  I: 1,
})

function roman(count: number): string {
  let rest = Math.min(count, 10_000)
  return romanDigits
    .map(([digit, value]) => {
      const times = Math.floor(rest / value)
      rest %= value
      return digit.repeat(times)
    })
    .join('')
}

/** The lists of a document by their id, without those of bullets alone. */
function readLists(xml: string): Map<string, Numbering> {
  const root = parseXml(xml)
  const definitions = new Map<string, Omit<Numbering, 'definition'>>()
  for (const each of descendants(root, 'abstractNum')) {
    const levels = childrenNamed(each, 'lvl').map((level): [number, XmlElement] => [
      Number(level.attributes['w:ilvl']),
      level,
    ])
    definitions.set(each.attributes['w:abstractNumId'] ?? '', {
      levels: new Map(levels.map(([at, level]) => [at, readLevel(level)])),
      styleLevels: new Map(
        levels.flatMap(([at, level]) => {
          const style = attribute(level, 'pStyle')
          return style === undefined ? [] : [[style, at]]
        }),
      ),
    })
  }
  const lists = new Map<string, Numbering>()
  for (const each of descendants(root, 'num')) {
    const definition = attribute(each, 'abstractNumId') ?? ''
    const found = definitions.get(definition)
    if (found) lists.set(each.attributes['w:numId'] ?? '', { definition, ...found })
  }
  return lists
}

const readLevel = (level: XmlElement): Level => ({
  start: Number(attribute(level, 'start') ?? 1) || 0,
  format: attribute(level, 'numFmt') ?? 'decimal',
  text: attribute(level, 'lvlText') ?? '',
})

const attribute = (element: XmlElement, name: string): string | undefined =>
  descendant(element, name)?.attributes['w:val']

function readStyles(xml: string): Map<string, Style> {
  const styles = new Map<string, Style>()
  for (const each of descendants(parseXml(xml), 'style')) {
    const level = attribute(each, 'ilvl')
    styles.set(each.attributes['w:styleId'] ?? '', {
      isHeading: /^heading [1-9]$/i.test(attribute(each, 'name') ?? ''),
      list: attribute(each, 'numId'),
      level: level === undefined ? undefined : Number(level),
      basedOn: attribute(each, 'basedOn'),
    })
  }
  return styles
}

/** A style with what it takes from those that it is based on. */
function inherited(styles: Map<string, Style>, id: string | undefined): Omit<Style, 'basedOn'> {
  const found: Omit<Style, 'basedOn'> = { isHeading: false, list: undefined, level: undefined }
  let style = styles.get(id ?? '')
  for (let bases = 0; style && bases < maxBases; bases++) {
    found.isHeading ||= style.isHeading
    found.list ??= style.list
    found.level ??= style.level
    style = styles.get(style.basedOn ?? '')
  }
  return found
}
