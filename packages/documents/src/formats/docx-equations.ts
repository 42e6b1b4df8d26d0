import { decodeXml } from '../zip.ts'
import { childrenNamed, parseXml, type XmlElement } from './xml.ts'

/** Converts equations to plain text, because mammoth drops them. */
export function withPlainEquations(part: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (!Buffer.from(part.buffer, part.byteOffset, part.byteLength).includes('<m:oMath')) return part
  const xml = decodeXml(part)
    .replace(/<m:oMathParaPr\b[^>]*\/>|<m:oMathParaPr\b[\s\S]*?<\/m:oMathParaPr>|<\/?m:oMathPara(?:\s[^>]*)?>/g, '')
    .replace(/<m:oMath(?:\s[^>]*)?>[\s\S]*?<\/m:oMath>/g, (equation) => run(linear(parseXml(equation))))
  return Buffer.from(xml)
}

export const run = (text: string): string => `<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function linear(element: XmlElement): string {
  const part = (name: string): string => childrenNamed(element, name).map(linear).join('')
  switch (element.name) {
    case 't':
      return element.text
    case 'f':
      return `${grouped(part('num'))}/${grouped(part('den'))}`
    case 'sSup':
      return `${part('e')}^${grouped(part('sup'))}`
    case 'sSub':
      return `${part('e')}_${grouped(part('sub'))}`
    case 'sSubSup':
      return `${part('e')}_${grouped(part('sub'))}^${grouped(part('sup'))}`
    case 'rad':
      return `${part('deg')}√(${part('e')})`
    case 'd':
      return `(${childrenNamed(element, 'e').map(linear).join(', ')})`
    case 'nary':
      return `${operator(element)}${limits(part('sub'), part('sup'))} ${part('e')}`
    default:
      return element.children.map(linear).join('')
  }
}

const grouped = (text: string): string => ([...text].length > 1 ? `(${text})` : text)

const limits = (from: string, to: string): string => `${from && `_${grouped(from)}`}${to && `^${grouped(to)}`}`

/** The sign of a sum or product. Without one it is an integral. */
function operator(element: XmlElement): string {
  const sign = childrenNamed(element, 'naryPr').flatMap((properties) => childrenNamed(properties, 'chr'))[0]
  return sign?.attributes['m:val'] ?? '∫'
}
