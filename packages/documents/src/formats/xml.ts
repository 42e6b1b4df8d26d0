import { Parser } from 'htmlparser2'
import { DocumentError } from '../document.ts'

const maxDepth = 500

export interface XmlElement {
  /** Without its namespace prefix. */
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  /** Without the text of child elements. */
  text: string
}

/** Parses XML to a tree. Entities that the document defines are not expanded, so they cannot multiply. */
export function parseXml(xml: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element: XmlElement = { name: localName(name), attributes, children: [], text: '' }
        open.at(-1)?.children.push(element)
        open.push(element)
        if (open.length > maxDepth) throw new DocumentError('too_complex', 'The document is nested too deeply.')
      },
      onclosetag() {
        if (open.length > 1) open.pop()
      },
      ontext(text) {
        const element = open.at(-1)
        if (element) element.text += text
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  return root
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** All elements of a name below an element, in the order of the document. */
export function* descendants(element: XmlElement, ...names: string[]): Generator<XmlElement> {
  for (const child of element.children) {
    if (names.includes(child.name)) yield child
    yield* descendants(child, ...names)
  }
}

export function descendant(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element && descendants(element, name).next().value
}

export const childrenNamed = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name)

export const joinedText = (element: XmlElement, name: string): string =>
  [...descendants(element, name)].map(({ text }) => text).join('')
