import { Readable } from 'node:stream'
import { invalid } from '../../../kernel/errors.ts'
import { rejectNul, rejectUnsafeJson } from '../../../kernel/http/json-text.ts'
import { isObject } from '../../../kernel/is-object.ts'
import { yieldEvery } from '../../../kernel/yield.ts'
import { maxCases, maxLabels, maxTextLength, type TestCase } from '../schema.ts'

const chunkLength = 64 * 1024
const maxBlockMs = 5
/** The columns of a test case, and one for each label. */
const maxColumns = maxLabels + 3

/** Reads the test cases in a file. Errors name the row. */
export async function readCases(format: 'csv' | 'jsonl', content: string): Promise<TestCase[]> {
  rejectNul('content', content)
  const text = content.replace(/^\ufeff/, '')
  const cases = format === 'csv' ? await fromCsv(text) : await fromJsonLines(text)
  if (cases.length === 0) invalid('content', 'has no test cases')
  return cases
}

async function fromCsv(text: string): Promise<TestCase[]> {
  const { CsvError, parse } = await import('csv-parse')
  const cases: TestCase[] = []
  const records = Readable.from(eachChunk(text)).pipe(
    parse({
      delimiter: detectDelimiter(text),
      relax_column_count: false,
      skip_empty_lines: true,
      max_record_size: 1_000_000,
      on_record: limitColumns,
    }),
  )
  let header: string[] | null = null
  try {
    for await (const record of records as AsyncIterable<string[]>) {
      if (header === null) header = readHeader(record)
      else cases.push(fromRecord(header, record, cases.length + 2))
      if (cases.length > maxCases) rejectTooMany()
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    invalid('content', `cannot be read as CSV: ${error.message}`)
  }
  return cases
}

/** In chunks, so that a large file does not block the event loop. */
function* eachChunk(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += chunkLength) yield text.slice(at, at + chunkLength)
}

/** Each column is compared with the others, so many would take long. */
function limitColumns(record: string[]): string[] {
  if (record.length > maxColumns) invalid('content', `has ${record.length} columns; at most ${maxColumns} are allowed`)
  return record
}

function readHeader(record: string[]): string[] {
  const header = record.map((name) => name.trim())
  if (!header.includes('input')) {
    invalid(
      'content',
      `needs a first row with column names, including "input"; it has ${header.join(', ').slice(0, 200)}`,
    )
  }
  const repeated = header.find((name, index) => header.indexOf(name) !== index)
  if (repeated !== undefined) invalid('content', `has the column "${repeated.slice(0, 100)}" twice`)
  return header
}

/** Other columns become metadata. */
function fromRecord(header: string[], record: string[], row: number): TestCase {
  const cell = (name: string): string => record[header.indexOf(name)] ?? ''
  const metadata: Record<string, unknown> = {}
  const metadataCell = cell('metadata')
  for (const [name, value] of Object.entries(metadataCell.trim() === '' ? {} : objectIn(metadataCell, row)))
    setOwn(metadata, name, value)
  for (const [index, name] of header.entries()) {
    if (['input', 'expected_output', 'metadata', ''].includes(name) || (record[index] ?? '') === '') continue
    setOwn(metadata, name, record[index])
  }
  const expected = cell('expected_output')
  return checked({ input: cell('input'), expected_output: expected === '' ? null : expected, metadata }, row)
}

/** Also sets fields with special names such as `__proto__`. */
function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
}

function objectIn(text: string, row: number): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    invalid('content', `row ${row}: metadata is not JSON`)
  }
  return isObject(value) ? value : invalid('content', `row ${row}: metadata is not a JSON object`)
}

async function fromJsonLines(text: string): Promise<TestCase[]> {
  const cases: TestCase[] = []
  const yieldIfDue = yieldEvery(maxBlockMs)
  let number = 0
  for (const line of eachLine(text)) {
    number++
    await yieldIfDue()
    if (line.trim() !== '') cases.push(fromLine(line, number))
    if (cases.length > maxCases) rejectTooMany()
  }
  return cases
}

/** One at a time: an array of all lines would take more memory than the text. */
function* eachLine(text: string): Generator<string> {
  let start = 0
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
    yield text.slice(start, index)
    start = index + end.length
  }
  yield text.slice(start)
}

function fromLine(line: string, row: number): TestCase {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    invalid('content', `row ${row}: is not JSON`)
  }
  if (!isObject(value)) invalid('content', `row ${row}: is not a JSON object`)
  const { input, expected_output = null, metadata = null, ...more } = value
  const [unknown] = Object.keys(more)
  if (unknown !== undefined) invalid('content', `row ${row}: "${unknown.slice(0, 100)}" is not a known field`)
  if (typeof input !== 'string') invalid('content', `row ${row}: input must be a string`)
  if (expected_output !== null && typeof expected_output !== 'string') {
    invalid('content', `row ${row}: expected_output must be a string`)
  }
  if (metadata !== null && !isObject(metadata)) invalid('content', `row ${row}: metadata must be an object`)
  return checked({ input, expected_output, metadata: metadata ?? {} }, row)
}

function checked(testCase: TestCase, row: number): TestCase {
  const { input, expected_output: expected, metadata } = testCase
  if (input === '') invalid('content', `row ${row}: input is empty`)
  for (const [name, text] of [
    ['input', input],
    ['expected_output', expected ?? ''],
  ] as const) {
    if (text.length > maxTextLength)
      invalid('content', `row ${row}: ${name} is longer than ${maxTextLength} characters`)
    rejectNul(`content: row ${row}: ${name}`, text)
  }
  if (JSON.stringify(metadata).length > maxTextLength) invalid('content', `row ${row}: metadata is too large`)
  if (Object.keys(metadata ?? {}).length > maxLabels)
    invalid('content', `row ${row}: metadata has more than ${maxLabels} names`)
  rejectUnsafeJson(`content: row ${row}: metadata`, metadata ?? {})
  return testCase
}

const rejectTooMany = (): never => invalid('content', `has more than ${maxCases} test cases`)

/** The most frequent delimiter in the first row, outside of quotes. */
function detectDelimiter(text: string): string {
  const first = text.slice(0, 10_000).split(/\r\n|\n|\r/, 1)[0] ?? ''
  const bare = first.replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }))
  return counts.toSorted((one, other) => other.count - one.count)[0]?.delimiter ?? ','
}
