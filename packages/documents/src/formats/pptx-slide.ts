import type { Zip } from '../zip.ts'
import { readChart } from './charts.ts'
import { markdownTable } from './markdown-table.ts'
import { type Relationship, relationships } from './office.ts'
import { childrenNamed, descendant, descendants, joinedText, parseXml, type XmlElement } from './xml.ts'

export interface SlidePart {
  kind: 'paragraph' | 'table' | 'list'
  text: string
}

export interface Slide {
  title: string
  parts: SlidePart[]
}

export function readSlide(zip: Zip, part: string): Slide {
  const related = relationships(zip, part)
  const tree = descendant(parseXml(zip.text(part) ?? ''), 'spTree')
  const slide: Slide = { title: '', parts: [] }
  if (tree) for (const shape of tree.children) readShape(zip, shape, related, slide)
  const notes = [...related.values()].find(({ type }) => type === 'notesSlide')
  if (notes) addText(slide, 'Notes: ', readNotes(zip, notes.target))
  return slide
}

function readShape(zip: Zip, shape: XmlElement, related: Map<string, Relationship>, slide: Slide): void {
  if (shape.name === 'grpSp' || shape.name === 'AlternateContent' || shape.name === 'Choice') {
    for (const child of shape.children) readShape(zip, child, related, slide)
  } else if (shape.name === 'pic') {
    addText(slide, 'Picture: ', pictureText(shape))
  } else if (shape.name === 'graphicFrame') {
    readFrame(zip, shape, related, slide)
  } else if (shape.name === 'sp' && !isBoilerplate(shape)) {
    const text = shapeText(shape)
    if (isTitle(shape) && slide.title === '') slide.title = text.replace(/\s+/g, ' ').trim()
    else addText(slide, '', text)
  }
}

function addText(slide: Slide, label: string, text: string): void {
  if (text.trim() === '') return
  const kind = text.split('\n').length > 1 ? 'list' : 'paragraph'
  slide.parts.push({ kind, text: label + text.trim() })
}

const placeholder = (shape: XmlElement): string | undefined => descendant(shape, 'ph')?.attributes.type

const isTitle = (shape: XmlElement): boolean => ['title', 'ctrTitle'].includes(placeholder(shape) ?? '')

/** Page numbers, dates and footers, which are the same on every slide. */
const isBoilerplate = (shape: XmlElement): boolean => ['sldNum', 'dt', 'ftr', 'hdr'].includes(placeholder(shape) ?? '')

const shapeText = (shape: XmlElement): string =>
  childrenNamed(shape, 'txBody')
    .flatMap((body) => childrenNamed(body, 'p'))
    .map(paragraphText)
    .filter((line) => line !== '')
    .join('\n')

function paragraphText(paragraph: XmlElement): string {
  const pieces = paragraph.children.map((child) => (child.name === 'br' ? '\n' : joinedText(child, 't')))
  return pieces.join('').trim()
}

/** The description of a picture, unless it is only a file name. */
function pictureText(shape: XmlElement): string {
  const description = descendant(shape, 'cNvPr')?.attributes.descr?.replace(/\s+/g, ' ').trim() ?? ''
  return /^\S+\.\w{3,4}$/.test(description) ? '' : description
}

function readFrame(zip: Zip, frame: XmlElement, related: Map<string, Relationship>, slide: Slide): void {
  const table = descendant(frame, 'tbl')
  if (table) slide.parts.push({ kind: 'table', text: markdownTable(tableRows(table)) })
  const chart = related.get(descendant(frame, 'chart')?.attributes['r:id'] ?? '')
  if (chart) addChart(zip, chart.target, slide)
  const diagram = related.get(descendant(frame, 'relIds')?.attributes['r:dm'] ?? '')
  if (diagram) addText(slide, '', diagramText(zip, diagram.target))
}

const tableRows = (table: XmlElement): string[][] =>
  childrenNamed(table, 'tr').map((row) =>
    childrenNamed(row, 'tc').map((cell) => [...descendants(cell, 'p')].map(paragraphText).join(' ')),
  )

function addChart(zip: Zip, part: string, slide: Slide): void {
  const { title, rows } = readChart(zip.text(part) ?? '')
  addText(slide, 'Chart: ', title)
  if (rows.length > 0) slide.parts.push({ kind: 'table', text: markdownTable(rows) })
}

const diagramText = (zip: Zip, part: string): string =>
  [...descendants(parseXml(zip.text(part) ?? ''), 'p')]
    .map(paragraphText)
    .filter((line) => line !== '')
    .join('\n')

function readNotes(zip: Zip, part: string): string {
  const shapes = [...descendants(parseXml(zip.text(part) ?? ''), 'sp')]
  return shapes
    .filter((shape) => placeholder(shape) === 'body')
    .map(shapeText)
    .join('\n')
}
